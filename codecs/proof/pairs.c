/* SPDX-License-Identifier: BSD-2-Clause */
/* Whom a message introduces in a format that knows pairs of ends, whoever was introduced before:
 * the table holds anything, but the pair found last is one of it, which it is behind the step as
 * well. */
#include "core/pairs.c"
#include "proof/message.h"

static uint64_t memory[sizeof(pairs) / 8];
static pairs *const t = (pairs *)memory;

static void put_any_state(void)
{
    Frama_C_make_unknown((char *)memory, sizeof memory);
    t->last = (uint64_t)Frama_C_interval(0, (int)GW_ARRAY_LEN(t->all) - 1);
}

static void look_at_state(void)
{
    //@ assert last: t->last < GW_PAIRS_SETS * GW_PAIRS_WAYS;
}

static void step(const gw_message *message, const gw_dialect *dialect)
{
    put_any_state();
    seen = FORMAT.introductions->meet(memory, message, dialect);
    look_at_state();
    put_any_state();
    seen = FORMAT.introductions->knows(memory, message);
    look_at_state();
}

void proof_introductions(void)
{
    FORMAT.introductions->init(memory);
    look_at_state();
    over_any(step);
}
