/* SPDX-License-Identifier: BSD-2-Clause */
/* Images: layout, and checksums in every profile against published and independent values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "goldwire/cursor.h"
#include "ims/internal.h"

static uint8_t image[2 * GW_IMS_IMAGE_6BIT];

/* Of "123456789": the iSCSI one is in RFC 3720, the others are catalogued or follow from it. */
static void the_polynomial_has_its_check_values(void **state)
{
    static const struct {
        gw_ims_image_profile profile;
        uint32_t check;
    } known[] = {
        {{.ones_in = true, .ones_out = true, .reflected = true}, 0xe3069283},
        {{.reflected = true}, 0x58e3fa20},
        {{.ones_in = true, .reflected = true}, 0x1cf96d7c},
        {{.ones_in = true, .ones_out = true}, 0x05440f15},
        {{.ones_in = false}, 0xc052a8c8},
        {{.ones_in = true}, 0xfabbf0ea},
    };

    static const char digits[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(known); i++) {
        gw_ims_image_profile p = known[i].profile;
        p.cover = GW_IMS_COVER_PIXELS;
        memcpy(image + GW_IMS_IMAGE_HEADER, digits, sizeof digits);
        assert_int_equal(gw_ims_image_crc(NULL, &p, image, GW_IMS_IMAGE_HEADER + sizeof digits),
                         known[i].check);
    }
}

/* Pixels lie column by column; of two of four bits the even one is in the low half. */
static void draw(unsigned bits, uint8_t *out)
{
    uint8_t *pixels = out + GW_IMS_IMAGE_HEADER;

    memset(out, 0, bits == 4 ? GW_IMS_IMAGE_4BIT : GW_IMS_IMAGE_6BIT);
    for (unsigned column = 0; column < GW_IMS_IMAGE_SIDE; column++) {
        for (unsigned row = 0; row < GW_IMS_IMAGE_SIDE; row++) {
            unsigned value = (column + row) & ((1u << bits) - 1);
            size_t at = (size_t)column * GW_IMS_IMAGE_SIDE + row;
            if (bits == 4)
                pixels[at / 2] |= (uint8_t)(row % 2 != 0 ? value << 4 : value);
            else
                pixels[at] = (uint8_t)value;
        }
    }
}

/* Computed by another program: a pattern whose pixel is column + row, at 0x1000000040, and zeros.
 */
static void whole_images_have_known_checksums(void **state)
{
    static const uint32_t zeros[] = {0x9f08fc51, 0x270def8d, 0x72c0c4a4, 0xfd64e7f5, 0x7ff8820a};
    static const uint32_t six[] = {0x231061b3, 0x9b15726f, 0x16488210, 0x417c7a17, 0xd5f5e99f};
    static const uint32_t four[] = {0x467e94af, 0xe3b1a5bf, 0x339c0feb, 0xefaaa6c8, 0x0a52cd1d};
    gw_ims_image_profile p = gw_ims_image_default;

    (void)state;
    for (unsigned cover = 0; cover < GW_IMS_NUM_COVERS; cover++) {
        p.cover = (uint8_t)cover;
        memset(image, 0, GW_IMS_IMAGE_6BIT);
        assert_int_equal(gw_ims_image_crc(NULL, &p, image, GW_IMS_IMAGE_6BIT), zeros[cover]);
        draw(6, image);
        gw_ims_image_seal(NULL, &p, image, GW_IMS_IMAGE_6BIT, 0x1000000040);
        assert_int_equal(gw_load_be32(image), six[cover]);
        assert_int_equal(gw_ims_image_va(image, false), 0x1000000040);
        draw(4, image);
        gw_ims_image_seal(NULL, &p, image, GW_IMS_IMAGE_4BIT, 0x1000000040);
        assert_int_equal(gw_load_be32(image), four[cover]);
    }
}

enum { NUM_PROFILES = 2 * 2 * 2 * 2 * GW_IMS_NUM_COVERS };

static gw_ims_image_profile profile_at(unsigned index)
{
    return (gw_ims_image_profile){
        .ones_in = (index & 1) == 0,
        .ones_out = (index & 2) == 0,
        .reflected = (index & 4) == 0,
        .little = (index & 8) != 0,
        .cover = (uint8_t)(index / 16),
    };
}

/* How many profiles fit both images of |len| bytes. */
static unsigned count_fitting(size_t len)
{
    unsigned found = 0;

    for (unsigned i = 0; i < NUM_PROFILES; i++) {
        gw_ims_image_profile p = profile_at(i);
        found += gw_ims_image_good(NULL, &p, image, len) &&
                 gw_ims_image_good(NULL, &p, image + len, len);
    }
    return found;
}

/* Two images that differ tell the profiles apart: what the sender used fits, and nothing else,
 * unless it begins with 0, to which the checksum's own bytes, taken as 0, make no difference. */
static void two_images_identify_the_profile(void **state)
{
    enum { LEN = 192 }; /* no image has this size, but all is quicker so */

    (void)state;
    for (unsigned i = 0; i < NUM_PROFILES; i++) {
        gw_ims_image_profile p = profile_at(i);
        for (unsigned k = 0; k < 2; k++) {
            memset(image + (size_t)k * LEN, (int)(0x15 + k), LEN);
            image[(size_t)k * LEN + 100] = (uint8_t)i;
            gw_ims_image_seal(NULL, &p, image + (size_t)k * LEN, LEN, 0x10002040 + k * 64);
            image[(size_t)k * LEN + 5] = 9; /* padding need not be 0 */
            image[(size_t)k * LEN + 20] = 7;
            uint32_t crc = gw_ims_image_crc(NULL, &p, image + (size_t)k * LEN, LEN);
            for (unsigned b = 0; b < 4; b++)
                image[(size_t)k * LEN + b] = (uint8_t)(crc >> (p.little ? 8 * b : 24 - 8 * b));
        }
        bool twins = !p.ones_in && (p.cover == GW_IMS_COVER_4 || p.cover == GW_IMS_COVER_WHOLE);
        assert_true(gw_ims_image_good(NULL, &p, image, LEN));
        assert_true(gw_ims_image_good(NULL, &p, image + LEN, LEN));
        assert_int_equal(count_fitting(LEN), twins ? 2 : 1);
        image[150] ^= 1;
        assert_int_equal(count_fitting(LEN), 0);
    }
}

static void every_damaged_byte_is_noticed(void **state)
{
    (void)state;
    draw(4, image);
    gw_ims_image_seal(NULL, &gw_ims_image_default, image, GW_IMS_IMAGE_4BIT, 0x2000000000);
    assert_true(gw_ims_image_good(NULL, &gw_ims_image_default, image, GW_IMS_IMAGE_4BIT));
    for (size_t i = 0; i < GW_IMS_IMAGE_4BIT; i += i < 64 ? 1 : 4099) {
        image[i] ^= 0x10;
        assert_false(gw_ims_image_good(NULL, &gw_ims_image_default, image, GW_IMS_IMAGE_4BIT));
        image[i] ^= 0x10;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_polynomial_has_its_check_values),
        cmocka_unit_test(whole_images_have_known_checksums),
        cmocka_unit_test(two_images_identify_the_profile),
        cmocka_unit_test(every_damaged_byte_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
