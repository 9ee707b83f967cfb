/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P host: the interrupt line, where a lab or a testbench sees it. */
#include "formats/op2p/node/suite.h"
#include "suite/wires.h"

/* Of a node whose ports share the line, nobody talks to the others. */

static gw_wires look(gw_ctx *ctx)
{
    gw_wires w = gw_wires_look(ctx);
    gw_miss miss = {.rule = "OP-H05"};

    if ((w.unknown & GW_WIRE_INTERRUPT) != 0)
        gw_case_fail(ctx, &miss, "the interrupt line was neither high nor low for a while");
    return w;
}

/* The line follows its FIFOs at once or soon, on a way that may be a longer one than theirs. */
static void expect_level(gw_ctx *ctx, bool high, const char *while_what)
{
    gw_connection *conn = gw_case_link(ctx, GW_REGS_LINK);
    int64_t deadline = gw_case_now(conn) + gw_case_reply_ns(ctx);
    int64_t pause = gw_case_scaled_ns(ctx, GW_MS);
    uint32_t level = high ? GW_WIRE_INTERRUPT : 0;
    gw_miss miss = {.rule = "OP-H05", .expected = high, .got = !high};

    while ((look(ctx).level & GW_WIRE_INTERRUPT) != level) {
        if (gw_case_now(conn) >= deadline)
            gw_case_fail(ctx, &miss, "the interrupt line is %s while %s", high ? "low" : "high",
                         while_what);
        gw_case_wait(conn, pause);
        pause *= 2;
    }
}

static void read_all(gw_ctx *ctx)
{
    const uint32_t none =
        GW_OP2P_ARRIVEDWRITE_EMPTY | GW_OP2P_RDCOMPL_EMPTY | GW_OP2P_FORWREQ_EMPTY;

    gw_opc_forget(ctx, GW_OP2P_ARRIVEDWRITE_ADDRESS);
    gw_opc_forget(ctx, GW_OP2P_RDCOMPL_LOCALADDRESS);
    gw_opc_forget(ctx, GW_OP2P_FORWREQ_POINTER);
    if ((gw_regs_read(ctx, GW_OP2P_FIFOSTATUS) & none) != none)
        gw_case_inconc(ctx, "the FIFOs that the host reads do not become empty");
    expect_level(ctx, false, "all FIFOs that the host reads are empty");
}

/* The FIFO whose empty bit is |empty| has got an entry, and the host does not read it. */
static void expect_raised(gw_ctx *ctx, uint32_t empty, const char *while_what)
{
    gw_miss miss = {.rule = "OP-H05", .expected = 1};

    if ((gw_opc_soon(ctx, GW_OP2P_FIFOSTATUS, empty, 0) & empty) != 0)
        gw_case_inconc(ctx, "the host was told of nothing: there is no reason for an interrupt");
    expect_level(ctx, true, while_what);
    gw_wires_forget(ctx);
    gw_case_wait(gw_case_link(ctx, GW_REGS_LINK), gw_case_settle_ns(ctx));
    if ((look(ctx).low & GW_WIRE_INTERRUPT) != 0)
        gw_case_fail(ctx, &miss, "the interrupt line fell while %s", while_what);
}

static void interrupt(gw_ctx *ctx)
{
    uint32_t value = gw_opc_word(ctx), at = gw_opc_ram(ctx, 4);
    gw_opc_got got;

    read_all(ctx);
    gw_opc_put(ctx, at, &value, 1);
    expect_raised(ctx, GW_OP2P_ARRIVEDWRITE_EMPTY, "an arrived write is still to be read");
    read_all(ctx);

    gw_opc_read_command(ctx, at, 0x4000, GW_OPC_US, 4, &got);
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_COMPLETION, at, 4);
    h.src_addr = 0x4000;
    gw_opc_send(ctx, &h, &value, 1, 0);
    expect_raised(ctx, GW_OP2P_RDCOMPL_EMPTY, "a completed read is still to be read");
    read_all(ctx);
}

static void forwarding(gw_ctx *ctx)
{
    gw_op2p_header h = gw_opc_foreign(ctx, GW_OP2P_READ, 0x5000, 4);

    (void)gw_opc_base(ctx);
    read_all(ctx);
    gw_opc_send(ctx, &h, NULL, 0, 0);
    expect_raised(ctx, GW_OP2P_FORWREQ_EMPTY, "a pointer to a packet is still to be read");
    read_all(ctx);
}

/* What is refused is none of the host's business. */
static void refused(gw_ctx *ctx)
{
    uint32_t at = gw_opc_marked(ctx), mark = gw_opc_peek(ctx, at);
    uint32_t told = GW_OP2P_ARRIVEDWRITE_EMPTY | GW_OP2P_RDCOMPL_EMPTY | GW_OP2P_FORWREQ_EMPTY;
    gw_miss miss = {.rule = "OP-H05", .got = 1};

    read_all(ctx);
    for (size_t i = 0; i < GW_OPC_ILLEGALS; i++) {
        const gw_opc_illegal *one = &gw_opc_illegals[i];
        if (one->fbe == 0) /* may be refused, or executed as a write of nothing */
            continue;
        gw_wires_forget(ctx);
        gw_opc_slip_in(ctx, one, gw_opc_node(ctx), at);
        uint32_t seen = gw_opc_peek(ctx, at);
        if (seen != mark || (gw_regs_read(ctx, GW_OP2P_FIFOSTATUS) & told) != told) {
            gw_opc_put(ctx, at, &mark, 1); /* not refused: that is for other cases */
            read_all(ctx);
            continue;
        }
        if ((look(ctx).high & GW_WIRE_INTERRUPT) != 0)
            gw_case_fail(ctx, &miss, "%s was refused, and raised the interrupt", one->what);
    }
}

#define NEEDS .needs = GW_LIST("ram", "regs", "wires")

const gw_case gw_op_h_wires[] = {
    {.id = "op-h/interrupt",
     .title = "The interrupt is asserted from an entry for the host on until that is read",
     .rules = GW_LIST("OP-H05"),
     .after = GW_LIST("op-h/arrivals"),
     NEEDS,
     .run = interrupt},
    {.id = "op-h/interrupt-forwarding",
     .title = "The interrupt is asserted while a pointer to a stored packet is to be read",
     .rules = GW_LIST("OP-H05"),
     .after = GW_LIST("op-h/interrupt", "op-f/stored"),
     .needs = GW_LIST("forwarding", "ram", "regs", "wires"),
     .run = forwarding},
    {.id = "op-h/no-interrupt",
     .title = "Packets that are refused raise no interrupt",
     .rules = GW_LIST("OP-H05"),
     .after = GW_LIST("op-h/interrupt", "op-h/nothing-arrived"),
     NEEDS,
     .negative = true,
     .run = refused},
    {0},
};
