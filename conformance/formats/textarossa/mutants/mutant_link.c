/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do on an APElink: to the words that come, to credits, and to packets that go. */
#include "formats/textarossa/mutants/mutants.h"

#define ENOUGH 256 /* words of idle for m-sleeps-in-idle */

/* ---- what comes ---- */

void gw_tx_m_leave_word(gw_tx_pair *pair)
{
    (void)gw_tx_fifo_put(&pair->data, (gw_tx_word){0, 0});
    gw_tx_pair_commit(pair);
}

/* Whether only a credit may come. */
static bool wants_credit(const gw_tx_link *l)
{
    return l->state == GW_TX_RX_HEADER_CREDIT || l->state == GW_TX_RX_DATA_CREDIT ||
           l->state == GW_TX_RX_FOOTER_CREDIT;
}

void gw_tx_m_fatal_leaks(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    bool header = l->state == GW_TX_RX_HEADER;

    gw_tx_take_beat(b, l, word);
    if (header && l->state == GW_TX_RX_LOST && l->fatal)
        gw_tx_m_leave_word(&l->rx[0]);
}

void gw_tx_m_loses_step(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    if (l->state != GW_TX_RX_LOST)
        gw_tx_take_beat(b, l, word);
}

void gw_tx_m_start_alone(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    if (l->state == GW_TX_RX_IDLE && gw_tx_is_start(word))
        l->state = GW_TX_RX_HEADER;
    else
        gw_tx_take_beat(b, l, word);
}

void gw_tx_m_broken_header_stays(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    gw_tx_fifo *headers = &l->rx[l->vc].header;

    if (wants_credit(l) && gw_tx_is_start(word))
        headers->ready = headers->count;
    gw_tx_take_beat(b, l, word);
}

/* Each packet gets the footer of the one before it. */
void gw_tx_m_footers_late(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    gw_tx_link_kept *kept = &l->kept;
    gw_tx_word footer = word;

    kept->broken_off = kept->broken_off || (wants_credit(l) && gw_tx_is_start(word));
    if (kept->broken_off && l->state == GW_TX_RX_FOOTER && !gw_tx_is_magic(word)) {
        footer = kept->footer;
        kept->footer = word;
    }
    gw_tx_take_beat(b, l, footer);
}

/* m-overtakes */
void gw_tx_m_sees_drop(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    bool header = l->state == GW_TX_RX_HEADER;

    gw_tx_take_beat(b, l, word);
    if (header && l->state == GW_TX_RX_LOST && !l->fatal)
        b->kept.has_dropped = true;
}

/* m-gap-mirrored: counts the words between packets, that of the next MAGIC too. */
void gw_tx_m_sees_gap(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    bool idle = l->state == GW_TX_RX_IDLE;

    gw_tx_take_beat(b, l, word);
    l->kept.idle += idle;
    if (!idle || l->state == GW_TX_RX_IDLE)
        return;
    l->kept.tight = l->kept.idle == 1;
    l->kept.idle = 0;
}

void gw_tx_m_sleeps_in_idle(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    if (l->state != GW_TX_RX_IDLE || l->kept.idle < ENOUGH)
        gw_tx_m_sees_gap(b, l, word);
}

/* m-credit-echo */
void gw_tx_m_hears_credit(gw_tx_board *b, gw_tx_link *l, gw_tx_word word)
{
    bool had = l->has_theirs;

    l->has_theirs = false;
    gw_tx_take_beat(b, l, word);
    if (l->has_theirs)
        l->kept.echo = word.lo >> 36 << 36;
    l->has_theirs = l->has_theirs || had;
}

/* ---- what interrupts ---- */

/* Notes that |word| ends an interruption; true when the word before it did. */
static bool sees_pair(gw_tx_link *l, gw_tx_word word)
{
    bool again = l->kept.stuffed;
    bool payload = gw_tx_is_magic(word) && l->state == GW_TX_RX_DATA_CREDIT;

    l->kept.stuffed = wants_credit(l) && !gw_tx_is_start(word) && !payload;
    l->kept.interrupted = l->kept.interrupted || l->kept.stuffed;
    return again;
}

/* m-credit-forgotten */
bool gw_tx_m_sees_pair(gw_tx_link *l, gw_tx_word word)
{
    (void)sees_pair(l, word);
    return gw_tx_is_magic(word);
}

bool gw_tx_m_second_pair_stays(gw_tx_link *l, gw_tx_word word)
{
    return !sees_pair(l, word) && gw_tx_is_magic(word);
}

bool gw_tx_m_footer_pair_stays(gw_tx_link *l, gw_tx_word word)
{
    return l->state != GW_TX_RX_FOOTER && gw_tx_is_magic(word);
}

/* ---- credits ---- */

void gw_tx_m_credit_dirty(const gw_tx_link *l, gw_tx_word *credit)
{
    (void)l;
    credit->lo |= UINT64_C(1) << 40;
}

void gw_tx_m_credit_echo(const gw_tx_link *l, gw_tx_word *credit)
{
    credit->lo |= l->kept.echo;
}

/* ---- what goes ---- */

void gw_tx_m_gap_mirrored(gw_tx_board *b, const gw_tx_head *h)
{
    const gw_tx_link *l = gw_tx_apelink(b, h->output);

    b->policy.gap = l == NULL || !l->kept.tight;
    gw_tx_move(b, h);
}

void gw_tx_m_credit_forgotten(gw_tx_board *b, const gw_tx_head *h)
{
    const gw_tx_link *l = gw_tx_apelink(b, h->output);

    b->policy.credits = l == NULL || !l->kept.interrupted;
    gw_tx_move(b, h);
}

/* The first interruption is the end of the packet. */
void gw_tx_m_stalls_on_stuffing(gw_tx_board *b, const gw_tx_head *h)
{
    gw_tx_word begun[] = {
        {GW_TX_MAGIC, GW_TX_MAGIC}, {GW_TX_START, GW_TX_START}, {GW_TX_MAGIC, GW_TX_MAGIC}, {0, 0}};
    uint8_t bytes[GW_ARRAY_LEN(begun) * GW_TX_WORD];
    gw_tx_link *l = gw_tx_apelink(b, h->output);

    if (l == NULL || !gw_tx_link_stuffs(b)) {
        gw_tx_move(b, h);
        return;
    }
    (void)gw_tx_fifo_take(&h->from->header);
    begun[3] = gw_tx_link_credit(b, l);
    gw_tx_drop(h);
    for (size_t i = 0; i < GW_ARRAY_LEN(begun); i++)
        gw_tx_store(bytes + i * GW_TX_WORD, GW_TX_WORD, GW_TX_ORDER_A, begun[i]);
    b->out->send(b->out, l->index, l->conn, bytes, sizeof(bytes));
}
