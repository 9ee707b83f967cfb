/* SPDX-License-Identifier: BSD-2-Clause */
/* Golden traces of what lies beneath: TCP streams, VLAN tags, IPv6, fragments, several kinds of
 * links. */
#include <stdio.h>
#include <string.h>

#include "golden.h"
#include "goldwire/checksum.h"
#include "goldwire/writer.h"

enum { PSH_ACK = 0x18, ETHERNET_HEADER = 14, IPV4_HEADER = 20 };

/* One TCP connection: what both sides have sent so far. */
struct tcp {
    golden *g;
    gw_transport *board;
    uint32_t seq[2]; /* of the client, of the slave */
};

static void segment(struct tcp *t, unsigned dir, uint8_t flags, const uint8_t *data, size_t len,
                    int64_t time, const char *comment)
{
    uint8_t frame[2048];
    const gw_endpoint *ends[2] = {&golden_client, &golden_slave};
    size_t frame_len = gw_frame_tcp(frame, sizeof frame, ends[dir], ends[!dir], t->seq[dir],
                                    t->seq[!dir], flags, data, len);
    if (frame_len == 0)
        golden_die("a segment is too long for a frame");
    golden_frame(t->g, frame, frame_len, frame_len, time, dir == 0 ? GW_DIR_IN : GW_DIR_OUT,
                 comment);
    t->seq[dir] += (uint32_t)len + (flags & (GW_TCP_SYN | GW_TCP_FIN) ? 1 : 0);
}

static void tcp_open(struct tcp *t, golden *g)
{
    char why[256] = "";

    *t = (struct tcp){.g = g, .seq = {1000, 5000}};
    t->board = gw_mem_connect(g->mem, 0, true, why, sizeof why);
    if (t->board == NULL)
        golden_die(why);
    golden_wait(g, GOLDEN_MS);
    segment(t, 0, GW_TCP_SYN, NULL, 0, golden_time(g), "The client connects");
    segment(t, 1, GW_TCP_SYN | GW_TCP_ACK, NULL, 0, golden_time(g) + 1000, "The slave accepts");
    segment(t, 0, GW_TCP_ACK, NULL, 0, golden_time(g) + 2000, "Connected");
}

/* Sends bytes as one segment and, with |reply|, writes what the board sends back. */
static void tcp_ask(struct tcp *t, const uint8_t *data, size_t len, const char *comment,
                    const char *reply)
{
    uint8_t bytes[4096];
    size_t got;
    int64_t time;
    gw_endpoint from;

    golden_wait(t->g, GOLDEN_MS);
    segment(t, 0, PSH_ACK, data, len, golden_time(t->g), comment);
    if (!t->board->ops->send(t->board, data, len))
        golden_die("a segment could not be sent");
    int64_t deadline = t->board->ops->now(t->board) + GOLDEN_MS;
    if (reply == NULL)
        return;
    if (t->board->ops->recv(t->board, bytes, sizeof bytes, &got, deadline, &time, &from) !=
        GW_RECV_DATA)
        golden_die("the slave did not answer over TCP");
    segment(t, 1, PSH_ACK, bytes, got, time, reply);
}

static void tcp_close(struct tcp *t)
{
    golden_wait(t->g, GOLDEN_MS);
    segment(t, 0, GW_TCP_FIN | GW_TCP_ACK, NULL, 0, golden_time(t->g), "The client closes");
    segment(t, 1, GW_TCP_FIN | GW_TCP_ACK, NULL, 0, golden_time(t->g) + 1000,
            "and so does the slave");
    gw_transport_close(t->board);
}

static void tcp(const char *folder)
{
    uint8_t bytes[64];
    size_t len;
    struct tcp t;
    golden g;

    golden_open(&g, folder, "tcp");
    golden_board(&g, NULL);
    tcp_open(&t, &g);
    len = golden_hex(bytes, sizeof bytes, "4e6f1144 00000086");
    tcp_ask(&t, bytes, len, "EB-M21: the probe is the one header of this stream",
            "EB-S03: the response is the other direction's; 32/32 from here on");
    len = golden_hex(bytes, sizeof bytes, "280f0101 00000100 cafe0001 00008000 00000100");
    tcp_ask(&t, bytes, len, "EB-S46: a bare record", "EB-S46: a bare record back");
    tcp_ask(&t, bytes, 7, "EB-S46: seven bytes of a record ...", NULL);
    tcp_ask(&t, bytes + 7, len - 7, "... and the rest", "EB-S46: answered when it is complete");
    for (size_t i = 0; i < len; i++)
        tcp_ask(&t, bytes + i, 1, "EB-S46: one byte a segment",
                i + 1 == len ? "EB-S46: answered after the last one" : NULL);
    tcp_close(&t);
    golden_close(&g);
}

/* The same records, after a network that reorders, repeats and loses segments. */
static void tcp_disturbed(const char *folder)
{
    uint8_t probe[8], response[8], record[12];
    struct tcp t;
    golden g;

    golden_open(&g, folder, "tcp-disturbed");
    t = (struct tcp){.g = &g, .seq = {1000, 5000}};
    segment(&t, 0, GW_TCP_SYN, NULL, 0, golden_time(&g), "The client connects");
    segment(&t, 1, GW_TCP_SYN | GW_TCP_ACK, NULL, 0, golden_time(&g), "The slave accepts");
    gw_eb_build_probe(probe, false, 0x44, 1);
    gw_eb_build_probe(response, true, 0x44, 1);
    segment(&t, 0, PSH_ACK, probe, 8, golden_time(&g), "The probe");
    segment(&t, 1, PSH_ACK, response, 8, golden_time(&g), "The response");
    (void)golden_hex(record, sizeof record, "080f0100 00000100 00000001");
    for (unsigned i = 0; i < 6; i++) {
        static const struct {
            uint8_t number; /* of the record in the stream */
            const char *says;
        } order[] = {
            {0, "The first record"},
            {2, "The third record, early: it waits"},
            {1, "The second record: both are in order now"},
            {1, "The second record again: dropped as a retransmission"},
            {4, "The fifth record; the fourth was never captured"},
            {5, "The sixth record"},
        };
        golden_wait(&g, GOLDEN_MS);
        t.seq[0] = 1009 + 12u * order[i].number;
        record[11] = order[i].number;
        segment(&t, 0, PSH_ACK, record, sizeof record, golden_time(&g), order[i].says);
    }
    golden_wait(&g, GOLDEN_MS);
    segment(&t, 1, GW_TCP_ACK, NULL, 0, golden_time(&g),
            "The slave has all six: what is missing here is lost to the capture, not to it");
    golden_close(&g);
}

/* ---- frames in other clothes ---- */

static size_t plain_frame(uint8_t *out, size_t cap, const gw_endpoint *src, const gw_endpoint *dst,
                          unsigned words)
{
    uint64_t values[255];
    uint8_t payload[1472];
    golden strict = {0};
    gw_eb_operation op = {.writes = values,
                          .num_writes = (uint8_t)words,
                          .write_base = 0x100,
                          .flags = GW_EB_CYC,
                          .byte_enable = 0x0f};

    for (unsigned i = 0; i < words; i++)
        values[i] = 0xcafe0000 + i;
    size_t len = golden_packet(&strict, payload, sizeof payload, 0x44, &op, 1);
    size_t frame_len = gw_frame_udp(out, cap, src, dst, payload, len);
    if (frame_len == 0)
        golden_die("a frame is too long");
    return frame_len;
}

/* Puts |num| VLAN tags between the addresses and the EtherType. */
static void vlan_frame(golden *g, const uint8_t *frame, size_t len, const uint16_t *tags,
                       size_t num, const char *comment)
{
    uint8_t buf[2048];
    gw_writer w = gw_writer_over(buf, sizeof buf);

    gw_write_bytes(&w, frame, 12);
    for (size_t i = 0; i < num; i++) {
        gw_write_be(&w, i + 1 < num ? 0x88a8 : 0x8100, 2);
        gw_write_be(&w, tags[i], 2);
    }
    gw_write_bytes(&w, frame + 12, len - 12);
    golden_wait(g, GOLDEN_MS);
    golden_frame(g, buf, w.len, w.len, golden_time(g), GW_DIR_IN, comment);
}

/* Sends the IPv4 datagram of |frame| as fragments of |size| bytes, in the order of |order|. */
static void fragments(golden *g, const uint8_t *frame, size_t len, size_t size,
                      const unsigned *order, unsigned num, const char *comment)
{
    size_t data = len - ETHERNET_HEADER - IPV4_HEADER;

    for (unsigned i = 0; i < num; i++) {
        uint8_t buf[2048];
        size_t at = order[i] * size, take = data - at < size ? data - at : size;
        uint8_t *ip = buf + ETHERNET_HEADER;
        memcpy(buf, frame, ETHERNET_HEADER + IPV4_HEADER);
        memcpy(ip + IPV4_HEADER, frame + ETHERNET_HEADER + IPV4_HEADER + at, take);
        gw_store_be(ip + 2, IPV4_HEADER + take, 2);
        gw_store_be(ip + 4, 0x4711, 2);
        gw_store_be(ip + 6, (at + take < data ? 0x2000 : 0) | at / 8, 2);
        gw_store_be(ip + 10, 0, 2);
        gw_store_be(ip + 10, gw_inet_fold(gw_inet_sum(0, ip, IPV4_HEADER)), 2);
        size_t frame_len = ETHERNET_HEADER + IPV4_HEADER + take;
        golden_wait(g, GOLDEN_MS);
        golden_frame(g, buf, frame_len, frame_len, golden_time(g), GW_DIR_IN, comment);
    }
}

static void vlan_ipv6_fragments(const char *folder)
{
    static const uint16_t tags[3] = {100, 200, 300};
    static const unsigned backwards[3] = {2, 1, 0}, gap[2] = {0, 2};
    uint8_t frame[2048];
    size_t len;
    golden g;

    golden_open(&g, folder, "vlan-ipv6-fragments");
    len = plain_frame(frame, sizeof frame, &golden_client, &golden_slave, 2);
    vlan_frame(&g, frame, len, tags, 1, "One VLAN tag, id 100");
    vlan_frame(&g, frame, len, tags, 3, "Three stacked tags, outermost 100");
    len = plain_frame(frame, sizeof frame, &golden_client6, &golden_slave6, 2);
    vlan_frame(&g, frame, len, tags, 0, "Over IPv6");
    len = plain_frame(frame, sizeof frame, &golden_client, &golden_slave, 100);
    fragments(&g, frame, len, 160, backwards, 3, "EB-M20: a packet in three fragments, last first");
    fragments(&g, frame, len, 160, gap, 2, "Two of three fragments: never whole");
    golden_close(&g);
}

static void links(const char *folder)
{
    static const struct {
        uint16_t type;
        const char *name, *says;
        uint8_t head[20];
        uint8_t head_len;
    } kinds[] = {
        {GW_LINK_SLL,
         "any",
         "Linux cooked v1",
         {0, 0, 0, 1, 0, 6, 2, 0, 192, 0, 2, 1, 0, 0, 8},
         16},
        {GW_LINK_SLL2,
         "any2",
         "Linux cooked v2",
         {8, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 6, 2, 0, 192, 0, 2, 1},
         20},
        {GW_LINK_RAW, "tun0", "Raw IP", {0}, 0},
        {GW_LINK_NULL, "lo0", "BSD loopback, little-endian", {2}, 4},
        {GW_LINK_LOOP, "lo1", "OpenBSD loopback", {0, 0, 0, 2}, 4},
    };
    uint8_t frame[256], buf[256];
    golden g;

    golden_open(&g, folder, "links");
    size_t len = plain_frame(frame, sizeof frame, &golden_client, &golden_slave, 1);
    golden_frame(&g, frame, len, len, golden_time(&g), GW_DIR_IN, "Ethernet");
    for (size_t i = 0; i < GW_ARRAY_LEN(kinds); i++) {
        int number = gw_pcapng_interface(g.w, kinds[i].type, kinds[i].name, kinds[i].says);
        if (number < 0)
            golden_die("an interface could not be written");
        g.interface = (uint32_t)number;
        g.link_type = kinds[i].type;
        memcpy(buf, kinds[i].head, kinds[i].head_len);
        memcpy(buf + kinds[i].head_len, frame + ETHERNET_HEADER, len - ETHERNET_HEADER);
        size_t now = kinds[i].head_len + len - ETHERNET_HEADER;
        golden_wait(&g, GOLDEN_MS);
        golden_frame(&g, buf, now, now, golden_time(&g), GW_DIR_IN, kinds[i].says);
    }
    golden_close(&g);
}

void golden_net_traces(const char *folder)
{
    tcp(folder);
    tcp_disturbed(folder);
    vlan_ipv6_fragments(folder);
    links(folder);
}
