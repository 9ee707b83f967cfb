/* SPDX-License-Identifier: BSD-2-Clause */
/* A data channel of the software IMS buffer: from packets to frames to responses. */
#include "formats/ims/buf/board.h"

/* ---- responses ---- */

static void respond(gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ims_buf_frame *f)
{
    gw_ims_ack ack = {
        .type = f->events == 0 ? GW_IMS_TYPE_ACK : GW_IMS_TYPE_NACK,
        .events = f->events,
        .va = f->open ? f->va : 0,
    };
    gw_ims_buf_reply r = {
        .conn = c->peer_conn,
        .draft = gw_ims_draft_ack(c->peer_qpn, c->next_psn++, &ack),
        .channel = c,
        .frame = f,
    };

    gw_ims_buf_send(b, &r);
}

/* Ends the frame that is being received, or packets without a first one. */
static void end_frame(gw_ims_buf *b, gw_ims_buf_channel *c)
{
    gw_ims_buf_frame f = c->frame;

    c->frame = (gw_ims_buf_frame){.open = false};
    f.events |= c->inject;
    c->inject = 0;
    gw_ims_buf_hook_events(b, c, &f);
    if (f.events == 0) {
        c->acks++;
        gw_ims_buf_deliver(b, c, f.va, f.length);
    } else {
        c->nacks++;
    }
    respond(b, c, &f);
}

/* ---- packets ---- */

/* Whether |n| bytes are a packet that can be processed. */
static bool good_length(uint32_t n)
{
    return n >= GW_IMS_PACKET_MIN && n <= GW_IMS_PACKET_MAX && n % GW_IMS_ALIGN == 0;
}

static uint32_t check_start(const gw_ims_buf *b, const gw_ims_buf_channel *c,
                            const gw_ib_reth *reth)
{
    uint32_t events = 0;

    if (reth->rkey != c->rkey)
        events |= GW_IMS_INVALID_RKEY;
    if (reth->va % GW_IMS_ALIGN != 0)
        events |= GW_IMS_INVALID_VA;
    if (!gw_ims_buf_window(b, c, reth->va, reth->length))
        events |= GW_IMS_OUTSIDE_WINDOW;
    return events;
}

/* A first packet. Whatever was not finished before it never will be. */
static void begin_frame(gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ims_packet *p, bool gap)
{
    bool counts = gap && b->setup.gap_at_first;

    if (c->frame.open) {
        c->frame.events |= GW_IMS_FRAME_LENGTH | (gap ? GW_IMS_OUT_OF_SEQUENCE : 0u);
        end_frame(b, c);
        counts = false; /* it was told */
    } else if (c->frame.orphan) {
        end_frame(b, c);
    }
    c->frame = (gw_ims_buf_frame){
        .open = true,
        .va = p->reth.va,
        .length = p->reth.length,
        .events = check_start(b, c, &p->reth) | (counts ? GW_IMS_OUT_OF_SEQUENCE : 0u),
    };
    c->frame.stores = c->frame.events == 0;
    gw_ims_buf_hook_begin(b, c, p);
}

static void continue_frame(gw_ims_buf_channel *c, bool gap)
{
    gw_ims_buf_frame *f = &c->frame;

    if (!f->open && !f->orphan)
        *f = (gw_ims_buf_frame){.orphan = true, .events = GW_IMS_NO_START};
    if (!gap)
        return;
    f->events |= GW_IMS_OUT_OF_SEQUENCE;
    f->stores = false; /* where it belongs is not known any more */
}

static void take_payload(gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ims_packet *p)
{
    gw_ims_buf_frame *f = &c->frame;
    bool good = gw_ims_buf_hook_length(b, c, p, good_length(p->payload_len));

    if (!good)
        f->events |= GW_IMS_PACKET_LENGTH;
    if (good && f->open && f->stores && f->got + p->payload_len <= f->length)
        gw_ims_buf_store(b, c, f->va + f->got, p->payload, p->payload_len);
    f->got += p->payload_len;
}

bool gw_ims_buf_is_write(const gw_ims_packet *p)
{
    uint8_t opcode = p->bth.opcode;
    bool write = opcode >= GW_IB_UC_WRITE_FIRST && opcode <= GW_IB_UC_WRITE_ONLY &&
                 opcode != GW_IB_UC_WRITE_LAST_IMM;

    return write && (!p->first || p->has_reth) && p->payload_len == p->payload_sent;
}

void gw_ims_buf_data(gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ims_packet *p)
{
    bool gap = c->has_psn && p->bth.psn != c->psn;

    if (!gw_ims_buf_is_write(p)) {
        b->dropped++;
        return;
    }
    if (p->first)
        begin_frame(b, c, p, gap);
    else
        continue_frame(c, gap);
    c->has_psn = true;
    c->psn = (p->bth.psn + 1) & GW_IB_NUMBER_MASK;
    take_payload(b, c, p);
    if (!p->last)
        return;
    bool whole = gw_ims_buf_hook_sum(b, c, p, c->frame.got == c->frame.length);
    if (c->frame.open && !whole)
        c->frame.events |= GW_IMS_FRAME_LENGTH;
    end_frame(b, c);
}
