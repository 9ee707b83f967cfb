/* SPDX-License-Identifier: BSD-2-Clause */
/* What the software IMS Worker streams: made anew, or read again, whenever it is sent. */
#include <endian.h>
#include <string.h>

#include "formats/ims/worker/board.h"
#include "goldwire/cursor.h"
#include "harness/checksum.h"

/* SplitMix64 of the word's number: any word without those before it. */
static uint64_t pattern_word(uint64_t number)
{
    uint64_t z = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void put_word(uint8_t out[8], uint64_t word)
{
    word = htole64(word);
    memcpy(out, &word, sizeof(word));
}

void gw_ims_pattern(uint64_t offset, uint8_t *out, size_t len)
{
    uint8_t word[8];
    for (; offset % 8 == 0 && len >= 8; offset += 8, out += 8, len -= 8)
        put_word(out, pattern_word(offset / 8));
    while (len > 0) {
        size_t skip = offset % 8;
        size_t take = 8 - skip < len ? 8 - skip : len;
        put_word(word, pattern_word(offset / 8));
        memcpy(out, word + skip, take);
        out += take;
        offset += take;
        len -= take;
    }
}

static void make_image(gw_ims_worker_state *w, uint64_t number, size_t size)
{
    uint64_t start = number * size;
    uint64_t va = w->base + start;
    gw_ims_pattern(start, w->image, size);
    if (size == GW_IMS_IMAGE_6BIT) {
        for (size_t i = GW_IMS_IMAGE_HEADER; i < size; i++)
            w->image[i] &= 0x3f;
    }
    gw_ims_image_seal(&gw_fast_env, &gw_ims_image_default, w->image, size, va);
    gw_ims_worker_hook_image(w, size, va);
    w->image_number = number + 1;
}

static void read_images(gw_ims_worker_state *w, size_t size, uint64_t offset, uint8_t *out,
                        size_t len)
{
    while (len > 0) {
        uint64_t number = offset / size;
        size_t skip = offset % size;
        size_t take = size - skip < len ? size - skip : len;
        if (w->image_number != number + 1)
            make_image(w, number, size);
        memcpy(out, w->image + skip, take);
        out += take;
        offset += take;
        len -= take;
    }
}

static void read_file(gw_ims_worker_state *w, uint64_t offset, uint8_t *out, size_t len)
{
    size_t got = w->setup->read(w->setup, offset, out, len);
    memset(out + got, 0, len - got);
    /* Only the last 64 bytes may be filled up. */
    if (offset + got + GW_IMS_ALIGN <= w->setup->size && got < len)
        w->unreadable = true;
}

void gw_ims_worker_read(gw_ims_worker_state *w, uint64_t offset, uint8_t *out, size_t len)
{
    switch (w->setup->content) {
    case GW_IMS_IMAGES_4BIT:
        read_images(w, GW_IMS_IMAGE_4BIT, offset, out, len);
        return;
    case GW_IMS_IMAGES_6BIT:
        read_images(w, GW_IMS_IMAGE_6BIT, offset, out, len);
        return;
    case GW_IMS_FILE:
        read_file(w, offset, out, len);
        return;
    default:
        gw_ims_pattern(offset, out, len);
        return;
    }
}
