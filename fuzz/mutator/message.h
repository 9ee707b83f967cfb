/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutates one message, whatever kind of input it is in. */
#ifndef MUTATOR_MESSAGE_H
#define MUTATOR_MESSAGE_H

#include "mutator/mutator.h"

/* gw_fuzz_mutate_message writes a mutation of |m|, of |format|, at most |cap| bytes, to |out|, with
 * pieces of |other|, which may be NULL. Returns its length; 0 when the tables know nothing to do,
 * and for a |format| that is NULL. */
size_t gw_fuzz_mutate_message(gw_fuzz_mutator *mutator, const gw_format *format,
                              const gw_dialect *dialect, const gw_message *m,
                              const gw_message *other, uint8_t *out, size_t cap);

/* gw_fuzz_claimant returns the format that claims |m|; NULL when none does. */
const gw_format *gw_fuzz_claimant(const gw_message *m);

/* gw_fuzz_tell puts |what|, NULL for nothing, behind what mutator->did tells. */
void gw_fuzz_tell(gw_fuzz_mutator *mutator, const char *what);

/* gw_fuzz_mutate_capture is gw_fuzz_mutate for a capture, pcapng in either order of bytes: its
 * packets, as a sequence, or the message in one of them, whose UDP and IP lengths and ICRC go along
 * most of the time. What is no packet stays as it is. */
size_t gw_fuzz_mutate_capture(gw_fuzz_mutator *mutator, const uint8_t *data, size_t len,
                              const uint8_t *other, size_t other_len, size_t cap);

#endif
