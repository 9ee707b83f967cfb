/* SPDX-License-Identifier: BSD-2-Clause */
/* The progress line of a run: how far, how fast, how long still. */
#ifndef GOLDWIRE_PROGRESS_H
#define GOLDWIRE_PROGRESS_H

#include "goldwire/base.h"

/* gw_progress_line writes "[12/113] 85/s, 2 s left  eb-s/probe-echo" into |out| and returns it:
 * |done| of |total| after |elapsed_ns|, |next| comes now. Rate and time left are told once they
 * mean something. */
const char *gw_progress_line(char *out, size_t cap, size_t done, size_t total, int64_t elapsed_ns,
                             const char *next);

#endif
