/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A format whose messages are whole: one a UDP datagram, or one a frame of a private link type. */
#ifndef DISSECTORS_DATAGRAM_H
#define DISSECTORS_DATAGRAM_H

#include "bridge.h"
#include "compat.h"
#include "ends.h"

/* gw_ws_datagram is one such format. It lives as long as the program. */
typedef struct gw_ws_datagram {
    const gw_format *format;
    const char *column;        /* the Protocol column */
    const char *name;          /* of the dissector of its datagrams, for Decode As */
    const char *const *links;  /* of those of its link types, in the order of the format's list */
    const char *give_up_title; /* of the preference that says how long to wait, and ... */
    const char *give_up_text;  /* ... what becomes of what waited */
    gw_ws_ends_fn ends;        /* which nodes a message names */
    bool owns_ports; /* its dissector is given the format's UDP ports, which make nobody guilty */
    /* lower_layers adds to |m|, a datagram that begins |tvb|, what lies below UDP. NULL: nothing.
     */
    void (*lower_layers)(gw_message *m, tvbuff_t *tvb, const packet_info *pinfo);

    gw_ws_bridge bridge; /* filled in by gw_ws_datagram_register, as what follows */
    gw_ws_bool by_port;  /* a preference: of |owns_ports|, those are believed */
    dissector_handle_t handle;
} gw_ws_datagram;

/* gw_ws_datagram_register makes the protocol, its fields and its preferences known. */
void gw_ws_datagram_register(gw_ws_datagram *datagram);

/* gw_ws_datagram_by_content finds the format's datagrams on any port by what they hold. For the
 * handoff. */
void gw_ws_datagram_by_content(gw_ws_datagram *datagram);

#endif
