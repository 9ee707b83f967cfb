/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One conversation alone: *Follow*, which lists its messages, and *Conversation Filter*. */
#ifndef DISSECTORS_STATS_FOLLOW_H
#define DISSECTORS_STATS_FOLLOW_H

#include "goldwire/format.h"

/* gw_ws_follow_register registers both (`-z follow,NAME,ascii,NUMBER`) for |format|, whose protocol
 * is |proto|. */
void gw_ws_follow_register(const gw_format *format, int proto);

#endif
