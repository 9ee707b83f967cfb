/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes of their own length for what a target calls, at a small part of malloc's price. */
#ifndef LEND_H
#define LEND_H

#include <stddef.h>
#include <stdint.h>

/* gw_fuzz_lend returns |len| bytes, a copy of |data| unless that is NULL; gw_fuzz_take_back ends
 * them. AddressSanitizer sees one byte too far, before them or behind, and, as long as the next
 * megabyte has not been lent, whoever keeps them longer: they come from a ring of memory that may
 * not be touched but for what is lent of it. Without that, and for what the ring has no room for,
 * they are malloc's. Of several that are lent any may end first. */
uint8_t *gw_fuzz_lend(const uint8_t *data, size_t len);
void gw_fuzz_take_back(uint8_t *bytes);

#endif
