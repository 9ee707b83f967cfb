/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wireshark's own engine with the plugin in it, without a capture file and without tshark: what the
 * targets that fuzz the plugin share. */
#ifndef FUZZ_WIRESHARK_ENGINE_H
#define FUZZ_WIRESHARK_ENGINE_H

#include <epan/epan.h>
#include <epan/epan_dissect.h>
#include <epan/frame_data.h>
#include <epan/proto.h>
#include <epan/tvbuff.h>
#include <wiretap/wtap.h>

#include "fuzz.h"

enum { GW_ENGINE_FRAME_MAX = 2048 };

/* gw_engine_frame is a frame of a capture. */
typedef struct gw_engine_frame {
    frame_data fd;
    wtap_rec rec;
    uint8_t bytes[GW_ENGINE_FRAME_MAX];
    size_t len;     /* before the capture cut it */
    size_t cap_len; /* that the capture has of it */
} gw_engine_frame;

/* gw_engine_start starts the engine, once. It aborts at whatever it calls a dissector bug. */
void gw_engine_start(void);

/* gw_engine_open opens a capture of which |frames| will hold |*num| frames; times of others are
 * unknown. gw_engine_close, which is epan_free, closes it, and forgets what was kept of it. */
epan_t *gw_engine_open(const gw_engine_frame *frames, const unsigned *num);

/* gw_engine_admit makes |frame|, whose bytes and lengths are set, frame |number| of a capture: of
 * Wireshark's encapsulation |encap|, captured at |interface| and |time_ns|. */
void gw_engine_admit(gw_engine_frame *frame, guint32 number, int encap, guint32 interface,
                     int64_t time_ns);

/* gw_engine_dissect shows |frame| to |edt|, whose tree is there until epan_dissect_reset. */
void gw_engine_dissect(epan_dissect_t *edt, gw_engine_frame *frame);

/* gw_engine_release lets go of what gw_engine_admit took. */
void gw_engine_release(gw_engine_frame *frame);

#endif
