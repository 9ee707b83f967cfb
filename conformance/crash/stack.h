/* SPDX-License-Identifier: BSD-2-Clause */
/* What a crash is, by what a sanitizer or a fuzz target said of it. */
#ifndef GOLDWIRE_CRASH_STACK_H
#define GOLDWIRE_CRASH_STACK_H

#include "goldwire/base.h"

#define GW_CRASH_NAME 128
#define GW_CRASH_FRAMES 3u /* of a stack, that tell one crash from another */

/* gw_crash_kind is what went wrong: "heap-buffer-overflow", "oracle" ... */
typedef struct gw_crash_key {
    char kind[48];                    /* "": nothing is known to have gone wrong */
    char frames[GW_CRASH_FRAMES][64]; /* functions, the innermost first; "" where there are fewer */
    char text[200];                   /* the line that says it, for people */
} gw_crash_key;

/* gw_crash_read reads the key out of |report|, |len| bytes that a program wrote: the first fault
 * that it tells of. Frames of sanitizers, of the fuzzer and of the C library are left out. */
void gw_crash_read(gw_crash_key *key, const char *report, size_t len);

/* gw_crash_name writes what a crash with |key| is called, fit for a file's name and a shell:
 * "crash.heap-buffer-overflow.gw_eb_next-rebuild". Two inputs with one name are one crash. */
void gw_crash_name(char out[GW_CRASH_NAME], const gw_crash_key *key);

#endif
