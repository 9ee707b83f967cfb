/* SPDX-License-Identifier: BSD-2-Clause */
/* Each rule that one message can show: found broken once, in the right field, and not found in what
 * is good. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "goldwire/checksum.h"
#include "goldwire/writer.h"
#include "textarossa/internal.h"
#include "textarossa/testing/packets.h"

#define RUN TX_MAGIC TX_START

static uint8_t buf[1 << 15];

static const gw_dialect *named(const char *name)
{
    const gw_dialect *dialect = gw_dialect_by_name(&gw_textarossa, name);
    assert_non_null(dialect);
    return dialect;
}

static tx_log judge(const gw_message *m, const gw_dialect *dialect)
{
    tx_log log = tx_log_new();

    gw_tx_check(m, dialect, &log.sink);
    return log;
}

/* What is said of a datagram with |h| and |len| bytes of payload. */
static tx_log judge_built(gw_tx_header h, size_t len, const char *dialect)
{
    gw_tx_draft draft = tx_draft(h, len);
    gw_message m = tx_datagram(buf, gw_tx_build(buf, sizeof buf, &draft, named(dialect)));

    m.src = m.dst;
    m.src.ip[3] = 9;
    return judge(&m, named(dialect));
}

#define EXPECT(log_, rules_)                                                                       \
    do {                                                                                           \
        tx_log log_taken = (log_);                                                                 \
        assert_string_equal(log_taken.rules, rules_);                                              \
    } while (0)

static void good_packets_are_not_blamed(void **state)
{
    (void)state;
    for (size_t d = 0; d < gw_textarossa.num_dialects; d++) {
        const gw_dialect *dialect = &gw_textarossa.dialects[d];
        if (strcmp(dialect->name, "gu") == 0)
            continue; /* the pattern holds no headers */
        static const size_t sizes[] = {0, 1, 16, 17, 1408};
        for (size_t i = 0; i < GW_ARRAY_LEN(sizes); i++) {
            if (gw_tx_dialect_of(dialect)->order != GW_TX_ORDER_DETECT)
                EXPECT(judge_built(tx_header(0), sizes[i], dialect->name), "");
            gw_tx_draft draft = tx_draft(tx_header(0), sizes[i]);
            draft.edac = true;
            gw_message m =
                tx_part(buf, gw_tx_build_run(buf, sizeof buf, &draft, dialect), GW_TX_PART_LINK);
            m.part_arg = GW_TX_ARG_EDAC;
            EXPECT(judge(&m, dialect), "");
        }
    }
}

static void headers_are_judged(void **state)
{
    gw_tx_header h = tx_header(0);

    (void)state;
    EXPECT(judge_built(h, 4097, "rtl"), "N5 E3");
    h.virt_chan = 2;
    EXPECT(judge_built(h, 1, "strict"), "E5");
    h.virt_chan = 0x1f;
    EXPECT(judge_built(h, 1, "strict"), "E5");
    h.virt_chan = GW_TX_LAST_VC1;
    EXPECT(judge_built(h, 1, "strict"), "");
    h.reserved = 1;
    EXPECT(judge_built(h, 1, "strict"), "E6");
    h.reserved = 0;
    h.num_of_hops = 1023;
    EXPECT(judge_built(h, 1, "strict"), "E6");
    h.num_of_hops = 0;
    h.proc_id = 128;
    EXPECT(judge_built(h, 1, "strict"), "E7");
    h.proc_id = 127;
    h.packet_type = 0x1e;
    EXPECT(judge_built(h, 0, "strict"), "E8");
    EXPECT(judge_built(h, 0, "rtl"), "");
    h.packet_type = GW_TX_TYPE_HEADER_ONLY | GW_TX_TYPE_ETH;
    EXPECT(judge_built(h, 0, "strict"), "");
    h.packet_size = 4;
    EXPECT(judge_built(h, 0, "strict"), "E8");
}

/* Whoever delivers a bounced packet marks it, and what was sent is not in every capture. */
static void a_mark_is_judged_where_nobody_delivers(void **state)
{
    gw_tx_header h = tx_header(0);

    (void)state;
    h.out_of_lattice = 1;
    EXPECT(judge_built(h, 1, "strict"), "");
    gw_tx_draft draft = tx_draft(h, 1);
    draft.edac = true;
    gw_message m = tx_part(buf, gw_tx_build_run(buf, sizeof buf, &draft, NULL), GW_TX_PART_LINK);
    m.part_arg = GW_TX_ARG_EDAC;
    EXPECT(judge(&m, NULL), "E6");
}

static void findings_point_at_their_field(void **state)
{
    gw_tx_header h = tx_header(0);

    (void)state;
    h.num_of_hops = 1;
    static const struct {
        const char *dialect;
        uint32_t offset;
    } places[] = {{"strict", 13}, {"order-b", 1}, {"order-c", 9}, {"hls", 1}, {"wide", 13}};
    for (size_t i = 0; i < GW_ARRAY_LEN(places); i++) {
        tx_log log = judge_built(h, 1, places[i].dialect);
        assert_string_equal(log.rules, "E6");
        assert_string_equal(log.last.field->name, "textarossa.num_of_hops");
        assert_int_equal(log.last.offset, places[i].offset);
    }
}

static void upper_halves_are_zero(void **state)
{
    static const struct {
        const char *dialect;
        unsigned place;
    } words[] = {{"wide", 31}};
    gw_tx_draft draft = tx_draft(tx_header(0), 4);

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(words); i++) {
        const gw_dialect *dialect = named(words[i].dialect);
        gw_message m = tx_datagram(buf, gw_tx_build(buf, sizeof buf, &draft, dialect));
        buf[words[i].place] = 1;
        tx_log log = judge(&m, dialect);
        assert_string_equal(log.rules, "E8");
        assert_int_equal(log.last.offset, words[i].place);
    }
}

/* ---- datagrams ---- */

static void lengths_have_to_fit(void **state)
{
    gw_tx_draft draft = tx_draft(tx_header(0), 17);
    uint32_t len = (uint32_t)gw_tx_build(buf, sizeof buf, &draft, NULL);
    gw_message m = tx_datagram(buf, len);

    (void)state;
    m.len = m.cap_len = len - 16; /* 49 bytes would be a packet without padding */
    EXPECT(judge(&m, NULL), "N1");
    m.len = m.cap_len = 7;
    EXPECT(judge(&m, NULL), "N1");
    m.len = m.cap_len = len + 1;
    EXPECT(judge(&m, NULL), "N1");
    m.len = len;
    m.cap_len = 30; /* by the capture */
    EXPECT(judge(&m, NULL), "");
    m.cap_len = m.len = len - 16;
    m.transport = GW_OVER_NOTHING;
    EXPECT(judge(&m, NULL), "E2");
    EXPECT(judge_built(tx_header(0), 1440, "strict"), ""); /* exactly 1480: sources disagree */
    EXPECT(judge_built(tx_header(0), 1441, "strict"), "N5");
}

static void headers_name_their_datagrams_ends(void **state)
{
    gw_tx_draft draft = tx_draft(tx_header(0), 16);
    gw_message good = tx_datagram(buf, gw_tx_build(buf, sizeof buf, &draft, NULL));
    gw_message m = good;

    (void)state;
    EXPECT(judge(&m, NULL), "");
    m.src.port = 1000;
    EXPECT(judge(&m, NULL), "N2");
    m = good;
    m.dst.port = m.src.port = 1000;
    EXPECT(judge(&m, NULL), "N2");
    m = good;
    m.dst.ip[0] = 10;
    EXPECT(judge(&m, NULL), "N2");
}

/* Ports, addresses and lengths of a tunnel are no part of the format. */
static void a_tunnels_datagrams_are_no_port_of_the_board(void **state)
{
    gw_tx_header h = tx_header(0);
    gw_tx_draft draft = tx_draft(h, 1441);
    gw_message m = tx_datagram(buf, gw_tx_build(buf, sizeof buf, &draft, NULL));

    (void)state;
    m.src.port = 1000;
    EXPECT(judge(&m, NULL), "N2 N5");
    m.tunnel = true;
    EXPECT(judge(&m, NULL), "");
    h.out_of_lattice = 1; /* a router that delivers may send it */
    draft = tx_draft(h, 1441);
    (void)gw_tx_build(buf, sizeof buf, &draft, NULL);
    EXPECT(judge(&m, NULL), "");
}

/* A word that was read the wrong way round gets one hint, and nothing else is said of it. */
static void misread_orders_are_hinted_at(void **state)
{
    uint8_t bytes[64];
    gw_message m = tx_datagram(bytes, gw_hex_bytes(bytes, sizeof bytes, TX_SAMPLE_B));

    (void)state;
    EXPECT(judge(&m, NULL), "N13");
    EXPECT(judge(&m, named("order-b")), "");
    EXPECT(judge(&m, named("detect")), "");
    gw_hex_bytes(bytes, sizeof bytes, TX_SAMPLE_C);
    EXPECT(judge(&m, NULL), "N13");
    EXPECT(judge(&m, named("order-b")), "N13");
    gw_hex_bytes(bytes, sizeof bytes, TX_SAMPLE_A);
    EXPECT(judge(&m, NULL), "");
    EXPECT(judge(&m, named("order-c")), "N13");
    gw_tx_draft draft = tx_draft(tx_header(0), 16);
    m = tx_datagram(buf, gw_tx_build(buf, sizeof buf, &draft, named("hls")));
    tx_log log = judge(&m, NULL);
    assert_string_equal(log.rules, "N2 N2 E1");
    EXPECT(judge(&m, named("hls")), "");
}

/* The IP and UDP headers of the published capture. */
static size_t lower_layers(uint8_t *out, const gw_message *m)
{
    size_t len =
        gw_hex_bytes(out, 64, "4500004c 00000000 80110000 c0a80003 c0a80002 fa62fa62 00380000");

    gw_store_be(out + 2, 28 + m->len, 2);
    gw_store_be(out + 24, 8 + m->len, 2);
    gw_store_be(out + 10, gw_inet_fold(gw_inet_sum(0, out, 20)), 2);
    return len;
}

static void carriers_are_judged(void **state)
{
    static const struct {
        unsigned at;
        uint8_t value;
        const char *rules;
    } faults[] = {{1, 4, "N3"},     /* TOS */
                  {8, 64, "N3"},    /* TTL */
                  {10, 0xde, "N3"}, /* checksum */
                  {26, 1, "N3"},    /* UDP checksum */
                  {25, 9, "N4"}};   /* UDP length */
    uint8_t headers[64] = {0};
    gw_tx_draft draft = tx_draft(tx_header(0), 16);
    gw_message m = tx_datagram(buf, gw_tx_build(buf, sizeof buf, &draft, NULL));

    (void)state;
    m.lower = headers;
    m.lower_len = (uint16_t)lower_layers(headers, &m);
    EXPECT(judge(&m, NULL), "");
    for (size_t i = 0; i < GW_ARRAY_LEN(faults); i++) {
        (void)lower_layers(headers, &m);
        headers[faults[i].at] = faults[i].value;
        if (faults[i].at < 10) {
            headers[10] = headers[11] = 0;
            gw_store_be(headers + 10, gw_inet_fold(gw_inet_sum(0, headers, 20)), 2);
        }
        EXPECT(judge(&m, NULL), faults[i].rules);
    }
    (void)lower_layers(headers, &m);
    memmove(headers + 24, headers + 20, 8); /* an option */
    memset(headers + 20, 1, 4);
    headers[0] = 0x46;
    headers[3] = (uint8_t)(headers[3] + 4);
    headers[10] = headers[11] = 0;
    gw_store_be(headers + 10, gw_inet_fold(gw_inet_sum(0, headers, 24)), 2);
    m.lower_len = 32;
    EXPECT(judge(&m, NULL), "N3");
    m.lower_len = 27; /* too short to be looked at */
    EXPECT(judge(&m, NULL), "");
}

static void encapsulations_are_judged(void **state)
{
    uint8_t payload[48] = {1};
    gw_tx_draft draft = {.header = tx_header(0), .payload = payload, .payload_len = 48};
    gw_message m = tx_datagram(buf, gw_tx_build(buf, sizeof buf, &draft, NULL));

    (void)state;
    EXPECT(judge(&m, named("gu")), "");
    buf[16] = 3;
    EXPECT(judge(&m, named("gu")), "E13");
    EXPECT(judge(&m, NULL), "");
    payload[0] = 1;
    draft.payload_len = 34;
    m = tx_datagram(buf, gw_tx_build(buf, sizeof buf, &draft, NULL));
    EXPECT(judge(&m, named("gu")), "E13");
}

/* ---- links ---- */

static tx_log judge_part(const char *hex, uint8_t part, uint32_t arg, const char *dialect)
{
    gw_message m = tx_part(buf, gw_hex_bytes(buf, sizeof buf, hex), part);

    m.part_arg = arg;
    return judge(&m, named(dialect));
}

static tx_log judge_run(const char *hex)
{
    return judge_part(hex, GW_TX_PART_LINK, GW_TX_ARG_EDAC, "strict");
}

static void runs_are_judged(void **state)
{
    (void)state;
    EXPECT(judge_run(RUN TX_HEADER_16 TX_DATA TX_ONES), "");
    EXPECT(judge_run(RUN TX_HEADER_16 TX_MAGIC TX_CREDIT TX_DATA TX_ONES), "");
    EXPECT(judge_run(RUN TX_HEADER_16 TX_DATA), "E2");
    EXPECT(judge_run(RUN TX_HEADER_16 TX_DATA TX_ONES TX_DATA), "E2");
    EXPECT(judge_run(TX_START TX_HEADER_16 TX_DATA TX_ONES), "L1");
    EXPECT(judge_run(TX_MAGIC TX_CREDIT TX_START TX_HEADER_16 TX_DATA TX_ONES), "L1");
    EXPECT(judge_run(TX_MAGIC TX_MAGIC TX_START TX_HEADER_16 TX_DATA TX_ONES), "L1");
    EXPECT(judge_run(RUN TX_HEADER_16 TX_MAGIC TX_DATA TX_DATA TX_ONES), "L3");
}

/* The simulated packet of 64 bytes whose second word equals MAGIC: the word after it goes for a
 * credit, and the credit after the packet for its footer (sim C). */
static void a_magic_in_the_payload_is_seen(void **state)
{
    gw_tx_draft draft = tx_draft(tx_header(0), 64);
    uint8_t payload[64];

    (void)state;
    memcpy(payload, tx_pattern(), sizeof payload);
    gw_hex_bytes(payload + 16, 16, TX_MAGIC);
    draft.payload = payload;
    draft.edac = true;
    draft.footer = gw_tx_footer_word(GW_TX_FOOTER_GENERATOR, GW_TX_PORT);
    size_t len = gw_tx_build_run(buf, sizeof buf, &draft, NULL);
    len += gw_hex_bytes(buf + len, 16, TX_CREDIT);
    len += gw_hex_bytes(buf + len, 16, TX_CREDIT);
    gw_message m = tx_part(buf, len, GW_TX_PART_LINK);
    EXPECT(judge(&m, NULL), "L3 E15");
    EXPECT(judge(&m, named("rtl")), "L3");
    /* Twice in a row, the one escape that a receiver knows. */
    EXPECT(judge_part(
               RUN
               "10000000 00002000 00000000 00000000 " TX_MAGIC TX_MAGIC TX_CREDIT TX_DATA TX_ONES,
               GW_TX_PART_LINK, 0, "strict"),
           "E15");
}

static void check_bytes_are_judged(void **state)
{
    (void)state;
    /* bit 21, and bits 21 and 100 (sim D) */
    tx_log log = judge_run(RUN "00000000 00001040 3fffbe3e 00000000 " TX_DATA TX_ONES);
    assert_string_equal(log.rules, "L6");
    assert_string_equal(log.last.field->name, "textarossa.edac");
    assert_int_equal(log.last.offset, 47);
    EXPECT(judge_run(RUN "00000000 00001040 3fffbe3e 10000000 " TX_DATA TX_ONES), "L6");
    /* made without EDAC, and nothing says that there should be one */
    EXPECT(judge_part(RUN "00002000 00000140 3fffbe3e 00000000 " TX_DATA TX_ONES, GW_TX_PART_LINK,
                      0, "strict"),
           "");
    EXPECT(judge_part(RUN "00002000 00000140 3fffbe3e 00000000 " TX_DATA TX_ONES, GW_TX_PART_LINK,
                      GW_TX_ARG_EDAC, "strict"),
           "L6");
}

static void header_only_packets_do_not_end(void **state)
{
    static const char alone[] = RUN "b0002000 40800080 00002ab0 983e0000 ";
    static const char ended[] =
        RUN "b0002000 40800080 00002ab0 983e0000 " TX_MAGIC TX_CREDIT TX_HEADER_16;

    (void)state;
    EXPECT(judge_part(alone, GW_TX_PART_LINK, 0, "strict"), "");
    EXPECT(judge_part(alone, GW_TX_PART_LINK, 0, "rtl"), "E2 E14");
    EXPECT(judge_part(ended, GW_TX_PART_LINK, 0, "rtl"), "E14");
}

static void credits_are_judged(void **state)
{
    (void)state;
    EXPECT(judge_part(TX_CREDIT TX_CREDIT_5, GW_TX_PART_IDLE, GW_TX_ARG_EDAC, "strict"), "");
    EXPECT(judge_part(TX_CREDIT TX_DATA TX_DATA, GW_TX_PART_IDLE, 0, "strict"), "L4");
    EXPECT(judge_part("40400001 01000000 00000000 0000004c ", GW_TX_PART_IDLE, 0, "strict"), "L6");
    EXPECT(judge_part("40400001 01000000 00000000 00000000 ", GW_TX_PART_IDLE, 0, "strict"), "");
    EXPECT(judge_part("40400001 01000000 00000000 00000000 ", GW_TX_PART_IDLE, GW_TX_ARG_EDAC,
                      "strict"),
           ""); /* made no longer */
    EXPECT(judge_part(TX_CREDIT TX_MAGIC, GW_TX_PART_IDLE, 0, "strict"), "L1");
    EXPECT(judge_part(TX_DATA, GW_TX_PART_STRAY, 0, "strict"), "");
}

/* ---- the table ---- */

static void every_id_is_there_once(void **state)
{
    static const struct {
        char family;
        unsigned count;
    } families[] = {{'E', 15}, {'L', 15}, {'S', 11}, {'N', 14}, {'R', 4}};
    size_t total = 0;

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(families); i++) {
        for (unsigned n = 1; n <= families[i].count; n++) {
            char id[16];
            gw_text t = gw_text_over(id, sizeof id);
            char prefix[] = {'T', 'X', '-', families[i].family, '\0'};
            gw_text_str(&t, prefix);
            gw_text_dec(&t, n);
            const gw_rule *rule = gw_format_rule(&gw_textarossa, id);
            if (rule == NULL) {
                fail_msg("%s is not there", id);
                return;
            }
            assert_int_equal(rule->text[strlen(rule->text) - 1], '.');
            assert_int_not_equal(rule->scope, 0);
            total++;
        }
    }
    assert_int_equal(gw_textarossa.num_rules, total);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_packets_are_not_blamed),
        cmocka_unit_test(headers_are_judged),
        cmocka_unit_test(a_mark_is_judged_where_nobody_delivers),
        cmocka_unit_test(findings_point_at_their_field),
        cmocka_unit_test(upper_halves_are_zero),
        cmocka_unit_test(lengths_have_to_fit),
        cmocka_unit_test(headers_name_their_datagrams_ends),
        cmocka_unit_test(a_tunnels_datagrams_are_no_port_of_the_board),
        cmocka_unit_test(misread_orders_are_hinted_at),
        cmocka_unit_test(carriers_are_judged),
        cmocka_unit_test(encapsulations_are_judged),
        cmocka_unit_test(runs_are_judged),
        cmocka_unit_test(a_magic_in_the_payload_is_seen),
        cmocka_unit_test(check_bytes_are_judged),
        cmocka_unit_test(header_only_packets_do_not_end),
        cmocka_unit_test(credits_are_judged),
        cmocka_unit_test(every_id_is_there_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
