/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether what a trace touches is there on the board of now, and within reach of the addresses that
 * its messages have room for. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "replay/format.h"
#include "replay/trace_roles.h"

/* A trace being looked through. */
typedef struct fitter {
    const gw_trace *trace;
    const gw_board_file *board;
    bool missing;     /* the board has no such place, */
    bool beyond;      /* or it is out of reach */
    char reason[280]; /* why */
} fitter;

static void look_at(void *ctx, const char *does, uint64_t address, unsigned bytes, unsigned bits)
{
    fitter *f = ctx;
    uint64_t last = bytes - 1 > UINT64_MAX - address ? UINT64_MAX : address + bytes - 1;
    uint64_t highest = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    uint64_t now;
    char why[200];
    if (f->missing || f->beyond)
        return;
    f->missing =
        !gw_recorded_place(&f->trace->recorded, f->board, address, last, &now, why, sizeof(why));
    f->beyond = !f->missing && now != address && (now > highest || bytes - 1 > highest - now);
    if (f->missing)
        (void)snprintf(f->reason, sizeof(f->reason), "%s %s", does, why);
    if (f->beyond)
        (void)snprintf(f->reason, sizeof(f->reason),
                       "%s 0x%" PRIx64 ", which is 0x%" PRIx64
                       " on this board and out of reach of %u bit addresses",
                       does, address, now, bits);
}

static void leave_out(gw_trace *trace, uint32_t step, const char *why)
{
    uint32_t label = trace->steps[step].label;
    if (trace->num_left_out++ == 0) {
        (void)snprintf(trace->left_out, sizeof(trace->left_out), "%s", gw_trace_label(trace, step));
        (void)snprintf(trace->left_out_why, sizeof(trace->left_out_why), "frame %" PRIu64 " %.150s",
                       trace->steps[step].frame, why);
    }
    for (uint32_t i = 0; i < trace->num_steps; i++)
        trace->steps[i].left_out = trace->steps[i].left_out || trace->steps[i].label == label;
}

static const char interrupted[] =
    "ends a message in whose middle others went over another link, and a replay sends it whole";

bool gw_trace_whole(const gw_trace *trace, char *why, size_t why_cap)
{
    for (uint32_t i = 0; i < trace->num_steps; i++) {
        if (!trace->steps[i].interrupted)
            continue;
        (void)snprintf(why, why_cap, "%s: frame %" PRIu64 " %s", trace->path, trace->steps[i].frame,
                       interrupted);
        return false;
    }
    return true;
}

bool gw_trace_fit(gw_trace *trace, const gw_board *role, const gw_board_file *board, bool any,
                  char *why, size_t why_cap)
{
    for (uint32_t i = 0; i < trace->num_steps; i++) {
        const gw_trace_step *s = &trace->steps[i];
        const gw_trace_line *line = &trace->lines[s->line];
        const gw_replay_format *row = gw_replay_format_of(line->format);
        gw_message m = gw_trace_message(trace, i);
        fitter f = {.trace = trace, .board = board};
        if (s->interrupted && !s->left_out && s->label != GW_TRACE_NONE)
            leave_out(trace, i, interrupted);
        if (!s->ours || s->left_out || line->format != role->format || role->calls_us)
            continue;
        if (row->reach != NULL)
            row->reach(&m, line->dialect, look_at, &f);
        f.missing = f.missing && !any;
        if (f.missing || (f.beyond && s->label == GW_TRACE_NONE)) {
            (void)snprintf(why, why_cap, "%s: frame %" PRIu64 " %s%s", trace->path, s->frame,
                           f.reason,
                           f.missing ? "; name it there, or have it left where it was by `goldwire "
                                       "replay --allow-any-address'"
                                     : "");
            return false;
        }
        if (f.beyond)
            leave_out(trace, i, f.reason);
    }
    if (trace->num_left_out == 0 || gw_trace_finish(trace, why, why_cap))
        return true;
    if (trace->num_steps == 0)
        (void)snprintf(why, why_cap, "%s: nothing is left to send without %s: %s", trace->path,
                       trace->left_out, trace->left_out_why);
    return false;
}
