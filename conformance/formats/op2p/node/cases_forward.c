/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P forwarding: packets for other nodes lie in the pool until the host sends them on. */
#include <inttypes.h>

#include "formats/op2p/node/suite.h"
#include "goldwire/cursor.h"

static void store(gw_ctx *ctx)
{
    uint32_t data[3] = {0x11111111, 0x22222222, 0x33333333}, again;
    gw_op2p_header h = gw_opc_foreign(ctx, GW_OP2P_WRITE, 0x5000, sizeof(data));
    gw_miss miss = {.rule = "OP-F01"};

    (void)gw_opc_base(ctx);
    gw_opc_send(ctx, &h, data, 3, 0);
    uint32_t at = gw_opc_stored(ctx, "OP-F01", "a packet for another node");
    gw_opc_same_packet(ctx, "OP-F01", at, &h, data, 3);
    if (gw_opc_pointer(ctx, &again))
        gw_case_fail(ctx, &miss, "one packet was reported twice");
}

static void not_executed(gw_ctx *ctx)
{
    uint32_t mark = 0x600dda7a, bad = 0xbadbadba, at = gw_opc_ram(ctx, 4);
    gw_op2p_header h = gw_opc_foreign(ctx, GW_OP2P_WRITE, at, 4);
    gw_op2p_header q = gw_opc_foreign(ctx, GW_OP2P_READ, at, 4);

    (void)gw_opc_base(ctx);
    gw_opc_put(ctx, at, &mark, 1);
    gw_opc_send(ctx, &h, &bad, 1, 0);
    gw_opc_same(ctx, "OP-F02", at, mark, "a write for another node");
    gw_opc_drain(ctx);
    gw_opc_send(ctx, &q, NULL, 0, 0);
    gw_opc_silence(ctx, "OP-F02", "a read request for another node");
}

static void whole_header(gw_ctx *ctx)
{
    uint32_t data = 5, dirt[2] = {UINT32_MAX, UINT32_MAX};
    uint32_t base = gw_opc_base(ctx);
    gw_op2p_header h = gw_opc_foreign(ctx, GW_OP2P_WRITE, 0x5000, 4);

    gw_opc_put(ctx, base, dirt, 2);
    h.fbe = 1;
    gw_opc_send(ctx, &h, &data, 1, 0);
    gw_opc_same_ids(ctx, "OP-F03",
                    gw_opc_stored(ctx, "OP-F03", "a packet with first byte enable 1"), &h);
}

static void reserved(gw_ctx *ctx)
{
    (void)gw_opc_base(ctx);
    for (uint8_t type = 3; type < 16; type++) {
        gw_op2p_header h = gw_opc_foreign(ctx, type, 0x5000, 4);
        if (type == GW_OP2P_RETRANSMIT)
            continue;
        gw_opc_send(ctx, &h, NULL, 0, 0);
        gw_opc_silence(ctx, "OP-F05", "a packet of a reserved type for another node");
    }
    gw_opc_not_stored(ctx, "OP-F05", "a packet of a reserved type for another node");
}

static void send_foreign(gw_ctx *ctx, uint32_t tag)
{
    gw_op2p_header h = gw_opc_foreign(ctx, GW_OP2P_READ, tag, 4);
    gw_opc_send(ctx, &h, NULL, 0, 0);
}

static void entries(gw_ctx *ctx)
{
    uint32_t base = gw_opc_base(ctx);

    for (uint32_t i = 0; i < 3; i++) {
        gw_miss miss = {.rule = "OP-F06", .expected = base + i * GW_OP2P_POOL_ENTRY};
        send_foreign(ctx, i);
        uint32_t at = gw_opc_stored(ctx, "OP-F06", "a packet for another node");
        miss.got = at;
        if (at != miss.expected)
            gw_case_fail(ctx, &miss,
                         "packet %" PRIu32 " lies at 0x%08" PRIx32 ", 0x%08" PRIx64 " expected", i,
                         at, miss.expected);
    }
}

/* ---- a pool that fills ---- */

#define SENT_MOST (GW_OP2P_POOL_ENTRIES + 128) /* some may be lost on their way */
#define TOGETHER 8                             /* fewer than the pointers hold */

/* The entries that the host was told of. */
typedef struct taken {
    uint8_t bits[GW_OP2P_POOL_ENTRIES / 8];
    unsigned num;
} taken;

/* Takes the pointers there are. Frames that were on their way when the partner was halted count as
 * well: nothing of the pool is free for them. */
static void take_pointers(gw_ctx *ctx, uint32_t base, taken *t)
{
    uint32_t at;
    gw_miss miss = {.rule = "OP-F07"};

    for (unsigned i = 0; i <= GW_OP2P_FIFO_DEPTH && gw_opc_pointer(ctx, &at); i++) {
        uint32_t entry = (at - base) / GW_OP2P_POOL_ENTRY;
        miss.got = at;
        if (entry >= GW_OP2P_POOL_ENTRIES) {
            miss.rule = "OP-F06";
            gw_case_fail(ctx, &miss, "a packet lies at 0x%08" PRIx32 ", outside of the pool", at);
        }
        if ((t->bits[entry / 8] >> entry % 8 & 1) != 0)
            gw_case_fail(ctx, &miss,
                         "the entry at 0x%08" PRIx32 " is in use, and a packet was put into it",
                         at);
        t->bits[entry / 8] |= (uint8_t)(1u << entry % 8);
        t->num++;
    }
}

/* Takes pointers until |num| more have come, or none comes any more: halted, we cannot ask the
 * board whether it has seen all. */
static void await_pointers(gw_ctx *ctx, uint32_t base, taken *t, unsigned num)
{
    gw_connection *conn = gw_case_connection(ctx);
    unsigned all = t->num + num, before = t->num;
    int64_t deadline = gw_case_now(conn) + gw_case_settle_ns(ctx),
            pause = gw_case_scaled_ns(ctx, GW_MS);

    for (;;) {
        take_pointers(ctx, base, t);
        if (t->num >= all || gw_case_now(conn) >= deadline)
            return;
        if (t->num > before)
            deadline = gw_case_now(conn) + gw_case_settle_ns(ctx);
        before = t->num;
        gw_case_wait(conn, pause);
        pause *= 2;
    }
}

/* Fills the pool until the board halts us for good, or would have had to. A board that halts us for
 * another reason does not do it once more when the link begins anew. */
static void fill(gw_ctx *ctx, uint32_t base, taken *t)
{
    for (uint32_t i = 0; i < SENT_MOST && t->num < GW_OP2P_POOL_ENTRIES; i += TOGETHER) {
        if (!gw_opc_may_send(ctx, gw_case_reply_ns(ctx)) && !gw_opc_begin_anew(ctx))
            break;
        for (uint32_t k = 0; k < TOGETHER; k++) {
            gw_op2p_header h = gw_opc_foreign(ctx, GW_OP2P_READ, i + k, 4);
            (void)gw_opc_burst(ctx, &h, NULL, 0);
        }
        await_pointers(ctx, base, t, TOGETHER);
    }
}

static void pool_full(gw_ctx *ctx)
{
    uint32_t base = gw_opc_base(ctx);
    taken t = {.num = 0};
    gw_miss miss = {.rule = "OP-F07", .expected = GW_OP2P_POOL_ENTRIES};

    fill(ctx, base, &t);
    miss.got = t.num;
    bool halted = (gw_regs_read(ctx, GW_OP2P_LINK_STATUS) & GW_OP2P_WE_HALTED) != 0;
    if (t.num >= GW_OP2P_POOL_ENTRIES - TOGETHER && !halted)
        gw_case_fail(ctx, &miss, "%u entries of the pool are taken, and the partner is not halted",
                     t.num);
    if (t.num < GW_OP2P_POOL_ENTRIES / 2)
        gw_opc_unless_spread(ctx);
    if (t.num < GW_OP2P_POOL_ENTRIES / 2)
        gw_case_fail(ctx, &miss, "no more than %u packets are kept, of 512", t.num);
    if (!halted)
        gw_case_inconc(ctx, "the pool is not full: %u of %u packets were kept", t.num,
                       (unsigned)SENT_MOST);
    (void)gw_opc_base(ctx);
}

static void pointers_full(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "OP-F07"};

    (void)gw_opc_base(ctx);
    /* Some more, for what is lost on its way; each has its time to be answered by XOFF. */
    for (uint32_t i = 0; i < GW_OP2P_FIFO_DEPTH + 8; i++) {
        send_foreign(ctx, i);
        if (i + 1 >= GW_OP2P_FIFO_DEPTH)
            gw_opc_listen(ctx, gw_case_settle_ns(ctx));
        if (!gw_opc_may_send(ctx, gw_case_settle_ns(ctx))) {
            (void)gw_opc_base(ctx);
            return;
        }
    }
    gw_case_fail(ctx, &miss, "sixteen packets for another node wait, and no XOFF has come");
}

static void freeing(gw_ctx *ctx)
{
    uint32_t base = gw_opc_base(ctx);
    gw_miss miss = {.rule = "OP-F08"};

    send_foreign(ctx, 1);
    (void)gw_opc_stored(ctx, "OP-F08", "a packet for another node");
    gw_regs_write_on(ctx, GW_OP2P_FORW_FREEUPADDR, base + 4);
    gw_regs_write_on(ctx, GW_OP2P_FORW_FREEUPADDR,
                     base + GW_OP2P_POOL_ENTRIES * GW_OP2P_POOL_ENTRY);
    send_foreign(ctx, 2);
    if (gw_opc_stored(ctx, "OP-F08", "a packet for another node") == base)
        gw_case_fail(ctx, &miss, "an address inside the first entry, or behind the pool, freed it");
    gw_regs_write_on(ctx, GW_OP2P_FORW_FREEUPADDR, base);
    send_foreign(ctx, 3);
    uint32_t at = gw_opc_stored(ctx, "OP-F08", "a packet for another node");
    if (at != base)
        gw_case_fail(ctx, &miss, "the freed entry 0x%08" PRIx32 " was not used again", base);
}

/* Three times, for two undo each other where freeing a free entry takes it. */
static void free_twice(gw_ctx *ctx)
{
    uint32_t base = gw_opc_base(ctx);
    gw_miss miss = {.rule = "OP-F09", .expected = base};

    for (unsigned i = 0; i < 3; i++)
        gw_regs_write_on(ctx, GW_OP2P_FORW_FREEUPADDR, base);
    send_foreign(ctx, 1);
    uint32_t first = gw_opc_stored(ctx, "OP-F09", "a packet for another node");
    miss.got = first;
    if (first != base)
        gw_case_fail(ctx, &miss, "a free entry was freed, and is in use since");
    send_foreign(ctx, 2);
    if (gw_opc_stored(ctx, "OP-F09", "a second packet") == first)
        gw_case_fail(ctx, &miss, "two packets lie in one entry after a free entry was freed");
}

static void damaged(gw_ctx *ctx)
{
    gw_op2p_header h = gw_opc_foreign(ctx, GW_OP2P_READ, 0x5000, 4);

    (void)gw_opc_base(ctx);
    gw_opc_send(ctx, &h, NULL, 0, GW_OP2P_FLAG_SOFT_ERROR);
    gw_opc_drain(ctx);
    gw_opc_not_stored(ctx, "OP-F10", "a damaged packet");
    gw_opc_send(ctx, &h, NULL, 0, 0);
    gw_opc_same_packet(ctx, "OP-F10",
                       gw_opc_stored(ctx, "OP-F10", "the packet that was sent again"), &h, NULL, 0);
}

static void id_0(gw_ctx *ctx)
{
    uint32_t value = 1;
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, gw_opc_ram(ctx, 4), 4);

    h.dst_id = 0;
    (void)gw_opc_base(ctx);
    gw_opc_send(ctx, &h, &value, 1, 0);
    gw_opc_not_stored(ctx, "OP-F13", "a packet to id 0");
}

#define NEEDS GW_LIST("forwarding", "ram", "regs")

const gw_case gw_op_f[] = {
    {.id = "op-f/stored",
     .title = "A packet for another node is stored whole, and the host told of it once",
     .rules = GW_LIST("OP-F01"),
     .after = GW_LIST("op-e/write"),
     .needs = NEEDS,
     .run = store},
    {.id = "op-f/not-executed",
     .title = "A packet for another node is not executed",
     .rules = GW_LIST("OP-F02"),
     .after = GW_LIST("op-e/write"),
     .needs = NEEDS,
     .run = not_executed},
    {.id = "op-f/header-whole",
     .title = "The ids of a stored packet are whole, whatever its byte enable",
     .rules = GW_LIST("OP-F03"),
     .after = GW_LIST("op-f/stored"),
     .needs = NEEDS,
     .run = whole_header},
    {.id = "op-f/reserved-types",
     .title = "Reserved types for other nodes are neither answered nor stored",
     .rules = GW_LIST("OP-F05"),
     .after = GW_LIST("op-e/write"),
     .needs = NEEDS,
     .negative = true,
     .run = reserved},
    {.id = "op-f/entries",
     .title = "Packets lie 2048 bytes apart, from the buffer base on",
     .rules = GW_LIST("OP-F06"),
     .after = GW_LIST("op-f/stored"),
     .needs = NEEDS,
     .run = entries},
    {.id = "op-f/pointers-full",
     .title = "The partner is halted before the pointers overflow",
     .rules = GW_LIST("OP-F07"),
     .after = GW_LIST("op-f/stored"),
     .needs = NEEDS,
     .run = pointers_full},
    {.id = "op-f/pool-full",
     .title = "A full pool halts the partner, and no entry is overwritten",
     .rules = GW_LIST("OP-F07"),
     .after = GW_LIST("op-f/entries"),
     .needs = NEEDS,
     .negative = true,
     .run = pool_full},
    {.id = "op-f/free",
     .title = "Freeing frees the entry that begins there, and no other",
     .rules = GW_LIST("OP-F08"),
     .after = GW_LIST("op-f/stored"),
     .needs = NEEDS,
     .negative = true,
     .run = freeing},
    {.id = "op-f/free-twice",
     .title = "Freeing a free entry does no harm",
     .rules = GW_LIST("OP-F09"),
     .after = GW_LIST("op-f/entries"),
     .needs = NEEDS,
     .negative = true,
     .run = free_twice},
    {.id = "op-f/damaged",
     .title = "A damaged packet is not reported to the host, its repetition is",
     .rules = GW_LIST("OP-F10"),
     .after = GW_LIST("op-f/stored"),
     .needs = NEEDS,
     .negative = true,
     .run = damaged},
    {.id = "op-f/id-0",
     .title = "A packet to id 0 is not forwarded",
     .rules = GW_LIST("OP-F13"),
     .after = GW_LIST("op-e/write"),
     .needs = NEEDS,
     .run = id_0},
    {0},
};
