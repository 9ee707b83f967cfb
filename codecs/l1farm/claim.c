/* SPDX-License-Identifier: BSD-2-Clause */
/* What is the farm's by its content: the tunnel begins with two letters and says how long it is. */
#include "core/check.h"
#include "core/pairs.h"
#include "l1farm/internal.h"

static bool has_room(const gw_l1_shim *shim)
{
    switch (shim->kind) {
    case GW_L1_KIND_RESULT:
    case GW_L1_KIND_DECISION:
        return shim->length == GW_L1_RESULT;
    case GW_L1_KIND_REGISTER:
        return shim->length == 4 || shim->length == 8;
    case GW_L1_KIND_FREE:
    case GW_L1_KIND_TIMEOUT:
    case GW_L1_KIND_ENTERED:
    case GW_L1_KIND_LISTEN:
        return shim->length == 0;
    default:
        return shim->length > 0;
    }
}

bool gw_l1_claims(const gw_message *message)
{
    const uint8_t *p = gw_check_bytes(message, 0, GW_L1_SHIM);

    if (message->transport != GW_OVER_UDP || message->cap_len != message->len || p == NULL ||
        !gw_l1_is_tunnel(message->data, message->cap_len))
        return false;
    gw_l1_shim shim = gw_l1_get_shim(p);
    return shim.kind < GW_L1_NUM_KINDS && message->len == (uint32_t)GW_L1_SHIM + shim.length &&
           has_room(&shim);
}

/* The farm's link types have headers of the capture's own; only the tunnel is held to its content.
 */
static bool meet(void *state, const gw_message *message, const gw_dialect *dialect)
{
    (void)dialect;
    return gw_pairs_meet(state, message,
                         message->transport == GW_OVER_NOTHING || gw_l1_claims(message));
}

const gw_introduction_ops gw_l1_introductions = {
    .size = GW_PAIRS_SIZE,
    .init = gw_pairs_init,
    .meet = meet,
    .knows = gw_pairs_know,
};
