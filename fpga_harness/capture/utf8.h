/* SPDX-License-Identifier: BSD-2-Clause */
/* Text from a capture file, made safe to hand on. */
#ifndef HARNESS_CAPTURE_UTF8_H
#define HARNESS_CAPTURE_UTF8_H

#include "goldwire/cursor.h"

/* gw_utf8_copy copies |text| to |out|, of |cap| bytes (at least 1), as terminated UTF-8. Each byte
 * that is not part of a well-formed sequence (RFC 3629) becomes U+FFFD, so 3 * length + 1 bytes are
 * always enough. The text ends at a zero byte, or before the first character that does not fit. */
void gw_utf8_copy(char *out, size_t cap, gw_cursor text);

/* gw_utf8_cut returns the length of the longest start of |text|, at most |max| bytes, that does not
 * end inside a character. */
size_t gw_utf8_cut(const char *text, size_t max);

#endif
