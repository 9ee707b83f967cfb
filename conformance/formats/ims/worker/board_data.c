/* SPDX-License-Identifier: BSD-2-Clause */
/* The software IMS Worker's data channel: frames out, packet by packet in bursts, and what their
 * responses, or the lack of one, mean.
 *
 * A frame is one RDMA write, so its packets follow each other: a frame that is to be sent again
 * waits until the one that is being sent is out. */
#include <string.h>

#include "formats/ims/worker/board.h"

/* A mutant's: so many frames are sent again at once, the others so much later. */
enum {
    QUICK = 6,
    SLOW_NS = 300000000,
};

/* ---- frames ---- */

static uint64_t va_of(const gw_ims_worker_state *w, uint64_t number)
{
    uint64_t va = w->base + number * w->setup->frame;
    if (gw_ims_worker_faulty(w, WORKER_FAULT_START))
        va += GW_IMS_ALIGN;
    if (gw_ims_worker_faulty(w, WORKER_FAULT_UNALIGNED) && number > 0)
        va += 4;
    if (gw_ims_worker_faulty(w, WORKER_FAULT_GAPS))
        va += number * GW_IMS_ALIGN;
    return va;
}

static uint32_t length_of(const gw_ims_worker_state *w, uint64_t number)
{
    uint64_t left = w->setup->size - number * w->setup->frame;
    uint32_t length = left < w->setup->frame ? (uint32_t)left : w->setup->frame;
    if (gw_ims_worker_faulty(w, WORKER_FAULT_SIZES) && number % 2 == 1 && length > GW_IMS_ALIGN)
        length -= GW_IMS_ALIGN;
    if (gw_ims_worker_faulty(w, WORKER_FAULT_LENGTH))
        length -= GW_IMS_ALIGN / 2;
    return length;
}

static gw_ims_slot *slot_in(gw_ims_worker_state *w, gw_ims_slot_state state)
{
    gw_ims_slot *found = NULL;
    for (size_t i = 0; i < w->setup->outstanding; i++) {
        gw_ims_slot *slot = &w->slots[i];
        if (slot->state == state && (found == NULL || slot->number < found->number))
            found = slot;
    }
    return found;
}

/* Before revision 1.0 a response has the lower half of the address only. */
static gw_ims_slot *slot_at(gw_ims_worker_state *w, uint64_t va)
{
    uint64_t mask = gw_ims_worker_revision(w) < 0x0100 ? UINT32_MAX : UINT64_MAX;
    for (size_t i = 0; i < w->setup->outstanding; i++) {
        gw_ims_slot *slot = &w->slots[i];
        if (slot->state != SLOT_FREE && ((va_of(w, slot->number) ^ va) & mask) == 0)
            return slot;
    }
    return NULL;
}

/* The frame that "no start of frame" is about: the oldest whose packets are all out, or else the
 * one that is being sent. */
static gw_ims_slot *slot_without_start(gw_ims_worker_state *w)
{
    gw_ims_slot *slot = slot_in(w, SLOT_WAITING);
    return slot != NULL ? slot : w->sending;
}

/* ---- the end of it ---- */

static void stop(gw_ims_worker_state *w, const char *why)
{
    if (why != NULL)
        gw_ims_worker_fail(w, why);
    w->stopping = true;
}

void gw_ims_worker_abort(gw_ims_worker_state *w)
{
    memset(w->slots, 0, sizeof(w->slots));
    w->sending = NULL;
}

static void deliver(gw_ims_worker_state *w, gw_ims_slot *slot)
{
    slot->state = SLOT_FREE;
    w->delivered++;
}

/* A frame is sent again, unless that has been tried often enough. */
static void send_again(gw_ims_worker_state *w, gw_ims_slot *slot)
{
    bool endless = gw_ims_worker_faulty(w, WORKER_FAULT_ENDLESS);
    if (slot->tries >= w->setup->tries && !endless) {
        stop(w, "a frame was not acknowledged, however often it was sent");
        return;
    }
    slot->state = SLOT_READY;
    w->resent++;
}

/* ---- responses ---- */

/* An ACK of an earlier sending means that the frame lies there, unless a later one was refused. */
static void take_ack(gw_ims_worker_state *w, gw_ims_slot *slot)
{
    if (gw_ims_worker_faulty(w, WORKER_FAULT_DEAF) || slot->refused)
        return;
    if (slot->state == SLOT_SENDING)
        slot->acked = slot->tries > 1;
    else
        deliver(w, slot);
}

/* What a mutant does with the frames before |slot| whose responses have not come yet. */
static void go_back(gw_ims_worker_state *w, const gw_ims_slot *slot)
{
    for (size_t i = 0; i < w->setup->outstanding; i++) {
        gw_ims_slot *before = &w->slots[i];
        if (before->state == SLOT_WAITING && before->number < slot->number)
            send_again(w, before);
    }
}

static void take_refusal(gw_ims_worker_state *w, gw_ims_slot *slot)
{
    if (gw_ims_worker_faulty(w, WORKER_FAULT_NO_RESEND))
        return;
    if (slot->state == SLOT_SENDING && slot->tries == 1 &&
        gw_ims_worker_faulty(w, WORKER_FAULT_BREAKS_OFF)) {
        w->sending = NULL;
        send_again(w, slot);
        return;
    }
    if (slot->state == SLOT_SENDING && slot->tries == 1)
        slot->again = true; /* later it may be an old one */
    if (slot->state != SLOT_WAITING)
        return;
    slot->refused = true;
    if (gw_ims_worker_faulty(w, WORKER_FAULT_GOES_BACK))
        go_back(w, slot);
    if (slot->number >= QUICK && gw_ims_worker_faulty(w, WORKER_FAULT_SLOWS_DOWN)) {
        slot->state = SLOT_HELD;
        slot->deadline = w->now + SLOW_NS;
        return;
    }
    send_again(w, slot);
}

static void take_wait(gw_ims_worker_state *w, gw_ims_slot *slot)
{
    bool waited = slot->tries > 1 && gw_ims_worker_faulty(w, WORKER_FAULT_WAITS_ONCE);
    if (waited || gw_ims_worker_faulty(w, WORKER_FAULT_NO_WAIT)) {
        take_refusal(w, slot);
        return;
    }
    if (slot->state != SLOT_WAITING)
        return;
    slot->refused = true;
    slot->state = SLOT_HELD;
    slot->deadline = w->now + w->setup->wait_ns;
}

static void take_stop(gw_ims_worker_state *w, gw_ims_slot *slot)
{
    if (gw_ims_worker_faulty(w, WORKER_FAULT_STUBBORN))
        take_refusal(w, slot);
    else
        stop(w, "the buffer refuses our key or our addresses");
}

/* Whether a frame at |va| was sent at some time. */
static bool was_sent(const gw_ims_worker_state *w, uint64_t va)
{
    return va >= w->base && va - w->base < w->next * w->setup->frame;
}

/* Before revision 1.1 the events are a code that nobody wrote down: all that a NACK says then is
 * that the frame is not there. */
static bool has_mask(const gw_ims_worker_state *w)
{
    return gw_ims_worker_revision(w) >= 0x0101;
}

static gw_ims_reaction reaction_to(const gw_ims_worker_state *w, const gw_ims_ack *ack)
{
    bool nack = ack->type == GW_IMS_TYPE_NACK;
    return nack && !has_mask(w) ? GW_IMS_RESEND : gw_ims_reaction_to(ack);
}

static gw_ims_slot *slot_meant(gw_ims_worker_state *w, const gw_ims_ack *ack)
{
    gw_ims_slot *slot = gw_ims_worker_faulty(w, WORKER_FAULT_OLDEST) ? slot_in(w, SLOT_WAITING)
                                                                     : slot_at(w, ack->va);
    bool no_start = ack->type == GW_IMS_TYPE_NACK && has_mask(w) &&
                    (ack->events & GW_IMS_NO_START) != 0 && ack->va == 0;
    if (no_start)
        return gw_ims_worker_faulty(w, WORKER_FAULT_NO_START) ? NULL : slot_without_start(w);
    gw_ims_worker_fault fault = was_sent(w, ack->va) ? WORKER_FAULT_COUNTS : WORKER_FAULT_ANY_VA;
    if (slot == NULL && gw_ims_worker_faulty(w, fault))
        return slot_in(w, SLOT_WAITING);
    return slot;
}

/* What mutants make of a response before they look whose it is. True when they lose it. */
static bool loses(gw_ims_worker_state *w, const gw_ims_ack *ack)
{
    bool choked = w->choked;
    bool odd = ack->type == GW_IMS_TYPE_NACK && (ack->events & ~(uint32_t)GW_IMS_EVENTS) != 0;
    bool no_start = ack->type == GW_IMS_TYPE_NACK && (ack->events & GW_IMS_NO_START) != 0;
    if (no_start && ack->va != 0 && gw_ims_worker_faulty(w, WORKER_FAULT_NO_START_VA))
        stop(w, "the buffer refuses a frame that was not sent");
    w->choked = false;
    return choked || (odd && gw_ims_worker_faulty(w, WORKER_FAULT_ODD_NACK));
}

void gw_ims_worker_take_response(gw_ims_worker_state *w, const gw_ims_ack *ack)
{
    if (loses(w, ack))
        return;
    gw_ims_slot *slot = slot_meant(w, ack);
    gw_ims_reaction reaction = reaction_to(w, ack);
    if (slot == NULL)
        return; /* done already, or never sent */
    if (reaction != GW_IMS_DONE && reaction != GW_IMS_IGNORE)
        w->refused++;
    switch (reaction) {
    case GW_IMS_DONE:
        take_ack(w, slot);
        return;
    case GW_IMS_RESEND:
        take_refusal(w, slot);
        return;
    case GW_IMS_WAIT:
        take_wait(w, slot);
        return;
    case GW_IMS_STOP:
        take_stop(w, slot);
        return;
    default:
        return;
    }
}

/* ---- packets ---- */

static void end_frame(gw_ims_worker_state *w)
{
    gw_ims_slot *slot = w->sending;
    w->sending = NULL;
    slot->state = SLOT_WAITING;
    slot->deadline = w->now + w->setup->response_ns;
    if (gw_ims_worker_faulty(w, WORKER_FAULT_IMPATIENT))
        slot->deadline -= w->setup->response_ns / 8 * 7;
    if (slot->acked)
        deliver(w, slot);
    else if (slot->again)
        send_again(w, slot);
    else if (gw_ims_worker_faulty(w, WORKER_FAULT_TRUSTS))
        slot->deadline = GW_PEER_NEVER;
}

static gw_ib_reth reth_of(const gw_ims_worker_state *w, const gw_ims_slot *slot)
{
    gw_ib_reth reth = {
        .va = va_of(w, slot->number), .rkey = w->rkey, .length = length_of(w, slot->number)};
    if (gw_ims_worker_faulty(w, WORKER_FAULT_MOVES) && slot->tries > 1)
        reth.va += w->setup->size + GW_IMS_ALIGN;
    if (gw_ims_worker_faulty(w, WORKER_FAULT_RKEY))
        reth.rkey++;
    return reth;
}

static void send_packet(gw_ims_worker_state *w)
{
    gw_ims_slot *slot = w->sending;
    gw_ib_reth reth = reth_of(w, slot);
    uint32_t left = reth.length - w->sent;
    uint32_t size = w->setup->packet;
    bool odd = gw_ims_worker_faulty(w, WORKER_FAULT_PACKETS) ||
               (slot->tries > 1 && gw_ims_worker_faulty(w, WORKER_FAULT_ODD_AGAIN));
    if (odd && size > GW_IMS_ALIGN)
        size -= GW_IMS_ALIGN / 2;
    uint32_t len = left < size ? left : size;
    bool last = len == left;
    gw_ims_worker_read(w, slot->number * w->setup->frame + w->sent, w->payload, len);
    if (w->sent == 0 && slot->tries > 1 && gw_ims_worker_faulty(w, WORKER_FAULT_SEALS_AGAIN))
        w->payload[0] ^= 1;
    gw_ims_draft draft =
        gw_ims_draft_write(w->buffer_qpnd, w->psn, &reth, w->sent, w->payload, len);
    w->sent += len;
    if (last && gw_ims_worker_faulty(w, WORKER_FAULT_IMMEDIATE))
        draft.bth.opcode++; /* LAST and ONLY have it with immediate data next to them */
    bool left_out = last && gw_ims_worker_faulty(w, WORKER_FAULT_CUT) && reth.length > size;
    if (!left_out) {
        w->psn = (w->psn + 1) & GW_IB_NUMBER_MASK;
        gw_ims_worker_send(w, &draft, last && gw_ims_worker_faulty(w, WORKER_FAULT_ICRC) ? 1 : 0);
    }
    if (last)
        end_frame(w);
}

static bool begin_frame(gw_ims_worker_state *w)
{
    gw_ims_slot *slot = slot_in(w, SLOT_READY);
    if (slot == NULL && w->next < w->num_frames) {
        slot = slot_in(w, SLOT_FREE);
        if (slot == NULL)
            return false;
        *slot = (gw_ims_slot){.number = w->next++};
    }
    if (slot == NULL)
        return false;
    slot->state = SLOT_SENDING;
    slot->acked = slot->again = false;
    if (slot->tries < 2 || !gw_ims_worker_faulty(w, WORKER_FAULT_STAYS_REFUSED))
        slot->refused = false;
    slot->tries++;
    w->sending = slot;
    w->sent = 0;
    return true;
}

static bool has_work(const gw_ims_worker_state *w)
{
    if (w->sending != NULL)
        return true;
    for (size_t i = 0; !w->stopping && i < w->setup->outstanding; i++) {
        if (w->slots[i].state == SLOT_READY ||
            (w->slots[i].state == SLOT_FREE && w->next < w->num_frames))
            return true;
    }
    return false;
}

static void send_burst(gw_ims_worker_state *w)
{
    for (uint32_t i = 0; i < w->setup->burst; i++) {
        if (w->sending == NULL && (w->stopping || !begin_frame(w)))
            return;
        send_packet(w);
    }
    w->next_burst = w->now + w->setup->gap_ns;
}

static void look_at_deadlines(gw_ims_worker_state *w)
{
    for (size_t i = 0; i < w->setup->outstanding && !w->stopping; i++) {
        gw_ims_slot *slot = &w->slots[i];
        bool waits = slot->state == SLOT_WAITING || slot->state == SLOT_HELD;
        if (waits && w->now >= slot->deadline)
            send_again(w, slot);
    }
}

static bool all_delivered(const gw_ims_worker_state *w)
{
    return w->delivered >= w->num_frames;
}

void gw_ims_worker_write_anyway(gw_ims_worker_state *w)
{
    gw_ims_slot *slot = &w->slots[0];
    *slot = (gw_ims_slot){.state = SLOT_SENDING, .tries = 1};
    w->sending = slot;
    w->sent = 0;
    while (w->sending != NULL)
        send_packet(w);
    slot->state = SLOT_FREE;
}

void gw_ims_worker_pump(gw_ims_worker_state *w)
{
    look_at_deadlines(w);
    if (w->now >= w->next_burst)
        send_burst(w);
    if (w->unreadable)
        stop(w, "the file ended before its end");
    if (w->sending != NULL || !(w->stopping || all_delivered(w)))
        return;
    gw_ims_worker_ask(w, GW_IMS_DATA_TERM);
    if (gw_ims_worker_faulty(w, WORKER_FAULT_AFTER_TERM))
        gw_ims_worker_write_anyway(w);
}

void gw_ims_worker_stream(gw_ims_worker_state *w)
{
    w->next_burst = w->now;
    gw_ims_worker_pump(w);
}

int64_t gw_ims_worker_frames_due(const gw_ims_worker_state *w)
{
    int64_t due = has_work(w) ? w->next_burst : GW_PEER_NEVER;
    for (size_t i = 0; i < w->setup->outstanding; i++) {
        const gw_ims_slot *slot = &w->slots[i];
        bool waits = slot->state == SLOT_WAITING || slot->state == SLOT_HELD;
        if (waits && slot->deadline < due)
            due = slot->deadline;
    }
    return due;
}
