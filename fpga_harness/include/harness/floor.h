/* SPDX-License-Identifier: BSD-2-Clause */
/* What this machine and program add to every time they measure. */
#ifndef HARNESS_FLOOR_H
#define HARNESS_FLOOR_H

#include "goldwire/base.h"

#define GW_FLOOR_ROUNDS 256

/* gw_floor_measure sends GW_FLOOR_ROUNDS datagrams to itself over loopback and returns, in
 * nanoseconds, how long 99 of 100 took at most from just before the send to the kernel's stamp: no
 * shorter time can be told from this one. 0 when there is no loopback. */
int64_t gw_floor_measure(void);

#endif
