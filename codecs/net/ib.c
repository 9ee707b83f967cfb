/* SPDX-License-Identifier: BSD-2-Clause */
/* InfiniBand's transport headers, between bytes and structs. */
#include "goldwire/ib.h"

#include "goldwire/cursor.h"
#include "goldwire/writer.h"

void gw_ib_put_bth(uint8_t out[GW_IB_BTH], const gw_ib_bth *bth)
{
    out[0] = bth->opcode;
    out[1] = (uint8_t)(bth->solicited << 7 | bth->migrated << 6 | (bth->pad & 3) << 4 |
                       (bth->version & 15));
    gw_store_be(out + 2, bth->pkey, 2);
    out[4] = (uint8_t)(bth->fecn << 7 | bth->becn << 6 | (bth->reserved_a & 0x3f));
    gw_store_be(out + 5, bth->dest_qp, 3);
    out[8] = (uint8_t)(bth->ack_request << 7 | (bth->reserved_b & 0x7f));
    gw_store_be(out + 9, bth->psn, 3);
}

gw_ib_bth gw_ib_get_bth(const uint8_t in[GW_IB_BTH])
{
    gw_ib_bth bth = {
        .opcode = in[0],
        .solicited = (in[1] & 0x80) != 0,
        .migrated = (in[1] & 0x40) != 0,
        .pad = in[1] >> 4 & 3,
        .version = in[1] & 15,
        .pkey = gw_load_be16(in + 2),
        .fecn = (in[4] & 0x80) != 0,
        .becn = (in[4] & 0x40) != 0,
        .reserved_a = in[4] & 0x3f,
        .dest_qp = (uint32_t)gw_load_be(in + 5, 3),
        .ack_request = (in[8] & 0x80) != 0,
        .reserved_b = in[8] & 0x7f,
        .psn = (uint32_t)gw_load_be(in + 9, 3),
    };
    return bth;
}

void gw_ib_put_deth(uint8_t out[GW_IB_DETH], const gw_ib_deth *deth)
{
    gw_store_be(out, deth->qkey, 4);
    out[4] = deth->reserved;
    gw_store_be(out + 5, deth->src_qp, 3);
}

gw_ib_deth gw_ib_get_deth(const uint8_t in[GW_IB_DETH])
{
    gw_ib_deth deth = {
        .qkey = gw_load_be32(in),
        .reserved = in[4],
        .src_qp = (uint32_t)gw_load_be(in + 5, 3),
    };
    return deth;
}

void gw_ib_put_reth(uint8_t out[GW_IB_RETH], const gw_ib_reth *reth)
{
    gw_store_be(out, reth->va, 8);
    gw_store_be(out + 8, reth->rkey, 4);
    gw_store_be(out + 12, reth->length, 4);
}

gw_ib_reth gw_ib_get_reth(const uint8_t in[GW_IB_RETH])
{
    gw_ib_reth reth = {
        .va = gw_load_be64(in),
        .rkey = gw_load_be32(in + 8),
        .length = gw_load_be32(in + 12),
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
