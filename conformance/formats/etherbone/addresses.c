/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone cases: which addresses may be used, and with which values. */
#include <inttypes.h>

#include "formats/etherbone/suite.h"

static unsigned address_bits(gw_ctx *ctx)
{
    return gw_ebc_layout(ctx).addr_bytes * 8u;
}

const gw_area *gw_ebc_area(gw_ctx *ctx, gw_area_type type, uint64_t len)
{
    const gw_area *area = gw_board_area(gw_case_board(ctx), type, address_bits(ctx), len);
    if (area == NULL)
        gw_case_na(ctx, "no %s area of %" PRIu64 " bytes is declared below 2^%u",
                   gw_area_type_name(type), len, address_bits(ctx));
    return area;
}

uint64_t gw_ebc_ram(gw_ctx *ctx, uint64_t len)
{
    const gw_area *area = gw_ebc_area(ctx, GW_AREA_RAM, len);
    uint64_t first = (area->address + 7) & ~UINT64_C(7);
    uint64_t skipped = first - area->address;
    if (skipped > area->size - len)
        gw_case_na(ctx,
                   "ram area %s has no %" PRIu64 " bytes from an address that is a multiple "
                   "of 8",
                   area->name, len);
    uint64_t last = area->size - skipped - len;
    /* Narrow addresses must reach it as well. */
    unsigned bits = address_bits(ctx);
    if (bits < 64 && first + last + len > UINT64_C(1) << bits)
        last = (UINT64_C(1) << bits) - first - len;
    return first + gw_case_random(ctx) % (last / 8 + 1) * 8;
}

uint8_t gw_ebc_harmless(gw_ctx *ctx, uint64_t *address)
{
    const gw_board_file *board = gw_case_board(ctx);
    const gw_area *area = gw_board_area(board, GW_AREA_RAM, address_bits(ctx), 8);
    if (area == NULL)
        area = gw_board_area(board, GW_AREA_READONLY, address_bits(ctx), 8);
    if (area != NULL) {
        *address = area->address;
        return 0;
    }
    char why[96];
    if (!gw_ebc_has(ctx, "config-space", why, sizeof(why)))
        gw_case_na(ctx, "no RAM and no read-only memory is declared, and %s", why);
    *address = gw_ebc_config_low(ctx, 8);
    return GW_EB_RCA;
}

uint64_t gw_ebc_word(gw_ctx *ctx)
{
    unsigned bits = gw_ebc_layout(ctx).data_bytes * 8u;
    uint64_t mask = UINT64_MAX >> (64 - bits);
    for (;;) {
        uint64_t word = gw_case_random(ctx) & mask;
        if (word != 0 && word != mask)
            return word;
    }
}

uint8_t gw_ebc_lanes(gw_ctx *ctx)
{
    return (uint8_t)((1u << gw_ebc_layout(ctx).data_bytes) - 1);
}

uint64_t gw_ebc_config_low(gw_ctx *ctx, uint64_t base)
{
    return base + 8 - gw_ebc_layout(ctx).data_bytes;
}
