/* SPDX-License-Identifier: BSD-2-Clause */
/* InfiniBand's transport headers, between bytes and structs. */
#include "goldwire/ib.h"

#include <string.h>

#include "core/bits.h"

/* FROM_BTH_OPCODE, TO_BTH_OPCODE ...: the bits of each field */
#define GW_FIELD(group, id, from, to, ...) FROM_##id = (from), TO_##id = (to),
#include "core/table_defaults.h"
enum {
#include "net/ib_headers.def"
    FROM_NOTHING
};
#include "core/table_end.h"

#define GET(p, id) gw_bits_get_msb0(p, FROM_##id, TO_##id)
#define PUT(p, id, value) gw_bits_put_msb0(p, FROM_##id, TO_##id, value)

void gw_ib_put_bth(uint8_t out[GW_IB_BTH], const gw_ib_bth *bth)
{
    memset(out, 0, GW_IB_BTH);
    PUT(out, BTH_OPCODE, bth->opcode);
    PUT(out, BTH_SE, bth->solicited);
    PUT(out, BTH_M, bth->migrated);
    PUT(out, BTH_PAD, bth->pad);
    PUT(out, BTH_TVER, bth->version);
    PUT(out, BTH_PKEY, bth->pkey);
    PUT(out, BTH_FECN, bth->fecn);
    PUT(out, BTH_BECN, bth->becn);
    PUT(out, BTH_RESERVED_A, bth->reserved_a);
    PUT(out, BTH_DEST_QP, bth->dest_qp);
    PUT(out, BTH_ACK_REQ, bth->ack_request);
    PUT(out, BTH_RESERVED_B, bth->reserved_b);
    PUT(out, BTH_PSN, bth->psn);
}

gw_ib_bth gw_ib_get_bth(const uint8_t in[GW_IB_BTH])
{
    gw_ib_bth bth = {
        .opcode = GET(in, BTH_OPCODE),
        .solicited = GET(in, BTH_SE),
        .migrated = GET(in, BTH_M),
        .pad = GET(in, BTH_PAD),
        .version = GET(in, BTH_TVER),
        .pkey = GET(in, BTH_PKEY),
        .fecn = GET(in, BTH_FECN),
        .becn = GET(in, BTH_BECN),
        .reserved_a = GET(in, BTH_RESERVED_A),
        .dest_qp = GET(in, BTH_DEST_QP),
        .ack_request = GET(in, BTH_ACK_REQ),
        .reserved_b = GET(in, BTH_RESERVED_B),
        .psn = GET(in, BTH_PSN),
    };
    return bth;
}

void gw_ib_put_deth(uint8_t out[GW_IB_DETH], const gw_ib_deth *deth)
{
    memset(out, 0, GW_IB_DETH);
    PUT(out, DETH_QKEY, deth->qkey);
    PUT(out, DETH_RESERVED, deth->reserved);
    PUT(out, DETH_SRC_QP, deth->src_qp);
}

gw_ib_deth gw_ib_get_deth(const uint8_t in[GW_IB_DETH])
{
    gw_ib_deth deth = {
        .qkey = GET(in, DETH_QKEY),
        .reserved = GET(in, DETH_RESERVED),
        .src_qp = GET(in, DETH_SRC_QP),
    };
    return deth;
}

void gw_ib_put_reth(uint8_t out[GW_IB_RETH], const gw_ib_reth *reth)
{
    memset(out, 0, GW_IB_RETH);
    PUT(out, RETH_VA, reth->va);
    PUT(out, RETH_RKEY, reth->rkey);
    PUT(out, RETH_LENGTH, reth->length);
}

gw_ib_reth gw_ib_get_reth(const uint8_t in[GW_IB_RETH])
{
    gw_ib_reth reth = {
        .va = GET(in, RETH_VA),
        .rkey = GET(in, RETH_RKEY),
        .length = GET(in, RETH_LENGTH),
    };
    return reth;
}

const char *gw_ib_verdict_name(gw_ib_verdict verdict)
{
    switch (verdict) {
    case GW_IB_RIGHT:
        return "right";
    case GW_IB_WRONG:
        return "wrong";
    default:
        return "not judged";
    }
}
