/* SPDX-License-Identifier: BSD-2-Clause */
/* What the transports over sockets share. */
#ifndef TRANSPORT_SOCKETS_H
#define TRANSPORT_SOCKETS_H

#include <sys/types.h>

#include "harness/socket.h"

typedef struct gw_sockets {
    gw_transport t;
    int fd;            /* -1: a served TCP transport without a caller */
    int listen_fd;     /* served TCP only; -1 otherwise */
    int64_t slice_ns;  /* SO_RCVTIMEO as it is set now; 0: none */
    gw_address remote; /* unconnected datagrams: where sends go */
    bool connected;    /* the kernel knows the remote end */
} gw_sockets;

/* gw_sockets_new returns a transport over |fd| with |ops|, or NULL (and |fd| closed) with a text.
 */
gw_sockets *gw_sockets_new(int fd, const gw_transport_ops *ops, char *why, size_t why_cap);

/* gw_sockets_poll waits until |deadline| for |events| on |fd|. True when one came. */
bool gw_sockets_poll(int fd, short events, int64_t deadline);

/* gw_sockets_recv waits until |deadline|; in the common case that is one system call. Returns what
 * recvmsg does, EAGAIN when the time is up. */
ssize_t gw_sockets_recv(gw_sockets *s, uint8_t *buf, size_t cap, int64_t deadline,
                        int64_t *stamp_ns, gw_address *from);

/* gw_sockets_learn_path asks the kernel how long a datagram from |s| may be without being cut to
 * pieces on its way, as far as it knows, and keeps that in t.carries. Who is at the other end must
 * be known. */
void gw_sockets_learn_path(gw_sockets *s);

/* gw_sockets_refuse says whether |len| bytes are more than the path carries, and notes that. */
bool gw_sockets_refuse(gw_transport *t, size_t len);

/* gw_sockets_fail notes |what| and errno in t.error and returns false. */
bool gw_sockets_fail(gw_sockets *s, const char *what, int code);

/* gw_sockets_is_theirs says whether errno |code| tells that the board, or the way to it, is gone,
 * and not that this program did something wrong. */
bool gw_sockets_is_theirs(int code);

int64_t gw_sockets_now(gw_transport *t);
void gw_sockets_wait(gw_transport *t, int64_t deadline);
void gw_sockets_close(gw_transport *t);

/* gw_udp_send, gw_udp_recv and gw_udp_no_checksum are those of gw_transport_ops for any datagram
 * socket. */
bool gw_udp_send(gw_transport *t, const uint8_t *data, size_t len);
gw_recv_status gw_udp_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len, int64_t deadline,
                           int64_t *stamp_ns, gw_endpoint *from);
bool gw_udp_no_checksum(gw_transport *t, bool on);

/* gw_udp_send_as_other is that of gw_transport_ops for a UDP socket that is served. */
bool gw_udp_send_as_other(gw_transport *t, const uint8_t *data, size_t len, gw_endpoint *from);

gw_transport *gw_udp_open(const gw_url *url, bool *unreachable, char *why, size_t why_cap);
gw_transport *gw_udp_serve(const gw_url *url, char *why, size_t why_cap);
gw_transport *gw_tcp_open(const gw_url *url, int64_t timeout_ns, bool *unreachable, char *why,
                          size_t why_cap);
gw_transport *gw_tcp_serve(const gw_url *url, char *why, size_t why_cap);

/* gw_packet_socket opens interface |name| for whole frames; -1 with a text in |why|. gw_packet_over
 * makes a transport of such a socket, or closes it. */
int gw_packet_socket(const char *name, uint8_t mac[6], char *why, size_t why_cap);
gw_transport *gw_packet_over(int fd, char *why, size_t why_cap);

gw_transport *gw_roce_open(const gw_url *url, char *why, size_t why_cap);
gw_transport *gw_roce_serve(const gw_url *url, char *why, size_t why_cap);

#endif
