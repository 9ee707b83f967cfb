/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading and writing one field by the table's positions, in every byte order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "core/bits.h"
#include "core/table.h"

#define GW_TABLE_DEF "core/testing/bits.def"
#define GW_ID(name) T_##name
#define GW_PREFIX "t"
#define GW_AT GW_AT_MSB0
#define GW_TABLE_GROUPS table_list
#include "core/table_ids.h"

#include "core/table_build.h"

static const uint8_t bytes[16] = {0x81, 0xc2, 0x13, 0x24, 0x35, 0x46, 0x57, 0x68,
                                  0x79, 0x8a, 0x9b, 0xac, 0xbd, 0xce, 0xdf, 0xe0};

/* What the table's constants say of each field, beside its descriptor. */
static const struct {
    unsigned from, to, byte, order, group_bytes;
} constants[] = {
#define GW_FIELD(group, id, ...)                                                                   \
    [T_F_##id] = {T_FROM_##id, T_TO_##id, T_BYTE_OF_##id, T_ORDER_OF_##id, T_BYTES_IN_##group},
#define GW_VIEW(group, id, ...) GW_FIELD(group, id, )
#include GW_TABLE_DEF
};

static void fields_read_as_written_down(void **state)
{
#define GET(id) gw_bits_get(bytes, T_FROM_##id, T_TO_##id, T_ORDER_OF_##id)
    (void)state;
    assert_int_equal(GET(BIG_NIBBLE), 0x8);
    assert_int_equal(GET(BIG_ACROSS), 0x0e1);
    assert_int_equal(GET(BIG_FLAG), 0);
    assert_int_equal(GET(BIG_THREE), 0x132435);
    assert_true(GET(BIG_WIDE) == UINT64_C(0x465768798a9bac) * 2 + 1);
    assert_int_equal(GET(BIG_REST), 0x3dcedfe0);
    assert_int_equal(GET(LITTLE_BYTE), 0x81);
    assert_int_equal(GET(LITTLE_HIGH), 1);
    assert_int_equal(GET(LITTLE_UPPER), 0xc);
    assert_int_equal(GET(LITTLE_PAIR), 0x2413);
    assert_int_equal(GET(LITTLE_THREE), 0xac9b8a);
    assert_true(GET(LITTLE_EIGHT) == UINT64_C(0xe0dfcebdac9b8a79));
    assert_int_equal(GET(WORDS_BYTE), 0x24);
    assert_int_equal(GET(WORDS_HIGH), 0);
    assert_int_equal(GET(WORDS_UPPER), 0x1);
    assert_int_equal(GET(WORDS_PAIR), 0x81c2);
    assert_int_equal(GET(WORDS_FOUR), 0x35465768);
    assert_true(GET(WORDS_EIGHT) == UINT64_C(0xbdcedfe0798a9bac));
#undef GET
}

static void constants_are_those_of_the_descriptors(void **state)
{
    (void)state;
    for (int i = 0; i < T_NUM_FIELDS; i++) {
        const gw_field *f = &table_fields[i];
        assert_int_equal(constants[i].byte, f->byte);
        assert_int_equal(constants[i].group_bytes, f->group->bytes);
        assert_true(gw_bits_get(bytes, constants[i].from, constants[i].to, constants[i].order) ==
                    gw_field_get(f, bytes));
    }
}

/* What is written is read again, and the bits around it stay. */
static void writing_changes_the_field_alone(void **state)
{
    (void)state;
    for (int i = 0; i < T_NUM_FIELDS; i++) {
        const gw_field *f = &table_fields[i];
        gw_item item = {.field = f};
        uint8_t out[16], mask[16] = {0};
        size_t first;
        memcpy(out, bytes, sizeof out);
        gw_bits_put(out, constants[i].from, constants[i].to, constants[i].order,
                    ~gw_field_get(f, bytes));
        assert_true(gw_field_get(f, out) == (~gw_field_get(f, bytes) & f->mask));
        (void)gw_field_span(f, &first);
        size_t len = gw_item_mask(&item, mask + first, sizeof mask - first);
        assert_int_equal(gw_item_mask(&item, NULL, 0), len);
        for (size_t k = 0; k < sizeof out; k++)
            assert_int_equal(out[k], bytes[k] ^ mask[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_read_as_written_down),
        cmocka_unit_test(constants_are_those_of_the_descriptors),
        cmocka_unit_test(writing_changes_the_field_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
