/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer clears the counters of edges before each input, and looks through them behind it; this
 * looks before it is over. */
#include "worth.h"

enum {
    EDGES_MAX = 1 << 16,
    STRIDE = 32, /* most edges are not passed: so many are passed over at once */
};

/* What the linker calls the ends of the section that -fsanitize-coverage=inline-8bit-counters lays
 * counters in. */
extern uint8_t __start___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
extern uint8_t __stop___sancov_cntrs[] __attribute__((weak, visibility("hidden")));

#if defined(__clang__)
#define BARE __attribute__((no_sanitize("coverage", "address", "undefined")))
#else
#define BARE
#endif

/* The class of a |count| that is not 0, as a bit. */
BARE static uint8_t class_of(uint8_t count)
{
    unsigned log2 = 31 - (unsigned)__builtin_clz(count);

    return (uint8_t)(1u << (log2 + (count >= 3) - (log2 >= 6)));
}

/* Whether one of the eight edges of |word| is news to |seen|. */
BARE static bool news_in(uint64_t word, uint8_t *seen)
{
    bool news = false;

    while (word != 0) {
        unsigned bit = (unsigned)__builtin_ctzll(word) & ~7u;
        uint8_t class = class_of((uint8_t)(word >> bit));
        news |= (class & ~seen[bit / 8]) != 0;
        seen[bit / 8] |= class;
        word &= ~(UINT64_C(0xff) << bit);
    }
    return news;
}

BARE bool gw_fuzz_worth_news(const uint8_t *counts, uint8_t *seen, size_t len)
{
    bool news = false;
    uint64_t words[STRIDE / 8];
    size_t at = 0;

    for (; len - at >= STRIDE; at += STRIDE) {
        __builtin_memcpy(words, counts + at, sizeof words);
        if ((words[0] | words[1] | words[2] | words[3]) == 0)
            continue;
        for (size_t i = 0; i < STRIDE / 8; i++)
            news |= news_in(words[i], seen + at + i * 8);
    }
    for (; at < len; at++)
        news |= news_in(counts[at], seen + at);
    return news;
}

BARE bool gw_fuzz_worth(void)
{
    static uint8_t seen[EDGES_MAX];
    static unsigned since;
    size_t len = (size_t)((uintptr_t)__stop___sancov_cntrs - (uintptr_t)__start___sancov_cntrs);

    bool worth = len == 0 || len > sizeof seen ||
                 gw_fuzz_worth_news(__start___sancov_cntrs, seen, len) ||
                 ++since >= GW_FUZZ_WORTH_EVERY;
    if (worth)
        since = 0;
    return worth;
}
