/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS Worker cases: conversations, in good manners and in bad ones. The buffer that we play takes
 * whatever comes, however wrong: judging is for later. */
#include <string.h>

#include "cases/ims_w.h"

#define BUFFER_QPND 0x87
#define BASE UINT64_C(0x1000000000)
#define RKEY 0xcafe0001u
#define STRANGE_VA UINT64_C(0x7fff000000) /* far from all that anybody writes to */
#define TRIES 5                           /* of a request, with a second between: a guess */
#define QUIET_NS GW_SECOND                /* after STAT_DOWN nothing is due any more */
#define SLICE_NS (20 * GW_MS)
#define WINDOW_NS (30 * GW_SECOND) /* of a foreign Worker, which may never stop */
#define MANY_TIMES 64              /* that a frame may go unanswered in a window */
#define RESERVE 256                /* sendings for frames that are not answered as usual */

/* A conversation that goes on. */
typedef struct talking {
    gw_ctx *ctx;
    gw_line *line;
    gw_imsw_talk *talk;
    const gw_imsw_manner *manner;
    gw_imsw_sending *open; /* the frame whose packets come; NULL: none */
    gw_imsw_sending other; /* one that is not remembered */
    gw_ims_status worker;  /* its STAT_REQ */
    uint32_t worker_qpnd;
    uint32_t service_qp;
    bool has_psn;
    uint32_t next_psn; /* of its data */
    uint32_t psn[2];   /* of status packets, of responses */
    bool writable;     /* DATA_RES is out, and nobody has ended it since */
    bool answer_due;
    gw_ims_status answer; /* waits for |answer_ns| */
    int64_t answer_ns;
    int64_t deadline; /* when we stop listening, if nothing comes ... */
    int64_t end;      /* ... and if it does not stop coming */
    bool down;        /* STAT_DOWN went out */
    bool ended;
} talking;

int64_t gw_imsw_response_ns(const gw_ctx *ctx)
{
    uint32_t claimed = gw_case_board(ctx)->claims.response_timeout_ms;
    return claimed != 0 ? claimed * GW_MS : GW_IMS_TIMEOUT_NS;
}

/* ---- saying ---- */

static void say(talking *t, const gw_ims_draft *draft)
{
    uint8_t packet[GW_IB_PACKET_MAX];
    const gw_transport *transport = gw_case_transport(t->line);
    size_t len = gw_ims_build_datagram(packet, sizeof(packet), draft, gw_case_dialect(t->ctx),
                                       &transport->local, &transport->remote);
    gw_case_send(t->ctx, t->line, packet, len);
    gw_imsw_feed(t->ctx, t->talk, transport, GW_DIR_OUT, gw_case_now(t->line), packet, len);
}

static void say_status(talking *t, const gw_ims_status *status)
{
    gw_ims_draft draft = gw_ims_draft_status(t->worker.qpn & GW_IB_NUMBER_MASK, t->service_qp,
                                             t->worker.key, t->psn[0]++, status);
    say(t, &draft);
    t->down = t->down || status->method == GW_IMS_STAT_DOWN;
    t->writable = t->writable || status->method == GW_IMS_DATA_RES;
}

static void say_response(talking *t, uint64_t va, uint32_t events)
{
    gw_ims_ack ack = {
        .type = events == 0 ? GW_IMS_TYPE_ACK : GW_IMS_TYPE_NACK, .events = events, .va = va};
    gw_ims_draft draft = gw_ims_draft_ack(t->worker_qpnd, t->psn[1]++, &ack);
    say(t, &draft);
}

/* ---- the status channel ---- */

static void fill_with_noise(gw_ctx *ctx, gw_ims_status *status)
{
    status->key = (uint32_t)gw_case_random(ctx) | 1;
    status->va = gw_case_random(ctx) | 1;
    status->rkey = (uint32_t)gw_case_random(ctx) | 1;
}

static gw_ims_status answer_to(talking *t, const gw_ims_status *request)
{
    bool echo = gw_ims_dialect_of(gw_case_dialect(t->ctx))->qpnd_echo;
    gw_ims_status answer = {
        .method = request->method | GW_IMS_RESPONSE,
        .major = t->manner->major != 0 ? t->manner->major : GW_IMS_MAJOR,
        .minor = t->manner->major != 0 ? t->manner->minor : GW_IMS_MINOR,
        .lid = request->lid,
        .qpn = request->qpn,
    };
    if (answer.method == GW_IMS_DATA_RES) {
        answer.key = echo ? t->worker_qpnd : BUFFER_QPND;
        answer.va = BASE;
        answer.rkey = RKEY;
    } else if (t->manner->noisy) {
        fill_with_noise(t->ctx, &answer);
    }
    return answer;
}

/* An answer waits a little: whoever does not wait for it shows that. */
static void on_request(talking *t, const gw_ims_packet *p)
{
    const gw_ims_status *request = &p->status;
    uint8_t method = request->method % GW_IMS_NUM_METHODS;
    t->talk->requests[method]++;
    if ((request->method & GW_IMS_RESPONSE) != 0 || request->method >= GW_IMS_NUM_METHODS)
        return;
    if (method == GW_IMS_STAT_REQ) {
        t->worker = *request;
        t->service_qp = p->bth.dest_qp;
    }
    if (method == GW_IMS_DATA_REQ)
        t->worker_qpnd = request->key & GW_IB_NUMBER_MASK;
    if (method == GW_IMS_DATA_TERM || method == GW_IMS_STAT_TERM)
        t->writable = false;
    if (t->talk->requests[GW_IMS_STAT_REQ] == 0)
        return; /* nobody knows the key to answer with */
    t->answer = answer_to(t, request);
    t->answer_due = true;
    t->answer_ns = gw_case_now(t->line) + gw_case_settle_ns(t->ctx);
}

/* Who waits for a response, or for an answer to a request, is silent for so long at most. */
static int64_t idle_limit(const talking *t)
{
    int64_t longest = gw_imsw_response_ns(t->ctx);
    if (t->down)
        return QUIET_NS;
    if (longest < TRIES * GW_SECOND)
        longest = TRIES * GW_SECOND;
    return 2 * longest + GW_SECOND;
}

/* Something was said, by either side: the silence begins anew. */
static void prolong(talking *t)
{
    t->deadline = gw_case_now(t->line) + idle_limit(t);
    t->talk->cut = t->deadline > t->end && !t->down;
    if (t->deadline > t->end)
        t->deadline = t->end;
}

static void say_what_is_due(talking *t)
{
    if (!t->answer_due || gw_case_now(t->line) < t->answer_ns)
        return;
    t->answer_due = false;
    say_status(t, &t->answer);
    prolong(t);
}

/* ---- frames ---- */

/* The number of the frame at |va|; a new one when it was not sent before. */
static uint32_t number_of(gw_imsw_talk *talk, uint64_t va)
{
    for (size_t i = 0; i < talk->num_sendings; i++)
        if (talk->sendings[i].va == va)
            return talk->sendings[i].number;
    return talk->num_frames++;
}

static const gw_imsw_plan *plan_of(const talking *t, uint32_t number)
{
    for (size_t i = 0; i < t->manner->num_plans; i++)
        if (t->manner->plans[i].frame == number)
            return &t->manner->plans[i];
    return NULL;
}

static const gw_imsw_plan *plan_for(const talking *t, const gw_imsw_sending *s)
{
    const gw_imsw_plan *plan = plan_of(t, s->number);
    bool due = plan != NULL && gw_imsw_times(t->talk, s->number) <= plan->times;
    return due ? plan : NULL;
}

static void acknowledge(talking *t, gw_imsw_sending *s)
{
    const gw_imsw_sending *before = s->number > 0 ? gw_imsw_first(t->talk, s->number - 1) : NULL;
    s->acked = true;
    say_response(t, s->va, 0);
    for (unsigned i = 0; t->manner->repeats && i < 2; i++)
        say_response(t, s->va, 0);
    if (t->manner->repeats && before != NULL && before->acked)
        say_response(t, before->va, 0);
}

static void end_frame(talking *t)
{
    gw_imsw_sending *s = t->open;
    t->open = NULL;
    s->whole = true;
    const gw_imsw_plan *plan = plan_for(t, s);
    s->answer_ns = gw_case_now(t->line);
    if (plan == NULL) {
        acknowledge(t, s);
    } else if (plan->events != 0) {
        s->refused = true;
        s->events = plan->events;
        say_response(t, (plan->events & GW_IMS_NO_START) != 0 ? 0 : s->va, plan->events);
    } else if (t->manner->stranger) {
        say_response(t, STRANGE_VA, 0);
    }
}

static void begin_frame(talking *t, const gw_ims_packet *p)
{
    gw_imsw_talk *talk = t->talk;
    uint32_t frame = number_of(talk, p->reth.va);
    size_t room = GW_IMSW_SENDINGS - (plan_of(t, frame) != NULL ? 0 : RESERVE);
    t->open = talk->num_sendings < room ? &talk->sendings[talk->num_sendings++] : &t->other;
    *t->open = (gw_imsw_sending){.va = p->reth.va,
                                 .length = p->reth.length,
                                 .number = frame,
                                 .packet = talk->num_packets,
                                 .start_ns = gw_case_now(t->line)};
}

static void on_data(talking *t, const gw_ims_packet *p)
{
    t->talk->gaps += t->has_psn && p->bth.psn != t->next_psn;
    t->has_psn = true;
    t->next_psn = (p->bth.psn + 1) & GW_IB_NUMBER_MASK;
    if (p->first)
        begin_frame(t, p);
    if (t->open == NULL)
        return;
    t->open->got += p->payload_sent;
    if (p->last)
        end_frame(t);
}

/* ---- listening ---- */

/* A foreign Worker that registers after its leave begins another conversation:
 * its STAT_REQ waits for that. */
static bool begins_another(talking *t, const gw_packet *packet, const gw_ims_packet *p)
{
    gw_imsw_state *state = gw_imsw_state_of(t->ctx);
    const gw_evidence_packet *seen = gw_case_seen(t->ctx, packet->number);
    bool registers =
        p->kind == GW_IMS_IS_STATUS && p->has_body && p->status.method == GW_IMS_STAT_REQ;
    if (gw_case_fresh(t->ctx) || !t->down || !registers || seen == NULL ||
        packet->len > sizeof(state->early))
        return false;
    state->early_packet = *seen;
    memcpy(state->early, packet->data, packet->len);
    t->ended = true;
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

static gw_recv_status hear(talking *t, int64_t timeout_ns, gw_packet *out)
{
    if (t->talk->num_received == 0 && take_early(t->ctx, out))
        return GW_RECV_DATA;
    return gw_case_recv(t->ctx, t->line, timeout_ns, out);
}

static void listen(talking *t, const gw_packet *packet)
{
    gw_imsw_talk *talk = t->talk;
    gw_ims_packet p;
    if (packet->len < GW_IB_ICRC)
        return;
    gw_message message = gw_message_of(packet->data, packet->len - GW_IB_ICRC);
    (void)gw_ims_decode(&p, &message, gw_case_dialect(t->ctx));
    if (begins_another(t, packet, &p))
        return;
    bool status = p.kind == GW_IMS_IS_STATUS && p.has_body;
    gw_imsw_feed(t->ctx, talk, gw_case_transport(t->line), GW_DIR_IN, gw_case_now(t->line),
                 packet->data, packet->len);
    if (talk->num_received++ == 0)
        talk->first_method = status ? p.status.method : UINT8_MAX;
    if (status)
        on_request(t, &p);
    else if (p.kind == GW_IMS_IS_DATA && t->writable)
        on_data(t, &p);
}

/* How long a foreign Worker is listened to: until frames without an answer must have come again. */
static int64_t window(const talking *t)
{
    int64_t longest = WINDOW_NS;
    for (size_t i = 0; i < t->manner->num_plans; i++) {
        uint32_t times = t->manner->plans[i].times;
        int64_t waits = times <= MANY_TIMES ? times + 1 : 1;
        if (longest < WINDOW_NS + waits * gw_imsw_response_ns(t->ctx))
            longest = WINDOW_NS + waits * gw_imsw_response_ns(t->ctx);
    }
    return longest;
}

static void converse(talking *t, int64_t first_ns)
{
    t->deadline = gw_case_now(t->line) + first_ns;
    t->end = gw_case_fresh(t->ctx) ? INT64_MAX / 4 : t->deadline + window(t);
    while (!t->ended) {
        gw_packet packet;
        say_what_is_due(t);
        int64_t left = t->deadline - gw_case_now(t->line);
        int64_t slice = left < SLICE_NS ? left : SLICE_NS;
        if (left <= 0)
            return;
        if (t->answer_due && t->answer_ns - gw_case_now(t->line) < slice)
            slice = t->answer_ns - gw_case_now(t->line);
        gw_recv_status status = hear(t, slice, &packet);
        if (status == GW_RECV_TIMEOUT && gw_case_over(t->ctx) && !t->answer_due)
            return;
        if (status != GW_RECV_DATA)
            continue;
        listen(t, &packet);
        prolong(t);
    }
}

/* A Worker that would go on is told that this is all. */
static void take_leave(talking *t)
{
    gw_ims_status down = {.method = GW_IMS_STAT_DOWN,
                          .major = GW_IMS_MAJOR,
                          .minor = GW_IMS_MINOR,
                          .lid = t->worker.lid,
                          .qpn = t->worker.qpn};
    if (gw_case_fresh(t->ctx) || t->down || t->talk->requests[GW_IMS_STAT_REQ] == 0)
        return;
    say_status(t, &down);
}

bool gw_imsw_hold(gw_ctx *ctx, gw_imsw_talk *talk, const gw_imsw_manner *manner, int64_t first_ns)
{
    talking t = {.ctx = ctx, .talk = talk, .manner = manner};
    t.line = gw_case_fresh(ctx) ? gw_case_redial(ctx) : gw_case_line(ctx);
    gw_imsw_open(ctx, talk);
    converse(&t, first_ns);
    take_leave(&t);
    gw_imsw_close(ctx, talk);
    talk->held = talk->num_received > 0;
    return talk->held;
}

/* ---- looking at it ---- */

const gw_imsw_sending *gw_imsw_first(const gw_imsw_talk *talk, uint32_t number)
{
    for (size_t i = 0; i < talk->num_sendings; i++)
        if (talk->sendings[i].number == number && talk->sendings[i].whole)
            return &talk->sendings[i];
    return NULL;
}

const gw_imsw_sending *gw_imsw_next(const gw_imsw_talk *talk, const gw_imsw_sending *sending)
{
    for (const gw_imsw_sending *s = sending + 1; s < talk->sendings + talk->num_sendings; s++)
        if (s->number == sending->number)
            return s;
    return NULL;
}

size_t gw_imsw_times(const gw_imsw_talk *talk, uint32_t number)
{
    size_t times = 0;
    for (size_t i = 0; i < talk->num_sendings; i++)
        times += talk->sendings[i].number == number && talk->sendings[i].whole;
    return times;
}
