/* SPDX-License-Identifier: BSD-2-Clause */
/* The only way goldwire reads bytes.
 *
 * A cursor knows where its bytes begin, where it stands and where they end. Every read is all or
 * nothing: it returns false and leaves the cursor where it was when the bytes are not there. A
 * nested structure gets a child cursor with an end of its own, so that no bound ever has to be kept
 * beside a pointer. */
#ifndef GOLDWIRE_CURSOR_H
#define GOLDWIRE_CURSOR_H

#include <string.h>

#include "goldwire/base.h"

GW_BEGIN_DECLS

/* gw_cursor is a read position. The bytes belong to the caller and must outlive the cursor. */
typedef struct gw_cursor {
    const uint8_t *p;    /* next byte to read */
    const uint8_t *end;  /* one past the last byte */
    const uint8_t *base; /* where offsets count from; a child cursor keeps its parent's */
} gw_cursor;

/* gw_cursor_over returns a cursor over |len| bytes at |data|, offsets counting from |data|. NULL
 * stands for no bytes; the cursor has an address even then, to which 0 may be added. */
static inline gw_cursor gw_cursor_over(const uint8_t *data, size_t len)
{
    static const uint8_t nothing = 0;
    const uint8_t *p = data != NULL ? data : &nothing;
    gw_cursor c = {p, data != NULL ? p + len : p, p};
    //@ assert proven_object: c.end == c.p || \valid_read(c.end - 1);
    return c;
}

/* gw_cursor_left returns how many bytes are still unread. */
static inline size_t gw_cursor_left(const gw_cursor *c)
{
    ptrdiff_t left = c->end - c->p;
    //@ assert proven_left: 0 <= left;
    return (size_t)left;
}

/* gw_cursor_offset returns how many bytes lie between the base and the next byte to read. */
static inline uint32_t gw_cursor_offset(const gw_cursor *c)
{
    return (uint32_t)(c->p - c->base);
}

/* gw_cursor_skip moves |len| bytes on. False, and no move, when fewer are left. */
GW_MUST_USE static inline bool gw_cursor_skip(gw_cursor *c, size_t len)
{
    if (GW_UNLIKELY(gw_cursor_left(c) < len))
        return false;
    //@ assert proven_enough: c->p <= c->end - len;
    c->p += len;
    //@ assert proven_within: c->p <= c->end;
    return true;
}

/* gw_cursor_bytes hands out |len| bytes in place, in wire order. They live as long as the cursor's
 * own bytes. False, and no move, when fewer are left. */
GW_MUST_USE static inline bool gw_cursor_bytes(gw_cursor *c, const uint8_t **out, size_t len)
{
    const uint8_t *p = c->p;
    if (!gw_cursor_skip(c, len))
        return false;
    //@ assert proven_behind: p == c->p - len;
    *out = p;
    return true;
}

/* gw_cursor_sub cuts the next |len| bytes off as |child|, whose offsets go on counting from the
 * parent's base. False, and no move, when fewer are left. */
GW_MUST_USE static inline bool gw_cursor_sub(gw_cursor *c, gw_cursor *child, size_t len)
{
    const uint8_t *p = c->p;
    if (!gw_cursor_skip(c, len))
        return false;
    //@ assert proven_behind: p == c->p - len;
    child->p = p;
    child->end = c->p;
    child->base = c->base;
    return true;
}

/* gw_cursor_bound lets the cursor end after the next |len| bytes, where more are left. */
static inline void gw_cursor_bound(gw_cursor *c, size_t len)
{
    gw_cursor next;

    if (gw_cursor_sub(c, &next, len))
        *c = next;
}

/* gw_load_be16, gw_load_be32, gw_load_be64 and gw_load_le16, gw_load_le32, gw_load_le64 read whole
 * words, most or least significant byte first; compilers turn each into one load and one swap. */
static inline uint16_t gw_load_be16(const uint8_t *p)
{
    return (uint16_t)((uint32_t)p[0] << 8 | p[1]);
}

static inline uint32_t gw_load_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint64_t gw_load_be64(const uint8_t *p)
{
    return (uint64_t)gw_load_be32(p) << 32 | gw_load_be32(p + 4);
}

static inline uint16_t gw_load_le16(const uint8_t *p)
{
    return (uint16_t)((uint32_t)p[1] << 8 | p[0]);
}

static inline uint32_t gw_load_le32(const uint8_t *p)
{
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static inline uint64_t gw_load_le64(const uint8_t *p)
{
    return (uint64_t)gw_load_le32(p + 4) << 32 | gw_load_le32(p);
}

/* gw_load_be reads a big-endian number of |len| bytes, 0 to 8. The powers of two are one load. */
static inline uint64_t gw_load_be(const uint8_t *p, size_t len)
{
    uint64_t v = 0;
    if (!GW_UNLIKELY(len != 4)) /* nearly all words: no jump on their way */
        return gw_load_be32(p);
    switch (len) {
    case 1:
        return p[0];
    case 2:
        return gw_load_be16(p);
    case 8:
        return gw_load_be64(p);
    default:
        /*@ loop invariant proven_inside: i <= len;
          @ loop assigns i, v; */
        for (size_t i = 0; i < len; i++)
            v = v << 8 | p[i];
        return v;
    }
}

/* gw_load_le reads a little-endian number of |len| bytes, 0 to 8. */
static inline uint64_t gw_load_le(const uint8_t *p, size_t len)
{
    uint64_t v = 0;
    switch (len) {
    case 1:
        return p[0];
    case 2:
        return gw_load_le16(p);
    case 4:
        return gw_load_le32(p);
    case 8:
        return gw_load_le64(p);
    default:
        /*@ loop invariant proven_inside: i <= len;
          @ loop assigns i, v; */
        for (size_t i = len; i > 0; i--)
            v = v << 8 | p[i - 1];
        return v;
    }
}

/* gw_cursor_u8 reads one byte into |out|. */
GW_MUST_USE static inline bool gw_cursor_u8(gw_cursor *c, uint8_t *out)
{
    const uint8_t *p;
    if (!gw_cursor_bytes(c, &p, 1))
        return false;
    *out = *p;
    return true;
}

/* gw_cursor_be16 reads two bytes, most significant first. */
GW_MUST_USE static inline bool gw_cursor_be16(gw_cursor *c, uint16_t *out)
{
    const uint8_t *p;
    if (!gw_cursor_bytes(c, &p, 2))
        return false;
    *out = gw_load_be16(p);
    return true;
}

/* gw_cursor_be32 reads four bytes, most significant first. */
GW_MUST_USE static inline bool gw_cursor_be32(gw_cursor *c, uint32_t *out)
{
    const uint8_t *p;
    if (!gw_cursor_bytes(c, &p, 4))
        return false;
    *out = gw_load_be32(p);
    return true;
}

/* gw_cursor_be64 reads eight bytes, most significant first. */
GW_MUST_USE static inline bool gw_cursor_be64(gw_cursor *c, uint64_t *out)
{
    const uint8_t *p;
    if (!gw_cursor_bytes(c, &p, 8))
        return false;
    *out = gw_load_be64(p);
    return true;
}

/* gw_cursor_le16 reads two bytes, least significant first. */
GW_MUST_USE static inline bool gw_cursor_le16(gw_cursor *c, uint16_t *out)
{
    const uint8_t *p;
    if (!gw_cursor_bytes(c, &p, 2))
        return false;
    *out = gw_load_le16(p);
    return true;
}

/* gw_cursor_le32 reads four bytes, least significant first. */
GW_MUST_USE static inline bool gw_cursor_le32(gw_cursor *c, uint32_t *out)
{
    const uint8_t *p;
    if (!gw_cursor_bytes(c, &p, 4))
        return false;
    *out = gw_load_le32(p);
    return true;
}

/* gw_cursor_le64 reads eight bytes, least significant first. */
GW_MUST_USE static inline bool gw_cursor_le64(gw_cursor *c, uint64_t *out)
{
    const uint8_t *p;
    if (!gw_cursor_bytes(c, &p, 8))
        return false;
    *out = gw_load_le64(p);
    return true;
}

/* gw_cursor_be reads a big-endian number of |len| bytes, 0 to 8, into |out|. */
GW_MUST_USE static inline bool gw_cursor_be(gw_cursor *c, uint64_t *out, size_t len)
{
    const uint8_t *p;
    if (!gw_cursor_bytes(c, &p, len))
        return false;
    *out = gw_load_be(p, len);
    return true;
}

GW_END_DECLS

#endif
