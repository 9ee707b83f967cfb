/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P host registers. */
#include <inttypes.h>

#include "formats/op2p/node/suite.h"

static void judge(gw_ctx *ctx, const char *rule, uint32_t address, uint32_t seen, uint32_t mask,
                  uint32_t value, const char *what)
{
    gw_miss miss = {.rule = rule, .expected = value, .got = seen & mask};

    if ((seen & mask) != value)
        gw_case_fail(ctx, &miss,
                     "%s: register 0x%02" PRIx32 " reads 0x%08" PRIx32 ", 0x%08" PRIx32
                     " expected in the bits 0x%08" PRIx32,
                     what, address, seen, value, mask);
}

static void expect(gw_ctx *ctx, const char *rule, uint32_t address, uint32_t mask, uint32_t value,
                   const char *what)
{
    judge(ctx, rule, address, gw_regs_read(ctx, address), mask, value, what);
}

/* After an event on the link. */
static void expect_status(gw_ctx *ctx, uint32_t mask, uint32_t value, const char *what)
{
    uint32_t seen = gw_opc_soon(ctx, GW_OP2P_LINK_STATUS, mask, value);
    judge(ctx, "OP-H08", GW_OP2P_LINK_STATUS, seen, mask, value, what);
}

static void holes(gw_ctx *ctx)
{
    for (uint32_t at = GW_OP2P_LINK_ERROR_COUNT + 4; at < GW_OP2P_REGISTERS; at += 4)
        expect(ctx, "OP-H01", at, UINT32_MAX, 0, "an address without a register");
    expect(ctx, "OP-H01", GW_OP2P_WR_SOURCEADDRESS, UINT32_MAX, 0, "a register for writing");
}

/* Each command has an address of its own: what an earlier one left in a FIFO shows. */
static void try_five(gw_ctx *ctx)
{
    uint32_t at = gw_opc_ram(ctx, 4), remote = 0x2000 + (gw_opc_word(ctx) & 0xff8);
    gw_regs_access fields[5];
    gw_opc_got got;
    gw_miss miss = {.rule = "OP-H02"};

    gw_opc_drain(ctx);
    gw_opc_ragged(ctx, GW_OPC_WRITES);
    gw_opc_fields(ctx, fields, false, at, remote, GW_OPC_US, 4);
    if (!gw_regs_together(ctx, fields + 1, 4))
        gw_case_inconc(ctx, "the registers do not answer: nobody knows what the FIFOs hold");
    gw_opc_quiet(ctx, "OP-H02", "four of the five FIFOs had been filled");
    bool known = gw_regs_push(ctx, GW_OP2P_WR_SOURCEADDRESS, at);
    bool came = gw_opc_next(ctx, &got, gw_case_reply_ns(ctx));
    if (!came && !known)
        gw_case_inconc(ctx, "the registers do not answer: nobody knows what the FIFOs hold");
    if (!came)
        gw_case_fail(ctx, &miss, "all five FIFOs hold an entry, and nothing was sent");
    gw_opc_want(ctx, &got, "OP-H02", "op2p.dst_addr", remote);
    gw_opc_want(ctx, &got, "OP-H02", "op2p.byte_count", 4);
    gw_opc_even(ctx);
}

/* What was sent too early may have been lost on its way, once. */
static void five(gw_ctx *ctx)
{
    try_five(ctx);
    if (gw_case_loses(ctx))
        try_five(ctx);
}

static void full(gw_ctx *ctx)
{
    uint32_t at = gw_opc_ram(ctx, 4), all = UINT32_C(0x1f) * GW_OP2P_WR_FULL;

    if (gw_case_repeats(ctx))
        gw_case_inconc(ctx, "the path repeats what is sent, and so fills FIFOs by itself");
    gw_opc_drain(ctx);
    gw_opc_take_down(ctx);
    uint32_t early = gw_opc_fill_fifos(ctx, at);
    judge(ctx, "OP-H03", GW_OP2P_FIFOSTATUS, early, all, 0, "FIFOs with room");
    expect(ctx, "OP-H03", GW_OP2P_FIFOSTATUS, all, all, "FIFOs with sixteen entries");
    gw_opc_command(ctx, false, at, 0x2000, GW_OPC_US, 4);
    unsigned sent = gw_opc_come_up(ctx);
    gw_miss miss = {.rule = "OP-H03", .expected = GW_OP2P_FIFO_DEPTH, .got = sent};
    if (sent < GW_OP2P_FIFO_DEPTH && gw_case_loses(ctx))
        gw_case_inconc(ctx, "%u of sixteen packets came, and the path loses some", sent);
    if (sent != GW_OP2P_FIFO_DEPTH)
        gw_case_fail(ctx, &miss, "%u packets came of sixteen commands and one too many", sent);
}

static void arrivals(gw_ctx *ctx)
{
    uint32_t value = 7, at = gw_opc_ram(ctx, 4);
    gw_opc_got got;

    gw_opc_forget(ctx, GW_OP2P_ARRIVEDWRITE_ADDRESS);
    expect(ctx, "OP-H04", GW_OP2P_FIFOSTATUS, GW_OP2P_ARRIVEDWRITE_EMPTY,
           GW_OP2P_ARRIVEDWRITE_EMPTY, "no write has come");
    gw_opc_write(ctx, at, &value, 1);
    (void)gw_opc_peek(ctx, at);
    expect(ctx, "OP-H04", GW_OP2P_FIFOSTATUS, GW_OP2P_ARRIVEDWRITE_EMPTY, 0, "a write has come");
    expect(ctx, "OP-H04", GW_OP2P_ARRIVEDWRITE_ADDRESS, UINT32_MAX, at, "where it was written");
    expect(ctx, "OP-H04", GW_OP2P_FIFOSTATUS, GW_OP2P_ARRIVEDWRITE_EMPTY,
           GW_OP2P_ARRIVEDWRITE_EMPTY, "the host has read of it");

    gw_opc_forget(ctx, GW_OP2P_RDCOMPL_LOCALADDRESS);
    gw_opc_read_command(ctx, at, 0x4000, GW_OPC_US, 4, &got);
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_COMPLETION, at, 4);
    h.src_addr = 0x4000;
    gw_opc_send(ctx, &h, &value, 1, 0);
    (void)gw_opc_peek(ctx, at);
    expect(ctx, "OP-H04", GW_OP2P_FIFOSTATUS, GW_OP2P_RDCOMPL_EMPTY, 0, "a read has completed");
    expect(ctx, "OP-H04", GW_OP2P_RDCOMPL_LOCALADDRESS, UINT32_MAX, at, "which read");
}

/* One frame with a link error; what the board says to it is for other cases. */
static void spoil(gw_ctx *ctx)
{
    uint32_t bad = 0;
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_RETRANSMIT, 0, 4);

    gw_opc_send(ctx, &h, &bad, 0, GW_OP2P_FLAG_SOFT_ERROR);
    (void)gw_opc_peek(ctx, 0);
}

static void error_count(gw_ctx *ctx)
{
    uint32_t before = gw_regs_read(ctx, GW_OP2P_LINK_ERROR_COUNT);

    spoil(ctx);
    expect(ctx, "OP-H07", GW_OP2P_LINK_ERROR_COUNT, UINT32_MAX, before + 1, "one link error");
}

static void reset(gw_ctx *ctx)
{
    spoil(ctx);
    gw_regs_write(ctx, GW_OP2P_PORT_RESET, 1);
    expect(ctx, "OP-H06", GW_OP2P_LINK_ERROR_COUNT, UINT32_MAX, 0, "errors after a reset");
    uint32_t id = gw_regs_read(ctx, GW_OP2P_LOCALID);
    gw_regs_write(ctx, GW_OP2P_PORT_RESET, 0);
    gw_regs_write(ctx, GW_OP2P_LOCALID, gw_opc_node(ctx));
    gw_opc_wait_up(ctx);
    gw_miss miss = {.rule = "OP-H06", .expected = gw_opc_node(ctx), .got = id};
    if (id != gw_opc_node(ctx))
        gw_case_fail(ctx, &miss, "the local id is 0x%04" PRIx32 " after a reset, it was 0x%04x", id,
                     gw_opc_node(ctx));
}

static void status(gw_ctx *ctx)
{
    const uint32_t up = GW_OP2P_CHANNEL_UP | GW_OP2P_LANES_UP;

    expect_status(ctx, up, up, "the channel is up");
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XOFF, NULL, 0);
    expect_status(ctx, GW_OP2P_THEY_HALTED, GW_OP2P_THEY_HALTED, "the partner has said XOFF");
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XON, NULL, 0);
    expect_status(ctx, GW_OP2P_THEY_HALTED, 0, "the partner has said XON");
    gw_opc_event(ctx, GW_OP2P_KIND_CHANNEL, 0, 0, NULL, 0);
    expect_status(ctx, GW_OP2P_CHANNEL_UP, 0, "the channel is down");
    gw_opc_event(ctx, GW_OP2P_KIND_CHANNEL, 0, 3, NULL, 0);
}

#define AFTER GW_LIST("op-e/write")

const gw_case gw_op_h[] = {
    {.id = "op-h/holes",
     .title = "Addresses without a register read as 0",
     .rules = GW_LIST("OP-H01"),
     .needs = GW_LIST("regs"),
     .negative = true,
     .run = holes},
    {.id = "op-h/five-fifos",
     .title = "A command starts when all five FIFOs hold an entry",
     .rules = GW_LIST("OP-H02"),
     .after = AFTER,
     .needs = GW_LIST("ram", "regs"),
     .run = five},
    {.id = "op-h/full",
     .title = "Sixteen commands fill the FIFOs, and a seventeenth is dropped",
     .rules = GW_LIST("OP-H03"),
     .after = GW_LIST("op-h/five-fifos", "op-e/channel-down"),
     .needs = GW_LIST("ram", "regs"),
     .negative = true,
     .run = full},
    {.id = "op-h/arrivals",
     .title = "The host can read the address of each packet that arrived",
     .rules = GW_LIST("OP-H04"),
     .after = GW_LIST("op-e/write", "op-h/five-fifos"),
     .needs = GW_LIST("ram", "regs"),
     .run = arrivals},
    {.id = "op-h/error-count",
     .title = "A frame with a link error is counted",
     .rules = GW_LIST("OP-H07"),
     .after = AFTER,
     .needs = GW_LIST("ram", "regs"),
     .negative = true,
     .run = error_count},
    {.id = "op-h/reset",
     .title = "A port reset clears the errors and keeps the id",
     .rules = GW_LIST("OP-H06"),
     .after = GW_LIST("op-h/error-count"),
     .needs = GW_LIST("ram", "regs"),
     .run = reset},
    {.id = "op-h/link-status",
     .title = "The link status follows the channel and the partner",
     .rules = GW_LIST("OP-H08"),
     .after = AFTER,
     .needs = GW_LIST("ram", "regs"),
     .run = status},
    {0},
};
