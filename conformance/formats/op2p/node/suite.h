/* SPDX-License-Identifier: BSD-2-Clause */
/* What the OP2P cases share: goldwire is the link partner of the node's port 0, node 0x0042, over
 * the lab tunnel; where the node's host is needed, it plays that too, over the link "regs". */
#ifndef GOLDWIRE_FORMATS_OP2P_NODE_SUITE_H
#define GOLDWIRE_FORMATS_OP2P_NODE_SUITE_H

#include "goldwire/op2p.h"
#include "run/case.h"
#include "suite/regs.h"

#define GW_OPC_US 0x0042    /* our id: chassis 1, slot 2 */
#define GW_OPC_OTHER 0x0099 /* a node that is neither us nor the board */

enum {
    GW_OPC_DATAGRAM = GW_OP2P_SHIM + GW_OP2P_PDU_MAX + 64, /* bytes, at most */
    GW_OPC_BLOCK = 16, /* double words that are looked at together */
    GW_OPC_KEPT = 32,
    GW_OPC_ASKED = 64,
};

/* gw_opc_kept is a datagram that came while we waited for leave to send. */
typedef struct gw_opc_kept {
    unsigned number; /* in the evidence */
    uint16_t len;
    uint8_t bytes[GW_OPC_DATAGRAM];
} gw_opc_kept;

/* gw_opc_state is kept from case to case. */
typedef struct gw_opc_state {
    uint16_t sequence;         /* of the next datagram */
    uint16_t landings;         /* places handed out for the data of our reads */
    uint16_t node;             /* the board's id; 0 while it is not known */
    const gw_connection *conn; /* that |sequence| belongs to, and */
    unsigned connection;       /* its number */
    gw_op2p_order order;       /* of the board's datagrams */
    bool late;                 /* the last one came out of its order, and is not taken */
    bool halting;              /* we have said XOFF, or that the channel is down */
    bool halted;               /* the board has said XOFF */
    bool down;                 /* it has said that the channel is down */
    bool endless;              /* it has begun a frame that does not end: only a reset helps */
    unsigned ragged;    /* the sets of its command FIFOs that may hold parts of commands, and */
    unsigned commanded; /* those that were given such since they were last known to be even */
    bool told;          /* in this case, that an XOFF was not followed by XON */
    uint32_t asked[GW_OPC_ASKED]; /* landing places of reads that a case is not about */
    unsigned num_asked;
    gw_opc_kept kept[GW_OPC_KEPT]; /* a ring */
    unsigned first_kept, num_kept;
} gw_opc_state;

/* gw_opc_got is a PDU, or a link event, that came from the board. */
typedef struct gw_opc_got {
    gw_op2p_packet p;
    gw_message message;
    unsigned number; /* in the evidence */
    uint8_t bytes[GW_OPC_DATAGRAM];
} gw_opc_got;

/* gw_opc_node returns the board's id, or 0 when it could not be learned. */
uint16_t gw_opc_node(gw_ctx *ctx);

/* gw_opc_ram returns a random address, a multiple of 8, of |len| bytes that may be written. */
uint32_t gw_opc_ram(gw_ctx *ctx, uint32_t len);

/* gw_opc_event sends one link event. A PDU has to wait while the board has halted us, and while it
 * says that the channel is down; gw_opc_burst sends PDUs that leave together: only the first one
 * waits. */
unsigned gw_opc_event(gw_ctx *ctx, uint8_t kind, uint8_t flags, uint8_t code, const void *pdu,
                      size_t len);

/* gw_opc_header returns a header from us to the board for |count| bytes at |address|. */
gw_op2p_header gw_opc_header(gw_ctx *ctx, uint8_t type, uint32_t address, uint16_t count);

/* gw_opc_send sends a packet with |num| double words of payload. |flags| tells of link errors. */
unsigned gw_opc_send(gw_ctx *ctx, const gw_op2p_header *h, const uint32_t *words, size_t num,
                     uint8_t flags);

unsigned gw_opc_burst(gw_ctx *ctx, const gw_op2p_header *h, const uint32_t *words, size_t num);

/* gw_opc_unless_spread ends a case that is about to blame the board for frames that went together,
 * if the path brings such out of their order: what comes late is not taken. */
void gw_opc_unless_spread(gw_ctx *ctx);

/* gw_opc_blind sends the packet |h| to a port that is known not to hear it. */
void gw_opc_blind(gw_ctx *ctx, const gw_op2p_header *h, uint8_t flags);

/* gw_opc_may_send takes what has come and says whether the board lets us send: it waits for XON as
 * long as |timeout_ns|. */
bool gw_opc_may_send(gw_ctx *ctx, int64_t timeout_ns);

/* gw_opc_leave_to_send does all there is to be allowed to send: it waits for XON, and for a channel
 * that comes up, and at last begins the link anew. */
bool gw_opc_leave_to_send(gw_ctx *ctx);

/* gw_opc_begin_link brings the link to where a case starts: nothing that came before is kept, and
 * the board may send. */
void gw_opc_begin_link(gw_ctx *ctx);

/* gw_opc_begin_anew takes the link down and up, and says whether the board lets us send then. */
bool gw_opc_begin_anew(gw_ctx *ctx);

/* gw_opc_listen keeps what comes within |time_ns| for whoever asks next. */
void gw_opc_listen(gw_ctx *ctx, int64_t time_ns);

/* gw_opc_largest returns how many bytes a legal packet may have: the reference core does not bear
 * what the datasheet allows, and a path may not carry it. gw_opc_reference says whether the board
 * is, or is said to be, that core. */
uint16_t gw_opc_largest(gw_ctx *ctx);
bool gw_opc_reference(gw_ctx *ctx);

/* gw_opc_word returns a random double word, none of whose bytes is 0. */
uint32_t gw_opc_word(gw_ctx *ctx);

/* gw_opc_illegal is a frame that breaks a requirement. */
typedef struct gw_opc_illegal {
    const char *what;
    uint16_t count; /* byte count */
    uint16_t words; /* of payload */
    uint8_t type, status, fbe;
    uint8_t flags;   /* of link errors */
    uint8_t cut;     /* bytes of the header that are sent; 0: all, and the payload */
    bool incomplete; /* no node can take it for whole */
} gw_opc_illegal;

/* gw_opc_illegals lists what nodes of all sorts have stumbled over. */
enum { GW_OPC_ILLEGALS = 19 };
extern const gw_opc_illegal gw_opc_illegals[GW_OPC_ILLEGALS];

/* gw_opc_leave_header leaves the header of a write of 8 bytes to |address| in a node's receive
 * buffer, wherever that might look for one: behind a read request, where it is of no meaning. What
 * a node makes of its buffer does not depend on earlier cases then. */
void gw_opc_leave_header(gw_ctx *ctx, uint32_t address);

/* gw_opc_send_illegal sends |one| to node |dst|, about |address|. */
void gw_opc_send_illegal(gw_ctx *ctx, const gw_opc_illegal *one, uint16_t dst, uint32_t address);

/* gw_opc_slip_in does the same, and hears what the board has to say to it. */
void gw_opc_slip_in(gw_ctx *ctx, const gw_opc_illegal *one, uint16_t dst, uint32_t address);

/* gw_opc_marked writes a mark to eight double words and returns where; gw_opc_still_marked fails
 * with |rule| when one of them has changed. gw_opc_marked_lowest takes the lowest addresses of the
 * ram area: a packet that a node takes for one without an address is often carried out at 0. */
uint32_t gw_opc_marked(gw_ctx *ctx);
uint32_t gw_opc_marked_lowest(gw_ctx *ctx);
void gw_opc_still_marked(gw_ctx *ctx, const char *rule, uint32_t at, const char *after);

/* gw_opc_take decodes a datagram from the board, packet |number| of the evidence. */
void gw_opc_take(gw_opc_got *got, const uint8_t *bytes, size_t len, unsigned number);

/* gw_opc_next waits for the next PDU; events are left out. False when none comes in time. */
bool gw_opc_next(gw_ctx *ctx, gw_opc_got *got, int64_t timeout_ns);

/* gw_opc_next_event waits for anything. */
bool gw_opc_next_event(gw_ctx *ctx, gw_opc_got *got, int64_t timeout_ns);

/* gw_opc_drain takes what is left over from earlier, and waits for what may still be under way.
 * gw_opc_discard does not wait: it is for whoever knows an answer by what it answers, so that a
 * frame does not stand alone for a round trip before it is asked what became of it. */
void gw_opc_drain(gw_ctx *ctx);
void gw_opc_discard(gw_ctx *ctx);

/* gw_opc_silence fails with |rule| when a PDU comes within the settle time, and then wants a sign
 * of life. gw_opc_quiet does not: it is for a board that cannot give one now, and the case sees to
 * it that it has to later. */
void gw_opc_silence(gw_ctx *ctx, const char *rule, const char *after);
void gw_opc_quiet(gw_ctx *ctx, const char *rule, const char *after);

/* gw_opc_again says whether what a case is about, and did not go as it should, is to be done once
 * more, all of it: only on a path that is known to lose datagrams or to change their order, which
 * is the same to a board that takes nothing late. It counts in |tries|, 0 at first. */
bool gw_opc_again(gw_ctx *ctx, unsigned *tries);

/* gw_opc_want fails with |rule| unless |field| of |got| is |value|. */
void gw_opc_want(gw_ctx *ctx, const gw_opc_got *got, const char *rule, const char *field,
                 uint64_t value);

/* gw_opc_ask sends the read request |q| and returns its completion; fails with |rule| when none
 * comes, or something else. */
void gw_opc_ask(gw_ctx *ctx, const gw_op2p_header *q, gw_opc_got *got, const char *rule);

/* gw_opc_completion waits for the completion to the read request |q|, which is told by the landing
 * place of |q|, and says whether it came. */
bool gw_opc_completion(gw_ctx *ctx, const gw_op2p_header *q, gw_opc_got *got);

/* gw_opc_find does the same, however much else comes before the completion, for cases that are not
 * about that: it is asked again. |q| gets a landing place of its own, by which it is told. */
void gw_opc_find(gw_ctx *ctx, gw_op2p_header *q, gw_opc_got *got, const char *rule);

/* gw_opc_write writes |num| double words with a write of ours. */
void gw_opc_write(gw_ctx *ctx, uint32_t address, const uint32_t *words, size_t num);

/* gw_opc_put does the same and sees to it that it has arrived: it is what a case prepares and is
 * not about. */
void gw_opc_put(gw_ctx *ctx, uint32_t address, const uint32_t *words, size_t num);

/* gw_opc_peek returns the double word at |address|, by a read of ours that is sent again when it
 * gets no answer; inconclusive when the board does not answer it properly. */
uint32_t gw_opc_peek(gw_ctx *ctx, uint32_t address);

/* gw_opc_peek_all reads |num| of them, GW_OPC_BLOCK at most, at once. */
void gw_opc_peek_all(gw_ctx *ctx, uint32_t address, uint32_t *words, size_t num);

/* gw_opc_same fails with |rule| unless the double word at |address| is |value|; gw_opc_same_all
 * unless those from |address| on are |values|. */
void gw_opc_same(gw_ctx *ctx, const char *rule, uint32_t address, uint32_t value, const char *what);
void gw_opc_same_all(gw_ctx *ctx, const char *rule, uint32_t address, const uint32_t *values,
                     size_t num, const char *what);

/* gw_opc_forget empties the FIFO at |address| of what the host was told. */
void gw_opc_forget(gw_ctx *ctx, uint32_t address);

/* gw_opc_soon reads register |address| until its bits |mask| are |value|, or a reply would have
 * come, and returns what it read last. Link and registers are reached on two ways, so what was sent
 * on one may be seen later than what was asked on the other. */
uint32_t gw_opc_soon(gw_ctx *ctx, uint32_t address, uint32_t mask, uint32_t value);

/* gw_opc_take_down takes the channel down and waits until the board knows. */
void gw_opc_take_down(gw_ctx *ctx);

/* gw_opc_reset resets the board's port 0 and waits until its channel, which some drop then, is up
 * again. gw_opc_wait_up waits for that alone, and ends the reset once more when it is not. */
void gw_opc_reset(gw_ctx *ctx);
void gw_opc_wait_up(gw_ctx *ctx);

/* gw_opc_ragged says that |sets| of the command FIFOs may hold parts of commands, gw_opc_even that
 * none does any longer. */
enum { GW_OPC_WRITES = 1, GW_OPC_READS = 2 };
void gw_opc_ragged(gw_ctx *ctx, unsigned sets);
void gw_opc_even(gw_ctx *ctx);

/* gw_opc_level empties the command FIFOs when parts of commands may be left in them. */
void gw_opc_level(gw_ctx *ctx);

/* gw_opc_fields sets |fields| to the accesses that give the board's port 0 a write (or read)
 * command through its five FIFOs. gw_opc_command makes them, all together: a command is given whole
 * or not at all, and a second time when nobody knows. */
void gw_opc_fields(gw_ctx *ctx, gw_regs_access fields[5], bool read, uint32_t local,
                   uint32_t remote, uint16_t dst, uint32_t count);
void gw_opc_command(gw_ctx *ctx, bool read, uint32_t local, uint32_t remote, uint16_t dst,
                    uint32_t count);

/* gw_opc_fill_fifos gives sixteen commands to write to us, and returns the status bits that were
 * set before any of them. */
uint32_t gw_opc_fill_fifos(gw_ctx *ctx, uint32_t local);

/* gw_opc_come_up says that the channel is up, and returns how many packets came then. */
unsigned gw_opc_come_up(gw_ctx *ctx);

/* gw_opc_read_command commands a read and waits until the request, |got|, is on the link. */
void gw_opc_read_command(gw_ctx *ctx, uint32_t local, uint32_t remote, uint16_t dst, uint32_t count,
                         gw_opc_got *got);

/* gw_opc_base sets the forwarding pool up, empty, and returns where it begins. */
uint32_t gw_opc_base(gw_ctx *ctx);

/* gw_opc_foreign returns a header from us to a node that is neither us nor the board. */
gw_op2p_header gw_opc_foreign(gw_ctx *ctx, uint8_t type, uint32_t address, uint16_t count);

/* gw_opc_stored waits until the board has seen what was sent and returns where it says that a
 * packet lies; fails with |rule| when it does not say. gw_opc_not_stored fails when it does. */
uint32_t gw_opc_stored(gw_ctx *ctx, const char *rule, const char *what);
void gw_opc_not_stored(gw_ctx *ctx, const char *rule, const char *what);

/* gw_opc_same_packet fails with |rule| unless the packet with the header |h| and |num| double words
 * of payload lies at |at|. gw_opc_same_ids only looks at the ids. */
void gw_opc_same_packet(gw_ctx *ctx, const char *rule, uint32_t at, const gw_op2p_header *h,
                        const uint32_t *words, size_t num);
void gw_opc_same_ids(gw_ctx *ctx, const char *rule, uint32_t at, const gw_op2p_header *h);

/* gw_opc_pointer takes the address of a stored packet; false when none is reported. */
bool gw_opc_pointer(gw_ctx *ctx, uint32_t *address);

void gw_opc_heard(gw_ctx *ctx, gw_connection *conn, const gw_packet *packet);
bool gw_opc_excused(gw_ctx *ctx, gw_connection *conn, const gw_packet *packet);
gw_pair gw_opc_pair(gw_ctx *ctx, int64_t timeout_ns);
bool gw_opc_alive(gw_ctx *ctx, int64_t timeout_ns);
bool gw_opc_revive(gw_ctx *ctx);
void gw_opc_begin(gw_ctx *ctx);
void gw_opc_leave(gw_ctx *ctx);
bool gw_opc_has(gw_ctx *ctx, const char *need, char *why, size_t why_cap);
void gw_opc_show(gw_ctx *ctx, gw_claims *shown);
void gw_opc_identify(gw_ctx *ctx, char *out, size_t cap);

extern const gw_case gw_op_e_answers[], gw_op_e_refusals[], gw_op_e_link[], gw_op_h[], gw_op_f[];
extern const gw_case gw_op_e_legal[], gw_op_e_illegal[], gw_op_e_disturbed[], gw_op_h_disturbed[];
extern const gw_case gw_op_f_disturbed[], gw_op_h_wires[], gw_op_e_gaps[];
extern const struct gw_loads gw_op_loads;
extern const gw_suite gw_op_suite;

#endif
