/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of frame numbers, as users write them: "1,5-9,20-". */
#ifndef GOLDWIRE_SHOWING_FRAMES_H
#define GOLDWIRE_SHOWING_FRAMES_H

#include "goldwire/base.h"
#include "goldwire/message.h"

#define GW_FRAMES_RANGES 256

/* gw_frames is a list of ranges, both ends included. */
typedef struct gw_frames {
    size_t num;
    struct {
        uint64_t first, last;
    } ranges[GW_FRAMES_RANGES];
} gw_frames;

/* gw_frames_parse reads |text|: numbers from 1, and ranges, of which either end may be left out,
 * with commas between. False, with what is wrong in |why|, for anything else and for more than
 * GW_FRAMES_RANGES of them. */
GW_MUST_USE bool gw_frames_parse(gw_frames *frames, const char *text, char *why, size_t cap);

/* gw_frames_hold says whether a frame that gave bytes to |message| is among |frames|. */
bool gw_frames_hold(const gw_frames *frames, const gw_message *message);

#endif
