/* SPDX-License-Identifier: BSD-2-Clause */
/* Chains, beside lists that are kept the simple way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "core/lookup/chains.h"

enum { ROOM = 11, HASHES = 5 };

/* Places by when they were put in; 0: it is in no chain. */
typedef struct kept {
    unsigned since[ROOM];
    uint32_t hash[ROOM];
} kept;

static uint32_t oldest_after(const kept *k, uint32_t hash, uint32_t mask, unsigned since)
{
    uint32_t found = GW_CHAINS_NONE;

    for (uint32_t i = 0; i < ROOM; i++) {
        if (k->since[i] > since && ((k->hash[i] ^ hash) & mask) == 0 &&
            (found == GW_CHAINS_NONE || k->since[i] < k->since[found]))
            found = i;
    }
    return found;
}

static void expect_same(const gw_chains *c, const kept *k)
{
    for (uint32_t hash = 0; hash < HASHES; hash++) {
        uint32_t wanted = oldest_after(k, hash, c->mask, 0);
        uint32_t place = gw_chains_first(c, hash);
        while (wanted != GW_CHAINS_NONE) {
            assert_int_equal(place, wanted);
            place = gw_chains_after(c, place);
            wanted = oldest_after(k, hash, c->mask, k->since[wanted]);
        }
        assert_int_equal(place, GW_CHAINS_NONE);
    }
}

static void chains_are_lists(void **state)
{
    uint32_t memory[ROOM * GW_CHAINS_BYTES / sizeof(uint32_t)];
    uint32_t random = 1;
    gw_chains c;
    kept k;

    (void)state;
    memset(&k, 0, sizeof k);
    gw_chains_init(&c, memory, ROOM);
    assert_int_equal(c.mask, 7);
    for (unsigned step = 1; step < 3000; step++) {
        random = random * 1664525 + 1013904223;
        uint32_t place = random >> 8 & 0xff;
        place %= ROOM;
        if (k.since[place] != 0) {
            gw_chains_remove(&c, place);
            k.since[place] = 0;
        } else {
            k.hash[place] = random >> 24 & 0xff;
            k.hash[place] %= HASHES;
            if (random >> 16 & 1)
                gw_chains_remove(&c, place); /* from none */
            gw_chains_append(&c, place, k.hash[place]);
            k.since[place] = step;
        }
        expect_same(&c, &k);
    }
    for (uint32_t place = 0; place < ROOM; place++) {
        gw_chains_remove(&c, place);
        gw_chains_remove(&c, place); /* what is in none stays so */
    }
    memset(&k, 0, sizeof k);
    expect_same(&c, &k);
}

static void one_place_is_enough(void **state)
{
    uint32_t memory[GW_CHAINS_BYTES / sizeof(uint32_t)];
    gw_chains c;

    (void)state;
    gw_chains_init(&c, memory, 1);
    assert_int_equal(gw_chains_first(&c, 77), GW_CHAINS_NONE);
    gw_chains_append(&c, 0, 77);
    assert_int_equal(gw_chains_first(&c, 12), 0);
    assert_int_equal(gw_chains_after(&c, 0), GW_CHAINS_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_are_lists),
        cmocka_unit_test(one_place_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
