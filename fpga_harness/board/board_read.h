/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of a board file's reader. Each takes the node of a key, NULL when it is not there, and
 * returns false after an error. */
#ifndef BOARD_BOARD_READ_H
#define BOARD_BOARD_READ_H

#include "harness/board.h"
#include "harness/board_keys.h"
#include "harness/yaml.h"

/* gw_read_keys checks that |map| is a mapping that holds only keys of |part|. */
bool gw_read_keys(gw_yaml *yaml, const gw_yaml_node *map, gw_board_part part);

/* gw_read_text copies a text. A missing one leaves |out| as it is; a long one is an error, for a
 * cut name misleads. */
bool gw_read_text(gw_yaml *yaml, const gw_yaml_node *node, char *out, size_t cap);

/* gw_read_u32 reads a number of at most |max|. */
bool gw_read_u32(gw_yaml *yaml, const gw_yaml_node *node, uint32_t max, uint32_t *out);

/* gw_read_claims reads what |out|->role claims; |root| is blamed for claims that are missing. */
bool gw_read_claims(gw_yaml *yaml, const gw_yaml_node *root, const gw_yaml_node *map,
                    gw_board_file *out);

/* gw_read_pace reads the keys |patience| and |simulation|. */
bool gw_read_pace(gw_yaml *yaml, const gw_yaml_node *patience, const gw_yaml_node *simulation,
                  gw_board_pace *out);

/* gw_read_hooks and gw_read_waivers read what the lab adds. */
bool gw_read_hooks(gw_yaml *yaml, const gw_yaml_node *map, gw_board_file *out);
bool gw_read_waivers(gw_yaml *yaml, const gw_yaml_node *list, gw_board_file *out);

#endif
