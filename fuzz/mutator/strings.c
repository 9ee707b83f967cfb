/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutates has these to itself in a target with sanitizers: there the ones of libc first look
 * whether their bytes may be touched, and tell the fuzzer what was compared, as if the target had
 * done it. Built so that no compiler calls them for their own loops. */
#include <stdint.h>
#include <string.h>
#include <strings.h>

void *memcpy(void *restrict to, const void *restrict from, size_t len)
{
    uint8_t *out = to;
    const uint8_t *in = from;

    for (size_t i = 0; i < len; i++)
        out[i] = in[i];
    return to;
}

void *memmove(void *to, const void *from, size_t len)
{
    uint8_t *out = to;
    const uint8_t *in = from;

    if ((uintptr_t)to <= (uintptr_t)from) {
        for (size_t i = 0; i < len; i++)
            out[i] = in[i];
    } else {
        while (len-- > 0)
            out[len] = in[len];
    }
    return to;
}

void *memset(void *to, int value, size_t len)
{
    uint8_t *out = to;

    for (size_t i = 0; i < len; i++)
        out[i] = (uint8_t)value;
    return to;
}

int memcmp(const void *one, const void *other, size_t len)
{
    const uint8_t *a = one, *b = other;

    for (size_t i = 0; i < len; i++) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

/* What a compiler makes of a memcmp whose order nobody asks for. */
int bcmp(const void *one, const void *other, size_t len)
{
    return memcmp(one, other, len);
}

size_t strlen(const char *s)
{
    size_t len = 0;

    while (s[len] != '\0')
        len++;
    return len;
}

int strncmp(const char *one, const char *other, size_t len)
{
    const uint8_t *a = (const uint8_t *)one, *b = (const uint8_t *)other;

    for (size_t i = 0; i < len; i++) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
        if (a[i] == '\0')
            return 0;
    }
    return 0;
}

int strcmp(const char *one, const char *other)
{
    return strncmp(one, other, SIZE_MAX);
}
