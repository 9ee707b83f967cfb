/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA Ethernet port: whom it asks by ARP, whom it answers, and the frames it does that in.
 */
#include <string.h>

#include "formats/textarossa/wire.h"
#include "goldwire/cursor.h"

enum { MOVED = 0x77 }; /* bits of an address that make it another one */

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

static void judge_size(gw_ctx *ctx, const gw_wire_frame *f)
{
    gw_miss miss = {
        .rule = "TX-N9", .packet = f->number, .expected = GW_ETHER_FRAME_MIN, .got = f->len};

    if (f->len < GW_ETHER_FRAME_MIN)
        gw_case_fail(
            ctx, &miss,
            "an ARP reply in a frame of %zu bytes without check sequence; 60 are the least",
            f->len);
}

static void frame_size(gw_ctx *ctx)
{
    gw_wire_station us = gw_wire_us(ctx), board = gw_wire_board(ctx);
    uint32_t ip = gw_load_be32(board.end.ip);
    gw_wire_frame f;
    unsigned tries = 0;
    bool heard;

    do {
        (void)gw_wire_send_arp_request(ctx, &us, ip, gw_ether_broadcast);
        heard = hears_answer(ctx, &us, ip, gw_case_settle_ns(ctx), &f);
    } while (!heard && gw_case_again(ctx, &tries));
    if (heard)
        judge_size(ctx, &f);
    gw_txc_headers(ctx);
    if (!heard) /* packets are never that short */
        gw_case_inconc(ctx, "no ARP reply came whose frame could be looked at");
}

static void want_answer(gw_ctx *ctx, const gw_wire_station *asker, const uint8_t dst[6],
                        const char *what)
{
    gw_wire_station board = gw_wire_board(ctx);
    uint32_t ip = gw_load_be32(board.end.ip);
    gw_wire_frame f;
    gw_miss miss = {.rule = "TX-N7", .packet = gw_wire_send_arp_request(ctx, asker, ip, dst)};

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
    gw_wire_station us = gw_wire_us(ctx), stranger = gw_wire_stranger(ctx, NULL);
    gw_wire_station board = gw_wire_board(ctx);

    want_answer(ctx, &us, gw_ether_broadcast, "an ARP request");
    want_answer(ctx, &stranger, gw_ether_broadcast, "an ARP request of a new station");
    if ((board.mac[0] & 1) == 0)
        want_answer(ctx, &us, board.mac, "an ARP request by unicast");
}

static void arp_foreign(gw_ctx *ctx)
{
    gw_wire_station us = gw_wire_us(ctx), nobody = gw_wire_stranger(ctx, NULL);
    const uint8_t *a = nobody.end.ip;
    uint32_t ip = gw_load_be32(a);
    gw_wire_frame f;

    gw_miss miss = {.rule = "TX-N7",
                    .packet = gw_wire_send_arp_request(ctx, &us, ip, gw_ether_broadcast)};
    if (hears_answer(ctx, &us, ip, gw_case_settle_ns(ctx), &f)) {
        miss.packet = f.number;
        gw_case_fail(ctx, &miss,
                     "the board answers an ARP request for %u.%u.%u.%u, which is not its address",
                     a[0], a[1], a[2], a[3]);
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
    return gw_wire_send_datagram(ctx, who, bytes, len);
}

static void judge_request(gw_ctx *ctx, const gw_wire_frame *f)
{
    gw_miss miss = {.rule = "TX-N6", .packet = f->number};

    if (memcmp(f->data, gw_ether_broadcast, 6) != 0)
        gw_case_fail(ctx, &miss, "the first ARP request for an address is not broadcast");
    if (memcmp(f->data + 6, f->arp.sender_hw, 6) != 0)
        gw_case_fail(ctx, &miss, "an ARP request names another sender than its frame");
}

/* Waits for the board to ask for |who|. False when a packet comes instead, in frame |f|. */
static bool is_asked_for(gw_ctx *ctx, const gw_wire_station *who, unsigned number, gw_wire_frame *f)
{
    int64_t deadline = gw_wire_deadline(ctx, gw_case_reply_ns(ctx));
    gw_miss miss = {.rule = "TX-N6", .packet = number};

    while (gw_wire_next(ctx, f, deadline)) {
        if (gw_wire_is_to(f, who))
            return false;
        if (!gw_wire_is_arp_request(f, who))
            continue;
        judge_request(ctx, f);
        return true;
    }
    gw_case_fail(ctx, &miss,
                 "a packet of a new station is neither sent back nor is its address asked for");
}

/* Sends packets of strangers until the board asks for one. It may know the first from an earlier
 * run. */
static gw_wire_station meet(gw_ctx *ctx)
{
    enum { TRIES = 3 };
    gw_wire_station stranger;
    gw_wire_frame f;

    for (unsigned i = 0; i < TRIES; i++) {
        stranger = gw_wire_stranger(ctx, NULL);
        if (is_asked_for(ctx, &stranger, send_as(ctx, &stranger), &f))
            return stranger;
    }
    gw_miss miss = {.rule = "TX-N6", .packet = f.number};
    const uint8_t *a = stranger.end.ip;
    gw_case_fail(ctx, &miss, "a packet goes to %u.%u.%u.%u, which was never asked for by ARP", a[0],
                 a[1], a[2], a[3]);
}

static void asks_first(gw_ctx *ctx)
{
    gw_wire_station stranger = meet(ctx);

    (void)gw_wire_send_arp_reply(ctx, &stranger, stranger.mac);
    gw_wire_settle(ctx, &stranger);
}

/* Whoever does not answer is sent nothing. */
static void unanswered(gw_ctx *ctx)
{
    gw_wire_station stranger = meet(ctx);
    int64_t deadline = gw_wire_deadline(ctx, gw_case_settle_ns(ctx));
    gw_miss miss = {.rule = "TX-N6"};
    gw_wire_frame f;

    (void)send_as(ctx, &stranger);
    while (gw_wire_next(ctx, &f, deadline)) {
        miss.packet = f.number;
        if (gw_wire_is_to(&f, &stranger))
            gw_case_fail(ctx, &miss, "a packet goes to %u.%u.%u.%u, which has not answered",
                         stranger.end.ip[0], stranger.end.ip[1], stranger.end.ip[2],
                         stranger.end.ip[3]);
    }
    (void)gw_wire_send_arp_reply(ctx, &stranger, stranger.mac);
    gw_wire_settle(ctx, &stranger);
    gw_txc_still_works(ctx, "TX-N6", "a station that does not answer ARP");
}

/* Judges a packet to |who|, who has said that it is at |mac|. */
static void judge_target(gw_ctx *ctx, const gw_wire_frame *f, const uint8_t mac[6],
                         const char *what)
{
    gw_miss miss = {.rule = "TX-N8", .packet = f->number};

    if (memcmp(f->data, mac, 6) != 0)
        gw_case_fail(ctx, &miss,
                     "%s goes to %02x:%02x:%02x:%02x:%02x:%02x; ARP told "
                     "%02x:%02x:%02x:%02x:%02x:%02x",
                     what, f->data[0], f->data[1], f->data[2], f->data[3], f->data[4], f->data[5],
                     mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
}

/* Waits for a packet to |who|, who has said that it is at |mac|; false when none comes. What the
 * board asks within |under_way| ns it asked before it was told. */
static bool is_sent(gw_ctx *ctx, const gw_wire_station *who, const uint8_t mac[6],
                    int64_t under_way, const char *what)
{
    gw_connection *conn = gw_case_connection(ctx);
    int64_t asked_before = gw_case_now(conn) + under_way;
    int64_t deadline = gw_wire_deadline(ctx, gw_case_reply_ns(ctx));
    gw_miss miss = {.rule = "TX-N8"};
    gw_wire_frame f;

    while (gw_wire_next(ctx, &f, deadline)) {
        miss.packet = f.number;
        if (gw_wire_is_arp_request(&f, who) && gw_case_now(conn) >= asked_before)
            gw_case_fail(ctx, &miss, "%s: the board asks again for an address it has been told",
                         what);
        if (!gw_wire_is_to(&f, who))
            continue;
        judge_target(ctx, &f, mac, what);
        return true;
    }
    return false;
}

/* A packet sent to |who|, who is known to be at |mac|, comes back there at once. */
static void next_packet(gw_ctx *ctx, const gw_wire_station *who, const uint8_t mac[6])
{
    gw_miss miss = {.rule = "TX-N8", .packet = send_as(ctx, who)};

    if (!is_sent(ctx, who, mac, 0, "the next packet"))
        gw_case_fail(ctx, &miss, "the next packet never comes");
}

/* How long what the board asked before it was told may be under way. */
static int64_t told(gw_ctx *ctx)
{
    return gw_case_near(ctx) ? 0 : 2 * gw_case_lag_ns(ctx);
}

/* Tells the board where a station that it asks for is: behind the bits |moved| of its own address.
 * Whatever lies between may keep our answer, or the packet, from arriving once; and nobody says how
 * long a board waits. */
static gw_wire_station acquaint(gw_ctx *ctx, uint8_t moved, uint8_t mac[6])
{
    enum { MEETINGS = 2 };
    static const char what[] = "the packet that waited for an ARP reply";
    const int64_t patience = GW_SECOND / 2;
    unsigned meetings = gw_case_near(ctx) ? 1 : MEETINGS;
    gw_wire_station stranger;
    gw_miss miss = {.rule = "TX-N8"};

    for (unsigned i = 0; i < meetings; i++) {
        stranger = meet(ctx);
        memcpy(mac, stranger.mac, sizeof(stranger.mac));
        mac[1] ^= moved;
        miss.packet = gw_wire_send_arp_reply(ctx, &stranger, mac);
        if (is_sent(ctx, &stranger, mac, told(ctx), what))
            return stranger;
    }
    if (gw_case_lag_ns(ctx) > patience)
        gw_case_inconc(ctx, "%s never comes; our reply may come later than the board waits", what);
    gw_case_fail(ctx, &miss, "%s never comes", what);
}

static void arp_kept(gw_ctx *ctx)
{
    uint8_t elsewhere[6];
    gw_wire_station stranger = acquaint(ctx, MOVED, elsewhere);

    for (unsigned i = 0; i < 3; i++)
        next_packet(ctx, &stranger, elsewhere);
}

/* Replies about others, or about nothing, do not change what is known of a station. */
static void arp_others(gw_ctx *ctx)
{
    uint8_t elsewhere[6], frame[GW_ETHER_FRAME_MIN];
    gw_wire_station stranger = acquaint(ctx, 0, elsewhere);
    gw_wire_station other = gw_wire_stranger(ctx, &stranger);
    gw_arp arp = {.operation = GW_ARP_REPLY, .sender_ip = gw_load_be32(stranger.end.ip)};

    elsewhere[1] ^= MOVED;
    (void)gw_wire_send_arp_reply(ctx, &other, elsewhere);
    memcpy(arp.sender_hw, elsewhere, sizeof(arp.sender_hw));
    arp.target_ip = gw_load_be32(gw_wire_board(ctx).end.ip);
    size_t len = gw_ether_arp(frame, gw_wire_board(ctx).mac, &arp);
    frame[GW_ETHER_HEADER + 1] = 6; /* hardware of another kind */
    gw_case_mark(ctx, gw_wire_send(ctx, frame, len), "an ARP reply that is not about Ethernet");
    for (unsigned i = 0; i < 3; i++)
        next_packet(ctx, &stranger, stranger.mac);
}

/* A frame that is too short is no reason to send one. */
static void runt(gw_ctx *ctx)
{
    enum { BARE = GW_ETHER_HEADER + 28 };
    gw_wire_station us = gw_wire_us(ctx), board = gw_wire_board(ctx);
    uint8_t frame[GW_ETHER_FRAME_MIN];
    gw_arp arp = {.operation = GW_ARP_REQUEST,
                  .sender_ip = gw_load_be32(us.end.ip),
                  .target_ip = gw_load_be32(board.end.ip)};
    gw_wire_frame f;
    unsigned tries = 0;
    bool heard;

    memcpy(arp.sender_hw, us.mac, sizeof(arp.sender_hw));
    (void)gw_ether_arp(frame, gw_ether_broadcast, &arp);
    do {
        gw_case_mark(ctx, gw_wire_send(ctx, frame, BARE), "an ARP request without padding");
        heard = hears_answer(ctx, &us, arp.target_ip, gw_case_settle_ns(ctx), &f);
    } while (!heard && gw_case_again_if_lossy(ctx, &tries));
    if (heard)
        judge_size(ctx, &f);
    gw_txc_still_works(ctx, "TX-N9", "a frame that is too short");
}

const gw_case gw_tx_arp[] = {
    {.id = "tx-n/frame-size",
     .title = "Frames are neither too short nor too long",
     .rules = GW_LIST("TX-N9"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_TXC_WIRE,
     .run = frame_size},
    {.id = "tx-n/runt",
     .title = "A frame that is too short is not answered by one that is too short",
     .rules = GW_LIST("TX-N9"),
     .after = GW_LIST("tx-n/frame-size"),
     .needs = GW_TXC_WIRE,
     .negative = true,
     .run = runt},
    {.id = "tx-n/arp-answer",
     .title = "ARP requests for the board's address are answered by unicast",
     .rules = GW_LIST("TX-N7"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_TXC_WIRE,
     .run = arp_answer},
    {.id = "tx-n/arp-foreign",
     .title = "ARP requests for other addresses are not answered",
     .rules = GW_LIST("TX-N7"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_TXC_WIRE,
     .negative = true,
     .run = arp_foreign},
    {.id = "tx-n/asks-first",
     .title = "An address is asked for by ARP before the first packet is sent to it",
     .rules = GW_LIST("TX-N6"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_TXC_WIRE,
     .run = asks_first},
    {.id = "tx-n/arp-unanswered",
     .title = "No packet goes to an address before ARP has answered, and none waits afterwards",
     .rules = GW_LIST("TX-N6"),
     .after = GW_LIST("tx-n/asks-first"),
     .needs = GW_TXC_WIRE,
     .negative = true,
     .run = unanswered},
    {.id = "tx-n/arp-kept",
     .title = "The address that an ARP reply tells is used, and kept",
     .rules = GW_LIST("TX-N8", "TX-N6"),
     .after = GW_LIST("tx-n/asks-first"),
     .needs = GW_TXC_WIRE,
     .run = arp_kept},
    {.id = "tx-n/arp-others",
     .title = "ARP replies about other addresses change nothing",
     .rules = GW_LIST("TX-N8"),
     .after = GW_LIST("tx-n/arp-kept"),
     .needs = GW_TXC_WIRE,
     .negative = true,
     .run = arp_others},
    {.id = NULL},
};
