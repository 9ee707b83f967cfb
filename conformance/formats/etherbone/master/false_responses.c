/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master cases: packets that are no reply, sent before the one that is. */
#include <string.h>

#include "formats/etherbone/master/exchange.h"

#define LIE_MAX 2048
#define WATCHED_FALSE 8 /* each costs the settle time */

/* A stream that is out of step stays so: only whole records can lie in it. */
static bool fits_stream(unsigned kind)
{
    return kind == GW_EB_FALSE_STRAY || kind == GW_EB_FALSE_TWICE;
}

/* The next kind in turn; false when none of them can be told. */
static bool next_false_kind(gw_eb_master_session *t, unsigned *kind)
{
    for (unsigned i = 0; i < GW_EB_NUM_FALSE; i++) {
        *kind = t->next_false++ % GW_EB_NUM_FALSE;
        if ((t->behavior->false_responses >> *kind & 1) != 0 && (!t->stream || fits_stream(*kind)))
            return true;
    }
    return false;
}

/* Makes a reply like |data| with other values, to another return address when |stray|, and with WFF
 * the other way round when |mode|. Returns where its first record with results ends; 0 when it has
 * none. */
static size_t falsify(const gw_eb_master_session *t, uint8_t copy[LIE_MAX], const uint8_t *data,
                      size_t len, bool stray, bool mode)
{
    gw_eb_reader reader;
    gw_eb_record record;
    size_t end = 0;
    if (len > LIE_MAX)
        return 0;
    memcpy(copy, data, len);
    gw_message message = gw_eb_master_message_of(t, data, len);
    if (!gw_eb_open(&reader, &message, gw_case_dialect(t->ctx)))
        return 0;
    while (gw_eb_next(&reader, &record)) {
        if (record.wcount == 0)
            continue;
        if (mode && record.wcount < 2)
            continue; /* one word looks the same in either mode */
        size_t values = (size_t)(record.writes - message.data);
        size_t values_len = (size_t)record.wcount * reader.layout.data_unit;
        if (stray)
            copy[values - 1] ^= 0x40;
        if (mode)
            copy[record.offset] ^=
                reader.layout.mirrored_flags ? gw_eb_flags_swap(GW_EB_WFF) : GW_EB_WFF;
        for (size_t i = 0; i < values_len; i++)
            copy[values + i] ^= 0x55;
        if (end == 0)
            end = values + values_len;
    }
    return end;
}

static size_t garbage(gw_eb_master_session *t, uint8_t out[LIE_MAX])
{
    for (size_t i = 0; i < 24; i++)
        out[i] = (uint8_t)gw_case_random(t->ctx);
    out[0] = 0; /* no magic by chance */
    return 24;
}

static size_t response(gw_eb_master_session *t, uint8_t out[LIE_MAX])
{
    gw_eb_build_probe(out, true, 0x11, (uint32_t)gw_case_random(t->ctx));
    return 8;
}

/* Makes |copy|, a reply with false values whose first record ends at |end|, a false response of
 * |kind|. Returns its length. */
static size_t corrupt(gw_eb_master_session *t, unsigned kind, uint8_t copy[LIE_MAX], size_t end,
                      const uint8_t *data, size_t len)
{
    switch (kind) {
    case GW_EB_FALSE_MAGIC:
        copy[1] ^= 0x01;
        return len;
    case GW_EB_FALSE_VERSION:
        copy[2] = (uint8_t)(2 << 4 | (copy[2] & 15));
        return len;
    case GW_EB_FALSE_WIDTHS:
        copy[3] = 0xcc;
        return len;
    case GW_EB_FALSE_CUT:
        return end - 1;
    case GW_EB_FALSE_SHORT:
        return 3;
    case GW_EB_FALSE_GARBAGE:
        return garbage(t, copy);
    case GW_EB_FALSE_RESPONSE:
        return response(t, copy);
    case GW_EB_FALSE_TWICE:
        memcpy(copy, data, len);
        return len;
    default:
        return len;
    }
}

void gw_eb_master_send_forged(gw_eb_master_session *t, const uint8_t *data, size_t len)
{
    uint8_t copy[LIE_MAX];
    if (falsify(t, copy, data, len, t->behavior->stray_reply, t->behavior->wrong_mode) == 0)
        return;
    if (!t->behavior->from_other)
        gw_eb_master_send_bytes(t, copy, len);
    else if (!gw_eb_master_send_as_other(t, copy, len))
        return;
    t->exchange->num_forged++;
    gw_eb_master_watch_early(t, &t->exchange->early);
}

void gw_eb_master_send_false(gw_eb_master_session *t, const uint8_t *data, size_t len)
{
    uint8_t copy[LIE_MAX];
    unsigned kind;
    if ((t->behavior->watched && t->num_false == WATCHED_FALSE) || !next_false_kind(t, &kind))
        return;
    size_t end = falsify(t, copy, data, len, kind == GW_EB_FALSE_STRAY, false);
    if (end == 0)
        return;
    t->num_false++;
    gw_eb_master_send_bytes(t, copy, corrupt(t, kind, copy, end, data, len));
    if (t->behavior->watched)
        gw_eb_master_watch_early(t, &t->exchange->early);
}

bool gw_eb_master_loses_reply(gw_eb_master_session *t, const uint8_t *data, size_t len)
{
    uint8_t copy[LIE_MAX];
    if (t->stream || t->reply_lost || t->num_false + 1 < GW_EB_NUM_FALSE ||
        falsify(t, copy, data, len, false, false) == 0)
        return false;
    copy[2] = 2 << 4;
    copy[3] = 0xcc;
    gw_eb_master_send_bytes(t, copy, len);
    t->reply_lost = true;
    t->waiting = true;
    return true;
}

/* Other ids, or none: with an id of its own the master could not know better. */
void gw_eb_master_send_false_probe(gw_eb_master_session *t)
{
    uint8_t other[12] = {0};
    uint32_t id = (uint32_t)gw_case_random(t->ctx);
    static const uint8_t lens[] = {8, 4, 7, 12};
    for (unsigned i = 0; i < GW_ARRAY_LEN(lens) && !t->ended; i++) {
        gw_eb_build_probe(other, true, 0x11, id + i);
        gw_eb_master_send_bytes(t, other, lens[i]);
        gw_eb_master_watch_early(t, &t->exchange->early);
    }
    t->waiting = true;
}
