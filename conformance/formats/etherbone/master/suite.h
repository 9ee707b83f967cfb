/* SPDX-License-Identifier: BSD-2-Clause */
/* What the cases for an EtherBone master share: acting as its slave, a good one or one with a set
 * behavior, and looking at what the master sent. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_MASTER_SUITE_H
#define GOLDWIRE_FORMATS_ETHERBONE_MASTER_SUITE_H

#include "boards/map.h"
#include "boards/peer.h"
#include "goldwire/etherbone.h"
#include "run/case.h"

#define GW_EB_MASTER_PACKETS 2048
#define GW_EB_MASTER_BYTES (512u << 10)
#define GW_EB_MASTER_ALL UINT32_MAX
/* A path is thought to take so long there and back at most: whoever takes longer thinks before it
 * asks. */
#define GW_EB_MASTER_LONGEST_TRIP_NS GW_SECOND
#define GW_EB_MASTER_WIDE 0xff   /* offers everything */
#define GW_EB_MASTER_NARROW 0x44 /* offers 32/32 only */

/* gw_eb_false_response is a packet that comes instead of a reply and is none, or another one. Its
 * values are not those of the reply. */
typedef enum gw_eb_false_response {
    GW_EB_FALSE_MAGIC = 0, /* it has another magic, ... */
    GW_EB_FALSE_VERSION,   /* ... another version, ... */
    GW_EB_FALSE_WIDTHS,    /* ... several widths */
    GW_EB_FALSE_CUT,       /* it ends before the last byte of its first results */
    GW_EB_FALSE_SHORT,     /* three bytes */
    GW_EB_FALSE_GARBAGE,   /* random bytes */
    GW_EB_FALSE_RESPONSE,  /* a probe response that nobody asked for */
    GW_EB_FALSE_STRAY,     /* its return address is nobody's */
    GW_EB_FALSE_TWICE,     /* the reply itself, which then comes twice */
    GW_EB_NUM_FALSE
} gw_eb_false_response;

#define GW_EB_FALSE(kind) (1u << GW_EB_FALSE_##kind)
#define GW_EB_FALSE_ALL ((1u << GW_EB_NUM_FALSE) - 1)

/* What a request is like, as bits. */
#define GW_EB_MASTER_SEVERAL 1   /* more than one of its records reads */
#define GW_EB_MASTER_FIXED 2     /* results go to one address */
#define GW_EB_MASTER_ASCENDING 4 /* results go to ascending addresses */

/* gw_eb_master_behavior is how our slave behaves. All zeros is a good slave that offers nothing. */
typedef struct gw_eb_master_behavior {
    uint8_t offer; /* capabilities that we show */
    bool zero_filled;
    unsigned drop_probes; /* these many probes get no answer */
    bool wrong_id; /* the first probe is answered with another id first; over TCP, with that only */
    bool no_reply; /* the first read gets no reply; one packet later the exchange ends */
    bool reverse;  /* replies to requests that came together go out in reverse order */
    bool stray_reply; /* before a reply, one to a return address that nobody gave */
    bool from_other;  /* before a reply, one with other values from another address of ours */
    bool wrong_mode;  /* before a reply, one whose WFF says the contrary, with other values */
    bool trailing;    /* eight zero bytes follow each reply */
    bool slow_probe;  /* the first probe is not answered at once */
    bool late;        /* some replies are held back, and come before the reply to another request */
    unsigned
        false_responses; /* GW_EB_FALSE bits: these are sent before replies, one each, in turn */
    bool watched;    /* after a false response nothing may come; only the first replies get one */
    bool lose_reply; /* when all but one were sent, a reply is lost */
    bool false_probe_responses; /* the first probe gets answers that are none, and no other */
} gw_eb_master_behavior;

/* How a master ends an exchange. */
typedef enum gw_eb_master_ending {
    GW_EB_MASTER_STAYED = 0,
    GW_EB_MASTER_FINISHED,  /* it came to its end, */
    GW_EB_MASTER_CLOSED,    /* closed its connection, */
    GW_EB_MASTER_RESTARTED, /* or began another exchange */
} gw_eb_master_ending;

/* Whether a good exchange is to be held once more, and why. */
typedef enum gw_eb_master_due {
    GW_EB_MASTER_KEPT = 0,
    GW_EB_MASTER_DOUBTED, /* a case failed by it: in the next attempt, and once, so that attempts
                             can be compared */
    GW_EB_MASTER_SPOILT,  /* that time it told nothing: as often as it takes */
} gw_eb_master_due;

/* gw_eb_master_exchange is one exchange. */
typedef struct gw_eb_master_exchange {
    gw_evidence_packet packets[GW_EB_MASTER_PACKETS];
    unsigned numbers[GW_EB_MASTER_PACKETS]; /* in the evidence of the case that held it */
    size_t num_packets;
    uint8_t bytes[GW_EB_MASTER_BYTES];
    size_t num_bytes;
    uint64_t fingerprints[GW_EB_MASTER_PACKETS];    /* of the requests, return addresses left out */
    unsigned request_packets[GW_EB_MASTER_PACKETS]; /* their packets, from 1 */
    uint8_t kinds[GW_EB_MASTER_PACKETS];            /* GW_EB_MASTER_SEVERAL and its like */
    bool slow[GW_EB_MASTER_PACKETS]; /* it came long after the reply to the one before */
    size_t num_requests;
    unsigned num_probes;
    unsigned num_sent;
    unsigned early;        /* packet that came where only silence was due; 0: none */
    bool early_is_reply;   /* and it looks like an answer to our reply */
    bool crossed;          /* it asked again before our answer can have arrived */
    unsigned hasty;        /* probes that came before the first could be answered */
    unsigned num_late;     /* replies that came late */
    unsigned num_replies;  /* that we sent, other than probe responses ... */
    unsigned num_accepted; /* ... and that made the master go on */
    unsigned num_forged;   /* replies sent that are not to be believed */
    char no_other[160];    /* why none came from another address */
    bool repeated;         /* it asked again, after a while, what had been answered */
    int64_t asked_ns[2];   /* when the last request came, and the one before */
    int64_t replied_ns;    /* when we last sent one; 0: not since the last request */
    int64_t probed_ns;     /* when we first answered a probe; 0: not yet */
    int64_t trip_ns;       /* from there to the first request: the path takes so long at most, as
                              nobody knows which of several answers it was; 0: not known */
    int64_t silent_ns;     /* how long the master had been silent at the end, ... */
    uint8_t left;          /* gw_eb_master_ending */
    bool held;
    uint8_t due; /* gw_eb_master_due, of a good one */
    uint8_t offer;
} gw_eb_master_exchange;

/* gw_eb_test_slave is the slave that the master is given. */
typedef struct gw_eb_test_slave {
    gw_peer_out out; /* first */
    const gw_board *board;
    void *state; /* NULL: not started */
    gw_eb_map map;
    gw_peer_config config;
    uint8_t bytes[65536]; /* of its answers */
    size_t num_bytes;
    size_t ends[64]; /* where each answer ends */
    unsigned num_answers;
} gw_eb_test_slave;

/* gw_eb_master_state is what the suite remembers. */
typedef struct gw_eb_master_state {
    gw_eb_master_exchange wide;   /* with a good slave that offers everything */
    gw_eb_master_exchange others; /* with those who call behind that one, all that its hook runs */
    gw_eb_master_exchange narrow; /* the same as |wide|, 32/32 */
    gw_eb_master_exchange again;  /* one of these once more, where it told nothing */
    gw_eb_master_exchange now;    /* of the case that runs */
    gw_eb_test_slave slave;
    uint8_t early[64]; /* the probe that ended an exchange: it begins the next one */
    size_t num_early;
    int64_t early_ns;
    int64_t patience_ns; /* behind a request without any reply it asks again, the soonest that was
                            seen; 0: never seen */
    bool gone;           /* the master did not come back when it was waited for */
    uint64_t session[8192]; /* memory of the codec's session ... */
    uint64_t stream[2048];  /* ... and of its stream decoder */
} gw_eb_master_state;

/* gw_eb_master_state_of returns the suite's state. */
static inline gw_eb_master_state *gw_eb_master_state_of(gw_ctx *ctx)
{
    return gw_case_state(ctx);
}

/* gw_eb_test_slave_start makes |slave| ready for an exchange; gw_eb_test_slave_stop frees it. */
void gw_eb_test_slave_start(gw_ctx *ctx, gw_eb_test_slave *slave,
                            const gw_eb_master_behavior *behavior, bool stream);
void gw_eb_test_slave_stop(gw_eb_test_slave *slave);

/* gw_eb_master_require_room ends the case when the master sent more than a slave that fills its
 * replies with zeros takes: its core drops what one datagram of Ethernet does not carry. */
void gw_eb_master_require_room(gw_ctx *ctx);

/* gw_eb_master_require_zero_fill ends the case where no slave of the run's dialect answers with
 * zeros. */
void gw_eb_master_require_zero_fill(gw_ctx *ctx);

/* gw_eb_test_slave_answer gives |slave| what the master sent and collects its answers. */
void gw_eb_test_slave_answer(gw_eb_test_slave *slave, const uint8_t *data, size_t len, bool stream);

/* gw_eb_master_run_exchange has an exchange with |behavior|, waiting |first_ns| for it to begin.
 * False when the master did not call. */
bool gw_eb_master_run_exchange(gw_ctx *ctx, gw_eb_master_exchange *exchange,
                               const gw_eb_master_behavior *behavior, int64_t first_ns);

/* gw_eb_master_hold_good has a good exchange, offering |offer|, and a few more where the master was
 * at work already when it began, or the path may have kept it from telling anything (no request, or
 * none behind a reply). The master has |first_ns| to begin each; |exchange| is the one with most in
 * it. False when the master did not call. */
bool gw_eb_master_hold_good(gw_ctx *ctx, gw_eb_master_exchange *exchange, uint8_t offer,
                            int64_t first_ns);

/* gw_eb_master_answer_others has good exchanges with all who call behind the one that was held
 * last, while the start hook runs that had it call: it may be a script of several tools. */
void gw_eb_master_answer_others(gw_ctx *ctx);

/* gw_eb_master_init_stream makes the state's stream decoder ready for a new connection. */
void gw_eb_master_init_stream(gw_ctx *ctx);

/* gw_eb_master_is_about_probes says whether probes are all that is looked at in |behavior|. */
bool gw_eb_master_is_about_probes(const gw_eb_master_behavior *behavior);

/* gw_eb_master_may_ask_nothing says whether a master that asks for nothing in |behavior| may be
 * right to: no response had its id, or none came. */
bool gw_eb_master_may_ask_nothing(const gw_eb_master_behavior *behavior);

/* gw_eb_master_try_exchange has an exchange with |behavior| for the case that runs, or a few, as
 * gw_eb_master_hold_good does, of which the last counts; when the
 * master does not call, or asks for nothing where |behavior| is about more than its probes, the
 * case is inconclusive. */
const gw_eb_master_exchange *gw_eb_master_try_exchange(gw_ctx *ctx,
                                                       const gw_eb_master_behavior *behavior);

/* gw_eb_master_expect_progress fails with |rule| when the master, in |exchange|, did not go on as
 * it does with a good slave that offers the same. */
void gw_eb_master_expect_progress(gw_ctx *ctx, const char *rule,
                                  const gw_eb_master_exchange *exchange, const char *what);

/* gw_eb_master_requests_more says whether the master, from a good slave that offers the same as in
 * |exchange|, asks more than it did there. */
bool gw_eb_master_requests_more(gw_ctx *ctx, const gw_eb_master_exchange *exchange);

/* gw_eb_master_message_fn looks at one message of an exchange. |message|.frame is its packet in
 * the evidence, |message|.dir tells who sent it. */
typedef void (*gw_eb_master_message_fn)(void *arg, const gw_message *message);

/* gw_eb_master_recall_reference puts the good exchanges into this case's evidence and hands
 * every message to |fn|, cut out of the stream over TCP. Our own port is shown as a service port.
 */
void gw_eb_master_recall_reference(gw_ctx *ctx, gw_eb_master_message_fn fn, void *arg);

/* gw_eb_master_require_patience ends the case when the master of |exchange| asks again before an
 * answer can have reached it: what it does then is no reaction to the answer. */
void gw_eb_master_require_patience(gw_ctx *ctx, const gw_eb_master_exchange *exchange);

/* gw_eb_master_reacts says whether the master of |exchange| went on where only silence was due.
 * Where it may have, later than was watched, the case is inconclusive. */
bool gw_eb_master_reacts(gw_ctx *ctx, const gw_eb_master_exchange *exchange);

/* gw_eb_master_renew_reference says that the good exchanges break a rule, as it seems: before
 * that is looked at again they are held anew, for what the path did to them would break it each
 * time. */
void gw_eb_master_renew_reference(gw_ctx *ctx);

/* gw_eb_master_visit_messages hands every message of |exchange|, which the case that runs has held,
 * to |fn|. */
void gw_eb_master_visit_messages(gw_ctx *ctx, const gw_eb_master_exchange *exchange,
                                 gw_eb_master_message_fn fn, void *arg);

/* gw_eb_master_expect_accepted fails with |rule| when the master repeats each request of |kind|,
 * though all were answered, and no others: polling repeats anything. It returns how many such
 * requests there are. */
unsigned gw_eb_master_expect_accepted(gw_ctx *ctx, const char *rule,
                                      const gw_eb_master_exchange *exchange, uint8_t kind,
                                      const char *what);

/* gw_eb_master_fingerprint returns a number for the request |message|, the same for its repetition.
 */
uint64_t gw_eb_master_fingerprint(const gw_message *message, const gw_dialect *dialect);

/* gw_eb_master_require_probe ends the case when no probe came in |exchange|: it is not applicable
 * to a master that sends none, and inconclusive where one came before. */
void gw_eb_master_require_probe(gw_ctx *ctx, const gw_eb_master_exchange *exchange);

/* gw_eb_master_require_requests ends the case, which is inconclusive, when |exchange| has requests
 * that nobody can make out, or none. */
void gw_eb_master_require_requests(gw_ctx *ctx, const gw_eb_master_exchange *exchange,
                                   unsigned requests);

/* gw_eb_master_suite_begin, gw_eb_master_suite_alive, gw_eb_master_suite_took,
 * gw_eb_master_suite_has, gw_eb_master_suite_end and gw_eb_master_suite_identify serve gw_suite. */
void gw_eb_master_suite_begin(gw_ctx *ctx);
bool gw_eb_master_suite_alive(gw_ctx *ctx, int64_t timeout_ns);
bool gw_eb_master_suite_took(gw_ctx *ctx, char *why, size_t why_cap);
bool gw_eb_master_suite_has(gw_ctx *ctx, const char *need, char *why, size_t why_cap);
void gw_eb_master_suite_end(gw_ctx *ctx);
void gw_eb_master_suite_identify(gw_ctx *ctx, char *out, size_t cap);

extern const gw_case gw_eb_m_passive[];
extern const gw_case gw_eb_m_behavior[];
extern const gw_case gw_eb_m_malformed[];
extern const gw_suite gw_eb_m_suite;

#endif
