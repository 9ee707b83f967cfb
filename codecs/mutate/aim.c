/* SPDX-License-Identifier: BSD-2-Clause */
/* What is done to reach an aim: mutators are tried, and the format's own check judges. */
#include "goldwire/mutate.h"

#include <string.h>

#include "mutate/internal.h"

enum {
    LEGAL_TRIES = 64,
    BREAK_TRIES = 4096,
    STEPS_MAX = 6,
    APPLY_TRIES = 8, /* to find a mutator that has something to do */
};

typedef struct mutator {
    bool (*apply)(gw_mutating *m);
    const char *name;
    bool legal;
} mutator;

static const mutator mutators[] = {
#define GW_MUTATOR(id, function, legal, name) {gw_mutate_##function, (name), (legal)},
#include "goldwire/mutators.def"
};

enum { NUM_FIRST = GW_MUTATOR_MEND }; /* those before come in any order */

const char *gw_mutator_name(unsigned which)
{
    return which < GW_NUM_MUTATORS ? mutators[which].name : NULL;
}

/* What the check says of a message. */
typedef struct judged {
    gw_verdict_sink sink;
    const gw_rule *rule;
    bool broken; /* |rule| is, or, where that is NULL, any */
    bool others;
} judged;

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    judged *j = (judged *)sink;

    if (j->rule == NULL || finding->rule == j->rule)
        j->broken = true;
    else
        j->others = true;
}

static judged judge(const gw_mutating *m, const gw_rule *rule)
{
    judged j = {.sink = {.finding = on_finding}, .rule = rule};
    gw_message now = gw_mutating_now(m);

    m->plan->format->check(&now, m->plan->dialect, &j.sink);
    return j;
}

static void start(gw_mutating *m)
{
    size_t len = m->original->cap_len < m->edit.cap ? m->original->cap_len : m->edit.cap;

    if (len > 0)
        memcpy(m->edit.data, m->original->data, len);
    m->edit.len = len;
}

static bool is_changed(const gw_mutating *m)
{
    size_t len = m->edit.len;

    return len != m->original->cap_len ||
           (len > 0 && memcmp(m->edit.data, m->original->data, len) != 0);
}

static uint32_t apply_one(gw_mutating *m, bool legally)
{
    for (unsigned tries = 0; tries < APPLY_TRIES; tries++) {
        uint32_t which = gw_random_below(m->random, NUM_FIRST);
        if ((!legally || mutators[which].legal) && mutators[which].apply(m))
            return 1u << which;
    }
    return 0;
}

/* One mutator half of the time, two half of the rest, and so on. */
static uint32_t apply_some(gw_mutating *m, bool legally)
{
    uint32_t done = 0;

    for (unsigned step = 0; step < STEPS_MAX; step++) {
        done |= apply_one(m, legally);
        if (gw_random_one_in(m->random, 2))
            break;
    }
    return done;
}

static uint32_t care_for_derived(gw_mutating *m, gw_mutate_derived derived)
{
    uint32_t done = 0;

    if (derived == GW_DERIVED_AT_RANDOM)
        derived = gw_random_one_in(m->random, 8)   ? GW_DERIVED_STALE
                  : gw_random_one_in(m->random, 8) ? GW_DERIVED_FALSE
                                                   : GW_DERIVED_MENDED;
    if (derived != GW_DERIVED_STALE && gw_mutate_mend(m))
        done |= 1u << GW_MUTATOR_MEND;
    if (derived == GW_DERIVED_FALSE && gw_mutate_falsify(m))
        done |= 1u << GW_MUTATOR_FALSIFY;
    return done;
}

static unsigned num_tries(const gw_mutating *m, unsigned usual)
{
    return m->plan->tries != 0 ? m->plan->tries : usual;
}

static gw_mutation mutate_freely(gw_mutating *m)
{
    gw_mutation did = {.met = true};

    start(m);
    did.done = apply_some(m, false);
    did.done |= care_for_derived(m, (gw_mutate_derived)m->plan->derived);
    return did;
}

/* What is not whole from the start is repaired first. */
static gw_mutation mutate_legally(gw_mutating *m)
{
    unsigned limit = num_tries(m, LEGAL_TRIES);
    gw_mutation did = {0};

    for (unsigned tries = 0; tries < limit && !did.met; tries++) {
        start(m);
        did.done = gw_mutate_repair(m) ? 1u << GW_MUTATOR_REPAIR : 0;
        if (did.done == 0 || gw_random_one_in(m->random, 2))
            did.done |= apply_some(m, true);
        did.done |= care_for_derived(m, GW_DERIVED_MENDED);
        did.met =
            is_changed(m) && gw_mutating_walk(m, NULL).kind == GW_OK && !judge(m, NULL).broken;
    }
    return did;
}

/* Half of the tries only take a message that breaks nothing else. A line of the table that names
 * the rule is the first to be tried, check bytes are wrong each fourth time. */
static gw_mutation mutate_to_break(gw_mutating *m)
{
    unsigned limit = num_tries(m, BREAK_TRIES);
    gw_mutation did = {0};

    for (unsigned tries = 0; tries < limit && !did.met; tries++) {
        gw_mutate_derived derived = (gw_mutate_derived)m->plan->derived;
        if (derived == GW_DERIVED_AT_RANDOM)
            derived = tries % 4 == 3 ? GW_DERIVED_FALSE : GW_DERIVED_MENDED;
        start(m);
        did.done = 0;
        if (tries % 2 == 0 && gw_mutate_break_field(m))
            did.done = 1u << GW_MUTATOR_ILLEGAL_VALUE;
        else if (derived != GW_DERIVED_FALSE || gw_random_one_in(m->random, 2))
            did.done = tries < limit / 4 ? apply_one(m, false) : apply_some(m, false);
        did.done |= care_for_derived(m, derived);
        judged j = judge(m, m->plan->rule);
        did.alone = j.broken && !j.others;
        did.met = j.broken && is_changed(m) && (did.alone || tries >= limit / 2);
    }
    return did;
}

gw_mutation gw_mutate(const gw_mutate_plan *plan, gw_random *random, const gw_message *message,
                      uint8_t *out, size_t cap)
{
    gw_mutating m = {.plan = plan, .random = random, .original = message, .edit = {out, 0, cap}};
    gw_mutation did;

    switch (plan->aim) {
    case GW_MUTATE_LEGALLY:
        did = mutate_legally(&m);
        break;
    case GW_MUTATE_TO_BREAK:
        did = mutate_to_break(&m);
        break;
    default:
        did = mutate_freely(&m);
        break;
    }
    if (!did.met) {
        did = (gw_mutation){0};
        start(&m);
    }
    did.len = m.edit.len;
    return did;
}
