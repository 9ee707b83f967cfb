/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire catalog: the rules, the cases, and whether every MUST has one. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "cert/catalogue.h"
#include "cli/describing/catalog_pages.h"
#include "cli/describing/catalog_show.h"
#include "cli/verb.h"
#include "formats/retired.h"
#include "harness/nearest.h"
#include "ports/ports.h"

typedef struct catalog_options {
    const char *action;
    const char *what; /* the id to show, the folder of pages */
    bool json;
} catalog_options;

/* Suite |index|; that of simulated ports stands behind all others. NULL at the end. */
static const gw_suite *suite_at(size_t index)
{
    if (index < gw_num_suites)
        return gw_suites[index];
    return index == gw_num_suites ? &gw_port_suite : NULL;
}

static unsigned cases_for(const gw_suite *suite, const char *rule)
{
    unsigned num = 0;
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL; c = gw_suite_next(suite, c))
        num += gw_case_tests(c, rule);
    return num;
}

/* ---- list ---- */

static void list_suite(const gw_suite *suite)
{
    const gw_format *format = suite->format;
    printf("%s: rules\n", suite->role);
    for (size_t i = 0; i < format->num_rules; i++) {
        const gw_rule *rule = &format->rules[i];
        if (gw_suite_owes(suite, rule))
            printf("  %-7s %-6s %2u case%s  %s\n", rule->id, gw_level_name((gw_level)rule->level),
                   cases_for(suite, rule->id), cases_for(suite, rule->id) == 1 ? " " : "s",
                   rule->text);
    }
    printf("%s: cases\n", suite->role);
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL; c = gw_suite_next(suite, c))
        printf("  %-28s %-7s %s\n", c->id, c->rules[0], c->title);
}

static void list_json(void)
{
    json_t *rules = json_array();
    json_t *cases = json_array();
    const gw_suite *suite;
    for (size_t s = 0; (suite = suite_at(s)) != NULL; s++) {
        for (size_t i = 0; i < suite->format->num_rules; i++)
            if (gw_suite_owes(suite, &suite->format->rules[i]))
                json_array_append_new(rules, gw_catalogue_rule(suite, &suite->format->rules[i]));
        for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL; c = gw_suite_next(suite, c))
            json_array_append_new(cases, gw_catalogue_case(suite, c));
    }
    json_t *all = json_pack("{s:o,s:o}", "rules", rules, "cases", cases);
    json_dumpf(all, stdout, JSON_INDENT(1));
    printf("\n");
    json_decref(all);
}

static int list(const catalog_options *o)
{
    if (o->json) {
        list_json();
        return GW_EXIT_OK;
    }
    for (size_t s = 0; suite_at(s) != NULL; s++)
        list_suite(suite_at(s));
    return GW_EXIT_OK;
}

/* ---- check ---- */

static bool follows(const gw_suite *suite, const gw_case *c, const char *id)
{
    for (const gw_case *one = gw_suite_next(suite, NULL); one != c; one = gw_suite_next(suite, one))
        if (strcmp(one->id, id) == 0)
            return true;
    return false;
}

/* Once given up, an id is never used again. */
static unsigned check_retired(const char *id)
{
    if (gw_retired_find(id) == NULL)
        return 0;
    printf("%s: the id was retired\n", id);
    return 1;
}

static unsigned check_case(const gw_suite *suite, const gw_case *c)
{
    unsigned faults = check_retired(c->id);
    if (follows(suite, c, c->id)) {
        printf("%s: the id is used twice\n", c->id);
        faults++;
    }
    for (const char *const *id = c->rules; *id != NULL; id++) {
        const gw_rule *rule = gw_format_rule(suite->format, *id);
        if (rule != NULL && gw_suite_owes(suite, rule))
            continue;
        printf("%s: %s is no rule of an %s\n", c->id, *id, suite->role);
        faults++;
    }
    for (const char *const *id = c->after; id != NULL && *id != NULL; id++) {
        if (follows(suite, c, *id))
            continue;
        printf("%s: builds on %s, which does not stand before it\n", c->id, *id);
        faults++;
    }
    return faults;
}

/* What check_suite counts of the MUSTs. */
typedef struct tally {
    unsigned musts;
    unsigned excepted; /* that have no case at all */
    unsigned one_way;  /* that have cases of one polarity only */
} tally;

static unsigned check_way(const gw_suite *suite, const gw_rule *rule, gw_polarity way, tally *t)
{
    const char *name = way == GW_POSITIVE ? "positive" : "negative";
    const char *exception = gw_suite_exception(suite, rule->id, way);
    bool must = rule->level == GW_MUST;
    if ((gw_suite_tried(suite, rule->id) & way) != 0) {
        if (exception == NULL)
            return 0;
        printf("%s: has a %s case, and an exception that says why not\n", rule->id, name);
        return 1;
    }
    t->one_way += must;
    if (exception != NULL)
        printf("%s %s: no %s case: %s\n", rule->id, gw_level_name((gw_level)rule->level), name,
               exception);
    else if (must)
        printf("%s MUST: neither a %s case nor an exception: %s\n", rule->id, name, rule->text);
    return must && exception == NULL;
}

static unsigned check_rule(const gw_suite *suite, const gw_rule *rule, tally *t)
{
    const char *level = gw_level_name((gw_level)rule->level);
    const char *exception = gw_suite_exception(suite, rule->id, GW_BOTH_WAYS);
    unsigned faults = check_retired(rule->id);
    bool must = rule->level == GW_MUST;
    t->musts += must;
    if (rule->why == NULL) {
        printf("%s: nothing says why it matters\n", rule->id);
        faults++;
    }
    if (gw_suite_tried(suite, rule->id) != 0)
        return faults + check_way(suite, rule, GW_POSITIVE, t) +
               check_way(suite, rule, GW_NEGATIVE, t);
    t->excepted += must && exception != NULL;
    if (exception != NULL)
        printf("%s %s: no case: %s\n", rule->id, level, exception);
    else
        printf("%s %s: neither a case nor an exception: %s\n", rule->id, level, rule->text);
    return faults + (must && exception == NULL);
}

static unsigned check_suite(const gw_suite *suite)
{
    unsigned faults = 0;
    tally t = {0};
    for (size_t i = 0; i < suite->format->num_rules; i++)
        if (gw_suite_owes(suite, &suite->format->rules[i]))
            faults += check_rule(suite, &suite->format->rules[i], &t);
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL; c = gw_suite_next(suite, c))
        faults += check_case(suite, c);
    printf("%s: %u MUST, %u of them tried one way only, %u not at all; %u fault%s\n", suite->role,
           t.musts, t.one_way, t.excepted, faults, faults == 1 ? "" : "s");
    return faults;
}

static int check(void)
{
    unsigned faults = 0;
    for (size_t s = 0; suite_at(s) != NULL; s++)
        faults += check_suite(suite_at(s));
    return faults == 0 ? GW_EXIT_OK : GW_EXIT_FAIL;
}

/* ---- the verb ---- */

static const char doc[] =
    "Rules and cases.\v"
    "`list' names them all, `show ID' tells about one, `check' proves that "
    "every MUST has a positive and a negative case, or a written exception "
    "(exit code 1 otherwise). `pages DIR' writes what is known of every rule into DIR, a page "
    "of Markdown for each format.";

static const struct argp_option options[] = {
    {"json", 'j', 0, 0, "print JSON (list and show)", 0},
    {0},
};

/* What the action is about; NULL: it takes no more words. */
static const char *wants(const catalog_options *o)
{
    if (strcmp(o->action, "show") == 0)
        return "the id of a rule, a case or a mutant";
    return strcmp(o->action, "pages") == 0 ? "the folder to write to" : NULL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    catalog_options *o = state->input;
    switch (key) {
    case 'j':
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0)
            o->action = arg;
        else if (state->arg_num == 1 && wants(o) != NULL)
            o->what = arg;
        else
            argp_error(state, "'%s' is too much", arg);
        return 0;
    case ARGP_KEY_END:
        if (o->action == NULL)
            argp_error(state, "list, show, check or pages?");
        else if (wants(o) != NULL && o->what == NULL)
            argp_error(state, "%s wants %s", o->action, wants(o));
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse, "list | show ID | check | pages DIR", doc, NULL, NULL, NULL};
    catalog_options o = {0};
    gw_verb_parse(&argp, argc, argv, &o);
    if (strcmp(o.action, "list") == 0)
        return list(&o);
    if (strcmp(o.action, "show") == 0)
        return gw_catalog_show(o.what, o.json);
    if (strcmp(o.action, "check") == 0)
        return check();
    if (strcmp(o.action, "pages") == 0)
        return gw_catalog_pages(o.what);
    static const char *const actions[] = {"list", "show", "check", "pages", NULL};
    char meant[64];
    fprintf(stderr, "goldwire catalog: no '%s': list, show, check or pages%s\n", o.action,
            gw_nearest_said(meant, sizeof(meant), o.action, actions));
    return GW_EXIT_USAGE;
}

const gw_verb gw_verb_catalog = {"catalog", "list the rules and cases, check that none is missing",
                                 run};
