/* SPDX-License-Identifier: BSD-2-Clause */
/* What a campaign, and triage after it, leave for people and programs: findings.json, JUnit's XML,
 * SARIF, and a page. All of them say what findings.json says, which docs/findings.schema.json
 * describes. */
#ifndef GOLDWIRE_HARVEST_HARVEST_H
#define GOLDWIRE_HARVEST_HARVEST_H

#include <jansson.h>

#include "campaign/campaign.h"

#define GW_HARVEST_SCHEMA "goldwire/findings/1"
#define GW_HARVEST_FILE "findings.json"

/* What is known of a finding, as findings.json words it. */
#define GW_HARVEST_NEW "new"           /* seen for the first time */
#define GW_HARVEST_KNOWN "known"       /* seen, and known before */
#define GW_HARVEST_NOT_SEEN "not seen" /* known, and not seen this time, which says nothing */
#define GW_HARVEST_GONE "gone"         /* tried, and it does not show any more */

/* gw_harvest is what is to be told. Nothing in it is owned. */
typedef struct gw_harvest {
    const char *dir; /* the campaign's folder */
    const char *by;  /* verb: "fuzz" or "triage" */
    const gw_found_context *context;
    const char *mode;       /* "pr", "batch", or "" */
    const json_t *marks;    /* object: what is known of each finding, by its name */
    const json_t *baseline; /* findings.json of an earlier campaign, or NULL */
    json_t *campaign;       /* of gw_harvest_campaign or gw_harvest_earlier; NULL: not known */
    int64_t started_ns;     /* since 1970-01-01 UTC */
    int64_t duration_ns;
    int exit_code;    /* gw_exit */
    const char *lost; /* why it ended early, or "" */
} gw_harvest;

/* gw_harvest_campaign returns what is to be told of a campaign; the caller frees it. NULL when
 * memory fails. */
json_t *gw_harvest_campaign(const gw_campaign_report *report, const gw_history *history,
                            uint64_t seed);

/* gw_harvest_earlier returns what the findings.json in |dir| tells of its campaign, or NULL; the
 * caller frees it. |marks|, an object, gets what it says of each finding. */
json_t *gw_harvest_earlier(const char *dir, json_t *marks);

/* gw_harvest_json returns the object that findings.json holds; the caller frees it. NULL when
 * memory fails. */
json_t *gw_harvest_json(const gw_harvest *harvest);

/* gw_harvest_junit, gw_harvest_sarif and gw_harvest_page say what |findings| does, which is of
 * gw_harvest_json. |model| is what coverage.json holds, or NULL. */
void gw_harvest_junit(FILE *file, const json_t *findings);
json_t *gw_harvest_sarif(const gw_suite *suite, const json_t *findings);
void gw_harvest_page(FILE *file, const json_t *findings, const json_t *model);

/* gw_harvest_store writes findings.json, junit.xml, report.sarif and report.html into its folder.
 * False when one of them cannot be written, with a text in |why|. */
GW_MUST_USE bool gw_harvest_store(const gw_harvest *harvest, char *why, size_t why_cap);

/* gw_baseline_load reads |path|, a findings.json; json_decref frees it. NULL with a text in |why|.
 */
json_t *gw_baseline_load(const char *path, const char *role, char *why, size_t why_cap);

/* gw_baseline_find returns what |baseline|, which may be NULL, says of finding |name|, if that was
 * seen then; else NULL. */
const json_t *gw_baseline_find(const json_t *baseline, const char *name);

#endif
