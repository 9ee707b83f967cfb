/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer clears the counters of edges before each input, and looks through them behind it; this
 * looks before it is over. */
#include "worth.h"

enum { EDGES_MAX = 1 << 16 };

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

BARE bool gw_fuzz_worth_news(const uint8_t *counts, uint8_t *seen, size_t len)
{
    bool news = false;
    uint64_t word = 0;

    for (size_t at = 0; at < len; at += sizeof word) {
        size_t num = len - at < sizeof word ? len - at : sizeof word;
        if (num == sizeof word) {
            __builtin_memcpy(&word, counts + at, sizeof word);
            if (word == 0)
                continue;
        }
        for (size_t i = at; i < at + num; i++) {
            if (counts[i] == 0)
                continue;
            uint8_t class = class_of(counts[i]);
            news |= (class & ~seen[i]) != 0;
            seen[i] |= class;
        }
    }
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
