/* SPDX-License-Identifier: BSD-2-Clause */
/* transfer_bench [BYTES]: the software IMS Worker streams an exposure (1 GiB) into the software
 * buffer over a lossy wire, all in memory and under virtual time: in frames of 4096 bytes through
 * 10 % loss, and in frames of 32 MiB with one packet of 20 000 lost. Every byte is compared as it
 * is delivered; the program fails when one differs or is missing. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "bench/aim.h"
#include "formats/ims/buf/board.h"
#include "formats/ims/worker/board.h"
#include "harness/impair.h"

#define MIB (UINT64_C(1) << 20)
#define MS INT64_C(1000000)
#define LATENCY_NS INT64_C(2000)
#define QUEUE 4096 /* datagrams on the wire; more are lost */

typedef struct scenario {
    const char *title;
    double aim; /* MiB a second of processor */
    gw_ims_worker_setup worker;
    gw_ims_buf_setup buffer;
    gw_impairment impairment;
} scenario;

typedef struct datagram {
    int64_t arrival;
    size_t len;
    uint8_t bytes[GW_IB_PACKET_MAX];
} datagram;

/* One direction of the wire. */
typedef struct way {
    gw_impair impair;
    int64_t *now;
    size_t first, num;
    uint64_t carried, sent, overflowed;
    datagram queue[QUEUE];
} way;

typedef struct side {
    gw_peer_out out; /* first */
    const gw_board *board;
    void *state;
    way *way; /* to the other one */
    int64_t timer;
    gw_endpoint here, there;
} side;

typedef struct transfer {
    int64_t now;
    side worker, buffer;
    way to_buffer, to_worker;
    uint64_t checked; /* bytes */
    bool wrong;
    uint8_t due[65536];
} transfer;

/* ---- the wire ---- */

static void arrives(void *arg, const void *note, const uint8_t *data, size_t len)
{
    way *w = arg;
    (void)note;
    if (w->num == QUEUE || len > sizeof(w->queue[0].bytes)) {
        w->overflowed++;
        return;
    }
    datagram *d = &w->queue[(w->first + w->num++) % QUEUE];
    d->arrival = *w->now + LATENCY_NS;
    d->len = len;
    memcpy(d->bytes, data, len);
    w->carried++;
}

static void board_sends(gw_peer_out *out, unsigned link, uint32_t conn, const uint8_t *data,
                        size_t len)
{
    side *s = (side *)out;
    (void)link;
    (void)conn;
    s->way->sent++;
    gw_impair_put(&s->way->impair, *s->way->now, NULL, 0, data, len);
}

static void ignore_close(gw_peer_out *out, unsigned link, uint32_t conn)
{
    (void)out;
    (void)link;
    (void)conn;
}

/* ---- the two boards ---- */

static void step(transfer *t, side *s, gw_peer_event_kind kind, const uint8_t *data, size_t len)
{
    gw_peer_event event = {
        .kind = (uint8_t)kind, .here = &s->here, .there = &s->there, .data = data, .len = len};
    s->timer = s->board->step(s->state, &event, t->now, &s->out);
    if (s->timer <= t->now)
        s->timer = t->now + 1;
}

static bool start(side *s, const gw_board *board, const void *setup, way *out, uint8_t here,
                  uint8_t there)
{
    static gw_peer_config configs[4];
    static unsigned used;
    char why[200] = "";
    gw_peer_config *config = &configs[used++ % GW_ARRAY_LEN(configs)];
    *config = (gw_peer_config){.setup = setup};
    s->out = (gw_peer_out){.send = board_sends, .close = ignore_close};
    s->board = board;
    s->way = out;
    s->timer = GW_PEER_NEVER;
    s->here =
        (gw_endpoint){.ip = {127, 0, 0, here}, .port = GW_ROCE_PORT, .family = GW_FAMILY_IPV4};
    s->there =
        (gw_endpoint){.ip = {127, 0, 0, there}, .port = GW_ROCE_PORT, .family = GW_FAMILY_IPV4};
    s->state = calloc(1, board->size);
    if (s->state != NULL && board->init(s->state, config, why, sizeof(why)))
        return true;
    fprintf(stderr, "%s does not start: %s\n", board->role, why);
    free(s->state);
    s->state = NULL;
    return false;
}

/* What was delivered lies in the ring until the next frame comes. */
static void compare(transfer *t)
{
    const gw_ims_buf *b = t->buffer.state;
    const gw_ims_buf_channel *c = &b->channels[0];
    while (c->open && !t->wrong && c->delivered - b->setup.va > t->checked) {
        uint64_t left = c->delivered - b->setup.va - t->checked;
        size_t place = (size_t)(t->checked % b->setup.ring);
        size_t len = left < sizeof(t->due) ? (size_t)left : sizeof(t->due);
        if (len > b->setup.ring - place)
            len = (size_t)(b->setup.ring - place);
        gw_ims_pattern(t->checked, t->due, len);
        t->wrong = memcmp(t->due, c->ring + place, len) != 0;
        t->checked += len;
    }
}

static int64_t next_event(const transfer *t)
{
    int64_t next = t->worker.timer < t->buffer.timer ? t->worker.timer : t->buffer.timer;
    const way *ways[] = {&t->to_buffer, &t->to_worker};
    for (size_t i = 0; i < GW_ARRAY_LEN(ways); i++) {
        if (ways[i]->num > 0 && ways[i]->queue[ways[i]->first].arrival < next)
            next = ways[i]->queue[ways[i]->first].arrival;
    }
    return next;
}

static bool deliver(transfer *t, way *w, side *to)
{
    datagram *d = &w->queue[w->first];
    if (w->num == 0 || d->arrival > t->now)
        return false;
    step(t, to, GW_PEER_BYTES, d->bytes, d->len);
    w->num--;
    w->first = w->num > 0 ? (w->first + 1) % QUEUE : 0; /* where its memory is warm */
    return true;
}

static void run(transfer *t)
{
    step(t, &t->buffer, GW_PEER_START, NULL, 0);
    step(t, &t->buffer, GW_PEER_OPEN, NULL, 0);
    step(t, &t->worker, GW_PEER_START, NULL, 0);
    step(t, &t->worker, GW_PEER_OPEN, NULL, 0);
    while (!t->wrong && !t->worker.board->done(t->worker.state)) {
        int64_t next = next_event(t);
        if (next == GW_PEER_NEVER)
            return;
        t->now = next;
        if (t->worker.timer <= t->now)
            step(t, &t->worker, GW_PEER_TIMER, NULL, 0);
        if (t->buffer.timer <= t->now)
            step(t, &t->buffer, GW_PEER_TIMER, NULL, 0);
        while (deliver(t, &t->to_buffer, &t->buffer))
            compare(t);
        while (deliver(t, &t->to_worker, &t->worker))
            ;
    }
}

/* ---- the account ---- */

static double seconds_of(int id)
{
    struct timespec now;
    (void)clock_gettime(id, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static long peak_kib(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static bool account(const transfer *t, const scenario *s, double seconds)
{
    char text[256];
    bool content = t->worker.board->report(t->worker.state, text, sizeof(text));
    bool exact = content && !t->wrong && t->checked == s->worker.size;
    printf("%s\n", s->title);
    printf("  %" PRIu64 " MiB %s; %s\n", t->checked / MIB,
           exact ? "delivered byte for byte" : "compared, then it FAILED", text);
    printf("  %" PRIu64 " packets of data and requests sent, %" PRIu64 " lost; %" PRIu64
           " answers sent, %" PRIu64 " lost\n",
           t->to_buffer.sent, t->to_buffer.sent - t->to_buffer.carried, t->to_worker.sent,
           t->to_worker.sent - t->to_worker.carried);
    double rate = (double)t->checked / (double)MIB / seconds;
    printf("  %.2f s of virtual time, ring %" PRIu64
           " MiB, Worker %zu KiB, process %ld MiB at most\n",
           (double)t->now / 1e9, s->buffer.ring / MIB, sizeof(gw_ims_worker_state) / 1024,
           peak_kib() / 1024);
    printf("  %.2f s of processor: %.0f MiB/s", seconds, rate);
    gw_aim_at_least(rate, s->aim);
    return exact;
}

static bool transfer_of(const scenario *s)
{
    transfer *t = calloc(1, sizeof(*t));
    bool exact = false;
    if (t == NULL)
        return false;
    t->to_buffer.now = t->to_worker.now = &t->now;
    gw_impair_init(&t->to_buffer.impair, &s->impairment, 0, arrives, &t->to_buffer);
    gw_impair_init(&t->to_worker.impair, &s->impairment, 1, arrives, &t->to_worker);
    if (start(&t->buffer, &gw_ims_buf_board, &s->buffer, &t->to_worker, 1, 2) &&
        start(&t->worker, &gw_ims_worker_board, &s->worker, &t->to_buffer, 2, 1)) {
        double began = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        run(t);
        exact = account(t, s, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - began);
    }
    side *sides[] = {&t->worker, &t->buffer};
    for (size_t i = 0; i < GW_ARRAY_LEN(sides); i++) {
        if (sides[i]->state == NULL)
            continue;
        sides[i]->board->fini(sides[i]->state);
        free(sides[i]->state);
    }
    gw_impair_end(&t->to_buffer.impair);
    gw_impair_end(&t->to_worker.impair);
    free(t);
    return exact;
}

/* ---- what is transferred ---- */

/* About what FDR InfiniBand carries. */
static void set_pace(gw_ims_worker_setup *w)
{
    w->burst = 16;
    w->gap_ns = 12000;
}

static scenario small_frames(uint64_t size)
{
    scenario s = {
        .title = "frames of 4096 bytes, 64 outstanding, one datagram of 10 lost",
        .aim = 1024,
        .worker = gw_ims_worker_default,
        .buffer = gw_ims_buf_usual,
        .impairment = {.loss = GW_IMPAIR_SCALE / 10, .seed = 1},
    };
    s.worker.content = GW_IMS_PATTERN;
    s.worker.size = size;
    s.worker.frame = 4096;
    s.worker.outstanding = 64;
    s.worker.response_ns = 5 * MS;
    s.worker.wait_ns = 5 * MS;
    s.worker.tries = 32;
    s.worker.status_tries = 32;
    s.buffer.ring = 64 * MIB;
    s.buffer.frame = 4096;
    s.buffer.expose = true;
    set_pace(&s.worker);
    return s;
}

static scenario usual_frames(uint64_t size)
{
    scenario s = {
        .title = "frames of 32 MiB, 2 outstanding, one datagram of 20 000 lost",
        .worker = gw_ims_worker_default,
        .buffer = gw_ims_buf_usual,
        .impairment = {.loss = GW_IMPAIR_SCALE / 20000, .seed = 1},
    };
    s.worker.content = GW_IMS_PATTERN;
    s.worker.size = size;
    s.worker.frame = GW_IMS_FRAME_TYPICAL;
    s.worker.response_ns = GW_IMS_TIMEOUT_NS;
    s.worker.tries = 32;
    s.buffer.ring = 128 * MIB;
    s.buffer.frame = GW_IMS_FRAME_TYPICAL;
    s.buffer.expose = true;
    s.buffer.channels = 1;
    set_pace(&s.worker);
    return s;
}

int main(int argc, char **argv)
{
    uint64_t size = argc > 1 ? strtoull(argv[1], NULL, 0) : 1024 * MIB;
    if (argc > 2 || size == 0 || size % GW_IMS_ALIGN != 0) {
        fprintf(stderr, "usage: transfer_bench [BYTES, a multiple of 64]\n");
        return 2;
    }
    scenario small = small_frames(size);
    scenario usual = usual_frames(size);
    small.buffer.channels = 1;
    bool exact = transfer_of(&small);
    exact = transfer_of(&usual) && exact;
    return exact ? 0 : 1;
}
