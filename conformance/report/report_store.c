/* SPDX-License-Identifier: BSD-2-Clause */
/* A run's evidence in files: each form of the report in one of its own. */
#include <stdio.h>

#include "report/report.h"
#include "report/report_speed.h"
#include "run/store.h"

static bool store_json(const gw_report *report, const char *name,
                       json_t *(*make)(const gw_report *report), char *why, size_t why_cap)
{
    const char *dir = report->setup->out_dir;
    json_t *object = make(report);
    if (object == NULL) {
        (void)snprintf(why, why_cap, "out of memory for %s", name);
        return false;
    }
    FILE *file = gw_store_open(dir, name, why, why_cap);
    if (file != NULL) {
        json_dumpf(object, file, JSON_INDENT(1));
        fputc('\n', file);
    }
    json_decref(object);
    return file != NULL && gw_store_keep(file, dir, name, why, why_cap);
}

static bool store_with(const gw_report *report, const char *name,
                       void (*write)(FILE *file, const gw_report *report), char *why,
                       size_t why_cap)
{
    const char *dir = report->setup->out_dir;
    FILE *file = gw_store_open(dir, name, why, why_cap);
    if (file == NULL)
        return false;
    write(file, report);
    return gw_store_keep(file, dir, name, why, why_cap);
}

bool gw_report_store(const gw_report *report, char *why, size_t why_cap)
{
    static const struct {
        const char *name;
        json_t *(*make)(const gw_report *report); /* one of the two */
        void (*write)(FILE *file, const gw_report *report);
        bool speed;
    } files[] = {
        {"run.json", gw_report_json, NULL, false},
        {"report.sarif", gw_report_sarif, NULL, false},
        {"report.tap", NULL, gw_report_tap, false},
        {"junit.xml", NULL, gw_report_junit, false},
        {"report.html", NULL, gw_report_html, false},
        {"measure.json", gw_report_speed_json, NULL, true},
        {"measure.html", NULL, gw_report_speed_html, true},
    };
    const gw_run_setup *setup = report->setup;
    bool all = true;
    for (size_t i = 0; i < GW_ARRAY_LEN(files); i++) {
        if (files[i].speed && report->speed == NULL)
            continue;
        bool ok = files[i].make != NULL
                      ? store_json(report, files[i].name, files[i].make, why, why_cap)
                      : store_with(report, files[i].name, files[i].write, why, why_cap);
        if (!ok && setup->unwritten != NULL)
            setup->unwritten(setup->unwritten_arg, why);
        all = all && ok;
    }
    return all;
}
