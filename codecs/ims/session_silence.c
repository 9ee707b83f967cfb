/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose doing it is that no answer came. UD and UC deliver once or not at all, and tell nobody:
 * what got lost on its way there or back looks as if a buffer was silent. */
#include "ims/session.h"

#include <string.h>

size_t gw_ims_shape_of(const gw_ims_sent *f)
{
    size_t shape = (f->must != 0 ? 1u : 0u) + (f->first != f->last ? 2u : 0u);

    return GW_IMS_REQUESTS + shape;
}

/* Where |buffer| is in the table; GW_IMS_BUFFERS: it was not seen to answer. */
static size_t find_buffer(const gw_ims_sessions *s, const gw_endpoint *buffer)
{
    size_t i = 0;

    while (i < GW_IMS_BUFFERS &&
           (s->buffers[i].touched == 0 || !gw_endpoint_equal(&s->buffers[i].buffer, buffer)))
        i++;
    return i;
}

static size_t add_buffer(gw_ims_sessions *s, const gw_endpoint *buffer)
{
    size_t oldest = 0;

    for (size_t i = 1; i < GW_IMS_BUFFERS; i++) {
        if (s->buffers[i].touched < s->buffers[oldest].touched)
            oldest = i;
    }
    memset(&s->buffers[oldest], 0, sizeof s->buffers[oldest]);
    s->buffers[oldest].buffer = *buffer;
    return oldest;
}

void gw_ims_note_answer(gw_ims_exchange *t)
{
    size_t i = find_buffer(t->s, &t->src);

    if (i == GW_IMS_BUFFERS)
        i = add_buffer(t->s, &t->src);
    t->s->buffers[i].touched = t->s->clock;
    t->s->buffers[i].answers++;
}

void gw_ims_end_silence(gw_ims_exchange *t, size_t kind)
{
    size_t i = find_buffer(t->s, &t->src);

    if (i < GW_IMS_BUFFERS)
        t->s->buffers[i].misses[kind] = (gw_ims_misses){.answer = t->m->frame};
}

uint32_t gw_ims_answers_of(const gw_ims_sessions *s, const gw_endpoint *buffer)
{
    size_t i = find_buffer(s, buffer);

    return i < GW_IMS_BUFFERS ? s->buffers[i].answers : 0;
}

/* A path loses some, but not so many in a row while answers to others pass. What was sent before
 * one of its kind was answered is part of no row: it may be given up long after that. */
bool gw_ims_is_silent(gw_ims_sessions *s, const gw_endpoint *buffer, size_t kind, uint64_t frame,
                      uint32_t answers)
{
    size_t i = find_buffer(s, buffer);

    if (i == GW_IMS_BUFFERS || frame < s->buffers[i].misses[kind].answer)
        return false;
    gw_ims_misses *m = &s->buffers[i].misses[kind];
    if (m->in_a_row == 0 || m->answers != answers) { /* so the path was not down since */
        m->answers = answers;
        m->in_a_row += m->in_a_row < s->silent;
    }
    return m->in_a_row >= s->silent;
}
