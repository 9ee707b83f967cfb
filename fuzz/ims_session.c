/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS conversations. Input: one byte (dialect, whether nothing got lost on the way, how much
 * memory, how much the capture cut, whether there are several buffers), then pieces (fuzz.h): a
 * packet each, whose choice says who sent it to whom, whether its ICRC was right or the capture cut
 * it, whether it came over a native link, and how much time passed. Where there are several buffers
 * an empty piece ends what concerns one.
 *
 * Oracles: findings and relations name frames that were fed; an answer comes after its request, and
 * each request and frame is answered surely, given up or lost track of once; an end leaves nothing.
 */
#include "fuzz.h"
#include "goldwire/ims.h"

enum { FRAMES = 4096, GIVE_UP_NS = 1000000, MUCH = 1 << 18 };

struct judge {
    gw_fuzz_judge base;
    uint8_t settled[FRAMES]; /* requests that were answered, given up or lost */
    uint8_t closed[FRAMES];  /* given up or lost: what comes then is stale */
};

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    gw_fuzz_finding(sink, f);
    gw_fuzz_check(f->revealed_by >= f->frame, "a finding that was known before its frame came");
}

static void on_relation(gw_verdict_sink *sink, const gw_relation *r)
{
    struct judge *j = (struct judge *)sink;

    gw_fuzz_relation(sink, r);
    gw_fuzz_check(r->request == 0 || r->response == 0 || r->request < r->response,
                  "an answer before its request");
    gw_fuzz_check(r->delta_ns >= 0, "an answer in no time at all");
    if (r->kind == GW_STALE)
        gw_fuzz_check(j->closed[r->request], "stale, and never given up");
    if (r->request == 0 || r->ambiguous ||
        (r->kind != GW_ANSWERS && r->kind != GW_UNANSWERED && r->kind != GW_UNTRACKED))
        return;
    gw_fuzz_check(!j->settled[r->request], "a request is settled twice");
    j->settled[r->request] = 1;
    j->closed[r->request] = r->kind != GW_ANSWERS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* What is less is as long as it has to be, so that AddressSanitizer sees one byte too far. */
    static void *less, *more;
    static const uint8_t cuts[4] = {0, 1, 4, 16};
    gw_cursor c = gw_cursor_over(data, size), piece;
    struct judge j = {.base.sink = {.finding = on_finding, .relation = on_relation}};
    const gw_session_ops *session = gw_ims.session;
    uint8_t choice;
    int64_t now = 0;
    uint16_t lid = 7; /* of the buffer */

    if (size < 1 || size > 32768)
        return 0;
    const gw_dialect *dialect = gw_fuzz_dialect(&gw_ims, data[0] & 15);
    const bool several = (data[0] & 0x80) != 0;
    const bool lossless = (data[0] & 15) >= gw_ims.num_dialects; /* and a dialect once more */
    gw_fuzz_check(gw_cursor_skip(&c, 1), "an input of one byte has one byte");
    /* Room for few frames, so that the table gets full. */
    if (less == NULL) {
        less = gw_fuzz_copy(NULL, session->min_size);
        more = gw_fuzz_copy(NULL, MUCH);
    }
    void *memory = (data[0] & 16) != 0 ? more : less;
    size_t room = (data[0] & 16) != 0 ? MUCH : session->min_size;
    gw_fuzz_check(session->init(memory, room, GIVE_UP_NS), "the least memory is not enough");
    if (lossless)
        session->lossless(memory);

    while (j.base.frames + 1 < FRAMES && gw_fuzz_piece(&c, &choice, &piece)) {
        size_t len = gw_cursor_left(&piece);
        uint8_t *bytes = gw_fuzz_lend(piece.p, len);
        gw_message m = gw_message_of(bytes, len);
        uint8_t lrh[GW_IB_LRH];
        gw_ib ib = {.icrc_verdict = (choice & 2) != 0 ? GW_IB_WRONG : GW_IB_RIGHT};

        if (several && len == 0)
            lid++;
        gw_endpoint worker = gw_ib_lid_endpoint(0x21 + (choice >> 2 & 3));
        gw_endpoint buffer = gw_ib_lid_endpoint(lid);
        if ((choice & 0x20) != 0)
            m.len += cuts[data[0] >> 5 & 3];
        if (m.len > m.cap_len)
            ib.icrc_verdict = GW_IB_NOT_JUDGED;
        now += (choice & 0x80) != 0 ? 2 * (int64_t)GIVE_UP_NS : 1000;
        if ((choice & 0x40) != 0)
            now -= 500; /* as captures of two cards do */
        m.time_ns = now;
        m.frame = ++j.base.frames;
        m.src = (choice & 1) != 0 ? buffer : worker;
        m.dst = (choice & 1) != 0 ? worker : buffer;
        m.ib = &ib;
        if ((choice & 0x10) != 0) {
            gw_ib_put_lrh(lrh, choice >> 5 & 1, 0, gw_ib_endpoint_lid(&m.dst),
                          gw_ib_endpoint_lid(&m.src), m.len, false);
            ib.lrh = lrh;
        }
        session->feed(memory, &m, dialect, &j.base.sink);
        gw_fuzz_take_back(bytes);
    }
    session->advance(memory, now + GIVE_UP_NS / 2, &j.base.sink);
    session->end(memory, &j.base.sink);
    memset(j.settled, 0, sizeof j.settled);
    uint64_t before = j.base.frames;
    session->end(memory, &j.base.sink);
    for (uint64_t i = 0; i <= before; i++)
        gw_fuzz_check(!j.settled[i], "an end leaves something to end");
    return 0;
}
