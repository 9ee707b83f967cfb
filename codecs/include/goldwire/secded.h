/* SPDX-License-Identifier: BSD-2-Clause */
/* The check byte of TEXTAROSSA's words: a Hamming code over 120 data bits with an overall parity,
 * single error correction and double error detection (RTL; measured in simulation).
 *
 * A word is two halves, |lo| bits 63:0 and |hi| bits 127:64; data are bits 119:0, the check byte is
 * 127:120, p7 first. Data bit i has the position of the i-th integer from 3 on that is no power of
 * two; p0 is the parity of everything else.
 *
 * The published decoder takes a syndrome that is a power of two, with even parity, for no error:
 * 448 of the 8128 double flips of a word, those whose positions differ in one bit, pass as clean.
 * So does gw_secded_check, unless it is asked to be |strict|. */
#ifndef GOLDWIRE_SECDED_H
#define GOLDWIRE_SECDED_H

#include "goldwire/base.h"

GW_BEGIN_DECLS

typedef enum gw_secded_status {
    GW_SECDED_CLEAN = 0,     /* code 00 of the published decoder */
    GW_SECDED_CORRECTED = 1, /* code 01 */
    GW_SECDED_FATAL = 3,     /* code 11: the data are not to be used. Code 10 does not occur */
} gw_secded_status;

#define GW_SECDED_NO_BIT 0xff

/* gw_secded_result is what the decoder says of a word. */
typedef struct gw_secded_result {
    uint64_t lo;      /* data, corrected; all zero when fatal */
    uint64_t hi;      /* bits 119:64 of the data; the check byte is zero */
    uint8_t status;   /* gw_secded_status, the decoder's code */
    uint8_t syndrome; /* what the decoder delivers in place of the check byte: parity error in bit
                         7, then p7..p1 received against computed */
    uint8_t bit;      /* that was corrected, 0 to 127; GW_SECDED_NO_BIT: none */
    uint8_t expected; /* the check byte that the received data would have */
} gw_secded_result;

/* gw_secded_encode returns the check byte of the 120 data bits of a word; the check byte that |hi|
 * holds is ignored. */
GW_API uint8_t gw_secded_encode(uint64_t lo, uint64_t hi);

/* gw_secded_check judges a word with its check byte. With |strict| every double flip is fatal. */
GW_API gw_secded_result gw_secded_check(uint64_t lo, uint64_t hi, bool strict);

GW_END_DECLS

#endif
