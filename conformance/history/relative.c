/* SPDX-License-Identifier: BSD-2-Clause */
/* By what both paths begin with. */
#include "history/relative.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/text.h"

/* How many bytes of |a| and |b| are whole names that both have. */
static size_t common(const char *a, const char *b)
{
    size_t at = 0;
    size_t i = 0;
    for (; a[i] != '\0' && a[i] == b[i]; i++)
        at = a[i] == '/' ? i + 1 : at;
    /* One of them is the other, or lies in it. */
    if ((a[i] == '\0' && (b[i] == '/' || b[i] == '\0')) || (b[i] == '\0' && a[i] == '/'))
        return i;
    return at;
}

/* How many folders |path| leads down. */
static size_t depth(const char *path)
{
    size_t names = path[0] != '\0';
    for (; *path != '\0'; path++)
        names += *path == '/';
    return names;
}

const char *gw_relative(char *out, size_t cap, const char *dir, const char *below)
{
    char to[PATH_MAX];
    char from[PATH_MAX];
    (void)snprintf(out, cap, "%s", dir);
    if (realpath(dir, to) == NULL || realpath(below, from) == NULL)
        return out;
    size_t at = common(to, from);
    const char *down = to + at + (to[at] == '/');
    size_t up = depth(from + at + (from[at] == '/'));
    if (3 * up + strlen(down) + 2 > cap)
        return out;
    gw_text text = gw_text_over(out, cap);
    for (size_t i = 0; i < up; i++)
        gw_text_str(&text, "../");
    gw_text_str(&text, up == 0 && *down == '\0' ? "." : down);
    return out;
}
