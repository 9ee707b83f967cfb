/* SPDX-License-Identifier: BSD-2-Clause */
/* What a run of the past says: of its cases, of rules, of clauses. Nothing is taken for granted of
 * it but that it is JSON. */
#include <string.h>

#include "evidence/past.h"

const char *gw_past_text(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

bool gw_past_verdict(const json_t *one, gw_verdict *out)
{
    return gw_verdict_by_name(out, gw_past_text(one, "verdict"));
}

json_t *gw_past_cases(const json_t *run)
{
    size_t i;
    json_t *one;
    json_t *map = json_object();
    json_array_foreach(json_object_get(run, "cases"), i, one)
    {
        gw_verdict verdict;
        if (gw_past_text(one, "id")[0] != '\0' && gw_past_verdict(one, &verdict))
            json_object_set(map, gw_past_text(one, "id"), one);
    }
    return map;
}

const char *gw_past_rule(const json_t *one)
{
    const char *broken = gw_past_text(json_object_get(one, "difference"), "rule");
    return broken[0] != '\0' ? broken
                             : gw_past_text(json_array_get(json_object_get(one, "rules"), 0), "id");
}

bool gw_past_fails(gw_verdict verdict)
{
    return verdict == GW_FAIL || verdict == GW_WARN || verdict == GW_WAIVED;
}

/* What a run says of a rule, the gravest first. */
static const gw_verdict gravest[] = {GW_FAIL,   GW_WARN,  GW_WAIVED, GW_XPASS,
                                     GW_INCONC, GW_ERROR, GW_PASS,   GW_NA};

static unsigned gravity(gw_verdict verdict)
{
    unsigned i = 0;
    while (gravest[i] != verdict)
        i++;
    return i;
}

/* Keeps the gravest of what is said of |name|. */
static void note(json_t *map, const char *name, gw_verdict verdict)
{
    gw_verdict known;
    const char *said = json_string_value(json_object_get(map, name));
    if (name[0] == '\0')
        return;
    if (said == NULL || !gw_verdict_by_name(&known, said) || gravity(verdict) < gravity(known))
        json_object_set_new(map, name, json_string(gw_verdict_name(verdict)));
}

json_t *gw_past_rules(json_t *cases)
{
    size_t i;
    const char *id;
    json_t *one;
    json_t *rule;
    json_t *map = json_object();
    json_object_foreach(cases, id, one)
    {
        gw_verdict verdict = GW_NA;
        (void)gw_past_verdict(one, &verdict);
        if (gw_past_fails(verdict)) {
            note(map, gw_past_rule(one), verdict);
            continue;
        }
        json_array_foreach(json_object_get(one, "rules"), i, rule)
            note(map, gw_past_text(rule, "id"), verdict);
    }
    return map;
}

/* The clause that each rule is in, by what the cases say of their rules. */
static json_t *clauses_by_rule(const json_t *cases)
{
    size_t i;
    const char *id;
    const json_t *one;
    const json_t *rule;
    json_t *map = json_object();
    json_object_foreach((json_t *)cases, id, one)
    {
        json_array_foreach(json_object_get(one, "rules"), i, rule)
        {
            if (gw_past_text(rule, "id")[0] != '\0')
                json_object_set(map, gw_past_text(rule, "id"), json_object_get(rule, "clause"));
        }
    }
    return map;
}

json_t *gw_past_clauses(const json_t *run)
{
    const char *id;
    const json_t *verdict;
    json_t *cases = gw_past_cases(run);
    json_t *rules = gw_past_rules(cases);
    json_t *clauses = clauses_by_rule(cases);
    json_t *map = json_object();
    json_object_foreach(rules, id, verdict)
    {
        gw_verdict one;
        gw_verdict known;
        const char *clause = json_string_value(json_object_get(clauses, id));
        clause = clause != NULL ? clause : id;
        if (!gw_verdict_by_name(&one, json_string_value(verdict)) ||
            (gw_past_verdict(json_object_get(map, clause), &known) &&
             gravity(known) <= gravity(one)))
            continue;
        json_object_set_new(map, clause,
                            json_pack("{s:s,s:s}", "verdict", gw_verdict_name(one), "rule", id));
    }
    json_decref(rules);
    json_decref(clauses);
    json_decref(cases);
    return map;
}
