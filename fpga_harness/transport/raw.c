/* SPDX-License-Identifier: BSD-2-Clause */
/* Datagrams over frames: a station of ours as a transport. */
#include "harness/raw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "goldwire/cursor.h"
#include "sockets.h"

#define FRAGMENTED 2 /* datagrams that may be incomplete at a time */
#define BABBLE 4096  /* frames of others that are passed over once the time is up */
#define SILENT_NS INT64_C(5000000000) /* nobody is asked again for so long */
#define WIRE_EXTRA ((size_t)GW_VLAN_TAGS * GW_VLAN_TAG)
#define EARLY 16 /* frames before the tap is there: those of a handshake */
#define EARLY_BYTES 128
#define QUEUE_BYTES (256u << 10)

/* A frame that came while an ARP reply was waited for. */
typedef struct queued {
    int64_t stamp_ns;
    size_t len;
} queued;

/* A frame that nobody could be told of yet. */
typedef struct early_frame {
    int64_t now; /* by the transport's clock */
    int64_t stamp_ns;
    size_t len;
    uint8_t dir;
    uint8_t frame[EARLY_BYTES];
} early_frame;

typedef struct raw_transport {
    gw_transport t;
    gw_raw raw;
    gw_transport *frames;
    gw_ether ether;
    gw_ether_out out;
    gw_ip_style style;
    bool no_checksum; /* as the style has it */
    int guard_fd;
    void *fragments;
    int64_t silent_until; /* nobody answers ARP until then */
    uint8_t seen[6];      /* whom frames of the other side came from */
    bool has_seen;
    /* the datagram being sent */
    const uint8_t *sending;
    size_t sending_len;
    uint8_t tagged[GW_ETHER_PACKET_MAX + WIRE_EXTRA]; /* its frame, as it goes */
    /* the frame being taken up */
    bool got; /* it completes a datagram of ours */
    gw_net net;
    const uint8_t *frame;                           /* without tags */
    uint8_t came[GW_ETHER_PACKET_MAX + WIRE_EXTRA]; /* as it came */
    uint8_t plain[GW_ETHER_PACKET_MAX + WIRE_EXTRA];
    /* segments of TCP */
    gw_raw_segment_fn segment;
    void *segment_arg;
    /* what there was before the tap */
    early_frame early[EARLY];
    unsigned num_early;
    /* those that wait to be */
    size_t head, tail;
    uint8_t queue[QUEUE_BYTES];
} raw_transport;

static raw_transport *of(gw_transport *t)
{
    return (raw_transport *)t;
}

static raw_transport *of_out(gw_ether_out *out)
{
    return (raw_transport *)(void *)((char *)out - offsetof(raw_transport, out));
}

static int64_t raw_now(gw_transport *t)
{
    return of(t)->frames->ops->now(of(t)->frames);
}

static void keep_last(raw_transport *w, const uint8_t *frame, size_t len)
{
    w->raw.last.len = len < sizeof(w->raw.last.frame) ? len : sizeof(w->raw.last.frame);
    memcpy(w->raw.last.frame, frame, w->raw.last.len);
}

static void keep_early(raw_transport *w, gw_direction dir, int64_t stamp_ns, const uint8_t *frame,
                       size_t len)
{
    if (w->num_early == EARLY || len > EARLY_BYTES)
        return;
    early_frame *e = &w->early[w->num_early++];
    *e =
        (early_frame){.now = raw_now(&w->t), .stamp_ns = stamp_ns, .len = len, .dir = (uint8_t)dir};
    memcpy(e->frame, frame, len);
}

static void tell(raw_transport *w, gw_direction dir, int64_t stamp_ns, const uint8_t *frame,
                 size_t len, const gw_net *net)
{
    w->raw.last.number = 0;
    if (w->raw.tap == NULL && w->segment != NULL)
        keep_early(w, dir, stamp_ns, frame, len);
    else if (w->raw.tap != NULL)
        w->raw.last.number = w->raw.tap(w->raw.tap_arg, (uint8_t)dir, stamp_ns, frame, len, net);
}

/* ---- what the station does ---- */

/* Whether |frame| is the last one of the datagram being sent. */
static bool completes(const raw_transport *w, const uint8_t *frame, size_t len, gw_net *net)
{
    *net = (gw_net){0};
    gw_net_status status =
        gw_net_parse(net, GW_LINK_ETHERNET, gw_cursor_over(frame, len), (uint32_t)len);
    if (w->sending == NULL || net->ip_version == 0 ||
        (status == GW_NET_FRAGMENT && net->more_fragments))
        return false;
    net->src = w->t.local;
    net->dst = w->t.remote;
    net->payload = gw_cursor_over(w->sending, w->sending_len);
    net->payload_len = (uint32_t)w->sending_len;
    return true;
}

/* Sends |frame|, which completes the datagram of |net| unless that is NULL. */
static bool put_on_wire(raw_transport *w, const uint8_t *frame, size_t len, const gw_net *net)
{
    if (w->raw.vlan.num > 0) {
        len = gw_vlan_put(&w->raw.vlan, w->tagged, frame, len);
        frame = w->tagged;
    }
    tell(w, GW_DIR_OUT, INT64_MIN, frame, len, net);
    return w->frames->ops->send(w->frames, frame, len);
}

static void station_sends(gw_ether_out *out, const uint8_t *frame, size_t len)
{
    raw_transport *w = of_out(out);
    gw_net net;
    bool last = completes(w, frame, len, &net);
    if (last)
        keep_last(w, frame, len);
    (void)put_on_wire(w, frame, len, last ? &net : NULL);
}

static void station_hears(gw_ether_out *out, const gw_net *net)
{
    raw_transport *w = of_out(out);
    if (!gw_endpoint_equal(&net->src, &w->t.remote) || net->dst.port != w->t.local.port)
        return;
    w->got = true;
    w->net = *net;
}

static void station_takes(gw_ether_out *out, const gw_net *net)
{
    raw_transport *w = of_out(out);
    gw_cursor fresh;
    if (!gw_endpoint_equal(&net->src, &w->t.remote) || net->dst.port != w->t.local.port ||
        !w->segment(w->segment_arg, net, &fresh))
        return;
    w->got = true;
    w->net = *net;
    w->net.payload = fresh;
    w->net.payload_len = (uint32_t)gw_cursor_left(&fresh);
}

/* ---- taking frames up ---- */

static void push(raw_transport *w, int64_t stamp_ns, size_t len)
{
    queued head = {stamp_ns, len};
    if (w->head == w->tail)
        w->head = w->tail = 0;
    if (sizeof(w->queue) - w->tail < sizeof(head) + len)
        return; /* as good as lost */
    memcpy(w->queue + w->tail, &head, sizeof(head));
    memcpy(w->queue + w->tail + sizeof(head), w->came, len);
    w->tail += sizeof(head) + len;
}

static bool pop(raw_transport *w, int64_t *stamp_ns, size_t *len)
{
    queued head;
    if (w->head == w->tail)
        return false;
    memcpy(&head, w->queue + w->head, sizeof(head));
    memcpy(w->came, w->queue + w->head + sizeof(head), head.len);
    w->head += sizeof(head) + head.len;
    *stamp_ns = head.stamp_ns;
    *len = head.len;
    return true;
}

static gw_recv_status receive_frame(raw_transport *w, int64_t deadline, int64_t *stamp_ns,
                                    size_t *len)
{
    gw_recv_status status =
        w->frames->ops->recv(w->frames, w->came, sizeof(w->came), len, deadline, stamp_ns, NULL);
    w->t.unreachable = w->frames->unreachable;
    memcpy(w->t.error, w->frames->error, sizeof(w->t.error));
    return status;
}

/* What a frame is, whoever it is for. */
typedef struct glance {
    bool theirs;  /* the other side's, ... */
    bool named;   /* ... whose hardware address it tells */
    bool packet;  /* an IP packet, ... */
    bool damaged; /* ... in which a checksum is wrong */
} glance;

static glance look_at(const raw_transport *w, const uint8_t *frame, size_t len)
{
    gw_net net = {0};
    gw_arp arp;
    gw_net_status status =
        gw_net_parse(&net, GW_LINK_ETHERNET, gw_cursor_over(frame, len), (uint32_t)len);
    glance g = {.packet = net.ip_version != 0, .damaged = gw_ether_damaged(&net, status)};
    g.theirs = g.packet && gw_ether_same(&net.src, &w->t.remote);
    if (net.link != NULL && net.ethertype == GW_ETHERTYPE_ARP && gw_net_arp(&arp, net.payload)) {
        const gw_endpoint sender = gw_ether_ipv4(arp.sender_ip);
        g.theirs = gw_ether_same(&sender, &w->t.remote);
    }
    g.named = g.theirs && net.link != NULL && !g.damaged;
    g.theirs = g.theirs || (w->has_seen && len >= GW_ETHER_HEADER &&
                            memcmp(frame + 6, w->seen, sizeof(w->seen)) == 0);
    return g;
}

/* Whether a damaged packet is left out, as a host's kernel would. A board that computes checksums
 * wrongly does so always: that is for the cases to see. */
static bool leave_out(gw_raw *raw, const glance *g)
{
    bool out = g->damaged && raw->sound > raw->damaged;
    raw->damaged += g->damaged;
    raw->sound += g->packet && !g->damaged;
    return out;
}

/* Takes the tags off the frame in w->came, and returns what is left; 0 when it is in another VLAN.
 */
static size_t untag(raw_transport *w, size_t len)
{
    w->frame = w->came;
    if (w->raw.vlan.num == 0)
        return gw_vlan_fits(&w->raw.vlan, w->came, len) ? len : 0;
    w->frame = w->plain;
    return gw_vlan_take(&w->raw.vlan, w->plain, w->came, len);
}

/* What is in another VLAN is none of ours. Where it comes from the other side, or goes to us, the
 * tags may be why nothing else does. */
static void pass_over(raw_transport *w, int64_t stamp_ns, size_t len)
{
    bool theirs = look_at(w, w->came, len).theirs;
    bool to_us = len >= GW_ETHER_HEADER && memcmp(w->came, w->ether.setup.mac, 6) == 0;
    w->raw.mistagged += theirs || to_us;
    if (theirs)
        tell(w, GW_DIR_IN, stamp_ns, w->came, len, NULL);
}

/* Takes up the frame in w->came. True when it is ours, or the other side's. What goes to another
 * port of ours is for another line (|all|: it is not). */
static bool take_up(raw_transport *w, int64_t stamp_ns, size_t came, bool all)
{
    /* Older kernels show what we send ourselves. */
    if (came >= GW_ETHER_HEADER && memcmp(w->came + 6, w->ether.setup.mac, 6) == 0)
        return false;
    w->got = false;
    size_t len = untag(w, came);
    if (len == 0) {
        pass_over(w, stamp_ns, came);
        return false;
    }
    glance seen = look_at(w, w->frame, len);
    if (seen.named)
        memcpy(w->seen, w->frame + 6, sizeof(w->seen));
    w->has_seen = w->has_seen || seen.named;
    if (seen.theirs && leave_out(&w->raw, &seen)) {
        tell(w, GW_DIR_IN, stamp_ns, w->came, came, NULL);
        return false;
    }
    gw_ether_kind kind = gw_ether_receive(&w->ether, w->frame, len, raw_now(&w->t), &w->out);
    bool here = len >= 6 && memcmp(w->frame, w->ether.setup.mac, 6) == 0;
    if ((kind == GW_ETHER_FOREIGN && !seen.theirs && !(all && here)) ||
        (kind == GW_ETHER_DATAGRAM && !w->got && !all))
        return false;
    keep_last(w, w->frame, len);
    tell(w, GW_DIR_IN, stamp_ns, w->came, came, w->got ? &w->net : NULL);
    return true;
}

static gw_recv_status next_frame(raw_transport *w, int64_t deadline, int64_t *stamp_ns, bool all)
{
    for (unsigned babble = 0; babble < BABBLE; babble++) {
        size_t len;
        if (!pop(w, stamp_ns, &len)) {
            gw_recv_status status = receive_frame(w, deadline, stamp_ns, &len);
            if (status != GW_RECV_DATA)
                return status;
        }
        if (take_up(w, *stamp_ns, len, all))
            return GW_RECV_DATA;
        if (raw_now(&w->t) < deadline)
            babble = 0;
    }
    return GW_RECV_TIMEOUT;
}

static gw_recv_status raw_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                               int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    raw_transport *w = of(t);
    int64_t stamp;
    do {
        gw_recv_status status = next_frame(w, deadline, &stamp, false);
        if (status != GW_RECV_DATA)
            return status;
    } while (!w->got);
    size_t whole = (size_t)(w->net.payload.end - w->net.payload.p);
    *len = whole < cap ? whole : cap;
    if (*len > 0)
        memcpy(buf, w->net.payload.p, *len);
    if (stamp_ns != NULL)
        *stamp_ns = stamp;
    if (from != NULL)
        *from = w->net.src;
    return GW_RECV_DATA;
}

gw_recv_status gw_raw_recv_frame(gw_transport *t, int64_t deadline, int64_t *stamp_ns)
{
    int64_t stamp;
    return next_frame(of(t), deadline, stamp_ns != NULL ? stamp_ns : &stamp, true);
}

/* ---- sending ---- */

/* Whether |frame| is of ARP or Neighbor Discovery. */
static bool tells_addresses(const uint8_t *frame, size_t len)
{
    gw_net net = {0};
    gw_net_status status =
        gw_net_parse(&net, GW_LINK_ETHERNET, gw_cursor_over(frame, len), (uint32_t)len);
    return (status == GW_NET_NOT_IP && net.ethertype == GW_ETHERTYPE_ARP) ||
           (status == GW_NET_OTHER_IP && net.protocol == GW_PROTOCOL_ICMPV6);
}

/* Waits a little for the other side's address; what tells no addresses stays for later. */
static void ask(raw_transport *w)
{
    int64_t until = raw_now(&w->t) + GW_ETHER_ASK_NS;
    gw_ether_ask(&w->ether, &w->t.remote, raw_now(&w->t), &w->out);
    while (gw_ether_lookup(&w->ether, &w->t.remote, raw_now(&w->t)) == NULL) {
        int64_t stamp;
        size_t len;
        if (raw_now(&w->t) > until || receive_frame(w, until, &stamp, &len) != GW_RECV_DATA)
            return;
        if (tells_addresses(w->came, len))
            (void)take_up(w, stamp, len, false);
        else
            push(w, stamp, len);
    }
}

static const uint8_t *resolve(raw_transport *w)
{
    const uint8_t *mac = gw_ether_lookup(&w->ether, &w->t.remote, raw_now(&w->t));
    bool asks = raw_now(&w->t) >= w->silent_until;
    for (unsigned i = 0; mac == NULL && asks && i < GW_ETHER_ASKS; i++) {
        ask(w);
        mac = gw_ether_lookup(&w->ether, &w->t.remote, raw_now(&w->t));
    }
    if (mac != NULL) {
        w->raw.unanswered = false;
        return mac;
    }
    if (asks)
        w->silent_until = raw_now(&w->t) + SILENT_NS;
    w->raw.unanswered = true;
    return w->has_seen ? w->seen : gw_ether_broadcast;
}

static bool raw_send(gw_transport *t, const uint8_t *data, size_t len)
{
    static const uint8_t nothing;
    raw_transport *w = of(t);
    uint8_t mac[6];
    memcpy(mac, resolve(w), sizeof(mac));
    if (gw_sockets_refuse(t, len))
        return false;
    w->frames->error[0] = '\0';
    w->sending = data != NULL ? data : &nothing;
    w->sending_len = len;
    bool fits =
        gw_ether_send_to(&w->ether, mac, t->local.port, &t->remote, w->sending, len, &w->out);
    w->sending = NULL;
    t->unreachable = w->frames->unreachable;
    memcpy(t->error, w->frames->error, sizeof(t->error));
    if (!fits)
        (void)snprintf(t->error, sizeof(t->error), "send: %zu bytes do not fit a datagram", len);
    return t->error[0] == '\0';
}

void gw_raw_take_segments(gw_transport *t, gw_raw_segment_fn fn, void *arg)
{
    raw_transport *w = of(t);
    w->segment = fn;
    w->segment_arg = arg;
    w->out.segment = station_takes;
}

void gw_raw_send_segment(gw_transport *t, const gw_tcp_segment *segment)
{
    raw_transport *w = of(t);
    uint8_t mac[6];
    memcpy(mac, resolve(w), sizeof(mac));
    bool fresh = segment->len > 0 && !segment->again;
    w->sending = fresh ? segment->data : NULL;
    w->sending_len = segment->len;
    gw_ether_send_segment(&w->ether, mac, t->local.port, &t->remote, segment, &w->out);
    w->sending = NULL;
    t->unreachable = w->frames->unreachable;
    memcpy(t->error, w->frames->error, sizeof(t->error));
}

/* What came has a time of the wall, and by that what went has one. */
static int64_t wall_of(const raw_transport *w, const early_frame *e)
{
    for (unsigned i = 0; i < w->num_early && e->stamp_ns == INT64_MIN; i++)
        if (w->early[i].stamp_ns != INT64_MIN)
            return w->early[i].stamp_ns + (e->now - w->early[i].now);
    return e->stamp_ns;
}

void gw_raw_set_tap(gw_transport *t, gw_raw_tap tap, void *arg)
{
    raw_transport *w = (raw_transport *)(void *)((char *)t->raw - offsetof(raw_transport, raw));
    w->raw.tap = tap;
    w->raw.tap_arg = arg;
    for (unsigned i = 0; i < w->num_early; i++) {
        const early_frame *e = &w->early[i];
        (void)tap(arg, e->dir, wall_of(w, e), e->frame, e->len, NULL);
    }
    w->num_early = 0;
}

bool gw_raw_find(gw_transport *t, uint8_t mac[6])
{
    memcpy(mac, resolve(of(t)), 6);
    return !t->raw->unanswered;
}

bool gw_raw_send_frame(gw_transport *t, const uint8_t *frame, size_t len)
{
    raw_transport *w = of(t);
    t->too_long = len > GW_ETHER_PACKET_MAX;
    if (t->too_long) {
        (void)snprintf(t->error, sizeof(t->error), "send: no frame is that long");
        return false;
    }
    keep_last(w, frame, len);
    bool sent = put_on_wire(w, frame, len, NULL);
    t->too_long = w->frames->too_long;
    if (!sent)
        memcpy(t->error, w->frames->error, sizeof(t->error));
    return sent;
}

static bool raw_no_checksum(gw_transport *t, bool on)
{
    of(t)->style.no_udp_checksum = on || of(t)->no_checksum;
    return true;
}

static void raw_wait(gw_transport *t, int64_t deadline)
{
    of(t)->frames->ops->wait(of(t)->frames, deadline);
}

static void raw_close(gw_transport *t)
{
    raw_transport *w = of(t);
    gw_transport_close(w->frames);
    if (w->guard_fd >= 0)
        close(w->guard_fd);
    free(w->fragments);
    free(w);
}

static const gw_transport_ops raw_ops = {
    .now = raw_now,
    .send = raw_send,
    .recv = raw_recv,
    .wait = raw_wait,
    .close = raw_close,
    .no_checksum = raw_no_checksum,
};

/* What a datagram may have where frames have |longest| bytes: our station cuts datagrams to frames
 * of the usual length, which a narrower way does not take. */
static size_t carries(size_t longest, const gw_raw_setup *setup)
{
    longest -= setup->vlan.num > 1 ? gw_vlan_extra(&setup->vlan) : 0; /* one tag comes on top */

    gw_impairment path = {.mtu = (uint32_t)(longest - GW_ETHER_HEADER)};
    bool ipv6 = setup->local.family == GW_FAMILY_IPV6;
    return longest < GW_ETHER_FRAME_MAX
               ? gw_impair_carries(&path, ipv6 ? GW_IMPAIR_UDP6 : GW_IMPAIR_UDP4)
               : 0;
}

gw_transport *gw_raw_over(gw_transport *frames, const gw_raw_setup *setup, char *why,
                          size_t why_cap)
{
    static const gw_ip_style usual = {.ttl = 64};
    raw_transport *w = calloc(1, sizeof(*w));
    void *fragments = calloc(1, gw_defrag_size(FRAGMENTED));
    if (w == NULL || fragments == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        gw_transport_close(frames);
        if (setup->guard_fd >= 0)
            close(setup->guard_fd);
        free(w);
        free(fragments);
        return NULL;
    }
    w->t = (gw_transport){
        .ops = &raw_ops, .local = setup->local, .remote = setup->remote, .raw = &w->raw};
    if (frames->carries > GW_ETHER_HEADER + WIRE_EXTRA)
        w->t.carries = carries(frames->carries, setup);
    w->raw.ether = &w->ether;
    w->raw.vlan = setup->vlan;
    w->frames = frames;
    w->guard_fd = setup->guard_fd;
    w->fragments = fragments;
    w->style = setup->style != NULL ? *setup->style : usual;
    w->no_checksum = w->style.no_udp_checksum;
    w->out = (gw_ether_out){.frame = station_sends, .datagram = station_hears};
    gw_ether_setup station = {.at = setup->local,
                              .style = &w->style,
                              .defrag = gw_defrag_init(fragments, FRAGMENTED, NULL, NULL)};
    memcpy(station.mac, setup->mac, sizeof(station.mac));
    gw_ether_init(&w->ether, &station);
    return &w->t;
}
