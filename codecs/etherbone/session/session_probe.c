/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes, the responses to them, and what both sides agreed on. A response is known by its id, not
 * by its source: a broadcast is answered from anywhere (paper VIII.A.1). */
#include "etherbone/session/session.h"

/* Directed broadcasts are guessed from their last byte: the worst of a wrong guess is silence. */
static bool is_broadcast(const gw_endpoint *end)
{
    if (end->family == GW_FAMILY_IPV4)
        return end->ip[0] >= 224 || end->ip[3] == 255;
    return end->family == GW_FAMILY_IPV6 && end->ip[0] == 0xff;
}

static gw_eb_key key_of(const gw_eb_feeding *f)
{
    return (gw_eb_key){.base = f->reader.header.tail, .kind = GW_EB_WAIT_PROBE};
}

static gw_eb_found find(const gw_eb_feeding *f)
{
    const gw_message *m = f->m;
    gw_eb_key key = key_of(f);

    return gw_eb_find(f->s, m, &key, gw_eb_probe_hash(&m->dst, gw_eb_stream_of(m), &key));
}

/* ---- probes ---- */

void gw_eb_feed_probe(gw_eb_feeding *f)
{
    const gw_message *m = f->m;
    bool broadcast = is_broadcast(&m->dst);
    gw_eb_request probe = {
        .key = key_of(f),
        .requester = m->src,
        .responder = m->dst,
        .dialect = f->dialect,
        .time_ns = m->time_ns,
        .frame = m->frame,
        .len = m->len,
        .stream = gw_eb_stream_of(m),
        .widths = f->reader.header.widths,
        .slot = (uint8_t)(f->to_responder % GW_EB_SLOTS),
        .quiet = broadcast,
        .broadcast = broadcast,
    };

    /* Perhaps it is a response that kept PF. */
    gw_eb_found found = find(f);
    if (gw_eb_open_fits(&found, GW_EB_EXACT) && !found.open->suspect.noted) {
        gw_eb_suspect_answer(
            f, found.open,
            &(gw_eb_suspect){.rule = EB_S03, .surely = f->from_service, .is_request = true});
        if (found.open->state != GW_EB_WAIT_OPEN)
            return;
    }
    gw_eb_keep(f->s, &probe, gw_eb_probe_hash(&m->src, probe.stream, &probe.key), f->sink);
}

/* ---- agreements ---- */

static gw_eb_agreement *agreement(gw_eb_sessions *s, uint32_t ends)
{
    return &s->agreements[ends % GW_EB_SLOTS];
}

/* A response that is not as it should be, or offers nothing at all, the requester may pass over. */
static void agree(gw_eb_feeding *f, const gw_eb_wait *probe)
{
    gw_eb_agreement *a = agreement(f->s, f->to_requester);
    uint8_t offered = f->reader.header.widths;

    if (!a->known)
        f->s->num_agreements++;
    *a = (gw_eb_agreement){
        .requester = f->m->dst,
        .responder = f->m->src,
        .frame = f->m->frame,
        .used_ns = f->s->now_ns,
        .widths = probe->asked.widths & offered,
        .known = f->m->len == gw_eb_probe_len(f->dialect) && gw_eb_addr_code(offered) != 0 &&
                 gw_eb_port_code(offered) != 0,
    };
}

/* Of two responses that differ the requester goes by one. */
static void doubt_agreement(gw_eb_feeding *f, const gw_eb_wait *probe)
{
    gw_eb_agreement *a = agreement(f->s, f->to_requester);

    if (gw_endpoint_equal(&a->requester, &f->m->dst) &&
        (probe->asked.widths & f->reader.header.widths) != a->widths)
        a->known = false;
}

bool gw_eb_judge_agreed(const gw_eb_feeding *f)
{
    gw_eb_agreement *a = agreement(f->s, f->to_responder);
    uint8_t widths = f->reader.header.widths;
    int64_t last_ns = a->used_ns;

    if (!a->known || !gw_endpoint_equal(&a->requester, &f->m->src) ||
        !gw_endpoint_equal(&a->responder, &f->m->dst))
        return true;
    a->used_ns = f->s->now_ns;
    /* The port may be somebody else's by now, who probed without being seen, or not at all. */
    if (gw_wait_ns(last_ns, f->s->now_ns) > f->s->give_up_ns ||
        f->s->courses[f->to_responder % GW_EB_SLOTS].troubled)
        a->known = false;
    if (!a->known || (widths & a->widths) == widths)
        return true;
    gw_judge judge = gw_judge_of(f->m, f->dialect, f->sink);
    gw_eb_report(&judge, EB_M04,
                 gw_eb_addr_code(widths & ~a->widths) != 0 ? GW_EB_F_ADDR_WIDTH
                                                           : GW_EB_F_PORT_WIDTH,
                 0, "widths are %x; the probe that frame %d answered leaves %x",
                 GW_NUMBERS(widths, a->frame, a->widths));
    return false;
}

/* ---- responses ---- */

static void answer(gw_eb_feeding *f, const gw_eb_found *found)
{
    gw_eb_wait *probe = found->open;

    agree(f, probe);
    probe->asked.responder = f->m->src; /* to know it again */
    gw_eb_take_answer(f, probe, found);
}

/* A broadcast was answered by one more. */
static void answer_again(gw_eb_feeding *f, const gw_eb_wait *probe)
{
    gw_eb_request asked = probe->asked;
    uint32_t hash = probe->hash;

    agree(f, probe);
    gw_eb_relate(f, GW_ANSWERS, probe, false);
    asked.responder = f->m->src;
    gw_eb_settle(f->s, gw_eb_keep(f->s, &asked, hash, f->sink), GW_EB_WAIT_ANSWERED, f->m->frame);
}

static void repeat(gw_eb_feeding *f, const gw_eb_found *found)
{
    gw_eb_wait *probe = found->done;

    if (probe->state == GW_EB_WAIT_GIVEN_UP) {
        agree(f, probe);
        gw_eb_relate_stale(f, probe);
        probe->state = GW_EB_WAIT_ANSWERED;
        probe->answer = f->m->frame;
        probe->asked.responder = f->m->src;
    } else if (found->done_score != GW_EB_EXACT && probe->asked.broadcast) {
        answer_again(f, probe);
    } else {
        doubt_agreement(f, probe);
        gw_eb_relate_repeat(f, probe, GW_EB_BYTES_IN_HEADER);
    }
}

static enum gw_eb_fit is_probe(const gw_eb_wait *wait, const void *arg)
{
    (void)arg;
    return wait->asked.key.kind == GW_EB_WAIT_PROBE ? GW_EB_FITS_BEST : GW_EB_FITS_NOT;
}

void gw_eb_feed_probe_response(gw_eb_feeding *f)
{
    const gw_message *m = f->m;
    gw_eb_found found = find(f);
    uint8_t good =
        gw_dialect_waives(f->dialect, &gw_eb_rules[EB_S44]) ? GW_EB_OTHER_PORT : GW_EB_OTHER_SOURCE;

    if (gw_eb_open_fits(&found, good) && found.open_score >= found.done_score) {
        answer(f, &found);
        return;
    }
    if (gw_eb_done_fits(&found, good)) {
        repeat(f, &found);
        return;
    }
    if (found.open != NULL && found.open_score == GW_EB_OTHER_PORT && !found.open->suspect.noted) {
        gw_eb_suspect_answer(f, found.open,
                             &(gw_eb_suspect){.rule = EB_S44,
                                              .value = m->dst.port,
                                              .start = GW_EB_BYTES_IN_HEADER,
                                              .surely = true});
        return;
    }
    if (found.gave_up)
        gw_eb_note_blind(f);
    gw_eb_wait *probe = found.gave_up ? NULL : gw_eb_oldest_open(&f->s->table, m, is_probe, NULL);
    if (probe != NULL)
        gw_eb_suspect_answer(f, probe,
                             &(gw_eb_suspect){.rule = EB_S04,
                                              .value = f->reader.header.tail,
                                              .start = GW_EB_BYTES_IN_HEADER,
                                              .surely = true});
    else
        gw_eb_relate_stray(f->s, f->sink, m->frame, 0, f->to_requester % GW_EB_SLOTS);
}

bool gw_eb_feed_unmarked_response(gw_eb_feeding *f)
{
    const gw_message *m = f->m;
    const uint8_t *p = gw_check_bytes(m, 0, GW_EB_PROBE_LEN);

    if (p == NULL || m->part != GW_EB_PACKET || m->len != GW_EB_PROBE_LEN || m->cap_len != m->len ||
        !gw_eb_has_magic(p) || gw_eb_probes(p))
        return false;
    gw_eb_key key = {.base = gw_eb_probe_id(p), .kind = GW_EB_WAIT_PROBE};
    gw_eb_found found =
        gw_eb_find(f->s, m, &key, gw_eb_probe_hash(&m->dst, gw_eb_stream_of(m), &key));
    if (!gw_eb_open_fits(&found, GW_EB_EXACT) || found.open->suspect.noted)
        return false;
    gw_eb_suspect_answer(f, found.open,
                         &(gw_eb_suspect){.rule = EB_S03, .surely = f->from_service});
    return true;
}
