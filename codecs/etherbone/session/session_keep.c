/* SPDX-License-Identifier: BSD-2-Clause */
/* The life of a request: kept, answered, given up, forgotten. */
#include "etherbone/session/session.h"

/* An answer sent back as a request was taken for one: it is not, now that it counts as an answer.
 */
static void drop_echo(gw_eb_sessions *s, const gw_eb_wait *wait)
{
    gw_eb_request echo = wait->asked;
    unsigned seen = 0;

    echo.requester = wait->asked.responder;
    echo.responder = wait->asked.requester;
    uint32_t hash =
        echo.key.kind == GW_EB_WAIT_PROBE
            ? gw_eb_probe_hash(&echo.requester, echo.stream, &echo.key)
            : gw_eb_hash_in(gw_eb_ends_hash(&echo.requester, &echo.responder, echo.stream),
                            &echo.key);
    for (gw_eb_wait *w = gw_eb_table_chain(&s->table, hash); w != NULL && seen < GW_EB_MAX_CHAIN;
         w = gw_eb_table_chain_next(&s->table, w), seen++) {
        if (w != wait && w->state == GW_EB_WAIT_OPEN && w->asked.frame == wait->suspect.frame &&
            w->asked.unit == wait->suspect.unit && gw_eb_same_request(&w->asked, &echo)) {
            gw_eb_table_remove(&s->table, w);
            return;
        }
    }
}

/* Two done entries alike would only lengthen the chain: the younger one speaks for both, unless
 * there is still something to be told of the older. */
static void forget_older(gw_eb_sessions *s, const gw_eb_wait *wait)
{
    unsigned seen = 0;

    for (gw_eb_wait *w = gw_eb_table_chain(&s->table, wait->hash);
         w != NULL && seen < GW_EB_MAX_CHAIN; w = gw_eb_table_chain_next(&s->table, w), seen++) {
        if (w->hash == wait->hash && w != wait && w->state != GW_EB_WAIT_OPEN &&
            gw_eb_same_request(&w->asked, &wait->asked)) {
            s->courses[wait->asked.slot].reused = true;
            if (w->list != GW_EB_DONE)
                continue;
            gw_eb_table_remove(&s->table, w);
            return;
        }
    }
}

void gw_eb_settle(gw_eb_sessions *s, gw_eb_wait *wait, enum gw_eb_wait_state state, uint64_t answer)
{
    wait->state = (uint8_t)state;
    wait->answer = answer;
    wait->since_ns = s->now_ns;
    gw_eb_table_move(&s->table, wait, GW_EB_DONE);
    forget_older(s, wait);
}

void gw_eb_give_up(gw_eb_sessions *s, gw_eb_wait *wait, gw_verdict_sink *sink)
{
    gw_eb_count_miss(s, wait);
    bool answered = gw_eb_relate_outcome(s, wait, false, sink);
    if (answered && wait->suspect.is_request)
        drop_echo(s, wait);
    gw_eb_settle(s, wait, answered ? GW_EB_WAIT_ANSWERED : GW_EB_WAIT_GIVEN_UP,
                 answered ? wait->suspect.frame : 0);
}

void gw_eb_pass_time(gw_eb_sessions *s, int64_t time_ns, gw_verdict_sink *sink)
{
    if (!s->started || time_ns > s->now_ns)
        s->now_ns = time_ns;
    s->started = true;
    for (;;) {
        gw_eb_wait *oldest = gw_eb_table_oldest(&s->table, GW_EB_WAITING);
        if (oldest == NULL || gw_wait_ns(oldest->since_ns, s->now_ns) <= s->give_up_ns)
            break;
        gw_eb_give_up(s, oldest, sink);
    }
    for (;;) {
        gw_eb_wait *oldest = gw_eb_table_oldest(&s->table, GW_EB_DOUBTED);
        if (oldest == NULL || gw_wait_ns(oldest->since_ns, s->now_ns) <= s->give_up_ns)
            break;
        gw_eb_settle_doubt(s, oldest, sink);
    }
}

/* A step towards room. What is done goes first: it is missed only when an answer comes again. What
 * is in doubt is settled, and done then. */
static void make_room(gw_eb_sessions *s, gw_verdict_sink *sink)
{
    gw_eb_wait *done = gw_eb_table_oldest(&s->table, GW_EB_DONE);
    gw_eb_wait *doubted = gw_eb_table_oldest(&s->table, GW_EB_DOUBTED);
    gw_eb_wait *waiting = gw_eb_table_oldest(&s->table, GW_EB_WAITING);

    if (done != NULL) {
        s->courses[done->asked.slot].forgot_ns = done->since_ns;
        gw_eb_table_remove(&s->table, done);
    } else if (doubted != NULL) {
        gw_eb_settle_doubt(s, doubted, sink);
    } else if (waiting != NULL) {
        if (gw_eb_relate_outcome(s, waiting, true, sink) && waiting->suspect.is_request)
            drop_echo(s, waiting);
        s->courses[waiting->asked.slot].pushed_ns = s->now_ns;
        gw_eb_table_remove(&s->table, waiting);
    }
}

gw_eb_wait *gw_eb_keep(gw_eb_sessions *s, const gw_eb_request *asked, uint32_t hash,
                       gw_verdict_sink *sink)
{
    gw_eb_wait *wait;

    while ((wait = gw_eb_table_add(&s->table, asked, hash)) == NULL)
        make_room(s, sink);
    wait->since_ns = s->now_ns;
    return wait;
}

void gw_eb_note_blind(gw_eb_feeding *f)
{
    f->s->courses[f->to_responder % GW_EB_SLOTS].blind_ns = f->s->now_ns;
    f->s->courses[f->to_requester % GW_EB_SLOTS].blind_ns = f->s->now_ns;
}

/* A slot remembers one connection; of two it forgets which. */
static void note_moved(gw_eb_course *course, uint32_t stream)
{
    course->moved = course->moved == 0 || course->moved == stream ? stream : GW_EB_ANY_STREAM;
}

void gw_eb_note_moved(gw_eb_feeding *f)
{
    uint32_t stream = gw_eb_stream_of(f->m);

    gw_eb_note_blind(f);
    note_moved(&f->s->courses[f->to_responder % GW_EB_SLOTS], stream);
    note_moved(&f->s->courses[f->to_requester % GW_EB_SLOTS], stream);
}

/* ---- answers ---- */

/* The record at hand is the right answer, so the suspect was none. */
static void clear_suspect(gw_eb_feeding *f, gw_eb_wait *wait)
{
    const gw_eb_suspect *suspect = &wait->suspect;

    if (suspect->noted && suspect->surely && !suspect->is_request)
        gw_eb_relate_stray(f->s, f->sink, suspect->frame, suspect->unit, wait->asked.slot);
}

/* How long answers take: the longest lately, so that one that took long is not remembered for ever.
 */
static void note_course(gw_eb_feeding *f, const gw_eb_wait *wait, bool ambiguous)
{
    gw_eb_course *course = &f->s->courses[wait->asked.slot];
    int64_t took_ns = gw_wait_ns(wait->since_ns, f->s->now_ns);

    if (f->answers == 0)
        course->answers++;
    course->troubled = course->troubled || ambiguous || wait->suspect.noted;
    if (wait->since_ns > course->answered_ns)
        course->answered_ns = wait->since_ns;
    if (ambiguous)
        return;
    gw_eb_note_fault(f->s, wait);
    if (took_ns > course->slowest_ns)
        course->slowest_ns = took_ns;
    else
        course->slowest_ns = gw_span_ns(course->slowest_ns / 16, course->slowest_ns); /* fades */
}

/* What had to go while it waited may be what the message at hand answers. */
static bool may_be_pushed(const gw_eb_feeding *f, const gw_eb_wait *wait)
{
    return gw_eb_lost_track(f->s, f->s->courses[wait->asked.slot].pushed_ns);
}

void gw_eb_take_answer(gw_eb_feeding *f, gw_eb_wait *wait, const gw_eb_found *found)
{
    bool ambiguous = found != NULL && found->ambiguous;

    clear_suspect(f, wait);
    gw_eb_relate(f, GW_ANSWERS, wait, ambiguous);
    note_course(f, wait, ambiguous);
    wait->unsure =
        (ambiguous && (wait->asked.stream == 0 || found->differs)) || may_be_pushed(f, wait);
    f->answered = wait;
    if (f->answers == 0) {
        f->request = wait->asked.frame;
    } else if (f->request != wait->asked.frame) {
        f->mixed = true;
    }
    f->answers++;
    gw_eb_settle(f->s, wait, GW_EB_WAIT_ANSWERED, f->m->frame);
    gw_eb_doubt(f->s, wait, f->sink);
}

void gw_eb_suspect_answer(gw_eb_feeding *f, gw_eb_wait *wait, const gw_eb_suspect *suspect)
{
    if (gw_dialect_waives(f->dialect, &gw_eb_rules[suspect->rule])) {
        gw_eb_take_answer(f, wait, NULL);
        return;
    }
    wait->unsure = wait->unsure || may_be_pushed(f, wait);
    wait->suspect = *suspect;
    wait->suspect.noted = true;
    wait->suspect.frame = f->m->frame;
    wait->suspect.time_ns = f->m->time_ns;
    wait->suspect.unit = f->unit;
}
