/* SPDX-License-Identifier: BSD-2-Clause */
/* A data channel of the software IMS buffer: from packets to frames to responses. */
#include "formats/ims/buf/board.h"

/* What a mutant makes a bad frame of. */
enum { KEY_AND_LENGTH = GW_IMS_INVALID_RKEY | GW_IMS_FRAME_LENGTH };

/* ---- responses ---- */

static void respond(gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ims_ack *ack)
{
    uint8_t longer[GW_IMS_ACK + 4] = {0};
    gw_ims_order order = (gw_ims_order)gw_ims_dialect_of(b->dialect)->ack_order;
    gw_ims_draft draft = gw_ims_draft_ack(c->peer_qpn, c->next_psn++, ack);

    draft.raw = true;
    draft.payload = longer;
    draft.payload_len = GW_IMS_ACK;
    gw_ims_put_ack(longer, ack,
                   gw_ims_buf_faulty(b, IMS_BUF_FAULT_BIG_ENDIAN) ? GW_IMS_BE32 : order);
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_LONG_ACK))
        draft.payload_len = sizeof(longer);
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_ACK_WITH_IMM))
        draft.bth.opcode = GW_IB_UC_SEND_ONLY_IMM;
    gw_ims_buf_send(b, c->peer_conn, &draft, c->acks + c->nacks);
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_ANSWERS_TWICE))
        gw_ims_buf_send(b, c->peer_conn, &draft, 0);
}

/* What the mutants do to a response. False when they send none. */
static bool spoil(const gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ims_buf_frame *f,
                  gw_ims_ack *ack)
{
    bool nack = ack->type == GW_IMS_TYPE_NACK;

    if (ack->events == GW_IMS_PACKET_LENGTH && gw_ims_buf_faulty(b, IMS_BUF_FAULT_BARE_RUNT))
        ack->events = 0;
    if (!nack && gw_ims_buf_faulty(b, IMS_BUF_FAULT_TYPE_2))
        ack->type = 2;
    if (!nack && gw_ims_buf_faulty(b, IMS_BUF_FAULT_ACK_WITH_EVENTS))
        ack->events = GW_IMS_BAD_FRAME;
    if (nack && gw_ims_buf_faulty(b, IMS_BUF_FAULT_RESERVED_EVENTS))
        ack->events |= UINT32_C(1) << GW_IMS_NUM_EVENTS;
    if (f->open && gw_ims_buf_faulty(b, IMS_BUF_FAULT_END_VA))
        ack->va += f->length;
    if (f->orphan && gw_ims_buf_faulty(b, IMS_BUF_FAULT_OLD_VA_WITHOUT_START))
        ack->va = c->delivered;
    if (f->orphan && gw_ims_buf_faulty(b, IMS_BUF_FAULT_SILENT_WITHOUT_START))
        return false;
    return !nack || !gw_ims_buf_faulty(b, IMS_BUF_FAULT_NEVER_NACKS);
}

/* A response, or as many as a mutant makes of it: one an event. */
static void respond_to(gw_ims_buf *b, gw_ims_buf_channel *c, gw_ims_ack *ack)
{
    uint32_t events = ack->events;

    if (ack->type != GW_IMS_TYPE_NACK || !gw_ims_buf_faulty(b, IMS_BUF_FAULT_NACK_PER_EVENT)) {
        respond(b, c, ack);
        return;
    }
    for (uint32_t bit = 1; bit <= events; bit <<= 1) {
        ack->events = events & bit;
        if (ack->events != 0)
            respond(b, c, ack);
    }
}

/* What the mutants add to the events of |f|, or take away. */
static uint32_t spoil_events(const gw_ims_buf *b, uint32_t events)
{
    for (unsigned i = 0; i < b->setup.channels; i++) {
        if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_SHARED_EVENTS))
            events |= b->channels[i].frame.events;
    }
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_ONE_EVENT))
        events &= ~events + 1; /* the lowest */
    if ((events & KEY_AND_LENGTH) == KEY_AND_LENGTH &&
        gw_ims_buf_faulty(b, IMS_BUF_FAULT_KEY_HIDES_LENGTH))
        events = (events & ~(uint32_t)KEY_AND_LENGTH) | GW_IMS_BAD_FRAME;
    return events;
}

/* Ends the frame that is being received, or packets without a first one. */
static void end_frame(gw_ims_buf *b, gw_ims_buf_channel *c)
{
    gw_ims_buf_frame f = c->frame;
    bool disturbed =
        c->refused && f.events == 0 && gw_ims_buf_faulty(b, IMS_BUF_FAULT_SLOW_RECOVERY);
    bool silent = f.open && f.va < c->read && gw_ims_buf_faulty(b, IMS_BUF_FAULT_SILENT_BELOW);

    c->frame = (gw_ims_buf_frame){.open = false};
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_NO_BAD_MARKS))
        c->inject &= ~(uint32_t)GW_IMS_BUF_MARKS;
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_NO_MEMORY_ERRORS))
        c->inject &= ~(uint32_t)GW_IMS_BUF_MEMORY_ERRORS;
    f.events |= c->inject | (disturbed ? GW_IMS_OUT_OF_SEQUENCE : 0u);
    c->inject = 0;
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_STICKY_EVENTS)) {
        f.events |= c->kept;
        c->kept = f.events;
    }
    f.events = spoil_events(b, f.events);
    if (f.events == GW_IMS_OUTSIDE_WINDOW && gw_ims_buf_faulty(b, IMS_BUF_FAULT_DRIFTS))
        c->drift += f.length;
    c->refused = f.events != 0;
    gw_ims_ack ack = {
        .type = f.events == 0 ? GW_IMS_TYPE_ACK : GW_IMS_TYPE_NACK,
        .events = f.events,
        .va = f.open ? f.va : 0,
    };
    if (f.events == 0) {
        c->acks++;
        gw_ims_buf_deliver(b, c, f.va, f.length);
    } else {
        c->nacks++;
    }
    if (spoil(b, c, &f, &ack) && !silent)
        respond_to(b, c, &ack);
}

/* ---- packets ---- */

static bool is_power_of_two(uint32_t n)
{
    return (n & (n - 1)) == 0;
}

/* Whether |n| bytes are a packet that can be processed. */
static bool good_length(const gw_ims_buf *b, const gw_ims_packet *p)
{
    uint32_t n = p->payload_len;
    bool good = n >= GW_IMS_PACKET_MIN && n <= GW_IMS_PACKET_MAX && n % GW_IMS_ALIGN == 0;

    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_ANY_PACKET_LENGTH))
        return true;
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_POWERS_OF_TWO) && !is_power_of_two(n))
        return false;
    if (p->first && !p->last && n == GW_IMS_PACKET_MIN &&
        gw_ims_buf_faulty(b, IMS_BUF_FAULT_FIRST_OF_64))
        return false;
    return good;
}

/* What a mutant cannot write: the upper half of a burst of its memory alone. */
static bool is_half_burst(const gw_ib_reth *reth)
{
    return reth->length == GW_IMS_ALIGN && reth->va / GW_IMS_ALIGN % 2 != 0;
}

static uint32_t check_start(gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ib_reth *reth)
{
    uint32_t events = 0;
    uint32_t rkey = gw_ims_buf_faulty(b, IMS_BUF_FAULT_ONE_KEY) ? b->rkey : c->rkey;
    bool repeated = reth->va < c->delivered;

    if (reth->rkey != rkey && !gw_ims_buf_faulty(b, IMS_BUF_FAULT_ANY_RKEY))
        events |= GW_IMS_INVALID_RKEY;
    if (reth->va % GW_IMS_ALIGN != 0 && !gw_ims_buf_faulty(b, IMS_BUF_FAULT_ANY_ALIGNMENT))
        events |= GW_IMS_INVALID_VA;
    if (is_half_burst(reth) && gw_ims_buf_faulty(b, IMS_BUF_FAULT_HALF_BURST))
        events |= GW_IMS_INVALID_VA;
    if (!gw_ims_buf_window(b, c, reth->va, reth->length) ||
        (repeated && gw_ims_buf_faulty(b, IMS_BUF_FAULT_NO_REPEATED_FRAME)))
        events |= GW_IMS_OUTSIDE_WINDOW;
    return events;
}

/* What the mutants do as a frame begins that |p| is the first packet of. */
static void spoil_start(gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ims_packet *p)
{
    gw_ims_buf_frame *f = &c->frame;
    const gw_ims_buf_frame *lost = &c->lost;

    if (lost->open && lost->va == f->va && lost->length == f->length &&
        gw_ims_buf_faulty(b, IMS_BUF_FAULT_COUNTS_ON))
        f->got = lost->got;
    if (c->several && p->last && gw_ims_buf_faulty(b, IMS_BUF_FAULT_MISSES_ONLY))
        f->events |= GW_IMS_NO_START;
    for (unsigned i = 0; i < b->setup.channels; i++) {
        if (&b->channels[i] != c && gw_ims_buf_faulty(b, IMS_BUF_FAULT_ONE_FRAME))
            b->channels[i].frame = (gw_ims_buf_frame){.open = false};
    }
}

/* A first packet. Whatever was not finished before it never will be. */
static void begin_frame(gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ims_packet *p, bool gap)
{
    /* On a channel without a packet before there is a gap for a mutant alone. */
    bool counts = gap && (b->setup.gap_at_first || !c->has_psn);

    if (c->frame.open) {
        c->frame.events |= GW_IMS_FRAME_LENGTH | (gap ? GW_IMS_OUT_OF_SEQUENCE : 0u);
        end_frame(b, c);
        counts = false; /* it was told */
    } else if (c->frame.orphan) {
        end_frame(b, c);
    }
    c->first_len = p->payload_len;
    c->frame = (gw_ims_buf_frame){
        .open = true,
        .va = p->reth.va,
        .length = p->reth.length,
        .events = check_start(b, c, &p->reth) | (counts ? GW_IMS_OUT_OF_SEQUENCE : 0u),
    };
    spoil_start(b, c, p);
    c->frame.stores = c->frame.events == 0 || (c->frame.events == GW_IMS_OUTSIDE_WINDOW &&
                                               gw_ims_buf_faulty(b, IMS_BUF_FAULT_STORES_BEYOND));
}

static void continue_frame(const gw_ims_buf *b, gw_ims_buf_channel *c, bool gap)
{
    gw_ims_buf_frame *f = &c->frame;

    if (!f->open && !f->orphan)
        *f = (gw_ims_buf_frame){.orphan = true, .events = GW_IMS_NO_START};
    if (gap && !gw_ims_buf_faulty(b, IMS_BUF_FAULT_MISSES_GAPS))
        f->events |= GW_IMS_OUT_OF_SEQUENCE;
    if (gap)
        f->stores = false; /* where it belongs is not known any more */
}

/* How much |p| adds to its frame. */
static uint32_t counted(const gw_ims_buf *b, const gw_ims_buf_channel *c, const gw_ims_packet *p)
{
    bool second = !p->first && c->frame.got == c->first_len;

    if (second && p->last && gw_ims_buf_faulty(b, IMS_BUF_FAULT_LATE_LENGTH))
        return c->first_len;
    return p->payload_len;
}

static void take_payload(gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ims_packet *p)
{
    gw_ims_buf_frame *f = &c->frame;
    bool short_last = p->last && p->payload_len < c->first_len;
    bool good = good_length(b, p);

    if (short_last && f->open && gw_ims_buf_faulty(b, IMS_BUF_FAULT_NO_SHORT_LAST))
        good = false;
    if (c->tail % GW_IMS_ALIGN != 0 && p->payload_len % (2 * GW_IMS_ALIGN) != 0 &&
        gw_ims_buf_faulty(b, IMS_BUF_FAULT_HALF_WORD))
        good = false;
    c->tail = p->payload_len;
    if (!good)
        f->events |= GW_IMS_PACKET_LENGTH;
    if (good && f->open && f->stores && f->got + p->payload_len <= f->length)
        gw_ims_buf_store(b, c, f->va + f->got + c->drift, p->payload, p->payload_len);
    f->got += counted(b, c, p);
}

/* Whether |p| is not the packet that comes next. Which is the first one, only a mutant knows. */
static bool is_gap(const gw_ims_buf *b, const gw_ims_buf_channel *c, const gw_ims_packet *p)
{
    if (!c->has_psn)
        return p->bth.psn != 0 && gw_ims_buf_faulty(b, IMS_BUF_FAULT_PSN_FROM_0);
    return p->bth.psn != c->psn;
}

static uint32_t psn_after(const gw_ims_buf *b, uint32_t psn)
{
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_PSN_GOES_ON))
        return psn + 1;
    return (psn + 1) & GW_IB_NUMBER_MASK;
}

/* Whether |p| begins a frame. */
static bool begins(const gw_ims_buf *b, const gw_ims_buf_channel *c, const gw_ims_packet *p)
{
    return p->first && !(c->frame.open && gw_ims_buf_faulty(b, IMS_BUF_FAULT_FIRST_IS_MIDDLE));
}

void gw_ims_buf_data(gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ims_packet *p)
{
    uint8_t opcode = p->bth.opcode;
    bool write = opcode >= GW_IB_UC_WRITE_FIRST && opcode <= GW_IB_UC_WRITE_ONLY &&
                 opcode != GW_IB_UC_WRITE_LAST_IMM;

    if (!write || (p->first && !p->has_reth) || p->payload_len != p->payload_sent) {
        b->dropped++;
        return;
    }
    bool gap = is_gap(b, c, p);
    bool between = p->first && !c->frame.open && c->has_psn;
    if (gap && between && gw_ims_buf_faulty(b, IMS_BUF_FAULT_AWAITS_LOST)) {
        b->dropped++;
        return;
    }
    if (begins(b, c, p))
        begin_frame(b, c, p, gap);
    else
        continue_frame(b, c, gap);
    c->has_psn = true;
    c->psn = psn_after(b, p->bth.psn);
    take_payload(b, c, p);
    if (!p->last)
        return;
    c->several = !p->first;
    if ((c->frame.events & GW_IMS_OUT_OF_SEQUENCE) != 0)
        c->lost = c->frame;
    if (c->frame.open && c->frame.got != c->frame.length &&
        !gw_ims_buf_faulty(b, IMS_BUF_FAULT_ANY_LENGTH))
        c->frame.events |= GW_IMS_FRAME_LENGTH;
    end_frame(b, c);
}
