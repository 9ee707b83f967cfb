/* SPDX-License-Identifier: BSD-2-Clause */
/* Stations that cases make up. */
#include "suite/wire.h"

#include <string.h>

#include "goldwire/cursor.h"
#include "goldwire/writer.h"
#include "harness/capture.h"

static gw_transport *transport(gw_ctx *ctx)
{
    gw_transport *t = gw_case_transport(gw_case_connection(ctx));
    if (t->raw == NULL)
        gw_case_na(ctx, "the usual connection is no station on an Ethernet");
    return t;
}

static uint32_t ip_of(const gw_wire_station *station)
{
    return gw_load_be32(station->end.ip);
}

int64_t gw_wire_deadline(gw_ctx *ctx, int64_t time_ns)
{
    return gw_case_now(gw_case_connection(ctx)) + time_ns;
}

gw_wire_station gw_wire_us(gw_ctx *ctx)
{
    const gw_transport *t = transport(ctx);
    gw_wire_station us = {.end = t->local};
    memcpy(us.mac, t->raw->ether->setup.mac, sizeof(us.mac));
    return us;
}

unsigned gw_wire_send(gw_ctx *ctx, const uint8_t *frame, size_t len)
{
    gw_transport *t = transport(ctx);
    if (gw_raw_send_frame(t, frame, len))
        return t->raw->last.number;
    if (t->too_long)
        gw_case_na(ctx, "needs a frame of %zu bytes: %s", len, t->error);
    gw_case_error(ctx, "sending a frame of %zu bytes failed: %s", len, t->error);
}

unsigned gw_wire_send_arp_request(gw_ctx *ctx, const gw_wire_station *from, uint32_t ip,
                                  const uint8_t dst[6])
{
    uint8_t frame[GW_ETHER_FRAME_MIN];
    gw_arp arp = {.operation = GW_ARP_REQUEST, .sender_ip = ip_of(from), .target_ip = ip};
    memcpy(arp.sender_hw, from->mac, sizeof(arp.sender_hw));
    return gw_wire_send(ctx, frame, gw_ether_arp(frame, dst, &arp));
}

gw_wire_station gw_wire_board(gw_ctx *ctx)
{
    gw_transport *t = transport(ctx);
    gw_wire_station board = {.end = t->remote};
    gw_wire_station us = gw_wire_us(ctx);
    gw_wire_frame f;
    memcpy(board.mac, gw_ether_broadcast, sizeof(board.mac));
    if (gw_ether_lookup(t->raw->ether, &board.end, gw_wire_deadline(ctx, 0)) == NULL) {
        int64_t deadline = gw_wire_deadline(ctx, gw_case_settle_ns(ctx));
        (void)gw_wire_send_arp_request(ctx, &us, ip_of(&board), gw_ether_broadcast);
        while (gw_wire_next(ctx, &f, deadline) && !f.is_arp)
            ;
    }
    const uint8_t *mac = gw_ether_lookup(t->raw->ether, &board.end, gw_wire_deadline(ctx, 0));
    if (mac != NULL)
        memcpy(board.mac, mac, sizeof(board.mac));
    return board;
}

/* Whether somebody else than |board| has the address |ip| (RFC 5227). */
static bool is_taken(gw_ctx *ctx, const gw_wire_station *board, uint32_t ip)
{
    gw_wire_station nobody = gw_wire_us(ctx);
    int64_t deadline = gw_wire_deadline(ctx, gw_case_settle_ns(ctx));
    gw_wire_frame f;
    memset(nobody.end.ip, 0, sizeof(nobody.end.ip));
    (void)gw_wire_send_arp_request(ctx, &nobody, ip, gw_ether_broadcast);
    while (gw_wire_next(ctx, &f, deadline))
        if (f.is_arp && f.arp.sender_ip == ip &&
            memcmp(f.arp.sender_hw, board->mac, sizeof(board->mac)) != 0)
            return true;
    return false;
}

gw_wire_station gw_wire_stranger(gw_ctx *ctx, const gw_wire_station *but)
{
    enum { TRIES = 16, LEAST = 10, MOST = 249 };
    gw_wire_station board = gw_wire_board(ctx);
    gw_wire_station stranger = gw_wire_us(ctx);
    uint8_t ours = stranger.end.ip[3];
    for (unsigned i = 0; i < TRIES; i++) {
        /* A run soon after another one is not to meet the same. */
        uint64_t any = gw_case_random(ctx) + (uint64_t)gw_wire_deadline(ctx, 0) / 1000;
        uint8_t last = (uint8_t)(LEAST + any % (MOST - LEAST + 1));
        if (last == ours || last == board.end.ip[3] || (but != NULL && last == but->end.ip[3]))
            continue;
        stranger.end.ip[3] = last;
        gw_ether_own_mac(stranger.mac, ip_of(&stranger));
        if (!is_taken(ctx, &board, ip_of(&stranger)))
            return stranger;
    }
    gw_case_inconc(ctx, "no address near %u.%u.%u.%u is free for a station of the tester's",
                   stranger.end.ip[0], stranger.end.ip[1], stranger.end.ip[2], ours);
}

size_t gw_wire_datagram(gw_ctx *ctx, uint8_t *frame, const gw_wire_station *from, const void *data,
                        size_t len)
{
    gw_wire_station board = gw_wire_board(ctx);
    size_t whole = gw_frame_udp_styled(frame, GW_ETHER_FRAME_MAX, &from->end, &board.end, data, len,
                                       transport(ctx)->raw->ether->setup.style);
    if (whole == 0)
        gw_case_error(ctx, "%zu bytes do not fit a frame", len);
    memcpy(frame, board.mac, 6);
    memcpy(frame + 6, from->mac, 6);
    if (whole >= GW_ETHER_FRAME_MIN)
        return whole;
    memset(frame + whole, 0, GW_ETHER_FRAME_MIN - whole);
    return GW_ETHER_FRAME_MIN;
}

unsigned gw_wire_send_datagram(gw_ctx *ctx, const gw_wire_station *from, const void *data,
                               size_t len)
{
    uint8_t frame[GW_ETHER_FRAME_MAX];
    return gw_wire_send(ctx, frame, gw_wire_datagram(ctx, frame, from, data, len));
}

unsigned gw_wire_send_arp_reply(gw_ctx *ctx, const gw_wire_station *who, const uint8_t mac[6])
{
    uint8_t frame[GW_ETHER_FRAME_MIN];
    gw_wire_station board = gw_wire_board(ctx);
    gw_arp arp = {.operation = GW_ARP_REPLY, .sender_ip = ip_of(who), .target_ip = ip_of(&board)};
    memcpy(arp.sender_hw, mac, sizeof(arp.sender_hw));
    memcpy(arp.target_hw, board.mac, sizeof(arp.target_hw));
    size_t len = gw_ether_arp(frame, board.mac, &arp);
    memcpy(frame + 6, who->mac, 6);
    return gw_wire_send(ctx, frame, len);
}

bool gw_wire_next(gw_ctx *ctx, gw_wire_frame *out, int64_t deadline)
{
    gw_transport *t = transport(ctx);
    *out = (gw_wire_frame){0};
    if (gw_raw_recv_frame(t, deadline, NULL) != GW_RECV_DATA)
        return false;
    out->data = t->raw->last.frame;
    out->len = t->raw->last.len;
    out->number = t->raw->last.number;
    out->status = gw_net_parse(&out->net, GW_LINK_ETHERNET, gw_cursor_over(out->data, out->len),
                               (uint32_t)out->len);
    out->is_arp = out->status == GW_NET_NOT_IP && out->net.ethertype == GW_ETHERTYPE_ARP &&
                  gw_net_arp(&out->arp, out->net.payload);
    return true;
}

bool gw_wire_is_to(const gw_wire_frame *f, const gw_wire_station *to)
{
    return f->status == GW_NET_OK && f->net.transport == GW_OVER_UDP &&
           gw_endpoint_equal(&f->net.dst, &to->end);
}

bool gw_wire_is_arp_request(const gw_wire_frame *f, const gw_wire_station *whom)
{
    return f->is_arp && f->arp.operation == GW_ARP_REQUEST && f->arp.target_ip == ip_of(whom);
}

void gw_wire_settle(gw_ctx *ctx, const gw_wire_station *who)
{
    static const unsigned enough = 1000;
    gw_wire_frame f;
    for (unsigned i = 0; i < enough; i++) {
        if (!gw_wire_next(ctx, &f, gw_wire_deadline(ctx, gw_case_settle_ns(ctx))))
            return;
        if (gw_wire_is_arp_request(&f, who))
            (void)gw_wire_send_arp_reply(ctx, who, who->mac);
    }
}
