/* SPDX-License-Identifier: BSD-2-Clause */
/* A malloc that refuses the GW_REFUSE-th allocation, for tests that preload it. Without the
 * variable it says on standard error how many there were. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SEEN __attribute__((visibility("default")))

static unsigned long count;
static unsigned long refused; /* which one; 0: none */
static int known;

static int refuses(void)
{
    if (!known) {
        const char *text = getenv("GW_REFUSE");
        refused = text != NULL ? strtoul(text, NULL, 10) : 0;
        known = 1;
    }
    return ++count == refused;
}

static void find(void *function, const char *name)
{
    *(void **)function = dlsym(RTLD_NEXT, name);
}

SEEN void *malloc(size_t size)
{
    static void *(*next)(size_t size);
    if (next == NULL)
        find(&next, "malloc");
    return refuses() ? NULL : next(size);
}

SEEN void *calloc(size_t num, size_t size)
{
    static void *(*next)(size_t num, size_t size);
    if (next == NULL)
        find(&next, "calloc");
    return refuses() ? NULL : next(num, size);
}

SEEN void *realloc(void *old, size_t size)
{
    static void *(*next)(void *old, size_t size);
    if (next == NULL)
        find(&next, "realloc");
    return refuses() ? NULL : next(old, size);
}

__attribute__((destructor)) static void tell(void)
{
    char text[48];
    int len = snprintf(text, sizeof(text), "allocations %lu\n", count);
    if (refused == 0)
        (void)!write(STDERR_FILENO, text, (size_t)len);
}
