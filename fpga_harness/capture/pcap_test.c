/* SPDX-License-Identifier: BSD-2-Clause */
/* Classic pcap: every variant reads as libpcap reads it, and what libpcap would lose is kept. */
#include "testing.h"

#include <pcap/pcap.h>

#define MICRO 0xa1b2c3d4
#define NANO 0xa1b23c4d
#define PATCHED 0xa1b2cd34

static void start_file(test_file *f, bool big, uint32_t magic, uint32_t snaplen, uint32_t link)
{
    test_file_start(f, big);
    test_put(f, magic, 4);
    test_put(f, 2, 2);
    test_put(f, 4, 2);
    test_put(f, 0, 4);
    test_put(f, 0, 4);
    test_put(f, snaplen, 4);
    test_put(f, link, 4);
}

static void add_frame(test_file *f, uint32_t seconds, uint32_t fraction, uint32_t cap_len,
                      uint32_t len)
{
    test_put(f, seconds, 4);
    test_put(f, fraction, 4);
    test_put(f, cap_len, 4);
    test_put(f, len, 4);
    for (uint32_t i = 0; i < cap_len; i++)
        test_put(f, i + len, 1);
}

/* Reads |f| with libpcap alone, beside our reader. */
static void compare_with_libpcap(const test_file *f)
{
    char why[PCAP_ERRBUF_SIZE];
    FILE *file = fmemopen((void *)(uintptr_t)f->bytes, f->w.len, "rb");
    pcap_t *pcap = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, why);
    struct pcap_pkthdr *header;
    const u_char *data;
    test_reader r;

    assert_non_null(pcap);
    test_open_file(&r, f);
    assert_string_equal(type_of(r.capture), "pcap");
    while (pcap_next_ex(pcap, &header, &data) == 1) {
        gw_frame frame = test_next(&r);
        assert_int_equal(frame.cap_len, header->caplen);
        assert_int_equal(frame.len, header->len);
        assert_memory_equal(frame.data, data, header->caplen);
        assert_int_equal(frame.time_ns,
                         header->ts.tv_sec * INT64_C(1000000000) + header->ts.tv_usec);
        assert_int_equal(frame.dir, GW_DIR_UNKNOWN);
        assert_int_equal(frame.interface, 0);
        assert_null(frame.comment);
    }
    test_end(&r);
    test_close(&r);
    pcap_close(pcap);
}

static void both_orders_and_resolutions(void **state)
{
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        const bool nano = (variant & 2) != 0;
        test_file f;
        test_reader r;
        start_file(&f, (variant & 1) != 0, nano ? NANO : MICRO, 65535, 1);
        add_frame(&f, 1350000000, nano ? 620546123 : 620546, 60, 60);
        add_frame(&f, 1350000001, nano ? 999999999 : 999999, 0, 1500);
        add_frame(&f, 1350000002, 0, 61, 1500);
        compare_with_libpcap(&f);

        test_open_file(&r, &f);
        gw_frame frame = test_next(&r);
        assert_int_equal(frame.time_ns,
                         nano ? INT64_C(1350000000620546123) : INT64_C(1350000000620546000));
        assert_int_equal(frame.link_type, 1);
        assert_int_equal(frame.number, 1);
        test_close(&r);
    }
}

static void longer_record_headers(void **state)
{
    test_file f;

    (void)state;
    start_file(&f, false, PATCHED, 65535, 101);
    for (uint32_t i = 0; i < 3; i++) {
        test_put(&f, i, 4);
        test_put(&f, 0, 4);
        test_put(&f, 2, 4);
        test_put(&f, 2, 4);
        test_put(&f, 0, 8); /* interface, protocol, packet type */
        test_put(&f, i, 2);
    }
    compare_with_libpcap(&f);
    test_put(&f, 0, 4);

    test_reader r;
    gw_capture_status status;
    test_open_file(&r, &f);
    assert_int_equal(test_count(&r, &status), 3);
    assert_int_equal(status, GW_CAPTURE_BROKEN);
    /* 24 + 3 * 26 */
    assert_ptr_equal(strstr(gw_capture_error(r.capture), "byte 102: truncated"),
                     gw_capture_error(r.capture));
    test_close(&r);
}

static void link_types_are_the_files_own(void **state)
{
    /* libpcap would say 12 for raw IP here, and 12 is what some systems wrote. */
    static const struct {
        uint32_t in_file;
        uint32_t expected;
    } links[] = {{101, 101}, {12, 101}, {228, 228}, {276, 276}, {147, 147}, {0x90000001, 1}};

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(links); i++) {
        test_file f;
        test_reader r;
        start_file(&f, true, MICRO, 0, links[i].in_file);
        add_frame(&f, 1, 2, 3, 4);
        test_open_file(&r, &f);
        assert_int_equal(test_next(&r).link_type, links[i].expected);
        test_close(&r);
    }
}

static void a_wrong_snap_length_cuts_nothing(void **state)
{
    test_file f;
    test_reader r;

    (void)state;
    start_file(&f, false, MICRO, 10, 1);
    add_frame(&f, 1, 2, 100, 200);
    test_open_file(&r, &f);
    gw_frame frame = test_next(&r);
    assert_int_equal(frame.cap_len, 100);
    assert_int_equal(frame.len, 200);
    assert_int_equal(frame.data[99], (99 + 200) & 0xff);
    test_end(&r);
    test_close(&r);
}

static void times_go_on_after_2038(void **state)
{
    test_file f;
    test_reader r;

    (void)state;
    start_file(&f, false, MICRO, 65535, 1);
    add_frame(&f, 0xffffffff, 999999, 1, 1);
    test_open_file(&r, &f);
    assert_int_equal(test_next(&r).time_ns, INT64_C(4294967295999999000));
    test_close(&r);
}

static void a_length_is_never_less_than_what_was_captured(void **state)
{
    test_file f;
    test_reader r;

    (void)state;
    start_file(&f, false, MICRO, 65535, 1);
    add_frame(&f, 1, 2, 60, 20);
    test_open_file(&r, &f);
    assert_int_equal(test_next(&r).len, 60);
    test_close(&r);
}

static void an_absurd_frame_is_refused(void **state)
{
    test_file f;
    test_reader r;

    (void)state;
    start_file(&f, false, MICRO, 65535, 231); /* D-Bus: libpcap would take 128 MiB */
    add_frame(&f, 1, 2, 4, 4);
    test_put(&f, 0, 8);
    test_put(&f, 0x7fffffff, 4);
    test_put(&f, 0x7fffffff, 4);
    test_open_file(&r, &f);
    (void)test_next(&r);
    test_broken(&r, "byte 44: invalid packet capture length 2147483647, bigger than snaplen of "
                    "262144");
    test_close(&r);
}

static void a_header_that_does_not_hold(void **state)
{
    test_file f;
    test_reader r;

    (void)state;
    start_file(&f, false, MICRO, 65535, 1);
    f.bytes[4] = 9;
    test_open_file(&r, &f);
    test_broken(&r, "byte 0: unsupported pcap savefile version 9.4");
    test_close(&r);
}

static void every_cut(void **state)
{
    test_file f;
    const size_t ends[] = {24, 24 + 16 + 60, 24 + 16 + 60 + 16, 24 + 16 + 60 + 16 + 16 + 7};
    const unsigned frames[] = {0, 1, 2, 3};

    (void)state;
    start_file(&f, true, NANO, 65535, 1);
    add_frame(&f, 1, 2, 60, 60);
    add_frame(&f, 3, 4, 0, 60);
    add_frame(&f, 5, 6, 7, 60);
    test_every_cut(&f, 4, ends, frames, GW_ARRAY_LEN(ends));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_orders_and_resolutions),
        cmocka_unit_test(longer_record_headers),
        cmocka_unit_test(link_types_are_the_files_own),
        cmocka_unit_test(a_wrong_snap_length_cuts_nothing),
        cmocka_unit_test(times_go_on_after_2038),
        cmocka_unit_test(a_length_is_never_less_than_what_was_captured),
        cmocka_unit_test(an_absurd_frame_is_refused),
        cmocka_unit_test(a_header_that_does_not_hold),
        cmocka_unit_test(every_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
