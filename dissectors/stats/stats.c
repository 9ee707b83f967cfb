/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What listens to a format's tap. */
#include "stats/stats.h"

#include "stats/follow.h"
#include "stats/peers.h"
#include "stats/service.h"
#include "stats/trees.h"

gw_ws_tap *gw_ws_stats_register(const gw_format *format, int proto)
{
    gw_ws_tap *tap = gw_ws_tap_register(format);

    gw_ws_service_register(format, proto);
    gw_ws_messages_register(format);
    gw_ws_findings_register(format);
    gw_ws_answers_register(format);
    gw_ws_peers_register(format, proto);
    gw_ws_follow_register(format, proto);
    return tap;
}
