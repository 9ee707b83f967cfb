/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose InfiniBand packets are. */
#include "inspect/meetings.h"

#include <stdlib.h>

static bool begin(gw_meetings *m, const gw_introduction_ops *ops)
{
    m->state = malloc(ops->size);
    if (m->state == NULL)
        return false;
    ops->init(m->state);
    return true;
}

void gw_meetings_mark(gw_meetings *m, const gw_format *format, const gw_message *message, gw_ib *ib)
{
    const gw_introduction_ops *ops = format->introductions;

    if (ops == NULL || m->selection->proto == format)
        return;
    /* Without memory nothing is known of anybody, and nobody is judged. */
    ib->foreign = (m->state == NULL && !begin(m, ops)) ||
                  !ops->meet(m->state, message,
                             gw_selection_pick(m->selection, format, &message->src, &message->dst));
    m->counts->foreign += ib->foreign;
}

void gw_meetings_free(gw_meetings *m)
{
    free(m->state);
    m->state = NULL;
}
