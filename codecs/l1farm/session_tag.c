/* SPDX-License-Identifier: BSD-2-Clause */
/* TagNet: a tag in, a tag out, and nobody is pushed while busy. */
#include "l1farm/session.h"

#define ANYWHERE UINT32_MAX /* on any interface */
#define MAY_HOLD 2          /* tags: one that is worked on, one in the output buffer */

static void take_in(l1_lines *l, const gw_judge *judge, const gw_l1_edge *e, uint32_t start)
{
    if (l->busy)
        gw_l1_report(judge, L1_G02, GW_L1_F_EDGE_LINE, start,
                     "a tag comes to readout unit %d, which is busy", GW_NUMBERS(e->ru));
    l->most++;
    l->in_seen = true;
    if (!l->out_seen)
        return;
    l->least++;
    if (l->least > MAY_HOLD) {
        gw_l1_report(judge, L1_G01, GW_L1_F_EDGE_LINE, start,
                     "readout unit %d holds more than two tags: one is lost", GW_NUMBERS(e->ru));
        l->least--;
    }
}

static void take_out(l1_lines *l, const gw_judge *judge, const gw_l1_edge *e, uint32_t start)
{
    if (l->next_busy)
        gw_l1_report(judge, L1_G02, GW_L1_F_EDGE_LINE, start,
                     "readout unit %d forwards a tag while the next one is busy",
                     GW_NUMBERS(e->ru));
    l->out_seen = true;
    if (!l->in_seen)
        return; /* its input is not in the capture */
    if (l->most == 0)
        gw_l1_report(judge, L1_G01, GW_L1_F_EDGE_LINE, start,
                     "readout unit %d forwards a tag that never came", GW_NUMBERS(e->ru));
    else
        l->most--;
    l->least -= l->least > 0;
}

void gw_l1_take_edge(l1_session *s, const gw_judge *judge, const gw_l1_edge *e, uint32_t start)
{
    l1_lines *l = &s->lines[e->ru % L1_UNITS];
    bool asserted = e->edge == 1;

    switch (e->line) {
    case GW_L1_TIN:
        if (asserted)
            take_in(l, judge, e, start);
        return;
    case GW_L1_TON:
        if (asserted)
            take_out(l, judge, e, start);
        return;
    case GW_L1_BIN:
        l->next_busy = asserted;
        return;
    case GW_L1_BON:
        l->busy = asserted;
        return;
    default:
        return;
    }
}

/* A tag is judged where it enters; whether unit |ru| has it from the one before, which was sent it
 * after |frame|. */
static bool was_named_before(l1_session *s, uint16_t dest, uint16_t ru, uint64_t frame)
{
    return ru > 0 &&
           gw_l1_find_place(s, L1_TAGGED, dest, (uint16_t)(ru - 1), ANYWHERE)->frame > frame;
}

/* Only the planned system says when a buffer is free, and only a capture that shows releases. */
void gw_l1_take_tag(l1_session *s, const gw_judge *judge, const gw_l1_unit *u, uint32_t interface,
                    const gw_l1_profile *profile)
{
    uint16_t ru = u->has_shim ? u->shim.ru : UINT16_MAX;

    if (u->u.tag.status == GW_L1_TAG_FATAL)
        return;
    if (u->has_shim)
        s->lists[u->shim.ru].named = true;
    if (!profile->final)
        return;
    l1_place *p = gw_l1_find_place(s, L1_TAGGED, u->u.tag.dest, ru, interface);
    bool passed_on = ru != UINT16_MAX && was_named_before(s, u->u.tag.dest, ru, p->frame);
    if (p->frame != 0 && !p->released && s->releases && !passed_on)
        gw_l1_report(judge, L1_G07, GW_L1_F_TAG_CODE, u->data_offset,
                     "destination %x, named in frame %d, has not released a buffer since",
                     GW_NUMBERS(u->u.tag.dest, p->frame));
    p->frame = judge->frame;
    p->released = false;
    gw_l1_find_place(s, L1_TAGGED, u->u.tag.dest, ru, ANYWHERE)->frame = judge->frame;
}
