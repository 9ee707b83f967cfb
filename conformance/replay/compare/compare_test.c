/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparing messages: every kind of comparison the tables know, and every way to differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "goldwire/etherbone.h"
#include "goldwire/textarossa.h"
#include "replay/compare/compare.h"

#define WIDTHS (GW_EB_32BIT << 4 | GW_EB_32BIT)
#define PACKET 128

typedef struct packet {
    uint8_t bytes[PACKET];
    gw_message message;
} packet;

static void end(packet *p, size_t len)
{
    p->message = gw_message_of(p->bytes, len);
    p->message.transport = GW_OVER_UDP;
}

/* A packet with one record that writes |num| words at |base|. */
static void reply(packet *p, uint64_t base, const uint64_t *words, uint8_t num)
{
    gw_eb_builder b;
    gw_eb_operation op = {.writes = words,
                          .num_writes = num,
                          .write_base = base,
                          .byte_enable = 15,
                          .flags = GW_EB_CYC};
    assert_true(gw_eb_build_packet(&b, p->bytes, sizeof(p->bytes), WIDTHS, NULL));
    assert_true(gw_eb_build_record(&b, &op));
    end(p, gw_eb_build_end(&b, false));
}

static void request(packet *p, uint64_t base)
{
    gw_eb_builder b;
    uint64_t at = 0x1000;
    gw_eb_operation op = {.reads = &at, .num_reads = 1, .return_base = base, .byte_enable = 15};
    assert_true(gw_eb_build_packet(&b, p->bytes, sizeof(p->bytes), WIDTHS, NULL));
    assert_true(gw_eb_build_record(&b, &op));
    end(p, gw_eb_build_end(&b, false));
}

static bool compare(const packet *expected, const packet *got, const gw_related *related,
                    gw_difference *d)
{
    gw_comparer c = {0};
    bool same =
        gw_compare_messages(&c, &gw_etherbone, NULL, &expected->message, &got->message, related, d);
    gw_comparer_free(&c);
    return same;
}

static void a_value_differs(void **state)
{
    packet expected, got;
    gw_related none = {0};
    gw_difference d;
    (void)state;
    reply(&expected, 0x8000, (uint64_t[]){1, 2, 3}, 3);
    reply(&got, 0x8000, (uint64_t[]){1, 7, 9}, 3);
    assert_true(compare(&expected, &expected, &none, &d));
    assert_int_equal(d.kind, GW_SAME);
    assert_false(compare(&expected, &got, &none, &d));
    assert_int_equal(d.kind, GW_DIFFERS);
    assert_string_equal(d.path, "etherbone.record[0].write[1].value");
    assert_string_equal(d.field->name, "etherbone.write.value");
    assert_int_equal(d.offset, 4 + 4 + 4 + 4);
    assert_int_equal(d.expected, 2);
    assert_int_equal(d.got, 7);
    assert_string_equal(d.expected_text, "0x2");
    assert_string_equal(d.got_text, "0x7");
}

static void a_field_is_missing_or_too_many(void **state)
{
    packet longer, shorter;
    gw_related none = {0};
    gw_difference d;
    (void)state;
    reply(&longer, 0x8000, (uint64_t[]){1, 2}, 2);
    memcpy(&shorter, &longer, sizeof(shorter));
    end(&shorter, longer.message.len - 4);
    assert_false(compare(&longer, &shorter, &none, &d));
    assert_int_equal(d.kind, GW_LACKS);
    assert_string_equal(d.path, "etherbone.record[0].write[1].value");
    memcpy(&longer, &shorter, sizeof(shorter));
    reply(&shorter, 0x8000, (uint64_t[]){1, 2}, 2);
    memset(shorter.bytes + shorter.message.len, 0, 4);
    packet more = shorter;
    end(&more, shorter.message.len + 4);
    end(&shorter, shorter.message.len);
    assert_false(compare(&shorter, &more, &none, &d));
    assert_int_equal(d.kind, GW_EXCEEDS);
    assert_int_equal(d.offset, shorter.message.len);
    assert_string_equal(d.expected_text, "nothing");
}

/* A reserved bit and padding are nobody's to compare. */
static void ignored_is_ignored(void **state)
{
    packet expected, got;
    gw_related none = {0};
    gw_difference d;
    (void)state;
    reply(&expected, 0x8000, (uint64_t[]){1}, 1);
    got = expected;
    end(&got, expected.message.len);
    got.bytes[2] |= GW_EB_HEADER_RESERVED;
    got.bytes[4] |= GW_EB_RESERVED_10;
    assert_true(compare(&expected, &got, &none, &d));
    got.bytes[4] |= GW_EB_RFF;
    assert_false(compare(&expected, &got, &none, &d));
    assert_string_equal(d.field->name, "etherbone.record.rff");
}

/* A reply goes where the request of now wants it, not where that of the trace did. */
static void an_echo_relates(void **state)
{
    packet asked, asked_now, expected, got;
    gw_difference d;
    (void)state;
    request(&asked, 0x8000);
    request(&asked_now, 0x9000);
    reply(&expected, 0x8000, (uint64_t[]){5}, 1);
    reply(&got, 0x9000, (uint64_t[]){5}, 1);
    gw_related related = {.asked = &asked.message, .asked_now = &asked_now.message};
    assert_true(compare(&expected, &got, &related, &d));
    assert_false(compare(&expected, &expected, &related, &d));
    assert_string_equal(d.field->name, "etherbone.write.base");
    assert_int_equal(d.expected, 0x9000);
    assert_int_equal(d.got, 0x8000);
}

/* What answers nothing has to be as it was, unless its sender is who chooses. */
static void an_echo_of_nothing(void **state)
{
    packet expected, got;
    gw_related strict = {0};
    gw_related loose = {.is_free = true};
    gw_difference d;
    (void)state;
    reply(&expected, 0x8000, (uint64_t[]){5}, 1);
    reply(&got, 0x9000, (uint64_t[]){5}, 1);
    assert_false(compare(&expected, &got, &strict, &d));
    assert_true(compare(&expected, &got, &loose, &d));
}

/* A return address is the asker's own: any will do, but there has to be one. */
static void a_volatile_field_is_there(void **state)
{
    packet expected, got;
    gw_related none = {0};
    gw_difference d;
    (void)state;
    request(&expected, 0x8000);
    request(&got, 0x1234);
    assert_true(compare(&expected, &got, &none, &d));
    got.bytes[got.message.len - 1] ^= 1; /* the address that is read */
    assert_false(compare(&expected, &got, &none, &d));
    assert_string_equal(d.field->name, "etherbone.read.addr");
}

static void what_the_capture_cut_is_not_compared(void **state)
{
    packet expected, got;
    gw_related none = {0};
    gw_difference d;
    (void)state;
    reply(&expected, 0x8000, (uint64_t[]){1, 2, 3}, 3);
    got = expected;
    end(&got, expected.message.len);
    expected.message.cap_len -= 6;
    got.bytes[got.message.len - 1] ^= 1;
    assert_true(compare(&expected, &got, &none, &d));
    got.bytes[5] ^= 1;
    assert_false(compare(&expected, &got, &none, &d));
}

/* Some boards write an end of the line into the packet. */
static void ends_are_translated(void **state)
{
    static const uint8_t payload[16] = {1};
    const gw_endpoint then = {.ip = {10, 0, 0, 1}, .port = 64098, .family = GW_FAMILY_IPV4};
    const gw_endpoint now = {.ip = {127, 0, 0, 2}, .port = 4000, .family = GW_FAMILY_IPV4};
    gw_related related = {.then = {then}, .now = {now}};
    gw_tx_draft draft = {.header = {.dest_addr = UINT64_C(64098) << 32 | 0x0a000001},
                         .payload = payload,
                         .payload_len = sizeof(payload)};
    uint8_t was[PACKET];
    uint8_t is[PACKET];
    gw_comparer c = {0};
    gw_difference d;
    (void)state;
    size_t len = gw_tx_build(was, sizeof(was), &draft, NULL);
    draft.header.dest_addr = UINT64_C(4000) << 32 | 0x7f000002;
    assert_int_equal(gw_tx_build(is, sizeof(is), &draft, NULL), len);
    gw_message expected = gw_message_of(was, len);
    gw_message got = gw_message_of(is, len);
    expected.transport = got.transport = GW_OVER_UDP;
    assert_true(gw_compare_messages(&c, &gw_textarossa, NULL, &expected, &got, &related, &d));
    assert_false(gw_compare_messages(&c, &gw_textarossa, NULL, &expected, &expected, &related, &d));
    assert_string_equal(d.field->name, "textarossa.dest_addr");

    uint8_t sent[PACKET];
    memcpy(sent, was, len);
    assert_true(gw_rebind(&c, &gw_textarossa, NULL, &expected, &related, sent));
    assert_memory_equal(sent, is, len);
    gw_related none = {0};
    assert_false(gw_rebind(&c, &gw_textarossa, NULL, &expected, &none, sent));
    gw_comparer_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_differs),
        cmocka_unit_test(a_field_is_missing_or_too_many),
        cmocka_unit_test(ignored_is_ignored),
        cmocka_unit_test(an_echo_relates),
        cmocka_unit_test(an_echo_of_nothing),
        cmocka_unit_test(a_volatile_field_is_there),
        cmocka_unit_test(what_the_capture_cut_is_not_compared),
        cmocka_unit_test(ends_are_translated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
