/* SPDX-License-Identifier: BSD-2-Clause */
/* APElink streams: any bytes, in any pieces. Input: one byte (dialect, where to split), then the
 * stream.
 *
 * Oracles: whole and split give the same packets; every byte comes out once and in order; each
 * message's bits are covered. */
#include "core/testing/cover.h"
#include "fuzz.h"
#include "goldwire/textarossa.h"

enum { BYTES = 8192 };

struct heard {
    const gw_dialect *dialect;
    uint8_t bytes[BYTES]; /* all that came out */
    size_t len;
    size_t ends[BYTES / GW_TX_WORD]; /* of each packet, in |bytes| */
    size_t num_ends;
};

static void on_message(void *ctx, const gw_message *m)
{
    struct heard *h = ctx;
    gw_error error;

    gw_fuzz_check(m->len > 0 && m->len == m->cap_len, "an empty message, or one that is cut");
    gw_fuzz_check(m->len <= sizeof h->bytes - h->len, "more came out than went in");
    memcpy(h->bytes + h->len, m->data, m->len);
    h->len += m->len;
    if (m->part == GW_TX_PART_LINK)
        h->ends[h->num_ends++] = h->len;
    const char *fault = gw_cover_walk(&gw_textarossa, m, h->dialect, &error);
    gw_fuzz_check(fault == NULL, fault);
}

static void hear(struct heard *h, const uint8_t *data, size_t size, size_t step)
{
    static void *state;
    const gw_stream_ops *ops = gw_textarossa.stream;

    if (state == NULL)
        state = malloc(ops->size);
    h->len = h->num_ends = 0;
    ops->init(state, h->dialect);
    for (size_t at = 0; at < size; at += step) {
        size_t len = size - at < step ? size - at : step;
        uint8_t *piece = gw_fuzz_lend(data + at, len);
        gw_message m = gw_message_of(piece, len);
        ops->push(state, 0, &m, on_message, h);
        gw_fuzz_take_back(piece);
    }
    ops->end(state, on_message, h);
    gw_fuzz_check(h->len == size && (size == 0 || memcmp(h->bytes, data, size) == 0),
                  "bytes are lost or out of order");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct heard whole, split;

    if (size < 1 || size > BYTES)
        return 0;
    whole.dialect = split.dialect = gw_fuzz_dialect(&gw_textarossa, data[0]);
    hear(&whole, data + 1, size - 1, size);
    gw_fuzz_read(whole.num_ends > 0);
    hear(&split, data + 1, size - 1, 1u + data[0] % 61);
    gw_fuzz_check(whole.num_ends == split.num_ends &&
                      memcmp(whole.ends, split.ends, whole.num_ends * sizeof whole.ends[0]) == 0,
                  "pieces give other packets than the whole");
    return 0;
}
