/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA registers. */
#include <inttypes.h>

#include "cases/tx.h"

static void expect(gw_ctx *ctx, const char *rule, uint32_t offset, uint32_t value, const char *what)
{
    uint32_t seen = gw_regs_read(ctx, offset);
    gw_miss miss = {.rule = rule, .expected = value, .got = seen};
    const gw_register *r = gw_register_at(&gw_tx_registers, offset);

    if (seen != value)
        gw_case_fail(ctx, &miss,
                     "%s (0x%03" PRIx32 ") reads 0x%08" PRIx32 " %s; 0x%08" PRIx32 " is expected",
                     r != NULL ? r->name : "a hole", offset, seen, what, value);
}

/* Registers that hold what is written and nothing else. */
static bool is_plain(const gw_register *r)
{
    return r->access == GW_READ_WRITE && r->offset != GW_TX_RESET_REG;
}

static void reset_values(gw_ctx *ctx)
{
    gw_txc_write(ctx, GW_TX_RESET_REG, 1);
    for (size_t i = 0; i < gw_tx_registers.num; i++) {
        if (is_plain(&gw_tx_registers.registers[i]))
            expect(ctx, "TX-R1", gw_tx_registers.registers[i].offset,
                   gw_tx_registers.registers[i].reset, "after a reset");
    }
    expect(ctx, "TX-R1", GW_TX_FIFO_REGISTER, UINT32_C(0x07090709), "after a reset");
}

static void reset(gw_ctx *ctx)
{
    gw_txc_write(ctx, GW_TX_COORDME_REG, 0x0843);
    gw_txc_write(ctx, GW_TX_LATTICESIZE_REG, 0x1084);
    gw_txc_write(ctx, GW_TX_LINK_0_CONFIG_1, GW_TX_USUAL_THRESHOLDS);
    expect(ctx, "TX-R1", GW_TX_COORDME_REG, 0x0843, "after it was written");
    gw_txc_write(ctx, GW_TX_RESET_REG, 1);
    if ((gw_txc_soon(ctx, GW_TX_RESET_REG, 1, 1) & 1) == 0) {
        gw_miss miss = {.rule = "TX-R2", .expected = 1};
        gw_case_fail(ctx, &miss, "RESET_REG does not come back to 1, which says running");
    }
    expect(ctx, "TX-R2", GW_TX_COORDME_REG, 0, "after a reset");
    expect(ctx, "TX-R2", GW_TX_LINK_0_CONFIG_1, 0, "after a reset");
    gw_txc_set_up(ctx);
    expect(ctx, "TX-R2", GW_TX_LATTICESIZE_REG, GW_TXC_LATTICE, "after reset and write");
}

static void holes(gw_ctx *ctx)
{
    static const uint32_t beyond[] = {0x800, 0x804, 0xabc, 0xffc};

    for (size_t i = 0; i < GW_ARRAY_LEN(beyond); i++)
        expect(ctx, "TX-R3", beyond[i], GW_TX_NO_REGISTER, "beyond the block");
}

static void thresholds(gw_ctx *ctx)
{
    const char *net = gw_txc_net(ctx);
    uint8_t payload[16];
    gw_txc_got got;

    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_txc_write(ctx, GW_TX_LINK_0_CONFIG_1, 0);
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    gw_txc_credit(ctx, net, 0x40, 0x40);
    (void)gw_txc_send(ctx, net, &draft);
    gw_txc_silence(ctx, net, "TX-R4", "its thresholds had been cleared");
    gw_txc_write(ctx, GW_TX_LINK_0_CONFIG_1, GW_TX_USUAL_THRESHOLDS);
    gw_txc_back(ctx, &draft, &got, "TX-R4", "the packet that waited for the thresholds");
}

const gw_case gw_tx_r[] = {
    {.id = "tx-r/reset",
     .title = "A reset brings every register back, and ends by itself",
     .rules = GW_LIST("TX-R2", "TX-R1"),
     .needs = GW_LIST("regs"),
     .run = reset},
    {.id = "tx-r/reset-values",
     .title = "Registers hold their reset values",
     .rules = GW_LIST("TX-R1"),
     .needs = GW_LIST("regs"),
     .run = reset_values},
    {.id = "tx-r/holes",
     .title = "Addresses beyond the register block read as the pattern for it",
     .rules = GW_LIST("TX-R3"),
     .needs = GW_LIST("regs"),
     .run = holes},
    {.id = "tx-r/thresholds",
     .title = "Nothing goes over a link before its thresholds are set",
     .rules = GW_LIST("TX-R4"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = GW_LIST("regs", "link"),
     .run = thresholds},
    {.id = NULL},
};
