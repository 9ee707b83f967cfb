/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames that have been captured and not been read yet: a ring between who captures and who reads,
 * a thread each. It lies in a file without a name, so that what piles up takes disk and no memory
 * that others need; what has been read is given back. */
#ifndef HARNESS_CAPTURE_LIVE_SPOOL_H
#define HARNESS_CAPTURE_LIVE_SPOOL_H

#include "harness/capture.h"

typedef struct gw_spool gw_spool;

/* gw_spool_open makes a spool for up to |limit| bytes of frames, each with 16 bytes of its own and
 * up to 7 of padding: in a file in $TMPDIR, or else /var/tmp, of which it never takes more than
 * half of what is free there; where that cannot be, in memory, 64 MiB at the most. NULL when memory
 * is short, or |limit| is less than 32 MiB. */
gw_spool *gw_spool_open(uint64_t limit);

/* gw_spool_put puts a frame behind those that are there: its data of |frame->cap_len| bytes, its
 * length on the wire and its time. False when there is no room for it. Called by one thread. */
bool gw_spool_put(gw_spool *spool, const gw_frame *frame);

/* gw_spool_get sets the data, lengths and time of |frame| to the oldest that is there, and takes it
 * out; the data is valid until the next call. False when there is none. Called by one thread. */
bool gw_spool_get(gw_spool *spool, gw_frame *frame);

/* gw_spool_wake tells who waits in gw_spool_wait that there may be something new. */
void gw_spool_wake(gw_spool *spool);

/* gw_spool_wait waits until gw_spool_wake was called, since it last waited; a signal comes; or
 * |timeout_ms| have gone by. */
void gw_spool_wait(gw_spool *spool, int timeout_ms);

/* gw_spool_close frees |spool|, which may be NULL, and its file. */
void gw_spool_close(gw_spool *spool);

#endif
