/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads how long a board may take. */
#include "board_read.h"

#define CLOCK_MAX UINT64_C(100000000000) /* 100 GHz */
#define CYCLES_MAX UINT32_C(2000000000)

/* A number from 1 to |max|. */
static bool read_some(gw_yaml *yaml, const gw_yaml_node *node, uint64_t max, uint64_t *out)
{
    if (!gw_yaml_u64(yaml, node, max, out))
        return false;
    return node == NULL || *out > 0 || gw_yaml_fail(yaml, node, "0 is none; 1 at least");
}

static bool read_cycles(gw_yaml *yaml, const gw_yaml_node *node, uint32_t *out)
{
    uint64_t value = *out;
    if (!read_some(yaml, node, CYCLES_MAX, &value))
        return false;
    *out = (uint32_t)value;
    return true;
}

static bool read_simulation(gw_yaml *yaml, const gw_yaml_node *map, gw_board_pace *out)
{
    return map == NULL ||
           (gw_read_keys(yaml, map, GW_PART_SIMULATION) &&
            read_some(yaml, gw_yaml_get(map, "clock_hz"), CLOCK_MAX, &out->clock_hz) &&
            read_cycles(yaml, gw_yaml_get(map, "answer_cycles"), &out->answer_cycles) &&
            read_cycles(yaml, gw_yaml_get(map, "settle_cycles"), &out->settle_cycles));
}

bool gw_read_pace(gw_yaml *yaml, const gw_yaml_node *patience, const gw_yaml_node *simulation,
                  gw_board_pace *out)
{
    uint64_t times = out->patience;
    if (!read_some(yaml, patience, GW_BOARD_PATIENCE_MAX, &times))
        return false;
    out->patience = (uint32_t)times;
    return read_simulation(yaml, simulation, out);
}
