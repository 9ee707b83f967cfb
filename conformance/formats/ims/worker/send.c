/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS Worker cases: what the buffer that we play says, true and false. */
#include <string.h>

#include "formats/ims/worker/exchange.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

#define BUFFER_QPND 0x87
#define BASE UINT64_C(0x1000000000)
#define RKEY 0xcafe0001u
#define STRANGE_VA UINT64_C(0x7fff000000)     /* far from all that anybody writes to */
#define FALSE_VA UINT64_C(0x2000000021)       /* of false responses: no frame may begin there ... */
#define OTHER_VA (BASE + (UINT64_C(1) << 36)) /* ... and where one could */
#define OTHER 0x100                           /* the bit by which others' numbers differ */
#define RESERVED_BITS UINT32_C(0xffff0000)

/* ---- packets ---- */

static unsigned send_flipped(gw_imsw_exchange *t, const gw_ims_draft *draft, uint32_t flip,
                             uint8_t *packet, size_t cap, size_t *len)
{
    const gw_transport *transport = gw_case_transport(t->conn);
    *len = gw_ims_build_datagram(packet, cap, draft, gw_case_dialect(t->ctx), &transport->local,
                                 &transport->remote);
    uint8_t *icrc = packet + *len - GW_IB_ICRC;
    gw_store_le(icrc, gw_load_le32(icrc) ^ flip, GW_IB_ICRC);
    return gw_case_send(t->ctx, t->conn, packet, *len);
}

/* Returns the packet's number. */
static unsigned send_draft(gw_imsw_exchange *t, const gw_ims_draft *draft)
{
    uint8_t packet[GW_IB_PACKET_MAX];
    size_t len;
    unsigned number = send_flipped(t, draft, 0, packet, sizeof(packet), &len);
    gw_imsw_feed(t->ctx, t->session, gw_case_transport(t->conn), NULL, gw_case_now(t->conn), packet,
                 len);
    return number;
}

/* What the Worker has to ignore changes nothing of what it may do, so nobody else hears of it. */
static void send_forged(gw_imsw_exchange *t, const gw_ims_draft *draft, uint32_t flip,
                        const char *what)
{
    uint8_t packet[GW_IB_PACKET_MAX];
    size_t len;
    if (flip != 0 && gw_case_transport(t->conn)->adapter != NULL)
        return; /* an adapter computes the ICRC itself */
    unsigned number = send_flipped(t, draft, flip, packet, sizeof(packet), &len);
    t->session->num_packets++;
    gw_case_mark(t->ctx, number, "to be ignored: %s", what);
}

/* ---- the status channel ---- */

static gw_ims_draft status_draft(gw_imsw_exchange *t, const gw_ims_status *status)
{
    return gw_ims_draft_status(t->worker.qpn & GW_IB_NUMBER_MASK, t->service_qp, t->worker.key,
                               t->psn[0]++, status);
}

static void refuse_ahead(gw_imsw_exchange *t);

static void send_status(gw_imsw_exchange *t, const gw_ims_status *status)
{
    gw_ims_draft draft = status_draft(t, status);
    (void)send_draft(t, &draft);
    if (t->said_ns[status->method] == 0)
        t->said_ns[status->method] = gw_case_now(t->conn);
    t->registered = t->registered || status->method == GW_IMS_STAT_RES;
    t->writable = t->writable || status->method == GW_IMS_DATA_RES;
    t->opened = t->opened || t->writable;
    t->down = t->down || status->method == GW_IMS_STAT_DOWN;
    if (status->method == GW_IMS_DATA_RES && gw_imsw_does(t, GW_IMSW_AHEAD))
        refuse_ahead(t);
}

static void fill_with_noise(gw_ctx *ctx, gw_ims_status *status)
{
    status->key = (uint32_t)gw_case_random(ctx) | 1;
    status->va = gw_case_random(ctx) | 1;
    status->rkey = (uint32_t)gw_case_random(ctx) | 1;
}

static uint8_t response_to(const gw_imsw_exchange *t, uint8_t method)
{
    if (method == GW_IMS_STAT_REQ && gw_imsw_does(t, GW_IMSW_NO_PLACE))
        return GW_IMS_STAT_DOWN;
    if (method == GW_IMS_DATA_REQ && gw_imsw_does(t, GW_IMSW_NO_MEMORY))
        return GW_IMS_DATA_DOWN;
    return method | GW_IMS_RESPONSE;
}

static gw_ims_status answer_to(gw_imsw_exchange *t, const gw_ims_status *request)
{
    bool echo = gw_ims_dialect_of(gw_case_dialect(t->ctx))->qpnd_echo;
    gw_ims_status answer = {
        .method = response_to(t, request->method),
        .reserved = gw_imsw_does(t, GW_IMSW_RESERVED) ? UINT8_MAX : 0,
        .major = t->behavior->major != 0 ? t->behavior->major : GW_IMS_MAJOR,
        .minor = t->behavior->major != 0 ? t->behavior->minor : GW_IMS_MINOR,
        .lid = request->lid,
        .qpn = request->qpn,
    };
    if (answer.method == GW_IMS_DATA_RES) {
        answer.key = echo ? t->worker_qpnd : BUFFER_QPND;
        answer.va = BASE;
        answer.rkey = RKEY;
    } else if (gw_imsw_does(t, GW_IMSW_NOISY)) {
        fill_with_noise(t->ctx, &answer);
    }
    return answer;
}

/* A response that the Worker does not wait for in this state, and has to ignore there. */
static uint8_t out_of_turn(uint8_t method)
{
    switch (method) {
    case GW_IMS_STAT_REQ:
        return GW_IMS_DATA_RES;
    case GW_IMS_STAT_TERM:
        return GW_IMS_DATA_DOWN;
    default:
        return GW_IMS_STAT_RES;
    }
}

/* What looks like |answer| and is none for this Worker: somebody else's, another side's, or nothing
 * that the protocol knows. */
static void send_false_responses(gw_imsw_exchange *t, const gw_ims_status *answer)
{
    gw_ims_status lie = *answer;
    gw_ims_draft draft;
    lie.va = FALSE_VA;
    lie.rkey = ~RKEY;
    lie.key = BUFFER_QPND ^ OTHER;

    lie.lid = answer->lid ^ OTHER;
    draft = status_draft(t, &lie);
    send_forged(t, &draft, 0, "it names another LID");
    lie.lid = answer->lid;
    lie.qpn = answer->qpn ^ OTHER;
    draft = status_draft(t, &lie);
    send_forged(t, &draft, 0, "it names another queue pair");
    lie.qpn = answer->qpn;
    draft = status_draft(t, &lie);
    send_forged(t, &draft, UINT32_MAX, "its ICRC is wrong");
    /* Who asks again has perhaps been answered meanwhile, and asked for that. */
    if (t->session->requests[answer->method & (uint8_t)~GW_IMS_RESPONSE] == 1) {
        lie.method = out_of_turn(answer->method & (uint8_t)~GW_IMS_RESPONSE);
        draft = status_draft(t, &lie);
        send_forged(t, &draft, 0, "nobody has asked for that");
    }
    lie.method = answer->method & (uint8_t)~GW_IMS_RESPONSE;
    draft = status_draft(t, &lie);
    send_forged(t, &draft, 0, "only Workers may say that");
    lie.method = GW_IMS_NUM_METHODS | answer->method;
    draft = status_draft(t, &lie);
    send_forged(t, &draft, 0, "no such method is known");
    draft.raw = true;
    draft.payload = (const uint8_t *)"\1\0\1\1";
    draft.payload_len = 4;
    send_forged(t, &draft, 0, "it is too short");
}

void gw_imsw_answer(gw_imsw_exchange *t, const gw_ims_status *request)
{
    bool waits = gw_imsw_does(t, GW_IMSW_WAITS | GW_IMSW_FALSE_RESPONSES);
    t->answer = answer_to(t, request);
    if (gw_imsw_does(t, GW_IMSW_FALSE_RESPONSES))
        send_false_responses(t, &t->answer);
    t->answer_due = true;
    t->answer_ns = gw_case_now(t->conn) + (waits ? gw_case_settle_ns(t->ctx) : 0);
}

/* An answer that nobody has asked for. */
static void send_unsolicited(gw_imsw_exchange *t, uint8_t method)
{
    gw_ims_status status = {.method = method,
                            .major = GW_IMS_MAJOR,
                            .minor = GW_IMS_MINOR,
                            .lid = t->worker.lid,
                            .qpn = t->worker.qpn};
    if (method != GW_IMS_DATA_RES) {
        send_status(t, &status);
        return;
    }
    status.key = BUFFER_QPND;
    status.va = OTHER_VA;
    status.rkey = RKEY + 1;
    gw_ims_draft draft = status_draft(t, &status);
    send_forged(t, &draft, 0, "the data channel is open, and its memory elsewhere");
}

void gw_imsw_leave(gw_imsw_exchange *t)
{
    if (!gw_case_fresh(t->ctx) && !t->down && t->session->requests[GW_IMS_STAT_REQ] > 0)
        send_unsolicited(t, GW_IMS_STAT_DOWN);
}

/* ---- responses ---- */

static gw_ims_draft ack_draft(gw_imsw_exchange *t, uint32_t type, uint64_t va, uint32_t events)
{
    gw_ims_ack ack = {.type = type, .events = events, .va = va};
    return gw_ims_draft_ack(t->worker_qpnd, t->psn[1]++, &ack);
}

/* Frames lie in a row, and all but the last are of one size. */
static void refuse_ahead(gw_imsw_exchange *t)
{
    const gw_imsw_sending *first = gw_imsw_first(&gw_imsw_state_of(t->ctx)->good, 0);
    if (first == NULL)
        return;
    gw_ims_draft draft =
        ack_draft(t, GW_IMS_TYPE_NACK, BASE + first->length, GW_IMS_OUT_OF_SEQUENCE);
    send_forged(t, &draft, 0, "the second frame is refused, unless it was not begun yet");
}

/* Returns the packet's number. */
static unsigned send_ack(gw_imsw_exchange *t, uint64_t va)
{
    gw_ims_draft draft = ack_draft(t, GW_IMS_TYPE_ACK, va, 0);
    return send_draft(t, &draft);
}

/* What looks like a response to |va| and is none. */
static void send_garbage(gw_imsw_exchange *t, uint64_t va)
{
    gw_ims_draft draft = ack_draft(t, 2, va, 0);
    send_forged(t, &draft, 0, "a response of type 2");
    draft = ack_draft(t, UINT32_C(0x01000000), va, GW_IMS_FATAL);
    send_forged(t, &draft, 0, "a response of type 0x1000000");
    draft = ack_draft(t, GW_IMS_TYPE_NACK, va, GW_IMS_FATAL);
    send_forged(t, &draft, UINT32_MAX, "its ICRC is wrong");
    draft = ack_draft(t, GW_IMS_TYPE_NACK, va, GW_IMS_FATAL);
    draft.bth.dest_qp ^= OTHER;
    send_forged(t, &draft, 0, "it goes to another queue pair");
    draft = ack_draft(t, GW_IMS_TYPE_NACK, STRANGE_VA, GW_IMS_FATAL);
    send_forged(t, &draft, 0, "nobody wrote to that address");
    draft.raw = true;
    draft.payload = (const uint8_t *)"\1\0\0\0\10\0\0\0";
    draft.payload_len = 8;
    send_forged(t, &draft, 0, "it is too short");
}

void gw_imsw_acknowledge(gw_imsw_exchange *t, gw_imsw_sending *s)
{
    const gw_imsw_sending *before = s->number > 0 ? gw_imsw_first(t->session, s->number - 1) : NULL;
    bool repeats = gw_imsw_does(t, GW_IMSW_REPEATS);
    if (gw_imsw_does(t, GW_IMSW_GARBAGE))
        send_garbage(t, s->va);
    s->acked = true;
    s->answer_ns = gw_case_now(t->conn);
    s->answer = send_ack(t, s->va);
    for (unsigned i = 0; repeats && i < 2; i++)
        (void)send_ack(t, s->va);
    if (repeats && before != NULL && before->acked)
        (void)send_ack(t, before->va);
}

void gw_imsw_refuse(gw_imsw_exchange *t, gw_imsw_sending *s, const gw_imsw_plan *plan)
{
    bool no_start = (plan->events & GW_IMS_NO_START) != 0;
    uint64_t va = plan->elsewhere ? STRANGE_VA : no_start ? 0 : s->va;
    gw_ims_draft draft = ack_draft(t, GW_IMS_TYPE_NACK, va, plan->events);
    s->refused = true;
    s->events = plan->events;
    s->answer_ns = gw_case_now(t->conn);
    s->answer = send_draft(t, &draft);
}

/* The first frame is there: what a buffer of our behavior does next. */
static void after_first(gw_imsw_exchange *t)
{
    if (gw_imsw_does(t, GW_IMSW_MOVES))
        send_unsolicited(t, GW_IMS_DATA_RES);
    if (gw_imsw_does(t, GW_IMSW_CLOSES)) {
        send_unsolicited(t, GW_IMS_DATA_DOWN);
        t->closed = true;
    }
}

void gw_imsw_respond(gw_imsw_exchange *t, gw_imsw_sending *s, const gw_imsw_plan *plan)
{
    bool refuses = plan != NULL && (plan->events != 0 || plan->bare);
    if (t->closed)
        return;
    s->answer_ns = gw_case_now(t->conn);
    if (plan == NULL) {
        gw_imsw_acknowledge(t, s);
        if (s->number == 0)
            after_first(t);
    } else if (refuses) {
        gw_imsw_refuse(t, s, plan);
    } else if (plan->late_ns > 0 && t->num_late < GW_IMSW_LATE && s != &t->other) {
        t->late[t->num_late++] =
            (gw_imsw_late){.sending = s, .due_ns = s->answer_ns + plan->late_ns};
    } else if (gw_imsw_does(t, GW_IMSW_STRANGER)) {
        (void)send_ack(t, STRANGE_VA);
    }
}

/* ---- what waits ---- */

bool gw_imsw_send_due(gw_imsw_exchange *t)
{
    int64_t now = gw_case_now(t->conn);
    bool sent = false;
    if (t->answer_due && now >= t->answer_ns) {
        t->answer_due = false;
        send_status(t, &t->answer);
        sent = true;
    }
    for (size_t i = 0; i < t->num_late;) {
        if (now < t->late[i].due_ns) {
            i++;
            continue;
        }
        gw_imsw_acknowledge(t, t->late[i].sending);
        t->late[i] = t->late[--t->num_late];
        sent = true;
    }
    return sent;
}

int64_t gw_imsw_due(const gw_imsw_exchange *t)
{
    int64_t due = t->answer_due ? t->answer_ns : INT64_MAX;
    for (size_t i = 0; i < t->num_late; i++)
        if (t->late[i].due_ns < due)
            due = t->late[i].due_ns;
    return due;
}
