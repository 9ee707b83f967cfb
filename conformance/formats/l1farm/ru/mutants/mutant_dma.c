/* SPDX-License-Identifier: BSD-2-Clause */
/* What goes wrong in a mutant's DMA engine: registers, triggers, transfers, bursts. */
#include "formats/l1farm/ru/mutants/mutants.h"

/* ---- registers ---- */

void gw_l1_m_far_descriptors(gw_l1_ru *r, const gw_l1_unit *u)
{
    gw_l1_unit near = *u;

    if (u->has == GW_L1_HAS_DESCRIPTORS)
        near.shim.offset %= GW_L1_DESCBUF_BYTES;
    gw_l1_ru_take(r, &near);
}

void gw_l1_m_any_descs(gw_l1_ru *r, const gw_l1_register *reg)
{
    gw_l1_ru_write(r, reg);
    if (reg->bar == 0 && reg->offset == GW_L1_DESCS && reg->value >= GW_L1_DESCRIPTORS)
        r->descs = GW_L1_DESCRIPTORS; /* as it reads; its memory is not outgrown */
}

void gw_l1_m_clear_keeps_tag(gw_l1_ru *r)
{
    uint16_t tag_id = r->tag_id;

    gw_l1_ru_clear(r);
    r->tag_id = tag_id;
}

void gw_l1_m_clear_lets_run(gw_l1_ru *r)
{
    bool endless = r->endless;

    gw_l1_ru_clear(r);
    r->endless = endless;
}

/* ---- triggers ---- */

uint32_t gw_l1_m_always_one(const gw_l1_ru *r)
{
    return gw_l1_ru_transfers(r) > 0 ? 1 : 0;
}

uint32_t gw_l1_m_zero_is_one(const gw_l1_ru *r)
{
    uint32_t transfers = gw_l1_ru_transfers(r);

    return transfers == 0 ? 1 : transfers;
}

void gw_l1_m_no_wrap(gw_l1_ru *r)
{
    if (r->pointer < r->descs)
        gw_l1_ru_advance(r);
}

void gw_l1_m_short_pointer(gw_l1_ru *r)
{
    gw_l1_ru_advance(r);
    r->pointer %= 32;
}

void gw_l1_m_loop_once(gw_l1_ru *r)
{
    gw_l1_ru_advance(r);
    r->endless = r->endless && r->pointer != 0;
}

/* ---- blocks ---- */

void gw_l1_m_short(gw_l1_ru *r, uint32_t target, uint64_t bytes)
{
    uint32_t len = gw_l1_ru_whole(bytes);

    gw_l1_ru_block(r, target, len > 0 ? len - GW_L1_WORD : 0);
}

void gw_l1_m_whole_bursts(gw_l1_ru *r, uint32_t target, uint64_t bytes)
{
    uint32_t len = gw_l1_ru_whole(bytes), over = len % GW_L1_BURST;

    gw_l1_ru_block(r, target, len > GW_L1_BURST && over > 0 ? len + GW_L1_BURST - over : len);
}

void gw_l1_m_odd_rest(gw_l1_ru *r, uint32_t target, uint64_t bytes)
{
    gw_l1_ru_block(r, target, bytes);
    if (bytes % GW_L1_WORD != 0)
        (void)gw_l1_ru_burst(r, target + gw_l1_ru_whole(bytes), 0, GW_L1_WORD);
}

uint32_t gw_l1_m_tag_a_burst(gw_l1_ru *r, uint32_t target, uint32_t at, uint32_t len)
{
    r->tag_id += at > 0;
    return gw_l1_ru_burst(r, target, at, len);
}
