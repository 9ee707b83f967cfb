/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA Ethernet port beneath UDP: headers, lengths, padding, ARP, and frames that are none of
 * its business. */
#include <string.h>

#include "cases/tx.h"
#include "cases/wire.h"
#include "goldwire/checksum.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

/* ---- headers ---- */

typedef struct judging {
    gw_verdict_sink sink;
    gw_ctx *ctx;
    const char *rule;
    unsigned number;
} judging;

static void found(gw_verdict_sink *sink, const gw_finding *f)
{
    judging *j = (judging *)sink;
    gw_miss miss = {.rule = j->rule, .packet = j->number};

    if (strcmp(f->rule->id, j->rule) == 0)
        gw_case_fail(j->ctx, &miss, "%s", f->text);
}

/* Judges what lies beneath the packet that came last by the codec's own rules, as `goldwire check'
 * does in a capture. */
static void judge_beneath(gw_ctx *ctx, const gw_txc_got *got, const char *rule)
{
    const gw_raw *raw = gw_case_transport(gw_case_line(ctx))->raw;
    gw_cursor frame = gw_cursor_over(raw->last.frame, raw->last.len);
    judging j = {.sink = {.finding = found}, .ctx = ctx, .rule = rule, .number = got->number};
    gw_message m = got->message;
    gw_net net = {0};

    if (gw_net_parse(&net, GW_LINK_ETHERNET, frame, (uint32_t)raw->last.len) != GW_NET_OK)
        gw_case_error(ctx, "the frame of a packet cannot be read: %s", net.fault);
    m.link = net.link;
    m.link_len = net.link_len;
    m.beneath = net.beneath;
    m.beneath_len = net.beneath_len;
    m.frame_len = (uint32_t)raw->last.len;
    m.dir = GW_DIR_IN;
    gw_textarossa.check(&m, gw_case_dialect(ctx), &j.sink);
}

/* The rule is the case's first. */
static void headers(gw_ctx *ctx)
{
    static const uint16_t sizes[] = {1, 16, 17, 200, 1024, 1440};
    const char *rule = gw_case_self(ctx)->rules[0];
    uint8_t payload[1440];
    gw_txc_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(sizes); i++) {
        gw_txc_fill(ctx, payload, sizes[i]);
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizes[i]);
        gw_txc_round(ctx, &draft, &got, rule, "a packet");
        judge_beneath(ctx, &got, rule);
    }
}

/* ---- ARP ---- */

/* Waits for the board's answer to |asker|; false when none comes in time. */
static bool hears_answer(gw_ctx *ctx, const gw_wire_station *asker, uint32_t ip, int64_t time_ns,
                         gw_wire_frame *f)
{
    int64_t deadline = gw_wire_deadline(ctx, time_ns);

    while (gw_wire_next(ctx, f, deadline))
        if (f->is_arp && f->arp.operation == GW_ARP_REPLY && f->arp.sender_ip == ip &&
            f->arp.target_ip == gw_load_be32(asker->end.ip))
            return true;
    return false;
}

static void frame_size(gw_ctx *ctx)
{
    gw_wire_station us = gw_wire_us(ctx), board = gw_wire_board(ctx);
    uint32_t ip = gw_load_be32(board.end.ip);
    gw_wire_frame f;

    (void)gw_wire_ask(ctx, &us, ip, gw_ether_broadcast);
    if (hears_answer(ctx, &us, ip, gw_case_reply_ns(ctx), &f)) {
        gw_miss miss = {
            .rule = "TX-N9", .packet = f.number, .expected = GW_ETHER_FRAME_MIN, .got = f.len};
        if (f.len < GW_ETHER_FRAME_MIN)
            gw_case_fail(ctx, &miss,
                         "an ARP reply in a frame of %zu bytes without check sequence; 60 are the "
                         "least",
                         f.len);
    }
    headers(ctx);
}

static void want_answer(gw_ctx *ctx, const gw_wire_station *asker, const uint8_t dst[6],
                        const char *what)
{
    gw_wire_station board = gw_wire_board(ctx);
    uint32_t ip = gw_load_be32(board.end.ip);
    gw_wire_frame f;
    gw_miss miss = {.rule = "TX-N7", .packet = gw_wire_ask(ctx, asker, ip, dst)};

    if (!hears_answer(ctx, asker, ip, gw_case_reply_ns(ctx), &f))
        gw_case_fail(ctx, &miss, "%s for the board's address is not answered", what);
    miss.packet = f.number;
    if (memcmp(f.data, asker->mac, 6) != 0)
        gw_case_fail(ctx, &miss,
                     "the ARP reply to %s goes to %02x:%02x:%02x:%02x:%02x:%02x; it "
                     "goes to who asked",
                     what, f.data[0], f.data[1], f.data[2], f.data[3], f.data[4], f.data[5]);
    if (memcmp(f.arp.target_hw, asker->mac, 6) != 0)
        gw_case_fail(ctx, &miss, "the ARP reply to %s names another hardware address than asked",
                     what);
}

static void arp_answer(gw_ctx *ctx)
{
    gw_wire_station us = gw_wire_us(ctx), stranger = gw_wire_stranger(ctx);
    gw_wire_station board = gw_wire_board(ctx), nobody = gw_wire_stranger(ctx);
    uint32_t ip = gw_load_be32(nobody.end.ip);
    gw_wire_frame f;

    want_answer(ctx, &us, gw_ether_broadcast, "an ARP request");
    want_answer(ctx, &stranger, gw_ether_broadcast, "an ARP request of a new station");
    if ((board.mac[0] & 1) == 0)
        want_answer(ctx, &us, board.mac, "an ARP request by unicast");
    gw_miss miss = {.rule = "TX-N7", .packet = gw_wire_ask(ctx, &us, ip, gw_ether_broadcast)};
    if (hears_answer(ctx, &us, ip, gw_case_settle_ns(ctx), &f)) {
        miss.packet = f.number;
        gw_case_fail(ctx, &miss,
                     "the board answers an ARP request for %u.%u.%u.%u, which is not "
                     "its address",
                     nobody.end.ip[0], nobody.end.ip[1], nobody.end.ip[2], nobody.end.ip[3]);
    }
    gw_txc_still_works(ctx, "TX-N7", "an ARP request for another address");
}

/* Sends a packet of |who|, to which it comes back. */
static unsigned send_as(gw_ctx *ctx, const gw_wire_station *who)
{
    uint8_t payload[32], bytes[128];

    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    size_t len = gw_tx_build(bytes, sizeof(bytes), &draft, gw_case_dialect(ctx));
    return gw_wire_say(ctx, who, bytes, len);
}

/* Waits for the board to ask for |who|; a packet to it must not come before. */
static void await_request(gw_ctx *ctx, const gw_wire_station *who, unsigned number)
{
    int64_t deadline = gw_wire_deadline(ctx, gw_case_reply_ns(ctx));
    gw_miss miss = {.rule = "TX-N6", .packet = number};
    gw_wire_frame f;

    while (gw_wire_next(ctx, &f, deadline)) {
        if (gw_wire_is_to(&f, who)) {
            miss.packet = f.number;
            gw_case_fail(ctx, &miss,
                         "a packet goes to %u.%u.%u.%u, which was never asked for by ARP",
                         who->end.ip[0], who->end.ip[1], who->end.ip[2], who->end.ip[3]);
        }
        if (!gw_wire_asks_for(&f, who))
            continue;
        miss.packet = f.number;
        if (memcmp(f.data, gw_ether_broadcast, 6) != 0)
            gw_case_fail(ctx, &miss, "the first ARP request for an address is not broadcast");
        if (memcmp(f.data + 6, f.arp.sender_hw, 6) != 0)
            gw_case_fail(ctx, &miss, "an ARP request names another sender than its frame");
        return;
    }
    gw_case_fail(ctx, &miss,
                 "a packet of a new station is neither sent back nor is its address asked for");
}

static void asks_first(gw_ctx *ctx)
{
    gw_wire_station stranger = gw_wire_stranger(ctx);

    await_request(ctx, &stranger, send_as(ctx, &stranger));
    (void)gw_wire_tell(ctx, &stranger, stranger.mac);
    gw_wire_settle(ctx, &stranger);
}

/* Waits for a packet to |who|, who has said that it is at |mac|. */
static void await_packet(gw_ctx *ctx, const gw_wire_station *who, const uint8_t mac[6],
                         unsigned number, const char *what)
{
    int64_t deadline = gw_wire_deadline(ctx, gw_case_reply_ns(ctx));
    gw_miss miss = {.rule = "TX-N8", .packet = number};
    gw_wire_frame f;

    while (gw_wire_next(ctx, &f, deadline)) {
        miss.packet = f.number;
        if (gw_wire_asks_for(&f, who))
            gw_case_fail(ctx, &miss, "%s: the board asks again for an address it has been told",
                         what);
        if (!gw_wire_is_to(&f, who))
            continue;
        if (memcmp(f.data, mac, 6) != 0)
            gw_case_fail(ctx, &miss,
                         "%s goes to %02x:%02x:%02x:%02x:%02x:%02x; ARP told "
                         "%02x:%02x:%02x:%02x:%02x:%02x",
                         what, f.data[0], f.data[1], f.data[2], f.data[3], f.data[4], f.data[5],
                         mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
        return;
    }
    miss.packet = number;
    gw_case_fail(ctx, &miss, "%s never comes", what);
}

static void arp_kept(gw_ctx *ctx)
{
    gw_wire_station stranger = gw_wire_stranger(ctx);
    uint8_t elsewhere[6];

    memcpy(elsewhere, stranger.mac, sizeof(elsewhere));
    elsewhere[1] ^= 0x77;
    await_request(ctx, &stranger, send_as(ctx, &stranger));
    await_packet(ctx, &stranger, elsewhere, gw_wire_tell(ctx, &stranger, elsewhere),
                 "the packet that waited for an ARP reply");
    for (unsigned i = 0; i < 3; i++)
        await_packet(ctx, &stranger, elsewhere, send_as(ctx, &stranger), "the next packet");
}

/* ---- what comes in ---- */

static void padding(gw_ctx *ctx)
{
    uint8_t payload[16], bytes[96], frame[GW_ETHER_FRAME_MAX];
    const char *net = gw_txc_net(ctx);
    gw_wire_station us = gw_wire_us(ctx);
    gw_txc_got got;

    for (size_t tail = 1; tail <= 64; tail *= 2) {
        gw_txc_fill(ctx, payload, sizeof(payload));
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
        size_t len = gw_tx_build(bytes, sizeof(bytes), &draft, gw_case_dialect(ctx));
        gw_txc_drain(ctx, net);
        len = gw_wire_datagram(ctx, frame, &us, bytes, len);
        memset(frame + len, 0xa5, tail);
        unsigned number = gw_wire_send(ctx, frame, len + tail);
        gw_case_mark(ctx, number, "%zu bytes of padding", tail);
        gw_txc_back(ctx, &draft, &got, "TX-N10", "a packet with padding behind it");
    }
}

enum { IP = GW_ETHER_HEADER, IPV4_HEADER = 20, UDP = IP + IPV4_HEADER };

/* A good packet of ours in a frame, to be spoilt; |keep| bytes of it are options. */
static size_t good_frame(gw_ctx *ctx, uint8_t *frame)
{
    uint8_t payload[32], bytes[128];
    gw_wire_station us = gw_wire_us(ctx);

    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    size_t len = gw_tx_build(bytes, sizeof(bytes), &draft, gw_case_dialect(ctx));
    return gw_wire_datagram(ctx, frame, &us, bytes, len);
}

/* The checksum is right, so that it is the fault itself that the board meets. */
static void sum_ip(uint8_t *frame)
{
    size_t len = (frame[IP] & 0x0fu) * (size_t)4;

    gw_store_be(frame + IP + 10, 0, 2);
    gw_store_be(frame + IP + 10, gw_inet_fold(gw_inet_sum(0, frame + IP, len)), 2);
}

/* gw_spoilt is a frame with another number somewhere in it. */
typedef struct spoilt {
    const char *what;
    uint8_t at;
    uint8_t size; /* bytes at |at| */
    uint16_t value;
} spoilt;

static const spoilt fragments[] = {
    {"a first fragment without the rest", IP + 6, 2, 0x2000},
    {"a last fragment without the rest", IP + 6, 2, 0x0004},
    {"a fragment beyond the largest datagram", IP + 6, 2, 0x1fff},
};

static const spoilt lengths[] = {
    {"a header length of 4 words", IP, 1, 0x44},
    {"an IP length of 0", IP + 2, 2, 0},
    {"an IP length of 19", IP + 2, 2, 19},
    {"an IP length of 27", IP + 2, 2, 27},
    {"an IP length beyond the frame", IP + 2, 2, 1500},
    {"a UDP length of 0", UDP + 4, 2, 0},
    {"a UDP length of 7", UDP + 4, 2, 7},
    {"a UDP length beyond the IP length", UDP + 4, 2, 1400},
};

static const spoilt strangers[] = {
    {"an unknown EtherType", 12, 2, 0x88b5},    {"an 802.3 length", 12, 2, 0x0040},
    {"IPv6 in name only", 12, 2, 0x86dd},       {"ARP in name only", 12, 2, 0x0806},
    {"a VLAN tag in name only", 12, 2, 0x8100}, {"IP version 5", IP, 1, 0x55},
    {"TCP in name only", IP + 9, 1, 6},         {"ICMP in name only", IP + 9, 1, 1},
    {"a protocol nobody has", IP + 9, 1, 0xfd},
};

static void spoil(gw_ctx *ctx, const spoilt *list, size_t num)
{
    uint8_t frame[GW_ETHER_FRAME_MAX];

    for (size_t i = 0; i < num; i++) {
        size_t len = good_frame(ctx, frame);
        gw_store_be(frame + list[i].at, list[i].value, list[i].size);
        sum_ip(frame);
        gw_case_mark(ctx, gw_wire_send(ctx, frame, len), "%s", list[i].what);
        gw_txc_still_works(ctx, "TX-N11", list[i].what);
    }
}

static void strange_fragments(gw_ctx *ctx)
{
    spoil(ctx, fragments, GW_ARRAY_LEN(fragments));
}

static void strange_lengths(gw_ctx *ctx)
{
    spoil(ctx, lengths, GW_ARRAY_LEN(lengths));
}

static void strange_types(gw_ctx *ctx)
{
    spoil(ctx, strangers, GW_ARRAY_LEN(strangers));
}

static void options(gw_ctx *ctx)
{
    uint8_t frame[GW_ETHER_FRAME_MAX];

    for (size_t extra = 4; extra <= 40; extra += 12) {
        size_t len = good_frame(ctx, frame);
        memmove(frame + UDP + extra, frame + UDP, len - UDP);
        memset(frame + UDP, 1, extra); /* no operation (RFC 791) */
        frame[IP] = (uint8_t)(0x40 | (IPV4_HEADER + extra) / 4);
        gw_store_be(frame + IP + 2, gw_load_be16(frame + IP + 2) + extra, 2);
        sum_ip(frame);
        gw_case_mark(ctx, gw_wire_send(ctx, frame, len + extra), "%zu bytes of IP options", extra);
        /* The packet in it may come back or not. */
        gw_case_wait(gw_case_line(ctx), gw_case_settle_ns(ctx));
        gw_txc_still_works(ctx, "TX-N11", "IP options");
    }
}

#define NEEDS GW_LIST("ethernet", GW_NEEDS_RAW)

const gw_case gw_tx_wire[] = {
    {.id = "tx-n/ip-header",
     .title = "IP headers have no options, TOS 0, TTL 128 and a right checksum; UDP has none",
     .rules = GW_LIST("TX-N3"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = NEEDS,
     .run = headers},
    {.id = "tx-n/lengths",
     .title = "IP and UDP lengths are those of the datagram",
     .rules = GW_LIST("TX-N4"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = NEEDS,
     .run = headers},
    {.id = "tx-n/frame-size",
     .title = "Frames are neither too short nor too long",
     .rules = GW_LIST("TX-N9"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = NEEDS,
     .run = frame_size},
    {.id = "tx-n/arp-answer",
     .title = "ARP requests for the board's address are answered by unicast, and no others",
     .rules = GW_LIST("TX-N7"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = NEEDS,
     .negative = true,
     .run = arp_answer},
    {.id = "tx-n/asks-first",
     .title = "An address is asked for by ARP before the first packet goes there",
     .rules = GW_LIST("TX-N6"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = NEEDS,
     .run = asks_first},
    {.id = "tx-n/arp-kept",
     .title = "What an ARP reply tells is used, and kept",
     .rules = GW_LIST("TX-N8", "TX-N6"),
     .after = GW_LIST("tx-n/asks-first"),
     .needs = NEEDS,
     .run = arp_kept},
    {.id = "tx-n/padding",
     .title = "Bytes between the end of a datagram and the end of its frame are ignored",
     .rules = GW_LIST("TX-N10"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = NEEDS,
     .negative = true,
     .run = padding},
    {.id = "tx-n/fragments",
     .title = "Fragments do not stall the port",
     .rules = GW_LIST("TX-N11"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = NEEDS,
     .negative = true,
     .run = strange_fragments},
    {.id = "tx-n/options",
     .title = "IP options do not stall the port",
     .rules = GW_LIST("TX-N11"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = NEEDS,
     .negative = true,
     .run = options},
    {.id = "tx-n/bad-lengths",
     .title = "Lengths that contradict the frame do not stall the port",
     .rules = GW_LIST("TX-N11"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = NEEDS,
     .negative = true,
     .run = strange_lengths},
    {.id = "tx-n/other-types",
     .title = "Frames of other types and protocols do not stall the port",
     .rules = GW_LIST("TX-N11"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = NEEDS,
     .negative = true,
     .run = strange_types},
    {.id = NULL},
};
