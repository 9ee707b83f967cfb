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

enum { ENOUGH = 256 }; /* words of idle, for a mutant that falls asleep */

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

/* A credit counts only if its code says clean: a corrected one is ignored as well (rtl). */
static void take_credit(gw_tx_board *b, gw_tx_link *l, gw_tx_word word, bool bypass)
{
    if (checks(b, l, CREDIT_CHECK) && !bypass && !gw_tx_faulty(b, TX_FAULT_BAD_CREDIT_OBEYED) &&
        gw_secded_check(word.lo, word.hi, !b->d->rtl).status != GW_SECDED_CLEAN)
        return;
    if (checks(b, l, CREDIT_CHECK) && gw_tx_faulty(b, TX_FAULT_PROTECTED_IGNORED))
        return;
    l->theirs = gw_tx_credit_unpack(word);
    l->echo = word.lo >> 36 << 36;
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
static gw_tx_word judge_header(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    bool strict = !b->d->rtl && !gw_tx_faulty(b, TX_FAULT_MISSES_DOUBLES);
    gw_secded_result r = gw_secded_check(word.lo, word.hi, strict);

    if (r.status == GW_SECDED_FATAL && !gw_tx_faulty(b, TX_FAULT_COUNTS_TOGETHER))
        l->fatals++;
    else if (r.status != GW_SECDED_CLEAN || gw_tx_faulty(b, TX_FAULT_COUNTS_CLEAN))
        l->single++;
    l->fatal = r.status == GW_SECDED_FATAL ||
               (word.hi >> 56 == 0 && gw_tx_faulty(b, TX_FAULT_ZERO_CHECK_FATAL));
    if (gw_tx_faulty(b, TX_FAULT_NO_CORRECTION))
        return (gw_tx_word){word.lo, word.hi << 8 >> 8 | (uint64_t)r.syndrome << 56};
    return (gw_tx_word){r.lo, r.hi | (uint64_t)r.syndrome << 56};
}

/* After a fatal header nothing is known of what follows. The published receiver goes on by the bits
 * that came, and leaves a word behind (sim F1, F2, F8). */
static void take_fatal(gw_tx_board *b, gw_tx_link *l, const gw_tx_header *raw)
{
    if (gw_tx_faulty(b, TX_FAULT_FATAL_LEAKS)) {
        (void)gw_tx_fifo_put(&l->rx[0].data, (gw_tx_word){0, 0});
        gw_tx_pair_commit(&l->rx[0]);
    }
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
    bool raw = b->d->rtl || gw_tx_faulty(b, TX_FAULT_RAW_FRAMING);

    l->rx_headers++;
    l->fatal = false;
    if (checks(b, l, HEADER_CHECK))
        stored = judge_header(b, l, word);
    gw_tx_header h = gw_tx_unpack(raw ? word : stored, GW_TX_PORT);
    unsigned vc = h.virt_chan & 0xf;
    l->vc = vc < GW_TX_NUM_VCS ? (uint8_t)vc : 0;
    l->words_left = gw_tx_words(h.packet_size, GW_TX_WORD);
    l->words_taken = 0;
    if (l->fatal) {
        take_fatal(b, l, &h);
        return;
    }
    if (vc >= GW_TX_NUM_VCS) {
        b->memory.has_dropped = true;
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

/* A mutant's: once a packet broke off, each gets the footer of the one before it. */
static gw_tx_word delay_footer(gw_tx_link *l, gw_tx_word word)
{
    gw_tx_word late = l->late_footer;

    l->late_footer = word;
    return late;
}

static void take_footer(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    l->rx_footers++;
    if (l->has_broken_off && gw_tx_faulty(b, TX_FAULT_FOOTERS_LATE))
        word = delay_footer(l, word);
    put(b, l, &l->rx[l->vc].header, word);
    if (l->state == GW_TX_RX_LOST)
        return;
    gw_tx_pair_commit(&l->rx[l->vc]);
    l->state = l->fatal ? GW_TX_RX_START : GW_TX_RX_IDLE;
}

/* MAGIC or START where only a credit may be: a new packet begins, the old one is lost. */
static bool begins_anew(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    if (b->d->rtl || !gw_tx_is_start(word))
        return false;
    if (gw_tx_faulty(b, TX_FAULT_BROKEN_HEADER_STAYS))
        l->rx[l->vc].header.ready = l->rx[l->vc].header.count;
    gw_tx_pair_abort(&l->rx[l->vc]);
    l->has_broken_off = true;
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
    l->was_interrupted = l->was_stuffed = true;
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

static void take_lost(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    if (l->has_magic && gw_tx_is_start(word) && !gw_tx_faulty(b, TX_FAULT_LOSES_STEP)) {
        l->rx_start++;
        l->state = GW_TX_RX_HEADER;
    }
    l->has_magic = gw_tx_is_magic(word);
}

/* Between packets: credits, until a MAGIC. */
static void take_idle(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    bool asleep = ++l->idle > ENOUGH && gw_tx_faulty(b, TX_FAULT_SLEEPS_IN_IDLE);

    if (asleep)
        return;
    if (gw_tx_is_magic(word))
        l->state = GW_TX_RX_START;
    else if (gw_tx_is_start(word) && gw_tx_faulty(b, TX_FAULT_START_ALONE))
        l->state = GW_TX_RX_HEADER;
    else
        take_credit(b, l, word, false);
    if (l->state == GW_TX_RX_IDLE)
        return;
    l->is_tight = l->idle == 1; /* the MAGIC itself */
    l->idle = 0;
}

/* Whether the word interrupts what is coming; a mutant allows for that once. */
static bool interrupts(const gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    bool again = l->was_stuffed;

    l->was_stuffed = false;
    return gw_tx_is_magic(word) && !(again && gw_tx_faulty(b, TX_FAULT_SECOND_PAIR_STAYS));
}

static void take_beat(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    bool magic = interrupts(b, l, word);

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
        if (magic && !gw_tx_faulty(b, TX_FAULT_FOOTER_PAIR_STAYS))
            l->state = GW_TX_RX_FOOTER_CREDIT;
        else
            take_footer(b, l, word);
        return;
    case GW_TX_RX_LOST:
        take_lost(b, l, word);
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
        take_beat(b, l, gw_tx_load(l->beat, GW_TX_WORD, GW_TX_ORDER_A));
        if (l->state == GW_TX_RX_IDLE)
            gw_tx_run(b); /* room for what follows in the same bytes */
    }
}
