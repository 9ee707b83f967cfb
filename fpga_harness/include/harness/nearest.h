/* SPDX-License-Identifier: BSD-2-Clause */
/* "Did you mean ...?": the nearest of several words. */
#ifndef HARNESS_NEAREST_H
#define HARNESS_NEAREST_H

#include "goldwire/base.h"

/* gw_nearest returns the one of |choices| (NULL at the end) that begins with |word|, or that takes
 * the fewest typing slips (a letter missing, added, wrong, or two swapped) to become |word|, or
 * NULL when none is near enough to be meant. */
const char *gw_nearest(const char *word, const char *const *choices);

/* gw_nearest_said writes "; did you mean 'decode'?" for gw_nearest's answer into |out|, |cap| at
 * least 1, or "" when no choice is near enough, and returns |out|. */
const char *gw_nearest_said(char *out, size_t cap, const char *word, const char *const *choices);

/* gw_slips returns how many typing slips lie between two words; words longer than 63 bytes are
 * compared by their first 63. */
unsigned gw_slips(const char *a, const char *b);

#endif
