/* SPDX-License-Identifier: BSD-2-Clause */
/* A step of an OP2P conversation, whatever was before: memory holds any state that keeps its
 * ranges, and does so behind the step. So it holds for any number of messages. */
#include "op2p/session.c"
#include "proof/session.h"

static uint64_t memory[(sizeof(session) + MIN_READS * READ_BYTES) / 8];
static session *const s = (session *)memory;
static gw_chains by_answer; /* as they were made */

static void put_any_way(way *w)
{
    w->num_sent = (unsigned)Frama_C_interval(0, MAX_RESENT);
    w->dialect = any_dialect();
    w->differs_udp = any_bool();
    w->vague = any_bool();
    w->unknown = any_bool();
    w->lost = any_bool();
    w->order.heard = any_bool();
    w->order.counts = any_bool();
    w->recount = any_bool();
}

/* Places are those that there are; all else is any. */
static void put_any_state(void)
{
    Frama_C_make_unknown((char *)memory, sizeof memory);
    s->room = MIN_READS;
    s->first = (size_t)Frama_C_interval(0, MIN_READS - 1);
    s->count = (size_t)Frama_C_interval(0, MIN_READS);
    s->lossless = any_bool();
    s->copied = any_bool();
    s->by_answer = by_answer;
    put_any_chains(&s->by_answer);
    for (size_t i = 0; i < LINKS; i++) {
        s->links[i].used = any_bool();
        s->links[i].late = any_bool();
        put_any_way(&s->links[i].ways[0]);
        put_any_way(&s->links[i].ways[1]);
    }
    for (size_t i = 0; i < MIN_READS; i++)
        s->reads[i].place = (uint32_t)Frama_C_interval(0, LINKS - 1);
}

static void look_at_way(const way *w)
{
    //@ assert sent: w->num_sent <= MAX_RESENT;
    look_at_dialect(w->dialect);
    seen = w->differs_udp + w->vague + w->unknown + w->lost + w->order.heard + w->order.counts +
           w->recount;
}

static void look_at_state(void)
{
    //@ assert ring: s->room == MIN_READS && s->first < MIN_READS && s->count <= MIN_READS;
    seen = s->lossless + s->copied;
    look_at_chains(&s->by_answer, &by_answer);
    for (size_t i = 0; i < LINKS; i++) {
        seen = s->links[i].used + s->links[i].late;
        look_at_way(&s->links[i].ways[0]);
        look_at_way(&s->links[i].ways[1]);
    }
    for (size_t i = 0; i < MIN_READS; i++) {
        //@ assert place: s->reads[i].place < LINKS;
    }
}

static void step(const gw_message *message, const gw_dialect *dialect)
{
    put_any_state();
    if (any_bool())
        pass_without(memory);
    else
        FORMAT.session->feed(memory, message, dialect, &verdicts);
    look_at_state();
}

void proof_session(void)
{
    if (!FORMAT.session->init(memory, sizeof memory, (int64_t)any_u64()))
        return;
    by_answer = s->by_answer;
    look_at_state();
    over_any(step);
}
