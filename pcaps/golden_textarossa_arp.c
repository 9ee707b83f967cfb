/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA's Ethernet port and ARP: who is asked for before a datagram goes out, and who answers.
 */
#include "golden_textarossa.h"

#include <string.h>

#include "goldwire/checksum.h"
#include "goldwire/writer.h"

enum {
    FRAME_LEAST = 60, /* without check sequence */
    FRAME_MAX = 2048,
    HW = 6,
    ETHERNET_HEADER = 14,
};

static const uint8_t everybody[HW] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

static gw_endpoint station(uint8_t number)
{
    gw_endpoint end = golden_tx_near;

    end.ip[3] = number;
    return end;
}

/* The hardware address that frames of |number| carry: the program's own choice for datagrams. */
static void hardware(uint8_t *out, uint8_t number)
{
    memcpy(out, (uint8_t[HW]){2, 0, 192, 0, 2, number}, HW);
}

typedef struct packet {
    uint16_t operation;
    uint8_t from;  /* station that sends it */
    uint8_t says;  /* last octet of the sender's address in it */
    uint8_t to;    /* the target's */
    bool to_all;   /* of a reply: broadcast */
    bool is_short; /* not padded */
    const char *comment;
} packet;

static void arp(golden_tx *t, const packet *p)
{
    uint8_t frame[FRAME_LEAST] = {0};
    gw_writer w = gw_writer_over(frame, sizeof frame);
    uint8_t from[HW], to[HW];
    gw_endpoint says = station(p->says), target = station(p->to);

    hardware(from, p->from);
    hardware(to, p->to);
    bool to_all = p->operation == GW_ARP_REQUEST || p->to_all;
    gw_write_bytes(&w, to_all ? everybody : to, HW);
    gw_write_bytes(&w, from, HW);
    gw_write_be(&w, GW_ETHERTYPE_ARP, 2);
    gw_write_be(&w, 0x0001080006040000 | p->operation, 8);
    gw_write_bytes(&w, from, HW);
    gw_write_bytes(&w, says.ip, 4);
    gw_write_bytes(&w, p->operation == GW_ARP_REQUEST ? everybody : to, HW);
    gw_write_bytes(&w, target.ip, 4);
    size_t len = p->is_short ? w.len : sizeof frame;
    golden_wait(&t->g, GOLDEN_MS);
    golden_frame(&t->g, frame, len, len, golden_time(&t->g), GW_DIR_IN, p->comment);
}

static void request(golden_tx *t, uint8_t from, uint8_t to, const char *comment)
{
    arp(t,
        &(packet){
            .operation = GW_ARP_REQUEST, .from = from, .says = from, .to = to, .comment = comment});
}

static void reply(golden_tx *t, uint8_t from, uint8_t to, const char *comment)
{
    arp(t,
        &(packet){
            .operation = GW_ARP_REPLY, .from = from, .says = from, .to = to, .comment = comment});
}

static size_t datagram(golden_tx *t, uint8_t *frame, uint8_t from, uint8_t to, size_t size)
{
    uint8_t bytes[FRAME_MAX];
    gw_endpoint src = station(from), dst = station(to);
    gw_tx_draft d = golden_tx_draft(false, size);

    d.header.dest_addr = (d.header.dest_addr & ~UINT64_C(0xff)) | to;
    if (size == 0)
        d.header.packet_type = GW_TX_TYPE_HEADER_ONLY;
    size_t len = gw_tx_build(bytes, sizeof bytes, &d, t->dialect);
    len = gw_frame_udp_styled(frame, FRAME_MAX, &src, &dst, bytes, len, gw_textarossa.ip_style);
    if (len == 0)
        golden_die("a datagram");
    return len;
}

static void put(golden_tx *t, const uint8_t *frame, size_t len, const char *comment)
{
    golden_wait(&t->g, GOLDEN_MS);
    golden_frame(&t->g, frame, len, len, golden_time(&t->g), GW_DIR_IN, comment);
}

static void send(golden_tx *t, uint8_t from, uint8_t to, const char *comment)
{
    uint8_t frame[FRAME_MAX];

    put(t, frame, datagram(t, frame, from, to, 16), comment);
}

void golden_tx_arp(golden_tx *t)
{
    uint8_t frame[FRAME_MAX] = {0};

    request(t, 1, 2, "who has the far end's address? To everybody, padded to the least length");
    reply(t, 2, 1, "the far end answers, to who asked alone");
    send(t, 1, 2, "now the packet can go");
    request(t, 2, 1, "the far end asks in its turn");
    reply(t, 1, 2, "and is answered");
    send(t, 2, 1, "the same packet back");
    send(t, 1, 2, "another packet: the address is kept");
    (void)datagram(t, frame, 1, 2, 0);
    put(t, frame, FRAME_LEAST, "a header alone: two bytes of padding, which IP does not count");
    request(t, 1, 1, "a cable that leads back: the port asks for its own address ...");
    reply(t, 1, 1, "... and answers itself ...");
    send(t, 1, 1, "... and the packet comes in where it went out");
}

static void broken_requests(golden_tx *t)
{
    arp(t, &(packet){.operation = GW_ARP_REQUEST,
                     .from = 1,
                     .says = 1,
                     .to = 2,
                     .is_short = true,
                     .comment = "a request that is not padded breaks TX-N9"});
    send(t, 1, 2, "a packet that does not wait for the answer breaks TX-N6");
    reply(t, 2, 1, "the answer");
    send(t, 1, 2, "a packet that did");
    send(t, 1, 3, "a packet to somebody who was never asked for breaks TX-N6");
}

static void broken_replies(golden_tx *t)
{
    request(t, 1, 4, "somebody is asked for who is not there");
    arp(t, &(packet){.operation = GW_ARP_REPLY,
                     .from = 2,
                     .says = 4,
                     .to = 1,
                     .comment = "and the far end answers for it: breaks TX-N7"});
    request(t, 1, 2, "the far end is asked for again");
    arp(t, &(packet){.operation = GW_ARP_REPLY,
                     .from = 2,
                     .says = 2,
                     .to = 1,
                     .to_all = true,
                     .comment = "and answers everybody: breaks TX-N7"});
}

static void broken_frames(golden_tx *t)
{
    uint8_t frame[FRAME_MAX] = {0};

    size_t len = datagram(t, frame, 1, 2, 16);
    frame[HW - 1] ^= 0x10;
    put(t, frame, len, "to another hardware address than the answer told breaks TX-N8");
    len = datagram(t, frame, 1, 2, 0);
    put(t, frame, len, "a header alone that is not padded breaks TX-N9");
    memset(frame, 0, sizeof frame);
    (void)datagram(t, frame, 1, 2, 0);
    gw_store_be(frame + ETHERNET_HEADER + 2, FRAME_LEAST - ETHERNET_HEADER, 2);
    gw_store_be(frame + ETHERNET_HEADER + 10, 0, 2);
    gw_store_be(frame + ETHERNET_HEADER + 10,
                gw_inet_fold(gw_inet_sum(0, frame + ETHERNET_HEADER, 20)), 2);
    put(t, frame, FRAME_LEAST, "padding that IP counts breaks TX-N4 TX-N9");
}

void golden_tx_arp_broken(golden_tx *t)
{
    broken_requests(t);
    broken_replies(t);
    broken_frames(t);
    request(t, 1, 2, "a request that nobody answers breaks TX-N7");
    send(t, 2, 1, "though the far end is there; it knows the address from the request");
    golden_wait(&t->g, 6000 * GOLDEN_MS);
    send(t, 2, 1, "six seconds later that is clear");
}
