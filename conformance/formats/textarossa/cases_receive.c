/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA registers. */
#include <inttypes.h>

#include "formats/textarossa/suite.h"

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

static void read_only(gw_ctx *ctx)
{
    static const uint32_t places[] = {GW_TX_REVISION_REG, GW_TX_FIFO_REGISTER, 0x01c, 0x024};

    gw_txc_write(ctx, GW_TX_RESET_REG, 1);
    uint32_t revision = gw_regs_read(ctx, GW_TX_REVISION_REG);
    unsigned refused = 0;
    for (size_t i = 0; i < GW_ARRAY_LEN(places); i++)
        refused += !gw_regs_try_write(ctx, places[i], ~revision);
    if (refused > 0)
        gw_case_note(ctx, "%u of the writes are refused", refused);
    expect(ctx, "TX-R1", GW_TX_REVISION_REG, revision, "after it was written");
    expect(ctx, "TX-R1", GW_TX_FIFO_REGISTER, UINT32_C(0x07090709), "after it was written");
    for (size_t i = 0; i < gw_tx_registers.num; i++) {
        const gw_register *r = &gw_tx_registers.registers[i];
        if (is_plain(r))
            expect(ctx, "TX-R1", r->offset, r->reset, "after what lies beside it was written");
    }
}

static void reset_badly(gw_ctx *ctx)
{
    gw_txc_write(ctx, GW_TX_COORDME_REG, 0x0843);
    gw_txc_write(ctx, GW_TX_RESET_REG, UINT32_C(0xfffffffe));
    expect(ctx, "TX-R2", GW_TX_COORDME_REG, 0x0843, "after the reset bit was written as 0");
    gw_txc_write(ctx, GW_TX_RESET_REG, UINT32_MAX);
    gw_txc_write(ctx, GW_TX_RESET_REG, UINT32_MAX);
    if ((gw_txc_soon(ctx, GW_TX_RESET_REG, 1, 1) & 1) == 0) {
        gw_miss miss = {.rule = "TX-R2", .expected = 1};
        gw_case_fail(ctx, &miss, "RESET_REG does not come back to 1 after two resets in a row");
    }
    expect(ctx, "TX-R2", GW_TX_COORDME_REG, 0, "after all bits of RESET_REG were written");
}

static void reset_amidst(gw_ctx *ctx)
{
    const char *net = gw_txc_net(ctx);
    uint8_t payload[48];
    gw_tx_word beats[16];

    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    (void)gw_txc_run(ctx, &draft, beats, GW_ARRAY_LEN(beats));
    (void)gw_txc_beats(ctx, net, beats, 4); /* up to its first word of payload */
    gw_txc_write(ctx, GW_TX_COORDME_REG, 0x0843);
    gw_txc_write(ctx, GW_TX_RESET_REG, 1);
    expect(ctx, "TX-R2", GW_TX_COORDME_REG, 0, "after a reset in the middle of a packet");
    gw_txc_program(ctx); /* another reset would wipe out what the first one left */
    gw_txc_credit(ctx, net, 0x40, 0x40);
    gw_txc_still_works(ctx, "TX-R2", "a reset in the middle of a packet");
}

static void holes(gw_ctx *ctx)
{
    static const uint32_t beyond[] = {0x800, 0x804, 0xabc, 0xffc};

    for (size_t i = 0; i < GW_ARRAY_LEN(beyond); i++)
        expect(ctx, "TX-R3", beyond[i], GW_TX_NO_REGISTER, "beyond the block");
}

/* Both thresholds, or one of them, are as a reset leaves them. */
static void thresholds(gw_ctx *ctx)
{
    static const struct {
        uint32_t set;
        const char *what;
    } all[] = {
        {0, "its thresholds had been cleared"},
        {GW_TX_USUAL_THRESHOLDS & 0xffff, "its data threshold had been cleared"},
        {GW_TX_USUAL_THRESHOLDS & 0xffff0000, "its header threshold had been cleared"},
    };
    const char *net = gw_txc_net(ctx);
    uint8_t payload[16];
    gw_txc_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(all); i++) {
        gw_txc_fill(ctx, payload, sizeof(payload));
        gw_txc_write(ctx, GW_TX_LINK_0_CONFIG_1, all[i].set);
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
        gw_txc_credit(ctx, net, 0x40, 0x40);
        (void)gw_txc_send(ctx, net, &draft);
        gw_txc_silence(ctx, net, "TX-R4", all[i].what);
        gw_txc_write(ctx, GW_TX_LINK_0_CONFIG_1, GW_TX_USUAL_THRESHOLDS);
        gw_txc_back(ctx, &draft, &got, "TX-R4", "the packet that waited for the thresholds");
    }
}

static void exact_thresholds(gw_ctx *ctx)
{
    enum { IN_USE = 0x40, WORDS = 3, HEADERS = 2 };
    uint8_t payload[WORDS * GW_TX_WORD];
    gw_txc_got got;

    gw_txc_write(ctx, GW_TX_LINK_0_CONFIG_1, (IN_USE + WORDS) << 16 | (IN_USE + HEADERS));
    gw_txc_credit(ctx, gw_txc_net(ctx), IN_USE, IN_USE);
    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    gw_txc_round(ctx, &draft, &got, "TX-R4", "a packet that the thresholds just leave room for");
}

const gw_case gw_tx_r[] = {
    {.id = "tx-r/reset",
     .title = "A reset restores every register, and ends by itself",
     .rules = GW_LIST("TX-R2", "TX-R1"),
     .needs = GW_LIST("regs"),
     .run = reset},
    {.id = "tx-r/reset-values",
     .title = "Registers hold their reset values",
     .rules = GW_LIST("TX-R1"),
     .needs = GW_LIST("regs"),
     .run = reset_values},
    {.id = "tx-r/read-only",
     .title = "Writes to read-only registers and to holes change nothing",
     .rules = GW_LIST("TX-R1"),
     .after = GW_LIST("tx-r/reset-values"),
     .needs = GW_LIST("regs"),
     .negative = true,
     .run = read_only},
    {.id = "tx-r/reset-badly",
     .title = "Only the reset bit resets the board, each time and whatever bits stand above it",
     .rules = GW_LIST("TX-R2"),
     .after = GW_LIST("tx-r/reset"),
     .needs = GW_LIST("regs"),
     .negative = true,
     .run = reset_badly},
    {.id = "tx-r/reset-amidst",
     .title = "A reset in the middle of a packet leaves nothing of it",
     .rules = GW_LIST("TX-R2"),
     .after = GW_LIST("tx-r/reset", "tx-l/run-start"),
     .needs = GW_LIST("regs", "link"),
     .negative = true,
     .run = reset_amidst},
    {.id = "tx-r/holes",
     .title = "Addresses beyond the register block read as the pattern for it",
     .rules = GW_LIST("TX-R3"),
     .needs = GW_LIST("regs"),
     .run = holes},
    {.id = "tx-r/thresholds",
     .title = "Nothing is sent over a link before its thresholds are set",
     .rules = GW_LIST("TX-R4"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = GW_LIST("regs", "link"),
     .negative = true,
     .run = thresholds},
    {.id = "tx-r/exact-thresholds",
     .title = "A packet is sent when the thresholds just leave room for it",
     .rules = GW_LIST("TX-R4"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = GW_LIST("regs", "link"),
     .run = exact_thresholds},
    {.id = NULL},
};
