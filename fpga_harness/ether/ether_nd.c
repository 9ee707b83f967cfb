/* SPDX-License-Identifier: BSD-2-Clause */
/* How a station asks and answers who has an IPv6 address: Neighbor Discovery (RFC 4861). */
#include <string.h>

#include "ether_parts.h"
#include "goldwire/checksum.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

enum {
    IPV6_LEN = 16,
    IPV6_HEADER = 40,
    OPTION = 8, /* bytes of the only one that is sent */
    MESSAGE = GW_NEIGHBOUR_BYTES + OPTION,
    FRAME = GW_ETHER_HEADER + IPV6_HEADER + MESSAGE,
    SUM = 2, /* place in a message */
};

static const uint8_t all_nodes[IPV6_LEN] = {0xff, 0x02, [15] = 1};
static const uint8_t nobody[IPV6_LEN];

/* The group that whoever has |ip| listens to (RFC 4291 2.7.1). */
static void solicited_node(uint8_t group[IPV6_LEN], const uint8_t ip[IPV6_LEN])
{
    static const uint8_t first[13] = {0xff, 0x02, [11] = 0x01, 0xff};

    memcpy(group, first, sizeof(first));
    memcpy(group + sizeof(first), ip + sizeof(first), IPV6_LEN - sizeof(first));
}

/* Where Ethernet has what goes to the |group| (RFC 2464 7). */
static void group_mac(uint8_t mac[6], const uint8_t group[IPV6_LEN])
{
    gw_store_be(mac, 0x3333, 2);
    memcpy(mac + 2, group + IPV6_LEN - 4, 4);
}

bool gw_ether_is_group(const gw_ether *e, const uint8_t mac[6])
{
    uint8_t group[IPV6_LEN];
    uint8_t own[6];
    uint8_t all[6];

    solicited_node(group, e->setup.at.ip);
    group_mac(own, group);
    group_mac(all, all_nodes);
    return e->setup.at.family == GW_FAMILY_IPV6 &&
           (memcmp(mac, own, sizeof(own)) == 0 || memcmp(mac, all, sizeof(all)) == 0);
}

/* What a message is and whom it goes to. */
typedef struct message {
    uint8_t type;
    uint32_t flags;
    uint8_t option; /* about our own hardware address */
    uint8_t mac[6];
    uint8_t to[IPV6_LEN];
    const uint8_t *target;
} message;

static void send_message(const gw_ether *e, const message *m, gw_ether_out *out)
{
    uint8_t frame[FRAME];
    gw_writer w = gw_writer_over(frame, sizeof(frame));
    const uint8_t rest[] = {0, MESSAGE, 0, GW_PROTOCOL_ICMPV6};

    gw_write_bytes(&w, m->mac, 6);
    gw_write_bytes(&w, e->setup.mac, 6);
    gw_write_be(&w, GW_ETHERTYPE_IPV6, 2);
    gw_write_be(&w, 0x60000000, 4);
    gw_write_be(&w, MESSAGE, 2);
    gw_write_be(&w, GW_PROTOCOL_ICMPV6, 1);
    gw_write_be(&w, GW_NEIGHBOUR_HOPS, 1);
    gw_write_bytes(&w, e->setup.at.ip, IPV6_LEN);
    gw_write_bytes(&w, m->to, IPV6_LEN);
    uint8_t *start = frame + w.len;
    gw_write_be(&w, m->type, 1);
    gw_write_be(&w, 0, 3);
    gw_write_be(&w, m->flags, 4);
    gw_write_bytes(&w, m->target, IPV6_LEN);
    gw_write_be(&w, m->option, 1);
    gw_write_be(&w, 1, 1); /* length, of 8 bytes each */
    gw_write_bytes(&w, e->setup.mac, 6);
    uint32_t sum = gw_inet_sum(0, start - (size_t)2 * IPV6_LEN, (size_t)2 * IPV6_LEN);
    sum = gw_inet_sum(gw_inet_sum(sum, rest, sizeof(rest)), start, MESSAGE);
    gw_store_be(start + SUM, gw_inet_fold(sum), 2);
    out->frame(out, frame, sizeof(frame));
}

void gw_ether_solicit(const gw_ether *e, const gw_endpoint *whom, gw_ether_out *out)
{
    message m = {.type = GW_NEIGHBOUR_ASKS, .option = 1, .target = whom->ip};

    solicited_node(m.to, whom->ip);
    group_mac(m.mac, m.to);
    send_message(e, &m, out);
}

/* Who asks without an address of its own wants to know whether ours is free (RFC 4862 5.4): all are
 * told. */
static void answer(const gw_ether *e, const gw_net *net, gw_ether_out *out)
{
    enum { SOLICITED = 0x40000000, OVERRIDE = 0x20000000 };
    bool to_all = memcmp(net->src.ip, nobody, IPV6_LEN) == 0;
    message m = {.type = GW_NEIGHBOUR_TELLS,
                 .flags = to_all ? OVERRIDE : SOLICITED | OVERRIDE,
                 .option = 2,
                 .target = e->setup.at.ip};

    memcpy(m.to, to_all ? all_nodes : net->src.ip, IPV6_LEN);
    if (to_all)
        group_mac(m.mac, m.to);
    else
        memcpy(m.mac, net->link + 6, sizeof(m.mac));
    send_message(e, &m, out);
}

/* An address that nobody has yet, or a group, is no sender; nor are we. */
static bool is_somebody(const gw_ether *e, const gw_endpoint *at)
{
    return at->ip[0] != 0xff && memcmp(at->ip, nobody, IPV6_LEN) != 0 &&
           !gw_ether_same(at, &e->setup.at);
}

gw_ether_kind gw_ether_take_nd(gw_ether *e, const gw_net *net, int64_t now_ns, gw_ether_out *out)
{
    gw_neighbour n;
    gw_endpoint target = {.family = GW_FAMILY_IPV6};
    gw_endpoint sender = net->src;

    if (e->setup.at.family != GW_FAMILY_IPV6 || !gw_net_neighbour(&n, net))
        return GW_ETHER_FOREIGN;
    memcpy(target.ip, n.target, IPV6_LEN);
    bool about_us = gw_ether_same(&target, &e->setup.at);
    if (n.told)
        sender = target;
    bool known = is_somebody(e, &sender) && gw_ether_find(e, &sender) != NULL;
    bool asks_us = !n.told && about_us && is_somebody(e, &sender);
    if ((known || asks_us) && n.has_hw && (n.hw[0] & 1) == 0)
        gw_ether_learn(e, &sender, n.hw, now_ns, out);
    if (!n.told && about_us && !e->silent)
        answer(e, net, out);
    return about_us || known ? GW_ETHER_ASKED : GW_ETHER_FOREIGN;
}
