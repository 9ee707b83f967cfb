/* SPDX-License-Identifier: BSD-2-Clause */
/* The streaming JSON writer. */
#include "json/json.h"

#include <inttypes.h>
#include <string.h>

static const char digits_of_hex[] = "0123456789abcdef";

void gw_json_flush(gw_json *j)
{
    if (j->len > 0)
        (void)fwrite(j->buf, 1, j->len, j->out);
    j->len = 0;
}

static inline void put_char(gw_json *j, char c)
{
    if (j->len == sizeof j->buf)
        gw_json_flush(j);
    j->buf[j->len++] = c;
}

static inline void put(gw_json *j, const char *s, size_t len)
{
    if (len > sizeof j->buf - j->len) {
        gw_json_flush(j);
        if (len > sizeof j->buf) {
            (void)fwrite(s, 1, len, j->out);
            return;
        }
    }
    memcpy(j->buf + j->len, s, len);
    j->len += len;
}

/* What stands before every value: a comma if due, and the key. */
static inline void lead(gw_json *j, const char *key)
{
    if (j->comma)
        put_char(j, ',');
    j->comma = true;
    if (key == NULL)
        return;
    put_char(j, '"');
    put(j, key, strlen(key));
    put(j, "\":", 2);
}

/* How many bytes from |s| on are one well-formed UTF-8 character (RFC 3629); 0 when none is. The
 * text is terminated, so a character that breaks off meets the NUL. */
static size_t utf8_len(const unsigned char *s)
{
    static const struct {
        unsigned char first, last, second_min, second_max, len;
    } forms[] = {
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < GW_ARRAY_LEN(forms); i++) {
        if (s[0] < forms[i].first || s[0] > forms[i].last)
            continue;
        if (forms[i].len > 1 && (s[1] < forms[i].second_min || s[1] > forms[i].second_max))
            return 0;
        for (size_t k = 2; k < forms[i].len; k++) {
            if (s[k] < 0x80 || s[k] > 0xbf)
                return 0;
        }
        return forms[i].len;
    }
    return 0;
}

static void put_escaped(gw_json *j, const char *value)
{
    const unsigned char *s = (const unsigned char *)value;

    while (*s != '\0') {
        if (*s == '"' || *s == '\\') {
            put_char(j, '\\');
            put_char(j, (char)*s++);
            continue;
        }
        if (*s < 0x20) {
            put(j, "\\u00", 4);
            put_char(j, digits_of_hex[*s >> 4]);
            put_char(j, digits_of_hex[*s & 15]);
            s++;
            continue;
        }
        size_t len = utf8_len(s);
        if (len == 0) {
            put(j, "\xef\xbf\xbd", 3);
            s++;
            continue;
        }
        put(j, (const char *)s, len);
        s += len;
    }
}

void gw_json_init(gw_json *j, FILE *out)
{
    j->out = out;
    j->len = 0;
    j->comma = false;
}

void gw_json_open(gw_json *j, const char *key, char bracket)
{
    lead(j, key);
    put_char(j, bracket);
    j->comma = false;
}

void gw_json_close(gw_json *j, char bracket)
{
    put_char(j, bracket);
    j->comma = true;
}

void gw_json_str(gw_json *j, const char *key, const char *value)
{
    if (value == NULL) {
        gw_json_null(j, key);
        return;
    }
    lead(j, key);
    put_char(j, '"');
    put_escaped(j, value);
    put_char(j, '"');
}

void gw_json_uint(gw_json *j, const char *key, uint64_t value)
{
    char text[20];
    size_t at = sizeof text;

    lead(j, key);
    do {
        text[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    put(j, text + at, sizeof text - at);
}

void gw_json_hex(gw_json *j, const char *key, const uint8_t *bytes, size_t len)
{
    lead(j, key);
    put_char(j, '"');
    for (size_t i = 0; i < len; i++) {
        char pair[2] = {digits_of_hex[bytes[i] >> 4], digits_of_hex[bytes[i] & 15]};
        put(j, pair, sizeof pair);
    }
    put_char(j, '"');
}

void gw_json_word(gw_json *j, const char *key, uint64_t value, unsigned digits)
{
    char text[20] = "\"0x";
    size_t len = 3;

    lead(j, key);
    while (digits-- > 0)
        text[len++] = digits_of_hex[value >> (4 * digits) & 15];
    text[len++] = '"';
    put(j, text, len);
}

void gw_json_bool(gw_json *j, const char *key, bool value)
{
    lead(j, key);
    put(j, value ? "true" : "false", value ? 4 : 5);
}

void gw_json_null(gw_json *j, const char *key)
{
    lead(j, key);
    put(j, "null", 4);
}

void gw_json_values(gw_json *j, const char *text, size_t len)
{
    lead(j, NULL);
    put(j, text, len);
}

void gw_json_end(gw_json *j)
{
    put_char(j, '\n');
    gw_json_flush(j);
    j->comma = false;
}
