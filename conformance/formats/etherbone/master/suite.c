/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master cases: the good conversations that all others are held against. */
#include "formats/etherbone/master/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SERVICE_PORT 60368
#define RETURN_NS                                                                                  \
    (60 * GW_SECOND)             /* a master that has called once may be started again by hand     \
                                  */
#define FRESH_NS (5 * GW_SECOND) /* one of ours is started by us */
#define LOOK_BACK 8              /* requests in flight that a repetition may reach over */
/* No path loses this many replies to one request in a row, to several requests, and none to the
 * others. */
#define ASKED_OFTEN 4
#define MANY_OF_ALL 4
#define MANY_OF_KIND 3

gw_ebm_state *gw_ebm_state_of(gw_ctx *ctx)
{
    return gw_case_state(ctx);
}

void gw_ebm_begin(gw_ctx *ctx)
{
    (void)ctx;
}

void gw_ebm_end(gw_ctx *ctx)
{
    gw_ebm_stop(&gw_ebm_state_of(ctx)->slave);
}

/* ---- conversations ---- */

/* Whoever has called is alive: there is no way to ask a master. */
bool gw_ebm_alive(gw_ctx *ctx, int64_t timeout_ns)
{
    static const gw_ebm_manner good = {.offer = GW_EBM_WIDE};
    gw_ebm_state *state = gw_ebm_state_of(ctx);
    return state->wide.held || gw_ebm_hold(ctx, &state->wide, &good, timeout_ns);
}

/* Somebody else's master may have to be started again by hand. */
static int64_t patience(const gw_ctx *ctx)
{
    int64_t first_ns = gw_case_first_ns(ctx);
    return gw_case_fresh(ctx) || first_ns == 0 ? FRESH_NS : first_ns;
}

/* Whether probes are all that is looked at in |manner|. */
static bool is_about_probes(const gw_ebm_manner *manner)
{
    return manner->drop_probes > 0 || manner->slow_probe;
}

/* Whether a master that asks for nothing in |manner| may be right to: no response had its id. */
static bool may_ask_nothing(const gw_ebm_manner *manner)
{
    return is_about_probes(manner) || manner->wrong_id || manner->probe_lies;
}

const gw_ebm_talk *gw_ebm_try(gw_ctx *ctx, const gw_ebm_manner *manner)
{
    gw_ebm_state *state = gw_ebm_state_of(ctx);
    gw_ebm_talk *talk = &state->now;
    /* Whoever never asks for anything ignores what is false as well as what is true. */
    if (!is_about_probes(manner) && state->wide.held)
        gw_ebm_expect_heard(ctx, &state->wide, (unsigned)state->wide.num_shapes);
    if (state->gone)
        gw_case_inconc(ctx, "the board did not call again before, so it is not waited for");
    state->gone = !gw_ebm_hold(ctx, talk, manner, patience(ctx));
    const char *no_start = state->gone ? gw_case_no_start(ctx) : NULL;
    if (no_start != NULL)
        gw_case_inconc(ctx, "the board was not started again: %s", no_start);
    if (state->gone)
        gw_case_inconc(ctx, "the board did not call again within %" PRId64 " s",
                       patience(ctx) / GW_SECOND);
    if (talk->num_shapes == 0 && !may_ask_nothing(manner))
        gw_case_inconc(ctx, "the master asked for nothing from a slave that offers widths 0x%02x",
                       manner->offer);
    return talk;
}

/* The good conversation with a slave that offers |offer|. */
static gw_ebm_talk *reference(gw_ctx *ctx, uint8_t offer)
{
    gw_ebm_manner good = {.offer = offer};
    gw_ebm_state *state = gw_ebm_state_of(ctx);
    gw_ebm_talk *talk = offer == GW_EBM_WIDE ? &state->wide : &state->narrow;
    talk->held = talk->held && !talk->doubted;
    talk->doubted = false;
    if (!talk->held && !gw_ebm_hold(ctx, talk, &good, patience(ctx)))
        gw_case_inconc(ctx, "the board did not call again for a conversation to compare with");
    return talk;
}

/* ---- does it go on? ---- */

static bool repeats(const gw_ebm_talk *talk, size_t i)
{
    for (size_t back = 1; back <= LOOK_BACK && back <= i; back++)
        if (talk->shapes[i - back] == talk->shapes[i])
            return true;
    return false;
}

/* Whether request |i| is the last one in a row that asks the same, each time long after the answer
 * where it has to be |answered|. */
static bool is_asked_often(const gw_ebm_talk *talk, size_t i, bool answered)
{
    if (i + 1 < ASKED_OFTEN || (i + 1 < talk->num_shapes && talk->shapes[i + 1] == talk->shapes[i]))
        return false;
    for (size_t back = 0; back + 1 < ASKED_OFTEN; back++)
        if (talk->shapes[i - back - 1] != talk->shapes[i] || (answered && !talk->slow[i - back]))
            return false;
    return true;
}

/* How many requests of |kind| (0: of any) are. */
static unsigned asked_often(const gw_ebm_talk *talk, uint8_t kind, bool answered)
{
    unsigned num = 0;
    for (size_t i = 0; i < talk->num_shapes; i++)
        num += (kind == 0 || (talk->kinds[i] & kind) != 0) && is_asked_often(talk, i, answered);
    return num;
}

void gw_ebm_heed_patience(gw_ctx *ctx, const gw_ebm_talk *talk)
{
    if (talk->crossed || gw_case_told_trip_ns(ctx) > GW_SECOND)
        gw_case_inconc(ctx, "the master asks again before what is said here can have reached it");
}

GW_NORETURN static void stuck(gw_ctx *ctx, const char *rule, const gw_ebm_talk *talk, size_t i,
                              const char *what)
{
    gw_ebm_talk *good = reference(ctx, talk->offer);
    gw_ebm_heed_patience(ctx, talk);
    bool proven = asked_often(good, 0, false) == 0 && asked_often(talk, 0, true) >= MANY_OF_ALL;
    gw_miss miss = {.rule = rule, .proven = proven && gw_case_fresh(ctx)};
    /* It may be the good one that lacks something. */
    good->doubted = gw_case_fresh(ctx);
    if (i < talk->num_shapes)
        gw_case_fail(ctx, &miss, "%s: the master repeats request %zu instead of going on", what, i);
    gw_case_fail(ctx, &miss, "%s: the master stopped after %zu requests", what, talk->num_shapes);
}

void gw_ebm_expect_progress(gw_ctx *ctx, const char *rule, const gw_ebm_talk *talk,
                            const char *what)
{
    const gw_ebm_talk *good = reference(ctx, talk->offer);
    size_t i = 0;
    size_t k = 0;
    while (i < talk->num_shapes && k < good->num_shapes) {
        if (talk->shapes[i] == good->shapes[k]) {
            i++;
            k++;
        } else if (repeats(good, k)) {
            k++; /* a reply was lost then */
        } else if (repeats(talk, i)) {
            stuck(ctx, rule, talk, i, what);
        } else {
            gw_case_inconc(ctx, "%s: the master asks for something else than with a good slave",
                           what);
        }
    }
    while (k < good->num_shapes && repeats(good, k))
        k++;
    bool same_window = gw_case_fresh(ctx);
    if (same_window && (k < good->num_shapes || i < talk->num_shapes))
        stuck(ctx, rule, talk, i, what);
}

bool gw_ebm_asks_more(gw_ctx *ctx, const gw_ebm_talk *talk)
{
    return reference(ctx, talk->offer)->num_shapes > talk->num_shapes;
}

unsigned gw_ebm_expect_taken(gw_ctx *ctx, const char *rule, const gw_ebm_talk *talk, uint8_t kind,
                             const char *what)
{
    unsigned asked = 0;
    unsigned repeated = 0;
    unsigned others = 0;
    gw_miss miss = {.rule = rule};
    for (size_t i = 0; i < talk->num_shapes; i++) {
        /* What follows its reply at once is asked anew, by a master that polls. */
        bool again = i > 0 && talk->shapes[i] == talk->shapes[i - 1] && talk->slow[i];
        bool such = (talk->kinds[i] & kind) != 0;
        asked += such && !again;
        repeated += such && again;
        others += !such && again;
    }
    /* A foreign master that reads one thing each second is not one that repeats it. */
    unsigned enough = gw_case_ours(ctx) ? 1 : 2;
    if (asked >= enough && repeated >= asked && others == 0) {
        miss.proven = gw_case_fresh(ctx) && asked_often(talk, kind, true) >= MANY_OF_KIND;
        gw_ebm_doubt(ctx);
        gw_case_fail(ctx, &miss, "the master repeats %s, %u times, although they were answered",
                     what, repeated);
    }
    return asked;
}

void gw_ebm_expect_heard(gw_ctx *ctx, const gw_ebm_talk *talk, unsigned requests)
{
    if (requests > 0)
        return;
    unsigned came = 0;
    for (size_t i = 0; i < talk->num_packets; i++)
        came += talk->packets[i].dir == GW_DIR_IN;
    if (came > talk->num_probes)
        gw_case_inconc(ctx,
                       "%u packets came behind the probe, and no request can be made out: they are "
                       "out of step",
                       came - talk->num_probes);
    gw_case_inconc(ctx, "the master sent no request");
}

bool gw_ebm_took(gw_ctx *ctx, char *why, size_t why_cap)
{
    const gw_ebm_talk *talk = &gw_ebm_state_of(ctx)->wide;
    if (!talk->held || talk->num_replies == 0 || talk->num_taken > 0)
        return true;
    (void)snprintf(why, why_cap,
                   "the master took none of %u good replies: it asked for the same again, or for "
                   "nothing more; is the dialect right?",
                   talk->num_replies);
    return false;
}

/* ---- looking back ---- */

typedef struct recalling {
    gw_ebm_message_fn fn;
    void *arg;
} recalling;

static void hand_on(void *arg, const gw_message *message)
{
    recalling *r = arg;
    r->fn(r->arg, message);
}

static gw_message message_of(const gw_evidence_packet *packet, const uint8_t *data, unsigned number)
{
    gw_message m = gw_message_of(data, packet->len);
    bool in = packet->dir == GW_DIR_IN;
    gw_endpoint ours = packet->local;
    ours.port = SERVICE_PORT; /* we are the slave, whatever port the kernel gave us */
    m.src = in ? packet->remote : ours;
    m.dst = in ? ours : packet->remote;
    m.dir = packet->dir;
    m.time_ns = packet->time_ns;
    m.transport = packet->stream ? GW_OVER_TCP : GW_OVER_UDP;
    m.frame = number;
    m.frames[0] = number;
    m.num_frames = 1;
    return m;
}

/* Puts packet |i| of |talk| into this case's evidence, and the opening of its connection before the
 * first one. */
static unsigned recall_packet(gw_ctx *ctx, const gw_ebm_talk *talk, size_t i)
{
    const gw_evidence_packet *packet = &talk->packets[i];
    if (i == 0 && packet->stream) {
        gw_evidence_packet open = *packet;
        open.kind = GW_EVIDENCE_OPEN;
        open.len = 0;
        gw_case_recall(ctx, &open, NULL);
    }
    return gw_case_recall(ctx, packet, talk->bytes + packet->data);
}

static void tell(gw_ctx *ctx, const gw_ebm_talk *talk, bool recalled, recalling *r)
{
    gw_ebm_state *state = gw_ebm_state_of(ctx);
    if (!talk->held)
        return;
    gw_ebm_init_stream(ctx);
    for (size_t i = 0; i < talk->num_packets; i++) {
        const gw_evidence_packet *packet = &talk->packets[i];
        const uint8_t *data = talk->bytes + packet->data;
        unsigned number = recalled ? recall_packet(ctx, talk, i) : talk->numbers[i];
        gw_message m = message_of(packet, data, number);
        if (packet->stream)
            gw_etherbone.stream->push(state->stream, packet->dir == GW_DIR_OUT, &m, hand_on, r);
        else
            r->fn(r->arg, &m);
    }
    if (gw_case_stream(ctx))
        gw_etherbone.stream->end(state->stream, hand_on, r);
}

void gw_ebm_doubt(gw_ctx *ctx)
{
    gw_ebm_state *state = gw_ebm_state_of(ctx);
    state->wide.doubted = state->narrow.doubted = gw_case_fresh(ctx);
}

void gw_ebm_recall(gw_ctx *ctx, gw_ebm_message_fn fn, void *arg)
{
    gw_ebm_state *state = gw_ebm_state_of(ctx);
    if (state->narrow.doubted)
        state->narrow.held = false;
    bool anew = state->wide.doubted; /* then it is this case's own, and in its evidence */
    if (anew)
        (void)reference(ctx, GW_EBM_WIDE);
    recalling r = {.fn = fn, .arg = arg};
    tell(ctx, &state->wide, !anew, &r);
    tell(ctx, &state->narrow, true, &r);
}

void gw_ebm_retell(gw_ctx *ctx, const gw_ebm_talk *talk, gw_ebm_message_fn fn, void *arg)
{
    recalling r = {.fn = fn, .arg = arg};
    tell(ctx, talk, false, &r);
}

/* ---- the suite ---- */

bool gw_ebm_has(gw_ctx *ctx, const char *need, char *why, size_t why_cap)
{
    const char *carriage = gw_case_stream(ctx) ? "tcp" : "udp";
    if (strcmp(need, carriage) == 0)
        return true;
    if (strcmp(need, "long-cycles") == 0) {
        bool one_record = gw_eb_dialect_of(gw_case_dialect(ctx))->record_words > 0;
        (void)snprintf(why, why_cap, "%s",
                       one_record ? "a packet of this dialect is one record, and all of its cycle"
                                  : "the board file does not claim long_cycles");
        return !one_record && gw_case_board(ctx)->claims.long_cycles == GW_CLAIM_YES;
    }
    (void)snprintf(why, why_cap, "meaningful over %s only", need);
    return false;
}

void gw_ebm_identify(gw_ctx *ctx, char *out, size_t cap)
{
    const gw_ebm_talk *talk = &gw_ebm_state_of(ctx)->wide;
    const char *failed = talk->left == GW_EBM_ENDED ? gw_case_no_start(ctx) : NULL;
    (void)snprintf(out, cap, "the master sent %u probe%s and %zu requests%s%s", talk->num_probes,
                   talk->num_probes == 1 ? "" : "s", talk->num_shapes,
                   failed != NULL ? ", and was not satisfied: " : "", failed != NULL ? failed : "");
}

static const gw_exception exceptions[] = {
    {"EB-M13", GW_BOTH_WAYS,
     "a master that writes to one address on purpose and one that should not look alike: "
     "only its user knows where the writes were meant to go"},
    {"EB-M25", GW_BOTH_WAYS,
     "needs a reply from another address than the one asked, and goldwire has one only"},
    {"EB-M28", GW_POSITIVE,
     "a master that takes no replies at all looks like one that polls; that good ones are taken is "
     "what eb-m/return-modes and eb-m/several-records see"},
};

static const gw_case *const groups[] = {gw_eb_m_seen, gw_eb_m_behavior, gw_eb_m_malformed};

const gw_suite gw_eb_m_suite = {
    .role = "etherbone-master",
    .format = &gw_etherbone,
    .families = GW_LIST("EB-M"),
    .groups = groups,
    .num_groups = GW_ARRAY_LEN(groups),
    .exceptions = exceptions,
    .num_exceptions = GW_ARRAY_LEN(exceptions),
    .state_size = sizeof(gw_ebm_state),
    .calls_us = true,
    .begin = gw_ebm_begin,
    .alive = gw_ebm_alive,
    .took = gw_ebm_took,
    .has = gw_ebm_has,
    .end = gw_ebm_end,
    .identify = gw_ebm_identify,
};
