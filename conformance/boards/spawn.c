/* SPDX-License-Identifier: BSD-2-Clause */
/* Boards in child processes. The sockets are bound before the fork, so the parent knows the ports
 * and every failure is reported in the ordinary way. */
#include "boards/spawn.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "boards/host.h"
#include "harness/socket.h"

#define MAX_URLS 8
#define POLITE_NS INT64_C(1000000000)
#define CALL_TIMEOUT_NS (INT64_C(5) * 1000000000)

struct gw_spawn {
    pid_t pid; /* 0 once it has been reaped */
    int status;
    int pidfd; /* readable when the process has ended; -1 when the kernel cannot */
    char urls[MAX_URLS][80];
    size_t num_urls;
};

static volatile sig_atomic_t stop_child;

static void on_term(int signal)
{
    (void)signal;
    stop_child = 1;
}

/* The child's whole life. It leaves without the parent's exit handlers and buffers. |held| are the
 * signals that wait for it. */
static _Noreturn void live(gw_host *host, pid_t parent, const sigset_t *held)
{
    char why[256];
    struct sigaction term = {.sa_handler = on_term};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1); /* it died before the line above */
    stop_child = 0;
    sigaction(SIGTERM, &term, NULL);
    sigaction(SIGINT, &ignore, NULL); /* a terminal's ^C is for the parent, which then ends us */
    sigprocmask(SIG_UNBLOCK, held, NULL);
    if (!gw_host_run(host, &stop_child, why, sizeof(why))) {
        dprintf(STDERR_FILENO, "board process: %s\n", why);
        _exit(1);
    }
    gw_host_free(host);
    _exit(0);
}

static gw_spawn *start(gw_host *host, char *why, size_t why_cap)
{
    gw_spawn *spawn = calloc(1, sizeof(*spawn));
    if (spawn == NULL) {
        snprintf(why, why_cap, "out of memory");
        gw_host_free(host);
        return NULL;
    }
    spawn->num_urls = gw_host_count(host);
    for (size_t i = 0; i < spawn->num_urls; i++)
        gw_host_url(host, i, spawn->urls[i], sizeof(spawn->urls[i]));
    pid_t parent = getpid();
    /* Until the child has its own handlers, what it is sent must wait. */
    sigset_t held;
    sigset_t before;
    sigemptyset(&held);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGINT);
    sigprocmask(SIG_BLOCK, &held, &before);
    spawn->pid = fork();
    if (spawn->pid == 0)
        live(host, parent, &held);
    int fork_errno = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    gw_host_free(host);
    if (spawn->pid < 0) {
        snprintf(why, why_cap, "fork: %s", strerror(fork_errno));
        free(spawn);
        return NULL;
    }
    spawn->pidfd = pidfd_open(spawn->pid, 0);
    return spawn;
}

/* Sets the board up, behind its Ethernet port where |listen| has one. */
static gw_host *set_up(const gw_board *board, const gw_peer_config *config,
                       const gw_spawn_link *listen, size_t num, char *why, size_t why_cap)
{
    for (size_t i = 0; i < num; i++)
        if (listen[i].url == NULL)
            return gw_host_new_behind(board, config, listen[i].link, &listen[i].here,
                                      &listen[i].vlan, listen[i].frames, "cable", why, why_cap);
    return gw_host_new(board, config, why, why_cap);
}

gw_spawn *gw_spawn_board(const gw_board *board, const gw_peer_config *config,
                         const gw_spawn_link *listen, size_t num, char *why, size_t why_cap)
{
    gw_host *host = set_up(board, config, listen, num, why, why_cap);
    for (size_t i = 0; host != NULL && i < num; i++) {
        gw_url url;
        if (listen[i].url == NULL)
            continue;
        if (!gw_url_parse(&url, listen[i].url, why, why_cap) ||
            !gw_host_listen(host, listen[i].link, &url, why, why_cap)) {
            gw_host_free(host);
            return NULL;
        }
    }
    return host == NULL ? NULL : start(host, why, why_cap);
}

gw_spawn *gw_spawn_caller(const gw_board *board, const gw_peer_config *config, const char *to,
                          char *why, size_t why_cap)
{
    gw_url url;
    if (!gw_url_parse(&url, to, why, why_cap))
        return NULL;
    gw_host *host = gw_host_new(board, config, why, why_cap);
    if (host == NULL)
        return NULL;
    if (!gw_host_call(host, 0, &url, CALL_TIMEOUT_NS, why, why_cap)) {
        gw_host_free(host);
        return NULL;
    }
    return start(host, why, why_cap);
}

const char *gw_spawn_url(const gw_spawn *spawn, size_t index)
{
    return index < spawn->num_urls ? spawn->urls[index] : NULL;
}

/* Reaps the process if it has ended, or (|options| 0) when it has. */
static bool reap(gw_spawn *spawn, int options)
{
    if (spawn->pid == 0)
        return true;
    pid_t got;
    do {
        got = waitpid(spawn->pid, &spawn->status, options);
    } while (got < 0 && errno == EINTR);
    if (got == 0)
        return false;
    spawn->pid = 0;
    return true;
}

bool gw_spawn_alive(gw_spawn *spawn)
{
    return !reap(spawn, WNOHANG);
}

static void wait_politely(const gw_spawn *spawn)
{
    struct pollfd p = {.fd = spawn->pidfd, .events = POLLIN};
    int64_t until = gw_clock_ns(CLOCK_MONOTONIC) + POLITE_NS;
    int64_t left = POLITE_NS;
    /* Without a pidfd this only waits its time, which is right too. */
    while (left > 0) {
        struct timespec time = {left / 1000000000, left % 1000000000};
        if (ppoll(&p, 1, &time, NULL) >= 0 || errno != EINTR)
            return;
        left = until - gw_clock_ns(CLOCK_MONOTONIC);
    }
}

bool gw_spawn_stop(gw_spawn *spawn)
{
    if (spawn == NULL)
        return true;
    if (!reap(spawn, WNOHANG)) {
        kill(spawn->pid, SIGTERM);
        wait_politely(spawn);
    }
    if (!reap(spawn, WNOHANG)) {
        kill(spawn->pid, SIGKILL);
        reap(spawn, 0);
    }
    bool well = WIFEXITED(spawn->status) && WEXITSTATUS(spawn->status) == 0;
    if (spawn->pidfd >= 0)
        close(spawn->pidfd);
    free(spawn);
    return well;
}
