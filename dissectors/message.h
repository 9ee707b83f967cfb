/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From Wireshark's packet to goldwire's message. */
#ifndef DISSECTORS_MESSAGE_H
#define DISSECTORS_MESSAGE_H

#include "compat.h"

#include <epan/packet.h>

#include "goldwire/message.h"

/* gw_ws_endpoint converts an address and a port; addresses other than IPv4 and IPv6 become unknown.
 */
gw_endpoint gw_ws_endpoint(const address *addr, uint32_t port);

/* gw_ws_message returns the message that |tvb| holds from |offset| on, |len| bytes of it, with all
 * that |pinfo| knows. It borrows the tvb's bytes. */
gw_message gw_ws_message(tvbuff_t *tvb, packet_info *pinfo, uint32_t offset, uint32_t len,
                         gw_transport_kind transport);

#endif
