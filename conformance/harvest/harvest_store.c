/* SPDX-License-Identifier: BSD-2-Clause */
/* The files of a harvest. */
#include <limits.h>
#include <stdio.h>

#include "harvest/harvest.h"
#include "run/store.h"

static bool store_json(const char *dir, const char *name, const json_t *object, char *why,
                       size_t why_cap)
{
    FILE *file = object != NULL ? gw_store_open(dir, name, why, why_cap) : NULL;
    if (object == NULL)
        (void)snprintf(why, why_cap, "out of memory for %s", name);
    if (file == NULL)
        return false;
    json_dumpf(object, file, JSON_INDENT(1));
    fputc('\n', file);
    return gw_store_keep(file, dir, name, why, why_cap);
}

static bool store_junit(const char *dir, const json_t *findings, char *why, size_t why_cap)
{
    FILE *file = gw_store_open(dir, "junit.xml", why, why_cap);
    if (file == NULL)
        return false;
    gw_harvest_junit(file, findings);
    return gw_store_keep(file, dir, "junit.xml", why, why_cap);
}

static bool store_page(const char *dir, const json_t *findings, char *why, size_t why_cap)
{
    char path[PATH_MAX];
    FILE *file = gw_store_open(dir, "report.html", why, why_cap);
    if (file == NULL)
        return false;
    (void)snprintf(path, sizeof(path), "%s/" GW_COVERAGE_FILE, dir);
    json_t *model = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    gw_harvest_page(file, findings, model);
    json_decref(model);
    return gw_store_keep(file, dir, "report.html", why, why_cap);
}

bool gw_harvest_store(const gw_harvest *h, char *why, size_t why_cap)
{
    json_t *findings = gw_harvest_json(h);
    json_t *sarif = findings != NULL ? gw_harvest_sarif(h->context->suite, findings) : NULL;
    bool ok = store_json(h->dir, GW_HARVEST_FILE, findings, why, why_cap) &&
              store_json(h->dir, "report.sarif", sarif, why, why_cap) &&
              store_junit(h->dir, findings, why, why_cap) &&
              store_page(h->dir, findings, why, why_cap);
    json_decref(sarif);
    json_decref(findings);
    return ok;
}
