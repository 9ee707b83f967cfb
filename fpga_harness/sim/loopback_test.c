/* SPDX-License-Identifier: BSD-2-Clause */
/* The ports in a real simulator: what comes back of frames through cores/loopback, and when, to the
 * picosecond. The log has to be the same whatever simulator runs and whatever language the ports
 * are in: loopback_test SIMULATE_SH SIMULATOR EXPECTED. And whether that is another process or this
 * one: loopback_test MODEL_SH model EXPECTED. Exit status 77: it is not installed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "link.h"
#include "model_testing.h"
#include "sim_log_testing.h"

#define WAIT_PS INT64_C(20000000) /* of simulated time, for a frame to come back */
#define LANES 11
#define LARGEST 1500

static const gw_endpoint here = {.family = GW_FAMILY_IPV4, .ip = {10, 0, 0, 1}, .port = 50000};
static const gw_endpoint there = {.family = GW_FAMILY_IPV4, .ip = {10, 0, 0, 2}, .port = 60368};

static const char *const breach_names[GW_SIM_NUM_BREACHES] = {
    "",        "valid dropped", "data changed", "keep holes", "empty last",
    "unknown", "strobe alone",  "unasked ack",  "two ends"};

typedef struct run {
    gw_sim *sim;
    pid_t child; /* -1: a model in this process */
    test_model model;
    FILE *log;
    gw_sim_queue heard; /* of one port, with picoseconds, which a transport does not tell */
} run;

static void fill(uint8_t *frame, size_t len, unsigned seed)
{
    for (size_t i = 0; i < len; i++)
        frame[i] = (uint8_t)(seed + 7 * i + (i >> 8));
}

/* FNV-1a: enough to tell frames from each other. */
static uint32_t digest(const uint8_t *data, size_t len)
{
    uint32_t hash = UINT32_C(2166136261);
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ data[i]) * UINT32_C(16777619);
    return hash;
}

static void start_model(run *r, const char *script)
{
    char why[256] = "";
    int status = load_model(&r->model, script, "loopback", why, sizeof(why));
    if (status != 0)
        fprintf(stderr, "loopback_test: %s\n", why);
    if (status != 0)
        exit(status);
    r->child = -1;
    r->sim = attach_model(&r->model, why, sizeof(why));
    if (r->sim == NULL)
        give_up(why);
}

static void start(run *r, const char *script, const char *simulator)
{
    if (strcmp(simulator, "model") == 0)
        start_model(r, script);
    else
        r->sim = start_simulator(script, simulator, "loopback", &r->child);
    r->heard.bytes = malloc(GW_SIM_QUEUE);
    if (r->heard.bytes == NULL)
        give_up("out of memory");
}

/* Logs what comes within WAIT_PS; at most |most| frames. */
static void hear(run *r, unsigned port, unsigned most)
{
    uint8_t frame[LARGEST + 64];
    int64_t until_ps = r->sim->now_ps + WAIT_PS, at_ps;
    size_t len;
    while (most > 0 && r->sim->now_ps < until_ps && gw_sim_is_there(r->sim)) {
        while (gw_sim_queue_get(&r->heard, &at_ps, frame, sizeof(frame), &len)) {
            fprintf(r->log, "port %u: %zu bytes %08lx at %lld ps\n", port, len,
                    (unsigned long)digest(frame, len), (long long)at_ps);
            most -= most > 0;
        }
        if (most > 0)
            gw_sim_run(r->sim, until_ps, false);
    }
    if (most > 0)
        fprintf(r->log, "port %u: nothing more by %lld ps, %zu bytes untaken\n", port,
                (long long)r->sim->now_ps, gw_sim_untaken(r->sim, port));
}

static void send(run *r, gw_transport *t, unsigned port, size_t len)
{
    uint8_t frame[LARGEST] = {0};
    fill(frame, len, port);
    if (!t->ops->send(t, frame, len))
        give_up(t->error);
    fprintf(r->log, "port %u: %zu bytes %08lx sent at %lld ps\n", port, len,
            (unsigned long)digest(frame, len), (long long)r->sim->now_ps);
}

/* One frame at a time, then some at once, then one that a reset cuts. */
static void exercise(run *r, unsigned port)
{
    static const size_t lengths[] = {1, 7, 8, 9, 63, 64, 65, 300};
    char why[256] = "";
    gw_transport *t = gw_sim_open(r->sim, port, &here, &there, why, sizeof(why));
    if (t == NULL)
        give_up(why);
    r->sim->ports[port].listeners[GW_SIM_LISTENERS - 1] = &r->heard;
    gw_sim_mark(r->sim, "one at a time");
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        send(r, t, port, lengths[i]);
        hear(r, port, 1);
    }
    gw_sim_mark(r->sim, "together");
    for (size_t i = 0; i < 3; i++)
        send(r, t, port, lengths[i + 2]);
    hear(r, port, 3);
    gw_sim_mark(r->sim, "cut by a reset");
    send(r, t, port, LARGEST);
    gw_sim_run(r->sim, r->sim->now_ps + 123456, true);
    if (!gw_sim_reset(r->sim, 100, why, sizeof(why)))
        give_up(why);
    send(r, t, port, 5);
    hear(r, port, 4);
    r->sim->ports[port].listeners[GW_SIM_LISTENERS - 1] = NULL;
    gw_transport_close(t);
}

/* What is neither 0 nor 1 is seen where there is such a thing: Verilator knows two values. */
static void log_breaches(run *r, const char *simulator)
{
    const gw_sim_breaches *seen;
    bool unknown = false;
    for (size_t i = 0; (seen = gw_sim_breach_seen(r->sim, i)) != NULL; i++) {
        unknown = unknown || seen->which == GW_SIM_UNKNOWN;
        if (seen->which == GW_SIM_UNKNOWN)
            continue;
        fprintf(r->log, "port %u: %s, %llu times, first at %lld ns\n", seen->port,
                breach_names[seen->which % GW_SIM_NUM_BREACHES], (unsigned long long)seen->times,
                (long long)seen->first_ns);
    }
    bool two_values = strcmp(simulator, "verilator") == 0 || strcmp(simulator, "model") == 0;
    if (unknown == two_values)
        give_up("unknown data was not seen, or where there can be none");
}

int main(int argc, char **argv)
{
    run r = {.log = tmpfile()};
    if (argc < 3 || r.log == NULL)
        give_up("usage: loopback_test SIMULATE_SH SIMULATOR [EXPECTED]");
    start(&r, argv[1], argv[2]);
    fprintf(r.log, "# SPDX-License-Identifier: BSD-2-Clause\n# What loopback_test hears.\n");
    for (unsigned port = 0; port < LANES; port++)
        exercise(&r, port);
    log_breaches(&r, argv[2]);
    gw_sim_free(r.sim);
    free(r.heard.bytes);
    int status = 0;
    if (r.child < 0)
        unload_model(&r.model);
    else if (waitpid(r.child, &status, 0) != r.child || !WIFEXITED(status) ||
             WEXITSTATUS(status) != 0)
        give_up("the simulator ended badly");
    return end_log(r.log, argc > 3 ? argv[3] : NULL);
}
