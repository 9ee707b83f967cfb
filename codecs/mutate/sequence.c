/* SPDX-License-Identifier: BSD-2-Clause */
/* Edits of sequences. */
#include "goldwire/sequence.h"

#include <string.h>

enum { TRIES = 8, INTERLEAVED_MAX = 64 };

static bool insert(gw_sequence *s, size_t at, gw_sequence_event event)
{
    if (s->num >= s->cap || at > s->num)
        return false;
    memmove(&s->events[at + 1], &s->events[at], (s->num - at) * sizeof s->events[0]);
    s->events[at] = event;
    s->num++;
    return true;
}

static size_t any(const gw_sequence *s, gw_random *random)
{
    return gw_random_below(random, (uint32_t)s->num);
}

static bool drop(gw_sequence *s, const gw_sequence *other, gw_random *random)
{
    size_t at = any(s, random);

    (void)other;
    if (s->num < 2)
        return false;
    memmove(&s->events[at], &s->events[at + 1], (s->num - at - 1) * sizeof s->events[0]);
    s->num--;
    return true;
}

static bool repeat(gw_sequence *s, const gw_sequence *other, gw_random *random)
{
    size_t from = any(s, random), to = from + 1;
    uint32_t times = gw_random_one_in(random, 8) ? 1 + gw_random_below(random, 16) : 1;
    bool done = false;

    (void)other;
    if (gw_random_one_in(random, 2))
        to = from + 1 + gw_random_below(random, (uint32_t)(s->num - from));
    gw_sequence_event event = s->events[from];
    for (uint32_t i = 0; i < times && insert(s, to, event); i++)
        done = true;
    return done;
}

static bool swap(gw_sequence *s, const gw_sequence *other, gw_random *random)
{
    size_t a = any(s, random), b = gw_random_one_in(random, 2) ? a + 1 : any(s, random);

    (void)other;
    if (b >= s->num || a == b)
        return false;
    gw_sequence_event event = s->events[a];
    s->events[a] = s->events[b];
    s->events[b] = event;
    return true;
}

static bool delay(gw_sequence *s, const gw_sequence *other, gw_random *random)
{
    gw_sequence_event *event = &s->events[any(s, random)];
    int64_t before = event->delay_ns;

    (void)other;
    switch (gw_random_below(random, 4)) {
    case 0:
        event->delay_ns = 0;
        break;
    case 1:
        event->delay_ns = s->longest_ns;
        break;
    case 2:
        event->delay_ns = s->longest_ns / 2;
        break;
    default:
        event->delay_ns =
            s->longest_ns > 0 ? (int64_t)(gw_random_next(random) % (uint64_t)s->longest_ns) : 0;
        break;
    }
    return event->delay_ns != before;
}

/* One event, or all of a connection: what was said in one is said in another. */
static bool move(gw_sequence *s, const gw_sequence *other, gw_random *random)
{
    uint32_t from = s->events[any(s, random)].link;
    uint32_t to = gw_random_below(random, s->num_links);

    (void)other;
    if (from == to)
        return false;
    if (gw_random_one_in(random, 2)) {
        s->events[any(s, random)].link = to;
        return true;
    }
    for (size_t i = 0; i < s->num; i++) {
        if (s->events[i].link == from)
            s->events[i].link = to;
    }
    return true;
}

static bool interleave(gw_sequence *s, const gw_sequence *other, gw_random *random)
{
    gw_sequence_event own[INTERLEAVED_MAX];
    size_t num = s->num < INTERLEAVED_MAX ? s->num : INTERLEAVED_MAX, at = 0;
    uint32_t link = gw_random_below(random, s->num_links);
    bool done = false;

    if (other == NULL) { /* with itself, over another link */
        memcpy(own, s->events, num * sizeof own[0]);
        for (size_t i = 0; i < num; i++)
            own[i].link = link;
    } else {
        num = other->num < INTERLEAVED_MAX ? other->num : INTERLEAVED_MAX;
        memcpy(own, other->events, num * sizeof own[0]);
    }
    for (size_t i = 0; i < num; i++, at++) {
        while (at < s->num && gw_random_one_in(random, 2))
            at++;
        if (!insert(s, at, own[i]))
            break;
        done = true;
    }
    return done;
}

/* Where: as often as anywhere else behind the first byte, or before the last one. */
static uint32_t place_to_split(uint32_t len, gw_random *random)
{
    switch (gw_random_below(random, 4)) {
    case 0:
        return 1;
    case 1:
        return len - 1;
    default:
        return 1 + gw_random_below(random, len - 1);
    }
}

static bool split(gw_sequence *s, const gw_sequence *other, gw_random *random)
{
    size_t at = any(s, random);
    gw_sequence_event rest = s->events[at];

    (void)other;
    if (rest.len < 2)
        return false;
    uint32_t first = place_to_split(rest.len, random);
    rest.data += first;
    rest.len -= first;
    rest.delay_ns = 0;
    if (!insert(s, at + 1, rest))
        return false;
    s->events[at].len = first;
    return true;
}

static bool cut(gw_sequence *s, const gw_sequence *other, gw_random *random)
{
    size_t at = any(s, random);

    (void)other;
    if (s->events[at].len == 0)
        return false;
    s->events[at].len = gw_random_below(random, s->events[at].len);
    if (gw_random_one_in(random, 2))
        s->num = at + 1;
    return true;
}

static const struct {
    bool (*apply)(gw_sequence *s, const gw_sequence *other, gw_random *random);
    const char *name;
} edits[GW_NUM_SEQUENCE_EDITS] = {
    [GW_SEQUENCE_DROP] = {drop, "dropped"},
    [GW_SEQUENCE_REPEAT] = {repeat, "repeated"},
    [GW_SEQUENCE_SWAP] = {swap, "out of order"},
    [GW_SEQUENCE_DELAY] = {delay, "delayed"},
    [GW_SEQUENCE_MOVE] = {move, "moved to another link"},
    [GW_SEQUENCE_INTERLEAVE] = {interleave, "interleaved"},
    [GW_SEQUENCE_SPLIT] = {split, "split"},
    [GW_SEQUENCE_CUT] = {cut, "cut off"},
};

const char *gw_sequence_edit_name(gw_sequence_edit edit)
{
    return edit < GW_NUM_SEQUENCE_EDITS ? edits[edit].name : NULL;
}

gw_sequence_edit gw_sequence_mutate(gw_sequence *sequence, const gw_sequence *other,
                                    gw_random *random)
{
    for (unsigned tries = 0; tries < TRIES && sequence->num > 0; tries++) {
        uint32_t edit = gw_random_below(random, GW_NUM_SEQUENCE_EDITS);
        if (edits[edit].apply(sequence, other, random))
            return (gw_sequence_edit)edit;
    }
    return GW_NUM_SEQUENCE_EDITS;
}
