/* SPDX-License-Identifier: BSD-2-Clause */
/* Words the progress line. */
#include "cli/progress.h"

#include <stdio.h>

#define SECOND_NS INT64_C(1000000000)
#define MEANINGFUL_NS (SECOND_NS / 5) /* a rate over less than this is a guess */

static void put_time(char *out, size_t cap, int64_t ns)
{
    long long seconds = (long long)((ns + SECOND_NS - 1) / SECOND_NS);
    if (seconds < 120)
        (void)snprintf(out, cap, "%lld s", seconds);
    else
        (void)snprintf(out, cap, "%lld min", (seconds + 59) / 60);
}

const char *gw_progress_line(char *out, size_t cap, size_t done, size_t total, int64_t elapsed_ns,
                             const char *next)
{
    char left[32];
    if (done == 0 || elapsed_ns < MEANINGFUL_NS) {
        (void)snprintf(out, cap, "[%zu/%zu] %s", done, total, next);
        return out;
    }
    double rate = (double)done * (double)SECOND_NS / (double)elapsed_ns;
    put_time(left, sizeof(left), (int64_t)((double)(total - done) / rate * (double)SECOND_NS));
    (void)snprintf(out, cap,
                   rate < 10 ? "[%zu/%zu] %.1f/s, %s left  %s" : "[%zu/%zu] %.0f/s, %s left  %s",
                   done, total, rate, left, next);
    return out;
}
