/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files that judge conversations share: who is registered, which frames are on their way,
 * and which were answered. */
#ifndef IMS_SESSION_H
#define IMS_SESSION_H

#include "core/lookup/chains.h"
#include "ims/internal.h"

enum {
    GW_IMS_WORKERS = 64,
    GW_IMS_SERVICES = 16,
    GW_IMS_FLOWS = 64,
    GW_IMS_FRAMES_MIN = 16,
    GW_IMS_FRAMES_MOST = 1024,
    GW_IMS_BUFFERS = 16,
    GW_IMS_REQUESTS = 4, /* kinds of them: method >> 1 */
    GW_IMS_SHAPES = 4,   /* of frames: gw_ims_shape_of */
    GW_IMS_DEAF = 8,     /* times in a row: so often nothing gets lost on its way */
    GW_IMS_SILENT = 16,  /* likewise, where either the question or its answer may */
};

/* A wait of less than this is none (assumed: the specification does not say how long it is). */
#define GW_IMS_AT_ONCE_NS INT64_C(1000000)

/* How far a Worker has come, by what the buffer answered. */
typedef enum gw_ims_state {
    GW_IMS_UNSEEN = 0, /* the capture began later */
    GW_IMS_GONE,       /* removed */
    GW_IMS_ASKED,      /* STAT_REQ is on its way */
    GW_IMS_REGISTERED,
    GW_IMS_OPEN, /* has a data channel */
} gw_ims_state;

/* gw_ims_request is the last request of a kind. */
typedef struct gw_ims_request {
    uint64_t frame;  /* 0: none yet */
    uint64_t answer; /* frame of its answer, 0: none yet */
    int64_t time_ns;
    uint32_t answers; /* gw_ims_answers_of, when it was sent */
    bool owed;        /* an answer is due */
    bool given_up;    /* it did not come in time */
    bool repeated;    /* the one before had no answer either */
} gw_ims_request;

/* gw_ims_registration is what a STAT_REQ says: where it goes, with which key, and with which key it
 * wants its answers. */
typedef struct gw_ims_registration {
    uint32_t service_qp;
    uint32_t service_key;
    uint32_t qkey;
} gw_ims_registration;

/* gw_ims_worker is a Worker as one buffer knows it. */
typedef struct gw_ims_worker {
    gw_endpoint worker; /* addresses without port and queue pair */
    gw_endpoint buffer;
    uint64_t touched; /* 0: unused */
    uint64_t gone;    /* frame of the answer that removed it */
    uint64_t va;      /* of DATA_RES */
    int64_t ended_ns; /* when its channel came to its end, by |ended| or |gone| */
    gw_ims_request asked[GW_IMS_REQUESTS];
    uint32_t lid;
    uint32_t qpn;
    gw_ims_registration told;  /* by its last STAT_REQ */
    gw_ims_registration known; /* by the last that was answered */
    uint32_t rkey;
    uint32_t told_qp;   /* by its last DATA_REQ, as the next one */
    uint32_t worker_qp; /* of the data channel */
    uint32_t buffer_qp; /* likewise */
    uint8_t state;      /* gw_ims_state */
    uint8_t major;      /* of the buffer, when state says that it was told */
    bool asks;          /* requests of it were seen, so answers to none are odd */
    bool has_known;     /* the buffer goes by |known|, ... */
    bool in_doubt;      /* ... or by |told|, which it may have got */
    bool told_both;     /* STAT_REQs that differ wait for one answer */
    bool told_both_qps; /* DATA_REQs likewise, or one that may have been thrown away */
    bool has_worker_qp;
    bool has_memory; /* va, rkey and buffer_qp are known */
    bool was_open;   /* in this registration */
    bool ended;      /* it sent DATA_TERM or STAT_TERM since, ... */
    bool wrote;      /* a frame since DATA_RES */
} gw_ims_worker;

/* gw_ims_service is a status queue pair that was seen to answer. */
typedef struct gw_ims_service {
    gw_endpoint buffer;
    uint64_t touched; /* 0: unused */
    uint32_t qp;
    uint32_t qkey;
    uint16_t version; /* major << 8 | minor */
} gw_ims_service;

/* gw_ims_sent is a frame, from its first packet to its response. */
typedef struct gw_ims_sent {
    uint64_t va;
    uint64_t first;    /* frame numbers of its packets in the capture */
    uint64_t last;     /* likewise */
    uint64_t answer;   /* of its response; 0: none yet */
    int64_t time_ns;   /* of the last packet */
    int64_t answer_ns; /* of the response */
    uint32_t flow;
    uint32_t epoch; /* of the flow; when it has another one, the frame is nobody's any more */
    uint32_t length;
    uint32_t got;       /* bytes that came */
    uint32_t must;      /* events that a NACK must tell */
    uint32_t other;     /* |must| of the one before it at the same address ... */
    uint32_t answers;   /* gw_ims_answers_of, when it began */
    uint32_t image_crc; /* as the image tells it */
    gw_ims_ack response;
    bool has_other; /* ... if a response may be to that, or to a copy of it */
    bool no_image;
    bool known_rkey; /* whether the key is right is known */
    bool granted;    /* its channel was open */
    bool gap;        /* some of it was not captured, or got lost */
    bool in_doubt;   /* the buffer need not take it as it is */
    bool excused;    /* a response that names no frame may be to it */
    bool whole;      /* from first to last packet */
    bool late;       /* sent after the end of the data channel, ... */
    bool closed;     /* ... which the buffer had confirmed */
    bool settled;    /* given up, or no more to be said of it */
    bool heeded;     /* it came again after a refusal */
} gw_ims_sent;

/* gw_ims_misses is how often a kind of request or frame stayed without an answer. */
typedef struct gw_ims_misses {
    uint64_t answer;  /* frame of the last answer to one; 0: none yet */
    uint32_t answers; /* of gw_ims_buffer, when the last that stayed without one was sent */
    uint8_t in_a_row; /* since |answer|, up to |silent| of the session */
} gw_ims_misses;

/* gw_ims_buffer is who was seen to answer. */
typedef struct gw_ims_buffer {
    gw_endpoint buffer;
    uint64_t touched; /* 0: unused */
    uint32_t answers; /* that it gave, to anything and anybody */
    gw_ims_misses misses[GW_IMS_REQUESTS + GW_IMS_SHAPES];
} gw_ims_buffer;

/* Nobody knows how many frames there were: the capture began later, or the channel began anew. */
#define GW_IMS_ANY UINT32_MAX

/* gw_ims_flow is one direction of a data channel: what one Worker writes to one queue pair. */
typedef struct gw_ims_flow {
    gw_endpoint worker;
    gw_endpoint buffer;
    uint64_t touched; /* 0: unused */
    uint32_t epoch;   /* no other flow, or data channel, has it */
    uint32_t dest_qp;
    uint32_t psn;       /* expected next */
    uint32_t due;       /* PSN of the next start, when the last frame that began is sent whole */
    uint32_t packets;   /* the fewest that a frame has */
    uint32_t unseen;    /* so many frames may have begun unseen, and be new; GW_IMS_ANY */
    uint32_t first_len; /* of the current frame's first packet */
    uint32_t length;    /* of all frames; 0: not known */
    uint32_t short_len;
    uint64_t short_frame;  /* the last new frame, when it was shorter than the others */
    uint64_t next;         /* where the next new frame begins */
    uint64_t missed_below; /* frames may be missing up to here, which may come again */
    uint64_t delivered;    /* where what is acknowledged without a hole ends */
    uint64_t beyond;       /* what is acknowledged behind a hole, from here ... */
    uint64_t beyond_end;   /* ... to here */
    uint64_t orphan;       /* frame number of a packet without a start; 0: none */
    int64_t orphan_ns;     /* its time */
    uint32_t image_crc;
    gw_ims_sent current;
    uint8_t unheeded; /* frames in a row that were refused, and did not come again */
    bool shared;      /* somebody else writes to the queue pair as well */
    bool has_psn;
    bool has_due;
    bool in_step; /* a frame began or ended, and no packet was missed since */
    bool has_next;
    bool has_delivered;
    bool in_frame;
} gw_ims_flow;

/* gw_ims_sessions is the state of all conversations. */
typedef struct gw_ims_sessions {
    int64_t give_up_ns;
    int64_t now_ns;
    int64_t due_ns;    /* when something is given up next */
    uint64_t clock;    /* counts messages */
    uint64_t frame;    /* of the last message */
    uint16_t lanes[2]; /* virtual lanes seen, a bit each: of status, of data */
    uint16_t levels[2];
    bool shared_lane; /* it was told */
    bool shared_level;
    bool lossless;        /* nothing gets lost, or comes twice */
    uint8_t silent;       /* GW_IMS_SILENT; 1 where nothing gets lost */
    size_t room;          /* places in |sent|, a ring: */
    size_t first;         /* the oldest frame ... */
    size_t count;         /* ... and how many there are */
    gw_chains by_address; /* of |sent|, by flow and address */
    uint32_t epochs;      /* that there were */
    gw_ims_worker workers[GW_IMS_WORKERS];
    gw_ims_service services[GW_IMS_SERVICES];
    gw_ims_buffer buffers[GW_IMS_BUFFERS];
    gw_ims_flow flows[GW_IMS_FLOWS];
    gw_ims_sent sent[];
} gw_ims_sessions;

/* What a frame takes of the session's memory. */
#define GW_IMS_SENT_BYTES (sizeof(gw_ims_sent) + GW_CHAINS_BYTES)

/* gw_ims_exchange is one message in its conversation. */
typedef struct gw_ims_exchange {
    gw_ims_sessions *s;
    const gw_message *m;
    const gw_ims_packet *p;
    const gw_ims_dialect *d;
    const gw_dialect *dialect;
    gw_verdict_sink *sink;
    gw_judge judge;  /* of this message */
    gw_endpoint src; /* addresses without port and queue pair */
    gw_endpoint dst;
    uint32_t body; /* offset of what follows the headers */
} gw_ims_exchange;

/* gw_ims_owe notes that something is given up at |time_ns| + the time allowed. */
void gw_ims_owe(gw_ims_sessions *s, int64_t time_ns);

/* gw_ims_sent_at returns the frame of |age|, 0 the oldest. */
gw_ims_sent *gw_ims_sent_at(gw_ims_sessions *s, size_t age);

/* gw_ims_hash_of returns the hash that frames of |epoch| at |va| are found by; its upper half does
 * not count. */
uint32_t gw_ims_hash_of(uint32_t epoch, uint64_t va);

/* gw_ims_flow_of returns the flow of |f|, or NULL when that is no longer known. */
gw_ims_flow *gw_ims_flow_of(gw_ims_sessions *s, const gw_ims_sent *f);

/* gw_ims_is_between says whether |w| is in use and stands for these two. */
bool gw_ims_is_between(const gw_ims_worker *w, const gw_endpoint *worker,
                       const gw_endpoint *buffer);

/* gw_ims_worker_of_data returns the Worker of a data channel between these two, whose queue pair at
 * the buffer is |dest_qp|; NULL when that is not known. */
gw_ims_worker *gw_ims_worker_of_data(gw_ims_sessions *s, const gw_endpoint *worker,
                                     const gw_endpoint *buffer, uint32_t dest_qp);

/* gw_ims_take_status follows a status packet. */
void gw_ims_take_status(gw_ims_exchange *t);

/* gw_ims_give_up_status reports requests whose time is over by |now_ns|, or all with |end|, and
 * moves s->due_ns to those that are left. */
void gw_ims_give_up_status(gw_ims_sessions *s, gw_verdict_sink *sink, bool end);

/* gw_ims_take_data follows a packet of a frame. */
void gw_ims_take_data(gw_ims_exchange *t);

/* gw_ims_give_up_frames does for frames what gw_ims_give_up_status does for requests. */
void gw_ims_give_up_frames(gw_ims_sessions *s, gw_verdict_sink *sink, bool end);

/* gw_ims_forget_frames is told that the data channel of |w| is a new one: it answers no frame that
 * was sent to its queue pair before. gw_ims_break_frames is told that it was set up again: what is
 * on its way may not be taken on. */
void gw_ims_forget_frames(gw_ims_sessions *s, const gw_ims_worker *w);
void gw_ims_break_frames(gw_ims_sessions *s, const gw_ims_worker *w);

/* gw_ims_end_data judges what the Worker |w| leaves undone with DATA_TERM or STAT_TERM. */
void gw_ims_end_data(gw_ims_exchange *t, const gw_ims_worker *w);

/* gw_ims_take_response follows an ACK or a NACK. */
void gw_ims_take_response(gw_ims_exchange *t);

/* gw_ims_shape_of returns which kind |f| is, of those that a buffer answers or not: behind those of
 * requests. */
size_t gw_ims_shape_of(const gw_ims_sent *f);

/* gw_ims_note_answer is told that the sender of the message at hand answers somebody as a buffer,
 * and gw_ims_end_silence that this is to something of |kind|. */
void gw_ims_note_answer(gw_ims_exchange *t);
void gw_ims_end_silence(gw_ims_exchange *t, size_t kind);

/* gw_ims_answers_of returns how many answers |buffer| has given, to anything and anybody. */
uint32_t gw_ims_answers_of(const gw_ims_sessions *s, const gw_endpoint *buffer);

/* gw_ims_is_silent is told that |buffer| owed an answer to something of |kind|, sent in |frame|
 * when it had given |answers|, and gave none in time. It says whether that is the buffer's doing.
 */
bool gw_ims_is_silent(gw_ims_sessions *s, const gw_endpoint *buffer, size_t kind, uint64_t frame,
                      uint32_t answers);

#endif
