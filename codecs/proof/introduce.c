/* SPDX-License-Identifier: BSD-2-Clause */
/* Whom a message introduces, and whether its ends were: over any memory of those before, so for any
 * number of messages. The memory ends where its object does. */
#include "core/pairs.c"
#include "proof/message.h"

enum { MEMORY = GW_PAIRS_SIZE };

static uint64_t memory[MEMORY / 8];

/* Of pairs it is known which was found last; all else is any. */
static void put_any_state(uint64_t *state)
{
    Frama_C_make_unknown((char *)state, FORMAT.introductions->size);
    if (FORMAT.introductions->init == gw_pairs_init)
        ((pairs *)state)->last = (uint64_t)Frama_C_interval(0, GW_PAIRS_SETS * GW_PAIRS_WAYS - 1);
}

static void look_at_state(const uint64_t *state)
{
    if (FORMAT.introductions->init == gw_pairs_init) {
        const pairs *t = (const pairs *)state;
        //@ assert last: t->last < GW_PAIRS_SETS * GW_PAIRS_WAYS;
    }
}

static void introduces(const gw_message *message, const gw_dialect *dialect)
{
    const gw_introduction_ops *ops = FORMAT.introductions;
    uint64_t *state = memory + (MEMORY - ops->size) / 8;

    ops->init(state);
    look_at_state(state);
    put_any_state(state);
    seen = ops->meet(state, message, dialect);
    look_at_state(state);
    if (ops->knows == NULL)
        return;
    put_any_state(state);
    seen = ops->knows(state, message);
    look_at_state(state);
}

void proof_introduces(void)
{
    over_any(introduces);
}
