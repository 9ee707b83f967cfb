/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose messages are. */
#include "inspect/meetings.h"

#include <stdlib.h>

static size_t index_of(const gw_format *format)
{
    size_t i = 0;

    while (i < gw_num_formats && gw_formats[i] != format)
        i++;
    return i;
}

/* The state of |format|'s introductions, taken with its first message; NULL without memory. */
static void *state_of(gw_meetings *m, const gw_format *format)
{
    size_t i = index_of(format);

    if (m->states[i] == NULL) {
        m->states[i] = malloc(format->introductions->size);
        if (m->states[i] != NULL)
            format->introductions->init(m->states[i]);
    }
    return m->states[i];
}

bool gw_meetings_ours(gw_meetings *m, const gw_format *format, const gw_message *message)
{
    const gw_introduction_ops *ops = format->introductions;

    if (ops == NULL || m->selection->proto == format)
        return true;
    /* Without memory nothing is known of anybody, and nobody is judged. */
    void *state = state_of(m, format);
    if (state != NULL && ops->knows != NULL && ops->knows(state, message))
        return true;
    return state != NULL &&
           ops->meet(state, message,
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
