/* SPDX-License-Identifier: BSD-2-Clause */
/* What is wrong with an answer, and what proves it, when datagrams get lost, come twice and change
 * places, and masters use return addresses again: then the answer to one request looks like a wrong
 * one to another. */
#include "etherbone/session/session.h"

enum {
    OFTEN = 8,           /* what happens so often, and most of the time, is no accident */
    DEAF_AFTER = 8,      /* times in a row without an answer, while others got theirs */
    STAMMERS_AFTER = 16, /* answers that came again: a path that copies a fifth of what passes, and
                            of the requests, makes a third of them come so */
};

static gw_eb_course *course_of(gw_eb_sessions *s, const gw_eb_wait *wait)
{
    return &s->courses[wait->asked.slot];
}

/* What each of a board's answers shows is no accident; answers that are paired with the wrong
 * requests differ from these now in one way, now in another. */
static bool is_usual_fault(const gw_eb_course *course, const gw_eb_wait *wait)
{
    return course->usual != 0 && course->usual == gw_eb_fault_of(wait) && course->excess >= OFTEN &&
           course->excess >= course->sure / 2;
}

bool gw_eb_lost_track(const gw_eb_sessions *s, int64_t lost_ns)
{
    return lost_ns != INT64_MIN && gw_wait_ns(lost_ns, s->now_ns) <= s->give_up_ns;
}

bool gw_eb_has_moved(const gw_eb_sessions *s, const gw_eb_wait *wait)
{
    uint32_t moved = s->courses[wait->asked.slot].moved;

    return wait->asked.stream != 0 && (moved == wait->asked.stream || moved == GW_EB_ANY_STREAM);
}

/* A stream loses nothing and keeps its order, so each answer counts, as long as we see it all. Not
 * each request has one, though: of two that differ nobody knows which it is to. */
static bool is_sound(const gw_eb_sessions *s, const gw_eb_wait *wait)
{
    return !wait->unsure && !gw_eb_has_moved(s, wait) &&
           !gw_eb_lost_track(s, s->courses[wait->asked.slot].blind_ns);
}

bool gw_eb_proves(const gw_eb_sessions *s, const gw_eb_wait *wait, bool alike)
{
    const gw_eb_course *course = &s->courses[wait->asked.slot];

    if (wait->asked.stream != 0)
        return is_sound(s, wait);
    if (wait->unsure)
        return false;
    if (!course->troubled || is_usual_fault(course, wait))
        return true;
    return !alike && !course->reused && course->forgot_ns == INT64_MIN;
}

/* A host that reads nothing itself is no master, and what it writes are replies. */
static bool is_reply(const gw_eb_sessions *s, const gw_eb_wait *wait)
{
    return wait->suspect.surely || !gw_eb_has_asked(&s->table, &wait->asked.responder);
}

/* Several programs of one host use the same return addresses from different ports. */
static bool went_astray(const gw_eb_sessions *s, const gw_eb_wait *wait)
{
    gw_endpoint end = wait->asked.requester;

    end.port = (uint16_t)wait->suspect.value;
    return s->courses[wait->asked.slot].answers == 0 && !gw_eb_has_asked(&s->table, &end);
}

bool gw_eb_proves_suspect(const gw_eb_sessions *s, const gw_eb_wait *wait)
{
    if (!wait->suspect.noted)
        return false;
    if (wait->asked.stream != 0)
        return is_sound(s, wait);
    if (!is_reply(s, wait))
        return false;
    if (wait->suspect.rule == EB_S44)
        return went_astray(s, wait);
    return gw_eb_proves(s, wait, wait->suspect.rule == EB_S04);
}

/* ---- what is wrong with an answer ---- */

uint8_t gw_eb_derived_flags(uint8_t request)
{
    return (uint8_t)((request & GW_EB_CYC) | ((request & GW_EB_BCA) != 0 ? GW_EB_WCA : 0) |
                     ((request & GW_EB_RFF) != 0 ? GW_EB_WFF : 0));
}

/* The flag that |wrong| bits are best shown at. */
static int flag_field(uint8_t wrong)
{
    if (wrong & GW_EB_CYC)
        return GW_EB_F_CYC;
    if (wrong & GW_EB_WFF)
        return GW_EB_F_WFF;
    if (wrong & GW_EB_BCA)
        return GW_EB_F_BCA;
    return wrong & GW_EB_RCA ? GW_EB_F_RCA : GW_EB_F_RFF;
}

void gw_eb_note_breach(gw_eb_wait *wait, enum gw_eb_breach_kind kind, uint32_t seen, uint32_t start)
{
    uint8_t num = wait->num_breaches;

    //@ split num;
    if (num < GW_EB_MAX_BREACHES) {
        wait->breaches[num] = (gw_eb_breach){.seen = seen, .start = start, .kind = (uint8_t)kind};
        wait->num_breaches = num + 1;
    }
}

static void report_breach(const gw_eb_sessions *s, const gw_eb_wait *wait, const gw_eb_breach *b,
                          gw_verdict_sink *sink)
{
    const gw_eb_request *asked = &wait->asked;
    gw_judge judge = {sink, asked->dialect, wait->answer, s->frame};
    uint8_t flags = gw_eb_derived_flags(asked->flags);

    switch ((enum gw_eb_breach_kind)b->kind) {
    case GW_EB_BREACH_FLAGS:
        gw_eb_report(&judge, EB_S20, flag_field((uint8_t)b->seen ^ flags), b->start,
                     "record flags are %x; the %x of frame %d make them %x",
                     GW_NUMBERS(b->seen, asked->flags, asked->frame, flags));
        break;
    case GW_EB_BREACH_ENABLES:
        gw_eb_report(&judge, EB_S21, GW_EB_F_BYTE_ENABLE, b->start,
                     "byte enable is %x; %x, as in frame %d, is expected",
                     GW_NUMBERS(b->seen, asked->byte_enable, asked->frame));
        break;
    case GW_EB_BREACH_WIDTHS:
        gw_eb_report(&judge, EB_S11, GW_EB_F_ADDR_WIDTH, b->start,
                     "widths are %x; %x, as in the request of frame %d, are expected",
                     GW_NUMBERS(b->seen, asked->widths, asked->frame));
        break;
    case GW_EB_BREACH_COUNTS:
    case GW_EB_BREACH_READS:
        if (b->kind == GW_EB_BREACH_COUNTS)
            gw_eb_report(&judge, EB_S19, GW_EB_F_RCOUNT, b->start,
                         "read count is %d; a reply record reads none", GW_NUMBERS(b->seen));
        gw_eb_report(&judge, EB_S25, GW_EB_F_RCOUNT, b->start,
                     "the answer to frame %d carries %d reads; a reply carries none",
                     GW_NUMBERS(asked->frame, b->seen));
        break;
    case GW_EB_BREACH_LEN:
        gw_eb_report(&judge, EB_S25, GW_EB_F_UNDECODED, b->start,
                     "the reply is %d bytes long, its request in frame %d only %d",
                     GW_NUMBERS(b->seen, asked->frame, asked->len));
        break;
    case GW_EB_BREACH_PLACE:
        gw_eb_report(&judge, EB_S27, GW_EB_F_BCA, b->start,
                     "a record header is at byte %d; a zero-filled reply to frame %d has it at %d",
                     GW_NUMBERS(b->seen, asked->frame, asked->reply_offset));
        break;
    case GW_EB_BREACH_ZEROS:
        gw_eb_report(&judge, EB_S27, GW_EB_F_UNDECODED, b->start,
                     "the zero-filled reply is %d bytes long; its request in frame %d has %d",
                     GW_NUMBERS(b->seen, asked->frame, asked->len));
        break;
    }
}

/* ---- answers that are in doubt ---- */

static uint32_t expected(const gw_eb_request *asked, uint8_t kind)
{
    switch (kind) {
    case GW_EB_BREACH_FLAGS:
        return gw_eb_derived_flags(asked->flags);
    case GW_EB_BREACH_ENABLES:
        return asked->byte_enable;
    case GW_EB_BREACH_WIDTHS:
        return asked->widths;
    default:
        return 0;
    }
}

uint32_t gw_eb_fault_of(const gw_eb_wait *wait)
{
    uint32_t fault = 0;

    for (unsigned i = 0; i < wait->num_breaches; i++) {
        const gw_eb_breach *b = &wait->breaches[i];
        if (b->kind < GW_EB_BREACH_LEN)
            fault = fault * 0x9e3779b1 + ((b->seen ^ expected(&wait->asked, b->kind)) << 4) +
                    b->kind + 1;
    }
    return fault;
}

/* The majority, in one pass: what is not the candidate cancels one of it. */
void gw_eb_note_fault(gw_eb_sessions *s, const gw_eb_wait *wait)
{
    gw_eb_course *course = course_of(s, wait);
    uint32_t fault = gw_eb_fault_of(wait);

    course->sure++;
    if (course->excess == 0)
        course->usual = fault;
    if (course->usual == fault)
        course->excess++;
    else
        course->excess--;
}

static void tell_if_proven(const gw_eb_sessions *s, gw_eb_wait *wait, gw_verdict_sink *sink)
{
    for (unsigned i = 0; i < wait->num_breaches && gw_eb_proves(s, wait, false); i++)
        report_breach(s, wait, &wait->breaches[i], sink);
    wait->num_breaches = 0;
}

void gw_eb_doubt(gw_eb_sessions *s, gw_eb_wait *wait, gw_verdict_sink *sink)
{
    if (wait->num_breaches == 0)
        return;
    if (wait->asked.stream != 0)
        tell_if_proven(s, wait, sink);
    else if (wait->list != GW_EB_DOUBTED)
        gw_eb_table_move(&s->table, wait, GW_EB_DOUBTED);
}

void gw_eb_settle_doubt(gw_eb_sessions *s, gw_eb_wait *wait, gw_verdict_sink *sink)
{
    tell_if_proven(s, wait, sink);
    gw_eb_table_move(&s->table, wait, GW_EB_DONE);
}

/* ---- answers that are missing, or too many ---- */

void gw_eb_count_miss(gw_eb_sessions *s, gw_eb_wait *wait)
{
    uint32_t answers = course_of(s, wait)->answers;
    unsigned seen = 0;

    wait->answers = answers;
    wait->misses = 1;
    for (gw_eb_wait *w = gw_eb_table_chain(&s->table, wait->hash);
         w != NULL && seen < GW_EB_MAX_CHAIN; w = gw_eb_table_chain_next(&s->table, w), seen++) {
        if (w->hash != wait->hash || w->state != GW_EB_WAIT_GIVEN_UP ||
            !gw_eb_same_request(&w->asked, &wait->asked) ||
            !gw_eb_same_form(&w->asked, &wait->asked))
            continue;
        wait->misses = w->misses;
        if (w->answers != answers && w->misses < DEAF_AFTER)
            wait->misses++;
    }
}

bool gw_eb_is_deaf(const gw_eb_wait *wait)
{
    return wait->asked.stream != 0 || wait->misses >= DEAF_AFTER;
}

bool gw_eb_stammers(const gw_eb_sessions *s, const gw_eb_wait *wait)
{
    const gw_eb_course *course = &s->courses[wait->asked.slot];

    if (wait->asked.stream != 0)
        return is_sound(s, wait);
    return course->repeats >= STAMMERS_AFTER &&
           course->repeats >= course->answers - course->answers / 4;
}
