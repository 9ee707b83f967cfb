/* SPDX-License-Identifier: BSD-2-Clause */
/* Inputs on which a fuzz target crashes: run again, made smaller, and shown as packets. */
#ifndef GOLDWIRE_CRASH_CRASH_H
#define GOLDWIRE_CRASH_CRASH_H

#include "crash/stack.h"

#define GW_CRASH_INPUT_MAX ((size_t)1 << 20)

/* gw_crash_run runs |program|, a fuzz target of libFuzzer or AFL++ or one that takes inputs as
 * files, on the file |input|, a minute at the most. |key| gets what went wrong; its kind is "" when
 * nothing did. What the program wrote goes into the file |report| (NULL: nobody wants it). False
 * with a text in |why| when it cannot be run. */
GW_MUST_USE bool gw_crash_run(gw_crash_key *key, const char *program, const char *input,
                              const char *report, char *why, size_t why_cap);

/* gw_crash_shrink writes to |out| a smaller input than |input| with which |program| crashes, by
 * what the fuzzer that it was built for has for that (-minimize_crash, afl-tmin), in |seconds| at
 * the most. False when there is none. */
bool gw_crash_shrink(const char *program, const char *input, const char *out, uint32_t seconds);

/* gw_crash_capture writes the messages that |input|, |len| bytes, is to the target |target|,
 * "etherbone_decode", to |dir|/|name|. *|messages| gets how many they are; 0, and no file, when
 * inputs of that target are no messages of one format. False with a text in |why|. */
GW_MUST_USE bool gw_crash_capture(const char *target, const uint8_t *input, size_t len,
                                  const char *dir, const char *name, size_t *messages, char *why,
                                  size_t why_cap);

#endif
