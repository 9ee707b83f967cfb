/* SPDX-License-Identifier: BSD-2-Clause */
/* What is TEXTAROSSA by its content. Nothing in a packet is constant, so that its port alone would
 * make strangers guilty. What cannot be chance is a header that names the address and port that its
 * own datagram goes to, or a footer that is one of the known words, each with a size that fits. */
#include "core/pairs.h"
#include "textarossa/internal.h"

/* Whether |p|, which came whole, ends in a word that only these devices send. */
static bool ends_in_known_footer(const gw_tx_packet *p)
{
    return p->has_footer && p->footer_kind != GW_TX_FOOTER_UNKNOWN && p->header.reserved == 0 &&
           (p->header.virt_chan & ~GW_TX_LAST) < GW_TX_NUM_VCS;
}

static bool is_plausible(const gw_message *message, const gw_tx_dialect *as, bool by_footer)
{
    gw_tx_dialect d = *as;
    gw_tx_order named = gw_tx_detect(message, as);
    gw_tx_packet p;

    for (unsigned order = GW_TX_ORDER_A; order < GW_TX_ORDER_DETECT; order++) {
        d.order = (uint8_t)order;
        gw_error error = gw_tx_scan_message(&p, message, &d, NULL);
        bool whole = error.kind == GW_OK;
        if (order == named && (whole || error.capture_cut))
            return true;
        if (by_footer && whole && ends_in_known_footer(&p))
            return true;
    }
    return false;
}

bool gw_tx_claims(const gw_message *message)
{
    return message->part == GW_TX_PART_DATAGRAM && message->transport == GW_OVER_UDP &&
           is_plausible(message, gw_tx_dialect_of(NULL), false);
}

/* In whichever dialect; nobody has to say which before the first packet is seen. */
static bool is_plausible_somehow(const gw_message *message)
{
    for (size_t i = 0; i < GW_TX_NUM_DIALECTS; i++)
        if (is_plausible(message, gw_tx_dialect_of(&gw_tx_dialects[i]), true))
            return true;
    return false;
}

/* A link has beats of its own; only datagrams are held to their content. */
static bool meet(void *state, const gw_message *message, const gw_dialect *dialect)
{
    bool datagram = message->part == GW_TX_PART_DATAGRAM && message->transport == GW_OVER_UDP;

    (void)dialect;
    return gw_pairs_know(state, message) ||
           gw_pairs_meet(state, message, !datagram || is_plausible_somehow(message));
}

const gw_introduction_ops gw_tx_introductions = {
    .size = GW_PAIRS_SIZE,
    .init = gw_pairs_init,
    .meet = meet,
    .knows = gw_pairs_know,
};
