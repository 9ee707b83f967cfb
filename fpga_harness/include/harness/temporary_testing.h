/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: files and folders that nobody else has. The test removes them. */
#ifndef HARNESS_TEMPORARY_TESTING_H
#define HARNESS_TEMPORARY_TESTING_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GW_TEMPORARY_PREFIX "/tmp/goldwire-test-"
#define GW_TEMPORARY_LETTERS 6 /* that mkstemp(3) chooses */

/* gw_temporary is the path of a file or folder. */
typedef struct gw_temporary {
    char path[sizeof(GW_TEMPORARY_PREFIX) + GW_TEMPORARY_LETTERS];
} gw_temporary;

static inline gw_temporary gw_temporary_template(void)
{
    gw_temporary t = {GW_TEMPORARY_PREFIX};
    memset(t.path + strlen(t.path), 'X', GW_TEMPORARY_LETTERS);
    return t;
}

/* gw_temporary_open makes an empty file and returns its descriptor, -1 when that fails. */
static inline int gw_temporary_open(gw_temporary *out)
{
    *out = gw_temporary_template();
    return mkstemp(out->path);
}

/* gw_temporary_file makes a file that holds |text|. */
static inline bool gw_temporary_file(gw_temporary *out, const char *text)
{
    int fd = gw_temporary_open(out);
    size_t len = strlen(text);
    bool ok = fd >= 0 && write(fd, text, len) == (ssize_t)len;
    return fd >= 0 && close(fd) == 0 && ok;
}

/* gw_temporary_folder makes an empty folder. */
static inline bool gw_temporary_folder(gw_temporary *out)
{
    *out = gw_temporary_template();
    return mkdtemp(out->path) != NULL;
}

#endif
