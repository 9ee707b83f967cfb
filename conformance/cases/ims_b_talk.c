/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS buffer cases: being a Worker. */
#include <inttypes.h>
#include <string.h>

#include "cases/ims_b.h"
#include "peers/ims_buf.h"

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
    const gw_adapter *adapter = gw_case_transport(gw_case_line(ctx))->adapter;
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

unsigned gw_imb_send(gw_ctx *ctx, const gw_ims_draft *draft)
{
    uint8_t bytes[GW_IB_PACKET_MAX + 64];
    gw_line *line = gw_case_line(ctx);
    const gw_transport *t = gw_case_transport(line);
    size_t len = gw_ims_build_datagram(bytes, sizeof(bytes), draft, gw_case_dialect(ctx), &t->local,
                                       &t->remote);
    return gw_case_send(ctx, line, bytes, len);
}

unsigned gw_imb_say(gw_ctx *ctx, const gw_imb_worker *w, uint8_t method)
{
    gw_ims_status s = gw_imb_request(w, method);
    gw_ims_draft draft = gw_imb_draft(ctx, w, &s);
    return gw_imb_send(ctx, &draft);
}

/* ---- what comes in ---- */

/* Any datagram; its ICRC is judged, and no more. */
static bool next_datagram(gw_ctx *ctx, gw_imb_got *got, int64_t timeout_ns)
{
    gw_line *line = gw_case_line(ctx);
    gw_packet packet;

    if (gw_case_recv(ctx, line, timeout_ns, &packet) != GW_RECV_DATA)
        return false;
    size_t len = packet.len < sizeof(got->bytes) ? packet.len : sizeof(got->bytes);
    memcpy(got->bytes, packet.data, len);
    got->number = packet.number;
    got->p.has_bth = false;
    got->icrc = gw_ib_judge_udp(NULL, &packet.from, &gw_case_transport(line)->local, packet.data,
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

/* The next packet to queue pair |qpn|, undamaged. */
static bool next_to(gw_ctx *ctx, uint32_t qpn, gw_imb_got *got, int64_t timeout_ns)
{
    gw_line *line = gw_case_line(ctx);
    int64_t deadline = gw_case_now(line) + timeout_ns;

    while (next_datagram(ctx, got, deadline - gw_case_now(line))) {
        if (got->icrc == GW_IB_RIGHT && got->p.has_bth && got->p.bth.dest_qp == qpn)
            return true;
    }
    return false;
}

void gw_imb_drain(gw_ctx *ctx)
{
    gw_imb_got got;
    for (unsigned i = 0; i < 1000 && next_datagram(ctx, &got, 0); i++)
        ;
}

bool gw_imb_answer(gw_ctx *ctx, const gw_imb_worker *w, uint8_t method, gw_imb_got *got)
{
    gw_line *line = gw_case_line(ctx);
    int64_t deadline = gw_case_now(line) + gw_case_reply_ns(ctx);

    while (next_to(ctx, w->qpn, got, deadline - gw_case_now(line))) {
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
    (void)gw_imb_say(ctx, w, method);
    if (!gw_imb_answer(ctx, w, method | GW_IMS_RESPONSE, got))
        gw_case_fail(ctx, &miss, "%s was not answered by %s", method_names[method],
                     method_names[method | GW_IMS_RESPONSE]);
}

void gw_imb_register(gw_ctx *ctx, const gw_imb_worker *w)
{
    gw_imb_got got;

    (void)gw_imb_say(ctx, w, GW_IMS_STAT_REQ);
    if (!gw_imb_answer(ctx, w, GW_IMS_STAT_RES, &got))
        gw_case_inconc(ctx, "a Worker could not register");
}

void gw_imb_open(gw_ctx *ctx, gw_imb_worker *w)
{
    gw_imb_got got;

    gw_imb_register(ctx, w);
    (void)gw_imb_say(ctx, w, GW_IMS_DATA_REQ);
    if (!gw_imb_answer(ctx, w, GW_IMS_DATA_RES, &got))
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

    if (next_to(ctx, w->qpn, &got, gw_case_settle_ns(ctx))) {
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

/* ---- frames ---- */

gw_imb_frame gw_imb_frame_of(gw_ctx *ctx, gw_imb_worker *w, uint32_t size, uint32_t packet)
{
    const gw_area *area = gw_board_area(gw_case_board(ctx), GW_AREA_RAM, 64, GW_IMS_ALIGN);
    gw_imb_frame f = {
        .reth = {.va = w->next, .rkey = w->rkey, .length = size},
        .size = size,
        .packet = packet,
        .seed = (uint8_t)gw_case_random(ctx),
    };

    if (area == NULL || w->next < area->address || w->next - area->address > area->size ||
        area->size - (w->next - area->address) < size)
        gw_case_na(ctx,
                   "%" PRIu32 " bytes at 0x%" PRIx64 " do not lie in the first ram area, which is "
                   "the ring",
                   size, w->next);
    w->next += size;
    return f;
}

uint8_t gw_imb_byte(const gw_imb_frame *f, uint32_t offset)
{
    return (uint8_t)((offset * 167u + (offset >> 8) * 59u) ^ f->seed);
}

void gw_imb_packet(gw_ctx *ctx, gw_imb_worker *w, const gw_imb_frame *f, uint32_t offset,
                   uint32_t len)
{
    uint8_t data[GW_IB_MTU_MAX];
    gw_ib_reth whole = f->reth;

    for (uint32_t i = 0; i < len; i++)
        data[i] = gw_imb_byte(f, offset + i);
    /* First, middle or last is told by what is sent, not by what the header will say. */
    whole.length = f->size;
    gw_ims_draft draft = gw_ims_draft_write(w->buffer_qpn, w->psn, &whole, offset, data, len);
    draft.reth = f->reth;
    (void)gw_imb_send(ctx, &draft);
    w->psn = (w->psn + 1) & GW_IB_NUMBER_MASK;
}

void gw_imb_write(gw_ctx *ctx, gw_imb_worker *w, const gw_imb_frame *f)
{
    uint32_t offset = 0;

    for (unsigned i = 0; offset < f->size; i++) {
        uint32_t left = f->size - offset;
        uint32_t len = left < f->packet ? left : f->packet;
        if (i < 64 && (f->skip >> i & 1) != 0)
            w->psn = (w->psn + 1) & GW_IB_NUMBER_MASK;
        else
            gw_imb_packet(ctx, w, f, offset, len);
        offset += len;
    }
}

bool gw_imb_response(gw_ctx *ctx, const gw_imb_worker *w, gw_imb_got *got, int64_t timeout_ns)
{
    return next_to(ctx, w->data_qpn, got, timeout_ns);
}

static bool is_type(const gw_imb_got *got, uint32_t type)
{
    return got->p.kind == GW_IMS_IS_ACK && got->p.has_body && got->p.ack.type == type;
}

void gw_imb_acked(gw_ctx *ctx, gw_imb_worker *w, const gw_imb_frame *f, const char *rule,
                  const char *what)
{
    gw_imb_got got;
    gw_miss miss = {.rule = rule};

    gw_imb_write(ctx, w, f);
    if (!gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "%s was not answered", what);
    miss.packet = got.number;
    if (!is_type(&got, GW_IMS_TYPE_ACK))
        gw_case_fail(ctx, &miss, "%s was not acknowledged: type %" PRIu32 ", events 0x%03" PRIx32,
                     what, got.p.ack.type, got.p.ack.events);
}

void gw_imb_nacked(gw_ctx *ctx, const gw_imb_worker *w, uint32_t events, gw_imb_got *got,
                   const char *rule, const char *what)
{
    gw_miss miss = {.rule = rule};

    if (!gw_imb_response(ctx, w, got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "%s was not answered", what);
    miss.packet = got->number;
    if (!is_type(got, GW_IMS_TYPE_NACK))
        gw_case_fail(ctx, &miss, "%s was not refused: type %" PRIu32, what, got->p.ack.type);
    if ((got->p.ack.events & events) != events)
        gw_case_fail(ctx, &miss,
                     "%s was refused with events 0x%03" PRIx32 "; 0x%03" PRIx32
                     " is expected among them",
                     what, got->p.ack.events, events);
}

void gw_imb_no_response(gw_ctx *ctx, const gw_imb_worker *w, const char *rule, const char *after)
{
    gw_imb_got got;
    gw_miss miss = {.rule = rule};

    if (gw_imb_response(ctx, w, &got, gw_case_settle_ns(ctx))) {
        miss.packet = got.number;
        gw_case_fail(ctx, &miss, "a response came after %s; none is expected", after);
    }
}

/* ---- registers ---- */

static uint64_t read_pair(gw_ctx *ctx, uint32_t address)
{
    uint64_t lower = gw_regs_read(ctx, address);
    return (uint64_t)gw_regs_read(ctx, address + 4) << 32 | lower;
}

uint32_t gw_imb_channel(gw_ctx *ctx, const gw_imb_worker *w)
{
    uint32_t channels = gw_regs_read(ctx, GW_IMS_BUF_REG_CHANNELS);

    for (uint32_t i = 1; i <= channels && i <= GW_IMS_BUF_MAX_CHANNELS; i++) {
        uint32_t at = i * GW_IMS_BUF_CHANNEL;
        if (gw_regs_read(ctx, at + GW_IMS_BUF_REG_QPN) == w->buffer_qpn)
            return at;
    }
    gw_case_inconc(ctx, "no registers belong to queue pair 0x%" PRIx32, w->buffer_qpn);
}

uint64_t gw_imb_ring(gw_ctx *ctx)
{
    return read_pair(ctx, GW_IMS_BUF_REG_RING);
}

uint32_t gw_imb_margin(gw_ctx *ctx)
{
    return gw_regs_read(ctx, GW_IMS_BUF_REG_FRAME);
}

uint32_t gw_imb_memory(gw_ctx *ctx, const gw_imb_worker *w, uint64_t offset)
{
    uint64_t ring = gw_imb_ring(ctx);
    uint32_t number = gw_imb_channel(ctx, w) / GW_IMS_BUF_CHANNEL - 1;
    return gw_regs_read(ctx, GW_IMS_BUF_MEMORY + (uint32_t)(number * ring + offset));
}

void gw_imb_hold(gw_ctx *ctx, const gw_imb_worker *w)
{
    gw_regs_write(ctx, gw_imb_channel(ctx, w) + GW_IMS_BUF_REG_EXPOSE, 0);
}

void gw_imb_read_pointer(gw_ctx *ctx, const gw_imb_worker *w, uint64_t va)
{
    uint32_t at = gw_imb_channel(ctx, w) + GW_IMS_BUF_REG_READ;
    gw_regs_write(ctx, at, (uint32_t)va);
    gw_regs_write(ctx, at + 4, (uint32_t)(va >> 32));
}
