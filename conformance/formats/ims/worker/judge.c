/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS Worker cases: what the codec's checks and its session say about a conversation, while it goes
 * on: a few frames may be more than anybody wants to keep. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/ims/worker/suite.h"
#include "goldwire/cursor.h"
#include "harness/checksum.h"

/* Whom the session sees talking: one address each, wherever both really are. */
static const gw_endpoint buffer_end = {
    .ip = {127, 0, 0, 1}, .port = GW_ROCE_PORT, .family = GW_FAMILY_IPV4};
static const gw_endpoint worker_end = {
    .ip = {127, 0, 0, 2}, .port = GW_ROCE_PORT, .family = GW_FAMILY_IPV4};

typedef struct listener {
    gw_verdict_sink sink; /* first */
    const gw_imsw_state *state;
    gw_imsw_session *session;
    bool images; /* hears of nothing else */
    bool alone;  /* looks at one packet */
} listener;

static bool was_ours(const gw_imsw_state *state, uint64_t number)
{
    return number < GW_IMSW_DIRECTIONS && (state->sent[number / 64] >> number % 64 & 1) != 0;
}

/* What is held against our own answer, or the packet's own content, is true whatever got lost. */
static bool shows_itself(const gw_finding *finding)
{
    static const char *const rules[] = {"IMS-W1", "IMS-W2", "IMS-W3", "IMS-W4", "IMS-W26"};
    for (size_t i = 0; i < GW_ARRAY_LEN(rules); i++)
        if (strcmp(finding->rule->id, rules[i]) == 0)
            return true;
    return strcmp(finding->rule->id, "IMS-W5") == 0 && finding->field != NULL &&
           strcmp(finding->field->name, "ims.data.rkey") == 0;
}

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    listener *l = (listener *)sink;
    size_t place = (size_t)(finding->rule - gw_ims.rules);
    bool image =
        strcmp(finding->rule->id, "IMS-W26") == 0 || strcmp(finding->rule->id, "IMS-W27") == 0;
    if (place >= GW_IMSW_RULES || (l->images && !image) || was_ours(l->state, finding->frame))
        return;
    bool alone = l->alone || shows_itself(finding);
    gw_imsw_fault *fault = &l->session->faults[place];
    if (fault->found && (fault->alone || !alone))
        return;
    fault->found = true;
    fault->alone = alone;
    fault->clear = l->session->gaps == 0 && l->session->disorder == 0;
    fault->packet = (unsigned)finding->frame;
    fault->offset = finding->offset;
    fault->field = finding->field;
    (void)snprintf(fault->text, sizeof(fault->text), "%s", finding->text);
}

static listener listener_to(gw_ctx *ctx, gw_imsw_session *session)
{
    listener l = {
        .sink = {.finding = on_finding}, .state = gw_imsw_state_of(ctx), .session = session};
    return l;
}

/* Frames are taken for images as well where the board file says so, whatever the dialect, and
 * somebody will ask: in the good conversation and for cases about images. */
static bool has_images(const gw_ctx *ctx)
{
    const gw_case *self = gw_case_self(ctx);
    return gw_case_board(ctx)->claims.images == GW_CLAIM_YES &&
           (self == NULL || gw_case_tests(self, "IMS-W27"));
}

void gw_imsw_open(gw_ctx *ctx, gw_imsw_session *session, unsigned before)
{
    gw_imsw_state *state = gw_imsw_state_of(ctx);
    memset(session, 0, sizeof(*session));
    memset(state->sent, 0, sizeof(state->sent));
    session->before = session->num_packets = before;
    session->first_method = UINT8_MAX;
    if (!gw_ims.session->init(state->session, sizeof(state->session), 60 * GW_SECOND) ||
        !gw_ims.session->init(state->images, sizeof(state->images), 60 * GW_SECOND))
        gw_case_error(ctx, "no room for a session");
    /* What the path may have lost is found out by asking again. */
    gw_ims.session->lossless(state->session);
    gw_ims.session->lossless(state->images);
}

/* A wrong ICRC is a fault of its own: the packet is looked at as if it were right. */
static void check_sums(listener *l, gw_message *m, gw_ib *ib, const gw_endpoint *from,
                       const gw_endpoint *to, const gw_dialect *dialect)
{
    ib->icrc = gw_load_le32(m->data + m->len);
    ib->icrc_due = gw_ib_icrc_udp(&gw_fast_env, from, to, m->data, m->len);
    ib->icrc_verdict =
        (uint8_t)gw_ib_judge_udp(&gw_fast_env, from, to, m->data, m->len + GW_IB_ICRC, true);
    if (ib->icrc_verdict == GW_IB_WRONG)
        gw_ims.check(m, dialect, &l->sink);
    ib->icrc_verdict = GW_IB_NOT_JUDGED;
}

void gw_imsw_feed(gw_ctx *ctx, gw_imsw_session *session, const gw_transport *line,
                  const gw_endpoint *from, int64_t time_ns, const uint8_t *data, size_t len)
{
    gw_imsw_state *state = gw_imsw_state_of(ctx);
    listener l = listener_to(ctx, session);
    unsigned number = ++session->num_packets;
    bool in = from != NULL;
    gw_ib ib = {0};
    if (!in && number < GW_IMSW_DIRECTIONS)
        state->sent[number / 64] |= UINT64_C(1) << number % 64;
    if (len < GW_IB_ICRC)
        return;
    gw_message m = gw_message_of(data, len - GW_IB_ICRC);
    m.src = in ? worker_end : buffer_end;
    m.dst = in ? buffer_end : worker_end;
    m.dir = in ? GW_DIR_IN : GW_DIR_OUT;
    m.time_ns = time_ns;
    m.transport = GW_OVER_UDP;
    m.frame = m.frames[0] = number;
    m.num_frames = 1;
    m.ib = &ib;
    if (in) {
        check_sums(&l, &m, &ib, from, &line->local, gw_case_dialect(ctx));
        l.alone = ib.icrc == ib.icrc_due;
        gw_ims.check(&m, gw_case_dialect(ctx), &l.sink);
        l.alone = false;
    }
    gw_ims.session->feed(state->session, &m, gw_case_dialect(ctx), &l.sink);
    l.images = true;
    if (has_images(ctx))
        gw_ims.session->feed(state->images, &m, gw_dialect_by_name(&gw_ims, "images"), &l.sink);
}

void gw_imsw_close(gw_ctx *ctx, gw_imsw_session *session)
{
    gw_imsw_state *state = gw_imsw_state_of(ctx);
    listener l = listener_to(ctx, session);
    gw_ims.session->end(state->session, &l.sink);
    l.images = true;
    if (has_images(ctx))
        gw_ims.session->end(state->images, &l.sink);
}

/* Whether a frame that lies before the first one came after it: what came first was not sent first.
 */
static bool first_came_later(const gw_imsw_session *session)
{
    for (size_t i = 1; i < session->num_sendings; i++)
        if (session->sendings[i].va < session->sendings[0].va)
            return true;
    return false;
}

/* Where a frame begins, and how long it is, shows beside those before it alone. */
static bool needs_all(const char *rule)
{
    static const char *const rules[] = {"IMS-W5", "IMS-W8", "IMS-W10", "IMS-W11", "IMS-W30"};
    for (size_t i = 0; i < GW_ARRAY_LEN(rules); i++)
        if (strcmp(rule, rules[i]) == 0)
            return true;
    return false;
}

static const gw_imsw_fault *fault_of(gw_ctx *ctx, const gw_imsw_session *session, const char *rule)
{
    const gw_rule *known = gw_format_rule(&gw_ims, rule);
    if (known == NULL || (size_t)(known - gw_ims.rules) >= GW_IMSW_RULES)
        gw_case_error(ctx, "no rule %s", rule);
    return &session->faults[known - gw_ims.rules];
}

/* Whether the frame that begins with |packet| was begun before the response to its last sending can
 * have arrived. */
static bool crossed(gw_ctx *ctx, const gw_imsw_session *session, unsigned packet)
{
    const gw_imsw_sending *s = session->sendings;
    const gw_imsw_sending *end = session->sendings + session->num_sendings;
    for (; s < end; s++) {
        const gw_imsw_sending *next = gw_imsw_next(session, s);
        if (next != NULL && next->packet == packet)
            return !gw_imsw_upon(ctx, next, s);
    }
    return false;
}

/* Of what a path lost or mixed up nobody knows what stood there. */
static bool is_unclear(gw_ctx *ctx, const gw_imsw_session *session, const char *rule)
{
    const gw_imsw_fault *f = fault_of(ctx, session, rule);
    if (!f->found || f->alone || gw_case_near(ctx))
        return false;
    /* What comes behind a leave may have been sent before it. */
    if (strcmp(rule, "IMS-W22") == 0)
        return session->disorder > 0;
    if (strcmp(rule, "IMS-W16") == 0 && crossed(ctx, session, f->packet))
        return true;
    return needs_all(rule) && (!f->clear || first_came_later(session));
}

bool gw_imsw_unclear(gw_ctx *ctx, const gw_imsw_session *session)
{
    for (const char *const *rule = gw_case_self(ctx)->rules; *rule != NULL; rule++)
        if (is_unclear(ctx, session, *rule))
            return true;
    return false;
}

static void attribute_to_path(gw_ctx *ctx, const gw_imsw_session *session, const char *rule)
{
    if (!is_unclear(ctx, session, rule))
        return;
    if (strcmp(rule, "IMS-W22") == 0)
        gw_case_inconc(ctx, "the path changed the order of %u packets", session->disorder);
    if (strcmp(rule, "IMS-W16") == 0)
        gw_case_inconc(ctx, "the frame came again before the NACK can have reached the Worker");
    if (!fault_of(ctx, session, rule)->clear)
        gw_case_inconc(ctx, "packets are missing, or came in another order, at %u places",
                       session->gaps);
    if (first_came_later(session))
        gw_case_inconc(ctx, "the first frame came after others, or got lost at first");
}

void gw_imsw_judge(gw_ctx *ctx, const gw_imsw_session *session, const char *rule)
{
    const gw_imsw_fault *f = fault_of(ctx, session, rule);
    if (!f->found)
        return;
    attribute_to_path(ctx, session, rule);
    gw_miss miss = {.rule = rule,
                    .field = f->field,
                    .packet = f->packet,
                    .offset = f->offset,
                    .proven = f->alone};
    gw_case_mark(ctx, f->packet, "%s at byte %" PRIu32 ": %s", rule, f->offset, f->text);
    /* A path damages now this packet and now that one. */
    bool damage = strcmp(rule, "IMS-C13") == 0;
    gw_imsw_fail(ctx, &miss, damage ? f->packet : 0, "packet %u, byte %" PRIu32 ": %s", f->packet,
                 f->offset, f->text);
}
