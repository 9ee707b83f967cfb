/* SPDX-License-Identifier: BSD-2-Clause */
/* The schedule: which readout unit sends which fragment where, and in which time step. What counts
 * is the time step that a fragment carries, not when it arrived: nothing here relies on order. */
#include "l1farm/session.h"

#include <limits.h>

enum {
    WINDOW = 64,    /* events of a unit that may come late */
    RESTART = 1024, /* a step in TagIDs that is a new run, not a gap */
    MEAN_OVER = 16, /* time steps that a ringlet's load is averaged over */
};

static uint32_t row_of(const gw_l1_profile *p, uint8_t ru)
{
    return ru / p->rus_in_row;
}

static uint32_t column_of(const gw_l1_profile *p, uint16_t dest)
{
    return dest % p->columns;
}

/* ---- one unit's events ---- */

static unsigned zeros(uint64_t bits, unsigned num)
{
    unsigned n = 0;

    for (unsigned i = 0; i < num; i++)
        n += (bits >> i & 1) == 0;
    return n;
}

static void tell_missing(const gw_judge *judge, uint8_t ru, unsigned missing)
{
    if (missing > 0)
        gw_l1_report(judge, L1_X06, GW_L1_F_EVENT, 0,
                     "readout unit %d has not sent its fragment of %d event%s before",
                     GW_NUMBERS(ru, missing));
}

/* Notes a burst; true when one to the same place was sent. Of an event that a newer one has
 * displaced |seen| is all that is known. */
static bool sent_before(l1_readout *r, const gw_l1_shim *s, bool seen)
{
    l1_parts *p = &r->parts[s->event % L1_PARTS];
    uint64_t part = UINT64_C(1) << (s->offset / 64 % 64);

    if (p->sent != 0 && p->event != s->event && (uint16_t)(p->event - s->event) < WINDOW)
        return seen;
    if (p->sent == 0 || p->event != s->event)
        *p = (l1_parts){.event = s->event};
    bool again = (p->sent & part) != 0;
    p->sent |= part;
    return again;
}

/* What leaves the window without having been seen is missing. */
static void judge_once(l1_readout *r, const gw_judge *judge, const gw_l1_shim *s)
{
    unsigned ahead = (uint16_t)(s->event - r->newest);
    unsigned behind = (uint16_t)(r->newest - s->event);

    if (r->frame == 0 || (ahead >= RESTART && behind >= WINDOW)) {
        *r = (l1_readout){.seen = UINT64_MAX, .newest = s->event, .frame = judge->frame};
        (void)sent_before(r, s, false);
        return;
    }
    if (behind < WINDOW) {
        bool again = sent_before(r, s, (r->seen >> behind & 1) != 0);
        if (again && behind <= r->age)
            gw_l1_report(judge, L1_X06, GW_L1_F_EVENT, 0,
                         "readout unit %d has sent its fragment of event %x before",
                         GW_NUMBERS(s->ru, s->event));
        r->seen |= UINT64_C(1) << behind;
        return;
    }
    (void)sent_before(r, s, false);
    unsigned missing = ahead < WINDOW ? zeros(r->seen >> (WINDOW - ahead), ahead)
                                      : zeros(r->seen, WINDOW) + (ahead - WINDOW);
    tell_missing(judge, s->ru, missing);
    r->seen = (ahead < WINDOW ? r->seen << ahead : 0) | 1;
    r->newest = s->event;
    r->age = r->age + ahead < WINDOW ? (uint16_t)(r->age + ahead) : WINDOW;
    r->frame = judge->frame;
}

void gw_l1_schedule_end(l1_session *s, gw_verdict_sink *sink)
{
    for (unsigned ru = 0; ru < L1_UNITS; ru++) {
        l1_readout *r = &s->units[ru];
        gw_judge judge = {sink, s->dialect, r->frame, r->frame};
        if (r->frame != 0)
            tell_missing(&judge, (uint8_t)ru, zeros(r->seen, WINDOW));
        r->frame = 0;
    }
}

/* ---- fragments beside each other ---- */

static void judge_pair(const gw_judge *judge, const l1_shot *a, const l1_shot *b,
                       const gw_l1_profile *p)
{
    if (a->step == b->step && a->dest == b->dest)
        gw_l1_report(judge, L1_X01, GW_L1_F_DEST, 0,
                     "readout unit %d sends to node %x in time step %d as well (frame %d)",
                     GW_NUMBERS(b->ru, b->dest, b->step, b->frame));
    else if (a->step == b->step && row_of(p, a->ru) == row_of(p, b->ru) &&
             column_of(p, a->dest) == column_of(p, b->dest))
        gw_l1_report(judge, L1_X02, GW_L1_F_DEST, 0,
                     "readout unit %d of this row sends into column %d in time step %d as well "
                     "(frame %d)",
                     GW_NUMBERS(b->ru, column_of(p, b->dest), b->step, b->frame));
}

/* The fragments of one event go to one buffer, each unit's a time step after the one before. */
static void judge_siblings(const gw_judge *judge, const l1_shot *a, const l1_shot *b)
{
    if (a->dest != b->dest || a->buffer != b->buffer)
        gw_l1_report(judge, L1_X06, GW_L1_F_DEST, 0,
                     "event %x is split: frame %d sent it to node %x, buffer %d",
                     GW_NUMBERS(b->event, b->frame, b->dest, b->buffer));
    if (a->step - a->ru != b->step - b->ru)
        gw_l1_report(judge, L1_X07, GW_L1_F_STEP, 0, "time step %d; %d is due after frame %d",
                     GW_NUMBERS(a->step, (uint32_t)(b->step - b->ru + a->ru), b->frame));
}

static void judge_shot(const l1_session *s, const gw_judge *judge, const l1_shot *a,
                       const gw_l1_profile *p)
{
    bool conflict = false, sibling = false;

    for (uint32_t i = 1; i <= L1_SHOTS; i++) {
        const l1_shot *b = &s->shots[(s->next_shot - i) % L1_SHOTS];
        if (b->frame == 0 || b->ru == a->ru)
            continue;
        if (!conflict && b->step == a->step) {
            judge_pair(judge, a, b, p);
            conflict = a->dest == b->dest;
        }
        if (!sibling && b->event == a->event) {
            judge_siblings(judge, a, b);
            sibling = true;
        }
    }
}

/* ---- ringlets ---- */

/* Bytes that a ringlet may carry in MEAN_OVER time steps (T 6.2; MiB/s, C11). */
static uint64_t allowed(const gw_l1_profile *p)
{
    return (uint64_t)p->ringlet_rate * 1048576 * p->step_ns * MEAN_OVER / 1000000000;
}

static void judge_ringlet(l1_session *s, const gw_judge *judge, const l1_shot *a, bool column,
                          const gw_l1_profile *p)
{
    uint32_t which = column ? column_of(p, a->dest) : row_of(p, a->ru);
    uint32_t *told = &s->told[column][which % L1_RINGLETS];
    uint64_t bytes = a->len;

    for (uint32_t i = 0; i < L1_SHOTS; i++) {
        const l1_shot *b = &s->shots[i];
        uint32_t at = column ? column_of(p, b->dest) : row_of(p, b->ru);
        if (b->frame != 0 && at == which && a->step - b->step < MEAN_OVER)
            bytes += b->len;
    }
    if (bytes <= allowed(p) || (*told != 0 && a->step + 1 - *told < MEAN_OVER))
        return;
    *told = a->step + 1;
    gw_l1_report(judge, L1_X04, GW_L1_F_LENGTH, 0,
                 column ? "column %d carries %d bytes in 16 time steps; %d are allowed"
                        : "row %d carries %d bytes in 16 time steps; %d are allowed",
                 GW_NUMBERS(which, bytes, allowed(p)));
}

/* ---- buffers ---- */

static void judge_reuse(l1_session *s, const gw_judge *judge, const gw_l1_shim *shim,
                        const gw_l1_profile *p)
{
    l1_place *b = gw_l1_find_place(s, L1_BUFFER, shim->dest, shim->buffer, 0);
    uint16_t apart = (uint16_t)(shim->event - b->event);
    unsigned lap = (unsigned)p->nodes * p->buffers;

    if (b->frame != 0 && apart > INT16_MAX)
        return; /* a fragment that was overtaken */
    if (b->frame != 0 && apart != 0) {
        if (p->final && !b->released)
            gw_l1_report(judge, L1_X03, GW_L1_F_BUFFER, 0,
                         "buffer %d of node %x holds event %x of frame %d, not released",
                         GW_NUMBERS(shim->buffer, shim->dest, b->event, b->frame));
        else if (!p->final && apart < lap)
            gw_l1_report(judge, L1_X03, GW_L1_F_BUFFER, 0,
                         "buffer %d of node %x was used %d event%s ago",
                         GW_NUMBERS(shim->buffer, shim->dest, apart));
    }
    if (b->frame == 0 || apart != 0)
        b->released = false;
    b->event = shim->event;
    b->frame = judge->frame;
}

void gw_l1_take_release(l1_session *s, const gw_l1_shim *shim)
{
    gw_l1_find_place(s, L1_BUFFER, shim->dest, shim->buffer, 0)->released = true;
    for (size_t i = 0; i < L1_PLACES; i++) {
        if (s->places[i].topic == L1_TAGGED && s->places[i].id == shim->dest)
            s->places[i].released = true;
    }
}

void gw_l1_take_subevent(l1_session *s, const gw_judge *judge, const gw_l1_unit *u,
                         const gw_l1_profile *p)
{
    const gw_l1_shim *shim = &u->shim;
    l1_shot shot = {.frame = judge->frame,
                    .step = shim->step,
                    .dest = shim->dest,
                    .event = shim->event,
                    .len = shim->length,
                    .ru = shim->ru,
                    .buffer = shim->buffer};

    judge_once(&s->units[shim->ru], judge, shim);
    judge_shot(s, judge, &shot, p);
    judge_ringlet(s, judge, &shot, false, p);
    judge_ringlet(s, judge, &shot, true, p);
    judge_reuse(s, judge, shim, p);
    s->shots[s->next_shot % L1_SHOTS] = shot;
    s->next_shot++;
}

/* Its events are numbered from 0 again, so the buffers' numbers say nothing about them. */
void gw_l1_forget_readout(l1_session *s, uint8_t ru)
{
    s->units[ru] = (l1_readout){0};
    s->lines[ru].least = 0; /* it may drop what it holds, or go on with it */
    for (size_t i = 0; i < L1_SHOTS; i++) {
        if (s->shots[i].ru == ru)
            s->shots[i].frame = 0;
    }
    for (size_t i = 0; i < L1_PLACES; i++) {
        if (s->places[i].topic == L1_BUFFER)
            s->places[i] = (l1_place){0};
    }
}
