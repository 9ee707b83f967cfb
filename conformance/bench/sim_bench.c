/* SPDX-License-Identifier: BSD-2-Clause */
/* sim_bench SIMULATE_SH SIMULATOR CORE idle CLOCK_HZ [NAME=VALUE] | frames: how many cycles of a
 * simulated core, with a parameter of its testbench set, pass in a second of the simulator's
 * processor time while nobody speaks to it, and how many frames of 64 bytes a loopback sends back,
 * one at a time. Prints one number. Exit status 77: the simulator is not
 * installed. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/sim.h"

#define START_NS INT64_C(300000000000) /* of the wall's clock: it may have to be built first */
#define LOOK_NS INT64_C(200000000)
#define LEAST_S 1.0 /* of measuring */
#define ROUNDS 3    /* the best of them counts: others use this machine as well */
#define FRAME 64
#define FRAME_NS INT64_C(100000)

typedef struct bench {
    gw_sim *sim;
    gw_transport *way;
    pid_t child;
} bench;

static _Noreturn void give_up(const bench *b, const char *what)
{
    fprintf(stderr, "sim_bench: %s\n", what);
    if (b->child > 0)
        (void)kill(b->child, SIGTERM);
    exit(1);
}

/* The processor's time that the simulator has used so far. */
static double seconds(const bench *b)
{
    struct timespec t;
    clockid_t clock;
    if (clock_getcpuclockid(b->child, &clock) != 0 || clock_gettime(clock, &t) != 0)
        give_up(b, "the simulator is gone");
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Ends with the simulator's own status when it is over before it calls. */
static void await(bench *b)
{
    char why[256] = "";
    for (int64_t left_ns = START_NS; !gw_sim_await(b->sim, LOOK_NS, why, sizeof(why));
         left_ns -= LOOK_NS) {
        int status = 0;
        if (waitpid(b->child, &status, WNOHANG) == b->child) {
            gw_sim_free(b->sim);
            exit(WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : 1);
        }
        if (left_ns <= 0)
            give_up(b, why);
    }
}

static void start(bench *b, const char *script, const char *simulator, const char *core,
                  const char *setting)
{
    const gw_endpoint nowhere = {0};
    char why[256] = "";
    char name[64];
    (void)snprintf(name, sizeof(name), "bench-%ld", (long)getpid());
    b->sim = gw_sim_listen(name, why, sizeof(why));
    if (b->sim == NULL)
        give_up(b, why);
    b->child = fork();
    if (b->child == 0) {
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
        execl(script, script, simulator, core, setting, (char *)NULL);
        _exit(9);
    }
    await(b);
    b->way = gw_sim_open(b->sim, 0, &nowhere, &nowhere, why, sizeof(why));
    if (b->way == NULL)
        give_up(b, why);
}

/* Lets |time_ns| of the simulation pass, and returns the seconds that took. */
static double pass(const bench *b, int64_t time_ns)
{
    uint8_t frame[2048];
    size_t len;
    int64_t stamp;
    gw_endpoint from;
    double began = seconds(b);
    int64_t until = b->way->ops->now(b->way) + time_ns;
    while (b->way->ops->now(b->way) < until)
        if (b->way->ops->recv(b->way, frame, sizeof(frame), &len, until, &stamp, &from) ==
            GW_RECV_CLOSED)
            give_up(b, "the simulator is gone");
    return seconds(b) - began;
}

/* Cycles a second. */
static double measure_idle(const bench *b, double clock_hz)
{
    double best = 0;
    int64_t time_ns = 100000;
    while (pass(b, time_ns) < LEAST_S / 4)
        time_ns *= 2;
    time_ns *= 4;
    for (unsigned i = 0; i < ROUNDS; i++) {
        double rate = (double)time_ns * 1e-9 * clock_hz / pass(b, time_ns);
        best = rate > best ? rate : best;
    }
    return best;
}

static void exchange(const bench *b, unsigned number)
{
    uint8_t sent[FRAME];
    uint8_t got[2048];
    size_t len = 0;
    int64_t stamp;
    gw_endpoint from;
    gw_transport *t = b->way;
    for (size_t i = 0; i < sizeof(sent); i++)
        sent[i] = (uint8_t)(number + 7 * i);
    if (!t->ops->send(t, sent, sizeof(sent)))
        give_up(b, t->error);
    if (t->ops->recv(t, got, sizeof(got), &len, t->ops->now(t) + FRAME_NS, &stamp, &from) !=
            GW_RECV_DATA ||
        len != sizeof(sent) || memcmp(got, sent, len) != 0)
        give_up(b, "a frame does not come back");
}

/* Frames a second. */
static double measure_frames(const bench *b)
{
    double best = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        double began = seconds(b);
        unsigned num = 0;
        for (; seconds(b) - began < LEAST_S; num++)
            exchange(b, num);
        double rate = num / (seconds(b) - began);
        best = rate > best ? rate : best;
    }
    return best;
}

int main(int argc, char **argv)
{
    bench b = {0};
    bool idle = (argc == 6 || argc == 7) && strcmp(argv[4], "idle") == 0;
    if (!idle && (argc != 5 || strcmp(argv[4], "frames") != 0)) {
        fprintf(
            stderr,
            "usage: sim_bench SIMULATE_SH SIMULATOR CORE idle CLOCK_HZ [NAME=VALUE] | frames\n");
        return 2;
    }
    start(&b, argv[1], argv[2], argv[3], argc == 7 ? argv[6] : NULL);
    printf("%.0f\n", idle ? measure_idle(&b, strtod(argv[5], NULL)) : measure_frames(&b));
    gw_transport_close(b.way);
    gw_sim_free(b.sim);
    (void)waitpid(b.child, NULL, 0);
    return 0;
}
