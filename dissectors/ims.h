/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IMS streaming in Wireshark. */
#ifndef DISSECTORS_IMS_H
#define DISSECTORS_IMS_H

/* gw_ws_ims_register makes the protocol, its fields and its preferences known. */
void gw_ws_ims_register(void);

/* gw_ws_ims_handoff connects it to InfiniBand's payloads. */
void gw_ws_ims_handoff(void);

#endif
