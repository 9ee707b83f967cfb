/* SPDX-License-Identifier: BSD-2-Clause */
/* What the golden traces are made with: software boards, stepped in memory under virtual time, and
 * a pcapng in which every packet says what it shows. The same program gives the same bytes.
 *
 * A comment ends with "breaks EB-M01 EB-M06" where `goldwire check` is to find exactly those rules
 * broken by the packet; without these words it is to find nothing. */
#ifndef GOLDEN_H
#define GOLDEN_H

#include "boards/map.h"
#include "boards/mem.h"
#include "goldwire/etherbone.h"
#include "goldwire/net.h"
#include "harness/capture.h"
#include "run/case.h"

/* Addresses for documentation (RFC 5737, RFC 3849). */
extern const gw_endpoint golden_client, golden_slave, golden_client6, golden_slave6;

#define GOLDEN_MS INT64_C(1000000)

/* golden is one trace in the making. Whatever fails ends the program. */
typedef struct golden {
    FILE *file;
    gw_pcapng_writer *w;
    gw_peer_config config; /* of the board */
    gw_mem *mem;
    gw_transport *udp; /* the usual client */
    gw_endpoint client, slave;
    int64_t now; /* of the trace: where no board keeps time, and when the board started */
    uint32_t interface;
    uint32_t link_type;
} golden;

/* golden_step is a datagram and what becomes of it. */
typedef struct golden_step {
    const char *hex, *says;
    const char *reply; /* what the reply shows; NULL: there must be none */
} golden_step;

/* golden_open starts |folder|/|name|.pcapng with one Ethernet interface. */
void golden_open(golden *g, const char *folder, const char *name);

/* golden_run starts the software board |board| as |config| says, in place of the one there was. */
void golden_run(golden *g, const gw_board *board, const gw_peer_config *config);

/* golden_board starts a software slave in |dialect| (NULL: strict) and a UDP client of it. */
void golden_board(golden *g, const char *dialect);

/* golden_board_of starts the slave of |config|, in place of the one there was. */
void golden_board_of(golden *g, const gw_peer_config *config);

/* golden_close finishes the file and stops the board. */
void golden_close(golden *g);

/* golden_die ends the program: |what| went wrong. */
_Noreturn void golden_die(const char *what);

/* golden_time returns the time of the trace, nanoseconds since 1970. */
int64_t golden_time(const golden *g);

/* golden_heard returns the time of the trace at which what came over |t|, from the board, is heard:
 * frames are written down in that order, whenever they arrived. */
int64_t golden_heard(const golden *g, gw_transport *t);

/* golden_wait lets |ns| pass. */
void golden_wait(golden *g, int64_t ns);

/* golden_frame writes one frame as it is. */
void golden_frame(golden *g, const uint8_t *frame, size_t cap_len, size_t len, int64_t time,
                  gw_direction dir, const char *comment);

/* golden_udp writes one datagram between any two ends. */
void golden_udp(golden *g, const gw_endpoint *src, const gw_endpoint *dst, const uint8_t *payload,
                size_t len, int64_t time, const char *comment);

/* golden_send sends a datagram to the board and writes it. */
void golden_send(golden *g, const uint8_t *request, size_t len, const char *comment);

/* golden_reply receives the board's next datagram into |reply| (1500 bytes) without writing it;
 * ends the program when none comes. */
size_t golden_reply(golden *g, uint8_t *reply, int64_t *time);

/* golden_ask sends a request and writes it and its reply. */
void golden_ask(golden *g, const uint8_t *request, size_t len, const char *comment,
                const char *reply_comment);

/* golden_tell sends a request that gets no reply, and ends the program when one comes. */
void golden_tell(golden *g, const uint8_t *request, size_t len, const char *comment);

/* golden_steps asks or tells each of |num| steps. */
void golden_steps(golden *g, const golden_step *steps, size_t num);

/* golden_overdue writes a request that wants no answer, so long after the last frame that no other
 * answer can still be on its way. */
void golden_overdue(golden *g);

/* golden_hex turns "4e6f 1044" into bytes and returns how many. */
size_t golden_hex(uint8_t *out, size_t cap, const char *hex);

/* golden_packet builds a packet of |num| records with |widths|; NR where there are no reads. */
size_t golden_packet(const golden *g, uint8_t *out, size_t cap, uint8_t widths,
                     const gw_eb_operation *ops, size_t num);

/* golden_tcp is one TCP connection: who talks, and what both have sent so far. Direction 0 is the
 * client's. */
typedef struct golden_tcp {
    golden *g;
    gw_transport *board; /* NULL: both sides are played by hand */
    gw_endpoint ends[2];
    uint32_t seq[2];
} golden_tcp;

enum {
    GOLDEN_FIN = GW_TCP_FIN | GW_TCP_ACK,
    GOLDEN_SYN = GW_TCP_SYN,
    GOLDEN_RST = GW_TCP_RST | GW_TCP_ACK,
    GOLDEN_ACK = GW_TCP_ACK,
    GOLDEN_PSH = 0x08 | GW_TCP_ACK,
};

/* golden_tcp_connect writes the handshake between |client| and |slave|, and connects to the board
 * if there is one. */
void golden_tcp_connect(golden_tcp *t, golden *g, const gw_endpoint *client,
                        const gw_endpoint *slave);

/* golden_tcp_segment writes one segment and counts its bytes. */
void golden_tcp_segment(golden_tcp *t, unsigned dir, uint8_t flags, const uint8_t *data, size_t len,
                        int64_t time, const char *comment);

/* golden_tcp_ask sends bytes to the board as one segment and, with |reply|, writes what it sends
 * back. */
void golden_tcp_ask(golden_tcp *t, const uint8_t *data, size_t len, const char *comment,
                    const char *reply);

/* golden_tcp_close writes how the client and then the slave close, and closes. */
void golden_tcp_close(golden_tcp *t);

/* golden_converse writes |name|: what |cases| of the suite for |role| say in memory, as `goldwire
 * record' does. */
void golden_converse(const char *folder, const char *name, const char *role,
                     const char *const *cases);

/* golden_NAME_traces makes all traces of format NAME. */
#define GW_FORMAT(name) void golden_##name##_traces(const char *folder);
#include "goldwire/formats.def"

/* Those that have a file of their own, by topic. */
void golden_bus_traces(const char *folder);
void golden_odd_traces(const char *folder);
void golden_dialect_traces(const char *folder);
void golden_faulty_traces(const char *folder);
void golden_network_traces(const char *folder);
void golden_session_traces(const char *folder);
void golden_tcp_traces(const char *folder);
void golden_frame_traces(const char *folder);
void golden_l1farm_dialogues(const char *folder);

#endif
