/* SPDX-License-Identifier: BSD-2-Clause */
/* What the cases for an IMS buffer share: goldwire plays Workers, over RoCEv2; where a case needs
 * the software around the buffer, it plays that too, over the link "regs".
 *
 * Packets whose ICRC is wrong are taken for lost, as an adapter would. */
#ifndef GOLDWIRE_FORMATS_IMS_BUF_SUITE_H
#define GOLDWIRE_FORMATS_IMS_BUF_SUITE_H

#include "goldwire/ims.h"
#include "run/case.h"
#include "suite/regs.h"

enum {
    GW_IMB_WORKERS = 4, /* that we can be at once */
    GW_IMB_PACKET = 256,
    GW_IMB_STRANGERS =
        64, /* Workers that no case plays, at once: more than a batch of a campaign has */
};

/* gw_imb_worker is one Worker of ours, and what the buffer told it. */
typedef struct gw_imb_worker {
    uint32_t lid;
    uint32_t qpn; /* of its status channel */
    uint32_t qkey;
    uint32_t data_qpn;
    uint32_t psn; /* of its next data packet */
    uint32_t buffer_qpn;
    uint32_t rkey;
    uint64_t va;   /* where the first frame begins */
    uint64_t next; /* where the next one does */
    uint64_t last; /* where the frame begins that was sent last */
} gw_imb_worker;

/* gw_imb_stranger is a Worker that may be registered, and that no case plays. */
typedef struct gw_imb_stranger {
    uint32_t lid;
    uint32_t qpn;
    unsigned leaves; /* that were taken for it since it asked last */
} gw_imb_stranger;

/* gw_imb_state is kept from case to case. */
typedef struct gw_imb_state {
    uint32_t psn;     /* of the next status packet */
    uint16_t version; /* major << 8 | minor, as the board told it */
    bool heard;
    unsigned said;      /* packets that were sent ... */
    unsigned heard_at;  /* ... when the last one came, ... */
    uint32_t heard_crc; /* ... whose checksum this is */
    gw_imb_worker workers[GW_IMB_WORKERS];
    gw_imb_stranger strangers[GW_IMB_STRANGERS];
    unsigned num_strangers;
    unsigned num_answered;
    struct {
        uint64_t va;
        uint32_t data_qpn;
    } answered[8]; /* the last frames that were */
} gw_imb_state;

/* gw_imb_got is a packet that came from the board. */
typedef struct gw_imb_got {
    gw_ims_packet p;
    gw_message message;
    gw_ib_verdict icrc;
    unsigned number; /* in the evidence */
    uint8_t bytes[GW_IB_PACKET_MAX];
} gw_imb_got;

/* gw_imb_frame is a frame to be sent. */
typedef struct gw_imb_frame {
    gw_ib_reth reth;
    uint32_t size;   /* bytes that are really sent */
    uint32_t packet; /* bytes of payload a packet */
    uint64_t skip;   /* bit i: packet i gets lost on the way */
    uint8_t seed;    /* of its content */
} gw_imb_frame;

/* gw_imb_fault is a way in which a frame can be wrong. */
typedef enum gw_imb_fault {
    GW_IMB_BAD_KEY = 0,
    GW_IMB_BAD_VA,
    GW_IMB_SHORT,
    GW_IMB_LONG,
    GW_IMB_BEYOND,
    GW_IMB_RUNT,
    GW_IMB_LOST_MIDDLE,
    GW_IMB_NUM_FAULTS,
} gw_imb_fault;

/* gw_imb_fault_info says what it is. */
typedef struct gw_imb_fault_info {
    const char *rule;
    const char *what; /* "a frame with another key" */
    uint32_t events;  /* all that are expected */
} gw_imb_fault_info;

extern const gw_imb_fault_info gw_imb_faults[GW_IMB_NUM_FAULTS];

/* ---- the status channel ---- */

/* gw_imb_one returns Worker |index|, registered nowhere, with numbers of its own. */
gw_imb_worker *gw_imb_one(gw_ctx *ctx, unsigned index);

/* gw_imb_request returns the request |method| of |w|. */
gw_ims_status gw_imb_request(const gw_imb_worker *w, uint8_t method);

/* gw_imb_send builds |draft| and sends it. */
unsigned gw_imb_send(gw_ctx *ctx, const gw_ims_draft *draft);

/* gw_imb_send_damaged builds it and flips the bits of |flip| in its ICRC. The case does not apply
 * through an adapter, which sends no such packets. */
void gw_imb_send_damaged(gw_ctx *ctx, const gw_ims_draft *draft, uint32_t flip);

/* gw_imb_draft returns a draft for the board's status queue pair from that of |w|. */
gw_ims_draft gw_imb_draft(gw_ctx *ctx, const gw_imb_worker *w, const gw_ims_status *status);

/* gw_imb_send_request sends the request |method| of |w|. */
unsigned gw_imb_send_request(gw_ctx *ctx, const gw_imb_worker *w, uint8_t method);

/* gw_imb_next waits for the next packet, whatever it is. False when none comes in time. */
bool gw_imb_next(gw_ctx *ctx, gw_imb_got *got, int64_t timeout_ns);

/* gw_imb_next_to waits for the next packet to queue pair |qpn| that is undamaged. */
bool gw_imb_next_to(gw_ctx *ctx, uint32_t qpn, gw_imb_got *got, int64_t timeout_ns);

/* gw_imb_answer waits for an answer to |w| of the method |method|; others are left out. */
bool gw_imb_answer(gw_ctx *ctx, const gw_imb_worker *w, uint8_t method, gw_imb_got *got);

/* gw_imb_ask sends the request |method| of |w| and returns its answer; fails with |rule| when none
 * comes. */
void gw_imb_ask(gw_ctx *ctx, const gw_imb_worker *w, uint8_t method, gw_imb_got *got,
                const char *rule);

/* gw_imb_register registers |w|; gw_imb_open also opens its data channel. Inconclusive when the
 * board does not answer. */
void gw_imb_register(gw_ctx *ctx, const gw_imb_worker *w);
void gw_imb_open(gw_ctx *ctx, gw_imb_worker *w);

/* gw_imb_quiet fails with |rule| when an answer to |w| comes within the settle time. */
void gw_imb_quiet(gw_ctx *ctx, const gw_imb_worker *w, const char *rule, const char *after);

/* gw_imb_want fails with |rule| unless |field| of |got| is |value|. */
void gw_imb_want(gw_ctx *ctx, const gw_imb_got *got, const char *rule, const char *field,
                 uint64_t value);

/* gw_imb_judge fails when |got| breaks one of the rules that the case names. */
void gw_imb_judge(gw_ctx *ctx, const gw_imb_got *got);

/* gw_imb_drain takes what is left over from earlier. */
void gw_imb_drain(gw_ctx *ctx);

/* ---- Workers that no case plays ---- */

/* gw_imb_told notes who |message|, which no case made, says to be. */
void gw_imb_told(gw_ctx *ctx, const gw_message *message);

/* gw_imb_heard forgets whoever the buffer says to have taken leave. */
void gw_imb_heard(gw_ctx *ctx, gw_connection *conn, const gw_packet *packet);

/* gw_imb_strangers_leave takes their leave: until the buffer confirms it, where the path loses
 * packets. Whether there were any. */
bool gw_imb_strangers_leave(gw_ctx *ctx);

/* ---- the data channel ---- */

/* gw_imb_frame_of returns a good frame of |size| bytes where |w| goes on, |packet| bytes a packet.
 * The case does not apply when that may not be written. */
gw_imb_frame gw_imb_frame_of(gw_ctx *ctx, gw_imb_worker *w, uint32_t size, uint32_t packet);

/* gw_imb_byte returns the byte of |f| at |offset|. */
uint8_t gw_imb_byte(const gw_imb_frame *f, uint32_t offset);

/* gw_imb_faulty returns one that is wrong as |which| says. */
gw_imb_frame gw_imb_faulty(gw_ctx *ctx, gw_imb_worker *w, gw_imb_fault which);

/* gw_imb_possible says whether such a frame can be sent: an adapter's lengths fit, and it loses
 * nothing. */
bool gw_imb_possible(gw_ctx *ctx, gw_imb_fault which);

/* gw_imb_first_fault returns the first such fault from |from| on; GW_IMB_NUM_FAULTS beyond the
 * last. */
unsigned gw_imb_first_fault(gw_ctx *ctx, unsigned from);

/* gw_imb_orphans sends packets behind a first one that never came. */
void gw_imb_orphans(gw_ctx *ctx, gw_imb_worker *w);

/* gw_imb_write sends |f| and returns the number of its first packet in the evidence. */
unsigned gw_imb_write(gw_ctx *ctx, gw_imb_worker *w, const gw_imb_frame *f);

/* gw_imb_part returns the draft of one packet of a frame: bytes |offset| to |offset| + |len| of
 * |f|, which are written to |data|, with the next PSN. */
gw_ims_draft gw_imb_part(const gw_imb_worker *w, const gw_imb_frame *f, uint32_t offset,
                         uint8_t *data, uint32_t len);

/* gw_imb_packet sends it. */
unsigned gw_imb_packet(gw_ctx *ctx, gw_imb_worker *w, const gw_imb_frame *f, uint32_t offset,
                       uint32_t len);

/* gw_imb_type_miss and gw_imb_events_miss return where |got|, a response, departs from |rule|. */
gw_miss gw_imb_type_miss(const gw_imb_got *got, const char *rule, uint32_t expected);
gw_miss gw_imb_events_miss(const gw_imb_got *got, const char *rule, uint32_t expected);

/* gw_imb_response waits for a response to |w|. */
bool gw_imb_response(gw_ctx *ctx, const gw_imb_worker *w, gw_imb_got *got, int64_t timeout_ns);

/* gw_imb_acked sends |f| and fails with |rule| unless it is acknowledged. */
void gw_imb_acked(gw_ctx *ctx, gw_imb_worker *w, const gw_imb_frame *f, const char *rule,
                  const char *what);

/* gw_imb_nacked waits for the response to |what| and fails with |rule| unless it is a NACK with all
 * of |events|. */
void gw_imb_nacked(gw_ctx *ctx, const gw_imb_worker *w, uint32_t events, gw_imb_got *got,
                   const char *rule, const char *what);

/* gw_imb_no_response fails with |rule| when a response to |w| comes within the settle time. */
void gw_imb_no_response(gw_ctx *ctx, const gw_imb_worker *w, const char *rule, const char *after);

/* ---- the software around the buffer ---- */

/* gw_imb_channel returns where the registers of the channel of |w| are. */
uint32_t gw_imb_channel(gw_ctx *ctx, const gw_imb_worker *w);

/* gw_imb_memory returns 32 bits of the ring of |w| at byte |offset|. */
uint32_t gw_imb_memory(gw_ctx *ctx, const gw_imb_worker *w, uint64_t offset);

/* gw_imb_hold keeps the read pointer of |w| where it is. */
void gw_imb_hold(gw_ctx *ctx, const gw_imb_worker *w);

/* gw_imb_read_pointer sets it. */
void gw_imb_read_pointer(gw_ctx *ctx, const gw_imb_worker *w, uint64_t va);

/* gw_imb_ring and gw_imb_margin return the ring's size and the window's margin, bytes. */
uint64_t gw_imb_ring(gw_ctx *ctx);
uint32_t gw_imb_margin(gw_ctx *ctx);

extern const gw_case gw_ims_b_format[], gw_ims_b_status[], gw_ims_b_channel[], gw_ims_b_noise[],
    gw_ims_b_frame[], gw_ims_b_mid_frame[], gw_ims_b_errors[], gw_ims_b_window[], gw_ims_b_end[],
    gw_ims_b_others[];
extern const struct gw_loads gw_ims_buf_loads;
extern const gw_suite gw_ims_buf_suite;

#endif
