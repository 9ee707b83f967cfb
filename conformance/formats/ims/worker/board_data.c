/* SPDX-License-Identifier: BSD-2-Clause */
/* The software IMS Worker's data channel: frames out, packet by packet in bursts, and what their
 * responses, or the lack of one, mean.
 *
 * A frame is one RDMA write, so its packets follow each other: a frame that is to be sent again
 * waits until the one that is being sent is out. */
#include <string.h>

#include "formats/ims/worker/board.h"

/* ---- frames ---- */

uint64_t gw_ims_worker_va_of(const gw_ims_worker_state *w, uint64_t number)
{
    return gw_ims_worker_hook_va(w, number, w->base + number * w->setup->frame);
}

static uint32_t length_of(const gw_ims_worker_state *w, uint64_t number)
{
    uint64_t left = w->setup->size - number * w->setup->frame;
    uint32_t length = left < w->setup->frame ? (uint32_t)left : w->setup->frame;
    return gw_ims_worker_hook_length(w, number, length);
}

void gw_ims_worker_put(gw_ims_worker_state *w, gw_ims_slot *slot, gw_ims_slot_state state)
{
    w->num_busy += (state != SLOT_FREE) - (slot->state != SLOT_FREE);
    w->num_ready += (state == SLOT_READY) - (slot->state == SLOT_READY);
    slot->state = (uint8_t)state;
}

void gw_ims_worker_put_until(gw_ims_worker_state *w, gw_ims_slot *slot, gw_ims_slot_state state,
                             int64_t deadline)
{
    gw_ims_worker_put(w, slot, state);
    slot->deadline = deadline;
    if (deadline < w->earliest)
        w->earliest = deadline;
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
        if (slot->state != SLOT_FREE && ((gw_ims_worker_va_of(w, slot->number) ^ va) & mask) == 0)
            return slot;
    }
    return NULL;
}

gw_ims_slot *gw_ims_worker_oldest(gw_ims_worker_state *w)
{
    return slot_in(w, SLOT_WAITING);
}

/* ---- the end of it ---- */

void gw_ims_worker_stop(gw_ims_worker_state *w, const char *why)
{
    if (why != NULL)
        gw_ims_worker_fail(w, why);
    w->stopping = true;
}

void gw_ims_worker_abort(gw_ims_worker_state *w)
{
    memset(w->slots, 0, sizeof(w->slots));
    w->num_busy = w->num_ready = 0;
    w->sending = NULL;
}

static void deliver(gw_ims_worker_state *w, gw_ims_slot *slot)
{
    gw_ims_worker_put(w, slot, SLOT_FREE);
    w->delivered++;
}

void gw_ims_worker_send_again(gw_ims_worker_state *w, gw_ims_slot *slot)
{
    if (slot->tries >= w->policy.tries) {
        gw_ims_worker_stop(w, "a frame was not acknowledged, however often it was sent");
        return;
    }
    gw_ims_worker_put(w, slot, SLOT_READY);
    w->resent++;
}

/* ---- responses ---- */

/* An ACK of an earlier sending means that the frame lies there, unless a later one was refused. */
static void take_ack(gw_ims_worker_state *w, gw_ims_slot *slot)
{
    if (slot->refused)
        return;
    if (slot->state == SLOT_SENDING)
        slot->acked = slot->tries > 1;
    else
        deliver(w, slot);
}

static void take_refusal(gw_ims_worker_state *w, gw_ims_slot *slot)
{
    if (gw_ims_worker_hook_refusal(w, slot))
        return;
    if (slot->state == SLOT_SENDING && slot->tries == 1)
        slot->again = true; /* later it may be an old one */
    if (slot->state != SLOT_WAITING)
        return;
    slot->refused = true;
    gw_ims_worker_send_again(w, slot);
}

static void take_wait(gw_ims_worker_state *w, gw_ims_slot *slot)
{
    if (slot->state != SLOT_WAITING)
        return;
    slot->refused = true;
    gw_ims_worker_put_until(w, slot, SLOT_HELD, w->now + w->setup->wait_ns);
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

bool gw_ims_worker_misses_start(const gw_ims_worker_state *w, const gw_ims_ack *ack)
{
    return ack->type == GW_IMS_TYPE_NACK && has_mask(w) && (ack->events & GW_IMS_NO_START) != 0 &&
           ack->va == 0;
}

/* "No start of frame" is about the oldest frame whose packets are all out, or else about the one
 * that is being sent. */
gw_ims_slot *gw_ims_worker_meant(gw_ims_worker_state *w, const gw_ims_ack *ack)
{
    if (!gw_ims_worker_misses_start(w, ack))
        return slot_at(w, ack->va);
    gw_ims_slot *oldest = gw_ims_worker_oldest(w);
    return oldest != NULL ? oldest : w->sending;
}

void gw_ims_worker_take_response(gw_ims_worker_state *w, const gw_ims_ack *ack)
{
    gw_ims_slot *slot = gw_ims_worker_meant(w, ack);
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
        gw_ims_worker_stop(w, "the buffer refuses our key or our addresses");
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
    gw_ims_worker_put_until(w, slot, SLOT_WAITING, w->now + w->policy.response_ns);
    if (slot->acked)
        deliver(w, slot);
    else if (slot->again)
        gw_ims_worker_send_again(w, slot);
}

void gw_ims_worker_send_packet(gw_ims_worker_state *w)
{
    gw_ims_slot *slot = w->sending;
    gw_ib_reth reth = {.va = gw_ims_worker_va_of(w, slot->number),
                       .rkey = w->rkey,
                       .length = length_of(w, slot->number)};
    uint32_t left = reth.length - w->sent;
    uint32_t size = slot->tries > 1 ? w->policy.packet_again : w->policy.packet;
    uint32_t len = left < size ? left : size;
    gw_ims_worker_read(w, slot->number * w->setup->frame + w->sent, w->payload, len);
    gw_ims_draft draft =
        gw_ims_draft_write(w->buffer_qpnd, w->psn, &reth, w->sent, w->payload, len);
    w->sent += len;
    w->psn = (w->psn + 1) & GW_IB_NUMBER_MASK;
    gw_ims_worker_send(w, &draft);
    if (len == left)
        end_frame(w);
}

/* Whether a frame that was not sent yet has a slot. */
static bool has_new(const gw_ims_worker_state *w)
{
    return w->next < w->num_frames && w->num_busy < w->setup->outstanding;
}

static bool begin_frame(gw_ims_worker_state *w)
{
    gw_ims_slot *slot = w->num_ready > 0 ? slot_in(w, SLOT_READY) : NULL;
    if (slot == NULL && has_new(w)) {
        slot = slot_in(w, SLOT_FREE);
        *slot = (gw_ims_slot){.number = w->next++};
    }
    if (slot == NULL)
        return false;
    gw_ims_worker_put(w, slot, SLOT_SENDING);
    slot->acked = slot->again = false;
    if (slot->tries < w->policy.forgives)
        slot->refused = false;
    slot->tries++;
    w->sending = slot;
    w->sent = 0;
    return true;
}

static bool has_work(const gw_ims_worker_state *w)
{
    return w->sending != NULL || (!w->stopping && (w->num_ready > 0 || has_new(w)));
}

static void send_burst(gw_ims_worker_state *w)
{
    for (uint32_t i = 0; i < w->setup->burst; i++) {
        if (w->sending == NULL && (w->stopping || !begin_frame(w)))
            return;
        gw_ims_worker_send_packet(w);
    }
    w->next_burst = w->now + w->setup->gap_ns;
}

static void look_at_deadlines(gw_ims_worker_state *w)
{
    int64_t earliest = GW_PEER_NEVER;
    if (w->now < w->earliest)
        return;
    for (size_t i = 0; i < w->setup->outstanding; i++) {
        gw_ims_slot *slot = &w->slots[i];
        bool waits = slot->state == SLOT_WAITING || slot->state == SLOT_HELD;
        if (waits && w->now >= slot->deadline && !w->stopping)
            gw_ims_worker_send_again(w, slot);
        else if (waits && slot->deadline < earliest)
            earliest = slot->deadline;
    }
    w->earliest = earliest;
}

static bool all_delivered(const gw_ims_worker_state *w)
{
    return w->delivered >= w->num_frames;
}

void gw_ims_worker_pump(gw_ims_worker_state *w)
{
    look_at_deadlines(w);
    if (w->now >= w->next_burst)
        send_burst(w);
    if (w->unreadable)
        gw_ims_worker_stop(w, "the file ended before its end");
    if (w->sending == NULL && (w->stopping || all_delivered(w)))
        gw_ims_worker_ask(w, GW_IMS_DATA_TERM);
}

void gw_ims_worker_stream(gw_ims_worker_state *w)
{
    w->next_burst = w->now;
    gw_ims_worker_pump(w);
}

int64_t gw_ims_worker_frames_due(const gw_ims_worker_state *w)
{
    int64_t due = has_work(w) ? w->next_burst : GW_PEER_NEVER;
    return w->earliest < due ? w->earliest : due;
}
