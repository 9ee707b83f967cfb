/* SPDX-License-Identifier: BSD-2-Clause */
/* Switches with one fault each, many of them those of published designs, and the rules they break:
 * the first is the one each was made for. */
#include "formats/textarossa/switch/mutants/mutants.h"

#pragma GCC diagnostic ignored "-Woverride-init" /* that is what OTHERWISE does */

const gw_mutant gw_tx_switch_mutants[GW_TX_NUM_SWITCH_MUTANTS] = {
    {"m-tie-to-minus", RULES("TX-S1"), "goes to minus when both ways are as long",
     GW_FAULT(TX_FAULT_TIE_TO_MINUS)},
    {"m-no-dateline", RULES("TX-S2"), "stays on VC0 when the wrap-around is ahead",
     GW_FAULT(TX_FAULT_NO_DATELINE)},
    {"m-never-last", RULES("TX-S3"), "does not mark the last hop", GW_FAULT(TX_FAULT_NEVER_LAST)},
    {"m-bounce-unmarked", RULES("TX-S4"), "delivers lost packets as if they were meant",
     GW_FAULT(TX_FAULT_BOUNCE_UNMARKED)},
    {"m-channel-kept", RULES("TX-S5", "TX-S4"), "delivers packets with their channel",
     GW_FAULT(TX_FAULT_CHANNEL_KEPT)},
    {"m-reserved-cleared", RULES("TX-S6"), "clears the reserved bit in transit",
     GW_FAULT(TX_FAULT_RESERVED_CLEARED)},
    {"m-footer-changed", RULES("TX-S6", "TX-L15"), "changes a bit of every footer",
     FILTER(move, footer_changed)},
    {"m-rounds-down", RULES("TX-S8"), "forwards whole words only", GW_FAULT(TX_FAULT_ROUNDS_DOWN)},
    {"m-always-plus", RULES("TX-S1"), "goes to plus however far that is",
     GW_FAULT(TX_FAULT_ALWAYS_PLUS)},
    {"m-reorders", RULES("TX-S9"), "lets a packet overtake the one before it",
     GW_FAULT(TX_FAULT_REORDERS)},
    {"m-bad-port-blocks", RULES("TX-S10"),
     "a packet for a missing port blocks its input, as in the published router",
     GW_FAULT(TX_FAULT_BAD_PORT_BLOCKS)},
    {"m-large-blocks", RULES("TX-S11"),
     "a packet larger than the buffers blocks its input, as in the published router (SHOULD)",
     GW_FAULT(TX_FAULT_LARGE_BLOCKS)},
    {"m-edge-bounces", RULES("TX-S4", "TX-S1", "TX-S5"),
     "takes packets to the last node of the ring for lost", GW_FAULT(TX_FAULT_EDGE_BOUNCES)},
    {"m-channel-through", RULES("TX-S2"),
     "sends channels that do not exist on, as they were injected",
     GW_FAULT(TX_FAULT_CHANNEL_THROUGH)},
    {"m-three-ports", RULES("TX-S10", "TX-S5"), "drops what is for port 3",
     GW_FAULT(TX_FAULT_THREE_PORTS)},
    {"m-takes-inconsistent", RULES("TX-S8"), "fills packets up that came too short at a port",
     GW_FAULT(TX_FAULT_TAKES_INCONSISTENT)},
    {"m-leaves-words", RULES("TX-S8", "TX-S9"),
     "keeps the payload of a packet that it refused, which shifts all that follow",
     GW_FAULT(TX_FAULT_LEAVES_WORDS)},
    {"m-overtakes", RULES("TX-S9"), "lets a packet overtake the one that came behind a dropped one",
     GW_FAULT(TX_FAULT_OVERTAKES)},
    {"m-footers-late", RULES("TX-L15"),
     "gives each packet the footer of the one before it, once one has broken off",
     FILTER(beat, footers_late)},
    {"m-footer-pair-stays", RULES("TX-L3"), "takes a MAGIC before a footer for the footer",
     FILTER(interrupts, footer_pair_stays)},
#include "formats/textarossa/mutants/both.def"
};
