/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A format that travels over TCP: cutting the stream into messages inside Wireshark.
 *
 * The codec's stream state is run in the first pass. Which messages ended in a frame is kept with
 * the frame, so that later passes, filters and clicks show the same ones. Wireshark puts segments
 * together (and in order, when its TCP preference asks for that); where it does not, a message's
 * bytes are kept and shown as a data source of their own. */
#ifndef DISSECTORS_STREAM_H
#define DISSECTORS_STREAM_H

#include "unit.h"

/* gw_ws_unit_fn shows one message, which lies at |offset| of |tvb|. */
typedef void (*gw_ws_unit_fn)(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, uint32_t offset,
                              const gw_ws_unit *unit);

/* gw_ws_belongs_fn says whether a connection that begins with |message| is the format's. */
typedef bool (*gw_ws_belongs_fn)(const gw_message *message);

/* gw_ws_stream_dissect takes the segment (or reassembled segments) |tvb|, |data| being what
 * Wireshark's TCP dissector hands over, shows every message that ends in it, and asks for more
 * segments when one does not. |belongs| looks at the first message of a connection: when it says
 * no, this and everything else of the connection is left alone; NULL takes everything.
 * Returns the bytes taken: all or none. */
int gw_ws_stream_dissect(const gw_ws_bridge *bridge, tvbuff_t *tvb, packet_info *pinfo,
                         proto_tree *tree, void *data, gw_ws_belongs_fn belongs,
                         gw_ws_unit_fn show);

#endif
