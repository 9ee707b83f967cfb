/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets of every kind and carriage: read as they were meant, cut, built and put back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/testing/cover.h"
#include "textarossa/internal.h"
#include "textarossa/testing/packets.h"

#define RUN TX_MAGIC TX_START
#define PAIR TX_MAGIC TX_CREDIT
#define ZEROS "00000000 00000000 00000000 00000000 "
#define HEADER_17 "10002000 00001180 00002ab0 983e0000 "
#define HEADER_ALONE "b0002000 40800080 00002ab0 983e0000 "
#define HEADER_HLS "00000800 a0028be9 43000001 20280080 "

/* One message of each kind. */
static const struct {
    const char *hex;
    const char *dialect;
    uint8_t part;
    uint8_t stops; /* gw_error_kind of the whole message */
    const char *summary;
} samples[] = {
    {TX_SAMPLE_A, "strict", 0, GW_OK, "16 B to 0.0.0 port 0, channel 0"},
    {TX_SAMPLE_B, "order-b", 0, GW_OK, "16 B to 0.0.0 port 0, channel 0"},
    {TX_SAMPLE_C, "order-c", 0, GW_OK, "16 B to 0.0.0 port 0, channel 0"},
    {TX_SAMPLE_A, "detect", 0, GW_OK, "16 B to 0.0.0 port 0, channel 0"},
    {TX_SAMPLE_B, "detect", 0, GW_OK, "16 B to 0.0.0 port 0, channel 0"},
    {TX_SAMPLE_C, "detect", 0, GW_OK, "16 B to 0.0.0 port 0, channel 0"},
    {HEADER_17 TX_DATA ZEROS TX_ONES, "strict", 0, GW_OK, "17 B to 1.0.0 port 0, channel 0"},
    {HEADER_17 TX_DATA "aa" TX_ONES, "strict", 0, GW_OK, "17 B to 1.0.0 port 0, channel 0"},
    {HEADER_17 TX_DATA "aabb" TX_ONES, "strict", 0, GW_TRUNCATED,
     "17 B to 1.0.0 port 0, channel 0, truncated at byte 48"},
    {HEADER_17 TX_DATA ZEROS TX_ONES "55", "strict", 0, GW_MALFORMED,
     "17 B to 1.0.0 port 0, channel 0, malformed at byte 64"},
    {HEADER_ALONE, "strict", 0, GW_OK, "Header only to 1.0.0 port 2, channel 5"},
    {HEADER_ALONE ZEROS, "strict", 0, GW_MALFORMED,
     "Header only to 1.0.0 port 2, channel 5, malformed at byte 16"},
    {HEADER_17 ZEROS TX_DATA TX_DATA TX_ONES TX_ONES, "wide", 0, GW_OK,
     "17 B to 1.0.0 port 0, channel 0"},
    {HEADER_HLS TX_DATA TX_ONES, "hls", 0, GW_OK, "16 B to 1.0.0 port 2, channel 5"},
    {RUN TX_HEADER_16 TX_DATA TX_ONES, "strict", GW_TX_PART_LINK, GW_OK,
     "16 B to 1.0.0 port 0, channel 0"},
    {RUN PAIR PAIR TX_HEADER_16 PAIR TX_DATA PAIR TX_ONES, "strict", GW_TX_PART_LINK, GW_OK,
     "16 B to 1.0.0 port 0, channel 0, 4 credits inside"},
    {RUN HEADER_17 TX_DATA PAIR ZEROS TX_ONES, "strict", GW_TX_PART_LINK, GW_OK,
     "17 B to 1.0.0 port 0, channel 0, 1 credit inside"},
    {RUN HEADER_17 TX_MAGIC TX_MAGIC TX_CREDIT ZEROS TX_ONES, "strict", GW_TX_PART_LINK, GW_OK,
     "17 B to 1.0.0 port 0, channel 0, 1 credit inside"},
    {TX_MAGIC TX_CREDIT TX_MAGIC TX_START TX_HEADER_16 TX_DATA TX_ONES, "strict", GW_TX_PART_LINK,
     GW_OK, "16 B to 1.0.0 port 0, channel 0, 1 credit inside"},
    {RUN HEADER_ALONE, "strict", GW_TX_PART_LINK, GW_OK, "Header only to 1.0.0 port 2, channel 5"},
    {RUN HEADER_ALONE TX_DATA, "strict", GW_TX_PART_LINK, GW_MALFORMED,
     "Header only to 1.0.0 port 2, channel 5, malformed at byte 48"},
    {TX_START TX_HEADER_16, "strict", GW_TX_PART_LINK, GW_MALFORMED, "Packet, malformed at byte 0"},
    {TX_MAGIC TX_MAGIC TX_START TX_START HEADER_17 ZEROS TX_DATA TX_DATA TX_ONES TX_ONES, "wide",
     GW_TX_PART_LINK, GW_OK, "17 B to 1.0.0 port 0, channel 0"},
    {TX_CREDIT TX_CREDIT_5 TX_MAGIC, "strict", GW_TX_PART_IDLE, GW_OK, "2 credits"},
    {"0102030405", "strict", GW_TX_PART_STRAY, GW_OK, "5 stray bytes"},
    {"10002000 00004080 00002ab0 983e0000 02000000 00000000 00000000 00000000 " TX_DATA HEADER_HLS
         HEADER_HLS TX_ONES,
     "gu", 0, GW_OK, "64 B to 1.0.0 port 0, channel 0"},
    {"10002000 00004080 00002ab0 983e0000 ff000000 00000000 00000000 00000000 " TX_DATA HEADER_HLS
         HEADER_HLS TX_ONES,
     "gu", 0, GW_OK, "64 B to 1.0.0 port 0, channel 0"},
    {TX_HEADER_16 TX_DATA TX_ONES, "rtl", 0, GW_OK, "16 B to 1.0.0 port 0, channel 0"},
};

static const gw_dialect *named(const char *name)
{
    const gw_dialect *dialect = gw_dialect_by_name(&gw_textarossa, name);
    assert_non_null(dialect);
    return dialect;
}

static gw_message sample(size_t i, uint8_t *out, size_t cap)
{
    gw_message m = tx_datagram(out, gw_hex_bytes(out, cap, samples[i].hex));
    m.part = samples[i].part;
    if (m.part != GW_TX_PART_DATAGRAM)
        m.transport = GW_OVER_NOTHING;
    return m;
}

static void assert_same_error(const gw_error *a, const gw_error *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->offset, b->offset);
    assert_ptr_equal(a->field, b->field);
    assert_int_equal(a->capture_cut, b->capture_cut);
}

static void samples_are_read_as_they_were_meant(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(samples); i++) {
        uint8_t bytes[512];
        char line[128];
        gw_message m = sample(i, bytes, sizeof bytes);
        const gw_dialect *dialect = named(samples[i].dialect);
        gw_tx_packet p;
        gw_text t = gw_text_over(line, sizeof line);
        gw_error walked, error = gw_tx_decode(&p, &m, dialect);
        if (error.kind != samples[i].stops)
            fail_msg("sample %zu stops with %s at %u", i, gw_error_kind_name(error.kind),
                     error.offset);
        gw_tx_summary(&m, dialect, &t);
        assert_string_equal(line, samples[i].summary);
        const char *fault = gw_cover_walk(&gw_textarossa, &m, dialect, &walked);
        if (fault != NULL)
            fail_msg("sample %zu: %s", i, fault);
        assert_same_error(&walked, &error);
    }
}

/* Cut by the sender or by the capture at every byte, in every dialect: whole fields stay, nothing
 * is lost, walk and decode agree, and a cut that the capture made is called that. */
static void cuts_are_told_where_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(samples); i++) {
        uint8_t bytes[512];
        gw_message whole = sample(i, bytes, sizeof bytes);
        for (uint32_t len = 0; len < whole.len; len++) {
            uint8_t *copy = malloc(len + 1); /* so that a sanitizer sees one byte too many */
            assert_non_null(copy);
            memcpy(copy, bytes, len);
            for (size_t d = 0; d < gw_textarossa.num_dialects; d++) {
                const gw_dialect *dialect = &gw_textarossa.dialects[d];
                bool own = strcmp(dialect->name, samples[i].dialect) == 0;
                gw_message m = whole;
                gw_tx_packet p;
                gw_error walked;
                m.data = copy;
                m.cap_len = len;
                gw_error captured = gw_tx_decode(&p, &m, dialect);
                assert_null(gw_cover_walk(&gw_textarossa, &m, dialect, &walked));
                assert_same_error(&walked, &captured);
                if (own && samples[i].stops == GW_OK && m.part != GW_TX_PART_STRAY &&
                    (m.part != GW_TX_PART_IDLE || len % GW_TX_WORD != 0)) {
                    assert_int_equal(captured.kind, GW_TRUNCATED);
                    assert_true(captured.capture_cut);
                }
                m.len = len;
                gw_error sent = gw_tx_decode(&p, &m, dialect);
                assert_null(gw_cover_walk(&gw_textarossa, &m, dialect, &walked));
                assert_same_error(&walked, &sent);
                assert_false(sent.capture_cut);
                uint8_t payload[512];
                assert_true(gw_tx_copy_payload(&p, payload, sizeof payload) <= p.payload_len);
            }
            free(copy);
        }
    }
}

static void truncation_names_the_field_that_is_missing(void **state)
{
    static const struct {
        const char *field;
        uint32_t len, offset;
    } cuts[] = {{"textarossa.virt_chan", 0, 0}, {"textarossa.edac", 15, 15},
                {"textarossa.payload", 16, 16}, {"textarossa.payload", 20, 20},
                {"textarossa.padding", 33, 33}, {"textarossa.footer", 48, 48},
                {"textarossa.footer", 63, 48}};
    uint8_t bytes[128];

    (void)state;
    gw_hex_bytes(bytes, sizeof bytes, HEADER_17 TX_DATA ZEROS TX_ONES);
    for (size_t i = 0; i < GW_ARRAY_LEN(cuts); i++) {
        gw_message m = tx_datagram(bytes, cuts[i].len);
        gw_tx_packet p;
        gw_error error = gw_tx_decode(&p, &m, NULL);
        assert_int_equal(error.kind, GW_TRUNCATED);
        assert_string_equal(error.field->name, cuts[i].field);
        assert_int_equal(error.offset, cuts[i].offset);
    }
}

/* ---- building ---- */

static const uint16_t sizes[] = {0, 1, 15, 16, 17, 31, 32, 33, 255, 4095, 4096, 4097, 16383};

static uint8_t built[1 << 15];

static void expect_packet(const gw_message *m, const gw_dialect *dialect, const gw_tx_draft *draft)
{
    static uint8_t payload[GW_TX_SIZE_MAX];
    gw_tx_packet p;
    gw_error walked, error = gw_tx_decode(&p, m, dialect);

    assert_int_equal(error.kind, GW_OK);
    const char *fault = gw_cover_walk(&gw_textarossa, m, dialect, &walked);
    if (fault != NULL)
        fail_msg("%s, %zu bytes: %s", dialect->name, draft->payload_len, fault);
    assert_true(p.has_header && p.has_footer);
    assert_int_equal(p.header.packet_size, draft->payload_len);
    assert_int_equal(p.header.dest_x, draft->header.dest_x);
    assert_true(p.header.dest_addr == draft->header.dest_addr);
    assert_true(p.footer.lo == draft->footer.lo && p.footer.hi == draft->footer.hi);
    assert_int_equal(p.payload_len, draft->payload_len);
    assert_int_equal(gw_tx_copy_payload(&p, payload, sizeof payload), draft->payload_len);
    assert_memory_equal(payload, draft->payload, draft->payload_len);
    assert_int_equal((p.payload_len + p.padding) % p.word_bytes, 0);
}

static void what_is_built_is_read_back(void **state)
{
    (void)state;
    for (size_t d = 0; d < gw_textarossa.num_dialects; d++) {
        const gw_dialect *dialect = &gw_textarossa.dialects[d];
        for (size_t i = 0; i < GW_ARRAY_LEN(sizes); i++) {
            gw_tx_draft draft = tx_draft(tx_header(0), sizes[i]);
            size_t len = gw_tx_build(built, sizeof built, &draft, dialect);
            gw_message m = tx_datagram(built, len);
            assert_int_equal(
                len, gw_tx_dialect_of(dialect)->word_bytes *
                         (2 + gw_tx_words(sizes[i], gw_tx_dialect_of(dialect)->word_bytes)));
            expect_packet(&m, dialect, &draft);
            draft.edac = true;
            len = gw_tx_build_run(built, sizeof built, &draft, dialect);
            assert_int_not_equal(len, 0);
            m = tx_part(built, len, GW_TX_PART_LINK);
            m.part_arg = GW_TX_ARG_EDAC;
            expect_packet(&m, dialect, &draft);
            gw_tx_packet p;
            (void)gw_tx_decode(&p, &m, dialect);
            assert_int_equal(p.edac.status, GW_TX_EDAC_CLEAN);
        }
    }
}

static void building_refuses_what_does_not_fit(void **state)
{
    gw_tx_draft draft = tx_draft(tx_header(0), 17);

    (void)state;
    assert_int_equal(gw_tx_build(built, 64, &draft, NULL), 64);
    assert_int_equal(gw_tx_build(built, 63, &draft, NULL), 0);
    assert_int_equal(gw_tx_build_run(built, 96, &draft, NULL), 96);
    assert_int_equal(gw_tx_build_run(built, 95, &draft, NULL), 0);
    draft.payload_len = GW_TX_SIZE_MAX + 1;
    assert_int_equal(gw_tx_build(built, sizeof built, &draft, NULL), 0);
    assert_int_equal(gw_tx_build_run(built, sizeof built, &draft, NULL), 0);
    draft = tx_draft(tx_header(9), 0);
    draft.header.packet_type = GW_TX_TYPE_HEADER_ONLY;
    assert_int_equal(gw_tx_build(built, sizeof built, &draft, NULL), 16);
    assert_int_equal(gw_tx_unpack(gw_tx_load(built, 16, GW_TX_ORDER_A), GW_TX_PORT).packet_size, 9);
}

/* The published example: 16 bytes to x = 1 with EDAC on, between two idle credits (sim). */
static void the_golden_run_is_built(void **state)
{
    uint8_t expected[128];
    size_t len = gw_hex_bytes(expected, sizeof expected, RUN TX_HEADER_16 TX_DATA TX_ONES);
    uint8_t data[16];
    gw_tx_draft draft = {.header = {.dest_x = 1, .dest_addr = 0xfafbfcfd},
                         .payload = data,
                         .payload_len = gw_hex_bytes(data, sizeof data, TX_DATA),
                         .footer = gw_tx_footer_word(GW_TX_FOOTER_GENERATOR, GW_TX_PORT),
                         .edac = true};

    (void)state;
    assert_int_equal(gw_tx_build_run(built, sizeof built, &draft, NULL), len);
    assert_memory_equal(built, expected, len);
}

/* ---- byte orders ---- */

static void the_order_is_told_by_the_destination(void **state)
{
    static const char *const hex[] = {TX_SAMPLE_A, TX_SAMPLE_B, TX_SAMPLE_C};

    (void)state;
    for (int order = GW_TX_ORDER_A; order <= GW_TX_ORDER_C; order++) {
        uint8_t bytes[64];
        gw_message m = tx_datagram(bytes, gw_hex_bytes(bytes, sizeof bytes, hex[order]));
        gw_tx_packet p;
        assert_int_equal(gw_tx_detect(&m, gw_tx_dialect_of(NULL)), order);
        (void)gw_tx_decode(&p, &m, named("detect"));
        assert_int_equal(p.order, order);
        assert_int_equal(p.header.packet_size, 16);
        assert_int_equal(p.footer_kind, GW_TX_FOOTER_GENERATOR);
        assert_true(gw_tx_claims(&m));
        m.dst.port++;
        assert_int_equal(gw_tx_detect(&m, gw_tx_dialect_of(NULL)), GW_TX_ORDER_DETECT);
        assert_false(gw_tx_claims(&m));
        m.dst.port--;
        m.len = m.cap_len -= 16;
        assert_false(gw_tx_claims(&m));
    }
}

/* Padding stands at the high end of a word, which order B sends first. */
static void padding_is_where_the_word_ends(void **state)
{
    gw_tx_draft draft = tx_draft(tx_header(0), 3);
    gw_tx_packet p;

    (void)state;
    gw_message m = tx_datagram(built, gw_tx_build(built, sizeof built, &draft, named("order-b")));
    built[16] = 0x99; /* padding */
    (void)gw_tx_decode(&p, &m, named("order-b"));
    assert_int_equal(p.padding, 13);
    assert_int_equal(built[31], tx_pattern()[0]);
    assert_int_equal(built[29], tx_pattern()[2]);
    m = tx_datagram(built, gw_tx_build(built, sizeof built, &draft, named("order-c")));
    assert_int_equal(built[23], tx_pattern()[0]);
    m.cap_len = 24; /* half of the payload word: nothing that can be put in order */
    (void)gw_tx_decode(&p, &m, named("order-c"));
    assert_int_equal(p.payload_len, 0);
}

/* ---- multi-header encapsulation ---- */

static void stacked_headers_are_found(void **state)
{
    uint8_t bytes[128];
    gw_tx_gu gu;
    gw_tx_header h;
    gw_tx_packet p;
    size_t len = gw_hex_bytes(
        bytes, sizeof bytes,
        "10002000 00004080 00002ab0 983e0000 02000000 00000000 00000000 00000000 " TX_DATA
            HEADER_HLS HEADER_HLS TX_ONES);
    gw_message m = tx_datagram(bytes, len);

    (void)state;
    (void)gw_tx_decode(&p, &m, named("gu"));
    assert_true(gw_tx_gu_read(&gu, &p));
    assert_int_equal(gu.count, 2);
    assert_int_equal(gu.words, 4);
    assert_int_equal(gu.data_words, 1);
    assert_false(gu.underflow || gu.size_as_published);
    assert_true(gw_tx_gu_header(&h, &p, &gu, 1));
    assert_int_equal(h.dest_x, 1);
    assert_int_equal(h.intra_dest, 2);
    assert_int_equal(h.proc_id, 5);
    assert_int_equal(h.packet_size, 16);
    assert_false(gw_tx_gu_header(&h, &p, &gu, 2));
    /* More headers than words: the published receiver would read four billion of them. */
    bytes[16] = 4;
    (void)gw_tx_decode(&p, &m, named("gu"));
    assert_true(gw_tx_gu_read(&gu, &p));
    assert_true(gu.underflow);
    assert_int_equal(gu.data_words, 0);
    assert_false(gw_tx_gu_header(&h, &p, &gu, 0));
    /* 16 bytes and two headers, counted as the published sender counts them. */
    bytes[16] = 1;
    bytes[6] = 16 + 2;
    m.len = m.cap_len = 64;
    (void)gw_tx_decode(&p, &m, named("gu"));
    assert_true(gw_tx_gu_read(&gu, &p));
    assert_true(gu.size_as_published);
    m.len = m.cap_len = 18;
    (void)gw_tx_decode(&p, &m, named("gu"));
    assert_false(gw_tx_gu_read(&gu, &p));
}

/* Payload that is interrupted is put together again, from any byte on. */
static void stuffed_payload_is_put_together(void **state)
{
    uint8_t bytes[256], out[32];
    size_t len = gw_hex_bytes(bytes, sizeof bytes, RUN HEADER_17 TX_DATA PAIR TX_DATA PAIR TX_ONES);
    gw_message m = tx_part(bytes, len, GW_TX_PART_LINK);
    gw_tx_packet p;

    (void)state;
    (void)gw_tx_decode(&p, &m, NULL);
    assert_int_equal(p.num_credits, 2);
    assert_int_equal(gw_tx_copy_payload(&p, out, sizeof out), 17);
    assert_int_equal(out[15], 15);
    assert_int_equal(out[16], 0);
    assert_int_equal(gw_tx_copy_payload_from(&p, 15, out, sizeof out), 2);
    assert_int_equal(out[0], 15);
    assert_int_equal(gw_tx_copy_payload_from(&p, 15, out, 1), 1);
    assert_int_equal(gw_tx_copy_payload_from(&p, 17, out, sizeof out), 0);
}

/* ---- the walk's values ---- */

typedef struct seen {
    gw_sink sink;
    gw_tx_header header;
    int status, bit, order;
} seen;

static void keep(gw_sink *sink, const gw_item *item)
{
    seen *s = (seen *)sink;
    const char *name = item->field->name + strlen("textarossa.");

#define KEEP(field)                                                                                \
    if (strcmp(name, #field) == 0)                                                                 \
    s->header.field = (__typeof__(s->header.field))item->value
    KEEP(virt_chan);
    KEEP(proc_id);
    KEEP(dest_x);
    KEEP(dest_y);
    KEEP(dest_z);
    KEEP(intra_dest);
    KEEP(reserved);
    KEEP(out_of_lattice);
    KEEP(packet_type);
    KEEP(packet_size);
    KEEP(dest_addr);
    KEEP(num_of_hops);
    KEEP(edac);
#undef KEEP
    if (strcmp(name, "edac.status") == 0)
        s->status = (int)item->value;
    if (strcmp(name, "edac.bit") == 0)
        s->bit = (int)item->value;
    if (strcmp(name, "order") == 0)
        s->order = (int)item->value;
}

/* Each of the 128 bits alone, in every dialect: table and struct decoder agree on its field. */
static void each_bit_belongs_to_one_field(void **state)
{
    (void)state;
    for (size_t d = 0; d < gw_textarossa.num_dialects; d++) {
        const gw_dialect *dialect = &gw_textarossa.dialects[d];
        const gw_tx_dialect *data = gw_tx_dialect_of(dialect);
        gw_tx_order order =
            data->order == GW_TX_ORDER_DETECT ? GW_TX_ORDER_A : (gw_tx_order)data->order;
        for (unsigned bit = 0; bit < 128; bit++) {
            uint8_t bytes[GW_TX_WIDE_WORD];
            gw_tx_word word = {bit < 64 ? UINT64_C(1) << bit : 0,
                               bit < 64 ? 0 : UINT64_C(1) << (bit - 64)};
            seen s = {.sink = {.item = keep}};
            gw_tx_store(bytes, data->word_bytes, order, word);
            gw_message m = gw_message_of(bytes, data->word_bytes);
            (void)gw_tx_walk(&m, dialect, &s.sink);
            gw_tx_word back = gw_tx_pack(&s.header, (gw_tx_layout)data->layout);
            if (back.lo != word.lo || back.hi != word.hi)
                fail_msg("bit %u in dialect %s", bit, dialect->name);
            assert_int_equal(s.order, order);
        }
    }
}

static void a_corrected_bit_is_shown(void **state)
{
    gw_tx_draft draft = tx_draft(tx_header(0), 16);
    seen s = {.sink = {.item = keep}};

    (void)state;
    draft.edac = true;
    gw_message m =
        tx_part(built, gw_tx_build_run(built, sizeof built, &draft, NULL), GW_TX_PART_LINK);
    built[32 + 6] ^= 0x20; /* size, bit 53 */
    gw_error error = gw_tx_walk(&m, NULL, &s.sink);
    assert_int_equal(error.kind, GW_OK);
    assert_int_equal(s.header.packet_size, 48);
    assert_int_equal(s.status, GW_TX_EDAC_CORRECTED);
    assert_int_equal(s.bit, 53);
    error = gw_tx_walk(&m, named("rtl"), &s.sink); /* and there goes its framing */
    assert_int_equal(error.kind, GW_TRUNCATED);
    /* In a datagram those bits are side band. */
    m = tx_datagram(built + 32, m.len - 32);
    (void)gw_tx_walk(&m, NULL, &s.sink);
    assert_int_equal(s.status, GW_TX_EDAC_OFF);
}

/* ---- the payload as memory has it ---- */

typedef struct payload_seen {
    gw_sink sink;
    unsigned times;
    uint32_t len;
    uint8_t bytes[GW_TX_PAYLOAD_MAX];
} payload_seen;

static void keep_payload(gw_sink *sink, const gw_item *item)
{
    payload_seen *s = (payload_seen *)sink;

    if (strcmp(item->field->name, "textarossa.payload_memory") != 0)
        return;
    s->times++;
    s->len = item->bits / 8;
    assert_true(s->len <= sizeof(s->bytes));
    memcpy(s->bytes, item->bytes, s->len);
}

/* Shown where a message has it in another order, up to the longest packet; what is longer than any
 * may be is not put together. */
static void a_payload_in_another_order_is_shown_as_in_memory(void **state)
{
    static const struct {
        const char *dialect;
        size_t len;
        unsigned times;
    } packets[] = {
        {"strict", 32, 0},
        {"order-b", 1, 1},
        {"order-b", GW_TX_PAYLOAD_MAX, 1},
        {"order-b", GW_TX_PAYLOAD_MAX + 1, 0},
        {"order-c", GW_TX_PAYLOAD_MAX, 1},
    };
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(packets); i++) {
        static payload_seen got;
        const gw_dialect *dialect = named(packets[i].dialect);
        gw_tx_draft draft = tx_draft(tx_header(0), packets[i].len);
        gw_message m = tx_datagram(built, gw_tx_build(built, sizeof built, &draft, dialect));
        got = (payload_seen){.sink = {.item = keep_payload}};
        (void)gw_tx_walk(&m, dialect, &got.sink);
        assert_int_equal(got.times, packets[i].times);
        if (got.times == 0)
            continue;
        assert_int_equal(got.len, packets[i].len);
        assert_memory_equal(got.bytes, draft.payload, got.len);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_read_as_they_were_meant),
        cmocka_unit_test(cuts_are_told_where_they_are),
        cmocka_unit_test(truncation_names_the_field_that_is_missing),
        cmocka_unit_test(what_is_built_is_read_back),
        cmocka_unit_test(building_refuses_what_does_not_fit),
        cmocka_unit_test(the_golden_run_is_built),
        cmocka_unit_test(the_order_is_told_by_the_destination),
        cmocka_unit_test(padding_is_where_the_word_ends),
        cmocka_unit_test(stacked_headers_are_found),
        cmocka_unit_test(stuffed_payload_is_put_together),
        cmocka_unit_test(each_bit_belongs_to_one_field),
        cmocka_unit_test(a_corrected_bit_is_shown),
        cmocka_unit_test(a_payload_in_another_order_is_shown_as_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
