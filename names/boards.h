/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of the registers of EtherBone's boards, from the SDB tables that somebody reads in a
 * capture. */
#ifndef NAMES_BOARDS_H
#define NAMES_BOARDS_H

#include "goldwire/format.h"
#include "names/map.h"

/* gw_board_names is what one capture has shown. */
typedef struct gw_board_names gw_board_names;

/* gw_board_names_new begins with nothing; NULL when memory is short. */
gw_board_names *gw_board_names_new(void);

/* gw_board_names_free frees everything; NULL is allowed. */
void gw_board_names_free(gw_board_names *names);

/* gw_board_names_learn takes what |message| shows of a board's table. For each message of EtherBone
 * once, in the capture's order. */
void gw_board_names_learn(gw_board_names *names, const gw_message *message,
                          const gw_dialect *dialect);

/* gw_board_names_of returns what is known of the board at |end|, or NULL. It is valid until more is
 * learned. */
gw_name_map *gw_board_names_of(gw_board_names *names, const gw_endpoint *end);

#endif
