/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP streams: any split gives the same answer. Input: one byte of dialect, then pieces (fuzz.h),
 * whose choice says the direction, or a gap.
 *
 * The pieces are pushed as they are, and byte by byte; both must give the same messages. Every byte
 * comes out once and in order, and each message decodes within the codec's own promises. */
#include "core/testing/cover.h"
#include "fuzz.h"
#include "goldwire/etherbone.h"
#include "goldwire/writer.h"

enum { LOG_CAP = 1 << 20 };

/* What came out of one direction; a lost stretch is one, however it was cut. */
struct log {
    uint8_t *bytes;
    size_t len;
    size_t payload; /* bytes of the stream in it */
    int last_part;
};

struct run {
    struct log log[2];
    const gw_dialect *dialect;
    bool judge;
};

static void put(struct log *log, const void *data, size_t len)
{
    gw_fuzz_check(log->len + len <= LOG_CAP, "more comes out of a stream than went in");
    if (len > 0)
        memcpy(log->bytes + log->len, data, len);
    log->len += len;
}

static void take(void *ctx, const gw_message *m)
{
    struct run *run = ctx;
    struct log *log = &run->log[m->src.port]; /* the direction, put there by us */

    if (m->part != GW_EB_LOST || log->last_part != GW_EB_LOST) {
        uint8_t head[10] = {m->part, (uint8_t)m->part_arg};
        if (m->part != GW_EB_LOST) {
            gw_store_be(head + 2, m->cap_len, 4);
            gw_store_be(head + 6, m->len, 4);
        }
        put(log, head, sizeof head);
    }
    put(log, m->data, m->cap_len);
    log->payload += m->cap_len;
    log->last_part = m->part;
    gw_fuzz_check(m->num_frames >= 1 && m->frame >= m->frames[0], "a message names no frames");
    if (!run->judge)
        return;
    gw_error error;
    const char *fault = gw_cover_walk(&gw_etherbone, m, run->dialect, &error);
    gw_fuzz_check(fault == NULL, fault);
}

static void run_pieces(struct run *run, const uint8_t *data, size_t size, bool bytewise)
{
    static void *state;
    const gw_stream_ops *ops = gw_etherbone.stream;
    gw_cursor c = gw_cursor_over(data, size), piece;
    size_t pushed[2] = {0};
    uint8_t choice;
    uint64_t frame = 0;

    if (state == NULL)
        state = gw_fuzz_copy(NULL, ops->size);
    ops->init(state, run->dialect);
    while (gw_fuzz_piece(&c, &choice, &piece)) {
        unsigned dir = choice & 1;
        size_t len = gw_cursor_left(&piece), step = bytewise ? 1 : len;
        if (choice == 0xff) {
            ops->gap(state, 1, take, run);
            continue;
        }
        uint8_t *bytes =
            gw_fuzz_lend(NULL, step); /* the stream must not lean on bytes that are gone */
        for (size_t at = 0; at < len; at += step) {
            memcpy(bytes, piece.p + at, step);
            gw_message m = gw_message_of(bytes, step);
            m.src.port = (uint16_t)dir;
            m.frame = ++frame;
            ops->push(state, dir, &m, take, run);
            pushed[dir] += step;
        }
        gw_fuzz_take_back(bytes);
    }
    ops->end(state, take, run);
    for (unsigned dir = 0; dir < 2; dir++)
        gw_fuzz_check(run->log[dir].payload == pushed[dir],
                      "bytes of a stream got lost or doubled");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t store[4][LOG_CAP];
    struct run whole = {
        .log = {{.bytes = store[0], .last_part = -1}, {.bytes = store[1], .last_part = -1}},
        .judge = true};
    struct run split = {
        .log = {{.bytes = store[2], .last_part = -1}, {.bytes = store[3], .last_part = -1}}};

    if (size < 1 || size > 16384)
        return 0;
    whole.dialect = split.dialect = gw_fuzz_dialect(&gw_etherbone, data[0]);
    run_pieces(&whole, data + 1, size - 1, false);
    gw_fuzz_read(whole.log[0].len + whole.log[1].len > 0);
    run_pieces(&split, data + 1, size - 1, true);
    for (unsigned dir = 0; dir < 2; dir++)
        gw_fuzz_check(whole.log[dir].len == split.log[dir].len &&
                          memcmp(whole.log[dir].bytes, split.log[dir].bytes, whole.log[dir].len) ==
                              0,
                      "another split gives another answer");
    return 0;
}
