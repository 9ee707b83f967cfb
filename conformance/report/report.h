/* SPDX-License-Identifier: BSD-2-Clause */
/* What a run leaves behind: a table for people, run.json for programs, JUnit, SARIF and TAP for CI,
 * and one HTML file that needs nothing else. */
#ifndef GOLDWIRE_REPORT_REPORT_H
#define GOLDWIRE_REPORT_REPORT_H

#include <stdio.h>

#include <jansson.h>

#include "run/run.h"
#include "selftest/selfproof.h"
#include "speed/speed.h"

#define GW_REPORT_SCHEMA "goldwire/run/1"

/* gw_kept_trace is a recorded trace that a case of the run replayed, in the run's folder. */
typedef struct gw_kept_trace {
    const gw_case *one;
    char path[160]; /* inside the folder */
    char sha256[65];
    uint64_t size; /* bytes */
} gw_kept_trace;

/* gw_report is a run and what is to be said about it. */
typedef struct gw_report {
    const gw_run *run;
    const gw_run_setup *setup;
    const char *where;         /* URL of the board */
    const char *board_path;    /* board file, or NULL */
    const char *call;          /* the arguments that make the same run again, for a shell */
    const char *operator_name; /* who answers for the run; NULL: nobody is named */
    const char *signer;        /* number of the key that signs the certificate; NULL: unsigned */
    int exit_code;             /* gw_exit */
    bool strict;               /* a WARN counts as a FAIL */
    bool virtual_time;         /* the board lives in memory */
    const gw_selfproof *proof; /* of this program, before the run; NULL: none was made */
    const gw_kept_trace *traces;
    size_t num_traces;
    const gw_speed *speed; /* what was measured beside the cases; NULL: nobody asked for it */
} gw_report;

/* gw_report_simulated says whether the board is a core in a simulator. */
bool gw_report_simulated(const gw_report *report);

/* gw_report_headline returns the outcome in a few words: "PASS", "FAIL", "INCONCLUSIVE" ... */
const char *gw_report_headline(const gw_report *report);

/* gw_report_table writes the verdict table, with colours when |colour|. */
void gw_report_table(FILE *file, const gw_report *report, bool colour);

/* gw_report_untried writes what was claimed and not tried, "tcp (26 cases)", into |out|, |cap| at
 * least 1, and returns it; "" when all was. */
const char *gw_report_untried(const gw_run *run, char *out, size_t cap);

/* gw_report_conclude writes the last line: what the verdicts come to, and |exit_code|, which the
 * program will leave with; GW_EXIT_TOOL also when something could not be kept. */
void gw_report_conclude(FILE *file, const gw_report *report, int exit_code);

/* gw_report_json returns the object that run.json holds, described in docs/run.schema.json; the
 * caller frees it with json_decref. NULL when memory fails. */
json_t *gw_report_json(const gw_report *report);

/* gw_report_junit writes JUnit's XML. INCONC is an error there: CI must not take it for success. */
void gw_report_junit(FILE *file, const gw_report *report);

/* gw_report_sarif returns SARIF 2.1.0; the caller frees it with json_decref. NULL when memory
 * fails. */
json_t *gw_report_sarif(const gw_report *report);

/* gw_report_tap writes the Test Anything Protocol, version 14. */
void gw_report_tap(FILE *file, const gw_report *report);

/* gw_report_html writes the HTML report. */
void gw_report_html(FILE *file, const gw_report *report);

/* gw_report_store writes run.json, junit.xml, report.html, report.sarif and report.tap into
 * setup->out_dir, and of what was measured measure.json and measure.html. False when one of them
 * cannot be written: setup->unwritten is told of each, and |why| gets the text for the last. */
GW_MUST_USE bool gw_report_store(const gw_report *report, char *why, size_t why_cap);

/* gw_report_ran says whether the run came to |which|. */
bool gw_report_ran(const gw_run *run, const gw_case *which);

/* gw_report_verdict tells what |result| says of |rule|: its verdict, or, when it failed naming
 * another rule, GW_INCONC. False when the case neither tests nor names it. */
bool gw_report_verdict(const gw_result *result, const char *rule, gw_verdict *out);

/* gw_report_time writes |time_ns| (since 1970-01-01 UTC) as 2024-01-31T23:59:59Z into |out|, at
 * least 32 bytes, and returns it. */
const char *gw_report_time(int64_t time_ns, char *out, size_t cap);

/* gw_report_hex writes |excerpt| as hexadecimal digits, with "... (N bytes)" when it is cut, and
 * returns |out|. */
const char *gw_report_hex(const gw_excerpt *excerpt, char *out, size_t cap);

#endif
