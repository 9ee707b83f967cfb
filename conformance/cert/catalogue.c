/* SPDX-License-Identifier: BSD-2-Clause */
/* The catalogue as JSON. */
#include "cert/catalogue.h"

#include <string.h>

static json_t *strings(const char *const *list)
{
    json_t *array = json_array();
    for (; list != NULL && *list != NULL; list++)
        json_array_append_new(array, json_string(*list));
    return array;
}

json_t *gw_catalogue_case(const gw_suite *suite, const gw_case *one)
{
    return json_pack("{s:s,s:s,s:s,s:o,s:o,s:o,s:b}", "id", one->id, "role", suite->role, "title",
                     one->title, "rules", strings(one->rules), "after", strings(one->after),
                     "needs", strings(one->needs), "negative", one->negative);
}

json_t *gw_catalogue_exceptions(const gw_suite *suite, const gw_rule *rule)
{
    static const struct {
        gw_polarity polarity;
        const char *name;
    } kinds[] = {{GW_BOTH_WAYS, "any"}, {GW_POSITIVE, "positive"}, {GW_NEGATIVE, "negative"}};
    json_t *list = json_array();
    for (size_t i = 0; i < GW_ARRAY_LEN(kinds) && json_array_size(list) == 0; i++) {
        const char *reason = gw_suite_exception(suite, rule->id, kinds[i].polarity);
        if (reason != NULL)
            json_array_append_new(list,
                                  json_pack("{s:s,s:s}", "lacks", kinds[i].name, "reason", reason));
    }
    return list;
}

json_t *gw_catalogue_rule(const gw_suite *suite, const gw_rule *rule)
{
    json_t *cases = json_array();
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL; c = gw_suite_next(suite, c))
        if (gw_case_tests(c, rule->id))
            json_array_append_new(cases, json_string(c->id));
    return json_pack("{s:s,s:s,s:s,s:s,s:s,s:s?,s:o,s:o}", "id", rule->id, "role", suite->role,
                     "level", gw_level_name((gw_level)rule->level), "clause",
                     gw_clause_of(suite->format, rule->clause).text, "text", rule->text, "why",
                     rule->why, "cases", cases, "exceptions", gw_catalogue_exceptions(suite, rule));
}

json_t *gw_catalogue_of(const gw_suite *suite, const json_t *traces)
{
    json_t *rules = json_array();
    json_t *cases = json_array();
    for (size_t i = 0; i < suite->format->num_rules; i++)
        if (gw_suite_owes(suite, &suite->format->rules[i]))
            json_array_append_new(rules, gw_catalogue_rule(suite, &suite->format->rules[i]));
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL; c = gw_suite_next(suite, c))
        json_array_append_new(cases, gw_catalogue_case(suite, c));
    json_t *catalogue = json_pack("{s:s,s:s,s:o,s:o}", "role", suite->role, "format",
                                  suite->format->name, "rules", rules, "cases", cases);
    if (json_array_size(traces) > 0)
        json_object_set_new(catalogue, "traces", json_deep_copy(traces));
    return catalogue;
}

char *gw_canonical(const json_t *value, size_t *len)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS);
    *len = text != NULL ? strlen(text) : 0;
    return text;
}
