/* SPDX-License-Identifier: BSD-2-Clause */
/* The software OP2P node, fed with link events, PDUs and register accesses. Input: one byte
 * (dialect), then pieces (fuzz.h): the choice says which link, whether the tunnel's shim is put
 * before it with the right sequence number, and which registers are touched.
 *
 * Oracles: what it sends is a tunnel datagram or a PDU that the rules for senders find nothing
 * wrong with; one event does not make it talk for ever; afterwards it still answers a read, or has
 * halted its partner because of pointers that its host leaves there, and answers without them. */
#include "formats/op2p/node/board.h"
#include "fuzz.h"
#include "goldwire/op2p.h"

enum { MUCH = 64 }; /* what all its FIFOs hold together */

struct out {
    gw_peer_out out;
    const gw_dialect *dialect;
    unsigned sent;
    bool bare;
    bool completed; /* the last read's data came */
    bool halted;    /* port 0 has told its partner so */
};

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    (void)sink;
    fprintf(stderr, "%s: %s\n", f->rule->id, f->text);
    /* Ids are the host's: a command may name any, and an answer copies those of its question. */
    gw_fuzz_check(f->rule->level != GW_MUST, "the good node breaks a rule");
}

static void on_send(gw_peer_out *peer_out, unsigned link, uint32_t conn, const uint8_t *data,
                    size_t len)
{
    struct out *out = (struct out *)peer_out;
    gw_verdict_sink sink = {.finding = on_finding};
    gw_message m = gw_message_of(data, len);
    gw_op2p_packet p;

    gw_fuzz_check(conn == link, "sends to somebody who is not there");
    out->sent++;
    gw_fuzz_check(out->sent <= MUCH, "talks without end");
    if (link >= GW_OP2P_NODE_PORTS)
        return;
    m.transport = GW_OVER_UDP;
    gw_fuzz_check(len <= GW_OP2P_SHIM + GW_OP2P_PDU_MAX, "a frame longer than any may be");
    (void)gw_op2p_decode(&p, &m);
    gw_op2p.check(&m, out->dialect, &sink);
    if (link == 0 && p.has_shim && p.shim.kind == GW_OP2P_KIND_NFC)
        out->halted = p.shim.code != GW_OP2P_XON;
    out->completed |= p.has_header && p.header.type == GW_OP2P_COMPLETION && p.payload_len == 4;
}

static void on_close(gw_peer_out *out, unsigned link, uint32_t conn)
{
    (void)out;
    (void)link;
    (void)conn;
    gw_fuzz_check(0, "closes a datagram link");
}

static void step_at(gw_op2p_node *node, struct out *out, int64_t time_ns,
                    const gw_peer_event *event)
{
    out->sent = 0;
    (void)gw_op2p_node_board.step(node, event, time_ns, &out->out);
}

static void step(gw_op2p_node *node, struct out *out, uint8_t kind, uint8_t link,
                 const uint8_t *data, size_t len)
{
    gw_peer_event event = {.kind = kind, .link = link, .conn = link, .data = data, .len = len};

    step_at(node, out, 0, &event);
}

/* A register access, without EtherBone around it: its slave has a target of its own. */
static void touch(gw_op2p_node *node, struct out *out, gw_cursor *piece)
{
    uint8_t where;
    uint32_t value;

    out->sent = 0;
    while (gw_cursor_u8(piece, &where)) {
        uint32_t address = (where & 0x7fu) << 2 & (2 * GW_OP2P_REGISTERS - 4);
        if ((where & 0x80) == 0)
            (void)gw_op2p_read_register(node, address, &value);
        else if (gw_cursor_be32(piece, &value))
            (void)gw_op2p_write_register(node, address, value);
        out->sent = 0;
    }
}

/* Whether a read over link 0, begun anew, is answered. */
static bool answers(gw_op2p_node *node, struct out *out)
{
    static const uint8_t up[] = {'O', '2', 1, GW_OP2P_KIND_CHANNEL, 0, 3, 0, 0};
    static const uint8_t xon[] = {'O', '2', 1, GW_OP2P_KIND_NFC, 0, GW_OP2P_XON, 0, 1};
    uint8_t read[GW_OP2P_SHIM + GW_OP2P_HEADER] = {'O', '2', 1, 0, 0, 0, 0, 2};
    gw_op2p_header h = {
        .src_id = 0x42, .src_addr = 0xc0ffe0, .byte_count = 4, .type = GW_OP2P_READ, .fbe = 15};

    out->halted = false;
    step(node, out, GW_PEER_CLOSE, 0, NULL, 0);
    step(node, out, GW_PEER_OPEN, 0, NULL, 0);
    step(node, out, GW_PEER_BYTES, 0, up, sizeof up);
    step(node, out, GW_PEER_BYTES, 0, xon, sizeof xon);
    gw_op2p_put(read + GW_OP2P_SHIM, &h);
    out->completed = false;
    step(node, out, GW_PEER_BYTES, 0, read, sizeof read);
    return out->completed;
}

static uint32_t look(gw_op2p_node *node, uint32_t address)
{
    uint32_t value = 0;

    (void)gw_op2p_read_register(node, address, &value);
    return value;
}

/* Lets port 0 out of its reset, and asks it. The reference core may send one frame, or look for a
 * header, until it is reset, and its host may have commanded several that bring it there. */
static bool answers_when_reset(gw_op2p_node *node, struct out *out)
{
    const gw_op2p_port *port = &node->ports[0];

    for (unsigned i = 0; i <= GW_OP2P_FIFO_DEPTH; i++) {
        if (port->endless)
            (void)gw_op2p_write_register(node, GW_OP2P_PORT_RESET, 1);
        (void)gw_op2p_write_register(node, GW_OP2P_PORT_RESET, 0);
        step_at(node, out, INT64_C(1000000000), &(gw_peer_event){.kind = GW_PEER_TIMER});
        if (answers(node, out))
            return true;
        if (!port->endless)
            return false;
    }
    return false;
}

static void must_answer(gw_op2p_node *node, struct out *out)
{
    if (answers_when_reset(node, out))
        return;
    gw_fuzz_check(out->halted, "the node neither answers a read nor halts its partner");
    gw_fuzz_check((look(node, GW_OP2P_FIFOSTATUS) & GW_OP2P_FORWREQ_EMPTY) == 0,
                  "the node halts its partner, and nothing waits for its host");
    for (unsigned i = 0; i < GW_OP2P_FIFO_DEPTH; i++)
        (void)look(node, GW_OP2P_FORWREQ_POINTER);
    gw_fuzz_check(answers(node, out), "the node no longer answers a read");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static gw_op2p_node *node;
    char why[160];
    gw_cursor c = gw_cursor_over(data, size), piece;
    uint16_t sequence[GW_OP2P_NODE_PORTS] = {0};
    uint8_t choice;

    if (size < 1 || size > 16384)
        return 0;
    if (node == NULL)
        node = malloc(sizeof *node);
    gw_peer_config config = {.dialect = gw_fuzz_dialect(&gw_op2p, data[0])};
    struct out out = {.out = {on_send, on_close}, .dialect = config.dialect};
    gw_fuzz_check(gw_cursor_skip(&c, 1), "an input of one byte has one byte");
    gw_fuzz_check(gw_op2p_node_board.init(node, &config, why, sizeof why),
                  "the node does not start");
    for (unsigned link = 0; link <= GW_OP2P_NODE_PORTS; link++)
        step(node, &out, GW_PEER_OPEN, (uint8_t)link, NULL, 0);
    const unsigned before = out.sent;

    while (gw_fuzz_piece(&c, &choice, &piece)) {
        uint8_t link = choice % 3;
        size_t len = gw_cursor_left(&piece);
        bool tunnel = (choice & 4) != 0 && link < GW_OP2P_NODE_PORTS;
        if (link == GW_OP2P_NODE_PORTS && (choice & 4) != 0) {
            touch(node, &out, &piece);
            continue;
        }
        size_t head = tunnel ? GW_OP2P_SHIM : 0;
        uint8_t *bytes = gw_fuzz_lend(NULL, head + len);
        if (tunnel) {
            gw_op2p_shim shim = {.version = 1,
                                 .kind = choice >> 3 & 3,
                                 .flags = (choice & 0x20) != 0 ? GW_OP2P_FLAG_SOFT_ERROR : 0,
                                 .code = choice >> 6 == 0 ? 0 : 15,
                                 .sequence = sequence[link]++};
            gw_op2p_put_tunnel(bytes, &shim);
        }
        if (len > 0)
            memcpy(bytes + head, piece.p, len);
        step(node, &out, GW_PEER_BYTES, link, bytes, head + len);
        gw_fuzz_take_back(bytes);
    }
    gw_fuzz_read(out.sent > before);
    must_answer(node, &out);
    gw_op2p_node_board.fini(node);
    return 0;
}
