/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A link whose frames make a stream, one an interface and direction: the runs that it is cut into,
 * each shown in the frame where it ends.
 *
 * The codec's stream state is run in the first pass. Which runs ended in a frame is kept until the
 * capture is closed, so that later passes, filters and clicks show the same ones. What is left over
 * at the end of the capture is shown from the second pass on, in the frame that brought its last
 * bytes. */
#ifndef DISSECTORS_RUNS_H
#define DISSECTORS_RUNS_H

#include "bridge.h"

/* gw_ws_runs is the streams of one link type. */
typedef struct gw_ws_runs gw_ws_runs;

/* gw_ws_runs_register prepares to follow |link|, whose |stream| is not NULL. Once a format, after
 * the bridge. */
gw_ws_runs *gw_ws_runs_register(const gw_ws_bridge *bridge, const gw_link *link);

/* gw_ws_runs_dissect shows the runs that end in |frame|, which lies at the start of |tvb|, and what
 * of it belongs to a run that goes on. */
void gw_ws_runs_dissect(gw_ws_runs *runs, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
                        const gw_message *frame);

#endif
