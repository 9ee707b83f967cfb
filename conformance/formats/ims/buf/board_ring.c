/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring behind a data channel of the software IMS buffer: window, memory, and what of it was
 * delivered without a hole. An address lies at (VA - first VA) modulo the ring's size. */
#include <string.h>

#include "formats/ims/buf/board.h"
#include "harness/checksum.h"

#define UNIT GW_IMS_ALIGN

static uint64_t place_of(const gw_ims_buf *b, uint64_t va)
{
    return (va - b->setup.va) % b->setup.ring;
}

/* How many of |len| bytes at |va| lie in one piece. */
static size_t piece_of(const gw_ims_buf *b, uint64_t va, uint64_t len)
{
    uint64_t room = b->setup.ring - place_of(b, va);
    return (size_t)(len < room ? len : room);
}

void gw_ims_buf_open(gw_ims_buf *b, gw_ims_buf_channel *c)
{
    size_t units = (size_t)(b->setup.ring / UNIT);

    c->open = true;
    c->generation++;
    c->rkey = UINT32_C(0xca000000) | (uint32_t)c->generation << 8 | c->qpn;
    c->next_psn = 0;
    c->inject = 0;
    c->expose = b->setup.expose;
    c->read = b->setup.va;
    c->delivered = b->setup.va;
    c->image = b->setup.va;
    c->crc = 0;
    c->acks = c->nacks = c->images = c->bad_images = 0;
    memset(c->came, 0, (units / 64 + 1) * sizeof(*c->came));
}

/* ---- window ---- */

bool gw_ims_buf_window(const gw_ims_buf *b, const gw_ims_buf_channel *c, uint64_t va,
                       uint32_t length)
{
    switch (gw_ims_zone_of(va, length, c->read, b->setup.ring, b->setup.frame)) {
    case GW_IMS_INSIDE:
        return true;
    case GW_IMS_GREY: /* the start is compared, not the end */
        return va - c->read < b->setup.ring - b->setup.frame;
    case GW_IMS_BELOW:
        return !gw_ims_dialect_of(b->dialect)->nack_below;
    default:
        return false;
    }
}

/* ---- memory ---- */

void gw_ims_buf_store(gw_ims_buf *b, gw_ims_buf_channel *c, uint64_t va, const uint8_t *data,
                      size_t len)
{
    len = gw_ims_buf_hook_place(b, c, &va, len);
    while (len > 0) {
        size_t piece = piece_of(b, va, len);
        if (va < c->read) {
            /* Only a frame that came before begins there; its place may hold newer data. */
            piece = c->read - va < piece ? (size_t)(c->read - va) : piece;
        } else {
            memcpy(c->ring + place_of(b, va), data, piece);
        }
        va += piece;
        data += piece;
        len -= piece;
    }
}

/* ---- what has come ---- */

/* A run of units of the ring, which may go on at its beginning. */
typedef struct run {
    size_t first, num, all; /* |all| are the ring's */
} run;

/* The run from |va| up to |end|, a unit that is begun included; no more than there are. */
static run run_of(const gw_ims_buf *b, uint64_t va, uint64_t end)
{
    size_t all = (size_t)(b->setup.ring / UNIT);
    uint64_t num = va < end ? (end - va - 1) / UNIT + 1 : 0;
    return (run){(size_t)(place_of(b, va) / UNIT), num < all ? (size_t)num : all, all};
}

/* How many units of |r| lie in the same word as its first, and behind each other. */
static size_t in_word(const run *r)
{
    size_t num = 64 - r->first % 64;
    num = r->all - r->first < num ? r->all - r->first : num;
    return r->num < num ? r->num : num;
}

/* The lowest |num| bits of a word. */
static uint64_t lowest(size_t num)
{
    return num < 64 ? (UINT64_C(1) << num) - 1 : UINT64_MAX;
}

static void go_on(run *r, size_t num)
{
    r->num -= num;
    r->first += num;
    if (r->first == r->all)
        r->first = 0;
}

static void mark(gw_ims_buf_channel *c, run r, bool came)
{
    while (r.num > 0) {
        size_t num = in_word(&r);
        uint64_t bits = lowest(num) << r.first % 64;
        if (came)
            c->came[r.first / 64] |= bits;
        else
            c->came[r.first / 64] &= ~bits;
        go_on(&r, num);
    }
}

/* How many units of |r| have come before the first that has not. */
static size_t have_come(const gw_ims_buf_channel *c, run r)
{
    size_t wanted = r.num;
    while (r.num > 0) {
        size_t num = in_word(&r), here = 0;
        uint64_t bits = c->came[r.first / 64] >> r.first % 64;
        if ((~bits & lowest(num)) == 0)
            here = num;
        else
            for (; (bits & 1) != 0; bits >>= 1)
                here++;
        go_on(&r, here);
        if (here < num)
            break;
    }
    return wanted - r.num;
}

static void copy_out(const gw_ims_buf *b, const gw_ims_buf_channel *c, uint64_t va, uint8_t *out,
                     size_t len)
{
    while (len > 0) {
        size_t piece = piece_of(b, va, len);
        memcpy(out, c->ring + place_of(b, va), piece);
        va += piece;
        out += piece;
        len -= piece;
    }
}

/* Judges all images that are whole. */
static void judge_images(gw_ims_buf *b, gw_ims_buf_channel *c)
{
    size_t size = b->setup.image_bits == 4 ? GW_IMS_IMAGE_4BIT : GW_IMS_IMAGE_6BIT;

    while (b->setup.image_bits != 0 && c->delivered - c->image >= size) {
        copy_out(b, c, c->image, b->image, size);
        bool good = gw_ims_image_good(&gw_fast_env, &gw_ims_image_default, b->image, size) &&
                    gw_ims_image_va(b->image, false) == c->image;
        c->images += good;
        c->bad_images += !good;
        c->image += size;
    }
}

static void add_to_crc(gw_ims_buf *b, gw_ims_buf_channel *c, uint64_t va, uint64_t end)
{
    while (va < end) {
        size_t piece = piece_of(b, va, end - va);
        c->crc = gw_crc32c(&gw_fast_env, c->crc, c->ring + place_of(b, va), piece);
        va += piece;
    }
}

void gw_ims_buf_deliver(gw_ims_buf *b, gw_ims_buf_channel *c, uint64_t va, uint32_t length)
{
    uint64_t before = c->delivered;
    uint64_t end = va + length;
    uint64_t limit = c->read + b->setup.ring;

    /* What lies beyond the ring's end is in nobody's way, but it is not kept either. */
    end = end < limit ? end : limit;
    if (va < before)
        va += (before - va + UNIT - 1) / UNIT * UNIT;
    mark(c, run_of(b, va, end), true);
    run whole = run_of(b, before, limit);
    whole.num = have_come(c, whole);
    mark(c, whole, false);
    c->delivered += whole.num * UNIT;
    add_to_crc(b, c, before, c->delivered);
    judge_images(b, c);
    if (c->expose)
        c->read = c->delivered;
}

void gw_ims_buf_set_read(gw_ims_buf *b, gw_ims_buf_channel *c, uint64_t va)
{
    c->read = va;
    if (c->delivered >= va)
        return;
    /* What was read without having come is given up. */
    mark(c, run_of(b, c->delivered, va), false);
    c->delivered = va;
    c->image = va;
}
