/* SPDX-License-Identifier: BSD-2-Clause */
/* Many short exchanges with a core, each behind a reset: with the simulator in another process, and
 * in this one. What comes back, and when, has to be the same, exchange by exchange. How long it
 * took is printed: model_test MODEL_SH SIMULATE_SH CORE EXCHANGES. Exit status 77: Verilator is not
 * installed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "goldwire/op2p.h"
#include "harness/sim.h"
#include "harness/socket.h"
#include "model_testing.h"

#define START_NS INT64_C(300000000000) /* of the wall's clock: it may have to be built first */
#define WITHIN_NS 20000                /* of simulated time, for an answer */
#define RESET_NS 200
#define LONGEST 1100
#define CASES 7 /* different requests in turn */

static const gw_endpoint here = {.family = GW_FAMILY_IPV4, .ip = {10, 0, 0, 1}, .port = 50000};
static const gw_endpoint there = {.family = GW_FAMILY_IPV4, .ip = {10, 0, 0, 2}, .port = 60368};

typedef struct log_line {
    int64_t after_ns; /* of simulated time since the reset */
    size_t len;
    uint32_t digest; /* of what came */
} log_line;

typedef struct result {
    log_line *lines;
    size_t num_answers;
    int64_t simulated_ns;
    int64_t took_ns; /* of the wall's clock */
    double cpu_s;    /* of both processes, the simulator's start included */
} result;

static void give_up(const char *what)
{
    fprintf(stderr, "model_test: %s\n", what);
    exit(1);
}

static uint32_t digest(const uint8_t *data, size_t len)
{
    uint32_t hash = UINT32_C(2166136261); /* FNV-1a */
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ data[i]) * UINT32_C(16777619);
    return hash;
}

/* A read of the OP2P node's memory, which is some bytes to a loopback. */
static size_t request(uint8_t *out, size_t number)
{
    gw_op2p_header read = {.src_id = 0x42,
                           .type = GW_OP2P_READ,
                           .dst_addr = (uint32_t)(64 * (number % CASES)),
                           .src_addr = 0x100,
                           .byte_count = (uint16_t)(4 + 16 * (number % CASES)),
                           .fbe = 0xf};
    gw_op2p_put(out, &read);
    return GW_OP2P_HEADER;
}

/* One exchange on port 0 behind a reset. */
static log_line exchange(gw_sim *sim, size_t number)
{
    uint8_t bytes[LONGEST];
    char why[256] = "";
    int64_t stamp_ns = 0;
    gw_endpoint from;
    log_line line = {0};
    if (!gw_sim_clear(sim, RESET_NS, why, sizeof(why)))
        give_up(why);
    gw_transport *t = gw_sim_open(sim, 0, &here, &there, why, sizeof(why));
    if (t == NULL)
        give_up(why);
    int64_t since_ns = gw_sim_now(sim);
    if (!t->ops->send(t, bytes, request(bytes, number)))
        give_up(t->error);
    if (t->ops->recv(t, bytes, sizeof(bytes), &line.len, since_ns + WITHIN_NS, &stamp_ns, &from) ==
        GW_RECV_DATA) {
        line.after_ns = stamp_ns - GW_VIRTUAL_EPOCH_NS - since_ns;
        line.digest = digest(bytes, line.len);
    } else {
        line.after_ns = gw_sim_now(sim) - since_ns;
    }
    gw_transport_close(t);
    return line;
}

static double cpu_s(void)
{
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        struct rusage used;
        (void)getrusage(i == 0 ? RUSAGE_SELF : RUSAGE_CHILDREN, &used);
        sum += (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec;
        sum += (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
    }
    return sum;
}

static result measure(gw_sim *sim, size_t num)
{
    result r = {.lines = calloc(num, sizeof(*r.lines))};
    if (r.lines == NULL)
        give_up("out of memory");
    int64_t since_ns = gw_clock_ns(CLOCK_MONOTONIC);
    int64_t simulated_since_ns = gw_sim_now(sim);
    for (size_t i = 0; i < num; i++) {
        r.lines[i] = exchange(sim, i);
        r.num_answers += r.lines[i].len > 0;
    }
    r.simulated_ns = gw_sim_now(sim) - simulated_since_ns;
    r.took_ns = gw_clock_ns(CLOCK_MONOTONIC) - since_ns;
    return r;
}

static result in_another_process(const char *script, const char *core, size_t num)
{
    char why[256] = "", name[64];
    (void)snprintf(name, sizeof(name), "model-%s-%ld", core, (long)getpid());
    gw_sim *sim = gw_sim_listen(name, why, sizeof(why));
    if (sim == NULL)
        give_up(why);
    pid_t child = fork();
    if (child == 0) {
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
        execl(script, script, "verilator", core, (char *)NULL);
        _exit(9);
    }
    if (!gw_sim_await(sim, START_NS, why, sizeof(why)))
        give_up(why);
    result r = measure(sim, num);
    gw_sim_free(sim);
    (void)waitpid(child, NULL, 0);
    return r;
}

static result in_this_process(test_model *model, size_t num)
{
    char why[256] = "";
    gw_sim *sim = attach_model(model, why, sizeof(why));
    if (sim == NULL)
        give_up(why);
    result r = measure(sim, num);
    gw_sim_free(sim);
    return r;
}

static void tell(const char *way, const char *core, const result *r, size_t num)
{
    double seconds = (double)r->took_ns / 1e9;
    printf("%s, %s: %zu exchanges, %lld ns simulated, in %.3f s (%.3f s of processors): %.0f "
           "exchanges/s, %.2f ms of simulated time a second\n",
           core, way, num, (long long)r->simulated_ns, seconds, r->cpu_s, (double)num / seconds,
           (double)r->simulated_ns / 1e6 / seconds);
}

/* The same request has the same answer whenever it comes: nothing is left of those before. */
static void compare(const result *a, const result *b, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        const log_line *first = &b->lines[i % CASES], *x = &a->lines[i], *y = &b->lines[i];
        bool alike = x->after_ns == y->after_ns && x->len == y->len && x->digest == y->digest;
        /* Nanoseconds are what is left of a clock's picoseconds. */
        bool again = llabs(y->after_ns - first->after_ns) <= 1 && y->len == first->len &&
                     y->digest == first->digest;
        if (alike && again)
            continue;
        fprintf(stderr,
                "exchange %zu: %zu bytes %08lx after %lld ns, in this process %zu %08lx %lld, %s\n",
                i, x->len, (unsigned long)x->digest, (long long)x->after_ns, y->len,
                (unsigned long)y->digest, (long long)y->after_ns,
                alike ? "unlike before" : "unlike");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    char why[256] = "";
    test_model model = {0};
    double since_s;
    if (argc != 5)
        give_up("usage: model_test MODEL_SH SIMULATE_SH CORE EXCHANGES");
    size_t num = strtoul(argv[4], NULL, 10);
    int status = load_model(&model, argv[1], argv[3], why, sizeof(why));
    if (status != 0)
        fprintf(stderr, "model_test: %s\n", why);
    if (status != 0)
        return status;
    since_s = cpu_s();
    result own = in_this_process(&model, num);
    own.cpu_s = cpu_s() - since_s;
    unload_model(&model);
    since_s = cpu_s();
    result other = in_another_process(argv[2], argv[3], num);
    other.cpu_s = cpu_s() - since_s;
    tell("in another process", argv[3], &other, num);
    tell("in this process", argv[3], &own, num);
    compare(&other, &own, num);
    if (own.num_answers != num)
        give_up("not every request was answered");
    free(own.lines);
    free(other.lines);
    return 0;
}
