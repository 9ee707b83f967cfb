/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do at a node's Ethernet port. */
#include "formats/textarossa/mutants/mutants.h"
#include "goldwire/cursor.h"

#define PIPELINE 3 /* words of payload behind the header; m-port-lost has no room for more */

/* ---- what comes ---- */

/* Reads it, but for a board that dies of it, or did before. */
static bool reads_alive(gw_tx_incoming *in, bool deadly)
{
    in->b->stalled = in->b->stalled || deadly;
    return !in->b->stalled && gw_tx_read_packet(in);
}

bool gw_tx_m_short_datagram_stalls(gw_tx_incoming *in)
{
    return reads_alive(in, in->message.len < GW_TX_WORD);
}

bool gw_tx_m_channel_stalls(gw_tx_incoming *in)
{
    bool whole = gw_tx_read_packet(in);

    return reads_alive(in, whole && (in->p.header.virt_chan & 0xf) >= GW_TX_NUM_VCS);
}

/* m-order-follows: of a datagram that makes sense in another order only. */
bool gw_tx_m_learns_order(gw_tx_incoming *in)
{
    static const char *const others[] = {"order-b", "order-c"};

    if (gw_tx_read_packet(in))
        return true;
    for (size_t i = 0; i < GW_ARRAY_LEN(others); i++) {
        in->dialect = gw_dialect_by_name(&gw_textarossa, others[i]);
        if (gw_tx_read_packet(in) && in->p.has_footer)
            in->b->kept.dialect = in->dialect;
    }
    return false;
}

/* m-address-kept */
bool gw_tx_m_keeps_address(gw_tx_incoming *in)
{
    const gw_endpoint *here = in->here;
    bool whole = gw_tx_read_packet(in);

    if (whole && here != NULL &&
        in->p.header.dest_addr != ((uint64_t)here->port << 32 | gw_load_be32(here->ip)))
        in->b->kept.address = in->p.header.dest_addr;
    return whole;
}

bool gw_tx_m_reads_hls_too(gw_tx_incoming *in)
{
    if (gw_tx_read_packet(in))
        return true;
    in->dialect = gw_dialect_by_name(&gw_textarossa, "hls");
    return gw_tx_read_packet(in);
}

/* ---- what goes ---- */

void gw_tx_m_no_footer(gw_tx_outgoing *out)
{
    out->cut = out->h->alone ? 0 : gw_tx_dialect_of(out->dialect)->word_bytes;
}

void gw_tx_m_bytes_swapped(gw_tx_outgoing *out)
{
    for (uint32_t i = 0; i < out->h->words; i++) {
        uint8_t *word = out->payload + (size_t)GW_TX_WORD * i;
        gw_tx_store(word, GW_TX_WORD, GW_TX_ORDER_B, gw_tx_load(word, GW_TX_WORD, GW_TX_ORDER_A));
    }
}

void gw_tx_m_hls_layout(gw_tx_outgoing *out)
{
    out->dialect = gw_dialect_by_name(&gw_textarossa, "hls");
}

void gw_tx_m_order_follows(gw_tx_outgoing *out)
{
    if (out->b->kept.dialect != NULL)
        out->dialect = out->b->kept.dialect;
}

void gw_tx_m_no_address(gw_tx_outgoing *out)
{
    out->header.dest_addr = 0xfafbfcfd;
}

void gw_tx_m_port_lost(gw_tx_outgoing *out)
{
    if (out->h->words > PIPELINE)
        out->header.dest_addr &= UINT32_MAX;
}
