/* SPDX-License-Identifier: BSD-2-Clause */
/* Transports that are a station on an Ethernet: UDP datagrams in and out as everywhere, and the
 * frames that carry them to look at and to shape. Where the station is in a VLAN, frames are shown
 * and shaped without its tags; on the wire, and to a tap, they have them. */
#ifndef HARNESS_RAW_H
#define HARNESS_RAW_H

#include "harness/ether.h"
#include "harness/transport.h"
#include "harness/vlan.h"

/* gw_raw_tap is told of every frame that is sent by us, ours to hear, or sent by the other side,
 * when it goes or is taken up. |stamp_ns| is when it came, as gw_transport_ops.recv tells it;
 * INT64_MIN for what is sent now. |net| is what was read of one that completes a datagram between
 * the two ends of the transport, else NULL. It returns a number of its own for that frame. */
typedef unsigned (*gw_raw_tap)(void *arg, uint8_t dir, int64_t stamp_ns, const uint8_t *frame,
                               size_t len, const gw_net *net);

/* gw_raw_last is the frame that brought or carried the last datagram. */
typedef struct gw_raw_last {
    uint8_t frame[GW_ETHER_PACKET_MAX];
    size_t len;
    unsigned number; /* what the tap returned for it */
} gw_raw_last;

/* gw_raw is what a transport over frames can do beside carrying datagrams. */
typedef struct gw_raw {
    gw_ether *ether;    /* our station */
    gw_vlan vlan;       /* that all frames are in */
    bool unanswered;    /* nobody answered the last requests for the other side's address */
    unsigned sound;     /* packets of the other side without a wrong checksum, and ... */
    unsigned damaged;   /* ... those with one, left out as the path's doing as long as the most
                           of what the other side sends is sound */
    unsigned mistagged; /* frames of the other side, or to us, in another VLAN: left out */
    gw_raw_last last;
    gw_raw_tap tap; /* NULL: nobody; set it by gw_raw_set_tap */
    void *tap_arg;
} gw_raw;

/* gw_raw_set_tap lets |tap| know of every frame from now on, and of those before that opened a
 * connection. */
void gw_raw_set_tap(gw_transport *t, gw_raw_tap tap, void *arg);

/* gw_raw_segment_fn takes a TCP segment between the two ends, that |net| was read of. True with the
 * bytes in |fresh| that may be read by now, and stay valid until the next one. */
typedef bool (*gw_raw_segment_fn)(void *arg, const gw_net *net, gw_cursor *fresh);

/* gw_raw_take_segments hands TCP segments to |fn|; gw_raw_send_segment sends one. */
void gw_raw_take_segments(gw_transport *t, gw_raw_segment_fn fn, void *arg);
void gw_raw_send_segment(gw_transport *t, const gw_tcp_segment *segment);

/* gw_raw_tcp_over connects by TCP over |station|, one of gw_raw_over's, within |timeout_ns|; the
 * result is a byte stream, and owns |station|. What is lost is sent again while somebody waits for
 * this stream. NULL with a text in |why|, |station| closed; *unreachable tells that the other side
 * is at fault. */
gw_transport *gw_raw_tcp_over(gw_transport *station, int64_t timeout_ns, bool *unreachable,
                              char *why, size_t why_cap);

/* gw_raw_setup is who a transport is, and whom it talks to. Both ports are needed. */
typedef struct gw_raw_setup {
    gw_endpoint local;
    gw_endpoint remote;
    uint8_t mac[6];
    gw_vlan vlan;
    const gw_ip_style *style; /* NULL: as a host's sockets do */
    int guard_fd;             /* closed with the transport; -1: none */
} gw_raw_setup;

/* gw_raw_over makes a transport of datagrams over |frames|, a transport whose datagrams are
 * Ethernet frames without check sequence; |frames| is closed with it, or at once when this fails.
 * Sending asks for the other side's address, by ARP or Neighbor Discovery, and waits a little for
 * the answer; when none comes, the datagram goes to the Ethernet's broadcast address, for there are
 * boards that answer no ARP. NULL with a text in |why|. */
gw_transport *gw_raw_over(gw_transport *frames, const gw_raw_setup *setup, char *why,
                          size_t why_cap);

/* gw_raw_open opens raw://IFNAME?to=IP:PORT[&local=IP[:PORT]][&vlan=ID], with the headers in
 * |url->raw.style|. NULL with a text in |why| that says what to do when there is no such interface,
 * no privilege, or no address of our own. */
gw_transport *gw_raw_open(const gw_url *url, char *why, size_t why_cap);

/* gw_raw_find asks for the other side by ARP, unless it is known, and writes its hardware address.
 * False when nobody answers. */
bool gw_raw_find(gw_transport *t, uint8_t mac[6]);

/* gw_raw_send_frame sends |frame| as it is. */
bool gw_raw_send_frame(gw_transport *t, const uint8_t *frame, size_t len);

/* gw_raw_recv_frame waits until |deadline| for one frame to us, or from the other side to anybody.
 * It still answers ARP requests for our address unless the station is silent. The frame is in
 * raw->last. */
gw_recv_status gw_raw_recv_frame(gw_transport *t, int64_t deadline, int64_t *stamp_ns);

/* gw_packet_open opens interface |name| for whole frames: those that come in, to whomever. |mac|
 * gets its hardware address. NULL with a text in |why|. */
gw_transport *gw_packet_open(const char *name, uint8_t mac[6], char *why, size_t why_cap);

/* gw_packet_fd returns the socket of such a transport, for polls. */
int gw_packet_fd(const gw_transport *t);

#endif
