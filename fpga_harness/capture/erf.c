/* SPDX-License-Identifier: BSD-2-Clause */
/* Endace's Extensible Record Format.
 *
 * A record is a header of 16 bytes (timestamp, type, flags, record length, loss counter or colour,
 * wire length), extension headers of 8 bytes while the top bit of a type says so, two bytes of
 * offset and padding before an Ethernet frame, the bytes, and padding. The wire length of Ethernet
 * counts the FCS. As in Wireshark it stays in the frame's lengths, for the format does not say
 * whether the card kept it; the length in an IP header keeps it out of any message. */
#include "reader.h"

#define HEADER 16
#define EXTENSION 8
#define MORE 0x80 /* in a type: an extension header follows */
#define ETHERNET_HEADER 14

/* How many records must look right before a file without a magic number is taken for ERF. */
#define SNIFF_RECORDS 8

enum {
    TYPE_LEGACY = 0,
    TYPE_ETH = 2,
    TYPE_COLOR_ETH = 11,
    TYPE_DSM_COLOR_ETH = 16,
    TYPE_COLOR_HASH_ETH = 20,
    TYPE_INFINIBAND = 21,
    TYPE_IPV4 = 22,
    TYPE_IPV6 = 23,
    TYPE_LAST = 29, /* the last that was ever assigned, but for padding */
    TYPE_PAD = 48,
};

enum {
    FLAG_INTERFACE = 0x03,
    FLAG_RX_ERROR = 0x10,
};

enum {
    LINK_ETHERNET = 1,
    LINK_IPV4 = 228,
    LINK_IPV6 = 229,
    LINK_INFINIBAND = 247,
};

struct record {
    uint64_t stamp; /* 32.32 fixed point, seconds since 1970 */
    uint8_t type;   /* without MORE */
    bool more;
    uint8_t flags;
    uint16_t len; /* with this header */
    uint16_t wire_len;
};

static bool read_header(gw_cursor *c, struct record *r)
{
    uint8_t type;
    uint16_t loss_or_colour;
    bool whole = gw_cursor_le64(c, &r->stamp) && gw_cursor_u8(c, &type) &&
                 gw_cursor_u8(c, &r->flags) && gw_cursor_be16(c, &r->len) &&
                 gw_cursor_be16(c, &loss_or_colour) && gw_cursor_be16(c, &r->wire_len);

    if (!whole)
        return false;
    r->type = type & (MORE - 1);
    r->more = (type & MORE) != 0;
    return true;
}

static bool skip_extensions(gw_cursor *c, bool more)
{
    const uint8_t *p;

    while (more) {
        if (!gw_cursor_bytes(c, &p, EXTENSION))
            return false;
        more = (p[0] & MORE) != 0;
    }
    return true;
}

static bool is_ethernet(uint8_t type)
{
    return type == TYPE_ETH || type == TYPE_COLOR_ETH || type == TYPE_DSM_COLOR_ETH ||
           type == TYPE_COLOR_HASH_ETH;
}

/* Says whether a whole record could be one; |body| is what follows its header. */
static bool is_plausible(const struct record *r, gw_cursor body)
{
    if (!skip_extensions(&body, r->more))
        return false;
    if (!is_ethernet(r->type))
        return r->wire_len != 0 || r->type == TYPE_PAD;
    return gw_cursor_skip(&body, 2) &&
           (r->wire_len >= ETHERNET_HEADER || (r->flags & FLAG_RX_ERROR) != 0);
}

/* Says whether two neighbours' stamps could be: at most a second back, as cards interleave their
 * ports, and at most a year on. */
static bool is_near(uint64_t before, uint64_t after)
{
    if (after < before)
        return before - after <= (uint64_t)1 << 32;
    return (after - before) >> 32 <= (uint64_t)366 * 86400;
}

static bool is_erf(gw_input *in)
{
    size_t at = 0;
    unsigned whole = 0;
    uint64_t before = 0;

    for (unsigned i = 0; i < SNIFF_RECORDS; i++) {
        struct record r;
        gw_cursor c = gw_input_want(in, at + HEADER);
        if (!gw_cursor_skip(&c, at) || !read_header(&c, &r))
            break;
        if (r.len < HEADER || r.type == TYPE_LEGACY || (r.type > TYPE_LAST && r.type != TYPE_PAD))
            return false;
        if (r.type != TYPE_PAD && whole != 0 && !is_near(before, r.stamp))
            return false;
        c = gw_input_want(in, at + r.len);
        if (!gw_cursor_skip(&c, at + HEADER) || gw_cursor_left(&c) < (size_t)r.len - HEADER)
            break;
        if (!is_plausible(&r, c))
            return false;
        at += r.len;
        if (r.type == TYPE_PAD)
            continue;
        before = r.stamp;
        whole++;
    }
    return whole != 0;
}

static uint32_t link_of(uint8_t type)
{
    if (is_ethernet(type))
        return LINK_ETHERNET;
    switch (type) {
    case TYPE_INFINIBAND:
        return LINK_INFINIBAND;
    case TYPE_IPV4:
        return LINK_IPV4;
    case TYPE_IPV6:
        return LINK_IPV6;
    default:
        return GW_LINK_ERF_OTHER;
    }
}

/* Nanoseconds of a fixed-point stamp, rounded as Wireshark does. */
static int64_t time_of(uint64_t stamp)
{
    const uint64_t seconds = stamp >> 32;
    const uint64_t fraction = (stamp & 0xffffffff) * 1000000000;

    return (int64_t)(seconds * 1000000000 + ((fraction + 0x80000000u) >> 32));
}

static gw_capture_status fill(gw_capture *capture, gw_frame *frame, const struct record *r,
                              gw_cursor body)
{
    const uint64_t start = capture->in.offset;

    if (!skip_extensions(&body, r->more))
        return gw_capture_broken(capture, start + gw_cursor_offset(&body),
                                 "extension header does not fit in its record of %u bytes", r->len);
    if (is_ethernet(r->type) && !gw_cursor_skip(&body, 2))
        return gw_capture_broken(capture, start + gw_cursor_offset(&body),
                                 "no room for an Ethernet frame in a record of %u bytes", r->len);

    const size_t there = gw_cursor_left(&body);
    frame->data = body.p;
    frame->len = r->wire_len;
    frame->cap_len = there < r->wire_len ? (uint32_t)there : r->wire_len;
    frame->link_type = link_of(r->type);
    frame->erf_type = r->type;
    frame->interface = r->flags & FLAG_INTERFACE;
    frame->time_ns = time_of(r->stamp);
    return GW_CAPTURE_FRAME;
}

static bool open_erf(gw_capture *capture)
{
    (void)capture;
    return true;
}

static gw_capture_status read_erf(gw_capture *capture, gw_frame *frame)
{
    gw_input *in = &capture->in;

    for (;;) {
        struct record r;
        gw_cursor c = gw_input_want(in, HEADER);
        if (gw_cursor_left(&c) == 0 && in->error == 0)
            return GW_CAPTURE_END;
        if (!read_header(&c, &r))
            return gw_capture_breaks_off(capture, "a record header", gw_cursor_left(&c), HEADER);
        if (r.len < HEADER)
            return gw_capture_broken(capture, in->offset + 10,
                                     "record of %u bytes, at least %d expected", r.len, HEADER);
        if (r.type == TYPE_LEGACY)
            return gw_capture_broken(capture, in->offset + 8, "record of type 0, which is not ERF");

        c = gw_input_want(in, r.len);
        if (gw_cursor_left(&c) < r.len || !gw_cursor_skip(&c, HEADER))
            return gw_capture_breaks_off(capture, "a record", gw_cursor_left(&c), r.len);
        if (r.type == TYPE_PAD) {
            gw_input_take(in, r.len);
            continue;
        }
        gw_capture_status status = fill(capture, frame, &r, c);
        gw_input_take(in, r.len);
        return status;
    }
}

static void close_erf(gw_capture *capture)
{
    (void)capture;
}

const gw_reader gw_reader_erf = {
    .type = "erf",
    .matches = is_erf,
    .open = open_erf,
    .next = read_erf,
    .close = close_erf,
};
