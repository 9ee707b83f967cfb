/* SPDX-License-Identifier: BSD-2-Clause */
/* An interface as libpcap captures on it. */
#ifndef HARNESS_CAPTURE_LIVE_DEVICE_H
#define HARNESS_CAPTURE_LIVE_DEVICE_H

#include <pcap/pcap.h>

#include "goldwire/base.h"

/* After so long the kernel hands over what it has. */
#define GW_DEVICE_DELAY_MS 100

/* gw_device is an interface that is captured on. */
typedef struct gw_device {
    pcap_t *pcap; /* does not block */
    uint32_t link_type;
    int64_t unit_ns; /* of the fraction of a time stamp */
} gw_device;

/* gw_device_open captures on |interface|, whole frames, all that pass. False when that cannot be,
 * with a text for people in |why|, which names it. */
bool gw_device_open(gw_device *device, const char *interface, char *why, size_t cap);

/* gw_device_close ends it. */
void gw_device_close(gw_device *device);

#endif
