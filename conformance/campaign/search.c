/* SPDX-License-Identifier: BSD-2-Clause */
/* Tries, each on a board that was seen well before it. */
#include "campaign/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "campaign/name.h"
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

/* Fires, and keeps what was said, with comments, when it shows the anomaly. */
static bool fire_and_look(gw_search *s, const gw_shots *shots, size_t first, size_t num,
                          unsigned *sent)
{
    gw_ctx *ctx = s->ctx;
    gw_anomaly anomaly = {.by = s->like->by, .random = s->random};
    gw_evidence said = {0};
    const gw_found_context context = {
        .suite = ctx->suite, .target = ctx->target, .dialect = ctx->setup->dialect};
    gw_evidence_clear(&ctx->evidence);
    if (!gw_ahead_write_shots(s->ahead, shots, first, num)) {
        (void)snprintf(s->lost, sizeof(s->lost), "%s", s->ahead->why);
        return false;
    }
    if (!gw_fire(ctx, shots, first, num, sent, s->lost, sizeof(s->lost)))
        return false;
    bool shows = !gw_watch_look(s->watch, ctx, GW_WATCH_BY, &anomaly, sent != NULL ? &said : NULL);
    /* One failure that nobody had the time to repeat may be the path's. */
    shows = shows && !anomaly.unsure;
    if (shows && s->like->symptom == GW_SYMPTOM_NONE)
        *s->like = anomaly;
    shows = shows && gw_anomaly_equal(&anomaly, s->like);
    if (shows)
        memcpy(s->like->text, anomaly.text, sizeof(anomaly.text));
    if (shows && sent != NULL) {
        gw_found_comment(&said, &context, shots, first, num, sent, &anomaly);
        gw_evidence_move(s->said, &said);
        gw_evidence_move(s->seen, &ctx->evidence);
    }
    gw_evidence_free(&said);
    return shows;
}

bool gw_search_try(gw_search *s, const gw_shots *shots, size_t first, size_t num)
{
    if (gw_search_over(s) || !gw_search_ready(s))
        return false;
    s->tries++;
    /* Without memory for that, nothing is kept for people, and the search goes on. */
    unsigned *sent = s->said != NULL ? calloc(num + 1, sizeof(*sent)) : NULL;
    bool shows = fire_and_look(s, shots, first, num, sent);
    free(sent);
    return shows;
}

bool gw_search_alone(gw_search *s)
{
    const gw_shots none = {0};
    return s->like->by != NULL && (gw_watch_is_hostile(s->like->by) || s->ctx->suite->calls_us) &&
           gw_search_try(s, &none, 0, 0);
}

unsigned gw_search_count(gw_search *s, const gw_shots *shots, unsigned most, unsigned *tries)
{
    unsigned shown = 0;
    for (*tries = 0; *tries < most && !gw_search_over(s); ++*tries)
        shown += gw_search_try(s, shots, 0, shots->num);
    return shown;
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
