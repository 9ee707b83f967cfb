/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants of both boards do to packets: to datagrams that come, on the way, and at ports. */
#include "formats/textarossa/mutants/mutants.h"

/* The reader of m-slows-down keeps up with a ring of packets, and no further. */
#define RING 128
#define SLOW_NS INT64_C(150000000)

bool gw_tx_m_takes_inconsistent(gw_tx_incoming *in)
{
    (void)gw_tx_read_packet(in);
    return in->p.has_header;
}

/* Nothing stays of a payload that no datagram holds, as of words in another order. */
bool gw_tx_m_leaves_words(gw_tx_incoming *in)
{
    uint16_t size;

    if (gw_tx_read_packet(in))
        return true;
    size = in->p.has_header ? in->p.header.packet_size : UINT16_MAX;
    if (size <= GW_TX_UDP_LIMIT && gw_tx_pair_has(in->to, gw_tx_words(size, GW_TX_WORD))) {
        gw_tx_put_payload(&in->to->data, &in->p);
        gw_tx_pair_commit(in->to);
    }
    return false;
}

void gw_tx_m_edge_bounces(gw_tx_way *way)
{
    if (way->torus.size_x <= 1 || way->header->dest_x != way->torus.size_x - 1)
        return;
    way->torus.size_x--;
    way->hop = gw_tx_route(&way->torus, way->header, way->is_injected);
}

bool gw_tx_m_slows_down(gw_tx_board *b, gw_tx_intra *p)
{
    gw_tx_kept *kept = &b->kept;

    (void)p;
    if (kept->delivered >= RING && kept->due_ns == 0)
        kept->due_ns = b->now_ns + SLOW_NS;
    if (b->now_ns < kept->due_ns)
        return false;
    kept->due_ns = 0;
    kept->delivered++;
    return true;
}

void gw_tx_m_release(gw_tx_board *b)
{
    gw_tx_kept *kept = &b->kept;

    if (kept->held_len > 0)
        b->out->send(b->out, b->num_links + kept->held_port, b->ports[kept->held_port].conn,
                     kept->held, kept->held_len);
    kept->held_len = 0;
}
