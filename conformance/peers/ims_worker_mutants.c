/* SPDX-License-Identifier: BSD-2-Clause */
/* Workers with one fault each, and the rules they break: the first is the one each was made for. */
#include "ims_worker.h"

#define RULES(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define FAULT(name) GW_FAULT(WORKER_FAULT_##name)

const gw_mutant gw_ims_worker_mutants[GW_IMS_NUM_WORKER_MUTANTS] = {
    {"m-long-status", RULES("IMS-C1"), "sends status packets of 32 bytes", FAULT(LONG_STATUS)},
    {"m-unknown-method", RULES("IMS-C2"), "ends the data channel with method 14", FAULT(METHOD)},
    {"m-wrong-icrc", RULES("IMS-C13"), "ends each frame with a packet of a wrong ICRC",
     FAULT(ICRC)},
    {"m-immediate", RULES("IMS-C10"), "ends each frame with immediate data", FAULT(IMMEDIATE)},
    {"m-foreign-qpn", RULES("IMS-W1", "IMS-W3", "IMS-W21"),
     "tells a queue pair in its requests that is not its own", FAULT(OTHER_QPN)},
    {"m-hasty", RULES("IMS-W2"), "sends DATA_REQ together with STAT_REQ", FAULT(HASTY)},
    {"m-no-qpnd", RULES("IMS-W3"), "leaves the data channel's queue pair out of DATA_REQ",
     FAULT(NO_QPND)},
    {"m-early-write", RULES("IMS-W4"), "writes a frame before DATA_RES", FAULT(EARLY)},
    {"m-wrong-rkey", RULES("IMS-W5"), "uses a key that is one too high", FAULT(RKEY)},
    {"m-late-start", RULES("IMS-W5", "IMS-W26"), "begins 64 bytes too far", FAULT(START)},
    {"m-any-version", RULES("IMS-W6", "IMS-W29"), "takes a buffer of any version",
     FAULT(ANY_VERSION)},
    {"m-unaligned", RULES("IMS-W7", "IMS-W11", "IMS-W26"), "begins frames at odd words",
     FAULT(UNALIGNED)},
    {"m-odd-packets", RULES("IMS-W8"), "cuts frames into packets that are no multiple of 64",
     FAULT(PACKETS)},
    {"m-odd-frames", RULES("IMS-W9", "IMS-W8", "IMS-W11"),
     "sends frames that are no multiple of 64 bytes long", FAULT(LENGTH)},
    {"m-frame-sizes", RULES("IMS-W10", "IMS-W11"), "makes every other frame 64 bytes shorter",
     FAULT(SIZES)},
    {"m-gaps", RULES("IMS-W11", "IMS-W26"), "leaves 64 bytes between frames", FAULT(GAPS)},
    {"m-moves", RULES("IMS-W11", "IMS-W26"), "sends a frame again to another place", FAULT(MOVES)},
    {"m-deaf", RULES("IMS-W12"), "ignores every ACK", FAULT(DEAF)},
    {"m-ignores-nack", RULES("IMS-W14", "IMS-W19"),
     "sends a refused frame again only when the response is overdue", FAULT(NO_RESEND)},
    {"m-no-wait", RULES("IMS-W15"), "sends a frame outside the window again at once",
     FAULT(NO_WAIT)},
    {"m-stubborn", RULES("IMS-W16"), "sends a frame again whose key or address is invalid",
     FAULT(STUBBORN)},
    {"m-trusts", RULES("IMS-W17"), "waits for a response without end", FAULT(TRUSTS)},
    {"m-any-va", RULES("IMS-W18"), "takes an unknown address for the oldest frame's",
     FAULT(ANY_VA)},
    {"m-ignores-no-start", RULES("IMS-W19"), "ignores the NACK that has no address",
     FAULT(NO_START)},
    {"m-counts-acks", RULES("IMS-W20"), "takes a second ACK for the next frame's", FAULT(COUNTS)},
    {"m-leaves", RULES("IMS-W21"), "leaves without a word", FAULT(LEAVES)},
    {"m-writes-after-term", RULES("IMS-W22", "IMS-W16"), "writes a frame after DATA_TERM",
     FAULT(AFTER_TERM)},
    {"m-picky", RULES("IMS-W23"), "ignores answers whose unused fields are not 0", FAULT(PICKY)},
    {"m-image-va", RULES("IMS-W26"), "writes wrong addresses into images", FAULT(IMAGE_VA)},
    {"m-image-crc", RULES("IMS-W27"), "writes wrong CRCs into images", FAULT(IMAGE_CRC)},
    {"m-endless", RULES("IMS-W28"), "sends a frame again without end", FAULT(ENDLESS)},
    {"m-cut-frames", RULES("IMS-W30"), "leaves out the last packet of its frames", FAULT(CUT)},
};
