/* SPDX-License-Identifier: BSD-2-Clause */
/* Words of a filter. */
#include "inspect/filter/scan.h"

#include <string.h>

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == ':' || c == '-';
}

static size_t sign_length(const char *p)
{
    static const char *const two[] = {"==", "!=", ">=", "<=", "&&", "||"};

    for (size_t i = 0; i < GW_ARRAY_LEN(two); i++) {
        if (strncmp(p, two[i], 2) == 0)
            return 2;
    }
    return strchr("()!<>", *p) != NULL ? 1 : 0;
}

static gw_token quoted(const char *text, size_t place)
{
    const char *from = text + place + 1;
    const char *end = strchr(from, '"');

    if (end == NULL)
        return (gw_token){.kind = GW_TOKEN_WRONG, .text = text + place, .place = place};
    return (gw_token){
        .kind = GW_TOKEN_QUOTED, .text = from, .len = (size_t)(end - from), .place = place};
}

gw_token gw_token_scan(const char *text, size_t *at)
{
    gw_token t = {.kind = GW_TOKEN_END};
    size_t place = *at + strspn(text + *at, " \t");

    if (text[place] == '"') {
        t = quoted(text, place);
        *at = place + (t.kind == GW_TOKEN_QUOTED ? t.len + 2 : 0);
        return t;
    }
    t.text = text + place;
    t.place = place;
    while (in_word(t.text[t.len]))
        t.len++;
    if (t.len > 0) {
        t.kind = GW_TOKEN_WORD;
    } else if (text[place] != '\0') {
        t.len = sign_length(t.text);
        t.kind = t.len > 0 ? GW_TOKEN_SIGN : GW_TOKEN_WRONG;
    }
    *at = place + t.len;
    return t;
}

bool gw_token_is(const gw_token *token, const char *text)
{
    return (token->kind == GW_TOKEN_WORD || token->kind == GW_TOKEN_SIGN) &&
           strlen(text) == token->len && memcmp(token->text, text, token->len) == 0;
}

/* The value of a digit; 99 for what is none. */
static unsigned digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a' + 10);
    return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10) : 99;
}

bool gw_token_number(const gw_token *token, uint64_t *out)
{
    unsigned base = 10;
    size_t i = 0;
    uint64_t value = 0;

    if (token->kind != GW_TOKEN_WORD)
        return false;
    if (token->len > 1 && token->text[0] == '0') {
        char kind = token->text[1];
        base = kind == 'x' || kind == 'X' ? 16 : kind == 'b' || kind == 'B' ? 2 : 8;
        i = base == 8 ? 1 : 2;
    }
    if (i == token->len)
        return false;
    for (; i < token->len; i++) {
        unsigned digit = digit_of(token->text[i]);
        if (digit >= base || value > (UINT64_MAX - digit) / base)
            return false;
        value = value * base + digit;
    }
    *out = value;
    return true;
}

bool gw_token_ipv4(const gw_token *token, uint64_t *out)
{
    unsigned octets = 0, octet = 0, digits = 0;

    *out = 0;
    for (size_t i = 0; i <= token->len; i++) {
        if (i == token->len || token->text[i] == '.') {
            if (digits == 0 || ++octets > 4)
                return false;
            *out = *out << 8 | octet;
            octet = digits = 0;
            continue;
        }
        unsigned digit = digit_of(token->text[i]);
        octet = octet * 10 + digit;
        if (digit > 9 || octet > 255 || ++digits > 3)
            return false;
    }
    return token->kind == GW_TOKEN_WORD && octets == 4;
}

size_t gw_token_bytes(const gw_token *token, uint8_t *out, size_t cap)
{
    size_t num = 0;

    if (token->kind == GW_TOKEN_QUOTED) {
        if (token->len > cap)
            return 0;
        memcpy(out, token->text, token->len);
        return token->len;
    }
    for (size_t i = 0; i < token->len; i += 2) {
        if (num > 0 && token->text[i] == ':')
            i++;
        if (i + 2 > token->len || num == cap)
            return 0;
        unsigned high = digit_of(token->text[i]), low = digit_of(token->text[i + 1]);
        if (high > 15 || low > 15)
            return 0;
        out[num++] = (uint8_t)(high << 4 | low);
    }
    return num;
}
