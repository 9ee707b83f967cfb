/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master cases: the good exchanges that all others are held against, and what a master
 * did in one of them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/etherbone/master/suite.h"

#define SERVICE_PORT 60368
#define RETURN_NS                                                                                  \
    (60 * GW_SECOND)             /* a master that has called once may be started again by hand     \
                                  */
#define FRESH_NS (5 * GW_SECOND) /* one of ours is started by us */
#define LOOKS 4     /* exchanges, of which a path that loses one packet of ten spares one */
#define LOOK_BACK 8 /* requests in flight that a repetition may reach over */
/* No path loses this many replies to one request in a row, to several requests, and none to the
 * others. */
#define ASKED_OFTEN 4
#define MANY_OF_ALL 4
#define MANY_OF_KIND 3

/* Somebody else's master may have to be started again by hand. */
static int64_t patience(const gw_ctx *ctx)
{
    int64_t first_ns = gw_case_first_ns(ctx);
    return gw_case_fresh(ctx) || first_ns == 0 ? FRESH_NS : first_ns;
}

/* Whether |exchange| shows what the master does with an answer. */
static bool tells(const gw_eb_master_exchange *exchange)
{
    return exchange->num_requests > 0 && (exchange->num_replies == 0 || exchange->num_accepted > 0);
}

/* Whether the path may have lost what a good exchange lacks. */
static bool may_have_lost(const gw_ctx *ctx)
{
    return !gw_case_near(ctx) && !gw_case_stream(ctx);
}

/* Whether the master was at work when |exchange| began, and it ended with the probe of another. */
static bool began_in_the_middle(const gw_eb_master_exchange *exchange)
{
    return exchange->num_probes == 0 && exchange->left == GW_EB_MASTER_RESTARTED;
}

const gw_eb_master_exchange *gw_eb_master_try_exchange(gw_ctx *ctx,
                                                       const gw_eb_master_behavior *behavior)
{
    gw_eb_master_state *state = gw_eb_master_state_of(ctx);
    gw_eb_master_exchange *exchange = &state->now;
    /* Whoever never asks for anything ignores what is false as well as what is true. */
    if (!gw_eb_master_is_about_probes(behavior) && state->wide.held)
        gw_eb_master_require_requests(ctx, &state->wide, (unsigned)state->wide.num_requests);
    if (state->gone)
        gw_case_inconc(ctx, "the board did not call again before, so it is not waited for");
    bool owes = !gw_eb_master_may_ask_nothing(behavior);
    for (unsigned looks = 0; looks < LOOKS; looks++) {
        state->gone = !gw_eb_master_run_exchange(ctx, exchange, behavior, patience(ctx));
        bool lacks = owes && exchange->num_requests == 0 && may_have_lost(ctx);
        if (state->gone || !(lacks || began_in_the_middle(exchange)))
            break;
    }
    const char *no_start = state->gone ? gw_case_no_start(ctx) : NULL;
    if (no_start != NULL)
        gw_case_inconc(ctx, "the board was not started again: %s", no_start);
    if (state->gone)
        gw_case_inconc(ctx, "the board did not call again within %" PRId64 " s",
                       patience(ctx) / GW_SECOND);
    if (exchange->num_requests == 0 && owes)
        gw_case_inconc(ctx, "the master asked for nothing from a slave that offers widths 0x%02x",
                       behavior->offer);
    return exchange;
}

static bool hold_good(gw_ctx *ctx, gw_eb_master_exchange *exchange, uint8_t offer, int64_t first_ns,
                      unsigned most)
{
    gw_eb_master_behavior good = {.offer = offer};
    gw_eb_master_state *state = gw_eb_master_state_of(ctx);
    if (!gw_eb_master_run_exchange(ctx, exchange, &good, first_ns))
        return false;
    for (unsigned looks = 1; looks < most; looks++) {
        bool late = began_in_the_middle(exchange);
        if (!late && (tells(exchange) || !may_have_lost(ctx)))
            break;
        state->gone = !gw_eb_master_run_exchange(ctx, &state->again, &good, first_ns);
        if (state->gone)
            break; /* nor will it for the next case */
        if (late || tells(&state->again) || state->again.num_requests >= exchange->num_requests)
            *exchange = state->again;
    }
    return true;
}

bool gw_eb_master_hold_good(gw_ctx *ctx, gw_eb_master_exchange *exchange, uint8_t offer,
                            int64_t first_ns)
{
    return hold_good(ctx, exchange, offer, first_ns, LOOKS);
}

/* The good exchange with a slave that offers |offer|. */
static gw_eb_master_exchange *reference(gw_ctx *ctx, uint8_t offer)
{
    gw_eb_master_state *state = gw_eb_master_state_of(ctx);
    gw_eb_master_exchange *exchange = offer == GW_EB_MASTER_WIDE ? &state->wide : &state->narrow;
    bool once = exchange->due == GW_EB_MASTER_DOUBTED;
    if (exchange->held && exchange->due == GW_EB_MASTER_KEPT)
        return exchange;
    if (!hold_good(ctx, exchange, offer, patience(ctx), once ? 1 : LOOKS))
        gw_case_inconc(ctx, "the board did not call again for a conversation to compare with");
    if (once && !tells(exchange) && may_have_lost(ctx))
        exchange->due = GW_EB_MASTER_SPOILT;
    if (exchange == &state->wide)
        gw_eb_master_answer_others(ctx);
    return exchange;
}

/* ---- does it go on? ---- */

static bool repeats(const gw_eb_master_exchange *exchange, size_t i)
{
    for (size_t back = 1; back <= LOOK_BACK && back <= i; back++)
        if (exchange->fingerprints[i - back] == exchange->fingerprints[i])
            return true;
    return false;
}

/* Whether request |i| is the last one in a row that asks the same, each time long after the answer
 * where it has to be |answered|. */
static bool is_asked_often(const gw_eb_master_exchange *exchange, size_t i, bool answered)
{
    if (i + 1 < ASKED_OFTEN || (i + 1 < exchange->num_requests &&
                                exchange->fingerprints[i + 1] == exchange->fingerprints[i]))
        return false;
    for (size_t back = 0; back + 1 < ASKED_OFTEN; back++)
        if (exchange->fingerprints[i - back - 1] != exchange->fingerprints[i] ||
            (answered && !exchange->slow[i - back]))
            return false;
    return true;
}

/* How many requests of |kind| (0: of any) are. */
static unsigned asked_often(const gw_eb_master_exchange *exchange, uint8_t kind, bool answered)
{
    unsigned num = 0;
    for (size_t i = 0; i < exchange->num_requests; i++)
        num += (kind == 0 || (exchange->kinds[i] & kind) != 0) &&
               is_asked_often(exchange, i, answered);
    return num;
}

void gw_eb_master_require_patience(gw_ctx *ctx, const gw_eb_master_exchange *exchange)
{
    if (exchange->crossed || gw_case_told_trip_ns(ctx) > GW_SECOND)
        gw_case_inconc(ctx, "the master asks again before what is said here can have reached it");
}

bool gw_eb_master_reacts(gw_ctx *ctx, const gw_eb_master_exchange *exchange)
{
    int64_t trip_ns = gw_eb_master_state_of(ctx)->wide.trip_ns;
    if (exchange->early != 0)
        return true;
    if (!gw_case_near(ctx) && trip_ns >= GW_EB_MASTER_LONGEST_TRIP_NS)
        gw_case_inconc(ctx,
                       "the master takes %.1f s or more for what follows an answer: what "
                       "follows what is none may come later than is waited",
                       (double)trip_ns / GW_SECOND);
    return false;
}

static void doubt(gw_ctx *ctx, gw_eb_master_exchange *exchange)
{
    exchange->due = gw_case_fresh(ctx) ? GW_EB_MASTER_DOUBTED : GW_EB_MASTER_KEPT;
}

GW_NORETURN static void stuck(gw_ctx *ctx, const char *rule, const gw_eb_master_exchange *exchange,
                              size_t i, const char *what)
{
    gw_eb_master_exchange *good = reference(ctx, exchange->offer);
    gw_eb_master_require_patience(ctx, exchange);
    bool proven = asked_often(good, 0, false) == 0 && asked_often(exchange, 0, true) >= MANY_OF_ALL;
    gw_miss miss = {.rule = rule, .proven = proven && gw_case_fresh(ctx)};
    /* It may be the good one that lacks something. */
    doubt(ctx, good);
    if (i < exchange->num_requests)
        gw_case_fail(ctx, &miss, "%s: the master repeats request %zu instead of going on", what, i);
    gw_case_fail(ctx, &miss, "%s: the master stopped after %zu requests", what,
                 exchange->num_requests);
}

void gw_eb_master_expect_progress(gw_ctx *ctx, const char *rule,
                                  const gw_eb_master_exchange *exchange, const char *what)
{
    const gw_eb_master_exchange *good = reference(ctx, exchange->offer);
    size_t i = 0;
    size_t k = 0;
    while (i < exchange->num_requests && k < good->num_requests) {
        if (exchange->fingerprints[i] == good->fingerprints[k]) {
            i++;
            k++;
        } else if (repeats(good, k)) {
            k++; /* a reply was lost then */
        } else if (repeats(exchange, i)) {
            stuck(ctx, rule, exchange, i, what);
        } else {
            gw_case_inconc(ctx, "%s: the master asks for something else than with a good slave",
                           what);
        }
    }
    while (k < good->num_requests && repeats(good, k))
        k++;
    bool same_window = gw_case_fresh(ctx);
    if (same_window && (k < good->num_requests || i < exchange->num_requests))
        stuck(ctx, rule, exchange, i, what);
}

bool gw_eb_master_requests_more(gw_ctx *ctx, const gw_eb_master_exchange *exchange)
{
    return reference(ctx, exchange->offer)->num_requests > exchange->num_requests;
}

unsigned gw_eb_master_expect_accepted(gw_ctx *ctx, const char *rule,
                                      const gw_eb_master_exchange *exchange, uint8_t kind,
                                      const char *what)
{
    unsigned asked = 0;
    unsigned repeated = 0;
    unsigned others = 0;
    gw_miss miss = {.rule = rule};
    for (size_t i = 0; i < exchange->num_requests; i++) {
        /* What follows its reply at once is asked anew, by a master that polls. */
        bool again = i > 0 && exchange->fingerprints[i] == exchange->fingerprints[i - 1] &&
                     exchange->slow[i];
        bool such = (exchange->kinds[i] & kind) != 0;
        asked += such && !again;
        repeated += such && again;
        others += !such && again;
    }
    /* A foreign master that reads one thing each second is not one that repeats it. */
    unsigned enough = gw_case_ours(ctx) ? 1 : 2;
    if (asked >= enough && repeated >= asked && others == 0) {
        miss.proven = gw_case_fresh(ctx) && asked_often(exchange, kind, true) >= MANY_OF_KIND;
        gw_eb_master_renew_reference(ctx);
        gw_case_fail(ctx, &miss, "the master repeats %s, %u times, although they were answered",
                     what, repeated);
    }
    return asked;
}

void gw_eb_master_require_probe(gw_ctx *ctx, const gw_eb_master_exchange *exchange)
{
    if (exchange->num_probes > 0)
        return;
    if (gw_eb_master_state_of(ctx)->wide.num_probes > 0)
        gw_case_inconc(ctx, "no probe came this time: the master was at work already");
    gw_case_na(ctx, "the master sends no probe");
}

void gw_eb_master_require_requests(gw_ctx *ctx, const gw_eb_master_exchange *exchange,
                                   unsigned requests)
{
    if (requests > 0)
        return;
    unsigned came = 0;
    for (size_t i = 0; i < exchange->num_packets; i++)
        came += exchange->packets[i].dir == GW_DIR_IN;
    if (came > exchange->num_probes)
        gw_case_inconc(ctx,
                       "%u packets came behind the probe, and no request can be made out: they are "
                       "out of step",
                       came - exchange->num_probes);
    gw_case_inconc(ctx, "the master sent no request");
}

/* ---- looking back ---- */

typedef struct recalling {
    gw_eb_master_message_fn fn;
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

/* Whether packet |i| of |exchange| is the first one of a connection. */
static bool opens(const gw_eb_master_exchange *exchange, size_t i)
{
    const gw_evidence_packet *packet = &exchange->packets[i];
    return packet->stream &&
           (i == 0 || !gw_endpoint_equal(&packet->remote, &exchange->packets[i - 1].remote));
}

/* Puts packet |i| of |exchange| into this case's evidence, and the opening of its connection before
 * the first one. */
static unsigned recall_packet(gw_ctx *ctx, const gw_eb_master_exchange *exchange, size_t i)
{
    const gw_evidence_packet *packet = &exchange->packets[i];
    if (opens(exchange, i)) {
        gw_evidence_packet open = *packet;
        open.kind = GW_EVIDENCE_OPEN;
        open.len = 0;
        gw_case_recall(ctx, &open, NULL);
    }
    return gw_case_recall(ctx, packet, exchange->bytes + packet->data);
}

static void visit(gw_ctx *ctx, const gw_eb_master_exchange *exchange, bool recalled, recalling *r)
{
    gw_eb_master_state *state = gw_eb_master_state_of(ctx);
    if (!exchange->held)
        return;
    gw_eb_master_init_stream(ctx);
    for (size_t i = 0; i < exchange->num_packets; i++) {
        const gw_evidence_packet *packet = &exchange->packets[i];
        const uint8_t *data = exchange->bytes + packet->data;
        if (i > 0 && opens(exchange, i)) {
            gw_etherbone.stream->end(state->stream, hand_on, r);
            gw_eb_master_init_stream(ctx);
        }
        unsigned number = recalled ? recall_packet(ctx, exchange, i) : exchange->numbers[i];
        gw_message m = message_of(packet, data, number);
        if (packet->stream)
            gw_etherbone.stream->push(state->stream, packet->dir == GW_DIR_OUT, &m, hand_on, r);
        else
            r->fn(r->arg, &m);
    }
    if (gw_case_stream(ctx))
        gw_etherbone.stream->end(state->stream, hand_on, r);
}

void gw_eb_master_renew_reference(gw_ctx *ctx)
{
    gw_eb_master_state *state = gw_eb_master_state_of(ctx);
    doubt(ctx, &state->wide);
    doubt(ctx, &state->narrow);
}

void gw_eb_master_recall_reference(gw_ctx *ctx, gw_eb_master_message_fn fn, void *arg)
{
    gw_eb_master_state *state = gw_eb_master_state_of(ctx);
    if (state->narrow.due != GW_EB_MASTER_KEPT)
        state->narrow.held = false;
    bool anew =
        state->wide.due != GW_EB_MASTER_KEPT; /* then it is this case's own, and in its evidence */
    if (anew)
        (void)reference(ctx, GW_EB_MASTER_WIDE);
    recalling r = {.fn = fn, .arg = arg};
    visit(ctx, &state->wide, !anew, &r);
    visit(ctx, &state->others, !anew, &r);
    visit(ctx, &state->narrow, true, &r);
}

void gw_eb_master_visit_messages(gw_ctx *ctx, const gw_eb_master_exchange *exchange,
                                 gw_eb_master_message_fn fn, void *arg)
{
    recalling r = {.fn = fn, .arg = arg};
    visit(ctx, exchange, false, &r);
}

bool gw_eb_master_suite_has(gw_ctx *ctx, const char *need, char *why, size_t why_cap)
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
