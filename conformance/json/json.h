/* SPDX-License-Identifier: BSD-2-Clause */
/* A streaming JSON writer for one object a line: no tree, no allocation, always valid UTF-8. */
#ifndef GOLDWIRE_JSON_JSON_H
#define GOLDWIRE_JSON_JSON_H

#include <stdio.h>

#include "goldwire/base.h"

/* gw_json writes to |out| through a buffer of its own. Every function takes a |key|, NULL inside an
 * array; keys are written as they are. Failures of |out| are kept there: ask ferror. */
typedef struct gw_json {
    FILE *out;
    size_t len;
    bool comma; /* a value stands before the next one */
    char buf[16384];
} gw_json;

/* gw_json_init starts a writer on |out|, which stays the caller's. */
void gw_json_init(gw_json *j, FILE *out);

/* gw_json_open starts an object ('{') or an array ('['). */
void gw_json_open(gw_json *j, const char *key, char bracket);

/* gw_json_close ends it with '}' or ']'. */
void gw_json_close(gw_json *j, char bracket);

/* gw_json_str writes a terminated string, escaped; bytes that are not UTF-8 become U+FFFD. NULL
 * becomes null. */
void gw_json_str(gw_json *j, const char *key, const char *value);

/* gw_json_uint writes a decimal number. */
void gw_json_uint(gw_json *j, const char *key, uint64_t value);

/* gw_json_hex writes |len| bytes as one string of two digits each. */
void gw_json_hex(gw_json *j, const char *key, const uint8_t *bytes, size_t len);

/* gw_json_word writes |value| as a string "0x..." of exactly |digits| digits, at most 16. */
void gw_json_word(gw_json *j, const char *key, uint64_t value, unsigned digits);

/* gw_json_bool writes true or false. */
void gw_json_bool(gw_json *j, const char *key, bool value);

/* gw_json_null writes null. */
void gw_json_null(gw_json *j, const char *key);

/* gw_json_values writes |text|, |len| bytes: one value or several with commas, that another writer
 * made. */
void gw_json_values(gw_json *j, const char *text, size_t len);

/* gw_json_flush hands everything so far to |out|. */
void gw_json_flush(gw_json *j);

/* gw_json_end ends the line and hands everything to |out|. */
void gw_json_end(gw_json *j);

#endif
