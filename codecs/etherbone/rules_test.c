/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of rules: complete, and every id once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "etherbone/rules.h"
#include "goldwire/etherbone.h"

static unsigned num_findings;

static void test_every_rule_is_complete(void **state)
{
    (void)state;
    assert_int_equal(gw_eb_num_rules, EB_NUM_RULES);
    for (size_t i = 0; i < gw_eb_num_rules; i++) {
        const gw_rule *rule = &gw_eb_rules[i];
        assert_non_null(rule->id);
        assert_int_equal(strlen(rule->id), strlen("EB-S01"));
        assert_memory_equal(rule->id, "EB-", 3);
        assert_true(rule->id[3] == 'S' || rule->id[3] == 'M');
        assert_true(strlen(rule->text) > 20);
        assert_int_equal(rule->text[strlen(rule->text) - 1], '.');
        assert_true(rule->level == GW_MUST || rule->level == GW_SHOULD || rule->level == GW_MAY);
        assert_int_not_equal(rule->scope, 0);
        assert_int_equal(rule->scope & ~15, 0);
    }
}

static void test_every_id_is_there_once(void **state)
{
    char id[] = "EB-S00";

    (void)state;
    for (size_t i = 0; i < gw_eb_num_rules; i++) {
        assert_ptr_equal(gw_format_rule(&gw_etherbone, gw_eb_rules[i].id), &gw_eb_rules[i]);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(gw_eb_rules[i].id, gw_eb_rules[j].id);
    }
    for (unsigned n = 1; n <= 53; n++) {
        id[3] = 'S';
        id[4] = (char)('0' + n / 10);
        id[5] = (char)('0' + n % 10);
        assert_non_null(gw_format_rule(&gw_etherbone, id));
        id[3] = 'M';
        if (n <= 27)
            assert_non_null(gw_format_rule(&gw_etherbone, id));
    }
    assert_int_equal(gw_eb_num_rules, 53 + 29);
}

static void test_places_name_their_rules(void **state)
{
    (void)state;
    assert_string_equal(gw_eb_rules[EB_S13].id, "EB-S13");
    assert_string_equal(gw_eb_rules[EB_M27].id, "EB-M27");
    assert_int_equal(gw_eb_rules[EB_S51].level, GW_SHOULD);
    assert_int_equal(gw_eb_rules[EB_S26].level, GW_MAY);
}

/* A waiver that names no rule waives nothing and nobody notices. */
static void test_dialects_waive_rules_that_exist(void **state)
{
    (void)state;
    for (size_t d = 0; d < gw_etherbone.num_dialects; d++) {
        const gw_known_fault *known = gw_etherbone.dialects[d].known;
        for (; known != NULL && known->rule != NULL; known++) {
            const gw_rule *rule = gw_format_rule(&gw_etherbone, known->rule);
            const char *text = known->text != NULL ? known->text : "";
            assert_non_null(rule);
            assert_non_null(known->why);
            assert_non_null(gw_dialect_knows(&gw_etherbone.dialects[d], rule, known->which, text));
        }
    }
    assert_false(gw_dialect_waives(NULL, &gw_eb_rules[EB_S13]));
}

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    (void)sink;
    assert_string_equal(finding->rule->id, "EB-M02");
    num_findings++;
}

/* LiteX's probe of 12 bytes is known of it; one of 8 is what its cores die of. */
static void test_a_probe_is_as_long_as_its_dialect_has_it(void **state)
{
    static const uint8_t probe[12] = {0x4e, 0x6f, 0x11, 0x44};
    static const struct {
        const char *dialect;
        size_t len;
        unsigned findings;
    } all[] = {{"strict", 8, 0}, {"strict", 12, 1}, {"litex", 8, 1}, {"litex", 12, 0}};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(all); i++) {
        gw_verdict_sink sink = {.finding = on_finding};
        gw_message m = gw_message_of(probe, all[i].len);
        m.transport = GW_OVER_UDP;
        num_findings = 0;
        gw_etherbone.check(&m, gw_dialect_by_name(&gw_etherbone, all[i].dialect), &sink);
        assert_int_equal(num_findings, all[i].findings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_rule_is_complete),
        cmocka_unit_test(test_every_id_is_there_once),
        cmocka_unit_test(test_places_name_their_rules),
        cmocka_unit_test(test_dialects_waive_rules_that_exist),
        cmocka_unit_test(test_a_probe_is_as_long_as_its_dialect_has_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
