/* SPDX-License-Identifier: BSD-2-Clause */
/* What the sections of TEXTAROSSA's deliverable D2.9 are headed by, and what the other sources are
 * called. */
#include "textarossa/internal.h"

#define RTL "published VHDL"
#define SIMULATED(run, what)                                                                       \
    {                                                                                              \
        "sim " run, 0, RTL " in simulation, " what                                                 \
    }

const gw_heading gw_tx_headings[] = {
    {"doc 2", 0, "D2.9 2, Basic design"},
    {"doc 2.1", 0, "D2.9 2.1, Integration of the Communication IP in the APEIRON Framework"},
    {"doc 2.2", 0, "D2.9 2.2, Ethernet port"},
    {"doc 2.3", 0, "D2.9 2.3, Ethernet port simulation and test"},
    {"doc fig. 2-19", 0, "D2.9 figure 2-19, ILA of board in NORMAL_MODE configuration"},
    {"doc table 2-5", 0, "D2.9 table 2-5, configuration and status registers"},
    {"doc 3.2", 0, "D2.9 3.2, Bandwidth test"},
    {"doc 4", 0, "D2.9 4, High Performance IP Configuration"},
    {"rtl", 0, RTL},
    {"sim", 0, RTL " in simulation"},
    SIMULATED("A1", "virtual channel numbers"),
    SIMULATED("C", "words like MAGIC in a packet"),
    SIMULATED("D", "flipped bits of a header"),
    SIMULATED("F", "headers beyond correction"),
    SIMULATED("HO", "headers alone"),
    SIMULATED("N", "senders that run out of data"),
    {"hls", 0, "APEIRON C++"},
    {"ref", 0, "OpenCores udp_ip_stack"},
    {.source = NULL},
};
