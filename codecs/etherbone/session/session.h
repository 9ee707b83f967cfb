/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of the EtherBone session share.
 *
 * A session pairs reply records with request records by who talks to whom, then by return space,
 * return address and count, and probes by their id. Masters use return addresses and ports again,
 * so of several requests that await the same the order decides, and such a pair proves nothing. A
 * reply that fits nothing exactly may be suspected of being a faulty answer; the suspicion becomes
 * a finding only when the request is given up and no better answer came.
 *
 * Datagrams get lost, come twice and change places, before the capture and in it. What is wrong
 * with an answer is kept until its request would be given up, and told only where neither shows:
 * either all of the conversation fits together, or no return address in it was ever used twice. */
#ifndef ETHERBONE_SESSION_H
#define ETHERBONE_SESSION_H

#include "core/check.h"
#include "etherbone/internal.h"
#include "etherbone/report.h"
#include "etherbone/session/session_hash.h"
#include "etherbone/session/session_table.h"

enum {
    GW_EB_SLOTS = 64,      /* conversations are noted by hash in this many slots */
    GW_EB_MAX_CHAIN = 512, /* entries of one hash that are looked at */
};

#define GW_EB_ANY_STREAM                                                                           \
    UINT32_MAX /* of gw_eb_course.moved: one of several, and nobody knows which */

/* gw_eb_agreement is what a probe and its response offered each other. */
typedef struct gw_eb_agreement {
    gw_endpoint requester;
    gw_endpoint responder;
    uint64_t frame;  /* of the response */
    int64_t used_ns; /* last, by the requester */
    uint8_t widths;  /* in both masks */
    bool known;
} gw_eb_agreement;

/* gw_eb_course is how a conversation went so far. Times are when the session last lost sight of it;
 * INT64_MIN: never. */
typedef struct gw_eb_course {
    int64_t blind_ns;    /* bytes were missing, or too much was waiting to be searched */
    int64_t pushed_ns;   /* a request had to go while it waited */
    int64_t forgot_ns;   /* the answer that was forgotten last came */
    int64_t answered_ns; /* the youngest request that was answered came */
    int64_t slowest_ns;  /* an answer took so long, lately */
    uint32_t answers;    /* messages that answered ... */
    uint32_t repeats;    /* ... that came again */
    uint32_t sure;       /* answers that one request only can have had */
    uint32_t usual;      /* what is wrong with most of these, as gw_eb_fault_of; 0: nothing */
    uint32_t excess;     /* by which these are more than the others */
    uint32_t moved;      /* gw_eb_stream_of a connection that had a header where a record should be:
                            nobody knows where its other end saw records since; 0: none */
    bool reused;         /* one end used a return address twice */
    bool troubled;       /* something was lost, came twice, or may answer several requests */
} gw_eb_course;

/* gw_eb_sessions is the state of a session; the table's memory follows it. */
typedef struct gw_eb_sessions {
    gw_eb_table table;
    int64_t now_ns; /* the latest time stamp so far: time never runs back */
    int64_t give_up_ns;
    uint64_t frame;           /* fed last */
    uint64_t last_unanswered; /* the frame that was last reported so */
    uint32_t num_agreements;
    bool started;
    gw_eb_course courses[GW_EB_SLOTS]; /* by conversation */
    gw_eb_agreement agreements[GW_EB_SLOTS];
} gw_eb_sessions;

/* gw_eb_found is what the table holds for a key, as seen from a reply. */
typedef struct gw_eb_found {
    gw_eb_wait *open;   /* the oldest of the best waiting */
    gw_eb_wait *done;   /* the youngest of the best done */
    uint8_t open_score; /* gw_eb_score */
    uint8_t done_score;
    uint8_t alike;  /* so many open ones fit as well as the best */
    bool ambiguous; /* another frame's request waits for the same, ... */
    bool differs;   /* ... and would be answered otherwise */
    bool gave_up;   /* too many of this hash to look at them all: nothing can be said */
} gw_eb_found;

/* gw_eb_score says how well a reply's ends fit a request's. */
enum gw_eb_score {
    GW_EB_NO_MATCH = 0,
    GW_EB_OTHER_PORT,   /* sent to another port than the requester's */
    GW_EB_OTHER_SOURCE, /* sent by another port, or as to probes another address, than asked */
    GW_EB_EXACT,
};

/* gw_eb_open_fits and gw_eb_done_fits say whether something that waits, or that is done with, fits
 * |least| or better. */
static inline bool gw_eb_open_fits(const gw_eb_found *found, uint8_t least)
{
    return found->open != NULL && found->open_score >= least;
}

static inline bool gw_eb_done_fits(const gw_eb_found *found, uint8_t least)
{
    return found->done != NULL && found->done_score >= least;
}

/* gw_eb_feeding is one message on its way through the session. */
typedef struct gw_eb_feeding {
    gw_eb_sessions *s;
    const gw_message *m;
    const gw_dialect *dialect;
    gw_verdict_sink *sink;
    gw_eb_reader reader;
    uint32_t to_responder; /* hash of the conversation, if the sender asks ... */
    uint32_t to_requester; /* ... and if it answers */

    bool from_service; /* sent by a service port to another one */

    uint32_t unit;     /* of the record at hand */
    uint32_t empties;  /* empty records so far ... */
    uint32_t zeros;    /* ... of which all zero */
    uint32_t requests; /* records that read */
    uint32_t tries;    /* records for which a request that nearly fits was sought */
    bool surely_reply; /* the record at hand is one, whatever it answers */
    bool has_stray;    /* a record surely is a reply and answers nothing: the first such is ... */
    uint32_t stray_unit;
    bool counted_repeat; /* that this is one, the first of its answer */
    bool told_repeat;    /* that this is one */
    bool disagrees;      /* asks with widths that were not agreed */

    uint32_t answers;     /* records that answer ... */
    uint64_t request;     /* ... this frame ... */
    gw_eb_wait *answered; /* the last of them */
    bool mixed;           /* ... unless they answer several */
    bool zero_filled;     /* zeros stand where the request had writes */
    uint32_t misplaced; /* offset of the first record that is not where zero filling puts it ... */
    gw_eb_wait *displaced; /* ... and what it answers */
} gw_eb_feeding;

/* ---- session_match.c ---- */

/* gw_eb_stream_of returns what tells connections apart: 0 for a message of no connection. */
uint32_t gw_eb_stream_of(const gw_message *m);

/* gw_eb_key_of_request returns what the answer to a record that reads has to repeat;
 * gw_eb_key_of_reply what a record that writes repeats. */
gw_eb_key gw_eb_key_of_request(const gw_eb_record *record);
gw_eb_key gw_eb_key_of_reply(const gw_eb_record *record);

/* gw_eb_find looks for what |m| may answer when it repeats |key|. */
gw_eb_found gw_eb_find(const gw_eb_sessions *s, const gw_message *m, const gw_eb_key *key,
                       uint32_t hash);

/* gw_eb_fit is how well a request fits what is sought. */
enum gw_eb_fit {
    GW_EB_FITS_NOT = 0,
    GW_EB_FITS_POORLY,
    GW_EB_FITS_WELL,
    GW_EB_FITS_BEST,
};

/* gw_eb_fits_fn says how well |wait| fits what the caller seeks. It is asked first: few do. */
typedef enum gw_eb_fit (*gw_eb_fits_fn)(const gw_eb_wait *wait, const void *arg);

/* gw_eb_oldest_open returns the oldest waiting request between the ends of the reply |m| that has
 * no suspect yet and fits best. It looks at the oldest few only; NULL when none of them does. */
gw_eb_wait *gw_eb_oldest_open(const gw_eb_table *t, const gw_message *m, gw_eb_fits_fn fits,
                              const void *arg);

/* gw_eb_has_asked says whether |end| is known to have asked for something, or that cannot be told.
 */
bool gw_eb_has_asked(const gw_eb_table *t, const gw_endpoint *end);

/* gw_eb_same_request says whether two requests await the same answer from the same place, and
 * gw_eb_same_form whether what is judged of an answer is the same to both. */
bool gw_eb_same_request(const gw_eb_request *a, const gw_eb_request *b);
bool gw_eb_same_form(const gw_eb_request *a, const gw_eb_request *b);

/* ---- session_verdict.c ---- */

/* gw_eb_relate_repeat reports that the record or probe response at hand repeats the answer to
 * |wait|, its rule broken at byte |offset|. */
void gw_eb_relate_repeat(gw_eb_feeding *f, gw_eb_wait *wait, uint32_t offset);

/* gw_eb_relate reports |kind| between |wait| and the record at hand. */
void gw_eb_relate(const gw_eb_feeding *f, gw_relation_kind kind, const gw_eb_wait *wait,
                  bool ambiguous);

/* gw_eb_relate_stale reports that the record at hand answers |wait|, which was given up. */
void gw_eb_relate_stale(gw_eb_feeding *f, const gw_eb_wait *wait);

/* gw_eb_relate_stray reports a reply that answers nothing: unsolicited, or not to be told because
 * requests of conversation slot |slot| were forgotten or never captured. */
void gw_eb_relate_stray(gw_eb_sessions *s, gw_verdict_sink *sink, uint64_t frame, uint32_t unit,
                        unsigned slot);

/* gw_eb_relate_outcome reports what became of a request that waits no longer: its suspect answer,
 * no answer, or that nothing can be said because it is |pushed_out| or bytes are missing. True when
 * the suspect is the answer. */
bool gw_eb_relate_outcome(gw_eb_sessions *s, const gw_eb_wait *wait, bool pushed_out,
                          gw_verdict_sink *sink);

/* gw_eb_judge_pair judges |record| of the message at hand as the answer to |wait|; |whole| says
 * that all of its bytes are there. What is wrong is noted with |wait|. */
void gw_eb_judge_pair(const gw_eb_feeding *f, const gw_eb_record *record, bool whole,
                      gw_eb_wait *wait);

/* gw_eb_judge_reply judges the message as a whole, all its records having been paired. */
void gw_eb_judge_reply(gw_eb_feeding *f);

/* ---- session_doubt.c ---- */

/* gw_eb_lost_track says whether a moment |lost_ns| of gw_eb_course is recent enough to matter. */
bool gw_eb_lost_track(const gw_eb_sessions *s, int64_t lost_ns);

/* gw_eb_has_moved says whether |wait| was asked in a stream of which gw_eb_note_moved was told, or
 * may have been. */
bool gw_eb_has_moved(const gw_eb_sessions *s, const gw_eb_wait *wait);

/* gw_eb_derived_flags returns the flags of the answer to a record with flags |request|. */
uint8_t gw_eb_derived_flags(uint8_t request);

/* gw_eb_note_breach notes that the answer to |wait| is wrong, by |seen|, in a group that begins at
 * its byte |start|. */
void gw_eb_note_breach(gw_eb_wait *wait, enum gw_eb_breach_kind kind, uint32_t seen,
                       uint32_t start);

/* gw_eb_fault_of returns a number for what is wrong with the records of the answer to |wait|, the
 * same for the same fault; 0: nothing. gw_eb_note_fault notes it in the course of its conversation.
 */
uint32_t gw_eb_fault_of(const gw_eb_wait *wait);
void gw_eb_note_fault(gw_eb_sessions *s, const gw_eb_wait *wait);

/* gw_eb_doubt keeps |wait|, done with, until what is wrong with its answer can be told; nothing has
 * to be kept of a stream, which loses nothing. */
void gw_eb_doubt(gw_eb_sessions *s, gw_eb_wait *wait, gw_verdict_sink *sink);

/* gw_eb_settle_doubt tells what is wrong with the answer to |wait|, if it surely is one. */
void gw_eb_settle_doubt(gw_eb_sessions *s, gw_eb_wait *wait, gw_verdict_sink *sink);

/* gw_eb_proves says whether the answer to |wait| surely is one to it; |alike| says that nothing in
 * it repeats what was asked. */
bool gw_eb_proves(const gw_eb_sessions *s, const gw_eb_wait *wait, bool alike);

/* gw_eb_proves_suspect says whether |wait| has a suspect that surely is a wrong answer to it. */
bool gw_eb_proves_suspect(const gw_eb_sessions *s, const gw_eb_wait *wait);

/* gw_eb_count_miss counts how often |wait|, which is given up, was asked in vain. */
void gw_eb_count_miss(gw_eb_sessions *s, gw_eb_wait *wait);

/* gw_eb_is_deaf says whether it was asked in vain often enough to be told, and gw_eb_stammers
 * whether the answers of the conversation of |wait| come twice so often. */
bool gw_eb_is_deaf(const gw_eb_wait *wait);
bool gw_eb_stammers(const gw_eb_sessions *s, const gw_eb_wait *wait);

/* ---- session_keep.c ---- */

/* gw_eb_pass_time lets session time advance to |time_ns| and settles what waited too long. */
void gw_eb_pass_time(gw_eb_sessions *s, int64_t time_ns, gw_verdict_sink *sink);

/* gw_eb_keep enters a request under the hash of its key, pushing the oldest entry out when there is
 * no room. */
gw_eb_wait *gw_eb_keep(gw_eb_sessions *s, const gw_eb_request *asked, uint32_t hash,
                       gw_verdict_sink *sink);

/* gw_eb_settle moves |wait| from waiting to done and forgets an older one like it. |answer| is the
 * frame that answered it, if one did. */
void gw_eb_settle(gw_eb_sessions *s, gw_eb_wait *wait, enum gw_eb_wait_state state,
                  uint64_t answer);

/* gw_eb_note_blind notes that the message at hand, or what follows it, could not be seen or placed:
 * whatever waits in either direction may have been answered there. */
void gw_eb_note_blind(gw_eb_feeding *f);

/* gw_eb_note_moved notes that nobody knows where the stream of the message at hand goes on. */
void gw_eb_note_moved(gw_eb_feeding *f);

/* gw_eb_give_up settles |wait| with what is known of it: a suspect answer, or none. */
void gw_eb_give_up(gw_eb_sessions *s, gw_eb_wait *wait, gw_verdict_sink *sink);

/* gw_eb_suspect_answer notes the record at hand as a possible answer to |wait|, with the rule,
 * value, start and flags of |suspect|. When the dialect waives the rule it is an answer at once.
 */
void gw_eb_suspect_answer(gw_eb_feeding *f, gw_eb_wait *wait, const gw_eb_suspect *suspect);

/* gw_eb_take_answer settles |wait| as answered by the record at hand, as it was |found|; NULL: no
 * other request can have been meant. */
void gw_eb_take_answer(gw_eb_feeding *f, gw_eb_wait *wait, const gw_eb_found *found);

/* ---- session_record.c ---- */

/* gw_eb_feed_record takes the record that the reader has just delivered. */
void gw_eb_feed_record(gw_eb_feeding *f, const gw_eb_record *record);

/* gw_eb_feed_broken_record takes what is left of a record at the reader's cursor. */
void gw_eb_feed_broken_record(gw_eb_feeding *f);

/* gw_eb_feed_otherwise tries to read a message that answers nothing with the version and widths
 * that a request asked for. True when it then answers something. */
bool gw_eb_feed_otherwise(gw_eb_feeding *f);

/* ---- session_probe.c ---- */

/* gw_eb_feed_probe takes the message at hand as a probe, gw_eb_feed_probe_response as the answer to
 * one. */
void gw_eb_feed_probe(gw_eb_feeding *f);
void gw_eb_feed_probe_response(gw_eb_feeding *f);

/* gw_eb_feed_unmarked_response takes the message at hand, which is no probe and answers nothing, as
 * the answer to a probe whose id it has, PR forgotten. True when there is such a probe. */
bool gw_eb_feed_unmarked_response(gw_eb_feeding *f);

/* gw_eb_judge_agreed judges a request's widths by what a probe agreed on (M04). False when they
 * were not agreed: the slave need not answer. */
bool gw_eb_judge_agreed(const gw_eb_feeding *f);

#endif
