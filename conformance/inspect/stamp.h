/* SPDX-License-Identifier: BSD-2-Clause */
/* Times as text: seconds with nine decimals. */
#ifndef INSPECT_STAMP_H
#define INSPECT_STAMP_H

#include "goldwire/text.h"

#define GW_STAMP_MAX 32

/* gw_stamp_second remembers how the last second read, for many messages are of the same one. All
 * zeros remembers none. */
typedef struct gw_stamp_second {
    uint64_t value;
    size_t len; /* of the text; 0: none is remembered */
    char text[GW_STAMP_MAX];
} gw_stamp_second;

/* gw_stamp_add appends |ns| nanoseconds as "1350000000.000620546". */
void gw_stamp_add(gw_text *t, int64_t ns, gw_stamp_second *second);

/* gw_stamp_text writes |ns| likewise, terminated, and returns |out|. */
const char *gw_stamp_text(char out[GW_STAMP_MAX], int64_t ns);

/* gw_stamp_parse reads such a text; fewer decimals are allowed, none too. False, and |out|
 * untouched, for anything else and for times that do not fit 64 bits of nanoseconds. */
GW_MUST_USE bool gw_stamp_parse(int64_t *out, const char *text);

#endif
