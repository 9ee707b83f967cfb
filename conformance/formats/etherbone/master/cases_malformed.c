/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master: what it asks, and what it believes, when its slave answers with what is no
 * answer. */
#include <inttypes.h>

#include "formats/etherbone/master/scan.h"

/* What comes from another protocol, or from nowhere, and never is a reply. */
#define NO_REPLIES                                                                                 \
    (GW_EB_FALSE(MAGIC) | GW_EB_FALSE(SHORT) | GW_EB_FALSE(GARBAGE) | GW_EB_FALSE(RESPONSE))

GW_NORETURN static void believed(gw_ctx *ctx, const char *rule,
                                 const gw_eb_master_exchange *exchange, const char *what)
{
    gw_miss miss = {.rule = rule, .packet = exchange->numbers[exchange->early - 1]};
    gw_eb_master_require_patience(ctx, exchange);
    gw_case_fail(ctx, &miss, "after %s the master goes on as after a reply", what);
}

/* ---- what it asks ---- */

static void expect_spans(gw_ctx *ctx, const gw_eb_master_scan *s)
{
    gw_miss miss = {.rule = "EB-M10"};
    char why[200];
    if (gw_eb_master_suite_has(ctx, "long-cycles", why, sizeof(why)) && s->requests > 0 &&
        s->spanning == 0 && !s->was_lost)
        gw_case_fail(ctx, &miss,
                     "the board file claims cycles over several records, and every one of %u "
                     "requests to a confused slave ends its cycle with its first record",
                     s->requests);
}

static void requests(gw_ctx *ctx)
{
    /* LiteX never keeps EB-M11, and that shall hide nothing else. */
    static const char *const rules[] = {"EB-M09", "EB-M21", "EB-M01", "EB-M04", "EB-M06",
                                        "EB-M07", "EB-M12", "EB-M20", "EB-M22", "EB-M11"};
    const gw_eb_master_exchange *exchange =
        gw_eb_master_try_exchange(ctx, &(gw_eb_master_behavior){.offer = GW_EB_MASTER_WIDE,
                                                                .false_responses = GW_EB_FALSE_ALL,
                                                                .lose_reply = true});
    for (unsigned i = 0; i < GW_ARRAY_LEN(rules); i++) {
        gw_eb_master_scan s = gw_eb_master_scan_exchange(ctx, exchange, rules[i]);
        gw_eb_master_judge(ctx, &s);
        if (i == 0)
            expect_spans(ctx, &s);
    }
}

static void probes(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = gw_eb_master_try_exchange(
        ctx, &(gw_eb_master_behavior){.offer = GW_EB_MASTER_WIDE, .false_probe_responses = true});
    gw_eb_master_scan s = gw_eb_master_scan_exchange(ctx, exchange, "EB-M02");
    gw_eb_master_require_probe(ctx, exchange);
    if (gw_eb_master_reacts(ctx, exchange))
        believed(ctx, "EB-M03", exchange, "probe responses of other ids and lengths");
    gw_eb_master_judge(ctx, &s);
    gw_case_note(ctx, "%u probes until one was answered", s.probes);
}

/* ---- what it believes ---- */

static void other_magic(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = gw_eb_master_try_exchange(
        ctx, &(gw_eb_master_behavior){.offer = GW_EB_MASTER_WIDE,
                                      .false_responses = GW_EB_FALSE(MAGIC) | GW_EB_FALSE(VERSION),
                                      .watched = true});
    if (gw_eb_master_reacts(ctx, exchange))
        believed(ctx, "EB-M28", exchange, "a reply with another magic or version");
}

static void other_address(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = gw_eb_master_try_exchange(
        ctx, &(gw_eb_master_behavior){.offer = GW_EB_MASTER_WIDE, .from_other = true});
    if (gw_eb_master_reacts(ctx, exchange))
        believed(ctx, "EB-M25", exchange, "a reply from another address");
    if (exchange->num_forged == 0 && exchange->no_other[0] != '\0')
        gw_case_na(ctx, "%s", exchange->no_other);
    if (exchange->num_forged == 0)
        gw_case_na(ctx, "the master did not read anything");
}

static void cut(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = gw_eb_master_try_exchange(
        ctx, &(gw_eb_master_behavior){
                 .offer = GW_EB_MASTER_WIDE, .false_responses = GW_EB_FALSE(CUT), .watched = true});
    if (gw_eb_master_reacts(ctx, exchange))
        believed(ctx, "EB-M29", exchange, "a reply that is cut off inside its first results");
}

/* ---- what it takes all the same ---- */

static void zero_filled(gw_ctx *ctx)
{
    gw_eb_master_require_zero_fill(ctx);
    const gw_eb_master_exchange *exchange = gw_eb_master_try_exchange(
        ctx, &(gw_eb_master_behavior){
                 .offer = GW_EB_MASTER_NARROW, .zero_filled = true, .false_responses = NO_REPLIES});
    gw_eb_master_require_room(ctx);
    gw_eb_master_expect_progress(ctx, "EB-M14", exchange, "zero-filled replies among what is none");
}

static void several(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = gw_eb_master_try_exchange(
        ctx, &(gw_eb_master_behavior){.offer = GW_EB_MASTER_WIDE, .false_responses = NO_REPLIES});
    if (gw_eb_master_expect_accepted(ctx, "EB-M15", exchange, GW_EB_MASTER_SEVERAL,
                                     "requests of several records") == 0)
        gw_case_na(ctx, "no packet had several records that read");
}

const gw_case gw_eb_m_malformed[] = {
    {.id = "eb-m/upset-requests",
     .title = "Requests stay well-formed though the slave answers with malformed packets",
     .rules = GW_LIST("EB-M01", "EB-M04", "EB-M06", "EB-M07", "EB-M09", "EB-M10", "EB-M11",
                      "EB-M12", "EB-M20", "EB-M21", "EB-M22"),
     .after = GW_LIST("eb-m/counts"),
     .negative = true,
     .run = requests},
    {.id = "eb-m/upset-probe",
     .title = "Probes stay well-formed, and only a response with their id is accepted",
     .rules = GW_LIST("EB-M02", "EB-M03"),
     .after = GW_LIST("eb-m/probe-accepted", "eb-m/probe-id"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = probes},
    {.id = "eb-m/other-magic",
     .title = "A packet with another magic or version is not taken for a reply",
     .rules = GW_LIST("EB-M28"),
     .after = GW_LIST("eb-m/counts", "eb-m/no-echo"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = other_magic},
    {.id = "eb-m/other-address",
     .title = "A reply from another address than the one that was asked is not taken",
     .rules = GW_LIST("EB-M25"),
     .after = GW_LIST("eb-m/counts", "eb-m/no-echo"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = other_address},
    {.id = "eb-m/cut-reply",
     .title = "No results are taken out of a reply that is cut off",
     .rules = GW_LIST("EB-M29"),
     .after = GW_LIST("eb-m/counts", "eb-m/no-echo"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = cut},
    {.id = "eb-m/upset-zero-filled",
     .title = "Zero-filled replies are accepted among malformed packets",
     .rules = GW_LIST("EB-M14"),
     .after = GW_LIST("eb-m/zero-filled", "eb-m/other-magic"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = zero_filled},
    {.id = "eb-m/upset-several",
     .title = "Replies of several records are accepted among malformed packets",
     .rules = GW_LIST("EB-M15"),
     .after = GW_LIST("eb-m/several-records", "eb-m/other-magic"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = several},
    {0},
};
