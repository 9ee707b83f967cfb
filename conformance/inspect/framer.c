/* SPDX-License-Identifier: BSD-2-Clause */
/* Puts messages back into frames. */
#include "inspect/framer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/ib.h"
#include "goldwire/net.h"
#include "goldwire/writer.h"

#define HEADERS_MAX 128 /* Ethernet, VLAN tags, IPv6, TCP */
#define MAC_LEN 6
#define TAG_LEN 4
#define TPID 0x8100
#define TCP_PSH 0x08
#define PORTS_MAX 64 /* captured interfaces of bare units */
#define CAPTURE_HEADER_MAX 64
#define NETWORKS_MAX 8 /* formats */
#define DEFAULT_CLIENT_PORT 49152
#define WINDOW_MAX (UINT32_C(1) << 30) /* RFC 7323 2.3 */

static const char what_this_is[] = "made from JSON by goldwire encode";

/* One connection. Index 0 is the side that opened it. */
typedef struct connection {
    gw_endpoint ends[2];
    uint32_t next[2]; /* sequence number of the next byte */
    uint32_t owed[2]; /* bytes that its last message lacks */
    uint64_t used;    /* when, in messages; 0: the entry is free */
    const gw_format *format;
    int64_t time_ns;
    uint32_t stream;
    bool has_stream;
} connection;

/* One interface of bare units, as it was numbered and as it is numbered now. */
typedef struct port {
    uint32_t interface;
    uint16_t link_type;
    int written_as;
} port;

/* The interface of one format's Ethernet frames. */
typedef struct network {
    const gw_format *format;
    int written_as;
} network;

struct gw_framer {
    gw_pcapng_writer *writer;
    size_t num_networks;
    network networks[NETWORKS_MAX];
    size_t num_ports;
    port ports[PORTS_MAX];
    uint64_t messages;
    uint32_t opened;
    connection connections[GW_FRAMER_CONNECTIONS];
    uint8_t frame[GW_ASSEMBLE_BYTES + HEADERS_MAX];
};

gw_framer *gw_framer_new(gw_pcapng_writer *writer)
{
    gw_framer *f = calloc(1, sizeof *f);

    if (f == NULL)
        return NULL;
    f->writer = writer;
    return f;
}

void gw_framer_free(gw_framer *f)
{
    free(f);
}

/* The capture says what it holds, so that it is read as what it was. InfiniBand's packets are found
 * by their carrier, and whose they are is told by their sessions. */
static int open_interface(gw_framer *f, uint32_t link_type, const gw_format *format)
{
    char says[GW_ANNOUNCE_MAX];
    gw_text text = gw_text_over(says, sizeof says);
    gw_announcement a = {.format = format};

    if (!format->infiniband) {
        gw_announcement_write(&a, &text);
        gw_text_str(&text, " - ");
    }
    gw_text_str(&text, what_this_is);
    return gw_pcapng_interface(f->writer, link_type, "encode", says);
}

static int network_of(gw_framer *f, const gw_format *format)
{
    for (size_t i = 0; i < f->num_networks; i++) {
        if (f->networks[i].format == format)
            return f->networks[i].written_as;
    }
    if (f->num_networks == NETWORKS_MAX)
        return -1;
    network *n = &f->networks[f->num_networks++];
    n->format = format;
    n->written_as = open_interface(f, GW_LINK_ETHERNET, format);
    return n->written_as;
}

/* Writes the |len| bytes in f->frame, tagged as |like| was, the last |cut| of them not captured. */
static gw_framer_result write_frame(gw_framer *f, const gw_format *format, size_t len,
                                    const gw_message *like, size_t cut)
{
    size_t tags = (size_t)like->num_vlans * TAG_LEN;

    if (tags > 0) {
        uint8_t *at = f->frame + 2 * (size_t)MAC_LEN;
        memmove(at + tags, at, len - 2 * (size_t)MAC_LEN);
        for (unsigned i = 0; i < like->num_vlans; i++) {
            gw_store_be(at + (size_t)i * TAG_LEN, TPID, 2);
            gw_store_be(at + (size_t)i * TAG_LEN + 2, like->vlans[i], 2);
        }
    }
    int interface = network_of(f, format);
    if (interface < 0)
        return GW_FRAMER_FAILED;
    gw_frame frame = {
        .data = f->frame,
        .len = (uint32_t)(len + tags),
        .cap_len = (uint32_t)(len + tags - cut),
        .link_type = GW_LINK_ETHERNET,
        .interface = (uint32_t)interface,
        .time_ns = like->time_ns,
        .dir = like->dir,
    };
    return gw_pcapng_frame(f->writer, &frame) ? GW_FRAMER_OK : GW_FRAMER_FAILED;
}

static gw_framer_result refuse(const gw_message *m, char *why, size_t why_cap)
{
    if (m->src.family != m->dst.family || m->src.family == GW_FAMILY_LID)
        snprintf(why, why_cap, "src and dst must both be IPv4 or both IPv6");
    else
        snprintf(why, why_cap, "%" PRIu32 " bytes are more than one IP packet carries", m->len);
    return GW_FRAMER_REFUSED;
}

static gw_framer_result add_datagram(gw_framer *f, gw_assembled *a, char *why, size_t why_cap)
{
    const gw_message *m = &a->message;

    /* What the capture had cut is sent as zeros and cut again. */
    size_t room = sizeof f->frame - (size_t)GW_MESSAGE_VLANS * TAG_LEN;
    size_t payload_len = m->len, cut = m->len - m->cap_len;
    const uint8_t *payload = m->data;
    if (a->format->infiniband) {
        payload_len = gw_ib_close_udp(a->scratch, sizeof a->scratch, m->data, m->len, &m->src,
                                      &m->dst, a->icrc_flaw);
        payload = a->scratch;
        cut += cut > 0 ? GW_IB_ICRC : 0;
        if (payload_len == 0)
            return refuse(m, why, why_cap);
    }
    size_t len = gw_frame_udp_styled(f->frame, room, &m->src, &m->dst, payload, payload_len,
                                     a->format->ip_style);
    if (len == 0)
        return refuse(m, why, why_cap);
    return write_frame(f, a->format, len, m, cut);
}

/* ---- TCP ---- */

/* Writes one segment from side |dir|, stamped and tagged as |like|. */
static gw_framer_result add_segment(gw_framer *f, connection *c, unsigned dir, uint8_t flags,
                                    const gw_message *like, const uint8_t *data, size_t len)
{
    uint32_t ack = (flags & GW_TCP_ACK) != 0 ? c->next[!dir] : 0;
    size_t room = sizeof f->frame - (size_t)GW_MESSAGE_VLANS * TAG_LEN;
    size_t n = gw_frame_tcp(f->frame, room, &c->ends[dir], &c->ends[!dir], c->next[dir], ack, flags,
                            data, len);

    if (n == 0)
        return GW_FRAMER_REFUSED;
    c->next[dir] += (uint32_t)len + ((flags & (GW_TCP_SYN | GW_TCP_FIN)) != 0 ? 1 : 0);
    return write_frame(f, c->format, n, like, 0);
}

/* Three segments: SYN and its answer, or FIN and its answer, and the acknowledgement. */
static gw_framer_result add_exchange(gw_framer *f, connection *c, uint8_t first, uint8_t second,
                                     const gw_message *like)
{
    gw_framer_result result = add_segment(f, c, 0, first, like, NULL, 0);

    if (result == GW_FRAMER_OK)
        result = add_segment(f, c, 1, second, like, NULL, 0);
    if (result == GW_FRAMER_OK)
        result = add_segment(f, c, 0, GW_TCP_ACK, like, NULL, 0);
    return result;
}

static gw_framer_result close_connection(gw_framer *f, connection *c)
{
    gw_message like = {.time_ns = c->time_ns};

    c->used = 0;
    for (unsigned dir = 0; dir < 2; dir++)
        c->next[dir] += c->owed[dir];
    return add_exchange(f, c, GW_TCP_FIN | GW_TCP_ACK, GW_TCP_FIN | GW_TCP_ACK, &like);
}

static bool same_pair(const connection *c, const gw_message *m)
{
    return (gw_endpoint_equal(&c->ends[0], &m->src) && gw_endpoint_equal(&c->ends[1], &m->dst)) ||
           (gw_endpoint_equal(&c->ends[0], &m->dst) && gw_endpoint_equal(&c->ends[1], &m->src));
}

/* Opens an entry for the connection of |a|: a new one between the same two ends comes after the
 * old one, and when all are taken the longest unused one is closed. */
static gw_framer_result open_connection(gw_framer *f, const gw_assembled *a, connection **out)
{
    const gw_message *m = &a->message;
    connection *c = &f->connections[0];
    gw_framer_result result = GW_FRAMER_OK;

    for (size_t i = 0; i < GW_FRAMER_CONNECTIONS; i++) {
        connection *other = &f->connections[i];
        if (other->used != 0 && same_pair(other, m)) {
            c = other;
            break;
        }
        if (other->used < c->used)
            c = other;
    }
    if (c->used != 0)
        result = close_connection(f, c);

    uint32_t start = f->opened++ << 20;
    *c = (connection){
        .ends = {a->tcp_dir == 0 ? m->src : m->dst, a->tcp_dir == 0 ? m->dst : m->src},
        .next = {start + 1000, start + 5000},
        .format = a->format,
        .stream = m->stream,
        .has_stream = a->has_stream,
    };
    *out = c;
    if (result == GW_FRAMER_OK && !a->start_missing)
        result = add_exchange(f, c, GW_TCP_SYN, GW_TCP_SYN | GW_TCP_ACK, m);
    return result;
}

static gw_framer_result find_connection(gw_framer *f, const gw_assembled *a, connection **out)
{
    for (size_t i = 0; i < GW_FRAMER_CONNECTIONS; i++) {
        connection *c = &f->connections[i];
        if (c->used == 0 || !same_pair(c, &a->message))
            continue;
        if (a->has_stream && c->has_stream && c->stream != a->message.stream)
            continue;
        *out = c;
        return GW_FRAMER_OK;
    }
    return open_connection(f, a, out);
}

static gw_framer_result add_stream_message(gw_framer *f, const gw_assembled *a, char *why,
                                           size_t why_cap)
{
    const gw_message *m = &a->message;
    gw_framer_result result;
    connection *c;

    /* Asked before anything is opened: the handshake would come without a message. */
    if (gw_frame_tcp(f->frame, sizeof f->frame - (size_t)GW_MESSAGE_VLANS * TAG_LEN, &m->src,
                     &m->dst, 0, 0, GW_TCP_ACK, m->data, m->cap_len) == 0)
        return refuse(m, why, why_cap);
    result = find_connection(f, a, &c);
    if (result != GW_FRAMER_OK)
        return result;

    unsigned dir = gw_endpoint_equal(&c->ends[0], &m->src) ? 0 : 1;
    c->used = ++f->messages;
    c->time_ns = m->time_ns;
    uint32_t lost = a->lost_before > 0 ? a->lost_before : c->owed[dir];
    c->owed[dir] = m->len - m->cap_len;
    /* The other side's acknowledgement says that these bytes were sent; one says at most a window.
     */
    while (lost > 0 && result == GW_FRAMER_OK) {
        uint32_t step = lost < WINDOW_MAX ? lost : WINDOW_MAX;
        c->next[dir] += step;
        lost -= step;
        result = add_segment(f, c, !dir, GW_TCP_ACK, m, NULL, 0);
    }
    if (result != GW_FRAMER_OK)
        return result;
    return add_segment(f, c, dir, GW_TCP_ACK | TCP_PSH, m, m->data, m->cap_len);
}

/* ---- bare units ---- */

static port *find_port(gw_framer *f, const gw_format *format, const gw_message *m,
                       uint16_t link_type)
{
    for (size_t i = 0; i < f->num_ports; i++) {
        port *p = &f->ports[i];
        if (p->interface == m->interface && p->link_type == link_type)
            return p;
    }
    if (f->num_ports == PORTS_MAX)
        return NULL;
    port *p = &f->ports[f->num_ports];
    p->interface = m->interface;
    p->link_type = link_type;
    p->written_as = open_interface(f, link_type, format);
    f->num_ports++;
    return p;
}

/* The LRH that JSON did not give. */
static void default_lrh(gw_assembled *a)
{
    const gw_message *m = &a->message;
    uint16_t dlid = m->dst.family == GW_FAMILY_LID ? gw_ib_endpoint_lid(&m->dst) : 0;
    uint16_t slid = m->src.family == GW_FAMILY_LID ? gw_ib_endpoint_lid(&m->src) : 0;

    if (!a->has_lrh)
        gw_ib_put_lrh(a->lrh, 0, 0, dlid, slid, m->len, a->has_grh);
}

/* A frame from LRH to VCRC. Wireshark does not open InfiniBand's own link type, but ERF records. */
static gw_framer_result add_infiniband(gw_framer *f, gw_assembled *a, char *why, size_t why_cap)
{
    const gw_message *m = &a->message;
    bool erf = m->link_type == GW_LINK_INFINIBAND;
    size_t head = erf ? GW_ERF_HEADER : 0;
    port *p = find_port(f, a->format, m, erf ? GW_LINK_ERF : m->link_type);

    if (p == NULL) {
        snprintf(why, why_cap, "more than %d interfaces", PORTS_MAX);
        return GW_FRAMER_REFUSED;
    }
    default_lrh(a);
    size_t len =
        gw_ib_close_native(f->frame + head, sizeof f->frame - head, a->lrh,
                           a->has_grh ? a->grh : NULL, m->data, m->len, a->icrc_flaw, a->vcrc_flaw);
    if (len == 0)
        return refuse(m, why, why_cap);
    size_t cut = m->len - m->cap_len;
    cut += cut > 0 ? GW_IB_ICRC + GW_IB_VCRC : 0;
    if (erf)
        gw_erf_header(f->frame, GW_ERF_INFINIBAND, m->time_ns, len, cut);
    gw_frame frame = {
        .data = f->frame,
        .len = (uint32_t)(head + len - cut),
        .cap_len = (uint32_t)(head + len - cut),
        .link_type = erf ? GW_LINK_ERF : m->link_type,
        .interface = (uint32_t)p->written_as,
        .time_ns = m->time_ns,
        .dir = m->dir,
    };
    if (!erf)
        frame.len += (uint32_t)cut;
    return p->written_as >= 0 && gw_pcapng_frame(f->writer, &frame) ? GW_FRAMER_OK
                                                                    : GW_FRAMER_FAILED;
}

static gw_framer_result add_bare(gw_framer *f, const gw_assembled *a, char *why, size_t why_cap)
{
    const gw_message *m = &a->message;
    const gw_link *link = gw_format_link(a->format, m->link_type);
    size_t head = 0;
    port *p = find_port(f, a->format, m, m->link_type);

    if (p == NULL) {
        snprintf(why, why_cap, "more than %d interfaces", PORTS_MAX);
        return GW_FRAMER_REFUSED;
    }
    if (link == NULL)
        link = &a->format->links[0];
    if (link->wrap != NULL)
        head = link->wrap(m, f->frame, CAPTURE_HEADER_MAX);
    if (m->cap_len > 0)
        memcpy(f->frame + head, m->data, m->cap_len);
    gw_frame frame = {
        .data = f->frame,
        .len = (uint32_t)head + m->len,
        .cap_len = (uint32_t)head + m->cap_len,
        .link_type = m->link_type,
        .interface = (uint32_t)p->written_as,
        .time_ns = m->time_ns,
        .dir = m->dir,
    };
    return p->written_as >= 0 && gw_pcapng_frame(f->writer, &frame) ? GW_FRAMER_OK
                                                                    : GW_FRAMER_FAILED;
}

/* ---- all ---- */

static void default_addresses(gw_assembled *a)
{
    const gw_format *format = a->format;
    gw_message *m = &a->message;
    bool tcp = m->transport == GW_OVER_TCP;
    size_t num = tcp ? format->num_tcp_ports : format->num_udp_ports;
    const uint16_t *ports = tcp ? format->tcp_ports : format->udp_ports;
    gw_endpoint client = {
        .ip = {127, 0, 0, 1}, .port = DEFAULT_CLIENT_PORT, .family = GW_FAMILY_IPV4};
    gw_endpoint server = client;

    if (num > 0)
        server.port = ports[0];
    if (m->src.family == GW_FAMILY_NONE)
        m->src = a->tcp_dir == 0 ? client : server;
    if (m->dst.family == GW_FAMILY_NONE)
        m->dst = a->tcp_dir == 0 ? server : client;
}

gw_framer_result gw_framer_add(gw_framer *f, gw_assembled *assembled, char *why, size_t why_cap)
{
    if (assembled->message.transport == GW_OVER_NOTHING && assembled->format->infiniband)
        return add_infiniband(f, assembled, why, why_cap);
    if (assembled->message.transport == GW_OVER_NOTHING)
        return add_bare(f, assembled, why, why_cap);
    default_addresses(assembled);
    if (assembled->message.transport == GW_OVER_TCP)
        return add_stream_message(f, assembled, why, why_cap);
    return add_datagram(f, assembled, why, why_cap);
}

gw_framer_result gw_framer_end(gw_framer *f)
{
    gw_framer_result result = GW_FRAMER_OK;

    for (size_t i = 0; i < GW_FRAMER_CONNECTIONS && result == GW_FRAMER_OK; i++) {
        if (f->connections[i].used != 0)
            result = close_connection(f, &f->connections[i]);
    }
    return result;
}
