/* SPDX-License-Identifier: BSD-2-Clause */
#include "board_read.h"

#include <string.h>

bool gw_read_keys(gw_yaml *yaml, const gw_yaml_node *map, gw_board_part part)
{
    const char *names[GW_BOARD_PART_KEYS];
    gw_board_part_keys(part, names);
    return gw_yaml_keys(yaml, map, names);
}

bool gw_read_text(gw_yaml *yaml, const gw_yaml_node *node, char *out, size_t cap)
{
    const char *text = NULL;
    if (!gw_yaml_string(yaml, node, &text))
        return false;
    if (text == NULL)
        return true;
    size_t len = strlen(text);
    if (len >= cap)
        return gw_yaml_fail(yaml, node, "text of %zu bytes, at most %zu fit", len, cap - 1);
    memcpy(out, text, len + 1);
    return true;
}

bool gw_read_u32(gw_yaml *yaml, const gw_yaml_node *node, uint32_t max, uint32_t *out)
{
    uint64_t value = *out;
    if (!gw_yaml_u64(yaml, node, max, &value))
        return false;
    *out = (uint32_t)value;
    return true;
}
