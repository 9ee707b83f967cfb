/* SPDX-License-Identifier: BSD-2-Clause */
/* The options that every verb which reaches a board reads alike: certify, replay, record, doctor.
 */
#ifndef GOLDWIRE_BOARD_OPTIONS_H
#define GOLDWIRE_BOARD_OPTIONS_H

#include <argp.h>

#include "cli/certify_args.h"

/* Their keys in argp's table; a verb lists those that it takes. --role is 'r', --case is 'c', --out
 * is 'o', --json is 'j'. */
enum {
    GW_OPTION_DUT = 256,
    GW_OPTION_SERVE,
    GW_OPTION_BOARD_FILE,
    GW_OPTION_DIALECT,
    GW_OPTION_HOOKS,
    GW_OPTION_PACE,
    GW_OPTION_PATIENCE,
    GW_OPTION_SEED,
    GW_OPTION_WAIT,
    GW_OPTION_OWN, /* the first of a verb's own */
};

/* gw_board_option puts one of these into |o|. ARGP_ERR_UNKNOWN when |key| is none of them; a wrong
 * |arg| ends the program. */
error_t gw_board_option(gw_certify_options *o, int key, char *arg, struct argp_state *state);

/* gw_option_number reads |text|, given to --|name|: decimal or 0x hexadecimal, |least| to |most|. A
 * wrong one ends the program. */
uint64_t gw_option_number(const struct argp_state *state, const char *name, const char *text,
                          uint64_t least, uint64_t most);

#endif
