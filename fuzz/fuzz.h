/* SPDX-License-Identifier: BSD-2-Clause */
/* What fuzz targets share: how they say that an oracle failed, and how they take their input apart.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/cursor.h"
#include "goldwire/format.h"
#include "lend/lend.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* gw_fuzz_check ends the run when |holds| is false: the fuzzer keeps the input. */
static inline void gw_fuzz_check(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "oracle: %s\n", what);
    abort();
}

/* gw_fuzz_read notes whether something of this input got past what takes it apart: a message was
 * read whole, a board answered, a stream gave bytes. replay.c counts such inputs and holds them to
 * floors.txt. One for all files of a target. */
__attribute__((weak)) bool gw_fuzz_was_read;

static inline void gw_fuzz_read(bool some)
{
    gw_fuzz_was_read = gw_fuzz_was_read || some;
}

/* gw_fuzz_parsed counts inputs that a parser read to the end, and those it did not; with
 * GOLDWIRE_FUZZ_PARSED set, how many is told when the fuzzer ends. */
static struct {
    unsigned long whole;
    unsigned long all;
} gw_fuzz_parsed_counts;

static inline void gw_fuzz_tell_parsed(void)
{
    fprintf(stderr, "parsed: %lu of %lu\n", gw_fuzz_parsed_counts.whole, gw_fuzz_parsed_counts.all);
}

static inline void gw_fuzz_parsed(bool whole)
{
    if (gw_fuzz_parsed_counts.all++ == 0 && getenv("GOLDWIRE_FUZZ_PARSED") != NULL)
        (void)atexit(gw_fuzz_tell_parsed);
    gw_fuzz_parsed_counts.whole += whole;
    gw_fuzz_read(whole);
}

/* gw_fuzz_dialect picks a dialect of |format| by the low bits of |choice|. */
static inline const gw_dialect *gw_fuzz_dialect(const gw_format *format, uint8_t choice)
{
    return &format->dialects[choice % format->num_dialects];
}

/* gw_fuzz_copy returns |len| bytes of their own length, so that AddressSanitizer sees one byte too
 * far: malloc's, for what is kept from input to input. */
static inline uint8_t *gw_fuzz_copy(const uint8_t *data, size_t len)
{
    uint8_t *copy = malloc(len > 0 ? len : 1);
    if (copy == NULL)
        abort();
    if (data != NULL && len > 0)
        memcpy(copy, data, len);
    return copy;
}

/* gw_fuzz_begin lets |*memory|, of which there is none at first, hold a new conversation of |ops|.
 * It is as long as it has to be: tables get full, and AddressSanitizer sees one byte too far. */
static inline void gw_fuzz_begin(const gw_session_ops *ops, void **memory, int64_t give_up_ns)
{
    if (*memory == NULL)
        *memory = gw_fuzz_copy(NULL, ops->min_size);
    gw_fuzz_check(ops->init(*memory, ops->min_size, give_up_ns), "the least memory is not enough");
}

/* gw_fuzz_judge takes what a conversation shows; embed it as the first member to carry more. */
typedef struct gw_fuzz_judge {
    gw_verdict_sink sink;
    uint64_t frames; /* fed so far */
} gw_fuzz_judge;

/* gw_fuzz_finding holds a finding of the gw_fuzz_judge |sink| to the frames that were fed,
 * gw_fuzz_relation a relation. */
static inline void gw_fuzz_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    const gw_fuzz_judge *j = (const gw_fuzz_judge *)sink;

    gw_fuzz_check(f->frame >= 1 && f->frame <= j->frames && f->revealed_by <= j->frames,
                  "a finding about a frame that never came");
    gw_fuzz_check(f->text[0] != '\0', "a finding without text");
}

static inline void gw_fuzz_relation(gw_verdict_sink *sink, const gw_relation *r)
{
    const gw_fuzz_judge *j = (const gw_fuzz_judge *)sink;

    gw_fuzz_check(r->request <= j->frames && r->response <= j->frames,
                  "a relation of a frame that never came");
    gw_fuzz_read(true);
}

/* An input that is a sequence: each piece is one byte of choice, two of length (big-endian), then
 * its bytes; the last one may be shorter than it says. */
static inline int gw_fuzz_piece(gw_cursor *c, uint8_t *choice, gw_cursor *piece)
{
    uint16_t len;
    if (!gw_cursor_u8(c, choice) || !gw_cursor_be16(c, &len))
        return 0;
    if (len > gw_cursor_left(c))
        len = (uint16_t)gw_cursor_left(c);
    return gw_cursor_sub(c, piece, len);
}

/* gw_fuzz_most returns how many pieces of an input a target takes: |most|, or, to see what only
 * longer sequences bring about, fewer when GOLDWIRE_FUZZ_PIECES says so. */
static inline unsigned gw_fuzz_most(unsigned most)
{
    const char *wanted = getenv("GOLDWIRE_FUZZ_PIECES");
    unsigned long fewer = wanted != NULL ? strtoul(wanted, NULL, 10) : most;

    return fewer < most ? (unsigned)fewer : most;
}

#endif
