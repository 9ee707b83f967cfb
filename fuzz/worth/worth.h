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

/* gw_fuzz_tell_less holds |m|'s line, |line|, to being cut where its room ends. Where that is goes
 * by the message. */
GW_WATCHER static inline void gw_fuzz_tell_less(const gw_format *format, const gw_message *m,
                                                const gw_dialect *dialect, const gw_text *line)
{
    size_t room = 1 + (m->cap_len + (m->cap_len > 0 ? m->data[m->cap_len - 1] : 0)) % line->len;
    char *less = (char *)gw_fuzz_lend(NULL, room);
    gw_text text = gw_text_over(less, room);

    format->summary(m, dialect, &text);
    gw_fuzz_check(text.cut && text.len == room - 1 && text.buf[text.len] == '\0',
                  "a line that is cut does not end with its room");
    gw_fuzz_check(memcmp(text.buf, line->buf, text.len) == 0, "a cut line says something else");
    gw_fuzz_take_back((uint8_t *)less);
}

/* gw_fuzz_introduce holds |m| to what must hold of introductions: whoever was met is known. What
 * remembers is as long as it has to be, so that AddressSanitizer sees one byte too far; the ends go
 * by the message, so that all of it is used. */
GW_WATCHER static inline void gw_fuzz_introduce(const gw_format *format, const gw_message *m,
                                                const gw_dialect *dialect)
{
    const gw_introduction_ops *ops = format->introductions;
    static uint8_t *state;
    gw_message between = *m;

    if (ops == NULL)
        return;
    if (state == NULL)
        state = gw_fuzz_copy(NULL, ops->size);
    ops->init(state);
    between.src.family = between.dst.family = GW_FAMILY_IPV6;
    if (m->cap_len > 0)
        memcpy(between.src.ip, m->data,
               m->cap_len < sizeof between.src.ip ? m->cap_len : sizeof between.src.ip);
    bool met = ops->meet(state, &between, dialect);
    gw_fuzz_check(!met || ops->knows == NULL || ops->knows(state, &between),
                  "who was met is not known");
}

/* gw_fuzz_tell holds |m| to what must hold of all that |format| says of a message beside its fields
 * and findings: its line, what it asks, whether it is claimed, whom it introduces, and what of
 * something larger it carries. |walked| as above. */
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
    gw_fuzz_tell_less(format, m, dialect, &text);
    (void)format->transaction(m, dialect, &accesses);
    if (format->claims != NULL)
        (void)format->claims(m);
    gw_fuzz_introduce(format, m, dialect);
    if (format->portion == NULL || !format->portion(m, dialect, &portion) || portion.len == 0)
        return;
    gw_fuzz_check(portion.len <= portion.sent, "more was captured than sent");
    gw_fuzz_check(portion.data >= m->data && portion.len <= m->cap_len &&
                      portion.data - m->data <= m->cap_len - portion.len,
                  "a portion outside its message");
}

#endif
