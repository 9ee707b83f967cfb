/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies beneath a message: link layers, IPv4 and IPv6, UDP, TCP, fragments. Pure: bytes in,
 * facts out; all memory is the caller's. */
#ifndef GOLDWIRE_NET_H
#define GOLDWIRE_NET_H

#include "goldwire/base.h"
#include "goldwire/cursor.h"
#include "goldwire/message.h"
#include "goldwire/rule.h"

GW_BEGIN_DECLS

/* Link types, numbered as in the pcap and pcapng link-type registry (tcpdump.org/linktypes.html).
 */
enum {
    GW_LINK_NULL = 0,
    GW_LINK_ETHERNET = 1,
    GW_LINK_RAW = 101,
    GW_LINK_LOOP = 108,
    GW_LINK_SLL = 113,
    GW_LINK_USER0 = 147,
    GW_LINK_USER15 = 162,
    GW_LINK_ERF = 197, /* an ERF record, header and all */
    GW_LINK_IPV4 = 228,
    GW_LINK_IPV6 = 229,
    GW_LINK_INFINIBAND = 247,   /* from LRH to VCRC */
    GW_LINK_EXPORTED_PDU = 252, /* Wireshark's "upper PDU" */
    GW_LINK_SLL2 = 276,
};

/* How far gw_net_parse came. */
typedef enum gw_net_status {
    GW_NET_OK = 0,       /* a whole UDP datagram or TCP segment header was read */
    GW_NET_NOT_IP,       /* another EtherType: ARP, PTP, LLDP ... */
    GW_NET_OTHER_IP,     /* IP, and neither UDP nor TCP */
    GW_NET_FRAGMENT,     /* an IP fragment: give it to gw_defrag */
    GW_NET_TRUNCATED,    /* the captured bytes end inside a header */
    GW_NET_MALFORMED,    /* a header contradicts itself or the length of what it came in */
    GW_NET_UNKNOWN_LINK, /* no parser for this link type */
} gw_net_status;

enum { GW_ETHERTYPE_ARP = 0x0806, GW_ETHERTYPE_IPV6 = 0x86dd };

/* TCP flags as in byte 13 of the header (RFC 9293 3.1). */
enum {
    GW_TCP_FIN = 0x01,
    GW_TCP_SYN = 0x02,
    GW_TCP_RST = 0x04,
    GW_TCP_PSH = 0x08,
    GW_TCP_ACK = 0x10,
};

/* gw_net is what was found beneath a payload. Pointers point into the frame. */
typedef struct gw_net {
    gw_endpoint src;
    gw_endpoint dst;
    gw_cursor payload;   /* captured bytes above UDP or TCP; of a fragment and of GW_NET_OTHER_IP,
                            those above IP; of GW_NET_NOT_IP over Ethernet, those above it */
    const uint8_t *link; /* Ethernet's header, VLAN tags included; NULL over anything else, and
                            of what was put together of fragments */
    uint16_t link_len;
    const uint8_t *lower; /* over UDP, unless it was put together of fragments: the IP header,
                               then the UDP header; else NULL */
    uint16_t lower_len;
    uint32_t payload_len;  /* as the headers say, before the capture's cut */
    uint32_t fault_offset; /* of GW_NET_TRUNCATED and GW_NET_MALFORMED: byte in the frame ... */
    const char *fault;     /* ... and the field there with what is expected, a constant text */
    uint32_t ethertype; /* of GW_NET_NOT_IP; below 1536 an 802.3 length; of BSD loopback its address
                           family */
    uint32_t tcp_seq;
    uint32_t tcp_ack;
    uint16_t tcp_window; /* as it stands in the header, without a scale */
    uint16_t tcp_header; /* its bytes, options included */
    uint16_t tcp_mss;    /* of a SYN, the largest segment that its sender takes; 0: not told */
    uint32_t fragment_id;
    uint32_t fragment_offset; /* bytes */
    uint16_t vlans[GW_MESSAGE_VLANS];
    uint8_t num_vlans;
    uint8_t ip_version; /* 4, 6; 0 when there is no IP */
    uint8_t protocol;   /* above IP and its extension headers: 6 TCP, 17 UDP, 50 ESP ... */
    uint8_t tcp_flags;
    uint8_t transport; /* gw_transport_kind */
    bool more_fragments;
    bool udp_checksum_zero;
    uint8_t ttl; /* or hop limit */
} gw_net;

/* gw_net_parse reads |frame| of |link_type|; |orig_len| is its length before the capture's cut, at
 * least the cursor's. VLAN tags (802.1Q, 802.1ad, stacked) and IPv6 extension headers are walked;
 * |vlans| holds the outermost ones. What follows the lengths that the headers tell (Ethernet's
 * padding, bytes behind a UDP datagram) is left out. A length of 0 in IP stands for the rest of the
 * frame where segmentation offload (TCP) or a jumbo payload option (IPv6) explains it. Whatever was
 * read before a fault stands in |out|. Checksums are not judged: offload makes them wrong in honest
 * captures. |out|'s pointers live as long as the frame's bytes. */
GW_API gw_net_status gw_net_parse(gw_net *out, unsigned link_type, gw_cursor frame,
                                  uint32_t orig_len);

/* gw_net_unwrap takes off what a capture puts around frames of another link type: the header of an
 * ERF record, the tags of an exported PDU. On GW_NET_OK *|link_type|, |frame| and *|len| are those
 * of what is inside. Else they are as they were: GW_NET_UNKNOWN_LINK when that is nothing known
 * here; when it cannot be read *|fault| and *|fault_offset| tell, as in gw_net. */
GW_API gw_net_status gw_net_unwrap(uint32_t *link_type, gw_cursor *frame, uint32_t *len,
                                   const char **fault, uint32_t *fault_offset);

/* gw_net_parse_transport reads the UDP or TCP header of a reassembled datagram, whose addresses and
 * protocol stand in |net| already. |payload| is what lies above IP, |payload_len| its length before
 * any cut. Faults count their offset from the payload's base. */
GW_API gw_net_status gw_net_parse_transport(gw_net *net, gw_cursor payload, uint32_t payload_len);

/* ---- ARP ---- */

/* gw_arp is an ARP packet for IPv4 over Ethernet (RFC 826). */
typedef struct gw_arp {
    uint32_t sender_ip; /* first octet in the highest byte */
    uint32_t target_ip;
    uint16_t operation; /* 1 request, 2 reply */
    uint8_t sender_hw[6];
    uint8_t target_hw[6];
} gw_arp;

enum { GW_ARP_REQUEST = 1, GW_ARP_REPLY = 2 };

/* gw_net_arp reads the ARP packet that |payload| begins with; padding may follow it. False when it
 * is cut, or is about other hardware and protocols than Ethernet and IPv4. */
GW_MUST_USE GW_API bool gw_net_arp(gw_arp *out, gw_cursor payload);

/* ---- IPv6 neighbours ---- */

/* gw_neighbour is a message of IPv6's Neighbor Discovery over Ethernet about one address (RFC 4861
 * 4.3, 4.4). */
typedef struct gw_neighbour {
    uint8_t target[16]; /* who is asked for, or told of */
    uint8_t hw[6];      /* the sender's own address in a solicitation, the target's in an ... */
    bool has_hw;        /* ... advertisement, if it has one */
    bool told;          /* an advertisement; else a solicitation */
    bool solicited;     /* of an advertisement: it answers a solicitation */
} gw_neighbour;

enum {
    GW_PROTOCOL_ICMPV6 = 58,
    GW_NEIGHBOUR_ASKS = 135, /* ICMPv6 types */
    GW_NEIGHBOUR_TELLS = 136,
    GW_NEIGHBOUR_BYTES = 24, /* of a message, before its options */
    GW_NEIGHBOUR_HOPS = 255, /* the hop limit that shows that no router passed it on */
};

/* gw_net_neighbour reads the message that |net|, GW_NET_OTHER_IP, holds. False when it is none, is
 * cut, has come through a router, or its options or its checksum are wrong (RFC 4861 7.1). */
GW_MUST_USE GW_API bool gw_net_neighbour(gw_neighbour *out, const gw_net *net);

/* ---- IP fragments ---- */

/* gw_defrag collects fragments of a few datagrams at a time in the caller's memory, each of at most
 * 65535 bytes. When a new datagram finds no room the oldest goes. Overlapping fragments whose bytes
 * differ, and those that tell different lengths, spoil theirs: the rest of it is refused as well
 * (RFC 5722). Exact copies are harmless. Datagrams on different VLANs are different ones. */
typedef struct gw_defrag gw_defrag;

typedef enum gw_defrag_result {
    GW_DEFRAG_PENDING = 0, /* kept, or a copy of what is kept */
    GW_DEFRAG_COMPLETE, /* *net is the whole datagram now, for gw_net_parse_transport; its payload
                           is valid until the next call */
    GW_DEFRAG_REFUSED,  /* contradicts other fragments, or does not fit: net->fault says which */
} gw_defrag_result;

/* gw_defrag_fault_fn is told of a datagram that was given up, once. |frame| is that of its first
 * fragment seen; |net| has its addresses and no payload; |why| is a constant text. */
typedef void (*gw_defrag_fault_fn)(void *ctx, uint64_t frame, const gw_net *net, const char *why);

/* gw_defrag_size returns the bytes that |num| datagrams in flight need, about 66 KiB each; 0 when
 * |num| is 0 or does not fit a size_t. */
GW_API size_t gw_defrag_size(size_t num);

/* gw_defrag_init lays a collector into gw_defrag_size(num) bytes aligned for uint64_t, which stay
 * the caller's. |fault| may be NULL. NULL when gw_defrag_size is 0. */
GW_API gw_defrag *gw_defrag_init(void *mem, size_t num, gw_defrag_fault_fn fault, void *ctx);

/* gw_defrag_add takes the fragment |net| of frame |frame| at |time_ns|. Datagrams older than 30 s
 * of capture time are given up. On GW_DEFRAG_COMPLETE |frames| gets the first GW_MESSAGE_FRAMES
 * frames that brought bytes and *num_frames how many there were. A fragment that the capture cut
 * ends the payload there; payload_len is that of the whole datagram still. */
GW_API gw_defrag_result gw_defrag_add(gw_defrag *d, gw_net *net, uint64_t frame, int64_t time_ns,
                                      uint64_t *frames, uint32_t *num_frames);

/* gw_defrag_end reports every datagram that is still incomplete and forgets it. */
GW_API void gw_defrag_end(gw_defrag *d);

/* ---- TCP streams ---- */

/* gw_tcp reassembles the byte streams of a bounded number of connections. Bytes come out once, in
 * order. Out-of-order segments wait in a window; retransmissions and overlaps are dropped (the
 * first to come counts), and told when their bytes differ from what the window still holds; bytes
 * that the other side acknowledged, or that fell out of the window, are a gap. A connection starts
 * with a SYN or with the first bytes seen. It ends when both sides have sent a FIN, or one an RST;
 * when a SYN starts another between the same ports; when the table is full and it was used least
 * recently; and at the end of the capture. Copies that come after its end are ignored. */
typedef struct gw_tcp gw_tcp;

typedef enum gw_tcp_event_kind {
    GW_TCP_DATA = 0, /* the next bytes of one direction */
    GW_TCP_GAP,      /* |gap_len| bytes never seen; the next data follow them */
    GW_TCP_OVERLAP,  /* a retransmission differs from what came first, in |gap_len| bytes */
    GW_TCP_END,      /* the connection closed, was reset, was pushed out, or the capture ended */
} gw_tcp_event_kind;

typedef struct gw_tcp_event {
    uint8_t kind;    /* gw_tcp_event_kind */
    uint8_t dir;     /* 0: from the side that sent the SYN, or the first bytes seen */
    bool evicted;    /* of GW_TCP_END: the table was full, and neither side had ended */
    bool mid_stream; /* the start of this direction was not captured */
    uint32_t slot;   /* 0 .. num-1: reused after GW_TCP_END; for the caller's own state */
    uint32_t stream; /* number of the connection in this capture, never reused */
    uint32_t gap_len;
    gw_message segment; /* of data: the bytes, with the frame and time they came in. Of the rest: no
                           bytes, frame and time of the segment that showed it. Addresses are those
                           of |dir|, VLANs those of its first segment */
} gw_tcp_event;

/* gw_tcp_fn receives events. Everything in one is valid during the call only, in which gw_tcp's
 * functions must not be called. */
typedef void (*gw_tcp_fn)(void *ctx, const gw_tcp_event *event);

/* gw_tcp_size returns the bytes that |num| connections with |window| bytes of reordering a
 * direction need. A window is rounded up to a power of two, at least 64; besides its bytes, as many
 * segments as 1/128 of it, at least 64, can wait in it. 0 when |num| is 0, the window is larger
 * than TCP's 1 GiB, or the size does not fit a size_t. */
GW_API size_t gw_tcp_size(size_t num, size_t window);

/* gw_tcp_init lays a reassembler into gw_tcp_size(num, window) bytes aligned for uint64_t, which
 * stay the caller's. NULL when gw_tcp_size is 0. */
GW_API gw_tcp *gw_tcp_init(void *mem, size_t num, size_t window, gw_tcp_fn fn, void *ctx);

/* gw_tcp_add takes one segment that gw_net_parse read; others are ignored. A segment that the
 * capture cut counts as a gap after its captured bytes. The segment's bytes need not outlive the
 * call. */
GW_API void gw_tcp_add(gw_tcp *t, const gw_net *net, uint64_t frame, int64_t time_ns);

/* gw_tcp_end ends every connection: what waits behind a hole is told as a gap and delivered. */
GW_API void gw_tcp_end(gw_tcp *t);

GW_END_DECLS

#endif
