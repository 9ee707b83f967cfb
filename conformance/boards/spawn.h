/* SPDX-License-Identifier: BSD-2-Clause */
/* A board in a process of its own, on loopback ports that the kernel chooses. It ends with its
 * parent, whatever happens to that. */
#ifndef GOLDWIRE_BOARDS_SPAWN_H
#define GOLDWIRE_BOARDS_SPAWN_H

#include "boards/peer.h"
#include "harness/transport.h"

/* gw_spawn is a running board process. */
typedef struct gw_spawn gw_spawn;

/* gw_spawn_link is where a link of a board shall be served. */
typedef struct gw_spawn_link {
    const char *url;      /* "udp://127.0.0.1:0"; or NULL, and ... */
    gw_transport *frames; /* ... frames of an Ethernet, closed when the call returns, and ... */
    gw_endpoint here;     /* ... the port's address on it, and its VLAN; of one link only */
    gw_vlan vlan;
    unsigned link; /* index in gw_board.links */
} gw_spawn_link;

/* gw_spawn_board serves |board| in a child process at |num| URLs; the sockets are bound before the
 * call returns, so the first packet cannot come too early. NULL with a text in |why|. */
gw_spawn *gw_spawn_board(const gw_board *board, const gw_peer_config *config,
                         const gw_spawn_link *listen, size_t num, char *why, size_t why_cap);

/* gw_spawn_caller starts a board that calls us: it calls |to|. */
gw_spawn *gw_spawn_caller(const gw_board *board, const gw_peer_config *config, const char *to,
                          char *why, size_t why_cap);

/* gw_spawn_url returns the |index|th URL of |listen| with its real port; NULL beyond the last. */
const char *gw_spawn_url(const gw_spawn *spawn, size_t index);

/* gw_spawn_alive says whether the process still runs. */
bool gw_spawn_alive(gw_spawn *spawn);

/* gw_spawn_stop ends the process (asks, then kills after a second), reaps it and frees |spawn|.
 * NULL is allowed. Returns true when it ended by itself or by being asked; false when it had
 * crashed or had to be killed. */
bool gw_spawn_stop(gw_spawn *spawn);

#endif
