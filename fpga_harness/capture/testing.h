/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of the capture files share: files made of bytes, and readers opened on them. */
#ifndef HARNESS_CAPTURE_TESTING_H
#define HARNESS_CAPTURE_TESTING_H

#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "goldwire/writer.h"
#include "harness/capture.h"
#include "reader.h"

/* type_of returns what reads |capture|: "pcap", "pcapng" or "erf". */
static inline const char *type_of(const gw_capture *capture)
{
    return capture->reader->type;
}

/* test_file is a file under construction, in either byte order. */
typedef struct test_file {
    uint8_t bytes[8192];
    gw_writer w;
    bool big;
} test_file;

static inline void test_file_start(test_file *f, bool big)
{
    f->w = gw_writer_over(f->bytes, sizeof(f->bytes));
    f->big = big;
}

/* test_put appends a number in the file's byte order. */
static inline void test_put(test_file *f, uint64_t value, size_t len)
{
    if (f->big)
        gw_write_be(&f->w, value, len);
    else
        gw_write_le(&f->w, value, len);
}

/* test_reader is a reader over bytes, which lie in a file without a name. */
typedef struct test_reader {
    gw_capture *capture;
    int fd;
    char why[256];
} test_reader;

static inline void test_open(test_reader *r, const void *bytes, size_t len)
{
    char path[64];

    r->why[0] = '\0';
    r->fd = memfd_create("capture", MFD_CLOEXEC);
    assert_true(r->fd >= 0);
    assert_int_equal(write(r->fd, bytes, len), len);
    (void)snprintf(path, sizeof(path), "/proc/self/fd/%d", r->fd);
    r->capture = gw_capture_open(path, r->why, sizeof(r->why));
}

static inline void test_open_file(test_reader *r, const test_file *f)
{
    assert_false(f->w.full);
    test_open(r, f->bytes, f->w.len);
    if (r->capture == NULL)
        fail_msg("%s", r->why);
}

static inline void test_close(test_reader *r)
{
    gw_capture_close(r->capture);
    (void)close(r->fd);
}

/* test_next reads a frame that must be there. */
static inline gw_frame test_next(test_reader *r)
{
    gw_frame frame;

    if (gw_capture_next(r->capture, &frame) != GW_CAPTURE_FRAME)
        fail_msg("no frame: %s", gw_capture_error(r->capture));
    return frame;
}

static inline void test_end(test_reader *r)
{
    gw_frame frame;

    if (gw_capture_next(r->capture, &frame) == GW_CAPTURE_BROKEN)
        fail_msg("%s", gw_capture_error(r->capture));
    assert_int_equal(gw_capture_next(r->capture, &frame), GW_CAPTURE_END);
}

/* test_broken reads past the last good frame, and expects |text| and that frame. A broken reader
 * stays broken. */
static inline void test_broken(test_reader *r, const char *text)
{
    gw_frame frame;
    char wanted[sizeof(r->capture->error)];

    assert_int_equal(gw_capture_next(r->capture, &frame), GW_CAPTURE_BROKEN);
    assert_int_equal(gw_capture_next(r->capture, &frame), GW_CAPTURE_BROKEN);
    if (r->capture->num_frames > 0)
        (void)snprintf(wanted, sizeof(wanted), "%s; the last frame before it is %llu", text,
                       (unsigned long long)r->capture->num_frames);
    else
        (void)snprintf(wanted, sizeof(wanted), "%s; no frame comes before it", text);
    assert_string_equal(gw_capture_error(r->capture), wanted);
}

/* test_count reads all frames and returns how many there were; |status| gets how they ended. */
static inline unsigned test_count(test_reader *r, gw_capture_status *status)
{
    gw_frame frame;
    unsigned n = 0;

    while ((*status = gw_capture_next(r->capture, &frame)) == GW_CAPTURE_FRAME)
        assert_int_equal(frame.number, ++n);
    return n;
}

/* test_every_cut cuts |f| at every length. |ends| holds the lengths at which nothing is missing,
 * |frames| how many frames are in the file up to there; below |known| bytes the type cannot be
 * told. */
static inline void test_every_cut(const test_file *f, size_t known, const size_t *ends,
                                  const unsigned *frames, size_t num_ends)
{
    size_t last = 0;

    for (size_t cut = 0; cut <= f->w.len; cut++) {
        test_reader r;
        gw_capture_status status;
        while (last + 1 < num_ends && ends[last + 1] <= cut)
            last++;
        test_open(&r, f->bytes, cut);
        if (cut < known) {
            assert_null(r.capture);
            assert_non_null(strstr(r.why, cut == 0 ? "is empty" : "not pcap, pcapng or ERF"));
        } else {
            assert_non_null(r.capture);
            assert_int_equal(test_count(&r, &status), ends[last] <= cut ? frames[last] : 0);
            assert_int_equal(status, ends[last] == cut ? GW_CAPTURE_END : GW_CAPTURE_BROKEN);
        }
        test_close(&r);
    }
}

#endif
