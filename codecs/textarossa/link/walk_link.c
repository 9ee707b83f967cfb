/* SPDX-License-Identifier: BSD-2-Clause */
/* Walking the beats of a link, as its receiver takes them (sim): MAGIC, START, header, payload and
 * footer, with a MAGIC and a credit between them wherever the sender lacks data. A beat is as wide
 * as a word. */
#include "textarossa/internal.h"

/* Whether the next beat is there and is that control word. */
static bool next_is(const gw_tx_scan *s, bool (*is)(gw_tx_word))
{
    gw_cursor ahead = s->w.c;
    size_t beat = s->p->word_bytes;
    const uint8_t *p;

    if (!gw_cursor_bytes(&ahead, &p, beat))
        return false;
    for (size_t at = 0; at < beat; at += GW_TX_WORD) {
        if (!is(gw_tx_load(p + at, GW_TX_WORD, GW_TX_ORDER_A)))
            return false;
    }
    return true;
}

static bool is_magic(gw_tx_word word)
{
    return gw_tx_is_magic(word);
}

static bool is_start(gw_tx_word word)
{
    return gw_tx_is_start(word);
}

/* The 128-bit slices of one beat. */
static bool take_slices(gw_tx_scan *s, int group)
{
    for (size_t at = 0; at < s->p->word_bytes; at += GW_TX_WORD) {
        if (!gw_tx_take_flat(s, group))
            return false;
    }
    return true;
}

static bool edac_is_on(const gw_tx_scan *s)
{
    return (s->p->message.part_arg & GW_TX_ARG_EDAC) != 0;
}

/* Any beat goes for a credit: only its check byte can tell that it is none. One of 0 says that none
 * is made: of a flipped word it stays what it was. */
static bool take_credit(gw_tx_scan *s, uint32_t index)
{
    gw_cursor behind = s->w.c;
    const uint8_t *at;

    if (!gw_cursor_bytes(&behind, &at, s->p->word_bytes)) {
        gw_walk_missing(&s->w, gw_tx_field(GW_TX_F_CREDIT_VC0_HEADER), s->p->word_bytes);
        return false;
    }
    uint32_t offset = gw_cursor_offset(&behind) - s->p->word_bytes;
    gw_walk_open(&s->w, gw_tx_group(GW_TX_G_CREDIT_BEAT), index);
    bool whole = take_slices(s, GW_TX_G_CREDIT);
    if (whole && s->w.sink != NULL) {
        gw_tx_word word = gw_tx_load(at, GW_TX_WORD, GW_TX_ORDER_A);
        gw_tx_derive(s, GW_TX_F_CREDIT_STATUS, gw_tx_edac_judge(word, false, s->d).status, offset);
    }
    gw_walk_close(&s->w, gw_tx_group(GW_TX_G_CREDIT_BEAT));
    return whole;
}

/* What stands between MAGIC and START is taken for credits. */
static bool take_start(gw_tx_scan *s)
{
    while (!next_is(s, is_start)) {
        if (gw_cursor_left(&s->w.c) < s->p->word_bytes) {
            gw_walk_missing(&s->w, gw_tx_field(GW_TX_F_START), s->p->word_bytes);
            return false;
        }
        bool taken = next_is(s, is_magic) ? take_slices(s, GW_TX_G_MAGIC)
                                          : take_credit(s, s->p->num_credits++);
        if (!taken)
            return false;
    }
    return take_slices(s, GW_TX_G_START);
}

/* MAGIC and credit, as often as they come, before a header or a footer. */
static bool take_stuffing(gw_tx_scan *s)
{
    while (next_is(s, is_magic)) {
        if (!take_slices(s, GW_TX_G_MAGIC) || !take_credit(s, s->p->num_credits++))
            return false;
    }
    return true;
}

/* How many of the next |max| beats come before the first that is MAGIC, or that is not. */
static uint32_t count_beats(const gw_tx_scan *s, uint32_t max, bool magic)
{
    gw_tx_scan ahead = *s;
    uint32_t n = 0;

    while (n < max && next_is(&ahead, is_magic) == magic &&
           gw_cursor_skip(&ahead.w.c, s->p->word_bytes))
        n++;
    return n;
}

/* Takes |beats| words of a payload of |size| bytes. */
static bool take_words(gw_tx_scan *s, uint32_t size, uint32_t beats)
{
    uint32_t len = beats * s->p->word_bytes;
    uint32_t left = size - s->p->payload_len;
    uint32_t data = len < left ? len : left;

    if (beats > 0 && s->p->payload_len == 0)
        s->p->payload_offset = gw_cursor_offset(&s->w.c);
    if (!gw_tx_take_run(s, true, data))
        return false;
    s->p->payload_len += data;
    return gw_tx_take_run(s, false, len - data);
}

/* A MAGIC that follows a MAGIC is payload, and the credit is still to come. */
static bool take_payload(gw_tx_scan *s, uint32_t size)
{
    uint32_t left = gw_tx_words(size, s->p->word_bytes);

    for (;;) {
        uint32_t beats = count_beats(s, left, false);
        if (!take_words(s, size, beats))
            return false;
        left -= beats;
        if (left == 0)
            return true;
        if (!next_is(s, is_magic)) {
            gw_walk_missing(&s->w, gw_tx_field(GW_TX_F_PAYLOAD), s->p->word_bytes);
            return false;
        }
        if (!take_slices(s, GW_TX_G_MAGIC))
            return false;
        beats = count_beats(s, left, true);
        if (!take_words(s, size, beats) || !take_credit(s, s->p->num_credits++))
            return false;
        left -= beats;
    }
}

static void scan_run(gw_tx_scan *s)
{
    if (!next_is(s, is_magic)) {
        gw_walk_missing(&s->w, gw_tx_field(GW_TX_F_MAGIC), s->p->word_bytes);
        if (gw_cursor_left(&s->w.c) >= s->p->word_bytes)
            s->w.error.kind = GW_MALFORMED;
        return;
    }
    if (!take_slices(s, GW_TX_G_MAGIC) || !take_start(s) || !take_stuffing(s) ||
        !gw_tx_take_header(s, true, edac_is_on(s)))
        return;
    s->p->payload_offset = gw_cursor_offset(&s->w.c);
    gw_tx_word word = gw_tx_pack(&s->p->header, GW_TX_PORT);
    gw_tx_header h = gw_tx_framing(word, edac_is_on(s), s->d);
    if (gw_tx_header_only(&h))
        return;
    if (take_payload(s, h.packet_size) && take_stuffing(s))
        gw_tx_take_footer(s);
}

void gw_tx_scan_link(gw_tx_scan *s)
{
    scan_run(s);
    if (s->w.error.kind == GW_OK && gw_cursor_left(&s->w.c) > 0)
        gw_walk_stop(&s->w, GW_MALFORMED, gw_cursor_offset(&s->w.c),
                     gw_tx_field(GW_TX_F_UNDECODED));
}

void gw_tx_scan_idle(gw_tx_scan *s)
{
    while (s->w.error.kind == GW_OK && gw_cursor_left(&s->w.c) > 0) {
        bool taken = next_is(s, is_magic) ? take_slices(s, GW_TX_G_MAGIC)
                                          : take_credit(s, s->p->num_credits++);
        if (!taken)
            return;
    }
}
