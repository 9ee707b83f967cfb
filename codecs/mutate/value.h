/* SPDX-License-Identifier: BSD-2-Clause */
/* Values for a field, by what its line in the table says. */
#ifndef MUTATE_VALUE_H
#define MUTATE_VALUE_H

#include "goldwire/field.h"
#include "goldwire/random.h"

/* gw_value_mask returns the ones that |item|, a number, has bits for. */
uint64_t gw_value_mask(const gw_item *item);

/* gw_value_legal returns a value that the table allows in |item|, a number: one that has a name,
 * one at a boundary, or any. */
uint64_t gw_value_legal(const gw_item *item, gw_random *random);

/* gw_value_boundary returns a value at a boundary: of the bits, of a power of two, of what is
 * legal, or beside the one that is there. */
uint64_t gw_value_boundary(const gw_item *item, gw_random *random);

/* gw_value_illegal puts into *|value| one that the table forbids. False when it forbids none. */
GW_MUST_USE bool gw_value_illegal(const gw_item *item, gw_random *random, uint64_t *value);

#endif
