/* SPDX-License-Identifier: BSD-2-Clause */
/* The keys of a board file. One table names them all but for claims, which have their own
 * (harness/claims.h): the reader, `goldwire board' and the documents go by it. */
#ifndef HARNESS_BOARD_KEYS_H
#define HARNESS_BOARD_KEYS_H

#include "goldwire/base.h"

/* The mappings of a board file. */
typedef enum gw_board_part {
    GW_PART_FILE = 0, /* the file itself */
    GW_PART_IDENTITY,
    GW_PART_REGISTERS, /* takes a register's name for a key as well */
    GW_PART_AREA,      /* each of a list */
    GW_PART_HOOKS,
    GW_PART_HOOK, /* each of the hooks */
    GW_PART_WAIVER,
    GW_PART_SIMULATION,
    GW_NUM_BOARD_PARTS,
} gw_board_part;

/* gw_board_key is one key. */
typedef struct gw_board_key {
    const char *name;
    const char *value;   /* what it takes, for people: "number" */
    const char *example; /* as YAML; NULL: it holds another part, or the claims */
    const char *what;    /* it says, for people, without a full stop */
    uint8_t part;        /* gw_board_part */
    bool must;           /* be there, wherever its part is */
} gw_board_key;

/* gw_board_keys lists all keys, part by part; gw_num_board_keys how many. */
extern const gw_board_key gw_board_keys[];
extern const size_t gw_num_board_keys;

/* No part has more keys. */
#define GW_BOARD_PART_KEYS 16

/* gw_board_part_keys writes the names of the keys of |part| into |names|, a NULL behind them. */
void gw_board_part_keys(gw_board_part part, const char *names[GW_BOARD_PART_KEYS]);

/* gw_board_part_path returns how |part| is told to people, in front of its keys: "hooks.NAME.", ""
 * for the file itself. */
const char *gw_board_part_path(gw_board_part part);

#endif
