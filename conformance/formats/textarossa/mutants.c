/* SPDX-License-Identifier: BSD-2-Clause */
/* The faults that TEXTAROSSA boards can have, many of them those of published designs. */
#include "formats/textarossa/board.h"
#include "harness/ether.h"

#define MUTANT(fault, id_, what_, ...)                                                             \
    {                                                                                              \
        .id = "m-" id_, .rules = (const char *const[]){__VA_ARGS__, NULL}, .what = (what_),        \
        GW_FAULT(TX_FAULT_##fault)                                                                 \
    }

/* Those of the Ethernet port itself, beneath the datagrams. */
#define WIRE(fault, id_, what_, ...)                                                               \
    {                                                                                              \
        .id = "m-" id_, .rules = (const char *const[]){__VA_ARGS__, NULL}, .what = (what_),        \
        .wire = GW_ETHER_BIT(fault)                                                                \
    }

/* What both boards have: registers, and the APElink. */
#define BOTH                                                                                       \
    MUTANT(WRONG_RESET_VALUE, "wrong-reset-value", "the lattice is empty after a reset", "TX-R1"), \
        MUTANT(RESET_KEEPS, "reset-keeps", "a reset changes nothing", "TX-R2", "TX-R1"),           \
        MUTANT(NO_HOLE_PATTERN, "no-hole-pattern", "registers beyond the block read 0 (SHOULD)",   \
               "TX-R3"),                                                                           \
        MUTANT(SENDS_UNPROGRAMMED, "sends-unprogrammed",                                           \
               "sends over a link before its thresholds are set", "TX-R4", "TX-L12"),              \
        MUTANT(NO_START, "no-start", "a packet begins with MAGIC alone", "TX-L1"),                 \
        MUTANT(NO_GAP, "no-gap", "no credit stands between packets", "TX-L2"),                     \
        MUTANT(TWO_CREDITS, "two-credits", "stuffs two credits behind MAGIC", "TX-L3", "TX-L14"),  \
        MUTANT(CREDIT_DIRTY, "credit-dirty", "sends credits with a bit set above the counts",      \
               "TX-L4"),                                                                           \
        MUTANT(CREDIT_SHORT, "credit-short", "leaves tx_waiting_cycle out of its credits",         \
               "TX-L4"),                                                                           \
        MUTANT(BAD_CREDIT_OBEYED, "bad-credit-obeyed", "obeys credits whose check byte is wrong",  \
               "TX-L5"),                                                                           \
        MUTANT(PARITY_LEFT_OUT, "parity-left-out", "sends p0 of every check byte as 0", "TX-L6"),  \
        MUTANT(NO_CORRECTION, "no-correction", "counts single errors but does not correct them",   \
               "TX-L6", "TX-L8"),                                                                  \
        MUTANT(MISSES_DOUBLES, "misses-doubles",                                                   \
               "takes the known double flips for clean, as the published decoder does (SHOULD)",   \
               "TX-L7"),                                                                           \
        MUTANT(RAW_FRAMING, "raw-framing",                                                         \
               "frames packets by the header as received, as the published receiver does",         \
               "TX-L8", "TX-L6"),                                                                  \
        MUTANT(FATAL_LEAKS, "fatal-leaks",                                                         \
               "leaves a word of a fatal packet behind, as the published receiver does", "TX-L9"), \
        MUTANT(COUNTS_TOGETHER, "counts-together", "counts fatal errors as single ones", "TX-L10", \
               "TX-L7"),                                                                           \
        MUTANT(IGNORES_CREDIT, "ignores-credit", "sends without room at the other side", "TX-L12", \
               "TX-L5", "TX-R4"),                                                                  \
        MUTANT(IGNORES_HEADER_SPACE, "ignores-header-space", "looks at the room for payload only", \
               "TX-L12", "TX-R4"),                                                                 \
        MUTANT(LOSES_STEP, "loses-step", "does not find back after garbage", "TX-L13", "TX-L9",    \
               "TX-E5", "TX-E3"),                                                                  \
        MUTANT(STALLS_ON_STUFFING, "stalls-on-stuffing",                                           \
               "does not finish a packet that it had to interrupt", "TX-L14", "TX-L3"),            \
        MUTANT(START_ALONE, "start-alone", "takes what follows START for a packet without MAGIC",  \
               "TX-L1"),                                                                           \
        MUTANT(CREDIT_ECHO, "credit-echo",                                                         \
               "writes its counts into the last credit that came, and leaves the rest of it",      \
               "TX-L4"),                                                                           \
        MUTANT(PROTECTED_IGNORED, "protected-ignored", "ignores all credits while checking is on", \
               "TX-L5", "TX-L12", "TX-L6", "TX-L8", "TX-L9", "TX-L10"),                            \
        MUTANT(COUNTS_CLEAN, "counts-clean", "counts every header that it checked as an error",    \
               "TX-L10"),                                                                          \
        MUTANT(ZERO_CHECK_FATAL, "zero-check-fatal",                                               \
               "takes a header whose check byte is 0 for one without, and drops it", "TX-L9",      \
               "TX-L6", "TX-L8"),                                                                  \
        MUTANT(CREDIT_UNDERFLOW, "credit-underflow",                                               \
               "takes a credit above its threshold for a lot of room", "TX-L12", "TX-R4"),         \
        MUTANT(SLEEPS_IN_IDLE, "sleeps-in-idle", "does not wake up after 256 words of idle",       \
               "TX-L13"),                                                                          \
        MUTANT(BROKEN_HEADER_STAYS, "broken-header-stays",                                         \
               "keeps the header of a packet that broke off", "TX-L13", "TX-L15"),                 \
        MUTANT(THRESHOLD_STRICT, "threshold-strict",                                               \
               "waits for one word of room more than a packet needs", "TX-R4", "TX-L12"),          \
        MUTANT(READ_ONLY_WRITTEN, "read-only-written", "read-only registers can be written",       \
               "TX-R1"),                                                                           \
        MUTANT(RESET_WANTS_ONE, "reset-wants-one",                                                 \
               "resets only when the bits above the reset bit are 0", "TX-R2"),                    \
        MUTANT(GAP_MIRRORED, "gap-mirrored",                                                       \
               "sends packets that come without a credit between them on without one", "TX-L2"),   \
        MUTANT(CREDIT_FORGOTTEN, "credit-forgotten",                                               \
               "leaves the credits out of its interruptions once it was interrupted", "TX-L3"),    \
        MUTANT(SECOND_PAIR_STAYS, "second-pair-stays",                                             \
               "takes the second of two interruptions in a row for words of the packet", "TX-L3"), \
        MUTANT(RESET_LEAVES_WORD, "reset-leaves-word",                                             \
               "a reset into a packet leaves a word of it behind", "TX-R2"),                       \
        MUTANT(SLOWS_DOWN, "slows-down",                                                           \
               "needs 150 ms for each packet beyond the 128 of its ring", "TX-E3", "TX-S8")

const gw_mutant gw_tx_node_mutants[GW_TX_NUM_NODE_MUTANTS] = {
    MUTANT(NO_FOOTER, "no-footer", "sends datagrams without a footer", "TX-E2", "TX-N1"),
    MUTANT(WHOLE_WORDS_ONLY, "whole-words-only", "drops sizes that are no multiple of a word",
           "TX-E3", "TX-E11"),
    MUTANT(SHORT_BUFFER, "short-buffer", "drops more than 1024 bytes", "TX-E3"),
    MUTANT(BAD_CHANNEL, "bad-channel", "sends virt_chan 0x02", "TX-E5"),
    MUTANT(HOPS_LEFT_OVER, "hops-left-over", "sends hop counters that are not zero", "TX-E6"),
    MUTANT(REFUSES_RESERVED, "refuses-reserved", "drops packets whose reserved bit is set",
           "TX-E6"),
    MUTANT(TAKES_ANY_PROC_ID, "takes-any-proc-id", "serves channels that do not exist", "TX-E7"),
    MUTANT(TYPE_LEFT_OVER, "type-left-over", "leaves old bits in the packet type, as the HLS does",
           "TX-E8"),
    MUTANT(WANTS_FOOTER, "wants-footer", "drops packets whose footer it does not know", "TX-E9"),
    MUTANT(EDAC_IS_DATA, "edac-is-data", "drops packets whose check byte is not 0", "TX-E10",
           "TX-L6", "TX-L8"),
    MUTANT(BYTES_SWAPPED, "bytes-swapped", "sends payload words the other way round", "TX-E11"),
    MUTANT(PADDING_COUNTS, "padding-counts", "counts the padding as payload", "TX-E11", "TX-E3"),
    MUTANT(TAKES_BOUNCED, "takes-bounced", "takes bounced packets for data", "TX-E12"),
    MUTANT(HLS_LAYOUT, "hls-layout", "sends headers in the kernel side's layout", "TX-E1", "TX-N2"),
    MUTANT(READS_HLS_TOO, "reads-hls-too",
           "takes headers in the kernel side's layout where the other makes no sense", "TX-E1"),
    MUTANT(TAKES_OVERSIZED, "takes-oversized", "serves packets of more than 4096 bytes", "TX-E3"),
    MUTANT(CHANNEL_STALLS, "channel-stalls",
           "dies of a virt_chan that names no FIFO, as the published receiver does", "TX-E5"),
    MUTANT(TYPE_STAYS, "type-stays", "answers with the type of the packet before", "TX-E8"),
    MUTANT(LAST_CHANNEL_REFUSED, "last-channel-refused", "drops packets for channel 127", "TX-E7"),
    MUTANT(EDGE_BOUNCES, "edge-bounces", "takes packets to the last node of the ring for bounced",
           "TX-E12"),
    MUTANT(HEADER_ONLY_DRAGS, "header-only-drags",
           "sends a payload behind a header alone whose size is not 0", "TX-E14", "TX-E2", "TX-E8"),
    MUTANT(HEADER_ALONE_EATS, "header-alone-eats",
           "waits for a footer behind a header alone, as the published dispatcher does", "TX-E2",
           "TX-E14", "TX-N11", "TX-N14"),
    MUTANT(HALF_MAGIC, "half-magic", "drops payloads of which half a word equals MAGIC", "TX-E15"),
    MUTANT(SENDS_MAGIC, "sends-magic",
           "sends payload like MAGIC over a link, as the published transmitter does", "TX-E15"),
    MUTANT(MAGIC_BEHIND_FIRST, "magic-behind-first",
           "looks for a word like MAGIC at the beginning of a payload only", "TX-E15"),
    MUTANT(WANTS_OWN_FOOTER, "wants-own-footer",
           "drops packets whose footer is not the one it sends itself", "TX-E9"),
    MUTANT(SIZE_ZERO_STALLS, "size-zero-stalls",
           "waits for the last word of a payload that has none", "TX-E4", "TX-N11"),
    MUTANT(LEAVES_WORDS, "leaves-words",
           "keeps the payload of a datagram that it drops, which shifts all that follow", "TX-N14",
           "TX-N1", "TX-N11"),
    MUTANT(ORDER_FOLLOWS, "order-follows", "sends words in the byte order that last made sense",
           "TX-E11", "TX-N13"),
    MUTANT(ADDRESS_KEPT, "address-kept",
           "goes on with the address of a datagram that was not for it", "TX-N2"),
    MUTANT(NO_ADDRESS, "no-address", "headers name another address than the datagram's", "TX-N2"),
    MUTANT(PORT_LOST, "port-lost", "headers of packets of more than three words name no UDP port",
           "TX-N2"),
    MUTANT(LIMIT_TOO_LOW, "limit-too-low",
           "counts the IP header as part of a UDP datagram, and drops the longest", "TX-E3"),
    MUTANT(SENDS_TOO_MUCH, "sends-too-much", "sends datagrams of more than 1480 bytes", "TX-N5"),
    MUTANT(SHORT_DATAGRAM_STALLS, "short-datagram-stalls", "dies of a datagram without a header",
           "TX-N11", "TX-N14"),
    MUTANT(TAKES_INCONSISTENT, "takes-inconsistent",
           "takes datagrams whose length does not fit their header", "TX-N14", "TX-N11"),
    WIRE(TTL, "ttl-64", "sends IP packets with a TTL of 64", "TX-N3"),
    WIRE(TOS, "tos-set", "sends IP packets with a TOS", "TX-N3"),
    WIRE(TOS_MIRRORED, "tos-mirrored", "answers an IP packet with its TOS", "TX-N3"),
    WIRE(IP_CHECKSUM, "ip-checksum-wrong", "sends IP headers whose checksum is wrong", "TX-N3"),
    WIRE(IP_OPTIONS, "sends-ip-options", "sends IP headers with options", "TX-N3"),
    WIRE(UDP_CHECKSUM, "sends-udp-checksum", "sends UDP checksums", "TX-N3"),
    WIRE(IP_LENGTH, "ip-length-too-long", "counts bytes behind the datagram in the IP length",
         "TX-N4"),
    WIRE(RUNT, "runt-frames", "does not pad short frames", "TX-N9"),
    WIRE(RUNT_MIRRORED, "runt-mirrored",
         "answers an ARP request in a frame as short as the request's", "TX-N9"),
    WIRE(ASKS_NOT, "arp-asks-not", "sends to whom a frame came from, without asking by ARP",
         "TX-N6"),
    WIRE(ANSWERS_NOT, "arp-answers-not", "answers no ARP request", "TX-N7"),
    WIRE(ANSWERS_MANY, "arp-answers-many", "answers ARP requests for any address", "TX-N7"),
    WIRE(ANSWERS_ALL, "arp-answers-all", "sends ARP replies to all", "TX-N7"),
    WIRE(DEAF_TO_ONE, "arp-deaf-to-unicast", "answers no ARP request that comes by unicast",
         "TX-N7"),
    WIRE(REPLY_IGNORED, "arp-reply-ignored",
         "sends to whom a frame came from, whatever an ARP reply says", "TX-N8"),
    WIRE(ASKS_ANEW, "arp-asks-anew", "asks by ARP before each packet", "TX-N8"),
    WIRE(ASKED_IS_KNOWN, "arp-asked-is-known",
         "sends to an address that it has asked for, answered or not", "TX-N6"),
    WIRE(ANY_REPLY, "arp-any-reply", "takes any ARP reply for the one about whom it sent to last",
         "TX-N8"),
    WIRE(ANY_HARDWARE, "arp-any-hardware",
         "takes ARP replies about other hardware for those about Ethernet", "TX-N8"),
    WIRE(LOSES_WAITING, "arp-loses-waiting", "loses the packet that waits for an ARP reply",
         "TX-N8"),
    WIRE(PADDING_LEAKS, "frame-padding-leaks",
         "takes the padding of a frame for the end of its datagram", "TX-N10"),
    WIRE(FRAGMENT_STALLS, "fragment-stalls", "hears nothing after an IP fragment", "TX-N11",
         "TX-E3", "TX-N5"),
    WIRE(OPTIONS_STALL, "ip-options-stall", "hears nothing after IP options", "TX-N11"),
    WIRE(SHORT_LENGTH_STALL, "bad-length-stalls",
         "hears nothing after lengths that contradict each other", "TX-N11"),
    WIRE(ETHERTYPE_STALLS, "ethertype-stalls", "hears nothing after an unknown EtherType",
         "TX-N11"),
    BOTH,
};

const gw_mutant gw_tx_switch_mutants[GW_TX_NUM_SWITCH_MUTANTS] = {
    MUTANT(TIE_TO_MINUS, "tie-to-minus", "goes to minus when both ways are as long", "TX-S1"),
    MUTANT(NO_DATELINE, "no-dateline", "stays on VC0 when the wrap-around is ahead", "TX-S2"),
    MUTANT(NEVER_LAST, "never-last", "does not mark the last hop", "TX-S3"),
    MUTANT(BOUNCE_UNMARKED, "bounce-unmarked", "delivers lost packets as if they were meant",
           "TX-S4"),
    MUTANT(CHANNEL_KEPT, "channel-kept", "delivers packets with their channel", "TX-S5", "TX-S4"),
    MUTANT(RESERVED_CLEARED, "reserved-cleared", "clears the reserved bit in transit", "TX-S6"),
    MUTANT(FOOTER_CHANGED, "footer-changed", "changes a bit of every footer", "TX-S6", "TX-L15"),
    MUTANT(ROUNDS_DOWN, "rounds-down", "forwards whole words only", "TX-S8"),
    MUTANT(ALWAYS_PLUS, "always-plus", "goes to plus however far that is", "TX-S1"),
    MUTANT(REORDERS, "reorders", "lets a packet overtake the one before it", "TX-S9"),
    MUTANT(BAD_PORT_BLOCKS, "bad-port-blocks",
           "a packet for a missing port blocks its input, as in the published router", "TX-S10"),
    MUTANT(LARGE_BLOCKS, "large-blocks",
           "a packet larger than the buffers blocks its input, as in the published router (SHOULD)",
           "TX-S11"),
    MUTANT(EDGE_BOUNCES, "edge-bounces", "takes packets to the last node of the ring for lost",
           "TX-S4", "TX-S1", "TX-S5"),
    MUTANT(CHANNEL_THROUGH, "channel-through",
           "sends channels that do not exist on, as they were injected", "TX-S2"),
    MUTANT(THREE_PORTS, "three-ports", "drops what is for port 3", "TX-S10", "TX-S5"),
    MUTANT(TAKES_INCONSISTENT, "takes-inconsistent",
           "fills packets up that came too short at a port", "TX-S8"),
    MUTANT(LEAVES_WORDS, "leaves-words",
           "keeps the payload of a packet that it refused, which shifts all that follow", "TX-S8",
           "TX-S9"),
    MUTANT(OVERTAKES, "overtakes", "lets a packet overtake the one that came behind a dropped one",
           "TX-S9"),
    MUTANT(FOOTERS_LATE, "footers-late",
           "gives each packet the footer of the one before it, once one has broken off", "TX-L15"),
    MUTANT(FOOTER_PAIR_STAYS, "footer-pair-stays", "takes a MAGIC before a footer for the footer",
           "TX-L3"),
    BOTH,
};
