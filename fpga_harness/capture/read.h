/* SPDX-License-Identifier: BSD-2-Clause */
/* read(2) of a file that may be a pipe whose writer takes its time. */
#ifndef HARNESS_CAPTURE_READ_H
#define HARNESS_CAPTURE_READ_H

#include <errno.h>
#include <unistd.h>

#include "harness/stop.h"

/* gw_read is read(2), which no signal breaks but the wish to stop: EINTR then. */
static inline ssize_t gw_read(int fd, void *out, size_t len)
{
    ssize_t got;

    do {
        got = read(fd, out, len);
    } while (got < 0 && errno == EINTR && !gw_stopped());
    return got;
}

#endif
