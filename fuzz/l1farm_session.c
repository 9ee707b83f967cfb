/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations of the Level-1 farm. Input: one byte (dialect, and in bit 7 whether nothing got
 * lost on the way), then pieces (fuzz.h): a message each, whose choice says in which carriage it
 * came, at which interface, what the capture cut, and how much time passed.
 *
 * Oracles: findings and relations name frames that were fed; an answer comes after its request;
 * each request is answered, given up or lost track of once; the state's memory ends where it was
 * said to; an end leaves nothing. */
#include "crash/layout.h"
#include "fuzz.h"
#include "goldwire/l1farm.h"

enum { FRAMES = 4096 };

struct judge {
    gw_fuzz_judge base;
    uint8_t answered[FRAMES]; /* requests by what became of them */
    uint8_t given_up[FRAMES];
};

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    gw_fuzz_finding(sink, f);
    gw_fuzz_check(f->field != NULL, "a finding without field");
}

static void on_relation(gw_verdict_sink *sink, const gw_relation *r)
{
    struct judge *j = (struct judge *)sink;

    gw_fuzz_relation(sink, r);
    /* a frame of traced symbols may hold both */
    gw_fuzz_check(r->request == 0 || r->response == 0 || r->request <= r->response,
                  "an answer before its request");
    if (r->kind == GW_ANSWERS)
        j->answered[r->request]++;
    if (r->kind == GW_UNANSWERED || r->kind == GW_UNTRACKED)
        j->given_up[r->request]++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void *memory;
    gw_cursor c = gw_cursor_over(data, size), piece;
    static struct judge j;
    uint8_t choice;
    int64_t now = 0;
    bool traced = false;

    if (size < 1 || size > 32768)
        return 0;
    memset(&j, 0, sizeof j);
    j.base.sink = (gw_verdict_sink){.finding = on_finding, .relation = on_relation};
    const gw_dialect *dialect = gw_fuzz_dialect(&gw_l1farm, data[0]);
    gw_fuzz_check(gw_cursor_skip(&c, 1), "an input of one byte has one byte");
    gw_fuzz_begin(gw_l1farm.session, &memory, 1000000);
    if ((data[0] & 0x80) != 0)
        gw_l1farm.session->lossless(memory);

    while (j.base.frames + 1 < FRAMES && gw_fuzz_piece(&c, &choice, &piece)) {
        size_t len = gw_cursor_left(&piece);
        uint8_t *bytes = gw_fuzz_lend(piece.p, len);
        gw_message m =
            gw_fuzz_message(&gw_fuzz_layouts[GW_FUZZ_l1farm_session], data, choice, bytes, len);
        now += (choice & 0x80) != 0 ? 2000000 : 1000;
        m.time_ns = now;
        m.frame = ++j.base.frames;
        traced |= m.part == GW_L1_TRACE;
        gw_l1farm.session->feed(memory, &m, dialect, &j.base.sink);
        gw_fuzz_take_back(bytes);
    }
    gw_l1farm.session->advance(memory, now + 500000, &j.base.sink);
    gw_l1farm.session->end(memory, &j.base.sink);
    for (size_t i = 0; !traced && i <= j.base.frames; i++)
        gw_fuzz_check(j.answered[i] <= 1 && j.given_up[i] <= 1, "a request is settled twice");
    return 0;
}
