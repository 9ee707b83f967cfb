/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master cases: the slave that we play is the software board, stepped by hand. */
#include <stdlib.h>
#include <string.h>

#include "formats/etherbone/master/suite.h"
#include "formats/etherbone/suite.h"

static void collect_answer(gw_peer_out *out, unsigned link, uint32_t conn, const uint8_t *data,
                           size_t len)
{
    gw_eb_test_slave *s = (gw_eb_test_slave *)out;
    (void)link;
    (void)conn;
    if (s->num_answers == GW_ARRAY_LEN(s->ends) || len > sizeof(s->bytes) - s->num_bytes)
        return; /* like a full send queue: the answer is lost */
    memcpy(s->bytes + s->num_bytes, data, len);
    s->num_bytes += len;
    s->ends[s->num_answers++] = s->num_bytes;
}

static void ignore_close(gw_peer_out *out, unsigned link, uint32_t conn)
{
    (void)out;
    (void)link;
    (void)conn;
}

static void step(gw_eb_test_slave *s, gw_peer_event_kind kind, bool stream, const uint8_t *data,
                 size_t len)
{
    gw_peer_event event = {.kind = (uint8_t)kind, .stream = stream, .data = data, .len = len};
    (void)s->board->step(s->state, &event, 0, &s->out);
}

void gw_eb_test_slave_stop(gw_eb_test_slave *s)
{
    if (s->state == NULL)
        return;
    s->board->fini(s->state);
    free(s->state);
    s->state = NULL;
}

void gw_eb_test_slave_start(gw_ctx *ctx, gw_eb_test_slave *s, const gw_eb_master_behavior *behavior,
                            bool stream)
{
    char why[128] = "";
    gw_eb_test_slave_stop(s);
    s->out = (gw_peer_out){.send = collect_answer, .close = ignore_close};
    s->board = gw_board_by_role("etherbone-slave");
    s->map = gw_eb_default_map;
    s->map.widths = behavior->offer;
    /* Zero-filled replies are what the gsi slave does; it has 32/32 only. */
    s->config = (gw_peer_config){.setup = &s->map, .dialect = gw_case_dialect(ctx)};
    if (behavior->zero_filled)
        s->config.dialect = gw_dialect_by_name(&gw_etherbone, "gsi");
    void *state = calloc(1, s->board->size);
    if (state == NULL || !s->board->init(state, &s->config, why, sizeof(why))) {
        free(state);
        gw_case_error(ctx, "our own slave does not start: %s", why);
    }
    s->state = state;
    s->num_answers = 0;
    s->num_bytes = 0;
    step(s, GW_PEER_START, stream, NULL, 0);
    step(s, GW_PEER_OPEN, stream, NULL, 0);
}

void gw_eb_master_require_room(gw_ctx *ctx)
{
    const gw_evidence_packet *packet;
    for (unsigned n = 1; (packet = gw_case_seen(ctx, n)) != NULL; n++)
        if (!packet->stream && packet->dir == GW_DIR_IN && packet->len > GW_EBC_PACKET_MAX)
            gw_case_inconc(ctx,
                           "the master sends %u bytes, and a slave that fills its replies with "
                           "zeros takes at most %d",
                           packet->len, GW_EBC_PACKET_MAX);
}

void gw_eb_master_require_zero_fill(gw_ctx *ctx)
{
    if (gw_eb_dialect_of(gw_case_dialect(ctx))->layouts != gw_eb_dialect_of(NULL)->layouts)
        gw_case_na(ctx, "slaves of this dialect do not fill replies with zeros");
}

void gw_eb_test_slave_answer(gw_eb_test_slave *s, const uint8_t *data, size_t len, bool stream)
{
    step(s, GW_PEER_BYTES, stream, data, len);
}
