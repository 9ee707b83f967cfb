/* SPDX-License-Identifier: BSD-2-Clause */
/* pcapng: sections in either byte order, any number of interfaces, packets with their comment and
 * direction. Unknown blocks and options are skipped, as the format asks.
 *
 * A section that is shorter than its header says is a file that breaks off; a longer one is read
 * on, because tools that append blocks forget to say so and no other reader minds. */
#include "pcapng.h"
#include "pcapng_time.h"
#include "reader.h"
#include "utf8.h"

#include <inttypes.h>
#include <stdlib.h>

#define BLOCK_MIN 12 /* type, length, length again */
#define MAX_INTERFACES 65536
#define MICROSECONDS 6 /* if_tsresol where an interface has none */

struct interface {
    gw_pcapng_clock clock;
    gw_announcement announced; /* without a format: nothing is */
    uint32_t snaplen;          /* 0: no limit */
    uint16_t link_type;
};

struct pcapng_state {
    bool big; /* byte order of the section */
    bool sized;
    uint64_t section_end; /* offset in the file, when |sized| */
    struct interface *interfaces;
    uint32_t num_interfaces;
    uint32_t cap_interfaces;
    char comment[3 * GW_PCAPNG_OPT_MAX + 1];
};

struct option {
    uint16_t code;
    gw_cursor value;
};

static bool read16(const struct pcapng_state *s, gw_cursor *c, uint16_t *out)
{
    return s->big ? gw_cursor_be16(c, out) : gw_cursor_le16(c, out);
}

static bool read32(const struct pcapng_state *s, gw_cursor *c, uint32_t *out)
{
    return s->big ? gw_cursor_be32(c, out) : gw_cursor_le32(c, out);
}

static bool read64(const struct pcapng_state *s, gw_cursor *c, uint64_t *out)
{
    return s->big ? gw_cursor_be64(c, out) : gw_cursor_le64(c, out);
}

/* Fails at the cursor's place in the current block. */
#define BROKEN(capture, cursor, ...)                                                               \
    gw_capture_broken((capture), (capture)->in.offset + gw_cursor_offset(cursor), __VA_ARGS__)

/* Reads the next option. False at the end, and at an option that does not fit: then the cursor
 * still has bytes left. */
static bool next_option(const struct pcapng_state *s, gw_cursor *options, struct option *o)
{
    gw_cursor c = *options;
    uint16_t len;

    if (!read16(s, &c, &o->code) || !read16(s, &c, &len))
        return false;
    if (o->code == GW_PCAPNG_OPT_END) {
        options->p = options->end;
        return false;
    }
    if (!gw_cursor_sub(&c, &o->value, len) || !gw_cursor_skip(&c, -(size_t)len & 3))
        return false;
    *options = c;
    return true;
}

static gw_capture_status options_end(gw_capture *capture, const gw_cursor *options)
{
    if (gw_cursor_left(options) == 0)
        return GW_CAPTURE_FRAME;
    return BROKEN(capture, options, "an option does not fit in its block");
}

static gw_capture_status read_section(gw_capture *capture, gw_cursor c)
{
    struct pcapng_state *s = capture->state;
    uint16_t major;
    uint16_t minor;
    uint64_t len;
    const gw_cursor at = c;

    /* The byte order was read with the block's head. */
    if (!gw_cursor_skip(&c, 4) || !read16(s, &c, &major) || !read16(s, &c, &minor) ||
        !read64(s, &c, &len))
        return BROKEN(capture, &at, "no room for a section header");
    if (major != 1)
        return gw_capture_broken(capture, capture->in.offset + 12,
                                 "pcapng version %u.%u, only 1.x is known", major, minor);
    s->num_interfaces = 0;
    /* The section's length counts from behind its header; -1 says that it was not known. */
    const uint64_t start = capture->in.offset + gw_cursor_offset(&c) + gw_cursor_left(&c) + 4;
    s->sized = len <= INT64_MAX && !__builtin_add_overflow(start, len, &s->section_end);
    return GW_CAPTURE_FRAME;
}

static struct interface *add_interface(struct pcapng_state *s)
{
    if (s->num_interfaces == s->cap_interfaces) {
        const uint32_t cap = s->cap_interfaces == 0 ? 8 : 2 * s->cap_interfaces;
        struct interface *more = realloc(s->interfaces, cap * sizeof(*more));
        if (more == NULL)
            return NULL;
        s->interfaces = more;
        s->cap_interfaces = cap;
    }
    struct interface *added = &s->interfaces[s->num_interfaces++];
    *added = (struct interface){.clock = {.resolution = MICROSECONDS}};
    return added;
}

static gw_capture_status read_interface(gw_capture *capture, gw_cursor c)
{
    struct pcapng_state *s = capture->state;
    struct interface *i;
    uint16_t reserved;
    struct option o;
    const gw_cursor at = c;

    if (s->num_interfaces == MAX_INTERFACES)
        return BROKEN(capture, &at, "more than %d interfaces in a section", MAX_INTERFACES);
    i = add_interface(s);
    if (i == NULL)
        return BROKEN(capture, &at, "no memory for interface %" PRIu32, s->num_interfaces);
    if (!read16(s, &c, &i->link_type) || !read16(s, &c, &reserved) || !read32(s, &c, &i->snaplen))
        return BROKEN(capture, &at, "no room for an interface description");
    while (next_option(s, &c, &o)) {
        gw_cursor v = o.value;
        uint64_t offset;
        if (o.code == GW_PCAPNG_OPT_IF_DESCRIPTION &&
            !gw_announcement_read(&i->announced, (const char *)v.p, gw_cursor_left(&v)))
            continue;
        if (o.code == GW_PCAPNG_OPT_IF_TSRESOL && !gw_cursor_u8(&v, &i->clock.resolution))
            return BROKEN(capture, &v, "if_tsresol without a value");
        if (o.code != GW_PCAPNG_OPT_IF_TSOFFSET)
            continue;
        if (!read64(s, &v, &offset))
            return BROKEN(capture, &v, "if_tsoffset of %zu bytes, 8 expected", gw_cursor_left(&v));
        i->clock.offset = (int64_t)offset;
    }
    return options_end(capture, &c);
}

static gw_capture_status read_packet_options(gw_capture *capture, gw_frame *frame, gw_cursor c)
{
    struct pcapng_state *s = capture->state;
    struct option o;

    while (next_option(s, &c, &o)) {
        gw_cursor v = o.value;
        uint32_t flags;
        if (o.code == GW_PCAPNG_OPT_COMMENT && frame->comment == NULL) {
            gw_utf8_copy(s->comment, sizeof(s->comment), v);
            frame->comment = s->comment;
        }
        if (o.code != GW_PCAPNG_OPT_PACKET_FLAGS)
            continue;
        if (!read32(s, &v, &flags))
            return BROKEN(capture, &v, "packet flags of %zu bytes, 4 expected", gw_cursor_left(&v));
        if ((flags & 3) == 1)
            frame->dir = GW_DIR_IN;
        if ((flags & 3) == 2)
            frame->dir = GW_DIR_OUT;
    }
    return options_end(capture, &c);
}

/* Takes the |cap_len| bytes of a packet, and the padding behind them, out of the cursor. |len| is
 * never less, whatever the file says. */
static gw_capture_status read_data(gw_capture *capture, gw_frame *frame, gw_cursor *c,
                                   uint32_t cap_len, uint32_t len)
{
    const size_t room = gw_cursor_left(c);

    if (!gw_cursor_bytes(c, &frame->data, cap_len))
        return BROKEN(capture, c, "packet of %" PRIu32 " bytes, the block has room for %zu",
                      cap_len, room);
    if (!gw_cursor_skip(c, -(size_t)cap_len & 3))
        return BROKEN(capture, c, "no room for a packet's padding");
    frame->cap_len = cap_len;
    frame->len = len > cap_len ? len : cap_len;
    return GW_CAPTURE_FRAME;
}

/* Finds the interface |id| for |frame|; NULL when the section has not described it. */
static const struct interface *interface_of(const struct pcapng_state *s, gw_frame *frame,
                                            uint32_t id)
{
    if (id >= s->num_interfaces)
        return NULL;
    frame->interface = id;
    frame->link_type = s->interfaces[id].link_type;
    if (s->interfaces[id].announced.format != NULL)
        frame->announced = &s->interfaces[id].announced;
    return &s->interfaces[id];
}

/* Reads an enhanced packet block, or the obsolete one: they differ in their first four bytes. */
static gw_capture_status read_packet(gw_capture *capture, gw_frame *frame, gw_cursor c,
                                     uint32_t type)
{
    const struct pcapng_state *s = capture->state;
    const gw_cursor at = c;
    uint32_t id;
    uint16_t short_id;
    uint16_t drops;
    uint32_t high;
    uint32_t low;
    uint32_t cap_len;
    uint32_t len;
    bool fits;

    if (type == GW_PCAPNG_ENHANCED) {
        fits = read32(s, &c, &id);
    } else {
        fits = read16(s, &c, &short_id) && read16(s, &c, &drops);
        id = fits ? short_id : 0;
    }
    if (!fits || !read32(s, &c, &high) || !read32(s, &c, &low) || !read32(s, &c, &cap_len) ||
        !read32(s, &c, &len))
        return BROKEN(capture, &at, "no room for a packet's header");

    const struct interface *i = interface_of(s, frame, id);
    if (i == NULL)
        return BROKEN(capture, &at, "packet of interface %" PRIu32 ", %" PRIu32 " described so far",
                      id, s->num_interfaces);
    frame->time_ns = gw_pcapng_time(i->clock, (uint64_t)high << 32 | low);

    gw_capture_status status = read_data(capture, frame, &c, cap_len, len);
    if (status != GW_CAPTURE_FRAME || gw_cursor_left(&c) == 0)
        return status;
    return read_packet_options(capture, frame, c);
}

/* Reads a simple packet block: it has no time, and belongs to the first interface, whose snap
 * length tells how much of it was kept. */
static gw_capture_status read_simple(gw_capture *capture, gw_frame *frame, gw_cursor c)
{
    const struct pcapng_state *s = capture->state;
    const gw_cursor at = c;
    uint32_t len;

    if (!read32(s, &c, &len))
        return BROKEN(capture, &at, "no room for a packet's header");
    const struct interface *i = interface_of(s, frame, 0);
    if (i == NULL)
        return BROKEN(capture, &at, "packet of interface 0, none described so far");
    const bool cut = i->snaplen != 0 && i->snaplen < len;
    return read_data(capture, frame, &c, cut ? i->snaplen : len, len);
}

/* Reads the head of the next block: its type, and its length once that holds. Sets the section's
 * byte order. */
static gw_capture_status read_head(gw_capture *capture, uint32_t *type, uint32_t *len)
{
    struct pcapng_state *s = capture->state;
    gw_cursor c = gw_input_want(&capture->in, BLOCK_MIN);
    const size_t have = gw_cursor_left(&c);
    const uint8_t *p;

    if (have == 0 && capture->in.error == 0) {
        if (s->sized && capture->in.offset < s->section_end)
            return BROKEN(capture, &c, "the file ends, its section goes on for %" PRIu64 " bytes",
                          s->section_end - capture->in.offset);
        return GW_CAPTURE_END;
    }
    if (!gw_cursor_bytes(&c, &p, BLOCK_MIN))
        return gw_capture_breaks_off(capture, "a block", have, BLOCK_MIN);

    if (gw_load_be32(p) == GW_PCAPNG_SECTION) {
        s->big = gw_load_be32(p + 8) == GW_PCAPNG_BYTE_ORDER;
        if (!s->big && gw_load_le32(p + 8) != GW_PCAPNG_BYTE_ORDER)
            return gw_capture_broken(capture, capture->in.offset + 8,
                                     "byte-order magic 0x%08" PRIx32 ", 0x%08x expected",
                                     gw_load_be32(p + 8), GW_PCAPNG_BYTE_ORDER);
    }
    *type = s->big ? gw_load_be32(p) : gw_load_le32(p);
    *len = s->big ? gw_load_be32(p + 4) : gw_load_le32(p + 4);
    const uint64_t at = capture->in.offset + 4;
    if (*len < BLOCK_MIN)
        return gw_capture_broken(capture, at, "block of %" PRIu32 " bytes, at least %d expected",
                                 *len, BLOCK_MIN);
    if (*len % 4 != 0)
        return gw_capture_broken(capture, at,
                                 "block of %" PRIu32 " bytes, a multiple of 4 expected", *len);
    if (*len > GW_INPUT_MAX)
        return gw_capture_broken(capture, at, "block of %" PRIu32 " bytes, at most %zu are read",
                                 *len, GW_INPUT_MAX);
    return GW_CAPTURE_FRAME;
}

/* Cuts the body of the next block out, between its head and the length that ends it. */
static gw_capture_status read_body(gw_capture *capture, uint32_t len, gw_cursor *body)
{
    const struct pcapng_state *s = capture->state;
    gw_cursor c = gw_input_want(&capture->in, len);
    const size_t have = gw_cursor_left(&c);
    uint32_t again = 0;

    if (have < len || !gw_cursor_skip(&c, 8) || !gw_cursor_sub(&c, body, len - BLOCK_MIN))
        return gw_capture_breaks_off(capture, "a block", have, len);
    const gw_cursor at = c;
    if (!read32(s, &c, &again) || again != len)
        return BROKEN(capture, &at, "block of %" PRIu32 " bytes ends with the length %" PRIu32, len,
                      again);
    return GW_CAPTURE_FRAME;
}

static gw_capture_status read_pcapng(gw_capture *capture, gw_frame *frame)
{
    for (;;) {
        gw_cursor body;
        uint32_t type = 0;
        uint32_t len = 0;
        bool packet = false;
        gw_capture_status status = read_head(capture, &type, &len);
        if (status == GW_CAPTURE_FRAME)
            status = read_body(capture, len, &body);
        if (status != GW_CAPTURE_FRAME)
            return status;

        switch (type) {
        case GW_PCAPNG_SECTION:
            status = read_section(capture, body);
            break;
        case GW_PCAPNG_INTERFACE:
            status = read_interface(capture, body);
            break;
        case GW_PCAPNG_ENHANCED:
        case GW_PCAPNG_PACKET:
            packet = true;
            status = read_packet(capture, frame, body, type);
            break;
        case GW_PCAPNG_SIMPLE:
            packet = true;
            status = read_simple(capture, frame, body);
            break;
        default:
            break;
        }
        if (status != GW_CAPTURE_FRAME)
            return status;
        gw_input_take(&capture->in, len);
        if (packet)
            return GW_CAPTURE_FRAME;
    }
}

static bool is_pcapng(gw_input *in)
{
    gw_cursor c = gw_input_want(in, 4);
    uint32_t type;

    return gw_cursor_be32(&c, &type) && type == GW_PCAPNG_SECTION;
}

static bool open_pcapng(gw_capture *capture)
{
    capture->state = calloc(1, sizeof(struct pcapng_state));
    return capture->state != NULL;
}

static void close_pcapng(gw_capture *capture)
{
    struct pcapng_state *s = capture->state;

    if (s != NULL)
        free(s->interfaces);
    free(s);
}

const gw_reader gw_reader_pcapng = {
    .type = "pcapng",
    .matches = is_pcapng,
    .open = open_pcapng,
    .next = read_pcapng,
    .close = close_pcapng,
};
