/* SPDX-License-Identifier: BSD-2-Clause */
/* Boards behind Ethernet ports: frames in, events of senders in; datagrams out, frames out. */
#include "boards/port.h"

#include <stdlib.h>
#include <string.h>

#include "goldwire/cursor.h"

enum { CALLERS = GW_PEER_MAX_CONNS - GW_PORT_FIRST_CONN };

struct ported;

/* A connection over TCP to the port. */
typedef struct stream {
    gw_tcb tcb;
    struct ported *port;
    gw_endpoint there;
    uint8_t mac[6];
    bool told;   /* the board knows of it */
    bool closes; /* the board has closed it, or sends more than there is room for */
} stream;

/* Somebody who sends datagrams to the port, or is connected to it. */
typedef struct caller {
    gw_endpoint there;
    stream *stream; /* NULL: datagrams */
    uint64_t used;  /* 0: nobody */
} caller;

/* The state of a board behind a port: this, then the board's own. */
typedef struct ported {
    const gw_port *port;
    gw_peer_out *outer; /* of this step */
    gw_peer_out out;    /* that the board gets */
    gw_ether ether;
    gw_ether_out ether_out;
    bool streams;   /* the link may be a byte stream */
    uint64_t wires; /* connections through which frames come and go */
    uint64_t clock;
    caller callers[CALLERS];
    const uint8_t *frame; /* that comes in, and ... */
    const uint8_t *frame_end;
    uint8_t plain[GW_ETHER_PACKET_MAX]; /* it without its tags */
    int64_t now;
    int64_t inner_timer;
    uint64_t inner[];
} ported;

static ported *of_ether(gw_ether_out *out)
{
    return (ported *)(void *)((char *)out - offsetof(ported, ether_out));
}

static ported *of_peer(gw_peer_out *out)
{
    return (ported *)(void *)((char *)out - offsetof(ported, out));
}

static void step_inner(ported *p, const gw_peer_event *event)
{
    p->inner_timer = p->port->inner->step(p->inner, event, p->now, &p->out);
}

/* ---- what goes out ---- */

/* All ends of a wire hear every frame, as on a hub. */
static void send_frame(gw_ether_out *out, const uint8_t *frame, size_t len)
{
    enum { EXTRA = GW_VLAN_TAGS * GW_VLAN_TAG, SPARE = 16 /* for what faults add */ };
    ported *p = of_ether(out);
    uint8_t tagged[GW_ETHER_FRAME_MAX + SPARE + EXTRA];
    if (p->port->vlan.num > 0 && len <= sizeof(tagged) - EXTRA) {
        len = gw_vlan_put(&p->port->vlan, tagged, frame, len);
        frame = tagged;
    }
    for (uint32_t i = 0; i < GW_PORT_FIRST_CONN; i++)
        if ((p->wires >> i & 1) != 0)
            p->outer->send(p->outer, p->port->link, i, frame, len);
}

static void board_sends(gw_peer_out *out, unsigned link, uint32_t conn, const uint8_t *data,
                        size_t len)
{
    ported *p = of_peer(out);
    if (link != p->port->link) {
        p->outer->send(p->outer, link, conn, data, len);
        return;
    }
    if (conn < GW_PORT_FIRST_CONN || conn >= GW_PEER_MAX_CONNS)
        return;
    const caller *c = &p->callers[conn - GW_PORT_FIRST_CONN];
    if (c->used != 0 && c->stream != NULL)
        c->stream->closes = gw_tcb_write(&c->stream->tcb, data, len) < len || c->stream->closes;
    else if (c->used != 0)
        (void)gw_ether_send(&p->ether, p->port->here.port, &c->there, data, len, p->now,
                            &p->ether_out);
}

static void board_closes(gw_peer_out *out, unsigned link, uint32_t conn)
{
    ported *p = of_peer(out);
    bool ours = conn >= GW_PORT_FIRST_CONN && conn < GW_PEER_MAX_CONNS;
    if (link != p->port->link)
        p->outer->close(p->outer, link, conn);
    else if (ours && p->callers[conn - GW_PORT_FIRST_CONN].stream != NULL)
        p->callers[conn - GW_PORT_FIRST_CONN].stream->closes = true;
}

/* ---- what comes in ---- */

static gw_peer_event event_of(const ported *p, const caller *c, gw_peer_event_kind kind)
{
    gw_peer_event event = {
        .kind = (uint8_t)kind,
        .link = (uint8_t)p->port->link,
        .stream = c->stream != NULL,
        .conn = (uint32_t)(GW_PORT_FIRST_CONN + (c - p->callers)),
        .here = &p->port->here,
        .there = &c->there,
    };
    return event;
}

static void tell_board(ported *p, const caller *c, gw_peer_event_kind kind)
{
    gw_peer_event event = event_of(p, c, kind);
    step_inner(p, &event);
}

/* Forgets |c|, and lets the board do so. */
static void end_caller(ported *p, caller *c)
{
    if (c->used != 0 && (c->stream == NULL || c->stream->told))
        tell_board(p, c, GW_PEER_CLOSE);
    if (c->stream != NULL)
        gw_tcb_reset(&c->stream->tcb);
    free(c->stream);
    *c = (caller){0};
}

/* Who calls from |there|, by datagrams or by |tcp|; NULL: nobody does. */
static caller *find_caller(ported *p, const gw_endpoint *there, bool tcp)
{
    for (size_t i = 0; i < CALLERS; i++) {
        caller *c = &p->callers[i];
        if (c->used != 0 && (c->stream != NULL) == tcp && gw_endpoint_equal(&c->there, there))
            return c;
    }
    return NULL;
}

/* A new one takes the place of who was silent longest. */
static caller *take_place(ported *p, const gw_endpoint *there)
{
    caller *oldest = &p->callers[0];
    for (size_t i = 1; i < CALLERS; i++)
        if (p->callers[i].used < oldest->used)
            oldest = &p->callers[i];
    end_caller(p, oldest);
    *oldest = (caller){.there = *there, .used = ++p->clock};
    return oldest;
}

/* How much of the frame follows |payload|, unless that was put together of several. */
static size_t padding_behind(const ported *p, const gw_cursor *payload)
{
    bool inside = payload->p >= p->frame && payload->end <= p->frame_end;
    return inside ? (size_t)(p->frame_end - payload->end) : 0;
}

static void take_datagram(gw_ether_out *out, const gw_net *net)
{
    ported *p = of_ether(out);
    if (net->dst.port != p->port->here.port)
        return;
    caller *c = find_caller(p, &net->src, false);
    if (c == NULL) {
        c = take_place(p, &net->src);
        tell_board(p, c, GW_PEER_OPEN);
    }
    c->used = ++p->clock;
    gw_peer_event bytes = event_of(p, c, GW_PEER_BYTES);
    bytes.data = net->payload.p;
    bytes.len = (size_t)(net->payload.end - net->payload.p);
    bytes.padding = padding_behind(p, &net->payload);
    step_inner(p, &bytes);
}

/* ---- TCP ---- */

static void send_segment(void *arg, const gw_tcp_segment *segment)
{
    stream *s = arg;
    ported *p = s->port;
    gw_ether_send_segment(&p->ether, s->mac, p->port->here.port, &s->there, segment, &p->ether_out);
}

/* What belongs to no connection is refused (RFC 9293 3.10.7.1). */
static void refuse(ported *p, const gw_net *net)
{
    bool has_ack = (net->tcp_flags & GW_TCP_ACK) != 0;
    bool syn = (net->tcp_flags & GW_TCP_SYN) != 0;
    gw_tcp_segment rst = {.seq = has_ack ? net->tcp_ack : 0,
                          .ack = net->tcp_seq + net->payload_len + syn,
                          .flags = has_ack ? GW_TCP_RST : GW_TCP_RST | GW_TCP_ACK};
    if ((net->tcp_flags & GW_TCP_RST) == 0)
        gw_ether_send_segment(&p->ether, net->link + 6, net->dst.port, &net->src, &rst,
                              &p->ether_out);
}

/* Hands the board what has come, and ends what has ended. */
static void serve_stream(ported *p, caller *c)
{
    stream *s = c->stream;
    uint8_t bytes[4096];
    gw_peer_event event;
    if (s->tcb.state == GW_TCB_OPEN && !s->told) {
        s->told = true;
        tell_board(p, c, GW_PEER_OPEN);
    }
    event = event_of(p, c, GW_PEER_BYTES);
    event.data = bytes;
    while (s->told && !s->closes && (event.len = gw_tcb_read(&s->tcb, bytes, sizeof(bytes))) > 0)
        step_inner(p, &event);
    if (s->told && (s->tcb.they_ended || s->closes || s->tcb.state > GW_TCB_OPEN)) {
        tell_board(p, c, GW_PEER_CLOSE);
        s->told = false;
        s->closes = true;
        gw_tcb_close(&s->tcb);
    }
}

static gw_tcp_segment segment_of(const gw_net *net)
{
    gw_tcp_segment s = {.seq = net->tcp_seq,
                        .ack = net->tcp_ack,
                        .flags = net->tcp_flags,
                        .window = net->tcp_window,
                        .mss = net->tcp_mss,
                        .data = net->payload.p,
                        .len = (size_t)(net->payload.end - net->payload.p)};
    return s;
}

/* Whoever calls from where an ended connection was begins a new one. */
static caller *answer_call(ported *p, const gw_net *net)
{
    gw_tcp_segment syn = segment_of(net);
    stream *s = calloc(1, sizeof(*s));
    if (s == NULL)
        return NULL;
    caller *c = take_place(p, &net->src);
    c->stream = s;
    s->port = p;
    s->there = net->src;
    memcpy(s->mac, net->link + 6, sizeof(s->mac));
    gw_tcb_answer(&s->tcb, send_segment, s, (uint32_t)(p->now / 4000), &syn, p->now);
    return c;
}

static void take_segment(gw_ether_out *out, const gw_net *net)
{
    ported *p = of_ether(out);
    bool calls = (net->tcp_flags & (GW_TCP_SYN | GW_TCP_ACK | GW_TCP_RST)) == GW_TCP_SYN;
    bool here = net->dst.port == p->port->here.port && p->streams;
    caller *c = here ? find_caller(p, &net->src, true) : NULL;
    if (c != NULL && calls && c->stream->tcb.state > GW_TCB_OPEN) {
        end_caller(p, c);
        c = NULL;
    }
    if (c == NULL && here && calls) {
        (void)answer_call(p, net);
        return;
    }
    if (c == NULL) {
        refuse(p, net);
        return;
    }
    gw_tcp_segment s = segment_of(net);
    c->used = ++p->clock;
    (void)gw_tcb_hear(&c->stream->tcb, &s, p->now);
    serve_stream(p, c);
}

/* Lets all connections do what is due, and returns when the next thing is. */
static int64_t run_streams(ported *p)
{
    int64_t next = GW_PEER_NEVER;
    for (size_t i = 0; i < CALLERS; i++) {
        caller *c = &p->callers[i];
        if (c->stream == NULL)
            continue;
        serve_stream(p, c);
        int64_t due = gw_tcb_run(&c->stream->tcb, p->now);
        if (c->stream->tcb.state > GW_TCB_OPEN) {
            end_caller(p, c);
            continue;
        }
        next = due < next ? due : next;
    }
    return next;
}

static void take_wire(ported *p, const gw_peer_event *event)
{
    uint64_t bit = UINT64_C(1) << event->conn;
    if (event->kind == GW_PEER_CLOSE)
        p->wires &= ~bit;
    else
        p->wires |= bit;
    if (event->kind != GW_PEER_BYTES || !gw_vlan_fits(&p->port->vlan, event->data, event->len) ||
        event->len > sizeof(p->plain))
        return;
    size_t len = event->len;
    p->frame = event->data;
    if (p->port->vlan.num > 0) {
        len = gw_vlan_take(&p->port->vlan, p->plain, event->data, event->len);
        p->frame = p->plain;
    }
    p->frame_end = p->frame + len;
    (void)gw_ether_receive(&p->ether, p->frame, len, p->now, &p->ether_out);
}

/* ---- the board ---- */

static bool ported_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    ported *p = state;
    const gw_port *port = config->setup;
    const gw_mutant *mutant = port->inner_config.mutant;
    gw_ether_setup setup = {.at = port->here,
                            .style = port->inner->format->ip_style,
                            .faults = mutant != NULL ? mutant->wire : 0,
                            .verifies = true};
    gw_ether_mac_of(setup.mac, &setup.at);
    gw_ether_init(&p->ether, &setup);
    p->streams =
        (port->inner->datagram_links >> port->link & 1) == 0 && port->inner->format->stream != NULL;
    p->port = port;
    p->out = (gw_peer_out){.send = board_sends, .close = board_closes};
    p->ether_out =
        (gw_ether_out){.frame = send_frame, .datagram = take_datagram, .segment = take_segment};
    p->inner_timer = GW_PEER_NEVER;
    return port->inner->init(p->inner, &port->inner_config, why, why_cap);
}

static int64_t ported_step(void *state, const gw_peer_event *event, int64_t now_ns,
                           gw_peer_out *out)
{
    ported *p = state;
    bool of_conn = event->kind != GW_PEER_START && event->kind != GW_PEER_TIMER;
    p->outer = out;
    p->now = now_ns;
    if (of_conn && event->conn >= GW_PORT_FIRST_CONN)
        out->close(out, event->link, event->conn); /* one too many */
    else if (of_conn && event->link == p->port->link && !event->stream)
        take_wire(p, event);
    else if (event->kind != GW_PEER_TIMER || p->inner_timer <= now_ns)
        step_inner(p, event);
    int64_t timer = gw_ether_timer(&p->ether, now_ns, &p->ether_out);
    int64_t due = run_streams(p);
    timer = due < timer ? due : timer;
    return timer < p->inner_timer ? timer : p->inner_timer;
}

static bool ported_done(const void *state)
{
    const ported *p = state;
    return p->port->inner->done(p->inner);
}

static bool ported_report(void *state, char *text, size_t cap)
{
    ported *p = state;
    return p->port->inner->report(p->inner, text, cap);
}

static void ported_fini(void *state)
{
    ported *p = state;
    for (size_t i = 0; i < CALLERS; i++)
        free(p->callers[i].stream);
    p->port->inner->fini(p->inner);
}

void gw_port_lay(gw_port *port, const gw_board *board, const gw_peer_config *config, unsigned link,
                 const gw_endpoint *here, const gw_vlan *vlan)
{
    *port = (gw_port){
        .board = *board, .inner = board, .inner_config = *config, .here = *here, .link = link};
    if (vlan != NULL)
        port->vlan = *vlan;
    port->board.size = sizeof(ported) + board->size;
    port->board.init = ported_init;
    port->board.step = ported_step;
    port->board.fini = ported_fini;
    port->board.done = board->done != NULL ? ported_done : NULL;
    port->board.report = board->report != NULL ? ported_report : NULL;
    port->config.setup = port;
}
