/* SPDX-License-Identifier: BSD-2-Clause */
/* A board behind real sockets: one loop, any number of listening UDP and TCP sockets, several
 * clients at once. */
#ifndef GOLDWIRE_BOARDS_HOST_H
#define GOLDWIRE_BOARDS_HOST_H

#include <signal.h>

#include "boards/peer.h"
#include "harness/transport.h"

/* gw_host serves one board. */
typedef struct gw_host gw_host;

/* gw_host_new sets |board| up; |config| must outlive it. NULL with a text in |why|. */
gw_host *gw_host_new(const gw_board *board, const gw_peer_config *config, char *why,
                     size_t why_cap);

/* gw_host_new_behind sets |board| up behind an Ethernet port |here|, in |vlan|, before link |link|,
 * one of its ethernet_links, whose frames come and go through |frames|, which is closed with the
 * host, or at once when this fails. |name| is that of the interface. NULL with a text in |why|. */
gw_host *gw_host_new_behind(const gw_board *board, const gw_peer_config *config, unsigned link,
                            const gw_endpoint *here, const gw_vlan *vlan, gw_transport *frames,
                            const char *name, char *why, size_t why_cap);

/* gw_host_new_at does so on the interface of a raw://INTERFACE?local=IP:PORT[&vlan=ID] URL. */
gw_host *gw_host_new_at(const gw_board *board, const gw_peer_config *config, unsigned link,
                        const gw_url *url, char *why, size_t why_cap);

/* gw_host_listen serves link |link| at a udp://, roce:// or tcp:// URL, with its impairments. Port
 * 0 lets the kernel choose. False with a text in |why|, which says what to do when the port is in
 * use. */
GW_MUST_USE bool gw_host_listen(gw_host *host, unsigned link, const gw_url *url, char *why,
                                size_t why_cap);

/* gw_host_call lets the board call |url|, which may be an ib:// one too, on link |link|, before it
 * runs. A TCP connection is made within |timeout_ns|. False with a text in |why|. */
GW_MUST_USE bool gw_host_call(gw_host *host, unsigned link, const gw_url *url, int64_t timeout_ns,
                              char *why, size_t why_cap);

/* gw_host_count returns how many sockets listen; gw_host_url writes the URL of the |index|th, in
 * the order of the calls, with its real port, and returns |out|. gw_host_link returns its link. */
size_t gw_host_count(const gw_host *host);
const char *gw_host_url(const gw_host *host, size_t index, char *out, size_t cap);
unsigned gw_host_link(const gw_host *host, size_t index);

/* gw_host_run serves until *|stop| is set (by a signal handler installed without SA_RESTART; it is
 * noticed within a quarter of a second at the latest) or the board is done. False with a text in
 * |why| when the sockets failed. */
GW_MUST_USE bool gw_host_run(gw_host *host, const volatile sig_atomic_t *stop, char *why,
                             size_t why_cap);

/* gw_host_report writes the board's own account of what it did, for boards that give one, and says
 * whether it is satisfied. */
bool gw_host_report(gw_host *host, char *text, size_t cap);

/* gw_host_trouble says why an adapter did not send something that the board wanted it to, the first
 * time; NULL: it sent all. */
const char *gw_host_trouble(const gw_host *host);

/* gw_host_free closes all sockets and frees the board; NULL is allowed. */
void gw_host_free(gw_host *host);

#endif
