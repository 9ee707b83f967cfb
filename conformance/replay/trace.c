/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading a trace: the file, its comments, and whether anything can be made of it. */
#include "replay/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "evidence/clean.h"
#include "goldwire/ib.h"
#include "harness/capture.h"
#include "replay/trace_loader.h"

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    (void)sink;
    (void)finding;
}

/* ---- comments ---- */

/* Copies what follows |word| in a line of |comment| that begins with it. */
static bool after_word(char *out, size_t cap, const char *comment, const char *word)
{
    size_t word_len = strlen(word);
    for (const char *at = comment; at != NULL; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, word, word_len) != 0)
            continue;
        char text[GW_TRACE_LABEL];
        size_t len = strcspn(at + word_len, "\n");
        len = len < sizeof(text) - 1 ? len : sizeof(text) - 1;
        memcpy(text, at + word_len, len);
        text[len] = '\0';
        (void)gw_clean(out, cap, text);
        return true;
    }
    return false;
}

static void read_comment(gw_trace_loader *l, const char *comment)
{
    gw_trace *t = l->trace;
    char text[GW_TRACE_LABEL];
    l->link[0] = '\0';
    if (comment == NULL)
        return;
    if (after_word(text, sizeof(text), comment, "role ") && strcmp(text, l->wish->role->role) != 0)
        gw_trace_refuse(l, l->frame, "recorded from a board of role %s, and this one is of role %s",
                        text, l->wish->role->role);
    if (!t->recorded.known)
        gw_recorded_read(&t->recorded, comment);
    bool link = after_word(l->link, sizeof(l->link), comment, "link ");
    bool part = after_word(text, sizeof(text), comment, "case ");
    if ((link || part) && l->wish->role->calls_us)
        l->call++;
    if (!part || t->num_labels == GW_TRACE_MAX_LABELS)
        return;
    memcpy(t->labels[t->num_labels], text, sizeof(text));
    l->label = t->num_labels++;
}

/* ---- the file ---- */

static bool read_once(gw_trace_loader *l, const char *path, char *why, size_t why_cap)
{
    gw_capture *capture = gw_capture_open(path, why, why_cap);
    gw_pipeline *pipeline = gw_pipeline_new(l->selection, gw_trace_take, NULL, l);
    gw_frame frame;
    gw_capture_status status = GW_CAPTURE_END;
    bool ok = capture != NULL && pipeline != NULL;
    if (capture != NULL && pipeline == NULL)
        (void)snprintf(why, why_cap, "%s: out of memory", path);
    while (ok && l->stop[0] == '\0' &&
           (status = gw_capture_next(capture, &frame)) == GW_CAPTURE_FRAME) {
        l->frame = frame.number;
        if (!l->scouting)
            read_comment(l, frame.comment);
        gw_pipeline_frame(pipeline, &frame);
    }
    if (ok && l->stop[0] == '\0')
        gw_pipeline_end(pipeline);
    if (ok && status == GW_CAPTURE_BROKEN) {
        (void)snprintf(why, why_cap, "%s: after %" PRIu64 " frames: %s", path, l->frame,
                       gw_capture_error(capture));
        ok = false;
    } else if (l->stop[0] != '\0') {
        (void)snprintf(why, why_cap, "%s: frame %" PRIu64 ": %s", path, l->stop_frame, l->stop);
        ok = false;
    } else if (ok && !l->scouting && l->trace->num_steps == 0) {
        gw_text text = gw_text_over(why, why_cap);
        gw_text_str(&text, path);
        gw_text_str(&text, ": nothing that could be replayed: ");
        gw_pipeline_why_nothing(pipeline, &text);
        ok = false;
    }
    gw_pipeline_free(pipeline);
    gw_capture_close(capture);
    return ok;
}

/* Nothing of the format but what only looks like it: the wrong trace. */
static bool know_something(gw_trace_loader *l, char *why, size_t why_cap)
{
    if (gw_trace_leave_out(l->trace))
        return true;
    (void)snprintf(
        why, why_cap,
        "%s: frame %" PRIu64 ", byte %" PRIu32 "%s%s: none of its messages reads as "
        "%s; is it a trace of another role, or dialect?",
        l->trace->path, l->first_frame, l->first.offset, l->first.field != NULL ? ", " : "",
        l->first.field != NULL ? l->first.field->name : "", l->wish->role->format->title);
    return false;
}

static void choose(gw_selection *s, const gw_trace_wish *wish)
{
    gw_selection_init(s);
    if (wish->dialect != NULL)
        s->dialects[s->num_dialects++] =
            (gw_dialect_choice){.format = wish->role->format, .dialect = wish->dialect};
}

static bool read_twice(gw_trace_loader *l, const char *path, char *why, size_t why_cap)
{
    const gw_format *format = l->wish->role->format;
    choose(l->selection, l->wish);
    l->selection->proto = l->wish->proto;
    l->scouting = true;
    if (format != gw_register_format && !read_once(l, path, why, why_cap))
        return false;
    l->scouting = false;
    l->selection->proto = l->wish->proto != NULL ? l->wish->proto : format;
    return read_once(l, path, why, why_cap);
}

bool gw_trace_finish(gw_trace *t, char *why, size_t why_cap)
{
    t->num_ours = 0;
    t->num_theirs = 0;
    if (!gw_trace_order(t)) {
        (void)snprintf(why, why_cap, "%s: out of memory", t->path);
        return false;
    }
    for (uint32_t i = 0; i < t->num_steps; i++) {
        gw_trace_step *s = &t->steps[i];
        gw_trace_line *line = &t->lines[s->line];
        line->last = i;
        if (s->ours && s->cap_len < s->len) {
            (void)snprintf(why, why_cap,
                           "%s: frame %" PRIu64 ": the capture kept %" PRIu32 " of %" PRIu32
                           " bytes of what would have to be sent; record with a larger snap length",
                           t->path, s->frame, s->cap_len, s->len);
            return false;
        }
        t->num_ours += s->ours;
        t->num_theirs += gw_trace_awaited(s);
    }
    if (t->num_ours > 0)
        return true;
    (void)snprintf(why, why_cap,
                   "%s: %" PRIu32 " messages, all from the board: there is nothing to send",
                   t->path, t->num_steps);
    return false;
}

static bool finish_loading(gw_trace *t, const gw_board *role, char *why, size_t why_cap)
{
    gw_trace_pair(t, role);
    gw_trace_close(t);
    return gw_trace_finish(t, why, why_cap);
}

/* What is read twice is no pipe. */
static bool is_ordinary(const char *path, char *why, size_t why_cap)
{
    struct stat st;
    if (stat(path, &st) != 0 || S_ISREG(st.st_mode))
        return true; /* what is not there is told by whoever opens it */
    (void)snprintf(why, why_cap, "%s: a trace is read twice: give an ordinary file", path);
    return false;
}

bool gw_trace_proto(const gw_format **out, const char *name, char *why, size_t why_cap)
{
    gw_selection s;
    gw_selection_init(&s);
    if (!gw_selection_proto(&s, name, why, why_cap))
        return false;
    *out = s.proto;
    return true;
}

gw_trace *gw_trace_load(const char *path, const gw_trace_wish *wish, char *why, size_t why_cap)
{
    gw_trace_loader l = {.sink = {.finding = on_finding, .relation = gw_trace_relate},
                         .wish = wish,
                         .label = GW_TRACE_NONE};
    if (strcmp(path, "-") == 0) {
        (void)snprintf(why, why_cap, "a trace is read twice: give a file, not standard input");
        return NULL;
    }
    l.trace = calloc(1, sizeof(*l.trace));
    l.selection = malloc(sizeof(*l.selection));
    l.sessions = gw_sessions_new();
    l.votes = calloc(GW_TRACE_MAX_LINES, sizeof(*l.votes));
    l.slots = calloc(GW_TRACE_SLOTS, sizeof(*l.slots));
    bool ok = l.trace != NULL && l.selection != NULL && l.sessions != NULL && l.votes != NULL &&
              l.slots != NULL;
    if (ok) {
        (void)snprintf(l.trace->path, sizeof(l.trace->path), "%s", path);
        l.trace->lines = calloc(GW_TRACE_MAX_LINES, sizeof(*l.trace->lines));
        l.trace->labels = calloc(GW_TRACE_MAX_LABELS, sizeof(*l.trace->labels));
        ok = l.trace->lines != NULL && l.trace->labels != NULL;
    }
    if (!ok)
        (void)snprintf(why, why_cap, "%s: out of memory", path);
    ok = ok && is_ordinary(path, why, why_cap) && read_twice(&l, path, why, why_cap) &&
         know_something(&l, why, why_cap) &&
         gw_trace_settle(l.trace, l.votes, wish, why, why_cap) &&
         finish_loading(l.trace, wish->role, why, why_cap);
    free(l.slots);
    free(l.votes);
    gw_sessions_free(l.sessions);
    free(l.selection);
    if (ok)
        return l.trace;
    gw_trace_free(l.trace);
    return NULL;
}

void gw_trace_free(gw_trace *trace)
{
    if (trace == NULL)
        return;
    free(trace->lines);
    free(trace->steps);
    free(trace->bytes);
    free(trace->labels);
    free(trace);
}

const char *gw_trace_label(const gw_trace *trace, uint32_t step)
{
    uint32_t label = trace->steps[step].label;
    return label == GW_TRACE_NONE ? "" : trace->labels[label];
}
