/* SPDX-License-Identifier: BSD-2-Clause */
/* What cutting a connection into EtherBone's messages promises: none is longer than what waits, and
 * what is behind it is there to be moved. WP, of Frama-C, proves that. */
#include "etherbone/internal.h"
#include "proof/contracts.c"
#include "proof/move.h"

#include "etherbone/stream.c" /* which moves */

/*@ assigns \nothing;
  @ ensures \valid_read(\result); */
const gw_eb_dialect *gw_eb_dialect_of(const gw_dialect *dialect);

/*@ requires \valid(out);
  @ assigns *out; */
bool gw_eb_layout_for(gw_eb_layout *out, uint8_t widths, const gw_dialect *dialect);

/*@ assigns \nothing; */
uint8_t gw_eb_refine(uint8_t widths, uint8_t other);

/*@ requires \valid_read(p + (0 .. 2));
  @ assigns \nothing; */
static inline bool gw_eb_is_v1(const uint8_t *p);

/*@ requires \valid_read(p + (0 .. 3));
  @ assigns \nothing; */
static inline uint8_t gw_eb_flags_of(const uint8_t *p);

/*@ requires \valid_read(p + (0 .. 3));
  @ assigns \nothing; */
static inline uint8_t gw_eb_widths_of(const uint8_t *p);

/*@ requires \valid(s) && dir < 2;
  @ assigns s->half[0 .. 1].phase, s->half[0 .. 1].widths, s->half[0 .. 1].probe,
  @         s->half[0 .. 1].is_response; */
static void head_seen(struct stream *s, unsigned dir, uint8_t flags, uint8_t widths);

/*@ assigns \nothing; */
static uint32_t head_need(const struct stream *s, const uint8_t *p, uint32_t have);

/*@ assigns \nothing; */
static bool head_valid(const uint8_t *p);

/*@ assigns \nothing; */
static uint32_t record_need(const gw_eb_layout *l, const uint8_t *p, uint32_t have);

/*@ assigns \nothing; */
static uint32_t packet_need(const struct stream *s, const uint8_t *p, uint32_t have);

/*@ requires proven_bytes: \valid_read(p + (0 .. len - 1));
  @ assigns \nothing;
  @ ensures proven_end: \result <= len; */
static uint32_t banner_end(const uint8_t *p, uint32_t len);

/*@ requires \valid(h);
  @ assigns h->chunks[0 .. MAX_CHUNKS - 1], h->num_chunks; */
static void hand_out(struct half *h, gw_eb_part part, uint32_t len, uint32_t full, gw_message_fn fn,
                     void *ctx);

/*@ requires \valid(h);
  @ requires proven_held: len <= h->have && h->have <= BUFFER_SIZE; */
static void deliver(struct half *h, gw_eb_part part, uint32_t len, uint32_t full, gw_message_fn fn,
                    void *ctx);

/*@ requires \valid(s) && dir < 2;
  @ requires s->half[0].have <= BUFFER_SIZE && s->half[1].have <= BUFFER_SIZE; */
static bool advance(struct stream *s, unsigned dir, gw_message_fn fn, void *ctx);

/*@ requires \valid(s) && dir < 2;
  @ requires s->half[0].have <= BUFFER_SIZE && s->half[1].have <= BUFFER_SIZE; */
static void leftover(struct stream *s, unsigned dir, bool lost, gw_message_fn fn, void *ctx);
