/* SPDX-License-Identifier: BSD-2-Clause */
/* What the cases for an EtherBone master share: playing its slave, well or in a set manner, and
 * looking at what it said. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_MASTER_SUITE_H
#define GOLDWIRE_FORMATS_ETHERBONE_MASTER_SUITE_H

#include "boards/map.h"
#include "boards/peer.h"
#include "goldwire/etherbone.h"
#include "run/case.h"

#define GW_EBM_PACKETS 2048
#define GW_EBM_BYTES (512u << 10)
#define GW_EBM_ALL UINT32_MAX
#define GW_EBM_WIDE 0xff   /* offers everything */
#define GW_EBM_NARROW 0x44 /* offers 32/32 only */

/* gw_ebm_lie is something that comes instead of a reply and is none, or not that one. Its values
 * are not those of the reply. */
typedef enum gw_ebm_lie {
    GW_EBM_LIE_MAGIC = 0, /* it has another magic, ... */
    GW_EBM_LIE_VERSION,   /* ... another version, ... */
    GW_EBM_LIE_WIDTHS,    /* ... several widths */
    GW_EBM_LIE_CUT,       /* it ends before the last byte of its first results */
    GW_EBM_LIE_SHORT,     /* three bytes */
    GW_EBM_LIE_GARBAGE,   /* random bytes */
    GW_EBM_LIE_RESPONSE,  /* a probe response that nobody asked for */
    GW_EBM_LIE_STRAY,     /* its return address is nobody's */
    GW_EBM_LIE_TWICE,     /* the reply itself, which then comes twice */
    GW_EBM_NUM_LIES
} gw_ebm_lie;

#define GW_EBM_LIE(kind) (1u << GW_EBM_LIE_##kind)
#define GW_EBM_ALL_LIES ((1u << GW_EBM_NUM_LIES) - 1)

/* What a request is like, as bits. */
#define GW_EBM_SEVERAL 1   /* more than one of its records reads */
#define GW_EBM_FIXED 2     /* results go to one address */
#define GW_EBM_ASCENDING 4 /* results go to ascending addresses */

/* gw_ebm_manner is how we play the slave. All zeros is a good slave that offers nothing. */
typedef struct gw_ebm_manner {
    uint8_t offer; /* capabilities that we show */
    bool zero_filled;
    unsigned drop_probes; /* these many probes get no answer */
    bool wrong_id;   /* each probe is answered with another id first; over TCP, with that only */
    bool mute;       /* the first read gets no reply; one packet later the talk ends */
    bool reverse;    /* replies to requests that came together go out in reverse order */
    bool stranger;   /* before a reply, one to a return address that nobody gave */
    bool wrong_mode; /* before a reply, one whose WFF says the contrary, with other values */
    bool trailing;   /* eight zero bytes follow each reply */
    bool slow_probe; /* the first probe is not answered at once */
    bool late;       /* some replies are held back, and come before the reply to another request */
    unsigned lies;   /* these, GW_EBM_LIE bits, are told before replies, one each, in turn */
    bool watched;    /* after a lie nothing may come; only the first replies get one */
    bool swallow;    /* when all lies but one are told, a reply is lost */
    bool probe_lies; /* the first probe gets answers that are none, and no other */
} gw_ebm_manner;

/* How a master leaves a conversation. */
typedef enum gw_ebm_left {
    GW_EBM_STAYED = 0,
    GW_EBM_ENDED,  /* it came to its end, */
    GW_EBM_CLOSED, /* closed its connection, */
    GW_EBM_ANEW,   /* or began another conversation */
} gw_ebm_left;

/* gw_ebm_talk is one conversation. */
typedef struct gw_ebm_talk {
    gw_evidence_packet packets[GW_EBM_PACKETS];
    unsigned numbers[GW_EBM_PACKETS]; /* in the evidence of the case that held it */
    size_t num_packets;
    uint8_t bytes[GW_EBM_BYTES];
    size_t num_bytes;
    uint64_t shapes[GW_EBM_PACKETS];   /* of the requests, return addresses left out */
    unsigned shape_at[GW_EBM_PACKETS]; /* their packets, from 1 */
    uint8_t kinds[GW_EBM_PACKETS];     /* GW_EBM_SEVERAL and its like */
    bool slow[GW_EBM_PACKETS];         /* it came long after the reply to the one before */
    size_t num_shapes;
    unsigned num_probes;
    unsigned num_sent;
    unsigned early;       /* packet that came where only silence was due; 0: none */
    bool early_is_reply;  /* and it looks like an answer to our reply */
    bool crossed;         /* it asked again before what was said to it can have arrived */
    unsigned hasty;       /* probes that came before the first could be answered */
    unsigned num_late;    /* replies that came late */
    unsigned num_replies; /* that we sent, other than probe responses ... */
    unsigned num_taken;   /* ... and that made the master go on */
    unsigned num_forged;  /* replies sent that are not to be believed */
    bool repeated;        /* it asked again, after a while, what had been answered */
    int64_t replied_ns;   /* when we last sent one; 0: not since the last request */
    int64_t probed_ns;    /* when we last answered a probe */
    int64_t trip_ns;      /* from there to the first request; 0: not known */
    int64_t silent_ns;    /* how long the master had said nothing at the end, ... */
    uint8_t left;         /* gw_ebm_left */
    bool held;
    bool doubted; /* a good one by which a case failed: it is to be held once more */
    uint8_t offer;
} gw_ebm_talk;

/* gw_ebm_slave is the slave that we play. */
typedef struct gw_ebm_slave {
    gw_peer_out out; /* first */
    const gw_board *board;
    void *state; /* NULL: not started */
    gw_eb_map map;
    gw_peer_config config;
    uint8_t bytes[65536]; /* of its answers */
    size_t num_bytes;
    size_t ends[64]; /* where each answer ends */
    unsigned num_answers;
} gw_ebm_slave;

/* gw_ebm_state is what the suite remembers. */
typedef struct gw_ebm_state {
    gw_ebm_talk wide;   /* with a good slave that offers everything */
    gw_ebm_talk narrow; /* the same, 32/32 */
    gw_ebm_talk now;    /* of the case that runs */
    gw_ebm_slave slave;
    uint8_t early[64]; /* the probe that ended a conversation: it begins the next one */
    size_t num_early;
    int64_t early_ns;
    bool gone;              /* the master did not come back when it was waited for */
    uint64_t session[8192]; /* memory of the codec's session ... */
    uint64_t stream[2048];  /* ... and of its stream decoder */
} gw_ebm_state;

/* gw_ebm_state_of returns the suite's state. */
gw_ebm_state *gw_ebm_state_of(gw_ctx *ctx);

/* gw_ebm_start makes |slave| ready for a conversation; gw_ebm_stop frees it. */
void gw_ebm_start(gw_ctx *ctx, gw_ebm_slave *slave, const gw_ebm_manner *manner, bool stream);
void gw_ebm_stop(gw_ebm_slave *slave);

/* gw_ebm_want_room ends the case when the master sent more than a slave that fills its replies with
 * zeros takes: its core drops what one datagram of Ethernet does not carry. */
void gw_ebm_want_room(gw_ctx *ctx);

/* gw_ebm_want_zero_fill ends the case where no slave of the run's dialect answers with zeros. */
void gw_ebm_want_zero_fill(gw_ctx *ctx);

/* gw_ebm_answer gives |slave| what the master sent and collects its answers. */
void gw_ebm_answer(gw_ebm_slave *slave, const uint8_t *data, size_t len, bool stream);

/* gw_ebm_hold has a conversation in |manner|, waiting |first_ns| for it to begin. False when the
 * master did not call. */
bool gw_ebm_hold(gw_ctx *ctx, gw_ebm_talk *talk, const gw_ebm_manner *manner, int64_t first_ns);

/* gw_ebm_init_stream makes the state's stream decoder ready for a new connection. */
void gw_ebm_init_stream(gw_ctx *ctx);

/* gw_ebm_try has a conversation in |manner| for the case that runs; when the master does not call,
 * or asks for nothing where |manner| is about more than its probes, the case is inconclusive. */
const gw_ebm_talk *gw_ebm_try(gw_ctx *ctx, const gw_ebm_manner *manner);

/* gw_ebm_expect_progress fails with |rule| when the master, in |talk|, did not go on as it does
 * with a good slave that offers the same. */
void gw_ebm_expect_progress(gw_ctx *ctx, const char *rule, const gw_ebm_talk *talk,
                            const char *what);

/* gw_ebm_asks_more says whether the master, from a good slave that offers the same as in |talk|,
 * asks more than it did there. */
bool gw_ebm_asks_more(gw_ctx *ctx, const gw_ebm_talk *talk);

/* gw_ebm_message_fn looks at one message of a conversation. |message|.frame is its packet in the
 * evidence, |message|.dir tells who sent it. */
typedef void (*gw_ebm_message_fn)(void *arg, const gw_message *message);

/* gw_ebm_recall puts the good conversations into this case's evidence and hands every message to
 * |fn|, cut out of the stream over TCP. Our own port is shown as a service port. */
void gw_ebm_recall(gw_ctx *ctx, gw_ebm_message_fn fn, void *arg);

/* gw_ebm_heed_patience ends the case when the master of |talk| asks again before what it is told
 * can have reached it: what it does then, it does not do upon that. */
void gw_ebm_heed_patience(gw_ctx *ctx, const gw_ebm_talk *talk);

/* gw_ebm_doubt says that the good conversations break a rule, as it seems: before that is looked at
 * again they are held anew, for what the path did to them would break it each time. */
void gw_ebm_doubt(gw_ctx *ctx);

/* gw_ebm_retell hands every message of |talk|, which the case that runs has held, to |fn|. */
void gw_ebm_retell(gw_ctx *ctx, const gw_ebm_talk *talk, gw_ebm_message_fn fn, void *arg);

/* gw_ebm_expect_taken fails with |rule| when the master repeats each request of |kind|, though all
 * were answered, and no others: polling repeats anything. It returns how many such requests there
 * are. */
unsigned gw_ebm_expect_taken(gw_ctx *ctx, const char *rule, const gw_ebm_talk *talk, uint8_t kind,
                             const char *what);

/* gw_ebm_shape returns a number for the request |message|, the same for its repetition. */
uint64_t gw_ebm_shape(const gw_message *message, const gw_dialect *dialect);

/* gw_ebm_expect_heard ends the case, which is inconclusive, when |talk| has requests that nobody
 * can make out, or none. */
void gw_ebm_expect_heard(gw_ctx *ctx, const gw_ebm_talk *talk, unsigned requests);

/* gw_ebm_begin, gw_ebm_alive, gw_ebm_took, gw_ebm_has, gw_ebm_end and gw_ebm_identify serve
 * gw_suite. */
void gw_ebm_begin(gw_ctx *ctx);
bool gw_ebm_alive(gw_ctx *ctx, int64_t timeout_ns);
bool gw_ebm_took(gw_ctx *ctx, char *why, size_t why_cap);
bool gw_ebm_has(gw_ctx *ctx, const char *need, char *why, size_t why_cap);
void gw_ebm_end(gw_ctx *ctx);
void gw_ebm_identify(gw_ctx *ctx, char *out, size_t cap);

extern const gw_case gw_eb_m_seen[];
extern const gw_case gw_eb_m_behavior[];
extern const gw_case gw_eb_m_malformed[];
extern const gw_suite gw_eb_m_suite;

#endif
