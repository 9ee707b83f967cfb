/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaying IMS: a buffer names its memory, and frames go there. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/ims/buf/board.h"
#include "goldwire/cursor.h"
#include "goldwire/ims.h"
#include "replay/format.h"

/* ---- loading a trace ---- */

/* Where frames of IMS go the buffer names anew; how far they may reach is as large as its first
 * area of memory. */
static bool in_named_memory(gw_replay_ring *r, bool ours, const gw_trace_line *line,
                            const gw_message *m, const gw_board_file *board, char *why,
                            size_t why_cap)
{
    const gw_area *area = gw_board_area(board, GW_AREA_RAM, 64, GW_IMS_ALIGN);
    uint64_t size = area != NULL ? area->size : 0;
    gw_ims_packet p;
    if (gw_ims_decode(&p, m, line->dialect).kind != GW_OK)
        return true;
    if (!ours && p.kind == GW_IMS_IS_STATUS && p.status.method == GW_IMS_DATA_RES)
        *r = (gw_replay_ring){p.status.va, true};
    if (!ours || !p.has_reth)
        return true;
    uint64_t offset = p.reth.va - r->base;
    if (r->known && offset < size && p.reth.length <= size - offset)
        return true;
    (void)snprintf(why, why_cap,
                   "writes to 0x%" PRIx64 ", which is not in the %" PRIu64
                   " bytes behind what the buffer named%s",
                   p.reth.va, size, gw_trace_help);
    return false;
}

/* ---- names ---- */

/* What a Worker has to know before it can ask is told by no packet but its first: there the trace
 * has it of then, the board file of now. */
static void name_status_channel(gw_replay *r)
{
    const gw_suite *suite = r->ctx->suite;
    const gw_claims *claims = &gw_case_board(r->ctx)->claims;
    gw_ims_packet p;
    for (uint32_t i = 0; !suite->calls_us && claims->status_qpn != 0 && i < r->trace->num_steps;
         i++) {
        gw_message m = gw_trace_message(r->trace, i);
        const gw_trace_line *line = &r->trace->lines[r->trace->steps[i].line];
        if (!r->trace->steps[i].ours || line->format != suite->format ||
            gw_ims_decode(&p, &m, line->dialect).kind != GW_OK || p.kind != GW_IMS_IS_STATUS ||
            p.status.method != GW_IMS_STAT_REQ)
            continue;
        gw_name qp = {.class = GW_NAMES_QP, .then = p.bth.dest_qp, .now = claims->status_qpn};
        gw_name key = {.class = GW_NAMES_QKEY, .then = p.deth.qkey, .now = claims->status_qkey};
        gw_player_name(r, &qp);
        gw_player_name(r, &key);
        return;
    }
}

/* Through an adapter there is one Worker. */
static void begin(gw_replay *r)
{
    uint32_t worker = 0;
    bool adapter =
        !r->ctx->suite->calls_us && gw_case_transport(gw_case_connection(r->ctx))->adapter != NULL;
    for (uint32_t i = 0; adapter && i < r->trace->num_steps; i++) {
        gw_ims_packet p;
        gw_message m = gw_trace_message(r->trace, i);
        const gw_trace_line *line = &r->trace->lines[r->trace->steps[i].line];
        if (!r->trace->steps[i].ours || line->format != &gw_ims ||
            gw_ims_decode(&p, &m, line->dialect).kind != GW_OK || p.kind != GW_IMS_IS_STATUS)
            continue;
        if (worker != 0 && p.deth.src_qp != worker)
            gw_case_na(
                r->ctx,
                "the trace speaks as several Workers, and through an adapter goldwire is one");
        worker = p.deth.src_qp;
    }
    name_status_channel(r);
}

/* An adapter has chosen our queue pairs, and says which key datagrams for us have, whatever they
 * were in the trace. What the buffer repeats of these it repeats of what it was told now. */
static bool own(const gw_replay *r, const gw_related *related, const gw_leaf *leaf, uint64_t *value)
{
    gw_ims_packet p = {0};
    gw_message m = gw_replay_judged(r);
    const char *name = leaf->field->name;
    (void)gw_ims_decode(&p, &m, gw_replay_line(r)->dialect);
    bool connected = (p.bth.opcode & GW_IB_SERVICE) == GW_IB_UC;
    bool ours = related->is_ours;
    if (ours && (strcmp(name, "ims.deth.src_qp") == 0 || strcmp(name, "ims.status.qpn") == 0))
        *value = r->adapter->qpn;
    else if (ours && strcmp(name, "ims.status.qpnd") == 0)
        *value = r->adapter->qpnd;
    else if (strcmp(name, ours ? "ims.status.qkey" : "ims.deth.qkey") == 0)
        *value = r->adapter->qkey;
    else if (ours && strcmp(name, "ims.status.lid") == 0 && r->adapter->lid != 0)
        *value = r->adapter->lid;
    else if (!ours && strcmp(name, "ims.bth.dest_qp") == 0)
        *value = connected ? r->adapter->qpnd : r->adapter->qpn;
    else
        return false;
    return true;
}

/* What answers a frame names the place that it was written to. */
static void rebound(gw_replay *r, const gw_dialect *dialect, const gw_message *then,
                    const gw_message *now)
{
    gw_ims_packet before;
    gw_ims_packet after;
    if (gw_ims_decode(&before, then, dialect).kind != GW_OK ||
        gw_ims_decode(&after, now, dialect).kind != GW_OK || !before.has_reth || !after.has_reth)
        return;
    gw_player_learn_place(r, before.reth.va, after.reth.va);
}

/* ---- memory ---- */

/* What a frame brings ends up in its ring, word by word. */
static void note_write(gw_replay *r, uint32_t step, const gw_message *then, const gw_message *now)
{
    const gw_dialect *dialect = r->trace->lines[r->trace->steps[step].line].dialect;
    gw_ims_packet p;
    (void)now;
    if (gw_ims_decode(&p, then, dialect).kind != GW_OK || p.kind != GW_IMS_IS_DATA)
        return;
    if (p.first)
        r->num_tail = 0;
    for (uint32_t i = 0; i < p.payload_len; i++) {
        r->tail[r->num_tail++] = p.payload[i];
        if (r->num_tail < sizeof(r->tail))
            continue;
        gw_player_know(r, GW_SPACE_WORDS, gw_load_be32(r->tail), 0, 0);
        r->num_tail = 0;
    }
}

/* ---- a buffer's registers ---- */

static gw_spot_kind register_kind(uint32_t offset)
{
    if (offset >= GW_IMS_BUF_MEMORY)
        return GW_SPOT_WORDS;
    bool channel = offset >= GW_IMS_BUF_CHANNEL && offset < GW_IMS_BUF_REGISTERS;
    if (channel && offset % GW_IMS_BUF_CHANNEL == GW_IMS_BUF_REG_QPN)
        return GW_SPOT_QP;
    return GW_SPOT_STATE;
}

/* The address that the trace writes to a buffer's read pointer, half by half: lower first. */
static bool pointer_of(const gw_replay *r, const gw_access_one *a, uint64_t half, bool upper,
                       uint64_t *whole)
{
    const gw_trace *t = r->trace;
    uint32_t line = t->steps[r->judged].line;
    uint32_t i = r->judged;
    for (unsigned seen = 0; seen < 8; seen++) {
        i = upper ? i - 1 : i + 1;
        if (i >= t->num_steps)
            return false;
        gw_message m = gw_trace_message(t, i);
        gw_eb_reader reader;
        gw_eb_record record;
        if (t->steps[i].line != line || !t->steps[i].ours ||
            !gw_eb_open(&reader, &m, t->lines[line].dialect) || !gw_eb_next(&reader, &record) ||
            record.wcount == 0 || record.write_base != (upper ? a->address - 4 : a->address + 4))
            continue;
        uint64_t other = gw_eb_write_value(&reader.layout, &record, 0);
        *whole = upper ? half << 32 | other : other << 32 | half;
        return true;
    }
    return false;
}

static bool move_register(const gw_replay *r, const gw_access_one *a, uint64_t *value)
{
    uint32_t offset = gw_recorded_offset(&r->trace->recorded, gw_case_board(r->ctx),
                                         r->ctx->suite->format, (uint32_t)a->address);
    bool channel = offset >= GW_IMS_BUF_CHANNEL && offset < GW_IMS_BUF_REGISTERS;
    uint32_t within = offset % GW_IMS_BUF_CHANNEL;
    bool upper = within == GW_IMS_BUF_REG_READ + 4;
    uint64_t whole;
    if (!channel || (!upper && within != GW_IMS_BUF_REG_READ) ||
        !pointer_of(r, a, *value, upper, &whole))
        return false;
    whole = gw_player_in_ring(r, whole);
    *value = upper ? whole >> 32 : (uint32_t)whole;
    return true;
}

/* ---- counters ---- */

/* Packets of a connection are numbered without a gap; datagrams of a queue pair go to many. */
static bool counter(const gw_replay *r, const gw_related *related, const gw_leaf *leaf,
                    gw_counter *out)
{
    gw_ims_packet p = {0};
    gw_message m = gw_replay_judged(r);
    (void)related;
    (void)leaf;
    (void)gw_ims_decode(&p, &m, gw_replay_line(r)->dialect);
    out->key = p.bth.dest_qp;
    return (p.bth.opcode & GW_IB_SERVICE) == GW_IB_UC;
}

const gw_replay_format gw_replay_ims = {
    .format = &gw_ims,
    .one_side_asks = true,
    .always = (const char *const[]){"IMS-C2", "IMS-C4", "IMS-C10", "IMS-C13", "IMS-W9", NULL},
    .in_named_memory = in_named_memory,
    .begin = begin,
    .register_kind = register_kind,
    .move_register = move_register,
    .note_write = note_write,
    .own = own,
    .rebound = rebound,
    .counter = counter,
};
