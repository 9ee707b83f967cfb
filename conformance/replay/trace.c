/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading a trace: messages, their lines, and which answers which. */
#include "replay/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/etherbone.h"
#include "goldwire/ib.h"
#include "harness/capture.h"
#include "inspect/judge.h"
#include "inspect/nature.h"
#include "inspect/pipeline.h"
#include "replay/trace_link.h"
#include "replay/trace_roles.h"
#include "runner/clean.h"

#define SLOTS ((size_t)4 * GW_TRACE_MAX_LINES) /* of the table that finds a line */

/* A trace being read. */
typedef struct loader {
    gw_verdict_sink sink; /* first: the session's findings come here */
    gw_trace *trace;
    const gw_trace_wish *wish;
    gw_selection *selection;
    gw_judge *judge;
    gw_trace_votes *votes;
    uint32_t *slots; /* line number + 1 */
    bool scouting;   /* the first pass: which ports speak EtherBone */
    uint32_t label;
    gw_carried carried; /* a unit of a link */
    uint32_t sequence;  /* of what goes to the captured port */
    uint32_t call;      /* of a board that calls us: comments tell a new one */
    char link[32];      /* that the frame's comment names */
    const char *stop;   /* why the trace is refused */
    uint64_t stop_frame;
} loader;

static void refuse(loader *l, uint64_t frame, const char *why)
{
    if (l->stop != NULL)
        return;
    l->stop = why;
    l->stop_frame = frame;
}

/* ---- lines ---- */

static uint32_t hash_end(const gw_endpoint *end)
{
    uint32_t h = 2166136261u;
    const uint8_t *p = (const uint8_t *)end;
    for (size_t i = 0; i < sizeof(*end); i++)
        h = (h ^ p[i]) * 16777619u;
    return h;
}

/* The two ends of a message, its sender first. A party of RoCEv2 sends from any port and is
 * answered at the one that RoCEv2 has, so it is told by its host; on a native link by its LID,
 * whichever queue pair speaks. */
static void ends_of(gw_endpoint ends[2], const gw_format *format, const gw_message *m)
{
    ends[0] = m->src;
    ends[1] = m->dst;
    bool apart = memcmp(m->src.ip, m->dst.ip, sizeof(m->src.ip)) != 0;
    for (unsigned i = 0; i < 2 && format->infiniband; i++) {
        if (ends[i].family == GW_FAMILY_LID)
            ends[i] = gw_ib_lid_endpoint(gw_ib_endpoint_lid(&ends[i]));
        else if (apart)
            ends[i].port = GW_ROCE_PORT;
    }
}

static bool is_line(const loader *l, const gw_trace_line *line, const gw_format *format,
                    const gw_message *m, const gw_endpoint ends[2])
{
    if (line->call != l->call)
        return false;
    if (line->format != format || line->is_stream != (m->transport == GW_OVER_TCP) ||
        (line->is_stream && line->stream != m->stream))
        return false;
    return (gw_endpoint_equal(&line->ends[0], &ends[0]) &&
            gw_endpoint_equal(&line->ends[1], &ends[1])) ||
           (gw_endpoint_equal(&line->ends[0], &ends[1]) &&
            gw_endpoint_equal(&line->ends[1], &ends[0]));
}

/* The line of a message between |ends|; GW_TRACE_NONE when there are too many. */
static uint32_t line_of(loader *l, const gw_found *found, const gw_message *m,
                        const gw_endpoint ends[2])
{
    gw_trace *t = l->trace;
    bool stream = m->transport == GW_OVER_TCP;
    uint32_t slot =
        (hash_end(&ends[0]) + hash_end(&ends[1]) + (stream ? m->stream : l->call)) % SLOTS;

    for (; l->slots[slot] != 0; slot = (slot + 1) % SLOTS) {
        if (is_line(l, &t->lines[l->slots[slot] - 1], found->format, m, ends))
            return l->slots[slot] - 1;
    }
    if (t->num_lines == GW_TRACE_MAX_LINES)
        return GW_TRACE_NONE;
    t->lines[t->num_lines] = (gw_trace_line){.format = found->format,
                                             .dialect = found->dialect,
                                             .ends = {ends[0], ends[1]},
                                             .stream = m->stream,
                                             .call = l->call,
                                             .is_stream = stream};
    l->votes[t->num_lines].link = GW_TRACE_NONE;
    l->slots[slot] = ++t->num_lines;
    return t->num_lines - 1;
}

/* ---- steps ---- */

static bool grow(void **list, size_t *cap, size_t need, size_t size, size_t first)
{
    size_t more = *cap == 0 ? first : *cap;
    while (more < need)
        more *= 2;
    if (more == *cap)
        return true;
    void *bigger = realloc(*list, more * size);
    if (bigger == NULL)
        return false;
    *list = bigger;
    *cap = more;
    return true;
}

static gw_trace_step *add_step(loader *l, const gw_message *m)
{
    gw_trace *t = l->trace;
    size_t cap_steps = t->cap_steps;
    if (t->num_steps == GW_TRACE_MAX_STEPS || m->cap_len > GW_TRACE_MAX_BYTES - t->num_bytes) {
        refuse(l, m->frame,
               "the trace is longer than a replay takes (64 MiB, a million messages): cut it with "
               "editcap -r");
        return NULL;
    }
    if (!grow((void **)&t->steps, &cap_steps, t->num_steps + 1, sizeof(*t->steps), 256) ||
        !grow((void **)&t->bytes, &t->cap_bytes, t->num_bytes + m->cap_len, 1, 65536)) {
        refuse(l, m->frame, "out of memory");
        return NULL;
    }
    t->cap_steps = (uint32_t)cap_steps;
    gw_trace_step *s = &t->steps[t->num_steps++];
    *s = (gw_trace_step){.at = t->num_bytes,
                         .frame = m->frame,
                         .first_frame = m->num_frames > 0 ? m->frames[0] : m->frame,
                         .time_ns = m->time_ns,
                         .len = m->len,
                         .cap_len = m->cap_len,
                         .answers = GW_TRACE_NONE,
                         .label = l->label,
                         .part = m->part,
                         .part_arg = m->part_arg};
    if (m->cap_len > 0)
        memcpy(t->bytes + t->num_bytes, m->data, m->cap_len);
    t->num_bytes += m->cap_len;
    return s;
}

/* ---- which answers which ---- */

/* The last step of |line| that frame |frame| completed. */
static uint32_t step_of_frame(const gw_trace *t, uint64_t frame, uint32_t line, bool sent_by_first)
{
    uint32_t low = 0;
    uint32_t high = t->num_steps;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (t->steps[middle].frame <= frame)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint32_t i = low; i > 0 && t->steps[i - 1].frame == frame; i--) {
        if (t->steps[i - 1].line == line && t->steps[i - 1].ours == sent_by_first)
            return i - 1;
    }
    return GW_TRACE_NONE;
}

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    (void)sink;
    (void)finding;
}

/* Relations of the newest message come while it is fed. */
static void on_relation(gw_verdict_sink *sink, const gw_relation *r)
{
    loader *l = (loader *)sink;
    gw_trace *t = l->trace;
    gw_trace_step *answer = &t->steps[t->num_steps - 1];
    if (r->kind != GW_ANSWERS || r->response != answer->frame)
        return;
    uint32_t request = step_of_frame(t, r->request, answer->line, !answer->ours);
    if (request == GW_TRACE_NONE || request + 1 == t->num_steps)
        return;
    answer->answers = request;
    t->steps[request].related = true;
    l->votes[answer->line].answered[answer->ours ? 0 : 1]++;
}

/* ---- messages ---- */

static unsigned link_called(const gw_board *role, const char *name)
{
    unsigned num = gw_board_num_links(role);
    for (unsigned i = 0; i < num; i++) {
        if (strcmp(role->links[i], name) == 0)
            return i;
    }
    return GW_TRACE_NONE;
}

static void vote(loader *l, const gw_trace_step *s, const gw_message *m)
{
    gw_trace_votes *v = &l->votes[s->line];
    unsigned from = s->ours ? 0 : 1;
    v->sent[from]++;
    /* A network is captured on our side, a link at a port of the board's. */
    bool at_board = gw_trace_is_port(&m->src);
    if (m->dir == GW_DIR_OUT)
        v->captured_out[at_board ? 1 - from : from]++;
    if (m->dir == GW_DIR_IN)
        v->captured_out[at_board ? from : 1 - from]++;
    if (s->asks)
        v->asked[from]++;
    if (l->link[0] != '\0' && v->link == GW_TRACE_NONE)
        v->link = link_called(l->wish->role, l->link);
}

/* The registers of a board with another format speak EtherBone on whatever port. */
static void scout(loader *l, const gw_found *found)
{
    const gw_message *m = found->message;
    if (found->format != &gw_etherbone || m->transport != GW_OVER_UDP)
        return;
    for (size_t i = 0; i < gw_num_formats; i++) {
        if (gw_formats[i] != &gw_etherbone)
            continue;
        l->selection->udp[m->src.port] = (uint8_t)(i + 1);
        l->selection->udp[m->dst.port] = (uint8_t)(i + 1);
    }
}

/* Keeps |found|, whose message is |m| as a transport carries it. */
static void take(loader *l, const gw_found *found, const gw_message *m)
{
    bool packet = found->format->infiniband && m->ib != NULL;
    if (found->lost_before > 0 || found->start_missing) {
        refuse(l, m->frame, "bytes of this TCP connection are missing from the trace");
        return;
    }
    gw_endpoint ends[2];
    ends_of(ends, found->format, m);
    uint32_t line = line_of(l, found, m, ends);
    if (line == GW_TRACE_NONE) {
        refuse(l, m->frame, "more than 4096 connections and pairs of ports");
        return;
    }
    gw_trace_step *s = add_step(l, m);
    if (s == NULL)
        return;
    gw_nature nature = gw_nature_of(found->format, found->dialect, m, NULL, NULL);
    s->line = line;
    s->ours = gw_endpoint_equal(&ends[0], &l->trace->lines[line].ends[0]);
    s->damaged = packet && m->ib->icrc_verdict == GW_IB_WRONG;
    s->flaw = s->damaged ? m->ib->icrc ^ m->ib->icrc_due : 0;
    s->kind = nature.kind;
    s->asks = nature.asks;
    s->changes = nature.changes || nature.opaque;
    s->chatter = nature.chatter;
    vote(l, s, m);
    gw_judge_feed(l->judge, found, &l->sink);
}

static void on_found(void *ctx, const gw_found *found)
{
    loader *l = ctx;
    const gw_message *m = found->message;
    if (l->stop != NULL)
        return;
    if (l->scouting) {
        scout(l, found);
        return;
    }
    if (m->transport != GW_OVER_NOTHING || (found->format->infiniband && m->ib != NULL)) {
        take(l, found, m);
        return;
    }
    const char *why = gw_trace_carry(&l->carried, found, (uint16_t)l->sequence);
    if (why != NULL) {
        refuse(l, m->frame, why);
        return;
    }
    l->sequence += l->carried.dir == GW_DIR_IN;
    take(l, found, &l->carried.message);
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

static void read_comment(loader *l, const char *comment)
{
    gw_trace *t = l->trace;
    char text[GW_TRACE_LABEL];
    l->link[0] = '\0';
    if (comment == NULL)
        return;
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

static bool read_once(loader *l, const char *path, char *why, size_t why_cap)
{
    gw_capture *capture = gw_capture_open(path, why, why_cap);
    gw_pipeline *pipeline = gw_pipeline_new(l->selection, on_found, NULL, l);
    gw_frame frame;
    gw_capture_status status = GW_CAPTURE_END;
    bool ok = capture != NULL && pipeline != NULL;
    if (capture != NULL && pipeline == NULL)
        (void)snprintf(why, why_cap, "out of memory");
    while (ok && l->stop == NULL &&
           (status = gw_capture_next(capture, &frame)) == GW_CAPTURE_FRAME) {
        if (!l->scouting)
            read_comment(l, frame.comment);
        gw_pipeline_frame(pipeline, &frame);
    }
    if (ok && l->stop == NULL)
        gw_pipeline_end(pipeline);
    if (ok && status == GW_CAPTURE_BROKEN) {
        (void)snprintf(why, why_cap, "%s: %s", path, gw_capture_error(capture));
        ok = false;
    } else if (l->stop != NULL) {
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

static void choose(gw_selection *s, const gw_trace_wish *wish)
{
    gw_selection_init(s);
    if (wish->dialect != NULL)
        s->dialects[s->num_dialects++] =
            (gw_dialect_choice){.format = wish->role->format, .dialect = wish->dialect};
}

static bool read_twice(loader *l, const char *path, char *why, size_t why_cap)
{
    const gw_format *format = l->wish->role->format;
    choose(l->selection, l->wish);
    l->scouting = true;
    if (format != &gw_etherbone && !read_once(l, path, why, why_cap))
        return false;
    l->scouting = false;
    l->selection->proto = format;
    return read_once(l, path, why, why_cap);
}

/* Counts, and refuses what we could not send whole. */
static bool finish(gw_trace *t, char *why, size_t why_cap)
{
    if (!gw_trace_order(t)) {
        (void)snprintf(why, why_cap, "out of memory");
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

gw_trace *gw_trace_load(const char *path, const gw_trace_wish *wish, char *why, size_t why_cap)
{
    loader l = {.sink = {.finding = on_finding, .relation = on_relation},
                .wish = wish,
                .label = GW_TRACE_NONE};
    if (strcmp(path, "-") == 0) {
        (void)snprintf(why, why_cap, "a trace is read twice: give a file, not standard input");
        return NULL;
    }
    l.trace = calloc(1, sizeof(*l.trace));
    l.selection = malloc(sizeof(*l.selection));
    l.judge = gw_judge_new();
    l.votes = calloc(GW_TRACE_MAX_LINES, sizeof(*l.votes));
    l.slots = calloc(SLOTS, sizeof(*l.slots));
    bool ok = l.trace != NULL && l.selection != NULL && l.judge != NULL && l.votes != NULL &&
              l.slots != NULL;
    if (ok) {
        (void)snprintf(l.trace->path, sizeof(l.trace->path), "%s", path);
        l.trace->lines = calloc(GW_TRACE_MAX_LINES, sizeof(*l.trace->lines));
        l.trace->labels = calloc(GW_TRACE_MAX_LABELS, sizeof(*l.trace->labels));
        ok = l.trace->lines != NULL && l.trace->labels != NULL;
    }
    if (!ok)
        (void)snprintf(why, why_cap, "out of memory");
    ok = ok && read_twice(&l, path, why, why_cap) &&
         gw_trace_settle(l.trace, l.votes, wish, why, why_cap) && finish(l.trace, why, why_cap);
    free(l.slots);
    free(l.votes);
    gw_judge_free(l.judge);
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

gw_message gw_trace_message(const gw_trace *trace, uint32_t step)
{
    static const gw_ib damaged = {.icrc_verdict = GW_IB_WRONG};
    const gw_trace_step *s = &trace->steps[step];
    const gw_trace_line *line = &trace->lines[s->line];
    gw_message m = gw_message_of(trace->bytes + s->at, s->cap_len);
    m.len = s->len;
    m.time_ns = s->time_ns;
    m.frame = s->frame;
    m.src = line->ends[s->ours ? 0 : 1];
    m.dst = line->ends[s->ours ? 1 : 0];
    m.transport = line->is_stream ? GW_OVER_TCP : GW_OVER_UDP;
    m.stream = line->stream;
    m.part = s->part;
    m.part_arg = s->part_arg;
    m.ib = s->damaged ? &damaged : NULL;
    return m;
}

const char *gw_trace_label(const gw_trace *trace, uint32_t step)
{
    uint32_t label = trace->steps[step].label;
    return label == GW_TRACE_NONE ? "" : trace->labels[label];
}
