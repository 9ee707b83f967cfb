/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire certify: the conformance run. */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cert/cert.h"
#include "cli/certification.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/traces.h"
#include "cli/verb.h"
#include "evidence/clean.h"
#include "harness/memory.h"
#include "harness/socket.h"
#include "harness/stop.h"
#include "ports/ports.h"
#include "report/report.h"
#include "report/report_speed.h"
#include "run/store.h"
#include "speed/speed.h"

#define MEASURE_NS (5 * GW_SECOND)

typedef gw_certification certification;

/* Whose run it is, for complaints; a process does one. */
static const char *verb = "certify";

GW_PRINTF(1, 2) static int complain(const char *fmt, ...)
{
    va_list args;
    fprintf(stderr, "goldwire %s: ", verb);
    va_start(args, fmt);
    (void)vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    return GW_EXIT_USAGE;
}

/* ---- before the first packet ---- */

static bool names_simulation(const char *place)
{
    size_t name_len = strcspn(place, "=:");
    return strncmp(place[name_len] == '=' ? place + name_len + 1 : place, "sim:", 4) == 0;
}

static bool is_simulated(const certification *c)
{
    for (size_t i = 0; i < c->o.num_duts; i++)
        if (names_simulation(c->o.duts[i]))
            return true;
    for (size_t i = 0; c->o.num_duts == 0 && i < c->board.num_links; i++)
        if (names_simulation(c->board.links[i].url))
            return true;
    return false;
}

static int select_cases(certification *c)
{
    char why[512] = "";
    if (c->hooks.traces_only && c->o.num_globs == 0)
        return GW_EXIT_OK;
    bool ports = is_simulated(c) && c->hooks.keep == NULL;
    if (!gw_select(&c->selection, c->suite, c->o.globs, c->o.num_globs) ||
        (ports && !gw_select_more(&c->selection, &gw_port_suite, c->o.globs, c->o.num_globs))) {
        complain("out of memory");
        return GW_EXIT_TOOL;
    }
    for (size_t i = 0; i < c->o.num_globs; i++) {
        char other[512];
        if (gw_select_matches(c->suite, c->o.globs[i], why, sizeof(why)) ||
            (ports && gw_select_matches(&gw_port_suite, c->o.globs[i], other, sizeof(other))))
            continue;
        complain("%s\n`goldwire certify --role %s --list' names them all", why, c->suite->role);
        return GW_EXIT_NOTHING;
    }
    if (c->o.failed != NULL && !gw_select_failed(&c->selection, c->o.failed, why, sizeof(why)))
        return complain("%s", why);
    if (c->selection.num > 0 || c->o.num_traces > 0)
        return GW_EXIT_OK;
    complain("no case is selected; `goldwire certify --role %s --list' names them all",
             c->suite->role);
    return GW_EXIT_NOTHING;
}

static int prepare_out(certification *c)
{
    char why[512] = "";
    if (c->o.sign != NULL && c->o.out_dir == NULL)
        return complain("--sign wants --out: only a run that is kept can be signed");
    if (c->o.measure && c->o.json && c->o.out_dir == NULL)
        return complain("--measure with --json wants --out: the numbers are in its measure.json");
    if (c->o.sign != NULL && !gw_secret_key_load(&c->key, c->o.sign, why, sizeof(why)))
        return complain("--sign: %s", why);
    if (c->o.out_dir == NULL ||
        gw_store_prepare(c->into, sizeof(c->into), c->o.out_dir, why, sizeof(why)))
        return GW_EXIT_OK;
    return complain("--out: %s", why);
}

/* ---- listing ---- */

static void list_text(const gw_case_list *selection)
{
    for (size_t i = 0; i < selection->num; i++) {
        const gw_case *one = selection->cases[i];
        printf("%-28s %-7s %s\n", one->id, one->rules[0], one->title);
    }
}

static void list_json(const gw_case_list *selection)
{
    json_t *list = json_array();
    for (size_t i = 0; i < selection->num; i++) {
        json_t *rules = json_array();
        for (const char *const *id = selection->cases[i]->rules; *id != NULL; id++)
            json_array_append_new(rules, json_string(*id));
        json_array_append_new(list, json_pack("{s:s,s:s,s:o}", "id", selection->cases[i]->id,
                                              "title", selection->cases[i]->title, "rules", rules));
    }
    json_dumpf(list, stdout, JSON_INDENT(1));
    printf("\n");
    json_decref(list);
}

/* ---- running ---- */

static void show_progress(void *arg, size_t done, size_t total, const gw_case *next)
{
    const certification *c = arg;
    char line[160];
    if (next == NULL && c->suite->calls_us)
        fprintf(stderr, "waiting for the board at %s\n", gw_dut_where(c->dut));
    else if (gw_terminal_redraws(STDERR_FILENO)) {
        gw_terminal_erase();
        fputs(gw_progress_line(line, sizeof(line), done, total,
                               gw_clock_ns(CLOCK_MONOTONIC) - c->started_ns,
                               next == NULL ? "pre-flight" : next->id),
              stderr);
    }
}

/* Before this program vouches for a board it proves itself. */
static int prove_self(certification *c)
{
    if (c->o.out_dir == NULL)
        return GW_EXIT_OK;
    gw_selfproof_make(&c->proof, c->suite);
    if (c->proof.proven)
        return GW_EXIT_OK;
    gw_store_drop(c->o.out_dir);
    if (gw_stopped()) {
        complain("interrupted before the first packet; nothing was decided, and %s is as it was",
                 c->o.out_dir);
        return GW_EXIT_INCONC;
    }
    complain("the self-proof failed, so nothing is certified: %s", c->proof.why);
    return GW_EXIT_TOOL;
}

/* The board is another one than its file says: whatever was found would be filed under its name. */
static int wrong_board(const certification *c, const gw_run *run)
{
    if (run->misfit[0] != '\0')
        complain("%s", run->misfit);
    for (size_t i = 0; i < run->num_claims; i++) {
        const gw_claim_check *check = &run->claims[i];
        char said[48];
        char seen[48];
        if (check->verdict != GW_CLAIM_CONTRADICTS)
            continue;
        complain(
            "the board at %s is not the one that %s describes: %s is claimed to be %s, and the "
            "board shows %s",
            gw_dut_where(c->dut), c->o.board_path, check->field->name,
            gw_claim_text(check->field, check->claimed, said, sizeof(said)),
            gw_claim_text(check->field, check->shown, seen, sizeof(seen)));
    }
    return GW_EXIT_USAGE;
}

/* ---- what is kept ---- */

static void tell_unwritten(void *arg, const char *why)
{
    (void)arg;
    if (gw_terminal_redraws(STDERR_FILENO))
        gw_terminal_erase();
    complain("%s", why);
}

/* Why nothing may vouch for the run; NULL when something may. */
static const char *unfit(const gw_report *report)
{
    if (report->run->interrupted)
        return "the run was interrupted, and only a whole one gets a certificate";
    if (report->run->num_unwritten > 0)
        return "evidence is missing, and only a whole run gets a certificate";
    return NULL;
}

/* Seals the evidence. */
static bool seal(const certification *c, const gw_report *report, char digest[GW_DIGEST_TEXT])
{
    char why[512] = "";
    if (gw_cert_store(digest, report, c->o.sign != NULL ? &c->key : NULL, why, sizeof(why)))
        return true;
    complain("no certificate: %s", why);
    digest[0] = '\0';
    return false;
}

static void tell_place(FILE *file, const char *what, const char *dir, const char *rest)
{
    fprintf(file, "%s: ", what);
    gw_put_plain(file, dir);
    fputs(rest, file);
}

/* Puts the run in the place of the earlier one, says where it lies, and with what digest. What
 * nobody vouches for does not drive out what somebody does. */
static int keep_run(const certification *c, const gw_report *report)
{
    char why[512] = "";
    char digest[GW_DIGEST_TEXT] = "";
    const char *lacks = unfit(report);
    const char *dir = c->o.out_dir;
    bool quiet = c->o.json || c->hooks.show != NULL;
    int code = report->run->num_unwritten > 0 ? GW_EXIT_TOOL : report->exit_code;
    if (lacks != NULL)
        complain("no certificate: %s", lacks);
    else
        code = seal(c, report, digest) ? code : GW_EXIT_TOOL;
    if (digest[0] == '\0' && gw_store_is_certified(dir)) {
        complain("%s keeps the earlier run, which has a certificate; this one is in %s", dir,
                 c->into);
        return code;
    }
    if (!gw_store_finish(dir, why, sizeof(why))) {
        complain("%s; the run is in %s", why, c->into);
        return GW_EXIT_TOOL;
    }
    if (!quiet)
        tell_place(stdout, "evidence", dir,
                   gw_store_has(dir, "report.html") ? "/report.html\n" : "\n");
    if (digest[0] != '\0') {
        FILE *file = c->o.json ? stderr : stdout;
        tell_place(file, "certificate", dir, "/" GW_CERT_FILE);
        fprintf(file, " sha256:%s, %s%s\n", digest,
                report->signer != NULL ? "signed with key " : "unsigned",
                report->signer != NULL ? report->signer : "");
    }
    return code;
}

/* ---- what is told ---- */

static void show_run(const certification *c, const gw_report *report)
{
    if (!c->o.json) {
        gw_report_table(stdout, report, gw_terminal_colours(STDOUT_FILENO));
        if (report->speed != NULL)
            gw_report_speed_table(stdout, report);
        return;
    }
    json_t *object = gw_report_json(report);
    json_dumpf(object, stdout, JSON_INDENT(1));
    printf("\n");
    json_decref(object);
}

/* A board that falls short of its file fails a run whatever the verdicts are. */
static void tell_over_claims(const certification *c, const gw_run *run)
{
    for (size_t i = 0; i < run->num_claims; i++) {
        const gw_claim_check *check = &run->claims[i];
        char said[48];
        char seen[48];
        if (check->verdict == GW_CLAIM_OVER)
            complain("%s claims more than the board at %s shows: %s is %s there, and %s here",
                     c->o.board_path != NULL ? c->o.board_path : "the board file",
                     gw_dut_where(c->dut), check->field->name,
                     gw_claim_text(check->field, check->claimed, said, sizeof(said)),
                     gw_claim_text(check->field, check->shown, seen, sizeof(seen)));
    }
}

/* The exit code as another verb sees it, or as the verdicts say. */
static int judge(const certification *c, const gw_run *run)
{
    int code = gw_counts_exit(&run->counts, c->o.strict);
    if (c->hooks.show != NULL) {
        gw_certify_outcome outcome = {.run = run,
                                      .replays = c->replays,
                                      .num_replays = c->num_replays,
                                      .where = gw_dut_where(c->dut),
                                      .exit_code = code};
        code = c->hooks.show(c->hooks.arg, &outcome);
        tell_over_claims(c, run);
    }
    return run->num_unwritten > 0 || gw_memory_refusals() > 0 ? GW_EXIT_TOOL : code;
}

static void tell_interrupted(const gw_run *run)
{
    size_t undecided = 0;
    for (size_t i = 0; i < run->num_results; i++)
        undecided += strcmp(run->results[i].text, GW_INTERRUPTED) == 0;
    complain("interrupted: %zu of %zu cases are undecided", undecided, run->num_results);
}

static int report_run(const certification *c, gw_run *run, const gw_run_setup *setup)
{
    char why[512] = "";
    char signer[GW_KEY_ID_TEXT];
    char call[2048];
    gw_certify_call(&c->o, call, sizeof(call));
    gw_public_key_id(&c->key.open, signer);
    gw_report report = {.run = run,
                        .setup = setup,
                        .where = gw_dut_where(c->dut),
                        .board_path = c->o.board_path,
                        .call = call,
                        .virtual_time = setup->target->virtual_time,
                        .operator_name = c->o.operator_name,
                        .signer = c->o.sign != NULL ? signer : NULL,
                        .proof = c->o.out_dir != NULL ? &c->proof : NULL,
                        .traces = c->kept,
                        .num_traces = c->o.out_dir != NULL ? c->num_replays : 0,
                        .speed = setup->after_arg,
                        .strict = c->o.strict};
    if (report.speed != NULL && report.speed->unwritten[0] != '\0') {
        complain("%s", report.speed->unwritten);
        run->num_unwritten++;
    }
    if (gw_terminal_redraws(STDERR_FILENO))
        gw_terminal_erase();
    /* What its ports saw of it is true of the board all the same. */
    bool other = run->contradicted || run->misfit[0] != '\0';
    if (other && run->counts.of[GW_FAIL] == 0) {
        if (c->o.out_dir != NULL)
            gw_store_drop(c->o.out_dir);
        return wrong_board(c, run);
    }
    report.exit_code = judge(c, run);
    /* Before anything is told: a report that cannot be written counts. */
    if (c->o.out_dir != NULL && !gw_report_store(&report, why, sizeof(why)))
        run->num_unwritten++;
    if (c->hooks.show == NULL)
        show_run(c, &report);
    if (run->not_left[0] != '\0')
        complain("the board may not be as it was found: %s", run->not_left);
    if (run->interrupted)
        tell_interrupted(run);
    else if (!run->answered)
        complain("the board at %s does not answer: %s", gw_dut_where(c->dut), run->preflight);
    else if (run->unserved[0] != '\0')
        complain("the board at %s does not serve: %s", gw_dut_where(c->dut), run->unserved);
    int code = c->o.out_dir != NULL ? keep_run(c, &report) : report.exit_code;
    if (gw_memory_refusals() > 0)
        code = GW_EXIT_TOOL;
    /* The last line, when all is done that may yet fail. */
    if (c->hooks.show == NULL && !c->o.json)
        gw_report_conclude(stdout, &report, code);
    return code;
}

static bool wants_frames(const gw_case_list *selection)
{
    for (size_t i = 0; i < selection->num; i++) {
        if (gw_case_needs(selection->cases[i], GW_NEEDS_RAW))
            return true;
    }
    return false;
}

/* Our own boards have an Ethernet port as well. Nobody asked for it, so a system that refuses it is
 * no reason to stop. What is recorded is to be played over one carriage. */
static void add_wire(certification *c)
{
    char why[512] = "";
    if (c->hooks.keep != NULL || c->num_others == GW_RUN_OTHERS || !wants_frames(&c->selection))
        return;
    gw_dut *wire = gw_dut_wire(c->dut, why, sizeof(why));
    if (wire != NULL)
        c->others[c->num_others++] = wire;
    if (why[0] != '\0')
        complain("cases that need whole Ethernet frames are left out: %s", why);
}

static int run_cases(certification *c)
{
    gw_run run;
    char why[512] = "";
    add_wire(c);
    gw_certification_publish(c);
    gw_target *others[GW_RUN_OTHERS];
    for (size_t i = 0; i < c->num_others; i++)
        others[i] = gw_dut_target(c->others[i]);
    gw_run_setup setup = {.suite = c->suite,
                          .board = &c->board,
                          .dialect = c->dialect,
                          .target = gw_dut_target(c->dut),
                          .others = others,
                          .num_others = c->num_others,
                          .cases = c->selection.cases,
                          .num_cases = c->selection.num,
                          .out_dir = c->o.out_dir != NULL ? c->into : NULL,
                          .hooks = c->o.hooks,
                          .seed = c->o.seed,
                          .progress = show_progress,
                          .progress_arg = c,
                          .spin = c->o.spin,
                          .keep = c->hooks.keep,
                          .keep_arg = c->hooks.arg,
                          .unwritten = tell_unwritten,
                          .running = c->running};
    gw_speed *speed = c->o.measure ? calloc(1, sizeof(*speed)) : NULL;
    if (speed != NULL) {
        speed->budget_ns = c->o.measure_s > 0 ? (int64_t)c->o.measure_s * GW_SECOND : MEASURE_NS;
        setup.after = gw_speed_measure;
        setup.after_arg = speed;
    }
    setup.first_ns = gw_certification_first_ns(c);
    c->started_ns = gw_clock_ns(CLOCK_MONOTONIC);
    if (c->hooks.begin != NULL)
        c->hooks.begin(c->hooks.arg, c->suite, &c->board, c->dialect, gw_dut_target(c->dut));
    bool ok = gw_run_cases(&run, &setup, why, sizeof(why));
    gw_running_end(c->running);
    c->running = NULL;
    int code = ok ? report_run(c, &run, &setup) : GW_EXIT_TOOL;
    if (!ok) {
        complain("%s", why);
        if (c->o.out_dir != NULL)
            gw_store_drop(c->o.out_dir);
    }
    gw_run_free(&run);
    free(speed);
    return code;
}

/* The disk may be full before the first packet. */
static int keep_traces(certification *c)
{
    int code = gw_traces_keep(c);
    if (code != GW_EXIT_OK && c->o.out_dir != NULL)
        gw_store_drop(c->o.out_dir);
    return code;
}

static int certify(certification *c)
{
    int code = gw_certification_describe(c);
    if (code == GW_EXIT_OK)
        code = select_cases(c);
    if (code == GW_EXIT_OK && c->o.list) {
        (c->o.json ? list_json : list_text)(&c->selection);
        return GW_EXIT_OK;
    }
    /* A reader of the verdicts that goes away takes nothing of the evidence with it. */
    (void)signal(SIGPIPE, SIG_IGN);
    gw_stop_watch();
    if (code == GW_EXIT_OK)
        code = gw_certification_reach(c);
    if (code == GW_EXIT_OK)
        code = gw_traces_load(c);
    if (code == GW_EXIT_OK)
        code = prepare_out(c);
    if (code == GW_EXIT_OK)
        code = keep_traces(c);
    if (code == GW_EXIT_OK)
        code = prove_self(c);
    return code == GW_EXIT_OK ? run_cases(c) : code;
}

int gw_certify(const gw_certify_options *options, const gw_certify_hooks *hooks)
{
    certification c = {.o = *options};
    if (hooks != NULL)
        c.hooks = *hooks;
    if (c.hooks.verb != NULL)
        verb = c.hooks.verb;
    c.verb = verb;
    int code = certify(&c);
    gw_certification_close(&c);
    gw_secret_key_wipe(&c.key);
    return code;
}

static int run(int argc, char **argv)
{
    gw_certify_options o;
    gw_certify_args(&o, argc, argv);
    return gw_certify(&o, NULL);
}

const gw_verb gw_verb_certify = {"certify", "run the conformance cases against a board", run};
