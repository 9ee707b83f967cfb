/* SPDX-License-Identifier: BSD-2-Clause */
/* What cursor, loads, stores and writer ask of their caller and promise him, for every length. WP,
 * of Frama-C, proves that they keep it, and that they read and write nothing else on the way. */
#include "core/writer.c"
#include "goldwire/cursor.h"

/*@ // The cursor stands in its bytes, or behind the last.
  @ predicate stands(gw_cursor *c) =
  @     \base_addr(c->p) == \base_addr(c->base) && \base_addr(c->end) == \base_addr(c->base) &&
  @     c->base <= c->p <= c->end && \valid_read(c->p + (0 .. c->end - c->p - 1)) &&
  @     c->end - c->base <= 0x7fffffffffffffff;
  @ predicate moved{Before, Now}(gw_cursor *c, integer len) =
  @     \at(c->p, Now) == \at(c->p, Before) + len && \at(c->end, Now) == \at(c->end, Before) &&
  @     \at(c->base, Now) == \at(c->base, Before);
  @ predicate sound(gw_writer *w) =
  @     w->len <= w->cap && \valid(w->buf + (0 .. w->cap - 1)) &&
  @     \separated(w, w->buf + (0 .. w->cap - 1)); */

/* ---- cursor ---- */

/*@ requires data == \null || \valid_read(data + (0 .. len - 1));
  @ requires len <= 0x7fffffffffffffff;
  @ assigns \nothing;
  @ ensures \result.base == \result.p && \result.p <= \result.end; */
static inline gw_cursor gw_cursor_over(const uint8_t *data, size_t len);

/*@ requires \valid_read(c) && stands(c);
  @ assigns \nothing;
  @ ensures \result == c->end - c->p; */
static inline size_t gw_cursor_left(const gw_cursor *c);

/*@ requires \valid_read(c) && stands(c);
  @ assigns \nothing;
  @ ensures c->p - c->base <= 0xffffffff ==> \result == c->p - c->base; */
static inline uint32_t gw_cursor_offset(const gw_cursor *c);

/*@ requires \valid(c) && stands(c);
  @ assigns c->p;
  @ ensures stands(c);
  @ ensures \result <==> len <= \old(c->end - c->p);
  @ ensures moved{Pre, Post}(c, \result ? len : 0); */
static inline bool gw_cursor_skip(gw_cursor *c, size_t len);

/*@ requires \valid(c) && stands(c) && \valid(out) && \separated(c, out);
  @ assigns c->p, *out;
  @ ensures stands(c);
  @ ensures \result <==> len <= \old(c->end - c->p);
  @ ensures moved{Pre, Post}(c, \result ? len : 0);
  @ ensures \result ==> *out == \old(c->p) && \valid_read(*out + (0 .. len - 1));
  @ ensures !\result ==> *out == \old(*out); */
static inline bool gw_cursor_bytes(gw_cursor *c, const uint8_t **out, size_t len);

/*@ requires \valid(c) && stands(c) && \valid(child) && \separated(c, child);
  @ assigns c->p, *child;
  @ ensures stands(c);
  @ ensures \result <==> len <= \old(c->end - c->p);
  @ ensures moved{Pre, Post}(c, \result ? len : 0);
  @ ensures \result ==> stands(child) && child->p == \old(c->p) && child->end == c->p &&
  @                     child->base == c->base;
  @ ensures !\result ==> *child == \old(*child); */
static inline bool gw_cursor_sub(gw_cursor *c, gw_cursor *child, size_t len);

/*@ requires \valid(c) && stands(c);
  @ assigns *c;
  @ ensures stands(c) && c->p == \old(c->p) && c->base == \old(c->base);
  @ ensures \old(c->end - c->p) < len ? c->end == \old(c->end) : c->end == c->p + len; */
static inline void gw_cursor_bound(gw_cursor *c, size_t len);

/* ---- loads ---- */

/*@ requires \valid_read(p + (0 .. 1));
  @ assigns \nothing; */
static inline uint16_t gw_load_be16(const uint8_t *p);

/*@ requires \valid_read(p + (0 .. 3));
  @ assigns \nothing; */
static inline uint32_t gw_load_be32(const uint8_t *p);

/*@ requires \valid_read(p + (0 .. 7));
  @ assigns \nothing; */
static inline uint64_t gw_load_be64(const uint8_t *p);

/*@ requires \valid_read(p + (0 .. 1));
  @ assigns \nothing; */
static inline uint16_t gw_load_le16(const uint8_t *p);

/*@ requires \valid_read(p + (0 .. 3));
  @ assigns \nothing; */
static inline uint32_t gw_load_le32(const uint8_t *p);

/*@ requires \valid_read(p + (0 .. 7));
  @ assigns \nothing; */
static inline uint64_t gw_load_le64(const uint8_t *p);

/*@ requires \valid_read(p + (0 .. len - 1));
  @ assigns \nothing; */
static inline uint64_t gw_load_be(const uint8_t *p, size_t len);

/*@ requires \valid_read(p + (0 .. len - 1));
  @ assigns \nothing; */
static inline uint64_t gw_load_le(const uint8_t *p, size_t len);

/* ---- reading numbers ---- */

/*@ requires \valid(c) && stands(c) && \valid(out) && \separated(c, out);
  @ assigns c->p, *out;
  @ ensures stands(c) && (\result <==> 1 <= \old(c->end - c->p));
  @ ensures moved{Pre, Post}(c, \result ? 1 : 0);
  @ ensures !\result ==> *out == \old(*out); */
static inline bool gw_cursor_u8(gw_cursor *c, uint8_t *out);

/*@ requires \valid(c) && stands(c) && \valid(out) && \separated(c, out);
  @ assigns c->p, *out;
  @ ensures stands(c) && (\result <==> 2 <= \old(c->end - c->p));
  @ ensures moved{Pre, Post}(c, \result ? 2 : 0);
  @ ensures !\result ==> *out == \old(*out); */
static inline bool gw_cursor_be16(gw_cursor *c, uint16_t *out);

/*@ requires \valid(c) && stands(c) && \valid(out) && \separated(c, out);
  @ assigns c->p, *out;
  @ ensures stands(c) && (\result <==> 4 <= \old(c->end - c->p));
  @ ensures moved{Pre, Post}(c, \result ? 4 : 0);
  @ ensures !\result ==> *out == \old(*out); */
static inline bool gw_cursor_be32(gw_cursor *c, uint32_t *out);

/*@ requires \valid(c) && stands(c) && \valid(out) && \separated(c, out);
  @ assigns c->p, *out;
  @ ensures stands(c) && (\result <==> 8 <= \old(c->end - c->p));
  @ ensures moved{Pre, Post}(c, \result ? 8 : 0);
  @ ensures !\result ==> *out == \old(*out); */
static inline bool gw_cursor_be64(gw_cursor *c, uint64_t *out);

/*@ requires \valid(c) && stands(c) && \valid(out) && \separated(c, out);
  @ assigns c->p, *out;
  @ ensures stands(c) && (\result <==> 2 <= \old(c->end - c->p));
  @ ensures moved{Pre, Post}(c, \result ? 2 : 0);
  @ ensures !\result ==> *out == \old(*out); */
static inline bool gw_cursor_le16(gw_cursor *c, uint16_t *out);

/*@ requires \valid(c) && stands(c) && \valid(out) && \separated(c, out);
  @ assigns c->p, *out;
  @ ensures stands(c) && (\result <==> 4 <= \old(c->end - c->p));
  @ ensures moved{Pre, Post}(c, \result ? 4 : 0);
  @ ensures !\result ==> *out == \old(*out); */
static inline bool gw_cursor_le32(gw_cursor *c, uint32_t *out);

/*@ requires \valid(c) && stands(c) && \valid(out) && \separated(c, out);
  @ assigns c->p, *out;
  @ ensures stands(c) && (\result <==> 8 <= \old(c->end - c->p));
  @ ensures moved{Pre, Post}(c, \result ? 8 : 0);
  @ ensures !\result ==> *out == \old(*out); */
static inline bool gw_cursor_le64(gw_cursor *c, uint64_t *out);

/*@ requires \valid(c) && stands(c) && \valid(out) && \separated(c, out);
  @ assigns c->p, *out;
  @ ensures stands(c) && (\result <==> len <= \old(c->end - c->p));
  @ ensures moved{Pre, Post}(c, \result ? len : 0);
  @ ensures !\result ==> *out == \old(*out); */
static inline bool gw_cursor_be(gw_cursor *c, uint64_t *out, size_t len);

/* ---- stores and writer ---- */

/*@ requires \valid(p + (0 .. len - 1));
  @ assigns p[0 .. len - 1]; */
void gw_store_be(uint8_t *p, uint64_t value, size_t len);

/*@ requires \valid(p + (0 .. len - 1));
  @ assigns p[0 .. len - 1]; */
void gw_store_le(uint8_t *p, uint64_t value, size_t len);

/*@ requires \valid(w) && sound(w);
  @ assigns w->len, w->full;
  @ ensures sound(w);
  @ ensures w->full ==> \result == \null && w->len == \old(w->len);
  @ ensures !w->full ==> len <= w->cap - \old(w->len) && w->len == \old(w->len) + len &&
  @                      \result == w->buf + \old(w->len); */
static uint8_t *reserve(gw_writer *w, size_t len);

/*@ requires \valid(w) && sound(w);
  @ assigns w->len, w->full, w->buf[0 .. w->cap - 1];
  @ ensures sound(w); */
void gw_write_be(gw_writer *w, uint64_t value, size_t len);

/*@ requires \valid(w) && sound(w);
  @ assigns w->len, w->full, w->buf[0 .. w->cap - 1];
  @ ensures sound(w); */
void gw_write_le(gw_writer *w, uint64_t value, size_t len);
