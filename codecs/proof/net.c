/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames of any link type, from their first byte to what UDP and TCP carry, what captures wrap
 * frames in, InfiniBand packets in theirs, and IPv6's neighbours. The bytes end where their object
 * ends. */
#include "goldwire/net.h"
#include "goldwire/ib.h"
#include "proof/proof.h"

static uint8_t room[PROOF_BYTES];
static volatile uint64_t seen;

static void look(gw_cursor c)
{
    uint8_t byte = 0;

    if (gw_cursor_u8(&c, &byte))
        seen = byte;
}

static gw_cursor any_frame(int len)
{
    Frama_C_make_unknown((char *)room, sizeof room);
    return gw_cursor_over(room + (PROOF_BYTES - len), (size_t)len);
}

void proof_frame(void)
{
    int len = Frama_C_interval(PROOF_LEAST, PROOF_BYTES);
    gw_net net;
    gw_cursor frame = any_frame(len);

    (void)gw_net_parse(&net, any_u32(), frame, any_u32());
    look(net.payload);
    if (net.lower != NULL)
        seen = net.lower[0];
    if (net.link != NULL)
        seen = net.link[0];
}

void proof_unwrap(void)
{
    int len = Frama_C_interval(PROOF_LEAST, PROOF_BYTES);
    gw_cursor frame = any_frame(len);
    uint32_t link_type = any_u32(), length = any_u32(), offset = 0;
    const char *fault = NULL;

    (void)gw_net_unwrap(&link_type, &frame, &length, &fault, &offset);
    look(frame);
}

void proof_ib(void)
{
    int len = Frama_C_interval(PROOF_LEAST, PROOF_BYTES);
    //@ split len;
    gw_cursor frame = any_frame(len);
    gw_message m = gw_message_of(frame.p, (size_t)len);
    uint8_t lower[48];
    uint32_t offset = 0;
    gw_ib ib;

    m.len = Frama_C_unsigned_int_interval(m.cap_len, UINT32_MAX);
    if (any_bool()) {
        if (gw_ib_open_native(&ib, &m, &offset) == NULL)
            seen = ib.lrh[0];
    } else {
        Frama_C_make_unknown((char *)lower, sizeof lower);
        if (any_bool()) {
            m.lower_len = any_bool() ? 28 : 48;
            m.lower = lower + (sizeof lower - m.lower_len);
        }
        if (!gw_ib_open_udp(&ib, &m))
            return;
    }
    if (m.cap_len > 0)
        seen = m.data[0];
}

void proof_arp(void)
{
    int len = Frama_C_interval(PROOF_LEAST, PROOF_BYTES);
    gw_arp arp;

    if (gw_net_arp(&arp, any_frame(len)))
        seen = arp.sender_ip + (uint64_t)arp.target_ip;
}

/* Any ICMPv6 message of a frame, and of IPv4's. */
void proof_neighbour(void)
{
    int len = Frama_C_interval(PROOF_LEAST, PROOF_BYTES);
    //@ split len;
    gw_net net;
    gw_neighbour out;

    Frama_C_make_unknown((char *)&net, sizeof net);
    net.payload = any_frame(len);
    if (gw_net_neighbour(&out, &net))
        seen = out.target[0] + out.target[15] + (uint64_t)out.hw[5] + out.has_hw + out.solicited;
}
