/* SPDX-License-Identifier: BSD-2-Clause */
/* The simulator's side of a simulated board: what the ports in ../hdl call, once per clock.
 *
 * gw_hdl.c is linked into a testbench: by GHDL and NVC through VHPIDIRECT, by Verilator through
 * DPI-C, by Icarus Verilog as a VPI module (compiled with -DGW_HDL_VPI). Only integers and vectors
 * of fixed length cross the border, since simulators differ in all else. A time is two integers,
 * whole microseconds and the picoseconds beyond: VHDL's integers have 32 bits. Simulated time ends
 * after 2147 s.
 *
 * Where to find goldwire says the environment variable GOLDWIRE_COSIM, a path. Without it, or when
 * it is empty, a testbench runs by itself: its ports stay silent. When goldwire goes away, every
 * call says so by -1, and a port ends the simulation.
 *
 * A port that was not opened takes nothing and gives nothing. No call allocates once the ports'
 * buffers are there; a frame is at most GW_SIM_FRAME_MAX bytes, a longer one from the core ends in
 * pieces of that size. */
#ifndef GW_HDL_H
#define GW_HDL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GW_SIM_FRAME_MAX 65536
#define GW_SIM_VECTOR_BITS 512

/* What a port carries, and so what goldwire makes of it. */
enum gw_hdl_kind {
    GW_SIM_UDP = 1,      /* AXI4-Stream: the payload of a UDP datagram a frame */
    GW_SIM_ETHERNET = 2, /* AXI4-Stream: an Ethernet frame without its check sequence */
    GW_SIM_OP2P = 3,     /* words of 32 bits with start, end and remainder of a frame */
    GW_SIM_APELINK = 4,  /* words of 128 bits with one flag */
    GW_SIM_BUS = 5,      /* registers on Wishbone */
    GW_SIM_RESET = 6,    /* a wire */
    GW_SIM_WATCH = 7,    /* nothing: it looks at a Wishbone bus */
    GW_SIM_LINK = 8,     /* events of the link whose words are the port before this one */
    GW_SIM_AXIL = 9,     /* registers on AXI4-Lite */
};

/* What gw_hdl_tx returns: the bytes of a beat, ored with these; 0 when there is none. */
#define GW_SIM_LAST_BEAT 0x10000
#define GW_SIM_SIDE_SHIFT 20 /* bits that go beside the word: GW_SIM_OP2P, GW_SIM_APELINK */

/* Beside a word of GW_SIM_OP2P, which is bits 31 to 0 of a beat of four bytes, byte 0 the lowest.
 */
#define GW_SIM_WORD_SOF 0x01
#define GW_SIM_WORD_EOF 0x02
#define GW_SIM_WORD_REM_SHIFT 2 /* two bits: the bytes of the last word, less one */
#define GW_SIM_WORD_SOFT_ERROR 0x10
#define GW_SIM_WORD_FRAME_ERROR 0x20

/* An event of GW_SIM_LINK is a beat of four bytes: what it is, a code (of flow control, or the
 * lanes that are up), 0, 0. */
enum gw_hdl_event {
    GW_SIM_EVENT_FLOW = 1,
    GW_SIM_EVENT_CHANNEL = 2,
    GW_SIM_EVENT_ERROR = 3, /* between frames */
};

/* Breaches of AXI4-Stream (Arm IHI 0051B), of Wishbone B4 and of AXI4-Lite (Arm IHI 0022) that a
 * port has seen. Their numbers are permanent. */
enum gw_hdl_breach {
    GW_SIM_BUS_USED = 0,      /* none: a bus that is watched is in use, or AXI4-Lite answers */
    GW_SIM_VALID_DROPPED = 1, /* tvalid fell before tready: IHI 0051B, 2.2.1 */
    GW_SIM_DATA_CHANGED,      /* tdata, tkeep or tlast changed while waiting: 2.2.1 */
    GW_SIM_KEEP_HOLES,       /* null bytes before data bytes in a beat, or in one before the last */
    GW_SIM_EMPTY_LAST,       /* a frame of no bytes at all */
    GW_SIM_UNKNOWN,          /* X, U, Z or - on valid, or on data that is valid */
    GW_SIM_STROBE_ALONE,     /* strobe without cycle: Wishbone B4, rule 3.25 */
    GW_SIM_UNASKED_ACK,      /* an acknowledgement that nothing was asked for */
    GW_SIM_TWO_ENDS,         /* ack, err and rty together: rule 3.45 */
    GW_SIM_REQUEST_CHANGED,  /* a stalled request changed: section 3.1.3 */
    GW_SIM_BUS_UNKNOWN,      /* X, U, Z or - on cyc, stb or a request: rule 3.20 */
    GW_SIM_VALID_WAITED,     /* tvalid came only behind tready, each time: IHI 0051B, 2.2.1 */
    GW_SIM_RESPONSE_DROPPED, /* bvalid or rvalid fell before ready: IHI 0022, handshake process */
    GW_SIM_RESPONSE_CHANGED, /* bresp, rdata or rresp changed while waiting */
    GW_SIM_RESPONSE_UNASKED, /* an answer that nothing was asked for */
    GW_SIM_RESPONSE_UNKNOWN, /* X, U, Z or - on ready or valid, or on an answer that is taken */
    GW_SIM_RESPONSE_IN_RESET, /* bvalid or rvalid in reset */
    GW_SIM_RESPONSE_WAITED,   /* bvalid or rvalid came only behind ready, each time */
    GW_SIM_NUM_BREACHES,
};

/* gw_hdl_port opens port |number|, 0 to 15, of |kind| whose beats have |width| bytes, 1 to 64.
 * Returns |number|, or -1 with a line on stderr when that cannot be. All ports are opened before
 * the first clock edge: goldwire is told of them then. */
int gw_hdl_port(int number, int kind, int width);

/* gw_hdl_tx is called at each rising edge of the clock of port |number|: |taken| says that nothing
 * was on offer in the last cycle, or that it was taken at this edge. Returns what to offer from now
 * on: 0 nothing, else the number of bytes ored with the flags above; the same again when not
 * |taken|; -1 when the simulation is to end. */
int gw_hdl_tx(int number, int us, int ps, int taken);

/* gw_hdl_turns returns how often goldwire has had its turn before the present time, which is |high|
 * times 2 ^ 32 and |low| picoseconds: this is asked at each edge, without a division; -1 at the
 * end. Nothing is said outside of its turns: until there is another one, a port that was told of
 * nothing to do need not ask again. When the time is over goldwire has its turn here. */
int gw_hdl_turns(int high, int low);

#define GW_SIM_READY_OWN (-2)

/* gw_hdl_ready is called at each rising edge by an AXI4-Stream port that is not in reset: whether
 * it is ready for the core from now on, 1 or 0; -1: never, not even for a moment. Where goldwire
 * says nothing of it |own|, or GW_SIM_READY_OWN: then it need not be asked again. */
int gw_hdl_ready(int number, int us, int ps, int own);

/* gw_hdl_tx_word returns bytes 4 * |index| and following of the beat on offer, the first one
 * lowest; bytes beyond the beat are 0. */
int gw_hdl_tx_word(int number, int index);

/* gw_hdl_rx_word says what bytes 4 * |index| and following of a beat from the core are, before
 * gw_hdl_rx tells how many of them count. */
void gw_hdl_rx_word(int number, int index, int value);

/* gw_hdl_rx takes a beat of |bytes| bytes from the core; |flags| as gw_hdl_tx returns them. It may
 * let goldwire think: simulated time stands still then. A port of words ends a chunk, behind its
 * last word, by no bytes and GW_SIM_LAST_BEAT. Returns 0, or -1 when the simulation is to end. */
int gw_hdl_rx(int number, int us, int ps, int bytes, int flags);

/* gw_hdl_txv and gw_hdl_rxv do the work of gw_hdl_tx and gw_hdl_tx_word, or gw_hdl_rx_word and
 * gw_hdl_rx, in one call, for VHDL: |beat| is a std_logic_vector(511 downto 0), a byte an element,
 * byte 0 of the beat in bits 7 downto 0. gw_hdl_rxv counts what is neither 0 nor 1 in the bytes
 * that count as a breach (GW_SIM_UNKNOWN). */
void gw_hdl_txv(int number, int us, int ps, int taken, int *result, uint8_t *beat);
void gw_hdl_rxv(int number, int us, int ps, int bytes, int flags, const uint8_t *beat, int *result);

/* gw_hdl_bus is called at each rising edge of the clock of a bus port: |done| says that the access
 * on offer ended at this edge, 1 well or 2 with an error, with |data| of a read; 0 not yet. Returns
 * 0 when there is nothing to do, 1 a read, 2 a write, -1 the end. gw_hdl_bus_address,
 * gw_hdl_bus_data and gw_hdl_bus_select tell of the access on offer: byte address, data, byte
 * enables. */
int gw_hdl_bus(int number, int us, int ps, int done, int data);
int gw_hdl_bus_address(int number);
int gw_hdl_bus_data(int number);
int gw_hdl_bus_select(int number);

/* gw_hdl_reset returns the level that goldwire wants on the reset wire of port |number|. */
int gw_hdl_reset(int number, int us, int ps);

/* gw_hdl_breach tells goldwire that port |number| has seen |which| (enum gw_hdl_breach): the first
 * GW_SIM_BREACHES_TOLD times, and then whenever their number has doubled. */
#define GW_SIM_BREACHES_TOLD 16
void gw_hdl_breach(int number, int us, int ps, int which);

/* gw_hdl_edge tells what the signals of lane |lane| of port |number| are at clock edge |edge|, when
 * they have changed: |wires| as gw_hdl_wire.h has them, |bytes| bytes of data, the first four of
 * them in |data|, and of the first 32 the byte enables and whether they are unknown. Of more,
 * gw_hdl_edge_word says before what they are: words 1 to 15 are the data, 17 the other byte
 * enables, 19 which of the other bytes are unknown. gw_hdl_edgev does all of it in one call, for
 * VHDL, from two std_logic_vector(511 downto 0). The last GW_WIRE_EDGES_MAX of a lane are kept, for
 * whoever asks what led to a failure. */
void gw_hdl_edge_word(int number, int index, int value);
void gw_hdl_edge(int number, int us, int ps, int lane, int edge, int wires, int bytes, int data,
                 int keep, int unknown);
void gw_hdl_edgev(int number, int us, int ps, int lane, int edge, int wires, int bytes,
                  const uint8_t *data, const uint8_t *keep);

/* gw_hdl_mark returns how often goldwire has marked what goes on (|index| < 0), or character
 * |index| of the last mark, 0 beyond its end. */
int gw_hdl_mark(int index);

/* gw_hdl_pace keeps time going where no port is clocked: it returns the picoseconds until it is to
 * be called again, at most 1 ms, or -1 at the end. */
int gw_hdl_pace(int us, int ps);

#ifdef __cplusplus
}
#endif

#endif
