/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who talks with whom: tables of conversations and endpoints, and the filter of a conversation. */
#ifndef DISSECTORS_STATS_PEERS_H
#define DISSECTORS_STATS_PEERS_H

#include "goldwire/format.h"

/* gw_ws_peers_register registers `-z conv,NAME` and `-z endpoints,NAME` of |format|, whose protocol
 * is |proto|. */
void gw_ws_peers_register(const gw_format *format, int proto);

#endif
