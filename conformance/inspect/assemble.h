/* SPDX-License-Identifier: BSD-2-Clause */
/* From the JSON object of a message back to the message: the leaf fields win over the payload. */
#ifndef INSPECT_ASSEMBLE_H
#define INSPECT_ASSEMBLE_H

#include <jansson.h>

#include "goldwire/cover.h"
#include "goldwire/format.h"
#include "goldwire/ib.h"
#include "goldwire/message.h"

/* The longest payload that IP can carry. */
#define GW_ASSEMBLE_BYTES 65535

/* gw_assembled is a message with bytes of its own. */
typedef struct gw_assembled {
    gw_message message; /* data points to bytes; family GW_FAMILY_NONE: no address was given */
    const gw_format *format;
    uint32_t lost_before; /* as in gw_found */
    uint8_t tcp_dir;      /* as in gw_found; 0 when not given */
    bool has_tcp_dir;
    bool has_lrh; /* of InfiniBand, and: */
    bool has_grh;
    uint8_t lrh[GW_IB_LRH];
    uint8_t grh[GW_IB_GRH];
    uint32_t icrc_flaw; /* bits by which a checksum differs from the right one */
    uint16_t vcrc_flaw; /* likewise */
    bool has_stream;
    bool start_missing;
    uint8_t bytes[GW_ASSEMBLE_BYTES]; /* cap_len bytes, zeros after them */
    gw_cover cover;                   /* which bits the leaves gave */
    uint8_t scratch[GW_ASSEMBLE_BYTES];
} gw_assembled;

/* gw_assemble fills |out| from |object|, as `goldwire decode --json` prints it. |format| is that of
 * objects that name none; it may be NULL. False with a text in |why| that names the path of the
 * field that is wrong and what to do. */
GW_MUST_USE bool gw_assemble(gw_assembled *out, const json_t *object, const gw_format *format,
                             char *why, size_t why_cap);

#endif
