/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets to requests and back: what an adapter can send is read whole, what it cannot is refused
 * with the reason, and what came makes a packet that any reader takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "goldwire/ims.h"
#include "ib_packet.h"

static const gw_endpoint here = {.ip = {10, 0, 0, 1}, .port = 4791, .family = GW_FAMILY_IPV4};
static const gw_endpoint there = {.ip = {10, 0, 0, 2}, .port = 4791, .family = GW_FAMILY_IPV4};

static uint8_t data[GW_IB_MTU_MAX];
static char why[200];

static size_t build(uint8_t out[GW_IB_PACKET_MAX], const gw_ims_draft *draft)
{
    size_t len = gw_ims_build_datagram(out, GW_IB_PACKET_MAX, draft, NULL, &here, &there);
    assert_true(len > 0);
    return len;
}

static bool read(gw_ib_sent *out, const gw_ims_draft *draft)
{
    static uint8_t packet[GW_IB_PACKET_MAX];
    size_t len = build(packet, draft);
    return gw_ib_read_sent(out, packet, len, &here, &there, why, sizeof(why));
}

static gw_ims_draft write_of(uint32_t psn, uint32_t length, uint32_t offset, size_t len)
{
    gw_ib_reth reth = {.va = 0x1000, .rkey = 7, .length = length};
    return gw_ims_draft_write(0x80, psn, &reth, offset, data, len);
}

static void reads_a_datagram(void **state)
{
    (void)state;
    gw_ims_status status = {.method = GW_IMS_DATA_REQ, .qpn = 0x412};
    gw_ims_draft draft = gw_ims_draft_status(2, 0x412, 0x1234, 5, &status);
    gw_ib_sent p;
    draft.bth.solicited = true;
    assert_true(read(&p, &draft));
    assert_true(p.datagram && p.first && p.last && !p.write && !p.has_imm);
    assert_true(p.bth.solicited);
    assert_int_equal(p.bth.dest_qp, 2);
    assert_int_equal(p.deth.qkey, 0x1234);
    assert_int_equal(p.deth.src_qp, 0x412);
    assert_int_equal(p.len, GW_IMS_STATUS);
    assert_int_equal(p.payload[0], GW_IMS_DATA_REQ);
}

static void leaves_padding_out(void **state)
{
    (void)state;
    gw_ims_ack ack = {0};
    gw_ims_draft draft = gw_ims_draft_ack(0x413, 0, &ack);
    gw_ib_sent p;
    draft.raw = true;
    draft.payload = data;
    for (size_t len = 0; len < 5; len++) {
        draft.payload_len = len;
        draft.bth.opcode = len == 3 ? GW_IB_UC_SEND_ONLY_IMM : GW_IB_UC_SEND_ONLY;
        draft.imm = 0xabcd;
        assert_true(read(&p, &draft));
        assert_int_equal(p.len, len);
        assert_int_equal(p.imm, len == 3 ? 0xabcd : 0);
        assert_false(p.datagram || p.write);
    }
}

static void refuse(const gw_ims_draft *draft, const char *text)
{
    gw_ib_sent p;
    assert_false(read(&p, draft));
    if (strstr(why, text) == NULL)
        fail_msg("'%s' is not in: %s", text, why);
}

static void refuses_what_no_adapter_sends(void **state)
{
    (void)state;
    gw_ims_status status = {0};
    gw_ims_draft draft = gw_ims_draft_status(2, 3, 0x80000001, 0, &status);
    uint8_t packet[GW_IB_PACKET_MAX];
    gw_ib_sent p;
    refuse(&draft, "Q_Key 0x80000001");

    draft = gw_ims_draft_status(2, 3, 1, 0, &status);
    size_t len = build(packet, &draft);
    packet[len - 1] ^= 1;
    assert_false(gw_ib_read_sent(&p, packet, len, &here, &there, why, sizeof(why)));
    assert_non_null(strstr(why, "wrong ICRC"));
    for (size_t i = 0; i < len; i++)
        assert_false(gw_ib_read_sent(&p, packet, i, &here, &there, why, sizeof(why)));

    draft = write_of(0, 64, 0, 64);
    draft.bth.opcode = GW_IB_UC_SEND_FIRST;
    refuse(&draft, "opcode 0x20");
}

/* Packets that end within their headers, with an ICRC that is right. */
static void refuses_cut_packets(void **state)
{
    (void)state;
    uint8_t packet[GW_IB_PACKET_MAX];
    gw_ims_draft draft = write_of(0, 64, 0, 64);
    gw_ib_sent p;
    (void)build(packet, &draft);
    for (size_t i = 0; i < GW_IB_BTH + GW_IB_RETH; i++) {
        uint8_t cut[GW_IB_PACKET_MAX];
        size_t len = gw_ib_close_udp(cut, sizeof(cut), packet, i, &here, &there, 0);
        assert_false(gw_ib_read_sent(&p, cut, len, &here, &there, why, sizeof(why)));
    }
}

/* ---- messages ---- */

static gw_ib_message message;
static uint32_t offset;

static bool gather(const gw_ims_draft *draft, uint32_t mtu)
{
    gw_ib_sent p;
    assert_true(read(&p, draft));
    return gw_ib_gather(&message, &p, mtu, &offset, why, sizeof(why));
}

static void gathers_a_write(void **state)
{
    (void)state;
    memset(&message, 0, sizeof(message));
    for (uint32_t i = 0; i < 4; i++) {
        gw_ims_draft draft = write_of(0xfffffe + i, 832, 256 * i, i < 3 ? 256 : 64);
        draft.bth.psn &= GW_IB_NUMBER_MASK;
        assert_true(gather(&draft, 4096));
        assert_int_equal(offset, 256 * i);
        assert_int_equal(message.open, i < 3);
    }
    assert_int_equal(message.got, 832);
    assert_int_equal(message.psn, 0xfffffe);
    assert_int_equal(message.next, 2);
    assert_int_equal(message.packet, 256);
    assert_int_equal(message.reth.va, 0x1000);

    gw_ims_draft only = write_of(9, 100, 0, 100);
    assert_true(gather(&only, 1024));
    assert_int_equal(message.psn, 9);
    assert_int_equal(message.packet, 1024);
    assert_false(message.open);
}

static void not_gathered(const gw_ims_draft *draft, uint32_t mtu, const char *text)
{
    assert_false(gather(draft, mtu));
    assert_false(message.open);
    if (strstr(why, text) == NULL)
        fail_msg("'%s' is not in: %s", text, why);
}

static void begin(uint32_t length)
{
    gw_ims_draft first = write_of(5, length, 0, 256);
    message.open = false;
    assert_true(gather(&first, 4096));
}

static void refuses_what_is_no_message(void **state)
{
    (void)state;
    gw_ims_draft draft = write_of(5, 512, 256, 256);
    memset(&message, 0, sizeof(message));
    not_gathered(&draft, 4096, "without beginning");

    draft = write_of(5, 512, 0, 256);
    not_gathered(&draft, 128, "this one at 128 or less");
    draft = write_of(5, 512, 0, 192);
    not_gathered(&draft, 4096, "packets of 192 bytes");
    draft = write_of(5, 512, 0, 512);
    not_gathered(&draft, 256, "cut at 256");

    begin(1024);
    draft = write_of(7, 1024, 256, 256);
    not_gathered(&draft, 4096, "PSN 0x000007 where an adapter sends 0x000006");
    begin(1024);
    draft = write_of(6, 1024, 256, 256);
    draft.bth.dest_qp++;
    not_gathered(&draft, 4096, "goes on to 0x000081");
    begin(1024);
    draft = write_of(6, 1024, 256, 192);
    not_gathered(&draft, 4096, "192 bytes in a packet of a message that is cut at 256");
    begin(1024);
    draft = write_of(6, 512, 256, 256); /* the last one, too early */
    not_gathered(&draft, 4096, "less bytes than the 1024");
    begin(320);
    draft = write_of(6, 512, 256, 256);
    not_gathered(&draft, 4096, "more bytes than the 320");
    begin(1024);
    draft = write_of(6, 1024, 0, 256);
    not_gathered(&draft, 4096, "before the last one has ended");
}

static void knows_mtus(void **state)
{
    (void)state;
    unsigned found = 0;
    for (uint32_t i = 0; i < 10000; i++)
        found += gw_ib_is_mtu(i);
    assert_int_equal(found, 5);
    assert_true(gw_ib_is_mtu(256) && gw_ib_is_mtu(512) && gw_ib_is_mtu(1024) &&
                gw_ib_is_mtu(2048) && gw_ib_is_mtu(4096));
}

/* ---- what came ---- */

static void writes_what_came(void **state)
{
    (void)state;
    uint8_t packet[128];
    gw_ims_ack ack = {.type = GW_IMS_TYPE_NACK, .events = GW_IMS_PARITY, .va = 0x1040};
    uint8_t body[GW_IMS_ACK];
    gw_ims_put_ack(body, &ack, GW_IMS_LE);
    gw_ib_came came = {.dest_qp = 0x413, .psn = 9, .payload = body, .len = sizeof(body)};
    size_t len = gw_ib_write_came(packet, sizeof(packet), &came, &here, &there);
    assert_int_equal(len, GW_IB_BTH + GW_IMS_ACK + GW_IB_ICRC);
    assert_int_equal(gw_ib_judge_udp(NULL, &there, &here, packet, len, false), GW_IB_RIGHT);

    gw_message m = gw_message_of(packet, len - GW_IB_ICRC);
    gw_ims_packet p;
    assert_int_equal(gw_ims_decode(&p, &m, NULL).kind, GW_OK);
    assert_int_equal(p.kind, GW_IMS_IS_ACK);
    assert_int_equal(p.bth.dest_qp, 0x413);
    assert_int_equal(p.bth.psn, 9);
    assert_int_equal(p.ack.va, 0x1040);

    assert_int_equal(gw_ib_write_came(packet, len - 1, &came, &here, &there), 0);
    assert_int_equal(gw_ib_write_came(packet, 3, &came, &here, &there), 0);
}

/* What was written can be read back, datagrams and immediate data too. */
static void writes_every_kind(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 4; kind++) {
        uint8_t packet[128];
        gw_ib_sent p;
        gw_ib_came came = {
            .datagram = (kind & 1) != 0,
            .has_imm = (kind & 2) != 0,
            .imm = 0x12345678,
            .dest_qp = 0x11,
            .src_qp = 0x22,
            .qkey = 0x33,
            .payload = data,
            .len = 5,
        };
        size_t len = gw_ib_write_came(packet, sizeof(packet), &came, &here, &there);
        assert_true(gw_ib_read_sent(&p, packet, len, &there, &here, why, sizeof(why)));
        assert_int_equal(p.datagram, came.datagram);
        assert_int_equal(p.has_imm, came.has_imm);
        assert_int_equal(p.imm, came.has_imm ? came.imm : 0);
        assert_int_equal(p.deth.src_qp, came.datagram ? 0x22 : 0);
        assert_int_equal(p.len, 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_datagram),
        cmocka_unit_test(leaves_padding_out),
        cmocka_unit_test(refuses_what_no_adapter_sends),
        cmocka_unit_test(refuses_cut_packets),
        cmocka_unit_test(gathers_a_write),
        cmocka_unit_test(refuses_what_is_no_message),
        cmocka_unit_test(knows_mtus),
        cmocka_unit_test(writes_what_came),
        cmocka_unit_test(writes_every_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
