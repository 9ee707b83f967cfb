/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA Ethernet port beneath UDP: headers, lengths, padding, and frames that are none of its
 * business. */
#include "formats/textarossa/wire.h"

#include <string.h>

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
static void judge_lower_layers(gw_ctx *ctx, const gw_txc_got *got, const char *rule)
{
    const gw_raw *raw = gw_case_transport(gw_case_connection(ctx))->raw;
    gw_cursor frame = gw_cursor_over(raw->last.frame, raw->last.len);
    judging j = {.sink = {.finding = found}, .ctx = ctx, .rule = rule, .number = got->number};
    gw_message m = got->message;
    gw_net net = {0};

    if (gw_net_parse(&net, GW_LINK_ETHERNET, frame, (uint32_t)raw->last.len) != GW_NET_OK) {
        gw_case_note(ctx, "a packet came in fragments, whose headers are not judged");
        return;
    }
    m.link = net.link;
    m.link_len = net.link_len;
    m.lower = net.lower;
    m.lower_len = net.lower_len;
    m.frame_len = (uint32_t)raw->last.len;
    m.dir = GW_DIR_IN;
    gw_textarossa.check(&m, gw_case_dialect(ctx), &j.sink);
}

void gw_txc_headers(gw_ctx *ctx)
{
    static const uint16_t sizes[] = {1, 16, 17, 200, 1024, 1408};
    const char *rule = gw_case_self(ctx)->rules[0];
    uint8_t payload[1408];
    gw_txc_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(sizes); i++) {
        gw_txc_fill(ctx, payload, sizes[i]);
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizes[i]);
        gw_txc_round(ctx, &draft, &got, rule, "a packet");
        judge_lower_layers(ctx, &got, rule);
    }
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

/* A packet whose end lies in the padding is none. The payload fills its words in every dialect: how
 * a last word that is not full is sent is open, and the length tells which end is the end. */
static void end_in_padding(gw_ctx *ctx)
{
    uint8_t payload[32], bytes[96], frame[GW_ETHER_FRAME_MAX];
    const char *net = gw_txc_net(ctx);
    gw_wire_station us = gw_wire_us(ctx);
    gw_txc_got got;

    for (size_t cut = 1; cut <= 16; cut += 5) {
        gw_txc_fill(ctx, payload, sizeof(payload));
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
        size_t len = gw_tx_build(bytes, sizeof(bytes), &draft, gw_case_dialect(ctx));
        gw_txc_drain(ctx, net);
        size_t end = gw_wire_datagram(ctx, frame, &us, bytes, len - cut);
        memcpy(frame + end, bytes + len - cut, cut);
        unsigned number = gw_wire_send(ctx, frame, end + cut);
        gw_case_mark(ctx, number, "the last %zu bytes of the packet are padding", cut);
        gw_txc_silence(ctx, net, "TX-N10", "a packet whose end lies in the padding");
    }
    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    gw_txc_round(ctx, &draft, &got, "TX-N10", "a good packet after packets that end in padding");
    judge_lower_layers(ctx, &got, "TX-N4");
}

enum { IP = GW_ETHER_HEADER, IPV4_HEADER = 20, UDP = IP + IPV4_HEADER };

/* A good packet of ours in a frame, to be spoilt. */
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

/* What the headers of a packet say is not mirrored in those of the packet that goes back. */
static void odd_headers(gw_ctx *ctx)
{
    uint8_t payload[32], bytes[128], frame[GW_ETHER_FRAME_MAX];
    gw_wire_station us = gw_wire_us(ctx);
    gw_txc_got got;

    for (unsigned i = 0; i < 3; i++) {
        gw_txc_fill(ctx, payload, sizeof(payload));
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
        size_t len = gw_tx_build(bytes, sizeof(bytes), &draft, gw_case_dialect(ctx));
        gw_txc_drain(ctx, gw_txc_net(ctx));
        len = gw_wire_datagram(ctx, frame, &us, bytes, len);
        frame[IP + 1] = (uint8_t)(0x10 << i);  /* TOS */
        frame[IP + 6] ^= 0x40;                 /* may it be cut */
        frame[IP + 8] = (uint8_t)(1 + 31 * i); /* TTL */
        sum_ip(frame);
        (void)gw_wire_send(ctx, frame, len);
        gw_txc_back(ctx, &draft, &got, "TX-N3", "a packet with another TOS and TTL");
        judge_lower_layers(ctx, &got, "TX-N3");
    }
}

/* A frame with another number somewhere in it. */
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
        gw_case_wait(gw_case_connection(ctx), gw_case_settle_ns(ctx));
        gw_txc_still_works(ctx, "TX-N11", "IP options");
    }
}

const gw_case gw_tx_wire[] = {
    {.id = "tx-n/ip-header",
     .title = "IP headers have no options, TOS 0, TTL 128 and a right checksum; UDP has none",
     .rules = GW_LIST("TX-N3"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_TXC_WIRE,
     .run = gw_txc_headers},
    {.id = "tx-n/lengths",
     .title = "IP and UDP lengths are those of the datagram",
     .rules = GW_LIST("TX-N4"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_TXC_WIRE,
     .run = gw_txc_headers},
    {.id = "tx-n/odd-headers",
     .title = "TOS and TTL of received datagrams are not copied into those sent",
     .rules = GW_LIST("TX-N3"),
     .after = GW_LIST("tx-n/ip-header"),
     .needs = GW_TXC_WIRE,
     .negative = true,
     .run = odd_headers},
    {.id = "tx-n/padding",
     .title = "Bytes between the end of a datagram and the end of its frame are ignored",
     .rules = GW_LIST("TX-N10"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_TXC_WIRE,
     .run = padding},
    {.id = "tx-n/end-in-padding",
     .title = "A packet that ends in a frame's padding is dropped, and later lengths stay right",
     .rules = GW_LIST("TX-N10", "TX-N4"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_TXC_WIRE,
     .negative = true,
     .run = end_in_padding},
    {.id = "tx-n/fragments",
     .title = "Fragments do not stall the port",
     .rules = GW_LIST("TX-N11"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_TXC_WIRE,
     .negative = true,
     .run = strange_fragments},
    {.id = "tx-n/options",
     .title = "IP options do not stall the port",
     .rules = GW_LIST("TX-N11"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_TXC_WIRE,
     .negative = true,
     .run = options},
    {.id = "tx-n/bad-lengths",
     .title = "Lengths that contradict the frame do not stall the port",
     .rules = GW_LIST("TX-N11"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_TXC_WIRE,
     .negative = true,
     .run = strange_lengths},
    {.id = "tx-n/other-types",
     .title = "Frames of other types and protocols do not stall the port",
     .rules = GW_LIST("TX-N11"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_TXC_WIRE,
     .negative = true,
     .run = strange_types},
    {.id = NULL},
};
