/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose messages are. */
#include "inspect/meetings.h"

#include <stdlib.h>

/* Takes the state of format |i|'s introductions, with its first message; false without memory. */
static bool begin(gw_meetings *m, size_t i)
{
    m->states[i] = malloc(gw_formats[i]->introductions->size);
    if (m->states[i] != NULL)
        gw_formats[i]->introductions->init(m->states[i]);
    return m->states[i] != NULL;
}

bool gw_meetings_ours(gw_meetings *m, const gw_format *format, const gw_message *message)
{
    const gw_introduction_ops *ops = format->introductions;

    if (ops == NULL || m->selection->proto == format)
        return true;
    size_t i = gw_pipeline_place(format);
    if (m->states[i] == NULL && !begin(m, i))
        return false; /* nothing is known of anybody then, and nobody is judged */
    if (ops->knows != NULL && ops->knows(m->states[i], message))
        return true;
    return ops->meet(m->states[i], message,
                     gw_selection_pick(m->selection, format, &message->src, &message->dst));
}

const gw_format *gw_meetings_known(gw_meetings *m, const gw_message *message)
{
    for (size_t i = 0; i < gw_num_formats; i++) {
        const gw_introduction_ops *ops = gw_formats[i]->introductions;
        if (m->states[i] != NULL && ops->knows != NULL && ops->knows(m->states[i], message))
            return gw_formats[i];
    }
    return NULL;
}

void gw_meetings_mark(gw_meetings *m, const gw_format *format, const gw_message *message, gw_ib *ib)
{
    ib->foreign = !gw_meetings_ours(m, format, message);
    m->counts->foreign += ib->foreign;
}

void gw_meetings_free(gw_meetings *m)
{
    for (size_t i = 0; i < GW_PIPELINE_FORMATS; i++) {
        free(m->states[i]);
        m->states[i] = NULL;
    }
}
