/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of introductions: what a session makes known, and that nobody else's packets are judged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include <string.h>

#include "goldwire/text.h"
#include "goldwire/writer.h"
#include "ims/testing/packets.h"

#define ZEROS_16 "00000000 00000000 00000000 00000000 "

static struct {
    gw_verdict_sink sink;
    void *state;
    gw_ib ib;
    gw_endpoint worker;
    gw_endpoint buffer;
    unsigned findings;
    uint8_t bytes[8192];
    gw_message message;
} t;

static void count(gw_verdict_sink *sink, const gw_finding *finding)
{
    (void)sink;
    (void)finding;
    t.findings++;
}

static int start(void **state)
{
    (void)state;
    free(t.state);
    memset(&t, 0, sizeof t);
    t.sink.finding = count;
    t.worker = (gw_endpoint){.ip = {192, 0, 2, 17}, .port = 49152, .family = GW_FAMILY_IPV4};
    t.buffer = (gw_endpoint){.ip = {192, 0, 2, 2}, .port = GW_ROCE_PORT, .family = GW_FAMILY_IPV4};
    t.state = malloc(gw_ims_introductions.size);
    if (t.state == NULL)
        return -1;
    gw_ims_introductions.init(t.state);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    free(t.state);
    t.state = NULL;
    return 0;
}

/* Meets |len| bytes and judges them as one that follows a capture does. */
static bool meet_bytes(size_t len, bool up)
{
    gw_message m = gw_message_of(t.bytes, len);

    t.ib.foreign = false;
    m.src = up ? t.worker : t.buffer;
    m.dst = up ? t.buffer : t.worker;
    m.ib = &t.ib;
    bool ours = gw_ims_introductions.meet(t.state, &m, NULL);
    t.ib.foreign = !ours;
    t.message = m;
    gw_ims_check(&t.message, NULL, &t.sink);
    return ours;
}

static bool meet(const char *hex, bool up)
{
    return meet_bytes(gw_hex_bytes(t.bytes, sizeof t.bytes, hex), up);
}

static void a_session_introduces_its_channels(void **state)
{
    (void)state;
    assert_false(meet(IMS_ONLY, true));
    assert_true(meet(IMS_STAT_REQ, true));
    assert_false(meet(IMS_ONLY, true));
    assert_true(meet(IMS_STAT_RES, false));
    assert_true(meet(IMS_DATA_REQ, true));
    assert_true(meet(IMS_ACK_40, false)); /* to the Worker's, which is known by now ... */
    assert_false(meet(IMS_ONLY, true));   /* ... but not the buffer's */
    assert_true(meet(IMS_DATA_RES, false));
    assert_true(meet(IMS_ONLY, true));
    assert_true(meet(IMS_FIRST, true));
    assert_true(meet(IMS_MIDDLE, true));
    assert_true(meet(IMS_LAST, true));
    assert_int_equal(t.findings, 0);
    assert_false(meet(IMS_ONLY, false)); /* the same number at another address */
}

/* What ib_send_bw, ib_write_bw and their like put on the wire: nothing of it is wrong. */
static void measurements_of_others_are_not_judged(void **state)
{
    static const char *const beginnings[] = {
        "6400ffff 00000412 00000005 11111111 00000313 ",
        "6500ffff 00000412 00000005 11111111 00000313 deadbeef ",
        "2400ffff 00000412 00000005 ",
        "2500ffff 00000412 00000005 deadbeef ",
        "2a00ffff 00000412 00000005 0000002000000041 cafe0002 00000041 ",
        "2700ffff 00000412 00000005 ",
    };
    static const uint8_t fillings[] = {0, 'a', 0xff};
    static const size_t sizes[] = {0, 1, 16, 28, 64, 100, 1024, 4096};

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(beginnings); i++) {
        for (size_t k = 0; k < GW_ARRAY_LEN(fillings) * GW_ARRAY_LEN(sizes); k++) {
            size_t len = gw_hex_bytes(t.bytes, sizeof t.bytes, beginnings[i]);
            size_t size = sizes[k / GW_ARRAY_LEN(fillings)];
            memset(t.bytes + len, fillings[k % GW_ARRAY_LEN(fillings)], size);
            if (meet_bytes(len + size, true))
                fail_msg("beginning %zu, filling %zu is taken for IMS", i, k);
        }
    }
    assert_int_equal(t.findings, 0);
}

static void foreign_packets_are_shown_as_such(void **state)
{
    char line[160];
    gw_text text = gw_text_over(line, sizeof line);
    gw_ims_packet p;

    (void)state;
    assert_false(meet("6400ffff 00000412 00000005 11111111 00000313 61616161", true));
    assert_int_equal(gw_ims_decode(&p, &t.message, NULL).kind, GW_UNSUPPORTED);
    assert_int_equal(p.kind, GW_IMS_FOREIGN);
    gw_ims_summary(&t.message, NULL, &text);
    assert_string_equal(line, "Foreign UD SEND ONLY to qp 0x412 psn 5");
}

/* Once somebody is known, all that goes to him is judged, however wrong. */
static void the_known_are_judged_in_full(void **state)
{
    (void)state;
    assert_true(meet(IMS_STAT_REQ, true));
    t.findings = 0;
    assert_true(meet("6400ffff 00000002 00000005 0b0b0b0b 00000555 61616161", true));
    assert_int_equal(t.findings, 1);
    assert_true(
        meet(IMS_UD_UP "00000101 21000000 13030000 33333333 0000000000000000 00000000", true));
    assert_int_equal(t.findings, 2);
}

static void what_does_not_agree_introduces_nobody(void **state)
{
    static const char *const bad[] = {
        /* another queue pair than the datagram's, none, one of management */
        IMS_UD_UP "00000101 21000000 13030000 33333333 0000000000000000 00000000",
        IMS_UD_UP "00000000 00000000 00000000 00000000 0000000000000000 00000000",
        IMS_UD_DOWN "01000101 21000000 13030000 a5a5a5a5 1122334455667788 99aabbcc",
        /* the reserved byte, a LID of 17 bits, a method, a length */
        IMS_UD_UP "00010101 21000000 12030000 33333333 0000000000000000 00000000",
        IMS_UD_UP "00000101 21000100 12030000 33333333 0000000000000000 00000000",
        IMS_UD_UP "08000101 21000000 12030000 33333333 0000000000000000 00000000",
        IMS_UD_UP "00000101 21000000 12030000 33333333 0000000000000000 00000000 00000000",
        /* a data channel of queue pair 0, and one of 25 bits */
        IMS_UD_UP "04000101 21000000 12030000 00000000 0000000000000000 00000000",
        IMS_UD_UP "04000101 21000000 12030000 00000001 0000000000000000 00000000",
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(bad); i++) {
        if (meet(bad[i], strncmp(bad[i], IMS_UD_UP, strlen(IMS_UD_UP)) == 0))
            fail_msg("packet %zu introduces somebody", i);
    }
    assert_int_equal(t.findings, 0);
}

static void a_buffer_may_repeat_the_workers_queue_pair(void **state)
{
    (void)state;
    assert_true(meet(IMS_STAT_REQ, true));
    assert_true(meet(IMS_DATA_REQ, true));
    assert_false(meet(IMS_ONLY, true));
    assert_true(
        meet(IMS_UD_DOWN "05000101 21000000 12030000 13030000 0000000020000000 0200feca", false));
    assert_true(meet(IMS_ONLY, true));
    assert_false(meet("2400ffff 00000412 00000003 " ZEROS_16, true)); /* data, and nothing else */
}

/* However many come, the memory is what it was; who was silent longest goes. */
static void a_full_table_forgets_the_silent(void **state)
{
    (void)state;
    assert_true(meet(IMS_STAT_REQ, true));
    assert_true(meet(IMS_DATA_REQ, true));
    for (uint32_t qp = 0x1000; qp < 0x5000; qp++) {
        size_t len = gw_hex_bytes(t.bytes, sizeof t.bytes, IMS_STAT_REQ);
        gw_store_be(t.bytes + 17, qp, 3);
        gw_store_le(t.bytes + 28, qp, 3);
        assert_true(meet_bytes(len, true));
        if (qp % 64 == 0) /* who talks is remembered */
            assert_true(meet(IMS_ACK_40, false));
    }
    assert_true(meet("6400ffff 00004fff 00000005 0b0b0b0b 00000002 61616161", false));
    assert_false(meet("2400ffff 00001000 00000003 " ZEROS_16, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_session_introduces_its_channels, start, finish),
        cmocka_unit_test_setup_teardown(measurements_of_others_are_not_judged, start, finish),
        cmocka_unit_test_setup_teardown(foreign_packets_are_shown_as_such, start, finish),
        cmocka_unit_test_setup_teardown(the_known_are_judged_in_full, start, finish),
        cmocka_unit_test_setup_teardown(what_does_not_agree_introduces_nobody, start, finish),
        cmocka_unit_test_setup_teardown(a_buffer_may_repeat_the_workers_queue_pair, start, finish),
        cmocka_unit_test_setup_teardown(a_full_table_forgets_the_silent, start, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
