/* SPDX-License-Identifier: BSD-2-Clause */
/* What a TEXTAROSSA packet asks of a board. */
#include "textarossa/internal.h"

gw_transaction gw_tx_transaction(const gw_message *message, const gw_dialect *dialect,
                                 const gw_access_sink *accesses)
{
    (void)dialect;
    (void)accesses; /* packets name ports and channels, no addresses */
    if (message->part == GW_TX_PART_IDLE)
        return (gw_transaction){.kind = "credit", .changes = true, .unsolicited = true};
    if (message->part == GW_TX_PART_STRAY)
        return (gw_transaction){.kind = "stray bytes", .changes = true};
    return (gw_transaction){.kind = "packet", .asks = true, .changes = true};
}
