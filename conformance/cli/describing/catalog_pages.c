/* SPDX-License-Identifier: BSD-2-Clause */
/* The rule catalogue as pages of Markdown. They are made of the tables, and say so. */
#include "cli/describing/catalog_pages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/describing/catalog_objects.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "ports/ports.h"

static const char made_by[] =
    "<!-- SPDX-License-Identifier: BSD-2-Clause -->\n"
    "<!-- `goldwire catalog pages docs/rules` makes this page of the tables: change those. -->\n";

/* ---- Markdown ---- */

/* Text of the tables, of which no sign means anything to Markdown. */
static void put_text(FILE *file, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (strchr("|<>*_[]`\\", *c) != NULL)
            fputc('\\', file);
        fputc(*c, file);
    }
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

/* ---- one rule ---- */

/* "`one`, `two`" */
static void put_codes(FILE *file, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        fprintf(file, "%s`%s`", i > 0 ? ", " : "", json_string_value(json_array_get(list, i)));
}

static void put_row(FILE *file, const char *name, const json_t *list)
{
    if (json_array_size(list) == 0)
        return;
    fprintf(file, "| %s | ", name);
    for (size_t i = 0; i < json_array_size(list); i++)
        fprintf(file, "%s%s", i > 0 ? ", " : "", json_string_value(json_array_get(list, i)));
    fputs(" |\n", file);
}

static void put_clause(FILE *file, const json_t *object)
{
    const char *clause = text_of(object, "clause");
    const char *source = text_of(object, "source");
    put_text(file, clause);
    if (strcmp(clause, source) != 0)
        fprintf(file, " (`%s`)", source);
}

/* A row of |name| with an entry a line: `id` and what its member |what| says. */
static void put_entries(FILE *file, const char *name, const json_t *list, const char *id,
                        const char *what)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        if (i == 0)
            fprintf(file, "| %s | ", name);
        fprintf(file, "%s`%s`%s ", i > 0 ? "<br>" : "", text_of(one, id),
                json_is_true(json_object_get(one, "negative")) ? " (negative)" : "");
        put_text(file, text_of(one, what));
    }
    if (json_array_size(list) > 0)
        fputs(" |\n", file);
}

static void put_exceptions(FILE *file, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const char *lacks = text_of(one, "lacks");
        fprintf(file, "| no %s%scase | ", strcmp(lacks, "any") == 0 ? "" : lacks,
                strcmp(lacks, "any") == 0 ? "" : " ");
        put_text(file, text_of(one, "reason"));
        fputs(" |\n", file);
    }
}

static void put_dialects(FILE *file, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const json_t *cases = json_object_get(one, "cases");
        fprintf(file, "%s`%s`", i == 0 ? "| excused by dialect | " : "<br>", text_of(one, "name"));
        if (json_array_size(cases) > 0)
            fputs(", in ", file);
        put_codes(file, cases);
        fputs(": ", file);
        put_text(file, text_of(one, "why"));
    }
    if (json_array_size(list) > 0)
        fputs(" |\n", file);
}

static void put_role(FILE *file, const json_t *role)
{
    fprintf(file, "| owed by | `%s` |\n", text_of(role, "role"));
    put_entries(file, "cases", json_object_get(role, "cases"), "id", "title");
    put_exceptions(file, json_object_get(role, "exceptions"));
    put_entries(file, "mutants", json_object_get(role, "mutants"), "id", "what");
    put_row(file, "seen in its messages", json_object_get(role, "messages"));
    put_entries(file, "fields", json_object_get(role, "fields"), "name", "label");
}

static void put_rule(FILE *file, const gw_format *format, const gw_rule *rule)
{
    json_t *object = gw_catalog_rule(format, rule);
    const json_t *roles = json_object_get(object, "roles");
    fprintf(file, "\n### %s\n\n", rule->id);
    put_text(file, rule->text);
    if (rule->why != NULL) {
        fputs("\n\nWhat goes wrong otherwise: ", file);
        put_text(file, rule->why);
    }
    fprintf(file, "\n\n| | |\n|---|---|\n| level | %s |\n| clause | ",
            gw_level_name((gw_level)rule->level));
    put_clause(file, object);
    fputs(" |\n", file);
    put_row(file, "shown by", json_object_get(object, "seen_in"));
    put_dialects(file, json_object_get(object, "dialects"));
    for (size_t i = 0; i < json_array_size(roles); i++)
        put_role(file, json_array_get(roles, i));
    if (json_array_size(roles) == 0)
        fputs("| owed by | no role with cases; `goldwire check` may know it |\n", file);
    json_decref(object);
}

/* ---- a format's page ---- */

/* How many characters of |id| name its family: "EB-S" of "EB-S04". */
static size_t family_of(const char *id)
{
    size_t len = strlen(id);
    while (len > 0 && id[len - 1] >= '0' && id[len - 1] <= '9')
        len--;
    return len > 0 && id[len - 1] == '-' ? len - 1 : len;
}

static bool same_family(const gw_rule *a, const gw_rule *b)
{
    size_t len = family_of(a->id);
    return len == family_of(b->id) && strncmp(a->id, b->id, len) == 0;
}

static void put_lines(FILE *file, const gw_format *format, const gw_rule *first)
{
    fputs("| rule | level | demands |\n|---|---|---|\n", file);
    for (size_t i = 0; i < format->num_rules; i++) {
        const gw_rule *rule = &format->rules[i];
        char page[96];
        if (!same_family(rule, first))
            continue;
        fprintf(file, "| [%s](%s) | %s | ", rule->id,
                strchr(gw_catalog_page_of(page, sizeof(page), format->name, rule->id), '#'),
                gw_level_name((gw_level)rule->level));
        put_text(file, rule->text);
        fputs(" |\n", file);
    }
}

/* Whether no rule before |rule| is of its family. */
static bool begins_family(const gw_format *format, const gw_rule *rule)
{
    for (const gw_rule *one = format->rules; one < rule; one++)
        if (same_family(one, rule))
            return false;
    return true;
}

static void put_families(FILE *file, const gw_format *format)
{
    for (size_t i = 0; i < format->num_rules; i++) {
        const gw_rule *first = &format->rules[i];
        if (!begins_family(format, first))
            continue;
        fprintf(file, "\n## %.*s\n\n", (int)family_of(first->id), first->id);
        put_lines(file, format, first);
        for (size_t k = i; k < format->num_rules; k++)
            if (same_family(&format->rules[k], first))
                put_rule(file, format, &format->rules[k]);
    }
}

static void put_page(FILE *file, const gw_format *format)
{
    fputs(made_by, file);
    fprintf(
        file,
        "# %s: rules\n\n"
        "What each rule demands, where that is written, and by what it is shown: a *case* of\n"
        "`goldwire certify` tries it on a board, a *mutant* is a software board that breaks it\n"
        "(`goldwire peer ROLE --mutant ID`). What clauses are told by stands in\n"
        "[sources.md](../sources.md), what dialects are in [dialects.md](../dialects.md). All\n"
        "formats: [README.md](README.md).\n",
        format->title);
    put_families(file, format);
}

/* ---- all of them ---- */

static void count_levels(const gw_format *format, unsigned counts[GW_NUM_LEVELS])
{
    memset(counts, 0, GW_NUM_LEVELS * sizeof(*counts));
    for (size_t i = 0; i < format->num_rules; i++)
        counts[format->rules[i].level]++;
}

static void put_index_row(FILE *file, const gw_format *format)
{
    unsigned counts[GW_NUM_LEVELS];
    count_levels(format, counts);
    fprintf(file, "| [%s](%s.md) | %u | %u | %u |", format->title, format->name, counts[GW_MUST],
            counts[GW_SHOULD], counts[GW_MAY]);
    for (size_t i = 0; i < format->num_rules; i++)
        if (begins_family(format, &format->rules[i]))
            fprintf(file, " %.*s", (int)family_of(format->rules[i].id), format->rules[i].id);
    fputs(" |\n", file);
}

static void put_index(FILE *file, const gw_format *unused)
{
    (void)unused;
    fputs(made_by, file);
    fputs("# The rule catalogue\n\n"
          "Every requirement that goldwire judges by, as its tables hold it. A rule's id is "
          "permanent.\n\n"
          "| | MUST | SHOULD | MAY | ids |\n|---|---|---|---|---|\n",
          file);
    for (size_t i = 0; i < gw_num_formats; i++)
        put_index_row(file, gw_formats[i]);
    put_index_row(file, &gw_port_format);
    fputs("\n`goldwire catalog show ID` tells the same of one rule, case or mutant, `goldwire "
          "catalog "
          "list --json`\nof all of them to programs.\n",
          file);
}

static int write_page(const char *folder, const char *name,
                      void (*put)(FILE *file, const gw_format *format), const gw_format *format)
{
    char path[4096], shown[256];
    if (snprintf(path, sizeof(path), "%s/%s.md", folder, name) >= (int)sizeof(path)) {
        fprintf(stderr, "goldwire catalog: %s: the path is too long for its pages\n",
                gw_inspect_line(shown, sizeof(shown), folder));
        return GW_EXIT_USAGE;
    }
    FILE *file = fopen(path, "we");
    if (file == NULL) {
        fprintf(stderr, "goldwire catalog: %s: %s\n", gw_inspect_line(shown, sizeof(shown), path),
                strerror(errno));
        return GW_EXIT_USAGE;
    }
    put(file, format);
    bool ok = ferror(file) == 0;
    if (fclose(file) == 0 && ok)
        return GW_EXIT_OK;
    fprintf(stderr, "goldwire catalog: %s cannot be written: %s\n",
            gw_inspect_line(shown, sizeof(shown), path), strerror(errno));
    return GW_EXIT_TOOL;
}

int gw_catalog_pages(const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        char shown[256];
        fprintf(stderr, "goldwire catalog: %s: %s\n", gw_inspect_line(shown, sizeof(shown), folder),
                strerror(errno));
        return GW_EXIT_USAGE;
    }
    int code = write_page(folder, "README", put_index, NULL);
    for (size_t i = 0; code == GW_EXIT_OK && i < gw_num_formats; i++)
        code = write_page(folder, gw_formats[i]->name, put_page, gw_formats[i]);
    return code == GW_EXIT_OK ? write_page(folder, gw_port_format.name, put_page, &gw_port_format)
                              : code;
}

const char *gw_catalog_page_of(char *out, size_t cap, const char *format, const char *rule)
{
    int len = snprintf(out, cap, "%s.md#%s", format, rule);
    for (char *c = out; len > 0 && *c != '\0'; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    return out;
}
