/* SPDX-License-Identifier: BSD-2-Clause */
/* The wish to stop. A signal that comes between the look at the flag and the wait would not end the
 * wait; so from the first one on a timer's signals go on interrupting. */
#include "harness/stop.h"

#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "groups.h"

#define TICK_NS (20 * 1000000L)

/* `timeout', and shells that forward signals, tell us twice in a row: that is one wish. */
#define APART_NS INT64_C(500000000)

static atomic_bool watching;
static atomic_bool stopped;
static _Atomic int64_t stopped_at;  /* CLOCK_MONOTONIC */
static _Atomic int64_t grace_until; /* likewise; 0: there is none */
static timer_t ticks;
static bool have_ticks;

static int64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void end_now(int signal)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    gw_groups_kill();
    (void)sigaction(signal, &usual, NULL);
    (void)raise(signal);
}

static void on_signal(int signal)
{
    static const struct itimerspec often = {{0, TICK_NS}, {0, TICK_NS}};
    int64_t now = now_ns();
    if (atomic_load(&stopped)) {
        if (now - atomic_load(&stopped_at) >= APART_NS)
            end_now(signal);
        return;
    }
    atomic_store(&stopped_at, now);
    atomic_store(&stopped, true);
    if (have_ticks)
        (void)timer_settime(ticks, 0, &often, NULL);
}

static void on_tick(int signal)
{
    (void)signal;
}

static void take_over(int signal)
{
    struct sigaction now;
    struct sigaction ours = {.sa_handler = on_signal}; /* no SA_RESTART: waits must end */
    sigemptyset(&ours.sa_mask);
    sigaddset(&ours.sa_mask, SIGINT);
    sigaddset(&ours.sa_mask, SIGTERM);
    if (sigaction(signal, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
        (void)sigaction(signal, &ours, NULL);
}

void gw_stop_watch(void)
{
    struct sigaction tick = {.sa_handler = on_tick};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    if (atomic_exchange(&watching, true))
        return;
    (void)sigaction(SIGALRM, &tick, NULL);
    have_ticks = timer_create(CLOCK_MONOTONIC, &event, &ticks) == 0;
    take_over(SIGINT);
    take_over(SIGTERM);
}

bool gw_stopped(void)
{
    if (!atomic_load_explicit(&stopped, memory_order_relaxed))
        return false;
    int64_t until = atomic_load_explicit(&grace_until, memory_order_relaxed);
    return until == 0 || now_ns() >= until;
}

void gw_stop_grace(int64_t time_ns)
{
    atomic_store(&grace_until, time_ns > 0 ? now_ns() + time_ns : 0);
}
