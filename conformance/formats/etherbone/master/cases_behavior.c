/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master: how it takes a slave that is late, lost, confused or of the other school. */
#include <inttypes.h>

#include "formats/etherbone/master/suite.h"

#define MANY_PROBES 20

GW_NORETURN static void too_early(gw_ctx *ctx, const char *rule,
                                  const gw_eb_master_exchange *exchange, const char *what)
{
    gw_miss miss = {.rule = rule};
    gw_eb_master_require_patience(ctx, exchange);
    gw_case_fail(ctx, &miss, "%s: the master went on at once (packet %u of the conversation)", what,
                 exchange->early);
}

static void probe_id(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = gw_eb_master_try_exchange(
        ctx, &(gw_eb_master_behavior){.offer = GW_EB_MASTER_WIDE, .wrong_id = true});
    gw_eb_master_require_probe(ctx, exchange);
    if (gw_eb_master_reacts(ctx, exchange))
        too_early(ctx, "EB-M03", exchange, "a probe response with another id");
}

static void probe_again(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = gw_eb_master_try_exchange(
        ctx, &(gw_eb_master_behavior){.offer = GW_EB_MASTER_WIDE, .drop_probes = GW_EB_MASTER_ALL});
    gw_miss miss = {.rule = "EB-M05"};
    gw_eb_master_require_probe(ctx, exchange);
    if (exchange->num_probes == 1)
        gw_case_fail(ctx, &miss, "a lost probe was not repeated");
    if (exchange->num_probes > MANY_PROBES && !gw_case_fresh(ctx))
        gw_case_inconc(
            ctx,
            "%u probes in a row, without an answer to any: it may never give up, or be a "
            "program that gives up and is run again; a start hook in the board file would tell",
            exchange->num_probes);
    /* No path makes many out of few. */
    miss.proven = true;
    if (exchange->num_probes > MANY_PROBES)
        gw_case_fail(ctx, &miss, "%u probes in a row, without an answer to any",
                     exchange->num_probes);
    gw_case_note(ctx, "%u probes without an answer, then silence", exchange->num_probes);
}

static void probe_patience(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = gw_eb_master_try_exchange(
        ctx, &(gw_eb_master_behavior){.offer = GW_EB_MASTER_WIDE, .slow_probe = true});
    gw_miss miss = {.rule = "EB-M05"};
    gw_eb_master_require_probe(ctx, exchange);
    /* One may be the path's, which delivers what is sent once a second time. */
    miss.proven = exchange->hasty > 1 && gw_case_fresh(ctx);
    if (exchange->hasty > 0)
        gw_case_fail(ctx, &miss,
                     "%u more probes followed the first before it could be answered: it was not "
                     "lost yet",
                     exchange->hasty);
}

/* The header of a datagram names its widths; those of a stream are what was agreed. */
static void narrow_offer(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange =
        gw_eb_master_try_exchange(ctx, &(gw_eb_master_behavior){.offer = GW_EB_MASTER_NARROW});
    gw_eb_master_require_probe(ctx, exchange);
    for (size_t i = 0; i < exchange->num_requests; i++) {
        unsigned at = exchange->request_packets[i] - 1;
        const gw_evidence_packet *packet = &exchange->packets[at];
        uint8_t widths = packet->len > 3 ? exchange->bytes[packet->data + 3] : 0;
        gw_miss miss = {.rule = "EB-M04",
                        .field = gw_format_field(&gw_etherbone, "etherbone.port_width"),
                        .packet = exchange->numbers[at],
                        .offset = 3,
                        .expected = GW_EB_MASTER_NARROW,
                        .got = widths,
                        .proven = true};
        if ((widths & ~(unsigned)GW_EB_MASTER_NARROW) != 0)
            gw_case_fail(ctx, &miss,
                         "packet %u names widths 0x%02x, of which the slave offered 0x%02x only",
                         at + 1, widths, GW_EB_MASTER_NARROW);
    }
}

static void zero_filled(gw_ctx *ctx)
{
    gw_eb_master_require_zero_fill(ctx);
    const gw_eb_master_exchange *exchange = gw_eb_master_try_exchange(
        ctx, &(gw_eb_master_behavior){.offer = GW_EB_MASTER_NARROW, .zero_filled = true});
    gw_eb_master_require_room(ctx);
    gw_eb_master_expect_progress(ctx, "EB-M14", exchange, "zero-filled replies");
}

static void reply_order(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = gw_eb_master_try_exchange(
        ctx, &(gw_eb_master_behavior){.offer = GW_EB_MASTER_WIDE, .reverse = true});
    gw_eb_master_expect_progress(ctx, "EB-M16", exchange, "replies in reverse order");
}

static void late_reply(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = gw_eb_master_try_exchange(
        ctx, &(gw_eb_master_behavior){.offer = GW_EB_MASTER_WIDE, .late = true});
    if (exchange->num_late == 0)
        gw_case_inconc(ctx, "after a lost reply the master asked for nothing else");
    if (gw_eb_master_reacts(ctx, exchange))
        too_early(ctx, "EB-M16", exchange, "the late reply to an earlier request");
}

static void stray_reply(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = gw_eb_master_try_exchange(
        ctx, &(gw_eb_master_behavior){.offer = GW_EB_MASTER_WIDE, .stray_reply = true});
    if (gw_eb_master_reacts(ctx, exchange) && !exchange->early_is_reply)
        too_early(ctx, "EB-M17", exchange, "a reply to a return address that nobody gave");
    gw_eb_master_expect_progress(ctx, "EB-M17", exchange,
                                 "a reply to a return address that nobody gave");
}

static void no_echo(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = gw_eb_master_try_exchange(
        ctx, &(gw_eb_master_behavior){.offer = GW_EB_MASTER_WIDE, .stray_reply = true});
    if (gw_eb_master_reacts(ctx, exchange) && exchange->early_is_reply)
        too_early(ctx, "EB-M24", exchange, "a reply was answered by a reply");
}

/* How the master left the exchange, NULL when it did not. Whoever did may have told its user
 * why. */
static const char *left(const gw_eb_master_exchange *exchange)
{
    static const char *const how[] = {[GW_EB_MASTER_FINISHED] = "came to its end",
                                      [GW_EB_MASTER_CLOSED] = "closed its connection",
                                      [GW_EB_MASTER_RESTARTED] = "began anew"};
    return how[exchange->left];
}

/* A master that sends nothing more hangs. */
static void expect_more(gw_ctx *ctx, const gw_miss *miss, const gw_eb_master_exchange *exchange,
                        const char *after)
{
    double seconds = (double)exchange->silent_ns / GW_SECOND;
    if (exchange->num_requests != 1)
        return;
    if (left(exchange) != NULL)
        gw_case_inconc(ctx, "%s the master %s within %.1f s: what it said is not seen", after,
                       left(exchange), seconds);
    gw_case_fail(ctx, miss, "%s the master sent nothing more for %.1f s", after, seconds);
}

static void no_reply(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = gw_eb_master_try_exchange(
        ctx, &(gw_eb_master_behavior){.offer = GW_EB_MASTER_WIDE, .no_reply = true});
    gw_miss miss = {.rule = "EB-M18"};
    expect_more(ctx, &miss, exchange, "after a request that got no reply");
    gw_case_note(ctx, "after a request that got no reply the master %s",
                 exchange->fingerprints[exchange->num_requests - 1] ==
                         exchange->fingerprints[exchange->num_requests - 2]
                     ? "repeats it"
                     : "asks for something else");
}

static void trailing(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = gw_eb_master_try_exchange(
        ctx, &(gw_eb_master_behavior){.offer = GW_EB_MASTER_WIDE, .trailing = true});
    gw_miss miss = {.rule = "EB-M18"};
    /* It may refuse such replies, and then does as after a lost one. */
    if (gw_eb_master_requests_more(ctx, exchange))
        expect_more(ctx, &miss, exchange, "after a reply with zeros behind its last record");
    gw_eb_master_expect_progress(ctx, "EB-M26", exchange, "zeros behind the last record");
    gw_case_note(ctx, "zeros behind the last record are tolerated");
}

static void return_mode(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = gw_eb_master_try_exchange(
        ctx, &(gw_eb_master_behavior){.offer = GW_EB_MASTER_WIDE, .wrong_mode = true});
    if (exchange->num_forged == 0)
        gw_case_na(ctx, "no request reads two words at once: one looks the same in either mode");
    if (gw_eb_master_reacts(ctx, exchange))
        too_early(ctx, "EB-M27", exchange, "a reply whose WFF contradicts the RFF of its request");
    /* libetherbone gives the whole cycle up: that, too, is not believing it. */
    if (left(exchange) != NULL && gw_eb_master_requests_more(ctx, exchange))
        gw_case_inconc(ctx,
                       "after a reply whose WFF contradicts the RFF of its request the master %s: "
                       "whether it told its user of an error is not seen",
                       left(exchange));
    gw_eb_master_expect_progress(ctx, "EB-M27", exchange,
                                 "a reply whose WFF contradicts the RFF of its request");
}

const gw_case gw_eb_m_behavior[] = {
    {.id = "eb-m/probe-id",
     .title = "A probe response with another id than the probe's is not accepted",
     .rules = GW_LIST("EB-M03"),
     .negative = true,
     .run = probe_id},
    {.id = "eb-m/probe-again",
     .title = "A probe without a response is repeated, a limited number of times",
     .rules = GW_LIST("EB-M05"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = probe_again},
    {.id = "eb-m/probe-patience",
     .title = "A probe is repeated only when it may have been lost",
     .rules = GW_LIST("EB-M05"),
     .needs = GW_LIST("udp"),
     .run = probe_patience},
    {.id = "eb-m/narrow-offer",
     .title = "Requests name only widths that the slave has offered",
     .rules = GW_LIST("EB-M04"),
     .after = GW_LIST("eb-m/widths"),
     .needs = GW_LIST("udp"),
     .run = narrow_offer},
    {.id = "eb-m/zero-filled",
     .title = "Zero-filled replies are accepted as well as compressed ones",
     .rules = GW_LIST("EB-M14"),
     .after = GW_LIST("eb-m/nr-clear"), /* such slaves obey NR */
     .run = zero_filled},
    {.id = "eb-m/reply-order",
     .title = "Replies are told apart by their return address, not by their order",
     .rules = GW_LIST("EB-M16"),
     .needs = GW_LIST("udp"),
     .run = reply_order},
    {.id = "eb-m/stranger",
     .title = "A reply to a return address that nobody gave is ignored",
     .rules = GW_LIST("EB-M17"),
     .after = GW_LIST("eb-m/widths"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = stray_reply},
    {.id = "eb-m/no-reply",
     .title = "A request that gets no reply does not stop the master for good",
     .rules = GW_LIST("EB-M18"),
     .after = GW_LIST("eb-m/counts"),
     .negative = true,
     .run = no_reply},
    {.id = "eb-m/no-echo",
     .title = "The master does not answer replies",
     .rules = GW_LIST("EB-M24"),
     .after = GW_LIST("eb-m/widths"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = no_echo},
    {.id = "eb-m/trailing-zeros",
     .title = "A reply with zeros after its end may be accepted",
     .rules = GW_LIST("EB-M26", "EB-M18"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = trailing},
    {.id = "eb-m/return-mode",
     .title = "Results are accepted only in the return mode that was asked for",
     .rules = GW_LIST("EB-M27"),
     .after = GW_LIST("eb-m/widths", "eb-m/no-echo"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = return_mode},
    {.id = "eb-m/late-reply",
     .title = "A late reply is not taken for that to another request",
     .rules = GW_LIST("EB-M16"),
     .after = GW_LIST("eb-m/no-reply", "eb-m/no-echo"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = late_reply},
    {0},
};
