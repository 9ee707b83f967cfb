/* SPDX-License-Identifier: BSD-2-Clause */
/* One session a format over a whole capture. */
#include "inspect/sessions.h"

#include <stdlib.h>

struct gw_sessions {
    void *by_format[GW_PIPELINE_FORMATS]; /* by index in gw_formats; NULL: the format has none */
    bool begun[GW_PIPELINE_FORMATS];      /* its memory is in use: most captures hold one format */
};

static size_t size_for(const gw_session_ops *session)
{
    return session->min_size > GW_SESSIONS_BYTES ? session->min_size : GW_SESSIONS_BYTES;
}

/* The state of format |i|'s session, begun when this is the first need of it; NULL: it has none. */
static void *state_of(gw_sessions *s, size_t i)
{
    const gw_session_ops *session = gw_formats[i]->session;

    if (s->by_format[i] != NULL && !s->begun[i])
        s->begun[i] = session->init(s->by_format[i], size_for(session), GW_SESSIONS_GIVE_UP_NS);
    return s->begun[i] ? s->by_format[i] : NULL;
}

gw_sessions *gw_sessions_new(void)
{
    gw_sessions *s = calloc(1, sizeof *s);

    for (size_t i = 0; s != NULL && i < gw_num_formats; i++) {
        const gw_session_ops *session = gw_formats[i]->session;
        if (session == NULL)
            continue;
        s->by_format[i] = malloc(size_for(session));
        if (s->by_format[i] == NULL) {
            gw_sessions_free(s);
            return NULL;
        }
    }
    return s;
}

void gw_sessions_feed(gw_sessions *s, const gw_found *found, gw_verdict_sink *sink)
{
    for (size_t i = 0; i < gw_num_formats; i++) {
        if (gw_formats[i] != found->format)
            continue;
        void *state = state_of(s, i);
        if (state != NULL)
            found->format->session->feed(state, found->message, found->dialect, sink);
        return;
    }
}

void gw_sessions_check(const gw_found *found, uint64_t origin, gw_verdict_sink *sink)
{
    if (found->format->check == NULL)
        return;
    if (origin == 0) {
        found->format->check(found->message, found->dialect, sink);
        return;
    }
    gw_message forwarded = *found->message;
    forwarded.origin = origin;
    found->format->check(&forwarded, found->dialect, sink);
}

void gw_sessions_arp(gw_sessions *s, const gw_message *message, gw_verdict_sink *sink)
{
    for (size_t i = 0; i < gw_num_formats; i++) {
        const gw_session_ops *session = gw_formats[i]->session;
        void *state = session != NULL && session->arp != NULL ? state_of(s, i) : NULL;
        if (state != NULL)
            session->arp(state, message, sink);
    }
}

void gw_sessions_end(gw_sessions *s, gw_verdict_sink *sink)
{
    for (size_t i = 0; i < gw_num_formats; i++) {
        if (s->begun[i])
            gw_formats[i]->session->end(s->by_format[i], sink);
    }
}

void gw_sessions_free(gw_sessions *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < GW_PIPELINE_FORMATS; i++)
        free(s->by_format[i]);
    free(s);
}
