/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts for JSON, and the frames of JUnit's XML and of SARIF, whatever they report. */
#ifndef GOLDWIRE_REPORT_FORMS_H
#define GOLDWIRE_REPORT_FORMS_H

#include <stdio.h>

#include <jansson.h>

#include "run/case.h"

/* gw_form_text returns |s|, cleaned, as a JSON string: text from outside may not be UTF-8, which
 * JSON must be. NULL when memory fails. */
json_t *gw_form_text(const char *s);

/* gw_form_text_or_null is gw_form_text, but null of a |s| that is NULL or empty. */
json_t *gw_form_text_or_null(const char *s);

/* ---- JUnit ---- */

/* gw_junit is a suite of tests. */
typedef struct gw_junit {
    const char *name;
    size_t tests;
    unsigned failures;
    unsigned errors;
    unsigned skipped;
    const char *started; /* gw_report_time */
    int64_t duration_ns;
} gw_junit;

/* gw_junit_open begins a file with one suite, gw_junit_close ends it. */
void gw_junit_open(FILE *file, const gw_junit *suite);
void gw_junit_close(FILE *file);

/* gw_junit_case begins a test of |of|, gw_junit_end ends it. */
void gw_junit_case(FILE *file, const char *of, const char *name, int64_t duration_ns);
void gw_junit_end(FILE *file);

/* gw_junit_outcome says how the test came out, |how| being failure, error or skipped; |rule| may be
 * NULL. */
void gw_junit_outcome(FILE *file, const char *how, const char *type, const char *rule,
                      const char *text);

/* ---- SARIF 2.1.0 ---- */

/* gw_sarif is a run of goldwire. */
typedef struct gw_sarif {
    const char *id;  /* of the category */
    json_t *rules;   /* stolen */
    json_t *results; /* stolen */
    bool successful;
    int exit_code;
    const char *started; /* gw_report_time */
    const char *ended;   /* NULL: not told */
} gw_sarif;

/* gw_sarif_log returns the whole log; the caller frees it with json_decref. NULL when memory fails.
 */
json_t *gw_sarif_log(const gw_sarif *run);

/* gw_sarif_rules returns the rules that |suite|'s role owes; gw_sarif_index the place of |rule|
 * among them, or -1. */
json_t *gw_sarif_rules(const gw_suite *suite);
int gw_sarif_index(const gw_suite *suite, const gw_rule *rule);

#endif
