/* SPDX-License-Identifier: BSD-2-Clause */
/* How captures and the published RTL depart from what is assumed. */
#include "goldwire/cursor.h"
#include "textarossa/internal.h"

static const gw_tx_dialect strict = {.word_bytes = GW_TX_WORD};
static const gw_tx_dialect order_b = {.word_bytes = GW_TX_WORD, .order = GW_TX_ORDER_B};
static const gw_tx_dialect order_c = {.word_bytes = GW_TX_WORD, .order = GW_TX_ORDER_C};
static const gw_tx_dialect detect = {.word_bytes = GW_TX_WORD, .order = GW_TX_ORDER_DETECT};
static const gw_tx_dialect wide = {.word_bytes = GW_TX_WIDE_WORD};
static const gw_tx_dialect hls = {.word_bytes = GW_TX_WORD, .layout = GW_TX_HLS};
static const gw_tx_dialect gu = {.word_bytes = GW_TX_WORD, .gu = true};
static const gw_tx_dialect rtl = {.word_bytes = GW_TX_WORD, .rtl = true};

/* On the kernel side the layout is the other one, and nothing is a datagram of the Ethernet port.
 */
static const gw_known_fault hls_known[] = {{.rule = "TX-E1"}, {0}};

/* The known deviations (rtl, sim). */
static const gw_known_fault rtl_known[] = {{.rule = "TX-E8"},  {.rule = "TX-E15"},
                                           {.rule = "TX-L6"},  {.rule = "TX-L7"},
                                           {.rule = "TX-L8"},  {.rule = "TX-L9"},
                                           {.rule = "TX-L14"}, {.rule = "TX-S10"},
                                           {.rule = "TX-S11"}, {0}};

const gw_dialect gw_tx_dialects[GW_TX_NUM_DIALECTS] = {
    {"strict", "128-bit words in port layout, least significant byte first", &strict, NULL},
    {"order-b", "Words in datagrams come most significant byte first", &order_b, NULL},
    {"order-c",
     "Words in datagrams come as 64-bit halves, low one first, each most significant "
     "byte first",
     &order_c, NULL},
    {"detect", "The byte order in which a header names its datagram's own address and port",
     &detect, NULL},
    {"wide", "256-bit words", &wide, NULL},
    {"hls", "The kernel side's streams: first field of a header at the top", &hls, hls_known},
    {"gu", "Payloads that hold the headers of further hops", &gu, NULL},
    {"rtl",
     "The published RTL: known double flips taken for clean, packets framed by uncorrected "
     "headers",
     &rtl, rtl_known},
};

const gw_tx_dialect *gw_tx_dialect_of(const gw_dialect *dialect)
{
    return dialect == NULL ? &strict : (const gw_tx_dialect *)dialect->data;
}

/* The two fields that are decisive (inferred: the order itself is published nowhere). */
static bool names_destination(const gw_tx_header *h, const gw_endpoint *dst)
{
    return (uint32_t)h->dest_addr == gw_load_be32(dst->ip) && h->dest_addr >> 32 == dst->port;
}

bool gw_tx_has_carrier(const gw_message *message)
{
    return message->transport == GW_OVER_UDP && !message->tunnel;
}

gw_tx_order gw_tx_detect(const gw_message *message, const gw_tx_dialect *dialect)
{
    gw_tx_order found = GW_TX_ORDER_DETECT;
    gw_cursor c = gw_cursor_over(message->data, message->cap_len);
    const uint8_t *bytes;

    if (!gw_tx_has_carrier(message) || message->dst.family != GW_FAMILY_IPV4 ||
        !gw_cursor_bytes(&c, &bytes, dialect->word_bytes))
        return GW_TX_ORDER_DETECT;
    for (gw_tx_order order = GW_TX_ORDER_A; order < GW_TX_ORDER_DETECT; order++) {
        gw_tx_word word = gw_tx_load(bytes, dialect->word_bytes, order);
        gw_tx_header h = gw_tx_unpack(word, (gw_tx_layout)dialect->layout);
        if (!names_destination(&h, &message->dst))
            continue;
        if (found != GW_TX_ORDER_DETECT)
            return GW_TX_ORDER_DETECT;
        found = order;
    }
    return found;
}
