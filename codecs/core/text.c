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

static void put(gw_text *t, const char *s, size_t len)
{
    size_t room = t->cap - 1 - t->len;
    if (len > room) {
        len = room;
        t->cut = true;
    }
    memcpy(t->buf + t->len, s, len);
    t->len += len;
    t->buf[t->len] = '\0';
}

void gw_text_str(gw_text *t, const char *s)
{
    put(t, s, strlen(s));
}

/* As in most numbers of a line, the small ones are worth a path without divisions of 64 bits. */
void gw_text_dec(gw_text *t, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    for (; value > UINT32_MAX; value /= 10)
        digits[--at] = (char)('0' + value % 10);
    uint32_t rest = (uint32_t)value;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
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

static void put_ipv4(gw_text *t, const uint8_t *ip)
{
    for (unsigned i = 0; i < 4; i++) {
        if (i > 0)
            put(t, ".", 1);
        gw_text_dec(t, ip[i]);
    }
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
        put_ipv4(t, end->ip);
        break;
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
