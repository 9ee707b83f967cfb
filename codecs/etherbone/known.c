/* SPDX-License-Identifier: BSD-2-Clause */
/* What real EtherBone devices are known to do against the specification. A row names what it covers
 * as narrowly as it can: another failure of the same rule shall be seen. */
#include "etherbone/internal.h"

#define LITEX_MIRROR "its flags are numbered from the other end, and all of its replies clear them"
#define LITEX_WEDGE                                                                                \
    "a packet is one record that either writes or reads, of no more words than its buffer holds; " \
    "of most others the core is dead, or answers what was asked before, until reset"
#define LITEX_PROBE "its probes take 12 bytes"
#define LITEX_SHORT_PROBE                                                                          \
    "a probe of 9 to 11 bytes, if the core lives through it, is answered by as many"
#define LITEX_LANES                                                                                \
    "byte enables are cut to four bits, and all clear in replies of versions until August 2024"
#define LITEX_CYC "it never sets CYC"
#define LITEX_PORT "replies go to its own service port, whatever port asked"

/* LiteEth's core and LiteX's Python. */
const gw_known_fault gw_eb_litex_known[] = {
    {"EB-S02", "eb-s/bad-version", "of another version", "the version is not looked at"},
    {"EB-S04", NULL, "the probe id is 0x00;", "the id of a probe is answered by zeros"},
    {"EB-S04", "eb-s/probe-echo", "got 0x00000000", "the id of a probe is answered by zeros"},
    {"EB-S05", NULL, "12 bytes", "probes and their responses take 12 bytes"},
    {"EB-S05", NULL, "is 9 bytes long", LITEX_SHORT_PROBE},
    {"EB-S05", NULL, "is 10 bytes long", LITEX_SHORT_PROBE},
    {"EB-S05", NULL, "is 11 bytes long", LITEX_SHORT_PROBE},
    {"EB-S05", "eb-s/probe-sizes", "not sent", LITEX_WEDGE},
    {"EB-S08", NULL, "NR is clear", "replies never set NR"},
    {"EB-S08", NULL, "etherbone.nr at", "replies never set NR"},
    {"EB-S09", "eb-s/probe-then-data", "not sent", LITEX_WEDGE},
    {"EB-S15", NULL, "not sent", LITEX_WEDGE},
    {"EB-S16", NULL, "not sent", LITEX_WEDGE},
    {"EB-S17", NULL, "writes with WFF", "WFF is ignored: writes always step"},
    {"EB-S17", NULL, "not sent", LITEX_WEDGE},
    {"EB-S18", NULL, "not sent", LITEX_WEDGE},
    {"EB-S20", NULL, "record flags are 0x00", LITEX_MIRROR},
    {"EB-S20", NULL, "WCA is 0", LITEX_MIRROR},
    {"EB-S20", NULL, "expected 0x1, got 0x0", LITEX_MIRROR},
    {"EB-S20", NULL, "not sent", LITEX_WEDGE},
    {"EB-S21", NULL, "byte enable is", LITEX_LANES},
    {"EB-S21", NULL, "etherbone.record.byte_enable", LITEX_LANES},
    {"EB-S24", NULL, "NR is clear", "replies never set NR"},
    {"EB-S24", NULL, "etherbone.nr at", "replies never set NR"},
    {"EB-S30", NULL, "not sent", LITEX_WEDGE},
    {"EB-S31", NULL, "not sent", LITEX_WEDGE},
    {"EB-S42", NULL, "not sent", LITEX_WEDGE},
    {"EB-S43", NULL, "not sent", LITEX_WEDGE},
    {"EB-S44", NULL, "the reply went to port", LITEX_PORT},
    {"EB-S44", "eb-s/own-port", NULL, LITEX_PORT},
    {"EB-S45", NULL, "widths are not supported", "the widths are not looked at"},
    {"EB-S49", NULL, "not sent", LITEX_WEDGE},
    {"EB-M02", NULL, "the probe is 12 bytes long", LITEX_PROBE},
    {"EB-M02", "eb-m/probe-form", "4 bytes follow the 8 of the probe", LITEX_PROBE},
    {"EB-M03", "eb-m/probe-id", "went on at once", "it takes any probe response, whatever its id"},
    {"EB-M03", "eb-m/upset-probe", "goes on as after a reply",
     "it takes any probe response, whatever its id"},
    {"EB-M11", NULL, "CYC is clear in the datagram's last record", LITEX_CYC},
    {"EB-M23", NULL, "datagrams leave their bus cycle open", LITEX_CYC},
    {"EB-M25", "eb-m/other-address", "goes on as after a reply",
     "it takes replies whoever sends them"},
    {"EB-M27", "eb-m/return-mode", "went on at once", "it looks at no flag of a reply"},
    {"EB-M28", "eb-m/other-magic", "goes on as after a reply", "it looks at no magic and version"},
    {"EB-M29", "eb-m/cut-reply", "goes on as after a reply",
     "what is cut off raises an error in the program that asked, which may go on at once"},
    {0},
};

#define GSI_RUNS_ON "what has come of a record is executed"
#define GSI_CYCLE "a record that reads once does not raise the cycle line"

/* The slave of GSI and CERN in VHDL. */
const gw_known_fault gw_eb_gsi_known[] = {
    {"EB-S05", NULL, "the probe response is", "a probe response is as long as its probe"},
    {"EB-S05", "eb-s/probe-sizes", "answered by 4 bytes", "a probe of 4 bytes is answered"},
    {"EB-S07", NULL, "no answer within", "probes of other versions are dropped"},
    {"EB-S09", "eb-s/probe-then-data", "follows a probe header",
     "records behind a probe's header are executed"},
    {"EB-S19", NULL, "make a record of", "what has come of a record is answered"},
    {"EB-S29", "eb-s/nr-with-reads", "no reply", "NR keeps back the reply, whatever was read"},
    {"EB-S32", "eb-s/hold-cycle", "ran in the bus cycles", GSI_CYCLE},
    {"EB-S32", "eb-s/hold-cycle-error", "when an access inside it failed", GSI_CYCLE},
    {"EB-S43", "eb-s/truncated-execution", "whose last word is missing", GSI_RUNS_ON},
    {"EB-S43", "eb-s/frame-padding", "that Ethernet pads", GSI_RUNS_ON},
    {"EB-S53", NULL, "the padding would have written",
     "what pads the frame of a packet that is a header alone is executed"},
    {0},
};

#define L_STREAM "the server takes whole messages only: it does not put segments together"
#define L_HEADERS                                                                                  \
    "versions from September 2014 to March 2015 put a packet header before every message of a "    \
    "stream, and want one"

/* The C library, over UDP and TCP. */
const gw_known_fault gw_eb_libetherbone_known[] = {
    {"EB-S11", NULL, "exactly one bit is expected", "a reply echoes the header of its request"},
    {"EB-S13", NULL, "the reserved header bit is set", "a reply echoes the header of its request"},
    {"EB-S13", NULL, "Header padding is", "a reply echoes the header of its request"},
    {"EB-S13", NULL, "etherbone.reserved at", "a reply echoes the header of its request"},
    {"EB-S13", NULL, "etherbone.header_padding at", "a reply echoes the header of its request"},
    {"EB-S46", "eb-s/tcp-header-once", "the board closed",
     "without a probe each message of a stream needs a header of its own"},
    {"EB-S46", "eb-s/tcp-dribble", "the board closed", L_STREAM},
    {"EB-S46", "eb-s/tcp-straddle", "the board closed", L_STREAM},
    {"EB-S46", "eb-s/tcp-coalesced", "the board closed", L_STREAM},
    {"EB-S46", "eb-s/tcp-stalled", "stands inside a record: nothing came",
     "the server waits for the rest of a record, and serves nobody else meanwhile"},
    {"EB-S46", "eb-s/read-answered", "closed the connection instead of answering", L_HEADERS},
    {"EB-S46", NULL, "another packet header", L_HEADERS},
    {"EB-S46", NULL, "a second packet header", L_HEADERS},
    {0},
};
