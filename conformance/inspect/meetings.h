/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose InfiniBand packets are: those between queue pairs that nobody introduced are shown as what
 * they are and judged by no format's rules. */
#ifndef INSPECT_MEETINGS_H
#define INSPECT_MEETINGS_H

#include "goldwire/ib.h"
#include "inspect/pipeline.h"

/* gw_meetings follows who introduced whom in one capture. */
typedef struct gw_meetings {
    const gw_selection *selection;
    gw_pipeline_counts *counts;
    void *state; /* taken with the first packet */
} gw_meetings;

/* gw_meetings_mark sets ib->foreign of |message|, a packet of |format| whose |ib| it is. A format
 * that the user named for everything takes all of them. */
void gw_meetings_mark(gw_meetings *meetings, const gw_format *format, const gw_message *message,
                      gw_ib *ib);

/* gw_meetings_free frees what it holds. */
void gw_meetings_free(gw_meetings *meetings);

#endif
