/* SPDX-License-Identifier: BSD-2-Clause */
/* Making hostile text harmless. */
#include "evidence/clean.h"

#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

/* How many bytes the well-formed UTF-8 character at |p| takes; 0 when there is none (RFC 3629). The
 * text is terminated, so a look ahead stops at its end. */
static size_t character(const unsigned char *p)
{
    if (p[0] < 0x80)
        return 1;
    size_t len = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool surrogate = p[0] == 0xed && p[1] > 0x9f;
    bool too_high = p[0] == 0xf4 && p[1] > 0x8f;
    bool no_character = p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe;
    return overlong || surrogate || too_high || no_character ? 0 : len;
}

/* C0, DEL and C1 controls steer terminals; XML forbids most of them. */
static bool is_control(const unsigned char *p)
{
    return (p[0] < 0x20 && p[0] != '\n') || p[0] == 0x7f || (p[0] == 0xc2 && p[1] < 0xa0);
}

/* The next piece of clean text: its bytes, and how many of the input it stands for. */
static const char *piece(const char *text, size_t *len, size_t *used)
{
    size_t n = character((const unsigned char *)text);
    *used = n > 0 ? n : 1;
    if (n > 0 && !is_control((const unsigned char *)text)) {
        *len = n;
        return text;
    }
    *len = strlen(REPLACEMENT);
    return REPLACEMENT;
}

char *gw_clean(char *out, size_t cap, const char *text)
{
    size_t at = 0;
    while (*text != '\0') {
        size_t len;
        size_t used;
        const char *p = piece(text, &len, &used);
        if (at + len >= cap)
            break;
        memcpy(out + at, p, len);
        at += len;
        text += used;
    }
    out[at] = '\0';
    return out;
}

static const char *entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void gw_put_markup(FILE *file, const char *text)
{
    while (*text != '\0') {
        size_t len;
        size_t used;
        const char *p = piece(text, &len, &used);
        const char *escaped = len == 1 ? entity(*p) : NULL;
        if (escaped != NULL)
            fputs(escaped, file);
        else
            fwrite(p, 1, len, file);
        text += used;
    }
}

void gw_put_plain(FILE *file, const char *text)
{
    while (*text != '\0') {
        size_t len;
        size_t used;
        const char *p = piece(text, &len, &used);
        if (*p == '\n')
            fputc(' ', file);
        else
            fwrite(p, 1, len, file);
        text += used;
    }
}

void gw_put_lines(FILE *file, const char *text, size_t len)
{
    while (len > 0) {
        char ahead[5] = "";
        size_t piece_len;
        size_t used;
        memcpy(ahead, text, len < 4 ? len : 4);
        const char *p = piece(ahead, &piece_len, &used);
        if (*text == '\t')
            fputc('\t', file);
        else if (*text != '\r')
            fwrite(p, 1, piece_len, file);
        text += used;
        len -= used;
    }
}
