/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding the request that a reply answers. */
#include "etherbone/session/session.h"

enum {
    MAX_ALIKE = 16,  /* waiting requests of one key that are looked at */
    MAX_OLDEST = 64, /* waiting requests that are looked at for one that nearly fits */
};

uint32_t gw_eb_stream_of(const gw_message *m)
{
    return m->transport == GW_OVER_TCP ? m->stream + 1 : 0;
}

gw_eb_key gw_eb_key_of_request(const gw_eb_record *record)
{
    return (gw_eb_key){
        .base = record->return_base,
        .kind = (record->flags & GW_EB_BCA) != 0 ? GW_EB_WAIT_CONFIG : GW_EB_WAIT_BUS,
        .count = record->rcount,
    };
}

gw_eb_key gw_eb_key_of_reply(const gw_eb_record *record)
{
    return (gw_eb_key){
        .base = record->write_base,
        .kind = (record->flags & GW_EB_WCA) != 0 ? GW_EB_WAIT_CONFIG : GW_EB_WAIT_BUS,
        .count = record->wcount,
    };
}

static bool same_key(const gw_eb_key *a, const gw_eb_key *b)
{
    return a->base == b->base && a->kind == b->kind && a->count == b->count;
}

static bool same_ip(const gw_endpoint *a, const gw_endpoint *b)
{
    return a->family == b->family && memcmp(a->ip, b->ip, sizeof a->ip) == 0;
}

/* How well the ends of the reply |m| fit those of a request. */
static enum gw_eb_score score(const gw_eb_request *asked, const gw_message *m)
{
    if (!same_ip(&asked->requester, &m->dst) || asked->stream != gw_eb_stream_of(m))
        return GW_EB_NO_MATCH;
    bool from_asked = same_ip(&asked->responder, &m->src);
    if (!from_asked && asked->key.kind != GW_EB_WAIT_PROBE)
        return GW_EB_NO_MATCH;
    bool from_port = from_asked && asked->responder.port == m->src.port;
    if (asked->requester.port == m->dst.port)
        return from_port ? GW_EB_EXACT : GW_EB_OTHER_SOURCE;
    return from_port ? GW_EB_OTHER_PORT : GW_EB_NO_MATCH;
}

/* Requests that follow each other at once are answered in their order. One that comes when answers
 * usually are there is asked because that to the one before is lost: the answer is to the new one.
 */
static bool asked_anew(const gw_eb_sessions *s, const gw_eb_wait *older, const gw_eb_wait *wait)
{
    int64_t slowest_ns = s->courses[wait->asked.slot].slowest_ns;
    return wait->asked.stream == 0 && slowest_ns > 0 &&
           gw_wait_ns(older->since_ns, wait->since_ns) / 2 > slowest_ns;
}

static void consider(const gw_eb_sessions *s, gw_eb_found *found, gw_eb_wait *wait,
                     enum gw_eb_score how_well)
{
    if (wait->state != GW_EB_WAIT_OPEN) {
        if (how_well >= found->done_score) {
            found->done = wait;
            found->done_score = (uint8_t)how_well;
        }
        return;
    }
    if (found->open == NULL || how_well > found->open_score) {
        found->open = wait;
        found->open_score = (uint8_t)how_well;
        found->ambiguous = found->differs = false;
        found->alike = 1;
    } else if (how_well == found->open_score && wait->asked.frame != found->open->asked.frame) {
        found->ambiguous = true;
        found->differs = found->differs || !gw_eb_same_form(&wait->asked, &found->open->asked);
        found->alike++;
        if (asked_anew(s, found->open, wait))
            found->open = wait;
    }
}

gw_eb_found gw_eb_find(const gw_eb_sessions *s, const gw_message *m, const gw_eb_key *key,
                       uint32_t hash)
{
    const gw_eb_table *t = &s->table;
    gw_eb_found found = {0};
    unsigned seen = 0;

    for (gw_eb_wait *w = gw_eb_table_chain(t, hash); w != NULL; w = gw_eb_table_chain_next(t, w)) {
        if (++seen > GW_EB_MAX_CHAIN) {
            if (found.open_score == GW_EB_EXACT)
                break;
            return (gw_eb_found){.gave_up = true};
        }
        if (w->hash != hash || !same_key(&w->asked.key, key))
            continue;
        enum gw_eb_score how_well = score(&w->asked, m);
        if (how_well == GW_EB_NO_MATCH)
            continue;
        consider(s, &found, w, how_well);
        if (found.alike == MAX_ALIKE && found.open_score == GW_EB_EXACT) {
            found.differs = true; /* or not; nothing better can come */
            break;
        }
    }
    /* A late answer to the request that was given up would look the same. */
    if (found.open != NULL && found.done != NULL && found.done->state == GW_EB_WAIT_GIVEN_UP &&
        found.done_score == found.open_score) {
        found.ambiguous = true;
        found.differs = found.differs || !gw_eb_same_form(&found.done->asked, &found.open->asked);
    }
    return found;
}

gw_eb_wait *gw_eb_oldest_open(const gw_eb_table *t, const gw_message *m, gw_eb_fits_fn fits,
                              const void *arg)
{
    enum gw_eb_fit best = GW_EB_FITS_NOT;
    gw_eb_wait *found = NULL;
    unsigned seen = 0;

    for (gw_eb_wait *w = gw_eb_table_oldest(t, GW_EB_WAITING);
         w != NULL && seen < MAX_OLDEST && best < GW_EB_FITS_BEST;
         w = gw_eb_table_younger(t, w), seen++) {
        enum gw_eb_fit fit = fits(w, arg);
        if (fit <= best || w->suspect.noted || score(&w->asked, m) != GW_EB_EXACT)
            continue;
        best = fit;
        found = w;
    }
    return found;
}

bool gw_eb_has_asked(const gw_eb_table *t, const gw_endpoint *end)
{
    for (unsigned list = 0; list < GW_EB_NUM_LISTS; list++) {
        unsigned seen = 0;
        for (gw_eb_wait *w = gw_eb_table_entry(t, t->lists[list].last); w != NULL;
             w = gw_eb_table_entry(t, w->list_prev)) {
            if (gw_endpoint_equal(&w->asked.requester, end) || ++seen > GW_EB_MAX_CHAIN)
                return true;
        }
    }
    return false;
}

bool gw_eb_same_request(const gw_eb_request *a, const gw_eb_request *b)
{
    return same_key(&a->key, &b->key) && a->stream == b->stream &&
           gw_endpoint_equal(&a->requester, &b->requester) &&
           gw_endpoint_equal(&a->responder, &b->responder);
}

bool gw_eb_same_form(const gw_eb_request *a, const gw_eb_request *b)
{
    return a->flags == b->flags && a->byte_enable == b->byte_enable && a->widths == b->widths &&
           a->len == b->len;
}
