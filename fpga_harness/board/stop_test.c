/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the wish to stop. It cannot be taken back, so each test wishes in a process of its own.
 */
#include "harness/stop.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/hook.h"
#include "harness/socket.h"
#include "harness/transport.h"

#define HOUR_NS (INT64_C(3600) * 1000000000)

/* Runs |life| in a child and returns the status that waitpid tells. */
static int status_of(int (*life)(void))
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        _exit(life());
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static int waits_end(void)
{
    gw_url url;
    char why[256];
    uint8_t buf[64];
    size_t len;
    bool unreachable;
    gw_stop_watch();
    if (gw_stopped() || !gw_url_parse(&url, "udp://127.0.0.1:9", why, sizeof(why)))
        return 1;
    gw_transport *t = gw_transport_open(&url, HOUR_NS, &unreachable, why, sizeof(why));
    if (t == NULL)
        return 2;
    int64_t deadline = t->ops->now(t) + HOUR_NS;
    pid_t self = getpid();
    if (fork() == 0) {
        /* Most likely while the parent waits; whenever it comes, the wait ends. */
        struct timespec moment = {.tv_nsec = 50000000};
        (void)nanosleep(&moment, NULL);
        _exit(kill(self, SIGTERM));
    }
    gw_recv_status status = t->ops->recv(t, buf, sizeof(buf), &len, deadline, NULL, NULL);
    t->ops->wait(t, deadline);
    gw_transport_close(t);
    return status == GW_RECV_TIMEOUT && gw_stopped() ? 0 : 3;
}

static void what_waits_ends(void **state)
{
    (void)state;
    int status = status_of(waits_end);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static int hooks_end(void)
{
    char why[256];
    gw_hook hook = {.args = {"sleep", "3600"}, .num_args = 2, .timeout_s = 3600};
    gw_stop_watch();
    gw_hook_run *run = gw_hook_begin(&hook, why, sizeof(why));
    if (run == NULL || raise(SIGINT) != 0)
        return 1;
    if (gw_hook_wait(run) || strstr(gw_hook_outcome(run), "told to stop") == NULL)
        return 2;
    gw_hook_free(run);
    return gw_hook_begin(&hook, why, sizeof(why)) == NULL ? 0 : 3;
}

static void hooks_end_and_none_begins(void **state)
{
    (void)state;
    int status = status_of(hooks_end);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static int is_told_twice_in_a_row(void)
{
    gw_stop_watch();
    for (unsigned i = 0; i < 2; i++)
        if (raise(SIGTERM) != 0)
            return 1;
    return gw_stopped() ? 0 : 2;
}

static int is_told_again_later(void)
{
    gw_stop_watch();
    (void)raise(SIGTERM);
    int64_t later = gw_clock_ns(CLOCK_MONOTONIC) + 600000000;
    while (gw_clock_ns(CLOCK_MONOTONIC) < later)
        ;
    (void)raise(SIGINT);
    return 1;
}

static void the_second_wish_is_obeyed_at_once(void **state)
{
    (void)state;
    int status = status_of(is_told_again_later);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGINT);
    status = status_of(is_told_twice_in_a_row);
    assert_true(WIFEXITED(status) || WTERMSIG(status) == SIGTERM);
}

/* What has to be done before the end gets its time, and no more; a second signal still ends it. */
static int grace_passes(void)
{
    gw_stop_watch();
    (void)raise(SIGTERM);
    if (!gw_stopped())
        return 1;
    gw_stop_grace(HOUR_NS);
    if (gw_stopped())
        return 2;
    gw_stop_grace(0);
    if (!gw_stopped())
        return 3;
    gw_stop_grace(1);
    while (!gw_stopped())
        ;
    gw_stop_grace(HOUR_NS);
    int64_t later = gw_clock_ns(CLOCK_MONOTONIC) + 600000000;
    while (gw_clock_ns(CLOCK_MONOTONIC) < later)
        ;
    (void)raise(SIGTERM);
    return 4;
}

static void grace_is_for_the_end_alone(void **state)
{
    (void)state;
    int status = status_of(grace_passes);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
}

static int ignores(void)
{
    (void)signal(SIGINT, SIG_IGN);
    gw_stop_watch();
    (void)raise(SIGINT);
    return gw_stopped() ? 1 : 0;
}

static void what_is_ignored_stays_ignored(void **state)
{
    (void)state;
    int status = status_of(ignores);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_waits_ends),
        cmocka_unit_test(hooks_end_and_none_begins),
        cmocka_unit_test(the_second_wish_is_obeyed_at_once),
        cmocka_unit_test(what_is_ignored_stays_ignored),
        cmocka_unit_test(grace_is_for_the_end_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
