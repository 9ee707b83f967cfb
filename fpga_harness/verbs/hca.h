/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the ib:// transport: an opened adapter (HCA) with its two queue pairs.
 *
 * All memory is taken and registered when it is opened: slots for what comes, and two rings for
 * what goes. A message is copied once, into or out of these. */
#ifndef HARNESS_HCA_H
#define HARNESS_HCA_H

#include "goldwire/ib.h"
#include "harness/transport.h"
#include "transport/ib_packet.h"
#include "transport/ib_ring.h"
#include "verbs.h"

#define GW_HCA_SLOT 8192                               /* bytes for a message that comes */
#define GW_HCA_GRH 40                                  /* of these, before a datagram */
#define GW_HCA_UD_SLOTS 64                             /* datagrams that may wait for us */
#define GW_HCA_UC_SLOTS 512                            /* responses, likewise */
#define GW_HCA_UD_ROOM (64 * (size_t)1024)             /* bytes for datagrams that go */
#define GW_HCA_PATIENCE_NS (INT64_C(5) * 1000000000)   /* for the adapter to send */
#define GW_HCA_PACKET (GW_HCA_SLOT + GW_IB_PACKET_MAX) /* of what came, with its headers */

/* Which queue pair. */
typedef enum gw_hca_which { HCA_UD = 0, HCA_UC, HCA_NUM } gw_hca_which;

typedef struct gw_hca_queue {
    struct ibv_qp *qp;
    gw_ib_ring ring; /* what goes ... */
    uint8_t *out;    /* ... lies here */
    uint8_t *slots;  /* what comes lies here */
    uint32_t num_slots;
    uint32_t psn; /* that the next message to come gets */
    uint32_t era; /* counts the set-ups: what an earlier one left behind is not ours any more */
    bool ready;   /* to send */
} gw_hca_queue;

/* gw_hca is an opened adapter. */
typedef struct gw_hca {
    gw_transport t;
    gw_adapter adapter;
    gw_verbs verbs;
    gw_ib_options options;
    uint8_t port;
    bool ethernet; /* RoCE; else a native link */
    bool has_grh;  /* packets go to a GID; else to a LID */
    int gid_index;
    union ibv_gid here;
    union ibv_gid there;
    uint16_t dlid;
    uint8_t active_mtu; /* enum ibv_mtu */
    struct ibv_context *context;
    struct ibv_pd *pd;
    struct ibv_comp_channel *came; /* messages came */
    struct ibv_comp_channel *gone; /* messages are gone */
    struct ibv_cq *came_cq;
    struct ibv_cq *gone_cq;
    struct ibv_ah *ah;
    uint8_t *memory; /* all of it */
    size_t memory_len;
    struct ibv_mr *mr;
    gw_hca_queue queues[HCA_NUM];
    /* the connection, as set up */
    uint32_t dest_qp;
    uint32_t next_psn;
    uint32_t packet; /* path MTU, bytes */
    /* the message that is being gathered */
    gw_ib_message message;
    size_t message_at; /* in its ring */
    uint8_t packet_in[GW_HCA_PACKET];
} gw_hca;

/* ---- the transport (ib.c) ---- */

/* gw_hca_open is gw_ib_open with the library |verbs|. */
gw_transport *gw_hca_open(const gw_verbs *verbs, const gw_url *url, bool *unreachable, char *why,
                          size_t why_cap);

/* ---- the port (hca_port.c) ---- */

/* gw_hca_find_port opens the adapter of |url|, looks at its port, and finds out by which address it
 * reaches the other side. False with a text. */
GW_MUST_USE bool gw_hca_find_port(gw_hca *hca, const gw_url *url, char *why, size_t why_cap);

/* gw_hca_route writes how packets of service level |sl| get to the other side. */
void gw_hca_route(const gw_hca *hca, struct ibv_ah_attr *out, uint8_t sl);

/* ---- queue pairs (hca_queue.c) ---- */

/* gw_hca_open_queues takes memory and makes both queue pairs; that for datagrams can be used then.
 * False with a text. */
GW_MUST_USE bool gw_hca_open_queues(gw_hca *hca, char *why, size_t why_cap);

/* gw_hca_connect sets the connected queue pair up for messages to |dest_qp|, the first packet
 * numbered |psn|, cut at |packet| bytes. False with a text in t.error. */
GW_MUST_USE bool gw_hca_connect(gw_hca *hca, uint32_t dest_qp, uint32_t psn, uint32_t packet);

/* gw_hca_post_slot lets the adapter have a slot, again or for the first time. False with a text in
 * t.error. */
GW_MUST_USE bool gw_hca_post_slot(gw_hca *hca, gw_hca_which which, uint32_t slot);

/* gw_hca_make_room waits until |len| bytes fit the ring of |which|, and says where. False with a
 * text in t.error. */
GW_MUST_USE bool gw_hca_make_room(gw_hca *hca, gw_hca_which which, size_t len, size_t *at);

/* gw_hca_post sends the |len| bytes at |at| of the ring of |which| as |request| says, whose list of
 * pieces is set here. False with a text in t.error. */
GW_MUST_USE bool gw_hca_post(gw_hca *hca, gw_hca_which which, struct ibv_send_wr *request,
                             size_t at, size_t len);

/* gw_hca_next takes the next completion of what came. False when there is none; then the channel
 * tells of the next one. */
bool gw_hca_next(gw_hca *hca, struct ibv_wc *wc);

/* gw_hca_wait waits on |channel| until |deadline| and clears it. */
void gw_hca_wait(gw_hca *hca, struct ibv_comp_channel *channel, int64_t deadline);

/* gw_hca_which_of and gw_hca_slot_of read the number of a request; false when it is of an earlier
 * set-up. */
gw_hca_which gw_hca_which_of(uint64_t id);
bool gw_hca_slot_of(const gw_hca *hca, uint64_t id, uint32_t *slot);

/* gw_hca_fail notes |what| and errno |code| (0: none) in t.error and returns false. */
bool gw_hca_fail(gw_hca *hca, const char *what, int code);

/* gw_hca_free gives everything back. */
void gw_hca_free(gw_hca *hca);

#endif
