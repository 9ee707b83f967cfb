/* SPDX-License-Identifier: BSD-2-Clause */
/* The software IMS Worker and whoever answers it. Input: one byte (dialect), one of frames
 * outstanding, then pieces (fuzz.h): the choice says whether the piece is a datagram as it is, a
 * packet whose ICRC is made good, bytes that change the answer which is due or a response to the
 * newest frame, or whether time passes.
 *
 * Oracles: what it sends breaks no rule that one message shows and has a right ICRC; it writes only
 * between DATA_RES and its leave, where DATA_RES said, and no more at once than a burst; a deadline
 * lies ahead; it always ends, after a bounded number of packets and of its own deadlines, and is
 * then silent; it is only satisfied when every frame was acknowledged. What each packet shows by
 * itself is looked at where the input is worth it. */
#include "formats/ims/worker/board.h"
#include "fuzz.h"
#include "goldwire/ims.h"
#include "said.h"
#include "worth/worth.h"

enum {
    FRAMES = 8,
    PACKETS = 4, /* of a frame */
    TRIES = 3,
    BURST = 6,
    REQUESTS = 4 * TRIES,
    TOTAL_PACKETS = FRAMES * PACKETS * TRIES + REQUESTS,
    DEADLINES = 4 * TOTAL_PACKETS,
};

static const gw_ims_worker_setup setup_of_all = {
    .lid = 0x11,
    .qpn = 0x412,
    .qkey = 0x11111111,
    .qpnd = 0x413,
    .buffer_qpn = 0x10,
    .buffer_qkey = 0x1d51d5,
    .buffer_qpnd = 0x80,
    .content = GW_IMS_PATTERN,
    .file = -1,
    .size = (uint64_t)FRAMES * PACKETS * GW_IMS_ALIGN,
    .frame = PACKETS * GW_IMS_ALIGN,
    .packet = GW_IMS_ALIGN,
    .outstanding = 2,
    .burst = BURST,
    .gap_ns = 1000,
    .response_ns = 50000000,
    .wait_ns = 10000000,
    .status_ns = 100000000,
    .tries = TRIES,
    .status_tries = TRIES,
};

static const gw_endpoint worker_end = {
    .ip = {127, 0, 0, 2}, .port = GW_ROCE_PORT, .family = GW_FAMILY_IPV4};
static const gw_endpoint buffer_end = {
    .ip = {127, 0, 0, 1}, .port = GW_ROCE_PORT, .family = GW_FAMILY_IPV4};

struct out {
    gw_peer_out out;
    const gw_dialect *dialect;
    const gw_ims_worker_state *worker;
    unsigned in_step;
    unsigned total;
    uint64_t va;    /* of the newest frame */
    uint8_t method; /* of the newest request */
    bool left;      /* DATA_TERM or STAT_TERM went out */
    gw_fuzz_kept *kept;
};

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    (void)sink;
    fprintf(stderr, "%s: %s\n", f->rule->id, f->text);
    gw_fuzz_check(f->rule->level != GW_MUST, "the good Worker breaks a rule");
}

static void look_at_data(struct out *out, const gw_ims_packet *p)
{
    const gw_ims_worker_state *w = out->worker;

    gw_fuzz_check(w->phase == WORKER_STREAMING && !out->left, "writes when it must not");
    if (!p->first)
        return;
    gw_fuzz_check(p->reth.va >= w->base && p->reth.va - w->base < setup_of_all.size &&
                      p->reth.rkey == w->rkey,
                  "writes where it must not");
    out->va = p->reth.va;
}

/* What one packet shows: on inputs that are worth it. */
static void look_at_packet(void *arg, const uint8_t *data, size_t len)
{
    const struct out *out = arg;
    gw_verdict_sink sink = {.finding = on_finding};
    gw_message m = gw_message_of(data, len - GW_IB_ICRC);

    gw_fuzz_check(gw_ib_judge_udp(&gw_fast_env, &worker_end, &buffer_end, data, len, false) ==
                      GW_IB_RIGHT,
                  "a wrong ICRC");
    gw_ims.check(&m, out->dialect, &sink);
}

static void on_send(gw_peer_out *peer_out, unsigned link, uint32_t conn, const uint8_t *data,
                    size_t len)
{
    struct out *out = (struct out *)peer_out;
    gw_ims_packet p;

    gw_fuzz_check(link == 0 && conn == 0 && len > GW_IB_ICRC, "an odd packet");
    gw_fuzz_check(++out->in_step <= BURST + 2, "too many packets in one step");
    gw_fuzz_check(++out->total <= TOTAL_PACKETS, "too many packets in all");
    if (!gw_fuzz_keep(out->kept, data, len))
        look_at_packet(out, data, len);
    gw_message m = gw_message_of(data, len - GW_IB_ICRC);
    gw_fuzz_check(gw_ims_decode(&p, &m, out->dialect).kind == GW_OK, "a packet that is none");
    if (p.kind == GW_IMS_IS_DATA) {
        look_at_data(out, &p);
        return;
    }
    /* Of an order found out by looking the sender writes the first. */
    gw_fuzz_check(p.kind == GW_IMS_IS_STATUS, "neither a request nor data");
    out->method = p.status.method;
    out->left |= p.status.method == GW_IMS_STAT_TERM || p.status.method == GW_IMS_DATA_TERM;
}

static void on_close(gw_peer_out *out, unsigned link, uint32_t conn)
{
    (void)out;
    (void)link;
    (void)conn;
    gw_fuzz_check(0, "closes a datagram link");
}

static int64_t step(gw_ims_worker_state *w, struct out *out, uint8_t kind, const uint8_t *data,
                    size_t len, int64_t now)
{
    gw_peer_event event = {
        .kind = kind, .here = &worker_end, .there = &buffer_end, .data = data, .len = len};

    out->in_step = 0;
    int64_t deadline = gw_ims_worker_board.step(w, &event, now, &out->out);
    gw_fuzz_check(w->delivered <= w->next && w->next <= FRAMES,
                  "more frames delivered than were begun, or than there are");
    gw_fuzz_check(w->sending == NULL || w->sending->state == SLOT_SENDING,
                  "sends a frame that has given up its place");
    gw_fuzz_check(kind != GW_PEER_TIMER || deadline > now, "a deadline that has passed");
    return deadline;
}

/* Changes |bytes| by the piece, byte by byte. */
static void change(uint8_t *bytes, size_t len, gw_cursor *piece)
{
    uint8_t by;

    for (size_t i = 0; i < len && gw_cursor_u8(piece, &by); i++)
        bytes[i] ^= by;
}

/* The answer that is due to the newest request, changed. */
static size_t make_answer(uint8_t *bytes, size_t cap, const struct out *out, gw_cursor *piece)
{
    uint8_t body[GW_IMS_STATUS];
    gw_ims_status status = {.method = out->method | GW_IMS_RESPONSE,
                            .major = 1,
                            .minor = 1,
                            .lid = setup_of_all.lid,
                            .qpn = setup_of_all.qpn};

    if (status.method == GW_IMS_DATA_RES) {
        status.key = 0x87;
        status.va = 0x1000000000;
        status.rkey = 0xcafe0001;
    }
    gw_ims_draft draft = gw_ims_draft_status(setup_of_all.qpn, setup_of_all.buffer_qpn,
                                             setup_of_all.qkey, 0, &status);
    gw_ims_put_status(body, &status, (gw_ims_order)gw_ims_dialect_of(out->dialect)->status_order);
    change(body, sizeof body, piece);
    draft.raw = true;
    draft.payload = body;
    draft.payload_len = sizeof body;
    return gw_ims_build(bytes, cap, &draft, out->dialect);
}

/* An ACK of the newest frame, changed. */
static size_t make_response(uint8_t *bytes, size_t cap, const struct out *out, gw_cursor *piece)
{
    uint8_t body[GW_IMS_ACK];
    gw_ims_ack ack = {.va = out->va};
    gw_ims_draft draft = gw_ims_draft_ack(setup_of_all.qpnd, 0, &ack);

    gw_ims_put_ack(body, &ack, (gw_ims_order)gw_ims_dialect_of(out->dialect)->ack_order);
    change(body, sizeof body, piece);
    draft.raw = true;
    draft.payload = body;
    draft.payload_len = sizeof body;
    return gw_ims_build(bytes, cap, &draft, out->dialect);
}

static size_t make_packet(uint8_t *bytes, size_t cap, const struct out *out, uint8_t choice,
                          gw_cursor *piece)
{
    size_t len = gw_cursor_left(piece);

    if (choice == 2)
        return make_answer(bytes, cap, out, piece);
    if (choice == 3)
        return make_response(bytes, cap, out, piece);
    len = len < cap ? len : cap;
    memcpy(bytes, piece->p, len);
    return len;
}

static int64_t give(gw_ims_worker_state *w, struct out *out, uint8_t choice, gw_cursor *piece,
                    int64_t now)
{
    uint8_t bytes[GW_IB_PACKET_MAX];
    size_t len = make_packet(bytes, sizeof bytes - GW_IB_ICRC, out, choice, piece);

    if (choice != 0)
        len = gw_fuzz_close_udp(bytes, sizeof bytes, bytes, len, &buffer_end, &worker_end);
    uint8_t *copy = gw_fuzz_lend(bytes, len);
    int64_t deadline = step(w, out, GW_PEER_BYTES, copy, len, now);
    gw_fuzz_take_back(copy);
    return deadline;
}

static void must_end(gw_ims_worker_state *w, struct out *out, int64_t deadline, int64_t now)
{
    char text[256];

    for (unsigned i = 0; !gw_ims_worker_board.done(w); i++) {
        gw_fuzz_check(i < DEADLINES, "does not come to an end");
        gw_fuzz_check(deadline != GW_PEER_NEVER, "waits without a deadline");
        if (now < deadline)
            now = deadline;
        deadline = step(w, out, GW_PEER_TIMER, NULL, 0, now);
    }
    gw_fuzz_check(!gw_ims_worker_board.report(w, text, sizeof text) || w->delivered == FRAMES,
                  "is satisfied and should not be");
    unsigned total = out->total;
    gw_fuzz_check(step(w, out, GW_PEER_TIMER, NULL, 0, now) == GW_PEER_NEVER, "is done, and waits");
    gw_fuzz_check(out->total == total, "is done, and talks");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static gw_ims_worker_state *w;
    static gw_fuzz_kept kept;
    char why[160];
    gw_cursor c = gw_cursor_over(data, size), piece;
    uint8_t choice;
    int64_t now = 0;

    if (size < 2 || size > 16384)
        return 0;
    if (w == NULL)
        w = malloc(sizeof *w);
    gw_ims_worker_setup setup = setup_of_all;
    setup.outstanding = 1 + data[1] % FRAMES;
    gw_peer_config config = {.dialect = gw_fuzz_dialect(&gw_ims, data[0]), .setup = &setup};
    struct out out = {
        .out = {on_send, on_close}, .dialect = config.dialect, .worker = w, .kept = &kept};
    gw_fuzz_check(gw_cursor_skip(&c, 2), "an input of two bytes has two bytes");
    gw_fuzz_check(gw_ims_worker_board.init(w, &config, why, sizeof why),
                  "the Worker does not start");
    (void)step(w, &out, GW_PEER_START, NULL, 0, now);
    int64_t deadline = step(w, &out, GW_PEER_OPEN, NULL, 0, now);
    const unsigned before = out.total;
    while (gw_fuzz_piece(&c, &choice, &piece)) {
        if (choice % 8 < 4) {
            deadline = give(w, &out, choice % 8, &piece, now);
        } else if (deadline != GW_PEER_NEVER) {
            now = now < deadline ? deadline : now;
            deadline = step(w, &out, GW_PEER_TIMER, NULL, 0, now);
        }
    }
    gw_fuzz_read(out.total > before);
    must_end(w, &out, deadline, now);
    if (gw_fuzz_worth())
        gw_fuzz_kept_each(&kept, look_at_packet, &out);
    kept.used = 0;
    gw_ims_worker_board.fini(w);
    return 0;
}
