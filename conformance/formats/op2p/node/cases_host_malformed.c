/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P host registers: what they keep and count when all is well, and that neither the host's
 * mistakes nor the partner's get into them. */
#include <inttypes.h>

#include "formats/op2p/node/suite.h"

static void differs(gw_ctx *ctx, const char *rule, uint32_t address, uint32_t seen,
                    uint32_t expected, const char *what)
{
    gw_miss miss = {.rule = rule, .expected = expected, .got = seen};

    if (seen != expected)
        gw_case_fail(ctx, &miss,
                     "%s: register 0x%02" PRIx32 " reads 0x%08" PRIx32 ", 0x%08" PRIx32 " expected",
                     what, address, seen, expected);
}

/* ---- the map ---- */

static void map(gw_ctx *ctx)
{
    uint32_t other = gw_opc_node(ctx) ^ 0x5555u; /* in both bytes */

    differs(ctx, "OP-H01", GW_OP2P_LOCALID, gw_regs_read(ctx, GW_OP2P_LOCALID), gw_opc_node(ctx),
            "the local id");
    gw_regs_write(ctx, GW_OP2P_LOCALID, other);
    uint32_t seen = gw_regs_read(ctx, GW_OP2P_LOCALID);
    gw_regs_write(ctx, GW_OP2P_LOCALID, gw_opc_node(ctx));
    differs(ctx, "OP-H01", GW_OP2P_LOCALID, seen, other, "another local id");
    gw_regs_write(ctx, GW_OP2P_PORT_RESET, 1);
    seen = gw_regs_read(ctx, GW_OP2P_PORT_RESET);
    gw_regs_write(ctx, GW_OP2P_PORT_RESET, 0);
    gw_regs_write(ctx, GW_OP2P_LOCALID, gw_opc_node(ctx));
    gw_opc_wait_up(ctx);
    differs(ctx, "OP-H01", GW_OP2P_PORT_RESET, seen & 1, 1, "a port that is held in reset");
}

static void read_only(gw_ctx *ctx)
{
    static const uint32_t registers[] = {GW_OP2P_FIFOSTATUS, GW_OP2P_LINK_STATUS,
                                         GW_OP2P_LINK_ERROR_COUNT, 0x58, 0x7c};

    for (size_t i = 0; i < GW_ARRAY_LEN(registers); i++) {
        uint32_t before = gw_regs_read(ctx, registers[i]);
        gw_regs_write_on(ctx, registers[i], ~before);
        differs(ctx, "OP-H01", registers[i], gw_regs_read(ctx, registers[i]), before,
                "a register that the host cannot write");
    }
}

/* ---- commands ---- */

/* Four fields of a write and the fifth of a read are no command. */
static void mixed(gw_ctx *ctx)
{
    uint32_t at = gw_opc_ram(ctx, 4), remote = 0x2000 + (gw_opc_word(ctx) & 0xff8);
    gw_regs_access fields[5], others[5];
    gw_opc_got got;
    gw_miss miss = {.rule = "OP-H02"};

    gw_opc_drain(ctx);
    gw_opc_ragged(ctx, GW_OPC_WRITES | GW_OPC_READS);
    gw_opc_fields(ctx, fields, false, at, remote, GW_OPC_US, 4);
    gw_opc_fields(ctx, others, true, at, 0x4000, GW_OPC_US, 4);
    fields[0] = others[0];
    if (!gw_regs_together(ctx, fields, 5))
        gw_case_inconc(ctx, "the registers do not answer: nobody knows what the FIFOs hold");
    gw_opc_quiet(ctx, "OP-H02", "four fields of a write and one of a read");
    gw_opc_send_illegal(ctx, &gw_opc_illegals[0], gw_opc_node(ctx), at);
    bool known = gw_regs_push(ctx, GW_OP2P_WR_SOURCEADDRESS, at);
    bool came = gw_opc_next(ctx, &got, gw_case_reply_ns(ctx));
    if (!came && !known)
        gw_case_inconc(ctx, "the registers do not answer: nobody knows what the FIFOs hold");
    if (!came)
        gw_case_fail(ctx, &miss, "the write's fifth field came, and nothing was sent");
    gw_opc_want(ctx, &got, "OP-H02", "op2p.type", GW_OP2P_WRITE);
    gw_opc_want(ctx, &got, "OP-H02", "op2p.dst_addr", remote);
    if (!gw_regs_together(ctx, others + 1, 4))
        gw_case_inconc(ctx, "the registers do not answer: nobody knows what the FIFOs hold");
    if (!gw_opc_next(ctx, &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "the read's other fields came, and nothing was sent");
    gw_opc_want(ctx, &got, "OP-H02", "op2p.type", GW_OP2P_READ);
    gw_opc_want(ctx, &got, "OP-H02", "op2p.src_addr", at);
    gw_opc_even(ctx);
}

static void sixteen(gw_ctx *ctx)
{
    uint32_t at = gw_opc_ram(ctx, 4), all = UINT32_C(0x1f) * GW_OP2P_WR_FULL;

    if (gw_case_repeats(ctx))
        gw_case_inconc(ctx, "the path repeats what is sent, and so fills FIFOs by itself");
    gw_opc_drain(ctx);
    gw_opc_take_down(ctx);
    uint32_t early = gw_opc_fill_fifos(ctx, at) & all;
    uint32_t filled = gw_regs_read(ctx, GW_OP2P_FIFOSTATUS) & all;
    unsigned sent = gw_opc_come_up(ctx);
    gw_miss miss = {.rule = "OP-H03", .expected = GW_OP2P_FIFO_DEPTH, .got = sent};
    /* FIFOs that were full before the last command had no room for it. */
    if (sent < GW_OP2P_FIFO_DEPTH && early == 0 && gw_case_loses(ctx))
        gw_case_inconc(ctx, "%u of sixteen packets came, and the path loses some", sent);
    if (sent != GW_OP2P_FIFO_DEPTH)
        gw_case_fail(ctx, &miss, "%u packets came of sixteen commands", sent);
    differs(ctx, "OP-H03", GW_OP2P_FIFOSTATUS, filled, all, "the full bits with sixteen entries");
    differs(ctx, "OP-H03", GW_OP2P_FIFOSTATUS, gw_regs_read(ctx, GW_OP2P_FIFOSTATUS) & all, 0,
            "the full bits once all was sent");
}

/* ---- what the host is told ---- */

static void nothing_arrived(gw_ctx *ctx)
{
    uint32_t at = gw_opc_marked(ctx), mark = gw_opc_peek(ctx, at);
    uint32_t none = GW_OP2P_ARRIVEDWRITE_EMPTY | GW_OP2P_RDCOMPL_EMPTY;

    gw_opc_forget(ctx, GW_OP2P_ARRIVEDWRITE_ADDRESS);
    gw_opc_forget(ctx, GW_OP2P_RDCOMPL_LOCALADDRESS);
    for (size_t i = 0; i < GW_OPC_ILLEGALS; i++) {
        const gw_opc_illegal *one = &gw_opc_illegals[i];
        if (one->fbe == 0) /* may be refused, or executed as a write of nothing */
            continue;
        gw_opc_slip_in(ctx, one, gw_opc_node(ctx), at);
        if (gw_opc_peek(ctx, at) != mark) { /* not refused: that is for other cases */
            gw_opc_write(ctx, at, &mark, 1);
            (void)gw_opc_peek(ctx, at);
            gw_opc_forget(ctx, GW_OP2P_ARRIVEDWRITE_ADDRESS);
            gw_opc_forget(ctx, GW_OP2P_RDCOMPL_LOCALADDRESS);
            continue;
        }
        differs(ctx, one->type == GW_OP2P_COMPLETION ? "OP-E17" : "OP-H04", GW_OP2P_FIFOSTATUS,
                gw_regs_read(ctx, GW_OP2P_FIFOSTATUS) & none, none, one->what);
    }
}

/* ---- errors and resets ---- */

static void no_errors(gw_ctx *ctx)
{
    uint32_t value = gw_opc_word(ctx), at = gw_opc_ram(ctx, 4);
    uint32_t before = gw_regs_read(ctx, GW_OP2P_LINK_ERROR_COUNT);

    gw_opc_write(ctx, at, &value, 1);
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XOFF, NULL, 0);
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XON, NULL, 0);
    (void)gw_opc_peek(ctx, at);
    differs(ctx, "OP-H07", GW_OP2P_LINK_ERROR_COUNT, gw_regs_read(ctx, GW_OP2P_LINK_ERROR_COUNT),
            before, "link errors after good frames");
}

/* Frames, good ones and damaged ones, come to a port that is held in reset. */
static void reset_frames(gw_ctx *ctx)
{
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, gw_opc_ram(ctx, 4), 4);
    gw_opc_got got;

    gw_opc_drain(ctx);
    gw_regs_write(ctx, GW_OP2P_PORT_RESET, 1);
    gw_opc_blind(ctx, &q, 0);
    gw_opc_blind(ctx, &q, GW_OP2P_FLAG_SOFT_ERROR);
    bool answered = gw_opc_next(ctx, &got, gw_case_settle_ns(ctx));
    uint32_t id = gw_regs_read(ctx, GW_OP2P_LOCALID);
    gw_regs_write(ctx, GW_OP2P_PORT_RESET, 0);
    gw_regs_write(ctx, GW_OP2P_LOCALID, gw_opc_node(ctx));
    gw_miss miss = {.rule = "OP-H06", .packet = got.number};
    if (answered)
        gw_case_fail(ctx, &miss, "a packet of type 0x%x came from a port that is held in reset",
                     got.p.header.type);
    differs(ctx, "OP-H06", GW_OP2P_LOCALID, id, gw_opc_node(ctx), "the local id in a reset");
    gw_opc_quiet(ctx, "OP-H06", "a reset that frames had come during");
    gw_opc_wait_up(ctx);
    gw_opc_event(ctx, GW_OP2P_KIND_CHANNEL, 0, 3, NULL, 0);
    gw_opc_find(ctx, &q, &got, "OP-H06");
}

/* ---- status ---- */

/* Codes that flow control does not have, XON without XOFF, noise: nobody is halted by them. */
static void status_disturbed(gw_ctx *ctx)
{
    const uint32_t mask = GW_OP2P_CHANNEL_UP | GW_OP2P_THEY_HALTED;

    for (unsigned code = 9; code < GW_OP2P_XOFF; code++) {
        gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XON, NULL, 0);
        gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, (uint8_t)code, NULL, 0);
        gw_opc_event(ctx, GW_OP2P_KIND_ERROR, 0, 3, NULL, 0);
        gw_case_wait(gw_case_connection(ctx), gw_case_scaled_ns(ctx, GW_MS));
        uint32_t seen = gw_opc_soon(ctx, GW_OP2P_LINK_STATUS, mask, GW_OP2P_CHANNEL_UP);
        differs(ctx, "OP-H08", GW_OP2P_LINK_STATUS, seen & mask, GW_OP2P_CHANNEL_UP,
                "after a reserved flow control code");
    }
}

#define AFTER .after = GW_LIST("op-e/write")
#define HOST .needs = GW_LIST("ram", "regs")

const gw_case gw_op_h_disturbed[] = {
    {.id = "op-h/map",
     .title = "The local id and the reset lie where the map says",
     .rules = GW_LIST("OP-H01"),
     AFTER,
     HOST,
     .run = map},
    {.id = "op-h/read-only",
     .title = "Writes of the host to read-only registers change nothing",
     .rules = GW_LIST("OP-H01"),
     .after = GW_LIST("op-h/map"),
     HOST,
     .negative = true,
     .run = read_only},
    {.id = "op-h/mixed-fifos",
     .title = "Fields of a read do not complete a write",
     .rules = GW_LIST("OP-H02"),
     .after = GW_LIST("op-h/five-fifos"),
     HOST,
     .negative = true,
     .run = mixed},
    {.id = "op-h/sixteen",
     .title = "Sixteen commands wait, and all are carried out",
     .rules = GW_LIST("OP-H03"),
     .after = GW_LIST("op-h/five-fifos", "op-e/channel-down"),
     HOST,
     .run = sixteen},
    {.id = "op-h/nothing-arrived",
     .title = "The host is not told the addresses of packets that were refused",
     .rules = GW_LIST("OP-H04", "OP-E17"),
     .after = GW_LIST("op-h/arrivals"),
     HOST,
     .negative = true,
     .run = nothing_arrived},
    {.id = "op-h/no-errors",
     .title = "Good frames and flow control are not counted as errors",
     .rules = GW_LIST("OP-H07"),
     AFTER,
     HOST,
     .run = no_errors},
    {.id = "op-h/reset-frames",
     .title = "A port that is held in reset does not answer, and keeps its id",
     .rules = GW_LIST("OP-H06"),
     .after = GW_LIST("op-h/reset"),
     HOST,
     .negative = true,
     .run = reset_frames},
    {.id = "op-h/status-disturbed",
     .title = "Reserved flow control codes and noise do not halt a port",
     .rules = GW_LIST("OP-H08"),
     .after = GW_LIST("op-h/link-status"),
     HOST,
     .negative = true,
     .run = status_disturbed},
    {0},
};
