/* SPDX-License-Identifier: BSD-2-Clause */
/* The messages beneath a failure: those that the verdict is about and no others, or none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "evidence/exit.h"
#include "goldwire/etherbone.h"
#include "goldwire/ims.h"
#include "harness/capture.h"
#include "harness/temporary_testing.h"
#include "report/decoded.h"
#include "report/markup_testing.h"
#include "report/report.h"
#include "report/report_html.h"
#include "report/toy_testing.h"
#include "run/store.h"
#include "run/sweep.h"

#define NAME "cases/t/bad.pcapng"

static const gw_endpoint here = {.ip = {127, 0, 0, 1}, .port = 40000, .family = GW_FAMILY_IPV4};
static const gw_endpoint board = {.ip = {127, 0, 0, 2}, .port = 60368, .family = GW_FAMILY_IPV4};

typedef struct fixture {
    gw_temporary dir;
    gw_evidence evidence;
    gw_result result;
    gw_decoded decoded;
} fixture;

static void begin(fixture *f)
{
    memset(f, 0, sizeof(*f));
    f->evidence.board =
        (gw_announcement){.format = &gw_etherbone, .role = "etherbone-slave", .caller = GW_DIR_OUT};
    f->result = (gw_result){.which = &toy_cases[TOY_BAD], .verdict = GW_FAIL, .evidence = NAME};
    f->result.rule = gw_format_rule(&gw_etherbone, "EB-S04");
    assert_true(gw_temporary_folder(&f->dir));
}

static unsigned add(fixture *f, gw_direction dir, gw_evidence_kind kind, bool stream,
                    const void *bytes, size_t len)
{
    gw_evidence_packet packet = {.time_ns = 1700000000 * GW_SECOND +
                                            (int64_t)f->evidence.num_packets * GW_MS,
                                 .local = here,
                                 .remote = board,
                                 .len = (uint32_t)len,
                                 .dir = (uint8_t)dir,
                                 .kind = (uint8_t)kind,
                                 .stream = stream};
    return gw_evidence_add(&f->evidence, &packet, bytes);
}

static unsigned add_probe(fixture *f, gw_direction dir, bool stream, uint32_t id)
{
    uint8_t probe[8];
    gw_eb_build_probe(probe, dir == GW_DIR_IN, 0x44, id);
    return add(f, dir, GW_EVIDENCE_BYTES, stream, probe, sizeof(probe));
}

static void store(fixture *f)
{
    char why[256];
    if (!gw_store_packets(f->dir.path, NAME, "One", &f->evidence, why, sizeof(why)))
        fail_msg("%s", why);
}

/* What stands beneath a failure that |decided| decides, after |asked| was sent. */
static void read_about(fixture *f, unsigned decided, unsigned asked)
{
    char path[256];
    (void)snprintf(path, sizeof(path), "%s/" NAME, f->dir.path);
    f->result.packet = decided;
    f->result.decided = gw_evidence_span_of(&f->evidence, decided);
    f->result.asked = gw_evidence_span_of(&f->evidence, asked);
    gw_decoded_free(&f->decoded);
    gw_decoded_read(&f->decoded, path, &f->result);
    assert_string_equal(f->decoded.why, "");
}

/* The only message that is shown as |as|. */
static const gw_decoded_message *only(const fixture *f, unsigned as)
{
    const gw_decoded_message *found = NULL;
    for (size_t i = 0; i < f->decoded.num; i++) {
        if ((f->decoded.list[i].as & as) == 0)
            continue;
        assert_null(found);
        found = &f->decoded.list[i];
    }
    assert_non_null(found);
    assert_non_null(found->text);
    return found;
}

static void has_probe(const gw_decoded_message *m, uint32_t id)
{
    char wanted[32];
    (void)snprintf(wanted, sizeof(wanted), "probe_id = 0x%08x", id);
    if (strstr(m->text, wanted) == NULL)
        fail_msg("no %s in: %s", wanted, m->text);
}

static char *page_of(fixture *f)
{
    gw_board_file file = {0};
    gw_run run = {.results = &f->result, .num_results = 1};
    gw_run_setup setup = {.suite = &toy_suite, .board = &file, .out_dir = f->dir.path};
    gw_report report = {
        .run = &run, .setup = &setup, .where = "mem:", .call = "", .exit_code = GW_EXIT_FAIL};
    char *text = toy_written(gw_html_failures, &report);
    check_markup(text, (const char *const[]){"br", "input", "meta", NULL});
    return text;
}

static void on_page(fixture *f, const char *wanted, bool there)
{
    char *page = page_of(f);
    if ((strstr(page, wanted) != NULL) != there)
        fail_msg("%s in the page: %s\n%s", there ? "not" : "it is", wanted, page);
    free(page);
}

static void end(fixture *f)
{
    char path[256];
    gw_decoded_free(&f->decoded);
    gw_evidence_free(&f->evidence);
    (void)snprintf(path, sizeof(path), "%s/" NAME, f->dir.path);
    assert_int_equal(unlink(path), 0);
    for (char *slash = strrchr(path, '/'); slash > path + strlen(GW_TEMPORARY_PREFIX);
         slash = strrchr(path, '/')) {
        *slash = '\0';
        assert_int_equal(rmdir(path), 0);
    }
}

/* Three exchanges that look alike, and the one in the middle fails. */
static void of_many_datagrams_the_one_that_decided(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    for (uint32_t i = 1; i <= 3; i++) {
        add_probe(&f, GW_DIR_OUT, false, i);
        add_probe(&f, GW_DIR_IN, false, i + 0x10);
    }
    store(&f);
    read_about(&f, 4, 3);
    assert_int_equal(f.decoded.num, 4);
    has_probe(only(&f, GW_DECODED_IS_BEFORE), 0x11);
    has_probe(only(&f, GW_DECODED_IS_ASKED), 2);
    has_probe(only(&f, GW_DECODED_IS_DECIDED), 0x12);
    has_probe(only(&f, GW_DECODED_IS_AFTER), 3);
    assert_non_null(strstr(only(&f, GW_DECODED_IS_DECIDED)->more_text, "EB-S04 MUST @4"));
    on_page(&f, "goldwire decode " NAME " --frames 2-5", true);
    /* Ours may decide, and be the last one. */
    read_about(&f, 5, 5);
    assert_ptr_equal(only(&f, GW_DECODED_IS_DECIDED), only(&f, GW_DECODED_IS_ASKED));
    has_probe(only(&f, GW_DECODED_IS_DECIDED), 3);
    end(&f);
}

/* The field that differs is marked, there and nowhere else. */
static void the_field_that_differs_is_marked(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    add_probe(&f, GW_DIR_OUT, false, 7);
    add_probe(&f, GW_DIR_IN, false, 8);
    store(&f);
    f.result.field = gw_format_field(&gw_etherbone, "etherbone.probe_id");
    f.result.offset = 4;
    read_about(&f, 2, 1);
    char *page = page_of(&f);
    const char *mark = strstr(strstr(page, "<details"), "<mark>");
    assert_non_null(mark);
    assert_non_null(strstr(mark, "probe_id = 0x00000008"));
    assert_true(strstr(mark, "probe_id = 0x00000008") < strstr(mark, "</mark>"));
    assert_null(strstr(mark + 1, "<mark>"));
    free(page);
    end(&f);
}

/* Over TCP the opening takes three frames, and a packet is a piece of a stream: frames and packets
 * do not count alike. */
static void begin_stream(fixture *f)
{
    begin(f);
    add(f, GW_DIR_OUT, GW_EVIDENCE_OPEN, true, NULL, 0);
    add_probe(f, GW_DIR_OUT, true, 5);
    add_probe(f, GW_DIR_IN, true, 6);
}

/* A record that writes one word: four bytes of header, an address, the word. */
static void make_write(uint8_t out[12], uint32_t word)
{
    const uint8_t head[8] = {0x00, 0x0f, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00};
    memcpy(out, head, sizeof(head));
    for (unsigned i = 0; i < 4; i++)
        out[8 + i] = (uint8_t)(word >> (24 - 8 * i));
}

static void of_a_stream_the_packet_that_decided(void **state)
{
    (void)state;
    fixture f;
    begin_stream(&f);
    store(&f);
    read_about(&f, 3, 2);
    has_probe(only(&f, GW_DECODED_IS_DECIDED), 6);
    has_probe(only(&f, GW_DECODED_IS_ASKED), 5);
    assert_int_equal(only(&f, GW_DECODED_IS_DECIDED)->frame, 5);
    end(&f);
}

static void several_in_one_packet_are_told_so(void **state)
{
    (void)state;
    fixture f;
    uint8_t records[120];
    begin_stream(&f);
    for (uint32_t i = 0; i < 10; i++)
        make_write(records + 12 * (size_t)i, 0xa0 + i);
    unsigned two = add(&f, GW_DIR_IN, GW_EVIDENCE_BYTES, true, records, 24);
    unsigned ten = add(&f, GW_DIR_IN, GW_EVIDENCE_BYTES, true, records, sizeof(records));
    store(&f);
    f.result.field = gw_format_field(&gw_etherbone, "etherbone.record.wcount");
    f.result.offset = 2;
    read_about(&f, two, 2);
    assert_int_equal(f.decoded.num_decided, 2);
    on_page(&f, "gave bytes to 2 messages; which of them decided is not recorded", true);
    on_page(&f, "<h4 class=\"decided\">Carried by the packet that decided</h4>", true);
    on_page(&f, ">Decided<", false);
    on_page(&f, "<mark>     2", false);
    read_about(&f, ten, 2);
    assert_int_equal(f.decoded.num_decided, 10);
    assert_true(f.decoded.num <= GW_DECODED_MAX);
    on_page(&f, "The first 8 are shown", true);
    end(&f);
}

/* A message in three pieces is that of each of them. */
static void pieces_of_one_message_lead_to_it(void **state)
{
    (void)state;
    fixture f;
    uint8_t record[12];
    begin_stream(&f);
    make_write(record, 0xb0);
    add(&f, GW_DIR_IN, GW_EVIDENCE_BYTES, true, record, 12);
    make_write(record, 0xb1);
    unsigned first = add(&f, GW_DIR_IN, GW_EVIDENCE_BYTES, true, record, 5);
    add(&f, GW_DIR_IN, GW_EVIDENCE_BYTES, true, record + 5, 4);
    add(&f, GW_DIR_IN, GW_EVIDENCE_BYTES, true, record + 9, 3);
    make_write(record, 0xb2);
    add(&f, GW_DIR_IN, GW_EVIDENCE_BYTES, true, record, 12);
    store(&f);
    for (unsigned i = 0; i < 3; i++) {
        read_about(&f, first + i, 2);
        assert_int_equal(f.decoded.num_decided, 1);
        assert_non_null(strstr(only(&f, GW_DECODED_IS_DECIDED)->text, "0x000000b1"));
        assert_non_null(strstr(only(&f, GW_DECODED_IS_BEFORE)->text, "0x000000b0"));
        assert_non_null(strstr(only(&f, GW_DECODED_IS_AFTER)->text, "0x000000b2"));
    }
    end(&f);
}

/* A record that came byte by byte lists its first frames only. */
static void the_middle_of_a_long_message_leads_to_it(void **state)
{
    (void)state;
    fixture f;
    uint8_t record[4 + 4 + 4 * 20] = {0x00, 0x0f, 20, 0x00};
    begin_stream(&f);
    record[sizeof(record) - 1] = 0xc7;
    unsigned first = (unsigned)f.evidence.num_packets + 1;
    for (size_t i = 0; i < sizeof(record); i++)
        add(&f, GW_DIR_IN, GW_EVIDENCE_BYTES, true, record + i, 1);
    store(&f);
    for (unsigned i = 0; i < sizeof(record); i += 15) {
        read_about(&f, first + i, 2);
        assert_int_equal(f.decoded.num_decided, 1);
        assert_non_null(strstr(only(&f, GW_DECODED_IS_DECIDED)->text, "0x000000c7"));
    }
    end(&f);
}

/* The request of an answer is known to it, unless it lies hundreds of messages back. */
static void what_lies_far_back_is_not_followed(void **state)
{
    fixture f;

    (void)state;
    for (unsigned between = 100; between <= 400; between += 300) {
        begin(&f);
        add_probe(&f, GW_DIR_OUT, false, 7);
        for (unsigned i = 0; i < between; i++)
            add_probe(&f, GW_DIR_OUT, false, 1000 + i);
        unsigned decided = add_probe(&f, GW_DIR_IN, false, 7);
        for (unsigned i = 0; i < 1000; i++)
            add_probe(&f, GW_DIR_OUT, false, 2000 + i);
        store(&f);
        read_about(&f, decided, decided);
        has_probe(only(&f, GW_DECODED_IS_DECIDED), 7);
        bool known = strstr(only(&f, GW_DECODED_IS_DECIDED)->text, "answers frame 1 ") != NULL;
        assert_int_equal(known, between == 100);
        end(&f);
    }
}

/* What cannot be matched is said, and nothing is shown in its place. */
static void what_holds_no_message_is_said(void **state)
{
    (void)state;
    fixture f;
    begin_stream(&f);
    unsigned closed = add(&f, GW_DIR_IN, GW_EVIDENCE_CLOSE, true, NULL, 0);
    store(&f);
    read_about(&f, closed, 2);
    assert_int_equal(f.decoded.num_decided, 0);
    has_probe(only(&f, GW_DECODED_IS_ASKED), 5);
    on_page(&f, "is a connection's end: it holds no message", true);
    on_page(&f, "class=\"decided\"", false);
    read_about(&f, 1, 0);
    on_page(&f, "is a connection's opening: it holds no message", true);
    read_about(&f, 0, 2);
    on_page(&f, "No packet decided", true);
    on_page(&f, "<h4>Sent</h4>", true);
    /* Nothing of a stream, and a packet behind which others were not kept. */
    unsigned empty = add(&f, GW_DIR_IN, GW_EVIDENCE_BYTES, true, NULL, 0);
    store(&f);
    read_about(&f, empty, 2);
    on_page(&f, "Packet 5, which decided, holds no message", true);
    on_page(&f, "class=\"decided\"", false);
    unsigned last = add_probe(&f, GW_DIR_IN, false, 9);
    f.evidence.overflow = true;
    store(&f);
    read_about(&f, last, 2);
    assert_int_equal(f.decoded.num, 0);
    on_page(&f, "More packets came than are kept", true);
    on_page(&f, "0x00000009", false);
    /* An earlier packet is what it says. */
    read_about(&f, 3, 2);
    has_probe(only(&f, GW_DECODED_IS_DECIDED), 6);
    end(&f);
}

/* Bytes of a board's are text, whatever they spell. */
static void what_a_board_smuggles_is_text(void **state)
{
    (void)state;
    static const uint8_t mean[] = "<script>\"'&\x1b[31m</pre>";
    fixture f;
    begin(&f);
    f.evidence.board = (gw_announcement){.format = &gw_ims, .role = "ims-worker"};
    uint8_t packet[12 + sizeof(mean) - 1 + 4] = {0x2a, 0, 0xff, 0xff};
    memcpy(packet + 12, mean, sizeof(mean) - 1);
    add(&f, GW_DIR_IN, GW_EVIDENCE_BYTES, false, packet, sizeof(packet));
    memset(packet + 12, '<', sizeof(mean) - 1);
    add(&f, GW_DIR_IN, GW_EVIDENCE_BYTES, false, packet, sizeof(packet));
    store(&f);
    read_about(&f, 2, 0);
    on_page(&f, "<script", false);
    on_page(&f, "&lt;&lt;&lt;&lt;", true);
    on_page(&f, "\x1b", false);
    end(&f);
}

/* The field that matters is shown however far behind it lies, and what is left out is counted. */
static void a_long_message_is_cut_around_its_field(void **state)
{
    (void)state;
    fixture f;
    uint8_t packet[8 + 8 + 4 * 255] = {0x4e, 0x6f, 0x10, 0x44, 0, 0, 0, 0, 0x00, 0x0f, 255, 0x00};
    begin(&f);
    for (unsigned i = 0; i < 255; i++)
        packet[16 + 4 * i + 3] = (uint8_t)i;
    add(&f, GW_DIR_IN, GW_EVIDENCE_BYTES, false, packet, sizeof(packet));
    store(&f);
    f.result.field = gw_format_field(&gw_etherbone, "etherbone.write.value");
    assert_non_null(f.result.field);
    f.result.offset = 16 + 4 * 200;
    read_about(&f, 1, 0);
    on_page(&f, "<mark>   816", true);
    on_page(&f, "0x000000c8", true);
    on_page(&f, "0x00000002", true);
    on_page(&f, "0x00000096", false);
    on_page(&f, " lines\n", true);
    end(&f);
}

/* Without a file nothing is claimed. */
static void a_file_that_is_lost_is_said(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    add_probe(&f, GW_DIR_IN, false, 1);
    store(&f);
    read_about(&f, 1, 0);
    (void)snprintf(f.result.evidence, sizeof(f.result.evidence), "cases/t/none.pcapng");
    on_page(&f, "The file could not be read to its end", true);
    on_page(&f, "class=\"decided\"", false);
    f.result.evidence[0] = '\0';
    on_page(&f, "<dt>Decoded", false);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_many_datagrams_the_one_that_decided),
        cmocka_unit_test(the_field_that_differs_is_marked),
        cmocka_unit_test(of_a_stream_the_packet_that_decided),
        cmocka_unit_test(several_in_one_packet_are_told_so),
        cmocka_unit_test(pieces_of_one_message_lead_to_it),
        cmocka_unit_test(the_middle_of_a_long_message_leads_to_it),
        cmocka_unit_test(what_lies_far_back_is_not_followed),
        cmocka_unit_test(what_holds_no_message_is_said),
        cmocka_unit_test(what_a_board_smuggles_is_text),
        cmocka_unit_test(a_long_message_is_cut_around_its_field),
        cmocka_unit_test(a_file_that_is_lost_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
