/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of registers, from the command line. */
#include "cli/inspecting/registers.h"

#include <string.h>

void gw_inspect_parse_registers(gw_name_map *names, const char *arg, struct argp_state *state)
{
    char why[128];

    gw_name_map_clear(names);
    if (strcmp(arg, GW_INSPECT_REGISTERS_SDB) != 0 &&
        !gw_name_map_load(names, arg, why, sizeof why))
        argp_error(state, "--registers: %s: %s", arg, why);
}
