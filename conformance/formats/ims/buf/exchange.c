/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS buffer cases: being a Worker. */
#include <inttypes.h>
#include <string.h>

#include "formats/ims/buf/suite.h"
#include "goldwire/checksum.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

#define FIRST_QPN UINT32_C(0x400)
#define FIRST_DATA_QPN UINT32_C(0x800)
#define FIRST_LID UINT32_C(0x11)
#define FIRST_QKEY UINT32_C(0x11111111)

static gw_imb_state *state_of(gw_ctx *ctx)
{
    return gw_case_state(ctx);
}

/* ---- our way out ---- */

gw_imb_worker *gw_imb_one(gw_ctx *ctx, unsigned index)
{
    const gw_adapter *adapter = gw_case_transport(gw_case_connection(ctx))->adapter;
    gw_imb_worker *w = &state_of(ctx)->workers[index];
    if (adapter != NULL && index > 0)
        gw_case_na(ctx, "through an adapter goldwire is one Worker");
    *w = (gw_imb_worker){
        .lid = FIRST_LID + index,
        .qpn = FIRST_QPN + index,
        .qkey = FIRST_QKEY * (index + 1),
        .data_qpn = FIRST_DATA_QPN + index,
        .psn = (uint32_t)gw_case_random(ctx) & 0xffff,
    };
    if (adapter == NULL)
        return w;
    w->lid = adapter->lid != 0 ? adapter->lid : w->lid;
    w->qpn = adapter->qpn;
    w->qkey = adapter->qkey;
    w->data_qpn = adapter->qpnd;
    return w;
}

gw_ims_status gw_imb_request(const gw_imb_worker *w, uint8_t method)
{
    gw_ims_status s = {.method = method,
                       .major = GW_IMS_MAJOR,
                       .minor = GW_IMS_MINOR,
                       .lid = w->lid,
                       .qpn = w->qpn};

    if (method == GW_IMS_STAT_REQ)
        s.key = w->qkey;
    if (method == GW_IMS_DATA_REQ)
        s.key = w->data_qpn;
    return s;
}

static const gw_claims *claims_of(gw_ctx *ctx)
{
    return &gw_case_board(ctx)->claims;
}

gw_ims_draft gw_imb_draft(gw_ctx *ctx, const gw_imb_worker *w, const gw_ims_status *status)
{
    return gw_ims_draft_status(claims_of(ctx)->status_qpn, w->qpn, claims_of(ctx)->status_qkey,
                               state_of(ctx)->psn++, status);
}

static unsigned send_flipped(gw_ctx *ctx, const gw_ims_draft *draft, uint32_t flip)
{
    uint8_t bytes[GW_IB_PACKET_MAX + 64];
    gw_connection *conn = gw_case_connection(ctx);
    const gw_transport *t = gw_case_transport(conn);
    size_t len = gw_ims_build_datagram(bytes, sizeof(bytes), draft, gw_case_dialect(ctx), &t->local,
                                       &t->remote);
    uint8_t *icrc = bytes + len - GW_IB_ICRC;
    state_of(ctx)->said++;
    gw_store_le(icrc, gw_load_le32(icrc) ^ flip, GW_IB_ICRC);
    return gw_case_send(ctx, conn, bytes, len);
}

unsigned gw_imb_send(gw_ctx *ctx, const gw_ims_draft *draft)
{
    return send_flipped(ctx, draft, 0);
}

void gw_imb_send_damaged(gw_ctx *ctx, const gw_ims_draft *draft, uint32_t flip)
{
    if (gw_case_transport(gw_case_connection(ctx))->adapter != NULL)
        gw_case_na(ctx, "an adapter computes the ICRC itself");
    unsigned number = send_flipped(ctx, draft, flip);
    gw_case_mark(ctx, number, "its ICRC is wrong on purpose: bits %#" PRIx32, flip);
}

unsigned gw_imb_send_request(gw_ctx *ctx, const gw_imb_worker *w, uint8_t method)
{
    gw_ims_status s = gw_imb_request(w, method);
    gw_ims_draft draft = gw_imb_draft(ctx, w, &s);
    return gw_imb_send(ctx, &draft);
}

/* ---- what comes in ---- */

/* Whether |packet| is what came last once more, and nothing was said in between that could be
 * answered alike: that is a path's doing until shown otherwise. */
static bool is_copy(gw_ctx *ctx, const gw_packet *packet)
{
    gw_imb_state *s = state_of(ctx);
    size_t len = packet->len < GW_IB_ICRC ? 0 : packet->len - GW_IB_ICRC; /* a CRC of all else */
    uint32_t crc = gw_crc32(NULL, 0, packet->data, len);
    bool copy = gw_case_repeats(ctx) && s->heard_crc == crc && s->heard_at == s->said;

    s->heard_crc = crc;
    s->heard_at = s->said;
    return copy;
}

/* Any datagram; its ICRC is judged, and no more. */
static bool next_datagram(gw_ctx *ctx, gw_imb_got *got, int64_t timeout_ns)
{
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    gw_packet packet;

    do {
        int64_t left = timeout_ns > 0 ? deadline - gw_case_now(conn) : timeout_ns;
        if (gw_case_recv(ctx, conn, left, &packet) != GW_RECV_DATA)
            return false;
    } while (is_copy(ctx, &packet));
    size_t len = packet.len < sizeof(got->bytes) ? packet.len : sizeof(got->bytes);
    memcpy(got->bytes, packet.data, len);
    got->number = packet.number;
    got->p.has_bth = false;
    got->icrc = gw_ib_judge_udp(NULL, &packet.from, &gw_case_transport(conn)->local, packet.data,
                                packet.len, true);
    got->message = gw_message_of(got->bytes, len < GW_IB_ICRC ? 0 : len - GW_IB_ICRC);
    got->message.transport = GW_OVER_UDP;
    (void)gw_ims_decode(&got->p, &got->message, gw_case_dialect(ctx));
    return true;
}

bool gw_imb_next(gw_ctx *ctx, gw_imb_got *got, int64_t timeout_ns)
{
    return next_datagram(ctx, got, timeout_ns);
}

bool gw_imb_next_to(gw_ctx *ctx, uint32_t qpn, gw_imb_got *got, int64_t timeout_ns)
{
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + timeout_ns;

    while (next_datagram(ctx, got, deadline - gw_case_now(conn))) {
        if (got->icrc == GW_IB_RIGHT && got->p.has_bth && got->p.bth.dest_qp == qpn)
            return true;
    }
    return false;
}

void gw_imb_drain(gw_ctx *ctx)
{
    gw_case_drain(ctx, gw_case_connection(ctx));
}

bool gw_imb_answer(gw_ctx *ctx, const gw_imb_worker *w, uint8_t method, gw_imb_got *got)
{
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + gw_case_reply_ns(ctx);

    while (gw_imb_next_to(ctx, w->qpn, got, deadline - gw_case_now(conn))) {
        if (got->p.kind == GW_IMS_IS_STATUS && got->p.has_body && got->p.status.method == method)
            return true;
    }
    return false;
}

static const char *const method_names[GW_IMS_NUM_METHODS] = {
    "STAT_REQ", "STAT_RES", "STAT_TERM", "STAT_DOWN",
    "DATA_REQ", "DATA_RES", "DATA_TERM", "DATA_DOWN",
};

void gw_imb_ask(gw_ctx *ctx, const gw_imb_worker *w, uint8_t method, gw_imb_got *got,
                const char *rule)
{
    gw_miss miss = {.rule = rule};

    gw_imb_drain(ctx);
    (void)gw_imb_send_request(ctx, w, method);
    if (!gw_imb_answer(ctx, w, method | GW_IMS_RESPONSE, got))
        gw_case_fail(ctx, &miss, "%s was not answered by %s", method_names[method],
                     method_names[method | GW_IMS_RESPONSE]);
}

/* A request that is executed twice does no harm (ims 3.1.2, assumed). */
static bool ask_again(gw_ctx *ctx, const gw_imb_worker *w, uint8_t method, gw_imb_got *got)
{
    unsigned tries = 0;
    bool came;

    do {
        (void)gw_imb_send_request(ctx, w, method);
        came = gw_imb_answer(ctx, w, method | GW_IMS_RESPONSE, got);
    } while (!came && gw_case_again(ctx, &tries));
    return came;
}

void gw_imb_register(gw_ctx *ctx, const gw_imb_worker *w)
{
    gw_imb_got got;

    if (!ask_again(ctx, w, GW_IMS_STAT_REQ, &got))
        gw_case_inconc(ctx, "a Worker could not register");
}

void gw_imb_open(gw_ctx *ctx, gw_imb_worker *w)
{
    gw_imb_got got;

    gw_imb_register(ctx, w);
    if (!ask_again(ctx, w, GW_IMS_DATA_REQ, &got))
        gw_case_inconc(ctx, "a data channel could not be opened");
    const gw_ims_status *s = &got.p.status;
    w->buffer_qpn = s->key;
    w->rkey = s->rkey;
    w->va = s->va;
    w->next = s->va;
    if (s->key == w->data_qpn)
        gw_case_na(ctx, "DATA_RES repeats the Worker's queue pair, so that of the buffer is not "
                        "known");
}

void gw_imb_quiet(gw_ctx *ctx, const gw_imb_worker *w, const char *rule, const char *after)
{
    gw_imb_got got;
    gw_miss miss = {.rule = rule};

    if (gw_imb_next_to(ctx, w->qpn, &got, gw_case_settle_ns(ctx))) {
        miss.packet = got.number;
        gw_case_fail(ctx, &miss, "a packet came after %s; none is expected", after);
    }
}

/* ---- judging ---- */

void gw_imb_want(gw_ctx *ctx, const gw_imb_got *got, const char *rule, const char *field,
                 uint64_t value)
{
    gw_want want = {.rule = rule, .field = field, .value = value};
    gw_case_expect(ctx, &got->message, got->number, &want);
}

typedef struct judge {
    gw_verdict_sink sink;
    gw_ctx *ctx;
    const gw_imb_got *got;
} judge;

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    judge *j = (judge *)sink;
    const char *const *rule = gw_case_self(j->ctx)->rules;

    while (*rule != NULL && strcmp(*rule, f->rule->id) != 0)
        rule++;
    if (*rule == NULL)
        return;
    gw_miss miss = {
        .rule = *rule, .field = f->field, .packet = j->got->number, .offset = f->offset};
    gw_case_fail(j->ctx, &miss, "%s", f->text);
}

void gw_imb_judge(gw_ctx *ctx, const gw_imb_got *got)
{
    judge j = {.sink = {.finding = on_finding}, .ctx = ctx, .got = got};
    gw_ims.check(&got->message, gw_case_dialect(ctx), &j.sink);
}
