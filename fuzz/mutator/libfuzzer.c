/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer's hooks: three of four mutations come from the tables, the rest, and all for targets
 * without a layout, is libFuzzer's own. GOLDWIRE_FUZZ_MUTATOR=bytes leaves everything to that, to
 * compare the two. And libFuzzer's own defaults, where ours are others. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "mutator/mutator.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other,
                                 size_t other_size, uint8_t *out, size_t max_size, unsigned seed);

/* A target of cores has one of its own. */
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

/* libFuzzer weighs inputs by how rare what they reach is, and for that looks up each feature of
 * each input in a list of thousands: half of the time where inputs are conversations. Twice as many
 * inputs reach more. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static char unweighed[] = "-entropic=0";
    char **more = calloc((size_t)*argc + 2, sizeof *more);

    gw_fuzz_check(more != NULL && *argc > 0, "no memory");
    more[0] = (*argv)[0];
    more[1] = unweighed; /* what the command line says behind it wins */
    memcpy(more + 2, *argv + 1, (size_t)(*argc - 1) * sizeof *more);
    *argv = more; /* for as long as the process lives */
    *argc += 1;
    return 0;
}

static gw_fuzz_mutator mutator;

static bool by_tables(void)
{
    static bool ready, tables;

    if (!ready) {
        const char *asked = getenv("GOLDWIRE_FUZZ_MUTATOR");
        bool bytes = asked != NULL && strcmp(asked, "bytes") == 0;
        tables = !bytes && gw_fuzz_mutator_init(&mutator, GW_FUZZ_TARGET, 0);
        ready = true;
    }
    return tables;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    mutator.random.state = seed;
    if (!by_tables() || gw_random_one_in(&mutator.random, 4))
        return LLVMFuzzerMutate(data, size, max_size);
    size_t len = gw_fuzz_mutate(&mutator, data, size, NULL, 0, max_size);
    if (len == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    memcpy(data, mutator.out, len);
    return len;
}

/* Where the tables know nothing: the head of one input, and the tail of the other. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other,
                                 size_t other_size, uint8_t *out, size_t max_size, unsigned seed)
{
    size_t len = 0;

    mutator.random.state = seed;
    if (by_tables())
        len = gw_fuzz_mutate(&mutator, data, size, other, other_size, max_size);
    if (len > 0) {
        memcpy(out, mutator.out, len);
        return len;
    }
    size_t head = gw_random_below(&mutator.random, (uint32_t)size + 1);
    size_t from = gw_random_below(&mutator.random, (uint32_t)other_size + 1);
    head = head < max_size ? head : max_size;
    size_t tail = other_size - from < max_size - head ? other_size - from : max_size - head;
    memcpy(out, data, head);
    memcpy(out + head, other + from, tail);
    return head + tail;
}
