/* SPDX-License-Identifier: BSD-2-Clause */
/* A filter's text, cut into words. */
#ifndef INSPECT_FILTER_SCAN_H
#define INSPECT_FILTER_SCAN_H

#include "goldwire/base.h"

typedef enum gw_token_kind {
    GW_TOKEN_END = 0,
    GW_TOKEN_WORD,   /* a name, a number, bytes in hex */
    GW_TOKEN_QUOTED, /* without its quotes */
    GW_TOKEN_SIGN,   /* ( ) ! == != && || > >= < <= */
    GW_TOKEN_WRONG,  /* a character that stands nowhere, or a quote that is never closed */
} gw_token_kind;

/* gw_token is one word of a text, and stands in it. */
typedef struct gw_token {
    gw_token_kind kind;
    const char *text;
    size_t len;
    size_t place; /* of its first character, a quote included, in the text */
} gw_token;

/* gw_token_scan returns the token that begins at |*at| of |text|, or after the blanks there, and
 * sets |*at| behind it. */
gw_token gw_token_scan(const char *text, size_t *at);

/* gw_token_is says whether |token| is the unquoted |text|. */
bool gw_token_is(const gw_token *token, const char *text);

/* gw_token_number reads |token| as a number, as a filter may write one. */
GW_MUST_USE bool gw_token_number(const gw_token *token, uint64_t *out);

/* gw_token_ipv4 reads |token| as "1.2.3.4"; the first octet becomes the highest byte. */
GW_MUST_USE bool gw_token_ipv4(const gw_token *token, uint64_t *out);

/* gw_token_bytes reads |token| as bytes: the text between quotes, or pairs of hex digits with or
 * without colons between. Returns how many, 0 for none, bad ones, and more than |cap|. */
size_t gw_token_bytes(const gw_token *token, uint8_t *out, size_t cap);

#endif
