/* SPDX-License-Identifier: BSD-2-Clause */
/* APElink streams: any bytes, in any pieces. Input: one byte (dialect, where to split, how much of
 * each piece the capture cut; from LONG on: the last word comes until no run has room for it, and
 * nothing is split), then the stream.
 *
 * Oracles: whole and split give the same packets; every byte comes out once and in order; behind
 * what the capture cut beats begin where they did; each message's bits are covered. */
#include "core/testing/cover.h"
#include "fuzz.h"
#include "goldwire/textarossa.h"

enum {
    BYTES = 8192, /* of an input */
    LONG = 0xf8,
    RUN = 65536 + 64, /* more than one message holds */
    STREAM = BYTES + RUN,
};

struct heard {
    const gw_dialect *dialect;
    uint8_t bytes[STREAM]; /* all that came out */
    size_t len;
    size_t ends[STREAM / GW_TX_WORD]; /* of each packet, in |bytes| */
    size_t num_ends;
    uint64_t frame; /* that was pushed last */
    size_t pushed;  /* bytes of the link up to its end, captured or not */
    size_t told;    /* of these, up to the last message's end */
    bool cuts;      /* the capture does */
};

/* Nothing that is told while bytes come, and is longer than a beat, ends within one. */
static void look_at_end(const struct heard *h, const gw_message *m)
{
    const size_t width = (m->part_arg & 0xff) != 0 ? m->part_arg & 0xff : GW_TX_WORD;

    gw_fuzz_check(h->told % width == 0 || (h->told == h->pushed && m->len < width),
                  "beats begin elsewhere behind a cut");
}

static void on_message(void *ctx, const gw_message *m)
{
    struct heard *h = ctx;
    gw_error error;

    gw_fuzz_check(m->len > 0 && (h->cuts || m->len == m->cap_len),
                  "an empty message, or one that is cut");
    gw_fuzz_check(m->cap_len <= sizeof h->bytes - h->len, "more came out than went in");
    gw_fuzz_check(m->frame >= 1 && m->frame <= h->frame, "a message of a frame that never came");
    memcpy(h->bytes + h->len, m->data, m->cap_len);
    h->len += m->cap_len;
    h->told += m->len;
    if (m->part == GW_TX_PART_LINK)
        h->ends[h->num_ends++] = h->len;
    if (m->len == m->cap_len && h->cuts)
        look_at_end(h, m);
    if (m->cap_len > BYTES)
        return; /* its walk takes longer than a hundred others */
    const char *fault = gw_cover_walk(&gw_textarossa, m, h->dialect, &error);
    gw_fuzz_check(fault == NULL, fault);
}

/* Of each piece but the last the capture cut |cut| bytes, or all. The state is as long as it has to
 * be, and direction 1 at its end. */
static void hear(struct heard *h, const uint8_t *data, size_t size, size_t step, size_t cut)
{
    static void *state;
    const gw_stream_ops *ops = gw_textarossa.stream;
    const unsigned dir = 1;
    size_t came = 0;

    if (state == NULL)
        state = gw_fuzz_copy(NULL, ops->size);
    h->len = h->num_ends = h->frame = h->pushed = h->told = 0;
    h->cuts = cut > 0;
    ops->init(state, h->dialect);
    for (size_t at = 0; at < size; at += step) {
        size_t len = size - at < step ? size - at : step;
        size_t missing = at + len == size ? 0 : cut < len ? cut : len;
        uint8_t *piece = gw_fuzz_lend(data + at, len - missing);
        gw_message m = gw_message_of(piece, len - missing);
        m.len = (uint32_t)len;
        m.frame = ++h->frame;
        h->pushed += len - missing;
        came += len - missing;
        ops->push(state, dir, &m, on_message, h);
        h->pushed += missing;
        if (missing > 0)
            ops->gap(state, dir, on_message, h);
        gw_fuzz_take_back(piece);
    }
    h->cuts = false;
    ops->end(state, on_message, h);
    gw_fuzz_check(h->len == came, "bytes are lost, or come twice");
    gw_fuzz_check(cut > 0 || came == 0 || memcmp(h->bytes, data, came) == 0,
                  "bytes are out of order");
}

/* Puts |data| and, of an input that is LONG, its last word again and again into |stream|. Returns
 * how many bytes that are. */
static size_t make_stream(uint8_t *stream, const uint8_t *data, size_t size)
{
    size_t len = size - 1;

    memcpy(stream, data + 1, len);
    while (data[0] >= LONG && len >= GW_TX_WORD && len + GW_TX_WORD <= size + RUN) {
        memcpy(stream + len, stream + len - GW_TX_WORD, GW_TX_WORD);
        len += GW_TX_WORD;
    }
    return len;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct heard whole, split;
    static uint8_t stream[STREAM];

    if (size < 1 || size > BYTES)
        return 0;
    whole.dialect = split.dialect = gw_fuzz_dialect(&gw_textarossa, data[0]);
    size_t len = make_stream(stream, data, size);
    hear(&whole, stream, len, len + 1, 0);
    gw_fuzz_read(whole.num_ends > 0);
    if (data[0] >= LONG)
        return 0;
    hear(&split, stream, len, 1u + data[0] % 61, 0);
    gw_fuzz_check(whole.num_ends == split.num_ends &&
                      memcmp(whole.ends, split.ends, whole.num_ends * sizeof whole.ends[0]) == 0,
                  "pieces give other packets than the whole");
    hear(&split, stream, len, 3u + data[0] % 61, 1u + data[0] / GW_TX_WORD);
    return 0;
}
