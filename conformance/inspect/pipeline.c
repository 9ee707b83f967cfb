/* SPDX-License-Identifier: BSD-2-Clause */
/* From captured frames to messages. The path of a plain UDP datagram is short on purpose: it
 * allocates nothing, formats nothing, and touches only what changed since the last one. */
#include "inspect/pipeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/ib.h"
#include "goldwire/net.h"
#include "inspect/links.h"
#include "inspect/meetings.h"
#include "inspect/notes.h"
#include "inspect/sender.h"
#include "inspect/streams.h"

struct gw_pipeline {
    const gw_selection *selection;
    gw_found_fn found;
    gw_arp_fn arp; /* may be NULL */
    void *ctx;
    gw_pipeline_counts counts;
    gw_notes notes;
    gw_meetings meetings;
    gw_streams *streams;
    gw_links *links;
    gw_defrag *defrag;
    void *defrag_mem;
    gw_net net;
    gw_message datagram; /* what no datagram changes is set once */
};

/* Messages of streams and links pass through here only to be counted. */
static void count_message(void *ctx, const gw_found *found)
{
    gw_pipeline *p = ctx;

    p->counts.messages++;
    p->found(p->ctx, found);
}

static void lost_datagram(void *ctx, uint64_t frame, const gw_net *net, const char *why)
{
    gw_pipeline *p = ctx;
    char ends[128];
    gw_text text = gw_text_over(ends, sizeof ends);

    gw_text_endpoint(&text, &net->src);
    gw_text_str(&text, " -> ");
    gw_text_endpoint(&text, &net->dst);
    gw_notes_tell(&p->notes, GW_NOTE_FRAGMENTS, frame,
                  "IP fragments %s (identification 0x%" PRIx32 ") are given up: %s", ends,
                  net->fragment_id, why);
}

gw_pipeline *gw_pipeline_new(const gw_selection *selection, gw_found_fn found, gw_note_fn note,
                             void *ctx)
{
    gw_pipeline *p = calloc(1, sizeof *p);

    if (p == NULL)
        return NULL;
    p->selection = selection;
    p->found = found;
    p->ctx = ctx;
    p->notes.fn = note;
    p->notes.ctx = ctx;
    p->datagram.transport = GW_OVER_UDP;
    p->meetings.selection = selection;
    p->meetings.counts = &p->counts;
    p->streams = gw_streams_new(selection, &p->notes, &p->meetings, count_message, p);
    p->links = gw_links_new(selection, &p->notes, &p->meetings, count_message, p);
    p->defrag_mem = malloc(gw_defrag_size(GW_PIPELINE_DATAGRAMS));
    if (p->streams == NULL || p->links == NULL || p->defrag_mem == NULL) {
        gw_pipeline_free(p);
        return NULL;
    }
    p->defrag = gw_defrag_init(p->defrag_mem, GW_PIPELINE_DATAGRAMS, lost_datagram, p);
    return p;
}

void gw_pipeline_arp(gw_pipeline *p, gw_arp_fn arp)
{
    p->arp = arp;
}

static const gw_format *claimed_by(const gw_message *message)
{
    for (size_t i = 0; i < gw_num_formats; i++) {
        if (gw_formats[i]->claims != NULL && gw_formats[i]->claims(message))
            return gw_formats[i];
    }
    return NULL;
}

static void unreadable(gw_pipeline *p, uint64_t frame, uint32_t offset, const char *fault)
{
    p->counts.unreadable++;
    gw_notes_tell(&p->notes, GW_NOTE_UNREADABLE, frame, "byte %" PRIu32 " of the frame: %s", offset,
                  fault != NULL ? fault : "cannot be read");
}

/* What the capture says of the datagram or connection in p->net, or NULL. */
static const gw_announcement *said_of(const gw_pipeline *p, const gw_frame *frame)
{
    const gw_announcement *a = frame->announced;

    return a != NULL && gw_announcement_covers(a, p->net.src.port, p->net.dst.port) ? a : NULL;
}

static void tell_stranger(gw_pipeline *p, const gw_format *format)
{
    char ends[128];
    gw_text text = gw_text_over(ends, sizeof ends);

    p->counts.strangers++;
    gw_text_endpoint(&text, &p->net.src);
    gw_text_str(&text, " -> ");
    gw_text_endpoint(&text, &p->net.dst);
    gw_notes_tell(&p->notes, GW_NOTE_STRANGER, p->datagram.frame,
                  "UDP %s uses a port of %s, and nothing so far between the two is %s: left alone; "
                  "--proto %s takes it",
                  ends, format->title, format->title, format->name);
}

/* Finds whose p->datagram is; NULL when it is nobody's. Ports speak first, then content, then what
 * the two ends said before; but a port alone is not enough. */
static const gw_format *owner_of(gw_pipeline *p)
{
    const gw_message *m = &p->datagram;
    const gw_format *format = gw_selection_udp(p->selection, m->src.port, m->dst.port);

    if (format != NULL && (format->infiniband || gw_meetings_ours(&p->meetings, format, m)))
        return format;
    const gw_format *other = claimed_by(m);
    if (other == NULL)
        other = gw_meetings_known(&p->meetings, m);
    else
        (void)gw_meetings_ours(&p->meetings, other, m); /* from now on the two are known */
    if (other != NULL)
        return other;
    if (format != NULL)
        tell_stranger(p, format);
    else
        p->counts.unknown_ports++;
    return NULL;
}

static bool open_infiniband(gw_pipeline *p, const gw_format *format, const gw_announcement *said,
                            gw_ib *ib)
{
    gw_message *m = &p->datagram;

    if (!gw_ib_open_udp(ib, m)) {
        unreadable(p, m->frame, gw_cursor_offset(&p->net.payload),
                   "RoCEv2 packet: an ICRC of 4 bytes expected");
        return false;
    }
    if (said == NULL)
        gw_meetings_mark(&p->meetings, format, m, ib);
    return true;
}

/* p->net is a UDP datagram; its frames stand in p->datagram. */
static void take_datagram(gw_pipeline *p, const gw_frame *frame)
{
    const gw_net *net = &p->net;
    gw_message *m = &p->datagram;
    const gw_announcement *said = said_of(p, frame);
    gw_ib ib;

    m->data = net->payload.p;
    m->cap_len = (uint32_t)gw_cursor_left(&net->payload);
    m->len = net->payload_len;
    m->time_ns = frame->time_ns;
    m->src = net->src;
    m->dst = net->dst;
    m->frame = frame->number;
    m->dir = frame->dir;
    m->side = GW_SIDE_UNKNOWN;
    m->tunnel = false;
    if (GW_UNLIKELY(said != NULL))
        gw_announcement_tell(said, m);
    m->interface = frame->interface;
    m->lower = net->lower;
    m->lower_len = net->lower_len;
    m->link = net->link;
    m->link_len = net->link_len;
    m->frame_len = frame->len;
    m->ib = NULL;
    m->num_vlans = net->num_vlans;
    if (GW_UNLIKELY(net->num_vlans > 0))
        memcpy(m->vlans, net->vlans, sizeof m->vlans);

    const gw_format *format = said != NULL ? said->format : owner_of(p);
    if (format == NULL || (format->infiniband && !open_infiniband(p, format, said, &ib)))
        return;
    if (GW_UNLIKELY(m->cap_len < m->len))
        gw_notes_tell(&p->notes, GW_NOTE_SNAPPED, frame->number,
                      "the capture kept %" PRIu32 " of %" PRIu32 " bytes of this message",
                      m->cap_len, m->len);
    p->counts.messages++;
    gw_found found = {
        .message = m,
        .format = format,
        .dialect = gw_selection_pick_said(p->selection, format, said, &m->src, &m->dst),
        .sender = (uint8_t)gw_sender_of(said, m->dir),
    };
    p->found(p->ctx, &found);
}

static void take_arp(gw_pipeline *p, const gw_frame *frame)
{
    const gw_net *net = &p->net;
    gw_message m = {.data = net->payload.p,
                    .cap_len = (uint32_t)gw_cursor_left(&net->payload),
                    .len = net->payload_len,
                    .time_ns = frame->time_ns,
                    .frame = frame->number,
                    .frames = {frame->number},
                    .num_frames = 1,
                    .dir = frame->dir,
                    .interface = frame->interface,
                    .link = net->link,
                    .link_len = net->link_len,
                    .frame_len = frame->len};

    p->arp(p->ctx, &m);
}

static void take_segment(gw_pipeline *p, const gw_frame *frame)
{
    const gw_announcement *said = said_of(p, frame);

    if (said == NULL && gw_selection_tcp(p->selection, p->net.src.port, p->net.dst.port) == NULL) {
        p->counts.unknown_ports++;
        return;
    }
    gw_streams_add(p->streams, &p->net, frame, said);
}

/* Takes a fragment; true when it completed its datagram, which stands in p->net then. */
static bool take_fragment(gw_pipeline *p, const gw_frame *frame)
{
    gw_message *m = &p->datagram;

    p->counts.fragments++;
    gw_defrag_result result =
        gw_defrag_add(p->defrag, &p->net, frame->number, frame->time_ns, m->frames, &m->num_frames);
    if (result == GW_DEFRAG_REFUSED)
        gw_notes_tell(&p->notes, GW_NOTE_FRAGMENTS, frame->number,
                      "this IP fragment is not used: %s", p->net.fault);
    return result == GW_DEFRAG_COMPLETE;
}

/* Takes a frame that is a format's own as it is; false when it is nobody's. */
static bool take_bare(gw_pipeline *p, const gw_frame *frame)
{
    const gw_announcement *said = frame->announced;
    const gw_format *format;
    const gw_link *link = gw_selection_link(p->selection, frame->link_type, said, &format);

    if (link == NULL)
        return false;
    if (said != NULL && said->format != format)
        said = NULL;
    p->counts.unreadable += !gw_links_add(p->links, format, link, frame, said);
    return true;
}

static void take_frame(gw_pipeline *p, const gw_frame *frame)
{
    if (GW_UNLIKELY(gw_link_is_bare(frame->link_type)) && take_bare(p, frame))
        return;
    gw_cursor bytes = gw_cursor_over(frame->data, frame->cap_len);
    gw_net_status status = gw_net_parse(&p->net, frame->link_type, bytes, frame->len);

    p->datagram.frames[0] = frame->number;
    p->datagram.num_frames = 1;
    if (status == GW_NET_FRAGMENT) {
        if (!take_fragment(p, frame))
            return;
        status = gw_net_parse_transport(&p->net, p->net.payload, p->net.payload_len);
    }
    switch (status) {
    case GW_NET_OK:
        if (p->net.transport == GW_OVER_UDP)
            take_datagram(p, frame);
        else
            take_segment(p, frame);
        return;
    case GW_NET_NOT_IP:
        p->counts.not_ip++;
        if (p->arp != NULL && p->net.ethertype == GW_ETHERTYPE_ARP && p->net.link != NULL)
            take_arp(p, frame);
        return;
    case GW_NET_UNKNOWN_LINK:
        p->counts.unknown_link++;
        p->counts.private_links += gw_link_is_private(frame->link_type);
        return;
    case GW_NET_TRUNCATED:
    case GW_NET_MALFORMED:
        unreadable(p, frame->number, p->net.fault_offset, p->net.fault);
        return;
    default:
        p->counts.other_ip++;
        return;
    }
}

/* A frame inside of what another capture wrote around it. */
static void take_wrapped(gw_pipeline *p, const gw_frame *frame)
{
    gw_cursor bytes = gw_cursor_over(frame->data, frame->cap_len);
    gw_frame inner = *frame;
    const char *fault;
    uint32_t offset;

    switch (gw_net_unwrap(&inner.link_type, &bytes, &inner.len, &fault, &offset)) {
    case GW_NET_OK:
        inner.data = bytes.p;
        inner.cap_len = (uint32_t)gw_cursor_left(&bytes);
        take_frame(p, &inner);
        return;
    case GW_NET_UNKNOWN_LINK:
        p->counts.unknown_link++;
        return;
    default:
        unreadable(p, frame->number, offset, fault);
        return;
    }
}

void gw_pipeline_frame(gw_pipeline *p, const gw_frame *frame)
{
    p->counts.frames++;
    if (GW_UNLIKELY(frame->link_type == GW_LINK_ERF || frame->link_type == GW_LINK_EXPORTED_PDU))
        take_wrapped(p, frame);
    else
        take_frame(p, frame);
}

/* What was passed over is said, whether or not there was something to read beside it. */
static void tell_unknown(gw_pipeline *p)
{
    if (p->counts.messages == 0 || p->counts.unknown_ports == 0)
        return;
    gw_notes_tell(&p->notes, GW_NOTE_STRANGER, 0,
                  "%" PRIu64 " datagrams and segments on ports of no format are not read; --proto "
                  "takes them",
                  p->counts.unknown_ports);
}

void gw_pipeline_end(gw_pipeline *p)
{
    gw_defrag_end(p->defrag);
    gw_streams_end(p->streams);
    gw_links_end(p->links);
    tell_unknown(p);
    gw_notes_end(&p->notes);
}

const gw_pipeline_counts *gw_pipeline_count(const gw_pipeline *p)
{
    return &p->counts;
}

void gw_pipeline_free(gw_pipeline *p)
{
    if (p == NULL)
        return;
    gw_streams_free(p->streams);
    gw_links_free(p->links);
    gw_meetings_free(&p->meetings);
    free(p->defrag_mem);
    free(p);
}

static void add_count(gw_text *text, uint64_t count, const char *what)
{
    if (count == 0)
        return;
    gw_text_str(text, ", ");
    gw_text_dec(text, count);
    gw_text_str(text, what);
}

void gw_pipeline_why_nothing(const gw_pipeline *p, gw_text *text)
{
    const gw_pipeline_counts *c = &p->counts;

    gw_text_dec(text, c->frames);
    gw_text_str(text, c->frames == 1 ? " frame" : " frames");
    add_count(text, c->not_ip + c->other_ip, " not UDP or TCP");
    add_count(text, c->unknown_link, " of a link type that is not followed");
    add_count(text, c->unreadable, " cut short or malformed");
    add_count(text, c->fragments, " IP fragments");
    add_count(text, c->unknown_ports, " on unknown ports");
    add_count(text, c->foreign, " of InfiniBand that no session introduced");
    add_count(text, c->strangers, " that only their port or link type speaks for");
    if (c->unknown_ports == 0 && c->private_links == 0 && c->foreign == 0 && c->strangers == 0)
        return;
    gw_text_str(text, "; try --proto");
    const char *between = " ";
    for (size_t i = 0; i < gw_num_formats; i++) {
        bool takes_foreign = c->foreign > 0 && gw_formats[i]->infiniband;
        bool takes_links = c->private_links > 0 && gw_formats[i]->num_links > 0;
        if (c->unknown_ports == 0 && c->strangers == 0 && !takes_links && !takes_foreign)
            continue;
        gw_text_str(text, between);
        gw_text_str(text, gw_formats[i]->name);
        between = " or ";
    }
}
