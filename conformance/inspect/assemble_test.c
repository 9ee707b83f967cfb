/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the way from JSON back to messages: what describe writes, assemble reads, for packets
 * good and broken; and what it says when the JSON was edited badly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "goldwire/etherbone.h"
#include "inspect/account.h"
#include "inspect/assemble.h"
#include "inspect/describe/describe.h"

typedef struct bench {
    gw_account account;
    gw_json json;
    gw_assembled assembled;
    char why[512];
} bench;

/* A write of two words and a read, 32 bits; the same with 64-bit units; a probe. */
static const uint8_t good32[] = {0x4e, 0x6f, 0x10, 0x44, 0x28, 0x0f, 0x02, 0x01, 0x00, 0x00,
                                 0x10, 0x00, 0xca, 0xfe, 0x00, 0x01, 0xca, 0xfe, 0x00, 0x02,
                                 0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x20, 0x04};
static const uint8_t good64[] = {0x4e, 0x6f, 0x14, 0x88, 0x00, 0x00, 0x00, 0x00, 0x08, 0xff, 0x01,
                                 0x00, 0x00, 0x00, 0x00, 0x00, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54,
                                 0x32, 0x10, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01};
static const uint8_t good_a8[] = {0x4e, 0x6f, 0x10, 0x12, 0x08, 0x03, 0x01,
                                  0x00, 0x00, 0x10, 0xbe, 0xef, 0x01};
static const uint8_t probe[] = {0x4e, 0x6f, 0x11, 0xff, 0xde, 0xad, 0xbe, 0xef};

static void no_note(void *ctx, uint64_t frame, const char *text)
{
    (void)ctx;
    (void)frame;
    (void)text;
}

static int open_bench(void **state)
{
    bench *b = calloc(1, sizeof *b);

    if (b == NULL)
        return -1;
    gw_account_init(&b->account, no_note, NULL);
    *state = b;
    return 0;
}

static int close_bench(void **state)
{
    free(*state);
    return 0;
}

/* The JSON of |data| as a UDP message in |dialect|. */
static json_t *describe(bench *b, const uint8_t *data, size_t len, size_t cap_len,
                        const char *dialect)
{
    gw_message m = gw_message_of(data, len);
    gw_found found = {
        .message = &m,
        .format = &gw_etherbone,
        .dialect = gw_dialect_by_name(&gw_etherbone, dialect),
    };
    char *text = NULL;
    size_t text_len = 0;
    FILE *out = open_memstream(&text, &text_len);
    json_error_t error;

    assert_non_null(out);
    assert_non_null(found.dialect);
    m.cap_len = (uint32_t)cap_len;
    m.transport = GW_OVER_UDP;
    m.frame = 1;
    m.time_ns = 1350000000000620546;
    gw_json_init(&b->json, out);
    gw_account_open(&b->account, &found);
    assert_true(gw_describe_object(&b->json, "x.pcap", &found, &b->account));
    assert_int_not_equal(b->account.error.kind, GW_BUG);
    assert_int_equal(fclose(out), 0);
    json_t *object = json_loadb(text, text_len, JSON_REJECT_DUPLICATES, &error);
    if (object == NULL)
        fail_msg("%s: %s", error.text, text);
    free(text);
    return object;
}

static void assemble(bench *b, const json_t *object)
{
    if (!gw_assemble(&b->assembled, object, NULL, b->why, sizeof b->why))
        fail_msg("%s", b->why);
}

static void assert_refused(bench *b, json_t *object, const char *part)
{
    if (gw_assemble(&b->assembled, object, NULL, b->why, sizeof b->why))
        fail_msg("taken, '%s' expected", part);
    if (strstr(b->why, part) == NULL)
        fail_msg("'%s' says nothing of '%s'", b->why, part);
    json_decref(object);
}

/* ---- round trips ---- */

/* The payload comes back from the object, and from its leaves alone. */
static void assert_round_trip(bench *b, const uint8_t *data, size_t len, size_t cap_len,
                              const char *dialect)
{
    json_t *object = describe(b, data, len, cap_len, dialect);

    assemble(b, object);
    assert_int_equal(b->assembled.message.len, len);
    assert_int_equal(b->assembled.message.cap_len, cap_len);
    assert_int_equal(b->assembled.message.time_ns, 1350000000000620546);
    assert_memory_equal(b->assembled.bytes, data, cap_len);
    json_object_del(object, "payload");
    assemble(b, object);
    assert_memory_equal(b->assembled.bytes, data, cap_len);
    assert_int_equal(gw_cover_hole(&b->assembled.cover), cap_len);
    json_decref(object);
}

static void brings_good_packets_back(void **state)
{
    bench *b = *state;

    assert_round_trip(b, good32, sizeof good32, sizeof good32, "strict");
    assert_round_trip(b, good64, sizeof good64, sizeof good64, "strict");
    assert_round_trip(b, good_a8, sizeof good_a8, sizeof good_a8, "strict");
    assert_round_trip(b, probe, sizeof probe, sizeof probe, "strict");
    assert_round_trip(b, probe, 0, 0, "strict");
}

static void brings_cut_packets_back(void **state)
{
    bench *b = *state;

    for (size_t len = 0; len <= sizeof good64; len++) {
        assert_round_trip(b, good64, len, len, "strict");
        assert_round_trip(b, good64, sizeof good64, len, "strict");
    }
}

static void brings_broken_packets_back(void **state)
{
    static const char *const dialects[] = {"strict", "litex", "gsi", "libetherbone"};
    bench *b = *state;
    uint8_t data[64];
    uint32_t seed = 1;

    for (unsigned round = 0; round < 2000; round++) {
        memcpy(data, good64, sizeof good64);
        memcpy(data + sizeof good64, good32, sizeof good32);
        for (unsigned i = 0; i < 4; i++) {
            seed = seed * 1664525 + 1013904223;
            /* The first bytes decide most: hit them often. */
            size_t at = seed >> 28 < 8 ? 2 + (seed >> 20) % 8 : (seed >> 20) % 60;
            data[at] = (uint8_t)(seed >> 8);
        }
        size_t len = seed >> 26;
        assert_round_trip(b, data, len, len, dialects[round % GW_ARRAY_LEN(dialects)]);
    }
}

/* ---- edits ---- */

static void flip(json_t *field)
{
    json_t *value = json_object_get(field, "value");
    const char *text = json_string_value(value);
    char other[64];

    if (json_is_integer(value)) {
        json_object_set_new(field, "value", json_integer(json_integer_value(value) ^ 1));
        return;
    }
    snprintf(other, sizeof other, "%s", text);
    size_t last = strlen(other) - 1;
    other[last] = other[last] == '0' ? '1' : '0';
    json_object_set_new(field, "value", json_string(other));
}

/* Changing any one leaf changes bits inside its mask and none outside. */
static void assert_edits_stay_inside(bench *b, const uint8_t *data, size_t len)
{
    json_t *object = describe(b, data, len, len, "strict");
    json_t *fields = json_object_get(object, "fields");

    assert_true(json_array_size(fields) > 0);
    for (size_t i = 0; i < json_array_size(fields); i++) {
        json_t *copy = json_deep_copy(object);
        json_t *field = json_array_get(json_object_get(copy, "fields"), i);
        const char *mask = json_string_value(json_object_get(field, "mask"));
        size_t offset = (size_t)json_integer_value(json_object_get(field, "offset"));
        uint8_t changed = 0;

        flip(field);
        assemble(b, copy);
        for (size_t at = 0; at < len; at++) {
            uint8_t diff = b->assembled.bytes[at] ^ data[at];
            char digits[3] = "00";
            if (at >= offset && (at - offset) * 2 < strlen(mask))
                memcpy(digits, mask + (at - offset) * 2, 2);
            unsigned long own = strtoul(digits, NULL, 16);
            assert_int_equal(diff & ~own, 0);
            changed |= diff;
        }
        assert_int_not_equal(changed, 0);
        json_decref(copy);
    }
    json_decref(object);
}

static void edits_change_their_own_bits_only(void **state)
{
    bench *b = *state;

    assert_edits_stay_inside(b, good32, sizeof good32);
    assert_edits_stay_inside(b, good64, sizeof good64);
    assert_edits_stay_inside(b, good_a8, sizeof good_a8);
    assert_edits_stay_inside(b, good32, sizeof good32 - 3);
}

static json_t *field_called(json_t *object, const char *path)
{
    json_t *field;
    size_t i;

    json_array_foreach(json_object_get(object, "fields"), i, field)
    {
        if (strcmp(json_string_value(json_object_get(field, "path")), path) == 0)
            return field;
    }
    fail_msg("no field %s", path);
    return NULL;
}

/* The object of good32 with one |key| of one field set to |value|, which is taken over. */
static json_t *edited(bench *b, const char *path, const char *key, json_t *value)
{
    json_t *object = describe(b, good32, sizeof good32, sizeof good32, "strict");

    json_object_set_new(field_called(object, path), key, value);
    return object;
}

static json_t *with(bench *b, const char *key, json_t *value)
{
    json_t *object = describe(b, good32, sizeof good32, sizeof good32, "strict");

    json_object_set_new(object, key, value);
    return object;
}

static void explains_wrong_fields(void **state)
{
    bench *b = *state;
    const char *bca = "etherbone.record[0].bca";

    assert_refused(b, edited(b, bca, "name", json_string("etherbone.record.bac")),
                   "did you mean 'etherbone.record.bca'");
    assert_refused(b, edited(b, bca, "name", json_null()), "without a name");
    assert_refused(b, edited(b, bca, "value", json_integer(2)), "does not fit 1 bits");
    assert_refused(b, edited(b, bca, "value", json_integer(-1)), "is negative");
    assert_refused(b, edited(b, bca, "value", json_string("1")), "whole number");
    assert_refused(b, edited(b, bca, "value", json_real(1.5)), "whole number");
    assert_refused(b, edited(b, bca, "value", json_string("0x1g")), "'g' is no hex digit");
    assert_refused(b, edited(b, bca, "mask", json_string("40")), "mask and bits do not fit");
    assert_refused(b, edited(b, bca, "bits", json_integer(2)), "mask and bits do not fit");
    assert_refused(b, edited(b, bca, "mask", json_string("8")), "even number");
    assert_refused(b, edited(b, bca, "offset", json_integer(28)), "lies outside the 28 bytes");
    assert_refused(b, edited(b, bca, "offset", json_integer(0)), "overlaps another field");
    assert_refused(b, edited(b, bca, "offset", json_string("4")), "offset must be a whole number");
    assert_refused(
        b, edited(b, "etherbone.record[0].write[1].value", "value", json_string("0x100000000")),
        "etherbone.record[0].write[1].value: value 0x100000000 does not fit 32 bits");
}

static void explains_wrong_messages(void **state)
{
    bench *b = *state;

    assert_refused(b, json_array(), "JSON object is needed");
    assert_refused(b, with(b, "proto", json_string("etherbon")), "did you mean 'etherbone'");
    assert_refused(b, with(b, "proto", json_null()), "use --proto");
    assert_refused(b, with(b, "proto", json_integer(3)), "text in quotes");
    assert_refused(b, with(b, "payload", json_string("4e6")), "even number");
    assert_refused(b, with(b, "payload", json_string("4x")), "character 2 is no hex digit");
    assert_refused(b, with(b, "payload", json_string("4e6f")), "cap_len says 28");
    assert_refused(b, with(b, "len", json_integer(27)), "less than the 28 bytes");
    assert_refused(b, with(b, "len", json_integer(70000)), "at most 65535");
    assert_refused(b, with(b, "time", json_string("yesterday")), "is no time");
    assert_refused(b, with(b, "src", json_string("localhost")), "is no address");
    assert_refused(b, with(b, "transport", json_string("sctp")), "none of udp, tcp and link");
    assert_refused(b, with(b, "dir", json_string("up")), "neither in nor out");
    assert_refused(b, with(b, "fields", json_string("")), "a list is needed");
    assert_refused(b, with(b, "fields", json_pack("[i]", 1)), "entry 1 is no object");
    assert_refused(b, with(b, "carrier", json_pack("{s[i]}", "vlan", 4096)), "0 to 4095");
    assert_refused(b, with(b, "carrier", json_pack("{si}", "tcp_dir", 2)), "at most 1");
}

static void takes_defaults(void **state)
{
    bench *b = *state;
    json_t *object = json_pack("{s:s}", "payload", "4e6f1011");

    assert_true(gw_assemble(&b->assembled, object, &gw_etherbone, b->why, sizeof b->why));
    assert_int_equal(b->assembled.message.transport, GW_OVER_UDP);
    assert_int_equal(b->assembled.message.src.family, GW_FAMILY_NONE);
    assert_int_equal(b->assembled.message.len, 4);
    json_decref(object);
}

static void ignores_views(void **state)
{
    bench *b = *state;
    json_t *object = edited(b, "etherbone.magic", "view", json_true());

    json_object_set_new(field_called(object, "etherbone.magic"), "value", json_integer(1));
    assemble(b, object);
    assert_memory_equal(b->assembled.bytes, good32, sizeof good32);
    json_decref(object);
}

int main(void)
{
#define BENCH(test) cmocka_unit_test_setup_teardown(test, open_bench, close_bench)
    const struct CMUnitTest tests[] = {
        BENCH(brings_good_packets_back),
        BENCH(brings_cut_packets_back),
        BENCH(brings_broken_packets_back),
        BENCH(edits_change_their_own_bits_only),
        BENCH(explains_wrong_fields),
        BENCH(explains_wrong_messages),
        BENCH(takes_defaults),
        BENCH(ignores_views),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
