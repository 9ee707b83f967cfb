/* SPDX-License-Identifier: BSD-2-Clause */
/* Before the first case: is the board there, and is it the one that its file describes? */
#include "run/preflight.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "harness/socket.h"
#include "harness/stop.h"
#include "harness/times.h"
#include "run/alive.h"

#define FIRST_NS (500 * GW_MS)
#define FIRST_TRIES 3
#define PATIENCE_TRIES 16 /* where a network may lose probes, or be down for a while */

/* What the board shows of itself, whatever becomes of the question. */
static void look_at_claims(gw_ctx *ctx, void *arg)
{
    if (ctx->suite->show != NULL)
        ctx->suite->show(ctx, arg);
}

/* Compares what is claimed with what is shown; from here on the cases go by both. */
static void compare_claims(gw_ctx *ctx, gw_run *run, char *why, size_t why_cap)
{
    gw_claims shown = {0};
    gw_ctx_guard(ctx, look_at_claims, &shown);
    for (size_t i = 0; i < gw_num_claim_fields; i++) {
        const gw_claim_field *field = &gw_claim_fields[i];
        if (!gw_claim_of_role(field, ctx->suite->role))
            continue;
        gw_claim_check check = gw_claim_compare(field, &ctx->setup->board->claims, &shown);
        /* What an impaired way brought is no proof that the board lacks something. */
        if (gw_impairs(&ctx->target->impairment) &&
            (check.verdict == GW_CLAIM_OVER || check.verdict == GW_CLAIM_CONTRADICTS)) {
            gw_claim_set(&shown, field, 0);
            check = gw_claim_compare(field, &ctx->setup->board->claims, &shown);
        }
        run->claims[run->num_claims++] = check;
        if (check.verdict == GW_CLAIM_OVER)
            run->counts.over_claims++;
        if (check.verdict == GW_CLAIM_CONTRADICTS && !run->contradicted) {
            char said[48];
            char seen[48];
            run->contradicted = true;
            (void)snprintf(why, why_cap,
                           "the board is not the one described: %s is claimed to be %s and is %s",
                           field->name, gw_claim_text(field, check.claimed, said, sizeof(said)),
                           gw_claim_text(field, check.shown, seen, sizeof(seen)));
        }
        gw_claim_set(&ctx->board.claims, field, check.used);
    }
}

/* A board that has just been started is given its time to come up. */
static int64_t start_settle_ns(const gw_ctx *ctx)
{
    bool started = !ctx->suite->calls_us && gw_rescue_has(&ctx->rescue, GW_HOOK_START);
    return started ? ctx->rescue.hooks[GW_HOOK_START].settle_s * GW_SECOND : 0;
}

static bool way_broken(const gw_ctx *ctx)
{
    char why[160];
    gw_target *target = ctx->setup->target;
    return target->broken != NULL && target->broken(target, why, sizeof(why));
}

static bool is_misfit(const gw_ctx *ctx, gw_run *run)
{
    gw_target *target = ctx->setup->target;
    return target->misfit != NULL && target->misfit(target, run->misfit, sizeof(run->misfit));
}

/* Whether a simulated board's simulator has not come yet. */
static bool is_absent(const gw_ctx *ctx)
{
    return ctx->target->sim != NULL && ctx->refused;
}

/* Whether a board that has been looked for |tries| times, and |absent| times before its simulator
 * was there, |least| being enough, has had its time to come up. Once its simulator is there, a
 * simulated board needs none of the wall's. */
static bool is_looked_for(const gw_ctx *ctx, unsigned tries, unsigned absent, unsigned least,
                          int64_t until)
{
    bool late = gw_clock_ns(CLOCK_MONOTONIC) >= until;
    if (ctx->target->sim != NULL)
        return is_absent(ctx) ? late && absent >= least : tries >= least;
    return tries >= least && late;
}

/* Looks for the board until it answers, or there is no use in it: its start hook failed, or what is
 * there is not it. Returns how often it was looked for, of a simulated board since its simulator is
 * there. */
static unsigned look(gw_ctx *ctx, gw_run *run, int64_t wait_ns)
{
    bool far = !gw_ctx_near(ctx) && !ctx->suite->calls_us;
    unsigned least = ctx->setup->first_ns > 0 ? 1 : FIRST_TRIES;
    unsigned absent = 0;
    int64_t until = gw_clock_ns(CLOCK_MONOTONIC) + start_settle_ns(ctx);
    for (unsigned tries = 1;; tries++) {
        run->answered = gw_alive(ctx, wait_ns);
        if (far && !ctx->refused && ctx->fault[0] == '\0' && !way_broken(ctx))
            least = PATIENCE_TRIES;
        absent += is_absent(ctx);
        bool enough = gw_stopped() || is_looked_for(ctx, tries - absent, absent, least, until);
        if (run->answered || enough || is_misfit(ctx, run) || gw_rescue_start_failed(&ctx->rescue))
            return is_absent(ctx) ? tries : tries - absent;
        gw_alive_pause(ctx);
    }
}

/* An earlier job may have left the board hung. */
static gw_recovery revive(gw_ctx *ctx, char *how, size_t how_cap)
{
    bool any =
        gw_rescue_has(&ctx->rescue, GW_HOOK_SOFT) || gw_rescue_has(&ctx->rescue, GW_HOOK_POWER);
    how[0] = '\0';
    if (gw_revive(ctx, how, how_cap) == GW_RECOVERED)
        return GW_RECOVERED;
    return any ? gw_recover_with_hooks(ctx, GW_HOOK_POWER, how, how_cap) : GW_BOARD_GONE;
}

/* What there is to say about hooks when the board is not there; "" when it has none. */
static const char *about_start(gw_ctx *ctx)
{
    if (gw_rescue_has(&ctx->rescue, GW_HOOK_START)) {
        (void)gw_rescue_start_failed(&ctx->rescue); /* brings what is known of it up to date */
        return ctx->rescue.start_how;
    }
    bool unused = ctx->rescue.hooks == NULL && gw_board_has_hooks(ctx->setup->board);
    return unused ? "its hooks were not run: --hooks lets goldwire run them" : "";
}

/* Adds "; |text|" unless |text| is empty. */
static void add(char *to, size_t cap, const char *text)
{
    size_t len = strlen(to);
    if (text[0] != '\0' && len < cap)
        (void)snprintf(to + len, cap - len, "; %s", text);
}

/* The sentence about a board that did not answer to |tries| attempts. */
static void describe_silence(const gw_ctx *ctx, unsigned tries, int64_t wait_ns, char *out,
                             size_t cap)
{
    const char *plural = tries == 1 ? "" : "s";
    char waited[24];
    if (ctx->suite->calls_us && ctx->rescue.start_failed)
        (void)snprintf(out, cap, "the board did not call%s", ctx->silence);
    else if (ctx->refused)
        (void)snprintf(out, cap, "%u attempt%s failed%s", tries, plural, ctx->silence);
    else
        (void)snprintf(out, cap, "no answer to %u attempt%s of %s%s", tries, plural,
                       gw_times_text(waited, sizeof(waited), wait_ns), ctx->silence);
}

gw_verdict gw_preflight(gw_ctx *ctx, gw_run *run, char *why, size_t why_cap)
{
    const gw_run_setup *setup = ctx->setup;
    char said[320] = "";
    char started[240] = "";
    char revived[160] = "";
    char broken[160] = "";
    char how[160];
    int64_t wait = setup->first_ns > 0 ? setup->first_ns : gw_case_scaled_ns(ctx, FIRST_NS);
    gw_result spare = {0};
    ctx->result = &spare;
    if (!ctx->suite->calls_us && gw_rescue_has(&ctx->rescue, GW_HOOK_START))
        (void)gw_rescue_run(&ctx->rescue, GW_HOOK_START, how, sizeof(how));
    unsigned tries = look(ctx, run, wait);
    if (run->misfit[0] != '\0') {
        (void)snprintf(run->preflight, sizeof(run->preflight), "%s", run->misfit);
        (void)snprintf(why, why_cap, "%s", run->misfit);
        return GW_INCONC;
    }
    if (!run->answered) {
        describe_silence(ctx, tries, wait, said, sizeof(said));
        (void)snprintf(started, sizeof(started), "%s", about_start(ctx));
        bool ours = ctx->fault[0] != '\0';
        bool path_fails = !ours && setup->target->broken != NULL &&
                          setup->target->broken(setup->target, broken, sizeof(broken));
        if (!path_fails)
            broken[0] = '\0';
        if (!path_fails && !ours && !gw_stopped())
            run->answered = revive(ctx, revived, sizeof(revived)) == GW_RECOVERED;
    }
    if (!run->answered && ctx->fault[0] != '\0') {
        (void)snprintf(run->preflight, sizeof(run->preflight), "goldwire failed: %s", ctx->fault);
        (void)snprintf(why, why_cap, "goldwire cannot reach the board: %s", ctx->fault);
        return GW_ERROR;
    }
    if (!run->answered) {
        (void)snprintf(why, why_cap, "the board never answered%s%s", broken[0] != '\0' ? ": " : "",
                       broken);
        (void)snprintf(run->preflight, sizeof(run->preflight), "%s", said);
        add(run->preflight, sizeof(run->preflight), started);
        add(run->preflight, sizeof(run->preflight), revived);
        add(run->preflight, sizeof(run->preflight), broken);
        return GW_INCONC;
    }
    (void)snprintf(run->preflight, sizeof(run->preflight), "the board answers");
    if (revived[0] != '\0')
        (void)snprintf(run->preflight, sizeof(run->preflight),
                       "the board answers after %s; before that, %s", revived, said);
    compare_claims(ctx, run, why, why_cap);
    if (ctx->suite->identify != NULL)
        ctx->suite->identify(ctx, run->identity, sizeof(run->identity));
    gw_ctx_close_all(ctx, true);
    return run->contradicted ? GW_INCONC : GW_PASS;
}
