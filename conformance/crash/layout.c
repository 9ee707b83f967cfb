/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of layouts.def, and what the bits of their choices mean for a message. */
#include "crash/layout.h"

#include <string.h>

#include "goldwire/etherbone.h"
#include "goldwire/ims.h"
#include "goldwire/l1farm.h"
#include "goldwire/op2p.h"
#include "goldwire/textarossa.h"

static void eb_datagram(gw_message *m, const uint8_t *head, uint8_t choice)
{
    (void)head;
    (void)choice;
    m->transport = GW_OVER_UDP;
    m->side = GW_SIDE_CALLER;
}

static void eb_reply(gw_message *m, const uint8_t *head, uint8_t choice)
{
    eb_datagram(m, head, choice);
    m->side = GW_SIDE_CALLED;
}

static void eb_decode(gw_message *m, const uint8_t *head, uint8_t choice)
{
    (void)choice;
    m->part = head[0] >> 2 & 7;
    if (m->part > GW_EB_BANNER)
        m->part = GW_EB_PACKET;
    m->part_arg = m->len > 0 ? m->data[m->len - 1] : 0x44; /* widths, wherever they come from */
    if (head[0] & 0x20)
        m->len += head[0] >> 6 | 1;
    m->transport = m->part == GW_EB_PACKET ? GW_OVER_UDP : GW_OVER_TCP;
}

/* The first byte, beside its dialect: 0x80: one host talks to itself; 0x40: connections carry
 * packets, as LiteX's do; 0x20: 0x10 of a choice says that the capture cut the message, in its last
 * word or before it, and nothing of a port. */
static void eb_session(gw_message *m, const uint8_t *head, uint8_t choice)
{
    static const uint16_t ports[4] = {60368, 40000, 40001, 1234};
    bool cuts = (head[0] & 0x20) != 0;

    m->src = (gw_endpoint){.ip = {127, 0, 0, 1 + (choice & 1)}, .port = ports[choice >> 1 & 3]};
    m->dst = (gw_endpoint){.ip = {127, 0, 0, 2 - (choice & 1)},
                           .port = ports[choice >> 3 & (cuts ? 1 : 3)]};
    m->src.family = m->dst.family = GW_FAMILY_IPV4;
    m->transport = choice & 0x20 ? GW_OVER_TCP : GW_OVER_UDP;
    m->part = (choice & 0x20) != 0 && (head[0] & 0x40) == 0 ? GW_EB_RECORD : GW_EB_PACKET;
    m->part_arg = 0x44;
    if (cuts && (choice & 0x10) != 0)
        m->len = (m->len | 3) + 1;
    if ((head[0] & 0x80) != 0)
        memcpy(m->dst.ip, m->src.ip, sizeof m->dst.ip);
}

static void tx_decode(gw_message *m, const uint8_t *head, uint8_t choice)
{
    (void)choice;
    m->part = head[1] & 3;
    m->part_arg = (head[1] & 4) != 0 ? GW_TX_ARG_EDAC : 0;
    m->transport = m->part == GW_TX_PART_DATAGRAM ? GW_OVER_UDP : GW_OVER_NOTHING;
    if (head[1] & 8)
        m->len += head[1] >> 4 | 1;
}

static void tx_run(gw_message *m, const uint8_t *head, uint8_t choice)
{
    (void)head;
    (void)choice;
    m->part = GW_TX_PART_LINK;
}

/* The choice: 1: the other way; 2: another two stations; 4: interface; 0x18: a datagram, a packet
 * on a link, what is between packets, or ARP, which is as a datagram; 0x60: what the capture cut.
 */
static void tx_session(gw_message *m, const uint8_t *head, uint8_t choice)
{
    static const uint8_t parts[4] = {GW_TX_PART_DATAGRAM, GW_TX_PART_LINK, GW_TX_PART_IDLE,
                                     GW_TX_PART_DATAGRAM};
    static const uint8_t cuts[4] = {0, 1, 15, 31};
    const uint8_t first = choice & 2;

    (void)head;
    m->part = parts[choice >> 3 & 3];
    m->interface = choice >> 2 & 1;
    m->dir = (choice & 1) != 0 ? GW_DIR_OUT : GW_DIR_IN;
    m->len += cuts[choice >> 5 & 3];
    if (m->part != GW_TX_PART_DATAGRAM)
        return;
    m->transport = GW_OVER_UDP;
    m->src = (gw_endpoint){.ip = {10, 0, 0, (uint8_t)(1 + first + (choice & 1))}, .port = 10000};
    m->dst = (gw_endpoint){.ip = {10, 0, 0, (uint8_t)(2 + first - (choice & 1))}, .port = 10000};
    m->src.family = m->dst.family = GW_FAMILY_IPV4;
}

/* Over an APElink a piece begins with its header when MAGIC and START are put before it. */
static void tx_board(gw_message *m, const uint8_t *head, uint8_t choice)
{
    (void)head;
    m->part = (choice & 0x08) != 0 ? GW_TX_PART_DATAGRAM : GW_TX_PART_LINK;
}

static void op2p_decode(gw_message *m, const uint8_t *head, uint8_t choice)
{
    (void)choice;
    m->part = head[0] >> 1 & 1;
    if (head[0] & 4) {
        m->transport = GW_OVER_UDP;
        m->part = GW_OP2P_BARE;
    }
    if (head[0] & 8)
        m->len += head[0] >> 4 | 1;
}

static void op2p_session(gw_message *m, const uint8_t *head, uint8_t choice)
{
    (void)head;
    m->len += choice >> 4 & 7; /* what the capture cut */
    m->interface = choice >> 2 & 1;
    m->part = choice >> 1 & 1;
    m->dir = (choice & 1) != 0 ? GW_DIR_OUT : GW_DIR_IN;
    if ((choice & 8) != 0) {
        m->transport = GW_OVER_UDP;
        m->part = GW_OP2P_BARE;
        m->src.port = (uint16_t)(1 + (choice & 1));
        m->dst.port = (uint16_t)(2 - (choice & 1));
    }
}

/* Datagrams of the tunnel. */
static void op2p_link(gw_message *m, const uint8_t *head, uint8_t choice)
{
    (void)head;
    (void)choice;
    m->transport = GW_OVER_UDP;
    m->part = GW_OP2P_BARE;
}

static void l1_part(gw_message *m, uint8_t choice)
{
    m->part = (uint8_t)((choice & 7) % 5);
    m->transport = m->part == GW_L1_TUNNEL ? GW_OVER_UDP : GW_OVER_NOTHING;
}

static void l1_decode(gw_message *m, const uint8_t *head, uint8_t choice)
{
    (void)choice;
    l1_part(m, head[1]);
    if (head[1] & 8)
        m->len += head[1] >> 4 | 1;
}

static void l1_session(gw_message *m, const uint8_t *head, uint8_t choice)
{
    (void)head;
    l1_part(m, choice);
    m->interface = choice >> 3 & 1;
    if ((choice & 0x10) != 0)
        m->len += 1 + (choice >> 5 & 3); /* what the capture cut */
}

static void l1_datagram(gw_message *m, const uint8_t *head, uint8_t choice)
{
    (void)head;
    (void)choice;
    l1_part(m, GW_L1_TUNNEL);
}

const gw_fuzz_layout gw_fuzz_layouts[GW_FUZZ_NUM_LAYOUTS] = {
#define GW_LAYOUT(target, format, head, dialect, sequence, link, delay, message)                   \
    {#target, (format), (head), (dialect), (sequence), (link), (delay), (message)},
#include "crash/layouts.def"
};

const gw_fuzz_layout *gw_fuzz_layout_of(const char *target)
{
    for (size_t i = 0; i < GW_FUZZ_NUM_LAYOUTS; i++) {
        if (strcmp(gw_fuzz_layouts[i].target, target) == 0)
            return &gw_fuzz_layouts[i];
    }
    return NULL;
}

gw_message gw_fuzz_message(const gw_fuzz_layout *layout, const uint8_t *head, uint8_t choice,
                           const uint8_t *bytes, size_t len)
{
    gw_message m = gw_message_of(bytes, len);

    if (layout->message != NULL)
        layout->message(&m, head, choice);
    return m;
}
