/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring between who captures and who reads. */
#include "spool.h"

#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIMIT (UINT64_C(32) << 20)
#define CHUNK (UINT64_C(16) << 20)
#define HEAD 16
#define LONGEST 262144

static uint8_t bytes[LONGEST];

static bool put(gw_spool *spool, uint32_t number, uint32_t len)
{
    bytes[0] = (uint8_t)number;
    bytes[len - 1] = (uint8_t)(number + 1);
    const gw_frame frame = {
        .data = bytes, .cap_len = len, .len = number, .time_ns = -(int64_t)number};

    return gw_spool_put(spool, &frame);
}

static void expect(gw_spool *spool, uint32_t number, uint32_t len)
{
    gw_frame frame = {0};

    assert_true(gw_spool_get(spool, &frame));
    assert_int_equal(frame.len, number);
    assert_int_equal(frame.cap_len, len);
    assert_int_equal(frame.time_ns, -(int64_t)number);
    assert_int_equal(frame.data[len - 1], (uint8_t)(number + 1));
    if (len > 1)
        assert_int_equal(frame.data[0], (uint8_t)number);
}

static void expect_nothing(gw_spool *spool)
{
    gw_frame frame = {0};

    assert_false(gw_spool_get(spool, &frame));
}

static void test_first_in_first_out(void **state)
{
    gw_spool *spool = gw_spool_open(LIMIT);

    (void)state;
    assert_non_null(spool);
    expect_nothing(spool);
    assert_true(put(spool, 1, 60));
    assert_true(put(spool, 2, 1));
    expect(spool, 1, 60);
    assert_true(put(spool, 3, LONGEST));
    expect(spool, 2, 1);
    expect(spool, 3, LONGEST);
    expect_nothing(spool);
    gw_spool_close(spool);
}

static void test_a_frame_without_bytes(void **state)
{
    gw_spool *spool = gw_spool_open(LIMIT);
    gw_frame frame = {.len = 60, .time_ns = 5};

    (void)state;
    assert_true(gw_spool_put(spool, &frame));
    frame = (gw_frame){.cap_len = 1};
    assert_true(gw_spool_get(spool, &frame));
    assert_int_equal(frame.cap_len, 0);
    assert_int_equal(frame.len, 60);
    gw_spool_close(spool);
}

/* It holds what its limit says; then it refuses, until a chunk was read: what is handed out stays
 * what it is. */
static void test_it_fills(void **state)
{
    enum { LEN = 1000, EACH = HEAD + LEN };
    const uint32_t room = (uint32_t)(LIMIT / EACH);
    gw_spool *spool = gw_spool_open(LIMIT);
    uint32_t read = 0;

    (void)state;
    for (uint32_t i = 0; i < room; i++)
        assert_true(put(spool, i, LEN));
    assert_false(put(spool, room, LEN));
    while ((uint64_t)read * EACH < CHUNK) {
        assert_false(put(spool, room, LEN));
        expect(spool, read++, LEN);
    }
    assert_false(put(spool, room, LEN)); /* the last one may still be looked at */
    expect(spool, read++, LEN);
    assert_true(put(spool, room, LEN));
    while (read <= room)
        expect(spool, read, LEN), read++;
    expect_nothing(spool);
    gw_spool_close(spool);
}

/* Lengths of all kinds, many times around: a frame may end where the ring does, or before it by
 * less than what stands in front of one. */
static void rounds(gw_spool *spool, uint32_t rounds_of)
{
    uint32_t written = 0, read = 0, random = 1;
    uint32_t lens[64];

    for (uint64_t bytes_put = 0; bytes_put < rounds_of * LIMIT;) {
        while (written - read < 64) {
            random = random * 1664525 + 1013904223;
            lens[written % 64] = 1 + (random >> 8) % (written % 3 == 0 ? LONGEST : 90);
            assert_true(put(spool, written, lens[written % 64]));
            bytes_put += lens[written % 64];
            written++;
        }
        for (random = random * 1664525 + 1; written - read > random >> 26;) {
            expect(spool, read, lens[read % 64]);
            read++;
        }
    }
}

static void test_around_and_around(void **state)
{
    gw_spool *spool = gw_spool_open(LIMIT);

    (void)state;
    rounds(spool, 12);
    gw_spool_close(spool);
}

/* The bytes of disk that the file of a spool in |folder| takes; 0: there is none. */
static uint64_t disk_taken(const char *folder)
{
    for (int fd = 3; fd < 64; fd++) {
        char link[32], path[256] = "";
        struct stat st;

        (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
        if (readlink(link, path, sizeof(path) - 1) > 0 &&
            strncmp(path, folder, strlen(folder)) == 0 && fstat(fd, &st) == 0)
            return (uint64_t)st.st_blocks * 512;
    }
    return 0;
}

static void test_where_it_lies(void **state)
{
    char folder[] = "/tmp/goldwire-spool-XXXXXX";
    struct rlimit before, small = {.rlim_cur = CHUNK};

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
    gw_spool *spool = gw_spool_open(LIMIT);
    assert_non_null(spool);
    assert_int_equal(rmdir(folder), 0); /* it has no name */
    assert_true(put(spool, 1, 60));
    assert_true(disk_taken(folder) >= CHUNK); /* promised before it is written to */
    expect(spool, 1, 60);
    rounds(spool, 2);
    while (gw_spool_get(spool, &(gw_frame){0}))
        continue;
    assert_true(disk_taken(folder) <= CHUNK); /* what was read is given back */
    gw_spool_close(spool);

    spool = gw_spool_open(LIMIT); /* the folder is gone: memory serves */
    assert_non_null(spool);
    rounds(spool, 2);
    gw_spool_close(spool);
    assert_int_equal(unsetenv("TMPDIR"), 0);

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    spool = gw_spool_open(LIMIT);
    assert_non_null(spool);
    rounds(spool, 2);
    gw_spool_close(spool);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

static void test_too_little_is_refused(void **state)
{
    (void)state;
    assert_null(gw_spool_open(LIMIT - 1));
    assert_null(gw_spool_open(0));
    gw_spool_close(NULL);
}

enum { MANY = 300000 };

static void *put_many(void *arg)
{
    for (uint32_t i = 0; i < MANY; i++) {
        while (!put(arg, i, 1 + i % 500))
            gw_spool_wake(arg);
        if (i % 64 == 0)
            gw_spool_wake(arg);
    }
    gw_spool_wake(arg);
    return NULL;
}

static void test_two_threads(void **state)
{
    gw_spool *spool = gw_spool_open(LIMIT);
    gw_frame frame = {0};
    pthread_t thread;

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, put_many, spool), 0);
    for (uint32_t i = 0; i < MANY; i++) {
        const uint32_t len = 1 + i % 500;
        while (!gw_spool_get(spool, &frame))
            gw_spool_wait(spool, 10000);
        assert_int_equal(frame.len, i);
        assert_int_equal(frame.cap_len, len);
        assert_int_equal(frame.data[len - 1], (uint8_t)(i + 1));
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
    expect_nothing(spool);
    gw_spool_close(spool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_in_first_out), cmocka_unit_test(test_a_frame_without_bytes),
        cmocka_unit_test(test_it_fills),           cmocka_unit_test(test_around_and_around),
        cmocka_unit_test(test_where_it_lies),      cmocka_unit_test(test_too_little_is_refused),
        cmocka_unit_test(test_two_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
