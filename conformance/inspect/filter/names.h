/* SPDX-License-Identifier: BSD-2-Clause */
/* The names that a filter may ask for. */
#ifndef INSPECT_FILTER_NAMES_H
#define INSPECT_FILTER_NAMES_H

#include "inspect/filter/filter.h"

#define GW_FILTER_NAME 96 /* bytes that hold any name */

/* gw_filter_resolve makes |filter|'s last node ask for what is called |name|, and notes all places
 * where that stands. False when nothing is called so. */
GW_MUST_USE bool gw_filter_resolve(gw_filter *filter, const char *name);

/* gw_filter_is_theirs says whether |name|, which nothing is called here, is a name in Wireshark
 * with the plugin: of another protocol, or of what the plugin adds to messages. */
bool gw_filter_is_theirs(const char *name);

/* gw_filter_meant writes what people may have meant by |name|, which nothing is called, behind a
 * semicolon: the nearest name, or where all of them are shown. Returns |out|. */
const char *gw_filter_meant(char *out, size_t cap, const char *name);

#endif
