/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests and fuzzers: what must hold of every walk, whatever the format and the bytes.
 *
 *  - leaves cover every bit of the message exactly once;
 *  - the leaves, emitted into an empty buffer, give the message back;
 *  - an error lies inside the message and names a field;
 *  - containers open and close in pairs. */
#ifndef CORE_TESTING_COVER_H
#define CORE_TESTING_COVER_H

#include <string.h>

#include "goldwire/format.h"

/* A fuzzer should look for new paths in the codec, not in what watches it. */
#if defined(__clang__)
#define GW_WATCHER __attribute__((no_sanitize("coverage")))
#else
#define GW_WATCHER
#endif

typedef struct gw_cover {
    gw_sink sink;
    uint8_t *seen; /* bits covered so far */
    uint8_t *copy; /* what the leaves gave back */
    uint32_t len;
    int depth;
    const char *fault; /* NULL while all is well */
} gw_cover;

/* A leaf covers the bits of |mask| in byte |at|. */
GW_WATCHER static inline void gw_cover_byte(gw_cover *c, size_t at, uint8_t mask)
{
    if ((c->seen[at] & mask) != 0)
        c->fault = "two leaves share a bit";
    c->seen[at] |= mask;
}

GW_WATCHER static void gw_cover_item(gw_sink *sink, const gw_item *item)
{
    gw_cover *c = (gw_cover *)sink;
    const gw_field *f = item->field;
    size_t first;
    size_t bytes = f->bits != 0 ? gw_field_span(f, &first) : item->bits / 8;
    uint8_t mask[32];

    if (f->derived) {
        if (item->offset > c->len)
            c->fault = "an item was derived from outside the message";
        return;
    }
    if (item->offset > c->len || c->len - item->offset < bytes) {
        c->fault = "an item lies outside the message";
        return;
    }
    if (f->view)
        return;
    if (f->bits == 0 || f->bits == 8 * bytes) {
        for (size_t i = 0; i < bytes; i++)
            gw_cover_byte(c, item->offset + i, 0xff);
    } else {
        if (gw_item_mask(item, mask, sizeof mask) != bytes)
            c->fault = "the mask is not as long as the item";
        for (size_t i = 0; i < bytes; i++)
            gw_cover_byte(c, item->offset + i, mask[i]);
    }
    if (!gw_emit(c->copy, c->len, item))
        c->fault = "a leaf could not be emitted";
}

GW_WATCHER static void gw_cover_open(gw_sink *sink, const gw_group *group, uint32_t index,
                                     uint32_t offset)
{
    gw_cover *c = (gw_cover *)sink;
    (void)index;
    c->depth++;
    if (group->shape != GW_CONTAINER || offset > c->len)
        c->fault = "a container opens outside the message";
}

GW_WATCHER static void gw_cover_close(gw_sink *sink, const gw_group *group, uint32_t end)
{
    gw_cover *c = (gw_cover *)sink;
    (void)group;
    if (--c->depth < 0 || end > c->len)
        c->fault = "a container closes that is not open, or outside the message";
}

/* gw_cover_walk walks |message|, at most 64 KiB of it, and returns NULL, or what does not hold.
 * |error| gets the walk's. */
GW_WATCHER static inline const char *gw_cover_walk(const gw_format *format,
                                                   const gw_message *message,
                                                   const gw_dialect *dialect, gw_error *error)
{
    static uint8_t seen[1 << 16], copy[1 << 16];
    uint32_t len = message->cap_len;
    gw_cover c = {.sink = {gw_cover_item, gw_cover_open, gw_cover_close},
                  .seen = seen,
                  .copy = copy,
                  .len = len};

    if (len > sizeof seen)
        return "longer than this check can hold";
    memset(seen, 0, len);
    memset(copy, 0, len);
    *error = format->walk(message, dialect, &c.sink);
    for (uint32_t i = 0; c.fault == NULL && i < len; i++) {
        if (seen[i] != 0xff)
            c.fault = "a bit belongs to no leaf";
    }
    if (c.fault == NULL && len > 0 && memcmp(copy, message->data, len) != 0)
        c.fault = "the leaves do not give the message back";
    if (c.fault == NULL && c.depth != 0)
        c.fault = "a container stays open";
    if (c.fault == NULL && error->kind != GW_OK && (error->offset > len || error->field == NULL))
        c.fault = "the error lies outside the message or names no field";
    if (c.fault == NULL && error->kind == GW_BUG)
        c.fault = "the codec reports a bug of its own";
    return c.fault;
}

#endif
