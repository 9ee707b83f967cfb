/* SPDX-License-Identifier: BSD-2-Clause */
/* What is TEXTAROSSA by its content. Nothing in a packet is constant, so that its port alone would
 * make strangers guilty. What cannot be chance is a header that names the address and port that its
 * own datagram goes to, or a footer that is one of the known words behind a size that fits. */
#include "core/pairs.h"
#include "textarossa/internal.h"

/* Whether |p|, which came whole, ends in a word that only these devices send. */
static bool ends_in_known_footer(const gw_tx_packet *p)
{
    return p->has_footer && p->footer_kind != GW_TX_FOOTER_UNKNOWN && p->header.reserved == 0 &&
           (p->header.virt_chan & ~GW_TX_LAST) < GW_TX_NUM_VCS;
}

/* Whether |message| is a packet in byte order |order|, which |p| becomes; what a capture cut off
 * may be missing. */
static bool fits(const gw_message *message, const gw_tx_dialect *as, gw_tx_order order,
                 gw_tx_packet *p)
{
    gw_tx_dialect d = *as;

    d.order = (uint8_t)order;
    gw_error error = gw_tx_scan_message(p, message, &d, NULL);
    return error.kind == GW_OK || error.capture_cut;
}

bool gw_tx_claims(const gw_message *message)
{
    const gw_tx_dialect *strict = gw_tx_dialect_of(NULL);
    gw_tx_packet p;

    if (message->part != GW_TX_PART_DATAGRAM || message->transport != GW_OVER_UDP)
        return false;
    gw_tx_order named = gw_tx_detect(message, strict);
    return named != GW_TX_ORDER_DETECT && fits(message, strict, named, &p);
}

/* On the port of its own a header that names its destination is enough: what is wrong behind it is
 * to be found. */
static bool is_plausible(const gw_message *message, const gw_tx_dialect *as)
{
    gw_tx_packet p;

    if (gw_tx_detect(message, as) != GW_TX_ORDER_DETECT)
        return true;
    for (gw_tx_order order = GW_TX_ORDER_A; order < GW_TX_ORDER_DETECT; order++)
        if (fits(message, as, order, &p) && ends_in_known_footer(&p))
            return true;
    return false;
}

/* In whichever dialect; nobody has to say which before the first packet is seen. */
static bool is_plausible_somehow(const gw_message *message)
{
    for (size_t i = 0; i < GW_TX_NUM_DIALECTS; i++)
        if (is_plausible(message, gw_tx_dialect_of(&gw_tx_dialects[i])))
            return true;
    return false;
}

/* A link has beats of its own; only datagrams are held to their content. */
static bool meet(void *state, const gw_message *message, const gw_dialect *dialect)
{
    bool datagram = message->part == GW_TX_PART_DATAGRAM && message->transport == GW_OVER_UDP;

    (void)dialect;
    return gw_pairs_meet(state, message, !datagram || is_plausible_somehow(message));
}

const gw_introduction_ops gw_tx_introductions = {
    .size = GW_PAIRS_SIZE,
    .init = gw_pairs_init,
    .meet = meet,
    .knows = gw_pairs_know,
};
