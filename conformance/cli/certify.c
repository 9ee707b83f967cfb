/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire certify: the conformance run. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cases/boards.h"
#include "cert/cert.h"
#include "cli/certify_args.h"
#include "cli/progress.h"
#include "cli/verb.h"
#include "harness/nearest.h"
#include "harness/socket.h"
#include "runner/clean.h"
#include "runner/describe.h"
#include "runner/dut.h"
#include "runner/report.h"
#include "runner/select.h"
#include "runner/selfproof.h"
#include "runner/store.h"

#define CALLER_WAIT_NS (60 * GW_SECOND)

/* Everything that has to be known before the first packet. */
typedef struct certification {
    gw_certify_options o;
    gw_board_file board; /* from its file; all zeros when there is none */
    const gw_suite *suite;
    const gw_dialect *dialect;
    gw_dut_place places[GW_TARGET_LINKS]; /* where its links are, the first one first */
    size_t num_places;
    char names[GW_TARGET_LINKS][32];
    gw_dut *dut;
    gw_selection selection;
    gw_secret_key key;  /* of --sign */
    gw_selfproof proof; /* when there is a folder for evidence */
    int64_t started_ns; /* CLOCK_MONOTONIC */
} certification;

GW_PRINTF(1, 2) static int complain(const char *fmt, ...)
{
    va_list args;
    fputs("goldwire certify: ", stderr);
    va_start(args, fmt);
    (void)vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    return GW_EXIT_USAGE;
}

/* ---- before the first packet ---- */

static int load_board(certification *c)
{
    char why[512] = "";
    if (c->o.board_path == NULL)
        return GW_EXIT_OK;
    if (!gw_board_load(&c->board, c->o.board_path, why, sizeof(why)))
        return complain("%s", why);
    return GW_EXIT_OK;
}

/* "peer:ROLE?..." names the role by itself. */
static const char *peer_role(const char *url)
{
    gw_url parsed;
    char why[256];
    if (url == NULL || strncmp(url, "peer:", 5) != 0 ||
        !gw_url_parse(&parsed, url, why, sizeof(why)))
        return NULL;
    const gw_board *board = gw_board_by_role(parsed.host);
    return board != NULL ? board->role : NULL;
}

static int unknown_role(const char *role)
{
    const char *roles[16] = {NULL};
    for (size_t i = 0; i < gw_num_suites && i < GW_ARRAY_LEN(roles) - 1; i++)
        roles[i] = gw_suites[i]->role;
    const char *near = gw_nearest(role, roles);
    complain("there are no cases for the role '%s'%s%s%s", role,
             near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
             near != NULL ? "'?" : "");
    fputs("roles:", stderr);
    for (size_t i = 0; roles[i] != NULL; i++)
        fprintf(stderr, " %s", roles[i]);
    fputc('\n', stderr);
    return GW_EXIT_USAGE;
}

static int find_suite(certification *c)
{
    const char *url = c->o.num_duts > 0 ? c->o.duts[0] : c->o.serve;
    const char *role = c->o.role;
    if (role == NULL && c->o.board_path != NULL)
        role = c->board.role;
    if (role == NULL)
        role = peer_role(url);
    if (role == NULL && c->o.list)
        role = gw_suites[0]->role;
    if (role == NULL)
        return complain("which role? give --role, a board file, or --dut peer:ROLE");
    if (c->o.board_path != NULL && strcmp(role, c->board.role) != 0)
        return complain("--role %s, but %s describes a %s", role, c->o.board_path, c->board.role);
    c->suite = gw_suite_by_role(role);
    return c->suite != NULL ? GW_EXIT_OK : unknown_role(role);
}

/* Reads "[LINK=]URL". */
static int add_place(certification *c, const char *text)
{
    size_t name_len = strcspn(text, "=:");
    if (c->num_places == GW_TARGET_LINKS)
        return complain("more than %d URLs", GW_TARGET_LINKS);
    gw_dut_place *place = &c->places[c->num_places];
    char *name = c->names[c->num_places++];
    if (text[name_len] == '=') {
        (void)snprintf(name, sizeof(c->names[0]), "%.*s", (int)name_len, text);
        text += name_len + 1;
    }
    *place = (gw_dut_place){name, text};
    return GW_EXIT_OK;
}

static int places_in_file(certification *c)
{
    for (size_t i = 0; i < c->board.num_links; i++) {
        if (c->num_places == GW_TARGET_LINKS)
            return complain("more than %d links", GW_TARGET_LINKS);
        /* A board with one link may name it or not. */
        const char *name = c->board.num_links == 1 ? "" : c->board.links[i].name;
        c->places[c->num_places++] = (gw_dut_place){name, c->board.links[i].url};
    }
    return GW_EXIT_OK;
}

static int find_places(certification *c)
{
    const gw_certify_options *o = &c->o;
    int code = GW_EXIT_OK;
    if (o->num_duts > 0 && o->serve != NULL)
        return complain("--dut and --serve exclude each other");
    for (size_t i = 0; i < o->num_duts && code == GW_EXIT_OK; i++)
        code = add_place(c, o->duts[i]);
    if (o->serve != NULL)
        code = add_place(c, o->serve);
    if (code == GW_EXIT_OK && c->num_places == 0 && o->board_path != NULL)
        code = places_in_file(c);
    if (code != GW_EXIT_OK)
        return code;
    if (c->num_places == 0)
        return complain("where is the board? give --dut URL, or `where:' in the board file");
    bool peer = strncmp(c->places[0].url, "peer:", 5) == 0;
    if (c->suite->calls_us && o->num_duts > 0 && !peer)
        return complain("a %s calls us: give --serve URL, and let it call there", c->suite->role);
    if (!c->suite->calls_us && o->serve != NULL)
        return complain("a %s does not call us: give --dut URL", c->suite->role);
    return GW_EXIT_OK;
}

static int open_dut(certification *c)
{
    char why[512] = "";
    c->dut = gw_dut_open(c->places, c->num_places, gw_board_by_role(c->suite->role),
                         c->suite->calls_us, why, sizeof(why));
    if (c->dut == NULL)
        return complain("%s", why);
    const gw_board *peer = gw_dut_peer(c->dut);
    if (peer != NULL && strcmp(peer->role, c->suite->role) != 0)
        return complain("%s is no %s", c->places[0].url, c->suite->role);
    return GW_EXIT_OK;
}

static int find_dialect(certification *c)
{
    const char *name = c->o.dialect;
    const gw_format *format = c->suite->format;
    if (name == NULL && c->o.board_path != NULL && c->board.dialect[0] != '\0')
        name = c->board.dialect;
    c->dialect = gw_dut_dialect(c->dut);
    if (name == NULL)
        return GW_EXIT_OK;
    c->dialect = gw_dialect_by_name(format, name);
    if (c->dialect != NULL)
        return GW_EXIT_OK;
    complain("%s has no dialect '%s'", format->name, name);
    fputs("dialects:", stderr);
    for (size_t i = 0; i < format->num_dialects; i++)
        fprintf(stderr, " %s", format->dialects[i].name);
    fputc('\n', stderr);
    return GW_EXIT_USAGE;
}

/* What the file's reader could not know. */
static int check_board(certification *c)
{
    char why[512] = "";
    if (c->o.board_path == NULL ||
        gw_describe_check(&c->board, c->o.board_path, c->suite, why, sizeof(why)))
        return GW_EXIT_OK;
    return complain("%s", why);
}

static int check_carriage(certification *c)
{
    char why[256] = "";
    bool stream = gw_dut_target(c->dut)->links[0].stream;
    if (stream && c->board.claims.tcp == GW_CLAIM_NO)
        return complain("%s claims not to speak TCP: give --dut udp://HOST:PORT", c->o.board_path);
    if (c->suite->accepts == NULL || c->suite->accepts(c->dialect, stream, why, sizeof(why)))
        return GW_EXIT_OK;
    return complain("%s", why);
}

static int select_cases(certification *c)
{
    char why[512] = "";
    if (!gw_select(&c->selection, c->suite, c->o.globs, c->o.num_globs)) {
        complain("out of memory");
        return GW_EXIT_TOOL;
    }
    if (c->o.failed != NULL && !gw_select_failed(&c->selection, c->o.failed, why, sizeof(why)))
        return complain("%s", why);
    if (c->selection.num > 0)
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
    if (c->o.sign != NULL && !gw_secret_key_load(&c->key, c->o.sign, why, sizeof(why)))
        return complain("--sign: %s", why);
    if (c->o.out_dir == NULL || gw_store_prepare(c->o.out_dir, why, sizeof(why)))
        return GW_EXIT_OK;
    return complain("--out: %s", why);
}

/* ---- listing ---- */

static void list_text(const gw_selection *selection)
{
    for (size_t i = 0; i < selection->num; i++) {
        const gw_case *one = selection->cases[i];
        printf("%-28s %-7s %s\n", one->id, one->rules[0], one->title);
    }
}

static void list_json(const gw_selection *selection)
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
    else if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s",
                gw_progress_line(line, sizeof(line), done, total,
                                 gw_clock_ns(CLOCK_MONOTONIC) - c->started_ns,
                                 next == NULL ? "pre-flight" : next->id));
}

/* Before this program vouches for a board it proves itself. */
static int prove_self(certification *c)
{
    if (c->o.out_dir == NULL)
        return GW_EXIT_OK;
    gw_selfproof_make(&c->proof, c->suite);
    if (c->proof.proven)
        return GW_EXIT_OK;
    complain("the self-proof failed, so nothing is certified: %s", c->proof.why);
    return GW_EXIT_TOOL;
}

/* The board is another one than its file says: whatever was found would be filed under its name. */
static int wrong_board(const certification *c, const gw_run *run)
{
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

/* Seals the evidence, and says with what digest. */
static int store_certificate(const certification *c, const gw_report *report)
{
    char why[512] = "";
    char digest[GW_DIGEST_TEXT];
    if (!gw_cert_store(digest, report, c->o.sign != NULL ? &c->key : NULL, why, sizeof(why))) {
        complain("no certificate: %s", why);
        return GW_EXIT_TOOL;
    }
    fprintf(c->o.json ? stderr : stdout, "certificate: %s/" GW_CERT_FILE " sha256:%s, %s%s\n",
            c->o.out_dir, digest, report->signer != NULL ? "signed with key " : "unsigned",
            report->signer != NULL ? report->signer : "");
    return report->exit_code;
}

static int report_run(const certification *c, const gw_run *run, const gw_run_setup *setup)
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
                        .signer = c->o.sign != NULL ? signer : NULL,
                        .proof = c->o.out_dir != NULL ? &c->proof : NULL,
                        .exit_code = gw_counts_exit(&run->counts, c->o.strict),
                        .strict = c->o.strict};
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    if (run->contradicted)
        return wrong_board(c, run);
    if (c->o.json) {
        json_t *object = gw_report_json(&report);
        json_dumpf(object, stdout, JSON_INDENT(1));
        printf("\n");
        json_decref(object);
    } else {
        gw_report_table(stdout, &report, isatty(STDOUT_FILENO) != 0);
    }
    if (!run->answered)
        fprintf(stderr, "goldwire certify: the board at %s does not answer: %s\n",
                gw_dut_where(c->dut), run->preflight);
    if (c->o.out_dir == NULL)
        return report.exit_code;
    if (!gw_report_store(&report, why, sizeof(why))) {
        complain("%s", why);
        return GW_EXIT_TOOL;
    }
    if (!c->o.json)
        printf("evidence: %s/report.html\n", c->o.out_dir);
    return store_certificate(c, &report);
}

/* Our own boards need no file. In a hardware's dialect they have that hardware's widths. */
static void describe_board(certification *c)
{
    const gw_board_file *builtin = gw_builtin_board(c->suite->role);
    if (c->o.board_path != NULL || gw_dut_peer(c->dut) == NULL || builtin == NULL)
        return;
    c->board = *builtin;
    if (gw_dut_dialect(c->dut) == NULL)
        return;
    c->board.claims.address_widths = 0;
    c->board.claims.port_widths = 0;
    c->board.claims.zero_filled_reply = GW_CLAIM_UNKNOWN;
}

static int run_cases(certification *c)
{
    gw_run run;
    char why[512] = "";
    describe_board(c);
    gw_run_setup setup = {.suite = c->suite,
                          .board = &c->board,
                          .dialect = c->dialect,
                          .target = gw_dut_target(c->dut),
                          .cases = c->selection.cases,
                          .num_cases = c->selection.num,
                          .out_dir = c->o.out_dir,
                          .hooks = c->o.hooks,
                          .seed = c->o.seed,
                          .progress = show_progress,
                          .progress_arg = c};
    if (c->suite->calls_us)
        setup.first_ns = c->o.wait_s > 0 ? (int64_t)c->o.wait_s * GW_SECOND : CALLER_WAIT_NS;
    c->started_ns = gw_clock_ns(CLOCK_MONOTONIC);
    bool ok = gw_run_cases(&run, &setup, why, sizeof(why));
    int code = ok ? report_run(c, &run, &setup) : GW_EXIT_TOOL;
    if (!ok)
        complain("%s", why);
    gw_run_free(&run);
    return code;
}

static int certify(certification *c)
{
    static int (*const steps[])(certification * c) = {find_places, open_dut, find_dialect,
                                                      check_carriage};
    int code = load_board(c);
    if (code == GW_EXIT_OK)
        code = find_suite(c);
    if (code == GW_EXIT_OK)
        code = check_board(c);
    if (code == GW_EXIT_OK)
        code = select_cases(c);
    if (code == GW_EXIT_OK && c->o.list) {
        (c->o.json ? list_json : list_text)(&c->selection);
        return GW_EXIT_OK;
    }
    for (size_t i = 0; i < GW_ARRAY_LEN(steps) && code == GW_EXIT_OK; i++)
        code = steps[i](c);
    if (code == GW_EXIT_OK)
        code = prepare_out(c);
    if (code == GW_EXIT_OK)
        code = prove_self(c);
    return code == GW_EXIT_OK ? run_cases(c) : code;
}

static int run(int argc, char **argv)
{
    certification c = {0};
    gw_certify_args(&c.o, argc, argv);
    int code = certify(&c);
    gw_selection_free(&c.selection);
    gw_dut_close(c.dut);
    gw_secret_key_wipe(&c.key);
    return code;
}

const gw_verb gw_verb_certify = {"certify", "run the conformance cases against a board", run};
