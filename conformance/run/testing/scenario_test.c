/* SPDX-License-Identifier: BSD-2-Clause */
/* Who is to blame? Boards, cables, hooks, waivers and goldwire itself go wrong in turn, under
 * virtual time, and each time the verdicts and the exit code must be the right ones. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include <cmocka.h>

#include "evidence/exit.h"
#include "harness/stop.h"
#include "harness/temporary_testing.h"
#include "run/testing/fake_testing.h"

#define FLAG_FILE "flag" /* in a folder of our own */

/* ---- toy cases ---- */

static void good(gw_ctx *ctx)
{
    if (!fake_exchange(ctx, 'a', gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &(gw_miss){.rule = "EB-S03"}, "no echo");
}

static void breaks_must(gw_ctx *ctx)
{
    gw_case_fail(ctx, &(gw_miss){.rule = "EB-S04"}, "wrong id");
}

static void breaks_should(gw_ctx *ctx)
{
    gw_case_fail(ctx, &(gw_miss){.rule = "EB-S09"}, "executed");
}

static void breaks_tool(gw_ctx *ctx)
{
    gw_case_error(ctx, "our fault");
}

static void does_not_apply(gw_ctx *ctx)
{
    gw_case_na(ctx, "no such thing");
}

static void drop(gw_ctx *ctx)
{
    gw_case_send(ctx, gw_case_connection(ctx), "x", 1);
}

static void kill_quietly(gw_ctx *ctx)
{
    gw_case_send(ctx, gw_case_connection(ctx), "k", 1);
}

static void kill_and_look(gw_ctx *ctx)
{
    gw_case_send(ctx, gw_case_connection(ctx), "k", 1);
    if (!fake_exchange(ctx, 'a', gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &(gw_miss){.rule = "EB-S30"}, "no echo any more");
}

static void close_it(gw_ctx *ctx)
{
    gw_packet packet;
    gw_case_send(ctx, gw_case_connection(ctx), "c", 1);
    if (gw_case_recv(ctx, gw_case_connection(ctx), gw_case_reply_ns(ctx), &packet) ==
        GW_RECV_CLOSED)
        gw_case_fail(ctx, &(gw_miss){.rule = "EB-S46"}, "the board closed the connection");
}

static void make_it_babble(gw_ctx *ctx)
{
    gw_packet packet;
    gw_connection *conn = gw_case_connection(ctx);
    gw_case_send(ctx, conn, "b", 1);
    int64_t deadline = gw_case_now(conn) + gw_case_settle_ns(ctx);
    unsigned num = 0;
    while (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet) == GW_RECV_DATA)
        num += packet.data[0] == 'B';
    if (num > 0)
        gw_case_fail(ctx, &(gw_miss){.rule = "EB-S42"}, "%u packets that nobody asked for", num);
}

static void hear_it_out(gw_ctx *ctx)
{
    gw_packet packet;
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + gw_case_reply_ns(ctx);
    while (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet) == GW_RECV_DATA)
        ;
}

/* What came last is not what was kept last. */
static void fail_amid_babble(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "EB-S04"};
    hear_it_out(ctx);
    gw_case_fail(ctx, &miss, "the last of them");
}

/* As cases do that let a board finish, however much it has to say. */
static void wait_for_silence(gw_ctx *ctx)
{
    gw_packet packet;
    while (gw_case_recv(ctx, gw_case_connection(ctx), gw_case_settle_ns(ctx), &packet) ==
           GW_RECV_DATA)
        ;
}

static void stop_amid_babble(gw_ctx *ctx)
{
    (void)raise(SIGTERM);
    hear_it_out(ctx);
}

static void new_line(gw_ctx *ctx)
{
    (void)gw_case_connect(ctx);
    good(ctx);
}

/* Until its deadline the start hook runs, which has left its number. Then it must be gone, though
 * the case goes on. */
static void outlives_the_hook(gw_ctx *ctx)
{
    gw_packet packet;
    char text[32] = "";
    FILE *file = fopen(FLAG_FILE, "r");
    if (file == NULL || fgets(text, sizeof(text), file) == NULL)
        gw_case_error(ctx, "the hook has left no number");
    (void)fclose(file);
    pid_t number = (pid_t)strtol(text, NULL, 10);
    if (number <= 1 || kill(number, 0) != 0)
        gw_case_error(ctx, "the hook did not wait for its deadline");
    (void)nanosleep(&(struct timespec){.tv_sec = 2}, NULL);
    (void)gw_case_recv(ctx, gw_case_connection(ctx), 0, &packet);
    if (kill(number, 0) == 0)
        gw_case_fail(ctx, &(gw_miss){.rule = "EB-S03"}, "the hook outlives its deadline");
}

#define CASE(name, function, ...)                                                                  \
    {                                                                                              \
        .id = name, .title = "Toy case", .rules = GW_LIST("EB-S42"), .run = function, __VA_ARGS__  \
    }

static const gw_case cases[] = {
    CASE("t/good", good, .arg = 0),
    CASE("t/must", breaks_must, .arg = 0),
    CASE("t/should", breaks_should, .arg = 0),
    CASE("t/tool", breaks_tool, .arg = 0),
    CASE("t/na", does_not_apply, .arg = 0),
    CASE("t/after-must", good, .after = GW_LIST("t/must")),
    CASE("t/after-good", good, .after = GW_LIST("t/good")),
    CASE("t/drop", drop, .negative = true),
    CASE("t/killer", kill_quietly, .negative = true),
    {.id = "t/soft-killer",
     .title = "Toy case",
     .rules = GW_LIST("EB-S49"), /* a SHOULD */
     .negative = true,
     .run = kill_quietly},
    CASE("t/killed", kill_and_look, .arg = 0),
    CASE("t/close", close_it, .arg = 0),
    CASE("t/babble", make_it_babble, .negative = true),
    CASE("t/line", new_line, .arg = 0),
    CASE("t/hear", hear_it_out, .arg = 0),
    CASE("t/babble-fails", fail_amid_babble, .arg = 0),
    CASE("t/silence", wait_for_silence, .arg = 0),
    CASE("t/stopped", stop_amid_babble, .arg = 0),
    CASE("t/outlives", outlives_the_hook, .arg = 0),
    CASE("t/last", good, .arg = 0),
    {0},
};

static void show(gw_ctx *ctx, gw_claims *shown);

static const gw_case *const groups[] = {cases};
static const gw_suite suite = {.role = "etherbone-slave",
                               .format = &gw_etherbone,
                               .families = GW_LIST("EB-S"),
                               .groups = groups,
                               .num_groups = 1,
                               .alive = fake_alive,
                               .has = fake_has,
                               .show = show};

static fake_board *present; /* the board of the scenario that runs */

static void show(gw_ctx *ctx, gw_claims *shown)
{
    (void)ctx;
    *shown = present->shown;
}

/* ---- scenarios ---- */

typedef struct scenario {
    const char *what;
    fake_board board;         /* its faults; everything else is filled in */
    const char *file;         /* what the board file says besides role and claims; NULL: nothing */
    const char *const *cases; /* NULL at the end */
    const char *verdicts;     /* of each, with spaces between */
    const char *text;         /* somewhere in the texts, notes and recoveries; NULL: anything */
    int exit_code;
    bool stream;
    bool resets; /* the board can be reset from here */
    bool strict;
    bool hooks; /* may be run */
} scenario;

#define RUNS(...) .cases = GW_LIST(__VA_ARGS__)
#define WAIVED_AS(id, fits, until, more)                                                           \
    "  - {case: " id ", owner: Ada, ticket: FW-7, reason: known, text: " fits                      \
    ", expires: " until more "}\n"
#define HOLDS(id, fits) WAIVED_AS(id, fits, "2200-01-01", "")
#define EXPIRED(id, fits) WAIVED_AS(id, fits, "1999-12-31", "")
#define WAIVERS "waivers:\n"
/* clang-format off */
static const scenario scenarios[] = {
    /* Nobody there: nothing can be said, and that quickly. */
    {"the cable is out", {.deaf = true}, RUNS("t/good", "t/drop", "t/killer", "t/last"),
     .verdicts = "INCONC INCONC INCONC INCONC", .text = "never answered", .exit_code = 3},
    {"the cable is out and the interface knows", {.deaf = true, .knows_carrier = true},
     RUNS("t/good", "t/drop"), .verdicts = "INCONC INCONC", .text = "is the cable in?",
     .exit_code = 3},
    {"the port is closed", {.refuses = true}, RUNS("t/good", "t/drop"),
     .verdicts = "INCONC INCONC", .text = "never answered", .exit_code = 3},
    {"connections hang", {.hangs = true}, RUNS("t/good", "t/drop"), .stream = true,
     .verdicts = "INCONC INCONC", .text = "never answered", .exit_code = 3},
    {"there is no route", {.way_fails = true}, RUNS("t/good", "t/drop"),
     .verdicts = "INCONC INCONC", .text = "never answered", .exit_code = 3},

    /* The cable is pulled during the run. */
    {"during a positive case", {.unplugged_after = 1, .knows_carrier = true},
     RUNS("t/good", "t/drop", "t/last"), .verdicts = "INCONC INCONC INCONC",
     .text = "the path to the board is broken", .exit_code = 3},
    {"during a negative case", {.unplugged_after = 2, .knows_carrier = true},
     RUNS("t/drop", "t/last"), .verdicts = "INCONC INCONC",
     .text = "the path to the board was broken during t/drop", .exit_code = 3},
    {"before a negative case", {.unplugged_after = 2, .knows_carrier = true},
     RUNS("t/good", "t/drop", "t/last"), .verdicts = "PASS INCONC INCONC",
     .text = "the cable in?", .exit_code = 3},
    {"during a positive case, behind a switch", {.unplugged_after = 1},
     RUNS("t/good", "t/last"), .verdicts = "INCONC INCONC", .text = "lost during t/good",
     .exit_code = 3},
    {"before a negative case, behind a switch", {.unplugged_after = 2},
     RUNS("t/good", "t/drop", "t/last"), .verdicts = "PASS INCONC INCONC",
     .text = "did not answer before this case began", .exit_code = 3},
    /* Alive before and dead after: nobody can try whether it happens again. */
    {"during a negative case, behind a switch", {.unplugged_after = 2},
     RUNS("t/drop", "t/last"), .verdicts = "INCONC INCONC", .text = "did not come back",
     .exit_code = 3},

    /* A hang is told from a legal drop. */
    {"a legal drop", {.lives = 0}, RUNS("t/drop", "t/last"), .verdicts = "PASS PASS"},
    {"a hang for good", {.lives = 9}, RUNS("t/killer", "t/drop", "t/last"),
     .verdicts = "INCONC INCONC INCONC", .text = "lost during t/killer", .exit_code = 3},
    {"a hang that a reset ends, every time", {.lives = 9}, .resets = true,
     RUNS("t/killer", "t/last"), .verdicts = "FAIL PASS", .text = "again when it was repeated",
     .exit_code = 1},
    {"a hang that does not happen again", {.lives = 1}, .resets = true,
     RUNS("t/killer", "t/last"), .verdicts = "PASS PASS", .text = "the board was restarted"},
    {"a hang that only a SHOULD forbids", {.lives = 9}, .resets = true,
     RUNS("t/good", "t/soft-killer"), .verdicts = "PASS WARN", .text = "stopped answering"},
    {"the same, strictly", {.lives = 9}, .resets = true, .strict = true,
     RUNS("t/good", "t/soft-killer"), .verdicts = "PASS WARN", .exit_code = 1},
    {"a positive case whose board dies for good", {.lives = 9}, RUNS("t/killed", "t/last"),
     .verdicts = "INCONC INCONC", .text = "lost during t/killed", .exit_code = 3},
    {"a positive case that kills, with a reset", {.lives = 9}, .resets = true,
     RUNS("t/killed", "t/last"), .verdicts = "FAIL PASS", .text = "no echo any more",
     .exit_code = 1},

    /* The board restarts by itself, or is slow. */
    {"it reboots once, after a negative case", {.lives = 1, .boot_ns = 1500 * GW_MS},
     RUNS("t/killer", "t/last"), .verdicts = "PASS PASS"},
    {"it reboots after every negative case", {.lives = 9, .boot_ns = 1500 * GW_MS},
     RUNS("t/killer", "t/last"), .verdicts = "FAIL PASS", .text = "again when it was repeated",
     .exit_code = 1},
    {"it reboots once, during a positive case", {.lives = 1, .boot_ns = 2200 * GW_MS},
     RUNS("t/killed", "t/last"), .verdicts = "PASS PASS"},
    {"it boots while it is looked for", {.dead = true, .boot_ns = 700 * GW_MS}, RUNS("t/good"),
     .verdicts = "PASS"},
    {"it answers slowly, but in time", {.late_ns = 400 * GW_MS}, RUNS("t/good", "t/drop"),
     .verdicts = "PASS PASS"},
    {"it answers too late to be seen alive", {.late_ns = 5 * GW_SECOND}, RUNS("t/good", "t/drop"),
     .verdicts = "INCONC INCONC", .exit_code = 3},
    {"it answers late once: the answer is not taken for another", {.late_ns = 600 * GW_MS,
     .late_once = 1}, RUNS("t/good", "t/drop", "t/last"), .verdicts = "PASS PASS PASS"},

    /* It talks too much, or hangs up. */
    {"it babbles all the time", {.babbles = true}, RUNS("t/good", "t/drop", "t/last"),
     .verdicts = "PASS PASS PASS"},
    {"silence is waited for, and it babbles", {.babbles = true}, RUNS("t/silence", "t/last"),
     .verdicts = "INCONC PASS", .text = "does not stop talking", .exit_code = 3},
    {"a packet makes it babble", {.lives = 0}, RUNS("t/babble", "t/last"), .verdicts = "FAIL PASS",
     .text = "packets that nobody asked for", .exit_code = 1},
    {"it closes its side of a stream", {.lives = 0}, .stream = true, RUNS("t/close", "t/last"),
     .verdicts = "FAIL PASS", .text = "closed the connection", .exit_code = 1},

    /* Our own faults are never the board's. */
    {"no socket at the start", {.broken_at = 1}, RUNS("t/good", "t/drop"),
     .verdicts = "ERROR ERROR", .text = "too many open files", .exit_code = 4},
    {"no socket in a case", {.broken_at = 2}, RUNS("t/good", "t/line", "t/drop"),
     .verdicts = "PASS ERROR PASS", .text = "too many open files", .exit_code = 4},
    {"no socket for the sign of life after a case", {.lives = 1, .broken_at = 2},
     RUNS("t/killer", "t/last"), .verdicts = "ERROR ERROR", .text = "could not look after",
     .exit_code = 4},
    {"sending fails here", {.send_fails = true}, RUNS("t/good", "t/drop"),
     .verdicts = "ERROR ERROR", .text = "No buffer space", .exit_code = 4},
    {"our software board cannot be restarted", {.lives = 9, .restart_fails = true},
     .resets = true, RUNS("t/killer", "t/last"), .verdicts = "ERROR ERROR", .text = "fork:",
     .exit_code = 4},
    {"a broken case beside a failure", {.lives = 0}, RUNS("t/must", "t/tool"),
     .verdicts = "FAIL ERROR", .exit_code = 4},

    /* Waivers. */
    {"a waived failure", {.lives = 0}, .file = WAIVERS HOLDS("t/must", "wrong id"),
     RUNS("t/good", "t/must"), .verdicts = "PASS WAIVED"},
    {"a waived failure with another text", {.lives = 0},
     .file = WAIVERS HOLDS("t/must", "wrong length"), RUNS("t/good", "t/must"),
     .verdicts = "PASS FAIL", .text = "waived is another failure of this case: wrong length",
     .exit_code = 1},
    {"an unexpected pass", {.lives = 0}, .file = WAIVERS HOLDS("t/good", "no echo"),
     RUNS("t/good", "t/last"), .verdicts = "XPASS PASS", .text = "take the waiver out",
     .exit_code = 5},
    {"an expired waiver covers every failure", {.lives = 0},
     .file = WAIVERS EXPIRED("t/must", "wrong id"), RUNS("t/good", "t/must"),
     .verdicts = "PASS FAIL", .text = "its waiver has expired on 1999-12-31", .exit_code = 5},
    {"an expired waiver covers one failure of two", {.lives = 9}, .resets = true,
     .file = WAIVERS EXPIRED("t/must", "wrong id"), RUNS("t/must", "t/killer"),
     .verdicts = "FAIL FAIL", .exit_code = 1},
    {"an expired waiver that is not needed", {.lives = 0},
     .file = WAIVERS EXPIRED("t/good", "no echo"), RUNS("t/good"), .verdicts = "PASS",
     .text = "not needed any more"},
    {"a waiver of another firmware", {.lives = 0},
     .file = "identity: {firmware: \"2.0\"}\n" WAIVERS WAIVED_AS(
         "t/must", "wrong id", "2200-01-01", ", firmware: \"1.9\""),
     RUNS("t/good", "t/must"), .verdicts = "PASS FAIL", .exit_code = 1},
    {"a waiver of this firmware", {.lives = 0},
     .file = "identity: {firmware: \"2.0\"}\n" WAIVERS WAIVED_AS(
         "t/must", "wrong id", "2200-01-01", ", firmware: \"2.0\""),
     RUNS("t/good", "t/must"), .verdicts = "PASS WAIVED"},
    {"two waivers, one of them expired", {.lives = 0},
     .file = WAIVERS EXPIRED("t/must", "wrong") HOLDS("t/must", "wrong id"),
     RUNS("t/good", "t/must"), .verdicts = "PASS WAIVED"},
    {"a waived failure beside another", {.lives = 9}, .resets = true,
     .file = WAIVERS HOLDS("t/must", "wrong id"), RUNS("t/must", "t/killer", "t/last"),
     .verdicts = "WAIVED FAIL PASS", .exit_code = 1},
    {"a death is waived", {.lives = 9}, .resets = true,
     .file = WAIVERS HOLDS("t/killer", "stopped answering"), RUNS("t/killer", "t/last"),
     .verdicts = "WAIVED PASS"},
    {"an unexpected pass beside something inconclusive", {.lives = 9},
     .file = WAIVERS HOLDS("t/good", "no echo"), RUNS("t/good", "t/killed"),
     .verdicts = "XPASS INCONC", .exit_code = 5},
    {"a waiver does not cover what is inconclusive", {.deaf = true},
     .file = WAIVERS HOLDS("t/good", "no echo"), RUNS("t/good"), .verdicts = "INCONC",
     .exit_code = 3},
    {"what builds on a waived case is run", {.lives = 0},
     .file = WAIVERS HOLDS("t/must", "wrong id"), RUNS("t/good", "t/must", "t/after-must"),
     .verdicts = "PASS WAIVED PASS"},
    {"what builds on an unexpected pass is run", {.lives = 0},
     .file = WAIVERS HOLDS("t/good", "no echo"), RUNS("t/good", "t/after-good"),
     .verdicts = "XPASS PASS", .exit_code = 5},
    {"everything is waived", {.lives = 0}, .file = WAIVERS HOLDS("t/must", "wrong id"),
     RUNS("t/must"), .verdicts = "WAIVED", .exit_code = 6},
    {"a waived warning", {.lives = 0}, .strict = true,
     .file = WAIVERS HOLDS("t/should", "executed"), RUNS("t/good", "t/should"),
     .verdicts = "PASS WAIVED"},
    {"a warning with an expired waiver, strictly", {.lives = 0}, .strict = true,
     .file = WAIVERS EXPIRED("t/should", "executed"), RUNS("t/good", "t/should"),
     .verdicts = "PASS WARN", .exit_code = 5},
    {"a harness fault is not waived", {.lives = 0}, .file = WAIVERS HOLDS("t/tool", "our fault"),
     RUNS("t/good", "t/tool"), .verdicts = "PASS ERROR", .exit_code = 4},

    /* Nothing judged is not green. */
    {"nothing is selected", {.lives = 0}, .cases = (const char *const[]){NULL}, .verdicts = "",
     .exit_code = 6},
    {"nothing applies", {.lives = 0}, RUNS("t/na"), .verdicts = "NA", .exit_code = 6},

    /* Claims. */
    {"it shows less than it claims", {.shown = {.port_widths = 4}},
     .file = "", RUNS("t/good"), .verdicts = "PASS", .exit_code = 1},
    {"it shows more than it claims", {.shown = {.port_widths = 15}}, RUNS("t/good"),
     .verdicts = "PASS"},
    {"it is another board", {.shown = {.port_widths = 1}}, RUNS("t/good", "t/killer"),
     .verdicts = "INCONC INCONC",
     .text = "port_widths is claimed to be 16/32 bit and is 8 bit", .exit_code = 3},

    /* Hooks. */
    {"hooks are not run unasked", {.lives = 9, .revives = FLAG_FILE},
     .file = "hooks: {soft: {run: [touch, " FLAG_FILE "]}}\n", RUNS("t/killed", "t/last"),
     .verdicts = "INCONC INCONC", .text = "--hooks", .exit_code = 3},
    {"the soft hook brings it back", {.lives = 1, .revives = FLAG_FILE}, .hooks = true,
     .file = "hooks: {soft: {run: [touch, " FLAG_FILE "]}}\n", RUNS("t/killed", "t/last"),
     .verdicts = "PASS PASS", .text = "hook soft: exit 0"},
    {"the soft hook fails, the power hook helps", {.lives = 1, .revives = FLAG_FILE},
     .hooks = true,
     .file = "hooks: {soft: {run: [\"false\"]}, power: {run: [touch, " FLAG_FILE "]}}\n",
     RUNS("t/killed", "t/last"), .verdicts = "PASS PASS",
     .text = "hook soft: exit 1, hook power: exit 0"},
    {"no hook helps", {.lives = 9}, .hooks = true,
     .file = "hooks: {soft: {run: [\"true\"]}, power: {run: [/nonexistent/power]}}\n",
     RUNS("t/killed", "t/last"), .verdicts = "INCONC INCONC",
     .text = "hook soft: exit 0, hook power: cannot start", .exit_code = 3},
    {"a hook hangs and is killed", {.lives = 9}, .hooks = true,
     .file = "hooks: {soft: {run: [sleep, \"600\"], timeout: 1}}\n",
     RUNS("t/killer", "t/last"), .verdicts = "INCONC INCONC", .text = "hook soft: killed after 1 s",
     .exit_code = 3},
    {"the start hook starts the board", {.dead = true, .revives = FLAG_FILE}, .hooks = true,
     .file = "hooks: {start: {run: [sh, -c, \"touch " FLAG_FILE "; sleep 600\"], settle: 600}}\n",
     RUNS("t/good"), .verdicts = "PASS"},
    {"the board settles, however quickly it is silent", {.dead = true, .revives = FLAG_FILE},
     .hooks = true, .file = "hooks: {start: {run: [sh, -c, \"sleep 1; touch " FLAG_FILE
     "; sleep 600\"], settle: 5}}\n",
     RUNS("t/good"), .verdicts = "PASS"},
    {"the start hook's time is up during a case", {.dead = true, .revives = FLAG_FILE},
     .hooks = true, .file = "hooks: {start: {run: [sh, -c, \"echo $$ >" FLAG_FILE ".new; mv " FLAG_FILE ".new "
     FLAG_FILE "; exec sleep 600\"], "
     "timeout: 2, settle: 5}}\n",
     RUNS("t/good", "t/outlives", "t/last"), .verdicts = "PASS PASS PASS"},
    {"the start hook fails: there is nothing to wait for", {.deaf = true}, .hooks = true,
     .file = "hooks: {start: {run: [\"false\"], settle: 600}}\n",
     RUNS("t/good"), .verdicts = "INCONC", .text = "hook start: exit 1", .exit_code = 3},
    {"the start hook cannot be started", {.deaf = true}, .hooks = true,
     .file = "hooks: {start: {run: [/nonexistent/start], settle: 600}}\n",
     RUNS("t/good"), .verdicts = "INCONC", .text = "hook start: cannot start /nonexistent/start",
     .exit_code = 3},
    {"the start hook runs, and the board does not answer", {.deaf = true}, .hooks = true,
     .file = "hooks: {start: {run: [sleep, \"600\"], settle: 0}}\n",
     RUNS("t/good"), .verdicts = "INCONC", .text = "hook start: still runs", .exit_code = 3},
    {"the board was left hung, and the soft hook ends that", {.dead = true, .revives = FLAG_FILE},
     .hooks = true, .file = "hooks: {soft: {run: [touch, " FLAG_FILE "]}}\n",
     RUNS("t/good"), .verdicts = "PASS", .text = "the board answers after hook soft: exit 0"},
    {"the board was left hung, and the power hook ends that", {.dead = true, .revives = FLAG_FILE},
     .hooks = true, .file = "hooks: {soft: {run: [\"true\"], settle: 0}, power: {run: [touch, "
     FLAG_FILE "]}}\n",
     RUNS("t/good"), .verdicts = "PASS",
     .text = "the board answers after hook soft: exit 0, hook power: exit 0"},
    {"the board was left hung for good", {.deaf = true}, .hooks = true,
     .file = "hooks: {soft: {run: [\"true\"], settle: 0}, power: {run: [\"false\"]}}\n",
     RUNS("t/good"), .verdicts = "INCONC", .text = "hook soft: exit 0, hook power: exit 1",
     .exit_code = 3},
    {"the cable is out: no hook mends that", {.deaf = true, .knows_carrier = true}, .hooks = true,
     .file = "hooks: {soft: {run: [touch, " FLAG_FILE "]}}\n",
     RUNS("t/good"), .verdicts = "INCONC", .text = "ms; interface lab0", .exit_code = 3},
    {"the board was left hung, and hooks are not run unasked", {.deaf = true},
     .file = "hooks: {soft: {run: [\"true\"]}}\n",
     RUNS("t/good"), .verdicts = "INCONC", .text = "--hooks lets goldwire run them",
     .exit_code = 3},
};
/* clang-format on */

static void read_file(const scenario *s, gw_board_file *out)
{
    char why[512] = "";
    char text[4096];
    /* 16 and 32 bit are claimed. */
    (void)snprintf(text, sizeof(text),
                   "goldwire: board\nrole: etherbone-slave\n"
                   "claims: {config_space: true, sdb: true, port_widths: [16, 32]}\n%s",
                   s->file != NULL ? s->file : "");
    if (!gw_board_parse(out, "b.yaml", text, strlen(text), why, sizeof(why)))
        fail_msg("%s: %s", s->what, why);
}

static bool says(const gw_run *run, const char *text)
{
    if (text == NULL || strstr(run->preflight, text) != NULL)
        return true;
    for (size_t i = 0; i < run->num_results; i++) {
        const gw_result *r = &run->results[i];
        if (strstr(r->text, text) != NULL || strstr(r->notes, text) != NULL ||
            strstr(r->recovery, text) != NULL)
            return true;
    }
    return false;
}

static void list_verdicts(const gw_run *run, char *out, size_t cap)
{
    size_t len = 0;
    out[0] = '\0';
    for (size_t i = 0; i < run->num_results && len < cap; i++)
        len += (size_t)snprintf(out + len, cap - len, "%s%s", i > 0 ? " " : "",
                                gw_verdict_name(run->results[i].verdict));
}

static bool play(const scenario *s)
{
    gw_board_file file;
    const gw_case *chosen[8];
    size_t num = 0;
    char why[256] = "";
    char verdicts[128];
    gw_run run;
    fake_board board = s->board;
    fake_board usual = new_fake_board();
    board.target = usual.target;
    board.target.virtual_time = !s->hooks; /* hooks are real, and take their time */
    board.target.links[0].stream = s->stream;
    board.target.restart = s->resets ? fake_restart : NULL;
    present = &board;
    (void)unlink(FLAG_FILE);
    read_file(s, &file);
    for (; s->cases[num] != NULL; num++) {
        chosen[num] = gw_suite_case(&suite, s->cases[num]);
        assert_non_null(chosen[num]);
    }
    gw_run_setup setup = {.suite = &suite,
                          .board = &file,
                          .target = &board.target,
                          .cases = chosen,
                          .num_cases = num,
                          .hooks = s->hooks};
    if (!gw_run_cases(&run, &setup, why, sizeof(why)))
        fail_msg("%s: %s", s->what, why);
    list_verdicts(&run, verdicts, sizeof(verdicts));
    bool lost = strstr(verdicts, "INCONC") != NULL;
    bool as_expected = strcmp(verdicts, s->verdicts) == 0 && says(&run, s->text) &&
                       gw_counts_exit(&run.counts, s->strict) == s->exit_code &&
                       /* Where nothing can be said any more, it is said soon. */
                       (!lost || s->hooks || board.now < 6 * GW_SECOND);
    if (!as_expected)
        print_error("%s: %s, exit %d after %lld ms; %s, exit %d expected, saying '%s'\n  %s | %s\n",
                    s->what, verdicts, gw_counts_exit(&run.counts, s->strict),
                    (long long)(board.now / GW_MS), s->verdicts, s->exit_code,
                    s->text != NULL ? s->text : "", run.preflight,
                    num > 0 ? run.results[0].text : "");
    gw_run_free(&run);
    (void)unlink(FLAG_FILE);
    return as_expected;
}

static void scenarios_end_as_they_should(void **state)
{
    (void)state;
    unsigned failed = 0;
    for (size_t i = 0; i < GW_ARRAY_LEN(scenarios); i++)
        failed += !play(&scenarios[i]);
    assert_int_equal(failed, 0);
}

/* Runs the case |id| against a board that babbles all the time. */
static gw_run run_amid_babble(const char *id)
{
    static const gw_board_file nothing;
    const gw_case *chosen[] = {gw_suite_case(&suite, id)};
    char why[256] = "";
    gw_run run;
    fake_board board = new_fake_board();
    board.babbles = true;
    present = &board;
    gw_run_setup setup = {.suite = &suite,
                          .board = &nothing,
                          .target = &board.target,
                          .cases = chosen,
                          .num_cases = 1,
                          .reply_ns = 2 * GW_SECOND};
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    return run;
}

/* A flood is cut off, not kept, and that is said. */
static void a_flood_does_not_fill_the_evidence(void **state)
{
    (void)state;
    gw_run run = run_amid_babble("t/hear");
    assert_int_equal(run.results[0].verdict, GW_PASS);
    assert_int_equal(run.results[0].num_packets, GW_EVIDENCE_MAX_PACKETS);
    assert_non_null(
        strstr(run.results[0].notes, "the evidence holds the first 65536 packets only"));
    gw_run_free(&run);
}

/* Of what was not kept nobody can show which packet decided. */
static void a_flood_is_no_packet_that_decided(void **state)
{
    (void)state;
    gw_run run = run_amid_babble("t/babble-fails");
    const gw_result *r = &run.results[0];
    assert_int_equal(r->verdict, GW_FAIL);
    assert_int_equal(r->num_packets, GW_EVIDENCE_MAX_PACKETS);
    assert_true(r->decided.doubtful);
    assert_int_equal(r->packet, 0);
    assert_int_equal(r->received.len, 0);
    assert_int_equal(r->sent.len, 0);
    gw_run_free(&run);
}

/* An interrupt is heard while a board goes on talking. This test is the last: there is no way back.
 */
static void a_flood_drowns_no_interrupt(void **state)
{
    (void)state;
    gw_stop_watch();
    gw_run run = run_amid_babble("t/stopped");
    assert_int_equal(run.results[0].verdict, GW_INCONC);
    assert_string_equal(run.results[0].text, GW_INTERRUPTED);
    assert_true(run.results[0].num_packets < 100);
    gw_run_free(&run);
}

static void note_unwritten(void *arg, const char *why)
{
    if (strstr(why, "/dev/null") != NULL)
        (*(unsigned *)arg)++;
}

/* Without its folder a run has no evidence; its verdicts are worth having all the same. */
static void evidence_that_cannot_be_kept_is_named(void **state)
{
    (void)state;
    static const gw_board_file nothing;
    const gw_case *chosen[] = {gw_suite_case(&suite, "t/good")};
    char why[256] = "";
    unsigned told = 0;
    gw_run run;
    fake_board board = new_fake_board();
    present = &board;
    gw_run_setup setup = {.suite = &suite,
                          .board = &nothing,
                          .target = &board.target,
                          .cases = chosen,
                          .num_cases = 1,
                          .out_dir = "/dev/null",
                          .unwritten = note_unwritten,
                          .unwritten_arg = &told};
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    assert_int_equal(run.results[0].verdict, GW_PASS);
    assert_string_equal(run.results[0].evidence, "");
    assert_int_equal(run.num_unwritten, 2); /* of the pre-flight and of the case */
    assert_int_equal(told, 2);
    gw_run_free(&run);
}

static void hooks_leave_their_output(void **state)
{
    (void)state;
    static gw_board_file file;
    const scenario s = {.what = "hook",
                        .file = "hooks: {soft: {run: [echo, reset, done], settle: 0}}\n"};
    const gw_case *chosen[] = {gw_suite_case(&suite, "t/killer")};
    gw_temporary folder;
    char path[256];
    char text[128] = "";
    char why[256] = "";
    gw_run run;
    fake_board board = new_fake_board();
    board.lives = 9;
    present = &board;
    assert_true(gw_temporary_folder(&folder));
    const char *dir = folder.path;
    read_file(&s, &file);
    gw_run_setup setup = {.suite = &suite,
                          .board = &file,
                          .target = &board.target,
                          .cases = chosen,
                          .num_cases = 1,
                          .out_dir = dir,
                          .hooks = true};
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    (void)snprintf(path, sizeof(path), "%s/hooks/001-soft.txt", dir);
    FILE *kept = fopen(path, "r");
    assert_non_null(kept);
    size_t len = fread(text, 1, sizeof(text) - 1, kept);
    assert_true(len > 0);
    assert_int_equal(fclose(kept), 0);
    assert_string_equal(text, "echo reset done\nexit 0\n\nreset done\n");
    gw_run_free(&run);
    (void)snprintf(path, sizeof(path), "rm -r %s", dir);
    assert_int_equal(system(path), 0);
}

int main(void)
{
    gw_temporary folder;
    if (!gw_temporary_folder(&folder) || chdir(folder.path) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenarios_end_as_they_should),
        cmocka_unit_test(a_flood_does_not_fill_the_evidence),
        cmocka_unit_test(a_flood_is_no_packet_that_decided),
        cmocka_unit_test(evidence_that_cannot_be_kept_is_named),
        cmocka_unit_test(hooks_leave_their_output),
        cmocka_unit_test(a_flood_drowns_no_interrupt),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)rmdir(folder.path);
    return failed;
}
