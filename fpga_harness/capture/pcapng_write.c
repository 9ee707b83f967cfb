/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes pcapng, least significant byte first: the same frames give the same bytes anywhere. */
#include <stdlib.h>
#include <string.h>

#include "goldwire/writer.h"
#include "harness/capture.h"
#include "input.h"
#include "pcapng.h"
#include "utf8.h"

#define NANOSECONDS 9

struct gw_pcapng_writer {
    FILE *file;
    uint32_t num_interfaces;
    bool failed;
};

static size_t padding(size_t len)
{
    return -len & 3;
}

static size_t option_len(size_t len)
{
    return 4 + len + padding(len);
}

static void put(gw_pcapng_writer *w, const void *data, size_t len)
{
    if (len != 0 && !w->failed)
        w->failed = fwrite(data, 1, len, w->file) != len;
}

static void put_padding(gw_pcapng_writer *w, size_t len)
{
    static const uint8_t zeros[3];

    put(w, zeros, padding(len));
}

static void put_fixed(gw_pcapng_writer *w, const gw_writer *fixed)
{
    put(w, fixed->buf, fixed->len);
}

/* Length of |text| as an option, 0 when there is none. */
static size_t text_option_len(const char *text)
{
    return text == NULL ? 0 : option_len(gw_utf8_cut(text, GW_PCAPNG_OPT_MAX));
}

static void put_text_option(gw_pcapng_writer *w, uint16_t code, const char *text)
{
    uint8_t head[4];
    gw_writer fixed = gw_writer_over(head, sizeof(head));

    if (text == NULL)
        return;
    const size_t len = gw_utf8_cut(text, GW_PCAPNG_OPT_MAX);
    gw_write_le(&fixed, code, 2);
    gw_write_le(&fixed, len, 2);
    put_fixed(w, &fixed);
    put(w, text, len);
    put_padding(w, len);
}

/* Ends the options, when there are any, and the block. */
static void put_end(gw_pcapng_writer *w, bool options, uint32_t block_len)
{
    uint8_t tail[8];
    gw_writer fixed = gw_writer_over(tail, sizeof(tail));

    if (options)
        gw_write_zeros(&fixed, 4);
    gw_write_le(&fixed, block_len, 4);
    put_fixed(w, &fixed);
}

static size_t end_len(size_t options_len)
{
    return options_len == 0 ? 4 : 8;
}

gw_pcapng_writer *gw_pcapng_create(FILE *file, const char *application)
{
    uint8_t head[24];
    gw_writer fixed = gw_writer_over(head, sizeof(head));
    const size_t options = text_option_len(application);
    const uint32_t len = (uint32_t)(sizeof(head) + options + end_len(options));

    gw_pcapng_writer *w = calloc(1, sizeof(*w));
    if (w == NULL)
        return NULL;
    w->file = file;
    gw_write_le(&fixed, GW_PCAPNG_SECTION, 4);
    gw_write_le(&fixed, len, 4);
    gw_write_le(&fixed, GW_PCAPNG_BYTE_ORDER, 4);
    gw_write_le(&fixed, 1, 2); /* version 1.0 */
    gw_write_le(&fixed, 0, 2);
    gw_write_le(&fixed, UINT64_MAX, 8); /* how long the section becomes is not known */
    put_fixed(w, &fixed);
    put_text_option(w, GW_PCAPNG_OPT_SHB_USERAPPL, application);
    put_end(w, options != 0, len);
    if (!w->failed)
        return w;
    free(w);
    return NULL;
}

int gw_pcapng_interface(gw_pcapng_writer *w, uint32_t link_type, const char *name,
                        const char *description)
{
    uint8_t head[16];
    uint8_t tsresol[8];
    gw_writer fixed = gw_writer_over(head, sizeof(head));
    gw_writer resolution = gw_writer_over(tsresol, sizeof(tsresol));
    const size_t options = text_option_len(name) + text_option_len(description) + sizeof(tsresol);
    const uint32_t len = (uint32_t)(sizeof(head) + options + end_len(options));

    if (link_type > UINT16_MAX)
        return -1;
    gw_write_le(&fixed, GW_PCAPNG_INTERFACE, 4);
    gw_write_le(&fixed, len, 4);
    gw_write_le(&fixed, link_type, 2);
    gw_write_le(&fixed, 0, 2);
    gw_write_le(&fixed, 0, 4); /* no snap length */
    gw_write_le(&resolution, GW_PCAPNG_OPT_IF_TSRESOL, 2);
    gw_write_le(&resolution, 1, 2);
    gw_write_le(&resolution, NANOSECONDS, 4);
    put_fixed(w, &fixed);
    put_text_option(w, GW_PCAPNG_OPT_IF_NAME, name);
    put_text_option(w, GW_PCAPNG_OPT_IF_DESCRIPTION, description);
    put_fixed(w, &resolution);
    put_end(w, true, len);
    return w->failed ? -1 : (int)w->num_interfaces++;
}

/* Direction bits of the flags word, 0 when it is not known. */
static uint32_t flags_of(const gw_frame *frame)
{
    switch (frame->dir) {
    case GW_DIR_IN:
        return 1;
    case GW_DIR_OUT:
        return 2;
    default:
        return 0;
    }
}

bool gw_pcapng_frame(gw_pcapng_writer *w, const gw_frame *frame)
{
    uint8_t head[28];
    uint8_t direction[8];
    gw_writer fixed = gw_writer_over(head, sizeof(head));
    gw_writer flags = gw_writer_over(direction, sizeof(direction));
    const uint64_t time = frame->time_ns < 0 ? 0 : (uint64_t)frame->time_ns;

    if (flags_of(frame) != 0) {
        gw_write_le(&flags, GW_PCAPNG_OPT_PACKET_FLAGS, 2);
        gw_write_le(&flags, 4, 2);
        gw_write_le(&flags, flags_of(frame), 4);
    }
    const size_t options = text_option_len(frame->comment) + flags.len;
    const size_t len = sizeof(head) + (size_t)frame->cap_len + padding(frame->cap_len) + options +
                       end_len(options);
    /* What our own reader would refuse is not written. */
    if (frame->interface >= w->num_interfaces || len > GW_INPUT_MAX)
        w->failed = true;
    gw_write_le(&fixed, GW_PCAPNG_ENHANCED, 4);
    gw_write_le(&fixed, len, 4);
    gw_write_le(&fixed, frame->interface, 4);
    gw_write_le(&fixed, time >> 32, 4);
    gw_write_le(&fixed, time, 4);
    gw_write_le(&fixed, frame->cap_len, 4);
    gw_write_le(&fixed, frame->len, 4);
    put_fixed(w, &fixed);
    put(w, frame->data, frame->cap_len);
    put_padding(w, frame->cap_len);
    put_text_option(w, GW_PCAPNG_OPT_COMMENT, frame->comment);
    put_fixed(w, &flags);
    put_end(w, options != 0, (uint32_t)len);
    return !w->failed;
}

bool gw_pcapng_dropped(gw_pcapng_writer *w, uint32_t interface, int64_t time_ns, uint64_t num)
{
    uint8_t head[32];
    gw_writer fixed = gw_writer_over(head, sizeof(head));
    const uint64_t time = time_ns < 0 ? 0 : (uint64_t)time_ns;
    const uint32_t len = (uint32_t)(sizeof(head) + end_len(1));

    if (interface >= w->num_interfaces)
        w->failed = true;
    gw_write_le(&fixed, GW_PCAPNG_STATISTICS, 4);
    gw_write_le(&fixed, len, 4);
    gw_write_le(&fixed, interface, 4);
    gw_write_le(&fixed, time >> 32, 4);
    gw_write_le(&fixed, time, 4);
    gw_write_le(&fixed, GW_PCAPNG_OPT_ISB_IFDROP, 2);
    gw_write_le(&fixed, 8, 2);
    gw_write_le(&fixed, num, 8);
    put_fixed(w, &fixed);
    put_end(w, true, len);
    return !w->failed;
}

bool gw_pcapng_close(gw_pcapng_writer *w)
{
    const bool good = fflush(w->file) == 0 && !w->failed;

    free(w);
    return good;
}
