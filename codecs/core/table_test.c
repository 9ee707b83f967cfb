/* SPDX-License-Identifier: BSD-2-Clause */
/* The interpreter on a word in every byte order, with fields that straddle bytes and halves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "core/table.h"
#include "core/testing/cover.h"
#include "core/walk.h"

#define GW_TABLE_DEF "core/testing/orders.def"
#define GW_ID(name) T_##name
#define GW_PREFIX "t"
#define GW_AT GW_AT_LSB0
#define GW_TABLE_GROUPS table_list
#include "core/table_ids.h"

#include "core/table_build.h"

/* The word 0x..: |low| in bits 0..4, |wide| in 62..109, |top| in 120..127, the rest zero. */
static const uint8_t little[16] = {0x15, 0,    0,    0,    0,    0, 0, 0x40,
                                   0x48, 0x8d, 0x15, 0x9e, 0x26, 0, 0, 0xa6};

typedef struct seen {
    gw_watch watch;
    uint64_t values[T_NUM_FIELDS];
    uint32_t offsets[T_NUM_FIELDS];
    unsigned num;
} seen;

static void keep(gw_sink *sink, const gw_item *item)
{
    seen *s = (seen *)sink;

    gw_watch_item(sink, item);
    s->values[item->field - table_fields] = item->value;
    s->offsets[item->field - table_fields] = item->offset;
    s->num++;
}

static gw_cover cover;

static gw_error walk(seen *s, int group, const uint8_t *data, size_t len)
{
    gw_message m = gw_message_of(data, len);
    static uint8_t copy[16];

    memset(s, 0, sizeof *s);
    assert_true(gw_cover_init(&cover, len));
    memset(copy, 0, sizeof copy);
    s->watch.sink.item = keep;
    s->watch.cover = &cover;
    s->watch.copy = copy;
    gw_walk w = gw_walk_over(&m, &s->watch.sink);
    if (gw_walk_flat(&w, &table_groups[group], 0))
        gw_walk_derive(&w, &table_fields[T_F_SUM], 7, 0);
    return w.error;
}

static void a_word_reads_alike_in_every_order(void **state)
{
    static const struct {
        int group, first, low, wide;
    } orders[] = {{T_G_PLAIN, T_F_LOW, 0, 7},
                  {T_G_TURNED, T_F_TURNED_LOW, 15, 2},
                  {T_G_HALVES, T_F_HALVES_LOW, 7, 0}};

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(orders); i++) {
        uint8_t data[16];
        seen s;
        for (size_t k = 0; k < 16; k++)
            data[k ^ table_groups[orders[i].group].swizzle] = little[k];
        gw_error error = walk(&s, orders[i].group, data, sizeof data);
        int f = orders[i].first;
        assert_int_equal(error.kind, GW_OK);
        assert_null(s.watch.fault);
        assert_int_equal(s.num, 6); /* five leaves and what was derived */
        assert_int_equal(s.values[f], 0x15);
        assert_int_equal(s.offsets[f], orders[i].low);
        assert_int_equal(s.values[f + 1], 0);
        assert_true(s.values[f + 2] == 0x9a78563521);
        assert_int_equal(s.offsets[f + 2], orders[i].wide);
        assert_int_equal(s.values[f + 4], 0xa6);
        for (size_t k = 0; k < 16; k++)
            assert_int_equal(cover.seen[k], 0xff);
        assert_memory_equal(s.watch.copy, data, sizeof data);
    }
}

static void a_cut_word_that_is_turned_gives_nothing(void **state)
{
    (void)state;
    for (size_t len = 0; len < 16; len++) {
        seen s;
        gw_error error = walk(&s, T_G_TURNED, little, len);
        assert_int_equal(error.kind, GW_TRUNCATED);
        assert_int_equal(error.offset, 0);
        assert_non_null(error.field);
        assert_int_equal(s.num, 0);
        error = walk(&s, T_G_HALVES, little, len);
        assert_int_equal(error.kind, GW_TRUNCATED);
        assert_int_equal(s.num, 0);
    }
}

static void derived_fields_have_no_bits(void **state)
{
    const gw_field *sum = &table_fields[T_F_SUM];
    gw_item item = {.field = sum, .value = 1};
    uint8_t mask[4], data[4] = {0};

    (void)state;
    assert_true(sum->derived && sum->view);
    assert_int_equal(gw_item_mask(&item, mask, sizeof mask), 0);
    assert_false(gw_emit(data, sizeof data, &item));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_reads_alike_in_every_order),
        cmocka_unit_test(a_cut_word_that_is_turned_gives_nothing),
        cmocka_unit_test(derived_fields_have_no_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
