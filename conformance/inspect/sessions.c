/* SPDX-License-Identifier: BSD-2-Clause */
/* One session a format over a whole capture. */
#include "inspect/sessions.h"

#include <stdlib.h>

/* By index in gw_formats; NULL: the format has no session. */
struct gw_sessions {
    void *memory[GW_PIPELINE_FORMATS];
    void
        *begun[GW_PIPELINE_FORMATS]; /* the same once it is in use: most captures hold one format */
    bool lossless;
};

static size_t size_for(const gw_session_ops *session)
{
    return session->min_size > GW_SESSIONS_BYTES ? session->min_size : GW_SESSIONS_BYTES;
}

/* Begins format |i|'s session at the first need of it; false when it has none. */
static bool begin(gw_sessions *s, size_t i)
{
    const gw_session_ops *session = gw_formats[i]->session;

    if (s->memory[i] != NULL &&
        session->init(s->memory[i], size_for(session), GW_SESSIONS_GIVE_UP_NS))
        s->begun[i] = s->memory[i];
    if (s->begun[i] != NULL && s->lossless && session->lossless != NULL)
        session->lossless(s->begun[i]);
    return s->begun[i] != NULL;
}

gw_sessions *gw_sessions_new(void)
{
    gw_sessions *s = calloc(1, sizeof *s);

    for (size_t i = 0; s != NULL && i < gw_num_formats; i++) {
        const gw_session_ops *session = gw_formats[i]->session;
        if (session == NULL)
            continue;
        s->memory[i] = malloc(size_for(session));
        if (s->memory[i] == NULL) {
            gw_sessions_free(s);
            return NULL;
        }
    }
    return s;
}

void gw_sessions_lossless(gw_sessions *s)
{
    s->lossless = true;
}

void gw_sessions_feed(gw_sessions *s, const gw_found *found, gw_verdict_sink *sink)
{
    size_t i = gw_pipeline_place(found->format);

    if (s->begun[i] != NULL || begin(s, i))
        found->format->session->feed(s->begun[i], found->message, found->dialect, sink);
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
        if (session != NULL && session->arp != NULL && (s->begun[i] != NULL || begin(s, i)))
            session->arp(s->begun[i], message, sink);
    }
}

void gw_sessions_end(gw_sessions *s, gw_verdict_sink *sink)
{
    for (size_t i = 0; i < gw_num_formats; i++) {
        if (s->begun[i] != NULL)
            gw_formats[i]->session->end(s->begun[i], sink);
    }
}

void gw_sessions_free(gw_sessions *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < GW_PIPELINE_FORMATS; i++)
        free(s->memory[i]);
    free(s);
}
