/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaying TEXTAROSSA. */
#include "goldwire/textarossa.h"
#include "replay/format.h"

static const char *carry(gw_carried *out, const gw_message *m, uint16_t sequence)
{
    (void)sequence;
    if (m->part == GW_TX_PART_STRAY)
        return "bytes of this link are missing or cut, so what follows cannot be placed";
    if (out->dir == GW_DIR_UNKNOWN)
        return "the capture does not say which way these beats went";
    out->message.transport = GW_OVER_TCP;
    return NULL;
}

const gw_replay_format gw_replay_textarossa = {
    .format = &gw_textarossa,
    .carry = carry,
};
