/* SPDX-License-Identifier: BSD-2-Clause */
/* Choosing cases by pattern, or by how they went last time. */
#include "runner/select.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <jansson.h>

#define REPORT_MAX (16 << 20) /* bytes; a run writes some hundred thousand */

static bool matches(const char *id, const char *const *globs, size_t num)
{
    for (size_t i = 0; i < num; i++)
        if (fnmatch(globs[i], id, 0) == 0)
            return true;
    return num == 0;
}

bool gw_select(gw_selection *out, const gw_suite *suite, const char *const *globs, size_t num)
{
    size_t total = 0;
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL; c = gw_suite_next(suite, c))
        total++;
    out->num = 0;
    out->cases = calloc(total + 1, sizeof(const gw_case *));
    if (out->cases == NULL)
        return false;
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL; c = gw_suite_next(suite, c))
        if (matches(c->id, globs, num))
            out->cases[out->num++] = c;
    return true;
}

/* Whether |report| says that case |id| needs another look. */
static bool failed_in(const json_t *cases, const char *id)
{
    size_t i;
    json_t *one;
    json_array_foreach(cases, i, one)
    {
        const char *other = json_string_value(json_object_get(one, "id"));
        const char *verdict = json_string_value(json_object_get(one, "verdict"));
        gw_verdict v;
        if (other == NULL || verdict == NULL || strcmp(other, id) != 0)
            continue;
        return gw_verdict_by_name(&v, verdict) && v != GW_PASS && v != GW_NA && v != GW_WAIVED;
    }
    return false;
}

bool gw_select_failed(gw_selection *selection, const char *dir, char *why, size_t why_cap)
{
    char path[PATH_MAX];
    json_error_t error;
    if (snprintf(path, sizeof(path), "%s/run.json", dir) >= (int)sizeof(path)) {
        (void)snprintf(why, why_cap, "path too long: %.60s...", dir);
        return false;
    }
    struct stat st;
    if (stat(path, &st) == 0 && st.st_size > REPORT_MAX) {
        (void)snprintf(why, why_cap, "%s: %lld bytes are too many for a report", path,
                       (long long)st.st_size);
        return false;
    }
    json_t *report = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (report == NULL) {
        (void)snprintf(why, why_cap, "%s:%d:%d: %s; --failed wants the folder of an earlier run",
                       path, error.line, error.column, error.text);
        return false;
    }
    const json_t *cases = json_object_get(report, "cases");
    if (!json_is_array(cases)) {
        (void)snprintf(why, why_cap,
                       "%s: no list of cases; --failed wants the folder of an earlier "
                       "run",
                       path);
        json_decref(report);
        return false;
    }
    size_t kept = 0;
    for (size_t i = 0; i < selection->num; i++)
        if (failed_in(cases, selection->cases[i]->id))
            selection->cases[kept++] = selection->cases[i];
    selection->num = kept;
    json_decref(report);
    return true;
}

void gw_selection_free(gw_selection *selection)
{
    free(selection->cases);
    selection->cases = NULL;
    selection->num = 0;
}
