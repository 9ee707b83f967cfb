/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants of the software IMS Worker make of answers and responses before the good board sees
 * them. */
#include "formats/ims/worker/board.h"

#define HAS(w, fault) gw_mutant_has((w)->mutant, WORKER_FAULT_##fault)

/* So many frames are sent again at once, the others so much later. */
enum {
    QUICK = 6,
    SLOW_NS = 300000000,
};

gw_ims_worker_policy gw_ims_worker_policy_of(const gw_ims_worker_setup *setup,
                                             const gw_mutant *mutant)
{
    uint32_t odd = setup->packet > GW_IMS_ALIGN ? setup->packet - GW_IMS_ALIGN / 2 : setup->packet;
    bool odd_packets = gw_mutant_has(mutant, WORKER_FAULT_PACKETS);
    bool odd_again = gw_mutant_has(mutant, WORKER_FAULT_ODD_AGAIN) || odd_packets;
    gw_ims_worker_policy policy = {
        .packet = odd_packets ? odd : setup->packet,
        .packet_again = odd_again ? odd : setup->packet,
        .tries = gw_mutant_has(mutant, WORKER_FAULT_ENDLESS) ? UINT32_MAX : setup->tries,
        .forgives = gw_mutant_has(mutant, WORKER_FAULT_STAYS_REFUSED) ? 2 : UINT32_MAX,
        .response_ns = setup->response_ns,
    };
    if (gw_mutant_has(mutant, WORKER_FAULT_TRUSTS))
        policy.response_ns = GW_PEER_NEVER / 2; /* 146 years */
    if (gw_mutant_has(mutant, WORKER_FAULT_IMPATIENT))
        policy.response_ns -= setup->response_ns / 8 * 7;
    return policy;
}

/* ---- answers ---- */

static void change_answer(const gw_ims_worker_state *w, gw_ims_status *s)
{
    if (HAS(w, OTHER_QPN))
        s->qpn ^= 1;
    if (HAS(w, ANY_IDENTITY)) {
        s->lid = w->setup->lid;
        s->qpn = w->setup->qpn;
    }
    if (HAS(w, ANY_VERSION))
        s->major = (uint8_t)(gw_ims_worker_revision(w) >> 8);
    /* A STAT_RES of version 0 says nothing yet. */
    if (s->minor != 0 && (s->major != 0 || s->method != GW_IMS_STAT_RES) && HAS(w, EQUAL_VERSION))
        s->major = UINT8_MAX;
}

/* Whether |s|, an answer for us, is looked at. */
static bool admits_answer(const gw_ims_worker_state *w, const gw_ims_status *s)
{
    bool used = s->key != 0 || s->va != 0 || s->rkey != 0;
    if (s->reserved != 0 && HAS(w, STRICT_RESERVED))
        return false;
    return !(used && s->method != GW_IMS_DATA_RES && HAS(w, PICKY));
}

static void send_back(gw_ims_worker_state *w, const gw_ims_status *status)
{
    const gw_ims_worker_setup *s = w->setup;
    gw_ims_draft draft =
        gw_ims_draft_status(s->buffer_qpn, s->qpn, s->buffer_qkey, w->status_psn, status);
    w->status_psn = (w->status_psn + 1) & GW_IB_NUMBER_MASK;
    gw_ims_worker_transmit(w, &draft, 0);
}

static void filter_answer(gw_ims_worker_state *w, gw_ims_packet *p)
{
    gw_ims_status *s = &p->status;
    uint8_t phase = w->phase;
    change_answer(w, s);
    if (s->lid != w->setup->lid || s->qpn != w->setup->qpn || !admits_answer(w, s))
        return;
    if (s->method == GW_IMS_STAT_DOWN && phase == WORKER_REGISTERING && HAS(w, PERSISTS)) {
        gw_ims_worker_ask(w, GW_IMS_DATA_REQ);
        return;
    }
    if (s->method == GW_IMS_DATA_RES && phase == WORKER_STREAMING && HAS(w, TAKES_SECOND)) {
        w->base = s->va;
        w->rkey = s->rkey;
    }
    if (s->method == GW_IMS_DATA_DOWN && phase == WORKER_OPENING && HAS(w, WRITES_WITHOUT))
        gw_ims_worker_write_early(w);
    gw_ims_worker_take(w, p);
    if (s->method == GW_IMS_DATA_DOWN && phase == WORKER_STREAMING && HAS(w, WRITES_ON))
        gw_ims_worker_write_anyway(w);
    if (s->method == GW_IMS_STAT_DOWN && HAS(w, CONFIRMS))
        gw_ims_worker_request(w, GW_IMS_STAT_DOWN);
    if (s->method >= GW_IMS_NUM_METHODS && HAS(w, ECHOES))
        send_back(w, s);
}

/* ---- responses ---- */

/* Whether a frame at |va| was sent at some time. */
static bool was_sent(const gw_ims_worker_state *w, uint64_t va)
{
    return va >= w->base && va - w->base < w->next * w->setup->frame;
}

/* Makes |ack| one for the oldest frame. */
static void change_frame(gw_ims_worker_state *w, gw_ims_ack *ack)
{
    const gw_ims_slot *oldest = gw_ims_worker_oldest(w);
    bool nobodys = gw_ims_worker_meant(w, ack) == NULL;
    if (HAS(w, OLDEST) || (nobodys && was_sent(w, ack->va) && HAS(w, COUNTS)) ||
        (nobodys && !was_sent(w, ack->va) && HAS(w, ANY_VA)))
        ack->va = oldest != NULL ? gw_ims_worker_va_of(w, oldest->number) : UINT64_MAX;
}

/* What follows of a NACK. */
static void change_events(gw_ims_worker_state *w, gw_ims_ack *ack)
{
    const gw_ims_slot *slot = gw_ims_worker_meant(w, ack);
    bool waited = slot != NULL && slot->tries > 1;
    if ((ack->events & GW_IMS_FATAL) != 0 && HAS(w, STUBBORN))
        ack->events &= ~(uint32_t)(GW_IMS_FATAL | GW_IMS_OUTSIDE_WINDOW);
    if ((ack->events & GW_IMS_FATAL) == 0 && (HAS(w, NO_WAIT) || (waited && HAS(w, WAITS_ONCE))))
        ack->events &= ~(uint32_t)GW_IMS_OUTSIDE_WINDOW;
}

/* Whether |ack| is looked at. */
static bool admits_response(gw_ims_worker_state *w, const gw_ims_ack *ack)
{
    bool choked = w->memory.choked;
    bool nack = ack->type == GW_IMS_TYPE_NACK;
    bool odd = nack && (ack->events & ~(uint32_t)GW_IMS_EVENTS) != 0;
    bool no_start = nack && (ack->events & GW_IMS_NO_START) != 0;
    w->memory.choked = false;
    if (no_start && ack->va != 0 && HAS(w, NO_START_VA))
        gw_ims_worker_stop(w, "the buffer refuses a frame that was not sent");
    return !(choked && HAS(w, CHOKES)) && !(odd && HAS(w, ODD_NACK)) &&
           !(gw_ims_worker_misses_start(w, ack) && HAS(w, NO_START)) &&
           !(ack->type == GW_IMS_TYPE_ACK && HAS(w, DEAF));
}

static void filter_response(gw_ims_worker_state *w, gw_ims_packet *p)
{
    bool nack = p->ack.type == GW_IMS_TYPE_NACK;
    if (!admits_response(w, &p->ack))
        return;
    if (!gw_ims_worker_misses_start(w, &p->ack))
        change_frame(w, &p->ack);
    if (nack)
        change_events(w, &p->ack);
    gw_ims_worker_take(w, p);
}

void gw_ims_worker_filter_in(gw_ims_worker_state *w, gw_ims_packet *p)
{
    if (p->bth.opcode == GW_IB_UC_SEND_ONLY && p->payload_sent != GW_IMS_ACK)
        w->memory.choked = true;
    if (gw_ims_worker_is_answer(w, p))
        filter_answer(w, p);
    else if (gw_ims_worker_is_response(w, p))
        filter_response(w, p);
}

/* ---- refused frames ---- */

/* Sends all frames again that were sent before that in |slot| and whose responses have not come. */
static void go_back(gw_ims_worker_state *w, const gw_ims_slot *slot)
{
    for (size_t i = 0; i < w->setup->outstanding; i++) {
        gw_ims_slot *before = &w->slots[i];
        if (before->state == SLOT_WAITING && before->number < slot->number)
            gw_ims_worker_send_again(w, before);
    }
}

bool gw_ims_worker_hook_refusal(gw_ims_worker_state *w, gw_ims_slot *slot)
{
    if (HAS(w, NO_RESEND))
        return true;
    if (slot->state == SLOT_SENDING && slot->tries == 1 && HAS(w, BREAKS_OFF)) {
        w->sending = NULL;
        gw_ims_worker_send_again(w, slot);
        return true;
    }
    if (slot->state == SLOT_WAITING && HAS(w, GOES_BACK))
        go_back(w, slot);
    if (slot->state != SLOT_WAITING || slot->number < QUICK || !HAS(w, SLOWS_DOWN))
        return false;
    slot->refused = true;
    gw_ims_worker_put_until(w, slot, SLOT_HELD, w->now + SLOW_NS);
    return true;
}
