/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulated boards: a core in an HDL simulator, reached through the ports of its testbench
 * (fpga_harness/hdl), in simulated time. sim/gw_hdl_wire.h says what the two tell each other.
 *
 * One simulation has one clock for all its ports. Time passes only while a transport waits or
 * receives, or sends what has to be over before it is done; between two calls the simulator stands
 * still. The wall's clock only guards against a
 * simulator that never starts, or hangs. */
#ifndef HARNESS_SIM_H
#define HARNESS_SIM_H

#include "harness/transport.h"

#define GW_SIM_PORTS 16

/* gw_sim is a simulation that goldwire waits for, or talks to. */
typedef struct gw_sim gw_sim;

/* What the signals of a port were around a moment, clock edge by clock edge. */
#define GW_SIM_VIEW_COLUMNS 44
#define GW_SIM_VIEW_BYTES 64
#define GW_SIM_VIEW_LANES 2 /* to the core, from it */

/* gw_sim_signals is what those of one lane were: |wires| as sim/gw_hdl_wire.h has them. */
typedef struct gw_sim_signals {
    bool known;
    uint32_t wires;
    uint32_t len; /* bytes of data, the first one lowest */
    uint64_t keep;
    uint64_t unknown; /* a bit a byte */
    uint8_t data[GW_SIM_VIEW_BYTES];
} gw_sim_signals;

/* gw_sim_column is one clock edge. */
typedef struct gw_sim_column {
    int64_t time_ps;  /* on the simulation's clock */
    uint64_t skipped; /* edges before it that are left out */
    gw_sim_signals lanes[GW_SIM_VIEW_LANES];
} gw_sim_column;

/* gw_sim_interface is what a port's signals are. */
typedef enum gw_sim_interface {
    GW_SIM_INTERFACE_AXIS,
    GW_SIM_INTERFACE_OP2P,
    GW_SIM_INTERFACE_APELINK,
    GW_SIM_INTERFACE_BUS,
    GW_SIM_INTERFACE_WISHBONE, /* of registers, with a lane for what comes from the core */
    GW_SIM_INTERFACE_AXIL,
} gw_sim_interface;

typedef struct gw_sim_view {
    unsigned port;
    gw_sim_interface interface;
    size_t focus; /* the column that matters */
    size_t num;
    gw_sim_column columns[GW_SIM_VIEW_COLUMNS];
} gw_sim_view;

/* gw_sim_moment is what a view is to show. */
typedef struct gw_sim_moment {
    int64_t at_ns;     /* of a frame from the core, its last beat; of one to it, when it was sent */
    bool from_core;    /* whose the frame is */
    uint32_t num_byte; /* of a datagram's payload, from 1: the one that matters; 0: the frame's last
                          beat, or, of a frame to the core, its first one */
} gw_sim_moment;

/* gw_sim_breaches counts what a port saw of one kind (enum gw_hdl_breach of sim/gw_hdl.h). */
typedef struct gw_sim_breaches {
    unsigned port;
    unsigned which;
    const char *rule;        /* the rule of gw_port_format that it breaks */
    uint64_t times;          /* seen, ... */
    bool at_least;           /* ... or more often: a port does not tell each time */
    uint64_t before;         /* of them, those in simulators that are gone */
    int64_t first_ns;        /* when it was first seen, on the simulation's clock */
    char during[33];         /* what was marked then (gw_sim_mark); "" before the first mark */
    const gw_sim_view *view; /* what was seen then; NULL when it was not told */
} gw_sim_breaches;

/* gw_sim_listen waits, without blocking, for a simulator that calls at the path gw_sim_path tells,
 * which its testbench finds in GOLDWIRE_COSIM: the variable is set for what goldwire starts from
 * now on. |name| has letters, digits, '.', '_' and '-'. NULL with a text in |why|: a bad name, or
 * another goldwire that waits there. */
gw_sim *gw_sim_listen(const char *name, char *why, size_t why_cap);

/* gw_sim_step passes the next clock edge of a model in this process, whose ports call gw_hdl.h
 * then. False when the model ends. */
typedef bool gw_sim_step(void *context);

/* gw_sim_attach begins a simulation in this process: |calls| is the simulator's side that the model
 * is linked with (sim/gw_hdl_in_process.h), and |step| is called with |context| as often as whoever
 * waits needs it. The first step opens the model's ports; a port may be called at one time of the
 * simulation in a step, not at several. Nobody guards against a step that does not return. NULL
 * with a text in |why|. Both have to stay until gw_sim_free, and a model can be attached again, or
 * another one that is linked with the same gw_hdl.c, when the last transport is closed behind it.
 */
struct gw_hdl_in_process;
gw_sim *gw_sim_attach(const struct gw_hdl_in_process *calls, gw_sim_step *step, void *context,
                      char *why, size_t why_cap);

/* gw_sim_path returns where it listens; "" for a model in this process. */
const char *gw_sim_path(const gw_sim *sim);

/* gw_sim_guard says after how long on the wall's clock without a sign of life, which comes twice a
 * second, a simulator hangs; 10 s unless told. */
void gw_sim_guard(gw_sim *sim, int64_t hang_ns);

/* gw_sim_await waits |timeout_ns| of the wall's clock until a simulator is there, or goldwire is
 * told to stop. After one that is gone it takes the next, whose time goes on where the other's
 * ended. False with a text in |why|. */
GW_MUST_USE bool gw_sim_await(gw_sim *sim, int64_t timeout_ns, char *why, size_t why_cap);

/* gw_sim_lost says whether there is no simulator to talk to (any more): |why| gets the reason, for
 * people. */
bool gw_sim_lost(const gw_sim *sim, char *why, size_t why_cap);

/* gw_sim_is_datagrams and gw_sim_is_ethernet say what is sent to port |port| and comes from it:
 * datagrams (payloads of UDP's, those of the OP2P tunnel for a link of words, EtherBone packets
 * for a bus), or Ethernet frames. Neither, when the testbench has no such port. */
bool gw_sim_is_datagrams(const gw_sim *sim, unsigned port);
bool gw_sim_is_ethernet(const gw_sim *sim, unsigned port);

/* gw_sim_is_axis says whether port |port| is AXI4-Stream: of datagrams or of Ethernet frames. */
bool gw_sim_is_axis(const gw_sim *sim, unsigned port);

/* gw_sim_is_apelink says whether port |port| carries the words of an APElink. */
bool gw_sim_is_apelink(const gw_sim *sim, unsigned port);

/* gw_sim_lacks_events says whether port |port| carries the words of an OP2P link, and the next one
 * not its events. */
bool gw_sim_lacks_events(const gw_sim *sim, unsigned port);

/* gw_sim_open opens port |port|, of kind udp, as a sender of datagrams between |local| and
 * |remote|, which only evidence knows; of kind ethernet as frames; of kind op2p as the OP2P tunnel
 * (docs/op2p-tunnel.md); of kind apelink as chunks of words, each followed by a byte with its flag;
 * of kind bus as an EtherBone slave, whose accesses take place while a
 * packet is sent. So time may pass in sending to either of the last two. It hears what the core
 * sends from now on; of several each hears all of it. NULL with a text in |why|. The transport
 * keeps hold of |sim| until it is closed. */
gw_transport *gw_sim_open(gw_sim *sim, unsigned port, const gw_endpoint *local,
                          const gw_endpoint *remote, char *why, size_t why_cap);

/* gw_sim_apelink makes a stream of bytes of |port|, which gw_sim_open has opened and which carries
 * the words of an APElink: byte 0 of a word is bits 7:0. |port| is closed with it, or at once when
 * NULL is returned with a text in |why|. */
gw_transport *gw_sim_apelink(gw_transport *port, char *why, size_t why_cap);

/* gw_sim_reset holds the reset wire for |time_ns| of simulated time. False with a text in |why|
 * when the testbench has none, or there is no simulator. */
GW_MUST_USE bool gw_sim_reset(gw_sim *sim, int64_t time_ns, char *why, size_t why_cap);

/* gw_sim_clear begins anew without a new simulator: the reset wire is held as gw_sim_reset does,
 * and what is on its way to the core and from it is forgotten, in the ports as well. Time goes on.
 * A transport that is open keeps what it has heard: open it behind this. False as of gw_sim_reset.
 */
GW_MUST_USE bool gw_sim_clear(gw_sim *sim, int64_t time_ns, char *why, size_t why_cap);

/* gw_sim_handshake has port |port|, of AXI4-Stream, offer beats to the core as |valid| says and be
 * ready for its beats as |ready| does, chance by |seed|, in each simulator that calls from now on.
 */
void gw_sim_handshake(gw_sim *sim, unsigned port, const gw_handshake *valid,
                      const gw_handshake *ready, uint64_t seed);

/* gw_sim_mark shows the first 32 characters of |text| in the waves from now on. */
void gw_sim_mark(gw_sim *sim, const char *text);

/* gw_sim_look asks what the signals of port |port| were around |moment|. Some cycles may pass, so
 * that what came behind it is seen. NULL when nobody knows (any more); the caller frees it. */
gw_sim_view *gw_sim_look(gw_sim *sim, unsigned port, const gw_sim_moment *moment);

/* gw_sim_wave is where a moment of the simulation can be looked at. */
typedef struct gw_sim_wave {
    char path[512];
    int64_t at_ns; /* of the time that the file has: a simulator's own begins at 0 */
} gw_sim_wave;

/* gw_sim_wave_to has the simulators that are started from now on write their waves into |dir|, in
 * files called after |name|, as far as what starts them goes by GOLDWIRE_WAVE: it is the path
 * without the end of its name, which says of what kind it is, and differs from simulator to
 * simulator. False with a text in |why|. */
GW_MUST_USE bool gw_sim_wave_to(gw_sim *sim, const char *dir, const char *name, char *why,
                                size_t why_cap);

/* gw_sim_wave_at tells in |out| where the moment |at_ns| of the simulation's clock can be seen.
 * False when no waves of it were written. */
bool gw_sim_wave_at(const gw_sim *sim, int64_t at_ns, gw_sim_wave *out);

/* gw_sim_now returns the simulation's clock in nanoseconds. */
int64_t gw_sim_now(const gw_sim *sim);

/* gw_sim_untaken returns the bytes that were sent to port |port| and that the core has not taken
 * whole. */
size_t gw_sim_untaken(const gw_sim *sim, unsigned port);

/* gw_sim_breach_seen returns finding |index| of the ports, NULL behind the last one. */
const gw_sim_breaches *gw_sim_breach_seen(const gw_sim *sim, size_t index);

/* gw_sim_watches_axis and gw_sim_watches_bus say whether the testbench has a port that looks at
 * AXI4-Stream, or at a Wishbone bus. */
bool gw_sim_watches_axis(const gw_sim *sim);
bool gw_sim_watches_bus(const gw_sim *sim);

/* gw_sim_frames_heard returns how many frames the core has sent over AXI4-Stream, and
 * gw_sim_bus_used says whether a bus that is watched was ever in use. */
uint64_t gw_sim_frames_heard(const gw_sim *sim);
bool gw_sim_bus_used(const gw_sim *sim);

/* gw_sim_watches_axil says whether the testbench has a port that is an AXI4-Lite master, and
 * gw_sim_axil_used whether an access of one was ever answered. */
bool gw_sim_watches_axil(const gw_sim *sim);
bool gw_sim_axil_used(const gw_sim *sim);

/* gw_sim_end tells the simulator to end by itself, so that it leaves its files whole. False when
 * there was none. */
bool gw_sim_end(gw_sim *sim);

/* gw_sim_free ends the simulation and lets go of it; it is gone with its last transport. NULL is
 * allowed. */
void gw_sim_free(gw_sim *sim);

#endif
