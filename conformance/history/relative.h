/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths from one folder to another. */
#ifndef GOLDWIRE_HISTORY_RELATIVE_H
#define GOLDWIRE_HISTORY_RELATIVE_H

#include <stddef.h>

#define GW_RELATIVE_MAX 8192

/* gw_relative writes the path from folder |below| to folder |dir| into |out|, |cap| at least 2, and
 * returns it: "../runs/7". |dir| as it is when one of them cannot be found, or the path is too
 * long. */
const char *gw_relative(char *out, size_t cap, const char *dir, const char *below);

#endif
