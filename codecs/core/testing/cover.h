/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests and fuzzers: what must hold of every walk, whatever the format and the bytes.
 *
 *  - leaves cover every bit of the message exactly once, in order;
 *  - the leaves, emitted into an empty buffer, give the message back;
 *  - an error lies inside the message and names a field;
 *  - containers open and close in pairs. */
#ifndef CORE_TESTING_COVER_H
#define CORE_TESTING_COVER_H

#include <stdlib.h>
#include <string.h>

#include "goldwire/format.h"

typedef struct gw_cover {
    gw_sink sink;
    const uint8_t *data;
    uint8_t *seen; /* bits covered so far */
    uint8_t *copy; /* what the leaves gave back */
    uint32_t len;
    uint32_t leaves;
    int depth;
    const char *fault; /* NULL while all is well */
} gw_cover;

static void gw_cover_item(gw_sink *sink, const gw_item *item)
{
    gw_cover *c = (gw_cover *)sink;
    size_t bytes = item->field->bits != 0 ? item->field->num_bytes : item->bits / 8;

    if (item->offset > c->len || c->len - item->offset < bytes) {
        c->fault = "an item lies outside the message";
        return;
    }
    uint8_t small[16];
    uint8_t *mask = bytes <= sizeof small ? small : malloc(bytes);
    if (gw_item_mask(item, mask, bytes) != bytes)
        c->fault = "the mask is not as long as the item";
    if (!item->field->view) {
        c->leaves++;
        for (size_t i = 0; i < bytes; i++) {
            if (c->seen[item->offset + i] & mask[i])
                c->fault = "two leaves share a bit";
            c->seen[item->offset + i] |= mask[i];
        }
        if (!gw_emit(c->copy, c->len, item))
            c->fault = "a leaf could not be emitted";
    }
    if (mask != small)
        free(mask);
}

static void gw_cover_open(gw_sink *sink, const gw_group *group, uint32_t index, uint32_t offset)
{
    gw_cover *c = (gw_cover *)sink;
    (void)index;
    c->depth++;
    if (group->shape != GW_CONTAINER || offset > c->len)
        c->fault = "a container opens outside the message";
}

static void gw_cover_close(gw_sink *sink, const gw_group *group, uint32_t end)
{
    gw_cover *c = (gw_cover *)sink;
    (void)group;
    if (--c->depth < 0 || end > c->len)
        c->fault = "a container closes that is not open, or outside the message";
}

/* gw_cover_walk walks |message| and returns NULL, or what does not hold. |error| gets the walk's.
 */
static const char *gw_cover_walk(const gw_format *format, const gw_message *message,
                                 const gw_dialect *dialect, gw_error *error)
{
    uint32_t len = message->cap_len;
    gw_cover c = {.sink = {gw_cover_item, gw_cover_open, gw_cover_close},
                  .data = message->data,
                  .len = len,
                  .seen = calloc(1, len + 1),
                  .copy = calloc(1, len + 1)};

    *error = format->walk(message, dialect, &c.sink);
    for (uint32_t i = 0; c.fault == NULL && i < len; i++) {
        if (c.seen[i] != 0xff)
            c.fault = "a bit belongs to no leaf";
    }
    if (c.fault == NULL && len > 0 && memcmp(c.copy, message->data, len) != 0)
        c.fault = "the leaves do not give the message back";
    if (c.fault == NULL && c.depth != 0)
        c.fault = "a container stays open";
    if (c.fault == NULL && error->kind != GW_OK && (error->offset > len || error->field == NULL))
        c.fault = "the error lies outside the message or names no field";
    if (c.fault == NULL && error->kind == GW_BUG)
        c.fault = "the codec reports a bug of its own";
    free(c.seen);
    free(c.copy);
    return c.fault;
}

#endif
