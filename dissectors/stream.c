/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TCP segments to messages. */
#include "stream.h"

#include <epan/conversation.h>
#include <epan/dissectors/packet-tcp.h>
#include <epan/proto_data.h>
#include <epan/wmem_scopes.h>

#include "dialects.h"
#include "message.h"
#include "track.h"

/* One message. */
typedef struct piece piece;
struct piece {
    piece *next;
    uint32_t seq; /* of its first byte */
    uint64_t id;
    uint8_t *copy; /* its bytes, when that call's did not hold all of them; NULL otherwise */
    uint32_t cap_len;
    uint32_t len;
    uint32_t lost_before;
    uint32_t part_arg;
    uint8_t part;
    bool other_way;
};

/* What one call of the dissector brought, kept with its frame. Wireshark may call several times a
 * frame; in later passes it leaves out calls that brought nothing. */
typedef struct call call;
struct call {
    call *next;
    piece *pieces;
    uint32_t seq;  /* of its first byte */
    uint32_t done; /* bytes that need not be seen again; the rest begins a message */
};

typedef struct frame_calls {
    call *first;
    uint32_t num_messages;
} frame_calls;

/* One direction of a connection. Sequence numbers wrap, so only differences count. */
typedef struct flow {
    bool started;
    uint32_t fed;  /* up to here the codec has the bytes ... */
    uint32_t out;  /* ... and up to here it made messages of them */
    uint32_t lost; /* bytes missing before the next message */
} flow;

typedef struct connection {
    const gw_dialect *dialect;
    gw_endpoint opener; /* direction 0 goes out from it */
    bool seen_to_open;  /* it is known to have opened the connection */
    flow flows[2];
    uint32_t number;
    bool foreign; /* does not begin like the format */
    bool judged;  /* whether it does is known */
    void *state;  /* of the codec's stream */
} connection;

/* What a first-pass call carries through the codec's callback. */
typedef struct feeding {
    const gw_ws_bridge *bridge;
    packet_info *pinfo;
    connection *conn;
    unsigned dir;
    uint32_t captured; /* bytes of the call */
    gw_ws_belongs_fn belongs;
    frame_calls *calls;
    call *call;
    piece **end; /* where the next piece goes */
} feeding;

static int32_t ahead(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b);
}

/* ---- first pass ---- */

static piece *add_piece(feeding *f)
{
    piece *p = wmem_new0(wmem_file_scope(), piece);

    p->id = gw_ws_track_id(f->pinfo->num, f->calls->num_messages++);
    *f->end = p;
    f->end = &p->next;
    return p;
}

static void on_message(void *ctx, const gw_message *message)
{
    feeding *f = (feeding *)ctx;
    connection *c = f->conn;
    unsigned dir = gw_endpoint_equal(&message->src, &c->opener) ? 0 : 1;
    flow *w = &c->flows[dir];

    if (!c->judged && f->belongs != NULL)
        c->foreign = !f->belongs(message);
    c->judged = true;
    if (c->foreign)
        return;
    piece *p = add_piece(f);

    p->seq = w->out;
    p->cap_len = message->cap_len;
    p->len = message->len;
    p->part = message->part;
    p->part_arg = message->part_arg;
    p->lost_before = w->lost;
    p->other_way = dir != f->dir;
    w->out += message->cap_len;
    w->lost = 0;
    if (p->other_way || ahead(p->seq, f->call->seq) < 0 ||
        ahead(p->seq + p->cap_len, f->call->seq + f->captured) > 0)
        p->copy = (uint8_t *)wmem_memdup(wmem_file_scope(), message->data, message->cap_len);
    gw_ws_track_feed(f->bridge->track, message, c->dialect, p->id);
}

static void lose(feeding *f, flow *w, uint32_t len)
{
    f->bridge->format->stream->gap(f->conn->state, f->dir, on_message, f);
    w->fed += len;
    w->out = w->fed;
    w->lost += len;
}

/* How much of a call of |len| bytes is settled. The rest is handed over again, with more behind it,
 * so a message that began before this call is none of its business. */
static uint32_t settled(const flow *w, uint32_t seq, uint32_t len)
{
    int32_t done = ahead(w->out, seq);

    return done < 0 || (uint32_t)done > len ? len : (uint32_t)done;
}

/* Where the capture does not say who calls, the connection's first segment does. */
static void tell_side(const connection *c, gw_message *m)
{
    if (m->side == GW_SIDE_UNKNOWN && c->seen_to_open)
        m->side = gw_endpoint_equal(&m->src, &c->opener) ? GW_SIDE_CALLER : GW_SIDE_CALLED;
}

static void feed(feeding *f, tvbuff_t *tvb)
{
    flow *w = &f->conn->flows[f->dir];
    uint32_t seq = f->call->seq;
    uint32_t len = tvb_reported_length(tvb);

    if (!w->started) {
        w->started = true;
        w->fed = w->out = seq;
    }
    f->call->done = len;
    if (ahead(seq + len, w->fed) <= 0)
        return; /* seen before */
    if (ahead(seq, w->fed) > 0)
        lose(f, w, seq - w->fed);

    uint32_t skip = w->fed - seq;
    gw_message segment = gw_ws_message(tvb, f->pinfo, skip, len - skip, GW_OVER_TCP);
    segment.stream = f->conn->number;
    tell_side(f->conn, &segment);
    w->fed += segment.cap_len;
    f->bridge->format->stream->push(f->conn->state, f->dir, &segment, on_message, f);
    if (segment.cap_len < segment.len)
        lose(f, w, segment.len - segment.cap_len);
    f->call->done = settled(w, seq, len);
}

static connection *connection_of(const gw_ws_bridge *bridge, packet_info *pinfo)
{
    conversation_t *conv = find_or_create_conversation(pinfo);
    connection *c = (connection *)conversation_get_proto_data(conv, bridge->proto);

    if (c != NULL)
        return c;
    const struct tcp_analysis *tcp = get_tcp_conversation_data(conv, pinfo);
    gw_endpoint src = gw_ws_endpoint(&pinfo->src, pinfo->srcport);
    gw_endpoint dst = gw_ws_endpoint(&pinfo->dst, pinfo->destport);
    bool from_server = tcp != NULL && tcp->server_port != 0 && tcp->server_port == pinfo->srcport &&
                       pinfo->srcport != pinfo->destport;

    c = wmem_new0(wmem_file_scope(), connection);
    c->opener = from_server ? dst : src;
    c->seen_to_open = tcp != NULL && tcp->server_port != 0 && pinfo->srcport != pinfo->destport;
    c->number = tcp != NULL ? tcp->stream : conv->conv_index;
    c->dialect = gw_ws_dialect_for(bridge->dialects, pinfo, &src, &dst);
    c->state = wmem_alloc(wmem_file_scope(), bridge->format->stream->size);
    bridge->format->stream->init(c->state, c->dialect);
    conversation_add_proto_data(conv, bridge->proto, c);
    return c;
}

static call *first_pass(feeding *f, tvbuff_t *tvb, uint32_t seq)
{
    frame_calls *calls = f->calls;
    call **end;

    if (calls == NULL) {
        calls = wmem_new0(wmem_file_scope(), frame_calls);
        p_add_proto_data(wmem_file_scope(), f->pinfo, f->bridge->proto, 0, calls);
        f->calls = calls;
    }
    for (end = &calls->first; *end != NULL; end = &(*end)->next) {
    }
    f->call = wmem_new0(wmem_file_scope(), call);
    f->call->seq = seq;
    f->end = &f->call->pieces;
    *end = f->call;
    feed(f, tvb);
    return f->call;
}

static frame_calls *calls_of(const gw_ws_bridge *bridge, packet_info *pinfo)
{
    return (frame_calls *)p_get_proto_data(wmem_file_scope(), pinfo, bridge->proto, 0);
}

/* ---- every pass ---- */

/* What the first pass kept of a call; NULL when there was none like it. */
static const call *recall(const gw_ws_bridge *bridge, packet_info *pinfo, uint32_t seq)
{
    const frame_calls *calls = calls_of(bridge, pinfo);
    const call *found = calls != NULL ? calls->first : NULL;

    while (found != NULL && found->seq != seq)
        found = found->next;
    return found;
}

/* A message as it was cut, over bytes that are here now. */
static gw_ws_unit unit_of(const connection *c, const piece *p, tvbuff_t *tvb, packet_info *pinfo,
                          uint32_t offset)
{
    gw_ws_unit unit = {.dialect = c->dialect,
                       .id = p->id,
                       .lost_before = p->lost_before,
                       .other_way = p->other_way};
    gw_message *m = &unit.message;

    *m = gw_ws_message(tvb, pinfo, offset, p->cap_len, GW_OVER_TCP);
    m->len = p->len;
    m->part = p->part;
    m->part_arg = p->part_arg;
    m->stream = c->number;
    tell_side(c, m);
    if (p->other_way) {
        gw_endpoint src = m->src;
        m->src = m->dst;
        m->dst = src;
        if (m->side != GW_SIDE_UNKNOWN)
            m->side = m->side == GW_SIDE_CALLER ? GW_SIDE_CALLED : GW_SIDE_CALLER;
    }
    return unit;
}

static void show_piece(const connection *c, const piece *p, uint32_t seq, tvbuff_t *tvb,
                       packet_info *pinfo, proto_tree *tree, gw_ws_unit_fn show)
{
    uint32_t offset = p->seq - seq;

    if (p->copy != NULL) {
        tvb = tvb_new_child_real_data(tvb, p->copy, p->cap_len, (int)p->cap_len);
        add_new_data_source(pinfo, tvb, "Message of several segments");
        offset = 0;
    }
    if (offset > tvb_captured_length(tvb) || p->cap_len > tvb_captured_length(tvb) - offset)
        return; /* fewer bytes than in the first pass: Wireshark put other segments together */
    gw_ws_unit unit = unit_of(c, p, tvb, pinfo, offset);
    show(tvb, pinfo, tree, offset, &unit);
}

int gw_ws_stream_dissect(const gw_ws_bridge *bridge, tvbuff_t *tvb, packet_info *pinfo,
                         proto_tree *tree, void *data, gw_ws_belongs_fn belongs, gw_ws_unit_fn show)
{
    const struct tcpinfo *tcp = (const struct tcpinfo *)data;

    if (tcp == NULL)
        return 0;
    connection *c = connection_of(bridge, pinfo);
    const call *found;
    if (PINFO_FD_VISITED(pinfo) || c->foreign) {
        found = recall(bridge, pinfo, tcp->seq);
    } else {
        gw_endpoint src = gw_ws_endpoint(&pinfo->src, pinfo->srcport);
        feeding f = {.bridge = bridge,
                     .pinfo = pinfo,
                     .conn = c,
                     .dir = gw_endpoint_equal(&src, &c->opener) ? 0 : 1,
                     .captured = tvb_captured_length(tvb),
                     .belongs = belongs,
                     .calls = calls_of(bridge, pinfo)};
        found = first_pass(&f, tvb, tcp->seq);
    }
    if (c->foreign)
        return 0;
    if (found == NULL)
        return (int)tvb_reported_length(tvb);

    for (const piece *p = found->pieces; p != NULL; p = p->next)
        show_piece(c, p, tcp->seq, tvb, pinfo, tree, show);
    if (found->done < tvb_reported_length(tvb) && pinfo->can_desegment != 0) {
        pinfo->desegment_offset = (int)found->done;
        pinfo->desegment_len = DESEGMENT_ONE_MORE_SEGMENT;
    }
    return (int)tvb_reported_length(tvb);
}
