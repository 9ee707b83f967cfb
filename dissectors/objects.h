/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What messages carry in pieces, put together: a frame, a buffer, an event. Each whole has a tab of
 * its own where its last piece came, and can be saved (*File > Export Objects*).
 *
 * The first pass puts together; what it found is kept until the capture is closed. */
#ifndef DISSECTORS_OBJECTS_H
#define DISSECTORS_OBJECTS_H

#include "bridge.h"

/* gw_ws_objects is what is put together of one format. It lives as long as the program. */
typedef struct gw_ws_objects gw_ws_objects;

/* gw_ws_objects_register registers fields and menu of |bridge|'s format. NULL where its messages
 * carry no pieces. */
gw_ws_objects *gw_ws_objects_register(const gw_ws_bridge *bridge);

/* gw_ws_objects_show takes the piece that |message|, called |id|, carries, and shows at |place|
 * which whole it is of, and the whole where it ends. */
void gw_ws_objects_show(gw_ws_objects *objects, const gw_ws_place *place, const gw_message *message,
                        const gw_dialect *dialect, uint64_t id);

#endif
