/* SPDX-License-Identifier: BSD-2-Clause */
/* Boards behind Ethernet ports: frames in, events of senders in; datagrams out, frames out. */
#include "boards/port.h"

#include <string.h>

#include "goldwire/cursor.h"

enum { CALLERS = GW_PEER_MAX_CONNS - GW_PORT_FIRST_CONN };

/* Somebody who sends datagrams to the port. */
typedef struct caller {
    gw_endpoint there;
    uint64_t used; /* 0: nobody */
} caller;

/* The state of a board behind a port: this, then the board's own. */
typedef struct ported {
    const gw_port *port;
    gw_peer_out *outer; /* of this step */
    gw_peer_out out;    /* that the board gets */
    gw_ether ether;
    gw_ether_out ether_out;
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
    if (c->used != 0)
        (void)gw_ether_send(&p->ether, p->port->here.port, &c->there, data, len, p->now,
                            &p->ether_out);
}

static void board_closes(gw_peer_out *out, unsigned link, uint32_t conn)
{
    ported *p = of_peer(out);
    if (link != p->port->link)
        p->outer->close(p->outer, link, conn);
}

/* ---- what comes in ---- */

static gw_peer_event event_of(const ported *p, const caller *c, gw_peer_event_kind kind)
{
    gw_peer_event event = {
        .kind = (uint8_t)kind,
        .link = (uint8_t)p->port->link,
        .conn = (uint32_t)(GW_PORT_FIRST_CONN + (c - p->callers)),
        .here = &p->port->here,
        .there = &c->there,
    };
    return event;
}

/* Who sends from |there|; a new one takes the place of who was silent longest. */
static caller *find_caller(ported *p, const gw_endpoint *there)
{
    caller *oldest = &p->callers[0];
    for (size_t i = 0; i < CALLERS; i++) {
        if (p->callers[i].used != 0 && gw_endpoint_equal(&p->callers[i].there, there))
            return &p->callers[i];
        if (p->callers[i].used < oldest->used)
            oldest = &p->callers[i];
    }
    if (oldest->used != 0) {
        gw_peer_event close = event_of(p, oldest, GW_PEER_CLOSE);
        step_inner(p, &close);
    }
    *oldest = (caller){.there = *there, .used = ++p->clock};
    gw_peer_event open = event_of(p, oldest, GW_PEER_OPEN);
    step_inner(p, &open);
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
    caller *c = find_caller(p, &net->src);
    c->used = ++p->clock;
    gw_peer_event bytes = event_of(p, c, GW_PEER_BYTES);
    bytes.data = net->payload.p;
    bytes.len = (size_t)(net->payload.end - net->payload.p);
    bytes.padding = padding_behind(p, &net->payload);
    step_inner(p, &bytes);
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
    p->port = port;
    p->out = (gw_peer_out){.send = board_sends, .close = board_closes};
    p->ether_out = (gw_ether_out){.frame = send_frame, .datagram = take_datagram};
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
