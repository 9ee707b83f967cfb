/* SPDX-License-Identifier: BSD-2-Clause */
/* The stream decides where a packet ends, the walk what is in it: both have to follow the receiver
 * to the same beat, whatever beats come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/testing/cover.h"
#include "textarossa/internal.h"
#include "textarossa/link/apelink.h"
#include "textarossa/testing/packets.h"

typedef struct listener {
    const gw_dialect *dialect;
    bool at_end; /* what comes now may be cut short */
    bool broke;  /* the last run broke off: MAGIC and START come next */
    uint32_t bytes;
    unsigned runs;
} listener;

static bool begins_run(const gw_message *m, const gw_dialect *dialect)
{
    unsigned width = gw_tx_dialect_of(dialect)->word_bytes;

    return m->part == GW_TX_PART_LINK && m->len >= 2 * width &&
           gw_tx_is_magic(gw_tx_load(m->data, width, GW_TX_ORDER_A)) &&
           gw_tx_is_start(gw_tx_load(m->data + width, width, GW_TX_ORDER_A));
}

/* Only where MAGIC and START follow may a run be cut short, and not with the published receiver. */
static void hear(void *ctx, const gw_message *m)
{
    listener *l = ctx;
    gw_error error = {0};
    const char *fault = gw_cover_walk(&gw_textarossa, m, l->dialect, &error);

    if (fault != NULL)
        fail_msg("%s: %s", l->dialect->name, fault);
    l->bytes += m->len;
    assert_true(!l->broke || begins_run(m, l->dialect));
    l->broke = false;
    if (m->part != GW_TX_PART_LINK)
        return;
    l->runs++;
    l->broke = error.kind == GW_TRUNCATED && !l->at_end && !gw_tx_dialect_of(l->dialect)->rtl;
    if (error.kind != GW_OK && !l->broke && !(l->at_end && error.kind == GW_TRUNCATED))
        fail_msg("%s: %s at %u of %u bytes", l->dialect->name, gw_error_kind_name(error.kind),
                 error.offset, m->len);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* Up to sixty beats: control words mostly, and whole packets now and then. */
static size_t make_beats(uint8_t *out, const gw_dialect *dialect, uint32_t *seed)
{
    static const char *const beats[] = {TX_MAGIC, TX_MAGIC, TX_MAGIC,    TX_START,  TX_START,
                                        TX_DATA,  TX_ONES,  TX_CREDIT_5, TX_CREDIT, TX_HEADER_16};
    unsigned slices = gw_tx_dialect_of(dialect)->word_bytes / GW_TX_WORD;
    size_t len = 0;

    for (uint32_t n = next_random(seed) % 60; n > 0; n--) {
        uint32_t which = next_random(seed) % (GW_ARRAY_LEN(beats) + 1);
        if (which < GW_ARRAY_LEN(beats)) {
            for (unsigned i = 0; i < slices; i++)
                len += gw_hex_bytes(out + len, GW_TX_WORD, beats[which]);
        } else {
            gw_tx_draft draft = tx_draft(tx_header(0), next_random(seed) % 100);
            draft.edac = (next_random(seed) & 1) != 0;
            len += gw_tx_build_run(out + len, 1024, &draft, dialect);
        }
    }
    return len;
}

static void stream_and_walk_end_at_the_same_beat(void **state)
{
    static const char *const names[] = {"strict", "wide", "rtl"};
    static uint8_t beats[1 << 16];
    void *stream = malloc(gw_ape_stream.size);
    uint32_t seed = 2463534242;
    unsigned runs = 0;

    (void)state;
    assert_non_null(stream);
    for (unsigned turn = 0; turn < 1500; turn++) {
        listener l = {.dialect = gw_dialect_by_name(&gw_textarossa, names[turn % 3])};
        size_t len = make_beats(beats, l.dialect, &seed), at = 0;
        gw_ape_stream.init(stream, l.dialect);
        while (at < len) {
            size_t step = 1 + next_random(&seed) % 300;
            step = step < len - at ? step : len - at;
            gw_message segment = gw_message_of(beats + at, step);
            segment.frame = 1;
            gw_ape_stream.push(stream, 0, &segment, hear, &l);
            at += step;
        }
        l.at_end = true;
        gw_ape_stream.end(stream, hear, &l);
        assert_int_equal(l.bytes, len);
        runs += l.runs;
    }
    assert_true(runs > 1000);
    free(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stream_and_walk_end_at_the_same_beat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
