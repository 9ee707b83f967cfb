/* SPDX-License-Identifier: BSD-2-Clause */
/* From messages to the steps of a trace: on which line, from which end, and which answers which. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/ib.h"
#include "replay/format.h"
#include "replay/trace_loader.h"

void gw_trace_refuse(gw_trace_loader *l, uint64_t frame, const char *fmt, ...)
{
    va_list args;
    if (l->stop[0] != '\0')
        return;
    l->stop_frame = frame;
    va_start(args, fmt);
    (void)vsnprintf(l->stop, sizeof(l->stop), fmt, args);
    va_end(args);
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

static bool is_line(const gw_trace_loader *l, const gw_trace_line *line, const gw_format *format,
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
static uint32_t line_of(gw_trace_loader *l, const gw_found *found, const gw_message *m,
                        const gw_endpoint ends[2])
{
    gw_trace *t = l->trace;
    bool stream = m->transport == GW_OVER_TCP;
    uint32_t slot =
        (hash_end(&ends[0]) + hash_end(&ends[1]) + (stream ? m->stream : l->call)) % GW_TRACE_SLOTS;

    for (; l->slots[slot] != 0; slot = (slot + 1) % GW_TRACE_SLOTS) {
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
                                             .frame = m->frame,
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

static gw_trace_step *add_step(gw_trace_loader *l, const gw_message *m)
{
    gw_trace *t = l->trace;
    size_t cap_steps = t->cap_steps;
    if (t->num_steps == GW_TRACE_MAX_STEPS || m->cap_len > GW_TRACE_MAX_BYTES - t->num_bytes) {
        gw_trace_refuse(
            l, m->frame,
            "the trace is longer than a replay takes (64 MiB, a million messages): cut it with "
            "editcap -r");
        return NULL;
    }
    if (!grow((void **)&t->steps, &cap_steps, t->num_steps + 1, sizeof(*t->steps), 256) ||
        !grow((void **)&t->bytes, &t->cap_bytes, t->num_bytes + m->cap_len, 1, 65536)) {
        gw_trace_refuse(l, m->frame, "out of memory: cut the trace with editcap -r");
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

/* Relations of the newest message come while it is fed. */
void gw_trace_relate(gw_verdict_sink *sink, const gw_relation *r)
{
    gw_trace_loader *l = (gw_trace_loader *)sink;
    gw_trace *t = l->trace;
    gw_trace_step *answer = &t->steps[t->num_steps - 1];
    if (r->kind != GW_ANSWERS || r->response != answer->frame)
        return;
    uint32_t request = step_of_frame(t, r->request, answer->line, !answer->ours);
    if (request == GW_TRACE_NONE || request + 1 == t->num_steps)
        return;
    const gw_replay_format *row = gw_replay_format_of(t->lines[answer->line].format);
    if (row->asked_by != NULL)
        request = row->asked_by(t, request, t->num_steps - 1);
    answer->answers = request;
    t->steps[request].related = true;
    l->votes[answer->line].answered[answer->ours ? 0 : 1]++;
}

#define FURTHEST 256 /* steps from a request to an answer that order alone ties to it */

/* What |answer|, which repeats nothing, answers: the oldest request that may have caused it and
 * came after what was answered last, or, where a path has changed the order, before that. */
static uint32_t asked_in_order(const gw_trace *t, const gw_replay_format *row, uint32_t answer)
{
    const gw_trace_step *a = &t->steps[answer];
    gw_message given = gw_trace_message(t, answer);
    uint32_t found = GW_TRACE_NONE;
    for (uint32_t i = answer; i > 0 && answer - i < FURTHEST; i--) {
        const gw_trace_step *s = &t->steps[i - 1];
        if (s->label != a->label || (s->related && found != GW_TRACE_NONE && s->line == a->line))
            break;
        if (s->line != a->line || !s->ours || s->related)
            continue;
        gw_message asked = gw_trace_message(t, i - 1);
        if (row->may_answer(&asked, &given, t->lines[a->line].dialect))
            found = i - 1;
    }
    return found;
}

void gw_trace_pair(gw_trace *t, const gw_board *role)
{
    for (uint32_t i = 0; i < t->num_steps; i++) {
        gw_trace_step *s = &t->steps[i];
        const gw_trace_line *line = &t->lines[s->line];
        const gw_replay_format *row = gw_replay_format_of(line->format);
        bool calls_us = role->calls_us && line->format == role->format;
        if (s->ours || s->answers != GW_TRACE_NONE || line->foreign || calls_us ||
            row->may_answer == NULL)
            continue;
        s->answers = asked_in_order(t, row, i);
        if (s->answers != GW_TRACE_NONE)
            t->steps[s->answers].related = true;
    }
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

static void vote(gw_trace_loader *l, const gw_trace_step *s, const gw_message *m)
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

/* The registers of a board with another format are reached on whatever port. */
static void scout(gw_trace_loader *l, const gw_found *found)
{
    const gw_message *m = found->message;
    if (found->format != gw_register_format || m->transport != GW_OVER_UDP)
        return;
    for (size_t i = 0; i < gw_num_formats; i++) {
        if (gw_formats[i] != gw_register_format)
            continue;
        l->selection->udp[m->src.port] = (uint8_t)(i + 1);
        l->selection->udp[m->dst.port] = (uint8_t)(i + 1);
    }
}

static void ignore(gw_sink *sink, const gw_item *item)
{
    (void)sink;
    (void)item;
}

/* Whether |line| has something that the format knows to its end is found out once. */
static void look_at(gw_trace_loader *l, gw_trace_line *line, const gw_found *found,
                    const gw_message *m)
{
    gw_sink nobody = {.item = ignore};
    if (line->readable)
        return;
    gw_error error = found->format->walk(m, found->dialect, &nobody);
    line->readable = error.kind == GW_OK || error.capture_cut;
    if (line->readable || l->first_frame != 0)
        return;
    l->first = error;
    l->first_frame = m->frame;
}

/* Keeps |found|, whose message is |m| as a transport carries it. */
static void take(gw_trace_loader *l, const gw_found *found, const gw_message *m)
{
    bool packet = found->format->infiniband && m->ib != NULL;
    if (found->lost_before > 0 || found->start_missing) {
        gw_trace_refuse(l, m->frame, "bytes of this TCP connection are missing from the trace");
        return;
    }
    gw_endpoint ends[2];
    ends_of(ends, found->format, m);
    uint32_t line = line_of(l, found, m, ends);
    if (line == GW_TRACE_NONE) {
        gw_trace_refuse(l, m->frame, "more than 4096 connections and pairs of ports");
        return;
    }
    gw_trace_step *s = add_step(l, m);
    if (s == NULL)
        return;
    gw_transaction t = gw_format_transaction(found->format, found->dialect, m, NULL, NULL);
    s->line = line;
    s->ours = gw_endpoint_equal(&ends[0], &l->trace->lines[line].ends[0]);
    s->damaged = packet && m->ib->icrc_verdict == GW_IB_WRONG;
    s->flaw = s->damaged ? m->ib->icrc ^ m->ib->icrc_due : 0;
    s->kind = t.kind;
    s->asks = t.asks;
    s->changes = t.changes || t.opaque;
    s->unsolicited = t.unsolicited;
    s->stoppable = t.stoppable;
    s->opens = t.opens;
    look_at(l, &l->trace->lines[line], found, m);
    vote(l, s, m);
    gw_sessions_feed(l->sessions, found, &l->sink);
}

void gw_trace_take(void *ctx, const gw_found *found)
{
    gw_trace_loader *l = ctx;
    const gw_message *m = found->message;
    if (l->stop[0] != '\0')
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
        gw_trace_refuse(l, m->frame, "%s", why);
        return;
    }
    l->sequence += l->carried.dir == GW_DIR_IN;
    take(l, found, &l->carried.message);
}
