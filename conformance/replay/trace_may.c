/* SPDX-License-Identifier: BSD-2-Clause */
/* What a trace may be sent to: nothing is written outside the areas that a board file declares, and
 * nothing at all on a board that has none. */
#include <inttypes.h>
#include <stdio.h>

#include "replay/format.h"

/* A trace being looked through. */
typedef struct warden {
    const gw_board_file *board;
    const gw_recorded *recorded; /* where what is touched was then; NULL: it is told as it is now */
    const gw_format *registers;  /* the touches are of these registers; NULL: they are not */
    bool settings;               /* the line leads to registers that lie in no area */
    bool refused;
    gw_memory_access touch; /* the first one refused */
} warden;

static bool inside(const gw_board_file *board, const gw_memory_access *touch)
{
    for (size_t i = 0; i < board->num_areas; i++) {
        const gw_area *a = &board->areas[i];
        bool writable =
            a->type == GW_AREA_RAM || a->type == GW_AREA_FIFO || a->type == GW_AREA_ERROR;
        if (writable && touch->first >= a->address && touch->last - a->address < a->size)
            return true;
    }
    return false;
}

static void on_touch(void *ctx, const gw_memory_access *touch)
{
    warden *w = ctx;
    gw_memory_access now = *touch;
    char why[200];
    if (w->refused || touch->kind == GW_ACCESS_READ)
        return;
    if (w->registers != NULL && touch->first <= UINT32_MAX) {
        now.first = gw_recorded_register(w->recorded, w->board, w->registers, (uint32_t)now.first);
        now.last = now.first + (touch->last - touch->first);
    } else if (w->recorded != NULL && gw_recorded_place(w->recorded, w->board, touch->first,
                                                        touch->last, &now.first, why, sizeof(why)))
        now.last = now.first + (touch->last - touch->first);
    if (touch->kind == GW_ACCESS_WRITE && (w->settings || inside(w->board, &now)))
        return;
    w->refused = true;
    w->touch = now;
}

const char gw_trace_help[] =
    "; declare the area in the board file, or have it written by `goldwire replay "
    "--allow-any-address'";

/* Registers of a board whose areas are those of another format lie in none of them: a board file
 * that names the link allows them. */
static bool own_settings(const gw_board *role, const gw_trace_line *line,
                         const gw_board_file *board)
{
    return line->format != role->format && board->role[0] != '\0' &&
           gw_replay_format_of(role->format)->registers_apart;
}

static bool may(warden w, const gw_trace_line *line, const gw_message *m, char *why, size_t why_cap)
{
    const gw_board_file *board = w.board;
    gw_transaction t = gw_format_transaction(line->format, line->dialect, m, on_touch, &w);
    if (w.refused && w.touch.kind == GW_ACCESS_CONFIG)
        (void)snprintf(why, why_cap,
                       "writes to the board's config space at 0x%" PRIx64
                       ", which no area can allow; `goldwire replay --allow-any-address' does",
                       w.touch.first);
    else if (w.refused)
        (void)snprintf(why, why_cap, "writes 0x%" PRIx64 " to 0x%" PRIx64 ", %s%s", w.touch.first,
                       w.touch.last,
                       board->role[0] != '\0'
                           ? "which no area of the board file lets goldwire write"
                           : "and without a board file only traces that read are sent",
                       gw_trace_help);
    else if (t.opaque)
        (void)snprintf(
            why, why_cap,
            "cannot be read to its end, so nobody knows what it writes; `goldwire replay "
            "--allow-any-address' sends it all the same");
    return !w.refused && !t.opaque;
}

bool gw_trace_may_send(const gw_trace_line *line, const gw_message *m, const gw_board *role,
                       const gw_board_file *board, char *why, size_t why_cap)
{
    warden w = {.board = board, .settings = own_settings(role, line, board)};
    return may(w, line, m, why, why_cap);
}

/* Of a message as it stands in the trace. */
static bool may_be_sent(const gw_trace *trace, uint32_t step, const gw_board *role,
                        const gw_board_file *board, char *why, size_t why_cap)
{
    const gw_trace_line *line = &trace->lines[trace->steps[step].line];
    gw_message m = gw_trace_message(trace, step);
    bool regs = line->format != role->format;
    warden w = {.board = board,
                .settings = own_settings(role, line, board),
                .recorded = &trace->recorded,
                .registers = regs ? role->format : NULL};
    return may(w, line, &m, why, why_cap);
}

/* ---- */

bool gw_trace_may(const gw_trace *trace, const gw_board *role, const gw_board_file *board,
                  char *why, size_t why_cap)
{
    char reason[320];
    gw_replay_ring r = {0};
    for (uint32_t i = 0; i < trace->num_steps; i++) {
        const gw_trace_step *s = &trace->steps[i];
        const gw_trace_line *line = &trace->lines[s->line];
        gw_message m = gw_trace_message(trace, i);
        /* A board that calls us names the places itself, in what it asks. */
        if (role->calls_us && line->format == role->format)
            continue;
        const gw_replay_format *row = gw_replay_format_of(line->format);
        bool named = row->in_named_memory != NULL && board->role[0] != '\0';
        bool may = named
                       ? row->in_named_memory(&r, s->ours, line, &m, board, reason, sizeof(reason))
                       : !s->ours || may_be_sent(trace, i, role, board, reason, sizeof(reason));
        if (may)
            continue;
        (void)snprintf(why, why_cap, "%s: frame %" PRIu64 " %s", trace->path, s->frame, reason);
        return false;
    }
    return true;
}
