/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From whom a message is and for whom: nodes in headers of formats that have links of their own, or
 * else the carrier's addresses. Fills Wireshark's Source and Destination columns where no carrier
 * with addresses does, and counts conversations. */
#ifndef DISSECTORS_ENDS_H
#define DISSECTORS_ENDS_H

#include "bridge.h"

#include "goldwire/text.h"
#include "stats/account.h"

/* gw_ws_ends_fn appends to |from| and |to| the names of the nodes that |message| names as its
 * sender and receiver, and nothing where it names none. */
typedef void (*gw_ws_ends_fn)(const gw_message *message, const gw_dialect *dialect, gw_text *from,
                              gw_text *to);

/* gw_ws_ends is what is registered for one format. It lives as long as the program. */
typedef struct gw_ws_ends gw_ws_ends;

/* gw_ws_ends_register makes fields (NAME.src, NAME.dst, NAME.addr for either, and
 * NAME.conversation) and addresses of |bridge|'s format known, which |fn| tells; NULL: carriers
 * tell. */
gw_ws_ends *gw_ws_ends_register(const gw_ws_bridge *bridge, gw_ws_ends_fn fn);

/* gw_ws_ends_show shows the ends of |message| in the tree of |place|, and, where it came on a link
 * of its own, in the columns. What names no node is between the captured port and its partner.
 * Returns the ends, in packet scope. */
const gw_ws_pair *gw_ws_ends_show(gw_ws_ends *ends, const gw_ws_place *place,
                                  const gw_message *message, const gw_dialect *dialect);

/* gw_ws_ends_show_link does the same of |bytes| of a link of which the message is not known. */
void gw_ws_ends_show_link(const gw_ws_ends *ends, const gw_ws_place *place,
                          const gw_message *bytes);

#endif
