/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths of fields: "etherbone.record[1].write[0].value". */
#ifndef INSPECT_PATH_H
#define INSPECT_PATH_H

#include "goldwire/base.h"
#include "goldwire/field.h"

#define GW_PATH_MAX 256
#define GW_PATH_DEPTH 8

/* gw_path follows the containers of a walk. */
typedef struct gw_path {
    size_t len;
    size_t depth; /* containers open, also those that found no room */
    size_t ends[GW_PATH_DEPTH];
    char text[GW_PATH_MAX];
} gw_path;

/* gw_path_init starts at |root|, the format's name; "" leaves it out. */
void gw_path_init(gw_path *path, const char *root);

/* gw_path_open enters a container, gw_path_close leaves the last one entered. */
void gw_path_open(gw_path *path, const gw_group *group, uint32_t index);
void gw_path_close(gw_path *path);

/* gw_path_of returns the path of |item| below the containers entered. It is valid until the next
 * call. */
const char *gw_path_of(gw_path *path, const gw_item *item);

#endif
