/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP connections to messages: reassembly, and the format's own cut of the byte streams. */
#ifndef INSPECT_STREAMS_H
#define INSPECT_STREAMS_H

#include "goldwire/net.h"
#include "inspect/meetings.h"
#include "inspect/notes.h"
#include "inspect/pipeline.h"

typedef struct gw_streams gw_streams;

/* gw_streams_new prepares for GW_PIPELINE_CONNECTIONS connections. |selection|, |notes| and
 * |meetings| outlive it. NULL when memory is short. */
gw_streams *gw_streams_new(const gw_selection *selection, gw_notes *notes, gw_meetings *meetings,
                           gw_found_fn found, void *ctx);

/* gw_streams_add takes a TCP segment of a connection that gw_selection_tcp has a format for, or of
 * which the capture says |said|; NULL otherwise. */
void gw_streams_add(gw_streams *s, const gw_net *net, const gw_frame *frame,
                    const gw_announcement *said);

/* gw_streams_end ends every connection. */
void gw_streams_end(gw_streams *s);

/* gw_streams_free frees everything; NULL is allowed. */
void gw_streams_free(gw_streams *s);

#endif
