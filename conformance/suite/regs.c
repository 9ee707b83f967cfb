/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers over EtherBone, as cases reach them. */
#include "suite/regs.h"

#include "goldwire/registers.h"

/* What must come of the answer, a bit for each access. */
static uint64_t wanted(const gw_regs_access *accesses, size_t num)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < num; i++)
        bits |= accesses[i].write ? 0 : UINT64_C(1) << i;
    return bits;
}

static uint32_t new_tag(gw_ctx *ctx)
{
    return GW_REGS_TAG | (uint32_t)(gw_case_random(ctx) & 0xffff) << 8;
}

/* Asks, and waits for the answer to this very question. */
static bool ask_once(gw_ctx *ctx, const gw_regs_access *accesses, size_t num, gw_regs_answer *a)
{
    uint8_t request[GW_REGS_LARGE_PACKET];
    gw_packet packet;
    gw_connection *conn = gw_case_link(ctx, GW_REGS_LINK);
    uint32_t tag = new_tag(ctx);
    uint64_t bits = wanted(accesses, num);
    size_t len = gw_regs_ask_together(request, tag, accesses, num, NULL);

    *a = (gw_regs_answer){0};
    if (len == 0)
        gw_case_error(ctx, "the register accesses do not fit their packet");
    (void)gw_case_send(ctx, conn, request, len);
    int64_t deadline = gw_case_now(conn) + gw_case_reply_ns(ctx);
    while (!a->has_errors || (a->seen & bits) != bits) {
        if (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet) != GW_RECV_DATA)
            return false;
        gw_regs_take(a, packet.data, packet.len, tag, NULL);
    }
    return true;
}

static gw_regs_answer ask(gw_ctx *ctx, const gw_regs_access *accesses, size_t num, bool again)
{
    gw_regs_answer a;
    unsigned tries = 0;

    do {
        if (ask_once(ctx, accesses, num, &a))
            return a;
    } while (again && gw_case_again(ctx, &tries));
    gw_case_inconc(ctx, "the registers do not answer: %s 0x%03x",
                   accesses[0].write ? "write" : "read", accesses[0].at);
}

/* Whether an access that may have been executed does no harm a second time. */
static bool harmless(const gw_ctx *ctx, uint32_t offset, bool write)
{
    const gw_register_map *map = gw_case_suite(ctx)->format->registers;
    const gw_register *r = map != NULL ? gw_register_at(map, offset) : NULL;

    if (map == NULL) /* an IMS buffer's: pointers and switches */
        return true;
    if (write)
        return r != NULL && r->access == GW_READ_WRITE;
    return r == NULL || r->access != GW_READ_TAKES;
}

uint32_t gw_regs_place(const gw_ctx *ctx, uint32_t offset)
{
    const gw_board_file *board = gw_case_board(ctx);
    const gw_register_map *map = gw_case_suite(ctx)->format->registers;
    for (size_t i = 0; map != NULL && i < board->num_registers; i++) {
        const gw_register *named = gw_register_by_name(map, board->registers[i].name);
        if (named != NULL && named->offset == offset)
            return board->registers[i].address;
    }
    return board->register_base + offset;
}

static bool try_read(gw_ctx *ctx, uint32_t offset, uint32_t *value, bool again)
{
    const gw_regs_access access = {.at = gw_regs_place(ctx, offset)};
    gw_regs_answer a = ask(ctx, &access, 1, again);
    *value = a.values[0];
    return (a.errors & 1) == 0;
}

static bool try_write(gw_ctx *ctx, uint32_t offset, uint32_t value, bool again)
{
    const gw_regs_access access = {.at = gw_regs_place(ctx, offset), .value = value, .write = true};
    return (ask(ctx, &access, 1, again).errors & 1) == 0;
}

bool gw_regs_try_write(gw_ctx *ctx, uint32_t offset, uint32_t value)
{
    return try_write(ctx, offset, value, harmless(ctx, offset, true));
}

static uint32_t read_register(gw_ctx *ctx, uint32_t offset, bool again)
{
    uint32_t value;
    if (!try_read(ctx, offset, &value, again))
        gw_case_inconc(ctx, "register 0x%03x cannot be read: bus error", offset);
    return value;
}

uint32_t gw_regs_read(gw_ctx *ctx, uint32_t offset)
{
    return read_register(ctx, offset, harmless(ctx, offset, false));
}

uint32_t gw_regs_read_on(gw_ctx *ctx, uint32_t offset)
{
    return read_register(ctx, offset, true);
}

static void write_register(gw_ctx *ctx, uint32_t offset, uint32_t value, bool again)
{
    if (!try_write(ctx, offset, value, again))
        gw_case_inconc(ctx, "register 0x%03x cannot be written: bus error", offset);
}

void gw_regs_write(gw_ctx *ctx, uint32_t offset, uint32_t value)
{
    write_register(ctx, offset, value, harmless(ctx, offset, true));
}

void gw_regs_write_on(gw_ctx *ctx, uint32_t offset, uint32_t value)
{
    write_register(ctx, offset, value, true);
}

/* ---- several at once ---- */

static bool together(gw_ctx *ctx, gw_regs_access *accesses, size_t num, bool again)
{
    gw_regs_access placed[GW_REGS_TOGETHER] = {{0}};
    gw_regs_answer a;

    for (size_t i = 0; i < num && i < GW_REGS_TOGETHER; i++) {
        placed[i] = accesses[i];
        placed[i].at = gw_regs_place(ctx, accesses[i].at);
    }
    if (again)
        a = ask(ctx, placed, num, true);
    else if (!ask_once(ctx, placed, num, &a))
        return false;
    if ((a.errors & ((UINT64_C(1) << num) - 1)) != 0)
        gw_case_inconc(ctx, "registers 0x%03x to 0x%03x cannot be reached: bus error",
                       accesses[0].at, accesses[num - 1].at);
    for (size_t i = 0; i < num; i++)
        accesses[i].value = accesses[i].write ? accesses[i].value : a.values[i];
    return true;
}

bool gw_regs_together(gw_ctx *ctx, gw_regs_access *accesses, size_t num)
{
    return together(ctx, accesses, num, false);
}

void gw_regs_together_on(gw_ctx *ctx, gw_regs_access *accesses, size_t num)
{
    (void)together(ctx, accesses, num, true);
}

bool gw_regs_push(gw_ctx *ctx, uint32_t offset, uint32_t value)
{
    gw_regs_access access = {.at = offset, .value = value, .write = true};
    return together(ctx, &access, 1, false);
}

gw_pair gw_regs_pair(gw_ctx *ctx, uint32_t offset, int64_t timeout_ns)
{
    uint8_t request[GW_REGS_PACKET];
    uint32_t tags[2];
    gw_pair pair = {0};
    gw_packet packet;
    gw_connection *conn = gw_case_link(ctx, GW_REGS_LINK);

    gw_case_drain(ctx, conn);
    for (unsigned i = 0; i < 2; i++) {
        tags[i] = new_tag(ctx);
        size_t len = gw_regs_ask(request, tags[i], gw_regs_place(ctx, offset), NULL, NULL);
        (void)gw_case_send(ctx, conn, request, len);
    }
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    while (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet) == GW_RECV_DATA) {
        for (unsigned i = 0; i < 2; i++) {
            gw_regs_answer a = {0};
            gw_regs_take(&a, packet.data, packet.len, tags[i], NULL);
            if (a.seen != 0)
                gw_pair_answer(&pair, i);
        }
        if (pair.answered == 2 && pair.repeated == 0)
            deadline = gw_case_now(conn) + gw_case_settle_ns(ctx);
    }
    return pair;
}
