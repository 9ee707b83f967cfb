/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies over the software IMS buffer when it is a mutant: filters before and behind it, and a
 * few hooks inside. All of them do nothing on the good board. */
#ifndef GOLDWIRE_FORMATS_IMS_BUF_MUTANT_H
#define GOLDWIRE_FORMATS_IMS_BUF_MUTANT_H

#include "boards/peer.h"
#include "goldwire/ims.h"

enum {
    GW_IMS_BUF_WORKERS = 64,
    GW_IMS_BUF_MAX_CHANNELS = 16,
};

/* One bit a fault. */
typedef enum gw_ims_buf_fault {
    IMS_BUF_FAULT_LONG_STATUS = 0,
    IMS_BUF_FAULT_UNKNOWN_METHOD,
    IMS_BUF_FAULT_EVEN_METHOD,
    IMS_BUF_FAULT_WIDE_LID,
    IMS_BUF_FAULT_LONG_ACK,
    IMS_BUF_FAULT_TYPE_2,
    IMS_BUF_FAULT_RESERVED_EVENTS,
    IMS_BUF_FAULT_ACK_WITH_EVENTS,
    IMS_BUF_FAULT_STATUS_OVER_UC,
    IMS_BUF_FAULT_ACK_WITH_IMM,
    IMS_BUF_FAULT_BAD_ICRC,
    IMS_BUF_FAULT_ANY_QKEY,
    IMS_BUF_FAULT_NO_REPEATED_RES,
    IMS_BUF_FAULT_TO_SOURCE_QP,
    IMS_BUF_FAULT_OWN_QKEY,
    IMS_BUF_FAULT_NO_LID_ECHO,
    IMS_BUF_FAULT_TAKES_REQUESTED_VA,
    IMS_BUF_FAULT_KEYED_BY_QPN,
    IMS_BUF_FAULT_SERVES_STRANGERS,
    IMS_BUF_FAULT_CHANNEL_LATE,
    IMS_BUF_FAULT_UNALIGNED_VA,
    IMS_BUF_FAULT_DATA_TERM_KEEPS,
    IMS_BUF_FAULT_STAT_TERM_KEEPS_CHANNEL,
    IMS_BUF_FAULT_STAT_TERM_KEEPS_WORKER,
    IMS_BUF_FAULT_TERM_FOR_ALL,
    IMS_BUF_FAULT_NEGOTIATES,
    IMS_BUF_FAULT_ANSWERS_TWICE,
    IMS_BUF_FAULT_NEVER_NACKS,
    IMS_BUF_FAULT_END_VA,
    IMS_BUF_FAULT_STICKY_EVENTS,
    IMS_BUF_FAULT_MISSES_GAPS,
    IMS_BUF_FAULT_ANY_RKEY,
    IMS_BUF_FAULT_ANY_ALIGNMENT,
    IMS_BUF_FAULT_ANY_LENGTH,
    IMS_BUF_FAULT_ANY_PACKET_LENGTH,
    IMS_BUF_FAULT_NO_WINDOW,
    IMS_BUF_FAULT_STORES_BEYOND,
    IMS_BUF_FAULT_SILENT_WITHOUT_START,
    IMS_BUF_FAULT_OLD_VA_WITHOUT_START,
    IMS_BUF_FAULT_POWERS_OF_TWO,
    IMS_BUF_FAULT_NO_SHORT_LAST,
    IMS_BUF_FAULT_NO_REPEATED_FRAME,
    IMS_BUF_FAULT_FLAT_MEMORY,
    IMS_BUF_FAULT_WINDOW_STUCK,
    IMS_BUF_FAULT_NO_BAD_MARKS,
    IMS_BUF_FAULT_NO_MEMORY_ERRORS,
    IMS_BUF_FAULT_SLOW_RECOVERY,
    IMS_BUF_FAULT_BIG_ENDIAN,
    IMS_BUF_FAULT_ANY_QPN,
    IMS_BUF_FAULT_TAKES_DAMAGED,
    IMS_BUF_FAULT_ECHOES_WIDE,
    IMS_BUF_FAULT_SAME_OPERATION,
    IMS_BUF_FAULT_STALE_ECHO,
    IMS_BUF_FAULT_SHORT_STICKS,
    IMS_BUF_FAULT_STRICT_RESERVED,
    IMS_BUF_FAULT_KEEPS_FIRST_KEY,
    IMS_BUF_FAULT_KEEPS_FIRST_QPND,
    IMS_BUF_FAULT_VA_GOES_ON,
    IMS_BUF_FAULT_COUNTS_DROPPED,
    IMS_BUF_FAULT_SHARED_EVENTS,
    IMS_BUF_FAULT_BARE_RUNT,
    IMS_BUF_FAULT_NACK_PER_EVENT,
    IMS_BUF_FAULT_ONE_EVENT,
    IMS_BUF_FAULT_HALF_WORD,
    IMS_BUF_FAULT_DRIFTS,
    IMS_BUF_FAULT_SLOWS_DOWN,
    IMS_BUF_FAULT_FILLS_RESERVED,
    IMS_BUF_FAULT_TURNS_AWAY,
    IMS_BUF_FAULT_EMPTY_KEY,
    IMS_BUF_FAULT_NO_DATA_QP,
    IMS_BUF_FAULT_OVERWRITES,
    IMS_BUF_FAULT_AWAITS_CLOSED,
    IMS_BUF_FAULT_LID_OPTIONAL,
    IMS_BUF_FAULT_PSN_FROM_0,
    IMS_BUF_FAULT_PSN_GOES_ON,
    IMS_BUF_FAULT_AWAITS_LOST,
    IMS_BUF_FAULT_ONE_KEY,
    IMS_BUF_FAULT_HALF_BURST,
    IMS_BUF_FAULT_LATE_LENGTH,
    IMS_BUF_FAULT_FIRST_OF_64,
    IMS_BUF_FAULT_KEEPS_WINDOW,
    IMS_BUF_FAULT_MISSES_ONLY,
    IMS_BUF_FAULT_SILENT_BELOW,
    IMS_BUF_FAULT_KEY_HIDES_LENGTH,
    IMS_BUF_FAULT_COUNTS_ON,
    IMS_BUF_FAULT_FIRST_IS_MIDDLE,
    IMS_BUF_FAULT_END_WRAPS,
    IMS_BUF_FAULT_REKEYS,
    IMS_BUF_FAULT_ONE_FRAME,
    IMS_BUF_FAULT_HANGS_ON_SHORT_THIRD,
    GW_IMS_BUF_NUM_MUTANTS /* one a fault */
} gw_ims_buf_fault;

typedef struct gw_ims_buf gw_ims_buf;
typedef struct gw_ims_buf_channel gw_ims_buf_channel;
typedef struct gw_ims_buf_frame gw_ims_buf_frame;
typedef struct gw_ims_buf_reply gw_ims_buf_reply;

#define GW_IMS_BUF_LID_MAX UINT32_C(0xffff) /* of 16 bits */

/* gw_ims_buf_policy is what the buffer does as it is told. */
typedef struct gw_ims_buf_policy {
    uint32_t lid_max; /* a request with a greater LID is none */
} gw_ims_buf_policy;

/* gw_ims_buf_policy_of returns that of |mutant|; NULL: what the specification wants. */
gw_ims_buf_policy gw_ims_buf_policy_of(const gw_mutant *mutant);

/* What mutants remember of a channel since it was opened. */
typedef struct gw_ims_buf_channel_memory {
    uint16_t generation;        /* of the opening that the rest is about */
    bool refused;               /* the frame before was */
    bool several;               /* the frame before had several packets */
    bool late;                  /* the packet has not the number that it should begin with */
    bool below;                 /* the frame lies below the read pointer */
    uint32_t kept;              /* events */
    uint32_t tail;              /* bytes of the packet before */
    uint32_t first;             /* bytes of the frame's first packet */
    uint32_t repeats;           /* DATA_RESs */
    uint64_t drift;             /* bytes that what is stored lies too far */
    uint64_t floor;             /* nothing is taken below */
    int64_t ready_ns;           /* nothing is taken before */
    uint64_t lost_va, lost_got; /* of the last frame that missed packets ... */
    uint32_t lost_length;       /* ... 0: none did */
} gw_ims_buf_channel_memory;

/* What mutants remember of a registered Worker. */
typedef struct gw_ims_buf_worker_memory {
    uint32_t answers;
    bool ended;    /* its data channel is closed ... */
    bool closing;  /* ... and it waits for that once more */
    uint64_t read; /* the read pointer of its data channel before */
} gw_ims_buf_worker_memory;

/* gw_ims_buf_memory is what mutants remember. */
typedef struct gw_ims_buf_memory {
    gw_ims_buf_channel_memory channels[GW_IMS_BUF_MAX_CHANNELS];
    gw_ims_buf_worker_memory workers[GW_IMS_BUF_WORKERS];
    uint32_t stale; /* the LID of a datagram that was dropped; 0: none was */
    uint8_t opcode; /* of the request */
    bool stuck;     /* the next datagram is lost */
    uint8_t trail;  /* requests of STAT_REQ and, right behind it, DATA_REQ that came last */
    bool hangs;     /* nothing is answered any more */
    uint32_t rkey;  /* of the channel that was opened last */
    uint8_t payload[GW_IMS_STATUS + 4]; /* of what is being sent */
    uint8_t held[GW_IB_PACKET_MAX];     /* what is sent late ... */
    size_t held_len;                    /* ... bytes, 0: nothing ... */
    uint32_t held_conn;
    int64_t held_ns; /* ... and when */
} gw_ims_buf_memory;

/* gw_ims_buf_filter_in gives |p| to the good board (gw_ims_buf_take), changed or not, or drops it.
 */
void gw_ims_buf_filter_in(gw_ims_buf *b, uint32_t conn, gw_ims_packet *p);

/* gw_ims_buf_filter_out changes what is sent. False when |r| is not to be sent, or was already. */
bool gw_ims_buf_filter_out(gw_ims_buf *b, gw_ims_buf_reply *r);

/* gw_ims_buf_send_late sends what was held until now, and returns when to call it again. */
int64_t gw_ims_buf_send_late(gw_ims_buf *b);

/* gw_ims_buf_memory_of returns what is remembered of |c|. */
gw_ims_buf_channel_memory *gw_ims_buf_memory_of(gw_ims_buf *b, const gw_ims_buf_channel *c);

/* ---- hooks ---- */

/* gw_ims_buf_hook_damaged looks into a damaged packet; true when it is to be taken all the same. */
bool gw_ims_buf_hook_damaged(gw_ims_buf *b, const gw_peer_event *event, gw_ims_packet *p);

/* gw_ims_buf_hook_begin changes the frame of |c| that |p| has begun. */
void gw_ims_buf_hook_begin(gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ims_packet *p);

/* gw_ims_buf_hook_length says whether |p|, whose length is |good| or not, has a good length. */
bool gw_ims_buf_hook_length(gw_ims_buf *b, const gw_ims_buf_channel *c, const gw_ims_packet *p,
                            bool good);

/* gw_ims_buf_hook_place returns how many of |len| bytes are stored, and may move them from |*va|.
 */
size_t gw_ims_buf_hook_place(gw_ims_buf *b, const gw_ims_buf_channel *c, uint64_t *va, size_t len);

/* gw_ims_buf_hook_sum says whether the frame of |c|, whose last packet |p| is, counts as |whole|.
 */
bool gw_ims_buf_hook_sum(gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ims_packet *p, bool whole);

/* gw_ims_buf_hook_events changes the events of the frame |f| that has ended. */
void gw_ims_buf_hook_events(gw_ims_buf *b, gw_ims_buf_channel *c, gw_ims_buf_frame *f);

#endif
