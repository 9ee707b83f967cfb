/* SPDX-License-Identifier: BSD-2-Clause */
/* The same frames in two captures. */
#include <stdlib.h>
#include <string.h>

#include "merge.h"

#define BEGINNING 65536 /* frames that are looked at to compare clocks */
#define MARKS ((size_t)4 * BEGINNING)
#define SEEN 65536                      /* frames that may be under way between taps ... */
#define UNDER_WAY_NS INT64_C(100000000) /* ... and for how long: later, it was sent again */

uint64_t gw_frame_mark(const gw_frame *frame)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ frame->len;
    size_t i = 0;

    for (; i + 8 <= frame->cap_len; i += 8) {
        uint64_t word;
        memcpy(&word, frame->data + i, 8);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    for (; i < frame->cap_len; i++)
        hash = (hash ^ frame->data[i]) * UINT64_C(1099511628211);
    hash ^= hash >> 29;
    return hash != 0 ? hash : 1;
}

/* ---- clocks ---- */

/* A frame of either beginning. */
typedef struct mark {
    uint64_t mark; /* 0: none */
    uint32_t times[2];
    int64_t at[2]; /* the last time */
} mark;

static mark *find(mark *marks, uint64_t wanted)
{
    size_t place = wanted % MARKS;

    while (marks[place].mark != 0 && marks[place].mark != wanted)
        place = (place + 1) % MARKS;
    marks[place].mark = wanted;
    return &marks[place];
}

static void look(mark *marks, gw_capture *capture, unsigned tap)
{
    gw_frame frame;

    for (unsigned n = 0; n < BEGINNING && gw_capture_next(capture, &frame) == GW_CAPTURE_FRAME;
         n++) {
        mark *m = find(marks, gw_frame_mark(&frame));
        m->times[tap]++;
        m->at[tap] = frame.time_ns;
    }
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

bool gw_taps_shift(gw_capture *first, gw_capture *other, gw_capture_shift *out)
{
    mark *marks = calloc(MARKS, sizeof(*marks));
    int64_t *shifts = calloc(BEGINNING, sizeof(*shifts));
    const bool room = marks != NULL && shifts != NULL;
    size_t num = 0;

    *out = (gw_capture_shift){0};
    if (room) {
        look(marks, first, 0);
        look(marks, other, 1);
    }
    /* What came more than once in either cannot be told from itself. */
    for (size_t i = 0; room && i < MARKS; i++) {
        if (marks[i].times[0] == 1 && marks[i].times[1] == 1)
            shifts[num++] = gw_span_ns(marks[i].at[1], marks[i].at[0]);
    }
    if (num > 0) {
        qsort(shifts, num, sizeof(*shifts), by_value);
        out->frames = num;
        out->shift_ns = shifts[num / 2];
        out->spread_ns = gw_span_ns(shifts[num / 4], shifts[num * 3 / 4]);
    }
    free(shifts);
    free(marks);
    return room;
}

/* ---- the same frame again ---- */

struct gw_taps_seen {
    size_t next; /* of |ring|, to be written */
    struct {
        uint64_t mark; /* 0: none */
        int64_t time_ns;
        uint32_t taps;  /* bits of those that have shown it */
        uint32_t chain; /* the next of the same place: index plus one */
    } ring[SEEN];
    uint32_t places[SEEN]; /* by mark: index plus one */
};

gw_taps_seen *gw_taps_seen_new(void)
{
    return calloc(1, sizeof(gw_taps_seen));
}

void gw_taps_seen_free(gw_taps_seen *s)
{
    free(s);
}

static uint32_t *place_of(gw_taps_seen *s, uint64_t wanted)
{
    return &s->places[wanted % SEEN];
}

/* Takes the oldest frame out of its chain. */
static void forget(gw_taps_seen *s)
{
    uint32_t *link = place_of(s, s->ring[s->next].mark);

    while (*link != s->next + 1)
        link = &s->ring[*link - 1].chain;
    *link = s->ring[s->next].chain;
}

static void remember(gw_taps_seen *s, uint64_t wanted, int64_t time_ns, unsigned tap)
{
    if (s->ring[s->next].mark != 0)
        forget(s);
    uint32_t *link = place_of(s, wanted);
    s->ring[s->next].mark = wanted;
    s->ring[s->next].time_ns = time_ns;
    s->ring[s->next].taps = 1u << tap;
    s->ring[s->next].chain = *link;
    *link = (uint32_t)s->next + 1;
    s->next = (s->next + 1) % SEEN;
}

bool gw_taps_seen_again(gw_taps_seen *s, const gw_frame *frame, unsigned tap)
{
    const uint64_t wanted = gw_frame_mark(frame);

    for (uint32_t at = *place_of(s, wanted); at != 0; at = s->ring[at - 1].chain) {
        if (s->ring[at - 1].mark != wanted || (s->ring[at - 1].taps & 1u << tap) != 0 ||
            gw_span_ns(s->ring[at - 1].time_ns, frame->time_ns) > UNDER_WAY_NS)
            continue;
        s->ring[at - 1].taps |= 1u << tap;
        return true;
    }
    remember(s, wanted, frame->time_ns, tap);
    return false;
}
