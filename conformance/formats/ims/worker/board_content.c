/* SPDX-License-Identifier: BSD-2-Clause */
/* What the software IMS Worker streams: made anew, or read again, whenever it is sent. */
#include <string.h>

#include "formats/ims/worker/board.h"
#include "goldwire/cursor.h"
#include "harness/checksum.h"

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
