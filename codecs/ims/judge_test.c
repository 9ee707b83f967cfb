/* SPDX-License-Identifier: BSD-2-Clause */
/* Each rule that one message shows: broken once, and kept by good traffic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "goldwire/text.h"
#include "goldwire/writer.h"
#include "ims/testing/packets.h"

typedef struct log {
    gw_verdict_sink sink;
    char rules[256];
    const gw_message *message;
} log;

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    log *l = (log *)sink;
    gw_text t = {l->rules, sizeof l->rules, strlen(l->rules), false};

    if (t.len > 0)
        gw_text_str(&t, " ");
    gw_text_str(&t, f->rule->id + strlen("IMS-"));
    assert_true(f->offset <= l->message->len);
    assert_true(f->rule->scope & GW_SCOPE_MESSAGE);
    assert_true(f->text[0] != '\0');
}

static log check(gw_message *m, const char *dialect)
{
    log l = {.sink = {.finding = on_finding}, .message = m};

    m->frame = 1;
    gw_ims_check(m, gw_dialect_by_name(&gw_ims, dialect), &l.sink);
    return l;
}

static log check_as(const char *hex, const char *dialect)
{
    uint8_t bytes[8192];
    gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, sizeof bytes, hex));

    return check(&m, dialect);
}

/* The same where the capture tells who sent it. */
static log check_side(const char *hex, gw_side side)
{
    uint8_t bytes[256];
    gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, sizeof bytes, hex));

    m.side = (uint8_t)side;
    return check(&m, "strict");
}

#define assert_breaks(hex, expected) assert_string_equal(check_as(hex, "strict").rules, expected)

static void good_messages_break_nothing(void **state)
{
    (void)state;
    assert_breaks(IMS_STAT_REQ, "");
    assert_breaks(IMS_STAT_RES, "");
    assert_breaks(IMS_STAT_TERM, "");
    assert_breaks(IMS_DATA_REQ, "");
    assert_breaks(IMS_DATA_RES, "");
    assert_breaks(IMS_ACK_40, "");
    assert_breaks(IMS_NACK_LOST, "");
    assert_breaks(IMS_NACK_NO_START, "");
    assert_breaks(IMS_ONLY, "");
    assert_breaks(IMS_FIRST, "");
    assert_breaks(IMS_MIDDLE, "");
    assert_breaks(IMS_LAST, "");
    assert_string_equal(check_as(IMS_DATA_RES_BE, "be32").rules, "");
    assert_string_equal(check_as(IMS_NACK_LOST_BE, "order-auto").rules, "");
}

static void status_packets_break_each_rule(void **state)
{
    (void)state;
    assert_breaks(IMS_UD_UP "00000101 21000000 12030000 33333333 0000000000000000", "C1");
    assert_breaks(IMS_STAT_REQ "00000000", "C1");
    assert_breaks(IMS_UD_UP, "C1");
    assert_breaks("6400ffff 00000002 00000005 0b0b0b0b", "C1");
    assert_breaks(IMS_UD_UP "08000101 21000000 12030000 33333333 0000000000000000 00000000", "C2");
    assert_breaks(IMS_UD_DOWN "01000101 21000100 12030000 00000000 0000000000000000 00000000",
                  "C4");
    assert_breaks(IMS_UD_DOWN "01000101 21000000 12030001 00000000 0000000000000000 00000000",
                  "C4");
    assert_breaks(IMS_UD_UP "04000101 21000000 12030000 13030001 0000000000000000 00000000", "C4");
    assert_breaks(IMS_UD_DOWN "07000101 21000000 12030000 ffffffff 0000000000000000 00000000", "");
    assert_breaks(IMS_UD_UP "00010101 21000000 12030000 33333333 0000000000000000 00000000", "C5");
    assert_breaks("2400ffff 00000002 00000005 00000101 21000000 12030000 33333333 "
                  "0000000000000000 00000000",
                  "C11");
    assert_breaks("6500ffff 00000002 00000005 0b0b0b0b 00000312 deadbeef "
                  "00000101 21000000 12030000 33333333 0000000000000000 00000000",
                  "C11");
    assert_breaks(IMS_UD_DOWN "05000101 21000000 12030000 90000000 2000000020000000 0200feca",
                  "B10");
    assert_breaks(IMS_UD_UP "00000101 21000000 13030000 33333333 0000000000000000 00000000", "W1");
    assert_breaks(IMS_UD_UP "04000101 21000000 13030000 13030000 0000000000000000 00000000", "W3");
    assert_breaks(IMS_UD_UP "04000101 21000000 12030000 01000000 0000000000000000 00000000", "W3");
    assert_breaks(IMS_UD_UP "02000101 21000000 13030000 00000000 0000000000000000 00000000", "W21");
    assert_breaks(IMS_UD_UP "06000101 21000000 13030000 00000000 0000000000000000 00000000", "W21");
}

static void responses_break_each_rule(void **state)
{
    (void)state;
    assert_breaks(IMS_RESPONSE "00000000 00000000 40000000", "C6");
    assert_breaks(IMS_ACK_40 "00000000", "C6");
    assert_breaks(IMS_RESPONSE, "C6");
    assert_breaks(IMS_RESPONSE "02000000 00000000 40000000 20000000", "C7");
    assert_breaks(IMS_RESPONSE "01000000 11100000 40000000 20000000", "C8");
    assert_breaks(IMS_RESPONSE "00000000 11000000 40000000 20000000", "C9");
    assert_breaks(IMS_RESPONSE "01000000 00000000 40000000 20000000", "C9");
    assert_breaks(IMS_RESPONSE "01000000 00020000 40000000 20000000", "B17");
    assert_breaks("2500ffff 00000313 00000003 deadbeef 00000000 00000000 40000000 20000000", "C17");
    /* before revision 1.1 the word is a code */
    assert_string_equal(check_as(IMS_RESPONSE "01000000 00120000 40000000 20000000", "v1-0").rules,
                        "");
}

static void data_break_each_rule(void **state)
{
    (void)state;
    assert_breaks("2a00ffff 00000090 00000000 0000002000000040 cafe0002 0000", "C10");
    assert_breaks("2900ffff 00000090 00000002 deadbeef" IMS_DATA_64, "C10");
    assert_breaks("2a00ffff 00000090 00000000 0000002000000044 cafe0002 00000040" IMS_DATA_64,
                  "W7");
    assert_breaks("2700ffff 00000090 00000001 00112233", "W8");
    assert_breaks("2800ffff 00000090 00000001", "W8");
    assert_breaks(IMS_MIDDLE "00112233", "W8");
    assert_breaks("2600ffff 00000090 00000000 0000002000000040 cafe0002 00000041" IMS_DATA_64,
                  "W9");
    assert_breaks("2600ffff 00000090 00000000 0000002000000040 cafe0002 00000000" IMS_DATA_64,
                  "W9");
    assert_breaks("2000ffff 00000090 00000000" IMS_DATA_64, "C17");
    assert_breaks("2100ffff 00000090 00000000" IMS_DATA_64, "C17");
}

static void packets_may_be_large_but_not_larger(void **state)
{
    static uint8_t bytes[8192];
    gw_message m = gw_message_of(bytes, GW_IB_BTH + GW_IMS_PACKET_MAX);

    (void)state;
    gw_hex_bytes(bytes, sizeof bytes, IMS_MIDDLE);
    assert_string_equal(check(&m, "strict").rules, "");
    m.len = m.cap_len += GW_IMS_ALIGN;
    assert_string_equal(check(&m, "strict").rules, "W8");
}

/* Other protocols share the port and the link; what belongs to them is nobody's fault. */
static void foreign_packets_are_left_alone(void **state)
{
    (void)state;
    assert_breaks("0a00ffff 00000090 00000000 0000002000000044 cafe0002 00000040", "");
    assert_breaks("6400ffff 00000001 00000005 80010000 00000001 01030181", "");
    assert_breaks("8100ffff 00000090 00000000 00000000", "");
    assert_breaks("2601ffff 00000090 00000000 00000000", "");
    assert_breaks("26", "");
}

static void what_the_capture_cut_is_not_the_senders_fault(void **state)
{
    uint8_t bytes[128];
    static const char *const whole[] = {IMS_STAT_REQ, IMS_NACK_LOST, IMS_ONLY, IMS_LAST};

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(whole); i++) {
        gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, sizeof bytes, whole[i]));
        for (m.cap_len = 0; m.cap_len < m.len; m.cap_len++)
            assert_string_equal(check(&m, "strict").rules, "");
    }
}

/* ---- what lies beneath ---- */

/* Opens a frame around |hex|, flaws in its checksums, and judges what is in it. */
static log check_native(const char *hex, uint16_t slid, bool global, uint32_t icrc_flaw,
                        uint16_t vcrc_flaw, uint32_t cut)
{
    static const uint8_t grh[GW_IB_GRH] = {0x60, [6] = 0x1b};
    uint8_t packet[256], lrh[GW_IB_LRH], frame[512];
    size_t len = gw_hex_bytes(packet, sizeof packet, hex);
    uint32_t offset;
    gw_ib ib;

    gw_ib_put_lrh(lrh, 0, 0, 2, slid, len, global);
    size_t total = gw_ib_close_native(frame, sizeof frame, lrh, global ? grh : NULL, packet, len,
                                      icrc_flaw, vcrc_flaw);
    gw_message m = gw_message_of(frame, total - cut);
    assert_null(gw_ib_open_native(&ib, &m, &offset));
    return check(&m, "strict");
}

static void lower_layers_are_judged(void **state)
{
    (void)state;
    assert_string_equal(check_native(IMS_STAT_REQ, 0x21, false, 0, 0, 0).rules, "");
    assert_string_equal(check_native(IMS_STAT_REQ, 0x21, false, 0, 0, 2).rules, ""); /* no VCRC */
    assert_string_equal(check_native(IMS_STAT_REQ, 0x21, false, 1, 0, 0).rules, "C13");
    assert_string_equal(check_native(IMS_STAT_REQ, 0x21, false, 0, 1, 0).rules, "C14");
    assert_string_equal(check_native(IMS_ONLY, 0x21, false, 0, 0, 4).rules, "C15 W8");
    assert_string_equal(check_native(IMS_STAT_REQ, 0x21, true, 0, 0, 0).rules, "C16");
    assert_string_equal(check_native(IMS_STAT_REQ, 0x22, false, 0, 0, 0).rules, "W1");
    assert_string_equal(check_native(IMS_DATA_REQ, 0x22, false, 0, 0, 0).rules, "W3");
    /* Of what the link damaged nothing else is said. */
    assert_string_equal(check_native(IMS_ACK_40 "00000000", 0x21, false, 1, 0, 0).rules, "C13");
}

/* A Worker's rules are for Workers, whatever a buffer makes itself out to be. */
static void each_side_is_held_to_its_own_rules(void **state)
{
    static const char *const requests[] = {
        IMS_UD_UP "00000101 21000000 13030000 33333333 0000000000000000 00000000",
        IMS_UD_UP "02000101 21000000 13030000 00000000 0000000000000000 00000000",
        IMS_UD_UP "04000101 21000000 12030000 01000000 0000000000000000 00000000",
    };
    static const char *const broken[] = {"W1", "W21", "W3"};
    static const char answer[] =
        IMS_UD_DOWN "05000101 21000000 12030000 90000000 2000000020000000 0200feca";

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(requests); i++) {
        assert_string_equal(check_side(requests[i], GW_SIDE_CALLER).rules, broken[i]);
        assert_string_equal(check_side(requests[i], GW_SIDE_CALLED).rules, "");
    }
    assert_string_equal(check_side(answer, GW_SIDE_CALLED).rules, "B10");
    assert_string_equal(check_side(answer, GW_SIDE_CALLER).rules, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_side_is_held_to_its_own_rules),
        cmocka_unit_test(good_messages_break_nothing),
        cmocka_unit_test(status_packets_break_each_rule),
        cmocka_unit_test(responses_break_each_rule),
        cmocka_unit_test(data_break_each_rule),
        cmocka_unit_test(packets_may_be_large_but_not_larger),
        cmocka_unit_test(foreign_packets_are_left_alone),
        cmocka_unit_test(what_the_capture_cut_is_not_the_senders_fault),
        cmocka_unit_test(lower_layers_are_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
