/* SPDX-License-Identifier: BSD-2-Clause */
/* Cutting a connection into messages, whatever was before: memory holds any state that keeps its
 * ranges, and does so behind a step. So it holds for any number of segments.
 *
 * That a message is no longer than what waits Eva cannot tell; WP proves it (cut_etherbone.c). */
#include "proof/message.h"
#include "proof/move.h"

#include "etherbone/stream.c" /* which moves */

static uint64_t memory[(sizeof(struct stream) + 7) / 8];
static struct stream *const state = (struct stream *)memory;

static void on_message(void *ctx, const gw_message *message)
{
    (void)ctx;
    seen = message->frame + message->frames[0] + message->len + message->time_ns;
    if (message->cap_len > 0)
        seen = message->data[0] + message->data[message->cap_len - 1];
    if (message->link != NULL)
        seen = message->link[0];
    if (message->lower != NULL)
        seen = message->lower[0];
    if (message->ib != NULL)
        seen = message->ib->foreign;
}

/* Places are those that there are; all else is any. */
static void put_any_state(void)
{
    const gw_dialect *dialect = state->dialect;

    Frama_C_make_unknown((char *)memory, sizeof memory);
    state->dialect = dialect;
    for (size_t i = 0; i < 2; i++) {
        struct half *h = &state->half[i];

        h->last = any_message(-1, any_u8());
        h->last.ib = NULL;
        h->num_chunks = (uint32_t)Frama_C_interval(0, MAX_CHUNKS);
        h->have = (uint32_t)Frama_C_interval(0, BUFFER_SIZE);
        h->phase = (uint8_t)Frama_C_interval(0, PHASE_LOST);
        h->is_response = any_bool();
    }
}

/* What put_any_state takes for granted. */
static void look_at_state(void)
{
    for (size_t i = 0; i < 2; i++) {
        //@ assert chunks: state->half[i].num_chunks <= MAX_CHUNKS;
        //@ assert have: state->half[i].have <= BUFFER_SIZE;
        //@ assert phase: state->half[i].phase <= PHASE_LOST;
        //@ assert data: state->half[i].last.data == \null;
        //@ assert link: state->half[i].last.link == \null;
        //@ assert lower: state->half[i].last.lower == \null;
        //@ assert ib: state->half[i].last.ib == \null;
    }
}

static void start(const gw_dialect *dialect)
{
    FORMAT.stream->init(memory, dialect);
    look_at_state();
    put_any_state();
}

static void push(const gw_message *message, const gw_dialect *dialect)
{
    gw_message segment = *message;
    unsigned dir = (unsigned)Frama_C_interval(0, 1);

    segment.link = any_bool() ? frame : NULL;
    segment.lower = any_bool() ? lower : NULL;
    start(dialect);
    //@ split dir;
    FORMAT.stream->push(memory, dir, &segment, on_message, NULL);
    look_at_state();
}

void proof_push(void)
{
    over_any(push);
}

static void gap(const gw_message *message, const gw_dialect *dialect)
{
    unsigned dir = (unsigned)Frama_C_interval(0, 1);

    (void)message;
    start(dialect);
    //@ split dir;
    if (any_bool())
        FORMAT.stream->gap(memory, dir, on_message, NULL);
    else
        FORMAT.stream->end(memory, on_message, NULL);
    look_at_state();
}

void proof_gap(void)
{
    over_any(gap);
}
