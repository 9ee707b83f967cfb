/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of a board file's keys. */
#include "harness/board_keys.h"

#define SOME_SHA256 "\"0000000000000000000000000000000000000000000000000000000000000000\""

const gw_board_key gw_board_keys[] = {
    {"goldwire", "board", "board", "what this file is", GW_PART_FILE, true},
    {"role", "role", "etherbone-slave", "what the board is, as `goldwire peer --list` names it",
     GW_PART_FILE, true},
    {"dialect", "dialect", "strict", "how the board departs from its document; strict: not at all",
     GW_PART_FILE, false},
    {"identity", "keys below", NULL, "who the board is, for the evidence", GW_PART_FILE, false},
    {"where", "URL, or a mapping from links to URLs", "udp://10.0.0.7:60368", "where the board is",
     GW_PART_FILE, false},
    {"claims", "keys below", NULL, "what the board is said to support", GW_PART_FILE, false},
    {"registers", "keys below", NULL, "where its registers lie, if not where the document says",
     GW_PART_FILE, false},
    {"areas", "list", NULL, "the only addresses that goldwire uses", GW_PART_FILE, false},
    {"hooks", "keys below", NULL, "how the lab brings the board back; run with --hooks alone",
     GW_PART_FILE, false},
    {"waivers", "list", NULL, "failures that are known, and who answers for them", GW_PART_FILE,
     false},
    {"patience", "number", "1", "how many times as long as usual to wait for a slow board",
     GW_PART_FILE, false},
    {"simulation", "keys below", NULL, "the pace of a core in a simulator", GW_PART_FILE, false},

    {"make", "text", "ACME", "who made it, and what it is", GW_PART_IDENTITY, false},
    {"serial", "text", "\"7\"", "which one it is", GW_PART_IDENTITY, false},
    {"firmware", "text", "\"1.4\"", "the version that it runs", GW_PART_IDENTITY, false},
    {"firmware_sha256", "64 hexadecimal digits", SOME_SHA256,
     "the image that it runs, as sha256sum prints it", GW_PART_IDENTITY, false},
    {"bitstream_sha256", "64 hexadecimal digits", SOME_SHA256,
     "its bitstream, as sha256sum prints it", GW_PART_IDENTITY, false},

    {"base", "number", "0x0", "added to every offset of the document's register map",
     GW_PART_REGISTERS, false},

    {"name", "text", "scratch", "what you call the area", GW_PART_AREA, true},
    {"type", "ram, fifo, readonly, error, arbiter or wires", "ram", "what lies there", GW_PART_AREA,
     true},
    {"address", "number", "0x1000", "its first byte on the board's bus", GW_PART_AREA, true},
    {"size", "number", "4096", "how many bytes it has", GW_PART_AREA, true},

    {"soft", "keys below", NULL, "when the board has stopped answering", GW_PART_HOOKS, false},
    {"power", "keys below", NULL, "when `soft` did not help", GW_PART_HOOKS, false},
    {"start", "keys below", NULL, "before the run, for a board that is a program", GW_PART_HOOKS,
     false},

    {"run", "list", "[lab-reset, \"7\"]", "program and arguments; no shell reads them",
     GW_PART_HOOK, true},
    {"timeout", "number", "30", "seconds until it is killed; 30, of `start` 3600", GW_PART_HOOK,
     false},
    {"settle", "number", "2", "seconds that the board may take afterwards", GW_PART_HOOK, false},

    {"case", "text", "eb-s/probe-length", "the case that fails", GW_PART_WAIVER, true},
    {"text", "text", "response of 16 bytes", "what the failure's text holds", GW_PART_WAIVER, true},
    {"reason", "text", "mended in 1.5", "why it is waived", GW_PART_WAIVER, true},
    {"owner", "text", "Ada Lovelace", "who answers for it", GW_PART_WAIVER, true},
    {"ticket", "text", "FW-207", "where it is followed up", GW_PART_WAIVER, true},
    {"expires", "date", "2099-12-31", "the last day that it holds (UTC)", GW_PART_WAIVER, true},
    {"firmware", "text", "\"1.4\"", "the firmware that it holds for; any when left out",
     GW_PART_WAIVER, false},

    {"clock_hz", "number", "100000000", "the core's clock", GW_PART_SIMULATION, false},
    {"answer_cycles", "number", "2000", "how long an answer may take", GW_PART_SIMULATION, false},
    {"settle_cycles", "number", "4000", "how long silence lasts until it counts",
     GW_PART_SIMULATION, false},
};
const size_t gw_num_board_keys = GW_ARRAY_LEN(gw_board_keys);

void gw_board_part_keys(gw_board_part part, const char *names[GW_BOARD_PART_KEYS])
{
    size_t num = 0;
    for (size_t i = 0; i < gw_num_board_keys; i++)
        if (gw_board_keys[i].part == part && num + 1 < GW_BOARD_PART_KEYS)
            names[num++] = gw_board_keys[i].name;
    names[num] = NULL;
}

const char *gw_board_part_path(gw_board_part part)
{
    static const char *const paths[GW_NUM_BOARD_PARTS] = {
        [GW_PART_FILE] = "",
        [GW_PART_IDENTITY] = "identity.",
        [GW_PART_REGISTERS] = "registers.",
        [GW_PART_AREA] = "areas[].",
        [GW_PART_HOOKS] = "hooks.",
        [GW_PART_HOOK] = "hooks.NAME.",
        [GW_PART_WAIVER] = "waivers[].",
        [GW_PART_SIMULATION] = "simulation.",
    };
    return (unsigned)part < GW_NUM_BOARD_PARTS ? paths[part] : "";
}
