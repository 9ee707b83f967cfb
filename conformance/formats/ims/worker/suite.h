/* SPDX-License-Identifier: BSD-2-Clause */
/* What the cases for an IMS Worker share: playing its buffer, well or in a set behavior, and
 * looking at what it did. */
#ifndef GOLDWIRE_FORMATS_IMS_WORKER_SUITE_H
#define GOLDWIRE_FORMATS_IMS_WORKER_SUITE_H

#include "goldwire/ims.h"
#include "measure/timing.h"
#include "run/case.h"

#define GW_IMSW_SENDINGS 2048    /* of frames that are remembered of a conversation */
#define GW_IMSW_BYTES (8u << 20) /* of the good conversation that are kept as evidence */
#define GW_IMSW_PACKETS 16384
#define GW_IMSW_DIRECTIONS (1u << 20) /* packets whose direction is remembered */
#define GW_IMSW_RULES 128
#define GW_IMSW_EVER UINT32_MAX
#define GW_IMSW_OTHERS 4 /* conversations that are judged besides the first */

/* gw_imsw_plan says how a frame is answered at first; after that it gets its ACK. */
typedef struct gw_imsw_plan {
    uint32_t frame;  /* number of the frame, by when it came first, from 0, or GW_IMSW_EVERY */
    uint32_t times;  /* it is answered so this many times */
    uint32_t events; /* of the NACK; 0: no answer at all */
    bool bare;       /* a NACK it is, without an event */
    bool early;      /* it comes before the frame's last packet */
    bool elsewhere;  /* it tells an address that nobody wrote to */
    int64_t late_ns; /* without events: the ACK comes so much later; 0: never */
} gw_imsw_plan;

#define GW_IMSW_EVERY UINT32_MAX

/* What a buffer can do besides, or instead. */
enum {
    GW_IMSW_WAITS = 1 << 0,    /* with its answers: whoever does not wait for them shows that */
    GW_IMSW_NOISY = 1 << 1,    /* fields of answers that may be anything are */
    GW_IMSW_RESERVED = 1 << 2, /* the reserved byte of answers is set */
    GW_IMSW_FALSE_RESPONSES =
        1 << 3,                /* before each answer come some that are for others, or for nobody */
    GW_IMSW_UNHEARD = 1 << 4,  /* the first request of each kind is not answered */
    GW_IMSW_NO_PLACE = 1 << 5, /* STAT_REQ is answered by STAT_DOWN */
    GW_IMSW_NO_MEMORY = 1 << 6, /* DATA_REQ is answered by DATA_DOWN */
    GW_IMSW_MOVES = 1 << 7,     /* a second DATA_RES, of other memory, follows the first frame */
    GW_IMSW_CLOSES = 1 << 8,    /* DATA_DOWN follows the first frame */
    GW_IMSW_STRANGER = 1 << 9,  /* instead of no answer: an ACK for an address nobody wrote to */
    GW_IMSW_REPEATS = 1 << 10,  /* each ACK comes three times, and that before once more */
    GW_IMSW_GARBAGE = 1 << 11,  /* before each ACK come packets that are no response */
    GW_IMSW_AHEAD = 1 << 12,    /* with DATA_RES, the second frame is refused as it is sent: behind
                                   a long path nothing else comes before its end */
};

/* gw_imsw_behavior is how we play the buffer. All zeros is a good one of version 1.1. */
typedef struct gw_imsw_behavior {
    uint8_t major; /* 0: 1.1 */
    uint8_t minor;
    unsigned tricks; /* of those above */
    const gw_imsw_plan *plans;
    size_t num_plans;
} gw_imsw_behavior;

/* gw_imsw_sending is a frame as it was sent once. */
typedef struct gw_imsw_sending {
    uint64_t va;
    uint32_t length; /* as the RDMA header says */
    uint32_t got;
    uint32_t number;  /* of the frame */
    uint32_t events;  /* of its NACK */
    unsigned packet;  /* its first one in the evidence */
    unsigned answer;  /* its response there; 0: none */
    int64_t start_ns; /* of our clock */
    int64_t answer_ns;
    bool whole;
    bool acked;
    bool refused;
} gw_imsw_sending;

/* gw_imsw_fault is the first finding against a rule. */
typedef struct gw_imsw_fault {
    bool found;
    bool alone;      /* the packet shows it whatever else was said, or got lost */
    bool clear;      /* nothing was missing, or out of order, until then */
    unsigned packet; /* of the conversation, from 1 */
    uint32_t offset;
    const gw_field *field;
    char text[192];
} gw_imsw_fault;

/* gw_imsw_session is one conversation, however long: what is not remembered has been judged. */
typedef struct gw_imsw_session {
    gw_imsw_sending sendings[GW_IMSW_SENDINGS];
    size_t num_sendings;
    uint32_t num_frames;                   /* different ones */
    uint32_t num_data;                     /* packets of data */
    uint32_t missing;                      /* packets of data, as their numbers tell */
    unsigned requests[GW_IMS_NUM_METHODS]; /* by method */
    uint8_t first_method;                  /* of its first packet; 255: not a status packet */
    uint16_t version;                      /* that its STAT_REQ tells: major << 8 | minor */
    uint32_t packet_bytes;                 /* data of its largest packet */
    unsigned before;                       /* packets of conversations that precede it ... */
    unsigned num_packets;                  /* ... and with its own, of both sides */
    unsigned num_received;
    unsigned gaps;                        /* in the sequence of its packets of data */
    unsigned disorder;                    /* packets of data that came late, or once more */
    unsigned hasty;                       /* packet: the first DATA_REQ before STAT_RES; 0: none */
    unsigned early;                       /* packet: the first of data before DATA_RES */
    unsigned after;                       /* packet: the first of data after the end of that */
    unsigned changed[GW_IMS_NUM_METHODS]; /* packet: a request unlike the first of its method */
    bool over;                            /* the Worker has finished what it came for */
    bool cut;                             /* we ended it */
    bool held;
    bool whole;                          /* see gw_case_whole */
    bool crowded;                        /* another Worker called in its middle */
    gw_imsw_fault faults[GW_IMSW_RULES]; /* by place in gw_ims.rules */
} gw_imsw_session;

/* gw_imsw_loss is what conversations with a buffer that says nothing wrong showed of the path: how
 * much of what was sent did not arrive. */
typedef struct gw_imsw_loss {
    unsigned data;     /* packets of data, or where one was missing ... */
    unsigned missing;  /* ... of them */
    unsigned requests; /* on the status channel ... */
    unsigned repeated; /* ... of them: as ours, or the answer, had not come */
} gw_imsw_loss;

/* gw_imsw_streak is how often in a row a case has failed at the very same place. */
typedef struct gw_imsw_streak {
    const gw_case *which;
    const char *rule;
    uint32_t place;
    unsigned num;
    bool lately; /* in the last conversation */
} gw_imsw_streak;

/* gw_imsw_state is what the suite remembers. */
typedef struct gw_imsw_state {
    gw_imsw_session good;                   /* with a good buffer */
    gw_imsw_session others[GW_IMSW_OTHERS]; /* behind that one, while its hook runs */
    size_t num_others;
    gw_imsw_session now;                         /* of the case that runs */
    gw_evidence_packet packets[GW_IMSW_PACKETS]; /* of the good conversations */
    size_t num_packets;
    uint8_t bytes[GW_IMSW_BYTES]; /* their bytes */
    size_t num_bytes;
    bool full; /* what came then is not kept */
    uint8_t
        early[GW_IB_PACKET_MAX]; /* the STAT_REQ that ended a conversation: it begins the next */
    gw_evidence_packet early_packet; /* whose len is 0 when there is none */
    unsigned missed;                 /* times in a row that the Worker did not come back */
    unsigned babbled;                /* conversations that ended because nothing new was said */
    const gw_case *recalled;         /* that looked at the good conversation last */
    uint32_t fewest; /* frames of a good conversation to its end; 0: there was none */
    gw_imsw_loss loss;
    gw_timing turns; /* between an answer of ours on the status channel and what the Worker did upon
                        it: no less than the path takes there and back */
    gw_imsw_streak streak;
    uint64_t session[65536];                /* memory of the codec's session ... */
    uint64_t images[65536];                 /* ... and of one that takes frames for images */
    uint64_t sent[GW_IMSW_DIRECTIONS / 64]; /* a bit a packet: it was ours */
} gw_imsw_state;

/* gw_imsw_state_of returns the suite's state. */
static inline gw_imsw_state *gw_imsw_state_of(gw_ctx *ctx)
{
    return gw_case_state(ctx);
}

/* gw_imsw_response_ns returns how long the Worker waits for a response, as far as we know. */
int64_t gw_imsw_response_ns(const gw_ctx *ctx);

/* gw_imsw_turn_ns returns how long the path takes there and back, as far as the Worker showed in
 * all conversations: as usual, for what got lost and was said again took longer; gw_imsw_quick_ns
 * at the least. 0: not known. */
int64_t gw_imsw_turn_ns(gw_ctx *ctx);
int64_t gw_imsw_quick_ns(gw_ctx *ctx);

/* gw_imsw_hold has a conversation in |behavior|, waiting |first_ns| for it to begin. False when the
 * Worker did not call. */
bool gw_imsw_hold(gw_ctx *ctx, gw_imsw_session *session, const gw_imsw_behavior *behavior,
                  int64_t first_ns);

/* gw_imsw_hold_another has one with whoever calls behind it, without starting the Worker anew; the
 * numbers of its packets go on behind |before|. */
bool gw_imsw_hold_another(gw_ctx *ctx, gw_imsw_session *session, const gw_imsw_behavior *behavior,
                          int64_t first_ns, unsigned before);

/* gw_imsw_alive serves gw_suite. */
bool gw_imsw_alive(gw_ctx *ctx, int64_t timeout_ns);

/* gw_imsw_try has a conversation in |behavior| for the case that runs; when the Worker does not
 * call, or sends no frame though |frames| are wanted, the case is inconclusive. */
const gw_imsw_session *gw_imsw_try(gw_ctx *ctx, const gw_imsw_behavior *behavior, uint32_t frames);

/* gw_imsw_recall puts the good conversations into this case's evidence and returns the first. A
 * case that is repeated, or cannot be judged by it because of what the path did, has another one
 * where there is a path and the Worker is started anew for it. */
const gw_imsw_session *gw_imsw_recall(gw_ctx *ctx);

/* gw_imsw_open begins to judge |session|, |before| packets having been numbered; gw_imsw_feed looks
 * at one datagram of it, |from| the Worker or, if that is NULL, from us; gw_imsw_close ends it. */
void gw_imsw_open(gw_ctx *ctx, gw_imsw_session *session, unsigned before);
void gw_imsw_feed(gw_ctx *ctx, gw_imsw_session *session, const gw_transport *line,
                  const gw_endpoint *from, int64_t time_ns, const uint8_t *data, size_t len);
void gw_imsw_close(gw_ctx *ctx, gw_imsw_session *session);

/* gw_imsw_judge fails the case with |rule| when the Worker's messages in |session|, or their order,
 * showed something against it. */
void gw_imsw_judge(gw_ctx *ctx, const gw_imsw_session *session, const char *rule);

/* gw_imsw_fail ends the case as gw_case_fail does. One datagram that got lost may explain it, so
 * behind a path it is proven when it happened so often in a row at the same |place|, a number of
 * the case's own, that losses as frequent as those that were seen do not explain it. */
GW_NORETURN void gw_imsw_fail(gw_ctx *ctx, const gw_miss *miss, uint32_t place, const char *fmt,
                              ...) GW_PRINTF(4, 5);

/* gw_imsw_note_loss adds what |session|, with a buffer that says nothing wrong, showed of the path.
 */
void gw_imsw_note_loss(gw_imsw_loss *loss, const gw_imsw_session *session);

/* gw_imsw_repeats_due returns how often in a row a failure is to be seen before losses like |loss|
 * do not explain it. */
unsigned gw_imsw_repeats_due(const gw_imsw_loss *loss);

/* gw_imsw_unclear says whether the case that runs cannot be judged by |session|, because the path
 * lost or mixed up what would show whether what was found is true. */
bool gw_imsw_unclear(gw_ctx *ctx, const gw_imsw_session *session);

/* gw_imsw_first returns the first sending of frame |number| that reached us to its end; NULL when
 * none did. */
const gw_imsw_sending *gw_imsw_first(const gw_imsw_session *session, uint32_t number);

/* gw_imsw_next returns the frame's next sending after |sending|, or NULL. */
const gw_imsw_sending *gw_imsw_next(const gw_imsw_session *session, const gw_imsw_sending *sending);

/* gw_imsw_upon says whether |sending| was begun when the response to |before| can have reached the
 * Worker. Over a path that takes longer than it waits, a frame comes again before that. */
bool gw_imsw_upon(gw_ctx *ctx, const gw_imsw_sending *sending, const gw_imsw_sending *before);

/* gw_imsw_times returns how often frame |number| reached us to its end. */
size_t gw_imsw_times(const gw_imsw_session *session, uint32_t number);

/* gw_imsw_again returns the second sending of frame |number|; fails with |rule| when there is none,
 * or, when the frame was refused |at_once|, none before a response is overdue. */
const gw_imsw_sending *gw_imsw_again(gw_ctx *ctx, const char *rule, const gw_imsw_session *session,
                                     uint32_t number, bool at_once, const char *what);

/* gw_imsw_seen_enough ends the case when too much of |session| got lost to say that its frames are
 * whole. */
void gw_imsw_seen_enough(gw_ctx *ctx, const gw_imsw_session *session);

/* gw_imsw_waits fails when frame |number|, refused as outside the window, comes again as soon as
 * the path allows. */
void gw_imsw_waits(gw_ctx *ctx, const gw_imsw_session *session, uint32_t number);

/* gw_imsw_progress fails with |rule| when the Worker sent less than to a good buffer. */
void gw_imsw_progress(gw_ctx *ctx, const char *rule, const gw_imsw_session *session,
                      const char *what);

extern const gw_case gw_ims_w_passive[], gw_ims_w_behavior[], gw_ims_w_false_responses[];
extern const gw_suite gw_ims_w_suite;

#endif
