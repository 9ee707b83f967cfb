/* SPDX-License-Identifier: BSD-2-Clause */
/* What the environment says of terminals. */
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
