/* SPDX-License-Identifier: BSD-2-Clause */
/* What a session says: relations between messages, and rules broken between them. */
#include "etherbone/session/session.h"

/* ---- relations ---- */

void gw_eb_relate(const gw_eb_feeding *f, gw_relation_kind kind, const gw_eb_wait *wait,
                  bool ambiguous)
{
    gw_relate(f->sink, &(gw_relation){
                           .request = wait->asked.frame,
                           .response = f->m->frame,
                           .earlier = kind == GW_DUPLICATE ? wait->answer : 0,
                           .delta_ns = gw_wait_ns(wait->asked.time_ns, f->m->time_ns),
                           .request_unit = wait->asked.unit,
                           .response_unit = f->unit,
                           .kind = (uint8_t)kind,
                           .ambiguous = ambiguous,
                       });
}

void gw_eb_relate_stale(gw_eb_feeding *f, const gw_eb_wait *wait)
{
    f->s->courses[wait->asked.slot].troubled = true;
    gw_eb_relate(f, GW_STALE, wait, false);
}

void gw_eb_relate_stray(gw_eb_sessions *s, gw_verdict_sink *sink, uint64_t frame, uint32_t unit,
                        unsigned slot)
{
    gw_eb_course *course = &s->courses[slot];
    bool unsure = gw_eb_lost_track(s, course->blind_ns) || gw_eb_lost_track(s, course->pushed_ns) ||
                  gw_eb_lost_track(s, course->forgot_ns);
    course->troubled = true;

    gw_relate(sink, &(gw_relation){
                        .response = frame,
                        .response_unit = unit,
                        .kind = unsure ? GW_UNTRACKED : GW_UNSOLICITED,
                    });
}

void gw_eb_relate_repeat(gw_eb_feeding *f, gw_eb_wait *wait, uint32_t offset)
{
    gw_judge judge = gw_judge_of(f->m, f->dialect, f->sink);
    gw_eb_course *course = &f->s->courses[wait->asked.slot];

    course->troubled = true;
    if (gw_eb_lost_track(f->s, course->pushed_ns)) {
        /* It may answer a request like |wait| that had to go. */
        gw_eb_relate_stray(f->s, f->sink, f->m->frame, f->unit, wait->asked.slot);
        return;
    }
    gw_eb_relate(f, GW_DUPLICATE, wait, false);
    if (!wait->repeated && !f->counted_repeat) {
        f->counted_repeat = true;
        course->repeats++;
    }
    wait->repeated = true;
    if (f->told_repeat || !gw_eb_stammers(f->s, wait))
        return; /* the network may have made the copy, and lost the request for another */
    f->told_repeat = true; /* once a message */
    gw_eb_report(&judge, EB_S52,
                 wait->asked.key.kind == GW_EB_WAIT_PROBE ? GW_EB_F_PROBE_ID : GW_EB_F_WRITE_BASE,
                 offset, "this repeats the answer of frame %d to frame %d",
                 GW_NUMBERS(wait->answer, wait->asked.frame));
}

/* ---- suspect answers ---- */

/* The field that a suspect's broken rule shows in, and what to say about the value seen there. */
static void report_suspect(const gw_eb_sessions *s, const gw_eb_wait *wait, gw_verdict_sink *sink)
{
    const gw_eb_suspect *suspect = &wait->suspect;
    gw_judge judge = {sink, wait->asked.dialect, suspect->frame, s->frame};
    uint64_t seen = suspect->value;

    switch (suspect->rule) {
    case EB_S03:
        gw_eb_report(&judge, EB_S03, suspect->is_request ? GW_EB_F_PF : GW_EB_F_PR, suspect->start,
                     suspect->is_request
                         ? "PF is set in the answer to the probe of frame %d; PR alone is expected"
                         : "PR is clear in the answer to the probe of frame %d, whose id it has",
                     GW_NUMBERS(wait->asked.frame));
        break;
    case EB_S04:
        gw_eb_report(&judge, EB_S04, GW_EB_F_PROBE_ID, suspect->start,
                     "the probe id is %x; %x, as in frame %d, is expected",
                     GW_NUMBERS(seen, wait->asked.key.base, wait->asked.frame));
        break;
    case EB_S10:
        gw_eb_report(&judge, EB_S10, GW_EB_F_VERSION, suspect->start,
                     "version is %d; 1, as in the request of frame %d, is expected",
                     GW_NUMBERS(seen, wait->asked.frame));
        break;
    case EB_S11:
        gw_eb_report(&judge, EB_S11, GW_EB_F_ADDR_WIDTH, suspect->start,
                     "widths are %x; %x, as in the request of frame %d, are expected",
                     GW_NUMBERS(seen, wait->asked.widths, wait->asked.frame));
        break;
    case EB_S19:
        gw_eb_report(&judge, EB_S19, suspect->is_request ? GW_EB_F_RCOUNT : GW_EB_F_WCOUNT,
                     suspect->start,
                     suspect->is_request
                         ? "the record reads %d words as that of frame %d does; a reply writes them"
                         : "the record writes %d words; the request of frame %d reads %d",
                     GW_NUMBERS(seen, wait->asked.frame, wait->asked.key.count));
        break;
    case EB_S20:
        gw_eb_report(
            &judge, EB_S20, GW_EB_F_WCA, suspect->start,
            "WCA is %d; BCA is %d in the request of frame %d",
            GW_NUMBERS(seen, wait->asked.key.kind == GW_EB_WAIT_CONFIG, wait->asked.frame));
        break;
    case EB_S22:
        gw_eb_report(&judge, EB_S22, GW_EB_F_WRITE_BASE, suspect->start,
                     "the base address is %x; the whole return address %x of frame %d is expected",
                     GW_NUMBERS(seen, wait->asked.key.base, wait->asked.frame));
        break;
    default:
        gw_eb_report(&judge, EB_S44, GW_EB_F_WRITE_BASE, suspect->start,
                     "the reply went to port %d; the request of frame %d came from port %d",
                     GW_NUMBERS(seen, wait->asked.frame, wait->asked.requester.port));
        break;
    }
}

/* ---- what became of a request ---- */

static void report_unanswered(gw_eb_sessions *s, const gw_eb_wait *wait, gw_verdict_sink *sink)
{
    gw_judge judge = {sink, wait->asked.dialect, wait->asked.frame, s->frame};
    bool probe = wait->asked.key.kind == GW_EB_WAIT_PROBE;

    /* Where the capture ends the answer may still have been on its way. */
    if (gw_wait_ns(wait->since_ns, s->now_ns) <= s->give_up_ns)
        return;
    if (wait->asked.quiet || wait->asked.frame == s->last_unanswered || !gw_eb_is_deaf(wait))
        return;
    s->last_unanswered = wait->asked.frame; /* once a message, however many records it has */
    gw_eb_report(&judge, EB_S51, probe ? GW_EB_F_PROBE_ID : GW_EB_F_RCOUNT,
                 probe ? GW_EB_BYTES_IN_HEADER : wait->asked.offset,
                 probe ? "no answer to this probe was seen in %t"
                       : "no reply to the reads of this record was seen in %t",
                 GW_NUMBERS((uint64_t)gw_wait_ns(wait->since_ns, s->now_ns)));
}

/* Where the capture ends answers may still have been on their way; not so when later requests got
 * theirs. */
static void note_loss(gw_eb_sessions *s, const gw_eb_wait *wait)
{
    gw_eb_course *course = &s->courses[wait->asked.slot];

    if (!wait->asked.quiet && (gw_wait_ns(wait->since_ns, s->now_ns) > s->give_up_ns ||
                               course->answered_ns > wait->since_ns))
        course->troubled = true;
}

/* What was suspected is no answer to this request, as far as anybody can say. */
static void clear_suspect(gw_eb_sessions *s, const gw_eb_wait *wait, gw_verdict_sink *sink)
{
    const gw_eb_suspect *suspect = &wait->suspect;

    if (suspect->noted && suspect->surely && !suspect->is_request)
        gw_eb_relate_stray(s, sink, suspect->frame, suspect->unit, wait->asked.slot);
}

bool gw_eb_relate_outcome(gw_eb_sessions *s, const gw_eb_wait *wait, bool pushed_out,
                          gw_verdict_sink *sink)
{
    gw_relation relation = {.request = wait->asked.frame, .request_unit = wait->asked.unit};
    bool blind =
        s->courses[wait->asked.slot].blind_ns >= wait->since_ns || gw_eb_has_moved(s, wait);

    if (gw_eb_proves_suspect(s, wait)) {
        relation.kind = GW_ANSWERS;
        relation.response = wait->suspect.frame;
        relation.response_unit = wait->suspect.unit;
        relation.delta_ns = gw_wait_ns(wait->asked.time_ns, wait->suspect.time_ns);
        gw_relate(sink, &relation);
        report_suspect(s, wait, sink);
        return true;
    }
    relation.kind = pushed_out || blind ? GW_UNTRACKED : GW_UNANSWERED;
    gw_relate(sink, &relation);
    clear_suspect(s, wait, sink);
    if (relation.kind == GW_UNANSWERED) {
        note_loss(s, wait);
        report_unanswered(s, wait, sink);
    }
    return false;
}

/* ---- pairs ---- */

void gw_eb_judge_pair(const gw_eb_feeding *f, const gw_eb_record *record, bool whole,
                      gw_eb_wait *wait)
{
    uint8_t flags = record->flags & (uint8_t) ~(GW_EB_RESERVED_10 | GW_EB_RESERVED_01);

    wait->num_breaches = 0;
    if (GW_UNLIKELY(flags != gw_eb_derived_flags(wait->asked.flags)))
        gw_eb_note_breach(wait, GW_EB_BREACH_FLAGS, flags, record->offset);
    if (GW_UNLIKELY(record->byte_enable != wait->asked.byte_enable))
        gw_eb_note_breach(wait, GW_EB_BREACH_ENABLES, record->byte_enable, record->offset);
    /* Of a record that is not whole the one-message check tells the counts. */
    if (GW_UNLIKELY(record->rcount > 0))
        gw_eb_note_breach(wait, whole ? GW_EB_BREACH_COUNTS : GW_EB_BREACH_READS, record->rcount,
                          record->offset);
    if (GW_UNLIKELY(f->reader.layout.widths != wait->asked.widths))
        gw_eb_note_breach(wait, GW_EB_BREACH_WIDTHS, f->reader.layout.widths, 0);
}

/* ---- a reply as a whole ---- */

/* Whether |wait| is what the message at hand answers: in a full table its entry may have gone. */
static bool is_answered(const gw_eb_feeding *f, const gw_eb_wait *wait)
{
    return wait != NULL && wait->state == GW_EB_WAIT_ANSWERED && wait->answer == f->m->frame;
}

static void judge_len(gw_eb_feeding *f)
{
    gw_eb_wait *wait = f->answered;
    uint32_t len = f->m->len;

    if (f->m->transport == GW_OVER_TCP || f->mixed || !is_answered(f, wait))
        return;
    if (len > wait->asked.len) {
        gw_eb_note_breach(wait, GW_EB_BREACH_LEN, len, wait->asked.len);
    } else if (f->misplaced != 0) {
        if (!is_answered(f, f->displaced))
            return;
        wait = f->displaced;
        gw_eb_note_breach(wait, GW_EB_BREACH_PLACE, f->misplaced, f->misplaced);
    } else if (f->zero_filled && len != wait->asked.len) {
        gw_eb_note_breach(wait, GW_EB_BREACH_ZEROS, len, len);
    }
    gw_eb_doubt(f->s, wait, f->sink);
}

void gw_eb_judge_reply(gw_eb_feeding *f)
{
    judge_len(f);
    if (f->requests == 0)
        gw_eb_check_reply(f->m, f->dialect, f->sink);
}
