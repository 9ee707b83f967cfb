/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants of the software IMS buffer do to its answers and responses on their way out. */
#include <string.h>

#include "formats/ims/buf/board.h"

#define HAS(b, fault) gw_mutant_has((b)->mutant, IMS_BUF_FAULT_##fault)

/* What is more than so many comes so much later. */
enum {
    MANY = 100,
    SLOW_NS = 150000000,
};

#define LATE_NS INT64_C(200000000) /* is a channel ready after its DATA_RES */

static void change_data_res(gw_ims_buf *b, const gw_ims_buf_worker *w, gw_ims_status *s,
                            const gw_ims_status *request)
{
    gw_ims_buf_channel_memory *m = gw_ims_buf_memory_of(b, &b->channels[w->channel]);

    if (m->repeats == 0 && HAS(b, CHANNEL_LATE))
        m->ready_ns = b->now_ns + LATE_NS;
    if (HAS(b, NO_DATA_QP))
        s->key = 0;
    if (HAS(b, REKEYS))
        s->rkey += m->repeats;
    if (HAS(b, VA_GOES_ON))
        s->va += m->tail;
    if (HAS(b, UNALIGNED_VA))
        s->va += GW_IMS_ALIGN / 2;
    if (HAS(b, TAKES_REQUESTED_VA) && request->va != 0)
        s->va = request->va;
    m->repeats++;
}

static void change_answer(gw_ims_buf *b, const gw_ims_buf_worker *w, gw_ims_status *s,
                          const gw_ims_status *request)
{
    gw_ims_buf_memory *m = &b->memory;

    if (s->method == GW_IMS_DATA_RES)
        change_data_res(b, w, s, request);
    if (HAS(b, STALE_ECHO) && m->stale != 0)
        s->lid = m->stale;
    m->stale = 0;
    if (HAS(b, TURNS_AWAY) && s->method == GW_IMS_STAT_RES)
        s->method = GW_IMS_STAT_DOWN;
    if (HAS(b, UNKNOWN_METHOD))
        s->method |= 0x10;
    if (HAS(b, EVEN_METHOD))
        s->method ^= GW_IMS_RESPONSE;
    if (HAS(b, WIDE_LID))
        s->lid |= UINT32_C(0xa5) << 16;
    if (HAS(b, NO_LID_ECHO))
        s->lid = 0;
    if (HAS(b, NEGOTIATES)) {
        s->major = request->major;
        s->minor = request->minor;
    }
    if (HAS(b, FILLS_RESERVED))
        s->reserved = UINT8_MAX;
}

/* |len| bytes of the payload, which the draft holds, and zeros behind it. */
static void spell(gw_ims_buf *b, gw_ims_draft *draft, size_t len)
{
    memset(b->memory.payload, 0, sizeof(b->memory.payload));
    draft->raw = true;
    draft->payload = b->memory.payload;
    draft->payload_len = len;
}

static void pack_answer(gw_ims_buf *b, gw_ims_buf_reply *r)
{
    bool big = HAS(b, BIG_ENDIAN);
    bool longer = HAS(b, LONG_STATUS);
    gw_ims_order order = (gw_ims_order)gw_ims_dialect_of(b->dialect)->status_order;

    spell(b, &r->draft, longer ? GW_IMS_STATUS + 4 : GW_IMS_STATUS);
    gw_ims_put_status(b->memory.payload, &r->draft.status, big ? GW_IMS_BE32 : order);
    if (HAS(b, TO_SOURCE_QP))
        r->draft.bth.dest_qp = r->request->deth.src_qp;
    if (HAS(b, OWN_QKEY))
        r->draft.deth.qkey = b->setup.status_qkey;
    if (HAS(b, STATUS_OVER_UC))
        r->draft.bth.opcode = GW_IB_UC_SEND_ONLY;
    if (HAS(b, SAME_OPERATION))
        r->draft.bth.opcode = b->memory.opcode;
}

/* False when there is to be no response. */
static bool change_response(const gw_ims_buf *b, const gw_ims_buf_reply *r, gw_ims_ack *ack)
{
    const gw_ims_buf_frame *f = r->frame;
    bool nack = ack->type == GW_IMS_TYPE_NACK;

    if (ack->events == GW_IMS_PACKET_LENGTH && HAS(b, BARE_RUNT))
        ack->events = 0;
    if (!nack && HAS(b, TYPE_2))
        ack->type = 2;
    if (!nack && HAS(b, ACK_WITH_EVENTS))
        ack->events = GW_IMS_BAD_FRAME;
    if (nack && HAS(b, RESERVED_EVENTS))
        ack->events |= UINT32_C(1) << GW_IMS_NUM_EVENTS;
    if (f->open && HAS(b, END_VA))
        ack->va += f->length;
    if (f->orphan && HAS(b, OLD_VA_WITHOUT_START))
        ack->va = r->channel->delivered;
    return !(f->orphan && HAS(b, SILENT_WITHOUT_START)) && !(nack && HAS(b, NEVER_NACKS));
}

static void pack_response(gw_ims_buf *b, gw_ims_draft *draft)
{
    bool big = HAS(b, BIG_ENDIAN);
    bool longer = HAS(b, LONG_ACK);
    gw_ims_order order = (gw_ims_order)gw_ims_dialect_of(b->dialect)->ack_order;

    spell(b, draft, longer ? GW_IMS_ACK + 4 : GW_IMS_ACK);
    gw_ims_put_ack(b->memory.payload, &draft->ack, big ? GW_IMS_BE32 : order);
    if (HAS(b, ACK_WITH_IMM))
        draft->bth.opcode = GW_IB_UC_SEND_ONLY_IMM;
}

/* Sends a NACK for each event of |r|. */
static void send_each(gw_ims_buf *b, gw_ims_buf_reply *r)
{
    uint32_t events = r->draft.ack.events;

    r->channel->next_psn--;
    for (uint32_t bit = 1; bit <= events; bit <<= 1) {
        if ((events & bit) == 0)
            continue;
        r->draft.ack.events = bit;
        r->draft.bth.psn = r->channel->next_psn++;
        pack_response(b, &r->draft);
        gw_ims_buf_transmit(b, r);
    }
}

/* ---- whole datagrams ---- */

static void send_held(gw_ims_buf *b)
{
    gw_ims_buf_memory *m = &b->memory;

    if (m->held_len > 0)
        b->out->send(b->out, 0, m->held_conn, m->held, m->held_len);
    m->held_len = 0;
}

int64_t gw_ims_buf_send_late(gw_ims_buf *b)
{
    if (b->now_ns >= b->memory.held_ns)
        send_held(b);
    return b->memory.held_len > 0 ? b->memory.held_ns : GW_PEER_NEVER;
}

static void hold(gw_ims_buf *b, const gw_ims_buf_reply *r)
{
    gw_ims_buf_memory *m = &b->memory;

    send_held(b);
    m->held_len = gw_ims_buf_build(b, r, m->held);
    m->held_conn = r->conn;
    m->held_ns = b->now_ns + SLOW_NS;
}

static void send_damaged(gw_ims_buf *b, const gw_ims_buf_reply *r)
{
    uint8_t bytes[GW_IB_PACKET_MAX];
    size_t len = gw_ims_buf_build(b, r, bytes);

    if (len == 0)
        return;
    bytes[len - 1] ^= 1;
    b->out->send(b->out, 0, r->conn, bytes, len);
}

/* How many answers to that Worker, or responses of that channel, there were. */
static uint32_t count(gw_ims_buf *b, const gw_ims_buf_reply *r)
{
    if (r->request == NULL)
        return r->channel->acks + r->channel->nacks;
    return b->memory.workers[r->worker - b->workers].answers++;
}

bool gw_ims_buf_filter_out(gw_ims_buf *b, gw_ims_buf_reply *r)
{
    bool response = r->request == NULL;

    if (!response) {
        change_answer(b, r->worker, &r->draft.status, &r->request->status);
        pack_answer(b, r);
    } else if ((gw_ims_buf_memory_of(b, r->channel)->below && HAS(b, SILENT_BELOW)) ||
               !change_response(b, r, &r->draft.ack)) {
        r->channel->next_psn--; /* as if there had been none */
        return false;
    } else if (r->draft.ack.type == GW_IMS_TYPE_NACK && HAS(b, NACK_PER_EVENT)) {
        send_each(b, r);
        return false;
    } else {
        pack_response(b, &r->draft);
    }
    if (response && HAS(b, ANSWERS_TWICE))
        gw_ims_buf_transmit(b, r);
    if (HAS(b, SLOWS_DOWN) && count(b, r) > MANY) {
        hold(b, r);
        return false;
    }
    if (!HAS(b, BAD_ICRC))
        return true;
    send_damaged(b, r);
    return false;
}
