/* SPDX-License-Identifier: BSD-2-Clause */
/* What has to be as it was when the trace began: queues are empty. Whoever was there before, a run
 * that was killed or an earlier replay, may have left something in them. */
#include <string.h>

#include "goldwire/op2p.h"
#include "replay/access.h"
#include "replay/remember.h"

#define DEEPEST 4096 /* words that are taken out of a queue at the most */
#define TRIES 3
#define REQUEST_MAX 128

/* Where our words are to be sent back to. */
#define VALUE_AT 0x8000
#define ERRORS_AT 0x8008

static bool is_of_part(const gw_replay *r, uint32_t step, uint32_t first)
{
    return step < r->trace->num_steps &&
           r->trace->steps[step].label == r->trace->steps[first].label;
}

static bool speaks_to_registers(const gw_replay *r, uint32_t first)
{
    for (uint32_t i = first; is_of_part(r, i, first); i++) {
        if (r->trace->lines[r->trace->steps[i].line].format != r->ctx->suite->format)
            return true;
    }
    return false;
}

/* ---- a slave's FIFOs ---- */

/* The widths that the trace itself speaks; 0: no packet tells. */
static uint8_t widths_of(const gw_replay *r)
{
    for (uint32_t i = 0; i < r->trace->num_steps; i++) {
        const gw_trace_step *s = &r->trace->steps[i];
        gw_message m = gw_trace_message(r->trace, i);
        gw_eb_reader reader;
        gw_eb_record record;
        if (s->ours && s->asks && gw_eb_open(&reader, &m, r->trace->lines[s->line].dialect) &&
            gw_eb_next(&reader, &record) && reader.layout.addr_bytes >= 4)
            return reader.layout.widths;
    }
    return 0;
}

/* A read of |address|, and of the error register behind it. */
static size_t build(uint8_t *out, size_t cap, uint8_t widths, const gw_dialect *dialect,
                    uint64_t address)
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
    if (!gw_eb_build_record(&b, &value) || !gw_eb_build_record(&b, &status))
        return 0;
    return gw_eb_build_end(&b, false);
}

/* What an answer says of the word that was asked for. */
typedef struct word {
    uint64_t value;
    bool there; /* the bus had one */
} word;

static word take_word(const gw_packet *packet, const gw_dialect *dialect)
{
    gw_eb_reader reader;
    gw_eb_record record;
    gw_message m = gw_message_of(packet->data, packet->len);
    word w = {0};
    m.transport = GW_OVER_UDP;
    bool open = gw_eb_open(&reader, &m, dialect);
    while (open && gw_eb_next(&reader, &record)) {
        if (record.wcount == 1 && record.write_base == VALUE_AT)
            w.value = gw_eb_write_value(&reader.layout, &record, 0);
        if (record.wcount == 1 && record.write_base == ERRORS_AT)
            w.there = (gw_eb_write_value(&reader.layout, &record, 0) & 1) == 0;
    }
    return w;
}

/* Reads one word. A board that does not answer has none: what follows will tell. */
static word read_word(gw_ctx *ctx, gw_line *line, uint8_t widths, const gw_dialect *dialect,
                      uint64_t address)
{
    uint8_t request[REQUEST_MAX];
    gw_packet packet;
    size_t len = build(request, sizeof(request), widths, dialect, address);
    for (unsigned i = 0; len > 0 && i < TRIES; i++) {
        (void)gw_case_send(ctx, line, request, len);
        if (gw_case_recv(ctx, line, gw_case_reply_ns(ctx), &packet) == GW_RECV_DATA)
            return take_word(&packet, dialect);
    }
    return (word){0};
}

static void drain_fifo(gw_ctx *ctx, uint8_t widths, uint64_t address)
{
    for (unsigned i = 0; i < DEEPEST; i++) {
        if (!read_word(ctx, gw_case_line(ctx), widths, gw_case_dialect(ctx), address).there)
            return;
    }
}

/* Only those that the trace uses. */
static bool uses(const gw_replay *r, const gw_area *area, uint32_t first)
{
    for (uint32_t i = first; is_of_part(r, i, first); i++) {
        const gw_trace_step *s = &r->trace->steps[i];
        gw_message m = gw_trace_message(r->trace, i);
        gw_eb_reader reader;
        gw_eb_record record;
        bool open = s->ours && gw_eb_open(&reader, &m, r->trace->lines[s->line].dialect);
        while (open && gw_eb_next(&reader, &record)) {
            for (unsigned k = 0; k < record.rcount && (record.flags & GW_EB_RCA) == 0; k++) {
                if (gw_eb_read_addr(&reader.layout, &record, k) - area->address < area->size)
                    return true;
            }
        }
    }
    return false;
}

static void drain_slave(gw_replay *r, uint32_t first)
{
    const gw_recorded *recorded = &r->trace->recorded;
    const gw_board_file *board = gw_case_board(r->ctx);
    uint8_t widths = widths_of(r);
    for (size_t i = 0; widths != 0 && i < recorded->num_areas; i++) {
        const gw_area *area = &recorded->areas[i];
        uint64_t now;
        char why[200];
        if (area->type == GW_AREA_FIFO && uses(r, area, first) &&
            gw_recorded_place(recorded, board, area->address, area->address, &now, why,
                              sizeof(why)))
            drain_fifo(r->ctx, widths, now);
    }
}

/* ---- a node's queues ---- */

static uint32_t read_register(gw_ctx *ctx, uint32_t offset)
{
    static const gw_recorded none = {.known = true};
    uint32_t at = gw_recorded_register(&none, gw_case_board(ctx), &gw_op2p, offset);
    word w = read_word(ctx, gw_case_link(ctx, "regs"), GW_EB_32BIT << 4 | GW_EB_32BIT, NULL, at);
    return w.there ? (uint32_t)w.value : UINT32_MAX;
}

static void drain_queue(gw_ctx *ctx, uint32_t empty, uint32_t where)
{
    for (unsigned i = 0; i <= GW_OP2P_FIFO_DEPTH; i++) {
        if ((read_register(ctx, GW_OP2P_FIFOSTATUS) & empty) != 0)
            return;
        (void)read_register(ctx, where);
    }
}

static void drain_node(gw_ctx *ctx)
{
    drain_queue(ctx, GW_OP2P_RDCOMPL_EMPTY, GW_OP2P_RDCOMPL_LOCALADDRESS);
    drain_queue(ctx, GW_OP2P_ARRIVEDWRITE_EMPTY, GW_OP2P_ARRIVEDWRITE_ADDRESS);
    drain_queue(ctx, GW_OP2P_FORWREQ_EMPTY, GW_OP2P_FORWREQ_POINTER);
}

/* ---- */

void gw_player_prepare(gw_replay *r, uint32_t step)
{
    const gw_suite *suite = r->ctx->suite;
    if (suite->format == &gw_op2p && speaks_to_registers(r, step))
        drain_node(r->ctx);
    else if (suite->format == &gw_etherbone && !suite->calls_us && !gw_case_stream(r->ctx))
        drain_slave(r, step);
}
