/* SPDX-License-Identifier: BSD-2-Clause */
/* Replies in both styles: compressed (only what was read, spec 1198) and zero-filled (one word out
 * for each word in, as streaming hardware does, paper VII.A). */
#include <string.h>

#include "formats/etherbone/slave/board.h"

size_t gw_eb_probe_response(const gw_eb_slave *s, uint8_t out[16], uint32_t id)
{
    memset(out, 0, 16);
    gw_eb_build_probe(out, true, s->widths, id);
    gw_eb_mutant_probe(s, out);
    return s->policy.probe_response;
}

void gw_eb_reply_begin(gw_eb_slave *s, gw_eb_reply *reply, gw_eb_client *client, uint8_t widths,
                       uint8_t request_flags, bool with_header)
{
    gw_eb_builder *b = &reply->b;
    reply->client = client;
    reply->request_flags = request_flags;
    reply->num_records = 0;
    (void)!(with_header ? gw_eb_build_packet(b, s->reply, sizeof(s->reply), widths, s->dialect)
                        : gw_eb_build_records(b, s->reply, sizeof(s->reply), widths, s->dialect));
}

/* BCA becomes WCA, RFF becomes WFF, CYC stays (spec 1167). */
static uint8_t reply_flags(uint8_t request)
{
    return (uint8_t)((request & GW_EB_CYC) | ((request & GW_EB_BCA) != 0 ? GW_EB_WCA : 0) |
                     ((request & GW_EB_RFF) != 0 ? GW_EB_WFF : 0));
}

/* Whether |record| gets a record in the reply. A compressed reply leaves out what read nothing,
 * except the end of a cycle that an earlier record in it left open. */
static bool is_answered(const gw_eb_slave *s, const gw_eb_reply *reply, const gw_eb_record *record)
{
    if (record->rcount > 0 || s->ways->zero_filled_reply)
        return true;
    bool no_reads = (reply->request_flags & GW_EB_NR) != 0;
    bool writes = reply->b.has_header && record->wcount > 0;
    if (no_reads ? s->policy.answers_nr : s->policy.answers_writes && writes)
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
        .write_base = record->return_base,
        .num_writes = record->rcount,
        .flags = reply_flags(record->flags),
        .byte_enable = record->byte_enable,
    };
    bool ends_only = record->rcount == 0 && s->by_messages;
    if (ends_only) {
        op.flags = GW_EB_CYC;
        op.byte_enable = 0;
    }
    size_t start = b->w.len;
    if (!gw_eb_build_record(b, &op))
        return false;
    b->w.len = start + gw_eb_mutant_answer(
                           (gw_eb_answer){s, layout, record, s->reply + start, b->w.len - start});
    /* The C library ends such a cycle again with each record that ends one and reads nothing. */
    if (!ends_only)
        client->cycle_open = (record->flags & GW_EB_CYC) == 0;
    reply->num_records++;
    return true;
}

size_t gw_eb_reply_end(gw_eb_slave *s, gw_eb_reply *reply)
{
    bool silent = s->policy.obeys_nr && (reply->request_flags & GW_EB_NR) != 0;
    bool empty = reply->num_records == 0 && !(s->ways->zero_filled_reply && reply->b.has_header);
    size_t len = gw_eb_build_end(&reply->b, true);
    return gw_eb_mutant_reply(s, reply, silent || empty ? 0 : len);
}
