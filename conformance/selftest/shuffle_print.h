/* SPDX-License-Identifier: BSD-2-Clause */
/* What goldwire selftest --shuffle prints: do verdicts depend on the order of the cases? */
#ifndef GOLDWIRE_SELFTEST_SHUFFLE_PRINT_H
#define GOLDWIRE_SELFTEST_SHUFFLE_PRINT_H

#include "goldwire/base.h"

#define GW_SHUFFLE_ORDERS_MAX 1000

/* gw_selftest_shuffle runs the cases of |role| (NULL: all) in |orders| random orders and alone,
 * prints what disagrees, as JSON if |json| says so, and returns the exit code. */
int gw_selftest_shuffle(const char *role, unsigned orders, uint64_t seed, bool json);

#endif
