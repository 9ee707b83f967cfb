/* SPDX-License-Identifier: BSD-2-Clause */
/* Puts messages back into frames: bare units as they are, UDP datagrams, and TCP connections with
 * their handshake and sequence numbers, so that reading the capture gives the same messages again.
 */
#ifndef INSPECT_FRAMER_H
#define INSPECT_FRAMER_H

#include "harness/capture.h"
#include "inspect/assemble.h"

/* As many connections as the reading side follows at a time; as there, fewer when fuzzing. */
#ifndef GW_FRAMER_CONNECTIONS
#define GW_FRAMER_CONNECTIONS 128
#endif

typedef struct gw_framer gw_framer;

typedef enum gw_framer_result {
    GW_FRAMER_OK = 0,
    GW_FRAMER_REFUSED, /* the message fits no frame; see |why| */
    GW_FRAMER_FAILED,  /* the file takes no more */
} gw_framer_result;

/* gw_framer_new writes to |writer|, which outlives it: Ethernet frames to one interface, bare units
 * to one for each that they came from. NULL when memory is short. */
gw_framer *gw_framer_new(gw_pcapng_writer *writer);

/* gw_framer_add writes the frames that |assembled| needs. Messages without addresses go from
 * 127.0.0.1:49152 to the format's own port there. */
GW_MUST_USE gw_framer_result gw_framer_add(gw_framer *f, gw_assembled *assembled, char *why,
                                           size_t why_cap);

/* gw_framer_end closes what connections are open. */
GW_MUST_USE gw_framer_result gw_framer_end(gw_framer *f);

/* gw_framer_free frees everything; NULL is allowed. */
void gw_framer_free(gw_framer *f);

#endif
