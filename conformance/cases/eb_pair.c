/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone: two probes back to back, to see whether the path to the board keeps their order. */
#include "cases/eb.h"

gw_pair gw_ebc_pair(gw_ctx *ctx, int64_t timeout_ns)
{
    enum { FIRST, SECOND, BOTH };
    gw_pair pair = {0};
    gw_line *line = gw_case_line(ctx);
    unsigned came[BOTH] = {0};
    uint32_t id = (uint32_t)gw_case_random(ctx);
    gw_packet packet;
    /* Boards that answer no probes, or to a dialect of them, show no order. */
    if (gw_ebc_state_of(ctx)->by_read)
        return pair;
    gw_case_drain(ctx, line);
    for (uint32_t i = FIRST; i < BOTH; i++) {
        uint8_t probe[8];
        gw_eb_build_probe(probe, false, 0xff, id + i);
        gw_case_send(ctx, line, probe, sizeof(probe));
    }
    int64_t deadline = gw_case_now(line) + timeout_ns;
    while (gw_case_recv(ctx, line, deadline - gw_case_now(line), &packet) == GW_RECV_DATA) {
        uint32_t which = packet.len == 8 ? gw_load_be32(packet.data + 4) - id : BOTH;
        if (which >= BOTH)
            continue;
        if (which == SECOND && came[FIRST] == 0)
            pair.overtaken = true;
        pair.repeated += came[which] > 0;
        pair.answered += came[which]++ == 0;
        /* What comes once more comes soon. */
        if (pair.answered == BOTH)
            deadline = gw_case_now(line) + gw_case_lag_ns(ctx);
    }
    pair.overtaken = pair.overtaken && pair.answered == BOTH;
    return pair;
}
