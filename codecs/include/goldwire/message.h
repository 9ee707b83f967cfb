/* SPDX-License-Identifier: BSD-2-Clause */
/* A message: the unit that a codec decodes, and where it came from. */
#ifndef GOLDWIRE_MESSAGE_H
#define GOLDWIRE_MESSAGE_H

#include <string.h>

#include "goldwire/base.h"

GW_BEGIN_DECLS

typedef enum gw_family {
    GW_FAMILY_NONE = 0, /* not known, or the carrier has no addresses */
    GW_FAMILY_IPV4,     /* address in ip[0..3], network order */
    GW_FAMILY_IPV6,     /* address in ip[0..15], network order */
    GW_FAMILY_LID,      /* InfiniBand: LID in ip[0..1], then, when ip[3] is 1, the queue pair in
                           ip[5..7], both in network order */
} gw_family;

/* gw_endpoint is one end of a conversation. Unused bytes are zero, so memcmp compares two. */
typedef struct gw_endpoint {
    uint8_t ip[16];
    uint16_t port;  /* host byte order; 0 when the carrier has none */
    uint8_t family; /* gw_family */
    uint8_t unused;
} gw_endpoint;

/* gw_endpoint_equal says whether two ends are the same address and port. */
static inline bool gw_endpoint_equal(const gw_endpoint *a, const gw_endpoint *b)
{
    return a->port == b->port && a->family == b->family && memcmp(a->ip, b->ip, sizeof a->ip) == 0;
}

typedef enum gw_transport_kind {
    GW_OVER_NOTHING = 0, /* a bare captured unit */
    GW_OVER_UDP,
    GW_OVER_TCP,
} gw_transport_kind;

typedef enum gw_direction {
    GW_DIR_UNKNOWN = 0,
    GW_DIR_IN,
    GW_DIR_OUT,
} gw_direction;

/* gw_side is one side of a conversation. */
typedef enum gw_side {
    GW_SIDE_UNKNOWN = 0,
    GW_SIDE_CALLER, /* begins it: a master, a client, who opens a connection */
    GW_SIDE_CALLED,
} gw_side;

#define GW_MESSAGE_FRAMES 8
#define GW_MESSAGE_VLANS 4

typedef struct gw_ib gw_ib; /* goldwire/ib.h */

/* gw_span_ns returns how much later |to_ns| is than |from_ns|, negative when it is earlier; as much
 * as 64 bits tell, for captures may hold any times. */
static inline int64_t gw_span_ns(int64_t from_ns, int64_t to_ns)
{
    uint64_t later = (uint64_t)to_ns - (uint64_t)from_ns, earlier = 0 - later;

    if (to_ns >= from_ns)
        return later > INT64_MAX ? INT64_MAX : (int64_t)later;
    return earlier > INT64_MAX ? INT64_MIN : -(int64_t)earlier;
}

/* gw_wait_ns returns the same of what cannot be negative, as how long somebody has waited: 0 when
 * |to_ns| is earlier. */
static inline int64_t gw_wait_ns(int64_t from_ns, int64_t to_ns)
{
    return to_ns < from_ns ? 0 : gw_span_ns(from_ns, to_ns);
}

/* gw_message is a borrowed view: nothing in it is owned, all pointers live as long as the call that
 * hands it over. |cap_len| < |len| means that the capture, not the sender, cut the message. */
typedef struct gw_message {
    const uint8_t *data; /* cap_len bytes; never NULL unless cap_len is 0 */
    uint32_t cap_len;
    uint32_t len;
    int64_t time_ns; /* capture time, nanoseconds since 1970-01-01 UTC */
    gw_endpoint src;
    gw_endpoint dst;
    uint64_t frame;                     /* the frame that completed the message, counting from 1 */
    uint64_t origin;                    /* the frame of the message that its sender was sent, and
                                           passed on as this one; 0: none, or not known. What is
                                           wrong with both is not this sender's fault */
    uint64_t frames[GW_MESSAGE_FRAMES]; /* every frame that gave bytes, oldest first ... */
    uint32_t num_frames;                /* ... at least 1 in a capture; when it exceeds
                                           GW_MESSAGE_FRAMES the list holds the first ones */
    uint32_t stream;                    /* TCP connection number in its capture, from 0 */
    uint16_t vlans[GW_MESSAGE_VLANS];   /* VLAN ids, outermost first */
    uint8_t num_vlans;
    uint8_t transport;    /* gw_transport_kind */
    uint8_t dir;          /* gw_direction, as the capture tells it */
    uint8_t side;         /* gw_side of its sender, as the capture tells it */
    bool tunnel;          /* what carried it is goldwire's, no part of the format: ports, headers */
    uint8_t part;         /* which part of a stream this is; defined by the format */
    uint32_t part_arg;    /* what travels with that part, say negotiated widths */
    uint32_t interface;   /* of the capture, from 0: tells two ports of a board apart */
    uint16_t link_type;   /* LINKTYPE_ number of a bare captured unit; 0 otherwise */
    uint16_t link_len;    /* bytes at |link| */
    uint32_t frame_len;   /* bytes of the frame that carried it, without check sequence; with
                             |link| only */
    const uint8_t *link;  /* Ethernet's header, VLAN tags included; NULL over anything else, and of
                             a message of several frames */
    uint16_t lower_len;   /* bytes at |lower| */
    const uint8_t *lower; /* over UDP: the IP header, whole, then the UDP header; else NULL */
    const gw_ib *ib; /* of an InfiniBand packet: what stood around it, or NULL (goldwire/ib.h) */
} gw_message;

/* gw_message_of returns a message over |len| bytes at |data| with everything else unknown. */
static inline gw_message gw_message_of(const uint8_t *data, size_t len)
{
    gw_message m = {0};
    m.data = data;
    m.cap_len = (uint32_t)len;
    m.len = (uint32_t)len;
    return m;
}

/* gw_message_kept returns what can be kept of |m| behind the call that handed it over: all but its
 * bytes and what stood around them. Its lengths stay: before it is handed on it needs bytes. */
static inline gw_message gw_message_kept(const gw_message *m)
{
    gw_message kept = *m;
    kept.data = kept.link = kept.lower = NULL;
    kept.link_len = kept.lower_len = 0;
    kept.frame_len = 0;
    kept.ib = NULL;
    return kept;
}

GW_END_DECLS

#endif
