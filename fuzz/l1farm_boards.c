/* SPDX-License-Identifier: BSD-2-Clause */
/* The Level-1 farm's software boards. Input: one byte (which board), then pieces (fuzz.h):
 * datagrams, whose choice says over which link, whether a header of the tunnel is put before it,
 * and how much time passes.
 *
 * Oracles: what a board sends can be read whole, and breaks no rule; one event does not make it
 * talk for ever; a timer lies in the future; its counters stay in order; afterwards it still says
 * that it listens. */
#include "formats/l1farm/board.h"
#include "fuzz.h"
#include "goldwire/l1farm.h"

/* 64 transfers of 4096 bytes in bursts of 128, and what may wait. */
enum { MUCH = 64 * 32 + GW_L1_DU_EVENTS + GW_L1_DU_SLOTS };

struct out {
    gw_peer_out out;
    unsigned sent;
    bool listening;
};

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    (void)sink;
    fprintf(stderr, "%s: %s\n", f->rule->id, f->text);
    /* A decision unit passes on what nodes say of themselves. */
    gw_fuzz_check(f->rule->level != GW_MUST || strcmp(f->rule->id, "L1-R02") == 0,
                  "a good board breaks a rule");
}

static void on_send(gw_peer_out *peer_out, unsigned link, uint32_t conn, const uint8_t *data,
                    size_t len)
{
    struct out *out = (struct out *)peer_out;
    gw_verdict_sink sink = {.finding = on_finding};
    gw_message m = gw_message_of(data, len);
    gw_l1_unit u;

    gw_fuzz_check(conn == link, "sends to somebody who is not there");
    gw_fuzz_check(++out->sent <= MUCH, "talks without end");
    m.transport = GW_OVER_UDP;
    m.frame = 1;
    gw_fuzz_check(gw_l1_decode(&u, &m, NULL).kind == GW_OK, "sends what cannot be read");
    out->listening |= u.shim.kind == GW_L1_KIND_LISTEN;
    gw_l1farm.check(&m, NULL, &sink);
}

static void on_close(gw_peer_out *out, unsigned link, uint32_t conn)
{
    (void)out;
    (void)link;
    (void)conn;
    gw_fuzz_check(0, "closes a datagram link");
}

static int64_t step(const gw_board *board, void *state, struct out *out, gw_peer_event event,
                    int64_t now)
{
    out->sent = 0;
    event.conn = event.link;
    int64_t deadline = board->step(state, &event, now, &out->out);
    gw_fuzz_check(deadline >= now, "wants its timer in the past");
    return deadline;
}

static int64_t say(const gw_board *board, void *state, struct out *out, uint8_t link,
                   gw_l1_shim shim, const uint8_t *data, size_t len, int64_t now)
{
    uint8_t *bytes = gw_fuzz_lend(NULL, GW_L1_SHIM + len);

    shim.version = 1;
    shim.length = (uint16_t)len;
    gw_l1_put_shim(bytes, &shim);
    if (len > 0)
        memcpy(bytes + GW_L1_SHIM, data, len);
    gw_peer_event event = {
        .kind = GW_PEER_BYTES, .link = link, .data = bytes, .len = GW_L1_SHIM + len};
    int64_t deadline = step(board, state, out, event, now);
    gw_fuzz_take_back(bytes);
    return deadline;
}

/* Two bytes of the piece say what its header is to say. */
static gw_l1_shim header(const uint8_t *p)
{
    gw_l1_shim s = {.kind = p[0] % GW_L1_NUM_KINDS,
                    .little = true,
                    .buffer = p[1] & 3,
                    .dest = (p[1] & 4) != 0 ? GW_L1_CN_NODE : p[1],
                    .event = p[1] >> 3,
                    .step = p[1],
                    .offset = (uint32_t)(p[1] >> 4) * 64};
    return s;
}

static void check_state(const gw_board *board, const void *state)
{
    const gw_l1_cn *n = state;
    const gw_l1_ru *r = state;
    const gw_l1_du *d = state;

    if (board == &gw_l1_cn_board)
        gw_fuzz_check(n->ntries >= n->nallok && n->nallok >= n->nnext, "counters out of order");
    if (board == &gw_l1_ru_board)
        gw_fuzz_check(r->descs < GW_L1_DESCRIPTORS && r->pointer < GW_L1_DESCRIPTORS,
                      "descriptors outside of their memory");
    if (board == &gw_l1_du_board)
        gw_fuzz_check(d->count <= GW_L1_DU_EVENTS && d->read_pointer < GW_L1_DU_SLOTS,
                      "events outside of their memory");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const gw_board *const boards[] = {&gw_l1_ru_board, &gw_l1_cn_board, &gw_l1_du_board};
    static const gw_peer_config config;
    struct out out = {.out = {.send = on_send, .close = on_close}};
    gw_cursor c = gw_cursor_over(data, size), piece;
    char why[64] = "";
    int64_t now = 0, timer;
    uint8_t choice;

    if (size < 1 || size > 8192)
        return 0;
    const gw_board *board = boards[data[0] % GW_ARRAY_LEN(boards)];
    gw_fuzz_check(gw_cursor_skip(&c, 1), "an input of one byte has one byte");
    void *state = gw_fuzz_copy(NULL, board->size);
    gw_fuzz_check(board->init(state, &config, why, sizeof(why)), why);
    gw_l1_shim listen = {.kind = GW_L1_KIND_LISTEN};
    timer = say(board, state, &out, GW_L1_LINK_OUT, listen, NULL, 0, now);
    const unsigned before = out.sent;

    while (gw_fuzz_piece(&c, &choice, &piece)) {
        size_t len = gw_cursor_left(&piece);
        uint8_t link = choice & 1;
        now += (int64_t)(choice >> 4) * 1000000;
        for (unsigned i = 0; i < 8 && timer <= now; i++)
            timer = step(board, state, &out, (gw_peer_event){.kind = GW_PEER_TIMER}, now);
        if ((choice & 2) != 0 && len >= 2) {
            timer = say(board, state, &out, link, header(piece.p), piece.p + 2, len - 2, now);
        } else {
            uint8_t *bytes = gw_fuzz_lend(piece.p, len);
            gw_peer_event event = {.kind = GW_PEER_BYTES, .link = link, .data = bytes, .len = len};
            timer = step(board, state, &out, event, now);
            gw_fuzz_take_back(bytes);
        }
        check_state(board, state);
    }
    gw_fuzz_read(out.sent > before);
    out.listening = false;
    (void)say(board, state, &out, GW_L1_LINK_OUT, listen, NULL, 0, now);
    gw_fuzz_check(out.listening, "does not listen any more");
    board->fini(state);
    free(state);
    return 0;
}
