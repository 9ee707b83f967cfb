/* SPDX-License-Identifier: BSD-2-Clause */
/* What the EtherBone cases share: negotiating, asking, and proving silence.
 *
 * The helpers are lenient: they look only at what their caller needs, so that a board with one
 * fault fails the case for that fault and no other. Judging strictly is the business of each case.
 */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_SUITE_H
#define GOLDWIRE_FORMATS_ETHERBONE_SUITE_H

#include "goldwire/etherbone.h"
#include "run/case.h"

#define GW_EBC_PACKET_MAX 1472 /* UDP payload that Ethernet carries unfragmented */
#define GW_EBC_RECORDS 384     /* of one request */
#define GW_EBC_SLOTS 1024      /* return addresses that are remembered */
#define GW_EBC_PROBES 64       /* probe ids that are remembered */

/* gw_ebc_slot is a return address that a request used. */
typedef struct gw_ebc_slot {
    uint16_t address;
    bool closed;    /* answered, or given up: what comes for it now is stale ... */
    bool forbidden; /* ... and must never come: its request is to be dropped */
} gw_ebc_slot;

/* gw_ebc_state is what the suite remembers of a board. Everything is learned in the pre-flight but
 * the widths in force and the return addresses used. */
typedef struct gw_ebc_state {
    uint8_t mask;   /* capabilities that the board's probe response shows; 0: it shows none */
    uint8_t widths; /* in force; 0: not chosen yet */
    bool knows;     /* how the board shows that it is alive: */
    bool by_read;   /* by answering a read, for it answers no probe */
    gw_ebc_slot slots[GW_EBC_SLOTS]; /* used lately, in a ring */
    unsigned num_slots;
    uint32_t probes[GW_EBC_PROBES]; /* ids of the probes sent lately, in a ring */
    unsigned num_probes;
    bool stale; /* the last wait passed over an answer to an earlier request */
    uint8_t answer[GW_CASE_RECV_MAX]; /* what a stream brought back, put together ... */
    size_t taken;                     /* ... bytes of it that the last reply took ... */
    size_t waiting;                   /* ... and bytes behind those */
    bool header_due;                  /* the stream may still begin with a packet header */
    unsigned last_number;             /* of the packet that brought the last of them */
    unsigned word_packet;             /* the one that held what gw_ebc_result gave last ... */
    uint32_t word_offset;             /* ... at this byte; 0: in a stream */
} gw_ebc_state;

/* gw_ebc_request is a packet of ours, or a run of records of a stream. */
typedef struct gw_ebc_request {
    uint8_t bytes[GW_EBC_PACKET_MAX];
    size_t len;
    size_t reply_len; /* of its compressed reply; 0: none is due */
    unsigned slot;    /* index of its first return address in gw_ebc_state; GW_EBC_SLOTS: none */
    uint64_t return_base; /* that address, whoever chose it; 0: nothing is read */
    size_t return_at;     /* where it stands */
    bool repeatable;      /* it may be executed twice without anybody noticing */
    unsigned num_records;
    uint8_t writes[GW_EBC_RECORDS]; /* counts of each record */
    uint8_t reads[GW_EBC_RECORDS];
} gw_ebc_request;

/* gw_ebc_reply is what came back. It is valid until the next receive. */
typedef struct gw_ebc_reply {
    gw_message message;
    unsigned number; /* in the evidence; over TCP that of its last piece */
} gw_ebc_reply;

/* ---- the connection ---- */

/* gw_ebc_state_of returns the suite's state. */
gw_ebc_state *gw_ebc_state_of(gw_ctx *ctx);

/* gw_ebc_use puts |widths|, one address and one port width, into force. Over TCP a new connection
 * is made and negotiated. */
void gw_ebc_use(gw_ctx *ctx, uint8_t widths);

/* gw_ebc_widths returns the widths in force; when none are, it puts the board's usual ones into
 * force: 32/32, or the widest that it has. */
uint8_t gw_ebc_widths(gw_ctx *ctx);

/* gw_ebc_layout returns the layout of the widths in force. */
gw_eb_layout gw_ebc_layout(gw_ctx *ctx);

/* gw_ebc_mask returns the widths that the board claims and its probe response shows; where one of
 * the two is silent, what the other says. */
uint8_t gw_ebc_mask(gw_ctx *ctx);

/* gw_ebc_supports says whether the board has these widths, by gw_ebc_mask. */
bool gw_ebc_supports(gw_ctx *ctx, uint8_t widths);

/* gw_ebc_shown returns the widths that the board shows, as a probe response has them; all of them
 * when it shows none. What its file leaves out it may have all the same. */
uint8_t gw_ebc_shown(gw_ctx *ctx);

/* gw_ebc_excused and gw_ebc_pair (with two probes) serve gw_suite, as do those below. */
bool gw_ebc_excused(gw_ctx *ctx, gw_connection *conn, const gw_packet *packet);
gw_pair gw_ebc_pair(gw_ctx *ctx, int64_t timeout_ns);

/* gw_ebc_longest_packet returns how many bytes a packet has at most that the board claims to take,
 * and Ethernet carries unfragmented: over IPv6, whose header is longer, fewer. */
size_t gw_ebc_longest_packet(gw_ctx *ctx);

/* gw_ebc_accepts, gw_ebc_alive, gw_ebc_serves (with reads), gw_ebc_begin, gw_ebc_has, gw_ebc_show
 * and gw_ebc_identify serve gw_suite. */
bool gw_ebc_accepts(const gw_dialect *dialect, bool stream, char *why, size_t why_cap);
bool gw_ebc_alive(gw_ctx *ctx, int64_t timeout_ns);
const char *gw_ebc_serves(gw_ctx *ctx, int64_t timeout_ns, char *what, size_t cap);
void gw_ebc_begin(gw_ctx *ctx);
bool gw_ebc_has(gw_ctx *ctx, const char *need, char *why, size_t why_cap);
void gw_ebc_show(gw_ctx *ctx, gw_claims *shown);
void gw_ebc_identify(gw_ctx *ctx, char *out, size_t cap);

/* gw_ebc_put sends |data| on |conn| and returns its number in the evidence. What a device of the
 * dialect does not survive is not sent: the case ends. */
unsigned gw_ebc_put(gw_ctx *ctx, gw_connection *conn, const void *data, size_t len);

/* gw_ebc_send_probe sends a probe as the dialect has it and returns its id, which
 * gw_ebc_remember_probe takes when it has been answered or given up: what brings it back then is
 * late. */
uint32_t gw_ebc_send_probe(gw_ctx *ctx, gw_connection *conn);
void gw_ebc_remember_probe(gw_ctx *ctx, uint32_t id);

/* gw_ebc_next receives the next datagram on |conn| that is no late, or repeated, answer to a probe
 * or request of before. */
gw_recv_status gw_ebc_next(gw_ctx *ctx, gw_connection *conn, int64_t timeout_ns, gw_packet *packet);

/* gw_ebc_connect_other opens a connection from another port of ours. Where devices of the dialect
 * answer to their own port only, the case ends with |rule|. */
gw_connection *gw_ebc_connect_other(gw_ctx *ctx, const char *rule);

/* gw_ebc_most_words returns how many words a record may have, by the dialect. */
unsigned gw_ebc_most_words(gw_ctx *ctx);

/* gw_ebc_one_record says whether a packet may hold one record only, by the dialect. */
bool gw_ebc_one_record(gw_ctx *ctx);

/* gw_ebc_collect collects at least |want| bytes of a stream into |buf|, and what else came with
 * them; fewer when the time is up or the board closes. |number| becomes the last packet's. */
size_t gw_ebc_collect(gw_ctx *ctx, gw_connection *conn, uint8_t *buf, size_t cap, size_t want,
                      int64_t timeout_ns, unsigned *number);

/* gw_ebc_drain takes in, without judging, what has arrived on |conn|, and forgets it. */
void gw_ebc_drain(gw_ctx *ctx, gw_connection *conn);

/* gw_ebc_probe sends |probe|, 8 bytes, as the first thing on a connection and waits for whatever
 * answers. False when nothing came. */
GW_MUST_USE bool gw_ebc_probe(gw_ctx *ctx, const uint8_t probe[8], gw_ebc_reply *reply);

/* gw_ebc_has_magic says whether |reply|, where a header is due, begins as an EtherBone packet: the
 * least that tells an answer from noise. */
bool gw_ebc_has_magic(gw_ctx *ctx, const gw_ebc_reply *reply);

/* gw_ebc_expect_silence proves that what was just sent (packet |number|) got no answer and did no
 * harm: the board answers something good afterwards, and nothing else comes. |rule| is broken by an
 * answer. */
void gw_ebc_expect_silence(gw_ctx *ctx, const char *rule, unsigned number, const char *what);

/* ---- asking ---- */

/* gw_ebc_make builds |num| records for the widths in force. Return addresses are filled in where
 * they are 0. Writing outside the board's areas is goldwire's own error. */
void gw_ebc_make(gw_ctx *ctx, gw_ebc_request *request, const gw_eb_operation *ops, size_t num);

/* gw_ebc_readdress gives |request| another return address, so that a late answer to it as it was is
 * told from one to it as it is. */
void gw_ebc_readdress(gw_ctx *ctx, gw_ebc_request *request);

/* gw_ebc_lies_in says whether |address| is in an area of |type|. */
bool gw_ebc_lies_in(const gw_board_file *board, uint64_t address, gw_area_type type);

/* gw_ebc_send sends |request| and returns its number in the evidence. */
unsigned gw_ebc_send(gw_ctx *ctx, gw_connection *conn, const gw_ebc_request *request);

/* gw_ebc_post sends |request|, which reads nothing, on the usual connection, and lets it arrive
 * where a path lies between. Where zeros answer writes on a stream it takes them in, for they would
 * stand before the next reply. */
unsigned gw_ebc_post(gw_ctx *ctx, const gw_ebc_request *request);

/* gw_ebc_is_answer says whether |packet| brings results to where |request| wants them. */
bool gw_ebc_is_answer(gw_ctx *ctx, const gw_packet *packet, const gw_ebc_request *request);

/* gw_ebc_expire_return_address says that no answer to |request| is wanted: what comes for it is
 * passed over. */
void gw_ebc_expire_return_address(gw_ctx *ctx, const gw_ebc_request *request);

/* gw_ebc_forbid says that |request| is to be dropped: an answer to it is never excused. */
void gw_ebc_forbid(gw_ctx *ctx, const gw_ebc_request *request);

/* gw_ebc_await waits for the reply to |request|: over UDP the next datagram, over TCP as many bytes
 * as are due. Zero-filled replies to writes are passed over, and what answers a request that was
 * answered before, or a probe. False when the time is up; then |reply| holds what came of a stream.
 */
GW_MUST_USE bool gw_ebc_await(gw_ctx *ctx, gw_connection *conn, const gw_ebc_request *request,
                              gw_ebc_reply *reply, int64_t timeout_ns);

/* gw_ebc_ask sends |request| on the usual connection and waits for its reply. One that may be
 * executed twice is asked again, with another return address. When no reply comes, the case fails
 * with |rule| (NULL: the case's first). */
void gw_ebc_ask(gw_ctx *ctx, gw_ebc_request *request, gw_ebc_reply *reply, const char *rule);

/* gw_ebc_expect fails with |rule| unless |field| of |reply|, or of its first record, is |value|. A
 * reply of another version, out of which nothing can be read, breaks EB-S10 only. */
void gw_ebc_expect(gw_ctx *ctx, const gw_ebc_reply *reply, const char *rule, const char *field,
                   uint64_t value);

/* gw_ebc_result returns the |i|th word that |request| read, counting through its records, found by
 * its place in |reply| in either style. When the reply ends before it, the case fails with its
 * first rule. */
uint64_t gw_ebc_result(gw_ctx *ctx, const gw_ebc_request *request, const gw_ebc_reply *reply,
                       unsigned i);

/* gw_ebc_word_miss returns a miss of |rule| about the word that gw_ebc_result gave last. */
gw_miss gw_ebc_word_miss(gw_ctx *ctx, const char *rule, uint64_t expected, uint64_t got);

/* gw_ebc_read reads one word at a bus address; gw_ebc_read_config in the config space. */
uint64_t gw_ebc_read(gw_ctx *ctx, uint64_t address);
uint64_t gw_ebc_read_config(gw_ctx *ctx, uint64_t address);

/* gw_ebc_write writes one word at a bus address, in a packet of its own. Where datagrams are known
 * to get lost, a word of RAM is read back, and written again until it is there. */
void gw_ebc_write(gw_ctx *ctx, uint64_t address, uint64_t value);

/* gw_ebc_expect_word reads |address| and fails with |rule| unless it holds |value|. */
void gw_ebc_expect_word(gw_ctx *ctx, const char *rule, uint64_t address, uint64_t value,
                        const char *what);

/* gw_ebc_expect_kept makes sure that |address| holds |value| before something tries to change it.
 * The case is inconclusive when it does not: that writes get lost is another case's business. */
void gw_ebc_expect_kept(gw_ctx *ctx, uint64_t address, uint64_t value);

/* ---- where ---- */

/* gw_ebc_ram returns an address, aligned to 8 bytes, of |len| bytes of RAM that goldwire may write
 * under the widths in force; a different one each time where there is room. The case does not apply
 * when there is none. */
uint64_t gw_ebc_ram(gw_ctx *ctx, uint64_t len);

/* gw_ebc_area returns the first area of |type| under the widths in force; the case does not apply
 * when there is none. */
const gw_area *gw_ebc_area(gw_ctx *ctx, gw_area_type type, uint64_t len);

/* gw_ebc_empty_fifo takes out of the FIFO at |fifo| what somebody left there, and leaves no trace
 * of that in the error register. */
void gw_ebc_empty_fifo(gw_ctx *ctx, uint64_t fifo);

/* gw_ebc_leave empties every FIFO of the board that can be reached. */
void gw_ebc_leave(gw_ctx *ctx);

/* gw_ebc_harmless gives a read without side effects: a bus address in RAM or read-only memory when
 * the board has an area for it, the SDB pointer in the config space when not. Returns the record
 * flags it needs. */
uint8_t gw_ebc_harmless(gw_ctx *ctx, uint64_t *address);

/* gw_ebc_word returns a random word of the port width in force that is neither 0 nor all ones. */
uint64_t gw_ebc_word(gw_ctx *ctx);

/* gw_ebc_lanes returns the byte enables of a whole word under the widths in force. */
uint8_t gw_ebc_lanes(gw_ctx *ctx);

/* gw_ebc_config_low returns the address of the low part of the 64-bit config register at |base|. */
uint64_t gw_ebc_config_low(gw_ctx *ctx, uint64_t base);

#endif
