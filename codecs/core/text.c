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

/* Copies |len| bytes, |half| to twice as many, as the first |half| and the last |half| of them. */
static inline void copy_halves(char *to, const char *from, size_t len, size_t half)
{
    char first[8], last[8];

    memcpy(first, from, half);
    memcpy(last, from + len - half, half);
    memcpy(to, first, half);
    memcpy(to + len - half, last, half);
}

/* Nearly all that is put is a few bytes long, for which a call of memcpy is most of the time. */
static inline void copy(char *to, const char *from, size_t len)
{
    if (len > 16) {
        memcpy(to, from, len);
    } else if (len >= 8) {
        copy_halves(to, from, len, 8);
    } else if (len >= 4) {
        copy_halves(to, from, len, 4);
    } else {
        for (size_t i = 0; i < len; i++)
            to[i] = from[i];
    }
}

static inline void put(gw_text *t, const char *s, size_t len)
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

void gw_text_put(gw_text *t, const char *s, size_t len)
{
    put(t, s, len);
}

/* ---- numbers ---- */

/* Numbers are written where they are to stand, for what was just written by bytes is slow to copy;
 * only where |max| characters, as many as there may be, do not fit, they are written |aside|. That
 * is cleared, so that no byte is taken from there which nobody wrote, however many that are. */
static inline char *begin(const gw_text *t, char *aside, size_t max)
{
    if (t->cap - 1 - t->len >= max)
        return t->buf + t->len;
    memset(aside, 0, max);
    return aside;
}

/* Takes what was written from |begun| to |end|. */
static inline void finish(gw_text *t, const char *begun, const char *end)
{
    if (begun != t->buf + t->len) {
        put(t, begun, (size_t)(end - begun));
        return;
    }
    t->len += (size_t)(end - begun);
    t->buf[t->len] = '\0';
}

/* Divisions are slow: each gives two digits. */
static const char two_digits[] = "00010203040506070809101112131415161718192021222324"
                                 "25262728293031323334353637383940414243444546474849"
                                 "50515253545556575859606162636465666768697071727374"
                                 "75767778798081828384858687888990919293949596979899";

/* Writes the last |num| digits of |value|, and returns where they end. */
static inline char *write_digits(char *to, uint32_t value, unsigned num)
{
    char *end = to + num;

    for (; num > 1; num -= 2, value /= 100)
        memcpy(to + num - 2, two_digits + (size_t)2 * (value % 100), 2);
    if (num == 1)
        *to = (char)('0' + value % 10);
    return end;
}

static inline unsigned num_digits(uint32_t value)
{
    if (value < 10000)
        return value < 100 ? 1u + (value >= 10) : 3u + (value >= 1000);
    if (value < 100000000)
        return value < 1000000 ? 5u + (value >= 100000) : 7u + (value >= 10000000);
    return 9u + (value >= 1000000000);
}

static inline char *write_dec(char *to, uint32_t value)
{
    unsigned num = num_digits(value);
    //@ split num;
    return write_digits(to, value, num);
}

/* Divisions of 64 bits are slower still, and hardly a number needs them. */
static void put_long(gw_text *t, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;

    for (; value != 0; value /= 10)
        digits[--at] = (char)('0' + value % 10);
    //@ split at;
    put(t, digits + at, sizeof digits - at);
}

#define DIGITS_MAX 10 /* of 32 bits */

void gw_text_dec(gw_text *t, uint64_t value)
{
    char aside[DIGITS_MAX];

    if (value > UINT32_MAX) {
        put_long(t, value);
        return;
    }
    //@ split t->len;
    char *to = begin(t, aside, sizeof aside);
    finish(t, to, write_dec(to, (uint32_t)value));
}

void gw_text_digits(gw_text *t, uint32_t value, unsigned num)
{
    char aside[DIGITS_MAX];
    //@ split t->len;
    char *to = begin(t, aside, sizeof aside);

    finish(t, to, write_digits(to, value, num < DIGITS_MAX ? num : DIGITS_MAX));
}

static const char hex_digits[] = "0123456789abcdef";

static inline void write_byte(char *to, unsigned value)
{
    to[0] = hex_digits[value >> 4];
    to[1] = hex_digits[value & 15];
}

#define HEX_MAX 16

/* Writes at least |digits| digits without a prefix, and returns where they end. */
static inline char *write_hex(char *to, uint64_t value, unsigned digits)
{
    unsigned num = 1;

    for (uint64_t rest = value >> 4; rest != 0; rest >>= 4)
        num++;
    if (num < digits)
        num = digits < HEX_MAX ? digits : HEX_MAX;
    char *end = to + num;
    for (; num > 1; num -= 2, value >>= 8)
        write_byte(to + num - 2, value & 255);
    if (num == 1)
        *to = hex_digits[value & 15];
    return end;
}

static void put_hex(gw_text *t, uint64_t value, unsigned digits)
{
    char aside[HEX_MAX];
    //@ split t->len;
    char *to = begin(t, aside, sizeof aside);

    finish(t, to, write_hex(to, value, digits));
}

void gw_text_hex(gw_text *t, uint64_t value, unsigned digits)
{
    char aside[2 + HEX_MAX];
    //@ split t->len;
    char *to = begin(t, aside, sizeof aside);

    memcpy(to, "0x", 2);
    finish(t, to, write_hex(to + 2, value, digits));
}

void gw_text_bytes(gw_text *t, const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        char pair[2];
        write_byte(pair, bytes[i]);
        put(t, pair, sizeof pair);
    }
}

/* ---- addresses ---- */

#define IPV4_MAX 15

/* Writes "192.0.2.255", and returns where it ends. */
static inline char *write_ipv4(char *to, const uint8_t *ip)
{
    for (unsigned i = 0; i < 4; i++) {
        if (i > 0)
            *to++ = '.';
        to = write_digits(to, ip[i], 1u + (ip[i] >= 10) + (ip[i] >= 100));
    }
    return to;
}

static void put_ipv4(gw_text *t, const uint8_t *ip)
{
    char aside[IPV4_MAX];
    //@ split t->len;
    char *to = begin(t, aside, sizeof aside);

    finish(t, to, write_ipv4(to, ip));
}

/* What most lines hold twice is put at once. */
static void put_ipv4_port(gw_text *t, const gw_endpoint *end)
{
    char aside[IPV4_MAX + sizeof ":65535"];
    //@ split t->len;
    char *to = begin(t, aside, sizeof aside);
    char *port = write_ipv4(to, end->ip);

    *port++ = ':';
    finish(t, to, write_dec(port, end->port));
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
