/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames of private link types to messages. */
#include "inspect/links.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/ib.h"

/* One port whose frames make a stream. Its state is taken when its first frame comes and kept for
 * the next port in the same place. */
typedef struct port {
    const gw_format *format; /* NULL: the place is free */
    const gw_link *link;
    const gw_dialect *dialect;
    void *state;
    size_t state_size;
    uint64_t used; /* when, in frames */
    uint32_t interface;
} port;

struct gw_links {
    const gw_selection *selection;
    gw_notes *notes;
    gw_meetings *meetings;
    gw_found_fn found;
    void *ctx;
    port *current;
    uint64_t frames;
    port ports[GW_PIPELINE_PORTS];
};

gw_links *gw_links_new(const gw_selection *selection, gw_notes *notes, gw_meetings *meetings,
                       gw_found_fn found, void *ctx)
{
    gw_links *l = calloc(1, sizeof *l);

    if (l == NULL)
        return NULL;
    l->selection = selection;
    l->notes = notes;
    l->meetings = meetings;
    l->found = found;
    l->ctx = ctx;
    return l;
}

static gw_message message_of(const gw_link *link, const gw_frame *frame)
{
    gw_message m = {
        .data = frame->data,
        .cap_len = frame->cap_len,
        .len = frame->len,
        .time_ns = frame->time_ns,
        .frame = frame->number,
        .frames = {frame->number},
        .num_frames = 1,
        .dir = frame->dir,
        .part = link->part,
        .interface = frame->interface,
        .link_type = (uint16_t)frame->link_type,
    };
    return m;
}

static void tell_snapped(gw_links *l, const gw_frame *frame)
{
    if (frame->cap_len < frame->len)
        gw_notes_tell(l->notes, GW_NOTE_SNAPPED, frame->number,
                      "the capture kept %" PRIu32 " of %" PRIu32 " bytes of this frame",
                      frame->cap_len, frame->len);
}

/* A message cut out of a port's stream is of that port, whatever its codec knows. */
static void on_message(void *ctx, const gw_message *message)
{
    gw_links *l = ctx;
    gw_message m = *message;
    gw_found found = {.message = &m, .format = l->current->format, .dialect = l->current->dialect};

    m.interface = l->current->interface;
    m.link_type = l->current->link->link_type;
    l->found(l->ctx, &found);
}

static void end_port(gw_links *l, port *p)
{
    l->current = p;
    p->link->stream->end(p->state, on_message, l);
    p->format = NULL;
}

/* Makes |p| follow another port. False when memory is short. */
static bool open_port(gw_links *l, port *p, const gw_format *format, const gw_link *link,
                      const gw_frame *frame)
{
    static const gw_endpoint nobody;

    if (p->state_size < link->stream->size) {
        void *more = realloc(p->state, link->stream->size);
        if (more == NULL)
            return false;
        p->state = more;
        p->state_size = link->stream->size;
    }
    p->format = format;
    p->link = link;
    p->interface = frame->interface;
    p->dialect = gw_selection_pick(l->selection, format, &nobody, &nobody);
    link->stream->init(p->state, p->dialect);
    return true;
}

static port *find_port(gw_links *l, const gw_format *format, const gw_link *link,
                       const gw_frame *frame)
{
    port *oldest = &l->ports[0];

    for (size_t i = 0; i < GW_PIPELINE_PORTS; i++) {
        port *p = &l->ports[i];
        if (p->format == format && p->link == link && p->interface == frame->interface)
            return p;
        if (p->format == NULL || (oldest->format != NULL && p->used < oldest->used))
            oldest = p;
    }
    if (oldest->format != NULL) {
        gw_notes_tell(l->notes, GW_NOTE_CONNECTION, frame->number,
                      "more than %d ports at a time: interface %" PRIu32 " is no longer followed",
                      GW_PIPELINE_PORTS, oldest->interface);
        end_port(l, oldest);
    }
    return open_port(l, oldest, format, link, frame) ? oldest : NULL;
}

static void add_to_stream(gw_links *l, const gw_format *format, const gw_link *link,
                          const gw_frame *frame)
{
    port *p = find_port(l, format, link, frame);
    gw_message m = message_of(link, frame);

    if (p == NULL) {
        gw_notes_tell(l->notes, GW_NOTE_CONNECTION, frame->number, "out of memory for this port");
        return;
    }
    p->used = ++l->frames;
    l->current = p;
    if (link->unwrap != NULL && !link->unwrap(&m, p->dialect)) {
        on_message(l, &m);
        return;
    }
    unsigned dir = m.dir == GW_DIR_OUT ? 1 : 0;
    link->stream->push(p->state, dir, &m, on_message, l);
    if (m.cap_len < m.len)
        link->stream->gap(p->state, dir, on_message, l);
}

static bool open_infiniband(gw_links *l, gw_ib *ib, gw_message *m)
{
    uint32_t offset;
    const char *fault = gw_ib_open_native(ib, m, &offset);

    if (fault == NULL)
        return true;
    gw_notes_tell(l->notes, GW_NOTE_UNREADABLE, m->frame, "byte %" PRIu32 " of the frame: %s",
                  offset, fault);
    return false;
}

/* Whether the headers of InfiniBand fit |frame|, which says nothing of its payload. */
static bool fits_infiniband(const gw_message *frame)
{
    gw_message m = *frame;
    uint32_t offset;
    gw_ib ib;

    return gw_ib_open_native(&ib, &m, &offset) == NULL;
}

static void tell_stranger(gw_links *l, const gw_format *format, const gw_message *m)
{
    l->meetings->counts->strangers++;
    gw_notes_tell(l->notes, GW_NOTE_STRANGER, m->frame,
                  "link type %u is private, anybody may use it for anything, and nothing so far on "
                  "this interface is %s%s: left alone; --proto %s takes it",
                  m->link_type, format->title,
                  fits_infiniband(m) ? "; InfiniBand's headers would fit (--proto ims)" : "",
                  format->name);
}

bool gw_links_add(gw_links *l, const gw_format *format, const gw_link *link, const gw_frame *frame,
                  const gw_announcement *said)
{
    gw_ib ib;

    tell_snapped(l, frame);
    if (link->stream != NULL) {
        add_to_stream(l, format, link, frame);
        return true;
    }
    gw_message m = message_of(link, frame);
    if (format->infiniband && !open_infiniband(l, &ib, &m))
        return false;
    if (format->infiniband)
        gw_meetings_mark(l->meetings, format, &m, &ib);
    else if (said == NULL && !gw_meetings_ours(l->meetings, format, &m)) {
        tell_stranger(l, format, &m);
        return true;
    }
    gw_found found = {.message = &m,
                      .format = format,
                      .dialect =
                          gw_selection_pick_said(l->selection, format, said, &m.src, &m.dst)};
    l->found(l->ctx, &found);
    return true;
}

void gw_links_end(gw_links *l)
{
    for (size_t i = 0; i < GW_PIPELINE_PORTS; i++) {
        if (l->ports[i].format != NULL)
            end_port(l, &l->ports[i]);
    }
}

void gw_links_free(gw_links *l)
{
    if (l == NULL)
        return;
    for (size_t i = 0; i < GW_PIPELINE_PORTS; i++)
        free(l->ports[i].state);
    free(l);
}
