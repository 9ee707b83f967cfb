/* SPDX-License-Identifier: BSD-2-Clause */
/* The example OP2P core in a simulation in this process, beside the software node. Input: pieces
 * (fuzz.h): the choice says which link, or the registers, how often, and whether frames follow at
 * once; a piece of a link is a tunnel datagram or a bare PDU, one of the registers a row of
 * accesses.
 *
 * Oracles: the ports see no breach of their rules; what the core sends breaks no rule for messages
 * and conversations but those that its host makes a good node break; it sends what the software
 * node sends, and shows its host the same registers, interrupt and memory. */
#include "cores/op2p_pair.h"

enum {
    PIECES = 192,     /* repetitions and accesses too: simulated time is dear */
    PDU_MOST = 1100,  /* bytes; whatever is longer than may be is alike */
    GAP_MOST = 7,     /* of a gap: 2 ^ 7 cycles */
    REGISTERS = 0x40, /* of a choice of register: the wires, else a word of the two maps */
};

static gw_op2p_port *port_of(gw_fuzz_pair *pair, unsigned link)
{
    return &pair->node->ports[link];
}

/* Whether a completion may answer one of several reads, which are not alike: who takes which is
 * nobody's rule, and shows in what is taken later. */
static bool is_ambiguous(const gw_op2p_port *port, const uint8_t *pdu, size_t len)
{
    const gw_op2p_header *first = NULL;

    if (len < GW_OP2P_HEADER || gw_op2p_get(pdu).type != GW_OP2P_COMPLETION)
        return false;
    for (unsigned i = 0; i < port->num_outstanding; i++) {
        const gw_op2p_header *read = &port->outstanding[i];
        if (read->src_addr != gw_op2p_get(pdu).dst_addr)
            continue;
        if (first != NULL &&
            (first->dst_id != read->dst_id || first->byte_count != read->byte_count))
            return true;
        first = read;
    }
    return false;
}

/* A piece as a link carries it. A partner that the node has halted sends no frames, and a link that
 * is down nothing. False when nothing is left. */
static bool make_legal(gw_op2p_shim *shim, const gw_op2p_port *port, size_t len)
{
    size_t gap = shim->code >> 4;

    switch (shim->kind) {
    case GW_OP2P_KIND_PDU:
        shim->flags &=
            GW_OP2P_FLAG_SOFT_ERROR | GW_OP2P_FLAG_FRAME_ERROR | GW_OP2P_FLAG_HALT_INSIDE;
        if (gap >= (len + 3) / 4)
            gap = 0;
        shim->code = GW_OP2P_GAP(gap, shim->code & GAP_MOST);
        return port->up && !port->we_halted && len > 0;
    case GW_OP2P_KIND_NFC:
        shim->code &= 15;
        return port->up;
    case GW_OP2P_KIND_CHANNEL:
        shim->code = (shim->code & 3) != 0 ? 3 : 0;
        return true;
    default:
        return port->up;
    }
}

/* Whether nobody may do it otherwise than one after the other: a read or write for the node itself,
 * on a link without errors and gaps. */
static bool is_plain(const gw_op2p_shim *shim, const gw_op2p_port *port, const uint8_t *pdu,
                     size_t len)
{
    if (shim->kind != GW_OP2P_KIND_PDU || shim->flags != 0 || shim->code >> 4 != 0 ||
        len < GW_OP2P_HEADER)
        return false;
    gw_op2p_header h = gw_op2p_get(pdu);
    return h.type <= GW_OP2P_READ && (h.dst_id == 0 || h.dst_id == port->local_id);
}

static void send_piece(gw_fuzz_pair *pair, unsigned link, bool at_once, gw_cursor piece)
{
    gw_op2p_shim shim = {.kind = GW_OP2P_KIND_PDU};
    size_t len = gw_cursor_left(&piece);
    const uint8_t *data = piece.p;

    if (len >= GW_OP2P_SHIM && gw_op2p_is_tunnel(data, len)) {
        shim.kind = data[3] & 3;
        shim.flags = data[4];
        shim.code = data[5];
        data += GW_OP2P_SHIM;
        len -= GW_OP2P_SHIM;
    }
    if (len > PDU_MOST)
        len = PDU_MOST;
    if (shim.kind != GW_OP2P_KIND_PDU)
        len = 0;
    const gw_op2p_port *port = port_of(pair, link);
    if (!make_legal(&shim, port, len) || is_ambiguous(port, data, len))
        return;
    if (at_once && is_plain(&shim, port, data, len))
        gw_fuzz_pair_send_at_once(pair, link, data, len);
    else
        gw_fuzz_pair_send(pair, link, shim, data, len);
}

/* Accesses: one byte says which register, and by its highest bit that four bytes to write follow.
 */
static void touch(gw_fuzz_pair *pair, gw_cursor piece, int *left)
{
    uint8_t where;
    uint32_t value;

    for (; *left > 0 && gw_cursor_u8(&piece, &where); (*left)--) {
        uint32_t address =
            (where & REGISTERS) != 0 ? GW_OP2P_NODE_WIRES + (where & 3u) * 4 : (where & 0x3fu) * 4;
        if ((where & 0x80) == 0)
            (void)gw_fuzz_pair_read(pair, address);
        else if (gw_cursor_be32(&piece, &value))
            gw_fuzz_pair_write(pair, address, value);
    }
}

/* Does what a piece says, as often as its choice says. */
static void do_piece(gw_fuzz_pair *pair, uint8_t choice, gw_cursor piece, int *left)
{
    for (int times = 1 + (choice >> 2 & 31); times > 0 && *left > 0; times--, (*left)--) {
        if ((choice & 3) < GW_OP2P_NODE_PORTS)
            send_piece(pair, choice & 3, (choice & 0x80) != 0, piece);
        else
            touch(pair, piece, left);
    }
}

/* Whatever the host can see without changing it, and then what waits for it. */
static void look_at_all(gw_fuzz_pair *pair)
{
    static const uint8_t still[] = {GW_OP2P_FIFOSTATUS, GW_OP2P_LOCALID, GW_OP2P_LINK_STATUS,
                                    GW_OP2P_PORT_RESET, GW_OP2P_LINK_ERROR_COUNT};
    static const uint8_t fifos[] = {GW_OP2P_ARRIVEDWRITE_ADDRESS, GW_OP2P_RDCOMPL_LOCALADDRESS,
                                    GW_OP2P_FORWREQ_POINTER};

    for (uint32_t i = 0; i < 4; i++)
        (void)gw_fuzz_pair_read(pair, GW_OP2P_NODE_WIRES + 4 * i);
    for (uint32_t base = 0; base < 2 * GW_OP2P_REGISTERS; base += GW_OP2P_REGISTERS) {
        const gw_op2p_port *port = port_of(pair, base / GW_OP2P_REGISTERS);
        for (size_t i = 0; i < sizeof still; i++)
            (void)gw_fuzz_pair_read(pair, base + still[i]);
        for (size_t i = 0; i < sizeof fifos; i++) {
            const gw_op2p_fifo *fifo[] = {&port->arrived, &port->completed, &port->forward};
            while (fifo[i]->count > 0)
                (void)gw_fuzz_pair_read(pair, base + fifos[i]);
        }
    }
}

/* Reads over link 0, begun anew, what the node has been written, a piece of memory at a time. */
static void look_at_memory(gw_fuzz_pair *pair)
{
    static const gw_op2p_shim up = {.kind = GW_OP2P_KIND_CHANNEL, .code = 3};
    const uint32_t *memory = pair->node->memory;
    const size_t all = GW_OP2P_NODE_BYTES / 4, most = 64;
    unsigned reads = 0;

    if (port_of(pair, 0)->reset)
        gw_fuzz_pair_write(pair, GW_OP2P_PORT_RESET, 0);
    gw_fuzz_pair_send(pair, 0, up, NULL, 0);
    for (size_t at = 0; at < all && reads < 16 && !port_of(pair, 0)->we_halted; at++) {
        uint8_t read[GW_OP2P_HEADER];
        size_t num = most;
        if (memory[at] == 0)
            continue;
        if (num > all - at)
            num = all - at;
        while (memory[at + num - 1] == 0)
            num--;
        gw_op2p_put(read, &(gw_op2p_header){.src_id = 0x42,
                                            .type = GW_OP2P_READ,
                                            .dst_addr = (uint32_t)(4 * at),
                                            .byte_count = (uint16_t)(4 * num),
                                            .fbe = 15});
        gw_fuzz_pair_send(pair, 0, (gw_op2p_shim){0}, read, sizeof read);
        at += num - 1;
        reads++;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gw_cursor c = gw_cursor_over(data, size), piece;
    gw_fuzz_pair pair;
    uint8_t choice;
    int left = PIECES;

    if (size > 16384)
        return 0;
    gw_fuzz_pair_begin(&pair);
    while (left > 0 && gw_fuzz_piece(&c, &choice, &piece))
        do_piece(&pair, choice, piece, &left);
    gw_fuzz_read(pair.judges[0]->heard > 0);
    look_at_all(&pair);
    look_at_memory(&pair);
    gw_fuzz_pair_rest(&pair);
    gw_fuzz_pair_end(&pair);
    return 0;
}
