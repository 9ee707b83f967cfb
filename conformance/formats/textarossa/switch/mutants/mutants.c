/* SPDX-License-Identifier: BSD-2-Clause */
/* Switches with one fault each, many of them those of published designs, and the rules they break:
 * the first is the one each was made for. */
#define GW_ROW_MUTATION gw_tx_mutation
#define GW_ROW_POLICY gw_tx_policy
#define GW_ROW_GOOD GW_TX_POLICY
#define GW_ROW_FILTER(name) gw_tx_m_##name
#include "formats/textarossa/mutants/mutants.h"
#include "boards/mutant_rows.h"

const gw_mutant gw_tx_switch_mutants[GW_TX_NUM_SWITCH_MUTANTS] = {
    {"m-tie-to-minus", RULES("TX-S1"), "goes to minus when both ways are as long",
     FILTER(hop, tie_to_minus)},
    {"m-no-dateline", RULES("TX-S2"), "stays on VC0 when the wrap-around is ahead",
     PATCH(hop, CHANNEL, 0xff & ~GW_TX_LAST, 0)},
    {"m-never-last", RULES("TX-S3"), "does not mark the last hop",
     PATCH(hop, CHANNEL, 0xff & ~GW_TX_VC1, 0)},
    {"m-bounce-unmarked", RULES("TX-S4"), "delivers lost packets as if they were meant",
     FILTER(hop, bounce_unmarked)},
    {"m-channel-kept", RULES("TX-S5", "TX-S4"), "delivers packets with their channel",
     FILTER(hop, channel_kept)},
    {"m-reserved-cleared", RULES("TX-S6"), "clears the reserved bit in transit",
     PATCH(hop, offsetof(gw_tx_header, reserved), 0xff, 0)},
    {"m-footer-changed", RULES("TX-S6", "TX-L15"), "changes a bit of every footer",
     FILTER(move, footer_changed)},
    {"m-rounds-down", RULES("TX-S8"), "forwards whole words only", POLICY(.rounding = 0)},
    {"m-always-plus", RULES("TX-S1"), "goes to plus however far that is", FILTER(hop, always_plus)},
    {"m-reorders", RULES("TX-S9"), "lets a packet overtake the one before it",
     FILTER(send, reorders)},
    {"m-bad-port-blocks", RULES("TX-S10"),
     "a packet for a missing port blocks its input, as in the published router",
     POLICY(.dropped = GW_TX_UNSENDABLE | GW_TX_TOO_LARGE)},
    {"m-large-blocks", RULES("TX-S11"),
     "a packet larger than the buffers blocks its input, as in the published router (SHOULD)",
     POLICY(.dropped = GW_TX_NO_PORT | GW_TX_UNSENDABLE)},
    {"m-edge-bounces", RULES("TX-S4", "TX-S1", "TX-S5"),
     "takes packets to the last node of the ring for lost", FILTER(hop, edge_bounces)},
    {"m-channel-through", RULES("TX-S2"),
     "sends channels that do not exist on, as they were injected", FILTER(hop, channel_through)},
    {"m-three-ports", RULES("TX-S10", "TX-S5"), "drops what is for port 3", POLICY(.ports = 3)},
    {"m-takes-inconsistent", RULES("TX-S8"), "fills packets up that came too short at a port",
     FILTER(read, takes_inconsistent)},
    {"m-leaves-words", RULES("TX-S8", "TX-S9"),
     "keeps the payload of a packet that it refused, which shifts all that follow",
     FILTER(read, leaves_words)},
    {"m-overtakes", RULES("TX-S9"), "lets a packet overtake the one that came behind a dropped one",
     MUTATION(.beat = gw_tx_m_sees_drop, .send = gw_tx_m_overtakes)},
    {"m-footers-late", RULES("TX-L15"),
     "gives each packet the footer of the one before it, once one has broken off",
     FILTER(beat, footers_late)},
    {"m-footer-pair-stays", RULES("TX-L3"), "takes a MAGIC before a footer for the footer",
     FILTER(interrupts, footer_pair_stays)},
#include "formats/textarossa/mutants/both.def"
};
