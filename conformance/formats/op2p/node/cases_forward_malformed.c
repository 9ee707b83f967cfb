/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P forwarding: what becomes of packets that nobody could send on, what the host can keep when
 * it sends one on, and the pool among mistakes. */
#include <inttypes.h>

#include "formats/op2p/node/suite.h"
#include "goldwire/cursor.h"

/* A packet for another node, told from others by its address. */
static gw_op2p_header send_good(gw_ctx *ctx, uint32_t tag, const uint32_t words[2])
{
    gw_op2p_header h = gw_opc_foreign(ctx, GW_OP2P_WRITE, tag, 8);

    gw_opc_send(ctx, &h, words, 2, 0);
    return h;
}

/* What a node breaks that stores |one|. */
static const char *against(const gw_opc_illegal *one)
{
    if (one->flags != 0)
        return "OP-F10";
    return one->cut != 0 ? "OP-E09" : "OP-E08";
}

/* Between good packets come such that no node can take for whole: they take no entry. Those that
 * are most like good ones come first. */
static void stored_disturbed(gw_ctx *ctx)
{
    uint32_t base = gw_opc_base(ctx), expected = base;

    for (size_t i = GW_OPC_ILLEGALS; i-- > 0;) {
        const gw_opc_illegal *one = &gw_opc_illegals[i];
        uint32_t words[2] = {gw_opc_word(ctx), gw_opc_word(ctx)};
        if (!one->incomplete)
            continue;
        gw_opc_slip_in(ctx, one, GW_OPC_OTHER, 0x5000);
        gw_opc_not_stored(ctx, against(one), one->what);
        gw_op2p_header h = send_good(ctx, 0x6000 + (uint32_t)i, words);
        uint32_t at = gw_opc_stored(ctx, "OP-F01", "a good packet between others");
        gw_opc_same_packet(ctx, "OP-F01", at, &h, words, 2);
        gw_miss miss = {.rule = "OP-F06", .expected = expected, .got = at};
        if (at != expected)
            gw_case_fail(ctx, &miss,
                         "after %s the next packet lies at 0x%08" PRIx32 ", 0x%08" PRIx32
                         " expected",
                         one->what, at, expected);
        expected += GW_OP2P_POOL_ENTRY;
    }
    (void)gw_opc_base(ctx);
}

/* What is left in pool and pointers would halt us sooner or later. */
static void free_stored(gw_ctx *ctx)
{
    uint32_t at;

    for (unsigned i = 0; i < GW_OP2P_FIFO_DEPTH && gw_opc_pointer(ctx, &at); i++)
        gw_regs_write_on(ctx, GW_OP2P_FORW_FREEUPADDR, at);
}

/* Illegal packets for another node, and legal ones with reserved bits set. */
static void not_executed(gw_ctx *ctx)
{
    uint32_t bad[2] = {0xbadbadba, 0xbadbadba}, base = gw_opc_base(ctx);
    uint32_t at = gw_opc_marked_lowest(ctx);
    gw_op2p_header h = gw_opc_foreign(ctx, GW_OP2P_WRITE, at, 8);

    while (at >= base && at < base + GW_OP2P_POOL_ENTRY) /* that entry will be used */
        at = gw_opc_marked(ctx);
    h.dst_addr = at;
    h.rfu = 0xf;
    gw_opc_send(ctx, &h, bad, 2, 0);
    gw_opc_still_marked(ctx, "OP-F02", at, "a write for another node with reserved bits set");
    gw_opc_drain(ctx);
    for (size_t i = 0; i < GW_OPC_ILLEGALS; i++) {
        const gw_opc_illegal *one = &gw_opc_illegals[i];
        gw_opc_slip_in(ctx, one, GW_OPC_OTHER, at);
        gw_opc_still_marked(ctx, "OP-F02", at, one->what);
        free_stored(ctx);
    }
    gw_op2p_header q = gw_opc_foreign(ctx, GW_OP2P_READ, at, 4);
    q.rfu = 0xf;
    gw_opc_drain(ctx);
    gw_opc_send(ctx, &q, NULL, 0, 0);
    gw_opc_silence(ctx, "OP-F02", "a read request for another node");
    (void)gw_opc_base(ctx);
}

/* A node that does not store such a packet has nothing to keep whole. */
static void odd_header(gw_ctx *ctx)
{
    static const uint8_t enables[] = {0, 5, 14};
    uint32_t data = 5, dirt[2] = {UINT32_MAX, UINT32_MAX};
    uint32_t base = gw_opc_base(ctx), at;
    unsigned num = 0;

    for (size_t i = 0; i < GW_ARRAY_LEN(enables); i++) {
        gw_op2p_header h = gw_opc_foreign(ctx, GW_OP2P_WRITE, 0x5000, 4);
        unsigned tries = 0;
        bool stored;
        h.fbe = enables[i];
        do {
            gw_opc_put(ctx, base, dirt, 2);
            gw_opc_send(ctx, &h, &data, 1, 0);
            (void)gw_opc_peek(ctx, base);
            stored = gw_opc_pointer(ctx, &at);
        } while (!stored && gw_opc_again(ctx, &tries));
        if (!stored)
            continue;
        num++;
        gw_opc_same_ids(ctx, "OP-F03", at, &h);
        gw_regs_write_on(ctx, GW_OP2P_FORW_FREEUPADDR, at);
    }
    if (num == 0)
        gw_case_na(ctx, "the node stores no packet with an undefined byte enable");
}

/* ---- sent on ---- */

/* The host sends a stored packet on as its registers allow: they keep the ids, the destination and
 * the payload. */
static void sent_on(gw_ctx *ctx)
{
    static const uint16_t sources[] = {0x0077, 0x0001};
    uint32_t words[2] = {gw_opc_word(ctx), gw_opc_word(ctx)};
    gw_op2p_header h = gw_opc_foreign(ctx, GW_OP2P_WRITE, 0x5008, 8);
    gw_opc_got got;
    gw_miss miss = {.rule = "OP-F04"};

    h.src_id = sources[gw_case_self(ctx)->arg];
    (void)gw_opc_base(ctx);
    gw_opc_send(ctx, &h, words, 2, 0);
    uint32_t at = gw_opc_stored(ctx, "OP-F01", "a packet for another node");
    gw_opc_drain(ctx);
    gw_regs_access fields[5];
    gw_opc_fields(ctx, fields, false, at + GW_OP2P_HEADER, h.dst_addr, h.dst_id, h.byte_count);
    fields[2].value = h.src_id;
    gw_regs_together_on(ctx, fields, 5);
    if (!gw_opc_next(ctx, &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "the host sent a packet on, and none came");
    gw_opc_want(ctx, &got, "OP-F04", "op2p.src.id", h.src_id);
    gw_opc_want(ctx, &got, "OP-F04", "op2p.dst.id", h.dst_id);
    gw_opc_want(ctx, &got, "OP-F04", "op2p.dst_addr", h.dst_addr);
    gw_opc_want(ctx, &got, "OP-F04", "op2p.type", h.type);
    gw_opc_want(ctx, &got, "OP-F04", "op2p.byte_count", h.byte_count);
    miss.packet = got.number;
    for (uint32_t i = 0; i < 2; i++)
        if (got.p.payload_len < 8 || gw_load_be32(got.p.payload + (size_t)4 * i) != words[i])
            gw_case_fail(ctx, &miss, "a packet that was sent on has another payload");
    (void)gw_opc_base(ctx);
}

/* Errors between frames are nobody's. */
static void undamaged(gw_ctx *ctx)
{
    uint32_t words[2] = {gw_opc_word(ctx), gw_opc_word(ctx)};

    (void)gw_opc_base(ctx);
    gw_opc_event(ctx, GW_OP2P_KIND_ERROR, 0, 3, NULL, 0);
    gw_op2p_header h = send_good(ctx, 0x5000, words);
    uint32_t at = gw_opc_stored(ctx, "OP-F10", "a good packet after errors between frames");
    gw_opc_same_packet(ctx, "OP-F10", at, &h, NULL, 0);
    (void)gw_opc_base(ctx);
}

/* ---- what never goes on ---- */

static void resend_local(gw_ctx *ctx)
{
    gw_op2p_header again = {.src_id = GW_OPC_US,
                            .type = GW_OP2P_RETRANSMIT,
                            .status = GW_OP2P_UNKNOWN_ERROR,
                            .byte_count = 4,
                            .fbe = 15};

    (void)gw_opc_base(ctx);
    (void)gw_opc_peek(ctx, 0);
    gw_opc_send(ctx, &again, NULL, 0, 0);
    gw_opc_not_stored(ctx, "OP-F05", "a retransmit request");
}

static void id_0_illegal(gw_ctx *ctx)
{
    uint32_t spot = gw_opc_marked(ctx);

    (void)gw_opc_base(ctx);
    for (size_t i = 0; i < GW_OPC_ILLEGALS; i++) {
        const gw_opc_illegal *one = &gw_opc_illegals[i];
        gw_opc_slip_in(ctx, one, 0, spot);
        gw_opc_not_stored(ctx, one->flags != 0 ? "OP-F10" : "OP-F13", one->what);
    }
}

/* ---- the pool ---- */

static void free_middle(gw_ctx *ctx)
{
    uint32_t words[2] = {1, 2}, base = gw_opc_base(ctx), middle = base + GW_OP2P_POOL_ENTRY;
    gw_miss miss = {.rule = "OP-F08", .expected = middle};

    for (uint32_t i = 0; i < 3; i++) {
        (void)send_good(ctx, i, words);
        (void)gw_opc_stored(ctx, "OP-F08", "a packet for another node");
    }
    gw_regs_write_on(ctx, GW_OP2P_FORW_FREEUPADDR, middle);
    (void)send_good(ctx, 9, words);
    uint32_t at = gw_opc_stored(ctx, "OP-F08", "a packet for another node");
    miss.got = at;
    if (at != middle)
        gw_case_fail(ctx, &miss,
                     "the second of three entries was freed, and the next packet lies at "
                     "0x%08" PRIx32,
                     at);
    gw_opc_same(ctx, "OP-F08", middle + 4, 9, "the packet in the entry that was freed");
    gw_opc_same(ctx, "OP-F08", base + 4, 0, "the entry before it");
}

#define NEEDS .needs = GW_LIST("forwarding", "ram", "regs")
#define STORED .after = GW_LIST("op-f/stored")

const gw_case gw_op_f_disturbed[] = {
    {.id = "op-f/stored-disturbed",
     .title = "Packets that are not whole take no entry, and leave stored ones alone",
     .rules = GW_LIST("OP-F01", "OP-F06", "OP-F10", "OP-E08", "OP-E09"),
     .after = GW_LIST("op-f/entries"),
     NEEDS,
     .negative = true,
     .run = stored_disturbed},
    {.id = "op-f/not-executed-odd",
     .title = "No packet for another node is executed, however odd it is",
     .rules = GW_LIST("OP-F02"),
     .after = GW_LIST("op-f/not-executed"),
     NEEDS,
     .negative = true,
     .run = not_executed},
    {.id = "op-f/header-odd",
     .title = "The ids of a stored packet are whole even with an undefined byte enable",
     .rules = GW_LIST("OP-F03"),
     .after = GW_LIST("op-f/stored"),
     NEEDS,
     .negative = true,
     .run = odd_header},
    {.id = "op-f/sent-on",
     .title = "A packet that the host forwards keeps its ids, its destination and its payload",
     .rules = GW_LIST("OP-F04"),
     .after = GW_LIST("op-f/stored", "op-h/mixed-fifos"),
     NEEDS,
     .arg = 0,
     .run = sent_on},
    {.id = "op-f/sent-on-odd",
     .title = "A packet that the host forwards keeps its source id, even an impossible one",
     .rules = GW_LIST("OP-F04"),
     .after = GW_LIST("op-f/sent-on"),
     NEEDS,
     .negative = true,
     .arg = 1,
     .run = sent_on},
    {.id = "op-f/undamaged",
     .title = "A good packet is reported to the host though errors came before it",
     .rules = GW_LIST("OP-F10"),
     STORED,
     NEEDS,
     .run = undamaged},
    {.id = "op-f/resend-local",
     .title = "A retransmit request ends at the next node",
     .rules = GW_LIST("OP-F05"),
     STORED,
     NEEDS,
     .run = resend_local},
    {.id = "op-f/id-0-illegal",
     .title = "A packet to id 0 that cannot be executed is not forwarded",
     .rules = GW_LIST("OP-F13", "OP-F10"),
     .after = GW_LIST("op-f/id-0"),
     NEEDS,
     .negative = true,
     .run = id_0_illegal},
    {.id = "op-f/free-middle",
     .title = "The entry that was freed is the next one used",
     .rules = GW_LIST("OP-F08"),
     .after = GW_LIST("op-f/entries"),
     NEEDS,
     .run = free_middle},
    {0},
};
