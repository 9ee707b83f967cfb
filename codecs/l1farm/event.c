/* SPDX-License-Identifier: BSD-2-Clause */
/* Event words, results, descriptors and the tunnel's header, between bytes and numbers. */
#include <string.h>

#include "goldwire/writer.h"
#include "l1farm/internal.h"

void gw_l1_put_shim(uint8_t out[GW_L1_SHIM], const gw_l1_shim *s)
{
    memset(out, 0, GW_L1_SHIM);
    PUT(out, MAGIC, GW_L1_MAGIC);
    PUT(out, VERSION, s->version);
    PUT(out, LITTLE, s->little);
    PUT(out, KIND, s->kind);
    PUT(out, RU, s->ru);
    PUT(out, BUFFER, s->buffer);
    PUT(out, DEST, s->dest);
    PUT(out, EVENT, s->event);
    PUT(out, STEP, s->step);
    PUT(out, OFFSET, s->offset);
    PUT(out, LENGTH, s->length);
}

gw_l1_shim gw_l1_get_shim(const uint8_t in[GW_L1_SHIM])
{
    gw_l1_shim s = {
        .version = GET(in, VERSION),
        .kind = GET(in, KIND),
        .little = GET(in, LITTLE),
        .ru = GET(in, RU),
        .buffer = GET(in, BUFFER),
        .dest = GET(in, DEST),
        .event = GET(in, EVENT),
        .step = GET(in, STEP),
        .offset = GET(in, OFFSET),
        .length = GET(in, LENGTH),
    };
    return s;
}

bool gw_l1_is_tunnel(const uint8_t *data, size_t len)
{
    gw_cursor c = gw_cursor_over(data, len);
    const uint8_t *p;

    return gw_cursor_bytes(&c, &p, GW_L1_BYTE_OF_VERSION + 1) && GET(p, MAGIC) == GW_L1_MAGIC &&
           GET(p, VERSION) == 1;
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
        uint16_t first = GET(words, INDEX);
        size_t run = (size_t)UINT16_MAX - first + 1;
        if (run >= num)
            return count_up(words, num, gw_l1_event_word(tag_id, first));
        if (!count_up(words, run, gw_l1_event_word(tag_id, first)) ||
            GET(words + run * GW_L1_WORD, INDEX) != 0)
            return false;
        words += run * GW_L1_WORD;
        num -= run;
    }
    return true;
}

void gw_l1_put_result(uint8_t out[GW_L1_RESULT], const gw_l1_result *r)
{
    memset(out, 0, GW_L1_RESULT);
    PUT(out, RSV, r->rsv);
    PUT(out, RESULT_TAG, r->tag_id);
    PUT(out, STATUS, r->status);
    PUT(out, NODE_ID, r->node_id);
    PUT(out, NTRIES, r->ntries);
    PUT(out, NALLOK, r->nallok);
}

gw_l1_result gw_l1_get_result(const uint8_t in[GW_L1_RESULT])
{
    gw_l1_result r = {
        .rsv = GET(in, RSV),
        .tag_id = GET(in, RESULT_TAG),
        .status = GET(in, STATUS),
        .node_id = GET(in, NODE_ID),
        .ntries = GET(in, NTRIES),
        .nallok = GET(in, NALLOK),
    };
    return r;
}

/* At which byte what lies, by gw_l1_order. */
#define PLACES(P)                                                                                  \
    {                                                                                              \
        GW_L1_BYTE_OF_##P##TARGET, GW_L1_BYTE_OF_##P##BLOCKSIZE,                                   \
        {                                                                                          \
            GW_L1_BYTE_OF_##P##UNUSED0, GW_L1_BYTE_OF_##P##UNUSED1                                 \
        }                                                                                          \
    }
static const struct {
    size_t target, size;
    size_t unused[2];
} places[] = {
    [GW_L1_BOTTOM_UP] = PLACES(D_),
    [GW_L1_TOP_DOWN] = PLACES(DT_),
    [GW_L1_PROSE] = PLACES(DP_),
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
