/* SPDX-License-Identifier: BSD-2-Clause */
/* Clauses for people: each has a heading of the published document, and none is a bare line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "goldwire/etherbone.h"
#include "goldwire/ims.h"
#include "goldwire/op2p.h"

static void expect(const gw_format *format, const char *source, const char *shown)
{
    assert_string_equal(gw_clause_of(format, source).text, shown);
}

static void lines_have_the_heading_before_them(void **state)
{
    (void)state;
    expect(&gw_etherbone, "spec 814", "spec 5.1.1, Etherbone Header: Magic");
    expect(&gw_etherbone, "spec 821", "spec 5.1.1, Etherbone Header: Magic");
    expect(&gw_etherbone, "spec 822", "spec 5.1.1, Etherbone Header: Version");
    expect(&gw_etherbone, "spec 780-791", "spec 5.1, Message Format");
    expect(&gw_etherbone, "spec 1373", "spec 5.5.3, Bridge Mode");
    expect(&gw_etherbone, "spec 12", "spec 12"); /* before the first */
}

static void several_places_are_told_once_each(void **state)
{
    (void)state;
    expect(&gw_etherbone, "spec 816, spec 820", "spec 5.1.1, Etherbone Header: Magic");
    expect(&gw_etherbone, "spec 1199, paper VII.A",
           "spec 5.4.2, Record processing; paper VII.A, Packet length");
}

static void places_below_a_heading_stay(void **state)
{
    (void)state;
    expect(&gw_ims, "ims T3.7 bit 3", "ims table 3.7, Event Types, bit 3");
    expect(&gw_ims, "ims 3.1.4", "ims 3.1.4, Channel Termination"); /* not that of 3.1 */
    expect(&gw_op2p, "ds header DW1", "datasheet, Packet format, DW1");
    expect(&gw_ims, "IBTA 9.2.5", "IBTA 9.2.5");
    expect(&gw_ims, "", "");
}

static void places_are_told_one_by_one(void **state)
{
    (void)state;
    const char *rest = "spec 816, spec 820, spec 1199, IBTA 9.2.5, paper VII.A";
    static const char *const headings[] = {"spec 5.1.1, Etherbone Header: Magic",
                                           "spec 5.4.2, Record processing", NULL,
                                           "paper VII.A, Packet length"};
    gw_clause_place place;

    for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++) {
        assert_true(gw_clause_next(&gw_etherbone, &rest, &place));
        assert_string_equal(place.clause.text, headings[i] != NULL ? headings[i] : "IBTA 9.2.5");
        assert_true((place.heading != NULL) == (headings[i] != NULL));
        if (headings[i] != NULL)
            assert_string_equal(place.heading->text, headings[i]);
    }
    assert_false(gw_clause_next(&gw_etherbone, &rest, &place));
    rest = "ims T3.7 bit 3";
    assert_true(gw_clause_next(&gw_ims, &rest, &place));
    assert_string_equal(place.heading->text, "ims table 3.7, Event Types");
    assert_string_equal(place.clause.text, "ims table 3.7, Event Types, bit 3");
    rest = NULL;
    assert_false(gw_clause_next(&gw_ims, &rest, &place));
}

/* Whether |text| tells a line, or a scenario, by its number alone. */
static bool has_line(const char *text)
{
    static const char *const documents[] = {"spec ", "vhdl ", "sim S"};

    for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++)
        for (const char *p = strstr(text, documents[i]); p != NULL; p = strstr(p, documents[i])) {
            p += strlen(documents[i]);
            size_t digits = strspn(p, "0123456789");
            if (digits > 0 && p[digits] != '.' && p[digits] != ',')
                return true;
        }
    return false;
}

/* Each reference of |source| has a heading, or is a section's number of a standard. */
static void judge(const gw_format *format, const char *what, const char *source)
{
    gw_clause all = gw_clause_of(format, source);
    char copy[sizeof(all.text)], *rest = copy;

    if (has_line(all.text) || strlen(all.text) + 1 >= sizeof(all.text))
        fail_msg("%s: \"%s\" is shown as \"%s\"", what, source, all.text);
    assert_true(strlen(source) < sizeof(copy));
    (void)snprintf(copy, sizeof(copy), "%s", source);
    for (char *one = strtok_r(copy, ",", &rest); one != NULL; one = strtok_r(NULL, ",", &rest)) {
        one += strspn(one, " ");
        if (format->headings != NULL && strcmp(gw_clause_of(format, one).text, one) == 0 &&
            strncmp(one, "IBTA ", 5) != 0)
            fail_msg("%s: \"%s\" of %s has no heading", what, one, format->name);
    }
}

static void every_clause_has_a_heading(void **state)
{
    (void)state;
    for (size_t i = 0; i < gw_num_formats; i++) {
        const gw_format *format = gw_formats[i];
        for (size_t g = 0; g < format->num_groups; g++)
            for (unsigned k = 0; k < format->groups[g]->num_fields; k++)
                judge(format, format->groups[g]->fields[k].name,
                      format->groups[g]->fields[k].clause);
        for (size_t r = 0; r < format->num_rules; r++)
            judge(format, format->rules[r].id, format->rules[r].clause);
    }
}

/* Only so does the one before a line tell its section. */
static void lines_ascend(void **state)
{
    (void)state;
    for (size_t i = 0; i < gw_num_formats; i++) {
        const gw_heading *h = gw_formats[i]->headings;
        for (; h != NULL && h[0].source != NULL && h[1].source != NULL; h++)
            assert_true(strcmp(h[0].source, h[1].source) != 0 || h[0].line < h[1].line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_have_the_heading_before_them),
        cmocka_unit_test(several_places_are_told_once_each),
        cmocka_unit_test(places_below_a_heading_stay),
        cmocka_unit_test(places_are_told_one_by_one),
        cmocka_unit_test(every_clause_has_a_heading),
        cmocka_unit_test(lines_ascend),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
