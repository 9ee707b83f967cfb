/* SPDX-License-Identifier: BSD-2-Clause */
/* The command's malloc: libc's, or whoever stands before it, and every refusal counted, also those
 * of the libraries. It is linked into the command alone. */
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "harness/memory.h"

/* A sanitizer brings its own malloc, which ends the program by itself. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GW_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GW_SANITIZED 1
#endif

#ifndef GW_SANITIZED

typedef void *malloc_fn(size_t size);
typedef void *calloc_fn(size_t num, size_t size);
typedef void *realloc_fn(void *old, size_t size);

/* Seen by the libraries as well. */
#define SEEN __attribute__((visibility("default")))

/* ISO C knows no way from an object pointer to a function; POSIX asks for this one. */
static void find(void *function, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL)
        abort();
    *(void **)function = found;
}

static void *counted(void *memory, size_t size)
{
    if (memory == NULL && size > 0)
        gw_memory_refused();
    return memory;
}

SEEN void *malloc(size_t size)
{
    static malloc_fn *next;
    if (next == NULL)
        find(&next, "malloc");
    return counted(next(size), size);
}

SEEN void *calloc(size_t num, size_t size)
{
    static calloc_fn *next;
    if (next == NULL)
        find(&next, "calloc");
    return counted(next(num, size), num > 0 ? size : 0);
}

SEEN void *realloc(void *old, size_t size)
{
    static realloc_fn *next;
    if (next == NULL)
        find(&next, "realloc");
    return counted(next(old, size), size);
}

#endif
