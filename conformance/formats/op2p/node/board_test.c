/* SPDX-License-Identifier: BSD-2-Clause */
/* The software OP2P node in memory: what the reference core's simulation showed, in both dialects,
 * and three nodes in a row whose middle one forwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "formats/op2p/node/board_testing.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

/* ---- single packets, as the simulation saw them and as the datasheet wants them ---- */

typedef struct vector {
    const char *name, *sent;
    const char *strict, *reference; /* answers; "": none */
} vector;

static const vector vectors[] = {
    {"read to id 0", "00420000 00000100 00000200 000410f0",
     "00410042 00000200 00000100 000420f0 d0000100",
     "00000042 00000200 00000100 000420f0 d0000100"},
    {"read to own id", "00420041 00000100 00000200 000410f0",
     "00410042 00000200 00000100 000420f0 d0000100",
     "00410042 00000200 00000100 000420f0 d0000100"},
    {"read of one byte", "00420000 00000100 00000200 00011010",
     "00410042 00000200 00000100 00042010 d0000100", "00000042 00000200 00000100 00002010"},
    {"type 3", "00420041 00000100 00000200 001030f0", "00410042 00000200 00000100 000022f0",
     "00410042 00000200 00000100 001042f0"},
    {"type 5 for another", "00420099 00000100 00000200 001050f0", "",
     "00990042 00000200 00000100 001022f0"},
    {"type 15", "00420041 00000100 00000200 0004f0f0 a0a1a2a3",
     "00410042 00000200 00000100 000022f0", ""},
    {"write", "00420041 00000100 00000200 000400f0 a0a1a2a3", "", ""},
};

static void packets_are_answered_as_seen(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(vectors); i++) {
        for (unsigned reference = 0; reference < 2; reference++) {
            desk d;
            open_desk(&d, reference ? "vhdl" : "strict");
            print_message("%s, %s\n", vectors[i].name, d.config.dialect->name);
            send_hex(&d, vectors[i].sent);
            expect_hex(&d, reference ? vectors[i].reference : vectors[i].strict);
            expect_hex(&d, "");
            close_desk(&d);
        }
    }
}

/* sim S1, S2, S11, S12, S15 */
static void memory_changes_as_seen(void **state)
{
    desk d;
    (void)state;

    open_desk(&d, "strict");
    send_hex(&d, "00420041 00000100 00000200 001000f0 a0a1a2a3 b0b1b2b3 c0c1c2c3 d0d1d2d3");
    assert_int_equal(d.node->memory[0x100 / 4], 0xa0a1a2a3);
    assert_int_equal(d.node->memory[0x10c / 4], 0xd0d1d2d3);
    assert_int_equal(reg(&d, GW_OP2P_ARRIVEDWRITE_ADDRESS), 0x100);
    send_hex(&d, "00420041 00000100 00000200 000000f0");
    send_hex(&d, "00420041 00000500 00000600");
    send_hex(&d, "00420041 00000100 00000200 000822f0");
    assert_int_equal(d.node->memory[0x100 / 4], 0xa0a1a2a3);
    assert_int_equal(d.node->memory[0x500 / 4], 0);
    assert_int_equal(reg(&d, GW_OP2P_FIFOSTATUS), 7);
    close_desk(&d);

    open_desk(&d, "vhdl");
    send_hex(&d, "00420041 00000100 00000200 000400f0 a0a1a2a3");
    assert_int_equal(reg(&d, GW_OP2P_ARRIVEDWRITE_ADDRESS), 0x100);
    /* a frame of three double words is carried out with the last packet's fourth */
    send_hex(&d, "00420041 00000500 00000600");
    assert_int_equal(d.node->memory[0x500 / 4], 0xa0a1a2a3);
    /* an error completion writes what the buffer holds and says that a read is completed */
    send_hex(&d, "00420041 00000700 00000200 000822f0");
    assert_int_equal(d.node->memory[0x700 / 4], 0xa0a1a2a3);
    assert_int_equal(reg(&d, GW_OP2P_RDCOMPL_LOCALADDRESS), 0x700);
    /* a byte count of 0 stands for 65536 double words */
    d.node->memory[0x100 / 4 + 65535] = 1;
    d.node->memory[0x100 / 4 + 65536] = 2;
    send_hex(&d, "00420041 00000100 00000200 000000f0");
    assert_int_not_equal(d.node->memory[0x100 / 4 + 65535], 1);
    assert_int_equal(d.node->memory[0x100 / 4 + 65536], 2);
    close_desk(&d);
}

/* sim S5, S6, S7 */
static void commands_send_as_seen(void **state)
{
    static const uint32_t write_16[5] = {0x1000, 0x2000, 0x41, 0x42, 16};
    static const uint32_t write_1004[5] = {0x1000, 0x2000, 0x41, 0x42, 1004};
    static const uint32_t read_16[5] = {0x3000, 0x4000, 0x41, 0x42, 16};
    uint8_t pdu[GW_OP2P_PDU_MAX];
    (void)state;

    for (unsigned reference = 0; reference < 2; reference++) {
        desk d;
        open_desk(&d, reference ? "vhdl" : "strict");
        for (uint32_t i = 0; i < 4; i++)
            d.node->memory[0x1000 / 4 + i] = 0xd0001000 + 4 * i;
        command(&d, 0, false, write_16);
        expect_hex(&d, "00410042 00002000 00001000 001000f0 d0001000 d0001004 d0001008 d000100c");
        command(&d, 0, true, read_16);
        expect_hex(&d, reference ? "00410042 00004000 00003000 001010f0 d0001000 d0001004 d0001008 "
                                   "d000100c"
                                 : "00410042 00004000 00003000 001010f0");
        command(&d, 0, false, write_1004);
        assert_int_equal(receive(&d, 0, pdu, sizeof(pdu)), GW_OP2P_HEADER + 1004);
        close_desk(&d);
    }
}

/* sim S10: where a packet for another node lies, and what the byte enable does to its ids */
static void foreign_packets_are_stored_as_seen(void **state)
{
    (void)state;
    for (unsigned reference = 0; reference < 2; reference++) {
        desk d;
        open_desk(&d, reference ? "vhdl" : "strict");
        d.node->memory[GW_OP2P_NODE_POOL / 4] = 0x77777777;
        send_hex(&d, "00420099 00000100 00000200 00080010 a0a1a2a3 b0b1b2b3");
        assert_int_equal(reg(&d, GW_OP2P_FORWREQ_POINTER), GW_OP2P_NODE_POOL);
        const uint32_t *entry = &d.node->memory[GW_OP2P_NODE_POOL / 4];
        assert_int_equal(entry[0], reference ? 0x77777799 : 0x00420099);
        assert_int_equal(entry[1], 0x100);
        assert_int_equal(entry[3], 0x00080010);
        assert_int_equal(entry[5], 0xb0b1b2b3);
        close_desk(&d);
    }
}

/* ---- three in a row ---- */

/* Carries what |from| sends on |out| to |to|'s link |in|. */
static void carry(desk *from, unsigned out, desk *to, unsigned in)
{
    uint8_t pdu[GW_OP2P_PDU_MAX];
    size_t len;
    while ((len = receive(from, out, pdu, sizeof(pdu))) > 0)
        send_pdu(to, in, pdu, len);
}

/* A's port 1 - port 0 of B, B's port 1 - port 0 of C. B's host sends on what is for C. */
static void the_middle_node_forwards(void **state)
{
    static const uint32_t a_to_c[5] = {0x1000, 0x2000, 0x41, 0x43, 8};
    desk a, b, c;
    (void)state;

    open_desk(&a, "strict");
    open_desk(&b, "strict");
    open_desk(&c, "strict");
    for (unsigned i = 0; i < GW_OP2P_NODE_PORTS; i++) {
        b.node->ports[i].local_id = 0x42;
        c.node->ports[i].local_id = 0x43;
    }
    a.node->memory[0x1000 / 4] = 0xfeedf00d;
    a.node->memory[0x1004 / 4] = 0x12345678;
    command(&a, 1, false, a_to_c);
    carry(&a, 1, &b, 0);

    assert_int_equal(reg(&b, GW_OP2P_FIFOSTATUS) & GW_OP2P_FORWREQ_EMPTY, 0);
    uint32_t entry = reg(&b, GW_OP2P_FORWREQ_POINTER);
    uint32_t ids = reg(&b, GW_OP2P_NODE_MEMORY + entry);
    uint32_t sent_on[5] = {entry + GW_OP2P_HEADER, reg(&b, GW_OP2P_NODE_MEMORY + entry + 4),
                           ids >> 16, ids & 0xffff,
                           reg(&b, GW_OP2P_NODE_MEMORY + entry + 12) >> 16};
    command(&b, 1, false, sent_on);
    assert_true(gw_op2p_write_register(b.node, GW_OP2P_FORW_FREEUPADDR, entry));
    carry(&b, 1, &c, 0);

    assert_int_equal(c.node->memory[0x2000 / 4], 0xfeedf00d);
    assert_int_equal(c.node->memory[0x2004 / 4], 0x12345678);
    assert_int_equal(reg(&c, GW_OP2P_ARRIVEDWRITE_ADDRESS), 0x2000);
    assert_int_equal(b.node->memory[0x2000 / 4], 0); /* not executed on the way */
    assert_int_equal(b.node->ports[0].pool[0], 0);   /* and its entry is free again */
    close_desk(&a);
    close_desk(&b);
    close_desk(&c);
}

/* Datagrams that come late are dropped; a bare PDU is answered bare. */
static void the_tunnel_keeps_order(void **state)
{
    uint8_t pdu[64];
    desk d;
    (void)state;

    open_desk(&d, "strict");
    size_t len = unhex(pdu, "00420041 00000100 00000200 000410f0");
    for (d.sequence[0] = 8; d.sequence[0] < 10;) {
        send_pdu(&d, 0, pdu, len);
        expect_hex(&d, "00410042 00000200 00000100 000420f0 d0000100");
    }
    for (d.sequence[0] = 8; d.sequence[0] < 10;) {
        send_pdu(&d, 0, pdu, len);
        expect_hex(&d, "");
    }
    assert_int_equal(d.node->ports[0].dropped, 2);
    d.sequence[0] = 0; /* who begins to count anew is heard */
    send_pdu(&d, 0, pdu, len);
    expect_hex(&d, "00410042 00000200 00000100 000420f0 d0000100");
    gw_transport *t = d.links[0];
    assert_true(t->ops->send(t, pdu, len));
    size_t got;
    assert_int_equal(t->ops->recv(t, pdu, sizeof(pdu), &got, t->ops->now(t) + 1000000, NULL, NULL),
                     GW_RECV_DATA);
    assert_int_equal(got, 20);
    assert_int_equal(gw_load_be32(pdu + 16), 0xd0000100);
    close_desk(&d);
}

/* ---- the link ---- */

/* A channel that comes up begins anew, whether or not it was seen to go down. */
static void a_link_that_comes_up_halts_nobody(void **state)
{
    desk d;
    (void)state;

    open_desk(&d, "strict");
    send_event(&d, GW_OP2P_KIND_NFC, 0, GW_OP2P_XOFF, "");
    send_hex(&d, "00420041 00000100 00000200 000410f0");
    expect_hex(&d, "");
    send_event(&d, GW_OP2P_KIND_CHANNEL, 0, 3, "");
    expect_hex(&d, "00410042 00000200 00000100 000420f0 d0000100");
    close_desk(&d);
}

/* Flow control does not cross a link that is down: the partner hears of what is still so when it is
 * up. */
static void a_link_that_is_down_carries_nothing(void **state)
{
    uint32_t entry[2] = {0};
    desk d;
    (void)state;

    open_desk(&d, "strict");
    for (unsigned i = 0; i < GW_OP2P_FIFO_DEPTH - 1; i++)
        send_hex(&d, "00420099 00000100 00000200 000400f0 a0a1a2a3");
    assert_string_equal(said(&d, 1000000), "off ");
    assert_int_not_equal(reg(&d, GW_OP2P_LINK_STATUS) & GW_OP2P_WE_HALTED, 0);
    send_event(&d, GW_OP2P_KIND_CHANNEL, 0, 0, "");
    assert_int_equal(reg(&d, GW_OP2P_LINK_STATUS) & GW_OP2P_WE_HALTED, 0);
    send_event(&d, GW_OP2P_KIND_CHANNEL, 0, 3, "");
    assert_string_equal(said(&d, 1000000), "off ");
    send_event(&d, GW_OP2P_KIND_CHANNEL, 0, 0, "");
    entry[0] = reg(&d, GW_OP2P_FORWREQ_POINTER);
    entry[1] = reg(&d, GW_OP2P_FORWREQ_POINTER);
    assert_int_equal(entry[1] - entry[0], GW_OP2P_POOL_ENTRY);
    send_event(&d, GW_OP2P_KIND_CHANNEL, 0, 3, "");
    assert_string_equal(said(&d, 1000000), "");
    close_desk(&d);
}

static void a_reset_holds_the_counter_of_errors(void **state)
{
    desk d;
    (void)state;

    open_desk(&d, "strict");
    send_event(&d, GW_OP2P_KIND_ERROR, 0, 0, "");
    assert_int_equal(reg(&d, GW_OP2P_LINK_ERROR_COUNT), 1);
    assert_true(gw_op2p_write_register(d.node, GW_OP2P_PORT_RESET, 1));
    send_event(&d, GW_OP2P_KIND_ERROR, 0, 0, "");
    assert_int_equal(reg(&d, GW_OP2P_LINK_ERROR_COUNT), 0);
    close_desk(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_are_answered_as_seen),
        cmocka_unit_test(memory_changes_as_seen),
        cmocka_unit_test(commands_send_as_seen),
        cmocka_unit_test(foreign_packets_are_stored_as_seen),
        cmocka_unit_test(the_middle_node_forwards),
        cmocka_unit_test(the_tunnel_keeps_order),
        cmocka_unit_test(a_link_that_comes_up_halts_nobody),
        cmocka_unit_test(a_link_that_is_down_carries_nothing),
        cmocka_unit_test(a_reset_holds_the_counter_of_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
