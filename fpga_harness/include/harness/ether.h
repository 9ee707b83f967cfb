/* SPDX-License-Identifier: BSD-2-Clause */
/* A station on an Ethernet: what lies between frames and UDP datagrams. It answers for its address,
 * asks for others', by ARP over IPv4 and Neighbor Discovery over IPv6, keeps what it was told, pads
 * short frames, cuts long datagrams into fragments. Without I/O and without a clock, in fixed
 * memory: frames go in and come out, and time is an argument. It has one address, and knows
 * stations of the same network only. Of an address's gw_endpoint the port does not count here. */
#ifndef HARNESS_ETHER_H
#define HARNESS_ETHER_H

#include "goldwire/base.h"
#include "goldwire/format.h"
#include "goldwire/net.h"
#include "harness/tcb.h"

enum {
    GW_ETHER_HEADER = 14,      /* bytes before IP or ARP */
    GW_ETHER_FRAME_MIN = 60,   /* without check sequence; shorter ones are padded with zeros */
    GW_ETHER_FRAME_MAX = 1514, /* likewise */
    GW_ETHER_PACKET_MAX = GW_ETHER_HEADER + 65535,
    GW_ETHER_NEIGHBOURS = 16, /* that are remembered; the least recently used goes */
    GW_ETHER_WAITING = 1536,  /* bytes of the datagram that may wait for an answer */
    GW_ETHER_ASKS = 3,        /* requests before nobody is there */
};

#define GW_ETHER_ASK_NS INT64_C(500000000)    /* between two requests */
#define GW_ETHER_KEEP_NS INT64_C(60000000000) /* an entry is kept */
#define GW_ETHER_NEVER INT64_MAX

/* gw_ether_fault is what a station can do wrong; a bit each in gw_ether_setup.faults. They
 * lie beside the station, in ether_faults.c. */
typedef enum gw_ether_fault {
    /* IP and UDP headers */
    GW_ETHER_FAULT_TTL = 0,       /* half of what it should be */
    GW_ETHER_FAULT_TOS,           /* not 0 */
    GW_ETHER_FAULT_TOS_MIRRORED,  /* that of the last datagram that came */
    GW_ETHER_FAULT_IP_CHECKSUM,   /* wrong */
    GW_ETHER_FAULT_IP_OPTIONS,    /* sends some */
    GW_ETHER_FAULT_UDP_CHECKSUM,  /* sends one where there should be none */
    GW_ETHER_FAULT_IP_LENGTH,     /* counts bytes behind the datagram */
    GW_ETHER_FAULT_RUNT,          /* does not pad short frames */
    GW_ETHER_FAULT_RUNT_MIRRORED, /* ... nor an ARP reply further than its request */
    /* ARP */
    GW_ETHER_FAULT_ASKS_NOT,       /* sends to whom a frame came from, without asking */
    GW_ETHER_FAULT_ANSWERS_NOT,    /* no request at all */
    GW_ETHER_FAULT_ANSWERS_MANY,   /* requests for any address */
    GW_ETHER_FAULT_ANSWERS_ALL,    /* by broadcast */
    GW_ETHER_FAULT_DEAF_TO_ONE,    /* answers no request that came by unicast */
    GW_ETHER_FAULT_REPLY_IGNORED,  /* sends to whom a frame came from, whatever a reply says */
    GW_ETHER_FAULT_ASKS_ANEW,      /* before each datagram */
    GW_ETHER_FAULT_ASKED_IS_KNOWN, /* sends to whom it asked for, answered or not */
    GW_ETHER_FAULT_ANY_REPLY,      /* takes each for one about whom it sent to last */
    GW_ETHER_FAULT_ANY_HARDWARE,   /* takes replies that are not about Ethernet */
    GW_ETHER_FAULT_LOSES_WAITING,  /* forgets the datagram that waits for an answer */
    /* what comes in */
    GW_ETHER_FAULT_PADDING_LEAKS,      /* takes padding for the end of the datagram */
    GW_ETHER_FAULT_WANTS_CHECKSUM,     /* drops datagrams whose UDP checksum is 0 */
    GW_ETHER_FAULT_FRAGMENT_STALLS,    /* ... and hears nothing from then on */
    GW_ETHER_FAULT_OPTIONS_STALL,      /* likewise, after IP options */
    GW_ETHER_FAULT_SHORT_LENGTH_STALL, /* likewise, after lengths that contradict each other */
    GW_ETHER_FAULT_ETHERTYPE_STALLS,   /* likewise, after an EtherType it does not know */
} gw_ether_fault;

/* GW_ETHER_BIT is the bit of a gw_ether_fault, by the end of its name. */
#define GW_ETHER_BIT(name) (UINT32_C(1) << GW_ETHER_FAULT_##name)

/* gw_ether_setup is who a station is. */
typedef struct gw_ether_setup {
    uint8_t mac[6];
    gw_endpoint at;           /* its address, IPv4 or IPv6 */
    const gw_ip_style *style; /* of its headers; NULL: as a host's sockets fill them */
    gw_defrag *defrag;        /* the caller's; NULL: fragments that come are dropped */
    uint32_t faults;          /* of gw_ether_fault */
    bool verifies;            /* drops what a checksum tells to be damaged, as hosts do */
} gw_ether_setup;

/* gw_ether_neighbour is what is known of one address. */
typedef struct gw_ether_neighbour {
    gw_endpoint at; /* of no family: free */
    uint8_t mac[6];
    bool known;
    uint8_t asks;     /* since it is not known */
    int64_t deadline; /* when what is known is too old; when to ask again */
    uint64_t used;
    uint16_t from; /* ports of the datagram that waits, and ... */
    uint16_t to;
    uint16_t waiting_len;
    bool waits; /* ... whether there is one */
    uint8_t waiting[GW_ETHER_WAITING];
} gw_ether_neighbour;

/* gw_ether is a station. */
typedef struct gw_ether {
    gw_ether_setup setup;
    bool silent;  /* answers no ARP requests; the caller's to set */
    bool stalled; /* a fault's */
    uint32_t id;  /* of the last IP packet, or of the last one that was cut */
    uint64_t clock;
    uint64_t num_frames;  /* that came */
    uint8_t last_from[6]; /* a fault's: whom the last frame came from, */
    size_t last_len;      /* ... and its bytes */
    uint8_t last_tos;     /* a fault's: of the last datagram that came */
    uint32_t last_to;     /* a fault's: the IPv4 address that was sent to, or asked for, last */
    gw_ether_neighbour neighbours[GW_ETHER_NEIGHBOURS];
    uint8_t packet[GW_ETHER_PACKET_MAX + 4]; /* being sent, and what faults add to it */
    uint8_t piece[GW_ETHER_FRAME_MAX];       /* of it */
} gw_ether;

/* gw_ether_out takes what a station does during one call. Nothing in it outlives its call. */
typedef struct gw_ether_out gw_ether_out;
struct gw_ether_out {
    /* frame is to be sent. */
    void (*frame)(gw_ether_out *out, const uint8_t *frame, size_t len);
    /* datagram came for the station's address, to any port: ends, ports and payload stand in |net|,
     * and the frame's headers unless it came in fragments. */
    void (*datagram)(gw_ether_out *out, const gw_net *net);
    /* segment of TCP came, likewise; NULL: nobody takes any. */
    void (*segment)(gw_ether_out *out, const gw_net *net);
};

/* gw_ether_kind is what a frame was to a station. */
typedef enum gw_ether_kind {
    GW_ETHER_FOREIGN = 0, /* for somebody else, or nothing it knows */
    GW_ETHER_ASKED,       /* a request or an answer about its address, or of an address it knows */
    GW_ETHER_DATAGRAM,    /* handed on, as is ... */
    GW_ETHER_SEGMENT,     /* ... one of TCP */
    GW_ETHER_FRAGMENT,    /* of a datagram that is not complete, or was dropped */
    GW_ETHER_BAD,         /* for it, and broken: dropped */
} gw_ether_kind;

/* gw_ether_init makes |e| the station |setup|, that knows nobody. */
void gw_ether_init(gw_ether *e, const gw_ether_setup *setup);

/* gw_ether_receive takes the |len| bytes of |frame|, without check sequence, at |now_ns|, and says
 * what it was. */
gw_ether_kind gw_ether_receive(gw_ether *e, const uint8_t *frame, size_t len, int64_t now_ns,
                               gw_ether_out *out);

/* gw_ether_damaged says whether a checksum of the frame that |net| was read of, |status|, tells
 * that it was damaged on its way: IPv4's, or that of UDP or TCP. A datagram over IPv4 may have
 * none; over IPv6 it must have one (RFC 8200 8.1). The checksum of a fragment's datagram, and one
 * that the sender's hardware would have computed, are not looked at. */
bool gw_ether_damaged(const gw_net *net, gw_net_status status);

/* gw_ether_send sends a datagram from port |from| to |to|. When nobody has told where that is it
 * asks, and the datagram waits for the answer; a later one takes its place. False when it is too
 * long: more than 65507 bytes, or more than GW_ETHER_WAITING while it would have to wait. */
bool gw_ether_send(gw_ether *e, uint16_t from, const gw_endpoint *to, const uint8_t *data,
                   size_t len, int64_t now_ns, gw_ether_out *out);

/* gw_ether_send_to sends it to the hardware address |mac| at once, whatever is known of it. */
bool gw_ether_send_to(gw_ether *e, const uint8_t mac[6], uint16_t from, const gw_endpoint *to,
                      const uint8_t *data, size_t len, gw_ether_out *out);

/* gw_ether_send_segment sends a TCP segment, of at most GW_TCB_LONGEST bytes, from port |from|
 * to |to| at the hardware address |mac|. */
void gw_ether_send_segment(gw_ether *e, const uint8_t mac[6], uint16_t from, const gw_endpoint *to,
                           const gw_tcp_segment *segment, gw_ether_out *out);

/* gw_ether_ask asks for the hardware address of |whom|. */
void gw_ether_ask(gw_ether *e, const gw_endpoint *whom, int64_t now_ns, gw_ether_out *out);

/* gw_ether_lookup returns the hardware address of |whom|, NULL when it is not known at |now_ns|. */
const uint8_t *gw_ether_lookup(gw_ether *e, const gw_endpoint *whom, int64_t now_ns);

/* gw_ether_learn notes that |whom| is at |mac|, and sends what waits for it. */
void gw_ether_learn(gw_ether *e, const gw_endpoint *whom, const uint8_t mac[6], int64_t now_ns,
                    gw_ether_out *out);

/* gw_ether_timer asks again where it is time to, and gives up who never answers. It returns when it
 * wants to be called next, or GW_ETHER_NEVER; never a time before |now_ns|. */
int64_t gw_ether_timer(gw_ether *e, int64_t now_ns, gw_ether_out *out);

/* gw_ether_arp writes the ARP packet |arp| from |arp->sender_hw| to |dst|, padded, into |out| and
 * returns its length. */
size_t gw_ether_arp(uint8_t out[GW_ETHER_FRAME_MIN], const uint8_t dst[6], const gw_arp *arp);

/* gw_ether_own_mac writes the locally administered address that goes with |ip|, the last four
 * octets of an address; gw_ether_mac_of that of |at|. */
void gw_ether_own_mac(uint8_t mac[6], uint32_t ip);
void gw_ether_mac_of(uint8_t mac[6], const gw_endpoint *at);

/* gw_ether_ipv4 returns the address |ip|, first octet in the highest byte. */
gw_endpoint gw_ether_ipv4(uint32_t ip);

/* gw_ether_same says whether |a| and |b| are one address, whatever their ports. */
bool gw_ether_same(const gw_endpoint *a, const gw_endpoint *b);

extern const uint8_t gw_ether_broadcast[6];

#endif
