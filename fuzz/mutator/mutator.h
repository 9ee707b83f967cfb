/* SPDX-License-Identifier: BSD-2-Clause */
/* Mutating inputs of fuzz targets by the tables: what libFuzzer and AFL++ both ask. */
#ifndef MUTATOR_H
#define MUTATOR_H

#include "crash/layout.h"
#include "goldwire/random.h"

enum { GW_FUZZ_INPUT_MAX = 1 << 17 };

/* gw_fuzz_mutator is a mutator with its memory. */
typedef struct gw_fuzz_mutator {
    const gw_fuzz_layout *layout; /* NULL: inputs are captures, as files have them */
    const gw_format *format;      /* of the layout; NULL: of any */
    gw_random random;
    char did[256];                    /* for people: "repeated piece, right check bytes" */
    uint8_t piece[GW_FUZZ_INPUT_MAX]; /* the one message of a sequence that changes */
    uint8_t out[GW_FUZZ_INPUT_MAX];
} gw_fuzz_mutator;

/* gw_fuzz_mutator_init prepares for inputs of |target|. False when they are no captures and have no
 * layout. */
bool gw_fuzz_mutator_init(gw_fuzz_mutator *mutator, const char *target, uint64_t seed);

/* gw_fuzz_mutate makes another input, at most |cap| bytes of mutator->out, of the |len| bytes at
 * |data|, with pieces of the |other_len| bytes at |other|, which may be none. Returns its length; 0
 * when the tables know nothing to do. */
size_t gw_fuzz_mutate(gw_fuzz_mutator *mutator, const uint8_t *data, size_t len,
                      const uint8_t *other, size_t other_len, size_t cap);

/* gw_fuzz_mend puts the check bytes of an input right, in place, seven times of eight: which ones
 * are left as they are follows from the bytes. Captures, whose |layout| is NULL, stay as they are.
 */
void gw_fuzz_mend(const gw_fuzz_layout *layout, uint8_t *data, size_t len);

/* gw_fuzz_trim writes the input without its piece number |piece| to mutator->out and returns its
 * length; 0 when there is none. */
size_t gw_fuzz_trim(gw_fuzz_mutator *mutator, const uint8_t *data, size_t len, uint32_t piece);

#endif
