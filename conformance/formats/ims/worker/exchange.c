/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS Worker cases: conversations, in good behavior and in bad ones. The buffer that we play takes
 * whatever comes, however wrong: judging is for later. */
#include <string.h>

#include "formats/ims/worker/exchange.h"
#include "goldwire/ib.h"

#define TRIES 5                    /* of a request, with a second between: a guess */
#define QUIET_NS GW_SECOND         /* after STAT_DOWN nothing is due any more */
#define WINDOW_NS (30 * GW_SECOND) /* of a foreign Worker, which may never stop */
#define MISSING_MAX 1024           /* packets in a row: more is another stream */
#define MANY_TIMES 64              /* that a frame may go unanswered in a window */
#define RESERVE 256                /* sendings for frames that are not answered as usual */
#define NEWS_REQUESTS 64           /* of a kind; later requests say the same */
#define NEWS_SENDINGS 1024         /* of a frame; likewise */
#define STALE_MAX 65536            /* packets without news: to who goes on so nobody listens */
#define STALE_REQUEST 1024         /* a request, answered each time, counts for so many of them */
#define LONG_BYTES 8192            /* a longer packet, which none may be, for several */

typedef gw_imsw_exchange exchange;

/* ---- what the path takes ---- */

/* What has come is what the Worker does upon |method|, and never before. */
static void note_turn(exchange *t, uint8_t method)
{
    if (t->said_ns[method] <= 0)
        return;
    gw_timing_add(&gw_imsw_state_of(t->ctx)->turns, gw_case_now(t->conn) - t->said_ns[method]);
    t->said_ns[method] = -1;
}

/* ---- news ---- */

/* What has come says nothing new and counts for |weight| packets; 0: it does. */
static void note_stale(exchange *t, unsigned weight)
{
    t->stale = weight == 0 ? 0 : t->stale + weight;
    if (t->stale <= STALE_MAX || t->ended)
        return;
    gw_case_note(t->ctx, "the Worker says the same over and over, and was heard no longer");
    gw_imsw_state_of(t->ctx)->babbled++;
    t->session->cut = true;
    t->ended = true;
}

/* ---- the status channel ---- */

/* Who asks again says the same. */
static void compare(exchange *t, const gw_ims_status *request)
{
    gw_ims_status *first = &t->first[request->method];
    bool has_key = request->method == GW_IMS_STAT_REQ || request->method == GW_IMS_DATA_REQ;
    if (t->session->requests[request->method] == 1)
        *first = *request;
    if (t->session->changed[request->method] == 0 &&
        (request->lid != first->lid || request->qpn != first->qpn ||
         (has_key && request->key != first->key)))
        t->session->changed[request->method] = t->session->num_packets;
}

static void on_request(exchange *t, const gw_ims_packet *p)
{
    const gw_ims_status *request = &p->status;
    uint8_t method = request->method % GW_IMS_NUM_METHODS;
    note_stale(t, ++t->session->requests[method] <= NEWS_REQUESTS ? 0 : STALE_REQUEST);
    if ((request->method & GW_IMS_RESPONSE) != 0 || request->method >= GW_IMS_NUM_METHODS)
        return;
    compare(t, request);
    if (method == GW_IMS_DATA_REQ)
        note_turn(t, GW_IMS_STAT_RES);
    if (method == GW_IMS_STAT_TERM)
        note_turn(t, GW_IMS_DATA_DOWN);
    if (method == GW_IMS_STAT_REQ) {
        t->worker = *request;
        t->session->version = (uint16_t)(request->major << 8 | request->minor);
        t->service_qp = p->bth.dest_qp;
    }
    if (method == GW_IMS_DATA_REQ)
        t->worker_qpnd = request->key & GW_IB_NUMBER_MASK;
    if (method == GW_IMS_DATA_REQ && !t->registered && t->session->hasty == 0)
        t->session->hasty = t->session->num_packets;
    if (method == GW_IMS_DATA_TERM || method == GW_IMS_STAT_TERM)
        t->writable = false;
    if (t->session->requests[GW_IMS_STAT_REQ] == 0)
        return; /* nobody knows the key to answer with */
    if (gw_imsw_does(t, GW_IMSW_UNHEARD) && t->session->requests[method] == 1)
        return;
    gw_imsw_answer(t, request);
}

/* Who waits for a response, or for an answer to a request, is silent for so long at most. */
static int64_t idle_limit(const exchange *t)
{
    int64_t longest = gw_imsw_response_ns(t->ctx);
    if (t->down)
        return QUIET_NS + 2 * gw_imsw_turn_ns(t->ctx);
    if (longest < TRIES * GW_SECOND)
        longest = TRIES * GW_SECOND;
    return 2 * longest + GW_SECOND;
}

/* Something was said, by either side: the silence begins anew. */
static void prolong(exchange *t)
{
    t->deadline = gw_case_now(t->conn) + idle_limit(t);
    t->session->cut = t->deadline > t->end && !t->down;
    if (t->deadline > t->end)
        t->deadline = t->end;
}

/* ---- frames ---- */

/* The number of the frame at |va|; a new one when it was not sent before. */
static uint32_t number_of(gw_imsw_session *session, uint64_t va)
{
    for (size_t i = 0; i < session->num_sendings; i++)
        if (session->sendings[i].va == va)
            return session->sendings[i].number;
    return session->num_frames++;
}

static const gw_imsw_plan *plan_of(const exchange *t, uint32_t number)
{
    for (size_t i = 0; i < t->behavior->num_plans; i++)
        if (t->behavior->plans[i].frame == number || t->behavior->plans[i].frame == GW_IMSW_EVERY)
            return &t->behavior->plans[i];
    return NULL;
}

static const gw_imsw_plan *plan_for(const exchange *t, const gw_imsw_sending *s)
{
    const gw_imsw_plan *plan = plan_of(t, s->number);
    bool due = plan != NULL && gw_imsw_times(t->session, s->number) <= plan->times;
    return due ? plan : NULL;
}

static void end_frame(exchange *t)
{
    gw_imsw_sending *s = t->open;
    t->open = NULL;
    s->whole = true;
    if (!s->refused)
        gw_imsw_respond(t, s, plan_for(t, s));
}

/* How often frame |number| began. */
static uint32_t beginnings(const gw_imsw_session *session, uint32_t number)
{
    uint32_t num = 0;
    for (size_t i = 0; i < session->num_sendings; i++)
        num += session->sendings[i].number == number;
    return num;
}

/* A refusal that does not wait for the frame's end. */
static void refuse_early(exchange *t, gw_imsw_sending *s)
{
    const gw_imsw_plan *plan = plan_of(t, s->number);
    if (plan != NULL && plan->early && beginnings(t->session, s->number) <= plan->times)
        gw_imsw_refuse(t, s, plan);
}

static void begin_frame(exchange *t, const gw_ims_packet *p)
{
    gw_imsw_session *session = t->session;
    uint32_t frame = number_of(session, p->reth.va);
    size_t room = GW_IMSW_SENDINGS - (plan_of(t, frame) != NULL ? 0 : RESERVE);
    t->open =
        session->num_sendings < room ? &session->sendings[session->num_sendings++] : &t->other;
    *t->open = (gw_imsw_sending){.va = p->reth.va,
                                 .length = p->reth.length,
                                 .number = frame,
                                 .packet = session->num_packets,
                                 .start_ns = gw_case_now(t->conn)};
    t->open_is_news = beginnings(session, frame) <= NEWS_SENDINGS;
}

/* Packets of data are numbered. False when this one comes once more. */
static bool follow_number(exchange *t, uint32_t psn)
{
    uint32_t ahead = t->has_psn ? (psn - t->next_psn) & GW_IB_NUMBER_MASK : 0;
    uint32_t behind = -ahead & GW_IB_NUMBER_MASK;
    bool late = ahead > GW_IB_NUMBER_MASK / 2;
    uint64_t bit = late && behind <= 64 ? UINT64_C(1) << (behind - 1) : 0;
    bool once_more = (t->seen_psn & bit) != 0 && !gw_case_near(t->ctx);
    t->session->num_data++;
    t->session->gaps += ahead != 0;
    t->session->disorder += late;
    t->has_psn = true;
    t->seen_psn |= bit;
    if (late && !once_more && t->session->missing > 0)
        t->session->missing--;
    if (late && !gw_case_near(t->ctx))
        return !once_more;
    if (ahead < MISSING_MAX)
        t->session->missing += ahead;
    t->seen_psn = ahead < 63 ? t->seen_psn << (ahead + 1) | 1 : 1;
    t->next_psn = (psn + 1) & GW_IB_NUMBER_MASK;
    return true;
}

static void on_data(exchange *t, const gw_ims_packet *p)
{
    note_turn(t, GW_IMS_DATA_RES);
    if (p->payload_sent > t->session->packet_bytes)
        t->session->packet_bytes = p->payload_sent;
    if (p->first)
        begin_frame(t, p);
    if (t->open == NULL) {
        note_stale(t, t->weight);
        return;
    }
    if (p->first && !p->last)
        refuse_early(t, t->open);
    t->open->got += p->payload_sent;
    note_stale(t, t->open_is_news && t->open->got <= t->open->length ? 0 : t->weight);
    if (p->last)
        end_frame(t);
}

/* Data that may not come now. */
static void on_stray(exchange *t)
{
    unsigned *first = t->opened ? &t->session->after : &t->session->early;
    note_stale(t, t->weight);
    if (*first == 0)
        *first = t->session->num_packets;
}

/* ---- receiving ---- */

/* Whether |a| and |b| are of one host: its ports are not kept. */
static bool same_host(const gw_endpoint *a, const gw_endpoint *b)
{
    if (a->family == GW_FAMILY_LID && b->family == GW_FAMILY_LID)
        return gw_ib_endpoint_lid(a) == gw_ib_endpoint_lid(b);
    return a->family == b->family && memcmp(a->ip, b->ip, sizeof(a->ip)) == 0;
}

/* Whether another Worker registers in the middle: what two say at once cannot be told apart.
 * Whether one of the same host is another, or changes its number, only the hook's author knows. */
static bool is_crowded(exchange *t, const gw_packet *packet, const gw_ims_packet *p)
{
    bool registers =
        p->kind == GW_IMS_IS_STATUS && p->has_body && p->status.method == GW_IMS_STAT_REQ;
    if (gw_case_ours(t->ctx) || !registers)
        return false;
    if (t->session->requests[GW_IMS_STAT_REQ] == 0) {
        t->caller = packet->from;
        return false;
    }
    t->session->crowded = !same_host(&packet->from, &t->caller) ||
                          (gw_case_fresh(t->ctx) && p->status.qpn != t->worker.qpn);
    t->ended = t->ended || t->session->crowded;
    return t->session->crowded;
}

/* A Worker that registers after a leave begins another conversation: its STAT_REQ waits for that.
 */
static bool begins_another(exchange *t, const gw_packet *packet, const gw_ims_packet *p)
{
    gw_imsw_state *state = gw_imsw_state_of(t->ctx);
    const gw_evidence_packet *seen = gw_case_seen(t->ctx, packet->number);
    bool registers =
        p->kind == GW_IMS_IS_STATUS && p->has_body && p->status.method == GW_IMS_STAT_REQ;
    if (gw_case_ours(t->ctx) || !t->down || !registers || seen == NULL ||
        packet->len > sizeof(state->early))
        return false;
    t->ended = true;
    state->early_packet = *seen;
    memcpy(state->early, packet->data, packet->len);
    return true;
}

/* Takes up what came for this conversation during the last one. */
static bool take_early(gw_ctx *ctx, gw_packet *out)
{
    gw_imsw_state *state = gw_imsw_state_of(ctx);
    if (state->early_packet.len == 0)
        return false;
    *out = (gw_packet){.data = state->early,
                       .len = state->early_packet.len,
                       .number = gw_case_recall(ctx, &state->early_packet, state->early),
                       .time_ns = state->early_packet.time_ns,
                       .from = state->early_packet.remote};
    state->early_packet.len = 0;
    return true;
}

static gw_recv_status receive_packet(exchange *t, int64_t timeout_ns, gw_packet *out)
{
    if (t->session->num_received == 0 && take_early(t->ctx, out))
        return GW_RECV_DATA;
    return gw_case_recv(t->ctx, t->conn, timeout_ns, out);
}

static void handle_packet(exchange *t, const gw_packet *packet)
{
    gw_imsw_session *session = t->session;
    gw_ims_packet p;
    if (packet->len < GW_IB_ICRC)
        return;
    gw_message message = gw_message_of(packet->data, packet->len - GW_IB_ICRC);
    (void)gw_ims_decode(&p, &message, gw_case_dialect(t->ctx));
    if (begins_another(t, packet, &p) || is_crowded(t, packet, &p))
        return;
    bool status = p.kind == GW_IMS_IS_STATUS && p.has_body;
    t->weight = 1 + (unsigned)(packet->len / LONG_BYTES);
    gw_imsw_feed(t->ctx, session, gw_case_transport(t->conn), &packet->from, gw_case_now(t->conn),
                 packet->data, packet->len);
    if (session->num_received++ == 0)
        session->first_method = status ? p.status.method : UINT8_MAX;
    if (status)
        on_request(t, &p);
    else if (p.kind != GW_IMS_IS_DATA || !follow_number(t, p.bth.psn))
        note_stale(t, t->weight);
    else if (t->writable)
        on_data(t, &p);
    else
        on_stray(t);
}

/* How long a foreign Worker is listened to: until frames without an answer must have come again. */
static int64_t window(const exchange *t)
{
    int64_t longest = WINDOW_NS;
    for (size_t i = 0; i < t->behavior->num_plans; i++) {
        uint32_t times = t->behavior->plans[i].times;
        int64_t waits = times <= MANY_TIMES ? times + 1 : 1;
        if (longest < WINDOW_NS + waits * gw_imsw_response_ns(t->ctx))
            longest = WINDOW_NS + waits * gw_imsw_response_ns(t->ctx);
    }
    return longest;
}

/* The Worker has done what it came for; what it has said since may still be on its way. */
static void end_soon(exchange *t)
{
    int64_t until = gw_case_now(t->conn) + (gw_case_near(t->ctx) ? 0 : 2 * gw_imsw_turn_ns(t->ctx));
    if (!t->session->over && until < t->deadline)
        t->deadline = until;
    t->session->over = true;
}

static void run_exchange(exchange *t, int64_t first_ns)
{
    t->deadline = gw_case_now(t->conn) + first_ns;
    int64_t slice = gw_case_slice_ns(t->ctx);
    t->end = gw_case_ours(t->ctx) ? INT64_MAX / 4 : t->deadline + window(t);
    while (!t->ended) {
        gw_packet packet;
        if (gw_imsw_send_due(t))
            prolong(t);
        int64_t now = gw_case_now(t->conn);
        int64_t due = gw_imsw_due(t);
        int64_t until = now + slice < t->deadline ? now + slice : t->deadline;
        if (t->deadline <= now)
            return;
        gw_recv_status status = receive_packet(t, (due < until ? due : until) - now, &packet);
        if (status == GW_RECV_TIMEOUT && gw_case_over(t->ctx) && !t->answer_due)
            end_soon(t);
        if (status != GW_RECV_DATA)
            continue;
        handle_packet(t, &packet);
        if (!t->session->over)
            prolong(t);
    }
}

bool gw_imsw_hold(gw_ctx *ctx, gw_imsw_session *session, const gw_imsw_behavior *behavior,
                  int64_t first_ns)
{
    if (gw_case_fresh(ctx)) {
        (void)gw_case_reconnect(ctx);
        gw_imsw_state_of(ctx)->early_packet.len = 0; /* who sent that is started anew */
    }
    return gw_imsw_hold_another(ctx, session, behavior, first_ns, 0);
}

bool gw_imsw_hold_another(gw_ctx *ctx, gw_imsw_session *session, const gw_imsw_behavior *behavior,
                          int64_t first_ns, unsigned before)
{
    exchange t = {.ctx = ctx, .session = session, .behavior = behavior};
    t.conn = gw_case_connection(ctx);
    gw_imsw_open(ctx, session, before);
    run_exchange(&t, first_ns);
    gw_imsw_leave(&t);
    gw_imsw_close(ctx, session);
    session->held = session->num_received > 0;
    session->whole = gw_case_whole(ctx);
    return session->held;
}
