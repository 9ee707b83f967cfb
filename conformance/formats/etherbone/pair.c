/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone: two probes back to back, to see whether the path to the board keeps their order. */
#include "formats/etherbone/suite.h"

gw_pair gw_ebc_pair(gw_ctx *ctx, int64_t timeout_ns)
{
    enum { FIRST, BOTH = 2 };
    gw_pair pair = {0};
    gw_connection *conn = gw_case_connection(ctx);
    uint32_t ids[BOTH];
    gw_packet packet;
    /* Boards that answer no probes, or to a dialect of them, show no order. */
    if (gw_ebc_state_of(ctx)->by_read)
        return pair;
    gw_case_drain(ctx, conn);
    for (unsigned i = FIRST; i < BOTH; i++)
        ids[i] = gw_ebc_send_probe(ctx, conn);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    while (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet) == GW_RECV_DATA) {
        unsigned which = FIRST;
        while (which < BOTH && !gw_eb_probe_answers(packet.data, packet.len, ids[which]))
            which++;
        if (which == BOTH)
            continue;
        gw_pair_answer(&pair, which);
        /* What comes once more comes soon. */
        if (pair.answered == BOTH)
            deadline = gw_case_now(conn) + gw_case_lag_ns(ctx);
    }
    for (unsigned i = FIRST; i < BOTH; i++)
        gw_ebc_remember_probe(ctx, ids[i]);
    return pair;
}
