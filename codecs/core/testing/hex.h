/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: bytes written down as hexadecimal text. */
#ifndef CORE_TESTING_HEX_H
#define CORE_TESTING_HEX_H

#include <string.h>

#include "goldwire/base.h"

/* gw_hex_bytes turns hexadecimal text into bytes; spaces are for people. Returns how many; stops at
 * |cap|. */
static inline size_t gw_hex_bytes(uint8_t *out, size_t cap, const char *hex)
{
    static const char digits[] = "0123456789abcdef";
    size_t nibbles = 0;

    memset(out, 0, cap);
    for (; *hex != '\0' && nibbles / 2 < cap; hex++) {
        const char *digit = strchr(digits, *hex);
        if (*hex == ' ' || digit == NULL)
            continue;
        out[nibbles / 2] = (uint8_t)(out[nibbles / 2] << 4 | (digit - digits));
        nibbles++;
    }
    return nibbles / 2;
}

#endif
