/* SPDX-License-Identifier: BSD-2-Clause */
/* Sessions with any software board, in memory and virtual time: several clients on each of its
 * links, who come and go. Input: one byte (which board) and one (its dialect; bit 7: links that may
 * be streams are, bit 6: all of it once more), then pieces (fuzz.h), something said each, whose
 * choice (crash/sequences.h) says by whom, how much time passes before it, and whether its
 * connection ends behind it.
 *
 * Oracles: what a board of the first dialect says breaks no rule by itself, and is blamed by no
 * session that can tell, until its registers are written, nor is what it does not say, as long as
 * all stay to hear it; it talks no more than a bounded while, even when it is left alone; it says
 * the same when all is said to it again. */
#include "boards/mem.h"
#include "crash/sequences.h"
#include "goldwire/etherbone.h"
#include "goldwire/ib.h"
#include "goldwire/ims.h"
#include "goldwire/l1farm.h"
#include "goldwire/op2p.h"
#include "goldwire/textarossa.h"
#include "run/case.h"
#include "said.h"

enum {
    CLIENTS = 2,         /* on a link */
    PIECES = 64,         /* of an input */
    MESSAGES = 1 << 16,  /* in a session */
    MUCH = 8192,         /* that may come of one piece */
    SESSION = 64 * 1024, /* bytes of what judges a session, unless it needs more */
    LEAVE_ALONE = 30,    /* seconds, in the end */
};

#define SECOND INT64_C(1000000000)

/* One connection. */
typedef struct client {
    gw_transport *t;
    uint64_t *cut; /* state of what cuts a stream; NULL: there is none */
    uint32_t number;
    uint8_t link;
} client;

typedef struct session {
    gw_fuzz_judge judge; /* first: it is a sink */
    const gw_board *board;
    const gw_dialect *dialect;
    gw_mem *mem;
    client clients[GW_PEER_MAX_LINKS][CLIENTS];
    uint64_t *state; /* of the format's session; NULL: it has none */
    uint8_t from_board[MESSAGES];
    uint64_t digest; /* of what the board said */
    uint32_t opened;
    unsigned came;   /* since the last piece */
    bool in_session; /* it is the session that judges */
    bool departs;    /* its dialect is another than the document's */
    bool set_up;     /* its registers were written: it does as it was told */
    bool left;       /* by a client, who does not hear what it is answered any more */
} session;

/* ---- judging ---- */

/* Whether |rule| is one that the board has to keep, whoever is at the other side. A switch and a
 * decision unit pass on what others said; a Worker need not send again what a buffer refused and
 * acknowledged then. */
static bool owes(const gw_board *board, const gw_rule *rule)
{
    const char *const *family = gw_suite_by_role(board->role)->families;

    while (*family != NULL && strncmp(rule->id, *family, strlen(*family)) != 0)
        family++;
    if (*family == NULL)
        return false;
    if (board->format == &gw_textarossa)
        return strncmp(rule->id, "TX-L", 4) == 0 && strcmp(rule->id, "TX-L6") != 0;
    return strcmp(rule->id, "L1-R02") != 0 && strcmp(rule->id, "IMS-W14") != 0;
}

/* Whether sessions of |format| tell a good board from what its other side brought about. Those of
 * the farm do not yet, where that side lists or uses a buffer as it likes. */
static bool sessions_tell(const gw_format *format)
{
    return format == &gw_etherbone || format == &gw_ims || format == &gw_op2p;
}

static void blame(const session *s, const gw_finding *f)
{
    if (f->rule->level != GW_MUST || s->departs || s->set_up || !owes(s->board, f->rule) ||
        (s->in_session && !sessions_tell(s->board->format)))
        return;
    fprintf(stderr, "%s: %s: %s\n", s->board->role, f->rule->id, f->text);
    gw_fuzz_check(0, "a good board is blamed");
}

/* Whether |f| says that nothing came of what the other side said. */
static bool is_of_silence(const gw_finding *f)
{
    bool ours = strncmp(f->rule->id, "EB-S", 4) == 0 || strncmp(f->rule->id, "IMS-B", 5) == 0;
    return ours && f->revealed_by > f->frame;
}

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    const session *s = (const session *)sink;

    gw_fuzz_finding(sink, f);
    if (s->from_board[f->frame % MESSAGES] || (is_of_silence(f) && !s->left))
        blame(s, f);
}

/* One message of either side, whole. */
static void on_message(void *ctx, const gw_message *message)
{
    session *s = ctx;
    const gw_format *format = s->board->format;
    gw_message m = *message;
    gw_ib ib;

    if (m.transport == GW_OVER_UDP && format == &gw_ims && !gw_ib_open_udp(&ib, &m))
        return;
    if (m.transport == GW_OVER_UDP && format == &gw_ims)
        m.ib = &ib;
    if (s->from_board[m.frame % MESSAGES])
        format->check(&m, s->dialect, &s->judge.sink);
    s->in_session = true;
    if (s->state != NULL)
        format->session->feed(s->state, &m, s->dialect, &s->judge.sink);
    s->in_session = false;
}

/* Bytes that |c| said (|dir| 0) or got (1). */
static void judge(session *s, const client *c, unsigned dir, const uint8_t *data, size_t len)
{
    gw_message m = gw_message_of(data, len);

    if (gw_board_link_format(s->board, c->link) != s->board->format)
        return; /* registers, whose slave has targets of its own */
    m.frame = m.frames[0] = ++s->judge.frames;
    m.num_frames = 1;
    m.time_ns = GW_VIRTUAL_EPOCH_NS + c->t->ops->now(c->t);
    m.stream = c->number;
    m.interface = c->link;
    m.transport = c->t->stream ? GW_OVER_TCP : GW_OVER_UDP;
    m.src = dir == 0 ? c->t->local : c->t->remote;
    m.dst = dir == 0 ? c->t->remote : c->t->local;
    m.dir = dir == 0 ? GW_DIR_IN : GW_DIR_OUT;
    m.side = (dir == 0) != s->board->calls_us ? GW_SIDE_CALLER : GW_SIDE_CALLED;
    s->from_board[m.frame % MESSAGES] = dir == 1;
    if (c->cut != NULL)
        s->board->format->stream->push(c->cut, dir, &m, on_message, s);
    else if (!c->t->stream)
        on_message(s, &m);
}

/* ---- saying and hearing ---- */

/* Takes what has come for |c|. */
static void hear(session *s, client *c)
{
    static uint8_t bytes[65536];
    size_t len = 0;

    while (c->t != NULL && c->t->ops->recv(c->t, bytes, sizeof bytes, &len, c->t->ops->now(c->t),
                                           NULL, NULL) == GW_RECV_DATA) {
        gw_fuzz_check(++s->came <= MUCH, "talks without end");
        s->digest = (s->digest ^ (uint64_t)c->t->ops->now(c->t)) * UINT64_C(0x100000001b3);
        for (size_t i = 0; i < len; i++)
            s->digest = (s->digest ^ bytes[i]) * UINT64_C(0x100000001b3);
        judge(s, c, 1, bytes, len);
    }
}

static void hear_all(session *s)
{
    for (unsigned link = 0; link < GW_PEER_MAX_LINKS; link++) {
        for (unsigned i = 0; i < CLIENTS; i++)
            hear(s, &s->clients[link][i]);
    }
}

static void leave(session *s, client *c)
{
    if (c->t == NULL)
        return;
    if (c->cut != NULL)
        s->board->format->stream->end(c->cut, on_message, s);
    gw_transport_close(c->t);
    free(c->cut);
    *c = (client){0};
    s->left = true;
}

static void come(session *s, client *c, unsigned link, bool streams)
{
    const gw_format *format = gw_board_link_format(s->board, link);
    bool stream = gw_board_link_streams(s->board, link, streams);
    char why[160] = "";

    if (c->t != NULL)
        return;
    c->t = gw_mem_connect(s->mem, link, stream, why, sizeof why);
    c->link = (uint8_t)link;
    c->number = s->opened++;
    if (c->t == NULL || !stream || format != s->board->format || format->stream == NULL)
        return;
    c->cut = calloc(1, format->stream->size);
    gw_fuzz_check(c->cut != NULL, "no memory");
    format->stream->init(c->cut, s->dialect);
}

static void say(session *s, client *c, gw_cursor piece)
{
    size_t len;
    uint8_t *bytes = gw_fuzz_said(s->board, c->link, c->t, piece, &len);

    s->set_up |= gw_board_link_format(s->board, c->link) != s->board->format;
    judge(s, c, 0, bytes, len);
    (void)c->t->ops->send(c->t, bytes, len);
    gw_fuzz_take_back(bytes);
}

static void pass(session *s, int64_t ns)
{
    for (unsigned link = 0; ns > 0 && link < GW_PEER_MAX_LINKS; link++) {
        for (unsigned i = 0; i < CLIENTS; i++) {
            gw_transport *t = s->clients[link][i].t;
            if (t == NULL)
                continue;
            t->ops->wait(t, t->ops->now(t) + ns);
            return;
        }
    }
}

static void take(session *s, uint8_t choice, bool streams, gw_cursor piece)
{
    gw_said said = gw_said_of(choice);
    unsigned link = said.link % gw_board_num_links(s->board);
    client *c = s->board->calls_us ? &s->clients[0][0] : &s->clients[link][said.client];

    s->came = 0;
    come(s, c, c == &s->clients[0][0] ? 0 : link, streams);
    if (c->t == NULL)
        return;
    pass(s, said.delay_ns);
    hear_all(s);
    say(s, c, piece);
    pass(s, 2 * GW_MEM_LATENCY_NS); /* what answers it does not cross what is said next */
    hear_all(s);
    if (said.ends)
        leave(s, c);
}

/* ---- a session ---- */

/* Memory for what judges sessions of |ops|. */
static void *room(const gw_session_ops *ops, size_t *cap)
{
    static uint64_t *states[16];
    size_t i = 0;

    while (gw_formats[i]->session != ops)
        i++;
    *cap = ops->min_size > SESSION ? ops->min_size : SESSION;
    gw_fuzz_check(i < GW_ARRAY_LEN(states), "more formats than there is room for");
    if (states[i] == NULL)
        states[i] = malloc(*cap);
    return states[i];
}

static void start(session *s, const uint8_t *head, const gw_peer_config *config)
{
    const gw_session_ops *ops = s->board->format->session;
    char why[160] = "";
    size_t cap = 0;

    s->mem = gw_mem_start(s->board, config, why, sizeof why);
    gw_fuzz_check(s->mem != NULL, why);
    s->judge.sink.finding = on_finding;
    s->judge.sink.relation = gw_fuzz_relation;
    s->dialect = config->dialect;
    s->departs = config->dialect != &s->board->format->dialects[0];
    if (ops != NULL) {
        s->state = room(ops, &cap);
        gw_fuzz_check(ops->init(s->state, cap, 5 * SECOND), "no session");
    }
    for (unsigned link = 0; link < gw_board_num_links(s->board); link++) {
        if (link == 0 || !s->board->calls_us)
            come(s, &s->clients[link][0], link, (head[1] & 0x80) != 0);
    }
}

/* What nobody waits for any more, and where the session ends. */
static void conclude(session *s)
{
    const gw_session_ops *ops = s->board->format->session;
    const bool was_read = gw_fuzz_was_read; /* what waited in vain is nothing that was */
    gw_transport *t = s->clients[0][0].t;

    if (s->state == NULL)
        return;
    s->in_session = true;
    if (t != NULL)
        ops->advance(s->state, GW_VIRTUAL_EPOCH_NS + t->ops->now(t), &s->judge.sink);
    ops->end(s->state, &s->judge.sink);
    s->in_session = false;
    gw_fuzz_was_read = was_read;
}

/* Returns a digest of what the board said. */
static uint64_t run(const uint8_t *head, gw_cursor c)
{
    static session s;
    const unsigned most = gw_fuzz_most(PIECES);
    gw_cursor piece;
    uint8_t choice;

    memset(&s, 0, sizeof s);
    s.board = gw_boards[head[0] % gw_num_boards];
    const gw_peer_config config = {.dialect = gw_fuzz_dialect(s.board->format, head[1] & 0x3f)};
    start(&s, head, &config);
    for (unsigned i = 0; i < most && gw_fuzz_piece(&c, &choice, &piece); i++)
        take(&s, choice, (head[1] & 0x80) != 0, piece);
    s.came = 0;
    pass(&s, LEAVE_ALONE * SECOND);
    hear_all(&s);
    conclude(&s);
    gw_fuzz_read(s.digest != 0);
    for (unsigned link = 0; link < GW_PEER_MAX_LINKS; link++) {
        for (unsigned i = 0; i < CLIENTS; i++)
            leave(&s, &s.clients[link][i]);
    }
    gw_mem_stop(s.mem);
    return s.digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gw_cursor c = gw_cursor_over(data, size);

    if (size > 32768 || !gw_cursor_skip(&c, 2))
        return 0;
    gw_fuzz_check(gw_fuzz_board_format(data[0]) == gw_boards[data[0] % gw_num_boards]->format,
                  "the boards are in another order than their formats");
    uint64_t said = run(data, c);
    gw_fuzz_check((data[1] & 0x40) == 0 || run(data, c) == said, "a board says something else");
    return 0;
}
