/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the evidence of a case twice: to see which messages the verdict is about, and to decode
 * these in the midst of their conversation. */
#include "report/decoded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/text.h"
#include "harness/capture.h"
#include "inspect/account.h"
#include "inspect/describe/describe.h"
#include "inspect/pipeline.h"
#include "inspect/sessions.h"

/* How many messages of the conversation are followed before the first one that is shown, and behind
 * the last: a board that sends thousands for each request shall not decide how long a report takes.
 */
#define AROUND 256

typedef struct reader {
    gw_decoded *out;
    const gw_result *result;
    gw_selection selection;
    gw_evidence_span decided; /* without a number when it is not known */
    gw_evidence_span asked;
    uint64_t place;            /* of the next message */
    uint64_t from, to;         /* the messages that are followed */
    gw_decoded_message before; /* the nearest so far, of those that are nothing else */
    gw_decoded_message after;
    gw_sessions *sessions;
    gw_account account;
} reader;

static bool within(const gw_evidence_span *span, uint64_t frame)
{
    return frame >= span->first && frame - span->first < span->num;
}

/* Whether the packet gave bytes to |m|. Of a message of very many frames only the first ones are
 * listed; between these and the last all that its sender sent on the connection is part of it. */
static bool gave_bytes(const gw_evidence_span *span, const gw_message *m)
{
    if (span->number == 0 || span->num == 0)
        return false;
    if (within(span, m->frame))
        return true;
    for (uint32_t i = 0; i < m->num_frames && i < GW_MESSAGE_FRAMES; i++)
        if (within(span, m->frames[i]))
            return true;
    return m->num_frames > GW_MESSAGE_FRAMES && m->transport == GW_OVER_TCP &&
           gw_endpoint_equal(&span->src, &m->src) && gw_endpoint_equal(&span->dst, &m->dst) &&
           span->first > m->frames[GW_MESSAGE_FRAMES - 1] && span->first < m->frame;
}

static gw_decoded_message message_at(const reader *r, const gw_message *m, unsigned as)
{
    return (gw_decoded_message){.as = as,
                                .place = r->place,
                                .first = m->num_frames > 0 ? m->frames[0] : m->frame,
                                .frame = m->frame};
}

static void add(reader *r, const gw_decoded_message *m)
{
    if (r->out->num < GW_DECODED_MAX)
        r->out->list[r->out->num++] = *m;
}

/* What stands next to the packets that matter, by the frames. */
static void look_around(reader *r, const gw_message *m)
{
    const gw_evidence_span *from = r->decided.num > 0 ? &r->decided : &r->asked;
    gw_decoded_message one = message_at(r, m, GW_DECODED_IS_BEFORE);
    if (from->num == 0)
        return;
    if (one.frame < from->first && one.frame >= r->before.frame)
        r->before = one;
    one.as = GW_DECODED_IS_AFTER;
    if (one.first >= from->first + from->num && (r->after.as == 0 || one.first < r->after.first))
        r->after = one;
}

static void choose(void *ctx, const gw_found *found)
{
    reader *r = ctx;
    gw_decoded *out = r->out;
    bool decided = gave_bytes(&r->decided, found->message);
    bool asked = gave_bytes(&r->asked, found->message);
    out->num_decided += decided;
    out->num_asked += asked;
    unsigned as = decided && out->num_decided <= GW_DECODED_DECIDED ? GW_DECODED_IS_DECIDED : 0;
    as |= asked && out->num_asked <= GW_DECODED_ASKED ? GW_DECODED_IS_ASKED : 0;
    gw_decoded_message one = message_at(r, found->message, as);
    if (as != 0)
        add(r, &one);
    else if (!decided && !asked)
        look_around(r, found->message);
    r->place++;
}

static gw_decoded_message *chosen(const reader *r)
{
    for (size_t i = 0; i < r->out->num; i++)
        if (r->out->list[i].place == r->place)
            return &r->out->list[i];
    return NULL;
}

/* The field that differs stands out in the one message that it can be in. */
static gw_describe_looks looks_of(const reader *r, const gw_decoded_message *m)
{
    gw_describe_looks looks = {.colours = true};
    if ((m->as & GW_DECODED_IS_DECIDED) != 0 && r->out->num_decided == 1) {
        looks.marked = r->result->field;
        looks.marked_at = r->result->offset;
    }
    return looks;
}

static void describe(reader *r, const gw_found *found, gw_decoded_message *m)
{
    gw_describe_looks looks = looks_of(r, m);
    size_t len = 0;
    FILE *file = open_memstream(&m->text, &len);
    if (file == NULL)
        return;
    gw_describe_tree(file, found, &r->account, &looks);
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) {
        free(m->text);
        m->text = NULL;
        return;
    }
    while (len > 0 && m->text[len - 1] == '\n')
        m->text[--len] = '\0';
}

static void follow(reader *r, const gw_found *found)
{
    gw_decoded_message *m = chosen(r);
    gw_account_open(&r->account, found);
    gw_sessions_feed(r->sessions, found, &r->account.sink);
    if (m != NULL)
        describe(r, found, m);
    gw_account_close(&r->account);
}

static void decode(void *ctx, const gw_found *found)
{
    reader *r = ctx;
    if (r->place >= r->from && r->place <= r->to)
        follow(r, found);
    r->place++;
}

/* What is told of a frame at another time than with its message: what only a later one shows, or
 * what is amiss below it. */
static void on_note(void *ctx, uint64_t frame, const char *text)
{
    reader *r = ctx;
    for (size_t i = 0; i < r->out->num; i++) {
        gw_decoded_message *m = &r->out->list[i];
        if (m->frame != frame)
            continue;
        gw_text_str(&m->more, m->more.len > 0 ? "\n" : "");
        gw_text_str(&m->more, text);
        return;
    }
}

static void fail(reader *r, const char *why)
{
    (void)snprintf(r->out->why, sizeof(r->out->why), "%s", why);
}

static void run_through(reader *r, gw_capture *capture, gw_pipeline *pipeline)
{
    gw_frame frame;
    gw_capture_status status;
    while ((status = gw_capture_next(capture, &frame)) == GW_CAPTURE_FRAME && r->place <= r->to)
        gw_pipeline_frame(pipeline, &frame);
    gw_pipeline_end(pipeline);
    if (status == GW_CAPTURE_BROKEN)
        fail(r, gw_capture_error(capture));
}

static void read_through(reader *r, const char *path, gw_found_fn found, gw_note_fn note)
{
    char why[sizeof(r->out->why)] = "";
    gw_capture *capture = gw_capture_open(path, why, sizeof(why));
    gw_pipeline *pipeline = gw_pipeline_new(&r->selection, found, note, r);
    r->place = 0;
    if (capture != NULL && pipeline != NULL)
        run_through(r, capture, pipeline);
    else
        fail(r, capture == NULL ? why : "out of memory");
    gw_pipeline_free(pipeline);
    gw_capture_close(capture);
}

static int by_frame(const void *a, const void *b)
{
    const gw_decoded_message *m = a;
    const gw_decoded_message *n = b;
    if (m->frame != n->frame)
        return m->frame < n->frame ? -1 : 1;
    return m->place < n->place ? -1 : m->place > n->place;
}

static void settle(reader *r)
{
    gw_decoded *out = r->out;
    if (r->before.as != 0)
        add(r, &r->before);
    if (r->after.as != 0)
        add(r, &r->after);
    r->from = UINT64_MAX;
    for (size_t i = 0; i < out->num; i++) {
        const uint64_t place = out->list[i].place;
        if (place < r->from)
            r->from = place;
        if (place > r->to)
            r->to = place;
    }
    r->from -= r->from < AROUND ? r->from : AROUND;
    r->to += AROUND;
    qsort(out->list, out->num, sizeof(out->list[0]), by_frame);
    for (size_t i = 0; i < out->num; i++)
        out->list[i].more = gw_text_over(out->list[i].more_text, sizeof(out->list[i].more_text));
}

static void read_twice(reader *r, const char *path)
{
    r->to = UINT64_MAX;
    read_through(r, path, choose, NULL);
    r->to = 0;
    settle(r);
    if (r->out->num == 0 || r->out->why[0] != '\0')
        return;
    gw_account_init(&r->account, on_note, r);
    r->sessions = gw_sessions_new();
    if (r->sessions == NULL) {
        fail(r, "out of memory");
        return;
    }
    read_through(r, path, decode, on_note);
    gw_sessions_end(r->sessions, &r->account.sink);
    gw_account_end(&r->account);
    gw_sessions_free(r->sessions);
}

void gw_decoded_read(gw_decoded *out, const char *path, const gw_result *result)
{
    memset(out, 0, sizeof(*out));
    reader *r = calloc(1, sizeof(*r));
    if (r == NULL) {
        (void)snprintf(out->why, sizeof(out->why), "out of memory");
        return;
    }
    r->out = out;
    r->result = result;
    if (!result->decided.doubtful)
        r->decided = result->decided;
    if (!result->decided.doubtful && !result->asked.doubtful)
        r->asked = result->asked;
    gw_selection_init(&r->selection);
    read_twice(r, path);
    free(r);
}

void gw_decoded_free(gw_decoded *decoded)
{
    for (size_t i = 0; i < decoded->num; i++)
        free(decoded->list[i].text);
    memset(decoded, 0, sizeof(*decoded));
}
