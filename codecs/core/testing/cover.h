/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests and fuzzers: what must hold of every walk, whatever the format and the bytes.
 *
 *  - leaves cover every bit of the message exactly once;
 *  - the leaves, emitted into an empty buffer, give the message back;
 *  - an error lies inside the message and names a field;
 *  - containers open and close in pairs;
 *  - a walk for statistics reports what the whole one does of tallied fields, and stops as it. */
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
    uint64_t tallies;  /* of the tallied items, a sum in their order */
    const char *fault; /* NULL while all is well */
} gw_watch;

GW_WATCHER static void gw_watch_tally(gw_sink *sink, const gw_item *item)
{
    gw_watch *w = (gw_watch *)sink;
    const gw_field *f = item->field;
    const uint64_t parts[] = {(uintptr_t)f, item->value, item->offset, item->index};
    if (f->tallies == GW_TALLIES_NOTHING || (f->type == GW_BOOL && item->value == 0))
        return;
    for (size_t i = 0; i < GW_ARRAY_LEN(parts); i++)
        w->tallies = (w->tallies ^ parts[i]) * 0x100000001b3 + 1;
}

GW_WATCHER static void gw_watch_item(gw_sink *sink, const gw_item *item)
{
    gw_watch *w = (gw_watch *)sink;
    gw_watch_tally(sink, item);
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

/* Groups without a tallied field are left out. */
GW_WATCHER static bool gw_watch_flat(gw_sink *sink, const gw_group *group, const uint8_t *bytes)
{
    unsigned tallies = 0;

    for (unsigned i = 0; i < group->num_fields; i++)
        tallies |= group->fields[i].tallies;
    if (bytes == NULL)
        ((gw_watch *)sink)->fault = "a group has no bytes";
    return tallies != 0;
}

/* Whether a walk of |message| for statistics alone ends with |error| and sums up to |tallies|. */
GW_WATCHER static inline bool gw_cover_tallied(const gw_format *format, const gw_message *message,
                                               const gw_dialect *dialect, const gw_error *error,
                                               uint64_t tallies)
{
    gw_watch w = {.sink = {.item = gw_watch_tally, .tallied = true, .flat = gw_watch_flat}};
    gw_error e = format->walk(message, dialect, &w.sink);

    return w.fault == NULL && w.tallies == tallies && e.kind == error->kind &&
           e.offset == error->offset && e.field == error->field &&
           e.capture_cut == error->capture_cut;
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
    gw_watch w = {.sink = {.item = gw_watch_item, .open = gw_watch_open, .close = gw_watch_close},
                  .cover = &cover,
                  .copy = copy};

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
    if (w.fault == NULL && !gw_cover_tallied(format, message, dialect, error, w.tallies))
        w.fault = "a walk for statistics tells something else";
    return w.fault;
}

#endif
