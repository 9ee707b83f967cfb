/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies over the software IMS Worker when it is a mutant: filters before and behind it, a
 * policy, and a few hooks inside. All of them do nothing on the good board. */
#ifndef GOLDWIRE_FORMATS_IMS_WORKER_MUTANT_H
#define GOLDWIRE_FORMATS_IMS_WORKER_MUTANT_H

#include "boards/peer.h"
#include "goldwire/ims.h"

/* One bit a fault. */
typedef enum gw_ims_worker_fault {
    WORKER_FAULT_LONG_STATUS = 0,
    WORKER_FAULT_METHOD,
    WORKER_FAULT_ICRC,
    WORKER_FAULT_IMMEDIATE,
    WORKER_FAULT_OTHER_QPN,
    WORKER_FAULT_HASTY,
    WORKER_FAULT_NO_QPND,
    WORKER_FAULT_EARLY,
    WORKER_FAULT_RKEY,
    WORKER_FAULT_START,
    WORKER_FAULT_ANY_VERSION,
    WORKER_FAULT_UNALIGNED,
    WORKER_FAULT_PACKETS,
    WORKER_FAULT_LENGTH,
    WORKER_FAULT_SIZES,
    WORKER_FAULT_GAPS,
    WORKER_FAULT_MOVES,
    WORKER_FAULT_DEAF,
    WORKER_FAULT_NO_RESEND,
    WORKER_FAULT_NO_WAIT,
    WORKER_FAULT_STUBBORN,
    WORKER_FAULT_TRUSTS,
    WORKER_FAULT_ANY_VA,
    WORKER_FAULT_NO_START,
    WORKER_FAULT_COUNTS,
    WORKER_FAULT_LEAVES,
    WORKER_FAULT_AFTER_TERM,
    WORKER_FAULT_PICKY,
    WORKER_FAULT_IMAGE_VA,
    WORKER_FAULT_IMAGE_CRC,
    WORKER_FAULT_ENDLESS,
    WORKER_FAULT_CUT,
    WORKER_FAULT_ANY_IDENTITY,
    WORKER_FAULT_RENAMES,
    WORKER_FAULT_PERSISTS,
    WORKER_FAULT_WRITES_WITHOUT,
    WORKER_FAULT_WRITES_ON,
    WORKER_FAULT_TAKES_SECOND,
    WORKER_FAULT_STRICT_RESERVED,
    WORKER_FAULT_ECHOES,
    WORKER_FAULT_CHOKES,
    WORKER_FAULT_ODD_NACK,
    WORKER_FAULT_WAITS_ONCE,
    WORKER_FAULT_NO_START_VA,
    WORKER_FAULT_BREAKS_OFF,
    WORKER_FAULT_ODD_AGAIN,
    WORKER_FAULT_SEALS_AGAIN,
    WORKER_FAULT_IMPATIENT,
    WORKER_FAULT_OLDEST,
    WORKER_FAULT_SLOWS_DOWN,
    WORKER_FAULT_CONFIRMS,
    WORKER_FAULT_EQUAL_VERSION,
    WORKER_FAULT_STAYS_REFUSED,
    WORKER_FAULT_GOES_BACK,
    GW_IMS_NUM_WORKER_MUTANTS /* one a fault */
} gw_ims_worker_fault;

typedef struct gw_ims_worker_setup gw_ims_worker_setup;
typedef struct gw_ims_worker_state gw_ims_worker_state;
typedef struct gw_ims_slot gw_ims_slot;

/* gw_ims_worker_policy is how the Worker sends its frames. */
typedef struct gw_ims_worker_policy {
    uint32_t packet;       /* bytes of a payload ... */
    uint32_t packet_again; /* ... of a frame that is sent again */
    uint32_t tries;        /* of a frame */
    uint32_t forgives;     /* from so many tries on an ACK of a frame that was refused is an old one
                            */
    int64_t response_ns;   /* until a frame is sent again */
} gw_ims_worker_policy;

/* gw_ims_worker_policy_of returns what |setup| says, as far as |mutant| (NULL: the good board) does
 * so. */
gw_ims_worker_policy gw_ims_worker_policy_of(const gw_ims_worker_setup *setup,
                                             const gw_mutant *mutant);

/* gw_ims_worker_memory is what mutants remember. */
typedef struct gw_ims_worker_memory {
    bool choked;                        /* the next response is lost */
    uint8_t payload[GW_IMS_STATUS + 4]; /* of what is being sent */
} gw_ims_worker_memory;

/* gw_ims_worker_filter_in gives |p| to the good board (gw_ims_worker_take), changed or not, or
 * drops it. */
void gw_ims_worker_filter_in(gw_ims_worker_state *w, gw_ims_packet *p);

/* gw_ims_worker_filter_out changes what is sent. False when |draft| is not to be sent, or was
 * already. */
bool gw_ims_worker_filter_out(gw_ims_worker_state *w, gw_ims_draft *draft);

/* ---- hooks ---- */

/* gw_ims_worker_hook_va and gw_ims_worker_hook_length return where frame |number| begins and how
 * long it is, which is |va| and |length| on the good board. */
uint64_t gw_ims_worker_hook_va(const gw_ims_worker_state *w, uint64_t number, uint64_t va);
uint32_t gw_ims_worker_hook_length(const gw_ims_worker_state *w, uint64_t number, uint32_t length);

/* gw_ims_worker_hook_refusal says whether nothing more is to be done about the frame in |slot|,
 * which was refused. */
bool gw_ims_worker_hook_refusal(gw_ims_worker_state *w, gw_ims_slot *slot);

/* gw_ims_worker_hook_image changes the image of |size| bytes at |va| that was made. */
void gw_ims_worker_hook_image(gw_ims_worker_state *w, size_t size, uint64_t va);

/* gw_ims_worker_write_anyway sends the first frame, whether that is allowed or not. */
void gw_ims_worker_write_anyway(gw_ims_worker_state *w);

/* gw_ims_worker_write_early does so where the buffer has not told yet where to. */
void gw_ims_worker_write_early(gw_ims_worker_state *w);

#endif
