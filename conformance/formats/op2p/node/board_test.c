/* SPDX-License-Identifier: BSD-2-Clause */
/* The software OP2P node in memory: what the reference core's simulation showed, in both dialects,
 * and three nodes in a row whose middle one forwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "boards/mem.h"
#include "boards/talk_testing.h"
#include "formats/op2p/node/board.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

typedef struct desk {
    gw_peer_config config;
    gw_mem *mem;
    gw_op2p_node *node;
    gw_transport *links[GW_OP2P_NODE_PORTS];
    uint16_t sequence[GW_OP2P_NODE_PORTS];
} desk;

static void open_desk(desk *d, const char *dialect)
{
    char why[256] = "";
    *d = (desk){.config = {.dialect = gw_dialect_by_name(&gw_op2p, dialect)}};
    assert_non_null(d->config.dialect);
    d->mem = gw_mem_start(&gw_op2p_node_board, &d->config, why, sizeof(why));
    if (d->mem == NULL)
        fail_msg("%s", why);
    d->node = gw_mem_state(d->mem);
    for (unsigned i = 0; i < GW_OP2P_NODE_PORTS; i++) {
        d->links[i] = gw_mem_connect(d->mem, i, false, why, sizeof(why));
        assert_non_null(d->links[i]);
    }
    for (uint32_t i = 0; i < 0x100; i++)
        d->node->memory[i] = 0xd0000000 + 4 * i; /* as in the simulation */
}

static void close_desk(desk *d)
{
    for (unsigned i = 0; i < GW_OP2P_NODE_PORTS; i++)
        gw_transport_close(d->links[i]);
    gw_mem_stop(d->mem);
}

static void send_pdu(desk *d, unsigned link, const uint8_t *pdu, size_t len)
{
    uint8_t datagram[GW_OP2P_SHIM + GW_OP2P_PDU_MAX];
    gw_op2p_shim shim = {.version = 1, .sequence = d->sequence[link]++};

    gw_op2p_put_tunnel(datagram, &shim);
    memcpy(datagram + GW_OP2P_SHIM, pdu, len);
    gw_transport *t = d->links[link];
    assert_true(t->ops->send(t, datagram, GW_OP2P_SHIM + len));
}

static void send_hex(desk *d, const char *hex)
{
    uint8_t pdu[256];
    size_t len = unhex(pdu, hex);
    send_pdu(d, 0, pdu, len);
}

/* The next PDU from |link|; 0 when none comes. Link events are left out. */
static size_t receive(desk *d, unsigned link, uint8_t *pdu, size_t cap)
{
    gw_transport *t = d->links[link];
    uint8_t datagram[2048];
    size_t len;

    while (t->ops->recv(t, datagram, sizeof(datagram), &len, t->ops->now(t) + 1000000, NULL,
                        NULL) == GW_RECV_DATA) {
        if (len <= GW_OP2P_SHIM || datagram[3] != GW_OP2P_KIND_PDU)
            continue;
        len -= GW_OP2P_SHIM;
        assert_true(len <= cap);
        memcpy(pdu, datagram + GW_OP2P_SHIM, len);
        return len;
    }
    return 0;
}

static void expect_hex(desk *d, const char *hex)
{
    uint8_t expected[256], got[GW_OP2P_PDU_MAX];
    size_t len = unhex(expected, hex);
    size_t got_len = receive(d, 0, got, sizeof(got));

    assert_int_equal(got_len, len);
    if (len > 0)
        assert_memory_equal(got, expected, len);
}

static void command(desk *d, unsigned port, bool read, const uint32_t words[5])
{
    uint32_t at =
        port * GW_OP2P_REGISTERS + (read ? GW_OP2P_RDREQ_LOCALADDRESS : GW_OP2P_WR_SOURCEADDRESS);
    for (uint32_t i = 0; i < 5; i++)
        assert_true(gw_op2p_write_register(d->node, at + 4 * i, words[i]));
}

static uint32_t reg(desk *d, uint32_t address)
{
    uint32_t value = 0;
    assert_true(gw_op2p_read_register(d->node, address, &value));
    return value;
}

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

/* ---- the reference core's link, as its simulation showed it ---- */

static void send_event(desk *d, uint8_t kind, uint8_t flags, uint8_t code, const char *hex)
{
    uint8_t datagram[512];
    gw_op2p_shim shim = {
        .version = 1, .kind = kind, .flags = flags, .code = code, .sequence = d->sequence[0]++};
    size_t len = unhex(datagram + GW_OP2P_SHIM, hex);

    gw_op2p_put_tunnel(datagram, &shim);
    gw_transport *t = d->links[0];
    assert_true(t->ops->send(t, datagram, GW_OP2P_SHIM + len));
}

/* All that comes within |time_ns|: "off on down up", and of a frame the type. */
static const char *said(desk *d, int64_t time_ns)
{
    static char text[256];
    gw_transport *t = d->links[0];
    uint8_t datagram[2048];
    size_t len, at = 0;
    int64_t deadline = t->ops->now(t) + time_ns;

    text[0] = '\0';
    while (t->ops->recv(t, datagram, sizeof(datagram), &len, deadline, NULL, NULL) ==
           GW_RECV_DATA) {
        bool set = datagram[5] != 0;
        const char *word = datagram[3] == GW_OP2P_KIND_NFC       ? set ? "off" : "on"
                           : datagram[3] == GW_OP2P_KIND_CHANNEL ? set ? "up" : "down"
                                                                 : NULL;
        if (word != NULL)
            at += (size_t)snprintf(text + at, sizeof(text) - at, "%s ", word);
        else
            at += (size_t)snprintf(text + at, sizeof(text) - at, "%x/%zu ", datagram[22] >> 4,
                                   len - GW_OP2P_SHIM - GW_OP2P_HEADER);
    }
    return text;
}

#define SOON INT64_C(1000000)
#define READ_1 "00420041 00000100 00000200 000410f0"
#define ANEW(d)                                                                                    \
    do {                                                                                           \
        send_event(d, GW_OP2P_KIND_CHANNEL, 0, 0, "");                                             \
        send_event(d, GW_OP2P_KIND_CHANNEL, 0, 3, "");                                             \
    } while (0)

static void a_reset_takes_the_channel_down(void **state)
{
    desk d;
    (void)state;
    open_desk(&d, "vhdl");
    send_hex(&d, READ_1);
    assert_string_equal(said(&d, SOON), "off 2/4 on ");
    assert_true(gw_op2p_write_register(d.node, GW_OP2P_PORT_RESET, 1));
    assert_true(gw_op2p_write_register(d.node, GW_OP2P_PORT_RESET, 0));
    assert_int_equal(reg(&d, GW_OP2P_LINK_STATUS) & GW_OP2P_CHANNEL_UP, 0);
    send_hex(&d, READ_1); /* lost */
    assert_string_equal(said(&d, 10 * SOON), "down up ");
    assert_int_equal(reg(&d, GW_OP2P_LINK_STATUS) & GW_OP2P_CHANNEL_UP, GW_OP2P_CHANNEL_UP);
    send_hex(&d, READ_1);
    assert_string_equal(said(&d, SOON), "off 2/4 on ");
    close_desk(&d);
}

/* What is done with before its frame ends, or never, halts the partner until the link begins anew.
 * What he sends all the same is kept for him, and lost then. */
static void some_frames_halt_for_good(void **state)
{
    static const struct {
        const char *hex;
        unsigned more; /* double words behind it */
    } frames[] = {
        {"00420041 00000100 00000200 001030f0", 1},  /* a reserved type with payload */
        {"00420041 00000100 00000200 000400f0", 17}, /* a write that is long before done */
        {"00420041 00000100", 0},
    };
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(frames); i++) {
        desk d;
        char hex[512];
        (void)snprintf(hex, sizeof(hex), "%s", frames[i].hex);
        for (unsigned k = 0; k < frames[i].more; k++)
            (void)strcat(hex, " 00000001");
        open_desk(&d, "vhdl");
        send_hex(&d, hex);
        (void)said(&d, SOON);
        assert_int_equal(reg(&d, GW_OP2P_LINK_STATUS) & GW_OP2P_WE_HALTED, GW_OP2P_WE_HALTED);
        send_hex(&d, READ_1);
        assert_string_equal(said(&d, SOON), "");
        ANEW(&d);
        assert_string_equal(said(&d, SOON), "");
        send_hex(&d, READ_1);
        assert_string_equal(said(&d, SOON), "off 2/4 on ");
        close_desk(&d);
    }
}

/* sim S22, S9: as much as is asked for, of what the one transmit buffer holds. */
static void a_retransmission_is_as_long_as_asked(void **state)
{
    desk d;
    (void)state;
    open_desk(&d, "vhdl");
    send_hex(&d, "00420041 00000100 00000200 001010f0");
    assert_string_equal(said(&d, SOON), "off 2/16 on ");
    send_hex(&d, "00420000 00000100 00000200 0008a2f0");
    assert_string_equal(said(&d, SOON), "off 2/8 on ");
    send_event(&d, GW_OP2P_KIND_PDU, GW_OP2P_FLAG_SOFT_ERROR, 0,
               "00420041 00000100 00000200 000400f0 00000007");
    assert_string_equal(said(&d, SOON), "off a/0 on ");
    send_hex(&d, "00420000 00000100 00000200 0010a2f0");
    assert_string_equal(said(&d, SOON), "off a/16 on "); /* its own request, with old data */
    close_desk(&d);
}

static void errors_are_answered_and_pad_is_none(void **state)
{
    desk d;
    (void)state;
    open_desk(&d, "vhdl");
    send_hex(&d, "00420041 00000100 00000200 001040f0");
    assert_string_equal(said(&d, SOON), "off 2/0 on ");
    send_hex(&d, "00420041 00000100 00000200 001042f0");
    assert_string_equal(said(&d, SOON), "off 2/0 on ");
    send_event(&d, GW_OP2P_KIND_PDU, GW_OP2P_FLAG_PAD, 0,
               "00420041 00000100 00000200 000400f0 12345678");
    assert_string_equal(said(&d, SOON), "off on ");
    assert_int_equal(d.node->memory[0x100 / 4], 0x12345678);
    /* in a header alone an error is not seen */
    send_event(&d, GW_OP2P_KIND_PDU, GW_OP2P_FLAG_SOFT_ERROR, 0, READ_1);
    assert_string_equal(said(&d, SOON), "off 2/4 on ");
    close_desk(&d);
}

/* sim S23, N-01 */
static void long_and_short_frames_are_misread(void **state)
{
    desk d;
    char hex[512] = "00420041 00000300 00000200 002800f0";
    (void)state;
    for (unsigned i = 0; i < 10; i++)
        (void)strcat(hex, " 00000009");
    open_desk(&d, "vhdl");
    send_event(&d, GW_OP2P_KIND_PDU, GW_OP2P_FLAG_SOFT_ERROR, 0, hex);
    assert_string_equal(said(&d, SOON), "off a/0 on ");
    send_hex(&d, hex);
    assert_string_equal(said(&d, SOON), "off on ");
    assert_int_equal(d.node->ports[0].arrived.count, 2); /* told of one write twice */
    send_hex(&d, "00420041");
    assert_string_equal(said(&d, SOON), "");
    send_hex(&d, READ_1); /* is no read any more */
    assert_ptr_equal(strstr(said(&d, SOON), "2/4"), NULL);
    close_desk(&d);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_are_answered_as_seen),
        cmocka_unit_test(memory_changes_as_seen),
        cmocka_unit_test(commands_send_as_seen),
        cmocka_unit_test(foreign_packets_are_stored_as_seen),
        cmocka_unit_test(a_reset_takes_the_channel_down),
        cmocka_unit_test(some_frames_halt_for_good),
        cmocka_unit_test(a_retransmission_is_as_long_as_asked),
        cmocka_unit_test(errors_are_answered_and_pad_is_none),
        cmocka_unit_test(long_and_short_frames_are_misread),
        cmocka_unit_test(the_middle_node_forwards),
        cmocka_unit_test(the_tunnel_keeps_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
