/* SPDX-License-Identifier: BSD-2-Clause */
/* The schedule: which readout unit sends which fragment where, and in which time step. What counts
 * is the time step that a fragment carries, not when it arrived: nothing here relies on order. */
#include "l1farm/session.h"

#include <limits.h>
#include <string.h>

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

/* Whether the capture shows that |event| was one: another unit's fragment of it. */
static bool was_sent(const l1_session *s, uint16_t event, uint32_t step)
{
    const l1_event *e = &s->events[event % L1_EVENTS];

    return e->sent && e->event == event && step - e->step + L1_EVENTS <= 2 * (uint32_t)L1_EVENTS;
}

static bool is_alone(const l1_session *s, const l1_readout *r)
{
    for (unsigned ru = 0; ru < L1_UNITS; ru++) {
        if (&s->units[ru] != r && s->units[ru].frame != 0)
            return false;
    }
    return true;
}

/* Of |num| events from |first| on, of which |seen| has those that the unit sent (bit k: num - 1 - k
 * after the first), how many are missing. Between two fragments for one node there are those for
 * the others, which the capture may not see: what another unit sent is missing, and what is not
 * there of a unit that is captured alone and sends everywhere. Through a tunnel what is missing may
 * come yet, or got lost on the way. */
static unsigned count_missing(const l1_session *s, const l1_readout *r, uint64_t seen, unsigned num,
                              uint16_t first)
{
    bool all = r->everywhere && is_alone(s, r);
    unsigned n = 0;

    if (r->udp)
        return 0;
    for (unsigned i = 0; i < num; i++) {
        unsigned bit = num - 1 - i;
        if (bit >= WINDOW || (seen >> bit & 1) == 0)
            n += all || was_sent(s, (uint16_t)(first + i), r->step);
    }
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
static void judge_once(l1_session *s, const gw_judge *judge, const gw_l1_shim *shim, bool udp)
{
    l1_readout *r = &s->units[shim->ru];
    unsigned ahead = (uint16_t)(shim->event - r->newest);
    unsigned behind = ahead == 0 ? 0 : UINT16_MAX + 1 - ahead; /* their numbers go round */

    if (r->frame == 0 || (ahead >= RESTART && behind >= WINDOW)) {
        *r = (l1_readout){.seen = UINT64_MAX,
                          .newest = shim->event,
                          .udp = udp,
                          .frame = judge->frame,
                          .step = shim->step,
                          .dest = shim->dest};
        (void)sent_before(r, shim, false);
        return;
    }
    if (behind < WINDOW) {
        bool again = sent_before(r, shim, (r->seen >> behind & 1) != 0);
        if (again && behind <= r->age && (s->lossless || !s->lists[shim->ru].vague))
            gw_l1_report(judge, L1_X06, GW_L1_F_EVENT, 0,
                         "readout unit %d has sent its fragment of event %x before",
                         GW_NUMBERS(shim->ru, shim->event));
        r->seen |= UINT64_C(1) << behind;
        return;
    }
    (void)sent_before(r, shim, false);
    unsigned gone = ahead < WINDOW ? ahead : WINDOW; /* of the window */
    uint16_t oldest = (uint16_t)(r->newest - (WINDOW - 1));
    r->everywhere = r->everywhere || shim->dest != r->dest;
    unsigned missing = count_missing(s, r, r->seen >> (WINDOW - gone), gone, oldest) +
                       count_missing(s, r, 0, ahead - gone, (uint16_t)(r->newest + 1));
    tell_missing(judge, shim->ru, missing);
    r->seen = (ahead < WINDOW ? r->seen << ahead : 0) | 1;
    r->newest = shim->event;
    r->age = r->age + ahead < WINDOW ? (uint16_t)(r->age + ahead) : WINDOW;
    r->frame = judge->frame;
    r->step = shim->step;
    r->dest = shim->dest;
}

void gw_l1_schedule_end(l1_session *s, gw_verdict_sink *sink)
{
    for (unsigned ru = 0; ru < L1_UNITS; ru++) {
        l1_readout *r = &s->units[ru];
        gw_judge judge = {sink, s->dialect, r->frame, r->frame};
        if (r->frame != 0)
            tell_missing(
                &judge, (uint8_t)ru,
                count_missing(s, r, r->seen, WINDOW, (uint16_t)(r->newest - (WINDOW - 1))));
    }
    for (unsigned ru = 0; ru < L1_UNITS; ru++)
        s->units[ru].frame = 0;
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

static void place_shot(l1_shot *shot, const gw_l1_profile *p)
{
    shot->row = (uint8_t)row_of(p, shot->ru);
    shot->column = (uint16_t)column_of(p, shot->dest);
}

/* Sees to it that rows and columns are those of |p|; a capture may show two farms. */
static void lay_out(l1_session *s, const gw_l1_profile *p)
{
    if (s->laid_out == p)
        return;
    s->laid_out = p;
    for (size_t i = 0; i < L1_SHOTS; i++)
        place_shot(&s->shots[i], p);
}

static void judge_ringlet(l1_session *s, const gw_judge *judge, const l1_shot *a, bool column,
                          uint64_t bytes, const gw_l1_profile *p)
{
    uint32_t which = column ? a->column : a->row;
    uint32_t *told = &s->told[column][which % L1_RINGLETS];

    if (bytes <= allowed(p) || (*told != 0 && a->step + 1 - *told < MEAN_OVER))
        return;
    *told = a->step + 1;
    gw_l1_report(judge, L1_X04, GW_L1_F_LENGTH, 0,
                 column ? "column %d carries %d bytes in 16 time steps; %d are allowed"
                        : "row %d carries %d bytes in 16 time steps; %d are allowed",
                 GW_NUMBERS(which, bytes, allowed(p)));
}

static void judge_ringlets(l1_session *s, const gw_judge *judge, const l1_shot *a,
                           const gw_l1_profile *p)
{
    uint64_t in_row = a->len, in_column = a->len;

    for (uint32_t i = 0; i < L1_SHOTS; i++) {
        const l1_shot *b = &s->shots[i];
        if (b->frame == 0 || a->step - b->step >= MEAN_OVER)
            continue;
        in_row += b->row == a->row ? b->len : 0;
        in_column += b->column == a->column ? b->len : 0;
    }
    if (s->lists[a->ru].vague)
        return; /* it may have been told more than once, or late */
    judge_ringlet(s, judge, a, false, in_row, p);
    judge_ringlet(s, judge, a, true, in_column, p);
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
        if (p->final && s->releases && !b->released && !s->lists[shim->ru].named)
            gw_l1_report(judge, L1_X03, GW_L1_F_BUFFER, 0,
                         "buffer %d of node %x holds event %x of frame %d, not released",
                         GW_NUMBERS(shim->buffer, shim->dest, b->event, b->frame));
        else if (!p->final && apart < lap && !gw_l1_was_ordered(s, shim->ru, apart))
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
    s->releases = true;
    gw_l1_find_place(s, L1_BUFFER, shim->dest, shim->buffer, 0)->released = true;
    for (size_t i = 0; s->tags && i < L1_PLACES; i++) {
        if (s->places[i].topic == L1_TAGGED && s->places[i].id == shim->dest)
            s->places[i].released = true;
    }
}

void gw_l1_take_subevent(l1_session *s, const gw_judge *judge, const gw_l1_unit *u, bool udp,
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

    judge_once(s, judge, shim, udp);
    judge_shot(s, judge, &shot, p);
    lay_out(s, p);
    place_shot(&shot, p);
    judge_ringlets(s, judge, &shot, p);
    judge_reuse(s, judge, shim, p);
    s->events[shim->event % L1_EVENTS].sent = true;
    s->shots[s->next_shot % L1_SHOTS] = shot;
    s->next_shot++;
}

/* Numbers begin anew: those of the buffers, and which events there were, say nothing of them. */
static void forget_events(l1_session *s)
{
    for (size_t i = 0; i < L1_PLACES; i++) {
        if (s->places[i].topic == L1_BUFFER)
            s->places[i] = (l1_place){0};
    }
    for (size_t i = 0; i < L1_EVENTS; i++)
        s->events[i].sent = false;
}

void gw_l1_forget_schedule(l1_session *s)
{
    memset(s->units, 0, sizeof s->units);
    memset(s->shots, 0, sizeof s->shots);
    for (unsigned ru = 0; ru < L1_UNITS; ru++) {
        s->lists[ru] = (l1_list){.vague = s->lists[ru].vague}; /* what it was told may come yet */
        s->lines[ru].least = 0;
    }
    forget_events(s);
}

void gw_l1_forget_readout(l1_session *s, uint8_t ru)
{
    s->units[ru] = (l1_readout){0};
    s->lines[ru].least = 0; /* it may drop what it holds, or go on with it */
    for (size_t i = 0; i < L1_SHOTS; i++) {
        if (s->shots[i].ru == ru)
            s->shots[i].frame = 0;
    }
    forget_events(s);
}
