/* SPDX-License-Identifier: BSD-2-Clause */
/* An APElink's transmitter: credits, stuffing, and when a packet may go (rtl, sim). A real link
 * sends credits on every idle beat; this one sends one when it has something new to tell. */
#include <string.h>

#include "formats/textarossa/board.h"

enum {
    HEADER_GENERATE = 0, /* bits of the EDAC nibble of LINK_0_CONFIG_0 */
    CREDIT_GENERATE = 2,
    BEATS = 64, /* that are handed on together */
};

/* Beats on their way out. */
typedef struct burst {
    gw_tx_board *b;
    gw_tx_link *l;
    size_t len;
    uint8_t bytes[BEATS * GW_TX_WORD];
} burst;

static void flush(burst *u)
{
    if (u->len > 0)
        u->b->out->send(u->b->out, u->l->index, u->l->conn, u->bytes, u->len);
    u->len = 0;
}

static void put(burst *u, gw_tx_word word)
{
    if (u->len == sizeof(u->bytes))
        flush(u);
    gw_tx_store(u->bytes + u->len, GW_TX_WORD, GW_TX_ORDER_A, word);
    u->len += GW_TX_WORD;
}

static void put_control(burst *u, uint64_t pattern)
{
    put(u, (gw_tx_word){pattern, pattern});
}

static bool generates(const gw_tx_board *b, const gw_tx_link *l, unsigned bit)
{
    unsigned nibble = l->index == 0 ? 24 : 28;
    return (gw_tx_value(b, GW_TX_LINK_0_CONFIG_0) >> (nibble + bit) & 1) != 0;
}

static gw_tx_word protect(const gw_tx_board *b, gw_tx_word word, bool on)
{
    word.hi = word.hi << 8 >> 8;
    if (!on)
        return word;
    word = gw_tx_protect(word);
    word.hi &= (uint64_t)b->policy.check << 56 | UINT64_MAX >> 8;
    return word;
}

/* What our receive FIFOs hold, tx_waiting_cycle added as a margin for what is on its way. */
static gw_tx_word credit_of(const gw_tx_board *b, const gw_tx_link *l)
{
    unsigned waiting = gw_tx_value(b, GW_TX_LINK_0_CONFIG_2) & b->policy.waiting;
    gw_tx_credit credit = {.edac = 0};

    for (unsigned vc = 0; vc < GW_TX_NUM_VCS; vc++) {
        credit.vc[vc].header = (uint8_t)(l->rx[vc].header.count + waiting);
        credit.vc[vc].data = (uint16_t)(l->rx[vc].data.count + waiting) & 0x3ff;
    }
    gw_tx_word word = gw_tx_credit_pack(&credit);
    gw_tx_mutant_credit(b, l, &word);
    return protect(b, word, generates(b, l, CREDIT_GENERATE));
}

gw_tx_word gw_tx_link_credit(const gw_tx_board *b, gw_tx_link *l)
{
    l->told = credit_of(b, l);
    l->has_told = true;
    return l->told;
}

static void put_credit(burst *u)
{
    put(u, gw_tx_link_credit(u->b, u->l));
}

void gw_tx_link_tell(gw_tx_board *b, gw_tx_link *l, bool always)
{
    burst u = {.b = b, .l = l};
    gw_tx_word now = credit_of(b, l);

    if (!l->connected || !l->stream ||
        (!always && l->has_told && now.lo == l->told.lo && now.hi == l->told.hi))
        return;
    put_credit(&u);
    flush(&u);
}

/* ---- room at the other side ---- */

static uint32_t space(const gw_tx_board *b, uint32_t threshold, uint32_t value, uint32_t sent)
{
    uint32_t taken = value + sent;
    return threshold > taken || b->policy.wraps ? (threshold - taken) & 0x3ff : 0;
}

bool gw_tx_link_accepts(const gw_tx_board *b, const gw_tx_link *l, const gw_tx_head *h)
{
    unsigned vc = h->header.virt_chan & 1;
    uint32_t thresholds = gw_tx_value(b, GW_TX_LINK_0_CONFIG_1);
    uint32_t data_threshold = thresholds >> 16 & 0x3ff, header_threshold = thresholds & 0xff;

    if (!l->connected)
        return false;
    if (thresholds == 0)
        return b->policy.unprogrammed;
    if (!l->has_theirs)
        return false;
    uint32_t data = space(b, data_threshold, l->theirs.vc[vc].data, l->sent_data[vc]);
    uint32_t headers = space(b, header_threshold, l->theirs.vc[vc].header, l->sent_headers[vc]);
    /* The published compare has ten bits (rtl). */
    uint32_t words = b->d->rtl ? h->words & 0x3ff : h->words;
    return b->policy.unasked || (data >= words + b->policy.spare && headers >= b->policy.headers);
}

bool gw_tx_link_never(const gw_tx_board *b, uint32_t words)
{
    uint32_t threshold = gw_tx_value(b, GW_TX_LINK_0_CONFIG_1) >> 16 & 0x3ff;
    uint32_t waiting = gw_tx_value(b, GW_TX_LINK_0_CONFIG_2) & 0xff;
    /* Even empty FIFOs are told with the waiting cycle, which is the same at both ends. */
    return words > GW_TX_DATA_DEPTH || (threshold != 0 && words + waiting > threshold);
}

/* ---- packets ---- */

/* With a new-credit cycle of 1 a pair of MAGIC and credit goes before every word (sim N1). */
bool gw_tx_link_stuffs(const gw_tx_board *b)
{
    return (gw_tx_value(b, GW_TX_LINK_0_CONFIG_2) >> 8 & 0xff) == 1;
}

static void put_stuffed(burst *u, gw_tx_word word)
{
    if (gw_tx_link_stuffs(u->b)) {
        put_control(u, GW_TX_MAGIC);
        for (unsigned i = 0; i < u->b->policy.credits; i++)
            put_credit(u);
    }
    put(u, word);
}

static void put_body(burst *u, const gw_tx_head *h)
{
    for (uint32_t i = 0; i < h->words; i++)
        put_stuffed(u, gw_tx_fifo_take(&h->from->data));
    put_stuffed(u, gw_tx_fifo_take(&h->from->header));
    u->l->tx_footers++;
}

void gw_tx_link_send(gw_tx_board *b, gw_tx_link *l, const gw_tx_head *h)
{
    burst u = {.b = b, .l = l};
    unsigned vc = h->header.virt_chan & 1;
    gw_tx_word word = gw_tx_pack(&h->header, GW_TX_PORT);

    put_control(&u, GW_TX_MAGIC);
    l->tx_magic++;
    if (b->policy.starts)
        put_control(&u, GW_TX_START);
    l->tx_start++;
    put_stuffed(&u, protect(b, word, generates(b, l, HEADER_GENERATE)));
    l->tx_headers++;
    l->sent_headers[vc] = (uint16_t)(l->sent_headers[vc] + (h->alone ? 1 : 2));
    l->sent_data[vc] = (uint16_t)(l->sent_data[vc] + h->words);
    if (!h->alone)
        put_body(&u, h);
    if (b->policy.gap)
        put_credit(&u);
    flush(&u);
}
