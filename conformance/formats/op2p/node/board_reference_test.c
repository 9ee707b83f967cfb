/* SPDX-License-Identifier: BSD-2-Clause */
/* The software OP2P node as the reference core (dialect vhdl): its link, as its simulation showed
 * it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "formats/op2p/node/board_testing.h"
#include "goldwire/text.h"

#define SOON INT64_C(1000000)
#define READ_1 "00420041 00000100 00000200 000410f0"
#define ANEW(d)                                                                                    \
    do {                                                                                           \
        send_event(d, GW_OP2P_KIND_CHANNEL, 0, 0, "");                                             \
        send_event(d, GW_OP2P_KIND_CHANNEL, 0, 3, "");                                             \
    } while (0)

/* |frame| with |more| double words |word| behind it, in the |cap| bytes of |hex|. */
static void lengthen(char *hex, size_t cap, const char *frame, unsigned more, const char *word)
{
    gw_text text = gw_text_over(hex, cap);
    gw_text_str(&text, frame);
    for (unsigned i = 0; i < more; i++)
        gw_text_str(&text, word);
    assert_false(text.cut);
}

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
        {"00420041 00000100 00000200 001030f0", 24}, /* a reserved type, answered before its end */
        {"00420041 00000100 00000200 000410f0", 40}, /* and a read request */
        {"00420041 00000100 00000200 0010a2f0", 40}, /* and a request to send again */
        {"00420041 00000100 00000200 000400f0", 17}, /* a write that is long before done */
        {"00420041 00000100", 0},
    };
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(frames); i++) {
        desk d;
        char hex[512];
        lengthen(hex, sizeof(hex), frames[i].hex, frames[i].more, " 00000001");
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

/* An answer that is under way when its request's frame ends keeps the partner from being halted. */
static void an_answer_hides_the_end_of_its_request(void **state)
{
    desk d;
    char hex[512];
    (void)state;
    open_desk(&d, "vhdl");
    lengthen(hex, sizeof(hex), "00420041 00000100 00000200 001050f0", 16, " 00000001");
    send_hex(&d, hex);
    assert_string_equal(said(&d, SOON), "2/0 ");
    lengthen(hex, sizeof(hex), "00420041 00000100 00000200 001050f0", 5, " 00000001");
    send_hex(&d, hex);
    assert_string_equal(said(&d, SOON), "off 2/0 on ");
    close_desk(&d);
}

/* It reads the receive buffer for a header that is there, and far behind the frame: what an earlier
 * one left there is carried out, whoever the packet is for. */
static void type_15_is_looked_for_in_the_buffer(void **state)
{
    static const char *const types[] = {"00420041 00000100 00000200 0004f0f0 0badcafe",
                                        "00420099 00000100 00000200 0004f0f0 0badcafe"};
    uint8_t pdu[GW_OP2P_HEADER + 4 * 253 + GW_OP2P_HEADER];
    desk d;
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(types); i++) {
        open_desk(&d, "vhdl");
        (void)unhex(pdu, READ_1);
        for (size_t k = 0; k < 253; k++) /* a write of one double word, from 253 on */
            (void)unhex(pdu + GW_OP2P_HEADER + 4 * k,
                        &"000400f0 00420041 00000300 00000200"[9 * (k % 4)]);
        send_pdu(&d, 0, pdu, GW_OP2P_HEADER + 4 * 253);
        ANEW(&d); /* such a frame halts for good */
        (void)said(&d, SOON);
        send_hex(&d, types[i]);
        assert_string_equal(said(&d, SOON), "off on ");
        assert_int_equal(d.node->memory[0x300 / 4], 0x0badcafe);
        close_desk(&d);
    }
    /* Nothing has been left there: 65536 double words from address 0 on, the first without bytes.
     */
    open_desk(&d, "vhdl");
    send_hex(&d, types[0]);
    assert_string_equal(said(&d, SOON), "off on ");
    assert_int_equal(d.node->memory[0], 0xd0000000);
    assert_int_equal(d.node->memory[65535], 0x0004f0f0); /* the buffer, over and over */
    assert_int_equal(d.node->memory[65536], 0);
    close_desk(&d);
}

/* FIFOs between two clocks hold fifteen words, and a full one of pointers halts the partner however
 * often the link begins anew. */
static void fifos_hold_fifteen(void **state)
{
    desk d;
    (void)state;
    open_desk(&d, "vhdl");
    send_event(&d, GW_OP2P_KIND_CHANNEL, 0, 0, "");
    for (unsigned i = 1; i <= 16; i++) {
        assert_true(gw_op2p_write_register(d.node, GW_OP2P_WR_SOURCEADDRESS, 4 * i));
        assert_int_equal((reg(&d, GW_OP2P_FIFOSTATUS) & GW_OP2P_WR_FULL) != 0, i >= 15);
    }
    send_event(&d, GW_OP2P_KIND_CHANNEL, 0, 3, "");
    for (unsigned i = 1; i < 15; i++)
        send_hex(&d, "00420099 00005000 00000200 000410f0");
    assert_int_equal(reg(&d, GW_OP2P_LINK_STATUS) & GW_OP2P_WE_HALTED, 0);
    send_hex(&d, "00420099 00005000 00000200 000410f0");
    (void)said(&d, SOON);
    ANEW(&d);
    assert_string_equal(said(&d, SOON), "off ");
    assert_int_equal(reg(&d, GW_OP2P_LINK_STATUS) & GW_OP2P_WE_HALTED, GW_OP2P_WE_HALTED);
    close_desk(&d);
}

/* The receive buffer is what is carried out, stored and told of: byte enables, lengths and what was
 * left in it. A frame of 259 double words is taken twice. */
static void the_buffer_is_what_is_carried_out(void **state)
{
    uint8_t pdu[GW_OP2P_HEADER + 4 * 255];
    desk d;
    (void)state;
    open_desk(&d, "vhdl");
    send_hex(&d, "00420041 00000100 00000200 000400f0 00000001 00000002 00000003");
    send_hex(&d, "00420041 00000300 00000200 000c0000 00000009");
    send_hex(&d, "00420041 00000400 00000200 0004"); /* its byte enable is 0 */
    (void)said(&d, SOON);
    assert_int_equal(d.node->memory[0x300 / 4], 0xd0000300);
    assert_int_equal(d.node->memory[0x304 / 4], 2);
    assert_int_equal(d.node->memory[0x308 / 4], 3);
    assert_int_equal(d.node->memory[0x400 / 4], 0);
    assert_int_equal(d.node->ports[0].arrived.count, 3);
    send_hex(&d, "00420099 00005000 00000200 00080000 0000000a");
    (void)said(&d, SOON);
    assert_int_equal(d.node->memory[GW_OP2P_NODE_POOL / 4], 0); /* its ids, of byte enable 0 */
    assert_int_equal(d.node->memory[GW_OP2P_NODE_POOL / 4 + 5], 2);
    (void)unhex(pdu, "00420041 00000500 00000200 000400f0");
    memset(pdu + GW_OP2P_HEADER, 7, sizeof(pdu) - GW_OP2P_HEADER);
    send_pdu(&d, 0, pdu, sizeof(pdu));
    assert_string_equal(said(&d, SOON), "off on ");
    assert_int_equal(d.node->ports[0].arrived.count, 5);
    close_desk(&d);
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
    char hex[512];
    (void)state;
    lengthen(hex, sizeof(hex), "00420041 00000300 00000200 002800f0", 10, " 00000009");
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

/* N-07: more than 1000 bytes never end. Until the reset the port sends nothing else, hears nothing,
 * and keeps its partner halted, whatever the link does. */
static void a_frame_without_end_takes_a_reset(void **state)
{
    desk d;
    (void)state;
    open_desk(&d, "vhdl");
    send_hex(&d, "00420000 00000100 00000200 fffc10f0");
    assert_string_equal(said(&d, SOON), "off 2/1020 ");
    assert_int_equal(reg(&d, GW_OP2P_LINK_STATUS) & GW_OP2P_WE_HALTED, GW_OP2P_WE_HALTED);
    ANEW(&d);
    send_hex(&d, READ_1);
    send_hex(&d, "00420041 00000300 00000200 000400f0 12345678");
    assert_string_equal(said(&d, SOON), "");
    assert_int_equal(d.node->memory[0x300 / 4], 0xd0000300);
    assert_true(gw_op2p_write_register(d.node, GW_OP2P_PORT_RESET, 1));
    assert_true(gw_op2p_write_register(d.node, GW_OP2P_PORT_RESET, 0));
    send_hex(&d, READ_1); /* lost */
    assert_string_equal(said(&d, 10 * SOON), "down up ");
    send_hex(&d, READ_1);
    assert_string_equal(said(&d, SOON), "off 2/4 on ");
    close_desk(&d);
}

/* Nothing counts how often; were there a limit, what came before would decide. */
static void damaged_frames_are_asked_for_without_limit(void **state)
{
    desk d;
    (void)state;
    open_desk(&d, "vhdl");
    for (unsigned i = 0; i < 20; i++) {
        send_event(&d, GW_OP2P_KIND_PDU, GW_OP2P_FLAG_SOFT_ERROR, 0,
                   "00420041 00000100 00000200 000400f0 00000007");
        assert_string_equal(said(&d, SOON), "off a/0 on ");
    }
    close_desk(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reset_takes_the_channel_down),
        cmocka_unit_test(some_frames_halt_for_good),
        cmocka_unit_test(an_answer_hides_the_end_of_its_request),
        cmocka_unit_test(type_15_is_looked_for_in_the_buffer),
        cmocka_unit_test(fifos_hold_fifteen),
        cmocka_unit_test(the_buffer_is_what_is_carried_out),
        cmocka_unit_test(a_retransmission_is_as_long_as_asked),
        cmocka_unit_test(errors_are_answered_and_pad_is_none),
        cmocka_unit_test(long_and_short_frames_are_misread),
        cmocka_unit_test(a_frame_without_end_takes_a_reset),
        cmocka_unit_test(damaged_frames_are_asked_for_without_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
