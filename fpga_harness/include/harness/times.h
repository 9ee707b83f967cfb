/* SPDX-License-Identifier: BSD-2-Clause */
/* Many measured times, in nanoseconds: how they spread. */
#ifndef HARNESS_TIMES_H
#define HARNESS_TIMES_H

#include "goldwire/base.h"

/* gw_times_sort brings |num| |times| into ascending order. */
void gw_times_sort(int64_t *times, size_t num);

/* gw_times_permille returns the smallest of |num| ascending |times| that |permille| thousandths of
 * them do not exceed; 0 when there are none. */
int64_t gw_times_permille(const int64_t *times, size_t num, unsigned permille);

/* gw_times_text writes |time_ns| for people into |out|, in the unit that leaves two digits or more:
 * "1000 ms", "320 us", "48 ns". It returns |out|; |cap| is 1 at least. */
const char *gw_times_text(char *out, size_t cap, int64_t time_ns);

#endif
