/* SPDX-License-Identifier: BSD-2-Clause */
/* The library in one page: prints every field of one EtherBone packet given as hex digits.
 *
 *     cc fields.c $(pkg-config --cflags --libs goldwire) -o fields
 *     ./fields 4e6f11ff12345678
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <goldwire/error.h>
#include <goldwire/etherbone.h>
#include <goldwire/message.h>

static void print_item(gw_sink *sink, const gw_item *item)
{
    (void)sink;
    printf("%4" PRIu32 "  %-28s ", item->offset, item->field->name);
    if (item->field->type == GW_BYTES) {
        for (uint32_t i = 0; i < item->bits / 8; i++)
            printf("%02x", item->bytes[i]);
        putchar('\n');
        return;
    }
    const char *name = gw_field_value_name(item->field, item->value);
    printf("0x%" PRIx64 "%s%s\n", item->value, name ? "  " : "", name ? name : "");
}

/* Reads pairs of hex digits. Returns how many bytes there were, or -1. */
static long read_hex(const char *text, uint8_t *out, size_t cap)
{
    size_t len = strlen(text);
    if (len % 2 != 0 || len / 2 > cap)
        return -1;
    for (size_t i = 0; i < len / 2; i++) {
        char pair[3] = {text[2 * i], text[2 * i + 1], 0};
        char *end;
        out[i] = (uint8_t)strtoul(pair, &end, 16);
        if (end != pair + 2)
            return -1;
    }
    return (long)(len / 2);
}

int main(int argc, char **argv)
{
    uint8_t bytes[2048];
    long len = argc == 2 ? read_hex(argv[1], bytes, sizeof(bytes)) : -1;
    if (len < 0) {
        fprintf(stderr, "usage: fields HEX\n");
        return 2;
    }

    gw_message message = gw_message_of(bytes, (size_t)len);
    gw_sink sink = {.item = print_item};
    gw_error error = gw_etherbone.walk(&message, NULL, &sink);
    if (error.kind == GW_OK)
        return 0;
    printf("%4" PRIu32 "  %s: %s\n", error.offset, error.field->name,
           gw_error_kind_name((gw_error_kind)error.kind));
    return 1;
}
