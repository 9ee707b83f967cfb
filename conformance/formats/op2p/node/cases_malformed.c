/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P endpoint: retransmission, flow control and a dead channel, while the partner lies or the
 * link is bad. */
#include <string.h>

#include "formats/op2p/node/suite.h"

static void damaged_write(gw_ctx *ctx)
{
    uint32_t bad = 0xbadbadba;
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, gw_opc_ram(ctx, 4), 4);

    gw_opc_send(ctx, &h, &bad, 1, GW_OP2P_FLAG_SOFT_ERROR);
}

/* ---- the last packet once more ---- */

/* |second| is the frame |first|, byte for byte. */
static void same_frame(gw_ctx *ctx, const gw_opc_got *first, const gw_opc_got *second,
                       const char *after)
{
    gw_miss miss = {.rule = "OP-E20",
                    .packet = second->number,
                    .expected = first->message.len,
                    .got = second->message.len};

    if (second->message.len != first->message.len ||
        memcmp(first->bytes + GW_OP2P_SHIM, second->bytes + GW_OP2P_SHIM,
               first->message.len - GW_OP2P_SHIM) != 0)
        gw_case_fail(ctx, &miss, "what is sent again after %s is not the last packet", after);
}

static gw_op2p_header request_again(const gw_opc_got *last)
{
    gw_op2p_header h = {.src_id = GW_OPC_US,
                        .dst_addr = last->p.header.src_addr,
                        .src_addr = last->p.header.dst_addr,
                        .byte_count = last->p.header.byte_count,
                        .type = GW_OP2P_RETRANSMIT,
                        .status = GW_OP2P_UNKNOWN_ERROR,
                        .fbe = 15};
    return h;
}

/* What a retransmit request says of the packet is not what decides. */
static void resend_ignores_fields(gw_ctx *ctx)
{
    static const struct {
        const char *what;
        uint32_t dst_addr;
        uint16_t count, words;
        uint8_t status, fbe;
    } lies[] = {
        {"a request with another byte count", 0, 8, 0, 2, 15},
        {"a request with byte count 0", 0, 0, 0, 2, 15},
        {"a request with too large a byte count", 0, 0xffff, 0, 2, 15},
        {"a request with payload", 0, 64, 16, 2, 15},
        {"a request with status 0", 0, 64, 0, 0, 15},
        {"a request about another address", 0x1230, 64, 0, 2, 1},
    };
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, gw_opc_ram(ctx, 64), 64);
    uint32_t behind[16] = {0};
    gw_opc_got first, second;

    gw_opc_ask(ctx, &q, &first, "OP-E12");
    for (size_t i = 0; i < GW_ARRAY_LEN(lies); i++) {
        gw_op2p_header again = request_again(&first);
        again.dst_addr ^= lies[i].dst_addr;
        again.byte_count = lies[i].count;
        again.status = lies[i].status;
        again.fbe = lies[i].fbe;
        gw_opc_drain(ctx);
        gw_opc_send(ctx, &again, behind, lies[i].words, 0);
        if (!gw_opc_next(ctx, &second, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &(gw_miss){.rule = "OP-E20"}, "nothing is sent again after %s",
                         lies[i].what);
        same_frame(ctx, &first, &second, lies[i].what);
    }
}

/* The board has asked for something itself in between: its request is not what it sends again. */
static void resend_after_request(gw_ctx *ctx)
{
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, gw_opc_ram(ctx, 16), 16);
    gw_opc_got first, second;

    gw_opc_ask(ctx, &q, &first, "OP-E12");
    gw_op2p_header again = request_again(&first);
    unsigned tries = 0;
    bool asked;
    do {
        damaged_write(ctx);
        asked = gw_opc_next(ctx, &second, gw_case_reply_ns(ctx)) &&
                second.p.header.type == GW_OP2P_RETRANSMIT;
    } while (!asked && gw_case_again(ctx, &tries));
    if (!asked)
        gw_case_inconc(ctx, "a damaged frame was not followed by a retransmit request");
    gw_opc_drain(ctx);
    gw_opc_send(ctx, &again, NULL, 0, 0);
    if (!gw_opc_next(ctx, &second, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &(gw_miss){.rule = "OP-E20"},
                     "nothing is sent again after the board's own retransmit request");
    same_frame(ctx, &first, &second, "the board's own retransmit request");
}

/* ---- halted ---- */

/* What a board would like to say at once has to wait as well. */
static void xoff_damaged(gw_ctx *ctx)
{
    gw_op2p_header reserved = gw_opc_header(ctx, GW_OP2P_WRITE, gw_opc_ram(ctx, 4), 4);
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, 0, 4);
    gw_opc_got got;

    reserved.type = 3;
    gw_opc_drain(ctx);
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XOFF, NULL, 0);
    damaged_write(ctx);
    gw_opc_quiet(ctx, "OP-E25", "XOFF and a damaged frame");
    /* A board that waits to send may keep its partner waiting as well: that is for OP-E26. */
    bool sent = gw_opc_may_send(ctx, gw_case_settle_ns(ctx)), again = false;
    if (sent)
        gw_opc_send(ctx, &reserved, NULL, 0, 0);
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XOFF, NULL, 0);
    gw_opc_quiet(ctx, "OP-E25", "XOFF twice and a packet of a reserved type");
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XON, NULL, 0);
    /* It may have forgotten what it had to say. What it asks for is sent again, once. */
    while (gw_opc_next(ctx, &got, gw_case_settle_ns(ctx))) {
        if (got.p.header.type == GW_OP2P_RETRANSMIT && sent && !again)
            gw_opc_send(ctx, &reserved, NULL, 0, 0);
        again = again || got.p.header.type == GW_OP2P_RETRANSMIT;
    }
    gw_opc_find(ctx, &q, &got, "OP-E25");
}

/* Both hold a packet, and a damaged frame makes the board want to send another one first. */
static void halt_both_damaged(gw_ctx *ctx)
{
    gw_opc_got got;
    gw_miss miss = {.rule = "OP-E26"};
    bool came = false;

    gw_opc_drain(ctx);
    if ((gw_regs_read(ctx, GW_OP2P_LINK_STATUS) & GW_OP2P_WE_HALTED) != 0)
        gw_case_inconc(ctx, "the board has halted its partner before anything was sent");
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XOFF, NULL, 0);
    gw_opc_command(ctx, false, gw_opc_ram(ctx, 4), 0x2000, GW_OPC_US, 4);
    damaged_write(ctx);
    gw_opc_event(ctx, GW_OP2P_KIND_ERROR, 0, 3, NULL, 0);
    gw_case_wait(gw_case_connection(ctx), gw_case_settle_ns(ctx));
    if ((gw_regs_read(ctx, GW_OP2P_LINK_STATUS) & GW_OP2P_WE_HALTED) != 0)
        gw_case_fail(ctx, &miss,
                     "halted, with a packet to send and a frame to ask for, the board keeps its "
                     "partner halted as well");
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XON, NULL, 0);
    while (!came && gw_opc_next(ctx, &got, gw_case_reply_ns(ctx)))
        came = got.p.header.type == GW_OP2P_WRITE;
    if (!came)
        gw_case_fail(ctx, &miss, "the write that the host had commanded did not come after XON");
}

/* ---- down ---- */

/* Frames on a channel that is down: what they ask for, nobody could receive. */
static void down_asked(gw_ctx *ctx)
{
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, gw_opc_ram(ctx, 4), 4);
    gw_op2p_header reserved = q;
    gw_opc_got got;

    reserved.type = 3;
    gw_opc_drain(ctx);
    gw_opc_take_down(ctx);
    gw_opc_send(ctx, &q, NULL, 0, 0);
    gw_opc_send(ctx, &reserved, NULL, 0, 0);
    damaged_write(ctx);
    gw_opc_quiet(ctx, "OP-E27", "frames on a channel that is down");
    gw_opc_event(ctx, GW_OP2P_KIND_CHANNEL, 0, 3, NULL, 0);
    gw_opc_find(ctx, &q, &got, "OP-E27");
}

#define RAM .needs = GW_LIST("ram")
#define HOST .needs = GW_LIST("ram", "regs")

const gw_case gw_op_e_disturbed[] = {
    {.id = "op-e/resend-lies",
     .title = "The last packet comes again unchanged, whatever the retransmit request's fields say",
     .rules = GW_LIST("OP-E20"),
     .after = GW_LIST("op-e/resend"),
     RAM,
     .negative = true,
     .run = resend_ignores_fields},
    {.id = "op-e/resend-after-request",
     .title = "A port sends its last packet again, not its own retransmit request",
     .rules = GW_LIST("OP-E20"),
     .after = GW_LIST("op-e/resend"),
     RAM,
     .negative = true,
     .run = resend_after_request},
    {.id = "op-e/xoff-damaged",
     .title = "A port that was told XOFF sends nothing though a frame is damaged",
     .rules = GW_LIST("OP-E25"),
     .after = GW_LIST("op-e/completion", "op-e/xoff"),
     RAM,
     .negative = true,
     .run = xoff_damaged},
    {.id = "op-e/mutual-halt-damaged",
     .title = "Two ports that halt each other over a bad link do not stay halted",
     .rules = GW_LIST("OP-E26"),
     .after = GW_LIST("op-e/mutual-halt", "op-h/five-fifos"),
     HOST,
     .negative = true,
     .run = halt_both_damaged},
    {.id = "op-e/frames-while-down",
     .title = "Frames on a channel that is down are not answered",
     .rules = GW_LIST("OP-E27"),
     .after = GW_LIST("op-e/completion", "op-e/channel-down"),
     HOST,
     .negative = true,
     .run = down_asked},
    {0},
};
