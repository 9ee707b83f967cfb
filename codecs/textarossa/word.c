/* SPDX-License-Identifier: BSD-2-Clause */
/* Words: where the fields of headers and credits stand in them, and how their bytes are sent. */
#include <string.h>

#include "goldwire/cursor.h"
#include "goldwire/writer.h"
#include "textarossa/internal.h"

#define HALF (GW_TX_WORD / 2)

/* ---- headers: the same fields in both layouts, in other places ---- */

#define PACK(w, P, h)                                                                              \
    PUT(w, P##VIRT_CHAN, (h)->virt_chan);                                                          \
    PUT(w, P##PROC_ID, (h)->proc_id);                                                              \
    PUT(w, P##DEST_X, (h)->dest_x);                                                                \
    PUT(w, P##DEST_Y, (h)->dest_y);                                                                \
    PUT(w, P##DEST_Z, (h)->dest_z);                                                                \
    PUT(w, P##INTRA_DEST, (h)->intra_dest);                                                        \
    PUT(w, P##RESERVED, (h)->reserved);                                                            \
    PUT(w, P##OUT_OF_LATTICE, (h)->out_of_lattice);                                                \
    PUT(w, P##PACKET_TYPE, (h)->packet_type);                                                      \
    PUT(w, P##PACKET_SIZE, (h)->packet_size);                                                      \
    PUT(w, P##DEST_ADDR, (h)->dest_addr);                                                          \
    PUT(w, P##NUM_OF_HOPS, (h)->num_of_hops);                                                      \
    PUT(w, P##EDAC, (h)->edac)

/* The bits inside a field keep their order in the kernel's view, too (hls). */
gw_tx_word gw_tx_pack(const gw_tx_header *header, gw_tx_layout layout)
{
    gw_tx_word w = {0, 0};

    if (layout == GW_TX_HLS) {
        PACK(w, H_, header);
    } else {
        PACK(w, , header);
    }
    return w;
}

#define UNPACK(w, P)                                                                               \
    (gw_tx_header)                                                                                 \
    {                                                                                              \
        .virt_chan = GET(w, P##VIRT_CHAN), .proc_id = GET(w, P##PROC_ID),                          \
        .dest_x = GET(w, P##DEST_X), .dest_y = GET(w, P##DEST_Y), .dest_z = GET(w, P##DEST_Z),     \
        .intra_dest = GET(w, P##INTRA_DEST), .reserved = GET(w, P##RESERVED),                      \
        .out_of_lattice = GET(w, P##OUT_OF_LATTICE), .packet_type = GET(w, P##PACKET_TYPE),        \
        .packet_size = GET(w, P##PACKET_SIZE), .dest_addr = GET(w, P##DEST_ADDR),                  \
        .num_of_hops = GET(w, P##NUM_OF_HOPS), .edac = GET(w, P##EDAC),                            \
    }

gw_tx_header gw_tx_unpack(gw_tx_word word, gw_tx_layout layout)
{
    return layout == GW_TX_HLS ? UNPACK(word, H_) : UNPACK(word, );
}

/* ---- credits (sim) ---- */

gw_tx_word gw_tx_credit_pack(const gw_tx_credit *credit)
{
    gw_tx_word w = {0, 0};

    PUT(w, CREDIT_VC0_HEADER, credit->vc[0].header);
    PUT(w, CREDIT_VC0_DATA, credit->vc[0].data);
    PUT(w, CREDIT_VC1_HEADER, credit->vc[1].header);
    PUT(w, CREDIT_VC1_DATA, credit->vc[1].data);
    PUT(w, CREDIT_EDAC, credit->edac);
    return w;
}

gw_tx_credit gw_tx_credit_unpack(gw_tx_word word)
{
    gw_tx_credit credit = {
        .vc = {{.header = GET(word, CREDIT_VC0_HEADER), .data = GET(word, CREDIT_VC0_DATA)},
               {.header = GET(word, CREDIT_VC1_HEADER), .data = GET(word, CREDIT_VC1_DATA)}},
        .edac = GET(word, CREDIT_EDAC),
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
        w.hi = gw_load_be64(in + word_bytes - GW_TX_WORD);
        w.lo = gw_load_be64(in + word_bytes - HALF);
        return w;
    case GW_TX_ORDER_C:
        w.lo = gw_load_be64(in);
        w.hi = gw_load_be64(in + HALF);
        return w;
    default:
        w.lo = gw_load_le64(in);
        w.hi = gw_load_le64(in + HALF);
        return w;
    }
}

/* The half of a wide word that nothing uses; of another there is none. */
static void clear(uint8_t *out, size_t len)
{
    if (len > 0)
        memset(out, 0, len);
}

void gw_tx_store(uint8_t *out, unsigned word_bytes, gw_tx_order order, gw_tx_word word)
{
    unsigned upper = word_bytes - GW_TX_WORD;

    switch (order) {
    case GW_TX_ORDER_B:
        clear(out, upper);
        gw_store_be(out + upper, word.hi, HALF);
        gw_store_be(out + upper + HALF, word.lo, HALF);
        return;
    case GW_TX_ORDER_C:
        gw_store_be(out, word.lo, HALF);
        gw_store_be(out + HALF, word.hi, HALF);
        break;
    default:
        gw_store_le(out, word.lo, HALF);
        gw_store_le(out + HALF, word.hi, HALF);
        break;
    }
    clear(out + GW_TX_WORD, upper);
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
    gw_tx_header as_header = gw_tx_unpack(footers[kind], GW_TX_PORT);
    return gw_tx_pack(&as_header, GW_TX_HLS);
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
