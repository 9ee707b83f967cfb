/* SPDX-License-Identifier: BSD-2-Clause */
/* What the lines of EtherBone's specification, and the sections of its paper, are headed by. */
#include "etherbone/internal.h"

#define PARAGRAPH(from, section, name)                                                             \
    {                                                                                              \
        "spec", from, "spec " section ": " name                                                    \
    }
#define HEADER "5.1.1, Etherbone Header"
#define RECORD "5.1.2, Record Header"
#define READS "5.1.3, Read Data Section"
#define WRITES "5.1.4, Write Data Section"

const gw_heading gw_eb_headings[] = {
    {"spec", 90, "spec 1, Overview"},
    {"spec", 152, "spec 2, Architecture"},
    {"spec", 195, "spec 2.1, Addressing"},
    {"spec", 233, "spec 2.2, Pipelining"},
    {"spec", 294, "spec 2.3, Config Space"},
    {"spec", 323, "spec 2.4, Bus Widths"},
    {"spec", 354, "spec 3, Considerations for Real-time Deployment"},
    {"spec", 386, "spec 4, Programmer Guide"},
    {"spec", 405, "spec 4.1, Software Interface"},
    {"spec", 516, "spec 4.1.1, Etherbone Sockets"},
    {"spec", 584, "spec 4.1.2, Master Mode"},
    {"spec", 669, "spec 4.1.3, Slave Mode"},
    {"spec", 725, "spec 4.2, Hardware"},
    {"spec", 736, "spec 5, Protocol and Implementation"},
    {"spec", 749, "spec 5.1, Message Format"},
    {"spec", 799, "spec " HEADER},
    PARAGRAPH(814, HEADER, "Magic"),
    PARAGRAPH(822, HEADER, "Version"),
    PARAGRAPH(836, HEADER, "PF"),
    PARAGRAPH(851, HEADER, "PR"),
    PARAGRAPH(860, HEADER, "NR"),
    PARAGRAPH(877, HEADER, "AddrSz"),
    PARAGRAPH(898, HEADER, "PortSz"),
    {"spec", 918, "spec " RECORD},
    PARAGRAPH(924, RECORD, "RCA"),
    PARAGRAPH(929, RECORD, "BCA"),
    PARAGRAPH(934, RECORD, "RFF"),
    PARAGRAPH(940, RECORD, "CYC"),
    PARAGRAPH(945, RECORD, "WCA"),
    PARAGRAPH(950, RECORD, "WFF"),
    PARAGRAPH(955, RECORD, "RCount"),
    PARAGRAPH(959, RECORD, "ByteEnable"),
    PARAGRAPH(965, RECORD, "WCount"),
    {"spec", 969, "spec " READS},
    PARAGRAPH(973, READS, "BaseRetAddr"),
    PARAGRAPH(980, READS, "ReadAddr"),
    {"spec", 989, "spec " WRITES},
    PARAGRAPH(993, WRITES, "BaseWriteAddr"),
    PARAGRAPH(1003, WRITES, "WriteVal"),
    {"spec", 1012, "spec 5.2, Config Registers"},
    {"spec", 1093, "spec 5.3, UDP and TCP streams"},
    {"spec", 1131, "spec 5.4, Server / Slave Operation"},
    {"spec", 1138, "spec 5.4.1, Header processing"},
    {"spec", 1165, "spec 5.4.2, Record processing"},
    {"spec", 1209, "spec 5.4.3, Streaming"},
    {"spec", 1299, "spec 5.5, Client / Master Operation"},
    {"spec", 1315, "spec 5.5.1, Software Client"},
    {"spec", 1330, "spec 5.5.2, Hardware Client"},
    {"spec", 1346, "spec 5.5.3, Bridge Mode"},
    {"paper VII.A", 0, "paper VII.A, Packet length"},
    {"paper VIII.A.1", 0, "paper VIII.A.1, Negotiation"},
    {"paper VIII.A.6", 0, "paper VIII.A.6, Management"},
    {"802.3 3.2.8", 0, "IEEE 802.3 3.2.8, Pad field"},
    {"liteeth", 0, "LiteEth"},
    {"litex_server", 0, "LiteX, litex_server"},
    {.source = NULL},
};
