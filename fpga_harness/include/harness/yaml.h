/* SPDX-License-Identifier: BSD-2-Clause */
/* A strict reader for the small YAML files people write for goldwire.
 *
 * One document, no aliases, no tags, no duplicate keys, bounded size and depth. The first error
 * sticks to the file, so a caller may read everything and look once:
 *
 *     static const char *const keys[] = {"name", "size", NULL};
 *     if (!gw_yaml_keys(yaml, map, keys) ||
 *         !gw_yaml_string(yaml, gw_yaml_need(yaml, map, "name"), &name) ||
 *         !gw_yaml_u64(yaml, gw_yaml_get(map, "size"), UINT32_MAX, &size))
 *         fprintf(stderr, "%s\n", gw_yaml_error(yaml));
 *
 * Every getter takes the node of a value. NULL, the node of a key that is not there, leaves *out
 * as it was, so *out holds the default. All return true as long as nothing in the file was wrong;
 * otherwise gw_yaml_error is "FILE:LINE:COLUMN: what is wrong and what to do". */
#ifndef HARNESS_YAML_H
#define HARNESS_YAML_H

#include "goldwire/base.h"

#define GW_YAML_MAX_SIZE (1u << 20)
#define GW_YAML_MAX_DEPTH 16
#define GW_YAML_MAX_CHILDREN 4096 /* of one sequence or mapping */

typedef enum gw_yaml_kind {
    GW_YAML_SCALAR = 0,
    GW_YAML_SEQUENCE,
    GW_YAML_MAPPING,
} gw_yaml_kind;

typedef struct gw_yaml gw_yaml;
typedef struct gw_yaml_node gw_yaml_node;

/* gw_yaml_open reads the file |path|. NULL, with a text in |why| that names file, line and column,
 * when it cannot be read or is not the YAML described above. Nodes and strings live until
 * gw_yaml_close. */
gw_yaml *gw_yaml_open(const char *path, char *why, size_t why_cap);

/* gw_yaml_parse does the same with |len| bytes at |text|, called |name| in errors. */
gw_yaml *gw_yaml_parse(const char *name, const char *text, size_t len, char *why, size_t why_cap);

/* gw_yaml_close frees the file; NULL is allowed. */
void gw_yaml_close(gw_yaml *yaml);

/* gw_yaml_error returns the first error found while reading values, or NULL. */
const char *gw_yaml_error(const gw_yaml *yaml);

/* gw_yaml_fail records an error of the caller's own at |node|, unless there is one already. Returns
 * false. */
bool gw_yaml_fail(gw_yaml *yaml, const gw_yaml_node *node, const char *fmt, ...) GW_PRINTF(3, 4);

/* gw_yaml_root returns the document's one value. */
const gw_yaml_node *gw_yaml_root(const gw_yaml *yaml);

/* gw_yaml_kind_of returns what |node| is. */
gw_yaml_kind gw_yaml_kind_of(const gw_yaml_node *node);

/* gw_yaml_key_place gives where the key of |node| stands, both from 1. */
void gw_yaml_key_place(const gw_yaml_node *node, unsigned *line, unsigned *column);

/* gw_yaml_place_of gives where |node| itself stands, both from 1. */
void gw_yaml_place_of(const gw_yaml_node *node, unsigned *line, unsigned *column);

/* gw_yaml_first and gw_yaml_next walk the values of a sequence or a mapping in file order; NULL at
 * the end. gw_yaml_first(NULL) is NULL. */
const gw_yaml_node *gw_yaml_first(const gw_yaml_node *parent);
const gw_yaml_node *gw_yaml_next(const gw_yaml_node *node);

/* gw_yaml_key returns the key under which |node| lies in its mapping; NULL elsewhere. */
const char *gw_yaml_key(const gw_yaml_node *node);

/* gw_yaml_get returns the value under |key| of the mapping |map|, or NULL. |map| may be NULL. */
const gw_yaml_node *gw_yaml_get(const gw_yaml_node *map, const char *key);

/* gw_yaml_need does the same and records an error when the key is not there. */
const gw_yaml_node *gw_yaml_need(gw_yaml *yaml, const gw_yaml_node *map, const char *key);

/* gw_yaml_keys checks that |node| is a mapping that holds only keys of |allowed| (NULL at the end).
 * An unknown key is an error at that key, which suggests the nearest one and lists them all. */
bool gw_yaml_keys(gw_yaml *yaml, const gw_yaml_node *node, const char *const *allowed);

/* gw_yaml_sequence checks that |node| is a sequence; NULL passes. */
bool gw_yaml_sequence(gw_yaml *yaml, const gw_yaml_node *node);

/* gw_yaml_string reads a non-empty text without control characters. */
bool gw_yaml_string(gw_yaml *yaml, const gw_yaml_node *node, const char **out);

/* gw_yaml_u64 reads a whole number 0 to |max|: decimal, or hexadecimal after 0x. */
bool gw_yaml_u64(gw_yaml *yaml, const gw_yaml_node *node, uint64_t max, uint64_t *out);

/* gw_yaml_bool reads true or false. */
bool gw_yaml_bool(gw_yaml *yaml, const gw_yaml_node *node, bool *out);

/* gw_yaml_choice reads one of the words |choices| (NULL at the end) and gives its index. */
bool gw_yaml_choice(gw_yaml *yaml, const gw_yaml_node *node, const char *const *choices,
                    unsigned *out);

#endif
