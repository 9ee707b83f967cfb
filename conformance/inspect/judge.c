/* SPDX-License-Identifier: BSD-2-Clause */
/* One session a format over a whole capture. */
#include "inspect/judge.h"

#include <stdlib.h>

#define FORMATS_MAX 16

struct gw_judge {
    void *sessions[FORMATS_MAX]; /* by index in gw_formats; NULL: the format has none */
};

gw_judge *gw_judge_new(void)
{
    gw_judge *j = calloc(1, sizeof *j);

    for (size_t i = 0; j != NULL && i < gw_num_formats && i < FORMATS_MAX; i++) {
        const gw_session_ops *session = gw_formats[i]->session;
        if (session == NULL)
            continue;
        size_t size = session->min_size > GW_JUDGE_BYTES ? session->min_size : GW_JUDGE_BYTES;
        j->sessions[i] = malloc(size);
        if (j->sessions[i] == NULL || !session->init(j->sessions[i], size, GW_JUDGE_GIVE_UP_NS)) {
            gw_judge_free(j);
            return NULL;
        }
    }
    return j;
}

void gw_judge_feed(gw_judge *j, const gw_found *found, gw_verdict_sink *sink)
{
    for (size_t i = 0; i < gw_num_formats && i < FORMATS_MAX; i++) {
        if (gw_formats[i] != found->format)
            continue;
        if (j->sessions[i] != NULL)
            found->format->session->feed(j->sessions[i], found->message, found->dialect, sink);
        return;
    }
}

void gw_judge_neighbour(gw_judge *j, const gw_message *message, gw_verdict_sink *sink)
{
    for (size_t i = 0; i < gw_num_formats && i < FORMATS_MAX; i++) {
        if (j->sessions[i] != NULL && gw_formats[i]->session->neighbour != NULL)
            gw_formats[i]->session->neighbour(j->sessions[i], message, sink);
    }
}

void gw_judge_end(gw_judge *j, gw_verdict_sink *sink)
{
    for (size_t i = 0; i < gw_num_formats && i < FORMATS_MAX; i++) {
        if (j->sessions[i] != NULL)
            gw_formats[i]->session->end(j->sessions[i], sink);
    }
}

void gw_judge_free(gw_judge *j)
{
    if (j == NULL)
        return;
    for (size_t i = 0; i < FORMATS_MAX; i++)
        free(j->sessions[i]);
    free(j);
}
