/* SPDX-License-Identifier: BSD-2-Clause */
/* Choosing cases by pattern, or by how they went last time. */
#include "run/select.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/past.h"
#include "harness/nearest.h"

#define MAX_IDS 512 /* of a suite that may have been meant */

static bool matches(const char *id, const char *const *globs, size_t num)
{
    for (size_t i = 0; i < num; i++)
        if (fnmatch(globs[i], id, 0) == 0)
            return true;
    return num == 0;
}

bool gw_select_more(gw_case_list *selection, const gw_suite *suite, const char *const *globs,
                    size_t num)
{
    size_t total = selection->num;
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL; c = gw_suite_next(suite, c))
        total++;
    const gw_case **cases = realloc(selection->cases, (total + 1) * sizeof(const gw_case *));
    if (cases == NULL)
        return false;
    selection->cases = cases;
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL; c = gw_suite_next(suite, c))
        if (matches(c->id, globs, num))
            cases[selection->num++] = c;
    return true;
}

bool gw_select(gw_case_list *out, const gw_suite *suite, const char *const *globs, size_t num)
{
    *out = (gw_case_list){0};
    return gw_select_more(out, suite, globs, num);
}

bool gw_select_matches(const gw_suite *suite, const char *glob, char *why, size_t why_cap)
{
    const char *ids[MAX_IDS + 1] = {NULL};
    char meant[96];
    size_t num = 0;
    if (strcmp(glob, GW_SELECT_NONE) == 0)
        return true;
    for (const gw_case *c = gw_suite_next(suite, NULL); c != NULL; c = gw_suite_next(suite, c)) {
        if (fnmatch(glob, c->id, 0) == 0)
            return true;
        if (num < MAX_IDS)
            ids[num++] = c->id;
    }
    (void)snprintf(why, why_cap, "no case of %s matches '%.100s'%s", suite->role, glob,
                   gw_nearest_said(meant, sizeof(meant), glob, ids));
    return false;
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

bool gw_select_failed(gw_case_list *selection, const char *dir, char *why, size_t why_cap)
{
    char reason[512] = "";
    json_t *report = gw_past_load(dir, reason, sizeof(reason));
    if (report == NULL) {
        (void)snprintf(why, why_cap, "%s; --failed wants the folder of an earlier run", reason);
        return false;
    }
    const json_t *cases = json_object_get(report, "cases");
    size_t kept = 0;
    for (size_t i = 0; i < selection->num; i++)
        if (failed_in(cases, selection->cases[i]->id))
            selection->cases[kept++] = selection->cases[i];
    selection->num = kept;
    json_decref(report);
    return true;
}

void gw_case_list_free(gw_case_list *selection)
{
    free(selection->cases);
    selection->cases = NULL;
    selection->num = 0;
}
