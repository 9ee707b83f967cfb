/* SPDX-License-Identifier: BSD-2-Clause */
/* Before the first case: is the board there, and is it the one that its file describes? */
#include "run/preflight.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "harness/socket.h"
#include "harness/stop.h"
#include "harness/times.h"
#include "run/alive.h"

#define FIRST_NS (500 * GW_MS)
#define FIRST_TRIES 3
#define PATIENCE_TRIES 16       /* where a network may lose probes, or be down for a while */
#define LATE_NS (5 * GW_SECOND) /* for what comes too late */

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

/* ---- boards that answer too late ---- */

static size_t num_came(const gw_ctx *ctx)
{
    size_t num = 0;
    for (unsigned n = 1; n <= ctx->evidence.num_packets; n++) {
        const gw_evidence_packet *p = gw_evidence_get(&ctx->evidence, n);
        num += p->dir == GW_DIR_IN && p->kind == GW_EVIDENCE_BYTES;
    }
    return num;
}

/* What passed between the first packet sent behind the |before| first ones and the last one that
 * came, by the clock of the connections. */
static int64_t time_taken(const gw_ctx *ctx, unsigned before)
{
    int64_t began = INT64_MIN;
    int64_t ended = INT64_MIN;
    for (unsigned n = before + 1; n <= ctx->evidence.num_packets; n++) {
        const gw_evidence_packet *p = gw_evidence_get(&ctx->evidence, n);
        if (p->dir == GW_DIR_OUT && began == INT64_MIN)
            began = p->time_ns;
        if (p->dir == GW_DIR_IN)
            ended = p->time_ns;
    }
    return began == INT64_MIN || ended <= began ? 1 : ended - began;
}

/* Whether something may have come too late: datagrams do so while others are waited for; over TCP
 * the connection that it was for is closed by then. */
static bool may_be_late(const gw_ctx *ctx, size_t came_before)
{
    bool timed_out = ctx->refused && strstr(ctx->silence, strerror(ETIMEDOUT)) != NULL;
    return num_came(ctx) > came_before || timed_out || (gw_case_stream(ctx) && !ctx->refused);
}

/* Looks once more, and longer, at a board for which no attempt of |wait_ns| was long enough,
 * perhaps. Returns how long it took to show a sign of life; 0 when it shows none, or is waited for
 * in other ways. */
static int64_t look_longer(gw_ctx *ctx, size_t came_before, int64_t wait_ns)
{
    unsigned before = (unsigned)ctx->evidence.num_packets;
    if (ctx->suite->calls_us || ctx->target->sim != NULL || ctx->setup->first_ns > 0 ||
        ctx->fault[0] != '\0' || gw_stopped() || !may_be_late(ctx, came_before))
        return 0;
    bool there = gw_alive(ctx, wait_ns < LATE_NS / 2 ? LATE_NS : 2 * wait_ns);
    return there ? time_taken(ctx, before) : 0;
}

/* How many times as long as usual to wait for a board that takes |took_ns|, half of it again for
 * its worse days. */
static int64_t patience_for(int64_t took_ns)
{
    int64_t times = (took_ns + took_ns / 2 + FIRST_NS - 1) / FIRST_NS;
    return times < 2 ? 2 : times > GW_BOARD_PATIENCE_MAX ? GW_BOARD_PATIENCE_MAX : times;
}

/* ---- boards that do not serve ---- */

typedef struct service {
    int64_t wait_ns;
    const char *lacks; /* the case that shows that it does not; or NULL */
    char what[200];
} service;

static void ask_for_service(gw_ctx *ctx, void *arg)
{
    service *s = arg;
    s->lacks = ctx->suite->serves(ctx, s->wait_ns, s->what, sizeof(s->what));
}

/* On this host nothing is waited for long: cases tell it soon enough. */
static void look_at_service(gw_ctx *ctx, gw_run *run, int64_t wait_ns)
{
    service s = {.wait_ns = wait_ns};
    int64_t cap_ns = ctx->reply_cap_ns;
    if (ctx->suite->serves == NULL || gw_ctx_near(ctx))
        return;
    ctx->reply_cap_ns = wait_ns;
    gw_ctx_aside(ctx, ask_for_service, &s, NULL);
    ctx->reply_cap_ns = cap_ns;
    gw_ctx_close_all(ctx, false);
    if (s.lacks == NULL)
        return;
    run->unserved_by = s.lacks;
    (void)snprintf(run->unserved, sizeof(run->unserved), "%s", s.what);
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

/* A board that answered after |took_ns|, and to nothing before: |said|. */
static gw_verdict tell_late(gw_run *run, const char *said, int64_t took_ns, char *why,
                            size_t why_cap)
{
    char took[24];
    (void)gw_times_text(took, sizeof(took), took_ns);
    run->late = true;
    (void)snprintf(run->preflight, sizeof(run->preflight),
                   "%s; it answered after %s when it was given longer: --patience %" PRId64
                   " waits long enough",
                   said, took, patience_for(took_ns));
    (void)snprintf(why, why_cap,
                   "the board answers later than is usually waited for: after %s; --patience "
                   "%" PRId64 " waits long enough",
                   took, patience_for(took_ns));
    return GW_INCONC;
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
    size_t came_before = num_came(ctx);
    unsigned tries = look(ctx, run, wait);
    if (run->misfit[0] != '\0') {
        (void)snprintf(run->preflight, sizeof(run->preflight), "%s", run->misfit);
        (void)snprintf(why, why_cap, "%s", run->misfit);
        return GW_INCONC;
    }
    if (!run->answered) {
        describe_silence(ctx, tries, wait, said, sizeof(said));
        int64_t took = look_longer(ctx, came_before, wait);
        if (took > wait) {
            ctx->path = (gw_path_stats){0}; /* from one attempt to the answer to another */
            return tell_late(run, said, took, why, why_cap);
        }
        run->answered = took > 0; /* it has just come up */
    }
    if (!run->answered) {
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
    look_at_service(ctx, run, wait);
    add(run->preflight, sizeof(run->preflight), run->unserved);
    compare_claims(ctx, run, why, why_cap);
    if (ctx->suite->identify != NULL)
        ctx->suite->identify(ctx, run->identity, sizeof(run->identity));
    gw_ctx_close_all(ctx, true);
    return run->contradicted ? GW_INCONC : GW_PASS;
}
