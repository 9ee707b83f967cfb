/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Service response times: how long requests waited, by kind and by address (`-z NAME,srt`). */
#ifndef DISSECTORS_SERVICE_H
#define DISSECTORS_SERVICE_H

#include "compat.h"

#include "goldwire/format.h"

/* gw_ws_service is the response times of one format, and the tap (called as the format) that tells
 * of them. */
typedef struct gw_ws_service gw_ws_service;

/* gw_ws_asked is what a request asks for. */
typedef struct gw_ws_asked {
    const char *kind; /* a constant of the codec */
    uint64_t address; /* the first that it touches, in bytes */
    bool has_address;
} gw_ws_asked;

/* gw_ws_service_register registers |format|'s tap and its tables. Once a format, after its protocol
 * |proto|. */
gw_ws_service *gw_ws_service_register(const gw_format *format, int proto);

/* gw_ws_service_ask returns what |message| asks for, should it be answered. */
gw_ws_asked gw_ws_service_ask(const gw_format *format, const gw_dialect *dialect,
                              const gw_message *message);

/* gw_ws_service_open says whether anybody listens to the tap now. */
bool gw_ws_service_open(const gw_ws_service *service);

/* gw_ws_service_tell tells who listens that |pinfo|'s frame answers |asked| after |delta_ns|. */
void gw_ws_service_tell(const gw_ws_service *service, packet_info *pinfo, const gw_ws_asked *asked,
                        int64_t delta_ns);

#endif
