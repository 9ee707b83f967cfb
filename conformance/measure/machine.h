/* SPDX-License-Identifier: BSD-2-Clause */
/* This machine: its ARP table and its clocks. */
#ifndef GOLDWIRE_MEASURE_MACHINE_H
#define GOLDWIRE_MEASURE_MACHINE_H

#include <stdio.h>

#include "goldwire/base.h"
#include "goldwire/message.h"

typedef enum gw_arp_entry {
    GW_ARP_UNKNOWN = 0, /* not in the table: behind a router, or never asked for */
    GW_ARP_SILENT,      /* asked for, and nobody answers */
    GW_ARP_KNOWN,
} gw_arp_entry;

/* gw_arp_find looks |ip|, 4 bytes, up in |table|, which reads like /proc/net/arp, and writes
 * its hardware address into |out|. */
gw_arp_entry gw_arp_find(FILE *table, const uint8_t ip[4], char *out, size_t cap);

/* gw_clock_describe writes what keeps time here, for people: the kernel's source, its resolution,
 * and whether somebody keeps the time of day right. True when nothing is to be said against it. */
bool gw_clock_describe(char *out, size_t cap);

#endif
