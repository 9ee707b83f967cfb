/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS Worker cases: what the path may have done. Nobody can probe the path to a board that calls
 * us, but its packets of data are numbered, and it asks again when an answer gets lost. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "formats/ims/worker/suite.h"
#include "measure/root.h"

#define RISK 1e-6       /* of taking what the path did for the Worker's fault */
#define LEAST_LOSS 0.03 /* that is reckoned with, however little was seen */
#define WORSE 3         /* times what was seen may be lost elsewhere */
#define REPEATS_MAX 64

/* The share of |seen| among |tries|, as high as it may well be. */
static double at_most(unsigned seen, unsigned tries)
{
    return (seen + gw_root(seen)) / (tries + 10.0);
}

void gw_imsw_note_loss(gw_imsw_loss *loss, const gw_imsw_session *session)
{
    static const uint8_t methods[] = {GW_IMS_STAT_REQ, GW_IMS_DATA_REQ, GW_IMS_DATA_TERM,
                                      GW_IMS_STAT_TERM};
    loss->data += session->num_data + session->missing;
    loss->missing += session->missing;
    for (size_t i = 0; i < GW_ARRAY_LEN(methods); i++) {
        unsigned num = session->requests[methods[i]];
        loss->requests += num;
        loss->repeated += num > 1 ? num - 1 : 0;
    }
}

unsigned gw_imsw_repeats_due(const gw_imsw_loss *loss)
{
    double there = at_most(loss->repeated, loss->requests);
    double back = at_most(loss->missing, loss->data);
    double chance = WORSE * (there > back ? there : back);
    if (chance < LEAST_LOSS)
        chance = LEAST_LOSS;
    double all = chance;
    unsigned num = 1;
    while (all > RISK && num < REPEATS_MAX) {
        all *= chance;
        num++;
    }
    return num;
}

/* Counts a failure at |place|. True when it was there so often that nothing else explains it. */
static bool is_shown(gw_ctx *ctx, const char *rule, uint32_t place)
{
    gw_imsw_state *state = gw_imsw_state_of(ctx);
    rule = rule != NULL ? rule : gw_case_self(ctx)->rules[0];
    gw_imsw_streak *streak = &state->streak;
    bool same = streak->which == gw_case_self(ctx) && streak->place == place &&
                streak->rule != NULL && strcmp(streak->rule, rule) == 0;
    if (!same)
        *streak = (gw_imsw_streak){.which = gw_case_self(ctx), .rule = rule, .place = place};
    streak->num++;
    streak->lately = true;
    return streak->num >= gw_imsw_repeats_due(&state->loss);
}

void gw_imsw_fail(gw_ctx *ctx, const gw_miss *miss, uint32_t place, const char *fmt, ...)
{
    char text[400];
    gw_miss told = *miss;
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    told.proven = told.proven || (!gw_case_near(ctx) && is_shown(ctx, miss->rule, place));
    gw_case_fail(ctx, &told, "%s", text);
}
