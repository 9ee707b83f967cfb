/* SPDX-License-Identifier: BSD-2-Clause */
/* The mutator as a library that afl-fuzz loads (AFL_CUSTOM_MUTATOR_LIBRARY). GOLDWIRE_FUZZ_TARGET
 * names the target whose layout inputs have. AFL++'s documents: custom_mutators.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/base.h"
#include "mutator/mutator.h"

typedef struct afl {
    gw_fuzz_mutator mutator;
    uint8_t mended[GW_FUZZ_INPUT_MAX];
    uint8_t trimmed[GW_FUZZ_INPUT_MAX]; /* the least so far */
    size_t trimmed_len;
    size_t tried_len;
    uint32_t piece;
    uint32_t step;
    uint32_t num_steps;
} afl;

GW_API void *afl_custom_init(void *fuzzer, unsigned seed);
GW_API void afl_custom_deinit(void *data);
GW_API size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t buf_size, uint8_t **out_buf,
                              uint8_t *add_buf, size_t add_buf_size, size_t max_size);
GW_API const char *afl_custom_describe(void *data, size_t max_description_len);
GW_API size_t afl_custom_post_process(void *data, uint8_t *buf, size_t buf_size, uint8_t **out_buf);
GW_API int32_t afl_custom_init_trim(void *data, uint8_t *buf, size_t buf_size);
GW_API size_t afl_custom_trim(void *data, uint8_t **out_buf);
GW_API int32_t afl_custom_post_trim(void *data, uint8_t success);

void *afl_custom_init(void *fuzzer, unsigned seed)
{
    const char *target = getenv("GOLDWIRE_FUZZ_TARGET");
    afl *a = calloc(1, sizeof *a);

    (void)fuzzer;
    if (a == NULL)
        return NULL;
    if (target != NULL && gw_fuzz_mutator_init(&a->mutator, target, seed))
        return a;
    fprintf(stderr, "GOLDWIRE_FUZZ_TARGET is %s; the tables mutate inputs of:",
            target != NULL ? target : "not set");
    for (size_t i = 0; i < GW_FUZZ_NUM_LAYOUTS; i++)
        fprintf(stderr, " %s", gw_fuzz_layouts[i].target);
    fprintf(stderr, " capture\n");
    exit(2); /* afl-fuzz goes on without asking whether there is a mutator */
}

void afl_custom_deinit(void *data)
{
    free(data);
}

/* What the tables know nothing to do with stays as it is; afl-fuzz's own mutations follow. */
size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t buf_size, uint8_t **out_buf,
                       uint8_t *add_buf, size_t add_buf_size, size_t max_size)
{
    afl *a = data;
    size_t len = gw_fuzz_mutate(&a->mutator, buf, buf_size, add_buf, add_buf_size, max_size);

    *out_buf = len > 0 ? a->mutator.out : buf;
    return len > 0 ? len : buf_size;
}

/* Part of a file's name. */
const char *afl_custom_describe(void *data, size_t max_description_len)
{
    afl *a = data;
    char *text = a->mutator.did;

    if (strlen(text) > max_description_len)
        text[max_description_len] = '\0';
    for (char *p = text; *p != '\0'; p++) {
        if (*p == ' ')
            *p = '_';
        else if (*p == ',')
            *p = '+';
    }
    return text;
}

size_t afl_custom_post_process(void *data, uint8_t *buf, size_t buf_size, uint8_t **out_buf)
{
    afl *a = data;

    *out_buf = buf;
    if (buf_size > sizeof a->mended)
        return buf_size;
    memcpy(a->mended, buf, buf_size);
    gw_fuzz_mend(a->mutator.layout, a->mended, buf_size);
    *out_buf = a->mended;
    return buf_size;
}

/* A step is a piece. One that can go makes room for the next of its number, and takes others with
 * it that it holds: then there is nothing left before all steps are done. */
int32_t afl_custom_init_trim(void *data, uint8_t *buf, size_t buf_size)
{
    afl *a = data;

    a->piece = a->step = a->num_steps = 0;
    if (buf_size > sizeof a->trimmed)
        return 0;
    memcpy(a->trimmed, buf, buf_size);
    a->trimmed_len = buf_size;
    while (gw_fuzz_trim(&a->mutator, buf, buf_size, a->num_steps) > 0)
        a->num_steps++;
    return (int32_t)a->num_steps;
}

size_t afl_custom_trim(void *data, uint8_t **out_buf)
{
    afl *a = data;

    a->tried_len = gw_fuzz_trim(&a->mutator, a->trimmed, a->trimmed_len, a->piece);
    *out_buf = a->mutator.out;
    return a->tried_len;
}

int32_t afl_custom_post_trim(void *data, uint8_t success)
{
    afl *a = data;

    if (success) {
        memcpy(a->trimmed, a->mutator.out, a->tried_len);
        a->trimmed_len = a->tried_len;
    } else {
        a->piece++;
    }
    a->step++;
    bool more = gw_fuzz_trim(&a->mutator, a->trimmed, a->trimmed_len, a->piece) > 0;
    return (int32_t)(more ? a->step : a->num_steps);
}
