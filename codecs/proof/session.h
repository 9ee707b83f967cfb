/* SPDX-License-Identifier: BSD-2-Clause */
/* What any state of a conversation is made of, and what must be so of it behind a step, of what
 * formats share. */
#ifndef PROOF_SESSION_H
#define PROOF_SESSION_H

#include "core/lookup/chains.h"
#include "proof/message.h"

static inline const gw_dialect *any_dialect(void)
{
    return any_bool() ? NULL : &FORMAT.dialects[Frama_C_interval(0, FORMAT.num_dialects - 1)];
}

/* look_at_dialect shows that there is one. */
static inline void look_at_dialect(const gw_dialect *dialect)
{
    if (dialect != NULL)
        seen = dialect->name[0];
}

/* put_any_chains links up anyhow what |c| has; whose it is stays. */
static inline void put_any_chains(const gw_chains *c)
{
    for (uint32_t i = 0; i <= c->room + c->mask; i++) {
        c->links[i].next = Frama_C_unsigned_int_interval(0, c->room + c->mask);
        c->links[i].before = Frama_C_unsigned_int_interval(0, c->room + c->mask);
    }
}

static inline void look_at_chains(const gw_chains *c, const gw_chains *was)
{
    //@ assert links: c->links == was->links && c->room == was->room && c->mask == was->mask;
    for (uint32_t i = 0; i <= c->room + c->mask; i++) {
        //@ assert next: c->links[i].next <= c->room + c->mask;
        //@ assert before: c->links[i].before <= c->room + c->mask;
    }
}

/* pass_without runs what comes without a message. */
static inline void pass_without(void *memory)
{
    switch (Frama_C_interval(0, 2)) {
    case 0:
        FORMAT.session->lossless(memory);
        break;
    case 1:
        FORMAT.session->advance(memory, (int64_t)any_u64(), &verdicts);
        break;
    default:
        FORMAT.session->end(memory, &verdicts);
        break;
    }
}

#endif
