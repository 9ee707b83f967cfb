/* SPDX-License-Identifier: BSD-2-Clause */
/* The software TEXTAROSSA node and switch, fed with beats, datagrams and register accesses. Input:
 * one byte (dialect, and bit 7: the switch), then pieces (fuzz.h): the choice says which link, and
 * for an APElink whether MAGIC and START go before the piece, its header is protected, and another
 * one comes to its other end first.
 *
 * Oracles: what a conformant board sends over an APElink breaks no rule of the link, what it sends
 * in a datagram is whole; one event does not make it talk for ever; nothing is left of half a
 * packet when another one comes to a link; after a reset it still sends a packet on, which is asked
 * where the input is worth it. */
#include "formats/textarossa/board.h"
#include "fuzz.h"
#include "worth/worth.h"

enum {
    MUCH = 1 << 23, /* bytes that one event may set free: every FIFO, stuffed */
    CREDITS = 0x40,
};

struct out {
    gw_peer_out out;
    gw_tx_board *board;
    uint64_t *streams[GW_TX_LINKS]; /* state of what cuts them */
    size_t sent;
    bool came; /* a whole packet over link 0 */
};

static bool is_strict(const gw_tx_board *b)
{
    return !b->d->rtl;
}

/* A switch forwards what it is given; only what the link adds is its own. */
static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    (void)sink;
    if (strncmp(f->rule->id, "TX-L", 4) != 0 || strcmp(f->rule->id, "TX-L6") == 0)
        return;
    fprintf(stderr, "%s: %s\n", f->rule->id, f->text);
    gw_fuzz_check(f->rule->level != GW_MUST, "the good board breaks a rule of the link");
}

static void on_message(void *ctx, const gw_message *m)
{
    struct out *out = ctx;
    gw_verdict_sink sink = {.finding = on_finding};
    gw_tx_packet p;

    gw_textarossa.check(m, out->board->dialect, &sink);
    if (m->part != GW_TX_PART_LINK)
        return;
    gw_fuzz_check(gw_tx_decode(&p, m, out->board->dialect).kind == GW_OK, "a packet is not whole");
    out->came = true;
}

static void on_send(gw_peer_out *peer_out, unsigned link, uint32_t conn, const uint8_t *data,
                    size_t len)
{
    struct out *out = (struct out *)peer_out;
    gw_tx_board *b = out->board;
    gw_message m = gw_message_of(data, len);
    gw_tx_packet p;

    gw_fuzz_check(conn == link, "sends to somebody who is not there");
    out->sent += len;
    gw_fuzz_check(out->sent <= MUCH, "talks without end");
    if (link >= (b->is_node ? 1u : GW_TX_LINKS + GW_TX_PORTS))
        return;
    if (link < b->num_links && b->links[link].stream) {
        m.transport = GW_OVER_TCP;
        if (is_strict(b))
            gw_textarossa.stream->push(out->streams[link], 0, &m, on_message, out);
        return;
    }
    m.transport = GW_OVER_UDP;
    m.dst = b->partners[conn];
    gw_fuzz_check(!is_strict(b) || gw_tx_decode(&p, &m, b->dialect).kind == GW_OK,
                  "a datagram is not whole");
}

static void on_close(gw_peer_out *out, unsigned link, uint32_t conn)
{
    (void)out;
    (void)link;
    (void)conn;
    gw_fuzz_check(0, "closes a link");
}

static bool fits(const gw_tx_pair *p)
{
    return p->header.count <= p->header.depth && p->data.count <= p->data.depth;
}

static void check_fifos(const gw_tx_board *b)
{
    bool all_fit = true;

    for (unsigned i = 0; i < b->num_links; i++)
        all_fit = all_fit && fits(&b->links[i].rx[0]) && fits(&b->links[i].rx[1]);
    for (unsigned i = 0; i < GW_TX_PORTS; i++)
        all_fit = all_fit && fits(&b->ports[i].rx) && fits(&b->ports[i].tx);
    gw_fuzz_check(all_fit, "a FIFO holds more than it can");
}

static void step(struct out *out, uint8_t kind, uint8_t link, const uint8_t *data, size_t len)
{
    static const gw_endpoint there = {
        .ip = {127, 0, 0, 1}, .port = 64098, .family = GW_FAMILY_IPV4};
    gw_tx_board *b = out->board;
    const gw_board *board = b->is_node ? &gw_tx_node_board : &gw_tx_switch_board;
    bool stream = link < b->num_links && b->links[link].stream;
    gw_peer_event event = {.kind = kind,
                           .link = link,
                           .stream = stream,
                           .conn = link,
                           .there = &there,
                           .data = data,
                           .len = len};

    out->sent = 0;
    (void)board->step(b, &event, 0, &out->out);
    check_fifos(b);
}

/* Fifteen packets show what more would. Headers and credits are protected both or not at all, as
 * the other end of a link has to assume. */
static uint32_t tamed(uint32_t address, uint32_t value)
{
    const uint32_t headers = 0x11000000, credits = 0x44000000;

    if (address == GW_TX_PKTGEN_CONFIG_0)
        return value & ~UINT32_C(0xfff0);
    if (address == GW_TX_LINK_0_CONFIG_0)
        return (value & ~credits) | (value & headers) << 2;
    return value;
}

/* A register access, without EtherBone around it: its slave has a target of its own. */
static void touch(struct out *out, gw_cursor *piece)
{
    uint16_t where;
    uint32_t value;

    while (gw_cursor_be16(piece, &where)) {
        uint32_t address = where & 0xffc;
        if ((where & 0x8000) == 0) {
            (void)gw_tx_read_register(out->board, address, &value);
            continue;
        }
        if (!gw_cursor_be32(piece, &value))
            return;
        (void)gw_tx_write_register(out->board, address, tamed(address, value));
    }
    for (unsigned i = 0; i < out->board->num_links; i++) /* protection may have changed */
        gw_textarossa.stream->init(out->streams[i], out->board->dialect);
    step(out, GW_PEER_OPEN, 0, NULL, 0);
}

static void send_beats(struct out *out, uint8_t link, uint8_t choice, gw_cursor piece)
{
    size_t len = gw_cursor_left(&piece);
    size_t head = (choice & 0x08) != 0 ? (size_t)2 * GW_TX_WORD : 0;
    uint8_t *bytes = gw_fuzz_lend(NULL, head + len);

    if (head > 0) {
        gw_tx_store(bytes, GW_TX_WORD, GW_TX_ORDER_A, (gw_tx_word){GW_TX_MAGIC, GW_TX_MAGIC});
        gw_tx_store(bytes + GW_TX_WORD, GW_TX_WORD, GW_TX_ORDER_A,
                    (gw_tx_word){GW_TX_START, GW_TX_START});
    }
    if (len > 0)
        memcpy(bytes + head, piece.p, len);
    if ((choice & 0x10) != 0 && len >= GW_TX_WORD)
        gw_tx_store(bytes + head, GW_TX_WORD, GW_TX_ORDER_A,
                    gw_tx_protect(gw_tx_load(bytes + head, GW_TX_WORD, GW_TX_ORDER_A)));
    step(out, GW_PEER_BYTES, link, bytes, head + len);
    gw_fuzz_take_back(bytes);
}

/* Resets the board, programs it as hosts do, and wants a packet back over a new APElink. */
static void must_work(struct out *out)
{
    gw_tx_board *b = out->board;
    const gw_tx_credit credit = {.vc = {{CREDITS, CREDITS}, {CREDITS, CREDITS}}};
    uint8_t bytes[(size_t)16 * GW_TX_WORD], payload[40] = {1};
    gw_tx_draft draft = {.header = {.virt_chan = GW_TX_LAST_VC0, .dest_x = b->is_node ? 0 : 1},
                         .payload = payload,
                         .payload_len = sizeof payload};

    step(out, GW_PEER_CLOSE, 0, NULL, 0);
    (void)gw_tx_write_register(b, GW_TX_RESET_REG, 1);
    (void)gw_tx_write_register(b, GW_TX_LATTICESIZE_REG, 0x844);
    (void)gw_tx_write_register(b, GW_TX_LINK_0_CONFIG_1, GW_TX_USUAL_THRESHOLDS);
    (void)gw_tx_write_register(b, GW_TX_LINK_0_CONFIG_2, GW_TX_USUAL_CYCLES);
    b->links[0].stream = true;
    gw_textarossa.stream->init(out->streams[0], b->dialect);
    step(out, GW_PEER_OPEN, 0, NULL, 0);
    gw_tx_store(bytes, GW_TX_WORD, GW_TX_ORDER_A, gw_tx_credit_pack(&credit));
    size_t len =
        GW_TX_WORD + gw_tx_build_run(bytes + GW_TX_WORD, sizeof bytes - GW_TX_WORD, &draft, NULL);
    out->came = false;
    step(out, GW_PEER_BYTES, 0, bytes, len);
    gw_fuzz_check(out->came || !is_strict(b), "the board no longer sends a packet on");
}

/* Whoever was at the other end of an APElink goes, in the middle of a packet perhaps, and another
 * one comes. */
static void come_anew(struct out *out, uint8_t link)
{
    step(out, GW_PEER_CLOSE, link, NULL, 0);
    gw_textarossa.stream->init(out->streams[link], out->board->dialect);
    step(out, GW_PEER_OPEN, link, NULL, 0);
    for (unsigned vc = 0; vc < GW_TX_NUM_VCS; vc++) {
        const gw_tx_pair *p = &out->board->links[link].rx[vc];
        gw_fuzz_check(p->header.ready == p->header.count && p->data.ready == p->data.count,
                      "half a packet is left of whoever was there before");
    }
}

static void open_links(struct out *out, uint8_t first)
{
    gw_tx_board *b = out->board;
    unsigned num = b->is_node ? 2 : GW_TX_LINKS + GW_TX_PORTS + 1;

    for (unsigned i = 0; i < b->num_links; i++) {
        b->links[i].stream = !b->is_node || (first & 0x40) != 0;
        gw_textarossa.stream->init(out->streams[i], b->dialect);
    }
    for (unsigned link = 0; link < num; link++)
        step(out, GW_PEER_OPEN, (uint8_t)link, NULL, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static gw_tx_board *b;
    static uint64_t *streams[GW_TX_LINKS];
    char why[160];
    gw_cursor c = gw_cursor_over(data, size), piece;
    uint8_t choice;

    if (size < 1 || size > 16384)
        return 0;
    if (b == NULL) {
        b = malloc(sizeof *b);
        for (unsigned i = 0; i < GW_TX_LINKS; i++)
            streams[i] = malloc(gw_textarossa.stream->size);
    }
    const gw_board *board = (data[0] & 0x80) != 0 ? &gw_tx_switch_board : &gw_tx_node_board;
    gw_peer_config config = {
        .dialect = (data[0] & 1) != 0 ? gw_dialect_by_name(&gw_textarossa, "rtl") : NULL};
    gw_fuzz_check(gw_cursor_skip(&c, 1), "an input of one byte has one byte");
    gw_fuzz_check(board->init(b, &config, why, sizeof why), "the board does not start");
    struct out out = {.out = {on_send, on_close}, .board = b, .streams = {streams[0], streams[1]}};
    open_links(&out, data[0]);

    const size_t before = out.sent;
    unsigned links = b->is_node ? 2 : GW_TX_LINKS + GW_TX_PORTS + 1;
    while (gw_fuzz_piece(&c, &choice, &piece)) {
        uint8_t link = (uint8_t)((choice & 7u) % links);
        bool beats = link < b->num_links && b->links[link].stream;
        if ((choice & 0x20) != 0 && beats)
            come_anew(&out, link);
        if (link == links - 1)
            touch(&out, &piece);
        else if (beats)
            send_beats(&out, link, choice, piece);
        else
            step(&out, GW_PEER_BYTES, link, piece.p, gw_cursor_left(&piece));
    }
    gw_fuzz_read(out.sent > before);
    if (gw_fuzz_worth())
        must_work(&out);
    board->fini(b);
    return 0;
}
