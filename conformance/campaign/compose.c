/* SPDX-License-Identifier: BSD-2-Clause */
/* A conversation is a window of a story. Over datagrams it begins anywhere; over a stream at its
 * beginning, as the rest means nothing without it. */
#include "campaign/compose.h"

#include <string.h>

#include "campaign/fence.h"
#include "goldwire/mutate.h"

#define WINDOW 12   /* shots of a story at the most */
#define MUTATIONS 8 /* tried until one may be sent */
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

static bool put_mutated(gw_composer *c, gw_shots *shots, const gw_shot *shot)
{
    uint8_t out[GW_SHOT_MAX];
    const gw_shots *from = &c->stock->shots;
    const uint8_t *was = gw_shots_data(from, shot);
    gw_message m = gw_shots_message(shot, was, shot->len);
    const gw_shot *donor = any_shot(c);
    gw_message other = gw_shots_message(donor, gw_shots_data(from, donor), donor->len);
    gw_mutate_plan plan = {.format = c->format, .dialect = c->dialect};
    if (donor->part == shot->part)
        plan.other = &other;
    /* Room for what grows, but not for the longest message each time. */
    size_t cap = (size_t)shot->len + 512;
    cap = cap < sizeof(out) ? cap : sizeof(out);
    for (unsigned i = 0; i < MUTATIONS; i++) {
        gw_mutation done = gw_mutate(&plan, &c->random, &m, out, cap);
        gw_message now = gw_mutated(&m, out, done.len);
        if (done.len == 0 || (done.len == shot->len && memcmp(out, was, done.len) == 0))
            continue;
        if (!may_go(c, &now)) {
            c->fenced++;
            continue;
        }
        c->mutated++;
        return gw_shots_add(shots, shot, out, (uint32_t)done.len, was, shot->len);
    }
    return gw_shots_add(shots, shot, was, shot->len, NULL, 0);
}

static bool put(gw_composer *c, gw_shots *shots, const gw_shot *shot, bool anew, bool mutate)
{
    gw_shot like = *shot;
    like.anew = anew;
    if (mutate)
        return put_mutated(c, shots, &like);
    return gw_shots_add(shots, &like, gw_shots_data(&c->stock->shots, shot), shot->len, NULL, 0);
}

bool gw_compose(gw_composer *c, gw_shots *shots)
{
    gw_random *random = &c->random;
    const gw_stock *stock = c->stock;
    const gw_story *story = &stock->stories[gw_random_below(random, (uint32_t)stock->num)];
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
