/* SPDX-License-Identifier: BSD-2-Clause */
/* The tree between the YAML parser and the getters. */
#ifndef BOARD_YAML_TREE_H
#define BOARD_YAML_TREE_H

#include "harness/yaml.h"

typedef struct gw_yaml_place {
    unsigned line; /* both from 1 */
    unsigned column;
} gw_yaml_place;

struct gw_yaml_node {
    gw_yaml_node *parent;
    gw_yaml_node *first;
    gw_yaml_node *last;
    gw_yaml_node *next;
    char *key;
    char *text; /* of a scalar */
    gw_yaml_place at;
    gw_yaml_place key_at;
    unsigned num_children;
    gw_yaml_kind kind;
};

struct gw_yaml {
    char *name;
    gw_yaml_node *root;
    bool failed;
    char error[512];
};

/* gw_yaml_fail_at records an error at |at| (line 0: the file as a whole), unless there is one
 * already. Returns false. */
bool gw_yaml_fail_at(gw_yaml *yaml, gw_yaml_place at, const char *fmt, ...) GW_PRINTF(3, 4);

#endif
