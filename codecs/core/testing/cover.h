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

#include "goldwire/cover.h"
#include "goldwire/format.h"

typedef struct gw_watch {
    gw_sink sink;
    gw_cover *cover;
    uint8_t *copy; /* what the leaves gave back */
    int depth;
    const char *fault; /* NULL while all is well */
} gw_watch;

GW_WATCHER static void gw_watch_item(gw_sink *sink, const gw_item *item)
{
    gw_watch *w = (gw_watch *)sink;
    if (item->field->derived) {
        if (item->offset > w->cover->len)
            w->fault = "an item was derived from outside the message";
        return;
    }
    if (!gw_cover_add(w->cover, item))
        w->fault = w->cover->twice ? "two leaves share a bit" : "an item lies outside the message";
    else if (!item->field->view && !gw_emit(w->copy, w->cover->len, item))
        w->fault = "a leaf could not be emitted";
}

GW_WATCHER static void gw_watch_open(gw_sink *sink, const gw_group *group, uint32_t index,
                                     uint32_t offset)
{
    gw_watch *w = (gw_watch *)sink;
    (void)index;
    w->depth++;
    if (group->shape != GW_CONTAINER || offset > w->cover->len)
        w->fault = "a container opens outside the message";
}

GW_WATCHER static void gw_watch_close(gw_sink *sink, const gw_group *group, uint32_t end)
{
    gw_watch *w = (gw_watch *)sink;
    (void)group;
    if (--w->depth < 0 || end > w->cover->len)
        w->fault = "a container closes that is not open, or outside the message";
}

/* gw_cover_walk walks |message|, at most 64 KiB of it, and returns NULL, or what does not hold.
 * |error| gets the walk's. */
GW_WATCHER static inline const char *gw_cover_walk(const gw_format *format,
                                                   const gw_message *message,
                                                   const gw_dialect *dialect, gw_error *error)
{
    static gw_cover cover;
    static uint8_t copy[GW_COVER_BYTES];
    uint32_t len = message->cap_len;
    gw_watch w = {
        .sink = {gw_watch_item, gw_watch_open, gw_watch_close}, .cover = &cover, .copy = copy};

    if (!gw_cover_init(&cover, len))
        return "longer than this check can hold";
    memset(copy, 0, len);
    *error = format->walk(message, dialect, &w.sink);
    if (w.fault == NULL && gw_cover_hole(&cover) != len)
        w.fault = "a bit belongs to no leaf";
    if (w.fault == NULL && len > 0 && memcmp(copy, message->data, len) != 0)
        w.fault = "the leaves do not give the message back";
    if (w.fault == NULL && w.depth != 0)
        w.fault = "a container stays open";
    if (w.fault == NULL && error->kind != GW_OK && (error->offset > len || error->field == NULL))
        w.fault = "the error lies outside the message or names no field";
    if (w.fault == NULL && error->kind == GW_BUG)
        w.fault = "the codec reports a bug of its own";
    return w.fault;
}

#endif
