/* SPDX-License-Identifier: BSD-2-Clause */
/* What the readers of pcap, pcapng and ERF share, and the table they are chosen from. */
#ifndef HARNESS_CAPTURE_READER_H
#define HARNESS_CAPTURE_READER_H

#include "harness/capture.h"
#include "input.h"

/* gw_reader is one file format. */
typedef struct gw_reader {
    const char *type;
    /* matches tells by the first bytes whether the file is of this format; consumes nothing. */
    bool (*matches)(gw_input *in);
    /* open makes capture->state; NULL, as matches, of what is no file. False when memory is short.
     * A header that does not hold is told by gw_capture_broken, so that the first read reports it.
     */
    bool (*open)(gw_capture *capture);
    /* next fills |frame|, which is all zero but for its number. */
    gw_capture_status (*next)(gw_capture *capture, gw_frame *frame);
    /* lost counts frames that passed and were not captured; NULL: files do not tell. */
    uint64_t (*lost)(gw_capture *capture);
    /* close frees capture->state, which may be NULL. */
    void (*close)(gw_capture *capture);
} gw_reader;

extern const gw_reader gw_reader_pcap, gw_reader_pcapng, gw_reader_erf;

struct gw_capture {
    const gw_reader *reader;
    void *state; /* the reader's own */
    gw_input in;
    uint64_t num_frames;
    uint64_t repeated;        /* frames of a merged capture that were left out */
    gw_capture_status status; /* once it is not GW_CAPTURE_FRAME it stays */
    char error[320];
};

/* gw_capture_broken notes that the file does not hold at byte |offset| and why, and returns
 * GW_CAPTURE_BROKEN. */
gw_capture_status gw_capture_broken(gw_capture *capture, uint64_t offset, const char *fmt, ...)
    GW_PRINTF(3, 4);

/* gw_capture_breaks_off notes that |what|, which starts at the input's offset, lacks its end: only
 * |have| of |need| bytes are there. Tells a read error instead when there was one. */
gw_capture_status gw_capture_breaks_off(gw_capture *capture, const char *what, size_t have,
                                        size_t need);

#endif
