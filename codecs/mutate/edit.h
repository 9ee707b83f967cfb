/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes that grow and shrink inside of memory that does not. */
#ifndef MUTATE_EDIT_H
#define MUTATE_EDIT_H

#include "goldwire/base.h"

/* gw_edit is |len| of |cap| bytes. */
typedef struct gw_edit {
    uint8_t *data;
    size_t len;
    size_t cap;
} gw_edit;

/* gw_edit_insert makes room for |num| bytes at |at|, copies them there from |from|, which lies
 * elsewhere, or zeroes them when that is NULL. False, and nothing changed, when they do not fit. */
GW_MUST_USE bool gw_edit_insert(gw_edit *edit, size_t at, const uint8_t *from, size_t num);

/* gw_edit_repeat inserts at |at| a copy of the |num| bytes from |from| on, which end there or
 * before. False when they do not fit. */
GW_MUST_USE bool gw_edit_repeat(gw_edit *edit, size_t at, size_t from, size_t num);

/* gw_edit_remove takes out |num| bytes from |at| on, as many of them as there are. */
void gw_edit_remove(gw_edit *edit, size_t at, size_t num);

/* gw_edit_swap exchanges bytes |a| to |a_end| with bytes |b| to |b_end| behind them. */
void gw_edit_swap(gw_edit *edit, size_t a, size_t a_end, size_t b, size_t b_end);

/* gw_edit_reverse turns the bytes from |at| to |end| round. */
void gw_edit_reverse(gw_edit *edit, size_t at, size_t end);

#endif
