/* SPDX-License-Identifier: BSD-2-Clause */
/* Boards in memory. One clock for the board and all its clients; time moves only when somebody
 * sends or waits. */
#include "boards/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A board that asks for its timer again and again without letting time pass is given this much. */
#define LEAST_TIMER_NS 1000

/* Where the boards of a format without a port of its own are called: the dynamic range. */
#define DYNAMIC_PORT 50000

/* Later than any deadline anybody means, with room to add to it. */
#define FAR_FUTURE (INT64_MAX / 4)

/* What waits for a client: a run of items, each this header and its bytes. */
typedef struct item {
    int64_t arrival;
    size_t len;
} item;

typedef struct queue {
    uint8_t *bytes;
    size_t cap;
    size_t head; /* start of the oldest item */
    size_t used; /* bytes of the oldest item that a stream has handed out already */
    size_t tail;
} queue;

typedef struct client {
    gw_transport t;
    gw_mem *mem;
    uint32_t conn;
    uint8_t link;
    bool impaired; /* what it sends and gets goes over the path */
    bool gone;     /* closed by its user; the board does not know yet */
    bool closed;   /* by the board */
    bool closing;  /* and the board has not been told GW_PEER_CLOSE yet */
    bool lost;     /* the queue was full: a stream is broken by that */
    bool ended;    /* the board has sent the end of a stream, which is under way */
    uint64_t serial;
    int64_t behind[2]; /* when the last bytes of a stream are due, in each direction */
    queue in;
} client;

/* The directions of the path. */
enum { TO_BOARD, FROM_BOARD };

/* What is under way: for whom, or from whom. The end of a stream is one too. */
typedef struct note {
    uint64_t serial;
    uint32_t conn;
    bool end;
    bool other; /* from somebody whom the board has not called */
} note;

struct gw_mem {
    const gw_board *board;
    void *state;
    client *clients[GW_PEER_MAX_CONNS];
    int64_t now;
    int64_t timer; /* when the board wants GW_PEER_TIMER */
    unsigned refs;
    bool closing;   /* some client is */
    bool same_port; /* datagrams are answered to the board\'s own port only */
    uint64_t serial;
    bool impaired;
    uint32_t frame_links;
    gw_impair path[2];
    gw_peer_out out;
};

/* The out that a step gets is the member of its gw_mem. */
static gw_mem *mem_of(gw_peer_out *out)
{
    return (gw_mem *)(void *)((char *)out - offsetof(gw_mem, out));
}

/* ---- queues ---- */

static bool make_room(queue *q, size_t len)
{
    if (q->head > 0 && (q->head == q->tail || q->cap - q->tail < len)) {
        memmove(q->bytes, q->bytes + q->head, q->tail - q->head);
        q->tail -= q->head;
        q->head = 0;
    }
    if (q->cap - q->tail >= len)
        return true;
    size_t cap = q->cap == 0 ? 4096 : q->cap;
    while (cap - q->tail < len)
        cap *= 2;
    if (cap > GW_MEM_QUEUE_MAX)
        return false;
    uint8_t *bytes = realloc(q->bytes, cap);
    if (bytes == NULL)
        return false;
    q->bytes = bytes;
    q->cap = cap;
    return true;
}

static bool push(queue *q, int64_t arrival, const uint8_t *data, size_t len)
{
    item head = {arrival, len};
    if (!make_room(q, sizeof(head) + len))
        return false;
    memcpy(q->bytes + q->tail, &head, sizeof(head));
    if (len > 0)
        memcpy(q->bytes + q->tail + sizeof(head), data, len);
    q->tail += sizeof(head) + len;
    return true;
}

static bool peek(const queue *q, item *out)
{
    if (q->head == q->tail)
        return false;
    memcpy(out, q->bytes + q->head, sizeof(*out));
    return true;
}

/* Takes the oldest item, or (of a stream) what of it fits. */
static size_t pop(queue *q, uint8_t *buf, size_t cap, bool stream)
{
    item head;
    if (!peek(q, &head))
        return 0;
    size_t left = head.len - q->used;
    size_t len = left < cap ? left : cap;
    if (len > 0)
        memcpy(buf, q->bytes + q->head + sizeof(head) + q->used, len);
    if (stream && len < left) {
        q->used += len;
        return len;
    }
    q->head += sizeof(head) + head.len;
    q->used = 0;
    return len;
}

/* ---- stepping the board ---- */

static gw_impair_kind kind_of(const gw_mem *mem, unsigned link)
{
    return (mem->frame_links >> link & 1) != 0 ? GW_IMPAIR_FRAMES : GW_IMPAIR_UDP4;
}

/* Puts what |c| sends or gets on the path. */
static void put(client *c, int direction, bool end, const uint8_t *data, size_t len)
{
    gw_mem *mem = c->mem;
    gw_impair *path = &mem->path[direction];
    int64_t now = mem->now + (direction == FROM_BOARD ? GW_MEM_LATENCY_NS : 0);
    note about = {.serial = c->serial, .conn = c->conn, .end = end};
    if (c->t.stream) {
        /* A stream of which no more will come is silent, as over TCP. */
        (void)!gw_impair_put_stream(path, now, &about, sizeof(about), data, len,
                                    &c->behind[direction]);
        return;
    }
    path->kind = kind_of(mem, c->link);
    gw_impair_put(path, now, &about, sizeof(about), data, len);
}

static void board_sends(gw_peer_out *out, unsigned link, uint32_t conn, const uint8_t *data,
                        size_t len)
{
    gw_mem *mem = mem_of(out);
    client *c = conn < GW_PEER_MAX_CONNS ? mem->clients[conn] : NULL;
    if (c == NULL || c->link != link || c->closed || c->ended || (c->t.stream && len == 0))
        return;
    if (c->impaired)
        put(c, FROM_BOARD, false, data, len);
    else if (!push(&c->in, mem->now + GW_MEM_LATENCY_NS, data, len))
        c->lost = true;
}

static void board_closes(gw_peer_out *out, unsigned link, uint32_t conn)
{
    gw_mem *mem = mem_of(out);
    client *c = conn < GW_PEER_MAX_CONNS ? mem->clients[conn] : NULL;
    if (c == NULL || c->link != link || c->closed || c->ended)
        return;
    if (c->impaired && c->t.stream) {
        c->ended = true;
        put(c, FROM_BOARD, true, NULL, 0);
    } else {
        c->closed = true;
    }
    c->closing = true;
    mem->closing = true;
}

/* Who a datagram comes from that whom the board calls has not sent. */
#define OTHER_CONN 1
static const gw_endpoint other_end = {
    .ip = {127, 0, 0, 2}, .port = DYNAMIC_PORT, .family = GW_FAMILY_IPV4};

static gw_peer_event event_of(const client *c, gw_peer_event_kind kind)
{
    gw_peer_event event = {
        .kind = (uint8_t)kind,
        .link = c->link,
        .stream = c->t.stream,
        .conn = c->conn,
        .here = &c->t.remote,
        .there = &c->t.local,
        .carries = c->t.carries,
    };
    return event;
}

static void step(gw_mem *mem, const gw_peer_event *event)
{
    mem->timer = mem->board->step(mem->state, event, mem->now, &mem->out);
    while (mem->closing) {
        mem->closing = false;
        for (uint32_t i = 0; i < GW_PEER_MAX_CONNS; i++) {
            client *c = mem->clients[i];
            if (c == NULL || !c->closing)
                continue;
            c->closing = false;
            gw_peer_event close = event_of(c, GW_PEER_CLOSE);
            mem->timer = mem->board->step(mem->state, &close, mem->now, &mem->out);
        }
    }
}

/* ---- the path ---- */

static client *whose(gw_mem *mem, const note *about)
{
    client *c = mem->clients[about->conn];
    return c != NULL && c->serial == about->serial ? c : NULL;
}

static void let_go(gw_mem *mem, uint32_t conn)
{
    client *c = mem->clients[conn];
    mem->clients[conn] = NULL;
    free(c->in.bytes);
    free(c);
}

/* Tells the board that client |conn|, whose user has closed it, is gone. */
static void bury(gw_mem *mem, uint32_t conn)
{
    client *c = mem->clients[conn];
    if (!c->closed && !c->ended) {
        c->closed = true;
        gw_peer_event close = event_of(c, GW_PEER_CLOSE);
        step(mem, &close);
    }
    let_go(mem, conn);
}

static void reaches_board(gw_mem *mem, const note *about, const uint8_t *data, size_t len)
{
    client *c = whose(mem, about);
    if (c == NULL)
        return;
    if (about->end) {
        bury(mem, about->conn);
        return;
    }
    if (c->closed || c->ended)
        return; /* as the kernel would: nobody reads it */
    gw_peer_event bytes = event_of(c, GW_PEER_BYTES);
    if (about->other) {
        bytes.conn = OTHER_CONN;
        bytes.there = &other_end;
    }
    bytes.data = data;
    bytes.len = len;
    step(mem, &bytes);
}

static void reaches_client(gw_mem *mem, const note *about, const uint8_t *data, size_t len)
{
    client *c = whose(mem, about);
    if (c == NULL || c->gone)
        return;
    if (about->end)
        c->closed = true;
    else if (!push(&c->in, mem->now, data, len))
        c->lost = true;
}

/* When something arrives at either end of the path. */
static int64_t next_arrival(const gw_mem *mem)
{
    int64_t there = gw_impair_next(&mem->path[TO_BOARD]);
    int64_t back = gw_impair_next(&mem->path[FROM_BOARD]);
    return there < back ? there : back;
}

/* Lets one thing that is due arrive. */
static void arrive(gw_mem *mem)
{
    int64_t at = next_arrival(mem);
    int direction = gw_impair_next(&mem->path[FROM_BOARD]) == at ? FROM_BOARD : TO_BOARD;
    if (mem->now < at)
        mem->now = at;
    gw_impair_item *came = gw_impair_pop(&mem->path[direction], mem->now);
    note about;
    memcpy(&about, came->note, sizeof(about));
    (direction == FROM_BOARD ? reaches_client : reaches_board)(mem, &about, came->bytes, came->len);
    free(came);
}

/* ---- time ---- */

/* Lets time pass until |until|, with the board's timers on the way; stops early when |c| (may be
 * NULL) has something to read. */
static bool pass(gw_mem *mem, const client *c, int64_t until)
{
    if (until > FAR_FUTURE)
        until = FAR_FUTURE;
    if (until < mem->now)
        until = mem->now;
    for (;;) {
        item head;
        bool waiting = c != NULL && peek(&c->in, &head);
        if (waiting && head.arrival <= until && head.arrival <= mem->timer) {
            if (mem->now < head.arrival)
                mem->now = head.arrival;
            return true;
        }
        if (c != NULL && !waiting && c->closed)
            return false;
        int64_t arrival = next_arrival(mem);
        if (arrival <= until && arrival <= mem->timer) {
            arrive(mem);
            continue;
        }
        if (mem->timer > until) {
            mem->now = until;
            return false;
        }
        if (mem->now < mem->timer)
            mem->now = mem->timer;
        gw_peer_event timer = {.kind = GW_PEER_TIMER};
        step(mem, &timer);
        if (mem->timer < mem->now + LEAST_TIMER_NS)
            mem->timer = mem->now + LEAST_TIMER_NS;
    }
}

/* ---- the transport ---- */

static int64_t mem_now(gw_transport *t)
{
    return ((client *)t)->mem->now;
}

static bool mem_send(gw_transport *t, const uint8_t *data, size_t len)
{
    client *c = (client *)t;
    t->too_long = t->carries != 0 && len > t->carries;
    if (c->closed || t->too_long) {
        snprintf(t->error, sizeof(t->error), "send: %s",
                 c->closed ? "the board has closed the connection"
                           : "longer than the path carries");
        return false;
    }
    pass(c->mem, NULL, c->mem->now + GW_MEM_LATENCY_NS);
    if (c->closed)
        return true; /* as the kernel would: nobody reads it */
    if (c->impaired) {
        if (len > 0 || !t->stream)
            put(c, TO_BOARD, false, data, len);
        return true;
    }
    gw_peer_event bytes = event_of(c, GW_PEER_BYTES);
    bytes.data = data;
    bytes.len = len;
    step(c->mem, &bytes);
    return true;
}

static gw_recv_status mem_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                               int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    client *c = (client *)t;
    if (c->lost && t->stream) {
        snprintf(t->error, sizeof(t->error), "receive: more than %u bytes were left unread",
                 GW_MEM_QUEUE_MAX);
        return GW_RECV_ERROR;
    }
    item head = {0};
    if (!pass(c->mem, c, deadline))
        return c->closed && !peek(&c->in, &head) ? GW_RECV_CLOSED : GW_RECV_TIMEOUT;
    (void)peek(&c->in, &head);
    *len = pop(&c->in, buf, cap, t->stream);
    if (stamp_ns != NULL)
        *stamp_ns = GW_VIRTUAL_EPOCH_NS + head.arrival;
    if (from != NULL)
        *from = t->remote;
    return GW_RECV_DATA;
}

/* It goes where what is sent goes. */
static bool mem_send_as_other(gw_transport *t, const uint8_t *data, size_t len, gw_endpoint *from)
{
    client *c = (client *)t;
    gw_mem *mem = c->mem;
    note about = {.serial = c->serial, .conn = c->conn, .other = true};
    if (!mem->board->calls_us || t->stream || c->closed) {
        snprintf(t->error, sizeof(t->error),
                 "the board hears whom it has not called only over UDP");
        return false;
    }
    *from = other_end;
    pass(mem, NULL, mem->now + GW_MEM_LATENCY_NS);
    if (c->impaired)
        gw_impair_put(&mem->path[TO_BOARD], mem->now, &about, sizeof(about), data, len);
    else
        reaches_board(mem, &about, data, len);
    return true;
}

static void mem_wait(gw_transport *t, int64_t deadline)
{
    pass(((client *)t)->mem, NULL, deadline);
}

/* Puts the end of what |c| sends on the path, behind all of it that is under way. */
static void put_end(client *c)
{
    gw_impair *path = &c->mem->path[TO_BOARD];
    note about = {.serial = c->serial, .conn = c->conn, .end = true};
    int64_t due = c->mem->now + path->what.delay_ns;
    if (path->last != NULL && due < path->last->due)
        due = path->last->due;
    if (!gw_impair_put_at(path, due, &about, sizeof(about), NULL, 0))
        bury(c->mem, c->conn);
}

static void mem_close(gw_transport *t)
{
    client *c = (client *)t;
    gw_mem *mem = c->mem;
    c->gone = true;
    /* What it has sent arrives, and then its end. */
    if (c->impaired && !c->closed && !c->ended && mem->refs > 1)
        put_end(c);
    else
        bury(mem, c->conn);
    gw_mem_stop(mem);
}

static const gw_transport_ops mem_ops = {
    .now = mem_now,
    .send = mem_send,
    .recv = mem_recv,
    .wait = mem_wait,
    .close = mem_close,
    .send_as_other = mem_send_as_other,
};

/* ---- life and death ---- */

gw_mem *gw_mem_start(const gw_board *board, const gw_peer_config *config, char *why, size_t why_cap)
{
    gw_mem *mem = calloc(1, sizeof(*mem));
    void *state = calloc(1, board->size);
    if (mem == NULL || state == NULL) {
        snprintf(why, why_cap, "out of memory");
        free(mem);
        free(state);
        return NULL;
    }
    if (!board->init(state, config, why, why_cap)) {
        free(mem);
        free(state);
        return NULL;
    }
    mem->board = board;
    mem->state = state;
    mem->same_port = gw_format_same_port(board->format, config->dialect);
    mem->refs = 1;
    mem->out.send = board_sends;
    mem->out.close = board_closes;
    gw_peer_event start = {.kind = GW_PEER_START};
    step(mem, &start);
    return mem;
}

void gw_mem_stop(gw_mem *mem)
{
    if (mem == NULL || --mem->refs > 0)
        return;
    for (uint32_t i = 0; i < GW_PEER_MAX_CONNS; i++) {
        if (mem->clients[i] != NULL)
            let_go(mem, i);
    }
    gw_impair_end(&mem->path[TO_BOARD]);
    gw_impair_end(&mem->path[FROM_BOARD]);
    mem->board->fini(mem->state);
    free(mem->state);
    free(mem);
}

void gw_mem_impair(gw_mem *mem, const gw_impairment *what, uint32_t frame_links,
                   const gw_mem *before)
{
    mem->impaired = gw_impairs(what);
    mem->frame_links = frame_links;
    for (unsigned i = TO_BOARD; i <= FROM_BOARD; i++) {
        gw_impair_init(&mem->path[i], what, i, NULL, NULL);
        mem->path[i].begun_ns = mem->now;
        if (before == NULL)
            continue;
        gw_impair_go_on(&mem->path[i], &before->path[i]);
        mem->path[i].begun_ns += before->path[i].begun_ns - before->now;
    }
}

/* Addresses for the evidence: the format's own port where the board is called, one of the dynamic
 * range at the caller's. */
static gw_endpoint loopback(uint16_t port)
{
    gw_endpoint end = {.ip = {127, 0, 0, 1}, .port = port, .family = GW_FAMILY_IPV4};
    return end;
}

static void set_ends(client *c, const gw_board *board)
{
    const gw_format *format = gw_board_link_format(board, c->link);
    uint16_t service = format != NULL && format->num_udp_ports > 0
                           ? format->udp_ports[0]
                           : (uint16_t)(DYNAMIC_PORT + c->link);
    gw_endpoint called = loopback(service);
    gw_endpoint caller = loopback((uint16_t)(49152 + c->conn));
    bool same_port = c->mem->same_port && !c->t.stream;
    if (same_port || (board->same_port_links >> c->link & 1) != 0) {
        caller.ip[3] = (uint8_t)(2 + c->conn);
        caller.port = service;
    }
    c->t.local = board->calls_us ? called : caller;
    c->t.remote = board->calls_us ? caller : called;
}

/* The number of a new client; the board is told of the end of one whose user has closed it when
 * there is no other. */
static uint32_t find_place(gw_mem *mem)
{
    uint32_t most = mem->board->calls_us ? 1 : GW_PEER_MAX_CONNS;
    for (uint32_t conn = 0; conn < most; conn++) {
        if (mem->clients[conn] == NULL)
            return conn;
    }
    for (uint32_t conn = 0; conn < most; conn++) {
        if (mem->clients[conn]->gone) {
            bury(mem, conn);
            return conn;
        }
    }
    return most;
}

gw_transport *gw_mem_connect(gw_mem *mem, unsigned link, bool stream, char *why, size_t why_cap)
{
    uint32_t conn = find_place(mem);
    if (conn == (mem->board->calls_us ? 1 : GW_PEER_MAX_CONNS)) {
        snprintf(why, why_cap, "%s takes %" PRIu32 " clients at most", mem->board->role, conn);
        return NULL;
    }
    client *c = calloc(1, sizeof(*c));
    if (c == NULL) {
        snprintf(why, why_cap, "out of memory");
        return NULL;
    }
    c->t.ops = &mem_ops;
    c->t.stream = stream;
    c->mem = mem;
    c->conn = conn;
    c->link = (uint8_t)link;
    c->impaired = mem->impaired;
    c->serial = ++mem->serial;
    if (!stream)
        c->t.carries = gw_impair_carries(&mem->path[TO_BOARD].what, kind_of(mem, c->link));
    set_ends(c, mem->board);
    mem->clients[conn] = c;
    mem->refs++;
    gw_peer_event open = event_of(c, GW_PEER_OPEN);
    step(mem, &open);
    return &c->t;
}

gw_transport *gw_mem_await(gw_mem *mem, unsigned link, int64_t timeout_ns, bool *unreachable,
                           char *why, size_t why_cap)
{
    *unreachable = false;
    if (mem->impaired) {
        int64_t takes = gw_impair_handshake(&mem->path[TO_BOARD], &mem->path[FROM_BOARD], mem->now);
        *unreachable = takes > timeout_ns;
        pass(mem, NULL, mem->now + (*unreachable ? timeout_ns : takes));
    }
    if (!*unreachable)
        return gw_mem_connect(mem, link, true, why, why_cap);
    snprintf(why, why_cap, "%s does not take the connection in time", mem->board->role);
    return NULL;
}

bool gw_mem_done(const gw_mem *mem)
{
    return mem->board->done != NULL && mem->board->done(mem->state);
}

void *gw_mem_state(gw_mem *mem)
{
    return mem->state;
}
