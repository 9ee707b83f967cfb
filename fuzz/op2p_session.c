/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P conversations. Input: one byte (dialect, and in bit 7 whether nothing got lost on the way),
 * then pieces (fuzz.h): a message each, whose choice says which way it went, over what, what the
 * capture cut, and how much time passed.
 *
 * Oracles: findings and relations name frames that were fed; an answer comes after its request, and
 * each request is answered, given up or lost track of once; an end leaves nothing. */
#include "crash/layout.h"
#include "fuzz.h"
#include "goldwire/op2p.h"

enum { FRAMES = 4096 };

struct judge {
    gw_fuzz_judge base;
    uint8_t settled[FRAMES]; /* requests that were answered, given up or lost */
    uint8_t read[FRAMES];    /* frames that are read requests */
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
    gw_fuzz_check(r->request == 0 || r->response == 0 || r->request < r->response,
                  "an answer before its request");
    if (r->kind != GW_ANSWERS && r->kind != GW_UNANSWERED && r->kind != GW_UNTRACKED)
        return;
    if (r->request == 0 || !j->read[r->request])
        return; /* what was sent again answers a retransmit request */
    gw_fuzz_check(!j->settled[r->request], "a request is settled twice");
    j->settled[r->request] = 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void *memory;
    gw_cursor c = gw_cursor_over(data, size), piece;
    struct judge j = {.base.sink = {.finding = on_finding, .relation = on_relation}};
    uint8_t choice;
    int64_t now = 0;

    if (size < 1 || size > 32768)
        return 0;
    const gw_dialect *dialect = gw_fuzz_dialect(&gw_op2p, data[0]);
    gw_fuzz_check(gw_cursor_skip(&c, 1), "an input of one byte has one byte");
    gw_fuzz_begin(gw_op2p.session, &memory, 1000000);
    if ((data[0] & 0x80) != 0)
        gw_op2p.session->lossless(memory);

    while (j.base.frames + 1 < FRAMES && gw_fuzz_piece(&c, &choice, &piece)) {
        size_t len = gw_cursor_left(&piece);
        uint8_t *bytes = gw_fuzz_lend(piece.p, len);
        gw_message m =
            gw_fuzz_message(&gw_fuzz_layouts[GW_FUZZ_op2p_session], data, choice, bytes, len);
        gw_op2p_packet p;
        now += (choice & 0x80) != 0 ? 2000000 : 1000;
        m.time_ns = now;
        m.frame = ++j.base.frames;
        (void)gw_op2p_decode(&p, &m);
        j.read[m.frame] = p.has_header && p.header.type == GW_OP2P_READ;
        gw_op2p.session->feed(memory, &m, dialect, &j.base.sink);
        gw_fuzz_take_back(bytes);
    }
    gw_op2p.session->advance(memory, now + 500000, &j.base.sink);
    gw_op2p.session->end(memory, &j.base.sink);
    return 0;
}
