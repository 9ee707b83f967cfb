/* SPDX-License-Identifier: BSD-2-Clause */
/* Which inputs are worth the oracles that cost more than all the rest of them. */
#ifndef WORTH_H
#define WORTH_H

#include "core/testing/cover.h"
#include "fuzz.h"

enum { GW_FUZZ_WORTH_EVERY = 4 };

/* gw_fuzz_worth says whether the input that runs is to be held to the expensive oracles as well:
 * when it has so far reached an edge, or one more often, than any input before, and else each
 * GW_FUZZ_WORTH_EVERY-th time. Always where nothing counts edges: in a replay, under AFL++. To be
 * asked once an input, behind what takes it apart. A find fails again when it is run alone: the
 * first input of a process is always worth it. */
bool gw_fuzz_worth(void);

/* gw_fuzz_worth_news is what it goes by: whether one of the |len| edges that were counted, at
 * |counts|, was passed as often as never before by |seen|, which has a byte for each and learns it.
 * How often goes by libFuzzer's classes: 1, 2, 3, 4, 8, 16, 32, 128 and more. */
bool gw_fuzz_worth_news(const uint8_t *counts, uint8_t *seen, size_t len);

/* gw_fuzz_cover holds |m| to what must hold of every walk, which has ended as |walked| says. */
GW_WATCHER static inline void gw_fuzz_cover(const gw_format *format, const gw_message *m,
                                            const gw_dialect *dialect, const gw_error *walked)
{
    gw_error error;
    const char *fault = gw_cover_walk(format, m, dialect, &error);

    gw_fuzz_check(fault == NULL, fault);
    gw_fuzz_check(error.kind == walked->kind && error.offset == walked->offset &&
                      error.field == walked->field && error.capture_cut == walked->capture_cut,
                  "a walk ends otherwise when it is watched");
}

/* gw_fuzz_on_access holds what a message would touch to being a run of addresses. */
GW_WATCHER static inline void gw_fuzz_on_access(void *ctx, const gw_memory_access *access)
{
    (void)ctx;
    gw_fuzz_check(access->first <= access->last, "an access that ends before it begins");
    gw_fuzz_check(access->kind <= GW_ACCESS_CONFIG, "an access of no kind");
}

/* gw_fuzz_tell holds |m| to what must hold of all that |format| says of a message beside its fields
 * and findings: its line, what it asks, whether it is claimed, and what of something larger it
 * carries. |walked| as above. */
GW_WATCHER static inline void gw_fuzz_tell(const gw_format *format, const gw_message *m,
                                           const gw_dialect *dialect, const gw_error *walked)
{
    char line[256];
    gw_text text = gw_text_over(line, sizeof line);
    const gw_access_sink accesses = {.fn = gw_fuzz_on_access};
    gw_portion portion;

    gw_fuzz_cover(format, m, dialect, walked);
    format->summary(m, dialect, &text);
    gw_fuzz_check(text.len > 0, "nothing to say of a message");
    (void)format->transaction(m, dialect, &accesses);
    if (format->claims != NULL)
        (void)format->claims(m);
    if (format->portion == NULL || !format->portion(m, dialect, &portion) || portion.len == 0)
        return;
    gw_fuzz_check(portion.len <= portion.sent, "more was captured than sent");
    gw_fuzz_check(portion.data >= m->data && portion.len <= m->cap_len &&
                      portion.data - m->data <= m->cap_len - portion.len,
                  "a portion outside its message");
}

#endif
