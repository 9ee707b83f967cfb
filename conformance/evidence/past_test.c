/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparing runs: worse, better, neither, and files that are no run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "evidence/past.h"
#include "report/schema_testing.h"

static json_t *diff_of(const char *before, const char *after)
{
    json_error_t error;
    json_t *old = json_loads(before, 0, &error);
    json_t *new = json_loads(after, 0, &error);
    json_t *schema = json_load_file(GW_SOURCE_DIR "/docs/diff.schema.json", 0, &error);
    if (schema == NULL)
        fail_msg("%s:%d: %s", error.source, error.line, error.text);
    assert_non_null(old);
    assert_non_null(new);
    json_t *diff = gw_past_compare(old, new);
    assert_non_null(diff);
    schema_check(schema, diff, "diff");
    json_decref(schema);
    json_decref(old);
    json_decref(new);
    return diff;
}

static int count(const json_t *diff, const char *what)
{
    return (int)json_integer_value(json_object_get(diff, what));
}

static const char *member(const json_t *diff, const char *list, size_t i, const char *name)
{
    const char *text =
        json_string_value(json_object_get(json_array_get(json_object_get(diff, list), i), name));
    return text != NULL ? text : "(none)";
}

static void what_was_shown_must_stay_shown(void **state)
{
    (void)state;
    for (unsigned v = 0; v < GW_NUM_VERDICTS; v++) {
        gw_verdict verdict = (gw_verdict)v;
        assert_int_equal(gw_change_of(verdict, verdict), GW_SAME);
        if (verdict != GW_PASS && verdict != GW_XPASS) {
            assert_int_equal(gw_change_of(GW_PASS, verdict), GW_WORSE);
            assert_int_equal(gw_change_of(verdict, GW_PASS), GW_BETTER);
        }
        if (verdict != GW_FAIL)
            assert_int_equal(gw_change_of(verdict, GW_FAIL), GW_WORSE);
    }
    /* Not to see a failure any more is not to have mended it. */
    assert_int_equal(gw_change_of(GW_FAIL, GW_INCONC), GW_OTHER);
    assert_int_equal(gw_change_of(GW_FAIL, GW_NA), GW_OTHER);
    assert_int_equal(gw_change_of(GW_FAIL, GW_WAIVED), GW_OTHER);
    assert_int_equal(gw_change_of(GW_FAIL, GW_WARN), GW_BETTER);
}

#define CASE(id, verdict, rule)                                                                    \
    "{\"id\":\"" id "\",\"title\":\"t\",\"verdict\":\"" verdict "\",\"text\":\"because\","         \
    "\"rules\":[{\"id\":\"" rule "\"}]}"
#define BROKEN(id, rule, broken)                                                                   \
    "{\"id\":\"" id "\",\"verdict\":\"FAIL\",\"rules\":[{\"id\":\"" rule "\"}],"                   \
    "\"difference\":{\"rule\":\"" broken "\"}}"
#define RUN(cases) "{\"role\":\"toy\",\"started\":\"then\",\"cases\":[" cases "]}"

static void cases_and_rules_are_compared(void **state)
{
    (void)state;
    json_t *diff = diff_of(
        RUN(CASE("a", "PASS", "R1") "," CASE("b", "FAIL", "R2") "," CASE("c", "NA", "R3") "," CASE(
            "gone", "PASS", "R4") "," BROKEN("other", "R5", "R5")),
        RUN(CASE("new", "FAIL", "R6") "," CASE("b", "PASS", "R2") "," CASE(
            "a", "INCONC", "R1") "," CASE("c", "NA", "R3") "," BROKEN("other", "R5", "R7")));
    assert_int_equal(count(diff, "worse"), 1);
    assert_int_equal(count(diff, "better"), 1);
    assert_int_equal(count(diff, "other"), 1);
    assert_int_equal(count(diff, "same"), 1);
    assert_string_equal(member(diff, "cases", 0, "id"), "b");
    assert_string_equal(member(diff, "cases", 0, "change"), "better");
    assert_string_equal(member(diff, "cases", 1, "id"), "a");
    assert_string_equal(member(diff, "cases", 1, "change"), "worse");
    assert_string_equal(member(diff, "cases", 2, "rule"), "R7");
    assert_string_equal(member(diff, "only_old", 0, "id"), "gone");
    assert_string_equal(member(diff, "only_new", 0, "id"), "new");
    assert_int_equal(json_array_size(json_object_get(diff, "rules")), 2);
    assert_string_equal(member(diff, "rules", 0, "id"), "R2");
    assert_string_equal(member(diff, "rules", 1, "id"), "R1");
    assert_string_equal(member(diff, "rules", 1, "new"), "INCONC");
    json_decref(diff);
}

static void identities_are_compared(void **state)
{
    (void)state;
    json_t *diff =
        diff_of("{\"cases\":[],\"seed\":1,\"board\":{\"make\":\"x\",\"firmware\":null}}",
                "{\"cases\":[],\"seed\":1,\"board\":{\"make\":\"x\",\"firmware\":\"2\"}}");
    assert_int_equal(json_array_size(json_object_get(diff, "identity")), 1);
    assert_string_equal(member(diff, "identity", 0, "what"), "firmware");
    assert_string_equal(member(diff, "identity", 0, "new"), "2");
    json_decref(diff);
}

static void a_new_over_claim_is_worse(void **state)
{
    (void)state;
#define CLAIM(shown, verdict)                                                                      \
    "{\"cases\":[],\"claims\":[{\"claim\":\"tcp\",\"claimed\":true,\"shown\":" shown               \
    ",\"verdict\":\"" verdict "\"}]}"
    json_t *diff = diff_of(CLAIM("true", "agrees"), CLAIM("false", "over-claim"));
    assert_int_equal(count(diff, "worse"), 1);
    assert_string_equal(member(diff, "claims", 0, "claim"), "tcp");
    json_decref(diff);
    diff = diff_of(CLAIM("false", "over-claim"), CLAIM("true", "agrees"));
    assert_int_equal(count(diff, "better"), 1);
    json_decref(diff);
    diff = diff_of(CLAIM("null", "unseen"), CLAIM("true", "agrees"));
    assert_int_equal(count(diff, "other"), 1);
    json_decref(diff);
    diff = diff_of(CLAIM("true", "agrees"), CLAIM("true", "agrees"));
    assert_int_equal(json_array_size(json_object_get(diff, "claims")), 0);
    json_decref(diff);
}

static void nothing_is_taken_for_granted(void **state)
{
    (void)state;
    static const char two_of_one_name[] =
        "{\"cases\":[{\"id\":\"a\",\"verdict\":\"PASS\",\"rules\":[7,{\"id\":8}]},"
        "{\"id\":\"a\",\"verdict\":\"FAIL\"}]}";
    static const char *const runs[] = {
        "[]",
        "{\"cases\":[1,null,{},[],{\"id\":7},{\"id\":\"a\",\"verdict\":\"GREAT\"}]}",
        "{\"cases\":[{\"id\":\"a\",\"verdict\":\"FAIL\",\"rules\":7,\"difference\":[]}]}",
        two_of_one_name,
        "{\"cases\":[],\"claims\":[7,{},{\"claim\":\"x\"},{\"claim\":\"x\",\"shown\":[]}]}",
        "{\"cases\":[],\"board\":7,\"tool\":[],\"seed\":{}}",
    };
    for (size_t i = 0; i < GW_ARRAY_LEN(runs); i++)
        for (size_t j = 0; j < GW_ARRAY_LEN(runs); j++)
            json_decref(diff_of(runs[i], runs[j]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_shown_must_stay_shown),
        cmocka_unit_test(cases_and_rules_are_compared),
        cmocka_unit_test(a_new_over_claim_is_worse),
        cmocka_unit_test(identities_are_compared),
        cmocka_unit_test(nothing_is_taken_for_granted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
