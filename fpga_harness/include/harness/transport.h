/* SPDX-License-Identifier: BSD-2-Clause */
/* Transports: how the conformance run talks to a board. UDP, RoCEv2 and TCP sockets, whole Ethernet
 * frames and InfiniBand adapters here; the software board in memory behind the same functions lives
 * with the boards. */
#ifndef HARNESS_TRANSPORT_H
#define HARNESS_TRANSPORT_H

#include <string.h>

#include "goldwire/base.h"
#include "goldwire/message.h"
#include "harness/impair.h"
#include "harness/vlan.h"

/* gw_ib_options is what an ib:// URL says beside the adapter. */
typedef struct gw_ib_options {
    char to[64];     /* the other side: an IPv4 or IPv6 address (its GID), or lid:NUMBER */
    int gid;         /* index of our own GID in the port's table; -1: found by |to| */
    uint8_t sl;      /* service level of datagrams (UD) ... */
    uint8_t data_sl; /* ... and of the connection (UC) */
    uint32_t qkey;   /* of our datagram queue pair */
    uint64_t room;   /* bytes for messages that the adapter has not sent yet */
} gw_ib_options;

/* gw_raw_options is what a raw:// URL says beside the interface, and a sim:// URL beside the port,
 * IPv4 only. A port that is not said is 0. */
typedef struct gw_raw_options {
    gw_endpoint to;                  /* the other side */
    gw_endpoint local;               /* our own address; of a board that is served, its address */
    gw_vlan vlan;                    /* that all frames are in */
    bool tcp;                        /* a connection over TCP, made by us */
    bool ipv6;                       /* of peer:, whose addresses are chosen */
    const struct gw_ip_style *style; /* of the headers we write; NULL: as a host's sockets do */
} gw_raw_options;

/* gw_handshake says in which clock cycles a port of a simulated board goes on. */
typedef struct gw_handshake {
    bool told;      /* else as the testbench has it */
    uint32_t on;    /* in the first so many cycles ... */
    uint32_t of;    /* ... of so many in turn, or when this is 0 ... */
    uint32_t share; /* ... by chance: in so many of GW_IMPAIR_SCALE */
} gw_handshake;

#define GW_HANDSHAKE_MAX 65536
#define GW_HURRY_MAX 10

/* gw_url is a parsed transport URL: udp://H:P, tcp://H:P, roce://H[:P], IPv6 as [::1], own end with
 * ?local=H:P, raw://INTERFACE?to=IP[:P]&local=IP[:P]&vlan=ID[.ID]&pcp=N,
 * ib://DEVICE[/PORT]?to=ADDRESS, sim://NAME?port=N&to=IP[:P]&local=IP[:P]&over=apelink&
 * valid=1/4&ready=0.3&seed=N,
 * peer:ROLE?mutant=ID&dialect=D&over=tcp&via=mem&random-memory=SEED&registers-at=ADDRESS&hurry=N,
 * which over=raw takes vlan=, pcp= and ip=6 as well.
 * Datagrams meet with impairments by loss=, reorder=, duplicate=, corrupt= (shares of 1: 0.05),
 * rtt= or delay= (there and back, or each way: 20ms), jitter=, outage=FROM+FOR, mtu= and seed=; in
 * memory streams and frames do too. */
typedef struct gw_url {
    char scheme[16];
    char host[256]; /* of peer:, the role; of ib:, the adapter; of raw:, the interface; of sim:, its
                       name */
    uint16_t port;  /* of ib:, the adapter's, from 1; of sim:, the testbench's */
    bool has_port;
    char local_host[256]; /* "" when not given */
    uint16_t local_port;
    char mutant[64];
    char dialect[32];
    bool via_mem;
    bool over_tcp;      /* of peer:, a byte stream instead of datagrams */
    bool over_raw;      /* of peer:, Ethernet frames */
    bool over_apelink;  /* of sim:, the words of an APElink, which are a byte stream */
    bool random_memory; /* of peer:, its memory starts with what |memory_seed| gives */
    uint64_t memory_seed;
    uint32_t registers_at; /* of peer:, where its registers begin on their bus */
    uint32_t hurry;        /* of peer:, what it waits by itself is one so manieth; 0: not said */
    gw_handshake valid; /* of sim:, when a beat is offered to the core, and when it is ready ... */
    gw_handshake ready; /* ... for one; impairment.seed is chance's */
    gw_impairment impairment;
    gw_ib_options ib;
    gw_raw_options raw;
} gw_url;

/* gw_url_parse reads |text|. False with a text for people in |why| that quotes the part that is
 * wrong. */
GW_MUST_USE bool gw_url_parse(gw_url *out, const char *text, char *why, size_t why_cap);

/* gw_url_is says whether the scheme of |url| is |scheme|. */
bool gw_url_is(const gw_url *url, const char *scheme);

/* Virtual time, of a board in memory or in a simulator, starts at 0; as evidence it is stamped as
 * if that had been 2024-01-01 00:00 UTC. */
#define GW_VIRTUAL_EPOCH_NS (INT64_C(1704067200) * 1000000000)

typedef enum gw_recv_status {
    GW_RECV_DATA = 0,
    GW_RECV_TIMEOUT, /* the deadline passed */
    GW_RECV_CLOSED,  /* TCP: the other side closed or reset */
    GW_RECV_ERROR,   /* ours, or the network's: gw_transport.error says which */
} gw_recv_status;

typedef struct gw_transport gw_transport;

/* gw_transport_ops is what a transport is made of. Times are nanoseconds of the transport's own
 * clock (CLOCK_MONOTONIC for sockets, virtual time in memory). */
typedef struct gw_transport_ops {
    int64_t (*now)(gw_transport *t);
    /* send sends one datagram, or bytes of a stream. False on failure. */
    bool (*send)(gw_transport *t, const uint8_t *data, size_t len);
    /* recv waits until |deadline| for one datagram, or some bytes; a deadline in the past takes
     * what is already there. What does not fit |cap| is cut from a datagram. |stamp_ns| gets the
     * time of arrival as evidence: nanoseconds since 1970, from the kernel where it gives one.
     * |from| gets the sender. Both may be NULL. */
    gw_recv_status (*recv)(gw_transport *t, uint8_t *buf, size_t cap, size_t *len, int64_t deadline,
                           int64_t *stamp_ns, gw_endpoint *from);
    /* wait lets time pass until |deadline| without receiving. */
    void (*wait)(gw_transport *t, int64_t deadline);
    void (*close)(gw_transport *t);
    /* no_checksum sends datagrams from now on without a UDP checksum (|on|) or with one. NULL, or
     * false, where the transport cannot. */
    bool (*no_checksum)(gw_transport *t, bool on);
    /* send_as_other sends one datagram to who called last, from an address of this machine that is
     * not the one it called, put into |*from|. False with t->error where there is none; NULL where
     * the transport cannot. */
    bool (*send_as_other)(gw_transport *t, const uint8_t *data, size_t len, gw_endpoint *from);
} gw_transport_ops;

/* gw_adapter is what an InfiniBand adapter has chosen for us, and others have to be told. */
typedef struct gw_adapter {
    uint16_t lid;  /* of our port; 0 over Ethernet, which has none */
    uint32_t qpn;  /* of our datagram queue pair (UD) ... */
    uint32_t qkey; /* ... and its key */
    uint32_t qpnd; /* of our connected queue pair (UC) */
    uint32_t mtu;  /* bytes of payload in a packet, at most */
    int fd;        /* readable when something may have come since recv said GW_RECV_TIMEOUT */
} gw_adapter;

struct gw_transport {
    const gw_transport_ops *ops;
    gw_endpoint local;
    gw_endpoint remote;
    bool stream;      /* bytes, not datagrams */
    bool at_own_port; /* of UDP that is served: answers go to our own port at the caller's host */
    bool unreachable; /* the network said so (ICMP port unreachable, connection refused) and nothing
                         has arrived since */
    bool too_long;    /* the last send was refused as longer than |carries|: it is not the board's
                         fault, nor ours */
    size_t carries;   /* bytes that a datagram has at most on this way; 0: as many as it can have */
    char error[160];  /* of the last failure */
    const gw_adapter *adapter; /* through which it goes; NULL: none, every bit is ours to choose */
    struct gw_raw *raw;        /* the frames beneath (harness/raw.h); NULL: they are not seen */
};

/* gw_transport_answer_port returns the port, in host byte order, that what is sent to the caller of
 * |t| goes to. Who has our own address cannot have our own port as well. */
static inline uint16_t gw_transport_answer_port(const gw_transport *t)
{
    bool apart = memcmp(t->local.ip, t->remote.ip, sizeof t->local.ip) != 0;
    return t->at_own_port && apart ? t->local.port : t->remote.port;
}

/* gw_transport_open opens a udp://, roce://, raw://, ib:// or tcp:// URL as a client within
 * |timeout_ns|, with its impairments. NULL with a text in |why| when it cannot be; *unreachable
 * tells that the board (not the call) is at fault. */
gw_transport *gw_transport_open(const gw_url *url, int64_t timeout_ns, bool *unreachable, char *why,
                                size_t why_cap);

/* gw_transport_serve opens a udp://, roce:// or tcp:// URL for a board that calls us; port 0 lets
 * the kernel choose, and |local| tells which. Whoever sent last is |remote|: sends go there. Over
 * TCP recv accepts the caller, and after GW_RECV_CLOSED the next one. NULL with a text in |why|. */
gw_transport *gw_transport_serve(const gw_url *url, char *why, size_t why_cap);

/* gw_transport_close closes and frees; NULL is allowed. */
static inline void gw_transport_close(gw_transport *t)
{
    if (t != NULL)
        t->ops->close(t);
}

#endif
