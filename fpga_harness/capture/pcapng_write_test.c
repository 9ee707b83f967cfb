/* SPDX-License-Identifier: BSD-2-Clause */
/* What the writer writes: known bytes, and frames that our reader and libpcap give back. */
#include "testing.h"

#include <pcap/pcap.h>
#include <stdlib.h>

#include "pcapng.h"

/* A writer into memory. */
typedef struct memory {
    FILE *file;
    char *bytes;
    size_t len;
    gw_pcapng_writer *w;
} memory;

static void begin(memory *m, const char *application)
{
    m->file = open_memstream(&m->bytes, &m->len);
    assert_non_null(m->file);
    m->w = gw_pcapng_create(m->file, application);
    assert_non_null(m->w);
}

static void finish(memory *m)
{
    assert_true(gw_pcapng_close(m->w));
    (void)fclose(m->file);
}

static gw_frame frame_of(const char *data, int64_t time_ns)
{
    return (gw_frame){
        .data = (const uint8_t *)data,
        .cap_len = (uint32_t)strlen(data),
        .len = (uint32_t)strlen(data),
        .time_ns = time_ns,
    };
}

static void known_bytes(void **state)
{
    static const char expected[] = /* section, userappl "gw" */
        "\x0a\x0d\x0d\x0a\x28\0\0\0\x4d\x3c\x2b\x1a\x01\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"
        "\x04\0\x02\0gw\0\0\0\0\0\0\x28\0\0\0"
        /* interface, name "a", description "bcde", nanoseconds */
        "\x01\0\0\0\x30\0\0\0\x93\0\0\0\0\0\0\0\x02\0\x01\0a\0\0\0\x03\0\x04\0bcde"
        "\x09\0\x01\0\x09\0\0\0\0\0\0\0\x30\0\0\0"
        /* packet of 3 bytes, comment "hi", outbound */
        "\x06\0\0\0\x38\0\0\0\0\0\0\0\x15\xcd\x5b\x07\xb1\x68\xde\x3a\x03\0\0\0\x09\0\0\0xyz\0"
        "\x01\0\x02\0hi\0\0\x02\0\x04\0\x02\0\0\0\0\0\0\0\x38\0\0\0"
        /* packet of 4 bytes, nothing else */
        "\x06\0\0\0\x24\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x04\0\0\0\x04\0\0\0wxyz\x24\0\0\0";
    memory m;

    (void)state;
    begin(&m, "gw");
    assert_int_equal(gw_pcapng_interface(m.w, 147, "a", "bcde"), 0);
    gw_frame frame = frame_of("xyz", INT64_C(0x075bcd153ade68b1));
    frame.len = 9;
    frame.comment = "hi";
    frame.dir = GW_DIR_OUT;
    assert_true(gw_pcapng_frame(m.w, &frame));
    frame = frame_of("wxyz", 1);
    assert_true(gw_pcapng_frame(m.w, &frame));
    finish(&m);
    assert_int_equal(m.len, sizeof(expected) - 1);
    assert_memory_equal(m.bytes, expected, m.len);
    free(m.bytes);
}

static void what_was_lost_is_told(void **state)
{
    static const char expected[] = "\x05\0\0\0\x28\0\0\0\0\0\0\0\x15\xcd\x5b\x07\xb1\x68\xde\x3a"
                                   "\x05\0\x08\0\x0b\x0a\0\0\0\0\0\0\0\0\0\0\x28\0\0\0";
    const size_t block = sizeof(expected) - 1;
    test_reader r;
    gw_frame frame;
    memory m;

    (void)state;
    begin(&m, NULL);
    assert_int_equal(gw_pcapng_interface(m.w, 147, "a", NULL), 0);
    assert_true(gw_pcapng_dropped(m.w, 0, INT64_C(0x075bcd153ade68b1), 0xa0b));
    assert_false(gw_pcapng_dropped(m.w, 1, 0, 0));
    assert_false(gw_pcapng_close(m.w));
    (void)fclose(m.file);
    assert_memory_equal(m.bytes + m.len - block, expected, block);
    test_open(&r, m.bytes, m.len);
    assert_int_equal(gw_capture_next(r.capture, &frame), GW_CAPTURE_END);
    test_close(&r);
    free(m.bytes);
}

static void frames_come_back(void **state)
{
    static const char *const comments[] = {NULL, "", "probe", "line\nline \xe2\x82\xac", "1234"};
    memory m;
    test_reader r;
    gw_frame frame;

    (void)state;
    begin(&m, NULL);
    assert_int_equal(gw_pcapng_interface(m.w, 1, NULL, NULL), 0);
    assert_int_equal(gw_pcapng_interface(m.w, 276, "any", NULL), 1);
    for (uint32_t i = 0; i < 60; i++) {
        frame = frame_of("0123456789abcdef", INT64_C(1350000000620546123) + i);
        frame.cap_len = i % 17;
        frame.len = 16 + i;
        frame.interface = i % 2;
        frame.dir = (uint8_t)(i % 3);
        frame.comment = comments[i % 5];
        assert_true(gw_pcapng_frame(m.w, &frame));
    }
    finish(&m);

    test_open(&r, m.bytes, m.len);
    assert_non_null(r.capture);
    for (uint32_t i = 0; i < 60; i++) {
        frame = test_next(&r);
        assert_int_equal(frame.time_ns, INT64_C(1350000000620546123) + i);
        assert_int_equal(frame.cap_len, i % 17);
        assert_memory_equal(frame.data, "0123456789abcdef", i % 17);
        assert_int_equal(frame.len, 16 + i);
        assert_int_equal(frame.interface, i % 2);
        assert_int_equal(frame.link_type, i % 2 == 0 ? 1 : 276);
        assert_int_equal(frame.dir, i % 3);
        if (comments[i % 5] == NULL)
            assert_null(frame.comment);
        else
            assert_string_equal(frame.comment, comments[i % 5]);
    }
    test_end(&r);
    test_close(&r);
    free(m.bytes);
}

static void libpcap_agrees(void **state)
{
    char why[PCAP_ERRBUF_SIZE];
    struct pcap_pkthdr *header;
    const u_char *data;
    memory m;

    (void)state;
    begin(&m, "goldwire");
    assert_int_equal(gw_pcapng_interface(m.w, 1, "board", "its link"), 0);
    gw_frame frame = frame_of("some bytes", INT64_C(1350000000620546123));
    frame.comment = "a comment";
    frame.len = 1500;
    assert_true(gw_pcapng_frame(m.w, &frame));
    finish(&m);

    FILE *file = fmemopen(m.bytes, m.len, "rb");
    pcap_t *pcap = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, why);
    assert_non_null(pcap);
    assert_int_equal(pcap_datalink(pcap), DLT_EN10MB);
    assert_int_equal(pcap_next_ex(pcap, &header, &data), 1);
    assert_int_equal(header->ts.tv_sec, 1350000000);
    assert_int_equal(header->ts.tv_usec, 620546123);
    assert_int_equal(header->caplen, 10);
    assert_int_equal(header->len, 1500);
    assert_memory_equal(data, "some bytes", 10);
    assert_int_equal(pcap_next_ex(pcap, &header, &data), PCAP_ERROR_BREAK);
    pcap_close(pcap);
    free(m.bytes);
}

static void a_comment_too_long_is_cut(void **state)
{
    static char comment[70000];
    memory m;
    test_reader r;

    (void)state;
    memset(comment, 'c', sizeof(comment) - 1);
    comment[GW_PCAPNG_OPT_MAX - 2] = '\xe2'; /* a euro sign on the edge */
    comment[GW_PCAPNG_OPT_MAX - 1] = '\x82';
    comment[GW_PCAPNG_OPT_MAX] = '\xac';
    begin(&m, NULL);
    assert_int_equal(gw_pcapng_interface(m.w, 1, NULL, NULL), 0);
    gw_frame frame = frame_of("x", 0);
    frame.comment = comment;
    assert_true(gw_pcapng_frame(m.w, &frame));
    finish(&m);
    test_open(&r, m.bytes, m.len);
    assert_int_equal(strlen(test_next(&r).comment), GW_PCAPNG_OPT_MAX - 2);
    test_end(&r);
    test_close(&r);
    free(m.bytes);
}

static void a_time_before_1970_is_written_as_none(void **state)
{
    memory m;
    test_reader r;

    (void)state;
    begin(&m, NULL);
    assert_int_equal(gw_pcapng_interface(m.w, 1, NULL, NULL), 0);
    gw_frame frame = frame_of("x", -1);
    assert_true(gw_pcapng_frame(m.w, &frame));
    finish(&m);
    test_open(&r, m.bytes, m.len);
    assert_int_equal(test_next(&r).time_ns, 0);
    test_close(&r);
    free(m.bytes);
}

static void what_cannot_be_written(void **state)
{
    memory m;
    gw_frame frame = frame_of("x", 0);

    (void)state;
    begin(&m, NULL);
    assert_int_equal(gw_pcapng_interface(m.w, 0x10000, NULL, NULL), -1);
    assert_false(gw_pcapng_frame(m.w, &frame)); /* no interface yet */
    assert_false(gw_pcapng_close(m.w));
    (void)fclose(m.file);
    free(m.bytes);

    begin(&m, NULL);
    assert_int_equal(gw_pcapng_interface(m.w, 1, NULL, NULL), 0);
    frame.cap_len = 16 << 20;
    assert_false(gw_pcapng_frame(m.w, &frame)); /* more than a reader takes */
    assert_false(gw_pcapng_close(m.w));
    (void)fclose(m.file);
    free(m.bytes);
}

static void a_full_disk(void **state)
{
    gw_frame frame = frame_of("x", 0);
    FILE *file = fopen("/dev/full", "wb");

    (void)state;
    assert_non_null(file);
    gw_pcapng_writer *w = gw_pcapng_create(file, NULL);
    assert_non_null(w); /* still in the file's buffer */
    assert_int_equal(gw_pcapng_interface(w, 1, NULL, NULL), 0);
    assert_true(gw_pcapng_frame(w, &frame));
    assert_false(gw_pcapng_close(w));
    (void)setvbuf(file, NULL, _IONBF, 0);
    assert_null(gw_pcapng_create(file, NULL));
    (void)fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_bytes),
        cmocka_unit_test(what_was_lost_is_told),
        cmocka_unit_test(frames_come_back),
        cmocka_unit_test(libpcap_agrees),
        cmocka_unit_test(a_comment_too_long_is_cut),
        cmocka_unit_test(a_time_before_1970_is_written_as_none),
        cmocka_unit_test(what_cannot_be_written),
        cmocka_unit_test(a_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
