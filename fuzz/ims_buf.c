/* SPDX-License-Identifier: BSD-2-Clause */
/* The software IMS buffer, fed with packets, connections that come and go, and register accesses.
 * Input: one byte (dialect, setup), then pieces (fuzz.h): the low bits of the choice say what a
 * piece is, the upper ones from whom it comes. Packets get a right ICRC, so that they are looked
 * at; status packets the right queue key; packets of frames the queue pair and key of a channel.
 *
 * Oracles: what it sends has a right ICRC, goes to somebody who is there, and breaks no rule for
 * its sender; one event has few answers; nothing is delivered beyond the ring; when all Workers
 * have ended no channel is open, and a new one is served. What each packet shows by itself, and
 * that a new Worker is served, is looked at where the input is worth it. */
#include "formats/ims/buf/board.h"
#include "fuzz.h"
#include "goldwire/writer.h"
#include "said.h"
#include "worth/worth.h"

enum {
    CONNS = 4,
    MUCH = 3, /* a frame that is given up, the one that ends it, and a mutant's worth of room */
    PACKET_MAX = GW_IB_PACKET_MAX,
};

/* What a piece is. */
enum {
    AS_IT_IS = 0,
    PACKET,
    STATUS,
    FRAME,
    REGISTERS,
    CONNECTION,
    NUM_KINDS,
};

struct out {
    gw_peer_out out;
    const gw_dialect *dialect;
    gw_ims_buf *buf;
    bool open[CONNS];
    unsigned sent;
    gw_ims_packet last;
    uint8_t bytes[1 + PACKET_MAX]; /* of the last, behind its receiver */
    gw_fuzz_kept *kept;
};

static gw_endpoint end_of(unsigned last, uint16_t port)
{
    gw_endpoint end = {.ip = {127, 0, 0, (uint8_t)last}, .port = port, .family = GW_FAMILY_IPV4};
    return end;
}

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    (void)sink;
    fprintf(stderr, "%s: %s\n", f->rule->id, f->text);
    gw_fuzz_check(0, "the good buffer breaks a rule");
}

/* What one packet shows: on inputs that are worth it. Its receiver lies before it. */
static void look_at_packet(void *arg, const uint8_t *data, size_t len)
{
    const struct out *out = arg;
    gw_verdict_sink sink = {.finding = on_finding};
    gw_endpoint here = end_of(1, GW_ROCE_PORT), there = end_of(2u + data[0], GW_ROCE_PORT);
    gw_message m = gw_message_of(data + 1, len - 1 - GW_IB_ICRC);

    gw_fuzz_check(gw_ib_judge_udp(&gw_fast_env, &here, &there, data + 1, len - 1, false) ==
                      GW_IB_RIGHT,
                  "a wrong ICRC");
    m.transport = GW_OVER_UDP;
    gw_ims.check(&m, out->dialect, &sink);
}

static void on_send(gw_peer_out *peer_out, unsigned link, uint32_t conn, const uint8_t *data,
                    size_t len)
{
    struct out *out = (struct out *)peer_out;

    gw_fuzz_check(link == 0 && conn < CONNS && out->open[conn], "sends to nobody");
    gw_fuzz_check(++out->sent <= MUCH, "talks without end");
    gw_fuzz_check(len > GW_IB_ICRC && len < sizeof out->bytes,
                  "no packet, or one that is too long");
    out->bytes[0] = (uint8_t)conn;
    memcpy(out->bytes + 1, data, len);
    if (!gw_fuzz_keep(out->kept, out->bytes, len + 1))
        look_at_packet(out, out->bytes, len + 1);
    gw_message m = gw_message_of(out->bytes + 1, len - GW_IB_ICRC);
    m.transport = GW_OVER_UDP;
    (void)gw_ims_decode(&out->last, &m, out->dialect);
    gw_fuzz_check(out->last.has_body, "neither status packet nor response");
    gw_fuzz_check(out->last.kind == GW_IMS_IS_ACK ||
                      (out->last.status.method & GW_IMS_RESPONSE) != 0,
                  "a Worker's method");
}

static void on_close(gw_peer_out *out, unsigned link, uint32_t conn)
{
    (void)out;
    (void)link;
    (void)conn;
    gw_fuzz_check(0, "closes a datagram link");
}

static void step(struct out *out, uint8_t kind, uint32_t conn, const uint8_t *data, size_t len)
{
    /* Adapters send from any port. */
    gw_endpoint here = end_of(1, GW_ROCE_PORT), there = end_of(2 + conn, (uint16_t)(50000 + conn));
    gw_peer_event event = {
        .kind = kind, .conn = conn, .here = &here, .there = &there, .data = data, .len = len};

    out->sent = 0;
    (void)gw_ims_buf_board.step(out->buf, &event, 0, &out->out);
    for (unsigned i = 0; i < out->buf->setup.channels; i++) {
        const gw_ims_buf_channel *c = &out->buf->channels[i];
        gw_fuzz_check(!c->open || c->delivered >= c->read, "less was delivered than was read");
    }
}

static void connect_to(struct out *out, uint32_t conn, bool open)
{
    if (out->open[conn] == open)
        return;
    out->open[conn] = true; /* it is told of both while it is there */
    step(out, open ? GW_PEER_OPEN : GW_PEER_CLOSE, conn, NULL, 0);
    out->open[conn] = open;
}

/* Closes |packet| with a right ICRC and hands it over in memory of its own length. */
static void feed(struct out *out, uint32_t conn, const uint8_t *packet, size_t len)
{
    uint8_t bytes[PACKET_MAX + 64];
    gw_endpoint here = end_of(1, GW_ROCE_PORT), there = end_of(2 + conn, (uint16_t)(50000 + conn));
    size_t all = gw_fuzz_close_udp(bytes, sizeof bytes, packet, len, &there, &here);

    if (all == 0)
        return;
    uint8_t *copy = gw_fuzz_lend(bytes, all);
    step(out, GW_PEER_BYTES, conn, copy, all);
    gw_fuzz_take_back(copy);
}

static void feed_draft(struct out *out, uint32_t conn, const gw_ims_draft *draft)
{
    uint8_t packet[PACKET_MAX];
    feed(out, conn, packet, gw_ims_build(packet, sizeof packet, draft, out->dialect));
}

/* A status packet of whatever bytes there are, to the right place. */
static void feed_status(struct out *out, uint32_t conn, gw_cursor *piece)
{
    static const gw_ims_status none;
    const gw_ims_buf_setup *s = &out->buf->setup;
    gw_ims_draft draft = gw_ims_draft_status(s->status_qpn, 0x412, s->status_qkey, 0, &none);

    draft.raw = true;
    draft.payload = piece->p;
    draft.payload_len = gw_cursor_left(piece);
    if (draft.payload_len <= GW_IB_MTU_MAX)
        feed_draft(out, conn, &draft);
}

/* A packet of a frame: channel and opcode, step of the PSN, address from the read pointer on in
 * units of 32 bytes, length in units of 32, flips of the key, then the data's length in units of 4.
 */
static void feed_frame(struct out *out, uint32_t conn, gw_cursor *piece)
{
    static const uint8_t data[GW_IB_MTU_MAX];
    uint8_t opcode, gap, key;
    uint16_t va, length, len;

    while (gw_cursor_u8(piece, &opcode) && gw_cursor_u8(piece, &gap) &&
           gw_cursor_be16(piece, &va) && gw_cursor_be16(piece, &length) &&
           gw_cursor_u8(piece, &key) && gw_cursor_be16(piece, &len)) {
        const gw_ims_buf_channel *c = &out->buf->channels[(opcode >> 7) % out->buf->setup.channels];
        gw_ims_draft draft = {
            .bth = {.opcode = (uint8_t)(GW_IB_UC_WRITE_FIRST + (opcode & 0x7f) % 6),
                    .dest_qp = c->qpn,
                    .psn = (c->psn + (uint32_t)(int32_t)(int8_t)gap) & GW_IB_NUMBER_MASK},
            .reth = {.va = c->read + (uint64_t)(int64_t)(int16_t)va * 32,
                     .rkey = c->rkey ^ key,
                     .length = (uint32_t)length * 32},
            .payload = data,
            .payload_len = (size_t)len % (GW_IB_MTU_MAX / 4 + 1) * 4,
        };
        feed_draft(out, conn, &draft);
    }
}

/* Register accesses, without EtherBone around them: its slave has a target of its own. */
static void touch(struct out *out, gw_cursor *piece)
{
    uint16_t where;
    uint32_t value;

    while (gw_cursor_be16(piece, &where)) {
        uint32_t address = (where & 0x7fffu) * 4 % GW_IMS_BUF_REGISTERS;
        if ((where & 0x8000) == 0)
            (void)gw_ims_buf_read_register(out->buf, address, &value);
        else if (gw_cursor_be32(piece, &value))
            (void)gw_ims_buf_write_register(out->buf, address, value);
    }
}

static void say(struct out *out, uint8_t method, uint32_t lid, uint32_t qpn, uint32_t key)
{
    const gw_ims_buf_setup *s = &out->buf->setup;
    gw_ims_status status = {.method = method, .lid = lid, .qpn = qpn, .key = key};
    gw_ims_draft draft = gw_ims_draft_status(s->status_qpn, qpn, s->status_qkey, 0, &status);

    feed_draft(out, 0, &draft);
    gw_fuzz_check(out->sent == 1 && out->last.kind == GW_IMS_IS_STATUS &&
                      out->last.status.method == (method | GW_IMS_RESPONSE),
                  "a request is not answered");
}

static void must_serve(struct out *out)
{
    static const uint8_t data[64];
    gw_ims_buf *b = out->buf;

    connect_to(out, 0, false);
    connect_to(out, 0, true);
    for (unsigned i = 0; i < GW_IMS_BUF_WORKERS; i++) {
        if (b->workers[i].used)
            say(out, GW_IMS_STAT_TERM, b->workers[i].lid, b->workers[i].qpn, 0);
    }
    for (unsigned i = 0; i < b->setup.channels; i++)
        gw_fuzz_check(!b->channels[i].open, "a channel is open, and nobody has it");
    say(out, GW_IMS_STAT_REQ, 0x11, 0x412, 1);
    say(out, GW_IMS_DATA_REQ, 0x11, 0x412, 0x812);
    gw_ib_reth reth = {.va = out->last.status.va, .rkey = out->last.status.rkey, .length = 64};
    gw_ims_draft draft = gw_ims_draft_write(b->channels[0].qpn, 0, &reth, 0, data, sizeof data);
    feed_draft(out, 0, &draft);
    gw_fuzz_check(out->sent == 1 && out->last.kind == GW_IMS_IS_ACK &&
                      out->last.ack.type == GW_IMS_TYPE_ACK && out->last.ack.va == reth.va,
                  "a good frame is not acknowledged");
    gw_fuzz_check(b->channels[0].delivered == reth.va + 64, "a good frame is not delivered");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static gw_ims_buf *buf;
    static gw_fuzz_kept kept;
    char why[160];
    gw_cursor c = gw_cursor_over(data, size), piece;
    uint8_t choice;

    if (size < 1 || size > 16384)
        return 0;
    if (buf == NULL)
        buf = malloc(sizeof *buf);
    gw_fuzz_check(buf != NULL, "no memory");
    gw_ims_buf_setup setup = gw_ims_buf_usual;
    setup.frame = 0x1000;
    setup.channels = 2;
    setup.expose = (data[0] & 0x10) == 0;
    setup.gap_at_first = (data[0] & 0x20) != 0;
    setup.image_bits = (data[0] & 0x40) == 0 ? 0 : (data[0] & 0x80) == 0 ? 4 : 6;
    setup.ring = setup.image_bits == 6 ? 0x20000 : 0x10000; /* small is quick, see CMakeLists.txt */
    gw_peer_config config = {.dialect = gw_fuzz_dialect(&gw_ims, data[0] & 0x0f), .setup = &setup};
    struct out out = {
        .out = {on_send, on_close}, .dialect = config.dialect, .buf = buf, .kept = &kept};
    gw_fuzz_check(gw_cursor_skip(&c, 1), "an input of one byte has one byte");
    gw_fuzz_check(gw_ims_buf_board.init(buf, &config, why, sizeof why),
                  "the buffer does not start");
    for (uint32_t i = 0; i < CONNS; i++)
        connect_to(&out, i, true);
    const unsigned before = out.sent;

    while (gw_fuzz_piece(&c, &choice, &piece)) {
        uint32_t conn = choice >> 3 & (CONNS - 1);
        unsigned kind = (choice & 7) % NUM_KINDS;
        uint8_t *bytes;
        if (kind == CONNECTION)
            connect_to(&out, conn, (choice & 0x80) != 0);
        if (kind == REGISTERS)
            touch(&out, &piece);
        if (kind == REGISTERS || kind == CONNECTION || !out.open[conn])
            continue;
        switch (kind) {
        case AS_IT_IS:
            bytes = gw_fuzz_lend(piece.p, gw_cursor_left(&piece));
            step(&out, GW_PEER_BYTES, conn, bytes, gw_cursor_left(&piece));
            gw_fuzz_take_back(bytes);
            break;
        case PACKET:
            feed(&out, conn, piece.p, gw_cursor_left(&piece));
            break;
        case STATUS:
            feed_status(&out, conn, &piece);
            break;
        default:
            feed_frame(&out, conn, &piece);
            break;
        }
    }
    gw_fuzz_read(out.sent > before);
    if (gw_fuzz_worth()) {
        must_serve(&out);
        gw_fuzz_kept_each(&kept, look_at_packet, &out);
    }
    kept.used = 0;
    gw_ims_buf_board.fini(buf);
    return 0;
}
