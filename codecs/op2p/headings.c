/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of OP2P's datasheet are headed by, what the cited lines of its reference core do,
 * and what its simulations looked at. */
#include "op2p/internal.h"

#define SIMULATED(scenario, what)                                                                  \
    {                                                                                              \
        "sim " scenario, 0, "reference core in simulation, " what                                  \
    }

const gw_heading gw_op2p_headings[] = {
    {"ds protocol", 0, "datasheet, Protocol"},
    {"ds errors", 0, "datasheet, Error handling"},
    {"ds header", 0, "datasheet, Packet format"},
    {"ds packet types", 0, "datasheet, Packet format: Packet type"},
    {"ds status", 0, "datasheet, Packet format: Status"},
    {"ds addressing", 0, "datasheet, Packet format: Addressing"},
    {"ds forwarding", 0, "datasheet, Packet format: Multi-hop transactions"},
    {"ds software", 0, "datasheet, Software requirements"},
    {"ds registers", 0, "datasheet, Registers"},
    {"ds interrupt", 0, "datasheet, Interrupts to local host"},
    {"ds flow control", 0, "datasheet, Flow control"},
    {"vhdl", 0, "reference core, op2p.vhd"},
    {"vhdl 1154", 0, "reference core, op2p.vhd: TX_REM"},
    {"vhdl 1271", 0, "reference core, op2p.vhd: TX_D"},
    {"vhdl 1840", 0, "reference core, op2p.vhd: header of a completion"},
    {"vhdl 2254", 0, "reference core, op2p.vhd: address by first byte enable"},
    {"sim", 0, "reference core in simulation"},
    SIMULATED("S2", "byte count 0"),
    SIMULATED("S6", "payloads of more than 1000 bytes"),
    SIMULATED("S7", "bytes after a read request"),
    SIMULATED("S8", "packets of reserved types"),
    SIMULATED("S9", "retransmission"),
    SIMULATED("S10", "packets for another node"),
    SIMULATED("S11", "frames shorter than a header"),
    SIMULATED("S12", "packet type 15"),
    SIMULATED("S14", "byte counts above 1024"),
    SIMULATED("S15", "completions with an error status"),
    SIMULATED("S16", "gaps in a frame"),
    SIMULATED("S17", "addresses and byte enables"),
    SIMULATED("S18", "ports that halt each other"),
    SIMULATED("S21", "full forwarding pool"),
    SIMULATED("S23", "damaged frame, then its repetition"),
    SIMULATED("S25", "payload shorter than its byte count"),
    SIMULATED("S30", "byte counts of several packets"),
    SIMULATED("S32", "damaged packet for another node"),
    {"aurora", 0, "Aurora 8B/10B core"},
    {"capture", 0, "goldwire's capture format"},
    {"tunnel", 0, "goldwire's lab tunnel"},
    {.source = NULL},
};
