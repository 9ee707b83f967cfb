/* SPDX-License-Identifier: BSD-2-Clause */
/* Images: the head, and the checksum in every way that the specification lets it be read. */
#include <string.h>

#include "goldwire/cursor.h"
#include "goldwire/writer.h"
#include "ims/internal.h"

#define POLYNOMIAL 0x1edc6f41u

const gw_ims_image_profile gw_ims_image_default = {
    .ones_in = true, .ones_out = true, .reflected = true};

/* The running register of |profile|, before the final XOR. A reflected one is kept as
 * goldwire/checksum.h keeps it, whose inversions at both ends cancel between the pieces. */
static uint32_t start(const gw_ims_image_profile *profile)
{
    return profile->ones_in ? UINT32_MAX : 0;
}

static uint32_t add(const gw_env *env, const gw_ims_image_profile *profile, uint32_t crc,
                    const uint8_t *data, size_t len)
{
    if (profile->reflected)
        return ~gw_crc32c(env, ~crc, data, len);
    for (size_t i = 0; i < len; i++) {
        crc ^= (uint32_t)data[i] << 24;
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc << 1 ^ ((crc >> 31) != 0 ? POLYNOMIAL : 0);
    }
    return crc;
}

static uint32_t finish(const gw_ims_image_profile *profile, uint32_t crc)
{
    return profile->ones_out ? ~crc : crc;
}

uint32_t gw_ims_image_crc(const gw_env *env, const gw_ims_image_profile *profile,
                          const uint8_t *image, size_t len)
{
    static const uint8_t zeros[GW_IMS_IMAGE_CRC_BYTES];
    uint32_t crc = start(profile);

    switch (profile->cover) {
    case GW_IMS_COVER_8:
        crc = add(env, profile, crc, image + GW_IMS_IMAGE_VA_AT, len - GW_IMS_IMAGE_VA_AT);
        break;
    case GW_IMS_COVER_PIXELS:
        crc = add(env, profile, crc, image + GW_IMS_IMAGE_HEADER, len - GW_IMS_IMAGE_HEADER);
        break;
    case GW_IMS_COVER_WHOLE:
        crc = add(env, profile, crc, zeros, GW_IMS_IMAGE_CRC_BYTES);
        crc = add(env, profile, crc, image + GW_IMS_IMAGE_CRC_BYTES, len - GW_IMS_IMAGE_CRC_BYTES);
        break;
    case GW_IMS_COVER_VA:
        crc = add(env, profile, crc, image + GW_IMS_IMAGE_VA_AT, GW_IMS_IMAGE_VA_BYTES);
        crc = add(env, profile, crc, image + GW_IMS_IMAGE_HEADER, len - GW_IMS_IMAGE_HEADER);
        break;
    default:
        crc = add(env, profile, crc, image + GW_IMS_IMAGE_CRC_BYTES, len - GW_IMS_IMAGE_CRC_BYTES);
        break;
    }
    return finish(profile, crc);
}

bool gw_ims_image_good(const gw_env *env, const gw_ims_image_profile *profile, const uint8_t *image,
                       size_t len)
{
    uint32_t stored = profile->little ? gw_load_le32(image) : gw_load_be32(image);

    return stored == gw_ims_image_crc(env, profile, image, len);
}

void gw_ims_image_seal(const gw_env *env, const gw_ims_image_profile *profile, uint8_t *image,
                       size_t len, uint64_t va)
{
    memset(image, 0, GW_IMS_IMAGE_HEADER);
    if (profile->little)
        gw_store_le(image + GW_IMS_IMAGE_VA_AT, va, GW_IMS_IMAGE_VA_BYTES);
    else
        gw_store_be(image + GW_IMS_IMAGE_VA_AT, va, GW_IMS_IMAGE_VA_BYTES);
    uint32_t crc = gw_ims_image_crc(env, profile, image, len);
    if (profile->little)
        gw_store_le(image, crc, GW_IMS_IMAGE_CRC_BYTES);
    else
        gw_store_be(image, crc, GW_IMS_IMAGE_CRC_BYTES);
}

uint64_t gw_ims_image_va(const uint8_t *image, bool little)
{
    return little ? gw_load_le64(image + GW_IMS_IMAGE_VA_AT)
                  : gw_load_be64(image + GW_IMS_IMAGE_VA_AT);
}
