/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP connections to messages. */
#include "inspect/streams.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/sender.h"

/* What is known of one direction of a connection. */
typedef struct way {
    uint32_t lost;  /* bytes missing before its next message */
    uint8_t dir;    /* gw_direction */
    uint8_t side;   /* gw_side */
    uint8_t sender; /* gw_sender */
    bool seen;      /* bytes or a gap of it came */
    bool headless;  /* its start was not captured */
} way;

typedef struct connection {
    const gw_format *format; /* NULL: the slot is free */
    const gw_dialect *dialect;
    void *state; /* of the format's stream operations */
    gw_endpoint opener;
    bool ours; /* known by what was said, not by its port alone */
    bool told; /* that it is not */
    way ways[2];
} connection;

struct gw_streams {
    const gw_selection *selection;
    gw_notes *notes;
    gw_found_fn found;
    void *ctx;
    gw_tcp *tcp;
    void *tcp_mem;
    uint8_t *states; /* GW_PIPELINE_CONNECTIONS times state_size */
    connection *current;
    const gw_frame *frame;       /* being added; NULL at the end of the capture */
    const gw_announcement *said; /* of that frame's connection, or NULL */
    gw_meetings *meetings;
    connection connections[GW_PIPELINE_CONNECTIONS];
};

static void tell_stranger(gw_streams *s, connection *c, const gw_message *m)
{
    s->meetings->counts->strangers++;
    if (!c->told)
        gw_notes_tell(s->notes, GW_NOTE_STRANGER, m->frame,
                      "TCP stream %" PRIu32 " uses a port of %s, and does not begin like it: left "
                      "alone; --proto %s takes it",
                      m->stream, c->format->title, c->format->name);
    c->told = true;
}

static void on_message(void *ctx, const gw_message *message)
{
    gw_streams *s = ctx;
    connection *c = s->current;
    unsigned dir = gw_endpoint_equal(&message->src, &c->opener) ? 0 : 1;
    way *w = &c->ways[dir];
    gw_found found = {
        .message = message,
        .format = c->format,
        .dialect = c->dialect,
        .lost_before = w->lost,
        .tcp_dir = (uint8_t)dir,
        .sender = w->sender,
        .start_missing = w->headless,
    };

    w->lost = 0;
    c->ours = c->ours || gw_meetings_ours(s->meetings, c->format, message);
    if (c->ours)
        s->found(s->ctx, &found);
    else
        tell_stranger(s, c, message);
}

/* The segment of an event comes from the opener in direction 0. */
static void open_connection(gw_streams *s, connection *c, const gw_tcp_event *event)
{
    const gw_message *segment = &event->segment;
    void *state = c->state;

    memset(c, 0, sizeof *c);
    c->state = state;
    c->ours = s->said != NULL;
    c->format = c->ours ? s->said->format
                        : gw_selection_tcp(s->selection, segment->src.port, segment->dst.port);
    if (c->format == NULL || c->format->stream == NULL) {
        c->format = NULL;
        return;
    }
    c->dialect =
        gw_selection_pick_said(s->selection, c->format, s->said, &segment->src, &segment->dst);
    c->opener = event->dir == 0 ? segment->src : segment->dst;
    c->format->stream->init(c->state, c->dialect);
}

static void on_gap(gw_streams *s, connection *c, const gw_tcp_event *event)
{
    gw_notes_tell(s->notes, GW_NOTE_GAP, event->segment.frame,
                  "%" PRIu32 " bytes of TCP stream %" PRIu32 " are missing before frame %" PRIu64
                  "; what follows may not be placed",
                  event->gap_len, event->stream, event->segment.frame);
    c->format->stream->gap(c->state, event->dir, on_message, s);
    way *w = &c->ways[event->dir];
    w->lost = event->gap_len < UINT32_MAX - w->lost ? w->lost + event->gap_len : UINT32_MAX;
}

/* The capture says who calls, or the connection's first segment does. */
static gw_side side_of(const gw_streams *s, const way *w, const gw_tcp_event *event)
{
    gw_side side = gw_announcement_side(s->said, w->dir);

    if (side != GW_SIDE_UNKNOWN || event->mid_stream)
        return side;
    return event->dir == 0 ? GW_SIDE_CALLER : GW_SIDE_CALLED;
}

static void on_data(gw_streams *s, connection *c, const gw_tcp_event *event)
{
    way *w = &c->ways[event->dir];
    gw_message segment = event->segment;

    if (!w->seen && event->mid_stream) {
        gw_notes_tell(s->notes, GW_NOTE_CONNECTION, segment.frame,
                      "TCP stream %" PRIu32 " began before the capture did", event->stream);
        w->headless = true;
    }
    w->seen = true;
    if (s->frame != NULL && s->frame->number == segment.frame)
        w->dir = s->frame->dir;
    w->side = (uint8_t)side_of(s, w, event);
    w->sender = (uint8_t)gw_sender_of(s->said, w->dir);
    segment.dir = w->dir;
    segment.side = w->side;
    c->format->stream->push(c->state, event->dir, &segment, on_message, s);
}

static void on_event(void *ctx, const gw_tcp_event *event)
{
    gw_streams *s = ctx;
    connection *c = &s->connections[event->slot];

    if (c->format == NULL)
        open_connection(s, c, event);
    if (c->format == NULL)
        return;
    s->current = c;
    switch (event->kind) {
    case GW_TCP_DATA:
        on_data(s, c, event);
        return;
    case GW_TCP_GAP:
        on_gap(s, c, event);
        return;
    case GW_TCP_OVERLAP:
        gw_notes_tell(s->notes, GW_NOTE_OVERLAP, event->segment.frame,
                      "a retransmission in TCP stream %" PRIu32 " differs in %" PRIu32
                      " bytes; the first copy is used",
                      event->stream, event->gap_len);
        return;
    default:
        if (event->evicted)
            gw_notes_tell(s->notes, GW_NOTE_CONNECTION, event->segment.frame,
                          "more than %d TCP connections at a time: stream %" PRIu32
                          " is no longer followed",
                          GW_PIPELINE_CONNECTIONS, event->stream);
        c->format->stream->end(c->state, on_message, s);
        c->format = NULL;
        return;
    }
}

/* Room for any format's stream state, aligned for uint64_t. */
static size_t state_size(void)
{
    size_t size = sizeof(uint64_t);

    for (size_t i = 0; i < gw_num_formats; i++) {
        const gw_stream_ops *stream = gw_formats[i]->stream;
        if (stream != NULL && stream->size > size)
            size = stream->size;
    }
    return (size + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
}

gw_streams *gw_streams_new(const gw_selection *selection, gw_notes *notes, gw_meetings *meetings,
                           gw_found_fn found, void *ctx)
{
    gw_streams *s = calloc(1, sizeof *s);
    size_t size = state_size();

    if (s == NULL)
        return NULL;
    s->selection = selection;
    s->notes = notes;
    s->meetings = meetings;
    s->found = found;
    s->ctx = ctx;
    s->tcp_mem = malloc(gw_tcp_size(GW_PIPELINE_CONNECTIONS, GW_PIPELINE_WINDOW));
    s->states = malloc(GW_PIPELINE_CONNECTIONS * size);
    if (s->tcp_mem == NULL || s->states == NULL) {
        gw_streams_free(s);
        return NULL;
    }
    s->tcp = gw_tcp_init(s->tcp_mem, GW_PIPELINE_CONNECTIONS, GW_PIPELINE_WINDOW, on_event, s);
    for (size_t i = 0; i < GW_PIPELINE_CONNECTIONS; i++)
        s->connections[i].state = s->states + i * size;
    return s;
}

void gw_streams_add(gw_streams *s, const gw_net *net, const gw_frame *frame,
                    const gw_announcement *said)
{
    s->frame = frame;
    s->said = said;
    gw_tcp_add(s->tcp, net, frame->number, frame->time_ns);
}

void gw_streams_end(gw_streams *s)
{
    s->frame = NULL;
    s->said = NULL;
    gw_tcp_end(s->tcp);
}

void gw_streams_free(gw_streams *s)
{
    if (s == NULL)
        return;
    free(s->states);
    free(s->tcp_mem);
    free(s);
}
