/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets of every kind: read, cut, broken and built. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#include "core/testing/cover.h"
#include "goldwire/writer.h"
#include "ims/testing/packets.h"

static const struct {
    const char *hex;
    const char *dialect;
    uint8_t stops; /* gw_error_kind of the whole message */
    uint8_t kind;
    const char *summary;
} samples[] = {
    {IMS_STAT_REQ, "strict", GW_OK, GW_IMS_IS_STATUS,
     "STAT_REQ lid 0x21 qp 0x312 to qp 0x02 psn 5"},
    {IMS_STAT_RES, "strict", GW_OK, GW_IMS_IS_STATUS,
     "STAT_RES lid 0x21 qp 0x312 version 1.1 to qp 0x312 psn 7"},
    {IMS_STAT_TERM, "strict", GW_OK, GW_IMS_IS_STATUS,
     "STAT_TERM lid 0x21 qp 0x312 to qp 0x02 psn 5"},
    {IMS_DATA_REQ, "strict", GW_OK, GW_IMS_IS_STATUS,
     "DATA_REQ lid 0x21 qp 0x312 data qp 0x313 to qp 0x02 psn 5"},
    {IMS_DATA_RES, "strict", GW_OK, GW_IMS_IS_STATUS,
     "DATA_RES lid 0x21 qp 0x312 data qp 0x90 @ 0x2000000000 key 0xcafe0002 to qp 0x312 psn 7"},
    {IMS_DATA_RES_BE, "be32", GW_OK, GW_IMS_IS_STATUS,
     "DATA_RES lid 0x21 qp 0x312 data qp 0x90 @ 0x2000000000 key 0xcafe0002 to qp 0x312 psn 7"},
    {IMS_DATA_RES_BE, "order-auto", GW_OK, GW_IMS_IS_STATUS,
     "DATA_RES lid 0x21 qp 0x312 data qp 0x90 @ 0x2000000000 key 0xcafe0002 to qp 0x312 psn 7"},
    {IMS_DATA_RES, "order-auto", GW_OK, GW_IMS_IS_STATUS,
     "DATA_RES lid 0x21 qp 0x312 data qp 0x90 @ 0x2000000000 key 0xcafe0002 to qp 0x312 psn 7"},
    {IMS_UD_UP "08000101 21000000 12030000 00000000 0000000000000000 00000000", "strict",
     GW_UNSUPPORTED, GW_IMS_IS_STATUS, "Unknown method 8 lid 0x21 qp 0x312 to qp 0x02 psn 5"},
    {"2400ffff 00000002 00000005 00000101 21000000 12030000 33333333 0000000000000000 00000000",
     "strict", GW_OK, GW_IMS_IS_STATUS, "STAT_REQ lid 0x21 qp 0x312 to qp 0x02 psn 5"},
    {IMS_STAT_REQ "00000000", "strict", GW_MALFORMED, GW_IMS_IS_STATUS,
     "STAT_REQ lid 0x21 qp 0x312 to qp 0x02 psn 5, malformed"},
    {IMS_ACK_40, "strict", GW_OK, GW_IMS_IS_ACK, "ACK 0x2000000040 to qp 0x313 psn 3"},
    {IMS_NACK_LOST, "strict", GW_OK, GW_IMS_IS_ACK,
     "NACK 0x2000000040 Out of sequence, Frame length to qp 0x313 psn 3"},
    {IMS_NACK_LOST, "v1-0", GW_OK, GW_IMS_IS_ACK, "NACK 0x2000000040 code 0x11 to qp 0x313 psn 3"},
    {IMS_NACK_LOST_BE, "be32", GW_OK, GW_IMS_IS_ACK,
     "NACK 0x2000000040 Out of sequence, Frame length to qp 0x313 psn 3"},
    {IMS_NACK_LOST_BE, "order-auto", GW_OK, GW_IMS_IS_ACK,
     "NACK 0x2000000040 Out of sequence, Frame length to qp 0x313 psn 3"},
    {IMS_NACK_LOST, "status-be32", GW_OK, GW_IMS_IS_ACK,
     "NACK 0x2000000040 Out of sequence, Frame length to qp 0x313 psn 3"},
    {IMS_NACK_NO_START, "strict", GW_OK, GW_IMS_IS_ACK,
     "NACK 0x00 No start of frame to qp 0x313 psn 3"},
    {IMS_RESPONSE "02000000 00100000 00000000 00000000", "strict", GW_OK, GW_IMS_IS_ACK,
     "Unknown response 0x00000002 0x00 0x00001000 to qp 0x313 psn 3"},
    {IMS_ACK_40 "00", "strict", GW_MALFORMED, GW_IMS_IS_ACK,
     "ACK 0x2000000040 to qp 0x313 psn 3, malformed"},
    {"2500ffff 00000313 00000003 deadbeef 00000000 00000000 40000000 20000000", "strict", GW_OK,
     GW_IMS_IS_ACK, "ACK 0x2000000040 to qp 0x313 psn 3"},
    {IMS_ONLY, "strict", GW_OK, GW_IMS_IS_DATA,
     "Frame of 64 B @ 0x2000000040 key 0xcafe0002, 64 B to qp 0x90 psn 0"},
    {IMS_FIRST, "strict", GW_OK, GW_IMS_IS_DATA,
     "Begins frame of 192 B @ 0x2000000040 key 0xcafe0002, 64 B to qp 0x90 psn 0"},
    {IMS_MIDDLE, "strict", GW_OK, GW_IMS_IS_DATA, "Frame, 64 B to qp 0x90 psn 1"},
    {IMS_LAST, "strict", GW_OK, GW_IMS_IS_DATA, "Ends frame, 64 B to qp 0x90 psn 2"},
    {"2820ffff 00000090 00000002 11223344 55660000", "strict", GW_OK, GW_IMS_IS_DATA,
     "Ends frame, 6 B to qp 0x90 psn 2"},
    {"2810ffff 00000090 00000002", "strict", GW_MALFORMED, GW_IMS_FOREIGN,
     "UC RDMA WRITE LAST to qp 0x90 psn 2, malformed"},
    {"2800ffff 00000090 00000002", "strict", GW_OK, GW_IMS_IS_DATA,
     "Ends frame, 0 B to qp 0x90 psn 2"},
    {"2b00ffff 00000090 00000000 0000002000000040 cafe0002 00000040 deadbeef" IMS_DATA_64, "strict",
     GW_OK, GW_IMS_IS_DATA, "Frame of 64 B @ 0x2000000040 key 0xcafe0002, 64 B to qp 0x90 psn 0"},
    {"0a00ffff 00000090 00000000 0000002000000040 cafe0002 00000040", "strict", GW_UNSUPPORTED,
     GW_IMS_FOREIGN, "InfiniBand opcode 0x0a to qp 0x90 psn 0"},
    {"2000ffff 00000090 00000000 00112233", "strict", GW_UNSUPPORTED, GW_IMS_FOREIGN,
     "UC SEND FIRST to qp 0x90 psn 0"},
    {"6400ffff 00000001 00000005 80010000 00000001 01030181", "strict", GW_UNSUPPORTED,
     GW_IMS_FOREIGN, "UD SEND ONLY to qp 0x01 psn 5"},
    {"2401ffff 00000313 00000003 00000000", "strict", GW_UNSUPPORTED, GW_IMS_FOREIGN,
     "UC SEND ONLY to qp 0x313 psn 3"},
};

static const gw_dialect *dialect(const char *name)
{
    const gw_dialect *d = gw_dialect_by_name(&gw_ims, name);
    assert_non_null(d);
    return d;
}

static void samples_are_read_as_they_were_meant(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(samples); i++) {
        uint8_t bytes[256];
        char line[160];
        gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, sizeof bytes, samples[i].hex));
        const gw_dialect *d = dialect(samples[i].dialect);
        gw_text t = gw_text_over(line, sizeof line);
        gw_ims_packet p;
        gw_error walked, error = gw_ims_decode(&p, &m, d);
        if (error.kind != samples[i].stops)
            fail_msg("sample %zu stops with %s at %u", i, gw_error_kind_name(error.kind),
                     error.offset);
        assert_int_equal(p.kind, samples[i].kind);
        gw_ims_summary(&m, d, &t);
        assert_string_equal(line, samples[i].summary);
        const char *fault = gw_cover_walk(&gw_ims, &m, d, &walked);
        if (fault != NULL)
            fail_msg("sample %zu: %s", i, fault);
    }
}

/* Cut by the capture or by the sender at every byte: whole fields stay, nothing is lost, and a cut
 * that the capture made is called that. */
static void cuts_are_told_where_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(samples); i++) {
        uint8_t bytes[256];
        size_t whole = gw_hex_bytes(bytes, sizeof bytes, samples[i].hex);
        const gw_dialect *d = dialect(samples[i].dialect);
        for (uint32_t len = 0; len < whole; len++) {
            uint8_t *copy = malloc(len + 1); /* so that a sanitizer sees one byte too many */
            assert_non_null(copy);
            memcpy(copy, bytes, len);
            gw_message m = gw_message_of(copy, len);
            gw_ims_packet p;
            gw_error walked;
            gw_error sent = gw_ims_decode(&p, &m, d);
            assert_null(gw_cover_walk(&gw_ims, &m, d, &walked));
            assert_false(sent.capture_cut);
            if (len < GW_IB_BTH)
                assert_int_equal(sent.kind, GW_TRUNCATED);
            m.len = (uint32_t)whole;
            gw_error captured = gw_ims_decode(&p, &m, d);
            assert_null(gw_cover_walk(&gw_ims, &m, d, &walked));
            if (samples[i].stops == GW_OK) {
                assert_int_equal(captured.kind, GW_TRUNCATED);
                assert_true(captured.capture_cut);
            }
            free(copy);
        }
    }
}

/* A status packet cut by its sender names the field that is missing. */
static void a_short_status_packet_names_what_is_missing(void **state)
{
    static const struct {
        uint32_t len;
        int field;
    } cuts[] = {
        {GW_IB_BTH, GW_IMS_F_DETH_QKEY}, {20, GW_IMS_F_STATUS_METHOD}, {23, GW_IMS_F_STATUS_MAJOR},
        {24, GW_IMS_F_STATUS_LID},       {32, GW_IMS_F_STATUS_QKEY},   {36, GW_IMS_F_STATUS_VA},
        {47, GW_IMS_F_STATUS_RKEY},
    };
    uint8_t bytes[64];

    (void)state;
    gw_hex_bytes(bytes, sizeof bytes, IMS_STAT_REQ);
    for (size_t i = 0; i < GW_ARRAY_LEN(cuts); i++) {
        gw_message m = gw_message_of(bytes, cuts[i].len);
        gw_ims_packet p;
        gw_error error = gw_ims_decode(&p, &m, NULL);
        assert_int_equal(error.kind, GW_TRUNCATED);
        assert_ptr_equal(error.field, gw_ims_field(cuts[i].field));
        assert_false(p.has_body);
    }
}

static void status_packets_survive_the_way_there_and_back(void **state)
{
    const gw_ims_order orders[] = {GW_IMS_LE, GW_IMS_BE32, GW_IMS_AUTO};

    (void)state;
    for (unsigned bit = 0; bit < 8 * GW_IMS_STATUS; bit++) {
        uint8_t in[GW_IMS_STATUS] = {0}, out[GW_IMS_STATUS];
        in[bit / 8] = (uint8_t)(1u << bit % 8);
        for (size_t o = 0; o < GW_ARRAY_LEN(orders); o++) {
            gw_ims_order order = orders[o];
            gw_ims_status s = gw_ims_get_status(in, order);
            if (order == GW_IMS_AUTO)
                order = gw_ims_detect_status(in);
            gw_ims_put_status(out, &s, order);
            assert_memory_equal(in, out, sizeof in);
        }
        if (bit >= 8 * GW_IMS_ACK)
            continue;
        for (size_t o = 0; o < 2; o++) {
            gw_ims_ack a = gw_ims_get_ack(in, orders[o]);
            gw_ims_put_ack(out, &a, orders[o]);
            assert_memory_equal(in, out, GW_IMS_ACK);
        }
    }
}

static void the_order_is_found_by_what_must_be_zero(void **state)
{
    static const struct {
        gw_ims_status status;
        bool sure;
    } some[] = {
        {{.method = 0, .major = 1, .minor = 1, .lid = 0x11, .qpn = 0x412}, true},
        {{.method = 5, .major = 1, .minor = 1, .lid = 0xc000, .qpn = 0xffffff}, true},
        {{.method = 7, .lid = 1, .qpn = 0x80}, true},
        {{.method = 4, .major = 1, .minor = 1, .lid = 0, .qpn = 0x400}, true},
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(some); i++) {
        uint8_t bytes[GW_IMS_STATUS];
        gw_ims_put_status(bytes, &some[i].status, GW_IMS_LE);
        assert_int_equal(gw_ims_detect_status(bytes), GW_IMS_LE);
        gw_ims_put_status(bytes, &some[i].status, GW_IMS_BE32);
        assert_int_equal(gw_ims_detect_status(bytes), GW_IMS_BE32);
    }
    for (uint32_t type = 0; type < 2; type++) {
        uint8_t bytes[GW_IMS_ACK];
        gw_ims_ack ack = {.type = type, .events = type * 0x11, .va = 0x1000000040};
        gw_ims_put_ack(bytes, &ack, GW_IMS_LE);
        assert_int_equal(gw_ims_detect_ack(bytes), GW_IMS_LE);
        gw_ims_put_ack(bytes, &ack, GW_IMS_BE32);
        assert_int_equal(gw_ims_detect_ack(bytes), GW_IMS_BE32);
    }
}

typedef struct event_sink {
    gw_sink sink;
    uint32_t seen; /* events whose view is set */
    unsigned views;
} event_sink;

static void on_event(gw_sink *sink, const gw_item *item)
{
    event_sink *s = (event_sink *)sink;

    if (strncmp(item->field->name, "ims.ack.event.", 14) != 0)
        return;
    const gw_field *first = gw_ims_field(GW_IMS_F_EVENT_OUT_OF_SEQUENCE);
    if (item->field->group != first->group)
        first = gw_ims_field(GW_IMS_F_EVENT_B_OUT_OF_SEQUENCE);
    s->seen |= (uint32_t)item->value << (item->field - first);
    s->views++;
}

static void every_event_has_its_own_bit(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 32; bit++) {
        static const char *const names[] = {"strict", "be32"};
        for (size_t k = 0; k < GW_ARRAY_LEN(names); k++) {
            gw_ims_ack ack = {.type = GW_IMS_TYPE_NACK, .events = UINT32_C(1) << bit, .va = 64};
            gw_ims_draft draft = gw_ims_draft_ack(0x313, 0, &ack);
            event_sink s = {.sink = {.item = on_event}};
            uint8_t bytes[64];
            size_t len = gw_ims_build(bytes, sizeof bytes, &draft, dialect(names[k]));
            gw_message m = gw_message_of(bytes, len);
            assert_int_equal(len, GW_IB_BTH + GW_IMS_ACK);
            (void)gw_ims_walk(&m, dialect(names[k]), &s.sink);
            assert_int_equal(s.views, GW_IMS_NUM_EVENTS);
            assert_int_equal(s.seen, ack.events & GW_IMS_EVENTS);
        }
    }
}

static gw_ims_reaction react(uint32_t type, uint32_t events)
{
    gw_ims_ack ack = {.type = type, .events = events};
    return gw_ims_reaction_to(&ack);
}

static void a_worker_knows_what_to_do(void **state)
{
    (void)state;
    assert_int_equal(react(0, 0), GW_IMS_DONE);
    assert_int_equal(react(0, 0x11), GW_IMS_DONE);
    assert_int_equal(react(2, 0), GW_IMS_IGNORE);
    assert_int_equal(react(1, 0), GW_IMS_RESEND);
    for (unsigned bit = 0; bit < GW_IMS_NUM_EVENTS; bit++) {
        uint32_t event = UINT32_C(1) << bit;
        gw_ims_reaction expected = GW_IMS_RESEND;
        if (event == GW_IMS_OUTSIDE_WINDOW)
            expected = GW_IMS_WAIT;
        if (event == GW_IMS_INVALID_RKEY || event == GW_IMS_INVALID_VA)
            expected = GW_IMS_STOP;
        assert_int_equal(react(1, event), expected);
    }
    assert_int_equal(react(1, GW_IMS_OUTSIDE_WINDOW | GW_IMS_OUT_OF_SEQUENCE), GW_IMS_WAIT);
    assert_int_equal(react(1, GW_IMS_OUTSIDE_WINDOW | GW_IMS_INVALID_VA), GW_IMS_STOP);
}

/* ---- building ---- */

static void what_is_built_is_what_was_drafted(void **state)
{
    uint8_t bytes[256], expected[256];
    gw_ims_status status = {.method = GW_IMS_DATA_RES,
                            .major = 1,
                            .minor = 1,
                            .lid = 0x21,
                            .qpn = 0x312,
                            .key = 0x90,
                            .va = 0x2000000000,
                            .rkey = 0xcafe0002};
    gw_ims_draft draft = gw_ims_draft_status(0x312, 2, 0x33333333, 7, &status);
    size_t len = gw_hex_bytes(expected, sizeof expected, IMS_DATA_RES);

    (void)state;
    assert_int_equal(gw_ims_build(bytes, sizeof bytes, &draft, NULL), len);
    assert_memory_equal(bytes, expected, len);
    gw_hex_bytes(expected, sizeof expected, IMS_DATA_RES_BE);
    assert_int_equal(gw_ims_build(bytes, sizeof bytes, &draft, dialect("be32")), len);
    assert_memory_equal(bytes, expected, len);
    for (size_t cap = 0; cap < len; cap++)
        assert_int_equal(gw_ims_build(bytes, cap, &draft, NULL), 0);
}

/* A frame of 193 bytes in packets of 64: FIRST, two MIDDLE, LAST with padding. */
static void a_frame_is_cut_into_packets(void **state)
{
    static const uint8_t opcodes[] = {GW_IB_UC_WRITE_FIRST, GW_IB_UC_WRITE_MIDDLE,
                                      GW_IB_UC_WRITE_MIDDLE, GW_IB_UC_WRITE_LAST};
    gw_ib_reth reth = {.va = 0x2000000040, .rkey = 0xcafe0002, .length = 193};
    uint8_t data[193] = {0}, bytes[256];

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t at = i * 64, len = i < 3 ? 64 : 1;
        gw_ims_draft draft = gw_ims_draft_write(0x90, i, &reth, at, data + at, len);
        gw_message m = gw_message_of(bytes, gw_ims_build(bytes, sizeof bytes, &draft, NULL));
        gw_ims_packet p;
        assert_int_equal(gw_ims_decode(&p, &m, NULL).kind, GW_OK);
        assert_int_equal(p.bth.opcode, opcodes[i]);
        assert_int_equal(p.first, i == 0);
        assert_int_equal(p.last, i == 3);
        assert_int_equal(p.has_reth, i == 0);
        assert_int_equal(p.payload_len, len);
        assert_int_equal(p.payload_sent, len);
        assert_int_equal(p.bth.pad, i == 3 ? 3 : 0);
        assert_int_equal(m.len % 4, 0);
    }
    reth.length = 64;
    gw_ims_draft only = gw_ims_draft_write(0x90, 0, &reth, 0, data, 64);
    assert_int_equal(only.bth.opcode, GW_IB_UC_WRITE_ONLY);
}

static void datagrams_end_with_their_checksum(void **state)
{
    const gw_endpoint src = {{127, 0, 0, 2}, 50000, GW_FAMILY_IPV4, 0};
    const gw_endpoint dst = {{127, 0, 0, 3}, GW_ROCE_PORT, GW_FAMILY_IPV4, 0};
    gw_ims_ack ack = {.type = GW_IMS_TYPE_ACK, .va = 0x2000000040};
    gw_ims_draft draft = gw_ims_draft_ack(0x313, 3, &ack);
    uint8_t bytes[64];
    size_t len = gw_ims_build_datagram(bytes, sizeof bytes, &draft, NULL, &src, &dst);

    (void)state;
    assert_int_equal(len, GW_IB_BTH + GW_IMS_ACK + GW_IB_ICRC);
    assert_int_equal(gw_ib_judge_udp(NULL, &src, &dst, bytes, len, false), GW_IB_RIGHT);
    assert_int_equal(gw_ims_build_datagram(bytes, len - 1, &draft, NULL, &src, &dst), 0);
    assert_int_equal(gw_ims_build_datagram(bytes, 5, &draft, NULL, &src, &dst), 0);
}

static void a_raw_draft_may_be_anything(void **state)
{
    static const uint8_t junk[] = {1, 2, 3, 4, 5};
    gw_ims_status status = {.method = GW_IMS_STAT_REQ};
    gw_ims_draft draft = gw_ims_draft_status(2, 0x312, 0, 0, &status);
    uint8_t bytes[64];

    (void)state;
    draft.raw = true;
    draft.payload = junk;
    draft.payload_len = sizeof junk;
    size_t len = gw_ims_build(bytes, sizeof bytes, &draft, NULL);
    assert_int_equal(len, GW_IB_BTH + GW_IB_DETH + 8);
    assert_memory_equal(bytes + GW_IB_BTH + GW_IB_DETH, junk, sizeof junk);
    assert_int_equal(gw_ib_get_bth(bytes).pad, 3);
}

static void a_body_begins_behind_its_headers(void **state)
{
    static const uint8_t opcodes[] = {
        GW_IB_UC_SEND_ONLY,  GW_IB_UC_SEND_ONLY_IMM,  GW_IB_UC_WRITE_FIRST, GW_IB_UC_WRITE_MIDDLE,
        GW_IB_UC_WRITE_LAST, GW_IB_UC_WRITE_LAST_IMM, GW_IB_UC_WRITE_ONLY,  GW_IB_UC_WRITE_ONLY_IMM,
        GW_IB_UD_SEND_ONLY,  GW_IB_UD_SEND_ONLY_IMM,
    };
    static const uint8_t body[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    gw_ims_draft draft = {.raw = true, .payload = body, .payload_len = sizeof body};
    uint8_t bytes[64];

    (void)state;
    draft.bth.dest_qp = 0x313;
    for (size_t i = 0; i < GW_ARRAY_LEN(opcodes); i++) {
        gw_ims_packet p;
        draft.bth.opcode = opcodes[i];
        gw_message m = gw_message_of(bytes, gw_ims_build(bytes, sizeof bytes, &draft, NULL));
        (void)gw_ims_decode(&p, &m, NULL);
        uint32_t at = gw_ims_headers_len(&p);
        assert_int_equal(at + sizeof body, m.len);
        assert_memory_equal(bytes + at, body, sizeof body);
    }
}

/* ---- the window ---- */

static void the_window_has_three_zones(void **state)
{
    const uint64_t rp = 0x1000000000, ring = 1 << 20, frame = 1 << 12;
    const uint64_t bound = rp + ring - frame;

    (void)state;
    assert_int_equal(gw_ims_zone_of(rp, 4096, rp, ring, frame), GW_IMS_INSIDE);
    assert_int_equal(gw_ims_zone_of(rp - 64, 4096, rp, ring, frame), GW_IMS_BELOW);
    assert_int_equal(gw_ims_zone_of(bound - 4096, 4096, rp, ring, frame), GW_IMS_INSIDE);
    assert_int_equal(gw_ims_zone_of(bound - 4032, 4096, rp, ring, frame), GW_IMS_GREY);
    assert_int_equal(gw_ims_zone_of(bound, 4096, rp, ring, frame), GW_IMS_GREY);
    assert_int_equal(gw_ims_zone_of(bound + 64, 64, rp, ring, frame), GW_IMS_BEYOND);
    assert_int_equal(gw_ims_zone_of(UINT64_MAX - 63, 4096, UINT64_MAX - 63, ring, frame),
                     GW_IMS_BEYOND); /* wraps */
    assert_int_equal(gw_ims_zone_of(rp, 64, rp, 64, frame), GW_IMS_GREY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_read_as_they_were_meant),
        cmocka_unit_test(cuts_are_told_where_they_are),
        cmocka_unit_test(a_short_status_packet_names_what_is_missing),
        cmocka_unit_test(status_packets_survive_the_way_there_and_back),
        cmocka_unit_test(the_order_is_found_by_what_must_be_zero),
        cmocka_unit_test(every_event_has_its_own_bit),
        cmocka_unit_test(a_worker_knows_what_to_do),
        cmocka_unit_test(what_is_built_is_what_was_drafted),
        cmocka_unit_test(a_frame_is_cut_into_packets),
        cmocka_unit_test(datagrams_end_with_their_checksum),
        cmocka_unit_test(a_raw_draft_may_be_anything),
        cmocka_unit_test(a_body_begins_behind_its_headers),
        cmocka_unit_test(the_window_has_three_zones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
