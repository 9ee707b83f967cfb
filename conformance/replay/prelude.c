/* SPDX-License-Identifier: BSD-2-Clause */
/* What has to be as it was when the trace began: queues are empty. Whoever was there before, a run
 * that was killed or an earlier replay, may have left something in them. */
#include "replay/format.h"

#define TRIES 3
#define REQUEST_MAX 128

/* Where our words are to be sent back to. */
#define VALUE_AT 0x8000
#define ERRORS_AT 0x8008

bool gw_player_is_of_part(const gw_replay *r, uint32_t step, uint32_t first)
{
    return step < r->trace->num_steps &&
           r->trace->steps[step].label == r->trace->steps[first].label;
}

/* A read of |address|, and |asking| of the error register behind it. */
static size_t build(uint8_t *out, size_t cap, uint8_t widths, const gw_dialect *dialect,
                    uint64_t address, bool asking)
{
    gw_eb_builder b;
    if (!gw_eb_build_packet(&b, out, cap, widths, dialect))
        return 0;
    uint8_t lanes = (uint8_t)((1u << b.layout.data_bytes) - 1);
    uint64_t errors = b.layout.data_bytes == 8 ? 0 : 8u - b.layout.data_bytes;
    gw_eb_operation value = {
        .reads = &address, .num_reads = 1, .return_base = VALUE_AT, .byte_enable = lanes};
    gw_eb_operation status = {.reads = &errors,
                              .num_reads = 1,
                              .return_base = ERRORS_AT,
                              .flags = GW_EB_RCA | GW_EB_CYC,
                              .byte_enable = lanes};
    if (!gw_eb_build_record(&b, &value) || (asking && !gw_eb_build_record(&b, &status)))
        return 0;
    return gw_eb_build_end(&b, false);
}

/* What an answer says of the word that was asked for. Ones are what a bus without an error register
 * brings where it has nothing. */
static gw_read_word take_word(const gw_packet *packet, const gw_dialect *dialect, bool asked)
{
    gw_eb_reader reader;
    gw_eb_record record;
    gw_message m = gw_message_of(packet->data, packet->len);
    gw_read_word w = {0};
    m.transport = GW_OVER_UDP;
    bool open = gw_eb_open(&reader, &m, dialect);
    while (open && gw_eb_next(&reader, &record)) {
        if (record.wcount == 1 && record.write_base == VALUE_AT) {
            w.value = gw_eb_write_value(&reader.layout, &record, 0);
            w.there = !asked && w.value != UINT64_MAX >> (64 - 8 * reader.layout.data_bytes);
        }
        if (record.wcount == 1 && record.write_base == ERRORS_AT)
            w.there = (gw_eb_write_value(&reader.layout, &record, 0) & 1) == 0;
    }
    return w;
}

/* Reads one word. A board that does not answer has none: what follows will tell. */
gw_read_word gw_player_read_word(gw_ctx *ctx, gw_connection *conn, uint8_t widths,
                                 const gw_dialect *dialect, uint64_t address)
{
    uint8_t request[REQUEST_MAX];
    gw_packet packet;
    bool asking = gw_eb_dialect_of(dialect)->record_words == 0;
    size_t len = build(request, sizeof(request), widths, dialect, address, asking);
    for (unsigned i = 0; len > 0 && i < TRIES; i++) {
        (void)gw_case_send(ctx, conn, request, len);
        if (gw_case_recv(ctx, conn, gw_case_reply_ns(ctx), &packet) == GW_RECV_DATA)
            return take_word(&packet, dialect, asking);
    }
    return (gw_read_word){0};
}

/* ---- */

void gw_player_prepare(gw_replay *r, uint32_t step)
{
    const gw_replay_format *role = gw_replay_role(r);
    if (role->prepare != NULL)
        role->prepare(r, step);
}
