/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of the pcapng format (draft-ietf-opsawg-pcapng) that its reader and its writer share. */
#ifndef HARNESS_CAPTURE_PCAPNG_H
#define HARNESS_CAPTURE_PCAPNG_H

#define GW_PCAPNG_BYTE_ORDER 0x1a2b3c4du

enum {
    GW_PCAPNG_INTERFACE = 1,
    GW_PCAPNG_PACKET = 2, /* obsolete */
    GW_PCAPNG_SIMPLE = 3,
    GW_PCAPNG_STATISTICS = 5,
    GW_PCAPNG_ENHANCED = 6,
    GW_PCAPNG_SECTION = 0x0a0d0d0a, /* the same read either way */
};

/* Options. Numbers above 1 mean something else in each kind of block. */
enum {
    GW_PCAPNG_OPT_END = 0,
    GW_PCAPNG_OPT_COMMENT = 1,
    GW_PCAPNG_OPT_IF_NAME = 2,
    GW_PCAPNG_OPT_IF_DESCRIPTION = 3,
    GW_PCAPNG_OPT_IF_TSRESOL = 9,
    GW_PCAPNG_OPT_IF_TSOFFSET = 14,
    GW_PCAPNG_OPT_PACKET_FLAGS = 2, /* also of the obsolete packet block */
    GW_PCAPNG_OPT_SHB_USERAPPL = 4,
    GW_PCAPNG_OPT_ISB_IFDROP = 5,
};

#define GW_PCAPNG_OPT_MAX 65535 /* bytes: the length has 16 bits */

#endif
