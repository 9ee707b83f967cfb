/* SPDX-License-Identifier: BSD-2-Clause */
/* A station on an Ethernet, and a board behind its port. Input: pieces (fuzz.h), a frame each; the
 * choice says whether it is addressed to the station (bit 0) or to all (bit 1), whether it is given
 * to the board's port (bit 2) or to a station that puts fragments together, and how much time
 * passes.
 *
 * Oracles: what is sent is a whole frame from the station's own address, neither too short nor too
 * long, ARP or IPv4 with a right checksum; a payload that is handed up is for the station and lies
 * in memory that is its own; nobody talks without end; timers lie in the future; afterwards the
 * port still answers an ARP request, and the slave behind it a probe. */
#include "boards/port.h"
#include "formats/etherbone/slave/board.h"
#include "fuzz.h"
#include "goldwire/checksum.h"
#include "goldwire/etherbone.h"
#include "goldwire/writer.h"
#include "harness/capture.h"

#define OWN_IP UINT32_C(0x0a000002)
#define ASKER_IP UINT32_C(0x0a000009)

enum {
    PORT = 60368,
    IP = GW_ETHER_HEADER,
    DATAGRAMS = 2,
    MUCH = 64, /* frames that one event may cause: a large datagram in fragments */
    PAYLOAD = IP + 20 + 8,
};

struct sent {
    unsigned frames;
    uint8_t last[GW_ETHER_FRAME_MAX];
    size_t len;
    uint8_t mac[6];
};

static void check_frame(struct sent *s, const uint8_t *frame, size_t len)
{
    gw_fuzz_check(++s->frames <= MUCH, "talks without end");
    gw_fuzz_check(len >= GW_ETHER_FRAME_MIN && len <= GW_ETHER_FRAME_MAX, "a frame of no length");
    gw_fuzz_check(memcmp(frame + 6, s->mac, 6) == 0, "a frame from another address");
    uint16_t type = gw_load_be16(frame + 12);
    gw_fuzz_check(type == GW_ETHERTYPE_ARP || type == 0x0800, "a frame of another type");
    if (type == 0x0800) {
        gw_fuzz_check(frame[IP] == 0x45 && gw_inet_fold(gw_inet_sum(0, frame + IP, 20)) == 0,
                      "a wrong IP header");
        gw_fuzz_check(gw_load_be32(frame + IP + 12) == OWN_IP, "a packet from another address");
        gw_fuzz_check(gw_load_be16(frame + IP + 2) <= len - IP, "a packet longer than its frame");
    } else {
        gw_arp arp;
        gw_fuzz_check(gw_net_arp(&arp, gw_cursor_over(frame + IP, len - IP)), "no ARP");
        gw_fuzz_check(arp.sender_ip == OWN_IP && memcmp(arp.sender_hw, s->mac, 6) == 0,
                      "speaks for another station");
    }
    memcpy(s->last, frame, len);
    s->len = len;
}

/* ---- a station alone ---- */

struct alone {
    gw_ether_out out;
    struct sent sent;
    unsigned datagrams;
};

static void alone_frame(gw_ether_out *out, const uint8_t *frame, size_t len)
{
    check_frame(&((struct alone *)out)->sent, frame, len);
}

static void alone_datagram(gw_ether_out *out, const gw_net *net)
{
    struct alone *a = (struct alone *)out;
    uint8_t *copy = gw_fuzz_lend(net->payload.p, (size_t)(net->payload.end - net->payload.p));
    gw_fuzz_take_back(copy);
    gw_fuzz_check(++a->datagrams == 1, "two datagrams of one frame");
    gw_fuzz_check(gw_load_be32(net->dst.ip) == OWN_IP, "a datagram of somebody else");
}

/* ---- a board behind its port ---- */

struct board_out {
    gw_peer_out out;
    struct sent sent;
};

static void board_frame(gw_peer_out *out, unsigned link, uint32_t conn, const uint8_t *data,
                        size_t len)
{
    gw_fuzz_check(link == 0 && conn == 0, "a frame on another wire");
    check_frame(&((struct board_out *)out)->sent, data, len);
}

static void board_close(gw_peer_out *out, unsigned link, uint32_t conn)
{
    (void)out;
    (void)link;
    (void)conn;
    gw_fuzz_check(0, "closes a wire");
}

static void step(const gw_port *port, void *state, struct board_out *out, uint8_t kind,
                 const uint8_t *data, size_t len, int64_t now)
{
    gw_peer_event event = {.kind = kind, .data = data, .len = len};
    out->sent.frames = 0;
    int64_t timer = port->board.step(state, &event, now, &out->out);
    gw_fuzz_check(timer > now, "wants its timer in the past");
}

static void still_answers(const gw_port *port, void *state, struct board_out *out, int64_t now)
{
    uint8_t frame[GW_ETHER_FRAME_MAX], probe[8];
    gw_arp arp = {.operation = GW_ARP_REQUEST, .sender_ip = ASKER_IP, .target_ip = OWN_IP};
    gw_endpoint here = {.port = 4000, .family = GW_FAMILY_IPV4};

    gw_ether_own_mac(arp.sender_hw, ASKER_IP);
    step(port, state, out, GW_PEER_TIMER, NULL, 0, now);
    step(port, state, out, GW_PEER_BYTES, frame, gw_ether_arp(frame, gw_ether_broadcast, &arp),
         now);
    gw_fuzz_check(out->sent.frames >= 1 && out->sent.last[IP + 7] == GW_ARP_REPLY,
                  "the port no longer answers ARP");
    gw_store_be(here.ip, ASKER_IP, 4);
    gw_eb_build_probe(probe, false, 0xff, 0x12345678);
    size_t len = gw_frame_udp(frame, sizeof frame, &here, &port->here, probe, sizeof probe);
    step(port, state, out, GW_PEER_BYTES, frame, len, now);
    /* Whoever gives way to a new caller may be told so before. */
    gw_fuzz_check(out->sent.frames >= 1 && memcmp(out->sent.last, arp.sender_hw, 6) == 0 &&
                      memcmp(out->sent.last + PAYLOAD + 4, probe + 4, 4) == 0,
                  "the slave no longer answers a probe");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static gw_port port;
    static gw_ether station;
    static uint64_t *state;
    static void *fragments;
    const gw_peer_config config = {0};
    const gw_endpoint here = {.ip = {10, 0, 0, 2}, .port = PORT, .family = GW_FAMILY_IPV4};
    gw_cursor c = gw_cursor_over(data, size), piece;
    int64_t now = 0;
    uint8_t choice;
    char why[160];

    if (size > 32768)
        return 0;
    if (state == NULL) {
        gw_port_lay(&port, &gw_eb_slave_board, &config, 0, &here, NULL);
        state = malloc(port.board.size);
        fragments = malloc(gw_defrag_size(DATAGRAMS));
    }
    memset(state, 0, port.board.size);
    gw_fuzz_check(port.board.init(state, &port.config, why, sizeof why), "does not start");
    gw_ether_setup setup = {.at = gw_ether_ipv4(OWN_IP),
                            .defrag = gw_defrag_init(fragments, DATAGRAMS, NULL, NULL)};
    gw_ether_own_mac(setup.mac, OWN_IP);
    gw_ether_init(&station, &setup);
    struct alone alone = {.out = {.frame = alone_frame, .datagram = alone_datagram}};
    struct board_out out = {.out = {.send = board_frame, .close = board_close}};
    memcpy(alone.sent.mac, setup.mac, 6);
    memcpy(out.sent.mac, setup.mac, 6);
    step(&port, state, &out, GW_PEER_START, NULL, 0, now);
    step(&port, state, &out, GW_PEER_OPEN, NULL, 0, now);

    while (gw_fuzz_piece(&c, &choice, &piece)) {
        size_t len = gw_cursor_left(&piece);
        uint8_t *frame = gw_fuzz_lend(piece.p, len);
        now += 1000 + (int64_t)(choice >> 4) * 50000000;
        if ((choice & 3) != 0 && len >= 6)
            memcpy(frame, (choice & 1) != 0 ? setup.mac : gw_ether_broadcast, 6);
        if ((choice & 4) != 0) {
            step(&port, state, &out, GW_PEER_TIMER, NULL, 0, now);
            const unsigned before = out.sent.frames;
            step(&port, state, &out, GW_PEER_BYTES, frame, len, now);
            gw_fuzz_read(out.sent.frames > before);
        } else {
            alone.sent.frames = alone.datagrams = 0;
            gw_ether_kind kind = gw_ether_receive(&station, frame, len, now, &alone.out);
            gw_fuzz_check((kind == GW_ETHER_DATAGRAM) == (alone.datagrams == 1),
                          "hands up what it says it does not");
            gw_fuzz_read(kind == GW_ETHER_DATAGRAM);
            gw_fuzz_check(gw_ether_timer(&station, now, &alone.out) > now,
                          "wants its timer in the past");
        }
        gw_fuzz_take_back(frame);
    }
    still_answers(&port, state, &out, now);
    port.board.fini(state);
    return 0;
}
