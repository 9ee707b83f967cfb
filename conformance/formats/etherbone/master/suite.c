/* SPDX-License-Identifier: BSD-2-Clause */
/* The suite for an EtherBone master. */
#include "formats/etherbone/master/suite.h"

#include <stdio.h>

void gw_eb_master_suite_begin(gw_ctx *ctx)
{
    (void)ctx;
}

void gw_eb_master_suite_end(gw_ctx *ctx)
{
    gw_eb_test_slave_stop(&gw_eb_master_state_of(ctx)->slave);
}

/* Whoever has called is alive: there is no way to ask a master. */
bool gw_eb_master_suite_alive(gw_ctx *ctx, int64_t timeout_ns)
{
    gw_eb_master_state *state = gw_eb_master_state_of(ctx);
    if (state->wide.held)
        return true;
    if (!gw_eb_master_hold_good(ctx, &state->wide, GW_EB_MASTER_WIDE, timeout_ns))
        return false;
    gw_eb_master_answer_others(ctx);
    return true;
}

bool gw_eb_master_suite_took(gw_ctx *ctx, char *why, size_t why_cap)
{
    const gw_eb_master_exchange *exchange = &gw_eb_master_state_of(ctx)->wide;
    if (!exchange->held || exchange->due == GW_EB_MASTER_SPOILT || exchange->num_replies == 0 ||
        exchange->num_accepted > 0)
        return true;
    (void)snprintf(why, why_cap,
                   "the master took none of %u good replies: it asked for the same again or for "
                   "nothing more, or ended with a failure; is the dialect right?",
                   exchange->num_replies);
    return false;
}

void gw_eb_master_suite_identify(gw_ctx *ctx, char *out, size_t cap)
{
    const gw_eb_master_exchange *exchange = &gw_eb_master_state_of(ctx)->wide;
    const gw_eb_master_exchange *others = &gw_eb_master_state_of(ctx)->others;
    unsigned probes = exchange->num_probes + (others->held ? others->num_probes : 0);
    size_t requests = exchange->num_requests + (others->held ? others->num_requests : 0);
    const char *failed = exchange->left == GW_EB_MASTER_FINISHED ? gw_case_no_start(ctx) : NULL;
    (void)snprintf(out, cap, "the master sent %u probe%s and %zu requests%s%s", probes,
                   probes == 1 ? "" : "s", requests,
                   failed != NULL ? ", and was not satisfied: " : "", failed != NULL ? failed : "");
}

static const gw_exception exceptions[] = {
    {"EB-M13", GW_BOTH_WAYS,
     "a master that writes to one address on purpose and one that should not look alike on "
     "any wire: only its user knows where the writes were meant to go"},
    {"EB-M28", GW_POSITIVE,
     "a master that takes no replies at all looks like one that polls; that good ones are taken is "
     "what eb-m/return-modes and eb-m/several-records see"},
};

static const gw_case *const groups[] = {gw_eb_m_passive, gw_eb_m_behavior, gw_eb_m_malformed};

const gw_suite gw_eb_m_suite = {
    .role = "etherbone-master",
    .format = &gw_etherbone,
    .families = GW_LIST("EB-M"),
    .groups = groups,
    .num_groups = GW_ARRAY_LEN(groups),
    .exceptions = exceptions,
    .num_exceptions = GW_ARRAY_LEN(exceptions),
    .state_size = sizeof(gw_eb_master_state),
    .calls_us = true,
    .begin = gw_eb_master_suite_begin,
    .alive = gw_eb_master_suite_alive,
    .took = gw_eb_master_suite_took,
    .has = gw_eb_master_suite_has,
    .end = gw_eb_master_suite_end,
    .identify = gw_eb_master_suite_identify,
};
