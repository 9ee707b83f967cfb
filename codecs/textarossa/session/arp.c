/* SPDX-License-Identifier: BSD-2-Clause */
/* ARP beside datagrams (TX-N6 to N8).
 *
 * A capture shows a part of what happened: a table that was filled before it began is no fault, nor
 * is the silence of somebody who is not there. What is reported needs a proof in the capture. */
#include "textarossa/session/arp.h"

#include <string.h>

#include "net/headers.h"
#include "textarossa/check.h"

enum {
    ETHERNET_ADDRESSES = 12,
    SAME_NET = 8, /* bits of an address by which two stations of one network may differ */
};

#define BROADCAST UINT32_MAX

static void report(gw_verdict_sink *sink, const gw_dialect *dialect, uint64_t frame,
                   uint64_t revealed_by, unsigned rule, const char *text, const uint64_t *numbers)
{
    gw_judge judge = {.sink = sink, .dialect = dialect, .frame = frame, .revealed_by = revealed_by};

    gw_report(&judge, &gw_tx_rules[rule], NULL, 0, text, numbers);
}

/* ---- who there is ---- */

static gw_tx_station *find_station(gw_tx_arp_table *n, uint32_t interface, uint32_t ip)
{
    gw_tx_station *oldest = &n->stations[0];

    for (size_t i = 0; i < GW_TX_STATIONS; i++) {
        gw_tx_station *s = &n->stations[i];
        if (s->used != 0 && s->ip == ip && s->interface == interface) {
            s->used = n->clock;
            return s;
        }
        if (s->used < oldest->used)
            oldest = s;
    }
    n->is_lossy |= oldest->used != 0;
    *oldest = (gw_tx_station){.used = n->clock, .ip = ip, .interface = interface};
    return oldest;
}

/* Another address of the station with |hw|; NULL when it has none. */
static gw_tx_station *other_address(gw_tx_arp_table *n, const gw_tx_station *than,
                                    const uint8_t *hw)
{
    for (size_t i = 0; i < GW_TX_STATIONS; i++) {
        gw_tx_station *s = &n->stations[i];
        if (s->used != 0 && s != than && s->interface == than->interface &&
            memcmp(s->hw, hw, sizeof s->hw) == 0)
            return s;
    }
    return NULL;
}

static gw_tx_ask *find_ask(gw_tx_arp_table *n, uint32_t interface, uint32_t from, uint32_t to,
                           bool add)
{
    gw_tx_ask *oldest = &n->asks[0];

    for (size_t i = 0; i < GW_TX_ASKS; i++) {
        gw_tx_ask *a = &n->asks[i];
        if (a->used != 0 && a->from == from && a->to == to && a->interface == interface) {
            a->used = n->clock;
            return a;
        }
        if (a->used < oldest->used)
            oldest = a;
    }
    if (!add)
        return NULL;
    n->is_lossy |= oldest->used != 0;
    *oldest = (gw_tx_ask){.used = n->clock, .from = from, .to = to, .interface = interface};
    return oldest;
}

/* ---- faults ---- */

static void report_breach(const gw_tx_breach *f, uint64_t revealed_by, gw_verdict_sink *sink)
{
    report(sink, NULL, f->frame, revealed_by, f->rule, f->text,
           GW_NUMBERS(f->numbers[0], f->numbers[1]));
}

/* Reports what |s| did, now or as soon as it is known to be one of ours. */
static void note_breach(gw_tx_station *s, gw_tx_breach fault, gw_verdict_sink *sink)
{
    if (s->is_ours)
        report_breach(&fault, fault.frame, sink);
    else if (s->fault.text == NULL)
        s->fault = fault;
}

static void join(gw_tx_station *s, uint64_t frame, gw_verdict_sink *sink)
{
    gw_tx_breach before = s->fault;

    s->is_ours = true;
    if (before.text == NULL)
        return;
    s->fault.text = NULL;
    report_breach(&before, frame, sink);
}

/* ---- ARP ---- */

/* What a |reply| tells that it waits for, it goes by. Anything else it may take up or pass over. */
static void learn(gw_tx_arp_table *n, uint32_t interface, uint32_t who, uint32_t of,
                  const uint8_t *hw, bool reply)
{
    gw_tx_ask *a = find_ask(n, interface, who, of, true);

    if (reply && a->frame != 0) {
        memcpy(a->hw, hw, sizeof a->hw);
        a->is_sure = true;
        a->has_other = false;
    } else if (a->has_other && memcmp(a->other, hw, sizeof a->other) != 0) {
        a->is_sure = false; /* one of three */
    } else {
        memcpy(a->other, hw, sizeof a->other);
        a->has_other = true;
    }
    a->is_known = true;
    a->is_told = false;
    a->frame = 0;
}

static void on_request(gw_tx_arp_table *n, const gw_message *m, const gw_arp *arp,
                       gw_tx_station *sender, gw_verdict_sink *sink)
{
    if (memcmp(sender->hw, (uint8_t[6]){0}, sizeof sender->hw) == 0)
        sender->asks_first = true;
    memcpy(sender->hw, arp->sender_hw, sizeof sender->hw);
    if (arp->target_ip == BROADCAST) {
        note_breach(sender,
                    (gw_tx_breach){.frame = m->frame,
                                   .rule = TX_N6,
                                   .text = "an ARP request for the broadcast address"},
                    sink);
        return;
    }
    /* Whoever hears it may learn from it; that is lenient. */
    if (arp->sender_ip != arp->target_ip)
        learn(n, m->interface, arp->target_ip, arp->sender_ip, arp->sender_hw, false);
    gw_tx_ask *a = find_ask(n, m->interface, arp->sender_ip, arp->target_ip, true);
    a->is_asked = true;
    if (a->frame != 0)
        return; /* it waits already */
    a->frame = m->frame;
    a->time_ns = m->time_ns;
}

static void on_reply(gw_tx_arp_table *n, const gw_message *m, const gw_arp *arp,
                     gw_tx_station *sender, gw_verdict_sink *sink)
{
    gw_tx_station *other = other_address(n, sender, arp->sender_hw);
    bool to_all = (m->link[GW_ETHERNET_DST] & GW_ETHERNET_GROUP) != 0;

    if (to_all && arp->sender_ip == arp->target_ip)
        return; /* announces itself */
    if (to_all)
        note_breach(
            sender,
            (gw_tx_breach){.frame = m->frame,
                           .rule = TX_N7,
                           .text = "the ARP reply for %x is broadcast; it goes to who asked",
                           .numbers = {arp->sender_ip}},
            sink);
    if (other != NULL)
        note_breach(other,
                    (gw_tx_breach){.frame = m->frame,
                                   .rule = TX_N7,
                                   .text = "an ARP reply for %x by the station that has address %x",
                                   .numbers = {arp->sender_ip, other->ip}},
                    sink);
    else
        memcpy(sender->hw, arp->sender_hw, sizeof sender->hw);
    learn(n, m->interface, arp->target_ip, arp->sender_ip, arp->sender_hw, true);
}

void gw_tx_arp_table_packet(gw_tx_arp_table *n, const gw_message *message, gw_verdict_sink *sink)
{
    const char *length = gw_tx_frame_fault(message);
    gw_arp arp;

    n->clock++;
    if (message->link_len < ETHERNET_ADDRESSES ||
        !gw_net_arp(&arp, gw_cursor_over(message->data, message->cap_len)) || arp.sender_ip == 0)
        return; /* 0: asks whether an address is free */
    gw_tx_station *sender = find_station(n, message->interface, arp.sender_ip);
    if (length != NULL)
        note_breach(sender,
                    (gw_tx_breach){.frame = message->frame,
                                   .rule = TX_N9,
                                   .text = length,
                                   .numbers = {message->frame_len}},
                    sink);
    if (arp.operation == GW_ARP_REQUEST)
        on_request(n, message, &arp, sender, sink);
    else if (arp.operation == GW_ARP_REPLY)
        on_reply(n, message, &arp, sender, sink);
}

/* ---- datagrams ---- */

/* Beyond its own network a station asks for a router instead; how wide that is nobody tells. */
static bool is_near(uint32_t a, uint32_t b)
{
    return a >> SAME_NET == b >> SAME_NET;
}

static void judge_target(gw_tx_arp_table *n, const gw_message *m, const gw_dialect *dialect,
                         const gw_tx_station *from, uint32_t to, gw_verdict_sink *sink)
{
    bool must_ask = from->asks_first && !n->is_lossy && is_near(from->ip, to);
    gw_tx_ask *a = find_ask(n, m->interface, from->ip, to, must_ask);

    if (a == NULL || a->is_told)
        return;
    if (!a->is_known && a->is_asked)
        report(sink, dialect, m->frame, m->frame, TX_N6,
               "a datagram to %x before an ARP request for it was answered", GW_NUMBERS(to));
    else if (!a->is_known)
        report(sink, dialect, m->frame, m->frame, TX_N6,
               "a datagram to %x, which was never asked for by ARP", GW_NUMBERS(to));
    else if (a->is_sure && memcmp(m->link, a->hw, sizeof a->hw) != 0 &&
             !(a->has_other && memcmp(m->link, a->other, sizeof a->other) == 0))
        report(sink, dialect, m->frame, m->frame, TX_N8,
               "a datagram to %x goes to another hardware address than ARP told", GW_NUMBERS(to));
    else
        return;
    a->is_told = true;
}

void gw_tx_arp_table_datagram(gw_tx_arp_table *n, const gw_message *message,
                              const gw_dialect *dialect, gw_verdict_sink *sink)
{
    n->clock++;
    if (message->link == NULL || message->link_len < ETHERNET_ADDRESSES ||
        message->src.family != GW_FAMILY_IPV4 || message->dst.family != GW_FAMILY_IPV4)
        return;
    uint32_t to = gw_load_be32(message->dst.ip);
    gw_tx_station *from = find_station(n, message->interface, gw_load_be32(message->src.ip));
    from->is_alive = true;
    from->heard_ns = message->time_ns;
    memcpy(from->hw, message->link + sizeof from->hw, sizeof from->hw);
    join(from, message->frame, sink);
    if ((message->link[GW_ETHERNET_DST] & GW_ETHERNET_GROUP) != 0 || to == BROADCAST)
        return; /* to everybody */
    judge_target(n, message, dialect, from, to, sink);
    join(find_station(n, message->interface, to), message->frame, sink);
}

void gw_tx_arp_table_advance(gw_tx_arp_table *n, int64_t now_ns, int64_t give_up_ns,
                             uint64_t revealed_by, gw_verdict_sink *sink)
{
    for (size_t i = 0; i < GW_TX_ASKS; i++) {
        gw_tx_ask *a = &n->asks[i];
        if (a->used == 0 || a->frame == 0 || gw_span_ns(a->time_ns, now_ns) <= give_up_ns)
            continue;
        for (size_t k = 0; k < GW_TX_STATIONS; k++) {
            const gw_tx_station *s = &n->stations[k];
            if (s->used != 0 && s->ip == a->to && s->interface == a->interface && s->is_alive &&
                s->heard_ns >= a->time_ns && a->from != a->to)
                report(sink, NULL, a->frame, revealed_by, TX_N7,
                       "an ARP request for %x is not answered, and that station is there",
                       GW_NUMBERS(a->to));
        }
        a->frame = 0;
    }
}
