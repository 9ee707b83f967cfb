/* SPDX-License-Identifier: BSD-2-Clause */
/* Hooks: started without a shell, heard out, and killed with all their children. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/hook.h"

static gw_hook_run *begin(unsigned timeout_s, const char *const *args)
{
    gw_hook hook = {.timeout_s = timeout_s};
    char why[160] = "";
    for (; args[hook.num_args] != NULL; hook.num_args++)
        (void)snprintf(hook.args[hook.num_args], GW_HOOK_ARG, "%s", args[hook.num_args]);
    gw_hook_run *run = gw_hook_begin(&hook, why, sizeof(why));
    if (run == NULL)
        fail_msg("%s", why);
    return run;
}

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define SHELL(script) ARGS("sh", "-c", script)

static void expect_output(gw_hook_run *run, const char *text)
{
    size_t len;
    const char *output = gw_hook_output(run, &len);
    assert_int_equal(len, strlen(text));
    assert_memory_equal(output, text, len);
}

/* A hook that starts several tools goes on until the last of them has ended, not the first. */
static void a_hook_lives_as_long_as_what_it_started(void **state)
{
    char folder[] = "/tmp/goldwire-hook-XXXXXX";
    char fifo[64];
    char script[512];
    size_t len = 0;
    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(fifo, sizeof(fifo), "%s/fifo", folder);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    /* The one behind waits until its parent has ended, tells it, and waits for us. */
    (void)snprintf(script, sizeof(script),
                   "(while ! grep -q ') Z ' /proc/$$/stat; do :; done; echo gone; cat %s) &", fifo);
    gw_hook_run *run = begin(60, SHELL(script));
    alarm(60);
    while (len == 0)
        (void)gw_hook_output(run, &len);
    expect_output(run, "gone\n");
    assert_true(gw_hook_lives(run));
    FILE *end = fopen(fifo, "w");
    assert_non_null(end);
    assert_int_equal(fclose(end), 0);
    while (gw_hook_lives(run))
        ;
    assert_false(gw_hook_failed(run));
    alarm(0);
    gw_hook_free(run);
    assert_int_equal(unlink(fifo), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void arguments_are_not_a_shell_line(void **state)
{
    (void)state;
    gw_hook_run *run = begin(60, ARGS("echo", "$HOME; a  b", "*"));
    assert_true(gw_hook_wait(run));
    assert_string_equal(gw_hook_outcome(run), "exit 0");
    expect_output(run, "$HOME; a  b *\n");
    gw_hook_free(run);
}

static void tells_how_it_went(void **state)
{
    (void)state;
    gw_hook_run *run = begin(60, SHELL("echo out; echo err >&2; exit 3"));
    assert_false(gw_hook_wait(run));
    assert_string_equal(gw_hook_outcome(run), "exit 3");
    expect_output(run, "out\nerr\n");
    gw_hook_free(run);

    run = begin(60, SHELL("kill -9 $$"));
    assert_false(gw_hook_wait(run));
    assert_string_equal(gw_hook_outcome(run), "ended by signal 9");
    gw_hook_free(run);
    gw_hook_free(NULL);
}

static void input_is_empty(void **state)
{
    (void)state;
    gw_hook_run *run = begin(60, ARGS("cat"));
    assert_true(gw_hook_wait(run));
    expect_output(run, "");
    gw_hook_free(run);
}

static void what_cannot_start_says_so(void **state)
{
    (void)state;
    gw_hook hook = {.args = {"/nonexistent/hook"}, .num_args = 1, .timeout_s = 1};
    char why[160] = "";
    assert_null(gw_hook_begin(&hook, why, sizeof(why)));
    assert_string_equal(why, "cannot start /nonexistent/hook: No such file or directory");
}

static void expect_missing(const char *program, const char *text)
{
    gw_hook hook = {.num_args = 1};
    char why[400] = "";
    (void)snprintf(hook.args[0], GW_HOOK_ARG, "%s", program);
    assert_false(gw_hook_find(&hook, why, sizeof(why)));
    assert_non_null(strstr(why, program));
    assert_non_null(strstr(why, text));
}

static void programs_are_looked_for_as_a_shell_does(void **state)
{
    (void)state;
    char why[160] = "";
    assert_true(gw_hook_find(&(gw_hook){.args = {"sh"}, .num_args = 1}, why, sizeof(why)));
    assert_true(gw_hook_find(&(gw_hook){.args = {"/bin/sh"}, .num_args = 1}, why, sizeof(why)));
    expect_missing("goldwire-has-no-such-program", "no such program in PATH");
    expect_missing("/nonexistent/hook", "no such file");
    expect_missing("/etc/passwd", "no program that may be run");
    expect_missing("/etc", "no program that may be run");
}

/* Whether it failed is known while it has not been waited for. */
static void failure_shows_before_the_end(void **state)
{
    (void)state;
    gw_hook_run *run = begin(60, SHELL("exec sleep 600"));
    assert_false(gw_hook_failed(run));
    assert_string_equal(gw_hook_outcome(run), "still runs");
    assert_uint_in_range(gw_hook_left(run), 1, 60 * INT64_C(1000000000));
    gw_hook_free(run);
    run = begin(60, SHELL("exit 3"));
    while (gw_hook_lives(run))
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_true(gw_hook_failed(run));
    assert_string_equal(gw_hook_outcome(run), "exit 3");
    gw_hook_stop(run);
    assert_true(gw_hook_failed(run));
    assert_int_equal(gw_hook_left(run), 0);
    gw_hook_free(run);
}

/* The number that a hook wrote. */
static pid_t number_in(gw_hook_run *run)
{
    char text[32] = "";
    size_t len;
    const char *output = gw_hook_output(run, &len);
    assert_uint_in_range(len, 1, sizeof(text) - 1);
    memcpy(text, output, len);
    return (pid_t)strtol(text, NULL, 10);
}

/* Gone, or dead and waiting for somebody to notice. */
static bool is_gone(pid_t pid)
{
    char path[64];
    char line[256] = "";
    (void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return true;
    bool read = fgets(line, sizeof(line), file) != NULL;
    (void)fclose(file);
    const char *end = strrchr(line, ')');
    return !read || (end != NULL && end[1] == ' ' && end[2] == 'Z');
}

static void expect_gone(pid_t pid)
{
    assert_true(pid > 1);
    for (unsigned i = 0; i < 1000 && !is_gone(pid); i++)
        (void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    assert_true(is_gone(pid));
}

static void the_group_dies_at_the_deadline(void **state)
{
    (void)state;
    /* The child ignores the polite signal, and its parent waits for it. */
    gw_hook_run *run = begin(1, SHELL("(trap '' TERM; sleep 600) & echo $!; wait"));
    assert_false(gw_hook_wait(run));
    assert_string_equal(gw_hook_outcome(run), "killed after 1 s");
    expect_gone(number_in(run));
    gw_hook_free(run);
}

static void what_a_hook_leaves_behind_dies_with_it(void **state)
{
    (void)state;
    gw_hook_run *run = begin(60, SHELL("sleep 600 & echo $!"));
    assert_true(gw_hook_wait(run));
    expect_gone(number_in(run));
    gw_hook_free(run);
}

static void a_start_hook_stays(void **state)
{
    (void)state;
    gw_hook_run *run = begin(600, SHELL("sleep 600"));
    assert_true(gw_hook_lives(run));
    assert_string_equal(gw_hook_outcome(run), "still runs");
    gw_hook_stop(run);
    assert_false(gw_hook_lives(run));
    assert_string_equal(gw_hook_outcome(run), "ended by signal 15");
    gw_hook_free(run);
}

/* Who is interrupted takes the hooks along. */
static void an_interrupt_ends_hooks_too(void **state)
{
    (void)state;
    int ends[2];
    pid_t hook = 0;
    int status = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t goldwire = fork();
    assert_true(goldwire >= 0);
    if (goldwire == 0) {
        gw_hook_run *run = begin(600, SHELL("echo $$; exec sleep 600"));
        size_t len = 0;
        for (unsigned i = 0; i < 1000 && len == 0; i++) {
            (void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
            (void)gw_hook_output(run, &len);
        }
        pid_t child = number_in(run);
        (void)!write(ends[1], &child, sizeof(child));
        (void)raise(SIGTERM);
        _exit(0);
    }
    assert_int_equal(read(ends[0], &hook, sizeof(hook)), sizeof(hook));
    assert_int_equal(waitpid(goldwire, &status, 0), goldwire);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
    expect_gone(hook);
    close(ends[0]);
    close(ends[1]);
}

static void too_much_output_is_cut(void **state)
{
    (void)state;
    gw_hook_run *run = begin(60, SHELL("head -c 200000 /dev/zero; true"));
    assert_true(gw_hook_wait(run));
    size_t len;
    (void)gw_hook_output(run, &len);
    assert_uint_in_range(len, 1, GW_HOOK_OUTPUT);
    gw_hook_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hook_lives_as_long_as_what_it_started),
        cmocka_unit_test(arguments_are_not_a_shell_line),
        cmocka_unit_test(tells_how_it_went),
        cmocka_unit_test(input_is_empty),
        cmocka_unit_test(what_cannot_start_says_so),
        cmocka_unit_test(programs_are_looked_for_as_a_shell_does),
        cmocka_unit_test(failure_shows_before_the_end),
        cmocka_unit_test(the_group_dies_at_the_deadline),
        cmocka_unit_test(what_a_hook_leaves_behind_dies_with_it),
        cmocka_unit_test(a_start_hook_stays),
        cmocka_unit_test(an_interrupt_ends_hooks_too),
        cmocka_unit_test(too_much_output_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
