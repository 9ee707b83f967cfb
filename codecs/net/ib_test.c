/* SPDX-License-Identifier: BSD-2-Clause */
/* InfiniBand headers and checksums, against the specification's sample. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/testing/hex.h"
#include "goldwire/ib.h"
#include "goldwire/text.h"
#include "goldwire/writer.h"

/* The sample packet of IBTA 7.8.3, LRH to VCRC. */
#define SAMPLE                                                                                     \
    "7012375c000e17d2 0a20248700 87b1b3000dec2a 01710a1c015d4002 38f27a05 0000000e "               \
    "bb884d85fd5cfba4728bc0690ed40000 9625b75a 45fa"

enum { SAMPLE_PACKET = 44 }; /* BTH to pad */

static void the_specification_and_we_compute_one_value(void **state)
{
    uint8_t bytes[64];
    size_t len = gw_hex_bytes(bytes, sizeof bytes, SAMPLE);

    (void)state;
    assert_int_equal(len, 8 + SAMPLE_PACKET + 4 + 2);
    assert_int_equal(gw_ib_icrc_native(NULL, bytes, NULL, bytes + 8, SAMPLE_PACKET), 0x5ab72596);
    assert_int_equal(gw_ib_vcrc(0, bytes, len - 2), 0xfa45);
    assert_int_equal(gw_ib_vcrc(gw_ib_vcrc(0, bytes, 11), bytes + 11, len - 13), 0xfa45);
}

static void transport_headers_survive_the_way_there_and_back(void **state)
{
    uint8_t in[16], out[16];

    (void)state;
    for (unsigned bit = 0; bit < 8 * sizeof in; bit++) {
        for (unsigned invert = 0; invert < 2; invert++) {
            memset(in, invert != 0 ? 0xff : 0, sizeof in);
            in[bit / 8] ^= (uint8_t)(1u << bit % 8);
            gw_ib_bth bth = gw_ib_get_bth(in);
            gw_ib_put_bth(out, &bth);
            assert_memory_equal(in, out, GW_IB_BTH);
            gw_ib_deth deth = gw_ib_get_deth(in);
            gw_ib_put_deth(out, &deth);
            assert_memory_equal(in, out, GW_IB_DETH);
            gw_ib_reth reth = gw_ib_get_reth(in);
            gw_ib_put_reth(out, &reth);
            assert_memory_equal(in, out, GW_IB_RETH);
        }
    }
    gw_hex_bytes(in, sizeof in, "6470ffff 40000412 80abcdef");
    gw_ib_bth bth = gw_ib_get_bth(in);
    assert_int_equal(bth.opcode, GW_IB_UD_SEND_ONLY);
    assert_true(!bth.solicited && bth.migrated && bth.pad == 3 && bth.version == 0);
    assert_true(!bth.fecn && bth.becn && bth.ack_request);
    assert_int_equal(bth.pkey, 0xffff);
    assert_int_equal(bth.dest_qp, 0x412);
    assert_int_equal(bth.psn, 0xabcdef);
}

static void sequence_numbers_wrap(void **state)
{
    (void)state;
    assert_int_equal(gw_ib_psn_distance(0, 0xffffff), 1);
    assert_int_equal(gw_ib_psn_distance(0xffffff, 0), -1);
    assert_int_equal(gw_ib_psn_distance(0x7fffff, 0), 0x7fffff);
    assert_int_equal(gw_ib_psn_distance(0x800000, 0), -0x800000);
    assert_int_equal(gw_ib_psn_distance(5, 5), 0);
}

/* ---- native links ---- */

static void a_frame_is_opened_and_closed_again(void **state)
{
    uint8_t bytes[64], again[64];
    size_t len = gw_hex_bytes(bytes, sizeof bytes, SAMPLE);
    gw_message m = gw_message_of(bytes, len);
    uint32_t offset, qp;
    gw_ib ib;

    (void)state;
    assert_null(gw_ib_open_native(&ib, &m, &offset));
    assert_ptr_equal(m.data, bytes + 8);
    assert_int_equal(m.len, SAMPLE_PACKET);
    assert_int_equal(m.cap_len, SAMPLE_PACKET);
    assert_int_equal(ib.icrc_verdict, GW_IB_RIGHT);
    assert_int_equal(ib.vcrc_verdict, GW_IB_RIGHT);
    assert_int_equal(gw_ib_endpoint_lid(&m.src), 0x17d2);
    assert_int_equal(gw_ib_endpoint_lid(&m.dst), 0x375c);
    assert_true(gw_ib_endpoint_qp(&m.dst, &qp));
    assert_int_equal(qp, 0x87b1b3);
    assert_false(gw_ib_endpoint_qp(&m.src, &qp));
    assert_int_equal(gw_ib_close_native(again, sizeof again, ib.lrh, NULL, m.data, m.len, 0, 0),
                     len);
    assert_memory_equal(again, bytes, len);
    assert_int_equal(gw_ib_close_native(again, len - 1, ib.lrh, NULL, m.data, m.len, 0, 0), 0);
}

static gw_ib open_copy(const uint8_t *bytes, size_t len, gw_message *m)
{
    uint32_t offset;
    gw_ib ib;

    *m = gw_message_of(bytes, len);
    assert_null(gw_ib_open_native(&ib, m, &offset));
    return ib;
}

static void what_changes_on_the_way_is_not_covered(void **state)
{
    uint8_t bytes[64];
    size_t len = gw_hex_bytes(bytes, sizeof bytes, SAMPLE);
    gw_message m;

    (void)state;
    for (size_t i = 0; i < len - 2; i++) {
        bool free = i == 0 || i == 12; /* the virtual lane; FECN, BECN */
        uint8_t bit = i == 0 ? 0x10 : 0x80;
        if (i == 1 || i == 4 || i == 5)
            continue; /* of these the frame's layout depends */
        bytes[i] ^= bit;
        gw_ib ib = open_copy(bytes, len, &m);
        bytes[i] ^= bit;
        assert_int_equal(ib.icrc_verdict, free ? GW_IB_RIGHT : GW_IB_WRONG);
        assert_int_equal(ib.vcrc_verdict, GW_IB_WRONG);
    }
}

/* A frame with a GRH, LRH to VCRC. */
static size_t global_frame(uint8_t *out, size_t cap)
{
    uint8_t lrh[GW_IB_LRH], grh[GW_IB_GRH], packet[16];

    gw_hex_bytes(packet, sizeof packet, "2410ffff 00000080 00000007 01020300");
    gw_hex_bytes(grh, sizeof grh, "60000000 0014 1b 40");
    grh[9] = grh[25] = 0xfe;
    gw_ib_put_lrh(lrh, 1, 1, 2, 3, sizeof packet, true);
    return gw_ib_close_native(out, cap, lrh, grh, packet, sizeof packet, 0, 0);
}

static void a_global_header_is_read_and_partly_covered(void **state)
{
    uint8_t bytes[128];
    size_t len = global_frame(bytes, sizeof bytes);
    gw_message m;

    (void)state;
    assert_int_equal(len, 8 + 40 + 16 + 4 + 2);
    gw_ib ib = open_copy(bytes, len, &m);
    assert_ptr_equal(ib.grh, bytes + 8);
    assert_int_equal(m.len, 16);
    assert_int_equal(ib.icrc_verdict, GW_IB_RIGHT);
    assert_int_equal(ib.vcrc_verdict, GW_IB_RIGHT);
    assert_int_equal(gw_ib_vl(ib.lrh), 1);
    assert_int_equal(gw_ib_sl(ib.lrh), 1);
    bytes[3] ^= 1;     /* routers give another LRH */
    bytes[8 + 7] ^= 1; /* and hop limit */
    bytes[8 + 2] ^= 1; /* and flow label */
    assert_int_equal(open_copy(bytes, len, &m).icrc_verdict, GW_IB_RIGHT);
    bytes[8 + 20] ^= 1; /* not another address */
    assert_int_equal(open_copy(bytes, len, &m).icrc_verdict, GW_IB_WRONG);
}

static void lengths_that_contradict_are_told_and_nothing_is_lost(void **state)
{
    uint8_t bytes[64];
    size_t len = gw_hex_bytes(bytes, sizeof bytes, SAMPLE);
    gw_message m;

    (void)state;
    gw_ib ib = open_copy(bytes, len - 2, &m); /* without its VCRC */
    assert_int_equal(m.len, SAMPLE_PACKET);
    assert_int_equal(ib.icrc_verdict, GW_IB_RIGHT);
    assert_int_equal(ib.vcrc_verdict, GW_IB_NOT_JUDGED);
    assert_int_equal(ib.frame_len, ib.header_len);
    ib = open_copy(bytes, len + 5, &m); /* longer than it says */
    assert_int_equal(m.len, SAMPLE_PACKET);
    assert_int_equal(ib.icrc_verdict, GW_IB_NOT_JUDGED);
    assert_int_not_equal(ib.frame_len, ib.header_len);
    ib = open_copy(bytes, len - 8, &m); /* shorter */
    assert_int_equal(m.len, SAMPLE_PACKET - 8);
    assert_int_equal(ib.icrc_verdict, GW_IB_NOT_JUDGED);
}

/* Cut by the capture at every byte: what is there is handed on, and no checksum is called wrong. */
static void cut_frames_are_not_judged(void **state)
{
    uint8_t bytes[128];
    size_t len = global_frame(bytes, sizeof bytes);

    (void)state;
    for (size_t cap = 0; cap < len; cap++) {
        uint8_t *copy = malloc(cap + 1); /* so that a sanitizer sees one byte too many */
        uint32_t offset;
        gw_ib ib;
        assert_non_null(copy);
        memcpy(copy, bytes, cap);
        gw_message m = gw_message_of(copy, cap);
        m.len = (uint32_t)len;
        const char *fault = gw_ib_open_native(&ib, &m, &offset);
        if (cap < 48) {
            assert_non_null(fault);
            assert_true(offset <= len);
        } else {
            assert_null(fault);
            assert_int_equal(m.len, 16);
            assert_int_equal(m.cap_len, cap < 64 ? cap - 48 : 16);
            assert_int_equal(ib.icrc_verdict, cap < 68 ? GW_IB_NOT_JUDGED : GW_IB_RIGHT);
            assert_int_equal(ib.vcrc_verdict, GW_IB_NOT_JUDGED);
        }
        free(copy);
    }
}

static void frames_that_are_no_such_packets_are_refused(void **state)
{
    static const struct {
        const char *hex;
        uint32_t offset;
    } bad[] = {
        {"7010375c000e17d2", 1},                             /* raw */
        {"7012375c0001 17d2 0a202487 0087b1b3 000dec2a", 4}, /* short */
        {"7013375c000e17d2 60000000 0014 11 40 00000000000000000000000000000000"
         "00000000000000000000000000000000",
         14}, /* not a BTH */
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(bad); i++) {
        uint8_t bytes[64];
        gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, sizeof bytes, bad[i].hex));
        uint32_t offset;
        gw_ib ib;
        assert_non_null(gw_ib_open_native(&ib, &m, &offset));
        assert_int_equal(offset, bad[i].offset);
        assert_ptr_equal(m.data, bytes);
        assert_null(m.ib);
    }
}

/* ---- RoCEv2 ---- */

static const gw_endpoint v4_src = {{10, 9, 0, 1}, 49152, GW_FAMILY_IPV4, 0};
static const gw_endpoint v4_dst = {{10, 9, 0, 2}, GW_ROCE_PORT, GW_FAMILY_IPV4, 0};
static const gw_endpoint v6_src = {{0xfe, 0x80, [15] = 1}, 49152, GW_FAMILY_IPV6, 0};
static const gw_endpoint v6_dst = {{0xfe, 0x80, [15] = 2}, GW_ROCE_PORT, GW_FAMILY_IPV6, 0};

#define PACKET "2400ffff 00000080 00000007 01000000 11000000 c0800100 10000000"

/* The IP and UDP headers beneath |udp_len| bytes of UDP, as a socket sends them. */
static size_t lower_layers(uint8_t *out, size_t cap, bool v4, size_t udp_len)
{
    gw_writer w = gw_writer_over(out, cap);

    if (v4) {
        gw_write_be(&w, 0x4500, 2);
        gw_write_be(&w, 20 + udp_len, 2);
        gw_write_be(&w, 0x00004000, 4);
        gw_write_be(&w, 0x40110000, 4);
        gw_write_bytes(&w, v4_src.ip, 4);
        gw_write_bytes(&w, v4_dst.ip, 4);
    } else {
        gw_write_be(&w, 0x60000000, 4);
        gw_write_be(&w, udp_len, 2);
        gw_write_be(&w, 0x1140, 2);
        gw_write_bytes(&w, v6_src.ip, 16);
        gw_write_bytes(&w, v6_dst.ip, 16);
    }
    gw_write_be(&w, v4_src.port, 2);
    gw_write_be(&w, v4_dst.port, 2);
    gw_write_be(&w, udp_len, 2);
    gw_write_be(&w, 0, 2);
    return w.len;
}

static void datagrams_are_judged_by_their_headers(void **state)
{
    uint8_t packet[32], datagram[64], headers[64];
    size_t len = gw_hex_bytes(packet, sizeof packet, PACKET);

    (void)state;
    for (unsigned v4 = 0; v4 < 2; v4++) {
        const gw_endpoint *src = v4 != 0 ? &v4_src : &v6_src, *dst = v4 != 0 ? &v4_dst : &v6_dst;
        size_t total = gw_ib_close_udp(datagram, sizeof datagram, packet, len, src, dst, 0);
        size_t num = lower_layers(headers, sizeof headers, v4 != 0, total + 8);
        assert_int_equal(total, len + 4);
        for (size_t i = 0; i <= num; i++) {
            gw_message m = gw_message_of(datagram, total);
            gw_ib ib;
            m.lower = headers;
            m.lower_len = (uint16_t)num;
            if (i < num && !(v4 != 0 && i == 0))
                headers[i] ^= 1; /* each byte of the headers once; then none */
            assert_true(gw_ib_open_udp(&ib, &m));
            bool free = v4 != 0 ? i <= 1 || i == 8 || i == 10 || i == 11
                                : i == 0 || (i >= 1 && i <= 3) || i == 7;
            free = free || (i >= num - 2 && i <= num); /* the UDP checksum, and none */
            assert_int_equal(ib.icrc_verdict, free ? GW_IB_RIGHT : GW_IB_WRONG);
            assert_int_equal(m.len, len);
            assert_ptr_equal(m.ib, &ib);
            if (i < num && !(v4 != 0 && i == 0))
                headers[i] ^= 1;
        }
    }
    assert_int_equal(gw_ib_close_udp(datagram, len + 3, packet, len, &v4_src, &v4_dst, 0), 0);
}

static void without_headers_nothing_is_judged(void **state)
{
    uint8_t packet[32], datagram[64];
    size_t len = gw_hex_bytes(packet, sizeof packet, PACKET);
    size_t total = gw_ib_close_udp(datagram, sizeof datagram, packet, len, &v4_src, &v4_dst, 1);
    gw_message m = gw_message_of(datagram, total);
    gw_ib ib;

    (void)state;
    assert_true(gw_ib_open_udp(&ib, &m)); /* put together of fragments, say */
    assert_int_equal(ib.icrc_verdict, GW_IB_NOT_JUDGED);
    m = gw_message_of(datagram, total);
    m.cap_len -= 1;
    assert_true(gw_ib_open_udp(&ib, &m));
    assert_int_equal(ib.icrc_verdict, GW_IB_NOT_JUDGED);
    assert_int_equal(m.cap_len, m.len);
    m = gw_message_of(datagram, 3);
    assert_false(gw_ib_open_udp(&ib, &m));
    assert_int_equal(m.len, 3);
}

/* What a socket knows: not the identification and DF. */
static void sockets_judge_what_they_can(void **state)
{
    uint8_t packet[32], datagram[64], headers[64];
    size_t len = gw_hex_bytes(packet, sizeof packet, PACKET);

    (void)state;
    for (unsigned flip = 0; flip < 32; flip++) {
        uint32_t flaw = flip == 0 ? 0 : UINT32_C(1) << flip;
        size_t total =
            gw_ib_close_udp(datagram, sizeof datagram, packet, len, &v4_src, &v4_dst, flaw);
        gw_ib_verdict good = flaw == 0 ? GW_IB_RIGHT : GW_IB_WRONG;
        assert_int_equal(gw_ib_judge_udp(NULL, &v4_src, &v4_dst, datagram, total, true), good);
        assert_int_equal(gw_ib_judge_udp(NULL, &v4_src, &v4_dst, datagram, total, false),
                         flaw == 0 ? GW_IB_RIGHT : GW_IB_NOT_JUDGED);
        gw_ib_close_udp(datagram, sizeof datagram, packet, len, &v6_src, &v6_dst, flaw);
        assert_int_equal(gw_ib_judge_udp(NULL, &v6_src, &v6_dst, datagram, total, false), good);
    }
    size_t num = lower_layers(headers, sizeof headers, true, len + 12);
    memcpy(datagram, packet, len);
    for (unsigned id = 1; id < 65536;
         id += 4093) { /* another identification, with and without DF */
        gw_store_be(headers + 4, id, 2);
        headers[6] = id % 2 != 0 ? 0x40 : 0;
        gw_store_le(datagram + len, gw_ib_icrc_roce(NULL, headers, num, packet, len), 4);
        assert_int_equal(gw_ib_judge_udp(NULL, &v4_src, &v4_dst, datagram, len + 4, true),
                         GW_IB_RIGHT);
        assert_int_equal(gw_ib_judge_udp(NULL, &v4_src, &v4_dst, datagram, len + 4, false),
                         GW_IB_NOT_JUDGED);
    }
    assert_int_equal(gw_ib_judge_udp(NULL, &v4_src, &v4_dst, datagram, 3, true), GW_IB_NOT_JUDGED);
}

static void ends_are_told_in_words(void **state)
{
    char line[64];
    gw_text t = gw_text_over(line, sizeof line);
    gw_endpoint end = gw_ib_lid_endpoint(0x11);

    (void)state;
    gw_text_endpoint(&t, &end);
    gw_ib_endpoint_set_qp(&end, 0x412);
    gw_text_str(&t, " ");
    gw_text_endpoint(&t, &end);
    assert_string_equal(line, "lid:0x11 lid:0x11/qp:0x412");
    assert_string_equal(gw_ib_verdict_name(GW_IB_RIGHT), "right");
    assert_string_equal(gw_ib_verdict_name(GW_IB_WRONG), "wrong");
    assert_string_equal(gw_ib_verdict_name(GW_IB_NOT_JUDGED), "not judged");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_specification_and_we_compute_one_value),
        cmocka_unit_test(transport_headers_survive_the_way_there_and_back),
        cmocka_unit_test(sequence_numbers_wrap),
        cmocka_unit_test(a_frame_is_opened_and_closed_again),
        cmocka_unit_test(what_changes_on_the_way_is_not_covered),
        cmocka_unit_test(a_global_header_is_read_and_partly_covered),
        cmocka_unit_test(lengths_that_contradict_are_told_and_nothing_is_lost),
        cmocka_unit_test(cut_frames_are_not_judged),
        cmocka_unit_test(frames_that_are_no_such_packets_are_refused),
        cmocka_unit_test(datagrams_are_judged_by_their_headers),
        cmocka_unit_test(without_headers_nothing_is_judged),
        cmocka_unit_test(sockets_judge_what_they_can),
        cmocka_unit_test(ends_are_told_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
