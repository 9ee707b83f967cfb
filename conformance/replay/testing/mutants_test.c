/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces of the good boards, sent to their mutants: mutants.txt says, as data, in which field of an
 * answer each mutant differs first when a case of the good board is replayed. */
#include "replay/testing/replay_testing.h"

#define NAME GW_SOURCE_DIR "/conformance/replay/mutants.txt"

/* In a few words: the field, the rule that is broken where no field differs, or what happened. */
static void say(char *out, size_t cap, const played *p)
{
    const char *text = p->result.text;
    if (p->result.verdict != GW_FAIL)
        (void)snprintf(out, cap, "%s", gw_verdict_name(p->result.verdict));
    else if (p->report.differs)
        (void)snprintf(out, cap, "%s", p->report.difference.field->name);
    else if (p->result.rule != NULL && strstr(text, "equal where it counts") != NULL)
        (void)snprintf(out, cap, "breaks %s", p->result.rule->id);
    else if (strstr(text, "did not come") != NULL)
        (void)snprintf(out, cap, "missing");
    else if (strstr(text, "the trace does not have") != NULL)
        (void)snprintf(out, cap, "unexpected");
    else
        fail_msg("%s", text);
}

/* What becomes of |one|, recorded from the good board, on the mutant. */
static void try(char *out, size_t cap, const char *role, bool stream, const char *mutant,
                const char *one)
{
    char why[256] = "";
    record(role, stream, one);
    gw_trace *trace = load(role, why, sizeof(why));
    if (trace == NULL) {
        (void)snprintf(out, cap, "nothing to replay"); /* alone the case says nothing */
        return;
    }
    gw_trace_free(trace);
    played p = play(role, mutant, stream, GW_REPLAY_LOCKSTEP);
    say(out, cap, &p);
}

/* ---- holding the boards to the file ---- */

/* A line of the file: "etherbone-slave over TCP | m-no-pr | eb-s/probe-answered | etherbone.pr". */
typedef struct row {
    char role[32];
    char mutant[64];
    char one[64]; /* the case */
    char what[64];
    bool stream;
} row;

static bool read_row(row *out, const char *line)
{
    char *over;
    if (sscanf(line, "%31[^|]| %63[^| ] | %63[^| ] | %63[^\n]", out->role, out->mutant, out->one,
               out->what) != 4)
        return false;
    over = strstr(out->role, " over TCP");
    out->stream = over != NULL;
    if (over == NULL)
        over = out->role + strcspn(out->role, " ");
    *over = '\0';
    return true;
}

static void mutants_differ_where_they_are_wrong(void **state)
{
    size_t *seen = calloc(gw_num_boards, sizeof(*seen));
    unsigned streams = 0;
    char line[256];
    FILE *file = fopen(NAME, "r");
    (void)state;
    assert_non_null(seen);
    assert_non_null(file);
    while (fgets(line, sizeof(line), file) != NULL) {
        char what[64];
        row r;
        if (line[0] == '#')
            continue;
        if (!read_row(&r, line))
            fail_msg("%s: %s", NAME, line);
        alarm(FOREVER);
        try(what, sizeof(what), r.role, r.stream, r.mutant, r.one);
        if (strcmp(what, r.what) != 0)
            fail_msg("%s%s %s in %s: %s, and %s is expected", r.role, r.stream ? " over TCP" : "",
                     r.mutant, r.one, what, r.what);
        for (size_t i = 0; i < gw_num_boards; i++)
            seen[i] += strcmp(gw_boards[i]->role, r.role) == 0;
        streams += r.stream;
    }
    assert_int_equal(fclose(file), 0);
    for (size_t i = 0; i < gw_num_boards; i++) {
        if (seen[i] < (gw_boards[i]->num_mutants + 3) / 4)
            fail_msg("%s: %zu mutants are not enough", gw_boards[i]->role, seen[i]);
    }
    assert_true(streams > 0);
    free(seen);
}

/* ---- writing the file ---- */

/* What is recorded to find out which case shows a mutant: not everything of a Worker, which tells
 * its story again for each case. */
static const char *const worker_cases[] = {
    "ims-w/status-format", "ims-w/version",  "ims-w/arbitrary-fields", "ims-w/nack*",
    "ims-w/no-response",   "ims-w/stranger", "ims-w/give-up",          "ims-w/repeated",
};

static void write_rows(FILE *out, const char *role, bool stream)
{
    static const char *const all[] = {"*"};
    const gw_board *board = gw_board_by_role(role);
    bool worker = strcmp(role, "ims-worker") == 0;
    const char *const *cases = worker ? worker_cases : all;
    size_t num_cases = worker ? GW_ARRAY_LEN(worker_cases) : GW_ARRAY_LEN(all);
    for (size_t i = 0; i < board->num_mutants; i++) {
        const char *id = board->mutants[i].id;
        char one[GW_TRACE_LABEL];
        char what[64];
        if (stream && strncmp(id, "m-tcp-", 6) != 0)
            continue; /* over TCP only what is about TCP is new */
        record_cases(role, stream, cases, num_cases);
        played p = play(role, id, stream, GW_REPLAY_LOCKSTEP);
        if (p.result.verdict != GW_FAIL)
            continue; /* no answer shows it */
        (void)snprintf(one, sizeof(one), "%s", p.report.label);
        try(what, sizeof(what), role, stream, id, one);
        /* Else an earlier case is needed. */
        if (strcmp(what, "PASS") != 0 && strcmp(what, "nothing to replay") != 0)
            fprintf(out, "%s%s | %s | %s | %s\n", role, stream ? " over TCP" : "", id, one, what);
    }
}

static void write_file(void)
{
    FILE *out = fopen(NAME, "w");
    assert_non_null(out);
    fprintf(out,
            "# SPDX-License-Identifier: BSD-2-Clause\n"
            "# What a replay of one case of the good board shows of a mutant first: the field in "
            "which an answer differs, the rule\n"
            "# that it breaks where none does, or that an answer is missing, or unexpected. "
            "Mutants that no answer shows are left out.\n"
            "# role | mutant | case | what\n");
    for (size_t i = 0; i < gw_num_boards; i++) {
        alarm(FOREVER);
        write_rows(out, gw_boards[i]->role, false);
        if (gw_board_may_stream(gw_boards[i]))
            write_rows(out, gw_boards[i]->role, true);
    }
    assert_int_equal(fclose(out), 0);
}

static int prepare(void **state)
{
    int code = set_up(state);
    if (getenv("GW_UPDATE_REPLAYS") != NULL)
        write_file();
    return code;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mutants_differ_where_they_are_wrong),
    };
    return cmocka_run_group_tests(tests, prepare, tear_down);
}
