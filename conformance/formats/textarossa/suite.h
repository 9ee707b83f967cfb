/* SPDX-License-Identifier: BSD-2-Clause */
/* What the TEXTAROSSA cases share. A node's Ethernet port is spoken to in datagrams, an APElink in
 * beats; on both the tester is node 1 of a ring of four whose node 0 is the board. What is sent to
 * a node comes back from its task; what is sent to a switch on "x+" is addressed to node 1, and so
 * comes back over the same link. The board is set up over the link "regs" before each case. */
#ifndef GOLDWIRE_FORMATS_TEXTAROSSA_SUITE_H
#define GOLDWIRE_FORMATS_TEXTAROSSA_SUITE_H

#include "goldwire/textarossa.h"
#include "run/case.h"
#include "suite/regs.h"

enum {
    GW_TXC_RING = 4,                /* nodes; the board is node 0 unless a case moves it */
    GW_TXC_MESSAGE_MAX = 64 * 1024, /* bytes of a run or datagram */
    GW_TXC_QUEUE = 256,             /* messages that wait */
    GW_TXC_STREAM = 140 * 1024,     /* bytes of state for cutting a stream */
    GW_TXC_PROGRAMMED = 6,          /* registers that hosts program, and cases too */
};
#define GW_TXC_LATTICE UINT32_C(0x844) /* four, one, one */
#define GW_TXC_EDAC_ALL UINT32_C(0xff000000)

/* gw_txc_way is what has come over one APElink and waits to be looked at. */
typedef struct gw_txc_way {
    const gw_connection *conn; /* that the state belongs to */
    unsigned num, next;        /* messages */
    uint32_t used;             /* bytes of them */
    struct {
        uint32_t at, len;
        unsigned number;
        uint16_t part_arg;
        uint8_t part;
    } queue[GW_TXC_QUEUE];
    bool has_credit;
    gw_tx_word credit; /* the last one that came */
    unsigned credits;  /* how many since the last packet */
    uint64_t stream[GW_TXC_STREAM / 8];
    uint8_t bytes[2 * GW_TXC_MESSAGE_MAX];
} gw_txc_way;

/* gw_txc_state is kept from case to case. */
typedef struct gw_txc_state {
    gw_txc_way ways[2]; /* x+ or net, and x- */
    bool edac;          /* headers and credits of ours are protected */
    bool greeted;       /* a switch knows at its ports where we are */
    gw_tx_word credit;  /* of ours, told last; it stands behind each packet, as on a real link */
    uint32_t found[GW_TXC_PROGRAMMED]; /* what stood in the registers that cases write */
    bool found_any;                    /* that is known */
    unsigned num_sent;
    struct {
        uint32_t crc; /* of the payload */
        uint16_t proc_id;
    } sent[16]; /* the last packets */
} gw_txc_state;

/* gw_txc_got is a packet that came from the board. */
typedef struct gw_txc_got {
    gw_tx_packet p;
    gw_message message;
    gw_error error;
    unsigned number;  /* in the evidence */
    unsigned credits; /* stream: between the packet before and this one */
    uint8_t bytes[GW_TXC_MESSAGE_MAX];
} gw_txc_got;

/* ---- exchange.c ---- */

/* gw_txc_is_switch says whether the board is a switch; gw_txc_net returns the name of its first
 * link. */
bool gw_txc_is_switch(gw_ctx *ctx);
const char *gw_txc_net(gw_ctx *ctx);

/* gw_txc_longest returns the longest payload, in bytes, that a case may expect back. */
size_t gw_txc_longest(gw_ctx *ctx);

/* gw_txc_draft returns a packet that comes back, with |len| bytes of |payload|. */
gw_tx_draft gw_txc_draft(gw_ctx *ctx, const void *payload, size_t len);

/* gw_txc_fill fills |payload| with random bytes, none of which look like MAGIC. */
void gw_txc_fill(gw_ctx *ctx, uint8_t *payload, size_t len);

/* gw_txc_is_late says whether |got| is what became of a packet before the last one, which a path
 * may delay or repeat. */
bool gw_txc_is_late(gw_ctx *ctx, const gw_txc_got *got);

/* gw_txc_await waits for a packet over |link| that is not late. */
bool gw_txc_await(gw_ctx *ctx, const char *link, gw_txc_got *got, int64_t timeout_ns);

/* gw_txc_send sends |draft| over |link|, as a datagram or a run, and returns its number. */
unsigned gw_txc_send(gw_ctx *ctx, const char *link, const gw_tx_draft *draft);

/* gw_txc_beats sends |num| beats over |link|. */
unsigned gw_txc_beats(gw_ctx *ctx, const char *link, const gw_tx_word *beats, size_t num);

/* gw_txc_run lays |draft| out as beats, at most |cap|, with a credit behind them, and returns how
 * many. */
size_t gw_txc_run(gw_ctx *ctx, const gw_tx_draft *draft, gw_tx_word *beats, size_t cap);

/* gw_txc_credit sends a credit over |link|: |headers| and |data| words are in use on both channels,
 * tx_waiting_cycle included. */
void gw_txc_credit(gw_ctx *ctx, const char *link, unsigned headers, unsigned data);

/* gw_txc_next waits for the next packet on |link|; false when none comes in time. */
bool gw_txc_next(gw_ctx *ctx, const char *link, gw_txc_got *got, int64_t timeout_ns);

/* gw_txc_way_of returns what has come over APElink |link|. */
gw_txc_way *gw_txc_way_of(gw_ctx *ctx, const char *link);

/* gw_txc_collect takes the beats of the first link until none come for a while, at most |cap|, and
 * returns how many; |number| becomes the last packet's. */
size_t gw_txc_collect(gw_ctx *ctx, gw_tx_word *beats, size_t cap, unsigned *number);

/* gw_txc_fresh_credit takes what has come and waits until a credit equals |low| in its bits 35:0,
 * or a reply would have come; false then. The credit is in the way. gw_txc_credit_within waits so
 * long instead. */
bool gw_txc_fresh_credit(gw_ctx *ctx, const char *link, uint64_t low);
bool gw_txc_credit_within(gw_ctx *ctx, const char *link, uint64_t low, int64_t time_ns);

/* gw_txc_drain takes what is left over from earlier. */
void gw_txc_drain(gw_ctx *ctx, const char *link);

/* gw_txc_over_link says whether |link| is an APElink. */
bool gw_txc_over_link(gw_ctx *ctx, const char *link);

/* gw_txc_write sets a register. */
void gw_txc_write(gw_ctx *ctx, uint32_t offset, uint32_t value);

/* gw_txc_soon reads a register until its bits |mask| are |value|, or a reply would have come, and
 * returns what it read last: links and registers are reached on different ways. */
uint32_t gw_txc_soon(gw_ctx *ctx, uint32_t offset, uint32_t mask, uint32_t value);

/* gw_txc_use_edac switches generation and checking on at both ends; the case does not apply to a
 * board that claims not to have them. */
void gw_txc_use_edac(gw_ctx *ctx);

/* ---- transaction.c ---- */

/* gw_txc_silence fails with |rule| when a packet comes over |link| within the settle time. */
void gw_txc_silence(gw_ctx *ctx, const char *link, const char *rule, const char *after);

/* gw_txc_judge fails with the first rule that the packet itself breaks, as `goldwire check' would
 * find. */
void gw_txc_judge(gw_ctx *ctx, const gw_txc_got *got);

/* gw_txc_same fails with |rule| unless |got| has the payload of |sent|. */
void gw_txc_same(gw_ctx *ctx, const gw_txc_got *got, const gw_tx_draft *sent, const char *rule);

/* gw_txc_back waits for |sent| to come back over the first link, well made and with its payload. */
void gw_txc_back(gw_ctx *ctx, const gw_tx_draft *sent, gw_txc_got *got, const char *rule,
                 const char *what);

/* gw_txc_round sends |draft| and wants it back. */
void gw_txc_round(gw_ctx *ctx, const gw_tx_draft *draft, gw_txc_got *got, const char *rule,
                  const char *what);

/* gw_txc_provoke sends |draft|, which a board may answer or not. What it answers is judged as any
 * packet of its own. Our credit is told anew. */
void gw_txc_provoke(gw_ctx *ctx, const gw_tx_draft *draft);

/* gw_txc_swallow takes what comes over the first link, and does not judge it, until nothing came
 * within the settle time. */
void gw_txc_swallow(gw_ctx *ctx);

/* gw_txc_still_works sends something good and wants it back: whatever came before did no harm. */
void gw_txc_still_works(gw_ctx *ctx, const char *rule, const char *after);

/* ---- cases_endpoint.c ---- */

/* gw_txc_generate lets the generator of port 0 send |num| packets of |size| bytes to us. */
void gw_txc_generate(gw_ctx *ctx, unsigned num, unsigned size, bool header_only);

/* gw_txc_wants_header_only ends a case that wants a header alone from a transmitter that cannot
 * send one. */
void gw_txc_wants_header_only(gw_ctx *ctx);

/* ---- cases_link_send.c ---- */

/* gw_txc_run_start fails unless a packet over the link begins with MAGIC and START. */
void gw_txc_run_start(gw_ctx *ctx);

/* ---- set_up.c ---- */

/* gw_txc_set_up resets the board and programs it as hosts do; gw_txc_program only does the latter.
 */
void gw_txc_set_up(gw_ctx *ctx);
void gw_txc_program(gw_ctx *ctx);

/* gw_txc_remember keeps what the registers held before anything was written for the first time, and
 * gw_txc_restore writes that back. */
void gw_txc_remember(gw_ctx *ctx);
void gw_txc_restore(gw_ctx *ctx);

extern const gw_case gw_tx_e[], gw_tx_e_edges[], gw_tx_e_hostile[], gw_tx_n[], gw_tx_wire[],
    gw_tx_arp[], gw_tx_r[];
extern const gw_case gw_tx_l_send[], gw_tx_l_room[], gw_tx_l_receive[], gw_tx_s[], gw_tx_s_carry[],
    gw_tx_l_footers[];
extern const struct gw_loads gw_tx_node_loads, gw_tx_switch_loads;
extern const gw_suite gw_tx_node_suite, gw_tx_switch_suite;

#endif
