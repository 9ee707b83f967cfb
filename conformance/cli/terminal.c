/* SPDX-License-Identifier: BSD-2-Clause */
/* What the environment says of terminals, and what never reaches them. */
#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "evidence/clean.h"

bool gw_terminal_redraws(int fd)
{
    const char *term = getenv("TERM");
    return isatty(fd) && term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
}

bool gw_terminal_colours(int fd)
{
    const char *refused = getenv("NO_COLOR");
    return gw_terminal_redraws(fd) && (refused == NULL || refused[0] == '\0');
}

/* Takes what was written to the guard, and hands it to the stream behind. */
static ssize_t write_clean(void *behind, const char *text, size_t len)
{
    gw_put_lines(behind, text, len);
    return fflush(behind) == 0 ? (ssize_t)len : 0;
}

void gw_terminal_guard(void)
{
    static char whole[4096]; /* goes out in one piece */
    FILE *guard = fopencookie(stderr, "w", (cookie_io_functions_t){.write = write_clean});
    if (guard == NULL)
        return; /* no memory: that is told of at the end */
    (void)setvbuf(stderr, whole, _IOFBF, sizeof(whole));
    (void)setvbuf(guard, NULL, _IONBF, 0);
    stderr = guard;
}

void gw_terminal_erase(void)
{
    (void)dprintf(STDERR_FILENO, "\r\033[K");
}
