/* SPDX-License-Identifier: BSD-2-Clause */
/* Tries, each on a board that was seen well before it. */
#include "campaign/search.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "harness/socket.h"
#include "harness/stop.h"
#include "run/alive.h"
#include "run/runner.h"

bool gw_search_ready(gw_search *s)
{
    gw_ctx *ctx = s->ctx;
    char how[200] = "";
    gw_ctx_close_all(ctx, false);
    (void)gw_runner_start_anew(ctx);
    if (gw_alive_surely(ctx, false))
        return true;
    gw_recovery came = gw_recover(ctx, how, sizeof(how));
    s->recoveries += came == GW_RECOVERED;
    if (came == GW_RECOVERED)
        return true;
    (void)snprintf(s->lost, sizeof(s->lost), "%s%s%.160s",
                   came == GW_PATH_BROKEN ? "the path to the board is broken"
                   : came == GW_OUR_FAULT ? "goldwire could not look after the board"
                                          : "the board does not come back",
                   how[0] != '\0' ? ": " : "", how);
    return false;
}

bool gw_search_over(const gw_search *s)
{
    bool late = s->until_ns != 0 && gw_clock_ns(CLOCK_MONOTONIC) >= s->until_ns;
    return gw_stopped() || late || s->lost[0] != '\0' || (s->most > 0 && s->tries >= s->most);
}

bool gw_search_try(gw_search *s, const gw_shots *shots, size_t first, size_t num)
{
    gw_anomaly anomaly = {.by = s->like->by};
    if (gw_search_over(s) || !gw_search_ready(s))
        return false;
    s->tries++;
    gw_evidence said = {0};
    gw_evidence_clear(&s->ctx->evidence);
    if (!gw_fire(s->ctx, shots, first, num, s->lost, sizeof(s->lost)))
        return false;
    bool shows =
        !gw_watch_look(s->watch, s->ctx, GW_WATCH_BY, &anomaly, s->said != NULL ? &said : NULL);
    if (shows && s->like->symptom == GW_SYMPTOM_NONE)
        *s->like = anomaly;
    shows = shows && gw_anomaly_equal(&anomaly, s->like);
    if (shows && s->said != NULL) {
        gw_evidence_move(s->said, &said);
        gw_evidence_move(s->seen, &s->ctx->evidence);
    }
    gw_evidence_free(&said);
    return shows;
}

size_t gw_search_last(gw_search *s, const gw_shots *shots)
{
    for (size_t num = 1; shots->num > 0; num *= 2) {
        if (num > shots->num)
            num = shots->num;
        if (gw_search_try(s, shots, shots->num - num, num))
            return num;
        if (num == shots->num || gw_search_over(s))
            break;
    }
    return 0;
}
