/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations. Input: one byte of dialect, then pieces (fuzz.h): the choice says who talks to
 * whom, whether the capture cut it, and how long after the last one, or that both are of one
 * segment.
 *
 * Oracles: findings carry rule, text and frames that were seen; a relation names frames that were
 * seen and only answers what was asked; the number of relations is bounded by the records; memory
 * beyond the state is never touched. */
#include "crash/layout.h"
#include "fuzz.h"
#include "goldwire/etherbone.h"

struct watch {
    gw_verdict_sink sink;
    uint64_t frames;
    uint64_t records; /* that may ask or answer, probes included */
    uint64_t relations;
};

static void finding(gw_verdict_sink *sink, const gw_finding *f)
{
    const struct watch *w = (const struct watch *)sink;

    gw_fuzz_check(f->rule != NULL && f->text != NULL && f->text[0] != '\0',
                  "a finding without rule or text");
    gw_fuzz_check(f->frame >= 1 && f->frame <= w->frames && f->revealed_by >= 1 &&
                      f->revealed_by <= w->frames,
                  "a finding about frames that were never seen");
}

static void relation(gw_verdict_sink *sink, const gw_relation *r)
{
    struct watch *w = (struct watch *)sink;

    w->relations++;
    gw_fuzz_check(r->request <= w->frames && r->response <= w->frames && r->earlier <= w->frames,
                  "a relation of frames that were never seen");
    gw_fuzz_check(r->request != 0 || r->response != 0, "a relation of nothing");
    gw_fuzz_check(r->kind != GW_ANSWERS || (r->request != 0 && r->response != 0),
                  "an answer without both sides");
    gw_fuzz_read(true);
}

static uint64_t count_records(const gw_message *m, const gw_dialect *dialect)
{
    gw_eb_reader r;
    gw_eb_record rec;
    uint64_t num = 1; /* the header may probe */

    if (gw_eb_open(&r, m, dialect)) {
        while (gw_eb_next(&r, &rec))
            num++;
    }
    return num;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void *memory;
    const gw_session_ops *ops = gw_etherbone.session;
    struct watch w = {.sink = {finding, relation}};
    gw_cursor c = gw_cursor_over(data, size), piece;
    int64_t now = INT64_C(1700000000) * 1000000000;
    uint8_t choice;

    if (size < 1 || size > 32768)
        return 0;
    const gw_dialect *dialect = gw_fuzz_dialect(&gw_etherbone, data[0]);
    gw_fuzz_check(gw_cursor_skip(&c, 1), "an input of one byte has one byte");
    gw_fuzz_begin(ops, &memory, INT64_C(1000000000));

    while (gw_fuzz_piece(&c, &choice, &piece)) {
        size_t len = gw_cursor_left(&piece);
        uint8_t *bytes = gw_fuzz_lend(piece.p, len);
        gw_message m =
            gw_fuzz_message(&gw_fuzz_layouts[GW_FUZZ_etherbone_session], data, choice, bytes, len);
        /* A segment may hold several messages. */
        bool same = (choice & 0xc0) == 0xc0 && m.transport == GW_OVER_TCP && w.frames > 0;
        if (!same) {
            now += choice & 0x40 ? INT64_C(700000000) : 1000;
            now -= choice & 0x80 ? INT64_C(5000000) : 0; /* interfaces are not always in order */
            w.frames++;
        }
        m.time_ns = now;
        m.frame = m.frames[0] = w.frames;
        m.num_frames = 1;
        w.records += count_records(&m, dialect);
        ops->feed(memory, &m, dialect, &w.sink);
        gw_fuzz_take_back(bytes);
    }
    if (w.frames > 0) {
        ops->advance(memory, now + INT64_C(10000000000), &w.sink);
        ops->end(memory, &w.sink);
    }
    gw_fuzz_check(w.relations <= 2 * w.records, "more relations than records could have");
    return 0;
}
