/* SPDX-License-Identifier: BSD-2-Clause */
/* What changed between two runs. Of a run nothing is taken for granted but that it is JSON. */
#include <string.h>

#include "evidence/past.h"

/* Before, by row; after, by column: PASS FAIL WARN INCONC ERROR NA WAIVED XPASS. '-' is worse: what
 * was shown is no longer shown, whatever the reason, or a failure is there that was not. '+' is
 * better, '~' neither: a failure that cannot be seen any more, or is waived now, is not mended. */
static const char changes[GW_NUM_VERDICTS][GW_NUM_VERDICTS + 1] = {
    [GW_PASS] = "=------~",   [GW_FAIL] = "+=+~~~~+",  [GW_WARN] = "+-=~~~~+",
    [GW_INCONC] = "+-~=~~~+", [GW_ERROR] = "+-~~=~~+", [GW_NA] = "+-~~~=~+",
    [GW_WAIVED] = "+-+~~~=+", [GW_XPASS] = "~------=",
};

gw_change gw_change_of(gw_verdict before, gw_verdict after)
{
    switch (changes[before][after]) {
    case '-':
        return GW_WORSE;
    case '+':
        return GW_BETTER;
    case '~':
        return GW_OTHER;
    default:
        return GW_SAME;
    }
}

const char *gw_change_name(gw_change change)
{
    static const char *const names[] = {"same", "worse", "better", "other"};
    return names[change];
}

/* ---- cases ---- */

static json_t *case_change(const char *id, const json_t *before, const json_t *after,
                           gw_change change)
{
    return json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s}", "id", id, "change",
                     gw_change_name(change), "title", gw_past_text(after, "title"), "old",
                     gw_past_text(before, "verdict"), "new", gw_past_text(after, "verdict"), "rule",
                     gw_past_rule(after), "old_text", gw_past_text(before, "text"), "new_text",
                     gw_past_text(after, "text"));
}

static json_t *lone_case(const char *id, const json_t *one)
{
    return json_pack("{s:s,s:s,s:s}", "id", id, "title", gw_past_text(one, "title"), "verdict",
                     gw_past_text(one, "verdict"));
}

static gw_change compare_case(const json_t *before, const json_t *after)
{
    gw_verdict was = GW_PASS;
    gw_verdict is = GW_PASS;
    if (!gw_past_verdict(before, &was) || !gw_past_verdict(after, &is))
        return GW_OTHER;
    gw_change change = gw_change_of(was, is);
    /* It still fails, and for another reason. */
    if (change == GW_SAME && gw_past_fails(is) &&
        strcmp(gw_past_rule(before), gw_past_rule(after)) != 0)
        return GW_OTHER;
    return change;
}

static void compare_cases(json_t *out, json_t *before, json_t *after, const json_t *run,
                          unsigned counts[4])
{
    size_t i;
    json_t *one;
    const char *id;
    json_t *list = json_array();
    json_t *only_old = json_array();
    json_t *only_new = json_array();
    /* In the order of the newer catalogue. */
    json_array_foreach(json_object_get(run, "cases"), i, one)
    {
        const json_t *old = json_object_get(before, gw_past_text(one, "id"));
        if (json_object_get(after, gw_past_text(one, "id")) != one)
            continue;
        if (old == NULL) {
            json_array_append_new(only_new, lone_case(gw_past_text(one, "id"), one));
            continue;
        }
        gw_change change = compare_case(old, one);
        counts[change]++;
        if (change != GW_SAME)
            json_array_append_new(list, case_change(gw_past_text(one, "id"), old, one, change));
    }
    json_object_foreach(before, id, one)
    {
        if (json_object_get(after, id) == NULL)
            json_array_append_new(only_old, lone_case(id, one));
    }
    json_object_set_new(out, "cases", list);
    json_object_set_new(out, "only_old", only_old);
    json_object_set_new(out, "only_new", only_new);
}

/* ---- rules ---- */

static json_t *compare_rules(json_t *before, json_t *after)
{
    const char *id;
    json_t *one;
    json_t *list = json_array();
    json_t *old_rules = gw_past_rules(before);
    json_t *new_rules = gw_past_rules(after);
    json_object_foreach(new_rules, id, one)
    {
        gw_verdict was;
        gw_verdict is;
        const char *old = json_string_value(json_object_get(old_rules, id));
        if (old == NULL || !gw_verdict_by_name(&was, old) ||
            !gw_verdict_by_name(&is, json_string_value(one)) || was == is)
            continue;
        json_array_append_new(list, json_pack("{s:s,s:s,s:s,s:s}", "id", id, "change",
                                              gw_change_name(gw_change_of(was, is)), "old", old,
                                              "new", json_string_value(one)));
    }
    json_decref(old_rules);
    json_decref(new_rules);
    return list;
}

/* ---- identity ---- */

static void compare_member(json_t *list, const char *what, const json_t *old, const json_t *new)
{
    if (old == NULL || new == NULL || json_equal(old, new))
        return;
    json_t *copy_of_old = json_deep_copy(old);
    json_t *copy_of_new = json_deep_copy(new);
    json_array_append_new(
        list, json_pack("{s:s,s:o,s:o}", "what", what, "old", copy_of_old, "new", copy_of_new));
}

static json_t *compare_identity(const json_t *before, const json_t *after)
{
    static const char *const of_board[] = {"make", "serial",  "firmware", "firmware_sha256",
                                           "url",  "dialect", "found",    "bitstream_sha256"};
    static const char *const of_run[] = {"seed", "strict", "outcome"};
    json_t *list = json_array();
    const json_t *old_board = json_object_get(before, "board");
    const json_t *new_board = json_object_get(after, "board");
    for (size_t i = 0; i < GW_ARRAY_LEN(of_board); i++)
        compare_member(list, of_board[i], json_object_get(old_board, of_board[i]),
                       json_object_get(new_board, of_board[i]));
    compare_member(list, "goldwire", json_object_get(json_object_get(before, "tool"), "version"),
                   json_object_get(json_object_get(after, "tool"), "version"));
    for (size_t i = 0; i < GW_ARRAY_LEN(of_run); i++)
        compare_member(list, of_run[i], json_object_get(before, of_run[i]),
                       json_object_get(after, of_run[i]));
    return list;
}

/* ---- claims ---- */

/* More than these no board makes; a hostile run may hold any number. */
#define MAX_CLAIMS 256

static const json_t *claim_called(const json_t *run, const char *name)
{
    const json_t *claims = json_object_get(run, "claims");
    for (size_t i = 0; i < json_array_size(claims) && i < MAX_CLAIMS; i++)
        if (strcmp(gw_past_text(json_array_get(claims, i), "claim"), name) == 0)
            return json_array_get(claims, i);
    return NULL;
}

static bool is_over(const json_t *claim)
{
    return strcmp(gw_past_text(claim, "verdict"), "over-claim") == 0;
}

static bool same_member(const json_t *a, const json_t *b, const char *name)
{
    json_t *of_a = json_object_get(a, name);
    json_t *of_b = json_object_get(b, name);
    return of_a == of_b || json_equal(of_a, of_b);
}

/* Claims that are made or shown otherwise. */
static json_t *compare_claims(const json_t *before, const json_t *after, unsigned counts[4])
{
    json_t *list = json_array();
    const json_t *claims = json_object_get(after, "claims");
    for (size_t i = 0; i < json_array_size(claims) && i < MAX_CLAIMS; i++) {
        const json_t *is = json_array_get(claims, i);
        const json_t *was = claim_called(before, gw_past_text(is, "claim"));
        if (was == NULL || (same_member(was, is, "claimed") && same_member(was, is, "shown")))
            continue;
        gw_change change = is_over(is) == is_over(was) ? GW_OTHER
                           : is_over(is)               ? GW_WORSE
                                                       : GW_BETTER;
        counts[change]++;
        json_array_append_new(list,
                              json_pack("{s:s,s:s,s:o,s:o}", "claim", gw_past_text(is, "claim"),
                                        "change", gw_change_name(change), "old",
                                        json_deep_copy(was), "new", json_deep_copy(is)));
    }
    return list;
}

json_t *gw_past_compare(const json_t *before, const json_t *after)
{
    json_t *out =
        json_pack("{s:s,s:s,s:s}", "role", gw_past_text(after, "role"), "old_started",
                  gw_past_text(before, "started"), "new_started", gw_past_text(after, "started"));
    unsigned counts[4] = {0};
    json_t *old_cases = gw_past_cases(before);
    json_t *new_cases = gw_past_cases(after);
    json_object_set_new(out, "identity", compare_identity(before, after));
    compare_cases(out, old_cases, new_cases, after, counts);
    json_object_set_new(out, "claims", compare_claims(before, after, counts));
    for (unsigned c = 0; c < 4; c++)
        json_object_set_new(out, gw_change_name((gw_change)c), json_integer(counts[c]));
    json_object_set_new(out, "rules", compare_rules(old_cases, new_cases));
    json_decref(old_cases);
    json_decref(new_cases);
    return out;
}
