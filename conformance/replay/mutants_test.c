/* SPDX-License-Identifier: BSD-2-Clause */
/* A trace of the good board, sent to each of its mutants: mutants.txt says, as data, in which field
 * the first answer differs that does, and in which case of the trace that is. */
#define FOREVER 100
#include "replay/replay_testing.h"

/* What is recorded, where that is not everything. A Worker tells its story again for each case. */
static const char *const worker_cases[] = {
    "ims-w/status-format", "ims-w/version",  "ims-w/arbitrary-fields", "ims-w/nack*",
    "ims-w/no-response",   "ims-w/stranger", "ims-w/give-up",          "ims-w/repeated",
};

static const char *const all[] = {"*"};

/* In a few words: the field, the rule that is broken where no field differs, or what happened. */
static void say(FILE *out, const played *p)
{
    const char *text = p->result.text;
    if (p->result.verdict == GW_PASS)
        fprintf(out, "hidden");
    else if (p->result.verdict != GW_FAIL)
        fprintf(out, "%s", gw_verdict_name(p->result.verdict));
    else if (p->report.differs)
        fprintf(out, "%s", p->report.difference.field->name);
    else if (p->result.rule != NULL && strstr(text, "equal where it counts") != NULL)
        fprintf(out, "breaks %s", p->result.rule->id);
    else if (strstr(text, "did not come") != NULL)
        fprintf(out, "missing");
    else if (strstr(text, "the trace does not have") != NULL)
        fprintf(out, "unexpected");
    else
        fail_msg("%s", text);
    if (p->result.verdict != GW_PASS)
        fprintf(out, " in %s", p->report.label);
    fprintf(out, "\n");
}

static void look_at(FILE *out, const char *role, bool stream)
{
    const gw_board *board = gw_board_by_role(role);
    bool worker = strcmp(role, "ims-worker") == 0;
    record_cases(role, stream, worker ? worker_cases : all,
                 worker ? GW_ARRAY_LEN(worker_cases) : GW_ARRAY_LEN(all));
    for (size_t i = 0; i < board->num_mutants; i++) {
        const char *id = board->mutants[i].id;
        /* Over TCP only what is about TCP is new. */
        if (stream && strncmp(id, "m-tcp-", 6) != 0)
            continue;
        played p = play(role, id, stream, GW_REPLAY_LOCKSTEP);
        fprintf(out, "%s%s %s: ", role, stream ? " over TCP" : "", id);
        say(out, &p);
    }
}

static char *slurp(const char *name, size_t *len)
{
    enum { MOST = 1 << 20 };
    FILE *file = fopen(name, "rb");
    char *text = malloc(MOST);
    assert_non_null(text);
    *len = file != NULL ? fread(text, 1, MOST, file) : 0;
    if (file != NULL)
        (void)fclose(file);
    return text;
}

static void mutants_differ_where_they_are_wrong(void **state)
{
    static const struct {
        const char *role;
        bool stream;
    } boards[] = {{"etherbone-slave", false},
                  {"etherbone-slave", true},
                  {"etherbone-master", false},
                  {"textarossa-node", false},
                  {"textarossa-switch", false},
                  {"op2p-node", false},
                  {"ims-buf", false},
                  {"ims-worker", false},
                  {"l1-ru", false},
                  {"l1-cn", false},
                  {"l1-du", false}};
    const char *name = GW_SOURCE_DIR "/conformance/replay/mutants.txt";
    char *now = NULL;
    size_t now_len;
    size_t kept_len;
    FILE *mem = open_memstream(&now, &now_len);
    (void)state;
    assert_non_null(mem);
    fprintf(mem,
            "# SPDX-License-Identifier: BSD-2-Clause\n"
            "# ROLE MUTANT: the field in which its first wrong answer differs, or the rule that "
            "it breaks, or that an\n"
            "# answer is missing, or unexpected, in which case of the trace; hidden: no answer "
            "of a replay shows it.\n");
    for (size_t i = 0; i < GW_ARRAY_LEN(boards); i++) {
        alarm(FOREVER);
        look_at(mem, boards[i].role, boards[i].stream);
    }
    assert_int_equal(fclose(mem), 0);
    if (getenv("GW_UPDATE_REPLAYS") != NULL) {
        FILE *file = fopen(name, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(now, 1, now_len, file), now_len);
        assert_int_equal(fclose(file), 0);
    }
    char *kept = slurp(name, &kept_len);
    if (kept_len != now_len || memcmp(kept, now, now_len) != 0)
        fail_msg("%s says otherwise; if that is meant, run this test once with GW_UPDATE_REPLAYS=1 "
                 "and look at the difference. Now:\n%s",
                 name, now);
    free(kept);
    free(now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mutants_differ_where_they_are_wrong),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
