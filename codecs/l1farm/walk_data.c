/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading what SCI and TagNet carry: tags, results, descriptors, registers, event data. */
#include "l1farm/walk.h"

/* ---- TagNet ---- */

void gw_l1_read_edge(gw_l1_reading *r)
{
    if (!gw_l1_flat(&r->w, GW_L1_G_EDGE))
        return;
    const uint8_t *at = gw_l1_taken(&r->w, GW_L1_G_EDGE);
    r->out->has = GW_L1_HAS_EDGE;
    r->out->u.edge = (gw_l1_edge){
        .line = GET(at, EDGE_LINE), .edge = GET(at, EDGE_EDGE), .ru = GET(at, EDGE_RU)};
}

void gw_l1_read_tag(gw_l1_reading *r)
{
    gw_walk *w = &r->w;
    uint32_t start = gw_cursor_offset(&w->c);

    if (!gw_l1_flat(w, GW_L1_G_TAG))
        return;
    const uint8_t *at = gw_l1_taken(w, GW_L1_G_TAG);
    uint32_t word = (uint32_t)gw_bits_get_msb0(at, GW_L1_FROM_TAG_ZERO, GW_L1_TO_TAG_CODE);
    gw_l1_tag tag = gw_l1_tag_decode(word, (gw_l1_code)r->profile->code);
    r->out->has = GW_L1_HAS_TAG;
    r->out->word = word;
    r->out->u.tag = tag;
    gw_l1_derive(w, GW_L1_F_TAG_STATUS, tag.status, start);
    if (tag.status != GW_L1_TAG_FATAL)
        gw_l1_derive(w, GW_L1_F_TAG_DEST, tag.dest, start);
    if (tag.status == GW_L1_TAG_CORRECTED)
        gw_l1_derive(w, GW_L1_F_TAG_BIT, tag.bit, start);
}

/* ---- event data, results, descriptors, registers ---- */

void gw_l1_read_result(gw_l1_reading *r)
{
    if (!gw_l1_flat(&r->w, GW_L1_G_RESULT))
        return;
    r->out->has = GW_L1_HAS_RESULT;
    r->out->u.result = gw_l1_get_result(gw_l1_taken(&r->w, GW_L1_G_RESULT));
}

void gw_l1_read_descriptors(gw_l1_reading *r)
{
    static const int groups[] = {GW_L1_G_DESC, GW_L1_G_DESC_TOP_DOWN, GW_L1_G_DESC_PROSE};
    const gw_l1_profile *profile = r->profile;
    gw_walk *w = &r->w;

    r->out->has = GW_L1_HAS_DESCRIPTORS;
    for (uint32_t i = 0; w->error.kind == GW_OK && gw_cursor_left(&w->c) > 0; i++) {
        uint32_t start = gw_cursor_offset(&w->c);
        int group = groups[profile->order];
        //@ split group;
        gw_walk_open(w, gw_l1_group(GW_L1_G_DESCRIPTOR), i);
        if (gw_l1_flat(w, group)) {
            const uint8_t *at = gw_l1_taken(w, group);
            gw_l1_descriptor d = gw_l1_get_descriptor(at, profile);
            gw_l1_derive(w, GW_L1_F_DESC_BYTES, (uint64_t)d.blocksize * profile->unit, start);
        }
        gw_walk_close(w, gw_l1_group(GW_L1_G_DESCRIPTOR));
    }
}

void gw_l1_read_register(gw_l1_reading *r)
{
    gw_l1_register *reg = &r->out->u.reg;
    const uint8_t *at;

    if (!gw_l1_flat(&r->w, GW_L1_G_REGISTER))
        return;
    r->out->has = GW_L1_HAS_REGISTER;
    at = gw_l1_taken(&r->w, GW_L1_G_REGISTER);
    reg->bar = GET(at, REG_BAR);
    reg->op = GET(at, REG_OP);
    reg->offset = GET(at, REG_OFFSET);
    if (reg->op == GW_L1_READ)
        return;
    int group = reg->bar == 0 && reg->offset == GW_L1_DMACNTRL ? GW_L1_G_DMACNTRL : GW_L1_G_VALUE;
    //@ split group;
    reg->has_value = gw_l1_flat(&r->w, group);
    if (reg->has_value)
        reg->value = GET(gw_l1_taken(&r->w, group), REG_VALUE);
}

/* ---- from the detector ---- */

static bool walk_clusters(gw_walk *w, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++) {
        gw_walk_open(w, gw_l1_group(GW_L1_G_CLUSTER), i);
        bool whole = gw_l1_flat(w, GW_L1_G_HIT);
        gw_walk_close(w, gw_l1_group(GW_L1_G_CLUSTER));
        if (!whole)
            return false;
    }
    return true;
}

/* A block is header, clusters and trailer; its length says how many clusters there are. */
void gw_l1_read_ode(gw_l1_reading *r, uint32_t len)
{
    r->out->has = GW_L1_HAS_ODE;
    if (gw_l1_flat(&r->w, GW_L1_G_ODE_HEADER) && walk_clusters(&r->w, gw_l1_ode_clusters(len)))
        (void)gw_l1_flat(&r->w, GW_L1_G_ODE_TRAILER);
}

static void walk_ru(gw_walk *w)
{
    if (!gw_l1_flat(w, GW_L1_G_RU_HEADER))
        return;
    uint32_t num = GET(gw_l1_taken(w, GW_L1_G_RU_HEADER), RU_LINKS);
    for (uint32_t i = 0; i < num; i++) {
        gw_walk_open(w, gw_l1_group(GW_L1_G_LINK), i);
        bool whole = gw_l1_flat(w, GW_L1_G_LINK_SOURCE);
        if (whole)
            whole = walk_clusters(w, GET(gw_l1_taken(w, GW_L1_G_LINK_SOURCE), LINK_COUNT));
        gw_walk_close(w, gw_l1_group(GW_L1_G_LINK));
        if (!whole)
            return;
    }
}

/* A sub-event travels in bursts, and all but the first begin in the middle of it. What begins names
 * its unit and event, as the tunnel does, or is as long as it says. */
static bool is_part(const gw_l1_reading *r)
{
    const gw_l1_shim *s = &r->out->shim;
    gw_cursor ahead = r->w.c;
    const uint8_t *head;

    if (!r->out->has_shim || !gw_cursor_bytes(&ahead, &head, GW_L1_BYTES_IN_RU_HEADER))
        return false;
    uint16_t length = GET(head, RU_LENGTH);
    if (length < GW_L1_BYTES_IN_RU_HEADER || GET(head, RU_NUMBER) != s->ru ||
        (GET(head, RU_EVENT) != s->event && length != s->length))
        return true;
    return s->length == GW_L1_BURST && length > GW_L1_BURST;
}

void gw_l1_read_subevent(gw_l1_reading *r)
{
    if (r->profile->ode && is_part(r)) {
        r->out->has = GW_L1_HAS_DATA;
        gw_l1_string(&r->w, GW_L1_G_DATA, GW_L1_F_DATA, r->out->shim.length);
        return;
    }
    r->out->has = r->profile->ode ? GW_L1_HAS_RU : GW_L1_HAS_WORDS;
    if (r->profile->ode)
        walk_ru(&r->w);
    else
        gw_l1_each(&r->w, GW_L1_G_WORD, GW_L1_G_EVENT);
}
