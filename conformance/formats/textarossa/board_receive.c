/* SPDX-License-Identifier: BSD-2-Clause */
/* An APElink's receiver: the published state machine (rtl, sim), and what a conformant one does
 * where that one fails: it frames by the corrected header, and drops what it cannot place. */
#include <string.h>

#include "formats/textarossa/board.h"
#include "goldwire/secded.h"

enum {
    HEADER_CHECK = 1, /* bits of the EDAC nibble of LINK_0_CONFIG_0 */
    CREDIT_CHECK = 3,
};

static bool checks(const gw_tx_board *b, const gw_tx_link *l, unsigned bit)
{
    unsigned nibble = l->index == 0 ? 24 : 28;
    return (gw_tx_value(b, GW_TX_LINK_0_CONFIG_0) >> (nibble + bit) & 1) != 0;
}

void gw_tx_link_reset(gw_tx_link *l)
{
    l->state = GW_TX_RX_IDLE;
    l->beat_len = 0;
    l->fatal = false;
    l->has_magic = false;
    l->has_theirs = false;
    l->has_told = false;
    for (unsigned vc = 0; vc < GW_TX_NUM_VCS; vc++)
        gw_tx_pair_abort(&l->rx[vc]);
}

static bool is_of(uint8_t status, uint8_t statuses)
{
    return (statuses >> status & 1) != 0;
}

/* A credit counts only if its code says clean: a corrected one is ignored as well (rtl). */
static void take_credit(gw_tx_board *b, gw_tx_link *l, gw_tx_word word, bool bypass)
{
    if (checks(b, l, CREDIT_CHECK) && !bypass &&
        !is_of(gw_secded_check(word.lo, word.hi, !b->d->rtl).status, b->policy.obeyed))
        return;
    l->theirs = gw_tx_credit_unpack(word);
    l->has_theirs = true;
    memset(l->sent_headers, 0, sizeof(l->sent_headers));
    memset(l->sent_data, 0, sizeof(l->sent_data));
}

static void give_up(gw_tx_link *l)
{
    gw_tx_pair_abort(&l->rx[l->vc]);
    l->has_magic = false;
    l->state = GW_TX_RX_LOST;
}

/* The published receiver hands every word on at once. */
static void put(const gw_tx_board *b, gw_tx_link *l, gw_tx_fifo *f, gw_tx_word word)
{
    if (!gw_tx_fifo_put(f, word) && !b->d->rtl)
        give_up(l);
    else if (b->d->rtl)
        f->ready = f->count;
}

/* Judges a header and returns it as it goes to the FIFO: the check byte gives way to the syndrome.
 */
static gw_tx_word judge_header(const gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    const gw_tx_policy *policy = &b->policy;
    gw_secded_result r = gw_secded_check(word.lo, word.hi, policy->doubles);

    l->fatals += is_of(r.status, policy->fatal);
    l->single += is_of(r.status, policy->single);
    l->fatal = r.status == GW_SECDED_FATAL || (word.hi >> 56 == 0 && !policy->zero_counts);
    if (policy->corrects)
        word = (gw_tx_word){r.lo, r.hi};
    return (gw_tx_word){word.lo, word.hi << 8 >> 8 | (uint64_t)r.syndrome << 56};
}

/* After a fatal header nothing is known of what follows. The published receiver goes on by the bits
 * that came, and leaves a word behind (sim F1, F2, F8). */
static void take_fatal(gw_tx_board *b, gw_tx_link *l, const gw_tx_header *raw)
{
    if (!b->d->rtl)
        give_up(l);
    else if (gw_tx_header_only(raw) || l->words_left == 0)
        l->state = GW_TX_RX_IDLE;
    else
        l->state = GW_TX_RX_DATA;
}

static void take_header(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    gw_tx_word stored = word;

    l->rx_headers++;
    l->fatal = false;
    if (checks(b, l, HEADER_CHECK))
        stored = judge_header(b, l, word);
    gw_tx_header h = gw_tx_unpack(b->policy.raw ? word : stored, GW_TX_PORT);
    unsigned vc = h.virt_chan & 0xf;
    l->vc = vc < GW_TX_NUM_VCS ? (uint8_t)vc : 0;
    l->words_left = gw_tx_words(h.packet_size, GW_TX_WORD);
    l->words_taken = 0;
    if (l->fatal) {
        take_fatal(b, l, &h);
        return;
    }
    if (vc >= GW_TX_NUM_VCS) {
        give_up(l);
        return;
    }
    l->state = l->words_left > 0 ? GW_TX_RX_DATA : GW_TX_RX_FOOTER;
    put(b, l, &l->rx[vc].header, stored);
    if (!gw_tx_header_only(&h) || l->state == GW_TX_RX_LOST)
        return;
    gw_tx_pair_commit(&l->rx[vc]);
    l->state = GW_TX_RX_IDLE;
}

static void take_data(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    l->words_taken++;
    if (!l->fatal || l->words_taken == 2)
        put(b, l, &l->rx[l->vc].data, word);
    if (l->state == GW_TX_RX_LOST)
        return;
    if (l->fatal && l->words_taken == 2)
        l->state = GW_TX_RX_START;
    else if (--l->words_left == 0)
        l->state = GW_TX_RX_FOOTER;
}

static void take_footer(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    l->rx_footers++;
    put(b, l, &l->rx[l->vc].header, word);
    if (l->state == GW_TX_RX_LOST)
        return;
    gw_tx_pair_commit(&l->rx[l->vc]);
    l->state = l->fatal ? GW_TX_RX_START : GW_TX_RX_IDLE;
}

/* MAGIC or START where only a credit may be: a new packet begins, the old one is lost. */
static bool begins_anew(const gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    if (b->d->rtl || !gw_tx_is_start(word))
        return false;
    gw_tx_pair_abort(&l->rx[l->vc]);
    l->rx_start++;
    l->state = GW_TX_RX_HEADER;
    return true;
}

static void take_stuffed(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    if (begins_anew(b, l, word))
        return;
    if (gw_tx_is_magic(word) && l->state == GW_TX_RX_DATA_CREDIT) {
        take_data(b, l, word); /* literal payload, behind a MAGIC (sim C2) */
        if (l->state == GW_TX_RX_DATA)
            l->state = GW_TX_RX_DATA_CREDIT;
        return;
    }
    take_credit(b, l, word, false);
    l->state--; /* back to header, data or footer */
}

static void take_start(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    if (gw_tx_is_start(word)) {
        l->rx_start++;
        l->state = GW_TX_RX_HEADER;
    } else if (b->d->rtl) {
        take_credit(b, l, word, gw_tx_is_magic(word));
    } else if (!gw_tx_is_magic(word)) {
        l->state = GW_TX_RX_IDLE;
        take_credit(b, l, word, false);
    }
}

static void take_lost(gw_tx_link *l, gw_tx_word word)
{
    if (l->has_magic && gw_tx_is_start(word)) {
        l->rx_start++;
        l->state = GW_TX_RX_HEADER;
    }
    l->has_magic = gw_tx_is_magic(word);
}

/* Between packets: credits, until a MAGIC. */
static void take_idle(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    if (gw_tx_is_magic(word))
        l->state = GW_TX_RX_START;
    else
        take_credit(b, l, word, false);
}

void gw_tx_take_beat(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    bool magic = gw_tx_mutant_interrupts(b, l, word);

    l->rx_magic += magic && l->state == GW_TX_RX_IDLE;
    switch (l->state) {
    case GW_TX_RX_IDLE:
        take_idle(b, l, word);
        return;
    case GW_TX_RX_START:
        take_start(b, l, word);
        return;
    case GW_TX_RX_HEADER:
        if (magic)
            l->state = GW_TX_RX_HEADER_CREDIT;
        else
            take_header(b, l, word);
        return;
    case GW_TX_RX_DATA:
        if (magic)
            l->state = GW_TX_RX_DATA_CREDIT;
        else
            take_data(b, l, word);
        return;
    case GW_TX_RX_FOOTER:
        if (magic)
            l->state = GW_TX_RX_FOOTER_CREDIT;
        else
            take_footer(b, l, word);
        return;
    case GW_TX_RX_LOST:
        take_lost(l, word);
        return;
    default:
        take_stuffed(b, l, word);
        return;
    }
}

void gw_tx_link_receive(gw_tx_board *b, gw_tx_link *l, const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        l->beat[l->beat_len++] = data[i];
        if (l->beat_len < GW_TX_WORD)
            continue;
        l->beat_len = 0;
        gw_tx_mutant_beat(b, l, gw_tx_load(l->beat, GW_TX_WORD, GW_TX_ORDER_A));
        if (l->state == GW_TX_RX_IDLE)
            gw_tx_run(b); /* room for what follows in the same bytes */
    }
}
