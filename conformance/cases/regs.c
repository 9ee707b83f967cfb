/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers over EtherBone, as cases reach them. */
#include "cases/regs.h"

#include "cases/regs_wire.h"

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

bool gw_regs_try_read(gw_ctx *ctx, uint32_t address, uint32_t *value)
{
    gw_regs_answer a = ask(ctx, address, NULL);
    *value = a.value;
    return (a.errors & 1) == 0;
}

bool gw_regs_try_write(gw_ctx *ctx, uint32_t address, uint32_t value)
{
    return (ask(ctx, address, &value).errors & 1) == 0;
}

uint32_t gw_regs_read(gw_ctx *ctx, uint32_t address)
{
    uint32_t value;
    if (!gw_regs_try_read(ctx, address, &value))
        gw_case_inconc(ctx, "register 0x%03x cannot be read: bus error", address);
    return value;
}

void gw_regs_write(gw_ctx *ctx, uint32_t address, uint32_t value)
{
    if (!gw_regs_try_write(ctx, address, value))
        gw_case_inconc(ctx, "register 0x%03x cannot be written: bus error", address);
}
