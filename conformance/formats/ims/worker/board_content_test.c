/* SPDX-License-Identifier: BSD-2-Clause */
/* The software IMS Worker: what it streams, and its set-up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "formats/ims/worker/board_testing.h"
#include "formats/ims/worker/pattern.h"
#include "goldwire/writer.h"
#include "harness/temporary_testing.h"

static void the_pattern_can_begin_anywhere(void **state)
{
    uint8_t all[256];
    uint8_t part[256];
    (void)state;
    gw_ims_pattern(1000, all, sizeof(all));
    for (size_t from = 0; from < 24; from++) {
        for (size_t len = 0; len < 40; len++) {
            gw_ims_pattern(1000 + from, part, len);
            assert_memory_equal(part, all + from, len);
        }
    }
}

/* SplitMix64, as its authors wrote it, and a byte more than is due on either side. */
static void every_way_writes_the_same_pattern(void **state)
{
    enum { WORDS = 8 * 37 };
    gw_ims_pattern_way ways[GW_IMS_PATTERN_WAYS];
    uint8_t due[GW_IMS_PATTERN_WORD * WORDS], got[sizeof(due) + 2];
    uint64_t first = UINT64_C(0x1fffffffc), seed = first * UINT64_C(0x9e3779b97f4a7c15);
    size_t num = gw_ims_pattern_ways(ways);
    (void)state;
    for (size_t i = 0; i < sizeof(due); i += GW_IMS_PATTERN_WORD) {
        uint64_t z = (seed += UINT64_C(0x9e3779b97f4a7c15));
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        gw_store_le(due + i, z ^ (z >> 31), GW_IMS_PATTERN_WORD);
    }
    assert_uint_in_range(num, 1, GW_IMS_PATTERN_WAYS);
    for (size_t i = 0; i < num; i++) {
        for (size_t blocks = 0; blocks <= sizeof(due) / GW_IMS_PATTERN_BLOCK; blocks++) {
            size_t len = blocks * GW_IMS_PATTERN_BLOCK;
            memset(got, 0xa5, sizeof(got));
            ways[i](first, got + 1, blocks);
            assert_memory_equal(got + 1, due, len);
            assert_int_equal(got[0], 0xa5);
            assert_int_equal(got[1 + len], 0xa5);
        }
    }
    gw_ims_pattern(8 * first + 3, got, sizeof(due) - 3);
    assert_memory_equal(got, due + 3, sizeof(due) - 3);
}

/* Frames that are no images: these lie across frames and packets. */
static void makes_good_images(void **state)
{
    (void)state;
    for (unsigned bits = 4; bits <= 6; bits += 2) {
        size_t size = bits == 4 ? GW_IMS_IMAGE_4BIT : GW_IMS_IMAGE_6BIT;
        gw_ims_worker_setup images = small;
        images.content = bits == 4 ? GW_IMS_IMAGES_4BIT : GW_IMS_IMAGES_6BIT;
        images.size = 3 * size;
        images.frame = 64 * 100;
        pair *b = begin(&images, NULL);
        open_channel(b);
        for (uint64_t at = 0; at < images.size; at += images.frame)
            respond(b, take_frame(b), 0);
        close_channel(b);
        for (unsigned i = 0; i < 3; i++) {
            const uint8_t *image = b->memory + i * size;
            assert_true(gw_ims_image_good(NULL, &gw_ims_image_default, image, size));
            assert_int_equal(gw_ims_image_va(image, false), BASE + i * size);
            for (size_t at = GW_IMS_IMAGE_HEADER; bits == 6 && at < size; at++)
                assert_int_equal(image[at] & 0xc0, 0);
        }
        end(b);
    }
}

static void write_file(const char *path, const char *text, size_t len)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static void streams_a_file(void **state)
{
    gw_temporary place;
    char path[64], setup_path[64], text[400], why[256] = "";
    char bytes[1000];
    (void)state;
    assert_true(gw_temporary_folder(&place));
    const char *folder = place.path;
    (void)snprintf(path, sizeof(path), "%s/exposure", folder);
    (void)snprintf(setup_path, sizeof(setup_path), "%s/setup.yaml", folder);
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)(i * 7);
    write_file(path, bytes, sizeof(bytes));
    (void)snprintf(text, sizeof(text), "file: %s\nframe: 512\npacket: 128\n", path);
    write_file(setup_path, text, strlen(text));
    gw_ims_worker_setup *setup = gw_ims_worker_setup_open(setup_path, why, sizeof(why));
    if (setup == NULL)
        fail_msg("%s", why);
    assert_int_equal(setup->size, 1024);
    pair *b = begin(setup, NULL);
    open_channel(b);
    for (unsigned i = 0; i < 2; i++)
        respond(b, take_frame(b), 0);
    close_channel(b);
    assert_true(content(b));
    assert_memory_equal(b->memory, bytes, sizeof(bytes));
    for (size_t i = sizeof(bytes); i < 1024; i++)
        assert_int_equal(b->memory[i], 0);
    end(b);

    /* Somebody makes it shorter while it is read. */
    assert_int_equal(truncate(path, 300), 0);
    b = begin(setup, NULL);
    open_channel(b);
    close_channel(b);
    assert_false(content(b));
    end(b);
    gw_ims_worker_setup_close(setup);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(setup_path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* The example in the tree says what a Worker does without one. */
static void has_its_setup_written_out(void **state)
{
    char why[256] = "";
    (void)state;
    gw_ims_worker_setup *s = gw_ims_worker_setup_open(
        GW_SOURCE_DIR "/conformance/formats/ims/worker/board.yaml", why, sizeof(why));
    if (s == NULL)
        fail_msg("%s", why);
    assert_memory_equal(s, &gw_ims_worker_default, sizeof(*s));
    gw_ims_worker_setup_close(s);
}

static void explains_what_is_wrong_with_a_setup(void **state)
{
    static const struct {
        const char *text;
        const char *error;
    } wrong[] = {
        {"frame: 100\n", ":1:8: frame: a multiple of 64 bytes is expected"},
        {"packet: 8192\n", ":1:9: "},
        {"outstanding: 0\n", ":1:14: at least 1 is expected"},
        {"outstanding: 257\n", ":1:14: "},
        {"lid: 0x10000\n", ":1:6: "},
        {"buffer: {qpn: 1}\n", ":1:15: at least 2 is expected"},
        {"content: file\n", "belong together"},
        {"content: pattern\nfile: /dev/null\n", "belong together"},
        {"file: /dev/null\n", "something in it"},
        {"file: /dev/null\nsize: 64\n", "leave `size' out"},
        {"file: /nowhere/at/all\n", "No such file"},
        {"frames: 64\n", "frame"},
        {"size: 0\n", "multiple of 64"},
    };
    gw_temporary place;
    (void)state;
    assert_true(gw_temporary_file(&place, ""));
    const char *path = place.path;
    for (size_t i = 0; i < GW_ARRAY_LEN(wrong); i++) {
        char why[256] = "";
        write_file(path, wrong[i].text, strlen(wrong[i].text));
        assert_null(gw_ims_worker_setup_open(path, why, sizeof(why)));
        if (strstr(why, wrong[i].error) == NULL)
            fail_msg("'%s' says '%s'", wrong[i].text, why);
    }
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pattern_can_begin_anywhere),
        cmocka_unit_test(every_way_writes_the_same_pattern),
        cmocka_unit_test(makes_good_images),
        cmocka_unit_test(streams_a_file),
        cmocka_unit_test(has_its_setup_written_out),
        cmocka_unit_test(explains_what_is_wrong_with_a_setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
