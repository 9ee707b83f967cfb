/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading an earlier run. Its folder may come from anywhere. */
#include "evidence/past.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "evidence/folder.h"

#define REPORT_MAX (16u << 20) /* bytes; a run writes some hundred thousand */

json_t *gw_past_load(const char *dir, char *why, size_t why_cap)
{
    char reason[256];
    char *text;
    size_t len;
    json_error_t error;
    int folder = gw_folder_open(dir, reason, sizeof(reason));
    if (folder < 0) {
        (void)snprintf(why, why_cap, "%s/run.json: %s", dir, reason);
        return NULL;
    }
    gw_folder_status status =
        gw_folder_read(&text, &len, folder, "run.json", REPORT_MAX, reason, sizeof(reason));
    (void)close(folder);
    if (status != GW_FOLDER_OK) {
        (void)snprintf(why, why_cap, "%s/run.json %s", dir, reason);
        return NULL;
    }
    json_t *run = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (run == NULL) {
        (void)snprintf(why, why_cap, "%s/run.json:%d:%d: %s", dir, error.line, error.column,
                       error.text);
        return NULL;
    }
    if (json_is_array(json_object_get(run, "cases")))
        return run;
    (void)snprintf(why, why_cap, "%s/run.json: no list of cases", dir);
    json_decref(run);
    return NULL;
}
