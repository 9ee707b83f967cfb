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

typedef struct measurement {
    gw_ctx *ctx;
    gw_speed *speed;
    gw_speed_point *point;
    void *state;
    gw_echo *echo;
    gw_evidence_file *file; /* NULL: nothing is kept */
    int64_t until_ns;       /* for what goes on, of CLOCK_MONOTONIC */
    unsigned sent;          /* requests of the point */
} measurement;

/* ---- one size ---- */

static bool goes_on(const measurement *m, unsigned num, unsigned most, unsigned most_simulated)
{
    if (gw_stopped())
        return false;
    if (m->speed->simulated)
        return num < most_simulated;
    return num < most && (num == 0 || gw_clock_ns(CLOCK_MONOTONIC) < m->until_ns);
}

GW_NORETURN static void lost(measurement *m, unsigned away)
{
    char within[24];
    gw_case_inconc(m->ctx, "request %u got no answer within %s%s", m->sent - away + 1,
                   gw_times_text(within, sizeof(within), gw_case_reply_ns(m->ctx)),
                   gw_case_loses(m->ctx) ? ", on a path that is seen to lose some" : "");
}

/* One request and its answer. |*at| gets the number of its first packet in the evidence. */
static int64_t exchange(measurement *m, unsigned *at)
{
    gw_ctx *ctx = m->ctx;
    unsigned slot = 0;
    m->sent++;
    unsigned request = *at = m->point->load->send(ctx, m->state, 0);
    unsigned answer = m->point->load->await(ctx, m->state, gw_case_reply_ns(ctx), &slot);
    if (answer == 0)
        lost(m, 1);
    const gw_evidence_packet *first = gw_case_seen(ctx, request);
    const gw_evidence_packet *last = gw_case_seen(ctx, answer);
    if (first == NULL || last == NULL || ctx->evidence.overflow)
        gw_case_inconc(ctx, "more is said than can be kept");
    return last->time_ns - first->time_ns;
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

static void measure_one(gw_ctx *ctx, void *arg)
{
    measurement *m = arg;
    gw_speed_point *p = m->point;
    int64_t *samples = m->speed->samples;
    unsigned num = 0;
    unsigned at = 0;
    gw_evidence_clear(&ctx->evidence);
    p->load->prepare(ctx, m->state, p->size);
    (void)exchange(m, &at); /* the path may have to be found first */
    note_shape(m, at);
    keep_first(m);
    gw_connection *conn = gw_case_connection(ctx);
    int64_t began = gw_case_now(conn);
    unsigned made = 0;
    for (; goes_on(m, made, GW_SPEED_SAMPLES, SIM_SAMPLES); made++) {
        gw_evidence_clear(&ctx->evidence);
        int64_t time_ns = exchange(m, &at);
        if (time_ns >= 0) /* else the time of day was set in between */
            samples[num++] = time_ns;
    }
    p->one = (gw_rate){.depth = 1, .num = made, .time_ns = gw_case_now(conn) - began};
    p->response = gw_spread_of(samples, num);
    if (num == 0)
        gw_case_inconc(ctx, GW_INTERRUPTED);
}

static void measure_several(gw_ctx *ctx, void *arg)
{
    measurement *m = arg;
    const gw_load *load = m->point->load;
    gw_connection *conn = gw_case_connection(ctx);
    unsigned asked = 0;
    unsigned num = 0;
    unsigned slot = 0;
    gw_evidence_clear(&ctx->evidence);
    m->sent = 0;
    int64_t began = gw_case_now(conn);
    for (; asked < load->depth; asked++, m->sent++)
        (void)load->send(ctx, m->state, asked);
    while (num < asked) {
        if (load->await(ctx, m->state, gw_case_reply_ns(ctx), &slot) == 0)
            lost(m, asked - num);
        num++;
        if (ctx->evidence.num_packets > EVIDENCE_MAX)
            gw_evidence_clear(&ctx->evidence);
        if (!goes_on(m, asked, GW_SPEED_RATE, SIM_RATE))
            continue;
        (void)load->send(ctx, m->state, slot);
        asked++;
        m->sent++;
    }
    m->point->several =
        (gw_rate){.depth = load->depth, .num = num, .time_ns = gw_case_now(conn) - began};
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
    m->sent = 0;
    m->until_ns = began + (share_ns - floor_ns) / (several ? 2 : 1);
    if (ctx->suite->begin != NULL)
        ctx->suite->begin(ctx);
    if (attempt(m, measure_one, p->why, sizeof(p->why)) && several) {
        m->until_ns = began + share_ns - floor_ns;
        (void)attempt(m, measure_several, p->several_why, sizeof(p->several_why));
    }
    if (load->finish != NULL)
        (void)gw_ctx_aside(ctx, finish, m, NULL);
    m->until_ns = began + share_ns;
    if (p->why[0] == '\0')
        measure_floor(m);
    /* What came too late is not for the next size. */
    if (p->why[0] != '\0' || p->several_why[0] != '\0')
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
static bool is_gone(gw_ctx *ctx, const gw_speed_point *p)
{
    if (p->why[0] == '\0' && p->several_why[0] == '\0')
        return false;
    return !gw_stopped() && !gw_alive_surely(ctx, false);
}

static void measure_all(measurement *m)
{
    gw_speed *speed = m->speed;
    int64_t until = gw_clock_ns(CLOCK_MONOTONIC) + speed->budget_ns;
    char rest[200] = "";
    for (unsigned i = 0; i < speed->num; i++) {
        gw_speed_point *p = &speed->points[i];
        int64_t left = until - gw_clock_ns(CLOCK_MONOTONIC);
        m->point = p;
        if (rest[0] == '\0' && gw_stopped())
            (void)snprintf(rest, sizeof(rest), "%s", GW_INTERRUPTED);
        if (rest[0] == '\0' && left <= 0 && !speed->simulated)
            (void)snprintf(rest, sizeof(rest), "the time for measuring was up (--measure-time)");
        if (rest[0] != '\0') {
            (void)snprintf(p->why, sizeof(p->why), "%s", rest);
            continue;
        }
        measure_point(m, left / (speed->num - i));
        if (is_gone(m->ctx, p))
            (void)snprintf(rest, sizeof(rest),
                           "the board stopped answering when %" PRIu32 " bytes were measured (%s)",
                           p->size, p->load->id);
    }
}

/* Why there is nothing to measure, or NULL. */
static const char *unmeasurable(const gw_ctx *ctx, const char *lost)
{
    if (ctx->suite->calls_us)
        return "a board of this role calls us: it asks, and answers nothing whose time could be "
               "taken";
    if (ctx->suite->loads == NULL)
        return "nothing is defined to be measured of this role";
    if (lost[0] != '\0')
        return lost;
    if (ctx->target->virtual_time && ctx->target->sim == NULL)
        return "the board lives in memory, in a virtual time that tells nothing about speed";
    return NULL;
}

/* The floor under what goes over sockets. */
static gw_echo *open_echo(gw_ctx *ctx, gw_speed *speed)
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
    return gw_echo_open(speed->stream, ipv6, speed->floor_why, sizeof(speed->floor_why));
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
    m.state = calloc(1, largest_state(speed->loads));
    if (m.state == NULL) {
        (void)snprintf(speed->why, sizeof(speed->why), "out of memory");
        return;
    }
    list_points(speed);
    ctx->evidence.spent = 0; /* each exchange is forgotten before the next */
    m.echo = open_echo(ctx, speed);
    FILE *file = open_file(&m);
    measure_all(&m);
    close_file(&m, file);
    gw_echo_close(m.echo);
    ctx->evidence.spent = spent;
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
        (void)snprintf(speed->why, sizeof(speed->why), "%s", why);
        return;
    }
    int64_t began = target->now != NULL ? target->now(target) : gw_clock_ns(CLOCK_MONOTONIC);
    measure(ctx, speed);
    speed->took_ns =
        (target->now != NULL ? target->now(target) : gw_clock_ns(CLOCK_MONOTONIC)) - began;
}
