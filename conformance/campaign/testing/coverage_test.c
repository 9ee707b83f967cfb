/* SPDX-License-Identifier: BSD-2-Clause */
/* Counting by the tables: kinds of values, what is possible, what is new, what was answered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "campaign/answers.h"
#include "campaign/history.h"
#include "campaign/model/coverage.h"
#include "goldwire/etherbone.h"

#define BIT(name) (UINT32_C(1) << GW_VALUE_##name)

static uint32_t classes(const gw_field *field, uint64_t value)
{
    const gw_item item = {.field = field, .value = value, .bits = field->bits};
    return gw_value_classes(&item);
}

static void values_are_of_the_kinds_that_the_table_tells_apart(void **state)
{
    (void)state;
    const gw_value_name names[] = {{5, "five"}, {0, NULL}};
    gw_field f = {.bits = 8, .mask = 0xff};
    assert_int_equal(classes(&f, 0x35), BIT(ORDINARY));
    assert_int_equal(classes(&f, 0), BIT(ZERO));
    assert_int_equal(classes(&f, 0xff), BIT(ONES));
    assert_int_equal(classes(&f, 0x7f), BIT(HALF));
    assert_int_equal(classes(&f, 0x80), BIT(HALF));
    assert_int_equal(classes(&f, 0x10), BIT(POWER));
    assert_int_equal(classes(&f, 0x0f), BIT(BELOW_POWER));
    f.values = names;
    assert_int_equal(classes(&f, 5), BIT(NAMED));
    f = (gw_field){.bits = 8, .mask = 0xff, .legal = GW_AT_MOST, .legal_value = 0x35};
    assert_int_equal(classes(&f, 0x35), BIT(LIMIT));
    assert_int_equal(classes(&f, 0x34), BIT(BELOW_LIMIT));
    assert_int_equal(classes(&f, 0x36), BIT(ABOVE_LIMIT) | BIT(TOO_LARGE));
    f = (gw_field){.bits = 8, .mask = 0xff, .legal = GW_EXACTLY, .legal_value = 0x35};
    assert_int_equal(classes(&f, 0x33), BIT(ANOTHER));
    f = (gw_field){.bits = 8, .mask = 0xff, .legal = GW_ONE_BIT};
    assert_int_equal(classes(&f, 0), BIT(ZERO) | BIT(NO_BIT));
    assert_int_equal(classes(&f, 0x35), BIT(MANY_BITS));
    f = (gw_field){.bits = 8, .mask = 0xff, .legal = GW_NONZERO};
    assert_int_equal(classes(&f, 0), BIT(ZERO) | BIT(ZERO_TOO));
    f = (gw_field){.bits = 8, .mask = 0xff, .legal = GW_MULTIPLE, .legal_value = 4};
    assert_int_equal(classes(&f, 0x35), BIT(NO_MULTIPLE));
    assert_int_equal(classes(&f, 0x34), BIT(ORDINARY));
    f = (gw_field){.bits = 8, .mask = 0xff, .use = GW_RESERVED};
    assert_int_equal(classes(&f, 0x35), BIT(NOT_ZERO));
}

static void what_a_field_can_have_is_what_its_values_are(void **state)
{
    (void)state;
    const gw_field flag = {.bits = 1, .mask = 1, .type = GW_BOOL};
    const gw_field three = {.bits = 2, .mask = 3, .legal = GW_AT_MOST, .legal_value = 2};
    const gw_field padding = {.type = GW_BYTES, .use = GW_PADDING};
    assert_int_equal(gw_value_classes_of(&flag), BIT(ZERO) | BIT(ONES));
    assert_int_equal(gw_value_classes_of(&padding), BIT(ZERO) | BIT(NOT_ZERO));
    uint32_t all = 0;
    for (uint64_t value = 0; value < 4; value++)
        all |= classes(&three, value);
    assert_int_equal(gw_value_classes_of(&three), all);
    /* No value of any field is of a kind that it cannot have. */
    for (size_t g = 0; g < gw_etherbone.num_groups; g++) {
        for (unsigned i = 0; i < gw_etherbone.groups[g]->num_fields; i++) {
            const gw_field *f = &gw_etherbone.groups[g]->fields[i];
            for (uint64_t value = 0; f->type != GW_BYTES && f->bits != 0 && value < 70000; value++)
                if ((classes(f, value & f->mask) & ~gw_value_classes_of(f)) != 0)
                    fail_msg("%s: %llu", f->name, (unsigned long long)value);
        }
    }
}

/* A packet with one record that reads a word. */
static gw_message a_read(uint8_t bytes[64], uint64_t address)
{
    gw_eb_builder b;
    gw_eb_operation op = {.reads = &address, .num_reads = 1, .byte_enable = 0xf};
    assert_true(gw_eb_build_packet(&b, bytes, 64, 0x44, NULL));
    assert_true(gw_eb_build_record(&b, &op));
    gw_message m = gw_message_of(bytes, gw_eb_build_end(&b, false));
    m.dir = GW_DIR_OUT;
    return m;
}

static const gw_covered_field *covered(const gw_coverage *c, const char *name)
{
    for (size_t i = 0; i < c->num_fields; i++)
        if (strcmp(c->fields[i].field->name, name) == 0)
            return &c->fields[i];
    fail_msg("no field %s", name);
    return NULL;
}

static void what_is_sent_is_counted_and_no_longer_new(void **state)
{
    (void)state;
    uint8_t bytes[64];
    gw_coverage *c = gw_coverage_new(&gw_etherbone, NULL);
    assert_non_null(c);
    gw_message m = a_read(bytes, 0x35);
    gw_coverage_meet(c, &m);
    gw_coverage_sum before = gw_coverage_sum_up(c);
    assert_int_equal(before.hit, 0);
    assert_true(before.possible > 50);
    uint32_t fresh = gw_coverage_novelty(c, &m);
    assert_int_equal(gw_coverage_sum_up(c).hit, 0);
    gw_coverage_note(c, &m, true, false);
    assert_true(gw_coverage_novelty(c, &m) < fresh);
    gw_coverage_note(c, &m, false, true);
    const gw_covered_field *address = covered(c, "etherbone.read.addr");
    assert_int_equal(address->of[GW_VALUE_ORDINARY].hit, 2);
    assert_int_equal(address->of[GW_VALUE_ORDINARY].answered, 1);
    assert_int_equal(address->of[GW_VALUE_ZERO].hit, 0);
    assert_string_equal(c->kinds[0], "read");
    assert_int_equal(address->asked_with[GW_VALUE_ORDINARY], 1);
    assert_int_equal(c->steps[0][0].hit, 1);
    assert_int_equal(c->steps[1][0].hit, 1);
    assert_int_equal(c->steps[1][0].answered, 1);
    /* Another value is new again, and adds to what was hit. */
    gw_coverage_sum once = gw_coverage_sum_up(c);
    gw_message other = a_read(bytes, 0);
    assert_true(gw_coverage_novelty(c, &other) >= 64);
    gw_coverage_note(c, &other, false, false);
    assert_int_equal(gw_coverage_sum_up(c).hit, once.hit + 1);
    assert_int_equal(gw_coverage_sum_up(c).possible, once.possible);
    gw_coverage_free(c);
}

static void flags_are_counted_together(void **state)
{
    (void)state;
    uint8_t bytes[64];
    unsigned met = 0;
    gw_coverage *c = gw_coverage_new(&gw_etherbone, NULL);
    assert_non_null(c);
    gw_message m = a_read(bytes, 0x35);
    gw_coverage_note(c, &m, true, true);
    for (size_t g = 0; g < gw_etherbone.num_groups; g++) {
        uint32_t hits = 0;
        for (unsigned i = 0; i < GW_COVERAGE_COMBINATIONS; i++)
            hits += c->groups[g].of[i].hit;
        assert_int_equal(hits, c->groups[g].met ? 1 : 0);
        met += c->groups[g].met;
    }
    assert_int_equal(met, 2); /* of the packet's header, and of the record's */
    gw_coverage_free(c);
}

static void coverage_is_written_as_json(void **state)
{
    (void)state;
    uint8_t bytes[64];
    char *text = NULL;
    size_t len = 0;
    gw_coverage *c = gw_coverage_new(&gw_etherbone, NULL);
    assert_non_null(c);
    gw_message m = a_read(bytes, 0x35);
    gw_coverage_note(c, &m, true, true);
    FILE *file = open_memstream(&text, &len);
    assert_non_null(file);
    gw_coverage_write(file, c);
    assert_int_equal(fclose(file), 0);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    gw_coverage_sum sum = gw_coverage_sum_up(c);
    assert_int_equal(json_integer_value(json_object_get(root, "hit")), sum.hit);
    assert_int_equal(json_integer_value(json_object_get(root, "possible")), sum.possible);
    assert_true(json_array_size(json_object_get(root, "fields")) > 20);
    json_decref(root);
    free(text);
    gw_coverage_free(c);
}

/* ---- answers ---- */

static void add(gw_evidence *e, uint8_t dir, int64_t at_ns, const gw_message *m)
{
    gw_evidence_packet p = {.time_ns = at_ns,
                            .local = {.ip = {127, 0, 0, 1}, .port = 1, .family = GW_FAMILY_IPV4},
                            .remote = {.ip = {127, 0, 0, 1}, .port = 2, .family = GW_FAMILY_IPV4},
                            .dir = dir,
                            .len = m->len};
    (void)gw_evidence_add(e, &p, m->data);
}

/* The answer to a_read: a write to its return address. */
static gw_message an_answer(uint8_t bytes[64])
{
    gw_eb_builder b;
    uint64_t value = 1;
    gw_eb_operation op = {.writes = &value, .num_writes = 1, .byte_enable = 0xf};
    assert_true(gw_eb_build_packet(&b, bytes, 64, 0x44, NULL));
    assert_true(gw_eb_build_record(&b, &op));
    return gw_message_of(bytes, gw_eb_build_end(&b, true));
}

static void only_what_was_surely_answered_is(void **state)
{
    (void)state;
    uint8_t read[64];
    uint8_t answer[64];
    gw_message asked = a_read(read, 0x35);
    gw_message came = an_answer(answer);
    gw_message noise = gw_message_of((const uint8_t *)"????", 4);
    gw_answers *a = gw_answers_new(&gw_etherbone, NULL);
    gw_evidence e = {0};
    assert_non_null(a);
    add(&e, GW_DIR_OUT, 1, &asked); /* 1: alone, and answered */
    add(&e, GW_DIR_IN, 2, &came);
    add(&e, GW_DIR_OUT, 3, &noise); /* 3 and 4: one answer, and nobody knows to which */
    add(&e, GW_DIR_OUT, 4, &noise);
    add(&e, GW_DIR_IN, 5, &noise);
    add(&e, GW_DIR_OUT, 5000, &noise); /* 6: what was before has had its time */
    add(&e, GW_DIR_IN, 5001, &noise);
    add(&e, GW_DIR_OUT, 9000, &noise); /* 8: nothing comes */
    gw_answers_read(a, &e, 1000);
    static const bool answered[] = {false, true, false, false, false, false, true, false, false};
    for (unsigned n = 1; n < GW_ARRAY_LEN(answered); n++)
        if (gw_answers_has(a, n) != answered[n])
            fail_msg("packet %u", n);
    gw_evidence_free(&e);
    gw_answers_free(a);
}

/* ---- history ---- */

static void a_history_stays_small(void **state)
{
    (void)state;
    static gw_history h;
    const gw_anomaly anomaly = {.symptom = GW_SYMPTOM_MUTE};
    for (int64_t i = 0; i < 100000; i++)
        gw_history_sample(&h, i * GW_SECOND, (uint64_t)i);
    assert_uint_in_range(h.num_samples, GW_HISTORY_SAMPLES / 2 - 1, GW_HISTORY_SAMPLES);
    for (unsigned i = 1; i < h.num_samples; i++)
        assert_true(h.samples[i].at_ns > h.samples[i - 1].at_ns);
    assert_true(h.samples[h.num_samples - 1].at_ns > 99000 * GW_SECOND);
    for (unsigned i = 0; i < GW_HISTORY_EVENTS + 7; i++)
        gw_history_note(&h, i, i, GW_EVENT_ILL, &anomaly, "silence");
    assert_int_equal(h.num_events, GW_HISTORY_EVENTS);
    assert_int_equal(h.left_out, 7);
    assert_int_equal(h.events[3].symptom, GW_SYMPTOM_MUTE);
    assert_string_equal(h.events[3].text, "silence");
    gw_history_note(NULL, 0, 0, GW_EVENT_WELL, NULL, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_of_the_kinds_that_the_table_tells_apart),
        cmocka_unit_test(what_a_field_can_have_is_what_its_values_are),
        cmocka_unit_test(what_is_sent_is_counted_and_no_longer_new),
        cmocka_unit_test(flags_are_counted_together),
        cmocka_unit_test(coverage_is_written_as_json),
        cmocka_unit_test(only_what_was_surely_answered_is),
        cmocka_unit_test(a_history_stays_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
