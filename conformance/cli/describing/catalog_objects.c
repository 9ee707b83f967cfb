/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tables say of one id, gathered. */
#include "cli/describing/catalog_objects.h"

#include <string.h>

#include "cert/catalogue.h"
#include "ports/ports.h"
#include "selftest/carry.h"

static json_t *mutants_of(const gw_board *board, const char *const *rules)
{
    json_t *list = json_array();
    for (size_t i = 0; board != NULL && i < board->num_mutants; i++) {
        const gw_mutant *mutant = &board->mutants[i];
        bool breaks = false;
        for (const char *const *rule = rules; *rule != NULL; rule++)
            breaks = breaks || gw_mutant_breaks(mutant, *rule);
        if (breaks)
            json_array_append_new(list,
                                  json_pack("{s:s,s:s}", "id", mutant->id, "what", mutant->what));
    }
    return list;
}

static json_t *fields_of(const gw_format *format, const gw_carriers *carriers)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < carriers->num_fields; i++) {
        const gw_carry *one = &carriers->fields[i];
        json_array_append_new(list, json_pack("{s:s,s:s,s:s,s:s,s:s?}", "name", one->field->name,
                                              "label", one->field->label, "clause",
                                              gw_clause_of(format, one->field->clause).text,
                                              "source", one->field->clause, "shown_by",
                                              one->shown_by != NULL ? one->shown_by->id : NULL));
    }
    return list;
}

static json_t *kinds_of(const gw_carriers *carriers)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < carriers->num_kinds; i++)
        json_array_append_new(list, json_string(carriers->kinds[i]));
    return list;
}

/* The object of |list| with this name and reason, which is added when there is none. */
static json_t *excuse_of(json_t *list, const char *name, const char *why)
{
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one)
    {
        if (strcmp(json_string_value(json_object_get(one, "name")), name) == 0 &&
            strcmp(json_string_value(json_object_get(one, "why")), why) == 0)
            return one;
    }
    one = json_pack("{s:s,s:s,s:[]}", "name", name, "why", why, "cases");
    json_array_append_new(list, one);
    return one;
}

/* The dialects that are known to break the rule, and in which way: no cases mean everywhere, in
 * captures too. */
static json_t *dialects_of(const gw_format *format, const gw_rule *rule)
{
    json_t *list = json_array();
    for (size_t i = 0; i < format->num_dialects; i++) {
        const gw_dialect *dialect = &format->dialects[i];
        for (const gw_known_fault *k = dialect->known; k != NULL && k->rule != NULL; k++) {
            if (strcmp(k->rule, rule->id) != 0)
                continue;
            json_t *one = excuse_of(list, dialect->name, k->why != NULL ? k->why : dialect->blurb);
            if (k->which != NULL)
                json_array_append_new(json_object_get(one, "cases"), json_string(k->which));
        }
    }
    return list;
}

/* What the rule is to boards of one role. */
static json_t *role_object(const gw_suite *suite, const gw_rule *rule)
{
    const char *const rules[] = {rule->id, NULL};
    const gw_board *board = gw_board_by_role(suite->role);
    gw_carriers carriers = {0};
    json_t *cases = json_array();
    if (board != NULL)
        gw_carry_find(&carriers, suite, board, rule);
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL; c = gw_suite_next(suite, c))
        if (gw_case_tests(c, rule->id))
            json_array_append_new(cases, gw_catalogue_case(suite, c));
    return json_pack("{s:s,s:o,s:o,s:o,s:o,s:o}", "role", suite->role, "cases", cases, "exceptions",
                     gw_catalogue_exceptions(suite, rule), "mutants", mutants_of(board, rules),
                     "messages", kinds_of(&carriers), "fields",
                     fields_of(suite->format, &carriers));
}

static json_t *seen_in(unsigned scope)
{
    static const struct {
        gw_scope scope;
        const char *where;
    } scopes[] = {{GW_SCOPE_MESSAGE, "one message"},
                  {GW_SCOPE_SESSION, "a conversation"},
                  {GW_SCOPE_ACTIVE, "an answer to a case"},
                  {GW_SCOPE_HIDDEN, "nothing from outside"}};
    json_t *list = json_array();
    for (size_t i = 0; i < GW_ARRAY_LEN(scopes); i++)
        if ((scope & scopes[i].scope) != 0)
            json_array_append_new(list, json_string(scopes[i].where));
    return list;
}

json_t *gw_catalog_rule(const gw_format *format, const gw_rule *rule)
{
    json_t *roles = json_array();
    for (size_t s = 0; s < gw_num_suites; s++)
        if (gw_suites[s]->format == format && gw_suite_owes(gw_suites[s], rule))
            json_array_append_new(roles, role_object(gw_suites[s], rule));
    if (format == gw_port_suite.format)
        json_array_append_new(roles, role_object(&gw_port_suite, rule));
    return json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s?,s:o,s:o,s:o}", "kind", "rule", "id",
                     rule->id, "format", format->name, "level",
                     gw_level_name((gw_level)rule->level), "clause",
                     gw_clause_of(format, rule->clause).text, "source", rule->clause, "text",
                     rule->text, "why", rule->why, "seen_in", seen_in(rule->scope), "roles", roles,
                     "dialects", dialects_of(format, rule));
}

json_t *gw_catalog_case(const gw_suite *suite, const gw_case *one)
{
    json_t *object = gw_catalogue_case(suite, one);
    json_t *rules = json_array();
    for (const char *const *id = one->rules; *id != NULL; id++) {
        const gw_rule *rule = gw_format_rule(suite->format, *id);
        if (rule != NULL)
            json_array_append_new(rules, json_pack("{s:s,s:s,s:s,s:s,s:s}", "id", rule->id, "level",
                                                   gw_level_name((gw_level)rule->level), "clause",
                                                   gw_clause_of(suite->format, rule->clause).text,
                                                   "source", rule->clause, "text", rule->text));
    }
    json_t *roles = json_array();
    for (size_t s = 0; s < gw_num_suites; s++)
        if (gw_suite_case(gw_suites[s], one->id) != NULL)
            json_array_append_new(roles, json_string(gw_suites[s]->role));
    if (suite == &gw_port_suite)
        json_array_append_new(roles, json_string(suite->role));
    json_object_del(object, "role");
    json_object_set_new(object, "roles", roles);
    json_object_set_new(object, "kind", json_string("case"));
    json_object_set_new(object, "rules", rules);
    json_object_set_new(object, "mutants", mutants_of(gw_board_by_role(suite->role), one->rules));
    return object;
}

/* Boards of one format share some of their mutants. */
json_t *gw_catalog_mutant(const gw_mutant *mutant)
{
    json_t *rules = json_array();
    json_t *roles = json_array();
    for (size_t b = 0; b < gw_num_boards; b++)
        if (gw_mutant_by_id(gw_boards[b], mutant->id) != NULL)
            json_array_append_new(roles, json_string(gw_boards[b]->role));
    for (const char *const *id = mutant->rules; *id != NULL; id++)
        json_array_append_new(rules, json_string(*id));
    return json_pack("{s:s,s:s,s:o,s:s,s:o}", "kind", "mutant", "id", mutant->id, "roles", roles,
                     "what", mutant->what, "breaks", rules);
}

json_t *gw_catalog_retired(const gw_retired_id *retired)
{
    return json_pack("{s:s,s:s,s:s,s:s}", "kind", "retired", "id", retired->id, "until",
                     retired->until, "reason", retired->reason);
}
