/* SPDX-License-Identifier: BSD-2-Clause */
/* What clients and servers on sockets share: addresses, clocks, kernel time stamps. */
#ifndef HARNESS_SOCKET_H
#define HARNESS_SOCKET_H

#include <sys/socket.h>

#include "goldwire/base.h"
#include "goldwire/message.h"
#include "harness/transport.h"

/* gw_address is a socket address of either family. */
typedef struct gw_address {
    struct sockaddr_storage storage;
    socklen_t len;
} gw_address;

/* gw_resolve finds the addresses of |host| and |port|, at most |max| of them, and returns how many;
 * 0 with a text in |why|. Numbers need no name service. |passive| is for listening. */
size_t gw_resolve(gw_address *out, size_t max, const char *host, uint16_t port, int socket_type,
                  bool passive, char *why, size_t why_cap);

/* gw_endpoint_from turns a socket address into an endpoint; another family gives GW_FAMILY_NONE. */
gw_endpoint gw_endpoint_from(const struct sockaddr_storage *storage);

/* gw_endpoint_of_socket returns the own end (|peer| false) or the other end of socket |fd|. */
gw_endpoint gw_endpoint_of_socket(int fd, bool peer);

/* gw_address_set_port changes the port of an IPv4 or IPv6 address. */
void gw_address_set_port(gw_address *address, uint16_t port);

/* gw_clock_ns returns nanoseconds of the clock |id|, say CLOCK_MONOTONIC. */
int64_t gw_clock_ns(int id);

/* gw_socket_prepare asks the kernel for time stamps and room on |fd|. */
void gw_socket_prepare(int fd);

/* gw_socket_bind makes a close-on-exec socket of |socket_type| bound to the host and port of |url|;
 * port 0 lets the kernel choose. What it receives is stamped. -1 with a text in |why|, which says
 * what to do when the port is in use. */
int gw_socket_bind(const gw_url *url, int socket_type, char *why, size_t why_cap);

/* gw_socket_connect opens a socket of |socket_type| to the first address of |url| that takes it,
 * from ?local= if given, within |timeout_ns|. -1 with a text in |why|. */
int gw_socket_connect(const gw_url *url, int socket_type, int64_t timeout_ns, bool *unreachable,
                      char *why, size_t why_cap);

/* gw_socket_known_header lets the bound datagram socket |fd| send with an IP header that the sender
 * knows: IPv4 identification 0 and DF. False with a text in |why| when it is not bound to one
 * address. */
GW_MUST_USE bool gw_socket_known_header(int fd, char *why, size_t why_cap);

/* gw_socket_roce makes such a socket for talking to |url|, bound to ?local=, or to the address that
 * reaches it and a port that the kernel chooses. It stays unconnected; |to| gets where |url| is. -1
 * with a text in |why|. */
int gw_socket_roce(const gw_url *url, gw_address *to, char *why, size_t why_cap);

/* gw_socket_carries returns how many bytes a datagram to |to| has at most, as far as the kernel
 * knows the path there; 0: as many as it can have. */
size_t gw_socket_carries(const gw_address *to);

/* gw_socket_recv is one recvmsg with |flags| that also reads the kernel's time stamp (or the clock,
 * when it gave none) into |stamp_ns| and the sender into |from|; both may be NULL. Returns what
 * recvmsg does. */
ssize_t gw_socket_recv(int fd, uint8_t *buf, size_t cap, int flags, int64_t *stamp_ns,
                       gw_address *from);

/* gw_carrier_interface writes the name of the interface that has the address |local| into |out|.
 * False when none has it. */
bool gw_carrier_interface(const gw_endpoint *local, char *out, size_t cap);

/* gw_carrier_down says whether interface |name| is gone, down or without carrier. |why| gets a text
 * for people. */
bool gw_carrier_down(const char *name, char *why, size_t why_cap);

/* gw_carrier_lost says whether what is sent from |local| cannot leave this machine: no interface
 * has the address, it is down, or it has no carrier. |why| gets a text for people. */
bool gw_carrier_lost(const gw_endpoint *local, char *why, size_t why_cap);

#endif
