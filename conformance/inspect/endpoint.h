/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading back the addresses that gw_text_endpoint writes. */
#ifndef INSPECT_ENDPOINT_H
#define INSPECT_ENDPOINT_H

#include "goldwire/base.h"
#include "goldwire/message.h"

/* gw_endpoint_parse reads "1.2.3.4:5" or "[::1]:5"; without a port also "1.2.3.4", "[::1]" and
 * "::1", and the port is 0 then. Of InfiniBand "lid:0x11" and "lid:0x11/qp:0x412". Names are not
 * looked up. False, and |out| untouched, for anything else. */
GW_MUST_USE bool gw_endpoint_parse(gw_endpoint *out, const char *text);

#endif
