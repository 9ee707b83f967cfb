/* SPDX-License-Identifier: BSD-2-Clause */
/* Maps from files: a LiteX csr.csv, or a flat YAML map. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "names/map.h"

#define WORD 4 /* bytes from one of LiteX's registers to the next, and of a register of YAML */

/* A piece of a line. */
typedef struct piece {
    const char *text;
    size_t len;
} piece;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static piece trimmed(const char *from, const char *to)
{
    while (from < to && is_blank(*from))
        from++;
    while (to > from && is_blank(to[-1]))
        to--;
    return (piece){from, (size_t)(to - from)};
}

static bool is_text(piece p, const char *text)
{
    return p.len == strlen(text) && memcmp(p.text, text, p.len) == 0;
}

static unsigned digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a' + 10);
    return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10) : 16;
}

/* Decimal, or hexadecimal with 0x. */
static bool number(piece p, uint64_t *out)
{
    bool hex = p.len > 2 && p.text[0] == '0' && (p.text[1] | 0x20) == 'x';
    unsigned base = hex ? 16 : 10;

    *out = 0;
    for (size_t i = hex ? 2 : 0; i < p.len; i++) {
        unsigned digit = digit_of(p.text[i]);
        if (digit >= base || *out > (UINT64_MAX - digit) / base)
            return false;
        *out = *out * base + digit;
    }
    return p.len > 0;
}

static bool add(gw_name_map *map, piece name, uint64_t first, uint64_t bytes)
{
    return bytes > 0 && bytes - 1 <= UINT64_MAX - first &&
           gw_name_map_add(map, first, first + (bytes - 1), name.text, name.len);
}

/* The piece before the next comma, which |*at| goes behind. */
static piece cell(const char **at, const char *end)
{
    const char *from = *at;
    const char *comma = memchr(from, ',', (size_t)(end - from));

    *at = comma != NULL ? comma + 1 : end;
    return trimmed(from, comma != NULL ? comma : end);
}

static bool csv_line(gw_name_map *map, const char *at, const char *end)
{
    piece kind = cell(&at, end), name = cell(&at, end), where = cell(&at, end);
    piece size = cell(&at, end);
    uint64_t address, units;
    bool is_register = is_text(kind, "csr_register");

    if (!is_register && !is_text(kind, "memory_region"))
        return is_text(kind, "csr_base") || is_text(kind, "constant");
    if (!number(where, &address) || !number(size, &units) || units > UINT64_MAX / WORD)
        return false;
    return add(map, name, address, is_register ? units * WORD : units);
}

/* NAME: ADDRESS, or NAME: FIRST-LAST. */
static bool yaml_line(gw_name_map *map, const char *from, const char *end)
{
    const char *colon = memchr(from, ':', (size_t)(end - from));
    const char *comment = memchr(from, '#', (size_t)(end - from));
    uint64_t first, last;

    if (colon == NULL || is_blank(*from))
        return false;
    if (comment != NULL && comment > colon)
        end = comment;
    const char *dash = memchr(colon, '-', (size_t)(end - colon));
    if (!number(trimmed(colon + 1, dash != NULL ? dash : end), &first))
        return false;
    if (dash == NULL)
        return add(map, trimmed(from, colon), first, WORD);
    piece name = trimmed(from, colon);
    return number(trimmed(dash + 1, end), &last) &&
           gw_name_map_add(map, first, last, name.text, name.len);
}

static bool take_line(gw_name_map *map, const char *from, const char *end)
{
    piece all = trimmed(from, end);

    if (all.len == 0 || all.text[0] == '#' || is_text(all, "---"))
        return true;
    return memchr(from, ',', (size_t)(end - from)) != NULL ? csv_line(map, from, end)
                                                           : yaml_line(map, from, end);
}

bool gw_name_map_read(gw_name_map *map, const char *text, size_t len, char *why, size_t cap)
{
    const char *end = text + len;
    unsigned line = 1;

    for (const char *at = text; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (stop == NULL)
            stop = end;
        if (!take_line(map, at, stop)) {
            (void)snprintf(why, cap,
                           map->num == GW_NAME_MAP_MAX
                               ? "line %u: more than %u registers"
                               : "line %u is neither one of a csr.csv nor NAME: ADDRESS",
                           line, GW_NAME_MAP_MAX);
            return false;
        }
        at = stop + 1;
    }
    return true;
}
