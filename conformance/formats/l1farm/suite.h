/* SPDX-License-Identifier: BSD-2-Clause */
/* What the Level-1 farm's cases share. Towards a compute node goldwire is the readout units, over
 * the link "in", and the decision unit, over "out"; towards a decision unit it is the compute nodes
 * and whoever takes the decisions. */
#ifndef GOLDWIRE_FORMATS_L1FARM_SUITE_H
#define GOLDWIRE_FORMATS_L1FARM_SUITE_H

#include "goldwire/l1farm.h"
#include "run/case.h"

enum {
    GW_L1C_UNITS = 3,
    GW_L1C_SLOTS = 52, /* of the prototype's cyclic buffer */
};

/* gw_l1c_state is kept from case to case. */
typedef struct gw_l1c_state {
    uint16_t node; /* the board's number */
    bool known;
    uint16_t tag;   /* of the last event sent */
    uint8_t buffer; /* of the next event */
    uint32_t step;
    int64_t path_ns; /* there and back at the least, as the tunnel itself told; 0: not known */
    bool is_probe;   /* what is sent is a sign of life's */
} gw_l1c_state;

/* gw_l1c_got is a datagram that came over "out". */
typedef struct gw_l1c_got {
    gw_l1_unit u;
    gw_message message;
    unsigned number; /* in the evidence */
    uint8_t bytes[GW_L1_SHIM + 256];
} gw_l1c_got;

/* gw_l1c_event is what the slots of a buffer hold: the TagID of each one's first half, and of its
 * second, and the index that its words begin with. */
typedef struct gw_l1c_event {
    uint16_t first[GW_L1C_UNITS];
    uint16_t last[GW_L1C_UNITS];
    uint16_t index[GW_L1C_UNITS];
} gw_l1c_event;

/* gw_l1c_listen begins a new run; false when the board does not say that it heard. */
bool gw_l1c_listen(gw_ctx *ctx, int64_t timeout_ns);

/* gw_l1c_path_ns returns what the path takes there and back at the least: the tunnel says by itself
 * that it heard. 0: not known. */
int64_t gw_l1c_path_ns(gw_ctx *ctx);

/* gw_l1c_send sends a datagram over "in". */
unsigned gw_l1c_send(gw_ctx *ctx, gw_l1_shim shim, const uint8_t *data);

/* gw_l1c_next waits for what comes over "out"; false when nothing does in time. */
bool gw_l1c_next(gw_ctx *ctx, gw_l1c_got *got, int64_t timeout_ns);

/* gw_l1c_hear waits for what comes back over "in". */
bool gw_l1c_hear(gw_ctx *ctx, gw_l1c_got *got, int64_t timeout_ns);

/* gw_l1c_register reads a register of a readout unit's BAR 0; false when no value comes. */
bool gw_l1c_register(gw_ctx *ctx, uint16_t offset, uint32_t *value, int64_t timeout_ns);

/* gw_l1c_drain takes what is left over from earlier. */
void gw_l1c_drain(gw_ctx *ctx);

/* gw_l1c_discard takes what has arrived over "out", without waiting: for the middle of a case, all
 * of whose answers were waited for. */
void gw_l1c_discard(gw_ctx *ctx);

/* gw_l1c_want fails with |rule| unless |field| of |got| is |value|. */
void gw_l1c_want(gw_ctx *ctx, const gw_l1c_got *got, const char *rule, const char *field,
                 uint64_t value);

/* gw_l1c_silence fails with |rule| when something comes within the settle time. What follows in the
 * case has to show that the board is still there. */
void gw_l1c_silence(gw_ctx *ctx, const char *rule, const char *after);

/* gw_l1c_quiet does the same at the end of a case, and then wants a sign of life, which begins a
 * new run: a board that died is silent as well. */
void gw_l1c_quiet(gw_ctx *ctx, const char *rule, const char *after);

/* ---- towards a compute node ---- */

/* gw_l1c_lap returns how many events lie between two in one buffer. */
uint16_t gw_l1c_lap(gw_ctx *ctx);

/* gw_l1c_good returns an event whose slots all carry |tag|. */
gw_l1c_event gw_l1c_good(uint16_t tag);

/* gw_l1c_put writes |event| into the node's next buffer, slot by slot, and returns the number of
 * the first datagram. */
unsigned gw_l1c_put(gw_ctx *ctx, const gw_l1c_event *event);

/* gw_l1c_put_to does the same as if it were for |node|. */
unsigned gw_l1c_put_to(gw_ctx *ctx, uint16_t node, uint8_t buffer, const gw_l1c_event *event);

/* gw_l1c_put_slot writes unit |ru|'s fragment alone, in its time step of the event;
 * gw_l1c_next_event says that the next fragments are of another one. */
unsigned gw_l1c_put_slot(gw_ctx *ctx, uint16_t node, uint8_t buffer, const gw_l1c_event *event,
                         unsigned ru);
void gw_l1c_next_event(gw_ctx *ctx);

/* gw_l1c_turn moves on to the node's other buffer, and returns the one that was next. */
uint8_t gw_l1c_turn(gw_ctx *ctx);

/* gw_l1c_tag returns the TagID of this node's next event. */
uint16_t gw_l1c_tag(gw_ctx *ctx);

/* gw_l1c_look has the node look at |event|: puts it, and a good one behind it. False when no result
 * comes, which is right for a mismatch only. */
bool gw_l1c_look(gw_ctx *ctx, const gw_l1c_event *event, gw_l1c_got *got);

/* gw_l1c_look_again does so, and in a new run when no result comes over a path that loses: before
 * it is said that a node sends none. */
bool gw_l1c_look_again(gw_ctx *ctx, const gw_l1c_event *event, gw_l1c_got *got);

/* gw_l1c_go_on puts one more good event and returns the result of the one before; inconclusive when
 * none comes. */
void gw_l1c_go_on(gw_ctx *ctx, gw_l1c_got *got);

/* gw_l1c_good_result has the node look at an event of |tag|; fails with |rule| unless it is called
 * correct. */
void gw_l1c_good_result(gw_ctx *ctx, gw_l1c_got *got, uint16_t tag, const char *rule);

/* ---- towards a decision unit ---- */

unsigned gw_l1c_enter(gw_ctx *ctx, uint16_t event, uint16_t node);

/* gw_l1c_give sends |node|'s result of |event|, with |status|, to |slot|, and returns its number in
 * the evidence. */
unsigned gw_l1c_give(gw_ctx *ctx, uint16_t event, uint16_t node, uint16_t status, unsigned slot);

/* gw_l1c_expect fails with |rule| unless the next thing that comes is |kind| of |event|. */
void gw_l1c_expect(gw_ctx *ctx, gw_l1c_got *got, const char *rule, uint8_t kind, uint16_t event);

/* gw_l1c_want_event fails with |rule| unless |got| is |kind| of |event|. */
void gw_l1c_want_event(gw_ctx *ctx, const gw_l1c_got *got, const char *rule, uint8_t kind,
                       uint16_t event);

/* gw_l1c_patience_ns returns for how long the board waits for a result, at least, when a path lies
 * before it; 0 where none does, and when the board does not show it. */
int64_t gw_l1c_patience_ns(gw_ctx *ctx);

/* gw_l1c_needs_patience makes a case inconclusive that needs the board to wait |time_ns| for a
 * result, over a path on which it may have gone on by then. */
void gw_l1c_needs_patience(gw_ctx *ctx, int64_t time_ns);

/* gw_l1c_pair, gw_l1c_ru_pair and gw_l1c_du_pair are the suites' pairs of known-good requests. */
gw_pair gw_l1c_pair(gw_ctx *ctx, int64_t timeout_ns);
gw_pair gw_l1c_ru_pair(gw_ctx *ctx, int64_t timeout_ns);
gw_pair gw_l1c_du_pair(gw_ctx *ctx, int64_t timeout_ns);

bool gw_l1c_cn_alive(gw_ctx *ctx, int64_t timeout_ns);
bool gw_l1c_ru_alive(gw_ctx *ctx, int64_t timeout_ns);
bool gw_l1c_du_alive(gw_ctx *ctx, int64_t timeout_ns);
void gw_l1c_begin(gw_ctx *ctx);
bool gw_l1c_has(gw_ctx *ctx, const char *need, char *why, size_t why_cap);
void gw_l1c_show(gw_ctx *ctx, gw_claims *shown);
void gw_l1c_identify(gw_ctx *ctx, char *out, size_t cap);

extern const gw_case gw_l1_d[], gw_l1_g[], gw_l1_e[], gw_l1_r[], gw_l1_u[];
extern const gw_case gw_l1_e_order[], gw_l1_r_disturbed[], gw_l1_u_farm[];
extern const struct gw_loads gw_l1_ru_loads, gw_l1_cn_loads, gw_l1_du_loads;
extern const gw_suite gw_l1_ru_suite, gw_l1_cn_suite, gw_l1_du_suite;

/* GW_L1C_SUITE is what the suites of all three roles have in common. */
#define GW_L1C_SUITE(role_, families_, groups_, state_, alive_, pair_)                             \
    .role = (role_), .format = &gw_l1farm, .families = (families_), .groups = (groups_),           \
    .num_groups = GW_ARRAY_LEN(groups_), .state_size = sizeof(state_), .tunnels = true,            \
    .begin = gw_l1c_begin, .alive = (alive_), .pair = (pair_), .has = gw_l1c_has,                  \
    .show = gw_l1c_show, .identify = gw_l1c_identify

#endif
