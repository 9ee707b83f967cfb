/* SPDX-License-Identifier: BSD-2-Clause */
/* What is looked up by name or number is found, and what does not exist is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "goldwire/format.h"

static void names_lead_to_what_they_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < gw_num_formats; i++) {
        const gw_format *f = gw_formats[i];
        assert_ptr_equal(gw_format_by_name(f->name), f);
        for (size_t k = 0; k < f->num_dialects; k++)
            assert_ptr_equal(gw_dialect_by_name(f, f->dialects[k].name), &f->dialects[k]);
        for (size_t k = 0; k < f->num_rules; k++)
            assert_ptr_equal(gw_format_rule(f, f->rules[k].id), &f->rules[k]);
        for (size_t k = 0; k < f->num_links; k++)
            assert_ptr_equal(gw_format_link(f, f->links[k].link_type), &f->links[k]);
        assert_null(gw_dialect_by_name(f, "nobody's"));
        assert_null(gw_format_field(f, "nobody's"));
        assert_null(gw_format_rule(f, "nobody's"));
        assert_null(gw_format_link(f, 1));
    }
    assert_null(gw_format_by_name("nobody's"));
}

static void ports_have_rules_of_their_own(void **state)
{
    (void)state;
    assert_int_equal(gw_port_format.num_rules, 17);
    for (size_t i = 0; i < gw_port_format.num_rules; i++) {
        const gw_rule *rule = &gw_port_format.rules[i];
        assert_non_null(rule->why);
        for (size_t f = 0; f < gw_num_formats; f++)
            assert_ptr_equal(gw_format_rule(gw_formats[f], rule->id), rule);
    }
    assert_null(gw_format_by_name(gw_port_format.name));
}

static void only_one_device_keeps_to_its_port(void **state)
{
    const gw_format *etherbone = gw_format_by_name("etherbone");

    (void)state;
    assert_true(gw_format_same_port(etherbone, gw_dialect_by_name(etherbone, "litex")));
    assert_false(gw_format_same_port(etherbone, gw_dialect_by_name(etherbone, "gsi")));
    assert_false(gw_format_same_port(etherbone, NULL));
    assert_false(gw_format_same_port(gw_format_by_name("op2p"), NULL));
    assert_false(gw_format_same_port(NULL, NULL));
}

static void every_kind_of_legal_value_is_told(void **state)
{
    static const struct {
        uint8_t legal;
        uint64_t legal_value, yes, no;
    } kinds[] = {
        {GW_EXACTLY, 5, 5, 4}, {GW_ONE_BIT, 0, 8, 12}, {GW_ONE_BIT, 0, 1, 0},
        {GW_NONZERO, 0, 7, 0}, {GW_AT_MOST, 3, 3, 4},  {GW_MULTIPLE, 4, 12, 13},
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(kinds); i++) {
        gw_field f = {.legal = kinds[i].legal, .legal_value = kinds[i].legal_value};
        assert_true(gw_field_legal(&f, kinds[i].yes));
        assert_false(gw_field_legal(&f, kinds[i].no));
    }
    assert_true(gw_field_legal(&(gw_field){.legal = GW_ANY}, UINT64_MAX));
}

static void kinds_and_levels_have_names(void **state)
{
    (void)state;
    assert_string_equal(gw_error_kind_name(GW_OK), "ok");
    assert_string_equal(gw_error_kind_name(GW_TRUNCATED), "truncated");
    assert_string_equal(gw_error_kind_name(GW_MALFORMED), "malformed");
    assert_string_equal(gw_error_kind_name(GW_UNSUPPORTED), "unsupported");
    assert_string_equal(gw_error_kind_name(GW_BUG), "bug");
    assert_string_equal(gw_level_name(GW_MUST), "MUST");
    assert_string_equal(gw_access_name(GW_READ_TAKES), "TAKES");
    assert_string_equal(gw_access_name(GW_READ_ONLY), "RO");
}

/* Statistics tell a request from its answer by what became of each. */
static void statistics_have_headings(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < GW_NUM_RELATIONS; kind++) {
        const char *request = gw_relation_of_request((gw_relation_kind)kind);
        const char *answer = gw_relation_of_answer((gw_relation_kind)kind);
        assert_true(request != NULL || answer != NULL);
        bool lone = kind == GW_UNANSWERED || kind == GW_DUPLICATE || kind == GW_STALE ||
                    kind == GW_UNSOLICITED;
        assert_int_equal(request == NULL || answer == NULL, lone);
    }
    assert_string_equal(gw_relation_of_request(GW_UNANSWERED), "Unanswered");
    assert_string_equal(gw_relation_of_answer(GW_STALE), "Too late");
    gw_error error = {.kind = GW_TRUNCATED};
    assert_string_equal(gw_error_stopped(&error), "Message ends too early");
    error.capture_cut = true;
    assert_string_equal(gw_error_stopped(&error), "Cut off by the capture");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lead_to_what_they_name),
        cmocka_unit_test(ports_have_rules_of_their_own),
        cmocka_unit_test(only_one_device_keeps_to_its_port),
        cmocka_unit_test(every_kind_of_legal_value_is_told),
        cmocka_unit_test(statistics_have_headings),
        cmocka_unit_test(kinds_and_levels_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
