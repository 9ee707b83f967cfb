/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaying EtherBone: a slave's bus, and the registers of all other boards. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "replay/format.h"

#define DEEPEST 4096 /* words that are taken out of a queue at the most */
#define ALIKE 256    /* equal words in a row, as many as most queues hold: it is empty */
/* The config space begins with 8 bytes of errors; 8 bytes point to the SDB table (spec 1044). */
#define CONFIG_SDB 8

/* ---- loading a trace ---- */

/* The only record of |step|, a run of bytes of a stream. */
static bool record_of(const gw_trace *t, uint32_t step, gw_eb_record *record)
{
    const gw_trace_line *line = &t->lines[t->steps[step].line];
    gw_message m = gw_trace_message(t, step);
    gw_eb_reader reader;
    return m.part == GW_EB_RECORD && gw_eb_open(&reader, &m, line->dialect) &&
           gw_eb_next(&reader, record);
}

/* Frames of a stream hold several records: |answer| goes to the one that gave its address, the
 * first of those that have no answer yet. */
static uint32_t asked_by(const gw_trace *t, uint32_t request, uint32_t answer)
{
    gw_eb_record asked;
    gw_eb_record given;
    uint32_t found = request;
    if (!record_of(t, answer, &given))
        return request;
    for (uint32_t i = request + 1; i > 0 && t->steps[i - 1].frame == t->steps[request].frame; i--) {
        const gw_trace_step *s = &t->steps[i - 1];
        if (s->line == t->steps[answer].line && s->ours != t->steps[answer].ours && !s->related &&
            record_of(t, i - 1, &asked) && asked.rcount == given.wcount &&
            asked.return_base == given.write_base)
            found = i - 1;
    }
    return found;
}

/* A slave that fills its replies with zeros answers writes too, with as many bytes as came. */
static bool may_answer(const gw_message *request, const gw_message *answer,
                       const gw_dialect *dialect)
{
    gw_eb_reader asked;
    gw_eb_reader given;
    gw_eb_record record;
    if (!gw_eb_dialect_of(dialect)->zero_filled_reply || request->transport == GW_OVER_TCP ||
        request->len != answer->len)
        return false;
    if (!gw_eb_open(&asked, request, dialect) || (asked.header.flags & GW_EB_NR) != 0 ||
        !gw_eb_open(&given, answer, dialect))
        return false;
    while (gw_eb_next(&given, &record)) {
        if (record.wcount > 0 || record.rcount > 0)
            return false;
    }
    return given.error.kind == GW_OK;
}

static void reach(const gw_message *m, const gw_dialect *dialect, gw_reach_fn fn, void *ctx)
{
    gw_eb_reader reader;
    gw_eb_record record;
    bool open = gw_eb_open(&reader, m, dialect);
    while (open && gw_eb_next(&reader, &record)) {
        unsigned bits = 8u * reader.layout.addr_bytes;
        if (record.wcount > 0 && (record.flags & GW_EB_WCA) == 0)
            fn(ctx, "writes", record.write_base, reader.layout.data_bytes, bits);
        for (unsigned i = 0; i < record.rcount && (record.flags & GW_EB_RCA) == 0; i++)
            fn(ctx, "reads", gw_eb_read_addr(&reader.layout, &record, i), reader.layout.data_bytes,
               bits);
    }
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

/* Takes out what is left in a FIFO. An error tells when that was all; where an empty one brings
 * none, it brings some word, over and over. */
static void drain_fifo(gw_replay *r, uint8_t widths, const gw_area *area, uint64_t address)
{
    gw_ctx *ctx = r->ctx;
    uint64_t last = 0;
    unsigned alike = 0;
    for (unsigned i = 0; i < DEEPEST && alike < ALIKE; i++) {
        gw_read_word w = gw_player_read_word(ctx, gw_case_connection(ctx), widths,
                                             gw_case_dialect(ctx), address);
        if (!w.there)
            return;
        alike = i > 0 && w.value == last ? alike + 1 : 1;
        last = w.value;
    }
    if (alike < ALIKE)
        gw_case_inconc(ctx,
                       "%s at 0x%" PRIx64 " still brings words after %d that were taken out of it, "
                       "and the trace began with it empty: is it a FIFO, and does nobody fill it?",
                       area->name, address, DEEPEST);
    if (r->report.presumed_empty++ == 0)
        (void)snprintf(r->report.presumed, sizeof(r->report.presumed), "%s", area->name);
}

/* Only those that the trace uses. */
static bool uses(const gw_replay *r, const gw_area *area, uint32_t first)
{
    for (uint32_t i = first; gw_player_is_of_part(r, i, first); i++) {
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

static void prepare(gw_replay *r, uint32_t first)
{
    if (r->ctx->suite->calls_us || gw_case_stream(r->ctx))
        return;
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
            drain_fifo(r, widths, area, now);
    }
}

/* ---- what the trace writes ---- */

static void know_word(gw_replay *r, gw_space space, const gw_access_one *a, uint64_t then,
                      uint64_t now)
{
    uint64_t first = a->address & ~(uint64_t)(a->bytes - 1);
    for (unsigned lane = 0; lane < a->bytes; lane++) {
        if ((a->lanes >> lane & 1) != 0)
            gw_player_know(r, space, first + a->bytes - 1 - lane, (uint8_t)(then >> 8 * lane),
                           (uint8_t)(now >> 8 * lane));
    }
}

static void note_register(gw_replay *r, uint32_t step, uint64_t address, uint64_t value)
{
    const gw_replay_format *role = gw_replay_role(r);
    if (role->note_register != NULL && address <= UINT32_MAX)
        role->note_register(r, step,
                            gw_recorded_offset(&r->trace->recorded, gw_case_board(r->ctx),
                                               role->format, (uint32_t)address),
                            value);
}

static void note_write(gw_replay *r, uint32_t step, const gw_message *then, const gw_message *now)
{
    const gw_trace_line *line = &r->trace->lines[r->trace->steps[step].line];
    bool regs = line->format != r->ctx->suite->format;
    gw_eb_reader old;
    gw_eb_reader new;
    gw_eb_record a;
    gw_eb_record b;
    bool open = gw_eb_open(&old, then, line->dialect) && gw_eb_open(&new, now, line->dialect);
    while (open && gw_eb_next(&old, &a) && gw_eb_next(&new, &b)) {
        for (unsigned i = 0; i < a.wcount && i < b.wcount; i++) {
            gw_access_one one = gw_access_write_of(&old.layout, &a, i);
            uint64_t value = gw_eb_write_value(&old.layout, &a, i);
            if (one.config)
                continue;
            know_word(r, regs ? GW_SPACE_REGS : GW_SPACE_BUS, &one, value,
                      gw_eb_write_value(&new.layout, &b, i));
            if (regs)
                note_register(r, step, one.address, value);
        }
    }
}

/* ---- where that is now ---- */

static bool move_value(const gw_replay *r, const gw_access_one *a, uint64_t *value)
{
    const gw_replay_format *role = gw_replay_role(r);
    return !a->config && a->address <= UINT32_MAX && role->move_register != NULL &&
           role->move_register(r, a, value);
}

static bool move_access(const gw_replay *r, bool regs, const gw_access_one *a, uint64_t *value)
{
    if (a->config)
        return false;
    if (!regs)
        return gw_player_now_at(r, a->address, a->bytes, value);
    if (a->address > UINT32_MAX)
        return false;
    *value = gw_recorded_register(&r->trace->recorded, gw_case_board(r->ctx), r->ctx->suite->format,
                                  (uint32_t)a->address);
    return true;
}

static bool moved(const gw_replay *r, const gw_related *related, const gw_leaf *leaf,
                  uint64_t *value)
{
    const gw_dialect *dialect = gw_replay_line(r)->dialect;
    bool regs = gw_replay_line(r)->format != r->ctx->suite->format;
    gw_message m = gw_replay_judged(r);
    gw_access_one a;
    if (!related->is_ours)
        return false;
    switch ((gw_memory_part)leaf->field->memory) {
    case GW_MEMORY_FROM:
        return gw_access_read(&a, &m, dialect, leaf->container, leaf->index) &&
               move_access(r, regs, &a, value);
    case GW_MEMORY_TO:
        return gw_access_write(&a, &m, dialect, leaf->container, 0) &&
               move_access(r, regs, &a, value);
    case GW_MEMORY_DATA:
        return regs && gw_access_write(&a, &m, dialect, leaf->container, leaf->index) &&
               move_value(r, &a, value);
    default:
        return false;
    }
}

/* ---- what is read ---- */

/* The read that |leaf| of the judged answer brings. */
static bool answered(gw_access_one *out, const gw_replay *r, const gw_related *related,
                     const gw_leaf *leaf, uint32_t *number)
{
    const gw_dialect *dialect = gw_replay_line(r)->dialect;
    gw_message m = gw_replay_judged(r);
    gw_eb_reader reader;
    gw_eb_record record;
    *number = leaf->container;
    /* Zeros before an answer look like records that are empty. */
    bool open = gw_eb_dialect_of(dialect)->zero_filled_reply && gw_eb_open(&reader, &m, dialect);
    for (uint32_t i = 0; open && i < leaf->container && gw_eb_next(&reader, &record); i++)
        *number -= record.wcount == 0;
    return related->asked != NULL &&
           gw_access_answered(out, related->asked, dialect, *number, leaf->index);
}

static const gw_area *area_at(const gw_replay *r, uint64_t address)
{
    const gw_recorded *recorded = &r->trace->recorded;
    const gw_board_file *board = gw_case_board(r->ctx);
    if (recorded->num_areas > 0)
        return gw_recorded_area(recorded, address, address);
    for (size_t i = 0; i < board->num_areas; i++) {
        if (address - board->areas[i].address < board->areas[i].size)
            return &board->areas[i];
    }
    return NULL;
}

/* The errors, among those that |a| reads, of what |request| did before its reply number |number|.
 */
static uint64_t newest_errors(const gw_message *request, const gw_dialect *dialect, uint32_t number,
                              const gw_access_one *a)
{
    gw_eb_reader reader;
    gw_eb_record record;
    unsigned bits = 0;
    unsigned below = 8 * (CONFIG_SDB - a->bytes - a->address % CONFIG_SDB);
    bool open = gw_eb_open(&reader, request, dialect);
    for (uint32_t replied = 0; open && gw_eb_next(&reader, &record); replied += record.rcount > 0) {
        bits += (record.flags & GW_EB_WCA) != 0 ? 0 : record.wcount;
        if (record.rcount > 0 && replied == number)
            break;
        bits += (record.flags & GW_EB_RCA) != 0 ? 0 : record.rcount;
    }
    bits = bits > below ? bits - below : 0;
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static gw_spot bus_spot(const gw_replay *r, const gw_access_one *a)
{
    bool whole = gw_eb_dialect_of(gw_replay_line(r)->dialect)->whole_words;
    gw_spot spot = {.space = GW_SPACE_BUS,
                    .address = a->address & ~(uint64_t)(a->bytes - 1),
                    .lanes = whole ? UINT8_MAX : a->lanes};
    if (a->config) {
        spot.space = GW_SPACE_CONFIG;
        if (spot.address - CONFIG_SDB < 8)
            spot.kind = GW_SPOT_MEMORY;
        return spot;
    }
    const gw_area *area = area_at(r, spot.address);
    /* Nothing is known of what no area describes, but that it may change by itself. */
    spot.kind = GW_SPOT_QUEUE;
    if (area == NULL)
        return spot;
    switch ((gw_area_type)area->type) {
    case GW_AREA_RAM:
    case GW_AREA_READONLY:
        spot.kind = GW_SPOT_MEMORY;
        break;
    case GW_AREA_ERROR:
        spot.kind = GW_SPOT_ANYTHING;
        break;
    case GW_AREA_ARBITER:
        spot.kind = GW_SPOT_STATE;
        break;
    default:
        break;
    }
    return spot;
}

static gw_spot spot(const gw_replay *r, const gw_related *related, const gw_leaf *leaf)
{
    const gw_trace_line *line = gw_replay_line(r);
    gw_access_one a;
    gw_spot state = {.kind = GW_SPOT_STATE};
    uint32_t number;
    if (!answered(&a, r, related, leaf, &number))
        return state;
    if (a.config && a.address < CONFIG_SDB && gw_eb_dialect_of(line->dialect)->shared_errors)
        return (gw_spot){.kind = GW_SPOT_HISTORY,
                         .newest = newest_errors(related->asked, line->dialect, number, &a)};
    if (line->format == r->ctx->suite->format)
        return bus_spot(r, &a);
    /* The error register that an acknowledgement brings is in the config space. */
    if (a.config || a.address > UINT32_MAX)
        return state;
    return (gw_spot){.kind = gw_spot_register(r, (uint32_t)a.address),
                     .space = GW_SPACE_REGS,
                     .address = a.address,
                     .lanes = a.lanes};
}

/* ---- what counts there ---- */

/* |address| is the trace's. */
static bool counts_at(const gw_replay *r, uint64_t address)
{
    const gw_board_file *board = gw_case_board(r->ctx);
    const gw_recorded *recorded = &r->trace->recorded;
    if (recorded->num_areas > 0) {
        const gw_area *a = gw_recorded_area(recorded, address, address);
        return a != NULL && a->type == GW_AREA_ARBITER;
    }
    for (size_t i = 0; i < board->num_areas; i++) {
        const gw_area *a = &board->areas[i];
        if (a->type == GW_AREA_ARBITER && address - a->address < a->size)
            return true;
    }
    return false;
}

static bool is_counting_register(const gw_replay *r, uint64_t address)
{
    const gw_replay_format *role = gw_replay_role(r);
    return gw_replay_line(r)->format != role->format && role->register_counts != NULL &&
           address <= UINT32_MAX &&
           role->register_counts(gw_recorded_offset(&r->trace->recorded, gw_case_board(r->ctx),
                                                    role->format, (uint32_t)address));
}

static bool counter(const gw_replay *r, const gw_related *related, const gw_leaf *leaf,
                    gw_counter *out)
{
    gw_access_one a;
    uint32_t number;
    if (!answered(&a, r, related, leaf, &number) || a.config)
        return false;
    out->key = a.address;
    if (is_counting_register(r, out->key))
        return true;
    out->part = GW_TRACE_NONE;
    return counts_at(r, out->key);
}

static bool apart(const gw_dialect *dialect)
{
    return gw_eb_dialect_of(dialect)->whole_messages;
}

const gw_replay_format gw_replay_etherbone = {
    .format = &gw_etherbone,
    .one_side_asks = true,
    .always = (const char *const[]){"EB-M01", "EB-M04", "EB-M06", NULL},
    .answers_alone = true,
    .asked_by = asked_by,
    .may_answer = may_answer,
    .reach = reach,
    .prepare = prepare,
    .note_write = note_write,
    .moved = moved,
    .spot = spot,
    .counter = counter,
    .apart = apart,
};
