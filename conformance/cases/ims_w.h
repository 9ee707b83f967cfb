/* SPDX-License-Identifier: BSD-2-Clause */
/* What the cases for an IMS Worker share: playing its buffer, well or in a set manner, and looking
 * at what it did. */
#ifndef GOLDWIRE_CASES_IMS_W_H
#define GOLDWIRE_CASES_IMS_W_H

#include "goldwire/ims.h"
#include "runner/case.h"

#define GW_IMSW_SENDINGS 2048    /* of frames that are remembered of a conversation */
#define GW_IMSW_BYTES (8u << 20) /* of the good conversation that are kept as evidence */
#define GW_IMSW_PACKETS 16384
#define GW_IMSW_DIRECTIONS (1u << 20) /* packets whose direction is remembered */
#define GW_IMSW_RULES 128
#define GW_IMSW_EVER UINT32_MAX

/* gw_imsw_plan says how a frame is answered at first; after that it gets its ACK. */
typedef struct gw_imsw_plan {
    uint32_t frame;  /* number of the frame, by when it came first, from 0 */
    uint32_t times;  /* it is answered so this many times */
    uint32_t events; /* of the NACK; 0: no answer at all */
} gw_imsw_plan;

/* gw_imsw_manner is how we play the buffer. All zeros is a good one of version 1.1. */
typedef struct gw_imsw_manner {
    uint8_t major; /* 0: 1.1 */
    uint8_t minor;
    bool noisy;    /* fields of answers that may be anything are */
    bool stranger; /* instead of no answer: an ACK for an address that nobody wrote to */
    bool repeats;  /* each ACK comes three times, and that of the frame before once more */
    const gw_imsw_plan *plans;
    size_t num_plans;
} gw_imsw_manner;

/* gw_imsw_sending is a frame as it was sent once. */
typedef struct gw_imsw_sending {
    uint64_t va;
    uint32_t length; /* as the RDMA header says */
    uint32_t got;
    uint32_t number;  /* of the frame */
    uint32_t events;  /* of its NACK */
    unsigned packet;  /* its first one in the evidence */
    int64_t start_ns; /* of our clock */
    int64_t answer_ns;
    bool whole;
    bool acked;
    bool refused;
} gw_imsw_sending;

/* gw_imsw_fault is the first finding against a rule. */
typedef struct gw_imsw_fault {
    bool found;
    unsigned packet; /* of the conversation, from 1 */
    uint32_t offset;
    const gw_field *field;
    char text[192];
} gw_imsw_fault;

/* gw_imsw_talk is one conversation, however long: what is not remembered has been judged. */
typedef struct gw_imsw_talk {
    gw_imsw_sending sendings[GW_IMSW_SENDINGS];
    size_t num_sendings;
    uint32_t num_frames;                   /* different ones */
    unsigned requests[GW_IMS_NUM_METHODS]; /* by method */
    uint8_t first_method;                  /* of its first packet; 255: not a status packet */
    unsigned num_packets;                  /* of both sides */
    unsigned num_received;
    unsigned gaps; /* in the sequence of its packets of data */
    bool cut;      /* we ended it */
    bool held;
    gw_imsw_fault faults[GW_IMSW_RULES]; /* by place in gw_ims.rules */
} gw_imsw_talk;

/* gw_imsw_state is what the suite remembers. */
typedef struct gw_imsw_state {
    gw_imsw_talk good;                           /* with a good buffer */
    gw_imsw_talk now;                            /* of the case that runs */
    gw_evidence_packet packets[GW_IMSW_PACKETS]; /* of the good conversation */
    size_t num_packets;
    uint8_t bytes[GW_IMSW_BYTES]; /* their bytes */
    size_t num_bytes;
    uint8_t
        early[GW_IB_PACKET_MAX]; /* the STAT_REQ that ended a conversation: it begins the next */
    gw_evidence_packet early_packet; /* whose len is 0 when there is none */
    bool gone;                       /* the Worker did not come back when it was waited for */
    uint64_t session[65536];         /* memory of the codec's session ... */
    uint64_t images[65536];          /* ... and of one that takes frames for images */
    uint64_t sent[GW_IMSW_DIRECTIONS / 64]; /* a bit a packet: it was ours */
} gw_imsw_state;

/* gw_imsw_state_of returns the suite's state. */
gw_imsw_state *gw_imsw_state_of(gw_ctx *ctx);

/* gw_imsw_response_ns returns how long the Worker waits for a response, as far as we know. */
int64_t gw_imsw_response_ns(const gw_ctx *ctx);

/* gw_imsw_hold has a conversation in |manner|, waiting |first_ns| for it to begin. False when the
 * Worker did not call. */
bool gw_imsw_hold(gw_ctx *ctx, gw_imsw_talk *talk, const gw_imsw_manner *manner, int64_t first_ns);

/* gw_imsw_try has a conversation in |manner| for the case that runs; when the Worker does not call,
 * or sends no frame though |frames| are wanted, the case is inconclusive. */
const gw_imsw_talk *gw_imsw_try(gw_ctx *ctx, const gw_imsw_manner *manner, uint32_t frames);

/* gw_imsw_recall puts the good conversation into this case's evidence. */
const gw_imsw_talk *gw_imsw_recall(gw_ctx *ctx);

/* gw_imsw_open begins to judge |talk|; gw_imsw_feed looks at one datagram of it; gw_imsw_close ends
 * it. */
void gw_imsw_open(gw_ctx *ctx, gw_imsw_talk *talk);
void gw_imsw_feed(gw_ctx *ctx, gw_imsw_talk *talk, const gw_transport *line, gw_direction dir,
                  int64_t time_ns, const uint8_t *data, size_t len);
void gw_imsw_close(gw_ctx *ctx, gw_imsw_talk *talk);

/* gw_imsw_judge fails the case with |rule| when the Worker's messages in |talk|, or their order,
 * showed something against it. */
void gw_imsw_judge(gw_ctx *ctx, const gw_imsw_talk *talk, const char *rule);

/* gw_imsw_first returns the first sending of frame |number| that reached us to its end; NULL when
 * none did. */
const gw_imsw_sending *gw_imsw_first(const gw_imsw_talk *talk, uint32_t number);

/* gw_imsw_next returns the frame's next sending after |sending|, or NULL. */
const gw_imsw_sending *gw_imsw_next(const gw_imsw_talk *talk, const gw_imsw_sending *sending);

/* gw_imsw_times returns how often frame |number| reached us to its end. */
size_t gw_imsw_times(const gw_imsw_talk *talk, uint32_t number);

extern const gw_case gw_ims_w_seen[];
extern const gw_case gw_ims_w_manners[];
extern const gw_suite gw_ims_w_suite;

#endif
