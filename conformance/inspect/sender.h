/* SPDX-License-Identifier: BSD-2-Clause */
/* Who sent what goldwire keeps as evidence. */
#ifndef INSPECT_SENDER_H
#define INSPECT_SENDER_H

#include "goldwire/announce.h"

/* gw_sender is who sent a message of goldwire's own evidence. */
typedef enum gw_sender {
    GW_SENDER_UNKNOWN = 0, /* no evidence, or it does not say */
    GW_SENDER_GOLDWIRE,
    GW_SENDER_BOARD,
} gw_sender;

/* gw_sender_of tells who sends in direction |dir| (gw_direction) where a capture says |said| of
 * itself, NULL for nothing. */
gw_sender gw_sender_of(const gw_announcement *said, unsigned dir);

/* gw_sender_name returns "goldwire", "board", or NULL for GW_SENDER_UNKNOWN. */
const char *gw_sender_name(gw_sender sender);

#endif
