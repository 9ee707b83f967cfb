/* SPDX-License-Identifier: BSD-2-Clause */
/* From the clock edges that a simulator tells to the few that show what happened: the byte that
 * matters, beginning and end of its frame, and what went the other way before. */
#include <stdlib.h>
#include <string.h>

#include "link.h"

#define WANTED 128
#define NUMBERS (UINT32_C(1) << 30) /* of edges */
#define FOCUS_BEFORE 7
#define FOCUS_BEHIND 4
#define BREACH_BEFORE 10
#define BREACH_BEHIND 6
#define FRAME_BEATS 3 /* of its beginning and its end, and of the frame before */
#define BREAK_LEAST 3 /* edges that are worth leaving out */

/* One edge as the simulator told it. */
typedef struct told {
    uint64_t time_ps;
    uint32_t number;
    uint32_t wires;
    uint32_t len;
    const uint8_t *data; /* and behind it two masks of 64 bits */
} told;

typedef struct lane {
    told *edges;
    size_t num;
} lane;

/* What passes at a port. */
typedef struct traffic {
    gw_sim_interface interface;
    bool frames;   /* or words, those to the core in lane 0 and those from it in lane 1 */
    bool accesses; /* to registers: requests in lane 0, answers in lane 1 */
    bool has_last;
    bool bare; /* a frame holds the bytes of the message and no others */
} traffic;

typedef struct story {
    told *all;
    lane lanes[GW_SIM_VIEW_LANES];
    uint64_t cycle_ps;
    traffic is;
    uint32_t wanted[WANTED];
    size_t num_wanted;
} story;

/* What passes at a port of |kind|. */
static traffic traffic_of(unsigned kind)
{
    switch (kind) {
    case GW_SIM_UDP:
        return (traffic){
            .interface = GW_SIM_INTERFACE_AXIS, .frames = true, .has_last = true, .bare = true};
    case GW_SIM_OP2P:
        return (traffic){.interface = GW_SIM_INTERFACE_OP2P, .frames = true, .has_last = true};
    case GW_SIM_APELINK:
        return (traffic){.interface = GW_SIM_INTERFACE_APELINK, .frames = true};
    case GW_SIM_WATCH:
        return (traffic){.interface = GW_SIM_INTERFACE_BUS};
    case GW_SIM_BUS:
        return (traffic){.interface = GW_SIM_INTERFACE_WISHBONE, .accesses = true};
    case GW_SIM_AXIL:
        return (traffic){.interface = GW_SIM_INTERFACE_AXIL, .accesses = true};
    default:
        return (traffic){.interface = GW_SIM_INTERFACE_AXIS, .frames = true, .has_last = true};
    }
}

static unsigned wire(uint32_t wires, unsigned nth)
{
    return wires >> 2 * nth & 3;
}

static bool is_taken(const told *edge)
{
    return wire(edge->wires, 0) == 1 && wire(edge->wires, 1) == 1;
}

static bool is_last(const story *s, const told *edge)
{
    return s->is.has_last && wire(edge->wires, 2) == 1;
}

/* ---- reading ---- */

/* Edges of a lane come one behind the other, and so do their times. */
static bool is_behind(const lane *l, const told *edge)
{
    const told *before = l->num > 0 ? &l->edges[l->num - 1] : NULL;
    return before == NULL || (edge->number > before->number && edge->time_ps > before->time_ps);
}

/* Lane 0 is told whole before lane 1, so both lie in one array. */
static bool read_edges(story *s, const uint8_t *p, size_t len, size_t num)
{
    unsigned now = 0;
    if (num > len / GW_WIRE_EDGE || num > (size_t)GW_WIRE_LANES * GW_WIRE_EDGES_MAX)
        return false;
    s->all = calloc(num + 1, sizeof(*s->all));
    if (s->all == NULL)
        return false;
    s->lanes[0].edges = s->lanes[1].edges = s->all;
    for (size_t i = 0; i < num; i++) {
        told *edge = &s->all[i];
        if (len < GW_WIRE_EDGE || p[16] >= GW_WIRE_LANES || p[16] < now ||
            p[17] > GW_SIM_VIEW_BYTES || len < GW_WIRE_EDGE + (size_t)p[17])
            return false;
        if (p[16] != now)
            s->lanes[1].edges = edge;
        now = p[16];
        *edge =
            (told){gw_wire_get64(p), gw_wire_get32(p + 8), gw_wire_get32(p + 12), p[17], p + 20};
        if (edge->number >= NUMBERS || !is_behind(&s->lanes[now], edge))
            return false;
        s->lanes[now].num++;
        len -= GW_WIRE_EDGE + edge->len;
        p += GW_WIRE_EDGE + edge->len;
    }
    return num > 0;
}

/* The clock's period: the least that lies between two edges. */
static void find_cycle(story *s)
{
    for (unsigned k = 0; k < GW_SIM_VIEW_LANES; k++)
        for (size_t i = 1; i < s->lanes[k].num; i++) {
            const told *one = &s->lanes[k].edges[i];
            uint64_t cycle_ps = (one->time_ps - one[-1].time_ps) / (one->number - one[-1].number);
            if (cycle_ps > 0 && (s->cycle_ps == 0 || cycle_ps < s->cycle_ps))
                s->cycle_ps = cycle_ps;
        }
}

/* The edge of |l| that holds at edge |number|; NULL before the first. */
static const told *at_number(const lane *l, uint32_t number)
{
    const told *found = NULL;
    for (size_t i = 0; i < l->num && l->edges[i].number <= number; i++)
        found = &l->edges[i];
    return found;
}

/* The last edge of any lane that is told up to |time_ps|; NULL: none is. */
static const told *before_time(const story *s, uint64_t time_ps)
{
    const told *found = NULL;
    for (unsigned k = 0; k < GW_SIM_VIEW_LANES; k++)
        for (size_t i = 0; i < s->lanes[k].num; i++) {
            const told *one = &s->lanes[k].edges[i];
            if (one->time_ps <= time_ps && (found == NULL || one->time_ps > found->time_ps))
                found = one;
        }
    return found;
}

/* When edge |number| was. */
static uint64_t time_of(const story *s, uint32_t number)
{
    const told *best = NULL;
    for (unsigned k = 0; k < GW_SIM_VIEW_LANES; k++) {
        const told *one = at_number(&s->lanes[k], number);
        if (one != NULL && (best == NULL || one->number > best->number))
            best = one;
    }
    if (best == NULL) {
        const told *first = &s->all[0];
        uint64_t earlier_ps = (uint64_t)(first->number - number) * s->cycle_ps;
        return first->time_ps > earlier_ps ? first->time_ps - earlier_ps : 0;
    }
    return best->time_ps + (uint64_t)(number - best->number) * s->cycle_ps;
}

/* ---- choosing ---- */

static void want(story *s, uint32_t around, uint32_t before, uint32_t behind)
{
    uint32_t from = around > before ? around - before : 0;
    for (uint32_t i = from; i <= around + behind && s->num_wanted < WANTED; i++)
        s->wanted[s->num_wanted++] = i;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The first beat of the frame of which |end| is a beat. */
static size_t frame_start(const story *s, const lane *l, size_t end)
{
    size_t start = end;
    for (size_t i = end; i > 0 && !(is_taken(&l->edges[i - 1]) && is_last(s, &l->edges[i - 1]));
         i--)
        if (is_taken(&l->edges[i - 1]))
            start = i - 1;
    return start;
}

static size_t frame_end(const story *s, const lane *l, size_t start)
{
    size_t end = start;
    for (size_t i = start; i < l->num; i++) {
        if (!is_taken(&l->edges[i]))
            continue;
        end = i;
        if (is_last(s, &l->edges[i]))
            break;
    }
    return end;
}

/* The beat from |start| to |end| in which byte |num_byte| of the frame, from 1, passes. */
static size_t beat_of(const lane *l, size_t start, size_t end, uint32_t num_byte)
{
    uint64_t passed = 0;
    for (size_t i = start; i <= end; i++) {
        if (is_taken(&l->edges[i]))
            passed += l->edges[i].len;
        if (passed >= num_byte)
            return i;
    }
    return end;
}

/* The beat that ends the frame which went the other way before |number|. */
static const told *answered(const story *s, const lane *other, uint32_t number)
{
    const told *found = NULL;
    for (size_t i = 0; i < other->num && other->edges[i].number < number; i++)
        if (is_taken(&other->edges[i]) && (is_last(s, &other->edges[i]) || !s->is.has_last))
            found = &other->edges[i];
    return found;
}

/* The first edge of the request that is answered at |number|. */
static const told *asked(const lane *l, uint32_t number)
{
    const told *found = NULL;
    for (size_t i = 0; i < l->num && l->edges[i].number <= number; i++)
        if (wire(l->edges[i].wires, 0) == 1 && (i == 0 || wire(l->edges[i - 1].wires, 0) != 1))
            found = &l->edges[i];
    return found;
}

/* The beat that |moment| names; false when there is none. */
static bool find_beat(const story *s, const gw_sim_moment *moment, uint64_t at_ns, size_t *beat)
{
    const lane *l = &s->lanes[moment->from_core ? 1 : 0];
    for (size_t i = 0; l->edges != NULL && i < l->num; i++) {
        uint64_t time_ns = l->edges[i].time_ps / (uint64_t)GW_SIM_PS_A_NS;
        if (!is_taken(&l->edges[i]) || time_ns < at_ns || (moment->from_core && time_ns > at_ns))
            continue;
        *beat = i;
        return true;
    }
    return false;
}

/* Chooses what shows a frame; the number of the edge that matters goes to |focus|. */
static bool choose_frame(story *s, const gw_sim_moment *moment, uint64_t at_ns, uint32_t *focus)
{
    const lane *l = &s->lanes[moment->from_core ? 1 : 0];
    size_t beat;
    if (l->edges == NULL || !find_beat(s, moment, at_ns, &beat))
        return false;
    size_t start = moment->from_core ? frame_start(s, l, beat) : beat;
    size_t end = frame_end(s, l, start);
    if (moment->num_byte > 0 && s->is.bare)
        beat = beat_of(l, start, end, moment->num_byte);
    *focus = l->edges[beat].number;
    want(s, *focus, FOCUS_BEFORE, FOCUS_BEHIND);
    if (s->is.has_last) {
        want(s, l->edges[start].number, 2, FRAME_BEATS);
        want(s, l->edges[end].number, FRAME_BEATS, 2);
    }
    const told *before = answered(s, &s->lanes[moment->from_core ? 0 : 1], l->edges[start].number);
    if (before != NULL && moment->from_core)
        want(s, before->number, FRAME_BEATS, 2);
    return true;
}

/* Chooses what shows an access that ended at |at_ns|, or that nobody ended. */
static void choose_access(story *s, const gw_sim_moment *moment, uint64_t at_ns, uint32_t *focus)
{
    size_t beat;
    if (find_beat(s, moment, at_ns, &beat)) {
        *focus = s->lanes[moment->from_core ? 1 : 0].edges[beat].number;
        want(s, *focus, FOCUS_BEFORE, FOCUS_BEHIND);
    }
    const told *request = asked(&s->lanes[0], *focus);
    if (request != NULL)
        want(s, request->number, 2, FRAME_BEATS);
}

static bool choose_moment(story *s, uint64_t at_ps, uint32_t *focus)
{
    const told *before = before_time(s, at_ps);
    if (before == NULL)
        return false;
    uint64_t later = s->cycle_ps > 0 ? (at_ps - before->time_ps) / s->cycle_ps : 0;
    if (later >= NUMBERS - before->number)
        return false;
    *focus = before->number + (uint32_t)later;
    want(s, *focus, BREACH_BEFORE, BREACH_BEHIND);
    return true;
}

/* ---- showing ---- */

static void show(const told *edge, gw_sim_signals *out)
{
    if (edge == NULL)
        return;
    out->known = true;
    out->wires = edge->wires;
    out->len = edge->len;
    memcpy(out->data, edge->data, edge->len);
    out->keep = gw_wire_get64(edge->data + edge->len);
    out->unknown = gw_wire_get64(edge->data + edge->len + 8);
}

static void add_column(const story *s, gw_sim_view *view, uint32_t number, uint32_t skipped,
                       int64_t base_ps)
{
    gw_sim_column *column = &view->columns[view->num++];
    uint64_t time_ps = time_of(s, number);
    column->time_ps = base_ps + (int64_t)(time_ps < INT64_MAX / 2 ? time_ps : INT64_MAX / 2);
    column->skipped = skipped;
    for (unsigned k = 0; k < GW_SIM_VIEW_LANES; k++)
        show(at_number(&s->lanes[k], number), &column->lanes[k]);
}

/* The chosen edges in their order. When there are too many, those nearest to |focus| stay. */
static void fill(story *s, gw_sim_view *view, uint32_t focus, int64_t base_ps)
{
    size_t num = 0;
    qsort(s->wanted, s->num_wanted, sizeof(s->wanted[0]), by_number);
    uint32_t shown[2 * WANTED * BREAK_LEAST];
    for (size_t i = 0; i < s->num_wanted; i++) {
        uint32_t next = s->wanted[i];
        while (num > 0 && shown[num - 1] < next && next - shown[num - 1] <= BREAK_LEAST) {
            shown[num] = shown[num - 1] + 1;
            num++;
        }
        if (num == 0 || shown[num - 1] < next)
            shown[num++] = next;
    }
    size_t first = 0;
    while (num - first > GW_SIM_VIEW_COLUMNS) {
        if (focus - shown[first] >= shown[num - 1] - focus)
            first++;
        else
            num--;
    }
    for (size_t i = first; i < num; i++) {
        if (shown[i] == focus)
            view->focus = view->num;
        add_column(s, view, shown[i], i > first ? shown[i] - shown[i - 1] - 1 : 0, base_ps);
    }
}

gw_sim_view *gw_sim_view_of(const uint8_t *body, size_t len, unsigned port, unsigned kind,
                            int64_t base_ps, const gw_sim_moment *moment)
{
    story s = {.is = traffic_of(kind)};
    uint32_t focus = 0;
    gw_sim_view *view = NULL;
    bool chosen = false;
    if (!read_edges(&s, body + GW_WIRE_EDGES_HEAD, len - GW_WIRE_EDGES_HEAD,
                    gw_wire_get32(body + 20))) {
        free(s.all);
        return NULL;
    }
    find_cycle(&s);
    uint64_t theirs_ns = moment != NULL && moment->at_ns * GW_SIM_PS_A_NS > base_ps
                             ? (uint64_t)(moment->at_ns - base_ps / GW_SIM_PS_A_NS)
                             : 0;
    if (moment == NULL)
        chosen = choose_moment(&s, gw_wire_get64(body + 8), &focus);
    else
        chosen = (s.is.frames && choose_frame(&s, moment, theirs_ns, &focus)) ||
                 choose_moment(&s, (theirs_ns + 1) * (uint64_t)GW_SIM_PS_A_NS - 1, &focus);
    if (moment != NULL && chosen && s.is.accesses)
        choose_access(&s, moment, theirs_ns, &focus);
    if (chosen)
        view = calloc(1, sizeof(*view));
    if (view != NULL) {
        view->port = port;
        view->interface = s.is.interface;
        fill(&s, view, focus, base_ps);
    }
    free(s.all);
    return view;
}
