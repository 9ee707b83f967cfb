/* SPDX-License-Identifier: BSD-2-Clause */
/* UTF-8 that keeps its word: comments are shown, and printed as JSON, which takes nothing else. */
#include "utf8.h"

#include <string.h>

/* Returns the length of the well-formed sequence at the cursor, 0 when there is none. The bounds of
 * the second byte keep out overlong forms, surrogates and what lies beyond U+10FFFF. */
static size_t sequence_len(gw_cursor c)
{
    uint8_t first;
    uint8_t low = 0x80;
    uint8_t high = 0xbf;
    size_t more;

    if (!gw_cursor_u8(&c, &first))
        return 0;
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    if (first < 0xe0)
        more = 1;
    else if (first < 0xf0)
        more = 2;
    else
        more = 3;
    if (first == 0xe0)
        low = 0xa0;
    else if (first == 0xed)
        high = 0x9f;
    else if (first == 0xf0)
        low = 0x90;
    else if (first == 0xf4)
        high = 0x8f;

    for (size_t i = 0; i < more; i++) {
        uint8_t next;
        if (!gw_cursor_u8(&c, &next) || next < low || next > high)
            return 0;
        low = 0x80;
        high = 0xbf;
    }
    return 1 + more;
}

void gw_utf8_copy(char *out, size_t cap, gw_cursor text)
{
    static const uint8_t replacement[3] = {0xef, 0xbf, 0xbd};
    size_t len = 0;

    while (gw_cursor_left(&text) != 0 && *text.p != 0) {
        const size_t good = sequence_len(text);
        const uint8_t *from = good != 0 ? text.p : replacement;
        const size_t n = good != 0 ? good : sizeof(replacement);
        if (n >= cap - len)
            break;
        memcpy(out + len, from, n);
        len += n;
        text.p += good != 0 ? good : 1;
    }
    out[len] = '\0';
}

size_t gw_utf8_cut(const char *text, size_t max)
{
    size_t len = strnlen(text, max);

    if (len < max)
        return len;
    /* A character has at most three bytes after its first. */
    for (size_t back = 0; back <= 3 && back < len; back++) {
        if (((uint8_t)text[len - back] & 0xc0) != 0x80)
            return len - back;
    }
    return len;
}
