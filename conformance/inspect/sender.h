/* SPDX-License-Identifier: BSD-2-Clause */
/* Who sent what goldwire keeps as evidence. */
#ifndef INSPECT_SENDER_H
#define INSPECT_SENDER_H

#include <stddef.h>

#include "goldwire/announce.h"

/* gw_sender is who sent a message of goldwire's own evidence. */
typedef enum gw_sender {
    GW_SENDER_UNKNOWN = 0, /* no evidence, or it does not say */
    GW_SENDER_GOLDWIRE,
    GW_SENDER_BOARD,
} gw_sender;

/* gw_sender_of tells who sends in direction |dir| (gw_direction) where a capture says |said| of
 * itself, NULL for nothing. */
static inline gw_sender gw_sender_of(const gw_announcement *said, unsigned dir)
{
    if (said == NULL || said->role[0] == '\0' || dir == GW_DIR_UNKNOWN)
        return GW_SENDER_UNKNOWN;
    return dir == GW_DIR_OUT ? GW_SENDER_GOLDWIRE : GW_SENDER_BOARD;
}

/* gw_sender_name returns "goldwire", "board", or NULL for GW_SENDER_UNKNOWN. */
static inline const char *gw_sender_name(gw_sender sender)
{
    switch (sender) {
    case GW_SENDER_GOLDWIRE:
        return "goldwire";
    case GW_SENDER_BOARD:
        return "board";
    default:
        return NULL;
    }
}

#endif
