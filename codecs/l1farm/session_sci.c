/* SPDX-License-Identifier: BSD-2-Clause */
/* SCI transactions: a send packet, its echo on the ringlet, its response from the far end. Which
 * commands are answered is known of readsb and writesb alone (assumed); of the others no answer is
 * missed. */
#include "core/hash.h"
#include "goldwire/checksum.h"
#include "l1farm/session.h"

static l1_send *send_at(l1_session *s, size_t age)
{
    size_t place = s->first + age;

    return &s->sends[place < s->room ? place : place - s->room];
}

static bool is_known(const gw_l1_sci *sci, const gw_l1_profile *p)
{
    return p->layout && (sci->command & p->command_mask) < 0x20;
}

static bool owes_response(const l1_send *e, const gw_l1_profile *p)
{
    return is_known(&e->sci, p) && !e->answers && e->response == 0;
}

static bool outstanding(const l1_send *e, const gw_l1_profile *p)
{
    return e->echo == 0 || e->busy || owes_response(e, p);
}

static void report_late(const l1_session *s, const l1_send *e, gw_verdict_sink *sink,
                        uint64_t revealed_by)
{
    const gw_l1_profile *p = gw_l1_profile_of(s->dialect);
    gw_judge judge = {sink, s->dialect, e->frame, revealed_by};

    if (e->echo == 0 && (e->answers || is_known(&e->sci, p))) /* an event gets none */
        gw_l1_report(&judge, L1_S06, GW_L1_F_SEND_COMMAND, e->start, "no echo within %t",
                     GW_NUMBERS((uint64_t)s->give_up_ns));
    else if (e->echo != 0 && owes_response(e, p))
        gw_l1_report(&judge, L1_S07, GW_L1_F_SEND_COMMAND, e->start, "no response within %t",
                     GW_NUMBERS((uint64_t)s->give_up_ns));
}

static void forget_oldest(l1_session *s, gw_verdict_sink *sink, gw_relation_kind kind)
{
    const l1_send *e = send_at(s, 0);

    if (outstanding(e, gw_l1_profile_of(s->dialect)))
        gw_relate(sink, &(gw_relation){.kind = (uint8_t)kind, .request = e->frame});
    gw_chains_remove(&s->by_sender, (uint32_t)s->first); /* the first of its chain */
    s->first = s->first + 1 < s->room ? s->first + 1 : 0;
    s->count--;
}

void gw_l1_sci_advance(l1_session *s, int64_t now_ns, gw_verdict_sink *sink)
{
    while (s->count > 0 && gw_span_ns(send_at(s, 0)->time_ns, now_ns) > s->give_up_ns) {
        report_late(s, send_at(s, 0), sink, send_at(s, 0)->frame);
        forget_oldest(s, sink, GW_UNANSWERED);
    }
}

void gw_l1_sci_end(l1_session *s, gw_verdict_sink *sink)
{
    while (s->count > 0)
        forget_oldest(s, sink, GW_UNANSWERED);
}

static uint32_t hash_of(uint32_t interface, uint8_t ringlet, uint16_t source, unsigned id,
                        bool answers)
{
    return gw_hash_fold(((uint64_t)interface << 32 | (uint32_t)source << 16 | ringlet << 8) + id +
                        (answers ? GW_HASH_2 : 0));
}

/* The newest packet of |source| with transaction ID |id| on this ringlet: a response has the ID of
 * who asked, so that a request of the same node may have the same. */
static l1_send *find_send(l1_session *s, const gw_message *m, uint8_t ringlet, uint16_t source,
                          unsigned id, bool answers)
{
    uint32_t at =
        gw_chains_first(&s->by_sender, hash_of(m->interface, ringlet, source, id, answers));

    for (; at != GW_CHAINS_NONE; at = gw_chains_after(&s->by_sender, at)) {
        l1_send *e = &s->sends[at];
        if (e->interface == m->interface && e->sci.ringlet == ringlet && e->sci.source == source &&
            gw_l1_tid(&e->sci) == id && e->answers == answers)
            return e;
    }
    return NULL;
}

/* What |sci| answers: a request the other way with the same transaction ID. */
static l1_send *find_request(l1_session *s, const gw_message *m, const gw_l1_sci *sci,
                             const gw_l1_profile *p)
{
    if (is_known(sci, p))
        return NULL; /* it asks itself */
    l1_send *e = find_send(s, m, sci->ringlet, sci->target, gw_l1_tid(sci), false);

    return e != NULL && e->sci.target == sci->source && e->echo != 0 ? e : NULL;
}

static void remember(l1_session *s, const gw_judge *judge, const gw_message *m,
                     const gw_l1_sci *sci, uint32_t crc, uint32_t start, bool answers)
{
    const l1_send *older = find_send(s, m, sci->ringlet, sci->source, gw_l1_tid(sci), answers);

    if (older != NULL) /* nobody looks for it any more */
        gw_chains_remove(&s->by_sender, (uint32_t)(older - s->sends));
    if (s->count == s->room)
        forget_oldest(s, judge->sink, GW_UNTRACKED);
    l1_send *e = send_at(s, s->count++);
    gw_l1_sci kept = *sci;
    kept.data = NULL;
    *e = (l1_send){.sci = kept,
                   .frame = judge->frame,
                   .time_ns = m->time_ns,
                   .interface = m->interface,
                   .start = start,
                   .crc = crc,
                   .answers = answers};
    gw_chains_append(&s->by_sender, (uint32_t)(e - s->sends),
                     hash_of(m->interface, sci->ringlet, sci->source, gw_l1_tid(sci), answers));
}

/* The same packet once more: a retry after a busy echo, or round the ringlet again. True when that
 * is what it is. */
static bool take_again(l1_send *e, const gw_judge *judge, const gw_l1_sci *sci, uint32_t crc,
                       uint32_t start, const gw_l1_profile *p)
{
    if (e->crc != crc || e->sci.len != sci->len)
        return false;
    if (e->echo != 0 && e->busy) {
        e->echo = 0;
        e->busy = false;
        return true;
    }
    if (e->echo != 0)
        return false;
    if ((sci->command & p->old_mask) != 0 && (e->sci.command & p->old_mask) != 0)
        gw_l1_report(judge, L1_S10, GW_L1_F_SEND_COMMAND, start,
                     "the packet of frame %d comes round again, marked as old",
                     GW_NUMBERS(e->frame));
    e->sci.command = sci->command;
    return true;
}

static void take_response(l1_send *request, const gw_judge *judge, const gw_message *m,
                          uint32_t start)
{
    if (request->response != 0) {
        gw_relate(judge->sink, &(gw_relation){.kind = GW_DUPLICATE,
                                              .request = request->frame,
                                              .response = m->frame,
                                              .delta_ns = gw_span_ns(request->time_ns, m->time_ns),
                                              .earlier = request->response});
        gw_l1_report(judge, L1_S07, GW_L1_F_SEND_COMMAND, start,
                     "the request of frame %d was answered by frame %d before",
                     GW_NUMBERS(request->frame, request->response));
        return;
    }
    request->response = m->frame;
    gw_relate(judge->sink, &(gw_relation){.kind = GW_ANSWERS,
                                          .request = request->frame,
                                          .response = m->frame,
                                          .delta_ns = gw_span_ns(request->time_ns, m->time_ns)});
}

static void take_send(l1_session *s, const gw_judge *judge, const gw_message *m,
                      const gw_l1_sci *sci, const uint8_t *symbols, uint32_t start,
                      const gw_l1_profile *p)
{
    uint32_t crc = gw_crc32(NULL, gw_crc32(NULL, 0, symbols, 2), symbols + 4, sci->len - 4);
    l1_send *request = find_request(s, m, sci, p);
    l1_send *same = find_send(s, m, sci->ringlet, sci->source, gw_l1_tid(sci), request != NULL);

    if (same != NULL && take_again(same, judge, sci, crc, start, p))
        return;
    if (request == NULL && same != NULL && outstanding(same, p))
        gw_l1_report(judge, L1_S05, GW_L1_F_SEND_TID, start,
                     "transaction ID %d of node %x is outstanding since frame %d",
                     GW_NUMBERS(gw_l1_tid(sci), sci->source, same->frame));
    remember(s, judge, m, sci, crc, start, request != NULL);
    if (request != NULL)
        take_response(request, judge, m, start);
}

static void take_echo(l1_session *s, const gw_judge *judge, const gw_message *m,
                      const gw_l1_sci *sci, uint32_t start, const gw_l1_profile *p)
{
    if (!p->layout)
        return; /* where an echo has its transaction ID is not known */
    bool answers = (sci->command & GW_L1_COMMAND_MASK(ECHO_RESPONSE, ECHO_RESPONSE)) != 0;
    l1_send *e = find_send(s, m, sci->ringlet, sci->target, gw_l1_tid(sci), answers);
    if (e == NULL) /* what a response is to may not be in the capture */
        e = find_send(s, m, sci->ringlet, sci->target, gw_l1_tid(sci), !answers);
    if (e == NULL) {
        gw_relate(judge->sink, &(gw_relation){.kind = GW_UNSOLICITED, .response = m->frame});
        return;
    }
    if (e->echo != 0) {
        gw_l1_report(judge, L1_S06, GW_L1_F_ECHO_COMMAND, start,
                     "the packet of frame %d was echoed by frame %d before",
                     GW_NUMBERS(e->frame, e->echo));
        return;
    }
    e->echo = m->frame;
    e->busy = (sci->command & GW_L1_COMMAND_MASK(ECHO_BUSY, ECHO_BUSY)) != 0;
}

void gw_l1_take_sci(l1_session *s, const gw_judge *judge, const gw_message *m, const gw_l1_sci *sci,
                    const uint8_t *symbols, uint32_t start, const gw_l1_profile *profile)
{
    if (sci->kind == GW_L1_SCI_IS_ECHO && sci->len == GW_L1_SCI_ECHO)
        take_echo(s, judge, m, sci, start, profile);
    else if (sci->kind == GW_L1_SCI_SEND && sci->len >= GW_L1_SCI_HEADER + 2)
        take_send(s, judge, m, sci, symbols, start, profile);
}
