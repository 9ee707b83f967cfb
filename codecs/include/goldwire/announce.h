/* SPDX-License-Identifier: BSD-2-Clause */
/* What whoever wrote a capture says of an interface in its description, so that its frames are read
 * without being told how:
 *
 *     goldwire: op2p dialect=vhdl role=op2p-node link=left calls=out carrier=tunnel port=50000 -
 * ...
 *
 * the format, then words KEY=VALUE in any order, up to the first word that is none. Unknown keys
 * are skipped; a dialect that is not known here counts as not said. */
#ifndef GOLDWIRE_ANNOUNCE_H
#define GOLDWIRE_ANNOUNCE_H

#include "goldwire/base.h"
#include "goldwire/format.h"
#include "goldwire/message.h"
#include "goldwire/text.h"

GW_BEGIN_DECLS

#define GW_ANNOUNCE_PORTS 4
#define GW_ANNOUNCE_NAME 32
#define GW_ANNOUNCE_MAX 256 /* characters of an announcement that are looked at */

/* gw_announcement is what is said of one interface. Names are for people: terminated, printable,
 * without spaces, cut where they do not fit. */
typedef struct gw_announcement {
    const gw_format *format;
    const gw_dialect *dialect;   /* NULL: not said */
    char role[GW_ANNOUNCE_NAME]; /* of the board; "": not said */
    char link[GW_ANNOUNCE_NAME]; /* of the board; "": the only one */
    uint8_t caller;              /* gw_direction of what the calling side sends */
    bool tunnel;                 /* the datagrams stand for another wire than an Ethernet port */
    uint16_t ports[GW_ANNOUNCE_PORTS];
    uint8_t num_ports; /* 0: all datagrams and connections of the interface are meant */
} gw_announcement;

/* gw_announcement_read reads the announcement at the start of |text|, |len| bytes from anywhere.
 * False when there is none, or one of a format that is not known. */
GW_MUST_USE GW_API bool gw_announcement_read(gw_announcement *out, const char *text, size_t len);

/* gw_announcement_write appends |a| as text. What a name cannot hold becomes '_'. */
GW_API void gw_announcement_write(const gw_announcement *a, gw_text *text);

/* gw_announcement_covers says whether a datagram or connection between two ports is meant. */
GW_API bool gw_announcement_covers(const gw_announcement *a, uint16_t src, uint16_t dst);

/* gw_announcement_tell notes in |m|, whose |dir| is known, what |a| says of it: its sender's side
 * and whether it came through a tunnel. NULL says nothing. */
GW_API void gw_announcement_tell(const gw_announcement *a, gw_message *m);

/* gw_announcement_side returns the side that sends in direction |dir| (gw_direction);
 * GW_SIDE_UNKNOWN without a direction, or when |a| is NULL or does not say who calls. */
GW_API gw_side gw_announcement_side(const gw_announcement *a, unsigned dir);

GW_END_DECLS

#endif
