/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P cases: the pool in which a node keeps packets for others, as its host sees it. */
#include <inttypes.h>

#include "formats/op2p/node/suite.h"
#include "goldwire/cursor.h"

#define POOL_BYTES ((uint64_t)GW_OP2P_POOL_ENTRIES * GW_OP2P_POOL_ENTRY)

gw_op2p_header gw_opc_foreign(gw_ctx *ctx, uint8_t type, uint32_t address, uint16_t count)
{
    gw_op2p_header h = gw_opc_header(ctx, type, address, count);

    h.dst_id = GW_OPC_OTHER;
    return h;
}

uint32_t gw_opc_base(gw_ctx *ctx)
{
    const gw_area *area = gw_board_area(gw_case_board(ctx), GW_AREA_RAM, 32, POOL_BYTES);

    if (area == NULL)
        gw_case_na(ctx, "no ram area of 1 MiB is declared for the forwarding pool");
    gw_opc_reset(ctx);
    gw_regs_write(ctx, GW_OP2P_FORWARDING_BUFFERBASE, (uint32_t)area->address);
    gw_opc_forget(ctx, GW_OP2P_FORWREQ_POINTER);
    gw_opc_drain(ctx);
    return (uint32_t)area->address;
}

bool gw_opc_pointer(gw_ctx *ctx, uint32_t *address)
{
    if ((gw_regs_read(ctx, GW_OP2P_FIFOSTATUS) & GW_OP2P_FORWREQ_EMPTY) != 0)
        return false;
    *address = gw_regs_read_on(ctx, GW_OP2P_FORWREQ_POINTER);
    return true;
}

/* The board answers in order: once it has answered, it has seen what was sent before. */
static void settle(gw_ctx *ctx)
{
    (void)gw_opc_peek(ctx, 0);
}

uint32_t gw_opc_stored(gw_ctx *ctx, const char *rule, const char *what)
{
    uint32_t address = 0;
    gw_miss miss = {.rule = rule};

    settle(ctx);
    if (!gw_opc_pointer(ctx, &address))
        gw_case_fail(ctx, &miss, "%s was not reported to the host", what);
    return address;
}

void gw_opc_not_stored(gw_ctx *ctx, const char *rule, const char *what)
{
    uint32_t address;
    gw_miss miss = {.rule = rule};

    settle(ctx);
    if (gw_opc_pointer(ctx, &address))
        gw_case_fail(ctx, &miss, "%s was reported to the host, at 0x%08" PRIx32, what, address);
}

void gw_opc_same_packet(gw_ctx *ctx, const char *rule, uint32_t at, const gw_op2p_header *h,
                        const uint32_t *words, size_t num)
{
    uint8_t bytes[GW_OP2P_HEADER];
    uint32_t all[GW_OPC_BLOCK];
    size_t len = 0;

    gw_op2p_put(bytes, h);
    for (; len < GW_OP2P_HEADER / 4; len++)
        all[len] = gw_load_be32(bytes + 4 * len);
    for (size_t i = 0; i < num && len < GW_OPC_BLOCK; i++)
        all[len++] = words[i];
    gw_opc_same_all(ctx, rule, at, all, len, "stored packet");
}

void gw_opc_same_ids(gw_ctx *ctx, const char *rule, uint32_t at, const gw_op2p_header *h)
{
    uint8_t bytes[GW_OP2P_HEADER];

    gw_op2p_put(bytes, h);
    gw_opc_same(ctx, rule, at, gw_load_be32(bytes), "stored header");
}
