/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures a board that has been through its cases: each load in each size, one request at a time
 * for the response times, then several at a time for what gets through. */
#include "speed/speed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "evidence/evidence.h"
#include "harness/socket.h"
#include "harness/stop.h"
#include "harness/times.h"
#include "run/alive.h"
#include "run/ctx.h"
#include "run/store.h"
#include "speed/echo.h"

/* A simulated board is measured by count, so that two runs are alike. */
#define SIM_SAMPLES 16
#define SIM_RATE 32

#define FLOOR_SHARE 8 /* of the time for a size */
#define FLOOR_SAMPLES 500
#define EVIDENCE_MAX 1024 /* packets that are kept while nobody asks for them */
#define FIRST_TRIES 4     /* of a size, until one is answered */
#define LOST_IN_A_ROW 20  /* requests, and then nobody is asked for more of a size */
#define LOST_BY_CHANCE 4  /* in a row, at the most, where a path loses some ... */
#define LOOKS_FOR_LIFE 4  /* ... and there a board is gone that shows none in any of them */

typedef struct measurement {
    gw_ctx *ctx;
    gw_speed *speed;
    gw_speed_point *point;
    void *state;
    gw_echo *echo;
    bool echoes_stream;
    gw_evidence_file *file; /* NULL: nothing is kept */
    int64_t until_ns;       /* for what goes on, of CLOCK_MONOTONIC */
    int64_t end_ns;         /* of that clock, for all of it */
    unsigned row;           /* requests that were lost in a row */
} measurement;

/* ---- the floor ---- */

/* The floor under what goes over sockets. */
static gw_echo *open_echo(gw_ctx *ctx, gw_speed *speed, bool stream)
{
    const gw_target_link *link = &ctx->target->links[0];
    const char *none = speed->simulated ? "a simulation's clock stands still while goldwire works"
                       : link->frames   ? "what goes over an interface's frames is not echoed here"
                                        : NULL;
    if (none != NULL) {
        (void)snprintf(speed->floor_why, sizeof(speed->floor_why), "%s", none);
        return NULL;
    }
    bool ipv6 = ctx->local.family == GW_FAMILY_IPV6;
    return gw_echo_open(stream, ipv6, speed->floor_why, sizeof(speed->floor_why));
}

/* The next load may go over other links. */
static void fit_echo(measurement *m, const gw_load *load)
{
    bool stream = m->speed->stream && !load->datagrams;
    if (m->echo == NULL || m->echoes_stream == stream)
        return;
    gw_echo_close(m->echo);
    m->echo = open_echo(m->ctx, m->speed, stream);
    m->echoes_stream = stream;
}

/* ---- one size ---- */

static bool is_over(const measurement *m, int64_t until_ns)
{
    return !m->speed->simulated && gw_clock_ns(CLOCK_MONOTONIC) >= until_ns;
}

/* Whether one more is to be asked than the |num| that were, of which one was answered or not. */
static bool goes_on(const measurement *m, unsigned num, bool answered, unsigned most,
                    unsigned most_simulated)
{
    if (gw_stopped() || m->row >= LOST_IN_A_ROW)
        return false;
    if (m->speed->simulated)
        return num < most_simulated;
    return num < most && !is_over(m, answered ? m->until_ns : m->end_ns);
}

/* Who loses requests is waited for less from then on: the first wait is for who is slow. */
static void note_lost(measurement *m, gw_rate *rate)
{
    rate->lost++;
    m->row++;
    m->speed->patience_ns = gw_case_reply_ns(m->ctx);
    gw_ctx_wait_less(m->ctx);
}

GW_NORETURN static void none_answered(measurement *m, const gw_rate *rate)
{
    char within[24];
    if (rate->lost == 0)
        gw_case_inconc(m->ctx, GW_INTERRUPTED);
    gw_case_inconc(m->ctx, "%u request%s got no answer within %s%s", rate->lost,
                   rate->lost > 1 ? "s" : "",
                   gw_times_text(within, sizeof(within), m->speed->patience_ns),
                   gw_case_loses(m->ctx) ? ", on a path that is seen to lose some" : "");
}

/* The last packet that was sent, from number |from| on. */
static unsigned last_sent(const gw_ctx *ctx, unsigned from)
{
    unsigned last = from;
    for (unsigned i = from; i <= gw_case_num_seen(ctx); i++) {
        const gw_evidence_packet *packet = gw_case_seen(ctx, i);
        if (packet->kind == GW_EVIDENCE_BYTES && packet->dir == GW_DIR_OUT)
            last = i;
    }
    return last;
}

static void make_ready(measurement *m)
{
    if (m->point->load->ready != NULL)
        m->point->load->ready(m->ctx, m->state);
}

/* One request and its answer: false when none came. |*at| gets the number of its first packet in
 * the evidence. */
static bool exchange(measurement *m, unsigned *at, int64_t *time_ns)
{
    gw_ctx *ctx = m->ctx;
    unsigned slot = 0;
    unsigned request = *at = m->point->load->send(ctx, m->state, 0);
    if (m->point->load->from_last)
        request = last_sent(ctx, request);
    unsigned answer = m->point->load->await(ctx, m->state, gw_case_reply_ns(ctx), &slot);
    if (answer == 0)
        return false;
    const gw_evidence_packet *first = gw_case_seen(ctx, request);
    const gw_evidence_packet *last = gw_case_seen(ctx, answer);
    if (first == NULL || last == NULL || ctx->evidence.overflow)
        gw_case_inconc(ctx, "more is said than can be kept");
    m->row = 0;
    *time_ns = last->time_ns - first->time_ns;
    if (m->point->load->from_last && *time_ns < 0) /* it was answered before its end */
        *time_ns = 0;
    return true;
}

/* What the exchange looks like that begins with packet |at| of the evidence. */
static void note_shape(measurement *m, unsigned at)
{
    const gw_evidence *evidence = &m->ctx->evidence;
    gw_speed_point *p = m->point;
    for (size_t i = at; i <= evidence->num_packets; i++) {
        const gw_evidence_packet *packet = &evidence->packets[i - 1];
        if (packet->kind != GW_EVIDENCE_BYTES)
            continue;
        bool out = packet->dir == GW_DIR_OUT;
        *(out ? &p->request_messages : &p->answer_messages) += 1;
        *(out ? &p->request_bytes : &p->answer_bytes) += packet->len;
        if (packet->regs || out == p->load->back)
            continue;
        p->carrier_messages++;
        p->carrier_bytes += packet->len;
    }
}

static void keep_first(measurement *m)
{
    char title[160];
    (void)snprintf(title, sizeof(title), "%s, %" PRIu32 " bytes", m->point->load->title,
                   m->point->size);
    if (m->file != NULL && !gw_evidence_append(m->file, &m->ctx->evidence, title))
        (void)snprintf(m->speed->unwritten, sizeof(m->speed->unwritten),
                       "%s cannot be written whole", GW_SPEED_FILE);
}

/* The path may have to be found first, and the first one may get lost. */
static void exchange_first(measurement *m, gw_rate *rate)
{
    unsigned at = 0;
    int64_t time_ns;
    for (make_ready(m); !exchange(m, &at, &time_ns); make_ready(m)) {
        note_lost(m, rate);
        if (gw_stopped() || is_over(m, m->end_ns) || rate->lost >= FIRST_TRIES)
            none_answered(m, rate);
    }
    note_shape(m, at);
    keep_first(m);
}

static void measure_one(gw_ctx *ctx, void *arg)
{
    measurement *m = arg;
    gw_speed_point *p = m->point;
    int64_t *samples = m->speed->samples;
    gw_rate rate = {.depth = 1};
    unsigned num = 0;
    unsigned at = 0;
    int64_t time_ns;
    gw_evidence_clear(&ctx->evidence);
    p->load->prepare(ctx, m->state, p->size);
    exchange_first(m, &rate);
    gw_connection *conn = gw_case_connection(ctx);
    for (unsigned made = 0; goes_on(m, made, num > 0, GW_SPEED_SAMPLES, SIM_SAMPLES); made++) {
        gw_evidence_clear(&ctx->evidence);
        make_ready(m);
        gw_evidence_clear(&ctx->evidence);
        int64_t began = gw_case_now(conn);
        if (!exchange(m, &at, &time_ns)) {
            note_lost(m, &rate);
            continue;
        }
        rate.num++;
        rate.time_ns += gw_case_now(conn) - began;
        if (time_ns >= 0) /* else the time of day was set in between */
            samples[num++] = time_ns;
    }
    p->one = rate;
    p->response = gw_spread_of(samples, num);
    if (num == 0)
        none_answered(m, &rate);
}

/* ---- several at a time ---- */

static unsigned depth_of(const gw_speed_point *p)
{
    unsigned most = p->load->most != NULL ? p->load->most(p->size) : p->load->depth;
    return most < p->load->depth ? most : p->load->depth;
}

typedef struct flight {
    int64_t sent_ns[GW_LOAD_DEPTH_MAX]; /* when, of a request that is under way */
    bool away[GW_LOAD_DEPTH_MAX];
    unsigned asked;
} flight;

static void launch(measurement *m, flight *f, unsigned slot)
{
    (void)m->point->load->send(m->ctx, m->state, slot);
    f->sent_ns[slot] = gw_case_now(gw_case_connection(m->ctx));
    f->away[slot] = true;
    f->asked++;
}

/* The request that is under way for longest; false when none is. */
static bool find_oldest(const flight *f, unsigned *slot)
{
    bool any = false;
    for (unsigned i = 0; i < GW_LOAD_DEPTH_MAX; i++) {
        if (!f->away[i] || (any && f->sent_ns[i] >= f->sent_ns[*slot]))
            continue;
        *slot = i;
        any = true;
    }
    return any;
}

/* Takes an answer, or gives the oldest request up. Of a time in which nothing came nothing can be
 * told: it does not count. */
static void take_one(measurement *m, flight *f, unsigned *slot, gw_rate *rate)
{
    gw_ctx *ctx = m->ctx;
    gw_connection *conn = gw_case_connection(ctx);
    int64_t began = gw_case_now(conn);
    int64_t left_ns = f->sent_ns[*slot] + gw_case_reply_ns(ctx) - began;
    if (m->point->load->await(ctx, m->state, left_ns > 0 ? left_ns : 0, slot) == 0) {
        note_lost(m, rate);
        rate->time_ns -= gw_case_now(conn) - began;
    } else {
        rate->num++;
        m->row = 0;
    }
    f->away[*slot] = false;
}

static void measure_several(gw_ctx *ctx, void *arg)
{
    measurement *m = arg;
    const gw_load *load = m->point->load;
    gw_connection *conn = gw_case_connection(ctx);
    gw_rate rate = {.depth = depth_of(m->point)};
    flight f = {.asked = 0};
    unsigned slot = 0;
    gw_evidence_clear(&ctx->evidence);
    int64_t began = gw_case_now(conn);
    if (rate.depth == 1)
        gw_case_na(ctx, "%s", load->fills);
    for (unsigned i = 0; i < rate.depth; i++)
        launch(m, &f, i);
    /* What a stream loses, it loses with all that is behind it. */
    while (find_oldest(&f, &slot) && (rate.lost == 0 || !m->speed->stream)) {
        take_one(m, &f, &slot, &rate);
        if (ctx->evidence.num_packets > EVIDENCE_MAX)
            gw_evidence_clear(&ctx->evidence);
        if (goes_on(m, f.asked, true, GW_SPEED_RATE, SIM_RATE))
            launch(m, &f, slot);
    }
    rate.time_ns += gw_case_now(conn) - began;
    if (rate.num == 0)
        none_answered(m, &rate);
    m->point->several = rate;
}

static void finish(gw_ctx *ctx, void *arg)
{
    measurement *m = arg;
    m->point->load->finish(ctx, m->state);
}

static void measure_floor(measurement *m)
{
    gw_speed_point *p = m->point;
    const gw_echo_shape shape = {.requests = p->request_messages,
                                 .request_bytes = p->request_bytes,
                                 .answers = p->answer_messages,
                                 .answer_bytes = p->answer_bytes};
    if (m->echo == NULL || shape.requests == 0 || shape.answers == 0)
        return;
    int64_t whole_ns = 0;
    size_t num =
        gw_echo_times(m->echo, &shape, m->speed->samples, FLOOR_SAMPLES, m->until_ns, &whole_ns);
    p->floor = gw_spread_of(m->speed->samples, num);
    p->floor_rate = (gw_rate){.depth = num > 0, .num = (unsigned)num, .time_ns = whole_ns};
}

/* Calls |fn|; when it ends before its time, |why| gets the reason. */
static bool attempt(measurement *m, gw_guarded_fn fn, char *why, size_t why_cap)
{
    gw_result spare = {0};
    if (gw_ctx_aside(m->ctx, fn, m, &spare) == GW_OUTCOME_RETURNED)
        return true;
    (void)snprintf(why, why_cap, "%.180s", spare.text);
    return false;
}

static void measure_point(measurement *m, int64_t share_ns)
{
    gw_ctx *ctx = m->ctx;
    gw_speed_point *p = m->point;
    const gw_load *load = p->load;
    int64_t began = gw_clock_ns(CLOCK_MONOTONIC);
    bool several = load->depth > 1;
    int64_t floor_ns = m->echo != NULL ? share_ns / FLOOR_SHARE : 0;
    memset(m->state, 0, load->state_size);
    m->row = 0;
    m->until_ns = began + (share_ns - floor_ns) / (several ? 2 : 1);
    if (ctx->suite->begin != NULL)
        ctx->suite->begin(ctx);
    if (attempt(m, measure_one, p->why, sizeof(p->why)) && several) {
        m->row = 0;
        m->until_ns = began + share_ns - floor_ns;
        (void)attempt(m, measure_several, p->several_why, sizeof(p->several_why));
    }
    if (load->finish != NULL)
        (void)gw_ctx_aside(ctx, finish, m, NULL);
    m->until_ns = began + share_ns;
    if (p->why[0] == '\0')
        measure_floor(m);
    /* What came too late is not for the next size. */
    if (p->why[0] != '\0' || p->several_why[0] != '\0' || p->one.lost + p->several.lost > 0)
        gw_back_in_step(ctx);
    gw_ctx_close_all(ctx, true);
}

/* ---- all of them ---- */

static void list_points(gw_speed *speed)
{
    for (size_t i = 0; i < speed->loads->num_loads; i++) {
        const gw_load *load = &speed->loads->loads[i];
        for (size_t k = 0; k < load->num_sizes && speed->num < GW_SPEED_POINTS; k++)
            speed->points[speed->num++] = (gw_speed_point){.load = load, .size = load->sizes[k]};
    }
}

static size_t largest_state(const gw_loads *loads)
{
    size_t most = 1;
    for (size_t i = 0; i < loads->num_loads; i++)
        most = loads->loads[i].state_size > most ? loads->loads[i].state_size : most;
    return most;
}

/* A board that does not answer after it left a request without an answer is not asked for more. */
static bool is_gone(const measurement *m)
{
    const gw_speed_point *p = m->point;
    unsigned by_chance = gw_case_loses(m->ctx) ? LOST_BY_CHANCE : 0;
    if (p->why[0] == '\0' && p->several_why[0] == '\0' && m->row <= by_chance)
        return false;
    for (unsigned i = 0; i < (by_chance > 0 ? LOOKS_FOR_LIFE : 1); i++)
        if (gw_stopped() || gw_alive_surely(m->ctx, false))
            return false;
    return true;
}

static void measure_all(measurement *m)
{
    gw_speed *speed = m->speed;
    m->end_ns = gw_clock_ns(CLOCK_MONOTONIC) + speed->budget_ns;
    char rest[200] = "";
    for (unsigned i = 0; i < speed->num; i++) {
        gw_speed_point *p = &speed->points[i];
        int64_t left = m->end_ns - gw_clock_ns(CLOCK_MONOTONIC);
        m->point = p;
        if (rest[0] == '\0' && gw_stopped())
            (void)snprintf(rest, sizeof(rest), "%s", GW_INTERRUPTED);
        if (rest[0] == '\0' && left <= 0 && !speed->simulated)
            (void)snprintf(rest, sizeof(rest), "the time for measuring was up (--measure-time)");
        if (rest[0] != '\0') {
            (void)snprintf(p->why, sizeof(p->why), "%s", rest);
            continue;
        }
        fit_echo(m, p->load);
        measure_point(m, left / (speed->num - i));
        if (is_gone(m))
            (void)snprintf(rest, sizeof(rest),
                           "the board stopped answering when %" PRIu32 " bytes were measured (%s)",
                           p->size, p->load->id);
    }
}

/* Why there is nothing to measure, or NULL. */
static const char *unmeasurable(const gw_ctx *ctx, const char *lost)
{
    if (ctx->suite->calls_us)
        return "it calls us: it asks, and answers nothing whose time could be taken";
    if (ctx->suite->loads == NULL)
        return "nothing is defined to be measured of this role";
    if (lost[0] != '\0')
        return lost;
    if (ctx->target->virtual_time && ctx->target->sim == NULL)
        return "the board lives in memory, in a virtual time that tells nothing about speed";
    return NULL;
}

static FILE *open_file(measurement *m)
{
    gw_speed *speed = m->speed;
    const char *dir = m->ctx->setup->out_dir;
    if (dir == NULL)
        return NULL;
    FILE *file = gw_store_open(dir, GW_SPEED_FILE, speed->unwritten, sizeof(speed->unwritten));
    if (file != NULL)
        m->file = gw_evidence_create(file);
    return file;
}

static void close_file(measurement *m, FILE *file)
{
    gw_speed *speed = m->speed;
    char why[160];
    if (file == NULL)
        return;
    bool whole = m->file != NULL && gw_evidence_close(m->file);
    bool kept = gw_store_keep(file, m->ctx->setup->out_dir, GW_SPEED_FILE, why, sizeof(why));
    if ((!whole || !kept) && speed->unwritten[0] == '\0')
        (void)snprintf(speed->unwritten, sizeof(speed->unwritten), "%s",
                       kept ? GW_SPEED_FILE " cannot be written whole" : why);
}

static void measure(gw_ctx *ctx, gw_speed *speed)
{
    measurement m = {.ctx = ctx, .speed = speed};
    size_t spent = ctx->evidence.spent;
    int64_t reply_ns = ctx->reply_ns;
    m.state = calloc(1, largest_state(speed->loads));
    if (m.state == NULL) {
        (void)snprintf(speed->why, sizeof(speed->why), "out of memory");
        return;
    }
    list_points(speed);
    ctx->evidence.spent = 0; /* each exchange is forgotten before the next */
    m.echo = open_echo(ctx, speed, speed->stream);
    m.echoes_stream = speed->stream;
    FILE *file = open_file(&m);
    measure_all(&m);
    close_file(&m, file);
    gw_echo_close(m.echo);
    ctx->evidence.spent = spent;
    ctx->reply_ns = reply_ns;
    free(m.state);
}

void gw_speed_measure(gw_ctx *ctx, const char *lost, void *arg)
{
    gw_speed *speed = arg;
    gw_target *target = ctx->target;
    const char *why = unmeasurable(ctx, lost);
    speed->loads = ctx->suite->loads;
    speed->simulated = target->sim != NULL;
    speed->stream = target->links[0].stream;
    if (why != NULL) {
        (void)snprintf(speed->why, sizeof(speed->why), "%s: %s", ctx->suite->role, why);
        return;
    }
    int64_t began = target->now != NULL ? target->now(target) : gw_clock_ns(CLOCK_MONOTONIC);
    measure(ctx, speed);
    speed->took_ns =
        (target->now != NULL ? target->now(target) : gw_clock_ns(CLOCK_MONOTONIC)) - began;
}
