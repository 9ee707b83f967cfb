/* SPDX-License-Identifier: BSD-2-Clause */
/* The pieces that datagrams and link runs are made of: header, payload, footer. */
#include <string.h>

#include "textarossa/internal.h"

gw_tx_scan gw_tx_scan_over(gw_tx_packet *out, const gw_message *message,
                           const gw_tx_dialect *dialect, gw_sink *sink)
{
    gw_tx_scan s = {.w = gw_walk_over(message, sink), .p = out, .d = dialect};
    bool on_link = message->part != GW_TX_PART_DATAGRAM;

    memset(out, 0, sizeof *out);
    out->message = *message;
    out->dialect = dialect;
    out->word_bytes = dialect->word_bytes;
    out->order = on_link || dialect->layout == GW_TX_HLS ? GW_TX_ORDER_A : dialect->order;
    out->layout = on_link ? GW_TX_PORT : dialect->layout;
    return s;
}

bool gw_tx_take_flat(gw_tx_scan *s, int group)
{
    return gw_walk_flat(&s->w, gw_tx_group(group), 0);
}

bool gw_tx_take_string(gw_tx_scan *s, int group, int field, size_t len)
{
    if (gw_cursor_left(&s->w.c) < len) {
        gw_walk_missing(&s->w, gw_tx_field(field), (uint32_t)len);
        return false;
    }
    return gw_walk_string(&s->w, gw_tx_group(group), len) == len;
}

/* The word at |at|, which has been walked. */
static gw_tx_word word_at(const gw_tx_scan *s, gw_cursor at)
{
    gw_tx_word none = {0, 0};
    unsigned word = s->p->word_bytes;
    const uint8_t *bytes;

    //@ split word;
    return gw_cursor_bytes(&at, &bytes, word) ? gw_tx_load(bytes, word, (gw_tx_order)s->p->order)
                                              : none;
}

bool gw_tx_take_run(gw_tx_scan *s, bool is_payload, size_t len)
{
    const gw_group *group = gw_tx_group(is_payload ? GW_TX_G_PAYLOAD : GW_TX_G_PADDING);
    size_t take = gw_walk_string(&s->w, group, len);

    if (!is_payload)
        s->p->padding += (uint32_t)take;
    if (take < len)
        gw_walk_missing(&s->w, gw_tx_field(is_payload ? GW_TX_F_PAYLOAD : GW_TX_F_PADDING),
                        (uint32_t)(len - take));
    return take == len;
}

void gw_tx_derive(gw_tx_scan *s, int field, uint64_t value, uint32_t offset)
{
    if (s->w.sink != NULL)
        gw_walk_derive(&s->w, gw_tx_field(field), value, offset);
}

/* ---- header ---- */

static int header_group(const gw_tx_packet *p)
{
    if (p->layout == GW_TX_HLS)
        return GW_TX_G_HEADER_HLS;
    switch (p->order) {
    case GW_TX_ORDER_B:
        return GW_TX_G_HEADER_B;
    case GW_TX_ORDER_C:
        return GW_TX_G_HEADER_C;
    default:
        return GW_TX_G_HEADER;
    }
}

/* The header fills the low half of a wide word; in order B the upper half comes first. */
static bool take_header_word(gw_tx_scan *s)
{
    size_t upper = s->p->word_bytes - GW_TX_WORD;
    bool upper_first = s->p->order == GW_TX_ORDER_B;

    if (upper > 0 && upper_first && !gw_tx_take_string(s, GW_TX_G_UPPER, GW_TX_F_UPPER, upper))
        return false;
    if (!gw_tx_take_flat(s, header_group(s->p)))
        return false;
    return upper == 0 || upper_first || gw_tx_take_string(s, GW_TX_G_UPPER, GW_TX_F_UPPER, upper);
}

static void derive_edac(gw_tx_scan *s)
{
    const gw_tx_edac *e = &s->p->edac;
    uint32_t at = s->p->header_offset;

    gw_tx_derive(s, GW_TX_F_EDAC_STATUS, e->status, at);
    gw_tx_derive(s, GW_TX_F_EDAC_EXPECTED, e->expected, at);
    if (e->status != GW_TX_EDAC_OFF && e->syndrome != 0)
        gw_tx_derive(s, GW_TX_F_EDAC_SYNDROME, e->syndrome, at);
    if (e->status == GW_TX_EDAC_CORRECTED)
        gw_tx_derive(s, GW_TX_F_EDAC_BIT, e->bit, at);
}

bool gw_tx_take_header(gw_tx_scan *s, bool judged, bool edac_is_on)
{
    gw_tx_packet *p = s->p;
    gw_cursor at = s->w.c;

    if (!take_header_word(s))
        return false;
    p->header_offset = gw_cursor_offset(&s->w.c) -
                       (p->order == GW_TX_ORDER_B ? (uint32_t)GW_TX_WORD : p->word_bytes);
    gw_tx_word word = word_at(s, at);
    p->has_header = true;
    p->header = gw_tx_unpack(word, (gw_tx_layout)p->layout);
    if (p->layout == GW_TX_HLS)
        word = gw_tx_pack(&p->header, GW_TX_PORT);
    p->edac = gw_tx_edac_judge(word, edac_is_on, s->d);
    if (!judged && p->edac.expected != p->header.edac) {
        p->edac.status = GW_TX_EDAC_OFF;
        p->edac.word = word;
        p->edac.bit = 0xff;
    }
    derive_edac(s);
    return true;
}

/* ---- footer ---- */

bool gw_tx_take_footer(gw_tx_scan *s)
{
    gw_tx_packet *p = s->p;
    gw_cursor at = s->w.c;

    p->footer_offset = gw_cursor_offset(&s->w.c);
    if (!gw_tx_take_string(s, GW_TX_G_FOOTER, GW_TX_F_FOOTER, p->word_bytes))
        return false;
    p->has_footer = true;
    p->footer = word_at(s, at);
    p->footer_kind = (uint8_t)gw_tx_footer_kind(p->footer, (gw_tx_layout)p->layout);
    gw_tx_derive(s, GW_TX_F_FOOTER_KIND, p->footer_kind, p->footer_offset);
    return true;
}
