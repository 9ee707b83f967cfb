/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of frame numbers. */
#include "cli/showing/frames.h"

#include <stdio.h>

/* Reads digits at |*at|, and passes them. False when there is none, or the number is 0 or too big.
 */
static bool read_number(const char **at, uint64_t *out)
{
    const char *p = *at;
    uint64_t value = 0;

    for (; *p >= '0' && *p <= '9'; p++) {
        unsigned digit = (unsigned)(*p - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    if (p == *at || value == 0)
        return false;
    *at = p;
    *out = value;
    return true;
}

static bool at_end(const char *p)
{
    return *p == '\0' || *p == ',';
}

/* Reads "7", "7-9", "7-" or "-9". */
static bool read_range(const char **at, uint64_t *first, uint64_t *last)
{
    bool from = **at != '-';

    *first = 1;
    if (from && !read_number(at, first))
        return false;
    *last = *first;
    if (**at != '-')
        return true;
    (*at)++;
    if (from && at_end(*at)) {
        *last = UINT64_MAX;
        return true;
    }
    return read_number(at, last) && *first <= *last;
}

bool gw_frames_parse(gw_frames *frames, const char *text, char *why, size_t cap)
{
    const char *p = text;

    frames->num = 0;
    for (;; p++) {
        if (frames->num == GW_FRAMES_RANGES) {
            snprintf(why, cap, "more than %u numbers and ranges", (unsigned)GW_FRAMES_RANGES);
            return false;
        }
        size_t n = frames->num++;
        if (!read_range(&p, &frames->ranges[n].first, &frames->ranges[n].last) || !at_end(p)) {
            snprintf(why, cap,
                     "'%.80s' is no list of frames: numbers from 1 and ranges, as in 1,5-9,20-",
                     text);
            return false;
        }
        if (*p == '\0')
            return true;
    }
}

static bool hold(const gw_frames *frames, uint64_t frame)
{
    for (size_t i = 0; i < frames->num; i++) {
        if (frame >= frames->ranges[i].first && frame <= frames->ranges[i].last)
            return true;
    }
    return false;
}

bool gw_frames_hold(const gw_frames *frames, const gw_message *message)
{
    if (hold(frames, message->frame))
        return true;
    for (uint32_t i = 0; i < message->num_frames && i < GW_MESSAGE_FRAMES; i++) {
        if (hold(frames, message->frames[i]))
            return true;
    }
    return false;
}
