/* SPDX-License-Identifier: BSD-2-Clause */
/* Records as requests and as answers. */
#include "etherbone/session/session.h"

enum {
    MAX_TRIES = 8,        /* records of a message for which a request that nearly fits is sought */
    RETURN_AREA = 0x8000, /* config addresses from here on are the requester's own (spec 1012) */
    CONFIG_END = 0x10000,
};

/* ---- requests ---- */

static bool is_broadcast(const gw_eb_feeding *f)
{
    return f->m->dst.family == GW_FAMILY_IPV4 && gw_load_be32(f->m->dst.ip) == UINT32_MAX;
}

static void keep_request(gw_eb_feeding *f, const gw_eb_record *record)
{
    const gw_message *m = f->m;
    const gw_eb_reader *r = &f->reader;
    uint32_t writes = record->wcount == 0
                          ? 0
                          : r->layout.addr_unit + (uint32_t)record->wcount * r->layout.data_unit;
    gw_eb_request request = {
        .key = gw_eb_key_of_request(record),
        .requester = m->src,
        .responder = m->dst,
        .dialect = f->dialect,
        .time_ns = m->time_ns,
        .frame = m->frame,
        .unit = f->unit,
        .len = m->len,
        .offset = record->offset,
        .reply_offset = record->offset + writes,
        .stream = gw_eb_stream_of(m),
        .empties = (uint16_t)f->empties,
        .flags = record->flags,
        .byte_enable = record->byte_enable,
        .widths = r->layout.widths,
        .slot = (uint8_t)(f->to_responder % GW_EB_SLOTS),
        .quiet = f->disagrees || (r->has_header && (r->header.flags & GW_EB_NR) != 0),
        .broadcast = false, /* every member is named, so that none has to be cleared first */
    };

    gw_eb_keep(f->s, &request, gw_eb_hash_in(f->to_responder, &request.key), f->sink);
}

/* A request sent back unchanged, as an answer by somebody who only swaps the addresses. */
static bool is_echo(gw_eb_feeding *f, const gw_eb_record *record)
{
    gw_eb_key key = gw_eb_key_of_request(record);
    gw_eb_found found = gw_eb_find(f->s, f->m, &key, gw_eb_hash_in(f->to_requester, &key));

    if (!gw_eb_open_fits(&found, GW_EB_EXACT) || found.open->suspect.noted ||
        gw_eb_has_asked(&f->s->table, &f->m->src))
        return false; /* or it asks as well, and two masters may use one address */
    gw_eb_suspect_answer(f, found.open,
                         &(gw_eb_suspect){.rule = EB_S19,
                                          .value = record->rcount,
                                          .start = record->offset,
                                          .surely = f->from_service,
                                          .is_request = true});
    return found.open->state != GW_EB_WAIT_OPEN;
}

static void feed_request(gw_eb_feeding *f, const gw_eb_record *record)
{
    f->requests++;
    if (f->requests == 1 && f->s->num_agreements > 0 && f->reader.has_header &&
        f->m->part == GW_EB_PACKET && (f->reader.header.flags & (GW_EB_PF | GW_EB_PR)) == 0)
        f->disagrees = !gw_eb_judge_agreed(f);
    if (is_broadcast(f))
        return; /* answers would come from addresses that were not asked */
    if (gw_eb_table_oldest(&f->s->table, GW_EB_WAITING) != NULL && is_echo(f, record))
        return;
    keep_request(f, record);
}

/* ---- answers ---- */

/* Zeros stand for writes when there are more of them than the request had empty records. */
static void note_place(gw_eb_feeding *f, const gw_eb_record *record, gw_eb_wait *wait)
{
    if (f->zeros <= wait->asked.empties || f->m->transport == GW_OVER_TCP)
        return;
    f->zero_filled = true;
    if (record->offset != wait->asked.reply_offset && f->misplaced == 0) {
        f->misplaced = record->offset;
        f->displaced = wait;
    }
}

/* Whether a datagram that differs from the answer to |open| in more than one way, which is no
 * accident, is just what the youngest request before that asked for: the path's copy of its answer,
 * or the answer itself behind such a copy. */
static bool may_be_a_copy(const gw_eb_feeding *f, const gw_eb_record *record,
                          const gw_eb_found *found)
{
    const gw_eb_wait *done = found->done;

    if (found->open->num_breaches < 2 || found->open->asked.stream != 0 || done == NULL ||
        done->state != GW_EB_WAIT_ANSWERED)
        return false;
    gw_eb_wait asked_before = *done;
    gw_eb_judge_pair(f, record, true, &asked_before);
    return asked_before.num_breaches == 0;
}

static void take(gw_eb_feeding *f, const gw_eb_record *record, bool whole, gw_eb_found *found)
{
    gw_eb_judge_pair(f, record, whole, found->open);
    found->ambiguous = found->ambiguous || may_be_a_copy(f, record, found);
    note_place(f, record, found->open);
    gw_eb_take_answer(f, found->open, found);
}

static void take_again(gw_eb_feeding *f, const gw_eb_record *record, gw_eb_wait *wait)
{
    if (wait->state == GW_EB_WAIT_GIVEN_UP) {
        gw_eb_relate_stale(f, wait);
        wait->state = GW_EB_WAIT_ANSWERED;
        wait->answer = f->m->frame;
        return;
    }
    gw_eb_relate_repeat(f, wait, record->offset);
}

/* A record that writes and answers nothing. */
static void stray(gw_eb_feeding *f)
{
    if (f->surely_reply && !f->has_stray) {
        f->has_stray = true;
        f->stray_unit = f->unit;
    }
}

/* Does the record at hand answer something, or repeat an answer? */
static bool match(gw_eb_feeding *f, const gw_eb_record *record, bool whole)
{
    gw_eb_key key = gw_eb_key_of_reply(record);
    gw_eb_found found = gw_eb_find(f->s, f->m, &key, gw_eb_hash_in(f->to_requester, &key));
    enum gw_eb_score good = GW_EB_OTHER_SOURCE;

    if (GW_UNLIKELY(found.gave_up)) {
        gw_eb_note_blind(f);
        stray(f);
        return true;
    }
    if (found.open == NULL && found.done == NULL)
        return false;
    if (found.open_score == GW_EB_OTHER_PORT || found.done_score == GW_EB_OTHER_PORT) {
        if (gw_dialect_waives(f->dialect, &gw_eb_rules[EB_S44]))
            good = GW_EB_OTHER_PORT;
    }
    if (gw_eb_open_fits(&found, good) && found.open_score >= found.done_score) {
        take(f, record, whole, &found);
        return true;
    }
    if (gw_eb_done_fits(&found, good)) {
        take_again(f, record, found.done);
        return true;
    }
    if (found.open == NULL || found.open->suspect.noted)
        return false;
    gw_eb_suspect_answer(f, found.open,
                         &(gw_eb_suspect){.rule = EB_S44,
                                          .value = f->m->dst.port,
                                          .start = record->offset,
                                          .surely = f->surely_reply});
    return true;
}

/* What a record would answer if one thing in it were right; its widths have to be. */
struct near {
    gw_eb_key key;
    uint64_t addr_mask; /* of the address width */
    uint8_t widths;
};

/* The best fit has another count, a good one is of the other space, and a poor one has a base that
 * was cut to the width of addresses. */
static enum gw_eb_fit nearly_fits(const gw_eb_wait *wait, const void *arg)
{
    const struct near *near = arg;
    const gw_eb_key *key = &wait->asked.key;

    if ((key->base & near->addr_mask) != (near->key.base & near->addr_mask) ||
        wait->asked.widths != near->widths)
        return GW_EB_FITS_NOT;
    bool space = key->kind == near->key.kind, count = key->count == near->key.count;
    if (key->base != near->key.base)
        return space && count && (near->key.base & ~near->addr_mask) == 0 ? GW_EB_FITS_POORLY
                                                                          : GW_EB_FITS_NOT;
    if (space)
        return count ? GW_EB_FITS_NOT : GW_EB_FITS_BEST;
    return count && key->kind != GW_EB_WAIT_PROBE ? GW_EB_FITS_WELL : GW_EB_FITS_NOT;
}

/* Does the record nearly answer something? */
static bool suspect(gw_eb_feeding *f, const gw_eb_record *record)
{
    const gw_eb_layout *l = &f->reader.layout;
    const gw_eb_table *t = &f->s->table;
    unsigned bits = 8u * l->addr_bytes;
    struct near near = {gw_eb_key_of_reply(record),
                        bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX, l->widths};
    gw_eb_suspect found = {.surely = f->surely_reply};
    gw_eb_wait *wait = gw_eb_oldest_open(t, f->m, nearly_fits, &near);

    switch (wait != NULL ? nearly_fits(wait, &near) : GW_EB_FITS_NOT) {
    case GW_EB_FITS_BEST:
        found.rule = EB_S19;
        found.value = record->wcount;
        found.start = record->offset;
        break;
    case GW_EB_FITS_WELL:
        found.rule = EB_S20;
        found.value = near.key.kind == GW_EB_WAIT_CONFIG;
        found.start = record->offset;
        break;
    case GW_EB_FITS_POORLY:
        found.rule = EB_S22;
        found.value = record->write_base;
        found.start = record->offset + l->record_header;
        break;
    default:
        return false;
    }
    gw_eb_suspect_answer(f, wait, &found);
    return true;
}

/* A reply for sure: sent by a service to somebody who is none, or into the part of config space
 * that requesters keep for results. Anything else may be a write of its own, as timing messages
 * are. */
static bool surely_reply(const gw_eb_feeding *f, const gw_eb_record *record)
{
    bool returns = (record->flags & GW_EB_WCA) != 0 && record->write_base >= RETURN_AREA &&
                   record->write_base < CONFIG_END;
    return returns || f->from_service;
}

static void feed_writes(gw_eb_feeding *f, const gw_eb_record *record, bool whole)
{
    f->surely_reply = surely_reply(f, record);
    if (match(f, record, whole))
        return;
    if (f->tries++ < MAX_TRIES && gw_eb_table_oldest(&f->s->table, GW_EB_WAITING) != NULL &&
        suspect(f, record))
        return;
    stray(f);
}

/* A reply that forgot to clear its read count would be taken for a request. Where both ends may ask
 * it is one. */
static bool answers_and_reads(gw_eb_feeding *f, const gw_eb_record *record, bool whole)
{
    if (!surely_reply(f, record) || gw_eb_table_oldest(&f->s->table, GW_EB_WAITING) == NULL)
        return false;
    gw_eb_key key = gw_eb_key_of_reply(record);
    gw_eb_found found = gw_eb_find(f->s, f->m, &key, gw_eb_hash_in(f->to_requester, &key));
    if (!gw_eb_open_fits(&found, GW_EB_EXACT))
        return false;
    f->requests++;
    take(f, record, whole, &found);
    return true;
}

void gw_eb_feed_record(gw_eb_feeding *f, const gw_eb_record *record)
{
    if (record->rcount > 0) {
        if (record->wcount == 0 || !answers_and_reads(f, record, true))
            feed_request(f, record);
    } else if (record->wcount > 0) {
        feed_writes(f, record, true);
    } else {
        f->empties++;
        f->zeros += (record->flags | record->byte_enable) == 0;
    }
}

/* ---- records that are not whole ---- */

/* Reads as much of the record that the reader stopped at as tells what it is. */
static bool peek(const gw_message *m, const gw_eb_reader *r, gw_eb_record *record)
{
    gw_cursor c = gw_cursor_over(m->data, m->cap_len);
    const uint8_t *head;

    *record = (gw_eb_record){.offset = gw_cursor_offset(&r->c)};
    if (!gw_cursor_skip(&c, record->offset) || !gw_cursor_bytes(&c, &head, r->layout.record_header))
        return false;
    gw_eb_record_head(record, &r->layout, head);
    if (record->wcount > 0)
        return gw_cursor_be(&c, &record->write_base, r->layout.addr_unit);
    return gw_cursor_be(&c, &record->return_base, r->layout.addr_unit);
}

void gw_eb_feed_broken_record(gw_eb_feeding *f)
{
    gw_eb_record record;

    if (!f->reader.has_layout || !peek(f->m, &f->reader, &record))
        return;
    if (record.wcount > 0 && record.rcount > 0)
        (void)answers_and_reads(f, &record, false);
    else if (record.wcount > 0)
        feed_writes(f, &record, false);
    else if (record.rcount > 0 && f->reader.error.capture_cut)
        feed_request(f, &record);
}

/* ---- replies that cannot be read as they are ---- */

static enum gw_eb_fit reads_otherwise(const gw_eb_wait *wait, const void *arg)
{
    const uint8_t *head = arg;
    bool otherwise =
        wait->asked.widths != gw_eb_widths_of(head) || GET(head, VERSION) != GW_EB_VERSION;
    return otherwise && wait->asked.key.kind != GW_EB_WAIT_PROBE ? GW_EB_FITS_BEST : GW_EB_FITS_NOT;
}

/* Reads the message with the widths of a request from the other side. */
bool gw_eb_feed_otherwise(gw_eb_feeding *f)
{
    const gw_message *m = f->m;
    const uint8_t *head = gw_check_bytes(m, 0, GW_EB_BYTES_IN_HEADER);
    gw_eb_record record;

    if (m->part != GW_EB_PACKET || head == NULL)
        return false;
    const gw_eb_wait *model = gw_eb_oldest_open(&f->s->table, m, reads_otherwise, head);
    if (model == NULL)
        return false;

    gw_eb_reader r = {.c = gw_cursor_over(m->data, m->cap_len), .len = m->len};
    r.has_layout = gw_eb_layout_for(&r.layout, model->asked.widths, model->asked.dialect);
    if (!r.has_layout || !gw_cursor_skip(&r.c, r.layout.header_len))
        return false;
    bool version = GET(head, VERSION) != GW_EB_VERSION, any = false;
    gw_eb_suspect how = {
        .rule = version ? EB_S10 : EB_S11,
        .value = version ? GET(head, VERSION) : gw_eb_widths_of(head),
        .surely = f->from_service,
    };
    for (unsigned i = 0; i < MAX_TRIES && gw_eb_next(&r, &record); i++) {
        if (record.wcount == 0 || record.rcount > 0)
            continue;
        gw_eb_key key = gw_eb_key_of_reply(&record);
        gw_eb_found found = gw_eb_find(f->s, m, &key, gw_eb_hash_in(f->to_requester, &key));
        if (!gw_eb_open_fits(&found, GW_EB_EXACT) || found.open->suspect.noted)
            continue;
        f->unit = i;
        gw_eb_suspect_answer(f, found.open, &how);
        any = true;
    }
    return any;
}
