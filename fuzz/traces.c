/* SPDX-License-Identifier: BSD-2-Clause */
/* Recorded sessions, there and back: what clients and a board in memory say to each other becomes a
 * capture, that JSON, that a capture again, and one of the two is replayed to such a board. Input:
 * one byte (which board), one (how: bit 7, links that may be streams are; bit 6, what comes of the
 * JSON is replayed; bit 5, twice; bits 0 and 1, at which pace) and one (which of its mutants is
 * recorded; 0, the good board), then pieces as those of `boards`.
 *
 * Oracles: a message's JSON gives its bytes; the second capture gives the messages of the first; no
 * connection begins in its middle; a trace is replayed or refused with a reason; a verdict other
 * than PASS says why; a replay comes out the same when it is repeated. */
#include "crash/sequences.h"
#include "device/dut.h"
#include "evidence/evidence.h"
#include "file.h"
#include "formats/builtin.h"
#include "goldwire/etherbone.h"
#include "inspect/assemble.h"
#include "inspect/describe/describe.h"
#include "inspect/framer.h"
#include "inspect/pipeline.h"
#include "replay/replay.h"
#include "run/run.h"
#include "said.h"

enum {
    HEAD = 3,
    PIECES = 32,
    CLIENTS = 2, /* on a link */
    PACKETS = 192,
    BYTES = 16384, /* that are kept: in JSON each is a hundred */
    LINE = 4 << 20,
    CONNECT_MS = 500,
};

/* One connection. */
typedef struct client {
    gw_transport *t;
    uint16_t number;
    uint8_t link;
} client;

/* A session, and who is spoken to. */
typedef struct session {
    const gw_board *board;
    gw_target *target;
    client clients[GW_TARGET_LINKS * CLIENTS];
    gw_evidence evidence;
    uint16_t opened;
} session;

/* A capture in memory. */
typedef struct file {
    char *bytes;
    size_t len;
} file;

/* A message as a digest, and whose it is: a connection's ends in their order. */
typedef struct digested {
    uint64_t way;
    size_t place; /* among all */
    uint64_t digest;
} digested;

/* What a capture gave. */
typedef struct heard {
    digested messages[PACKETS * 4];
    size_t num;
} heard;

/* From one capture to the other. */
typedef struct rewriting {
    heard *heard;
    uint64_t begun[2]; /* the first TCP connections, a bit each: which said something each way */
    gw_framer *framer; /* NULL: it is only read */
    gw_account account;
} rewriting;

/* ---- a session ---- */

static bool is_full(const session *s)
{
    return s->evidence.num_packets >= PACKETS || s->evidence.num_bytes >= BYTES;
}

static void keep(session *s, const client *c, gw_evidence_kind kind, gw_direction dir,
                 const uint8_t *data, size_t len)
{
    const gw_target_link *link = &s->target->links[c->link];
    const gw_format *format = gw_board_link_format(s->board, c->link);
    const bool regs = strcmp(link->name, "regs") == 0;
    gw_evidence_packet packet = {.time_ns = GW_VIRTUAL_EPOCH_NS + c->t->ops->now(c->t),
                                 .local = c->t->local,
                                 .remote = c->t->remote,
                                 .len = (uint32_t)len,
                                 .line = c->number,
                                 .dir = (uint8_t)dir,
                                 .kind = (uint8_t)kind,
                                 .stream = c->t->stream,
                                 .link = link->name,
                                 .regs = regs,
                                 .style = regs ? NULL : format->ip_style};

    if (dir == GW_DIR_OUT)
        packet.remote.port = gw_transport_answer_port(c->t);
    if (!is_full(s))
        (void)gw_evidence_add(&s->evidence, &packet, data);
}

static void hear_all(session *s)
{
    static uint8_t bytes[65536];

    for (size_t i = 0; i < GW_ARRAY_LEN(s->clients); i++) {
        client *c = &s->clients[i];
        size_t len = 0;
        while (c->t != NULL && !is_full(s) &&
               c->t->ops->recv(c->t, bytes, sizeof bytes, &len, c->t->ops->now(c->t), NULL, NULL) ==
                   GW_RECV_DATA)
            keep(s, c, GW_EVIDENCE_BYTES, GW_DIR_IN, bytes, len);
    }
}

static void leave(session *s, client *c)
{
    if (c->t != NULL && c->t->stream)
        keep(s, c, GW_EVIDENCE_CLOSE, GW_DIR_OUT, NULL, 0);
    if (c->t != NULL)
        gw_transport_close(c->t);
    *c = (client){0};
}

static void come(session *s, client *c, unsigned link)
{
    bool unreachable = false;
    char why[256] = "";

    if (c->t != NULL || !s->target->links[link].present)
        return;
    c->t = s->target->open(s->target, link, CONNECT_MS * INT64_C(1000000), &unreachable, why,
                           sizeof why);
    c->link = (uint8_t)link;
    c->number = s->opened++;
    if (c->t != NULL && c->t->stream)
        keep(s, c, GW_EVIDENCE_OPEN, s->board->calls_us ? GW_DIR_IN : GW_DIR_OUT, NULL, 0);
}

static void say(session *s, client *c, gw_cursor piece)
{
    size_t len;
    uint8_t *bytes = gw_fuzz_said(s->board, c->link, c->t, piece, &len);

    keep(s, c, GW_EVIDENCE_BYTES, GW_DIR_OUT, bytes, len);
    (void)c->t->ops->send(c->t, bytes, len);
    gw_fuzz_take_back(bytes);
}

static void take(session *s, uint8_t choice, gw_cursor piece)
{
    gw_said said = gw_said_of(choice);
    unsigned link = said.link % s->target->num_links;
    client *c = &s->clients[link * CLIENTS + said.client];

    if (s->board->calls_us) { /* there is one party that it calls */
        link = 0;
        c = &s->clients[0];
    }
    come(s, c, link);
    if (c->t == NULL)
        return;
    c->t->ops->wait(c->t, c->t->ops->now(c->t) + said.delay_ns);
    hear_all(s);
    if (c->t == NULL)
        return;
    say(s, c, piece);
    c->t->ops->wait(c->t, c->t->ops->now(c->t) + INT64_C(1000000));
    hear_all(s);
    if (said.ends)
        leave(s, c);
}

static gw_dut *start(const gw_board *board, const gw_mutant *mutant, bool streams)
{
    char why[256] = "";
    gw_carriage carriage = streams && gw_board_may_stream(board) ? GW_CARRY_TCP : GW_CARRY_UDP;
    gw_dut *dut = gw_dut_in_memory(board, mutant, carriage, why, sizeof why);

    gw_fuzz_check(dut != NULL, why);
    return dut;
}

/* Returns the session's capture. */
static file record(const uint8_t *head, gw_cursor c)
{
    static session s;
    const unsigned most = gw_fuzz_most(PIECES);
    const gw_evidence kept = s.evidence;
    const gw_board *board = gw_boards[head[0] % gw_num_boards];
    size_t number = head[2] % (board->num_mutants + 1);
    gw_dut *dut = start(board, number > 0 ? &board->mutants[number - 1] : NULL, head[1] >> 7);
    gw_text title = {0};
    char title_bytes[2048];
    file out = {0};
    gw_cursor piece;
    uint8_t choice;

    s = (session){.board = board, .target = gw_dut_target(dut), .evidence = kept};
    gw_evidence_clear(&s.evidence);
    s.evidence.board = (gw_announcement){.format = board->format,
                                         .caller = board->calls_us ? GW_DIR_IN : GW_DIR_OUT,
                                         .tunnel = gw_suite_by_role(board->role)->tunnels};
    snprintf(s.evidence.board.role, sizeof s.evidence.board.role, "%s", board->role);
    for (unsigned i = 0; i < most && gw_fuzz_piece(&c, &choice, &piece); i++)
        take(&s, choice, piece);
    for (size_t i = 0; i < GW_ARRAY_LEN(s.clients); i++)
        leave(&s, &s.clients[i]);
    gw_dut_close(dut);

    title = gw_text_over(title_bytes, sizeof title_bytes);
    gw_text_str(&title, "case fuzz/session\nrole ");
    gw_text_str(&title, board->role);
    gw_recorded_tell(&title, gw_builtin_board(board->role));
    FILE *stream = open_memstream(&out.bytes, &out.len);
    gw_fuzz_check(stream != NULL && gw_evidence_write(&s.evidence, stream, title_bytes) &&
                      fclose(stream) == 0,
                  "the session is not written");
    return out;
}

/* ---- by way of JSON ---- */

static void mix(uint64_t *digest, const void *data, size_t len)
{
    for (const uint8_t *p = data; len > 0; p++, len--)
        *digest = (*digest ^ *p) * UINT64_C(0x100000001b3);
}

static uint64_t way_of(const gw_message *m)
{
    uint64_t way = m->transport;

    mix(&way, m->src.ip, sizeof m->src.ip);
    mix(&way, &m->src.port, sizeof m->src.port);
    mix(&way, m->dst.ip, sizeof m->dst.ip);
    mix(&way, &m->dst.port, sizeof m->dst.port);
    return way;
}

/* What a message is, and when it came, unless it breaks off in a stream, which is known only by
 * what follows: that may come with it or later. */
static uint64_t digest_of(const gw_found *found)
{
    const gw_message *m = found->message;
    const bool ends =
        m->transport != GW_OVER_TCP || found->format->walk(m, found->dialect, NULL).kind == GW_OK;
    uint64_t digest = m->len;

    mix(&digest, found->format->name, strlen(found->format->name));
    mix(&digest, m->data, m->cap_len);
    if (ends)
        mix(&digest, &m->time_ns, sizeof m->time_ns);
    return digest;
}

static void note_message(heard *h, const gw_found *found)
{
    h->messages[h->num] = (digested){way_of(found->message), h->num, digest_of(found)};
    h->num++;
}

static int by_way(const void *a, const void *b)
{
    const digested *x = a, *y = b;

    if (x->way != y->way)
        return x->way < y->way ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Whether |a| and |b| are the same messages, each end's in their order. One that breaks off may
 * come before what the other end said, or behind it. */
static bool same(heard *a, heard *b)
{
    qsort(a->messages, a->num, sizeof *a->messages, by_way);
    qsort(b->messages, b->num, sizeof *b->messages, by_way);
    for (size_t i = 0; i < a->num; i++) {
        if (a->messages[i].way != b->messages[i].way ||
            a->messages[i].digest != b->messages[i].digest)
            return false;
    }
    return true;
}

static void note(void *ctx, uint64_t frame, const char *text)
{
    (void)ctx;
    (void)frame;
    (void)text;
}

/* Puts the message that |text| describes into the capture. */
static void encode(gw_framer *framer, const gw_message *m, const char *text)
{
    static gw_assembled a;
    char why[512] = "";
    json_error_t error;
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, &error);

    gw_fuzz_check(object != NULL, "what was described is no JSON");
    gw_fuzz_check(gw_assemble(&a, object, NULL, why, sizeof why), why);
    gw_fuzz_check(a.message.cap_len == m->cap_len && a.message.len == m->len &&
                      (m->cap_len == 0 || memcmp(a.message.data, m->data, m->cap_len) == 0),
                  "a described message has other bytes");
    json_decref(object);
    gw_framer_result result = gw_framer_add(framer, &a, why, sizeof why);
    gw_fuzz_check(result == GW_FRAMER_OK, "a described message is not written");
}

/* A connection whose start was captured begins with a header, or with what nobody can place. */
static void check_beginning(rewriting *r, const gw_found *found)
{
    const gw_message *m = found->message;

    if (m->transport != GW_OVER_TCP || found->format != &gw_etherbone || found->start_missing ||
        m->stream >= 64)
        return;
    const uint64_t bit = UINT64_C(1) << m->stream;
    gw_fuzz_check((r->begun[found->tcp_dir] & bit) != 0 || m->part != GW_EB_RECORD,
                  "a connection begins in the middle");
    r->begun[found->tcp_dir] |= bit;
}

static void on_found(void *ctx, const gw_found *found)
{
    static char text[LINE];
    rewriting *r = ctx;
    gw_json json;

    if (r->heard->num < GW_ARRAY_LEN(r->heard->messages))
        note_message(r->heard, found);
    check_beginning(r, found);
    if (r->framer == NULL)
        return;
    FILE *out = fmemopen(text, sizeof text, "w");
    gw_fuzz_check(out != NULL, "no file in memory");
    gw_json_init(&json, out);
    gw_account_open(&r->account, found);
    gw_fuzz_check(gw_describe_object(&json, "fuzz", found, &r->account), "no memory");
    gw_account_close(&r->account);
    gw_fuzz_check(fclose(out) == 0, "the description does not fit");
    encode(r->framer, found->message, text);
}

static void read_messages(const file *in, rewriting *r)
{
    static gw_selection selection;
    char why[256] = "";
    gw_frame frame;

    r->begun[0] = r->begun[1] = 0;
    gw_selection_init(&selection);
    gw_account_init(&r->account, note, NULL);
    gw_capture *capture =
        gw_capture_open(gw_fuzz_path((const uint8_t *)in->bytes, in->len), why, sizeof why);
    gw_pipeline *pipeline = gw_pipeline_new(&selection, on_found, note, r);
    gw_fuzz_check(capture != NULL && pipeline != NULL, why);
    while (gw_capture_next(capture, &frame) == GW_CAPTURE_FRAME)
        gw_pipeline_frame(pipeline, &frame);
    gw_fuzz_check(gw_capture_error(capture)[0] == '\0', "the capture that was written is broken");
    gw_pipeline_end(pipeline);
    gw_pipeline_free(pipeline);
    gw_capture_close(capture);
}

/* Returns what comes of the messages of |in| by way of JSON. */
static file rewrite(const file *in)
{
    static heard first, second;
    static rewriting r;
    file out = {0};
    FILE *stream = open_memstream(&out.bytes, &out.len);
    gw_pcapng_writer *writer = stream != NULL ? gw_pcapng_create(stream, "fuzz") : NULL;

    first.num = second.num = 0;
    gw_fuzz_check(writer != NULL, "no writer");
    r.heard = &first;
    r.framer = gw_framer_new(writer);
    gw_fuzz_check(r.framer != NULL, "no framer");
    read_messages(in, &r);
    gw_fuzz_check(gw_framer_end(r.framer) == GW_FRAMER_OK, "connections do not close");
    gw_framer_free(r.framer);
    gw_fuzz_check(gw_pcapng_close(writer) && fclose(stream) == 0, "the capture is not written");
    if (first.num == 0)
        return out;
    r.heard = &second;
    r.framer = NULL;
    read_messages(&out, &r);
    gw_fuzz_check(first.num == second.num, "another number of messages than was written");
    gw_fuzz_check(same(&first, &second), "other messages than were written");
    return out;
}

/* ---- a replay ---- */

/* Whether the trace can be said over the links that |target| has. */
static bool fits(const gw_trace *trace, const gw_target *target)
{
    for (uint32_t i = 0; i < trace->num_lines; i++) {
        const gw_target_link *link = &target->links[trace->lines[i].link];
        if (!link->present || link->stream != trace->lines[i].is_stream)
            return false;
    }
    return true;
}

static gw_result play(const gw_board *board, gw_target *target, gw_replay *replay)
{
    const gw_case *one = gw_replay_case(replay);
    const gw_run_setup setup = {.suite = gw_suite_by_role(board->role),
                                .board = gw_builtin_board(board->role),
                                .target = target,
                                .cases = &one,
                                .num_cases = 1,
                                .seed = 1};
    char why[512] = "";
    gw_run run;

    gw_fuzz_check(gw_run_cases(&run, &setup, why, sizeof why), why);
    gw_result result = run.results[0];
    gw_run_free(&run);
    return result;
}

/* The trace to play, or NULL when it is refused. */
static gw_trace *load(const file *in, const gw_board *board, const gw_target *target,
                      gw_replay_mode mode)
{
    const gw_trace_wish wish = {.role = board};
    char why[512] = "";
    gw_trace *trace =
        gw_trace_load(gw_fuzz_path((const uint8_t *)in->bytes, in->len), &wish, why, sizeof why);

    gw_fuzz_check(trace != NULL || why[0] != '\0', "refused without a reason");
    if (trace != NULL &&
        (!fits(trace, target) ||
         !gw_trace_fit(trace, board, gw_builtin_board(board->role), false, why, sizeof why) ||
         !gw_replay_mode_fits(trace, board, mode, why, sizeof why))) {
        gw_trace_free(trace);
        trace = NULL;
    }
    return trace;
}

/* Replays |in| to a board that begins anew; returns a digest of what became of it, 0 when it is
 * refused. */
static uint64_t replay(const uint8_t *head, const file *in)
{
    const gw_board *board = gw_boards[head[0] % gw_num_boards];
    const gw_replay_options options = {.mode = (gw_replay_mode)((head[1] & 3) % 3)};
    gw_dut *dut = start(board, NULL, head[1] >> 7);
    gw_trace *trace = load(in, board, gw_dut_target(dut), options.mode);
    uint64_t digest = 0;

    if (trace != NULL) {
        gw_replay *r = gw_replay_new(trace, &options);
        gw_fuzz_check(r != NULL, "no memory");
        gw_result result = play(board, gw_dut_target(dut), r);
        const gw_replay_report *report = gw_replay_outcome(r);
        gw_fuzz_check(result.verdict == GW_PASS || result.text[0] != '\0', "nobody says why");
        gw_fuzz_read(report->sent > 0);
        digest = 1 + (uint64_t)result.verdict;
        mix(&digest, result.text, strlen(result.text));
        mix(&digest, &report->sent, sizeof report->sent);
        mix(&digest, &report->came, sizeof report->came);
        gw_replay_free(r);
    }
    gw_dut_close(dut);
    return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gw_cursor c = gw_cursor_over(data, size);

    if (size > 32768 || !gw_cursor_skip(&c, HEAD))
        return 0;
    file recorded = record(data, c);
    file rewritten = rewrite(&recorded);
    const file *trace = (data[1] & 0x40) != 0 && rewritten.len > 0 ? &rewritten : &recorded;
    uint64_t became = replay(data, trace);
    gw_fuzz_check((data[1] & 0x20) == 0 || replay(data, trace) == became,
                  "a replay goes otherwise when it is repeated");
    free(recorded.bytes);
    free(rewritten.bytes);
    return 0;
}
