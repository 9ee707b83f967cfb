/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers over EtherBone, as cases reach them. */
#include "cases/regs.h"

#include "cases/regs_wire.h"
#include "goldwire/registers.h"

/* Asks until the answer to this very question has come. A question that gets lost is not asked
 * again: registers may have side effects. */
static gw_regs_answer ask(gw_ctx *ctx, uint32_t address, const uint32_t *write)
{
    uint8_t request[GW_REGS_PACKET];
    gw_packet packet;
    gw_regs_answer a = {0};
    gw_line *line = gw_case_link(ctx, GW_REGS_LINK);
    uint32_t tag = GW_REGS_TAG | (uint32_t)(gw_case_random(ctx) & 0x1fffff) << 3;
    size_t len = gw_regs_ask(request, tag, address, write);

    if (len == 0)
        gw_case_error(ctx, "the register access does not fit its packet");
    (void)gw_case_send(ctx, line, request, len);
    int64_t deadline = gw_case_now(line) + gw_case_reply_ns(ctx);
    while (!a.has_errors || (write == NULL && !a.has_value)) {
        if (gw_case_recv(ctx, line, deadline - gw_case_now(line), &packet) != GW_RECV_DATA)
            gw_case_inconc(ctx, "the registers do not answer: %s 0x%03x", write ? "write" : "read",
                           address);
        gw_regs_take(&a, packet.data, packet.len, tag);
    }
    return a;
}

uint32_t gw_regs_place(const gw_ctx *ctx, uint32_t offset)
{
    const gw_board_file *board = gw_case_board(ctx);
    const gw_register_map *map = gw_case_suite(ctx)->format->registers;
    for (size_t i = 0; map != NULL && i < board->num_registers; i++) {
        const gw_register *named = gw_register_by_name(map, board->registers[i].name);
        if (named != NULL && named->offset == offset)
            return board->registers[i].address;
    }
    return board->register_base + offset;
}

bool gw_regs_try_read(gw_ctx *ctx, uint32_t offset, uint32_t *value)
{
    gw_regs_answer a = ask(ctx, gw_regs_place(ctx, offset), NULL);
    *value = a.value;
    return (a.errors & 1) == 0;
}

bool gw_regs_try_write(gw_ctx *ctx, uint32_t offset, uint32_t value)
{
    return (ask(ctx, gw_regs_place(ctx, offset), &value).errors & 1) == 0;
}

uint32_t gw_regs_read(gw_ctx *ctx, uint32_t offset)
{
    uint32_t value;
    if (!gw_regs_try_read(ctx, offset, &value))
        gw_case_inconc(ctx, "register 0x%03x cannot be read: bus error", offset);
    return value;
}

void gw_regs_write(gw_ctx *ctx, uint32_t offset, uint32_t value)
{
    if (!gw_regs_try_write(ctx, offset, value))
        gw_case_inconc(ctx, "register 0x%03x cannot be written: bus error", offset);
}
