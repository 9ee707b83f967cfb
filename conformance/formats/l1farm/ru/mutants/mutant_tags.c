/* SPDX-License-Identifier: BSD-2-Clause */
/* What goes wrong with tags in a mutant: pulses and busy on the tag lines, and coded tags. */
#include "formats/l1farm/ru/mutants/mutants.h"

/* ---- what comes ---- */

void gw_l1_m_any_line(gw_l1_ru *r, const gw_l1_unit *u)
{
    gw_l1_unit other = *u;
    bool ours = u->u.edge.line == GW_L1_TON || u->u.edge.line == GW_L1_BON;

    if (u->has == GW_L1_HAS_EDGE && ours)
        other.u.edge.line = GW_L1_TIN;
    gw_l1_ru_take(r, &other);
}

void gw_l1_m_no_correction(gw_l1_ru *r, const gw_l1_unit *u)
{
    gw_l1_unit other = *u;

    if (u->has == GW_L1_HAS_TAG && u->u.tag.status == GW_L1_TAG_CORRECTED)
        other.u.tag.status = GW_L1_TAG_FATAL;
    gw_l1_ru_take(r, &other);
}

void gw_l1_m_takes_fatal(gw_l1_ru *r, const gw_l1_unit *u)
{
    gw_l1_unit other = *u;

    if (u->has == GW_L1_HAS_TAG && u->u.tag.status == GW_L1_TAG_FATAL) {
        other.u.tag.status = GW_L1_TAG_CLEAN;
        other.u.tag.dest = 0;
    }
    gw_l1_ru_take(r, &other);
}

void gw_l1_m_fatal_is_event(gw_l1_ru *r, const gw_l1_unit *u)
{
    uint32_t discarded = r->discarded;

    gw_l1_ru_take(r, u);
    if (u->has == GW_L1_HAS_TAG && r->discarded != discarded)
        r->tag_id++;
}

/* ---- tag lines ---- */

void gw_l1_m_second_pushes(gw_l1_ru *r)
{
    gw_l1_ru_discard(r);
    gw_l1_ru_pulse_out(r);
}

void gw_l1_m_second_replaces(gw_l1_ru *r)
{
    gw_l1_ru_discard(r);
    r->held = false;
}

void gw_l1_m_busy_advances(gw_l1_ru *r)
{
    gw_l1_ru_discard(r);
    gw_l1_ru_advance(r);
}

void gw_l1_m_counts_discarded(gw_l1_ru *r)
{
    gw_l1_ru_discard(r);
    r->tags++;
}

void gw_l1_m_ignores_busy(gw_l1_ru *r, bool busy)
{
    (void)r;
    (void)busy;
}

void gw_l1_m_loses_held(gw_l1_ru *r, bool busy)
{
    if (!busy && r->held) {
        r->held = false;
        gw_l1_ru_set_busy(r, false);
    }
    gw_l1_ru_next_busy(r, busy);
}

/* ---- coded tags ---- */

void gw_l1_m_corrected_late(gw_l1_ru *r, const gw_l1_unit *u)
{
    r->step += u->u.tag.status == GW_L1_TAG_CORRECTED;
    gw_l1_ru_follow(r, u);
}

void gw_l1_m_corrected_twice(gw_l1_ru *r, const gw_l1_unit *u)
{
    gw_l1_ru_follow(r, u);
    if (u->u.tag.status == GW_L1_TAG_CORRECTED)
        gw_l1_ru_follow(r, u);
}

uint32_t gw_l1_m_unmapped_is_first(const gw_l1_ru *r, uint16_t dest)
{
    return dest <= r->descs ? dest : 0;
}

uint32_t gw_l1_m_last_unmapped(const gw_l1_ru *r, uint16_t dest)
{
    return dest < r->descs ? dest : UINT32_MAX;
}

uint32_t gw_l1_m_small_table(const gw_l1_ru *r, uint16_t dest)
{
    return dest <= r->descs ? dest % 20u : dest;
}

uint32_t gw_l1_m_forwards_uncoded(uint16_t dest, gw_l1_code code)
{
    (void)code;
    return dest;
}
