/* SPDX-License-Identifier: BSD-2-Clause */
/* A ring of poisoned memory. malloc and free of AddressSanitizer note who called them, and tell
 * libFuzzer, for each piece of each input: that takes longer than many pieces do. */
#include "lend/lend.h"

#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONS 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(POISONS)
#define POISONS 1
#endif

#ifdef POISONS
#include <sanitizer/asan_interface.h>

enum {
    RING = 1 << 20,
    ALIGN = 16, /* as malloc's are */
    RED =
        2 * ALIGN, /* before each, of which half holds its length: what is lent next is not near */
};

static struct {
    uint8_t bytes[RING];
    size_t at;    /* where the next one goes */
    size_t since; /* bytes used up since nothing was lent */
    unsigned num; /* lent now */
    int poisoned;
} ring __attribute__((aligned(ALIGN)));

#define BARE __attribute__((no_sanitize("address", "undefined")))

BARE static void note(uint8_t *bytes, size_t len)
{
    *(volatile size_t *)(void *)(bytes - ALIGN) = len;
}

BARE static size_t noted(const uint8_t *bytes)
{
    return *(const volatile size_t *)(const void *)(bytes - ALIGN);
}

static uint8_t *from_ring(size_t len)
{
    size_t whole = RED + (len + ALIGN) / ALIGN * ALIGN;

    if (len > RING / 4)
        return NULL;
    if (!ring.poisoned) {
        __asan_poison_memory_region(ring.bytes, sizeof ring.bytes);
        ring.poisoned = 1;
    }
    if (ring.num == 0)
        ring.since = 0;
    size_t skipped = ring.at + whole + RED > RING ? RING - ring.at : 0;
    if (ring.since + skipped + whole > RING)
        return NULL;
    if (skipped > 0)
        ring.at = 0;
    uint8_t *bytes = ring.bytes + ring.at + RED;
    note(bytes, len);
    __asan_unpoison_memory_region(bytes, len);
    ring.at += whole;
    ring.since += skipped + whole;
    ring.num++;
    return bytes;
}

static int to_ring(uint8_t *bytes)
{
    if (bytes < ring.bytes || bytes >= ring.bytes + RING)
        return 0;
    __asan_poison_memory_region(bytes, noted(bytes));
    ring.num--;
    return 1;
}
#else
static uint8_t *from_ring(size_t len)
{
    (void)len;
    return NULL;
}

static int to_ring(uint8_t *bytes)
{
    (void)bytes;
    return 0;
}
#endif

uint8_t *gw_fuzz_lend(const uint8_t *data, size_t len)
{
    uint8_t *bytes = from_ring(len);

    if (bytes == NULL)
        bytes = malloc(len > 0 ? len : 1);
    if (bytes == NULL)
        abort();
    if (data != NULL && len > 0)
        memcpy(bytes, data, len);
    return bytes;
}

void gw_fuzz_take_back(uint8_t *bytes)
{
    if (bytes != NULL && !to_ring(bytes))
        free(bytes);
}
