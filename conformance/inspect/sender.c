/* SPDX-License-Identifier: BSD-2-Clause */
/* Who sent what goldwire keeps as evidence. */
#include "inspect/sender.h"

#include <stddef.h>

gw_sender gw_sender_of(const gw_announcement *said, unsigned dir)
{
    if (said == NULL || said->role[0] == '\0' || dir == GW_DIR_UNKNOWN)
        return GW_SENDER_UNKNOWN;
    return dir == GW_DIR_OUT ? GW_SENDER_GOLDWIRE : GW_SENDER_BOARD;
}

const char *gw_sender_name(gw_sender sender)
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
