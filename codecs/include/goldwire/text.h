/* SPDX-License-Identifier: BSD-2-Clause */
/* Short texts for people, built without stdio so that they work in firmware. */
#ifndef GOLDWIRE_TEXT_H
#define GOLDWIRE_TEXT_H

#include <string.h>

#include "goldwire/base.h"
#include "goldwire/error.h"
#include "goldwire/field.h"
#include "goldwire/message.h"

GW_BEGIN_DECLS

/* gw_text appends to a buffer of fixed size. The text is always terminated; what does not fit is
 * dropped and |cut| is set. */
typedef struct gw_text {
    char *buf;
    size_t cap;
    size_t len;
    bool cut;
} gw_text;

/* gw_text_over returns an empty text in |cap| bytes at |buf|, |cap| at least 1. */
GW_API gw_text gw_text_over(char *buf, size_t cap);

/* gw_text_put appends |len| characters, none of them NUL. */
GW_API void gw_text_put(gw_text *t, const char *s, size_t len);

/* gw_text_str appends a terminated string. Of a literal that fits, a few moves with its NUL are all
 * that is left. */
static inline void gw_text_str(gw_text *t, const char *s)
{
    const size_t len = strlen(s);

    if (!GW_COMPILER_KNOWS(len) || len >= t->cap - t->len) {
        gw_text_put(t, s, len);
        return;
    }
    memcpy(t->buf + t->len, s, len + 1);
    t->len += len;
}

/* gw_text_dec appends |value| in decimal. */
GW_API void gw_text_dec(gw_text *t, uint64_t value);

/* gw_text_digits appends the last |num| decimal digits of |value|, with zeros in front; at most 10.
 */
GW_API void gw_text_digits(gw_text *t, uint32_t value, unsigned num);

/* gw_text_hex appends |value| as 0x... with at least |digits| digits. */
GW_API void gw_text_hex(gw_text *t, uint64_t value, unsigned digits);

/* gw_text_value appends |value| as |field| is written: in decimal, as 0x... with at least |digits|
 * digits, or as "1.2.3.4". */
GW_API void gw_text_value(gw_text *t, const gw_field *field, uint64_t value, unsigned digits);

/* gw_text_bytes appends |len| bytes as two hexadecimal digits each, no prefix. */
GW_API void gw_text_bytes(gw_text *t, const uint8_t *bytes, size_t len);

/* gw_text_endpoint appends "1.2.3.4:5", "[::1]:5" (RFC 5952), "lid:0x11/qp:0x412" or "lid:0x11",
 * "?" when unknown. */
GW_API void gw_text_endpoint(gw_text *t, const gw_endpoint *end);

/* gw_text_end appends to a summary how its message ends: ", truncated at byte 12", ", cut by the
 * capture"; nothing where decoding did not stop. */
GW_API void gw_text_end(gw_text *t, const gw_error *error);

GW_END_DECLS

#endif
