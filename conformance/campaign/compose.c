/* SPDX-License-Identifier: BSD-2-Clause */
/* A conversation is a window of a story. Over datagrams it begins anywhere; over a stream at its
 * beginning, as the rest means nothing without it. */
#include "campaign/compose.h"

#include <string.h>

#include "campaign/fence.h"
#include "goldwire/mutate.h"

#define WINDOW (GW_COMPOSE_MOST / 2) /* shots of a story at the most, each of them twice */
#define MUTATIONS 8                  /* tried until one may be sent */
#define OFFERS 3 /* of those that may, from which the one that is newest is taken */
#define GROUND_ONE_IN                                                                              \
    8 /* conversations in which nothing is changed: they bring a board somewhere */
#define DROP_ONE_IN 24
#define REPEAT_ONE_IN 24
#define SWAP_ONE_IN 24
#define MUTATE_ONE_IN 3

static bool may_go(const gw_composer *c, const gw_message *m)
{
    return c->board == NULL || gw_fence_lets(c->board, c->format, c->dialect, m);
}

/* A message of the same format to take pieces from. */
static const gw_shot *any_shot(gw_composer *c)
{
    const gw_shots *shots = &c->stock->shots;
    return &shots->list[gw_random_below(&c->random, (uint32_t)shots->num)];
}

/* A mutation that may be sent. */
typedef struct offer {
    uint8_t bytes[GW_SHOT_MAX];
    size_t len;
    uint32_t novelty;
} offer;

/* Makes |out| of |m|, and says whether it is another message, and may go. */
static bool make(gw_composer *c, offer *out, const gw_mutate_plan *plan, const gw_message *m)
{
    /* Room for what grows, but not for the longest message each time. */
    size_t cap = (size_t)m->len + 512;
    cap = cap < sizeof(out->bytes) ? cap : sizeof(out->bytes);
    out->len = gw_mutate(plan, &c->random, m, out->bytes, cap).len;
    if (out->len == 0 || (out->len == m->len && memcmp(out->bytes, m->data, m->len) == 0))
        return false;
    gw_message now = gw_mutated(m, out->bytes, out->len);
    if (!may_go(c, &now)) {
        c->fenced++;
        return false;
    }
    out->novelty = c->coverage != NULL ? gw_coverage_novelty(c->coverage, &now) : 0;
    return true;
}

/* What is new is looked for half of the time: what was often sent may still do something after
 * something else. */
static bool put_mutated(gw_composer *c, gw_shots *shots, const gw_shot *shot)
{
    offer offers[2];
    offer *best = NULL;
    offer *next = &offers[0];
    const gw_shots *from = &c->stock->shots;
    const uint8_t *was = gw_shots_data(from, shot);
    gw_message m = gw_shots_message(shot, was, shot->len);
    const gw_shot *donor = any_shot(c);
    gw_message other = gw_shots_message(donor, gw_shots_data(from, donor), donor->len);
    gw_mutate_plan plan = {.format = c->format, .dialect = c->dialect};
    unsigned wanted = gw_random_one_in(&c->random, 2) ? OFFERS : 1;
    if (donor->part == shot->part)
        plan.other = &other;
    for (unsigned i = 0; i < MUTATIONS && wanted > 0; i++) {
        if (!make(c, next, &plan, &m))
            continue;
        wanted--;
        if (best != NULL && next->novelty <= best->novelty)
            continue;
        best = next;
        next = best == &offers[0] ? &offers[1] : &offers[0];
    }
    if (best == NULL)
        return gw_shots_add(shots, shot, was, shot->len, NULL, 0);
    c->mutated++;
    return gw_shots_add(shots, shot, best->bytes, (uint32_t)best->len, was, shot->len);
}

static bool put(gw_composer *c, gw_shots *shots, const gw_shot *shot, bool anew, bool mutate)
{
    gw_shot like = *shot;
    like.anew = anew;
    if (mutate)
        return put_mutated(c, shots, &like);
    return gw_shots_add(shots, &like, gw_shots_data(&c->stock->shots, shot), shot->len, NULL, 0);
}

/* Of two, the one that was told less often. */
static const gw_story *choose_story(gw_composer *c)
{
    uint32_t one = gw_random_below(&c->random, (uint32_t)c->stock->num);
    uint32_t other = gw_random_below(&c->random, (uint32_t)c->stock->num);
    if (c->told != NULL) {
        one = c->told[other] < c->told[one] ? other : one;
        c->told[one]++;
    }
    return &c->stock->stories[one];
}

bool gw_compose(gw_composer *c, gw_shots *shots)
{
    gw_random *random = &c->random;
    const gw_stock *stock = c->stock;
    const gw_story *story = choose_story(c);
    const gw_shot *list = &stock->shots.list[story->first];
    bool stream = c->target->links[list[0].link].stream;
    size_t first = stream ? 0 : gw_random_below(random, (uint32_t)story->num);
    size_t num = 1 + gw_random_below(random, WINDOW);
    num = num < story->num - first ? num : story->num - first;
    bool ground = gw_random_one_in(random, GROUND_ONE_IN);
    size_t surely = gw_random_below(random, (uint32_t)num);
    bool anew = true;
    for (size_t i = 0; i < num; i++) {
        const gw_shot *shot = &list[first + i];
        bool mutate = !ground && (i == surely || gw_random_one_in(random, MUTATE_ONE_IN));
        if (!ground && !anew && gw_random_one_in(random, DROP_ONE_IN))
            continue;
        bool swaps = !ground && i + 1 < num && gw_random_one_in(random, SWAP_ONE_IN);
        bool repeats = !ground && gw_random_one_in(random, REPEAT_ONE_IN);
        if (swaps && !put(c, shots, &list[first + ++i], anew, false))
            return false;
        if (!put(c, shots, shot, anew && !swaps, mutate) ||
            (repeats && !put(c, shots, shot, false, mutate)))
            return false;
        anew = false;
    }
    return true;
}
