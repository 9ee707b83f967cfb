/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the plugin registers: for each format NAME two functions.
 *
 * gw_ws_NAME_register makes the protocol, its fields and its preferences known.
 * gw_ws_NAME_handoff ties it to what carries it: ports, link types, InfiniBand's payloads. */
#ifndef DISSECTORS_FORMATS_H
#define DISSECTORS_FORMATS_H

#define GW_FORMAT(name)                                                                            \
    void gw_ws_##name##_register(void);                                                            \
    void gw_ws_##name##_handoff(void);
#include "goldwire/formats.def"

#endif
