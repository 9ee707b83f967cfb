/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire's side of a simulation: one connection, one clock, the queues of its ports. */
#ifndef SIM_LINK_H
#define SIM_LINK_H

#include "gw_hdl.h"
#include "gw_hdl_wire.h"
#include "harness/sim.h"

#define GW_SIM_PS_A_NS INT64_C(1000)
#ifndef GW_SIM_QUEUE
#define GW_SIM_QUEUE (1u << 20) /* bytes from a port that nobody has received yet */
#endif
#define GW_SIM_BREACHES (GW_SIM_PORTS * GW_SIM_NUM_BREACHES)

/* gw_sim_queue holds frames in the order in which they came, each behind its time and length. */
typedef struct gw_sim_queue {
    uint8_t *bytes; /* GW_SIM_QUEUE */
    size_t first;
    size_t end;
    bool dropped; /* one did not fit */
} gw_sim_queue;

/* gw_sim_access is what became of an access to a bus. */
typedef struct gw_sim_access {
    uint32_t id;
    bool done;
    bool error;
    uint32_t data;
} gw_sim_access;

#define GW_SIM_STARTS 256
#define GW_SIM_LISTENERS 16 /* transports of one port at a time */

typedef struct gw_sim_port_state {
    unsigned kind; /* 0: the testbench has no such port */
    unsigned width;
    gw_sim_queue *listeners[GW_SIM_LISTENERS]; /* of the transports that are open; each hears all */
    size_t untaken;                            /* bytes sent that the core has not taken whole */
    gw_sim_access access;
    gw_handshake flows[GW_WIRE_LANES];
    uint32_t seed; /* of their chance */
} gw_sim_port_state;

/* gw_sim_carrier is how messages get to a simulator and back. */
typedef struct gw_sim_carrier {
    /* Says a message: |head| is complete, |body| and |more| follow it. False when it is lost. */
    bool (*put)(gw_sim *sim, const gw_wire_head *head, const void *body, size_t len,
                const void *more, size_t more_len);
    /* Waits for what the simulator says, up to |cap| bytes. 0: it is lost, or goldwire is told to
     * stop. */
    size_t (*get)(gw_sim *sim, uint8_t *out, size_t cap);
    void (*close)(gw_sim *sim);
} gw_sim_carrier;

struct gw_sim {
    const gw_sim_carrier *carrier; /* NULL: no simulator */
    int listen_fd;                 /* -1: none calls, it is in this process */
    int fd;                        /* of the one that has called */
    struct gw_sim_model *model;    /* the one in this process */
    char path[108];                /* of a local socket */
    char cause[240];               /* why there is none */
    unsigned refs;                 /* of transports, and one of who made it */
    bool pending;     /* a SYNC is unanswered: goldwire was told to stop while it waited */
    int64_t hang_ns;  /* of the wall's clock without a sign of life: it hangs */
    int64_t base_ps;  /* where this simulator's time began on the clock */
    int64_t now_ps;   /* of the clock */
    uint32_t id;      /* of the last message */
    uint32_t sync_id; /* of the last SYNC ... */
    int64_t asked_ps; /* ... its time on the clock ... */
    bool came;        /* ... and whether the core has sent or answered something since */
    int64_t alive_ps; /* of the last sign of life ... */
    unsigned still;   /* ... and how many before it had the same time */
    gw_sim_port_state ports[GW_SIM_PORTS];
    gw_sim_breaches breaches[GW_SIM_BREACHES];
    size_t num_breaches;
    char mark[33];                       /* the last one */
    uint64_t frames_heard;               /* from the core, on ports of AXI4-Stream */
    bool bus_used;                       /* that is watched */
    bool axil_used;                      /* AXI4-Lite has answered */
    uint32_t edges_id;                   /* of the question for edges that is open; 0: none is */
    gw_sim_moment moment;                /* that it is about, and ... */
    gw_sim_view *view;                   /* ... what came of it */
    gw_sim_view *views[GW_SIM_BREACHES]; /* of the breaches */
    char waves[480];     /* where they are written, without number and kind; "": nowhere */
    unsigned num_starts; /* simulators that called, of which the first ... */
    int64_t starts_ps[GW_SIM_STARTS]; /* ... began at these times of the clock */
    uint8_t *in;                      /* a message */
    size_t in_cap;
    size_t in_len;
    size_t in_pos;
};

/* gw_sim_is_there says whether there is a simulator to talk to. */
static inline bool gw_sim_is_there(const gw_sim *sim)
{
    return sim->carrier != NULL;
}

/* gw_sim_new makes a simulation that nobody has called yet. NULL when there is no memory. */
gw_sim *gw_sim_new(void);

/* gw_sim_over_socket talks over |fd| from now on, and closes it when the simulator is lost. */
GW_MUST_USE bool gw_sim_over_socket(gw_sim *sim, int fd);

/* gw_sim_greet begins the conversation with the simulator behind |carrier|. False when it is none,
 * for a cause that the simulation keeps. */
GW_MUST_USE bool gw_sim_greet(gw_sim *sim, const gw_sim_carrier *carrier);

/* gw_sim_say sends a message: |head| with its length and number filled in here, and up to two
 * pieces of body. Returns its number; 0 when there is no simulator (any more). */
uint32_t gw_sim_say(gw_sim *sim, gw_wire_head head, const void *body, size_t len, const void *more,
                    size_t more_len);

/* gw_sim_hear takes the next message: its header to |head|, and its body, valid until the next
 * call. NULL when there is no simulator any more, or goldwire is told to stop. */
const uint8_t *gw_sim_hear(gw_sim *sim, gw_wire_head *head);

/* gw_sim_run lets time pass until |until_ps| of the clock, or until something comes from the core
 * unless |free_run|. Without a simulator the clock goes there by itself, so that whoever waits
 * comes to an end. */
void gw_sim_run(gw_sim *sim, int64_t until_ps, bool free_run);

/* gw_sim_lose notes that the simulator is gone, and why, as for printf. The first cause stands. */
GW_PRINTF(2, 3) void gw_sim_lose(gw_sim *sim, const char *fmt, ...);

/* gw_sim_unref lets go of |sim|, and frees it for the last one that holds it. */
void gw_sim_unref(gw_sim *sim);

/* gw_sim_join has |queue| hear what comes from port |port| from now on, gw_sim_leave no longer.
 * False with a text in |why| when too many do, or there is no memory. */
GW_MUST_USE bool gw_sim_join(gw_sim *sim, unsigned port, gw_sim_queue *queue, char *why,
                             size_t why_cap);
void gw_sim_leave(gw_sim *sim, unsigned port, gw_sim_queue *queue);

/* gw_sim_write sends |len| bytes to port |port|, as a frame or chunk. What the core does not take
 * fills its queue some day; more is lost, as before a board that is deaf. */
void gw_sim_write(gw_sim *sim, unsigned port, const uint8_t *data, size_t len);

/* gw_sim_ps turns a deadline into picoseconds of the clock; whatever is later than anybody means is
 * as late as can be. */
int64_t gw_sim_ps(int64_t ns);

/* gw_sim_note tells whoever waits, by |t|, that the simulator is gone, as of a port that is
 * unreachable. */
void gw_sim_note(gw_sim *sim, gw_transport *t);

/* gw_sim_pass lets time pass until |deadline|, whatever comes. */
void gw_sim_pass(gw_sim *sim, int64_t deadline);

/* gw_sim_open_words opens the link of which port |port| carries the words and the next one the
 * events. Its datagrams are those of the OP2P tunnel (docs/op2p-tunnel.md). */
gw_transport *gw_sim_open_words(gw_sim *sim, unsigned port, const gw_endpoint *local,
                                const gw_endpoint *remote, char *why, size_t why_cap);

/* gw_sim_open_bus opens the bus of port |port|. Its datagrams are EtherBone's packets, which it
 * answers itself. */
gw_transport *gw_sim_open_bus(gw_sim *sim, unsigned port, const gw_endpoint *local,
                              const gw_endpoint *remote, char *why, size_t why_cap);

/* gw_sim_hear_edges takes EDGES: the answer to gw_sim_look, or what surrounds a breach. */
void gw_sim_hear_edges(gw_sim *sim, const gw_wire_head *head, const uint8_t *body);

/* gw_sim_heed takes a message. True when time stands still again. */
bool gw_sim_heed(gw_sim *sim, const gw_wire_head *head, const uint8_t *body);

/* gw_sim_view_of makes the view of |moment| of port |port| of |kind| from the body of EDGES, |len|
 * bytes, or, when |moment| is NULL, of the breach that the body names. |base_ps| is where the
 * simulator's time began. NULL when it is garbage, tells nothing of that moment, or memory fails;
 * the caller frees it. */
gw_sim_view *gw_sim_view_of(const uint8_t *body, size_t len, unsigned port, unsigned kind,
                            int64_t base_ps, const gw_sim_moment *moment);

/* gw_sim_wave_started notes that a simulator has called, whose time began at |sim|->base_ps. */
void gw_sim_wave_started(gw_sim *sim);

/* gw_sim_queue_put adds a frame; one that does not fit is dropped. */
void gw_sim_queue_put(gw_sim_queue *queue, int64_t time_ps, const uint8_t *data, size_t len);

/* gw_sim_queue_peek tells when the oldest frame came. False when there is none. */
bool gw_sim_queue_peek(const gw_sim_queue *queue, int64_t *time_ps);

/* gw_sim_queue_get takes the oldest frame, cut to |cap| bytes. False when there is none. */
bool gw_sim_queue_get(gw_sim_queue *queue, int64_t *time_ps, uint8_t *out, size_t cap, size_t *len);

#endif
