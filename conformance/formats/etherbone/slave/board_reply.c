/* SPDX-License-Identifier: BSD-2-Clause */
/* Replies in both styles: compressed (only what was read, spec 1198) and zero-filled (one word out
 * for each word in, as streaming hardware does, paper VII.A). The builder writes the bytes; faults
 * change them afterwards. */
#include <string.h>

#include "formats/etherbone/slave/board.h"

#define DIRT 0xa5

size_t gw_eb_probe_response(const gw_eb_slave *s, uint8_t out[16], uint32_t id)
{
    memset(out, 0, 16);
    gw_eb_build_probe(out, true, s->widths, id);
    return gw_eb_mutant_probe(s, out);
}

void gw_eb_reply_begin(gw_eb_slave *s, gw_eb_reply *reply, gw_eb_client *client, uint8_t widths,
                       uint8_t request_flags, bool with_header)
{
    gw_eb_builder *b = &reply->b;
    reply->client = client;
    reply->request_flags = request_flags;
    reply->num_records = 0;
    bool ok = with_header ? gw_eb_build_packet(b, s->reply, sizeof(s->reply), widths, s->dialect)
                          : gw_eb_build_records(b, s->reply, sizeof(s->reply), widths, s->dialect);
    if (!ok || !with_header)
        return;
    if (gw_eb_faulty(s, FAULT_OTHER_WIDTHS))
        s->reply[3] = 0x44;
    if (s->left.refused && gw_eb_faulty(s, FAULT_REFUSED_WIDTHS_STAY))
        s->reply[3] = s->left.widths;
    if (gw_eb_faulty(s, FAULT_DIRTY_RESERVED))
        s->reply[2] |= request_flags & GW_EB_HEADER_RESERVED;
    if (gw_eb_faulty(s, FAULT_DIRTY_PADDING) && b->w.len == 8)
        memset(s->reply + 4, DIRT, 4);
}

/* BCA becomes WCA, RFF becomes WFF, CYC stays (spec 1167). */
static uint8_t reply_flags(const gw_eb_slave *s, uint8_t request)
{
    uint8_t flags = 0;
    if ((request & GW_EB_CYC) != 0 && !gw_eb_faulty(s, FAULT_CYC_LOST))
        flags |= GW_EB_CYC;
    if ((request & GW_EB_BCA) != 0 && !gw_eb_faulty(s, FAULT_BCA_LOST))
        flags |= GW_EB_WCA;
    if ((request & GW_EB_RFF) != 0 && !gw_eb_faulty(s, FAULT_RFF_LOST))
        flags |= GW_EB_WFF;
    return flags;
}

/* The wrong way: the 32 bits of a bus that come first go out first, but for the first word. */
static void swap_halves(uint8_t *words, unsigned num)
{
    for (unsigned i = 1; i < num; i++) {
        words += 8;
        uint64_t word = gw_load_be64(words);
        gw_store_be(words, word << 32 | word >> 32, 8);
    }
}

/* The wrong way: behind the first word of a record nobody thinks of padding. Returns how many bytes
 * it is shorter. */
static size_t pack_words(const gw_eb_layout *layout, uint8_t *record, unsigned num)
{
    uint8_t *first = record + layout->record_header + layout->addr_unit;
    size_t padding = (size_t)(layout->data_unit - layout->data_bytes);
    uint8_t *to = first + layout->data_unit;
    for (unsigned i = 1; i < num; i++, to += layout->data_bytes)
        memmove(to, first + (size_t)i * layout->data_unit + padding, layout->data_bytes);
    return num > 1 ? (num - 1) * padding : 0;
}

static void soil(const gw_eb_slave *s, const gw_eb_layout *layout, uint8_t *bytes, uint8_t values,
                 uint8_t request_flags)
{
    if (gw_eb_faulty(s, FAULT_DIRTY_RESERVED))
        bytes[0] |= request_flags & (GW_EB_RESERVED_10 | GW_EB_RESERVED_01);
    if (gw_eb_faulty(s, FAULT_DIRTY_PADDING)) {
        memset(bytes + 4, DIRT, layout->record_header - 4);
        uint8_t *unit = bytes + layout->record_header + layout->addr_unit;
        for (unsigned i = 0; i < values; i++, unit += layout->data_unit)
            memset(unit, DIRT, (size_t)(layout->data_unit - layout->data_bytes));
    }
    if (gw_eb_faulty(s, FAULT_VALUE_AT_FRONT) && layout->addr_bytes == 1) {
        uint8_t *unit = bytes + layout->record_header + layout->addr_unit;
        size_t padding = (size_t)(layout->data_unit - layout->data_bytes);
        for (unsigned i = 0; i < values; i++, unit += layout->data_unit) {
            memmove(unit, unit + padding, layout->data_bytes);
            memset(unit + layout->data_bytes, 0, padding);
        }
    }
    if (gw_eb_faulty(s, FAULT_HALVES_SWAPPED) && layout->data_bytes == 8)
        swap_halves(bytes + layout->record_header + layout->addr_unit, values);
    if (gw_eb_faulty(s, FAULT_COUNTS_SWAPPED)) {
        bytes[3] = bytes[2];
        bytes[2] = 0;
    }
}

static uint8_t byte_enable_for(const gw_eb_slave *s, const gw_eb_layout *layout, uint8_t request)
{
    if (gw_eb_faulty(s, FAULT_BYTE_ENABLE_FULL))
        return (uint8_t)((1u << layout->data_bytes) - 1);
    return gw_eb_faulty(s, FAULT_BYTE_ENABLE_CUT) ? request & 0x0f : request;
}

static uint64_t return_base_for(const gw_eb_slave *s, const gw_eb_layout *layout, uint64_t request)
{
    if (gw_eb_faulty(s, FAULT_RETURN_ADDRESS_CUT) && layout->addr_bytes < 8)
        return request & ((UINT64_C(1) << 8 * layout->addr_bytes) - 1);
    return request;
}

/* Whether |record| gets a record in the reply. A compressed reply leaves out what read nothing,
 * except the end of a cycle that an earlier record in it left open. */
static bool is_answered(const gw_eb_slave *s, const gw_eb_reply *reply, const gw_eb_record *record)
{
    if (record->rcount > 0 || s->ways->zero_filled_reply)
        return true;
    if (gw_eb_faulty(s, FAULT_ANSWERS_WRITES) && (reply->request_flags & GW_EB_NR) != 0)
        return true;
    if (gw_eb_faulty(s, FAULT_SHORT_FILL) && reply->b.has_header &&
        (reply->request_flags & GW_EB_NR) == 0 && record->wcount > 0)
        return true;
    return reply->client->cycle_open && (record->flags & GW_EB_CYC) != 0;
}

bool gw_eb_reply_record(gw_eb_slave *s, gw_eb_reply *reply, const gw_eb_record *record,
                        const uint64_t values[255])
{
    gw_eb_client *client = reply->client;
    gw_eb_builder *b = &reply->b;
    const gw_eb_layout *layout = &b->layout;
    if (!is_answered(s, reply, record))
        return true;
    size_t zeros = s->ways->zero_filled_reply && record->wcount > 0
                       ? layout->addr_unit + (size_t)record->wcount * layout->data_unit
                       : 0;
    if (b->w.cap - b->w.len < zeros + gw_eb_record_len(layout, record->rcount, 0))
        return false;
    gw_write_zeros(&b->w, zeros);
    gw_eb_operation op = {
        .writes = values,
        .write_base = return_base_for(s, layout, record->return_base),
        .num_writes = record->rcount,
        .flags = reply_flags(s, record->flags),
        .byte_enable = byte_enable_for(s, layout, record->byte_enable),
    };
    size_t start = b->w.len;
    if (!gw_eb_build_record(b, &op))
        return false;
    soil(s, layout, s->reply + start, record->rcount, record->flags);
    if (gw_eb_faulty(s, FAULT_WORDS_PACKED))
        b->w.len -= pack_words(layout, s->reply + start, record->rcount);
    client->cycle_open = (record->flags & GW_EB_CYC) == 0;
    reply->num_records++;
    return true;
}

/* The wrong way: one record more at the end of a datagram, empty, as if a cycle were still open.
 * Returns its length. */
static size_t put_empty_record(gw_eb_slave *s, const gw_eb_reply *reply, size_t at)
{
    size_t len = reply->b.layout.record_header;
    if (!reply->b.has_header || reply->b.w.cap - at < len)
        return 0;
    memset(s->reply + at, 0, len);
    s->reply[at] = GW_EB_CYC;
    return len;
}

size_t gw_eb_reply_end(gw_eb_slave *s, gw_eb_reply *reply)
{
    bool no_reads = (reply->request_flags & GW_EB_NR) != 0;
    bool obeys = s->ways->zero_filled_reply || gw_eb_faulty(s, FAULT_OBEYS_NR);
    size_t len = gw_eb_build_end(&reply->b, !gw_eb_faulty(s, FAULT_NO_NR));
    if (obeys && no_reads)
        return 0;
    if (reply->num_records == 0 && !(s->ways->zero_filled_reply && reply->b.has_header))
        return 0;
    if (gw_eb_faulty(s, FAULT_VERSION_2) && reply->b.has_header)
        s->reply[2] = (uint8_t)((s->reply[2] & 15) | 2 << 4);
    if (gw_eb_faulty(s, FAULT_EXTRA_RECORD) && reply->num_records > 1)
        len += put_empty_record(s, reply, len);
    if (gw_eb_faulty(s, FAULT_LONG_REPLY) && reply->b.w.cap - len >= 64) {
        memset(s->reply + len, 0, 64);
        len += 64;
    }
    return len;
}
