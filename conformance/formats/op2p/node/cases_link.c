/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P endpoint: link errors, retransmission, flow control, and what a port sends of itself. */
#include <string.h>

#include "formats/op2p/node/suite.h"

#define MARK UINT32_C(0x600dda7a)

/* Sends a damaged write of one double word; nothing of it may be used. */
static gw_op2p_header damaged_write(gw_ctx *ctx, uint32_t at, uint8_t flags)
{
    uint32_t bad = 0xbadbadba;
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at, 4);

    gw_opc_send(ctx, &h, &bad, 1, flags);
    return h;
}

static void resend(gw_ctx *ctx)
{
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, gw_opc_ram(ctx, 16), 16);
    gw_op2p_header again = {.src_id = GW_OPC_US,
                            .type = GW_OP2P_RETRANSMIT,
                            .status = GW_OP2P_UNKNOWN_ERROR,
                            .byte_count = 16,
                            .fbe = 15};
    gw_opc_got first, second;
    gw_miss miss = {.rule = "OP-E20"};

    gw_opc_ask(ctx, &q, &first, "OP-E12");
    again.dst_addr = first.p.header.src_addr;
    again.src_addr = first.p.header.dst_addr;
    gw_opc_drain(ctx);
    gw_opc_send(ctx, &again, NULL, 0, 0);
    if (!gw_opc_next(ctx, &second, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "a retransmit request was not followed by the last packet");
    size_t len = first.message.len - GW_OP2P_SHIM;
    miss.packet = second.number;
    miss.rule = "OP-E23";
    if (second.p.header.type == GW_OP2P_RETRANSMIT)
        gw_case_fail(ctx, &miss, "a retransmit request was answered by another");
    miss.rule = "OP-E20";
    for (uint32_t i = 0; i < len; i++) {
        miss.offset = GW_OP2P_SHIM + i;
        miss.expected = first.bytes[miss.offset];
        miss.got = second.bytes[miss.offset];
        if (second.message.len != first.message.len || miss.expected != miss.got)
            gw_case_fail(ctx, &miss,
                         "byte %u of the packet that was sent again is 0x%02x, at first it was "
                         "0x%02x",
                         i, second.bytes[miss.offset], first.bytes[miss.offset]);
    }
}

static void damaged(gw_ctx *ctx)
{
    uint32_t mark = MARK, at = gw_opc_ram(ctx, 4);
    gw_opc_got got;
    gw_miss miss = {.rule = "OP-E21"};

    gw_opc_put(ctx, at, &mark, 1);
    gw_case_wait(gw_case_connection(ctx), gw_case_settle_ns(ctx));
    gw_opc_drain(ctx);
    gw_op2p_header h = damaged_write(ctx, at, GW_OP2P_FLAG_SOFT_ERROR);
    if (!gw_opc_next(ctx, &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "a damaged frame was not followed by a retransmit request");
    gw_opc_want(ctx, &got, "OP-E21", "op2p.type", GW_OP2P_RETRANSMIT);
    gw_opc_want(ctx, &got, "OP-E21", "op2p.dst.id", 0);
    gw_opc_want(ctx, &got, "OP-E21", "op2p.src.id", gw_opc_node(ctx));
    gw_opc_want(ctx, &got, "OP-E21", "op2p.status", GW_OP2P_UNKNOWN_ERROR);
    gw_opc_want(ctx, &got, "OP-E21", "op2p.dst_addr", h.src_addr);
    gw_opc_want(ctx, &got, "OP-E21", "op2p.src_addr", h.dst_addr);
    miss.packet = got.number;
    if (got.p.payload_sent > 0)
        gw_case_fail(ctx, &miss, "the retransmit request carries payload");
}

static void damaged_dropped(gw_ctx *ctx)
{
    static const uint8_t flags[] = {GW_OP2P_FLAG_FRAME_ERROR, GW_OP2P_FLAG_PAD};
    static const char *const rules[] = {"OP-L01", "OP-L02"};
    const gw_case *self = gw_case_self(ctx);
    uint32_t mark = MARK, at = gw_opc_ram(ctx, 4);

    gw_opc_put(ctx, at, &mark, 1);
    (void)damaged_write(ctx, at, flags[self->arg]);
    gw_opc_drain(ctx);
    gw_opc_same(ctx, rules[self->arg], at, MARK, "a write in a frame with a link error");
}

static void bounded(gw_ctx *ctx)
{
    gw_opc_got got;
    gw_miss miss = {.rule = "OP-E22"};
    unsigned asked = 0;

    gw_opc_drain(ctx);
    for (unsigned i = 0; i < 20; i++) {
        (void)damaged_write(ctx, gw_opc_ram(ctx, 4), GW_OP2P_FLAG_SOFT_ERROR);
        while (gw_opc_next(ctx, &got, gw_case_settle_ns(ctx)))
            asked += got.p.header.type == GW_OP2P_RETRANSMIT;
        if (asked > 8) {
            miss.packet = got.number;
            gw_case_fail(ctx, &miss, "%u retransmit requests in a row; 8 are allowed", asked);
        }
    }
    gw_case_expect_alive(ctx, "OP-E22", "twenty damaged frames");
    if (asked == 0)
        gw_case_inconc(ctx, "the board asks for nothing to be sent again");
}

static void damaged_request(gw_ctx *ctx)
{
    gw_op2p_header again = {.src_id = GW_OPC_US,
                            .type = GW_OP2P_RETRANSMIT,
                            .status = GW_OP2P_UNKNOWN_ERROR,
                            .byte_count = 16,
                            .fbe = 15};

    (void)gw_opc_peek(ctx, 0);
    gw_opc_drain(ctx);
    gw_opc_send(ctx, &again, NULL, 0, GW_OP2P_FLAG_SOFT_ERROR);
    gw_opc_silence(ctx, "OP-E23", "a damaged retransmit request");
}

#define LONG 64 /* double words: longer than what a board takes in before it looks for errors */

/* Counts the writes that the host is told of, as far as it looks. False when nobody knows. */
static bool count_told(gw_ctx *ctx, unsigned *told)
{
    gw_regs_access looks[6];

    *told = 0;
    for (size_t i = 0; i < GW_ARRAY_LEN(looks); i += 2) {
        looks[i] = (gw_regs_access){.at = GW_OP2P_FIFOSTATUS};
        looks[i + 1] = (gw_regs_access){.at = GW_OP2P_ARRIVEDWRITE_ADDRESS};
    }
    if (!gw_regs_together(ctx, looks, GW_ARRAY_LEN(looks)))
        return false;
    for (size_t i = 0; i < GW_ARRAY_LEN(looks); i += 2)
        *told += (looks[i].value & GW_OP2P_ARRIVEDWRITE_EMPTY) == 0;
    return true;
}

/* Sends a write of |num| double words damaged, and then whole, and counts what the host is told. */
static unsigned told_of(gw_ctx *ctx, uint32_t at, const uint32_t *words, size_t num)
{
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at, (uint16_t)(4 * num));
    unsigned told, tries = 0;

    do {
        gw_opc_forget(ctx, GW_OP2P_ARRIVEDWRITE_ADDRESS);
        gw_opc_send(ctx, &h, words, num, GW_OP2P_FLAG_SOFT_ERROR);
        gw_opc_listen(ctx, gw_case_settle_ns(ctx)); /* it asks for it */
        gw_opc_send(ctx, &h, words, num, 0);
        gw_opc_same(ctx, "OP-E24", at, words[0], "the write that was sent again");
        if (count_told(ctx, &told))
            return told;
    } while (gw_case_again(ctx, &tries));
    gw_case_inconc(ctx, "the registers do not answer: nobody knows what the host was told");
}

static void told_once(gw_ctx *ctx)
{
    static const uint8_t lengths[] = {1, LONG};
    uint32_t words[LONG], at = gw_opc_ram(ctx, sizeof(words));
    gw_miss miss = {.rule = "OP-E24", .expected = 1};

    for (size_t i = 0; i < GW_ARRAY_LEN(lengths); i++) {
        for (size_t k = 0; k < lengths[i]; k++)
            words[k] = gw_opc_word(ctx);
        miss.got = told_of(ctx, at, words, lengths[i]);
        if (miss.got > 1)
            gw_case_fail(ctx, &miss,
                         "the host was told %u times of one write of %u bytes, which came damaged "
                         "and was sent again",
                         (unsigned)miss.got, 4u * lengths[i]);
    }
}

static void halted(gw_ctx *ctx)
{
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, gw_opc_ram(ctx, 4), 4);
    gw_opc_got got;
    gw_miss miss = {.rule = "OP-E25"};

    gw_opc_drain(ctx);
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XOFF, NULL, 0);
    gw_opc_send(ctx, &q, NULL, 0, 0);
    gw_opc_quiet(ctx, "OP-E25", "XOFF");
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XON, NULL, 0);
    if (!gw_opc_next(ctx, &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "what was held back while halted did not come after XON");
}

static void halt_both(gw_ctx *ctx)
{
    uint32_t at = gw_opc_ram(ctx, 4);
    gw_opc_got got;
    gw_miss miss = {.rule = "OP-E26"};

    gw_opc_drain(ctx);
    if ((gw_regs_read(ctx, GW_OP2P_LINK_STATUS) & GW_OP2P_WE_HALTED) != 0)
        gw_case_inconc(ctx, "the board has halted its partner before anything was sent");
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XOFF, NULL, 0);
    gw_opc_command(ctx, false, at, 0x2000, GW_OPC_US, 4);
    gw_case_wait(gw_case_connection(ctx), gw_case_settle_ns(ctx));
    /* We hold a packet too, and may send it only when the board has not halted us for good. */
    if ((gw_regs_read(ctx, GW_OP2P_LINK_STATUS) & GW_OP2P_WE_HALTED) != 0)
        gw_case_fail(ctx, &miss,
                     "halted and with a packet to send, the board keeps its partner "
                     "halted as well");
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XON, NULL, 0);
    if (!gw_opc_next(ctx, &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "the write that the host had commanded did not come after XON");
}

static void channel_down(gw_ctx *ctx)
{
    uint32_t at = gw_opc_ram(ctx, 4);
    gw_opc_got got;
    gw_miss miss = {.rule = "OP-E27"};

    gw_opc_drain(ctx);
    gw_opc_take_down(ctx);
    gw_opc_command(ctx, false, at, 0x2000, GW_OPC_US, 4);
    gw_opc_quiet(ctx, "OP-E27", "the channel had gone down");
    gw_opc_event(ctx, GW_OP2P_KIND_CHANNEL, 0, 3, NULL, 0);
    if (!gw_opc_next(ctx, &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss,
                     "a command given while the channel was down was not carried out "
                     "when it came up");
}

static void read_command(gw_ctx *ctx)
{
    uint32_t mark = MARK, at = gw_opc_ram(ctx, 16);
    gw_opc_got got;
    gw_miss miss = {.rule = "OP-E05"};

    gw_opc_put(ctx, at, &mark, 1); /* leaves something in the transmit buffer */
    gw_opc_read_command(ctx, at, 0x4000, GW_OPC_US, 16, &got);
    miss.packet = got.number;
    if (got.p.payload_sent > 0)
        gw_case_fail(ctx, &miss, "%u bytes follow a read request; it carries none",
                     got.p.payload_sent);
}

/* Writes first, then reads. */
static void command_counts(gw_ctx *ctx)
{
    static const uint32_t counts[] = {0, 3, 6, 1028, 0x00010004};
    uint32_t at = gw_opc_ram(ctx, 16);
    gw_opc_got got;
    gw_miss miss = {.rule = "OP-E06"};

    for (size_t k = 0; k < 2 * GW_ARRAY_LEN(counts); k++) {
        size_t i = k % GW_ARRAY_LEN(counts);
        if (counts[i] > GW_OP2P_REFERENCE_MAX && gw_opc_reference(ctx))
            gw_case_forgo(ctx, "OP-E06",
                          "the reference core does not come to the end of such a command");
        gw_opc_drain(ctx);
        gw_opc_command(ctx, k != i, at, 0x2000, GW_OPC_US, counts[i]);
        if (!gw_opc_next(ctx, &got, gw_case_settle_ns(ctx)))
            continue;
        uint16_t count = got.p.header.byte_count;
        miss.packet = got.number;
        if (count < 4 || count > GW_OP2P_PAYLOAD_MAX || count % 4 != 0)
            gw_case_fail(ctx, &miss, "a command of %u bytes sent a packet of byte count %u",
                         counts[i], count);
    }
    gw_case_expect_alive(ctx, "OP-E06", "commands of byte counts that are not allowed");
}

const gw_case gw_op_e_link[] = {
    {.id = "op-e/resend",
     .title = "On a retransmit request the last packet comes again, byte for byte",
     .rules = GW_LIST("OP-E20", "OP-E23"),
     .after = GW_LIST("op-e/completion"),
     .needs = GW_LIST("ram"),
     .run = resend},
    {.id = "op-e/damaged",
     .title = "A retransmit request is sent for a damaged frame",
     .rules = GW_LIST("OP-E21"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = damaged},
    {.id = "op-l/frame-error",
     .title = "A frame that began inside another is not executed",
     .rules = GW_LIST("OP-L01"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .arg = 0,
     .run = damaged_dropped},
    {.id = "op-l/pad",
     .title = "A frame whose last double word is padded is not executed",
     .rules = GW_LIST("OP-L02"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .arg = 1,
     .run = damaged_dropped},
    {.id = "op-e/damaged-for-ever",
     .title = "Retransmit requests on a link that stays bad come to an end",
     .rules = GW_LIST("OP-E22"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = bounded},
    {.id = "op-e/damaged-request",
     .title = "A damaged retransmit request is not answered by a retransmit request",
     .rules = GW_LIST("OP-E23"),
     .after = GW_LIST("op-e/byte-order"),
     .negative = true,
     .run = damaged_request},
    {.id = "op-e/told-once",
     .title = "The host is told once of a write that came twice, first damaged",
     .rules = GW_LIST("OP-E24"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram", "regs"),
     .negative = true,
     .run = told_once},
    {.id = "op-e/xoff",
     .title = "A port that was told XOFF sends nothing, and goes on after XON",
     .rules = GW_LIST("OP-E25"),
     .after = GW_LIST("op-e/completion"),
     .needs = GW_LIST("ram"),
     .run = halted},
    {.id = "op-e/mutual-halt",
     .title = "Two ports that halt each other do not stay halted",
     .rules = GW_LIST("OP-E26"),
     .after = GW_LIST("op-e/write", "op-e/xoff"),
     .needs = GW_LIST("ram", "regs"),
     .run = halt_both},
    {.id = "op-e/channel-down",
     .title = "Nothing is sent while the channel is down, and commands wait",
     .rules = GW_LIST("OP-E27"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram", "regs"),
     .run = channel_down},
    {.id = "op-e/read-request",
     .title = "A read request carries no payload",
     .rules = GW_LIST("OP-E05"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram", "regs"),
     .run = read_command},
    {.id = "op-e/command-counts",
     .title = "A command of the host is sent with an allowed byte count, whatever it names",
     .rules = GW_LIST("OP-E06"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram", "regs"),
     .negative = true,
     .run = command_counts},
    {0},
};
