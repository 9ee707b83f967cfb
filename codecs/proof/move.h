/* SPDX-License-Identifier: BSD-2-Clause */
/* Stands for memmove, of which WP cannot follow libc's: include it before what calls that. */
#ifndef PROOF_MOVE_H
#define PROOF_MOVE_H

#include <stdint.h>
#include <string.h>

/*@ requires proven_from: len > 0 ==> \valid_read(from + (0 .. len - 1));
  @ requires proven_to: len > 0 ==> \valid(to + (0 .. len - 1));
  @ assigns to[0 .. len - 1] \from from[0 .. len - 1]; */
void move(uint8_t *to, const uint8_t *from, size_t len);

#define memmove move

#endif
