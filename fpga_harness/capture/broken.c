/* SPDX-License-Identifier: BSD-2-Clause */
/* What is said of captures that are not whole. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reader.h"

/* Whoever wants to look there needs a frame that Wireshark shows. */
static void say_frame(gw_capture *capture)
{
    const size_t len = strlen(capture->error);
    char *end = capture->error + len;
    const size_t cap = sizeof(capture->error) - len;

    if (capture->num_frames > 0)
        (void)snprintf(end, cap, "; the last frame before it is %" PRIu64, capture->num_frames);
    else
        (void)snprintf(end, cap, "; no frame comes before it");
}

gw_capture_status gw_capture_broken(gw_capture *capture, uint64_t offset, const char *fmt, ...)
{
    va_list args;
    uint64_t at;
    const char *fault;

    /* What lies beneath is why the capture ends, even where only its last bytes tell. */
    gw_input_drain(&capture->in);
    fault = gw_input_fault(&capture->in, &at);
    if (fault != NULL) {
        (void)snprintf(capture->error, sizeof(capture->error), "byte %" PRIu64 ": %s", at, fault);
        say_frame(capture);
        return GW_CAPTURE_BROKEN;
    }
    int n = snprintf(capture->error, sizeof(capture->error), "byte %" PRIu64 "%s: ", offset,
                     capture->in.unpacker != NULL ? " of what it unpacks to" : "");

    va_start(args, fmt);
    (void)vsnprintf(capture->error + n, sizeof(capture->error) - (size_t)n, fmt, args);
    va_end(args);
    say_frame(capture);
    return GW_CAPTURE_BROKEN;
}

gw_capture_status gw_capture_breaks_off(gw_capture *capture, const char *what, size_t have,
                                        size_t need)
{
    const gw_input *in = &capture->in;

    if (in->error != 0)
        return gw_capture_broken(capture, in->offset + have, "reading failed: %s",
                                 strerror(in->error));
    return gw_capture_broken(capture, in->offset, "the file ends inside %s: %zu of %zu bytes", what,
                             have, need);
}
