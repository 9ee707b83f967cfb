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

static void mark(const gw_ims_buf *b, gw_ims_buf_channel *c, uint64_t va, bool came)
{
    size_t unit = (size_t)(place_of(b, va) / UNIT);
    uint64_t bit = UINT64_C(1) << unit % 64;

    if (came)
        c->came[unit / 64] |= bit;
    else
        c->came[unit / 64] &= ~bit;
}

static bool has_come(const gw_ims_buf *b, const gw_ims_buf_channel *c, uint64_t va)
{
    size_t unit = (size_t)(place_of(b, va) / UNIT);
    return (c->came[unit / 64] >> unit % 64 & 1) != 0;
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
    for (; va < end && va < limit; va += UNIT) {
        if (va >= c->delivered)
            mark(b, c, va, true);
    }
    while (c->delivered < limit && has_come(b, c, c->delivered)) {
        mark(b, c, c->delivered, false);
        c->delivered += UNIT;
    }
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
    for (uint64_t unit = c->delivered; unit < va && unit - c->delivered < b->setup.ring;
         unit += UNIT)
        mark(b, c, unit, false);
    c->delivered = va;
    c->image = va;
}
