/* SPDX-License-Identifier: BSD-2-Clause */
/* A pager behind a pipe. */
#include "cli/showing/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/terminal.h"

/* F: what fits one screen is left standing; R: colours are; X: so is what was read last. */
#define LESS_OPTIONS "FRX"

/* What a shell ends with that finds no such program, or none that it may run. */
enum { NOT_ALLOWED = 126, NOT_FOUND = 127 };

static int terminal = -1; /* what stderr was before a pager */

/* What a shell is to run; NULL for no pager. */
static const char *pager_command(void)
{
    const char *wish = getenv("PAGER");

    if (wish == NULL)
        return "if command -v less >/dev/null; then exec less; else exec cat; fi";
    return wish[0] == '\0' || strcmp(wish, "cat") == 0 ? NULL : wish;
}

static _Noreturn void become(const char *command, int from)
{
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGPIPE, SIG_DFL);
    if (dup2(from, STDIN_FILENO) >= 0 && setenv("LESS", LESS_OPTIONS, 0) == 0)
        (void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(NOT_FOUND);
}

pid_t gw_pager_start(void)
{
    const char *command = pager_command();
    int ends[2];

    if (command == NULL || !gw_terminal_redraws(STDOUT_FILENO) || pipe2(ends, O_CLOEXEC) != 0)
        return 0;
    pid_t pager = fork();
    if (pager == 0)
        become(command, ends[0]);
    if (pager > 0) {
        /* Ctrl-C is for the pager: its user may want to stay in what was read so far. */
        (void)signal(SIGINT, SIG_IGN);
        terminal = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        (void)dup2(ends[1], STDOUT_FILENO);
        if (isatty(STDERR_FILENO))
            (void)dup2(ends[1], STDERR_FILENO);
    }
    (void)close(ends[0]);
    (void)close(ends[1]);
    return pager > 0 ? pager : 0;
}

bool gw_pager_end(pid_t pager)
{
    int status = 0;

    if (pager == 0)
        return true;
    (void)fflush(stderr);
    (void)close(STDOUT_FILENO);
    (void)close(STDERR_FILENO);
    while (waitpid(pager, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) ||
        (WEXITSTATUS(status) != NOT_FOUND && WEXITSTATUS(status) != NOT_ALLOWED))
        return true;
    (void)dprintf(terminal,
                  "goldwire: the pager '%s' cannot be run, and nothing was shown; PAGER= shows "
                  "it without one\n",
                  pager_command());
    return false;
}
