/* SPDX-License-Identifier: BSD-2-Clause */
/* What a mutation promises, for messages of all formats: legal ones stay without findings, a rule
 * that is to be broken is, check bytes are as they were asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "goldwire/mend.h"
#include "goldwire/mutate.h"
#include "mutate/testing/messages.h"

enum { OUT = 4096, GUARD = 16 };

typedef struct judged {
    gw_verdict_sink sink;
    const gw_rule *rule; /* NULL: any */
    unsigned num;
    const char *last;
} judged;

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    judged *j = (judged *)sink;

    if (j->rule == NULL || f->rule == j->rule) {
        j->num++;
        j->last = f->rule->id;
    }
}

typedef struct scene {
    const gw_format *format;
    const gw_dialect *dialect;
    gw_message message;
    uint8_t bytes[GW_SAMPLE_MAX];
    uint8_t out[OUT + GUARD];
} scene;

static void set(scene *s, const gw_sample *sample)
{
    s->message = gw_sample_message(sample, s->bytes, &s->format, &s->dialect);
    memset(s->out, 0xa5, sizeof s->out);
}

static judged judge(const scene *s, const gw_message *m, const gw_rule *rule)
{
    judged j = {.sink = {.finding = on_finding}, .rule = rule};

    s->format->check(m, s->dialect, &j.sink);
    return j;
}

/* Rules that one message shows, and that are about what carries it. */
static const char *const needs_more[] = {
    "TX-N3",   "TX-N4",   "TX-N9",              /* IP, UDP and Ethernet headers */
    "IMS-C13", "IMS-C14", "IMS-C15", "IMS-C16", /* InfiniBand's around the packet */
    NULL,
};

static bool is_excused(const char *id)
{
    for (const char *const *p = needs_more; *p != NULL; p++) {
        if (strcmp(*p, id) == 0)
            return true;
    }
    return false;
}

static gw_mutation mutate(scene *s, gw_mutate_aim aim, const gw_rule *rule, uint64_t seed)
{
    gw_mutate_plan plan = {.format = s->format,
                           .dialect = s->dialect,
                           .rule = rule,
                           .tries = rule != NULL && is_excused(rule->id) ? 256 : 0,
                           .aim = (uint8_t)aim};
    gw_random random = {seed};

    return gw_mutate(&plan, &random, &s->message, s->out, OUT);
}

#define FOR_EACH_SAMPLE(i) for (size_t i = 0; i < GW_ARRAY_LEN(gw_samples); i++)

static void samples_are_without_fault(void **state)
{
    scene s;

    (void)state;
    FOR_EACH_SAMPLE(i)
    {
        set(&s, &gw_samples[i]);
        gw_error error = s.format->walk(&s.message, s.dialect, NULL);
        judged j = judge(&s, &s.message, NULL);
        if (error.kind != GW_OK || j.num > 0)
            fail_msg("sample %zu of %s: %s, %u findings, the last %s", i, s.format->name,
                     gw_error_kind_name((gw_error_kind)error.kind), j.num, j.last);
    }
}

static void legal_ones_stay_without_findings(void **state)
{
    unsigned met = 0, num = 0;
    scene s;

    (void)state;
    FOR_EACH_SAMPLE(i)
    {
        unsigned of_this = 0;
        for (uint64_t seed = 0; seed < 40; seed++) {
            set(&s, &gw_samples[i]);
            gw_mutation did = mutate(&s, GW_MUTATE_LEGALLY, NULL, seed);
            gw_message m = gw_mutated(&s.message, s.out, did.len);
            num++;
            assert_int_equal(s.format->walk(&m, s.dialect, NULL).kind, GW_OK);
            assert_int_equal(judge(&s, &m, NULL).num, 0);
            if (!did.met)
                continue;
            of_this++;
            assert_false(did.len == s.message.len && memcmp(s.out, s.bytes, did.len) == 0);
        }
        if (of_this == 0)
            fail_msg("sample %zu of %s has no legal mutation", i, s.format->name);
        met += of_this;
    }
    assert_true(met * 10 > num * 9);
}

/* Every other one is broken from one of its format's samples at the least. */
static bool can_be_broken(const gw_format *format, const gw_rule *rule)
{
    scene s;

    FOR_EACH_SAMPLE(i)
    {
        set(&s, &gw_samples[i]);
        if (s.format != format)
            continue;
        gw_mutation did = mutate(&s, GW_MUTATE_TO_BREAK, rule, i);
        gw_message m = gw_mutated(&s.message, s.out, did.len);
        assert_int_equal(judge(&s, &m, rule).num > 0, did.met);
        if (did.alone)
            assert_int_equal(judge(&s, &m, NULL).num, judge(&s, &m, rule).num);
        if (did.met)
            return true;
    }
    return false;
}

static void each_rule_of_one_message_is_broken(void **state)
{
    unsigned bad = 0;

    (void)state;
    for (size_t f = 0; f < gw_num_formats; f++) {
        for (size_t r = 0; r < gw_formats[f]->num_rules; r++) {
            const gw_rule *rule = &gw_formats[f]->rules[r];
            if ((rule->scope & GW_SCOPE_MESSAGE) == 0 ||
                can_be_broken(gw_formats[f], rule) != is_excused(rule->id))
                continue;
            printf("%s %s\n", rule->id, is_excused(rule->id) ? "can be broken" : "is not broken");
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

static void equal_states_give_equal_bytes(void **state)
{
    scene a, b;

    (void)state;
    FOR_EACH_SAMPLE(i)
    {
        for (uint64_t seed = 0; seed < 20; seed++) {
            set(&a, &gw_samples[i]);
            set(&b, &gw_samples[i]);
            gw_mutation one = mutate(&a, GW_MUTATE_FREELY, NULL, seed);
            gw_mutation two = mutate(&b, GW_MUTATE_FREELY, NULL, seed);
            assert_int_equal(one.len, two.len);
            assert_int_equal(one.done, two.done);
            assert_memory_equal(a.out, b.out, sizeof a.out);
        }
    }
}

/* The same on every machine: what one of them gave. */
static void bytes_are_known(void **state)
{
    scene s;
    uint64_t sum = 0;

    (void)state;
    FOR_EACH_SAMPLE(i)
    {
        set(&s, &gw_samples[i]);
        gw_mutation did = mutate(&s, GW_MUTATE_FREELY, NULL, i);
        for (size_t k = 0; k < did.len; k++)
            sum = sum * 31 + s.out[k];
    }
    if (getenv("GW_UPDATE_SNAPSHOT") != NULL)
        printf("sum 0x%016llx\n", (unsigned long long)sum);
    assert_int_equal(sum, UINT64_C(0xbd295cc06f132505));
}

static void every_mutator_has_its_turn(void **state)
{
    uint32_t done = 0;
    scene s;

    (void)state;
    FOR_EACH_SAMPLE(i)
    {
        for (uint64_t seed = 0; seed < 200; seed++) {
            set(&s, &gw_samples[i]);
            done |= mutate(&s, GW_MUTATE_FREELY, NULL, seed).done;
            s.message.cap_len = s.message.len = s.message.len / 2; /* to be repaired */
            done |= mutate(&s, GW_MUTATE_FREELY, NULL, seed).done;
        }
    }
    for (unsigned i = 0; i < GW_NUM_MUTATORS; i++) {
        assert_non_null(gw_mutator_name(i));
        if ((done & 1u << i) == 0)
            fail_msg("never done: %s", gw_mutator_name(i));
    }
    assert_null(gw_mutator_name(GW_NUM_MUTATORS));
}

static void nothing_is_written_beyond_the_end(void **state)
{
    static const gw_mutate_aim aims[] = {GW_MUTATE_FREELY, GW_MUTATE_LEGALLY};
    scene s;

    (void)state;
    FOR_EACH_SAMPLE(i)
    {
        for (size_t cap = 0; cap < 80; cap += 3) {
            set(&s, &gw_samples[i]);
            gw_mutate_plan plan = {.format = s.format, .dialect = s.dialect};
            gw_random random = {cap};
            plan.aim = (uint8_t)aims[cap % 2];
            gw_mutation did = gw_mutate(&plan, &random, &s.message, s.out, cap);
            assert_true(did.len <= cap);
            for (size_t k = cap; k < cap + GUARD; k++)
                assert_int_equal(s.out[k], 0xa5);
        }
    }
}

static void nothing_and_garbage_are_mutated_too(void **state)
{
    unsigned grown = 0;
    scene s;

    (void)state;
    for (size_t f = 0; f < gw_num_formats; f++) {
        for (uint64_t seed = 0; seed < 200; seed++) {
            gw_random random = {seed};
            uint8_t garbage[64];
            gw_mutate_plan plan = {.format = gw_formats[f], .aim = (uint8_t)(seed % 2)};
            for (size_t k = 0; k < sizeof garbage; k++)
                garbage[k] = (uint8_t)gw_random_next(&random);
            gw_message m = gw_message_of(garbage, seed % 3 == 0 ? 0 : sizeof garbage);
            m.data = m.len > 0 ? garbage : NULL;
            gw_mutation did = gw_mutate(&plan, &random, &m, s.out, OUT);
            assert_true(did.len <= OUT);
            grown += m.len == 0 && did.len > 0;
        }
    }
    assert_true(grown > 0);
}

static size_t num_stale(const scene *s, const gw_message *m)
{
    gw_check_leaf stale[GW_MEND_MAX];
    return gw_mend_find(stale, s->format, m, s->dialect);
}

static void check_bytes_are_right_or_wrong_as_asked(void **state)
{
    static const uint8_t asked[] = {GW_DERIVED_MENDED, GW_DERIVED_FALSE};
    unsigned wrong = 0;
    scene s;

    (void)state;
    FOR_EACH_SAMPLE(i)
    {
        for (uint64_t seed = 0; seed < 100; seed++) {
            set(&s, &gw_samples[i]);
            gw_mutate_plan plan = {
                .format = s.format, .dialect = s.dialect, .derived = asked[seed % 2]};
            gw_random random = {seed};
            gw_mutation did = gw_mutate(&plan, &random, &s.message, s.out, OUT);
            gw_message m = gw_mutated(&s.message, s.out, did.len);
            if (plan.derived == GW_DERIVED_MENDED)
                assert_int_equal(num_stale(&s, &m), 0);
            else
                wrong += num_stale(&s, &m) > 0;
        }
    }
    assert_true(wrong > 0);
}

/* What a trimmed message lost is gone, and the rest without fault as before. */
static void trimming_goes_piece_by_piece(void **state)
{
    scene s;

    (void)state;
    set(&s, &gw_samples[0]); /* two records of 5 and 2 reads */
    uint32_t pieces = 0, whole = 0;
    size_t len;
    while ((len = gw_mutate_trim(s.format, s.dialect, &s.message, pieces, s.out, OUT)) > 0) {
        gw_message m = gw_mutated(&s.message, s.out, len);
        assert_true(len < s.message.len);
        whole += judge(&s, &m, NULL).num == 0 && s.format->walk(&m, s.dialect, NULL).kind == GW_OK;
        pieces++;
    }
    assert_int_equal(pieces,
                     1 + 2 + 2 + 2 + 7); /* header, records, their headers, return addresses */
    assert_int_equal(whole, 1 + 7);      /* a record, reads */
    assert_int_equal(gw_mutate_trim(s.format, s.dialect, &s.message, pieces, s.out, OUT), 0);
    assert_int_equal(gw_mutate_trim(s.format, s.dialect, &s.message, 0, s.out, 8), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_without_fault),
        cmocka_unit_test(legal_ones_stay_without_findings),
        cmocka_unit_test(each_rule_of_one_message_is_broken),
        cmocka_unit_test(equal_states_give_equal_bytes),
        cmocka_unit_test(bytes_are_known),
        cmocka_unit_test(every_mutator_has_its_turn),
        cmocka_unit_test(nothing_is_written_beyond_the_end),
        cmocka_unit_test(nothing_and_garbage_are_mutated_too),
        cmocka_unit_test(check_bytes_are_right_or_wrong_as_asked),
        cmocka_unit_test(trimming_goes_piece_by_piece),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
