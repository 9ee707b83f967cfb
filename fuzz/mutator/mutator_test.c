/* SPDX-License-Identifier: BSD-2-Clause */
/* Inputs of all layouts, mutated: within their bounds, the same twice, readable by their layout. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "fuzz.h"
#include "goldwire/sequence.h"
#include "mutator/mutator.h"

static gw_fuzz_mutator one, two;

/* Two pieces behind a head of zeros, or one message. */
static size_t make_input(const gw_fuzz_layout *l, uint8_t *input)
{
    static const uint8_t packet[] = {0x4e, 0x6f, 0x10, 0x44, 0xe8, 0x0f, 0x01, 0x01,
                                     0x00, 0x10, 0x00, 0x00, 0xde, 0xad, 0xbe, 0xef,
                                     0x00, 0x00, 0x80, 0x01, 0x00, 0x00, 0x00, 0x04};
    size_t len = l->head;

    memset(input, 0, len);
    for (unsigned i = 0; i < (l->sequence ? 2 : 1); i++) {
        if (l->sequence) {
            input[len++] = (uint8_t)i;
            input[len++] = 0;
            input[len++] = sizeof packet;
        }
        memcpy(input + len, packet, sizeof packet);
        len += sizeof packet;
    }
    return len;
}

static void inputs_keep_to_their_bounds(void **state)
{
    uint8_t input[128];

    (void)state;
    for (size_t i = 0; i < GW_FUZZ_NUM_LAYOUTS; i++) {
        const gw_fuzz_layout *l = &gw_fuzz_layouts[i];
        unsigned changed = 0;
        size_t len = make_input(l, input);
        for (uint64_t seed = 0; seed < 300; seed++) {
            size_t cap = seed % 5 == 0 ? seed % 70 : 4096, given = seed % 7 == 0 ? seed % len : len;
            assert_true(gw_fuzz_mutator_init(&one, l->target, seed));
            assert_true(gw_fuzz_mutator_init(&two, l->target, seed));
            assert_true((l->format == NULL) == (one.format == NULL)); /* it is a format's name */
            memset(one.out, 0xa5, sizeof one.out);
            size_t got = gw_fuzz_mutate(&one, input, given, input, seed % 3 == 0 ? len : 0, cap);
            size_t again = gw_fuzz_mutate(&two, input, given, input, seed % 3 == 0 ? len : 0, cap);
            assert_true(got <= cap);
            for (size_t k = cap > l->head ? cap : l->head; k < cap + 16; k++)
                assert_int_equal(one.out[k], 0xa5);
            assert_int_equal(got, again);
            assert_memory_equal(one.out, two.out, got);
            assert_string_equal(one.did, two.did);
            if (got > 0)
                assert_true(one.did[0] != '\0');
            changed += got > 0;
        }
        assert_true(changed > 150);
    }
}

static bool is_edited(const char *did)
{
    for (unsigned i = 0; i < GW_NUM_SEQUENCE_EDITS; i++) {
        if (strstr(did, gw_sequence_edit_name(i)) != NULL)
            return true;
    }
    return false;
}

static unsigned num_pieces(const gw_fuzz_layout *l, const uint8_t *input, size_t len)
{
    gw_cursor c = gw_cursor_over(input, len), piece;
    uint8_t choice;
    unsigned num = 0;

    assert_true(gw_cursor_skip(&c, l->head));
    while (gw_fuzz_piece(&c, &choice, &piece))
        num++;
    return num;
}

/* A message that outgrew the room would push itself and what follows out of the input. */
static void a_message_grows_into_the_room_there_is(void **state)
{
    uint8_t input[128];
    unsigned grown = 0;

    (void)state;
    for (size_t i = 0; i < GW_FUZZ_NUM_LAYOUTS; i++) {
        const gw_fuzz_layout *l = &gw_fuzz_layouts[i];
        size_t len = make_input(l, input);
        for (uint64_t seed = 0; l->sequence && seed < 300; seed++) {
            assert_true(gw_fuzz_mutator_init(&one, l->target, seed));
            size_t got = gw_fuzz_mutate(&one, input, len, NULL, 0, len + 16);
            if (got == 0 || is_edited(one.did))
                continue;
            assert_int_equal(num_pieces(l, one.out, got), 2);
            grown += got > len;
        }
    }
    assert_true(grown > 20);
}

static void a_target_without_layout_is_refused(void **state)
{
    (void)state;
    assert_false(gw_fuzz_mutator_init(&one, "nobody", 0));
    assert_int_equal(gw_fuzz_mutate(&one, (const uint8_t *)"abc", 3, NULL, 0, 16), 0);
    assert_int_equal(gw_fuzz_trim(&one, (const uint8_t *)"abc", 3, 0), 0);
}

static void trimming_ends(void **state)
{
    uint8_t input[128];

    (void)state;
    for (size_t i = 0; i < GW_FUZZ_NUM_LAYOUTS; i++) {
        size_t len = make_input(&gw_fuzz_layouts[i], input);
        uint32_t pieces = 0;
        assert_true(gw_fuzz_mutator_init(&one, gw_fuzz_layouts[i].target, 0));
        for (size_t got; (got = gw_fuzz_trim(&one, input, len, pieces)) > 0; pieces++)
            assert_true(got < len && pieces < 64);
        assert_true(!gw_fuzz_layouts[i].sequence || pieces == 2);
    }
}

/* The header of a TEXTAROSSA link run with a wrong check byte, behind each choice that leaves
 * another hash: most are mended, some are not, and always the same. */
static void check_bytes_are_mended_mostly(void **state)
{
    static const uint8_t run[] = {0xaa, 0xaa, 0x55, 0x55, 0xaa, 0xaa, 0xff, 0xff, 0xaa, 0xaa,
                                  0x55, 0x55, 0xaa, 0xaa, 0xff, 0xff, 0xbb, 0xbb, 0x66, 0x66,
                                  0xbb, 0xbb, 0xff, 0xff, 0xbb, 0xbb, 0x66, 0x66, 0xbb, 0xbb,
                                  0xff, 0xff, 0x00, 0x00, 0x20, 0x00, 0x00, 0x00, 0x10, 0x40,
                                  0x3f, 0xff, 0xbe, 0x3e, 0x00, 0x00, 0x00, 0x01};
    const gw_fuzz_layout *l = gw_fuzz_layout_of("textarossa_decode");
    unsigned mended = 0;

    (void)state;
    for (unsigned size = 0; size < 64; size++) {
        uint8_t input[2 + sizeof run] = {0, 5}, before[sizeof input];
        memcpy(input + 2, run, sizeof run);
        input[2 + 38] = (uint8_t)size;
        memcpy(before, input, sizeof input);
        gw_fuzz_mend(l, input, sizeof input);
        assert_memory_equal(before, input, sizeof input - 1); /* nothing but the check byte */
        mended += input[sizeof input - 1] != before[sizeof input - 1];
    }
    assert_true(mended > 32 && mended < 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_keep_to_their_bounds),
        cmocka_unit_test(a_message_grows_into_the_room_there_is),
        cmocka_unit_test(a_target_without_layout_is_refused),
        cmocka_unit_test(trimming_ends),
        cmocka_unit_test(check_bytes_are_mended_mostly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
