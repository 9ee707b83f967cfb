/* SPDX-License-Identifier: BSD-2-Clause */
/* What goes out becomes shots of the ring, one each. */
#include "campaign/ring/ahead.h"

#include <stdio.h>

#include "goldwire/ib.h"
#include "suite/regs.h"

/* Which connection it is to those that read the ring: the usual one of the link, or another. */
static gw_shot shot_on(gw_ahead *a, const gw_connection *conn)
{
    const gw_ctx *ctx = conn->ctx;
    size_t place = (size_t)(conn - ctx->conns);
    gw_shot like = {.link = conn->link};
    if (place >= ctx->target->num_links) {
        like.line = (uint8_t)(1 + conn->number % (GW_SHOT_LINES - 1));
        return like;
    }
    like.anew = a->number[conn->link] != conn->number + 1u;
    a->number[conn->link] = conn->number + 1u;
    return like;
}

bool gw_ahead_write(void *arg, const gw_connection *conn, const void *data, size_t len, char *why,
                    size_t why_cap)
{
    gw_ahead *a = arg;
    const gw_ctx *ctx = conn->ctx;
    size_t behind = ctx->suite->format->infiniband ? GW_IB_ICRC : 0;
    if (strcmp(ctx->target->links[conn->link].name, GW_REGS_LINK) == 0 || len <= behind)
        return true;
    const gw_shot like = shot_on(a, conn);
    /* Nobody sends a longer one to a board. */
    size_t some = len - behind < GW_SHOT_MAX ? len - behind : GW_SHOT_MAX;
    gw_shots_clear(&a->one);
    bool ok = gw_shots_add(&a->one, &like, data, (uint32_t)some, NULL, 0);
    if (ok)
        gw_journal_put(a->journal, &a->one, 0, 1);
    else
        (void)snprintf(a->why, sizeof(a->why), "out of memory");
    if (ok && (!a->at_once || gw_ahead_flush(a)))
        return true;
    (void)snprintf(why, why_cap, "%s", a->why);
    return false;
}

bool gw_ahead_write_shots(gw_ahead *a, const gw_shots *shots, size_t first, size_t num)
{
    return a == NULL || gw_journal_write(a->journal, shots, first, num, a->why, sizeof(a->why));
}

bool gw_ahead_flush(gw_ahead *a)
{
    return a == NULL || gw_journal_flush(a->journal, a->why, sizeof(a->why));
}

void gw_ahead_settle(gw_ahead *a)
{
    if (a != NULL)
        gw_journal_settle(a->journal);
}

void gw_ahead_free(gw_ahead *a)
{
    gw_shots_free(&a->one);
}
