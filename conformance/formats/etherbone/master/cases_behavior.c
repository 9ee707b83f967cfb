/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master: how it takes a slave that is late, lost, confused or of the other school. */
#include <inttypes.h>

#include "formats/etherbone/master/suite.h"

#define MANY_PROBES 20

GW_NORETURN static void too_early(gw_ctx *ctx, const char *rule, const gw_ebm_talk *talk,
                                  const char *what)
{
    gw_miss miss = {.rule = rule};
    gw_ebm_heed_patience(ctx, talk);
    gw_case_fail(ctx, &miss, "%s: the master went on at once (packet %u of the conversation)", what,
                 talk->early);
}

static void probe_id(gw_ctx *ctx)
{
    const gw_ebm_talk *talk =
        gw_ebm_try(ctx, &(gw_ebm_manner){.offer = GW_EBM_WIDE, .wrong_id = true});
    if (talk->num_probes == 0)
        gw_case_na(ctx, "the master does not probe");
    if (talk->early != 0)
        too_early(ctx, "EB-M03", talk, "a probe response with another id");
}

static void probe_again(gw_ctx *ctx)
{
    const gw_ebm_talk *talk =
        gw_ebm_try(ctx, &(gw_ebm_manner){.offer = GW_EBM_WIDE, .drop_probes = GW_EBM_ALL});
    gw_miss miss = {.rule = "EB-M05"};
    if (talk->num_probes == 0)
        gw_case_na(ctx, "the master does not probe");
    if (talk->num_probes == 1)
        gw_case_fail(ctx, &miss, "a lost probe was not repeated");
    /* No path makes many out of few. */
    miss.proven = true;
    if (talk->num_probes > MANY_PROBES)
        gw_case_fail(ctx, &miss, "%u probes in a row, without an answer to any", talk->num_probes);
    gw_case_note(ctx, "%u probes without an answer, then silence", talk->num_probes);
}

static void probe_patience(gw_ctx *ctx)
{
    const gw_ebm_talk *talk =
        gw_ebm_try(ctx, &(gw_ebm_manner){.offer = GW_EBM_WIDE, .slow_probe = true});
    gw_miss miss = {.rule = "EB-M05"};
    if (talk->num_probes == 0)
        gw_case_na(ctx, "the master does not probe");
    /* One may be the path's, which delivers what is sent once a second time. */
    miss.proven = talk->hasty > 1 && gw_case_fresh(ctx);
    if (talk->hasty > 0)
        gw_case_fail(ctx, &miss,
                     "%u more probes followed the first before it could be answered: it was not "
                     "lost yet",
                     talk->hasty);
}

/* The header of a datagram names its widths; those of a stream are what was agreed. */
static void narrow_offer(gw_ctx *ctx)
{
    const gw_ebm_talk *talk = gw_ebm_try(ctx, &(gw_ebm_manner){.offer = GW_EBM_NARROW});
    if (talk->num_probes == 0)
        gw_case_na(ctx, "the master does not probe");
    for (size_t i = 0; i < talk->num_shapes; i++) {
        unsigned at = talk->shape_at[i] - 1;
        const gw_evidence_packet *packet = &talk->packets[at];
        uint8_t widths = packet->len > 3 ? talk->bytes[packet->data + 3] : 0;
        gw_miss miss = {.rule = "EB-M04",
                        .field = gw_format_field(&gw_etherbone, "etherbone.port_width"),
                        .packet = talk->numbers[at],
                        .offset = 3,
                        .expected = GW_EBM_NARROW,
                        .got = widths,
                        .proven = true};
        if ((widths & ~(unsigned)GW_EBM_NARROW) != 0)
            gw_case_fail(ctx, &miss,
                         "packet %u names widths 0x%02x, of which the slave offered 0x%02x only",
                         at + 1, widths, GW_EBM_NARROW);
    }
}

static void zero_filled(gw_ctx *ctx)
{
    gw_ebm_want_zero_fill(ctx);
    const gw_ebm_talk *talk =
        gw_ebm_try(ctx, &(gw_ebm_manner){.offer = GW_EBM_NARROW, .zero_filled = true});
    gw_ebm_want_room(ctx);
    gw_ebm_expect_progress(ctx, "EB-M14", talk, "zero-filled replies");
}

static void reply_order(gw_ctx *ctx)
{
    const gw_ebm_talk *talk =
        gw_ebm_try(ctx, &(gw_ebm_manner){.offer = GW_EBM_WIDE, .reverse = true});
    gw_ebm_expect_progress(ctx, "EB-M16", talk, "replies in reverse order");
}

static void late_reply(gw_ctx *ctx)
{
    const gw_ebm_talk *talk = gw_ebm_try(ctx, &(gw_ebm_manner){.offer = GW_EBM_WIDE, .late = true});
    if (talk->num_late == 0)
        gw_case_inconc(ctx, "after a lost reply the master asked for nothing else");
    if (talk->early != 0)
        too_early(ctx, "EB-M16", talk, "the late reply to an earlier request");
}

static void stranger(gw_ctx *ctx)
{
    const gw_ebm_talk *talk =
        gw_ebm_try(ctx, &(gw_ebm_manner){.offer = GW_EBM_WIDE, .stranger = true});
    if (talk->early != 0 && !talk->early_is_reply)
        too_early(ctx, "EB-M17", talk, "a reply to a return address that nobody gave");
    gw_ebm_expect_progress(ctx, "EB-M17", talk, "a reply to a return address that nobody gave");
}

static void no_echo(gw_ctx *ctx)
{
    const gw_ebm_talk *talk =
        gw_ebm_try(ctx, &(gw_ebm_manner){.offer = GW_EBM_WIDE, .stranger = true});
    if (talk->early != 0 && talk->early_is_reply)
        too_early(ctx, "EB-M24", talk, "a reply was answered by a reply");
}

/* How the master left the conversation, NULL when it did not. Whoever did may have told its user
 * why. */
static const char *left(const gw_ebm_talk *talk)
{
    static const char *const how[] = {[GW_EBM_ENDED] = "came to its end",
                                      [GW_EBM_CLOSED] = "closed its connection",
                                      [GW_EBM_ANEW] = "began anew"};
    return how[talk->left];
}

/* A master that says nothing more hangs. */
static void expect_more(gw_ctx *ctx, const gw_miss *miss, const gw_ebm_talk *talk,
                        const char *after)
{
    double seconds = (double)talk->silent_ns / GW_SECOND;
    if (talk->num_shapes != 1)
        return;
    if (left(talk) != NULL)
        gw_case_inconc(ctx, "%s the master %s within %.1f s: what it said is not seen", after,
                       left(talk), seconds);
    gw_case_fail(ctx, miss, "%s the master sent nothing more for %.1f s", after, seconds);
}

static void mute(gw_ctx *ctx)
{
    const gw_ebm_talk *talk = gw_ebm_try(ctx, &(gw_ebm_manner){.offer = GW_EBM_WIDE, .mute = true});
    gw_miss miss = {.rule = "EB-M18"};
    expect_more(ctx, &miss, talk, "after a request that got no reply");
    gw_case_note(ctx, "after a request that got no reply the master %s",
                 talk->shapes[talk->num_shapes - 1] == talk->shapes[talk->num_shapes - 2]
                     ? "repeats it"
                     : "asks for something else");
}

static void trailing(gw_ctx *ctx)
{
    const gw_ebm_talk *talk =
        gw_ebm_try(ctx, &(gw_ebm_manner){.offer = GW_EBM_WIDE, .trailing = true});
    gw_miss miss = {.rule = "EB-M18"};
    /* It may refuse such replies, and then does as after a lost one. */
    if (gw_ebm_asks_more(ctx, talk))
        expect_more(ctx, &miss, talk, "after a reply with zeros behind its last record");
    gw_ebm_expect_progress(ctx, "EB-M26", talk, "zeros behind the last record");
    gw_case_note(ctx, "zeros behind the last record are tolerated");
}

static void return_mode(gw_ctx *ctx)
{
    const gw_ebm_talk *talk =
        gw_ebm_try(ctx, &(gw_ebm_manner){.offer = GW_EBM_WIDE, .wrong_mode = true});
    if (talk->num_forged == 0)
        gw_case_na(ctx, "no request reads two words at once: one looks the same in either mode");
    if (talk->early != 0)
        too_early(ctx, "EB-M27", talk, "a reply whose WFF contradicts the RFF of its request");
    /* libetherbone gives the whole cycle up: that, too, is not believing it. */
    if (left(talk) != NULL && gw_ebm_asks_more(ctx, talk))
        gw_case_inconc(ctx,
                       "after a reply whose WFF contradicts the RFF of its request the master %s: "
                       "whether it told its user of an error is not seen",
                       left(talk));
    gw_ebm_expect_progress(ctx, "EB-M27", talk,
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
     .run = stranger},
    {.id = "eb-m/no-reply",
     .title = "A request that gets no reply does not stop the master for good",
     .rules = GW_LIST("EB-M18"),
     .after = GW_LIST("eb-m/counts"),
     .negative = true,
     .run = mute},
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
