/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire diff: what changed between two runs, a firmware ago and now. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cert/verify.h"
#include "cli/verb.h"
#include "evidence/clean.h"
#include "evidence/past.h"

typedef struct diff_options {
    const char *dirs[2]; /* the older one, the newer one */
    unsigned num_dirs;
    bool json;
} diff_options;

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

/* ---- text ---- */

static void put_value(const json_t *value)
{
    char *text = json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY);
    gw_put_plain(stdout, json_is_string(value) ? json_string_value(value)
                         : json_is_null(value) ? "not known"
                         : text != NULL        ? text
                                               : "?");
    free(text);
}

static void print_identity(const json_t *list)
{
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one)
    {
        printf("  %-9s ", text_of(one, "what"));
        put_value(json_object_get(one, "old"));
        printf(" -> ");
        put_value(json_object_get(one, "new"));
        printf("\n");
    }
}

static void put_field(const char *before, const json_t *object, const char *name)
{
    if (text_of(object, name)[0] == '\0')
        return;
    fputs(before, stdout);
    gw_put_plain(stdout, text_of(object, name));
}

static void print_case(const json_t *one, bool told)
{
    put_field("  ", one, "old");
    put_field(" -> ", one, "new");
    put_field("  ", one, "id");
    put_field("  ", one, "title");
    printf("\n");
    /* Of what is mended, what was wrong; of the others, what is. */
    const char *text = told ? "new_text" : "old_text";
    if (text_of(one, text)[0] == '\0')
        return;
    put_field("          ", one, "rule");
    put_field(told ? ": " : ", it was: ", one, text);
    printf("\n");
}

static void print_cases(const char *title, const json_t *list, gw_change change)
{
    size_t i;
    json_t *one;
    bool titled = false;
    json_array_foreach(list, i, one)
    {
        if (strcmp(text_of(one, "change"), gw_change_name(change)) != 0)
            continue;
        if (!titled)
            printf("%s\n", title);
        titled = true;
        print_case(one, change != GW_BETTER);
    }
}

static void print_rules(const json_t *list)
{
    size_t i;
    json_t *one;
    if (json_array_size(list) > 0)
        printf("rules:\n");
    json_array_foreach(list, i, one)
    {
        put_field("  ", one, "old");
        put_field(" -> ", one, "new");
        put_field("  ", one, "id");
        printf("\n");
    }
}

static void print_claims(const json_t *list)
{
    static const char *const members[] = {"claimed", "shown"};
    size_t i;
    json_t *one;
    if (json_array_size(list) > 0)
        printf("claims:\n");
    json_array_foreach(list, i, one)
    {
        put_field("  ", one, "claim");
        put_field(" (", one, "change");
        printf("):");
        for (size_t m = 0; m < 2; m++) {
            printf("%s %s ", m > 0 ? "," : "", members[m]);
            put_value(json_object_get(json_object_get(one, "old"), members[m]));
            printf(" -> ");
            put_value(json_object_get(json_object_get(one, "new"), members[m]));
        }
        printf("\n");
    }
}

static void print_lone(const char *title, const json_t *list)
{
    size_t i;
    json_t *one;
    if (json_array_size(list) > 0)
        printf("%s\n", title);
    json_array_foreach(list, i, one)
    {
        put_field("  ", one, "verdict");
        put_field("  ", one, "id");
        printf("\n");
    }
}

static long long count_of(const json_t *diff, gw_change change)
{
    return (long long)json_integer_value(json_object_get(diff, gw_change_name(change)));
}

static void print_text(const json_t *diff)
{
    const json_t *cases = json_object_get(diff, "cases");
    const json_t *identity = json_object_get(diff, "identity");
    put_field("", diff, "role");
    put_field(": ", diff, "old_started");
    put_field(" -> ", diff, "new_started");
    printf("\n");
    print_identity(identity);
    print_claims(json_object_get(diff, "claims"));
    print_cases("worse:", cases, GW_WORSE);
    print_cases("better:", cases, GW_BETTER);
    print_cases("different:", cases, GW_OTHER);
    print_rules(json_object_get(diff, "rules"));
    print_lone("only in the old run:", json_object_get(diff, "only_old"));
    print_lone("only in the new run:", json_object_get(diff, "only_new"));
    printf("%lld worse, %lld better, %lld different, %lld the same; %zu only old, %zu only new\n",
           count_of(diff, GW_WORSE), count_of(diff, GW_BETTER), count_of(diff, GW_OTHER),
           count_of(diff, GW_SAME), json_array_size(json_object_get(diff, "only_old")),
           json_array_size(json_object_get(diff, "only_new")));
}

/* ---- the verb ---- */

static void hush(void *arg, gw_cert_trouble trouble, const char *path, const char *text)
{
    (void)arg;
    (void)trouble;
    (void)path;
    (void)text;
}

/* What was tampered with is still compared: people edit copies. But they are told. */
static void warn_of_changes(const char *dir)
{
    gw_verification v;
    char why[512];
    if (!gw_cert_verify(&v, dir, NULL, NULL, hush, NULL, why, sizeof(why)))
        return;
    if (v.num_troubles > 0)
        fprintf(stderr,
                "goldwire diff: %s changed since it was certified; `goldwire verify' says "
                "where\n",
                dir);
    gw_verification_free(&v);
}

static int complain(const char *why)
{
    fputs("goldwire diff: ", stderr);
    gw_put_plain(stderr, why);
    fputs("\n", stderr);
    return GW_EXIT_USAGE;
}

static int compare(const diff_options *o, const json_t *before, const json_t *after)
{
    char why[256];
    if (strcmp(text_of(before, "role"), text_of(after, "role")) != 0) {
        (void)snprintf(why, sizeof(why), "the old run is of an %.60s, the new one of an %.60s",
                       text_of(before, "role"), text_of(after, "role"));
        return complain(why);
    }
    json_t *diff = gw_past_compare(before, after);
    if (diff == NULL)
        return GW_EXIT_TOOL;
    if (o->json) {
        json_dumpf(diff, stdout, JSON_INDENT(1));
        printf("\n");
    } else {
        print_text(diff);
    }
    int code = count_of(diff, GW_WORSE) > 0 ? GW_EXIT_FAIL : GW_EXIT_OK;
    json_decref(diff);
    return code;
}

static const char doc[] =
    "Compare two runs: what this firmware broke or mended.\v"
    "OLD and NEW are folders that `certify --out' wrote. Worse is what was shown to hold and is "
    "not any more, for whatever reason (a case that does not apply any longer is worse, too), and "
    "every new failure. Exit code 0: nothing got worse; 1: something did; 2: these are no two runs "
    "of one role.";

static const struct argp_option options[] = {
    {"json", 'j', 0, 0, "print one JSON object", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    diff_options *o = state->input;
    switch (key) {
    case 'j':
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (o->num_dirs == 2)
            argp_error(state, "'%s' is too much", arg);
        o->dirs[o->num_dirs++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (o->num_dirs < 2)
            argp_error(state, "two folders, the old run and the new one?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "OLD NEW", doc, NULL, NULL, NULL};
    diff_options o = {0};
    json_t *runs[2] = {NULL, NULL};
    char why[1024] = "";
    int code = GW_EXIT_OK;
    gw_verb_parse(&argp, argc, argv, &o);
    for (unsigned i = 0; i < 2 && code == GW_EXIT_OK; i++) {
        runs[i] = gw_past_load(o.dirs[i], why, sizeof(why));
        if (runs[i] == NULL)
            code = complain(why);
    }
    for (unsigned i = 0; i < 2 && code == GW_EXIT_OK; i++)
        warn_of_changes(o.dirs[i]);
    if (code == GW_EXIT_OK)
        code = compare(&o, runs[0], runs[1]);
    json_decref(runs[0]);
    json_decref(runs[1]);
    return code;
}

const gw_verb gw_verb_diff = {"diff", "compare two runs: what got worse, what better", run};
