/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the software boards of the Level-1 farm: a readout unit, a compute node and a decision
 * unit. They speak the UDP tunnel on their links "in" and "out". Whoever sends "listening" over
 * "out" is told from then on, in a new run: counters and buffers are as after a start. */
#ifndef GOLDWIRE_FORMATS_L1FARM_BOARD_H
#define GOLDWIRE_FORMATS_L1FARM_BOARD_H

#include "boards/peer.h"
#include "formats/l1farm/cn/mutants/mutation.h"
#include "formats/l1farm/du/mutants/mutation.h"
#include "formats/l1farm/ru/mutants/mutation.h"
#include "goldwire/l1farm.h"

enum { GW_L1_LINK_IN = 0, GW_L1_LINK_OUT = 1 };

enum {
    GW_L1_UNITS = 3,      /* readout units of the prototype */
    GW_L1_BUFFERS = 2,    /* event buffers of a node */
    GW_L1_CN_NODE = 5,    /* number of our compute node */
    GW_L1_DU_SLOTS = 52,  /* of the decision unit's cyclic buffer: 26 nodes of two buffers */
    GW_L1_DU_EVENTS = 64, /* that may be on their way */
};

/* How long a node takes to look at a buffer, and how long a decision unit waits: the thesis' 2 us
 * and 1638 us, slowed down for sockets. */
#define GW_L1_CN_CHECK_NS INT64_C(2000000)
#define GW_L1_DU_LIMIT_NS INT64_C(250000000)

/* How much later a mutant's answers come. */
#define GW_L1_LATE_NS INT64_C(400000000)

/* gw_l1_setup is gw_peer_config.setup of these boards; NULL: node GW_L1_CN_NODE, and the times
 * above.
 */
typedef struct gw_l1_setup {
    uint16_t node;
    int64_t check_ns;
    int64_t limit_ns;
} gw_l1_setup;

/* gw_l1_way_out is a board's link "out": who listens there. */
typedef struct gw_l1_way_out {
    gw_peer_out *out;
    bool connected;
    uint32_t conn;
} gw_l1_way_out;

/* gw_l1_fini frees nothing: the boards hold their memory themselves. */
void gw_l1_fini(void *state);

/* gw_l1_send sends a datagram of |shim->length| bytes at |data| over "out", if anybody listens. */
void gw_l1_send(gw_l1_way_out *w, const gw_l1_shim *shim, const uint8_t *data);

/* gw_l1_listen takes an event of the link "out" and answers whoever listens by the board's
 * |number|. True when a new run begins. */
bool gw_l1_listen(gw_l1_way_out *w, const gw_peer_event *event, uint16_t number);

/* gw_l1_read decodes what came over "in"; false unless it is whole. */
bool gw_l1_read(gw_l1_unit *u, const gw_peer_event *event, const gw_dialect *dialect);

/* ---- the compute node ---- */

struct gw_l1_cn {
    const gw_l1_cn_policy *policy;
    const gw_dialect *dialect;
    const gw_l1_profile *profile;
    gw_l1_setup setup;
    gw_l1_way_out way;
    const gw_peer_config *memory_of; /* says what |memory| starts with */
    uint8_t memory[GW_L1_BUFFERS][GW_L1_SUBEVENT_MAX];
    uint32_t slot;               /* bytes of a readout unit's slot, as the fragments have it */
    uint32_t step;               /* time step of the last fragment */
    bool touched[GW_L1_BUFFERS]; /* written to since it was looked at */
    uint8_t next;                /* buffer to look at, when the other one starts to change */
    bool looking;                /* at it, until |done_at| */
    int64_t done_at;
    bool expects; /* |expected| is known */
    uint16_t expected;
    uint16_t last; /* TagID of the last good event */
    uint32_t ntries, nallok, nnext;
    uint32_t refused; /* datagrams that are no fragment for this node */
    /* what a mutant remembers, and the good board never looks at */
    struct {
        unsigned fragments[GW_L1_BUFFERS]; /* since the buffer was looked at */
        bool passed_by; /* while it is looked at, another node's was written to */
    } kept;
};

/* gw_l1_cn_fits says whether |u| is a fragment for a buffer of this node; gw_l1_cn_take writes it
 * there, or refuses what is none. */
bool gw_l1_cn_fits(const gw_l1_cn *n, const gw_l1_unit *u);
void gw_l1_cn_take(gw_l1_cn *n, gw_l1_unit *u);

/* gw_l1_cn_look returns the status of the buffer |next|. */
uint16_t gw_l1_cn_look(gw_l1_cn *n);

/* gw_l1_cn_tell sends a result. */
void gw_l1_cn_tell(gw_l1_cn *n, uint16_t tag, uint16_t status);

extern const gw_mutant gw_l1_cn_mutants[GW_L1_CN_NUM_MUTANTS];
extern const gw_board gw_l1_cn_board;

/* ---- the decision unit ---- */

/* An event that entered the system. */
struct gw_l1_du_event {
    gw_l1_shim shim; /* of its result */
    uint8_t result[GW_L1_RESULT];
    int64_t deadline;
    int64_t due; /* when its decision is sent */
    uint16_t event;
    uint16_t node;
    bool has_result;
};

struct gw_l1_du {
    const gw_l1_du_policy *policy;
    const gw_dialect *dialect;
    gw_l1_setup setup;
    gw_l1_way_out way;
    /* Events by their ids, once it is told which entered (T 6.4): a ring. */
    bool told;
    gw_l1_du_event events[GW_L1_DU_EVENTS];
    unsigned first, count;
    /* Else a slot for each buffer of the farm (T 7.6). */
    gw_l1_du_event slots[GW_L1_DU_SLOTS];
    bool running;
    unsigned read_pointer;
    unsigned silent; /* slots in a row */
    int64_t deadline;
    uint32_t decided, timeouts, late;
    /* what a mutant remembers, if it |has_result|, and the good board never looks at */
    gw_l1_du_event kept;
};

/* gw_l1_du_at returns the event that has waited longest, less |age|; gw_l1_du_find the first that
 * is |event| and has no result, or NULL. */
gw_l1_du_event *gw_l1_du_at(gw_l1_du *d, unsigned age);
gw_l1_du_event *gw_l1_du_find(gw_l1_du *d, uint16_t event);

/* gw_l1_du_step is the board's step; gw_l1_du_watch does what is due, gw_l1_du_take what |u| asks
 * for. */
int64_t gw_l1_du_step(gw_l1_du *d, const gw_peer_event *event, int64_t now_ns);
void gw_l1_du_watch(gw_l1_du *d, int64_t now_ns);
void gw_l1_du_take(gw_l1_du *d, const gw_l1_unit *u, int64_t now_ns);

/* gw_l1_du_enter has the event of |s| wait for its result, which gw_l1_du_keep takes from |u|;
 * gw_l1_du_flush decides those in front that have one. */
void gw_l1_du_enter(gw_l1_du *d, const gw_l1_shim *s, int64_t now_ns);
void gw_l1_du_keep(gw_l1_du_event *e, const gw_l1_unit *u);
void gw_l1_du_flush(gw_l1_du *d, int64_t now_ns);

/* gw_l1_du_pass_slot moves the read pointer on. */
void gw_l1_du_pass_slot(gw_l1_du *d, int64_t now_ns);

/* gw_l1_du_tell tells what came of |e|, GW_L1_KIND_DECISION or GW_L1_KIND_TIMEOUT; gw_l1_du_send
 * sends |s|, and the result if it is a decision. */
void gw_l1_du_tell(gw_l1_du *d, const gw_l1_du_event *e, uint8_t kind);
void gw_l1_du_send(gw_l1_du *d, const gw_l1_du_event *e, const gw_l1_shim *s);

extern const gw_mutant gw_l1_du_mutants[GW_L1_DU_NUM_MUTANTS];
extern const gw_board gw_l1_du_board;

/* ---- the readout unit ---- */

/* A readout unit: its DMA engine, and its place in the chain of tags. Towards the unit before it
 * lie TIn and BOn, on the link "in", where its registers are reached as well; towards the next one
 * TOn and BIn, on "out", where its bursts leave. A pulse on TIn takes the next descriptor
 * (T 7.2.1), a coded tag the one that its destination numbers (T 6.3.2). */
struct gw_l1_ru {
    const gw_l1_ru_policy *policy;
    const gw_dialect *dialect;
    const gw_l1_profile *profile;
    gw_l1_setup setup; /* node: the unit's number */
    gw_l1_way_out way;
    uint32_t in_conn; /* who spoke last on "in" */
    uint8_t descbuf[GW_L1_DESCBUF_BYTES];
    uint32_t dmacntrl, frq, descs, tags;
    uint32_t pointer; /* DP */
    uint16_t tag_id;
    uint32_t step;
    uint32_t pending; /* transfers still to do for this trigger */
    bool endless;     /* until it is cleared */
    bool busy;        /* BOn */
    bool next_busy;   /* BIn */
    bool held;        /* a tag waits in the output buffer */
    uint32_t corrected, discarded;
};

/* gw_l1_ru_take does what |u| asks for; gw_l1_ru_write writes to |reg|. */
void gw_l1_ru_take(gw_l1_ru *r, const gw_l1_unit *u);
void gw_l1_ru_write(gw_l1_ru *r, const gw_l1_register *reg);

/* gw_l1_ru_set_busy drives BOn, gw_l1_ru_pulse_out TOn, for the tag that is held. */
void gw_l1_ru_set_busy(gw_l1_ru *r, bool busy);
void gw_l1_ru_pulse_out(gw_l1_ru *r);

/* gw_l1_ru_discard takes a pulse while another tag is held; gw_l1_ru_next_busy an edge of BIn. */
void gw_l1_ru_discard(gw_l1_ru *r);
void gw_l1_ru_next_busy(gw_l1_ru *r, bool busy);

/* gw_l1_ru_follow has a coded tag's transfer made and forwards the tag; gw_l1_ru_descriptor returns
 * the descriptor of destination |dest|, more than |descs| for none. */
void gw_l1_ru_follow(gw_l1_ru *r, const gw_l1_unit *u);
uint32_t gw_l1_ru_descriptor(const gw_l1_ru *r, uint16_t dest);

/* gw_l1_ru_transfer makes one transfer by descriptor |which|: gw_l1_ru_block a block of |bytes| to
 * |target|, of which gw_l1_ru_whole returns the whole words, no more than a buffer holds. */
void gw_l1_ru_transfer(gw_l1_ru *r, uint32_t which);
void gw_l1_ru_block(gw_l1_ru *r, uint32_t target, uint64_t bytes);
uint32_t gw_l1_ru_whole(uint64_t bytes);

/* gw_l1_ru_burst sends the next burst of a block of |len| bytes, from byte |at| on, and returns its
 * size. */
uint32_t gw_l1_ru_burst(gw_l1_ru *r, uint32_t target, uint32_t at, uint32_t len);

/* gw_l1_ru_trigger begins what DMACNTRL says of a trigger, gw_l1_ru_transfers transfers;
 * gw_l1_ru_work goes on with it, a few transfers a call, until |pending| is 0 and |endless| false.
 * gw_l1_ru_advance moves DP on, gw_l1_ru_clear does what Clear says. */
void gw_l1_ru_trigger(gw_l1_ru *r);
uint32_t gw_l1_ru_transfers(const gw_l1_ru *r);
void gw_l1_ru_work(gw_l1_ru *r);
void gw_l1_ru_advance(gw_l1_ru *r);
void gw_l1_ru_clear(gw_l1_ru *r);

extern const gw_mutant gw_l1_ru_mutants[GW_L1_RU_NUM_MUTANTS];
extern const gw_board gw_l1_ru_board;

/* What the farm's boards need, and the network, and a machine that is busy. */
#define GW_L1_RESPONSE_US 300000

#endif
