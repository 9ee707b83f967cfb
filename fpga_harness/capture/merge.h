/* SPDX-License-Identifier: BSD-2-Clause */
/* What several taps saw of the same traffic: how far their clocks are apart, and which frames are
 * the same. */
#ifndef HARNESS_CAPTURE_MERGE_H
#define HARNESS_CAPTURE_MERGE_H

#include "harness/capture.h"

/* gw_frame_mark is a number that two captured frames share when they are the same: by length and
 * bytes. 0 is no frame's. */
uint64_t gw_frame_mark(const gw_frame *frame);

/* gw_taps_seen remembers frames that one tap has shown and another may still show. */
typedef struct gw_taps_seen gw_taps_seen;

/* gw_taps_seen_new begins with none; NULL when memory is short. */
gw_taps_seen *gw_taps_seen_new(void);

/* gw_taps_seen_again says whether |frame|, from |tap|, is one that another tap has shown and that
 * this one has not accounted for yet. A frame that is sent twice is shown twice. */
bool gw_taps_seen_again(gw_taps_seen *s, const gw_frame *frame, unsigned tap);

/* gw_taps_seen_free frees everything; NULL is allowed. */
void gw_taps_seen_free(gw_taps_seen *s);

/* gw_taps_shift reads the beginnings of |first| and |other|, and finds in |*out| what the times of
 * |other| have to be shifted by. False when memory is short. */
GW_MUST_USE bool gw_taps_shift(gw_capture *first, gw_capture *other, gw_capture_shift *out);

#endif
