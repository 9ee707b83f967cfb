/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wholes that can be saved: *File > Export Objects*, and tshark's --export-objects NAME,FOLDER. */
#ifndef DISSECTORS_STATS_EXPORT_H
#define DISSECTORS_STATS_EXPORT_H

#include "compat.h"

#include "goldwire/message.h"

/* gw_ws_export is something that was put together from a capture. */
typedef struct gw_ws_export {
    const uint8_t *data;
    size_t len;
    const gw_endpoint *receiver;
    const char *what; /* "frame" */
    uint64_t name;    /* its address, or number */
    uint32_t frame;   /* of the capture, where its last piece came */
} gw_ws_export;

/* gw_ws_export_register registers the menu of |proto| and returns its tap. Once a protocol. */
int gw_ws_export_register(int proto);

/* gw_ws_export_open says whether anybody listens to |tap| now. */
bool gw_ws_export_open(int tap);

/* gw_ws_export_tell hands a copy of |object| to who listens, as |pinfo|'s; its bytes have to stay
 * as long as the packet is looked at. */
void gw_ws_export_tell(int tap, packet_info *pinfo, const gw_ws_export *object);

#endif
