/* SPDX-License-Identifier: BSD-2-Clause */
/* Capture files: pcap, pcapng and ERF through the reader, and whatever frames come out through link
 * layers, IP, fragments and TCP up to messages. Input: a capture file.
 *
 * Oracles: frames count up from 1 and lie within bounds; messages keep the codec's promises; a file
 * that breaks off says where. */
#include "harness/capture.h"
#include "core/testing/cover.h"
#include "file.h"
#include "fuzz.h"
#include "inspect/pipeline.h"

#define FRAMES_MAX 65536 /* of a compressed file there may be very many */

static void found(void *ctx, const gw_found *f)
{
    gw_error error;
    const char *fault;

    (void)ctx;
    if (f->message->cap_len > 65536)
        return;
    gw_fuzz_check(f->message->frame >= 1 && f->message->num_frames >= 1,
                  "a message without frames");
    fault = gw_cover_walk(f->format, f->message, f->dialect, &error);
    gw_fuzz_check(fault == NULL, fault);
    gw_fuzz_read(true);
}

static void note(void *ctx, uint64_t frame, const char *text)
{
    const uint64_t *frames = ctx;
    gw_fuzz_check(frame <= *frames, "a note about a frame that is still to come");
    gw_fuzz_check(text != NULL && text[0] != '\0', "an empty note");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static gw_selection selection;
    uint64_t frames = 0;
    char why[256] = "";
    gw_frame frame;
    gw_capture_status status;

    if (size > 65536)
        return 0;
    gw_capture *capture = gw_capture_open(gw_fuzz_path(data, size), why, sizeof why);
    if (capture == NULL) {
        gw_fuzz_check(why[0] != '\0', "refused without a reason");
        return 0;
    }
    if (selection.proto == NULL) {
        gw_selection_init(&selection);
        gw_fuzz_check(gw_selection_proto(&selection, "etherbone", why, sizeof why), why);
    }
    gw_pipeline *pipeline = gw_pipeline_new(&selection, found, note, &frames);
    gw_fuzz_check(pipeline != NULL, "out of memory");
    while ((status = gw_capture_next(capture, &frame)) == GW_CAPTURE_FRAME && frames < FRAMES_MAX) {
        gw_fuzz_check(frame.number == ++frames, "frames do not count up");
        gw_fuzz_check(frame.cap_len <= 16u << 20, "a frame beyond all bounds");
        gw_pipeline_frame(pipeline, &frame);
    }
    gw_fuzz_check(status != GW_CAPTURE_BROKEN || gw_capture_error(capture)[0] != '\0',
                  "broken without a reason");
    gw_pipeline_end(pipeline);
    gw_fuzz_check(gw_pipeline_count(pipeline)->frames == frames, "the pipeline lost count");
    gw_pipeline_free(pipeline);
    gw_capture_close(capture);
    return 0;
}
