/* SPDX-License-Identifier: BSD-2-Clause */
/* Register accesses as EtherBone packets: 32-bit addresses and words, one access a record. Each
 * packet also reads the slave's error register, so that it is answered even when it writes, and the
 * answer tells how the bus took it. In a dialect of one record a packet there is no such register:
 * a write is followed by a probe, whose answer tells that it has arrived. */
#ifndef GOLDWIRE_SUITE_REGS_WIRE_H
#define GOLDWIRE_SUITE_REGS_WIRE_H

#include "goldwire/base.h"
#include "goldwire/format.h"

#define GW_REGS_PACKET 64                /* bytes, at most, with one access */
#define GW_REGS_TOGETHER 40              /* accesses in a packet, at most */
#define GW_REGS_LARGE_PACKET 512         /* bytes, at most, with so many */
#define GW_REGS_TAG UINT32_C(0x52000000) /* "R": return addresses of ours begin here */

/* gw_regs_access is one access to the register at the bus address |at|. */
typedef struct gw_regs_access {
    uint32_t at;
    uint32_t value; /* to write, or that was read */
    bool write;
} gw_regs_access;

/* gw_regs_answer is what has come of an answer. */
typedef struct gw_regs_answer {
    uint32_t values[GW_REGS_TOGETHER]; /* of the accesses that read */
    uint32_t errors;                   /* bit 0: the bus refused the last access */
    uint64_t seen;                     /* bit i: values[i] has come */
    bool has_errors;
} gw_regs_answer;

/* gw_regs_ask writes the packet that reads the register at |address|, or writes *write to it, with
 * the return address |tag|, a multiple of 8. Returns its length; 0 when it does not fit. */
size_t gw_regs_ask(uint8_t *out, uint32_t tag, uint32_t address, const uint32_t *write,
                   const gw_dialect *dialect);

/* gw_regs_ask_together writes the packet that makes |num| accesses, one after the other, into the
 * GW_REGS_LARGE_PACKET bytes at |out|. |tag| is a multiple of 256. */
size_t gw_regs_ask_together(uint8_t *out, uint32_t tag, const gw_regs_access *accesses, size_t num,
                            const gw_dialect *dialect);

/* gw_regs_confirm writes the packet that has to follow a write in |dialect|, and returns its
 * length; 0 when none has to. */
size_t gw_regs_confirm(uint8_t *out, uint32_t tag, const gw_dialect *dialect);

/* gw_regs_take takes what the packet of |len| bytes at |data| answers to the question |tag|. */
void gw_regs_take(gw_regs_answer *a, const uint8_t *data, size_t len, uint32_t tag,
                  const gw_dialect *dialect);

#endif
