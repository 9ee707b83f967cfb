/* SPDX-License-Identifier: BSD-2-Clause */
/* What verbs print: lines that a terminal can be shown, and a stdout that may go away. */
#include "cli/output.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/verb.h"
#include "evidence/clean.h"

#define STDOUT_BUFFER 65536

char *gw_inspect_line(char *out, size_t cap, const char *text)
{
    gw_clean(out, cap, text);
    for (char *p = out; *p != '\0'; p++) {
        if (*p == '\n')
            *p = ' ';
    }
    return out;
}

static char stdout_buffer[STDOUT_BUFFER];
static int stdout_errno; /* of the first failure that was seen */

/* Whether nobody reads what stdout's pipe takes; errno may have been of another call by now. */
static bool reader_gone(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};

    return stdout_errno == EPIPE || (poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0);
}

void gw_stdout_prepare(void)
{
    (void)signal(SIGPIPE, SIG_IGN);
    (void)setvbuf(stdout, stdout_buffer, _IOFBF, sizeof stdout_buffer);
}

bool gw_stdout_failed(void)
{
    if (!ferror_unlocked(stdout))
        return false;
    if (stdout_errno == 0)
        stdout_errno = errno;
    return true;
}

int gw_stdout_finish(const char *verb, int code)
{
    static bool told;
    if (!gw_stdout_failed() && fflush(stdout) == 0)
        return code;
    if (stdout_errno == 0)
        stdout_errno = errno;
    if (reader_gone())
        return GW_EXIT_OK;
    if (!told)
        fprintf(stderr, "%s: cannot write: %s\n", verb, strerror(stdout_errno));
    told = true;
    return GW_EXIT_TOOL;
}

int gw_exit_join(int a, int b)
{
    static const int order[] = {GW_EXIT_USAGE, GW_EXIT_TOOL,   GW_EXIT_FAIL,
                                GW_EXIT_XPASS, GW_EXIT_INCONC, GW_EXIT_OK};

    for (size_t i = 0; i < GW_ARRAY_LEN(order); i++) {
        if (a == order[i] || b == order[i])
            return order[i];
    }
    return GW_EXIT_NOTHING;
}
