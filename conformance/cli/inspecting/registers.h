/* SPDX-License-Identifier: BSD-2-Clause */
/* The option that names registers. */
#ifndef CLI_INSPECTING_REGISTERS_H
#define CLI_INSPECTING_REGISTERS_H

#include <argp.h>

#include "names/map.h"

#define GW_INSPECT_KEY_REGISTERS 0x200
#define GW_INSPECT_REGISTERS_SDB "sdb"

/* GW_INSPECT_REGISTERS is that option, of a verb that |uses| the names. */
#define GW_INSPECT_REGISTERS(uses)                                                                 \
    {                                                                                              \
        "registers", GW_INSPECT_KEY_REGISTERS, "FILE", 0,                                          \
            "Names of EtherBone's registers, " uses                                                \
            ": a LiteX csr.csv, or a YAML map of names and addresses (NAME: 0x1000, NAME: "        \
            "0x1000-0x1fff). Where it has none, the board's SDB table has, if somebody reads it "  \
            "in the capture; with " GW_INSPECT_REGISTERS_SDB                                       \
            " in place of FILE there is no other",                                                 \
            0                                                                                      \
    }

/* gw_inspect_parse_registers takes what GW_INSPECT_REGISTERS was given, in place of what |names|
 * held. A file that is none ends the program. */
void gw_inspect_parse_registers(gw_name_map *names, const char *arg, struct argp_state *state);

#endif
