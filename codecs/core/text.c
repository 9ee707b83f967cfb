/* SPDX-License-Identifier: BSD-2-Clause */
/* Short texts for people, and the address helpers that go with them. */
#include "goldwire/text.h"

#include <string.h>

#include "goldwire/ib.h"

gw_text gw_text_over(char *buf, size_t cap)
{
    gw_text t = {buf, cap, 0, false};
    buf[0] = '\0';
    return t;
}

/* Nearly all that is put is a few bytes long, for which a call of memcpy is most of the time. */
static void copy(char *to, const char *from, size_t len)
{
    if (len > 16) {
        memcpy(to, from, len);
    } else if (len >= 8) {
        char first[8], last[8];
        memcpy(first, from, 8);
        memcpy(last, from + len - 8, 8);
        memcpy(to, first, 8);
        memcpy(to + len - 8, last, 8);
    } else {
        for (size_t i = 0; i < len; i++)
            to[i] = from[i];
    }
}

static void put(gw_text *t, const char *s, size_t len)
{
    //@ split t->len;
    //@ split len;
    size_t room = t->cap - 1 - t->len;
    if (len > room) {
        len = room;
        t->cut = true;
    }
    copy(t->buf + t->len, s, len);
    t->len += len;
    t->buf[t->len] = '\0';
}

void gw_text_str(gw_text *t, const char *s)
{
    //@ split t->len;
    char *to = t->buf + t->len;
    char *end = t->buf + t->cap - 1;

    while (*s != '\0' && to < end)
        *to++ = *s++;
    *to = '\0';
    t->len = (size_t)(to - t->buf);
    t->cut |= *s != '\0';
}

static unsigned num_digits(uint32_t value)
{
    unsigned num = 1;

    for (uint32_t limit = 10; num < 10 && value >= limit; limit *= 10)
        num++;
    return num;
}

/* Writes |value|, and returns where it ends. */
static char *write_dec(char *to, uint32_t value)
{
    unsigned num = num_digits(value);
    //@ split num;
    char *end = to + num;

    for (char *at = end; at > to; value /= 10)
        *--at = (char)('0' + value % 10);
    return end;
}

/* Divisions of 64 bits are slow, and hardly a number needs them. */
void gw_text_dec(gw_text *t, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;

    if (value <= UINT32_MAX) {
        put(t, digits, (size_t)(write_dec(digits, (uint32_t)value) - digits));
        return;
    }
    for (; value != 0; value /= 10)
        digits[--at] = (char)('0' + value % 10);
    //@ split at;
    put(t, digits + at, sizeof digits - at);
}

static const char hex_digits[] = "0123456789abcdef";

/* hex without a prefix, at least |digits| of them */
static void put_hex(gw_text *t, uint64_t value, unsigned digits)
{
    char text[16];
    size_t at = sizeof text;
    do {
        text[--at] = hex_digits[value & 15];
        value >>= 4;
    } while (at > 0 && (value != 0 || sizeof text - at < digits));
    put(t, text + at, sizeof text - at);
}

void gw_text_hex(gw_text *t, uint64_t value, unsigned digits)
{
    put(t, "0x", 2);
    put_hex(t, value, digits);
}

void gw_text_bytes(gw_text *t, const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        char pair[2] = {hex_digits[bytes[i] >> 4], hex_digits[bytes[i] & 15]};
        put(t, pair, sizeof pair);
    }
}

#define IPV4_MAX 15

/* Writes "192.0.2.255", and returns where it ends. */
static char *write_ipv4(char *to, const uint8_t *ip)
{
    for (unsigned i = 0; i < 4; i++) {
        if (i > 0)
            *to++ = '.';
        to = write_dec(to, ip[i]);
    }
    return to;
}

static void put_ipv4(gw_text *t, const uint8_t *ip)
{
    char text[IPV4_MAX];

    put(t, text, (size_t)(write_ipv4(text, ip) - text));
}

/* What most lines hold twice is put at once. */
static void put_ipv4_port(gw_text *t, const gw_endpoint *end)
{
    char text[IPV4_MAX + sizeof ":65535"];
    char *to = write_ipv4(text, end->ip);

    *to++ = ':';
    put(t, text, (size_t)(write_dec(to, end->port) - text));
}

void gw_text_value(gw_text *t, const gw_field *field, uint64_t value, unsigned digits)
{
    const uint8_t ip[] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8),
                          (uint8_t)value};

    if (field->base == GW_IPV4)
        put_ipv4(t, ip);
    else if (field->base == GW_HEX)
        gw_text_hex(t, value, digits);
    else
        gw_text_dec(t, value);
}

/* RFC 5952: the longest run of at least two zero groups, the first of equals, becomes "::". */
static void put_ipv6(gw_text *t, const uint8_t *ip)
{
    unsigned group[8];
    unsigned best = 8, best_len = 1;

    for (unsigned i = 0; i < 8; i++)
        group[i] = (unsigned)ip[(size_t)i * 2] << 8 | ip[(size_t)i * 2 + 1];
    for (unsigned i = 0; i < 8; i++) {
        unsigned len = 0;
        while (i + len < 8 && group[i + len] == 0)
            len++;
        if (len > best_len) {
            best = i;
            best_len = len;
        }
        if (len > 0)
            i += len - 1;
    }
    for (unsigned i = 0; i < 8; i++) {
        if (i == best) {
            put(t, "::", 2);
            i += best_len - 1;
            continue;
        }
        if (i > 0 && i != best + best_len)
            put(t, ":", 1);
        put_hex(t, group[i], 1);
    }
}

static void put_lid(gw_text *t, const gw_endpoint *end)
{
    uint32_t qp;

    gw_text_str(t, "lid:");
    gw_text_hex(t, gw_ib_endpoint_lid(end), 2);
    if (!gw_ib_endpoint_qp(end, &qp))
        return;
    gw_text_str(t, "/qp:");
    gw_text_hex(t, qp, 2);
}

void gw_text_endpoint(gw_text *t, const gw_endpoint *end)
{
    switch (end->family) {
    case GW_FAMILY_IPV4:
        put_ipv4_port(t, end);
        return;
    case GW_FAMILY_IPV6:
        put(t, "[", 1);
        put_ipv6(t, end->ip);
        put(t, "]", 1);
        break;
    case GW_FAMILY_LID:
        put_lid(t, end);
        return;
    default:
        put(t, "?", 1);
        return;
    }
    put(t, ":", 1);
    gw_text_dec(t, end->port);
}

void gw_text_end(gw_text *t, const gw_error *error)
{
    if (error->kind == GW_OK)
        return;
    if (t->len > 0)
        gw_text_str(t, ", ");
    if (error->capture_cut) {
        gw_text_str(t, "cut by the capture");
        return;
    }
    gw_text_str(t, gw_error_kind_name((gw_error_kind)error->kind));
    gw_text_str(t, " at byte ");
    gw_text_dec(t, error->offset);
}
