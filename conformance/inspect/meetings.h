/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose messages are: a port, a link type that anybody may use or InfiniBand as the carrier makes
 * nobody guilty. What is between ends that nobody introduced is judged by no format's rules. */
#ifndef INSPECT_MEETINGS_H
#define INSPECT_MEETINGS_H

#include "goldwire/ib.h"
#include "inspect/pipeline.h"

/* gw_meetings follows who introduced whom in one capture. Start with zeros but for the first two.
 */
typedef struct gw_meetings {
    const gw_selection *selection;
    gw_pipeline_counts *counts;
    void *states[GW_PIPELINE_FORMATS]; /* by index in gw_formats, each taken when it is needed */
} gw_meetings;

/* gw_meetings_ours says whether |message|, found by a port or a link type of |format|, is one of
 * it, and learns whom it introduces. A format that the user named for everything takes all. */
bool gw_meetings_ours(gw_meetings *meetings, const gw_format *format, const gw_message *message);

/* gw_meetings_known returns the format that the ends of |message| are known to talk, or NULL. */
const gw_format *gw_meetings_known(gw_meetings *meetings, const gw_message *message);

/* gw_meetings_mark sets ib->foreign of |message|, a packet of |format| whose |ib| it is. */
void gw_meetings_mark(gw_meetings *meetings, const gw_format *format, const gw_message *message,
                      gw_ib *ib);

/* gw_meetings_free frees what it holds. */
void gw_meetings_free(gw_meetings *meetings);

#endif
