/* SPDX-License-Identifier: BSD-2-Clause */
/* For what opens paths, and a fuzzer has bytes: a file in memory, kept and overwritten. */
#ifndef FUZZ_FILE_H
#define FUZZ_FILE_H

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

/* gw_fuzz_path returns a path under which a file with |size| bytes at |data| can be opened until
 * the next call. */
static inline const char *gw_fuzz_path(const uint8_t *data, size_t size)
{
    static int fd = -1;
    static char path[32];

    if (fd < 0) {
        fd = memfd_create("input", MFD_CLOEXEC);
        gw_fuzz_check(fd >= 0, "no file in memory");
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    gw_fuzz_check(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size,
                  "the input could not be written");
    return path;
}

#endif
