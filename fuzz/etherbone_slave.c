/* SPDX-License-Identifier: BSD-2-Clause */
/* The software slave, fed with packets and streams of several clients. Input: one byte (dialect),
 * then pieces (fuzz.h): the choice says which client, over what, or that time passes.
 *
 * Oracles: replies go to the client that asked; a datagram's reply is one datagram at most, never
 * longer than the request (EB-S25), flawless by the rules for replies, and without reads; after
 * everything that its dialect survives, the slave still answers a probe. */
#include "boards/map.h"
#include "formats/etherbone/slave/board.h"
#include "fuzz.h"
#include "goldwire/etherbone.h"

enum {
    CLIENTS = 4,
    RAM = 0x1000, /* a small one is quick to set up */
};

struct out {
    gw_peer_out out;
    uint32_t conn; /* who asks now */
    bool stream;
    unsigned open;   /* bit i: client i is there, ... */
    unsigned asked;  /* ... has sent something that was not answered before this step, ... */
    unsigned served; /* ... was sent something in this step, ... */
    unsigned closed; /* ... and is at its end, which the slave has not been told yet */
    unsigned sent;
    size_t request_len;
    uint8_t reply[16];
    size_t reply_len;
    const gw_dialect *dialect;
};

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    (void)sink;
    fprintf(stderr, "%s: %s\n", f->rule->id, f->text);
    gw_fuzz_check(f->rule->level != GW_MUST, "the good slave breaks a rule");
}

/* Whoever asks now may be answered or closed; and over a stream, whoever had to wait while the
 * dialect that takes whole messages stood in the middle of another one's. */
static bool is_due(const struct out *out, uint32_t conn)
{
    bool others = out->stream && gw_eb_dialect_of(out->dialect)->whole_messages;
    if (conn >= 2 * CLIENTS || (out->open >> conn & 1) == 0)
        return false;
    return conn == out->conn || (others && conn >= CLIENTS && (out->asked >> conn & 1) != 0);
}

static void on_send(gw_peer_out *peer_out, unsigned link, uint32_t conn, const uint8_t *data,
                    size_t len)
{
    struct out *out = (struct out *)peer_out;

    gw_fuzz_check(link == 0 && is_due(out, conn), "a reply to somebody who did not ask");
    out->served |= 1u << conn;
    out->sent++;
    out->reply_len = len;
    memcpy(out->reply, data, len < sizeof out->reply ? len : sizeof out->reply);
    if (out->stream)
        return;
    gw_fuzz_check(out->sent == 1, "more than one reply to a datagram");
    gw_fuzz_check(len <= out->request_len, "a reply longer than its request");

    gw_verdict_sink sink = {.finding = on_finding};
    gw_message m = gw_message_of(data, len);
    m.src.port = 60368; /* from the service: a reply */
    m.dst.port = 40000;
    m.transport = GW_OVER_UDP;
    gw_etherbone.check(&m, out->dialect, &sink);
}

static void on_close(gw_peer_out *peer_out, unsigned link, uint32_t conn)
{
    struct out *out = (struct out *)peer_out;
    (void)link;
    gw_fuzz_check(conn >= CLIENTS, "closes what is not a stream");
    gw_fuzz_check(is_due(out, conn), "closes a stream on which nothing came");
    out->closed |= 1u << conn;
}

static void step(const gw_board *board, void *state, struct out *out, uint8_t kind, int64_t now,
                 const uint8_t *data, size_t len)
{
    gw_peer_event event = {
        .kind = kind, .stream = out->stream, .conn = out->conn, .data = data, .len = len};
    if (kind == GW_PEER_OPEN)
        out->open |= 1u << out->conn;
    else if (kind == GW_PEER_CLOSE)
        out->open &= ~(1u << out->conn);
    else if (kind == GW_PEER_BYTES)
        out->asked |= 1u << out->conn;
    out->sent = 0;
    out->served = 0;
    out->request_len = len;
    (void)board->step(state, &event, now, &out->out);
    out->asked &= out->open & ~out->served;
}

/* Tells the slave the end of those that are closed, which may make it close more. */
static void end_closed(const gw_board *board, void *state, struct out *out, int64_t now)
{
    for (uint32_t conn = 0; out->closed != 0; conn = (conn + 1) % (2 * CLIENTS)) {
        if ((out->closed >> conn & 1) == 0)
            continue;
        out->closed &= ~(1u << conn);
        out->conn = conn;
        out->stream = conn >= CLIENTS;
        step(board, state, out, GW_PEER_CLOSE, now, NULL, 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint64_t *state;
    static gw_eb_map map;
    const gw_board *board = &gw_eb_slave_board;
    char why[160];
    int64_t now = 0;
    gw_cursor c = gw_cursor_over(data, size), piece;
    uint8_t choice;

    if (size < 1 || size > 32768)
        return 0;
    if (state == NULL)
        state = malloc(board->size);
    map = gw_eb_default_map;
    map.regions[0].size = RAM;
    gw_peer_config config = {.dialect = gw_fuzz_dialect(&gw_etherbone, data[0]), .setup = &map};
    gw_fuzz_check(gw_cursor_skip(&c, 1), "an input of one byte has one byte");
    gw_fuzz_check(board->init(state, &config, why, sizeof why), "the slave does not start");
    bool lives = true; /* a board is dead until reset after what its dialect does not survive */
    struct out out = {.out = {on_send, on_close}, .dialect = config.dialect};
    step(board, state, &out, GW_PEER_START, now, NULL, 0);

    while (gw_fuzz_piece(&c, &choice, &piece)) {
        out.conn = choice & 7;
        out.stream = out.conn >= CLIENTS;
        now += 1000;
        if ((out.open >> out.conn & 1) == 0)
            step(board, state, &out, GW_PEER_OPEN, now, NULL, 0);
        if (choice & 0x80)
            now += INT64_C(10000000000);
        size_t len = gw_cursor_left(&piece);
        uint8_t *bytes = gw_fuzz_lend(piece.p, len);
        if (len > 0 || !out.stream)
            step(board, state, &out, GW_PEER_BYTES, now, bytes, len);
        gw_fuzz_read(out.sent > 0);
        bool fatal = out.stream ? gw_eb_dialect_of(config.dialect)->record_words != 0
                                : !gw_eb_survives(config.dialect, bytes, len);
        lives = lives && !fatal;
        gw_fuzz_take_back(bytes);
        if (choice & 0x40)
            out.closed |= 1u << out.conn;
        end_closed(board, state, &out, now);
    }
    uint8_t probe[GW_EB_PROBE_MAX];
    size_t probe_len = gw_eb_build_any_probe(probe, 0xff, 0x12345678, config.dialect);
    out.conn = 0;
    out.stream = false;
    if ((out.open & 1) == 0)
        step(board, state, &out, GW_PEER_OPEN, now, NULL, 0);
    step(board, state, &out, GW_PEER_BYTES, now, probe, probe_len);
    bool answered = out.sent == 1 && out.reply_len == probe_len &&
                    gw_eb_probe_answers(out.reply, out.reply_len, 0x12345678);
    gw_fuzz_check(answered || !lives, "the slave no longer answers a probe");
    if (board->fini != NULL)
        board->fini(state);
    return 0;
}
