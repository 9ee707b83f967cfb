/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of the registers that one message of EtherBone touches. */
#ifndef NAMES_MESSAGE_H
#define NAMES_MESSAGE_H

#include "goldwire/format.h"
#include "names/boards.h"
#include "names/map.h"

/* gw_message_names names the addresses of one message, and follows its walk. It holds while both
 * maps do. */
typedef struct gw_message_names {
    gw_name_map *file;  /* of all boards, asked first; may be NULL */
    gw_name_map *board; /* of the one that is asked; NULL: nothing is known of it */
    uint64_t base;      /* of the writes at hand */
    bool config_reads, config_writes, fifo; /* by the flags of the record at hand */
} gw_message_names;

/* gw_message_names_of begins with |message|, whose board |boards| (may be NULL) may know. False
 * when nothing has a name, or the message touches no address of a board's bus. */
GW_MUST_USE bool gw_message_names_of(gw_message_names *names, gw_name_map *file,
                                     gw_board_names *boards, const gw_message *message,
                                     const gw_dialect *dialect);

/* gw_message_names_find returns what holds |address| of the bus, or NULL. */
const gw_name_map_entry *gw_message_names_find(const gw_message_names *names, uint64_t address);

/* gw_message_names_summary appends the names of the first registers that |message| touches to its
 * summary: " [leds, ram]". */
void gw_message_names_summary(const gw_message_names *names, const gw_message *message,
                              const gw_dialect *dialect, gw_text *text);

/* gw_message_names_item follows the walk, of which it gets every item in order. Where |item| is an
 * address of the bus, or what is written there, it returns what holds the address, and puts that
 * into |*address|; or else NULL. */
const gw_name_map_entry *gw_message_names_item(gw_message_names *names, const gw_item *item,
                                               uint64_t *address);

#endif
