/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master cases: what we say that is no reply, before the one that is. */
#include <string.h>

#include "formats/etherbone/master/exchange.h"

#define LIE_MAX 2048
#define WATCHED_LIES 8 /* each costs the settle time */

/* A stream that is out of step stays so: only whole records can lie in it. */
static bool fits_stream(unsigned kind)
{
    return kind == GW_EBM_LIE_STRAY || kind == GW_EBM_LIE_TWICE;
}

/* The next kind in turn; false when none of them can be told. */
static bool next_kind(gw_ebm_talking *t, unsigned *kind)
{
    for (unsigned i = 0; i < GW_EBM_NUM_LIES; i++) {
        *kind = t->next_lie++ % GW_EBM_NUM_LIES;
        if ((t->manner->lies >> *kind & 1) != 0 && (!t->stream || fits_stream(*kind)))
            return true;
    }
    return false;
}

/* Makes a reply like |data| with other values, to another return address when |stray|, and with WFF
 * the other way round when |mode|. Returns where its first record with results ends; 0 when it has
 * none. */
static size_t falsify(const gw_ebm_talking *t, uint8_t copy[LIE_MAX], const uint8_t *data,
                      size_t len, bool stray, bool mode)
{
    gw_eb_reader reader;
    gw_eb_record record;
    size_t end = 0;
    if (len > LIE_MAX)
        return 0;
    memcpy(copy, data, len);
    gw_message message = gw_ebm_as_message(t, data, len);
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

static size_t garbage(gw_ebm_talking *t, uint8_t out[LIE_MAX])
{
    for (size_t i = 0; i < 24; i++)
        out[i] = (uint8_t)gw_case_random(t->ctx);
    out[0] = 0; /* no magic by chance */
    return 24;
}

static size_t response(gw_ebm_talking *t, uint8_t out[LIE_MAX])
{
    gw_eb_build_probe(out, true, 0x11, (uint32_t)gw_case_random(t->ctx));
    return 8;
}

/* Makes |copy|, a reply with false values whose first record ends at |end|, a lie of |kind|.
 * Returns its length. */
static size_t spoil(gw_ebm_talking *t, unsigned kind, uint8_t copy[LIE_MAX], size_t end,
                    const uint8_t *data, size_t len)
{
    switch (kind) {
    case GW_EBM_LIE_MAGIC:
        copy[1] ^= 0x01;
        return len;
    case GW_EBM_LIE_VERSION:
        copy[2] = (uint8_t)(2 << 4 | (copy[2] & 15));
        return len;
    case GW_EBM_LIE_WIDTHS:
        copy[3] = 0xcc;
        return len;
    case GW_EBM_LIE_CUT:
        return end - 1;
    case GW_EBM_LIE_SHORT:
        return 3;
    case GW_EBM_LIE_GARBAGE:
        return garbage(t, copy);
    case GW_EBM_LIE_RESPONSE:
        return response(t, copy);
    case GW_EBM_LIE_TWICE:
        memcpy(copy, data, len);
        return len;
    default:
        return len;
    }
}

void gw_ebm_say_falsely(gw_ebm_talking *t, const uint8_t *data, size_t len)
{
    uint8_t copy[LIE_MAX];
    if (falsify(t, copy, data, len, t->manner->stranger, t->manner->wrong_mode) == 0)
        return;
    t->talk->num_forged++;
    gw_ebm_say(t, copy, len);
    gw_ebm_watch(t, &t->talk->early);
}

void gw_ebm_tell_lie(gw_ebm_talking *t, const uint8_t *data, size_t len)
{
    uint8_t copy[LIE_MAX];
    unsigned kind;
    if ((t->manner->watched && t->num_lies == WATCHED_LIES) || !next_kind(t, &kind))
        return;
    size_t end = falsify(t, copy, data, len, kind == GW_EBM_LIE_STRAY, false);
    if (end == 0)
        return;
    t->num_lies++;
    gw_ebm_say(t, copy, spoil(t, kind, copy, end, data, len));
    if (t->manner->watched)
        gw_ebm_watch(t, &t->talk->early);
}

bool gw_ebm_swallows(gw_ebm_talking *t, const uint8_t *data, size_t len)
{
    uint8_t copy[LIE_MAX];
    if (t->stream || t->swallowed || t->num_lies + 1 < GW_EBM_NUM_LIES ||
        falsify(t, copy, data, len, false, false) == 0)
        return false;
    copy[2] = 2 << 4;
    copy[3] = 0xcc;
    gw_ebm_say(t, copy, len);
    t->swallowed = true;
    t->waiting = true;
    return true;
}

/* Other ids, or none: with an id of its own the master could not know better. */
void gw_ebm_deny_probe(gw_ebm_talking *t)
{
    uint8_t other[12] = {0};
    uint32_t id = (uint32_t)gw_case_random(t->ctx);
    static const uint8_t lens[] = {8, 4, 7, 12};
    for (unsigned i = 0; i < GW_ARRAY_LEN(lens) && !t->ended; i++) {
        gw_eb_build_probe(other, true, 0x11, id + i);
        gw_ebm_say(t, other, lens[i]);
        gw_ebm_watch(t, &t->talk->early);
    }
    t->waiting = true;
}
