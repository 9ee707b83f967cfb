/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master: what its requests show while its slave behaves well. */
#include <inttypes.h>
#include <string.h>

#include "formats/etherbone/master/exchange.h"
#include "formats/etherbone/master/scan.h"

/* The rule that a case is for, judged by what one message or the exchange shows. */
static gw_eb_master_scan judge_own_rule(gw_ctx *ctx)
{
    gw_eb_master_scan s = gw_eb_master_scan_reference(ctx, gw_case_self(ctx)->rules[0]);
    gw_eb_master_judge(ctx, &s);
    if (s.requests > 0 && s.decoded == 0 && !s.was_lost)
        gw_case_inconc(ctx, "none of %u requests can be decoded", s.requests);
    return s;
}

static void any_packet(gw_ctx *ctx)
{
    gw_eb_master_scan s = judge_own_rule(ctx);
    if (s.messages == 0)
        gw_case_na(ctx, "the master sent no whole packet");
}

/* A probe that offers several widths must be answered before anything can follow it. */
static void check_stream_probe(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = &gw_eb_master_state_of(ctx)->wide;
    const gw_evidence_packet *first = &exchange->packets[0];
    if (!first->stream || first->len <= 8)
        return;
    gw_miss miss = {.rule = "EB-M02", .packet = 2, .offset = 8}; /* 1 opens the connection */
    gw_case_fail(ctx, &miss, "%" PRIu32 " bytes follow the 8 of the probe before it is answered",
                 first->len - 8);
}

static void any_probe(gw_ctx *ctx)
{
    gw_eb_master_scan s = gw_eb_master_scan_reference(ctx, "EB-M02");
    gw_eb_master_judge(ctx, &s);
    if (s.probes == 0)
        gw_case_na(ctx, "the master sends no probe");
    check_stream_probe(ctx);
}

static void any_request(gw_ctx *ctx)
{
    gw_eb_master_scan s = judge_own_rule(ctx);
    gw_eb_master_require_requests(ctx, &gw_eb_master_state_of(ctx)->wide, s.requests);
}

static void padding(gw_ctx *ctx)
{
    gw_eb_master_scan s = gw_eb_master_scan_reference(ctx, "EB-M06");
    /* A header without padding shifts the rest; wrong counts make padding of anything. */
    bool header = s.found && s.worst.field != NULL &&
                  strcmp(s.worst.field->name, "etherbone.header_padding") == 0;
    if (!header && (s.miscounted || s.was_lost))
        gw_case_inconc(ctx, "counts do not fit, so nobody can say what is padding");
    gw_eb_master_judge(ctx, &s);
    gw_eb_master_require_requests(ctx, &gw_eb_master_state_of(ctx)->wide, s.requests);
    if (s.padded == 0)
        gw_case_note(ctx, "no packet had headers that need padding");
}

static void no_reads(gw_ctx *ctx)
{
    gw_eb_master_scan s = judge_own_rule(ctx);
    gw_eb_master_require_requests(ctx, &gw_eb_master_state_of(ctx)->wide, s.requests);
    if (s.reading == 0)
        gw_case_na(ctx, "no packet carried reads");
}

static void hint(gw_ctx *ctx)
{
    gw_eb_master_scan s = gw_eb_master_scan_reference(ctx, "EB-M08");
    gw_eb_master_require_requests(ctx, &gw_eb_master_state_of(ctx)->wide, s.requests);
    if (s.writing_only == 0 || gw_case_stream(ctx))
        gw_case_na(ctx, "no packet carried writes only");
    gw_case_note(ctx, "%u of %u packets of writes have NR set", s.with_nr, s.writing_only);
}

static void config(gw_ctx *ctx)
{
    gw_eb_master_scan s = judge_own_rule(ctx);
    gw_eb_master_require_requests(ctx, &gw_eb_master_state_of(ctx)->wide, s.requests);
    if (s.config_reads == 0)
        gw_case_na(ctx, "the master read nothing in the config space");
}

static void spans(gw_ctx *ctx)
{
    gw_eb_master_scan s = gw_eb_master_scan_reference(ctx, "EB-M10");
    gw_miss miss = {.rule = "EB-M10"};
    if (s.was_lost)
        gw_case_inconc(ctx, "the master's stream is out of step");
    gw_eb_master_require_requests(ctx, &gw_eb_master_state_of(ctx)->wide, s.requests);
    if (s.spanning == 0)
        gw_eb_master_renew_reference(ctx);
    if (s.spanning == 0)
        gw_case_fail(ctx, &miss,
                     "the board file claims cycles over several records, and every one "
                     "of %u requests ends its cycle with its first record",
                     s.requests);
}

static void left_open(gw_ctx *ctx)
{
    gw_eb_master_scan s = gw_eb_master_scan_reference(ctx, "EB-M23");
    gw_miss miss = {.rule = "EB-M23", .packet = s.open_frame};
    if (s.left_open > 0)
        gw_eb_master_renew_reference(ctx);
    if (s.left_open > 0)
        gw_case_fail(ctx, &miss, "%u datagrams leave their bus cycle open, packet %u first",
                     s.left_open, s.open_frame);
    gw_eb_master_require_requests(ctx, &gw_eb_master_state_of(ctx)->wide, s.requests);
}

static void status(gw_ctx *ctx)
{
    gw_eb_master_scan s = gw_eb_master_scan_reference(ctx, "EB-M19");
    gw_miss miss = {.rule = "EB-M19"};
    gw_eb_master_require_requests(ctx, &gw_eb_master_state_of(ctx)->wide, s.requests);
    if (s.status_reads == 0)
        gw_case_na(ctx, "the master never reads the error register");
    gw_case_note(ctx, "at most %u bus operations between reads of the error register",
                 s.most_unchecked);
    /* Operations that nobody means to check may be many: only a master that reads the register
     * after each batch can be judged, and those stay below its depth. */
    if (s.most_unchecked > 64 && s.status_reads >= s.requests / 2)
        gw_case_fail(ctx, &miss,
                     "%u bus operations between two reads of the error register, which "
                     "remembers 64",
                     s.most_unchecked);
}

/* The reply to a request of several records brings them all at once. */
static void several(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = &gw_eb_master_state_of(ctx)->wide;
    (void)gw_eb_master_scan_reference(ctx, "EB-M15");
    gw_eb_master_require_requests(ctx, exchange, (unsigned)exchange->num_requests);
    if (gw_eb_master_expect_accepted(ctx, "EB-M15", exchange, GW_EB_MASTER_SEVERAL,
                                     "requests of several records") == 0)
        gw_case_na(ctx, "no packet had several records that read");
}

/* Results come to one address or to ascending ones, as each record asks. */
static void return_modes(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = &gw_eb_master_state_of(ctx)->wide;
    (void)gw_eb_master_scan_reference(ctx, "EB-M27");
    gw_eb_master_require_requests(ctx, exchange, (unsigned)exchange->num_requests);
    unsigned fixed = gw_eb_master_expect_accepted(ctx, "EB-M27", exchange, GW_EB_MASTER_FIXED,
                                                  "requests that set RFF");
    unsigned ascending = gw_eb_master_expect_accepted(
        ctx, "EB-M27", exchange, GW_EB_MASTER_ASCENDING, "requests that leave RFF clear");
    if (fixed + ascending == 0)
        gw_case_na(ctx, "no packet carried reads");
    gw_case_note(ctx, "%u requests for results at one address, %u at ascending ones", fixed,
                 ascending);
}

/* Whether the master's probe and our answer leave it a pair of widths to work with. */
static bool agrees(gw_ctx *ctx)
{
    const gw_eb_master_exchange *exchange = &gw_eb_master_state_of(ctx)->wide;
    const uint8_t *probe = exchange->bytes + exchange->packets[0].data;
    const gw_dialect *dialect = gw_case_dialect(ctx);
    bool narrow = gw_eb_dialect_of(dialect)->either_width;
    uint8_t offer = narrow ? exchange->offer & GW_EB_MASTER_NARROW : exchange->offer;
    gw_eb_layout layout;
    return exchange->packets[0].len >= 8 &&
           gw_eb_layout_for(&layout, gw_eb_refine(probe[3], offer), dialect);
}

/* How long behind the master's first probe its second one comes, or its last one (|all|); 0: there
 * is none. */
static int64_t probing_ns(const gw_eb_master_exchange *exchange, bool all)
{
    const gw_evidence_packet *first = NULL;
    int64_t probing_ns = 0;
    for (size_t i = 0; i < exchange->num_packets && (all || probing_ns == 0); i++) {
        const gw_evidence_packet *p = &exchange->packets[i];
        if (p->dir != GW_DIR_IN || !gw_eb_master_is_probe(exchange->bytes + p->data, p->len))
            continue;
        if (first == NULL)
            first = p;
        probing_ns = p->time_ns - first->time_ns;
    }
    return probing_ns;
}

static void probe_accepted(gw_ctx *ctx)
{
    gw_eb_master_scan s = gw_eb_master_scan_reference(ctx, "EB-M03");
    const gw_eb_master_exchange *wide = &gw_eb_master_state_of(ctx)->wide;
    gw_miss miss = {.rule = "EB-M03"};
    if (s.probes == 0)
        gw_case_na(ctx, "the master sends no probe");
    if (!agrees(ctx))
        gw_case_na(ctx, "what the master offers leaves it no widths to work with");
    if (wide->probed_ns == 0)
        gw_case_inconc(ctx,
                       "%u probe%s came, and a slave of this dialect answers none such: is the "
                       "dialect right?",
                       s.probes, s.probes == 1 ? "" : "s");
    bool nothing = s.messages == s.probes && !s.was_lost;
    if (nothing && gw_case_told_trip_ns(ctx) >= probing_ns(wide, false) &&
        gw_case_told_trip_ns(ctx) > 0)
        gw_case_inconc(ctx, "no answer comes over this path before the master gives its probe up");
    if (nothing && wide->num_probes == 1)
        gw_case_inconc(ctx, "behind the answer to its probe the master asks for nothing: it may "
                            "have come for no more");
    double probed_s = (double)probing_ns(wide, true) / GW_SECOND;
    if (nothing && !gw_case_near(ctx) && probing_ns(wide, true) < GW_EB_MASTER_LONGEST_TRIP_NS)
        gw_case_inconc(ctx,
                       "the master gives its probe up %.1f s after the first, and asks for "
                       "nothing: the answers may take that long to reach it",
                       probed_s);
    if (nothing)
        gw_eb_master_renew_reference(ctx);
    if (nothing)
        gw_case_fail(ctx, &miss,
                     "%u probes were answered, one after the other, and the master asks for "
                     "nothing",
                     wide->num_probes);
}

/* Counts tell where the next record begins: when they are wrong nothing can be said of the rest. */
#define SEEN(name, what, function, rule)                                                           \
    {                                                                                              \
        .id = name, .title = what, .rules = GW_LIST(rule), .after = GW_LIST("eb-m/counts"),        \
        .run = function                                                                            \
    }

const gw_case gw_eb_m_passive[] = {
    {.id = "eb-m/probe-form",
     .title = "A probe is 8 bytes long and has an id",
     .rules = GW_LIST("EB-M02"),
     .run = any_probe},
    {.id = "eb-m/probe-accepted",
     .title = "A probe response that carries the probe's id sets the master to work",
     .rules = GW_LIST("EB-M03"),
     .after = GW_LIST("eb-m/probe-form"),
     .run = probe_accepted},
    {.id = "eb-m/widths",
     .title = "Requests use one pair of the widths that both sides have",
     .rules = GW_LIST("EB-M04"),
     .run = any_request},
    {.id = "eb-m/counts",
     .title = "The counts of a record match the words that follow it",
     .rules = GW_LIST("EB-M09"),
     .after = GW_LIST("eb-m/probe-form"),
     .run = any_request},
    SEEN("eb-m/packet-begin", "Packets begin with the magic and version 1, reserved bits clear",
         any_packet, "EB-M01"),
    {.id = "eb-m/padding",
     .title = "Headers, addresses and data are padded with zeros",
     .rules = GW_LIST("EB-M06"),
     .after = GW_LIST("eb-m/probe-form"),
     .run = padding},
    SEEN("eb-m/nr-clear", "NR is clear in packets that read", no_reads, "EB-M07"),
    {.id = "eb-m/nr-hint",
     .title = "NR may be set in packets of writes only",
     .rules = GW_LIST("EB-M08"),
     .after = GW_LIST("eb-m/counts"),
     .unproven = "either way is allowed, and the case only notes which one is taken",
     .run = hint},
    {.id = "eb-m/long-cycles",
     .title = "A bus cycle over several records ends with the last of them only",
     .rules = GW_LIST("EB-M10"),
     .after = GW_LIST("eb-m/counts"),
     .needs = GW_LIST("long-cycles"),
     .run = spans},
    {.id = "eb-m/cycle-end",
     .title = "The last record of a datagram ends its bus cycle",
     .rules = GW_LIST("EB-M11"),
     .after = GW_LIST("eb-m/counts"),
     .needs = GW_LIST("udp"),
     .run = any_request},
    SEEN("eb-m/byte-enables", "Byte enables select an aligned run of lanes", any_request, "EB-M12"),
    SEEN("eb-m/several-records", "Replies of several records are accepted", several, "EB-M15"),
    SEEN("eb-m/return-modes", "Results are accepted in the return mode that was asked for",
         return_modes, "EB-M27"),
    SEEN("eb-m/error-checks", "The error register is read before results fall out of it", status,
         "EB-M19"),
    {.id = "eb-m/packet-size",
     .title = "Datagrams fit the path without fragments",
     .rules = GW_LIST("EB-M20"),
     .needs = GW_LIST("udp"),
     .run = any_request},
    {.id = "eb-m/one-header",
     .title = "A connection carries one packet header",
     .rules = GW_LIST("EB-M21"),
     .needs = GW_LIST("tcp"),
     .run = any_request},
    SEEN("eb-m/config-reads", "The config space is read aligned and at full width", config,
         "EB-M22"),
    {.id = "eb-m/open-cycles",
     .title = "No bus cycle stays open from one datagram to the next",
     .rules = GW_LIST("EB-M23"),
     .after = GW_LIST("eb-m/counts"),
     .needs = GW_LIST("udp"),
     .run = left_open},
    {0},
};
