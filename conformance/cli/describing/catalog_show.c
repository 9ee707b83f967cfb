/* SPDX-License-Identifier: BSD-2-Clause */
/* Telling everything about one id. */
#include "cli/describing/catalog_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/describing/catalog_objects.h"
#include "cli/describing/catalog_pages.h"
#include "cli/verb.h"
#include "formats/retired.h"
#include "harness/nearest.h"
#include "ports/ports.h"

#define CLAUSE_SHOWN 256

/* ---- which one is meant ---- */

static json_t *find_rule(const char *id)
{
    const gw_rule *port = gw_format_rule(&gw_port_format, id);
    for (size_t f = 0; port == NULL && f < gw_num_formats; f++) {
        const gw_rule *rule = gw_format_rule(gw_formats[f], id);
        if (rule != NULL)
            return gw_catalog_rule(gw_formats[f], rule);
    }
    return port != NULL ? gw_catalog_rule(&gw_port_format, port) : NULL;
}

static json_t *find_case(const char *id)
{
    for (size_t s = 0; s < gw_num_suites; s++) {
        const gw_case *one = gw_suite_case(gw_suites[s], id);
        if (one != NULL)
            return gw_catalog_case(gw_suites[s], one);
    }
    const gw_case *port = gw_suite_case(&gw_port_suite, id);
    return port != NULL ? gw_catalog_case(&gw_port_suite, port) : NULL;
}

static json_t *find_mutant(const char *id)
{
    for (size_t b = 0; b < gw_num_boards; b++) {
        const gw_mutant *mutant = gw_mutant_by_id(gw_boards[b], id);
        if (mutant != NULL)
            return gw_catalog_mutant(mutant);
    }
    return NULL;
}

static json_t *find(const char *id)
{
    const gw_retired_id *retired = gw_retired_find(id);
    json_t *object = find_rule(id);
    if (object == NULL)
        object = find_case(id);
    if (object == NULL)
        object = find_mutant(id);
    return object == NULL && retired != NULL ? gw_catalog_retired(retired) : object;
}

static size_t count_ids(void)
{
    size_t num = 0;
    for (size_t f = 0; f < gw_num_formats; f++)
        num += gw_formats[f]->num_rules;
    for (size_t s = 0; s < gw_num_suites; s++)
        for (const gw_case *c = gw_suite_next(gw_suites[s], NULL); c != NULL;
             c = gw_suite_next(gw_suites[s], c))
            num++;
    num += 2 * gw_port_format.num_rules; /* and a case for each */
    for (size_t b = 0; b < gw_num_boards; b++)
        num += gw_boards[b]->num_mutants;
    return num;
}

/* All ids, a NULL at the end; the caller frees the list. */
static const char **list_ids(void)
{
    const char **ids = calloc(count_ids() + 1, sizeof(*ids));
    size_t num = 0;
    if (ids == NULL)
        return NULL;
    for (size_t f = 0; f < gw_num_formats; f++)
        for (size_t i = 0; i < gw_formats[f]->num_rules; i++)
            ids[num++] = gw_formats[f]->rules[i].id;
    for (size_t s = 0; s < gw_num_suites; s++)
        for (const gw_case *c = gw_suite_next(gw_suites[s], NULL); c != NULL;
             c = gw_suite_next(gw_suites[s], c))
            ids[num++] = c->id;
    for (size_t i = 0; i < gw_port_format.num_rules; i++) {
        ids[num++] = gw_port_format.rules[i].id;
        ids[num++] = gw_port_cases[i].id;
    }
    for (size_t b = 0; b < gw_num_boards; b++)
        for (size_t i = 0; i < gw_boards[b]->num_mutants; i++)
            ids[num++] = gw_boards[b]->mutants[i].id;
    return ids;
}

static int unknown(const char *id)
{
    const char **ids = list_ids();
    char meant[96] = "";
    if (ids != NULL)
        (void)gw_nearest_said(meant, sizeof(meant), id, ids);
    fprintf(stderr,
            "goldwire catalog: no rule, no case and no mutant '%s'%s\n"
            "`goldwire catalog list' has the rules and cases, `goldwire peer --list' the mutants\n",
            id, meant);
    free(ids);
    return GW_EXIT_USAGE;
}

/* ---- as text ---- */

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

/* "label     one, two"; nothing for an empty list. */
static void print_list(const char *label, const json_t *list)
{
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one)
    {
        if (i == 0)
            printf("%-10s ", label);
        printf("%s%s", i > 0 ? ", " : "", json_string_value(one));
    }
    if (json_array_size(list) > 0)
        printf("\n");
}

static void print_mutants(const json_t *list)
{
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) printf("%-10s %s %s\n", i == 0 ? "broken by" : "",
                                            text_of(one, "id"), text_of(one, "what"));
}

/* The clause of a rule or a field, with its place in the source's text. */
static const char *clause_of(const json_t *object, char *text, size_t cap)
{
    const char *clause = text_of(object, "clause");
    const char *source = text_of(object, "source");
    if (strcmp(clause, source) == 0)
        return clause;
    (void)snprintf(text, cap, "%s [%s]", clause, source);
    return text;
}

static void print_fields(const json_t *list)
{
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one)
    {
        const char *shown_by = text_of(one, "shown_by");
        char clause[CLAUSE_SHOWN];
        printf("%-10s %s (%s, %s)%s%s%s\n", i == 0 ? "fields" : "", text_of(one, "name"),
               text_of(one, "label"), clause_of(one, clause, sizeof(clause)),
               shown_by[0] != '\0' ? ", named when " : ", the same clause", shown_by,
               shown_by[0] != '\0' ? " breaks it" : "");
    }
}

static void print_role(const json_t *role)
{
    size_t i;
    json_t *one;
    printf("%-10s %s\n", "owed by", text_of(role, "role"));
    json_array_foreach(json_object_get(role, "cases"), i, one) printf(
        "%-10s %s%s: %s\n", i == 0 ? "cases" : "", text_of(one, "id"),
        json_is_true(json_object_get(one, "negative")) ? " (negative)" : "", text_of(one, "title"));
    json_array_foreach(json_object_get(role, "exceptions"), i, one)
    {
        const char *lacks = text_of(one, "lacks");
        bool any = strcmp(lacks, "any") == 0;
        printf("%-10s %s%s\n", any ? "no case" : lacks,
               any ? "" : "none: ", text_of(one, "reason"));
    }
    print_mutants(json_object_get(role, "mutants"));
    print_list("messages", json_object_get(role, "messages"));
    print_fields(json_object_get(role, "fields"));
}

static void print_dialects(const json_t *list)
{
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one)
    {
        const json_t *cases = json_object_get(one, "cases");
        printf("%-10s dialect %s", i == 0 ? "excused by" : "", text_of(one, "name"));
        for (size_t k = 0; k < json_array_size(cases); k++)
            printf("%s%s", k == 0 ? " in " : ", ", json_string_value(json_array_get(cases, k)));
        printf(": %s\n", text_of(one, "why"));
    }
}

static void print_rule(const json_t *rule)
{
    size_t i;
    json_t *role;
    char clause[CLAUSE_SHOWN];
    char page[96];
    printf("%s\n  %s\n", text_of(rule, "id"), text_of(rule, "text"));
    if (text_of(rule, "why")[0] != '\0')
        printf("%-10s %s\n", "why", text_of(rule, "why"));
    printf("%-10s %s\n%-10s %s\n%-10s %s\n", "level", text_of(rule, "level"), "clause",
           clause_of(rule, clause, sizeof(clause)), "format", text_of(rule, "format"));
    printf("%-10s docs/rules/%s\n", "page",
           gw_catalog_page_of(page, sizeof(page), text_of(rule, "format"), text_of(rule, "id")));
    print_list("seen in", json_object_get(rule, "seen_in"));
    print_dialects(json_object_get(rule, "dialects"));
    json_array_foreach(json_object_get(rule, "roles"), i, role) print_role(role);
    if (json_array_size(json_object_get(rule, "roles")) == 0)
        printf("%-10s no role with conformance cases; `goldwire check' may know it\n", "owed by");
}

static void print_case(const json_t *one)
{
    size_t i;
    json_t *rule;
    printf("%s\n  %s\n", text_of(one, "id"), text_of(one, "title"));
    print_list("roles", json_object_get(one, "roles"));
    json_array_foreach(json_object_get(one, "rules"), i, rule)
    {
        char clause[CLAUSE_SHOWN];
        printf("%-10s %s %s (%s): %s\n", i == 0 ? "rules" : "", text_of(rule, "id"),
               text_of(rule, "level"), clause_of(rule, clause, sizeof(clause)),
               text_of(rule, "text"));
    }
    printf("%-10s %s\n", "sends",
           json_is_true(json_object_get(one, "negative"))
               ? "what must be dropped, or what boards die of; the board is probed before and after"
               : "what every board of the role must take");
    print_list("builds on", json_object_get(one, "after"));
    print_list("needs", json_object_get(one, "needs"));
    print_mutants(json_object_get(one, "mutants"));
}

static void print_text(const json_t *object)
{
    const char *kind = text_of(object, "kind");
    if (strcmp(kind, "rule") == 0) {
        print_rule(object);
    } else if (strcmp(kind, "case") == 0) {
        print_case(object);
    } else if (strcmp(kind, "mutant") == 0) {
        printf("%s\n  %s\n", text_of(object, "id"), text_of(object, "what"));
        print_list("roles", json_object_get(object, "roles"));
        print_list("breaks", json_object_get(object, "breaks"));
    } else {
        printf("%s\n  retired after %s: %s\n", text_of(object, "id"), text_of(object, "until"),
               text_of(object, "reason"));
    }
}

int gw_catalog_show(const char *id, bool json)
{
    json_t *object = find(id);
    if (object == NULL)
        return unknown(id);
    if (json) {
        json_dumpf(object, stdout, JSON_INDENT(1));
        printf("\n");
    } else {
        print_text(object);
    }
    json_decref(object);
    return GW_EXIT_OK;
}
