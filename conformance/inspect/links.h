/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames of private link types to messages: one each, or cut out of the stream that a port's frames
 * make. */
#ifndef INSPECT_LINKS_H
#define INSPECT_LINKS_H

#include "inspect/meetings.h"
#include "inspect/notes.h"
#include "inspect/pipeline.h"

typedef struct gw_links gw_links;

/* gw_links_new prepares to follow GW_PIPELINE_PORTS ports at a time. |selection|, |notes| and
 * |meetings| outlive it. NULL when memory is short. */
gw_links *gw_links_new(const gw_selection *selection, gw_notes *notes, gw_meetings *meetings,
                       gw_found_fn found, void *ctx);

/* gw_links_add takes a frame of |link|, a way |format| is captured, of which
 * the capture says |said|, or NULL. False when the packet in it
 * cannot be read, which is noted. */
bool gw_links_add(gw_links *l, const gw_format *format, const gw_link *link, const gw_frame *frame,
                  const gw_announcement *said);

/* gw_links_end ends every port's stream. */
void gw_links_end(gw_links *l);

/* gw_links_free frees everything; NULL is allowed. */
void gw_links_free(gw_links *l);

#endif
