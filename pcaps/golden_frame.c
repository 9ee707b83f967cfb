/* SPDX-License-Identifier: BSD-2-Clause */
/* Golden traces of what lies beneath: VLAN tags, IPv6, IP fragments, several kinds of links. */
#include <string.h>

#include "golden.h"
#include "goldwire/checksum.h"
#include "goldwire/writer.h"

enum { ETHERNET_HEADER = 14, IPV4_HEADER = 20, IPV6_HEADER = 40 };

static size_t plain_frame(uint8_t *out, size_t cap, const gw_endpoint *src, const gw_endpoint *dst,
                          unsigned words)
{
    uint64_t values[255];
    uint8_t payload[1472];
    golden strict = {.now = 0};
    gw_eb_operation op = {.writes = values,
                          .num_writes = (uint8_t)words,
                          .write_base = 0x100,
                          .flags = GW_EB_CYC,
                          .byte_enable = 0x0f};

    for (unsigned i = 0; i < words; i++)
        values[i] = 0xcafe0000 + i;
    size_t len = golden_packet(&strict, payload, sizeof payload, 0x44, &op, words > 0);
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
                      const unsigned *order, unsigned num, const char *comment, const char *last)
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
        golden_frame(g, buf, frame_len, frame_len, golden_time(g), GW_DIR_IN,
                     i + 1 < num ? comment : last);
    }
}

/* A frame with |insert| put in at |at|, and its IP lengths and checksum made right again. */
static void with_inserted(golden *g, const uint8_t *frame, size_t len, size_t at,
                          const char *insert, const char *comment)
{
    uint8_t buf[2048], *ip = buf + ETHERNET_HEADER;
    gw_writer w = gw_writer_over(buf, sizeof buf);

    gw_write_bytes(&w, frame, at);
    w.len += golden_hex(buf + at, sizeof buf - at, insert);
    size_t added = w.len - at;
    gw_write_bytes(&w, frame + at, len - at);
    if (ip[0] >> 4 == 6) {
        gw_store_be(ip + 4, w.len - ETHERNET_HEADER - IPV6_HEADER, 2);
    } else {
        size_t head = IPV4_HEADER + added;
        ip[0] = (uint8_t)(0x40 | head / 4);
        gw_store_be(ip + 2, w.len - ETHERNET_HEADER, 2);
        gw_store_be(ip + 10, 0, 2);
        gw_store_be(ip + 10, gw_inet_fold(gw_inet_sum(0, ip, head)), 2);
    }
    golden_wait(g, GOLDEN_MS);
    golden_frame(g, buf, w.len, w.len, golden_time(g), GW_DIR_IN, comment);
}

/* IPv6 extension headers before UDP: each names what follows, the IPv6 header the first one. */
static void extension_headers(golden *g)
{
    static const char two[] = "3c00 0104 00000000"  /* hop-by-hop, then destination options */
                              "1100 0104 00000000"; /* destination options, then UDP */
    uint8_t frame[256];
    size_t len = plain_frame(frame, sizeof frame, &golden_client6, &golden_slave6, 2);

    frame[ETHERNET_HEADER + 6] = 0;
    with_inserted(g, frame, len, ETHERNET_HEADER + IPV6_HEADER, two,
                  "Over IPv6 with hop-by-hop and destination options");
}

/* One IPv6 datagram in two fragments. */
static void fragments6(golden *g)
{
    static const char *const heads[2] = {"1100 0001 00004712", "1100 00a0 00004712"};
    static const size_t first = 160;
    uint8_t frame[2048], part[2048];
    size_t len = plain_frame(frame, sizeof frame, &golden_client6, &golden_slave6, 60);
    size_t data = ETHERNET_HEADER + IPV6_HEADER;

    frame[ETHERNET_HEADER + 6] = 44;
    for (unsigned i = 0; i < 2; i++) {
        size_t take = i == 0 ? first : len - data - first;
        memcpy(part, frame, data);
        memcpy(part + data, frame + data + i * first, take);
        with_inserted(g, part, data + take, data, heads[i],
                      i == 0 ? "A packet over IPv6 in two fragments: the first"
                             : "and the second; breaks EB-M20");
    }
}

static void vlan_ipv6_fragments(const char *folder)
{
    static const uint16_t tags[3] = {100, 200, 300};
    static const unsigned backwards[3] = {2, 1, 0}, gap[2] = {0, 2};
    uint8_t frame[2200];
    size_t len;
    golden g;

    golden_open(&g, folder, "vlan-ipv6-fragments");
    len = plain_frame(frame, sizeof frame, &golden_client, &golden_slave, 2);
    vlan_frame(&g, frame, len, tags, 1, "One VLAN tag, id 100");
    vlan_frame(&g, frame, len, tags, 3, "Three stacked tags, outermost 100");
    with_inserted(&g, frame, len, ETHERNET_HEADER + IPV4_HEADER, "94040000 01010100",
                  "IP options: a router alert, and fillers");
    gw_store_be(frame + ETHERNET_HEADER + IPV4_HEADER + 6, 0, 2);
    vlan_frame(&g, frame, len, tags, 0, "EB-S48: without a UDP checksum");
    len = plain_frame(frame, sizeof frame, &golden_client, &golden_slave, 0);
    memset(frame + len, 0xa5, 60 - len);
    vlan_frame(&g, frame, 60, tags, 0,
               "A short packet: the link fills the frame up, with what does not belong to it");

    len = plain_frame(frame, sizeof frame, &golden_client6, &golden_slave6, 2);
    vlan_frame(&g, frame, len, tags, 0, "Over IPv6");
    vlan_frame(&g, frame, len, tags, 2, "Over IPv6 behind two VLAN tags");
    extension_headers(&g);
    fragments6(&g);

    len = plain_frame(frame, sizeof frame, &golden_client, &golden_slave, 100);
    fragments(&g, frame, len, 160, backwards, 3, "A packet in three fragments, last first",
              "EB-M20: now it is whole; breaks EB-M20");
    fragments(&g, frame, len, 160, gap, 2, "Two of three fragments: never whole",
              "The second one is missing");
    golden_close(&g);
}

static void links(const char *folder)
{
    static const struct {
        const char *name, *says;
        uint16_t type;
        uint8_t head_len;
        uint8_t head[20];
    } kinds[] = {
        {"any",
         "Linux cooked v1",
         GW_LINK_SLL,
         16,
         {0, 0, 0, 1, 0, 6, 2, 0, 192, 0, 2, 1, 0, 0, 8, 0}},
        {"any2",
         "Linux cooked v2",
         GW_LINK_SLL2,
         20,
         {8, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 6, 2, 0, 192, 0, 2, 1}},
        {"tun0", "Raw IP", GW_LINK_RAW, 0, {0}},
        {"lo0", "BSD loopback, little-endian", GW_LINK_NULL, 4, {2}},
        {"lo1", "OpenBSD loopback", GW_LINK_LOOP, 4, {0, 0, 0, 2}},
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

void golden_frame_traces(const char *folder)
{
    vlan_ipv6_fragments(folder);
    links(folder);
}
