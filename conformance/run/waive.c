/* SPDX-License-Identifier: BSD-2-Clause */
/* Applies waivers to results. A waiver covers one failure of one case: it must neither hide another
 * failure nor outlive its reason. */
#include "run/waive.h"

#include <stdio.h>
#include <string.h>

static bool concerns(const gw_waiver *waiver, const gw_result *result, const gw_board_file *board)
{
    bool firmware = waiver->firmware[0] == '\0' || strcmp(waiver->firmware, board->firmware) == 0;
    return firmware && strcmp(waiver->which, result->which->id) == 0;
}

static void add_note(gw_result *result, const char *text, const char *more)
{
    size_t len = strlen(result->notes);
    (void)snprintf(result->notes + len, sizeof(result->notes) - len, "%s%s%s", len > 0 ? "\n" : "",
                   text, more);
}

static void known_note(gw_result *result, const gw_dialect *dialect, const gw_known_fault *known)
{
    char why[256];
    (void)snprintf(why, sizeof(why), "%s%s%s", dialect->name, known->why != NULL ? ": " : "",
                   known->why != NULL ? known->why : "");
    add_note(result, "known of dialect ", why);
}

void gw_waive_known(gw_result *result, const gw_dialect *dialect)
{
    bool failed = result->verdict == GW_FAIL || result->verdict == GW_WARN;
    if (!failed || result->rule == NULL)
        return;
    const char *which = result->which != NULL ? result->which->id : NULL;
    const gw_known_fault *known = gw_dialect_knows(dialect, result->rule, which, result->text);
    if (known == NULL)
        return;
    result->verdict = GW_WAIVED;
    known_note(result, dialect, known);
}

static void waive_failure(gw_result *result, const gw_waiver *waiver, int64_t now_ns)
{
    result->waiver = waiver;
    if (now_ns < waiver->ends_ns) {
        result->verdict = GW_WAIVED;
        return;
    }
    result->waiver_expired = true;
    add_note(result, "its waiver has expired on ", waiver->expires);
}

static void not_needed(gw_result *result, const gw_waiver *waiver, int64_t now_ns)
{
    result->waiver = waiver;
    if (now_ns >= waiver->ends_ns) {
        result->waiver_expired = true;
        add_note(result, "its expired waiver is not needed any more: ", waiver->ticket);
        return;
    }
    result->verdict = GW_XPASS;
    (void)snprintf(result->text, sizeof(result->text),
                   "passes although it is waived (%s, %s): take the waiver out", waiver->ticket,
                   waiver->owner);
}

/* The waiver that fits the failure best: one that holds before one that has expired. */
static const gw_waiver *find(const gw_result *result, const gw_board_file *board, bool failed,
                             int64_t now_ns, const gw_waiver **other)
{
    const gw_waiver *best = NULL;
    for (size_t i = 0; i < board->num_waivers; i++) {
        const gw_waiver *waiver = &board->waivers[i];
        if (!concerns(waiver, result, board))
            continue;
        if (failed && strstr(result->text, waiver->text) == NULL)
            *other = waiver;
        else if (best == NULL || (now_ns >= best->ends_ns && now_ns < waiver->ends_ns))
            best = waiver;
    }
    return best;
}

void gw_waive(gw_result *result, const gw_board_file *board, int64_t now_ns)
{
    bool failed = result->verdict == GW_FAIL || result->verdict == GW_WARN;
    const gw_waiver *other = NULL;
    if (!failed && result->verdict != GW_PASS)
        return;
    const gw_waiver *waiver = find(result, board, failed, now_ns, &other);
    if (waiver != NULL && failed)
        waive_failure(result, waiver, now_ns);
    else if (waiver != NULL)
        not_needed(result, waiver, now_ns);
    else if (other != NULL)
        add_note(result, "waived is another failure of this case: ", other->text);
}
