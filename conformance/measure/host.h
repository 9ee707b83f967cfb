/* SPDX-License-Identifier: BSD-2-Clause */
/* What a run's times were taken by: the machine, its clock, and the interface towards the board. */
#ifndef GOLDWIRE_MEASURE_HOST_H
#define GOLDWIRE_MEASURE_HOST_H

#include "goldwire/message.h"

/* gw_host is that, in words. All zeros: nothing is known, or no clock of this machine's counts. */
typedef struct gw_host {
    char system[240];    /* "lab7: Linux 6.1.0-28-amd64, x86_64, 8 processors" */
    char clock[160];     /* as gw_clock_describe says */
    char interface[128]; /* "eth1: igb, 1000 Mbit/s, MTU 1500"; "" when |local| is no interface's */
} gw_host;

/* gw_host_describe asks the kernel. |local| is the address that the board was spoken to from; an
 * interface that is spoken through without an address is not found. */
void gw_host_describe(gw_host *out, const gw_endpoint *local);

#endif
