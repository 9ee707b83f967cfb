/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of a board, read and written over EtherBone as any master would. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "boards/mem.h"
#include "boards/sdb.h"
#include "formats/etherbone/slave/registers.h"

#define BLOCK 0x100
#define ABSENT 0x40

/* Registers 0x100..0x13f are memory, 0x140 is no register. */
typedef struct toy {
    gw_regs regs;
    uint32_t words[16];
    unsigned reads;
} toy;

static bool toy_read(void *board, uint32_t address, uint32_t *value)
{
    toy *t = board;
    t->reads++;
    if (address - BLOCK >= ABSENT)
        return false;
    *value = t->words[(address - BLOCK) / 4];
    return true;
}

static bool toy_write(void *board, uint32_t address, uint32_t value)
{
    toy *t = board;
    if (address - BLOCK >= ABSENT)
        return false;
    t->words[(address - BLOCK) / 4] = value;
    return true;
}

static bool toy_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    static const gw_regs_block blocks[] = {{"toy", BLOCK, ABSENT + 8}};
    gw_wb_registers registers = {state, toy_read, toy_write};
    (void)config;
    return gw_regs_init(&((toy *)state)->regs, blocks, 1, &registers, config, why, why_cap);
}

static int64_t toy_step(void *state, const gw_peer_event *event, int64_t now_ns, gw_peer_out *out)
{
    (void)now_ns;
    if (event->link == 1 && event->kind != GW_PEER_START && event->kind != GW_PEER_TIMER)
        gw_regs_step(&((toy *)state)->regs, event, out);
    return GW_PEER_NEVER;
}

static void toy_fini(void *state)
{
    gw_regs_fini(&((toy *)state)->regs);
}

static const char *const links[] = {"net", "regs", NULL};
static const gw_board toy_board = {
    .role = "toy",
    .links = links,
    .size = sizeof(toy),
    .init = toy_init,
    .step = toy_step,
    .fini = toy_fini,
};

/* A packet of one record with 32-bit widths: |flags|, byte enable, counts, then two words. */
static size_t packet(uint8_t *out, uint8_t byte_enable, bool write, uint32_t address,
                     uint32_t value)
{
    gw_writer w = gw_writer_over(out, 64);
    gw_write_be(&w, 0x4e6f1044, 4);
    gw_write_be(&w,
                write ? 0x00000100u | (uint32_t)byte_enable << 16
                      : 0x08000001u | (uint32_t)byte_enable << 16,
                4);
    gw_write_be(&w, write ? address : 0x8000, 4);
    gw_write_be(&w, write ? value : address, 4);
    /* the error register, so that a write is answered too */
    gw_write_be(&w, 0x480f0001, 4);
    gw_write_be(&w, 0x9000, 4);
    gw_write_be(&w, 4, 4);
    return w.len;
}

typedef struct desk {
    gw_mem *mem;
    gw_transport *regs;
    toy *board;
    uint8_t answer[256];
    size_t len;
} desk;

static void ask(desk *d, const uint8_t *request, size_t len)
{
    assert_true(d->regs->ops->send(d->regs, request, len));
    gw_recv_status status = d->regs->ops->recv(d->regs, d->answer, sizeof(d->answer), &d->len,
                                               d->regs->ops->now(d->regs) + 1000000000, NULL, NULL);
    assert_int_equal(status, GW_RECV_DATA);
}

/* Whether the last bus operation failed: bit 0 of the last word of the answer. */
static bool bus_error(const desk *d)
{
    return (d->answer[d->len - 1] & 1) != 0;
}

static uint32_t read_word(desk *d, uint32_t address)
{
    uint8_t request[64];
    ask(d, request, packet(request, 0x0f, false, address, 0));
    return gw_load_be32(d->answer + 12);
}

static int open_desk(void **state)
{
    static desk d;
    static const gw_peer_config config;
    char why[128];
    d.mem = gw_mem_start(&toy_board, &config, why, sizeof(why));
    if (d.mem == NULL)
        return -1;
    d.board = gw_mem_state(d.mem);
    d.regs = gw_mem_connect(d.mem, 1, false, why, sizeof(why));
    *state = &d;
    return d.regs == NULL ? -1 : 0;
}

static int close_desk(void **state)
{
    desk *d = *state;
    gw_transport_close(d->regs);
    gw_mem_stop(d->mem);
    return 0;
}

static void registers_are_read_and_written(void **state)
{
    desk *d = *state;
    uint8_t request[64];
    ask(d, request, packet(request, 0x0f, true, BLOCK + 8, 0x12345678));
    assert_false(bus_error(d));
    assert_int_equal(d->board->words[2], 0x12345678);
    assert_int_equal(read_word(d, BLOCK + 8), 0x12345678);
    assert_false(bus_error(d));
    assert_int_equal(d->board->reads, 1);
}

static void what_is_no_register_is_a_bus_error(void **state)
{
    desk *d = *state;
    static const uint32_t wrong[] = {0, BLOCK - 4, BLOCK + ABSENT, BLOCK + 0x1000};
    uint8_t request[64];
    for (size_t i = 0; i < GW_ARRAY_LEN(wrong); i++) {
        assert_int_equal(read_word(d, wrong[i]), 0);
        assert_true(bus_error(d));
        ask(d, request, packet(request, 0x0f, true, wrong[i], 1));
        assert_true(bus_error(d));
    }
}

static void a_part_of_a_register_is_a_bus_error(void **state)
{
    desk *d = *state;
    uint8_t request[64];
    ask(d, request, packet(request, 0x03, true, BLOCK, 0xffffffff));
    assert_true(bus_error(d));
    assert_int_equal(d->board->words[0], 0);
    ask(d, request, packet(request, 0x01, false, BLOCK, 0));
    assert_true(bus_error(d));
    assert_int_equal(d->board->reads, 0);
}

static void the_sdb_table_names_the_block(void **state)
{
    desk *d = *state;
    assert_int_equal(read_word(d, GW_REGS_SDB), GW_SDB_MAGIC);
    assert_int_equal(read_word(d, GW_REGS_SDB + 64 + 8 + 4), BLOCK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(registers_are_read_and_written, open_desk, close_desk),
        cmocka_unit_test_setup_teardown(what_is_no_register_is_a_bus_error, open_desk, close_desk),
        cmocka_unit_test_setup_teardown(a_part_of_a_register_is_a_bus_error, open_desk, close_desk),
        cmocka_unit_test_setup_teardown(the_sdb_table_names_the_block, open_desk, close_desk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
