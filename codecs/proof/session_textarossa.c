/* SPDX-License-Identifier: BSD-2-Clause */
/* A step of a TEXTAROSSA conversation, whatever was before: memory holds any state that keeps its
 * ranges, and does so behind the step. So it holds for any number of messages. */
#include "proof/message.h"
#include "textarossa/session/session.c"

enum { ETHERNET_ADDRESSES = 12, ETHERNET_HEADER = 14 };

static uint64_t memory[(sizeof(session) + MIN_SENT * GW_TX_ECHO_BYTES) / 8];
static session *const s = (session *)memory;

static const char *any_text(void)
{
    static const char *const either[] = {NULL, "an ARP reply for %x by the station that has %x"};

    return either[Frama_C_interval(0, 1)];
}

/* Chains of the packets that wait: their places + 1, and 0. */
static void put_any_echoes(gw_tx_echoes echoes)
{
    s->echoes = echoes;
    s->echoes.first = (uint32_t)Frama_C_interval(0, MIN_SENT - 1);
    s->echoes.count = (uint32_t)Frama_C_interval(0, MIN_SENT);
    s->echoes.steps = any_u64();
    for (size_t i = 0; i < MIN_SENT; i++) {
        echoes.sent[i].bucket = (uint32_t)Frama_C_interval(0, (int)echoes.mask);
        echoes.sent[i].next = (uint32_t)Frama_C_interval(0, MIN_SENT);
    }
    for (size_t i = 0; i <= echoes.mask; i++) {
        echoes.buckets[i].first = (uint32_t)Frama_C_interval(0, MIN_SENT);
        echoes.buckets[i].last = (uint32_t)Frama_C_interval(0, MIN_SENT);
    }
}

static void put_any_arp(void)
{
    s->arp.is_lossy = any_bool();
    for (size_t i = 0; i < GW_TX_STATIONS; i++) {
        gw_tx_station *station = &s->arp.stations[i];

        station->fault.text = any_text();
        station->fault.rule = (uint8_t)Frama_C_interval(0, TX_NUM_RULES - 1);
        station->is_ours = any_bool();
        station->is_alive = any_bool();
        station->asks_first = any_bool();
    }
    for (size_t i = 0; i < GW_TX_ASKS; i++) {
        gw_tx_ask *ask = &s->arp.asks[i];

        ask->is_asked = any_bool();
        ask->is_known = any_bool();
        ask->is_sure = any_bool();
        ask->has_other = any_bool();
        ask->is_told = any_bool();
    }
}

/* Places are those that there are; all else is any. */
static void put_any_state(void)
{
    gw_tx_echoes echoes = s->echoes;

    Frama_C_make_unknown((char *)memory, sizeof memory);
    put_any_echoes(echoes);
    put_any_arp();
}

static void look_at_station(const gw_tx_station *station)
{
    const char *text = station->fault.text;

    //@ assert rule: station->fault.rule < TX_NUM_RULES;
    seen = station->is_ours + station->is_alive + station->asks_first;
    if (text != NULL)
        seen = (unsigned char)text[0];
}

/* What put_any_state takes for granted: a bool that is none is an alarm. */
static void look_at_state(void)
{
    //@ assert sent: s->echoes.sent == &s->sent[0];
    //@ assert buckets: s->echoes.buckets == (gw_tx_bucket *)(&s->sent[0] + MIN_SENT);
    //@ assert room: s->echoes.room == MIN_SENT;
    //@ assert mask: s->echoes.mask == MIN_SENT - 1;
    //@ assert first: s->echoes.first < MIN_SENT;
    //@ assert count: s->echoes.count <= MIN_SENT;
    for (size_t i = 0; i < MIN_SENT; i++) {
        //@ assert bucket: s->echoes.sent[i].bucket < MIN_SENT;
        //@ assert next: s->echoes.sent[i].next <= MIN_SENT;
        //@ assert chain: s->echoes.buckets[i].first <= MIN_SENT;
        //@ assert last: s->echoes.buckets[i].last <= MIN_SENT;
    }
    seen = s->arp.is_lossy;
    for (size_t i = 0; i < GW_TX_STATIONS; i++)
        look_at_station(&s->arp.stations[i]);
    for (size_t i = 0; i < GW_TX_ASKS; i++) {
        const gw_tx_ask *ask = &s->arp.asks[i];

        seen = ask->is_asked + ask->is_known + ask->is_sure + ask->has_other + ask->is_told;
    }
}

/* What was below a message: nothing, or an Ethernet header; shorter than two addresses it is
 * nothing to anybody, and followed all at once. */
static gw_message with_link(const gw_message *message)
{
    static uint8_t link[ETHERNET_HEADER];
    gw_message m = *message;
    int len = Frama_C_interval(ETHERNET_ADDRESSES - 2, ETHERNET_HEADER);

    //@ split len;
    Frama_C_make_unknown((char *)link, sizeof link);
    m.link = link + sizeof link - len;
    m.link_len = (uint8_t)len;
    if (len == ETHERNET_ADDRESSES - 1)
        m.link_len = (uint8_t)Frama_C_interval(0, len);
    if (len == ETHERNET_ADDRESSES - 2) {
        m.link = NULL;
        m.link_len = 0;
    }
    m.frame_len = any_u32();
    return m;
}

static bool begin(void)
{
    if (!FORMAT.session->init(memory, sizeof memory, (int64_t)any_u64()))
        return false;
    look_at_state();
    return true;
}

static void feed(const gw_message *message, const gw_dialect *dialect)
{
    gw_message m = with_link(message);

    put_any_state();
    FORMAT.session->feed(memory, &m, dialect, &verdicts);
    look_at_state();
}

void proof_session(void)
{
    if (begin())
        over_any(feed);
}

static void arp(const gw_message *message, const gw_dialect *dialect)
{
    gw_message m = with_link(message);

    (void)dialect;
    put_any_state();
    FORMAT.session->arp(memory, &m, &verdicts);
    look_at_state();
}

/* Also of time that goes by without any. */
void proof_arp(void)
{
    if (!begin())
        return;
    over_any(arp);
    put_any_state();
    FORMAT.session->advance(memory, (int64_t)any_u64(), &verdicts);
    look_at_state();
    FORMAT.session->end(memory, &verdicts);
}
