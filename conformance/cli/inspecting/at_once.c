/* SPDX-License-Identifier: BSD-2-Clause */
/* Several pieces of work at once, told as if they had been done one after the other. */
#include "cli/inspecting/at_once.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/verb.h"
#include "harness/stop.h"

#define CHUNK 65536
#define WAKE_MS 200 /* a wish to end may come just before it would be waited for */
#define NAME_SHOWN 4096

/* A process at work, and what it prints: on stdout and on stderr. -1: nothing more comes. */
typedef struct worker {
    pid_t pid;
    int prints[2];
} worker;

typedef struct crew {
    const char *verb;
    int (*work)(void *ctx, size_t i);
    const char *(*name)(void *ctx, size_t i);
    void *ctx;
    unsigned jobs;
    size_t n;
    size_t begun, told; /* those between the two are at work */
    bool dismissed;     /* all who are at work were told to end */
    worker workers[GW_AT_ONCE_MAX];
} crew;

unsigned gw_at_once_jobs(void)
{
    cpu_set_t set;
    const int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;

    return n < 1 ? 1 : n > GW_AT_ONCE_MAX ? GW_AT_ONCE_MAX : (unsigned)n;
}

static worker *worker_of(crew *c, size_t i)
{
    return &c->workers[i % c->jobs];
}

static void let_go(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* The child's part. Pipes of others would keep these open when their reader has gone. */
static _Noreturn void do_work(crew *c, size_t i, const int ends[2])
{
    for (size_t other = c->told; other < c->begun; other++) {
        let_go(&worker_of(c, other)->prints[0]);
        let_go(&worker_of(c, other)->prints[1]);
    }
    if (dup2(ends[0], STDOUT_FILENO) < 0 || dup2(ends[1], STDERR_FILENO) < 0)
        exit(GW_EXIT_TOOL);
    close(ends[0]);
    close(ends[1]);
    exit(gw_stdout_finish(c->verb, c->work(c->ctx, i)));
}

/* Lets a process begin with the next piece of work. False where none can be had now. */
static bool begin(crew *c)
{
    worker *w = worker_of(c, c->begun);
    int out[2], err[2] = {-1, -1};

    if (pipe(out) != 0)
        return false;
    w->pid = pipe(err) == 0 ? fork() : -1;
    if (w->pid == 0) {
        close(out[0]);
        close(err[0]);
        do_work(c, c->begun, (const int[2]){out[1], err[1]});
    }
    close(out[1]);
    let_go(&err[1]);
    if (w->pid < 0) {
        close(out[0]);
        let_go(&err[0]);
        return false;
    }
    w->prints[0] = out[0];
    w->prints[1] = err[0];
    c->begun++;
    return true;
}

/* Tells those at work to end, as this process was told, or as nobody reads what they print. */
static void dismiss(crew *c)
{
    for (size_t i = c->told; i < c->begun && !c->dismissed; i++)
        (void)kill(worker_of(c, i)->pid, SIGTERM);
    c->dismissed = true;
}

static bool over(void)
{
    return gw_stopped() || gw_stdout_failed();
}

/* Shows what has come through |fd|; lets it go at its end. */
static void show(int *fd, FILE *to)
{
    static char chunk[CHUNK];
    const ssize_t n = read(*fd, chunk, sizeof chunk);

    if (n > 0) {
        (void)fwrite(chunk, 1, (size_t)n, to);
        (void)fflush(to);
    } else if (n == 0 || errno != EINTR) {
        let_go(fd);
    }
}

/* Shows all that the one at turn prints. */
static void show_all(crew *c, worker *w)
{
    while (w->prints[0] >= 0 || w->prints[1] >= 0) {
        struct pollfd fds[2] = {{.fd = w->prints[0], .events = POLLIN},
                                {.fd = w->prints[1], .events = POLLIN}};
        if (poll(fds, 2, WAKE_MS) > 0) {
            if (fds[0].revents != 0)
                show(&w->prints[0], stdout);
            if (fds[1].revents != 0)
                show(&w->prints[1], stderr);
        }
        if (over())
            dismiss(c);
        if (gw_stdout_failed())
            let_go(&w->prints[0]);
    }
}

/* Tells of the one at turn, to its end. Returns its exit code. */
static int tell(crew *c)
{
    worker *w = worker_of(c, c->told);
    char line[NAME_SHOWN];
    int status = 0;

    show_all(c, w);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        ;
    const size_t i = c->told++;
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    fprintf(stderr, "%s: %s: the process that read it was killed (%s)\n", c->verb,
            gw_inspect_line(line, sizeof line, c->name(c->ctx, i)), strsignal(WTERMSIG(status)));
    return GW_EXIT_TOOL;
}

int gw_at_once(const char *verb, size_t n, unsigned jobs, int (*work)(void *ctx, size_t i),
               const char *(*name)(void *ctx, size_t i), void *ctx)
{
    crew c = {.verb = verb, .work = work, .name = name, .ctx = ctx, .jobs = jobs, .n = n};
    int code = GW_EXIT_NOTHING;

    while (c.told < c.n) {
        (void)fflush(stdout); /* what it holds would be printed by each process anew */
        while (!over() && c.begun < c.n && c.begun - c.told < c.jobs && begin(&c))
            ;
        if (c.told < c.begun) {
            code = gw_exit_join(code, tell(&c));
        } else if (!over()) {
            code = gw_exit_join(code, work(ctx, c.begun++));
            c.told++;
        } else {
            break;
        }
    }
    return code;
}
