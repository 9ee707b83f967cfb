/* SPDX-License-Identifier: BSD-2-Clause */
/* Register accesses that go together in one packet, and what is taken of the answers to them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "goldwire/etherbone.h"
#include "suite/regs_wire.h"

#define TAG (GW_REGS_TAG | UINT32_C(0x1200))
#define WIDTHS (GW_EB_32BIT << 4 | GW_EB_32BIT)

static size_t count_records(const uint8_t *packet, size_t len, uint32_t *writes, uint32_t *reads)
{
    gw_message m = gw_message_of(packet, len);
    gw_eb_reader r;
    gw_eb_record record;
    size_t num = 0;

    m.transport = GW_OVER_UDP;
    *writes = *reads = 0;
    assert_true(gw_eb_open(&r, &m, NULL));
    while (gw_eb_next(&r, &record)) {
        *writes += record.wcount;
        *reads += record.rcount;
        num++;
    }
    return num;
}

/* In their order, each a record of its own, and the error register last. */
static void as_many_as_there_may_be_go_into_one_packet(void **state)
{
    gw_regs_access accesses[GW_REGS_TOGETHER + 1];
    uint8_t packet[GW_REGS_LARGE_PACKET];
    uint32_t writes, reads;
    (void)state;

    for (uint32_t i = 0; i < GW_ARRAY_LEN(accesses); i++)
        accesses[i] = (gw_regs_access){.at = 4 * i, .value = i, .write = i % 2 == 0};
    size_t len = gw_regs_ask_together(packet, TAG, accesses, GW_REGS_TOGETHER, NULL);
    assert_true(len > 0);
    assert_int_equal(count_records(packet, len, &writes, &reads), GW_REGS_TOGETHER + 1);
    assert_int_equal(writes, GW_REGS_TOGETHER / 2);
    assert_int_equal(reads, GW_REGS_TOGETHER / 2 + 1);
    assert_int_equal(gw_regs_ask_together(packet, TAG, accesses, GW_REGS_TOGETHER + 1, NULL), 0);
}

static size_t put_answer(uint8_t *out, size_t cap, const uint32_t *places, const uint64_t *values,
                         size_t num)
{
    gw_eb_builder b;

    assert_true(gw_eb_build_packet(&b, out, cap, WIDTHS, NULL));
    for (size_t i = 0; i < num; i++) {
        gw_eb_operation op = {
            .writes = &values[i], .num_writes = 1, .write_base = places[i], .byte_enable = 0x0f};
        assert_true(gw_eb_build_record(&b, &op));
    }
    return gw_eb_build_end(&b, false);
}

/* Values are known by where they are sent, whatever else comes with them. */
static void each_value_finds_its_access(void **state)
{
    static const uint32_t places[] = {TAG, TAG + 8, TAG + 16, TAG + 4, TAG + 0x100};
    static const uint64_t values[] = {10, 11, 13, 0x20, 99};
    uint8_t packet[256];
    gw_regs_answer a = {0};
    (void)state;

    size_t len = put_answer(packet, sizeof(packet), places, values, GW_ARRAY_LEN(places));
    gw_regs_take(&a, packet, len, TAG, NULL);
    assert_int_equal(a.seen, 1u << 0 | 1u << 1 | 1u << 3);
    assert_int_equal(a.values[0], 10);
    assert_int_equal(a.values[1], 11);
    assert_int_equal(a.values[3], 13);
    assert_true(a.has_errors);
    assert_int_equal(a.errors, 0x20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_as_there_may_be_go_into_one_packet),
        cmocka_unit_test(each_value_finds_its_access),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
