/* SPDX-License-Identifier: BSD-2-Clause */
/* Words: where the fields of headers and credits stand in them, and how their bytes are sent. */
#include <string.h>

#include "goldwire/cursor.h"
#include "goldwire/writer.h"
#include "textarossa/internal.h"

/* The low |bits| of |value|. */
static inline uint64_t low(uint64_t value, unsigned bits)
{
    return value & (UINT64_MAX >> (64 - bits));
}

/* ---- headers: dest_addr lies across the halves of the word in both layouts ---- */

static gw_tx_word pack_port(const gw_tx_header *h)
{
    gw_tx_word w = {
        .lo = low(h->virt_chan, 5) | (uint64_t)h->proc_id << 5 | low(h->dest_x, 6) << 21 |
              low(h->dest_y, 5) << 27 | low(h->dest_z, 5) << 32 | low(h->intra_dest, 4) << 37 |
              low(h->reserved, 1) << 41 | low(h->out_of_lattice, 1) << 42 |
              low(h->packet_type, 5) << 43 | low(h->packet_size, 14) << 48 | h->dest_addr << 62,
        .hi = low(h->dest_addr, 48) >> 2 | low(h->num_of_hops, 10) << 46 | (uint64_t)h->edac << 56,
    };
    return w;
}

/* The first field at the top; the bits inside a field keep their order (hls). */
static gw_tx_word pack_hls(const gw_tx_header *h)
{
    gw_tx_word w = {
        .lo = (uint64_t)h->edac | low(h->num_of_hops, 10) << 8 | h->dest_addr << 18,
        .hi = low(h->dest_addr, 48) >> 46 | low(h->packet_size, 14) << 2 |
              low(h->packet_type, 5) << 16 | low(h->out_of_lattice, 1) << 21 |
              low(h->reserved, 1) << 22 | low(h->intra_dest, 4) << 23 | low(h->dest_z, 5) << 27 |
              low(h->dest_y, 5) << 32 | low(h->dest_x, 6) << 37 | (uint64_t)h->proc_id << 43 |
              low(h->virt_chan, 5) << 59,
    };
    return w;
}

gw_tx_word gw_tx_pack(const gw_tx_header *header, gw_tx_layout layout)
{
    return layout == GW_TX_HLS ? pack_hls(header) : pack_port(header);
}

static gw_tx_header unpack_port(gw_tx_word w)
{
    gw_tx_header h = {
        .virt_chan = (uint8_t)low(w.lo, 5),
        .proc_id = (uint16_t)(w.lo >> 5),
        .dest_x = (uint8_t)low(w.lo >> 21, 6),
        .dest_y = (uint8_t)low(w.lo >> 27, 5),
        .dest_z = (uint8_t)low(w.lo >> 32, 5),
        .intra_dest = (uint8_t)low(w.lo >> 37, 4),
        .reserved = (uint8_t)low(w.lo >> 41, 1),
        .out_of_lattice = (uint8_t)low(w.lo >> 42, 1),
        .packet_type = (uint8_t)low(w.lo >> 43, 5),
        .packet_size = (uint16_t)low(w.lo >> 48, 14),
        .dest_addr = w.lo >> 62 | low(w.hi, 46) << 2,
        .num_of_hops = (uint16_t)low(w.hi >> 46, 10),
        .edac = (uint8_t)(w.hi >> 56),
    };
    return h;
}

static gw_tx_header unpack_hls(gw_tx_word w)
{
    gw_tx_header h = {
        .virt_chan = (uint8_t)(w.hi >> 59),
        .proc_id = (uint16_t)(w.hi >> 43),
        .dest_x = (uint8_t)low(w.hi >> 37, 6),
        .dest_y = (uint8_t)low(w.hi >> 32, 5),
        .dest_z = (uint8_t)low(w.hi >> 27, 5),
        .intra_dest = (uint8_t)low(w.hi >> 23, 4),
        .reserved = (uint8_t)low(w.hi >> 22, 1),
        .out_of_lattice = (uint8_t)low(w.hi >> 21, 1),
        .packet_type = (uint8_t)low(w.hi >> 16, 5),
        .packet_size = (uint16_t)low(w.hi >> 2, 14),
        .dest_addr = low(w.hi, 2) << 46 | w.lo >> 18,
        .num_of_hops = (uint16_t)low(w.lo >> 8, 10),
        .edac = (uint8_t)w.lo,
    };
    return h;
}

gw_tx_header gw_tx_unpack(gw_tx_word word, gw_tx_layout layout)
{
    return layout == GW_TX_HLS ? unpack_hls(word) : unpack_port(word);
}

/* ---- credits (sim) ---- */

gw_tx_word gw_tx_credit_pack(const gw_tx_credit *credit)
{
    gw_tx_word w = {
        .lo = (uint64_t)credit->vc[0].header | low(credit->vc[0].data, 10) << 8 |
              (uint64_t)credit->vc[1].header << 18 | low(credit->vc[1].data, 10) << 26,
        .hi = (uint64_t)credit->edac << 56,
    };
    return w;
}

gw_tx_credit gw_tx_credit_unpack(gw_tx_word word)
{
    gw_tx_credit credit = {
        .vc = {{.header = (uint8_t)word.lo, .data = (uint16_t)low(word.lo >> 8, 10)},
               {.header = (uint8_t)(word.lo >> 18), .data = (uint16_t)low(word.lo >> 26, 10)}},
        .edac = (uint8_t)(word.hi >> 56),
    };
    return credit;
}

/* ---- bytes ---- */

unsigned gw_tx_swizzle(unsigned word_bytes, gw_tx_order order)
{
    switch (order) {
    case GW_TX_ORDER_B:
        return word_bytes - 1;
    case GW_TX_ORDER_C:
        return 7;
    default:
        return 0;
    }
}

gw_tx_word gw_tx_load(const uint8_t *in, unsigned word_bytes, gw_tx_order order)
{
    gw_tx_word w;

    switch (order) {
    case GW_TX_ORDER_B:
        w.hi = gw_load_be64(in + word_bytes - 16);
        w.lo = gw_load_be64(in + word_bytes - 8);
        return w;
    case GW_TX_ORDER_C:
        w.lo = gw_load_be64(in);
        w.hi = gw_load_be64(in + 8);
        return w;
    default:
        w.lo = gw_load_le64(in);
        w.hi = gw_load_le64(in + 8);
        return w;
    }
}

void gw_tx_store(uint8_t *out, unsigned word_bytes, gw_tx_order order, gw_tx_word word)
{
    unsigned upper = word_bytes - GW_TX_WORD;

    switch (order) {
    case GW_TX_ORDER_B:
        memset(out, 0, upper);
        gw_store_be(out + upper, word.hi, 8);
        gw_store_be(out + upper + 8, word.lo, 8);
        return;
    case GW_TX_ORDER_C:
        gw_store_be(out, word.lo, 8);
        gw_store_be(out + 8, word.hi, 8);
        break;
    default:
        gw_store_le(out, word.lo, 8);
        gw_store_le(out + 8, word.hi, 8);
        break;
    }
    memset(out + GW_TX_WORD, 0, upper);
}

/* ---- footers ---- */

/* In port layout. */
static const gw_tx_word footers[] = {
    [GW_TX_FOOTER_HAPECOM] = {0, UINT64_C(0x990000002aabaaeb)},
    [GW_TX_FOOTER_STREAMING] = {0, UINT64_C(0x9900000000000000)},
    [GW_TX_FOOTER_GENERATOR] = {UINT64_MAX, UINT64_MAX},
    [GW_TX_FOOTER_LEGACY] = {UINT64_C(0xd10bacc0d10bacc0), UINT64_C(0xd10bacc0d10bacc0)},
};

/* A footer goes through the same struct as a header on its way to a stream (hls). */
gw_tx_word gw_tx_footer_word(gw_tx_footer kind, gw_tx_layout layout)
{
    gw_tx_word none = {0, 0};

    if (kind == GW_TX_FOOTER_UNKNOWN || (size_t)kind >= GW_ARRAY_LEN(footers))
        return none;
    if (layout == GW_TX_PORT)
        return footers[kind];
    gw_tx_header as_header = unpack_port(footers[kind]);
    return pack_hls(&as_header);
}

gw_tx_footer gw_tx_footer_kind(gw_tx_word word, gw_tx_layout layout)
{
    for (size_t kind = GW_TX_FOOTER_HAPECOM; kind < GW_ARRAY_LEN(footers); kind++) {
        gw_tx_word known = gw_tx_footer_word((gw_tx_footer)kind, layout);
        if (word.lo == known.lo && word.hi == known.hi)
            return (gw_tx_footer)kind;
    }
    return GW_TX_FOOTER_UNKNOWN;
}
