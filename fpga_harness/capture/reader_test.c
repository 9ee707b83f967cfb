/* SPDX-License-Identifier: BSD-2-Clause */
/* Opening: what a person reads when a file is no capture, and captures from a pipe. */
#include "harness/temporary_testing.h"
#include "testing.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define UNPRIVILEGED 65534

static void expect_refusal(const char *path, const char *text)
{
    char why[256] = "";

    assert_null(gw_capture_open(path, why, sizeof(why)));
    assert_string_equal(why, text);
}

static void refusals(void **state)
{
    (void)state;
    expect_refusal("/nonexistent/x.pcap", "/nonexistent/x.pcap: no such file");
    expect_refusal("/", "/: is a directory; name a capture file in it");
    expect_refusal("/dev/null", "/dev/null: is empty; a capture has at least a header");
    expect_refusal("/dev/zero", "/dev/zero: first bytes 0000000000000000, not pcap, pcapng or ERF; "
                                "if Wireshark opens it, editcap -F pcapng converts it");
    expect_refusal("", ": no such file");
    expect_refusal("/dev/null/x", "/dev/null/x: cannot be read: Not a directory");
}

static void short_texts_are_terminated(void **state)
{
    char why[8];

    (void)state;
    memset(why, 'x', sizeof(why));
    assert_null(gw_capture_open("/nonexistent/x.pcap", why, sizeof(why)));
    assert_string_equal(why, "/nonexi");
}

static void files_compressed_otherwise(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
        const char *text;
    } cases[] = {
        {"\xfd\x37zXZ", 5,
         "compressed with xz, not read here; unpack it and read from a pipe: xz -dc FILE |"},
        {"\x02\x21\x4c\x18", 4, "lz4 -dc FILE |"},
        {"BZh9", 4, "bzip2 -dc FILE |"},
        {"\x28\xb5\x2f", 3, "first bytes 28b52f, not pcap"},
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(cases); i++) {
        test_reader r;
        test_open(&r, cases[i].bytes, cases[i].len);
        assert_null(r.capture);
        assert_non_null(strstr(r.why, cases[i].text));
        test_close(&r);
    }
}

static void a_file_one_may_not_read(void **state)
{
    gw_temporary place;
    char text[128];
    const int fd = gw_temporary_open(&place);
    const char *path = place.path;
    const bool root = geteuid() == 0;

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(fchmod(fd, 0), 0);
    if (root)
        assert_int_equal(seteuid(UNPRIVILEGED), 0);
    (void)snprintf(text, sizeof(text), "%s: permission denied; reading it needs other rights",
                   path);
    expect_refusal(path, text);
    if (root)
        assert_int_equal(seteuid(0), 0);
    (void)unlink(path);
    (void)close(fd);
}

/* Puts |bytes| on standard input in pieces of |piece| bytes, each of which one read(2) returns. */
static int feed_stdin(const void *bytes, size_t len, size_t piece)
{
    const uint8_t *p = bytes;
    const int saved = dup(STDIN_FILENO);
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    for (size_t at = 0; at < len; at += piece) {
        const size_t n = len - at < piece ? len - at : piece;
        assert_int_equal(send(ends[1], p + at, n, MSG_DONTWAIT), n);
    }
    (void)close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    (void)close(ends[0]);
    return saved;
}

static void restore_stdin(int saved)
{
    assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
    (void)close(saved);
}

static void write_pcap(test_file *f)
{
    test_file_start(f, false);
    test_put(f, 0xa1b2c3d4, 4);
    test_put(f, 0x00040002, 4);
    test_put(f, 0, 8);
    test_put(f, 65535, 4);
    test_put(f, 1, 4);
    for (unsigned i = 0; i < 2; i++) {
        test_put(f, i, 8);
        test_put(f, 60, 4);
        test_put(f, 60, 4);
        for (unsigned k = 0; k < 60; k++)
            test_put(f, k + i, 1);
    }
}

static void write_pcapng(test_file *f)
{
    test_file_start(f, false);
    test_put(f, 0x0a0d0d0a, 4);
    test_put(f, 28, 4);
    test_put(f, 0x1a2b3c4d, 4);
    test_put(f, 1, 4);
    test_put(f, UINT64_MAX, 8);
    test_put(f, 28, 4);
    test_put(f, 1, 4);
    test_put(f, 20, 4);
    test_put(f, 1, 8);
    test_put(f, 20, 4);
    for (unsigned i = 0; i < 2; i++) {
        test_put(f, 6, 4);
        test_put(f, 92, 4);
        test_put(f, 0, 12);
        test_put(f, 60, 4);
        test_put(f, 60, 4);
        for (unsigned k = 0; k < 60; k++)
            test_put(f, k + i, 1);
        test_put(f, 92, 4);
    }
}

static void write_erf(test_file *f)
{
    test_file_start(f, true);
    for (unsigned i = 0; i < 2; i++) {
        gw_write_le(&f->w, UINT64_C(1350000000) << 32, 8);
        test_put(f, 0x0204, 2);
        test_put(f, 80, 2);
        test_put(f, 0, 2);
        test_put(f, 60, 2);
        test_put(f, 0, 2);
        for (unsigned k = 0; k < 60; k++)
            test_put(f, k + i, 1);
        test_put(f, 0, 2);
    }
}

static void captures_from_a_pipe(void **state)
{
    static const struct {
        const char *type;
        void (*write)(test_file *f);
    } types[] = {{"pcap", write_pcap}, {"pcapng", write_pcapng}, {"erf", write_erf}};
    static const size_t pieces[] = {1, 3, 4096};

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(types) * GW_ARRAY_LEN(pieces); i++) {
        const size_t type = i % GW_ARRAY_LEN(types);
        test_file f;
        char why[256] = "";
        gw_frame frame;
        types[type].write(&f);
        const int saved = feed_stdin(f.bytes, f.w.len, pieces[i / GW_ARRAY_LEN(types)]);
        gw_capture *capture = gw_capture_open("-", why, sizeof(why));
        assert_string_equal(why, "");
        assert_non_null(capture);
        assert_string_equal(type_of(capture), types[type].type);
        for (unsigned n = 0; n < 2; n++) {
            assert_int_equal(gw_capture_next(capture, &frame), GW_CAPTURE_FRAME);
            assert_int_equal(frame.cap_len, 60);
            for (unsigned k = 0; k < 60; k++)
                assert_int_equal(frame.data[k], k + n);
        }
        assert_int_equal(gw_capture_next(capture, &frame), GW_CAPTURE_END);
        gw_capture_close(capture);
        assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0); /* standard input stays the process's */
        restore_stdin(saved);
    }
}

static void an_empty_pipe(void **state)
{
    const int saved = feed_stdin("", 0, 1);

    (void)state;
    expect_refusal("-", "standard input: is empty; a capture has at least a header");
    gw_capture_close(NULL);
    restore_stdin(saved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(short_texts_are_terminated),
        cmocka_unit_test(files_compressed_otherwise),
        cmocka_unit_test(a_file_one_may_not_read),
        cmocka_unit_test(captures_from_a_pipe),
        cmocka_unit_test(an_empty_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
