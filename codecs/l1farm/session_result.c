/* SPDX-License-Identifier: BSD-2-Clause */
/* Results of compute nodes, and what a decision unit makes of them. */
#include "l1farm/session.h"

void gw_l1_take_result(l1_session *s, const gw_judge *judge, const gw_l1_unit *u, bool udp,
                       uint32_t interface)
{
    const gw_l1_result *r = &u->u.result;
    uint16_t sub = u->has_shim ? u->shim.buffer : 0;
    l1_place *p = gw_l1_find_place(s, L1_NODE, r->node_id, sub, interface);

    if (p->frame != 0 && p->event == r->tag_id && p->ntries == r->ntries)
        gw_l1_report(judge, L1_R01, GW_L1_F_RESULT_TAG, u->data_offset,
                     "node %x has sent the result of event %x in frame %d",
                     GW_NUMBERS(r->node_id, r->tag_id, p->frame));
    else if (p->frame != 0 && r->ntries <= p->ntries && udp)
        return; /* overtaken, maybe */
    else if (p->frame != 0 && r->ntries <= p->ntries)
        gw_l1_report(judge, L1_R02, GW_L1_F_NTRIES, u->data_offset,
                     "Ntries %d of node %x; frame %d had %d",
                     GW_NUMBERS(r->ntries, r->node_id, p->frame, p->ntries));
    p->frame = judge->frame;
    p->event = r->tag_id;
    p->ntries = r->ntries;
}

/* An event's number comes again after 65536 others: what was decided, or is older than any decision
 * may take, is of an earlier lap. */
void gw_l1_take_entry(l1_session *s, uint64_t frame, const gw_l1_shim *shim,
                      const gw_l1_profile *profile)
{
    l1_event *e = &s->events[shim->event % L1_EVENTS];

    if (e->entered != 0 && e->event == shim->event &&
        shim->step - e->step <= 2 * profile->decision_steps &&
        (shim->kind != GW_L1_KIND_ENTERED || e->step == shim->step))
        return;
    *e = (l1_event){.entered = frame, .step = shim->step, .event = shim->event};
    if (shim->kind == GW_L1_KIND_ENTERED)
        e->order = ++s->entries;
}

/* The event that entered as number |order|; NULL when it is no longer known. */
static const l1_event *entry_of(const l1_session *s, uint64_t order)
{
    for (size_t i = 0; i < L1_EVENTS; i++) {
        if (s->events[i].order == order)
            return &s->events[i];
    }
    return NULL;
}

/* Events are due as they entered; where nobody tells of entries, by their numbers. */
static void judge_order(const l1_session *s, const gw_judge *judge, const gw_l1_shim *shim,
                        const l1_event *e)
{
    uint16_t next = (uint16_t)(s->last_decided + 1);

    if (s->last_decision == 0)
        return;
    if (s->entries > 0) {
        if (e->order == 0 || s->last_order == 0 || e->order == s->last_order + 1)
            return;
        const l1_event *due = entry_of(s, s->last_order + 1);
        if (due == NULL)
            return;
        next = due->event;
    } else if (shim->event == next) {
        return;
    }
    gw_l1_report(judge, L1_U01, GW_L1_F_EVENT, 0, "event %x follows %x of frame %d; %x is due",
                 GW_NUMBERS(shim->event, s->last_decided, s->last_decision, next));
}

static void judge_time(const l1_event *e, const gw_judge *judge, const gw_l1_shim *shim,
                       const gw_l1_profile *profile)
{
    uint32_t took = shim->step - e->step;

    if (e->entered != 0 && took > profile->decision_steps && took <= INT32_MAX)
        gw_l1_report(judge, L1_U03, GW_L1_F_STEP, 0,
                     "decided %d time steps after frame %d brought the event; %d are allowed",
                     GW_NUMBERS(took, e->entered, profile->decision_steps));
}

void gw_l1_take_decision(l1_session *s, const gw_judge *judge, const gw_l1_shim *shim, bool udp,
                         const gw_l1_profile *profile)
{
    l1_event *e = &s->events[shim->event % L1_EVENTS];

    if (e->event != shim->event)
        *e = (l1_event){.event = shim->event, .step = shim->step};
    bool before = (uint32_t)(e->timed_step - shim->step) - 1 < UINT32_MAX / 2; /* overtaken */
    if (shim->kind == GW_L1_KIND_DECISION && e->timed_out != 0 && !before)
        gw_l1_report(judge, L1_U02, GW_L1_F_EVENT, 0,
                     "the result of event %x is passed on after its time-out in frame %d",
                     GW_NUMBERS(shim->event, e->timed_out));
    bool entered_again = udp && shim->kind == GW_L1_KIND_TIMEOUT; /* its entry came twice, maybe */
    if (e->decided != 0 && !entered_again && shim->step - e->step <= 2 * profile->decision_steps)
        gw_l1_report(judge, L1_U01, GW_L1_F_EVENT, 0, "event %x was decided in frame %d before",
                     GW_NUMBERS(shim->event, e->decided));
    if (profile->final) {
        judge_order(s, judge, shim, e);
        judge_time(e, judge, shim, profile);
    }
    if (shim->kind == GW_L1_KIND_TIMEOUT) {
        e->timed_out = judge->frame;
        e->timed_step = shim->step;
    } else {
        e->decided = judge->frame;
    }
    s->last_decision = judge->frame;
    s->last_decided = shim->event;
    s->last_order = e->order;
}
