/* SPDX-License-Identifier: BSD-2-Clause */
/* Event words, results, descriptors and the tunnel's header, between bytes and numbers. */
#include "goldwire/writer.h"
#include "l1farm/internal.h"

void gw_l1_put_shim(uint8_t out[GW_L1_SHIM], const gw_l1_shim *s)
{
    out[0] = 'L';
    out[1] = '1';
    out[2] = s->version;
    out[3] = (uint8_t)((s->little ? 0x80 : 0) | (s->kind & 0x7f));
    out[4] = s->ru;
    out[5] = s->buffer;
    gw_store_be(out + 6, s->dest, 2);
    gw_store_be(out + 8, s->event, 2);
    gw_store_be(out + 10, s->step, 4);
    gw_store_be(out + 14, s->offset, 4);
    gw_store_be(out + 18, s->length, 2);
}

gw_l1_shim gw_l1_get_shim(const uint8_t in[GW_L1_SHIM])
{
    gw_l1_shim s = {
        .version = in[2],
        .kind = in[3] & 0x7f,
        .little = (in[3] & 0x80) != 0,
        .ru = in[4],
        .buffer = in[5],
        .dest = gw_load_be16(in + 6),
        .event = gw_load_be16(in + 8),
        .step = gw_load_be32(in + 10),
        .offset = gw_load_be32(in + 14),
        .length = gw_load_be16(in + 18),
    };
    return s;
}

bool gw_l1_is_tunnel(const uint8_t *data, size_t len)
{
    return len >= 3 && data[0] == 'L' && data[1] == '1' && data[2] == 1;
}

bool gw_l1_is_image(uint8_t kind, const gw_l1_profile *profile)
{
    return kind == GW_L1_KIND_RESULT || kind == GW_L1_KIND_DECISION ||
           kind == GW_L1_KIND_DESCRIPTORS || (kind == GW_L1_KIND_SUBEVENT && !profile->ode);
}

void gw_l1_put_words(uint8_t *out, uint16_t tag_id, uint16_t index, size_t num)
{
    for (size_t i = 0; i < num; i++)
        gw_store_le(out + i * GW_L1_WORD, gw_l1_event_word(tag_id, (uint16_t)(index + i)),
                    GW_L1_WORD);
}

static inline uint64_t differs(const uint8_t *words, size_t i, uint64_t expected)
{
    return gw_load_le64(words + i * GW_L1_WORD) ^ (expected + i);
}

/* |num| words from |expected| on. What differs is gathered and looked at once, four words at a
 * time: this is what a node spends its time with. */
static bool count_up(const uint8_t *words, size_t num, uint64_t expected)
{
    uint64_t even = 0, odd = 0;
    size_t i = 0;

    for (; i + 4 <= num; i += 4) {
        even |= differs(words, i, expected) | differs(words, i + 2, expected);
        odd |= differs(words, i + 1, expected) | differs(words, i + 3, expected);
    }
    for (; i < num; i++)
        even |= differs(words, i, expected);
    return (even | odd) == 0;
}

/* Until the index wraps, the words are numbers that follow each other. */
bool gw_l1_words_ok(const uint8_t *words, size_t num, uint16_t tag_id)
{
    while (num > 0) {
        uint16_t first = gw_load_le16(words);
        size_t run = (size_t)UINT16_MAX - first + 1;
        if (run >= num)
            return count_up(words, num, gw_l1_event_word(tag_id, first));
        if (!count_up(words, run, gw_l1_event_word(tag_id, first)) ||
            gw_load_le16(words + run * GW_L1_WORD) != 0)
            return false;
        words += run * GW_L1_WORD;
        num -= run;
    }
    return true;
}

void gw_l1_put_result(uint8_t out[GW_L1_RESULT], const gw_l1_result *r)
{
    gw_store_le(out, r->rsv, 2);
    gw_store_le(out + 2, r->tag_id, 2);
    gw_store_le(out + 4, r->status, 2);
    gw_store_le(out + 6, r->node_id, 2);
    gw_store_le(out + 8, r->ntries, 4);
    gw_store_le(out + 12, r->nallok, 4);
}

gw_l1_result gw_l1_get_result(const uint8_t in[GW_L1_RESULT])
{
    gw_l1_result r = {
        .rsv = gw_load_le16(in),
        .tag_id = gw_load_le16(in + 2),
        .status = gw_load_le16(in + 4),
        .node_id = gw_load_le16(in + 6),
        .ntries = gw_load_le32(in + 8),
        .nallok = gw_load_le32(in + 12),
    };
    return r;
}

/* At which byte what lies, by gw_l1_order. */
static const struct {
    size_t target, size, unused[2];
} places[] = {
    [GW_L1_BOTTOM_UP] = {0, 8, {4, 12}},
    [GW_L1_TOP_DOWN] = {12, 4, {0, 8}},
    [GW_L1_PROSE] = {0, 4, {8, 12}},
};

void gw_l1_put_descriptor(uint8_t out[GW_L1_DESCRIPTOR], const gw_l1_descriptor *d,
                          const gw_l1_profile *profile)
{
    gw_store_le(out + places[profile->order].target, d->target, 4);
    gw_store_le(out + places[profile->order].size, d->blocksize, 4);
    for (unsigned i = 0; i < 2; i++)
        gw_store_le(out + places[profile->order].unused[i], d->unused[i], 4);
}

gw_l1_descriptor gw_l1_get_descriptor(const uint8_t in[GW_L1_DESCRIPTOR],
                                      const gw_l1_profile *profile)
{
    gw_l1_descriptor d = {
        .target = gw_load_le32(in + places[profile->order].target),
        .blocksize = gw_load_le32(in + places[profile->order].size),
        .unused = {gw_load_le32(in + places[profile->order].unused[0]),
                   gw_load_le32(in + places[profile->order].unused[1])},
    };
    return d;
}
