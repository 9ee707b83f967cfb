/* SPDX-License-Identifier: BSD-2-Clause */
/* A network of our own: a user and network namespace in which this process is alone, and Ethernets
 * that are cables between two interfaces. No privilege is needed where the system allows it. */
#ifndef HARNESS_NETNS_H
#define HARNESS_NETNS_H

#include "goldwire/base.h"

/* gw_netns_enter moves this process, which must have one thread only, into a user and network
 * namespace of its own, for good; its user and its files stay what they are. It then sees a
 * loopback interface, up, and no other. A second call does nothing. False with a text in |why|,
 * one line, where the system refuses. */
GW_MUST_USE bool gw_netns_enter(char *why, size_t why_cap);

/* gw_netns_cable makes two Ethernet interfaces that are connected to each other, both up. False
 * with a text in |why|. */
GW_MUST_USE bool gw_netns_cable(const char *one, const char *other, char *why, size_t why_cap);

#endif
