/* SPDX-License-Identifier: BSD-2-Clause */
/* What a case needs before it can run: a path to the board that carries it, and abilities. */
#include <stdio.h>
#include <string.h>

#include "run/runner.h"

static void leave_untried(gw_run *run, const char *what)
{
    unsigned i = 0;
    while (i < run->counts.untried && strcmp(run->untried[i].what, what) != 0)
        i++;
    if (i == GW_MAX_UNTRIED)
        return;
    if (i == run->counts.untried)
        run->untried[run->counts.untried++].what = what;
    run->untried[i].num_cases++;
}

bool gw_case_needs(const gw_case *one, const char *need)
{
    const char *const *all = one->needs;
    while (all != NULL && *all != NULL && strcmp(*all, need) != 0)
        all++;
    return all != NULL && *all != NULL;
}

/* Cases look at what UDP over IPv4 has. */
static bool shows_frames(const gw_target_link *link)
{
    return link->frames && !link->ipv6 && !link->stream;
}

/* Frames are the same need to every suite. Whoever needs them gets the target that has them. */
static bool has(gw_ctx *ctx, const char *need, char *why, size_t why_cap)
{
    if (strcmp(need, GW_NEEDS_RAW) != 0)
        return ctx->suite->has(ctx, need, why, why_cap);
    if (ctx->target->links[0].frames && ctx->target->links[0].stream)
        (void)snprintf(why, why_cap, "is about datagrams, and the board is reached over TCP");
    else if (ctx->target->links[0].frames)
        (void)snprintf(why, why_cap, "is about ARP and IPv4's header, and the board is at IPv6");
    else
        (void)snprintf(why, why_cap,
                       "sockets do not show what lies below UDP: use raw://INTERFACE?to=IP, or "
                       "peer:ROLE?over=raw");
    return shows_frames(&ctx->target->links[0]);
}

/* What carries the messages is a need that depends on the path to the board alone. */
static bool carries(const gw_target *target, const char *need)
{
    const gw_target_link *link = &target->links[0];
    if (strcmp(need, GW_NEEDS_RAW) == 0)
        return shows_frames(link);
    if (strcmp(need, GW_NEEDS_TCP) == 0)
        return link->stream;
    return strcmp(need, GW_NEEDS_UDP) != 0 || !link->stream;
}

static bool serves(const gw_target *target, const gw_case *one)
{
    for (const char *const *need = one->needs; need != NULL && *need != NULL; need++)
        if (!carries(target, *need))
            return false;
    return true;
}

void gw_runner_choose_target(gw_runner *r, const gw_case *one)
{
    const gw_run_setup *setup = r->setup;
    gw_target *target = setup->target;
    for (size_t i = 0; i < setup->num_others && !serves(target, one); i++)
        if (serves(setup->others[i], one))
            target = setup->others[i];
    if (target == r->ctx->target)
        return;
    gw_ctx_close_all(r->ctx, false);
    r->ctx->target = target;
}

/* The first need of |one| that is not met; NULL: all are. */
static const char *lacks(gw_ctx *ctx, const gw_case *one, char *why, size_t why_cap)
{
    for (const char *const *need = one->needs; need != NULL && *need != NULL; need++)
        if (!has(ctx, *need, why, why_cap))
            return *need;
    return NULL;
}

bool gw_runner_unmet(gw_runner *r, gw_result *result)
{
    char why[200] = "";
    const char *need = lacks(r->ctx, result->which, why, sizeof(why));
    if (need == NULL)
        return false;
    gw_result_set(result, GW_NA, "%s", why);
    if (strcmp(need, GW_NEEDS_TCP) == 0 && r->setup->board->claims.tcp == GW_CLAIM_YES)
        leave_untried(r->run, need);
    return true;
}

bool gw_runner_applies(gw_ctx *ctx, const gw_case *which)
{
    char why[200] = "";
    return lacks(ctx, which, why, sizeof(why)) == NULL;
}
