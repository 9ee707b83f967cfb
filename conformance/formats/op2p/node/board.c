/* SPDX-License-Identifier: BSD-2-Clause */
/* The software OP2P node: the way out of a port, and what its host commands. */
#include "formats/op2p/node/board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boards/memory.h"
#include "goldwire/writer.h"

/* ---- the way out ---- */

unsigned gw_op2p_hindrances(const gw_op2p_port *p)
{
    return (p->they_halted ? GW_OP2P_AT_XOFF : 0u) |
           (!p->up || p->training ? GW_OP2P_AT_DOWN : 0u) | (p->reset ? GW_OP2P_AT_RESET : 0u);
}

bool gw_op2p_may_send(const gw_op2p_node *n, const gw_op2p_port *p)
{
    return p->connected && !p->endless && (gw_op2p_hindrances(p) & n->policy.silent) == 0;
}

static void put_event(gw_op2p_node *n, gw_op2p_port *p, uint8_t kind, uint8_t flags, uint8_t code,
                      const uint8_t *pdu, size_t len)
{
    uint8_t datagram[GW_OP2P_SHIM + GW_OP2P_PDU_MAX];
    gw_op2p_shim shim = {
        .version = 1, .kind = kind, .flags = flags, .code = code, .sequence = p->sequence++};

    if (p->bare && kind == GW_OP2P_KIND_PDU) {
        n->out->send(n->out, p->index, p->conn, pdu, len);
        return;
    }
    if (p->bare)
        return; /* without a tunnel there are no events */
    gw_op2p_put_tunnel(datagram, &shim);
    if (len > 0)
        memcpy(datagram + GW_OP2P_SHIM, pdu, len);
    n->out->send(n->out, p->index, p->conn, datagram, GW_OP2P_SHIM + len);
}

void gw_op2p_port_tell(gw_op2p_node *n, gw_op2p_port *p, uint8_t kind, uint8_t code)
{
    if (p->connected)
        put_event(n, p, kind, 0, code, NULL, 0);
}

static void put_pdu(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    uint8_t copy[GW_OP2P_PDU_MAX];
    bool ends = len <= (size_t)GW_OP2P_HEADER + n->policy.ends;
    gw_op2p_outgoing out = {copy, len, ends ? 0 : GW_OP2P_FLAG_NO_EOF};

    p->endless = n->reference && !ends;
    memcpy(copy, pdu, len);
    gw_op2p_mutant_out(n, &out);
    put_event(n, p, GW_OP2P_KIND_PDU, out.flags, 0, copy, out.len);
}

void gw_op2p_port_send(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    uint8_t type = pdu[14] >> 4;

    if (!gw_op2p_may_send(n, p) && !gw_op2p_is_of(type, n->policy.urgent)) {
        if (p->num_held == GW_OP2P_NODE_HELD) {
            p->dropped++;
            return;
        }
        gw_op2p_frame *f = &p->held[p->num_held++];
        memcpy(f->bytes, pdu, len);
        f->len = (uint16_t)len;
        return;
    }
    if (gw_op2p_is_of(type, n->policy.resent)) {
        memcpy(p->last.bytes, pdu, len);
        p->last.len = (uint16_t)len;
    }
    put_pdu(n, p, pdu, len);
}

void gw_op2p_port_flow(gw_op2p_node *n, gw_op2p_port *p, bool halt)
{
    if (p->we_halted == halt || !p->connected || p->endless)
        return;
    p->we_halted = halt;
    if (p->up) /* else it is told, if it is still so, when the link comes up */
        gw_op2p_port_tell(n, p, GW_OP2P_KIND_NFC, halt ? GW_OP2P_XOFF : GW_OP2P_XON);
}

static void send_held(gw_op2p_node *n, gw_op2p_port *p)
{
    while (p->num_held > 0 && gw_op2p_may_send(n, p)) {
        gw_op2p_frame first = p->held[0];
        p->num_held--;
        memmove(&p->held[0], &p->held[1], p->num_held * sizeof(p->held[0]));
        gw_op2p_port_send(n, p, first.bytes, first.len);
    }
    if (n->reference)
        gw_op2p_reference_goes_on(n, p);
}

/* ---- host commands ---- */

bool gw_op2p_is_commanded(const gw_op2p_node *n, const gw_op2p_fifo fifos[5])
{
    unsigned ready = 0;
    for (unsigned i = 0; i < 5; i++)
        ready += fifos[i].count > 0;
    return ready >= n->policy.fields;
}

static bool good_count(const gw_op2p_node *n, uint8_t type, uint32_t count)
{
    bool whole = count >= 4 && count % 4 == 0;
    return count <= GW_OP2P_PAYLOAD_MAX && (whole || gw_op2p_is_of(type, n->policy.any_count));
}

/* Takes one command: source (or local) address, destination address, ids, byte count. */
static gw_op2p_header take_command(gw_op2p_fifo fifos[5], uint8_t type, uint32_t *count)
{
    gw_op2p_header h = {.type = type, .fbe = 15};
    h.src_addr = gw_op2p_pop(&fifos[0]);
    h.dst_addr = gw_op2p_pop(&fifos[1]);
    h.src_id = (uint16_t)gw_op2p_pop(&fifos[2]);
    h.dst_id = (uint16_t)gw_op2p_pop(&fifos[3]);
    *count = gw_op2p_pop(&fifos[4]);
    h.byte_count = (uint16_t)*count;
    return h;
}

static void start_write(gw_op2p_node *n, gw_op2p_port *p)
{
    uint8_t pdu[GW_OP2P_PDU_MAX];
    uint32_t count;
    gw_op2p_header h = take_command(p->write, GW_OP2P_WRITE, &count);
    p->carried = count / 4 & 0x100;

    if (!good_count(n, h.type, count) || !gw_op2p_in_memory(h.src_addr & ~UINT32_C(3), count)) {
        p->dropped++;
        return;
    }
    gw_op2p_put(pdu, &h);
    gw_op2p_load(n, pdu + GW_OP2P_HEADER, h.src_addr, count);
    gw_op2p_port_send(n, p, pdu, GW_OP2P_HEADER + count / 4 * 4);
}

/* The reference core keeps its partner quiet meanwhile. */
static void command_write(gw_op2p_node *n, gw_op2p_port *p)
{
    bool quiet = n->reference && !p->we_halted;

    if (quiet)
        gw_op2p_port_flow(n, p, true);
    start_write(n, p);
    if (quiet)
        gw_op2p_port_flow(n, p, false);
}

static void start_read(gw_op2p_node *n, gw_op2p_port *p)
{
    uint8_t pdu[GW_OP2P_PDU_MAX] = {0};
    uint32_t count;
    gw_op2p_header h = take_command(p->read, GW_OP2P_READ, &count);
    p->carried = count / 4 & 0x100;
    size_t len = GW_OP2P_HEADER;

    if (!good_count(n, h.type, count) || p->num_outstanding == GW_OP2P_NODE_HELD) {
        p->dropped++;
        return;
    }
    p->outstanding[p->num_outstanding++] = h;
    gw_op2p_put(pdu, &h);
    if (n->policy.stale_reads) {
        memcpy(pdu + len, p->last.bytes + GW_OP2P_HEADER, count);
        len += count;
    }
    gw_op2p_port_send(n, p, pdu, len);
}

void gw_op2p_port_run(gw_op2p_node *n, gw_op2p_port *p)
{
    send_held(n, p);
    gw_op2p_mutant_run(n, p);
    while (gw_op2p_may_send(n, p)) {
        if (gw_op2p_is_commanded(n, p->write))
            command_write(n, p);
        else if (gw_op2p_is_commanded(n, p->read))
            start_read(n, p);
        else
            return;
    }
}

/* ---- the board ---- */

static const gw_op2p_policy specified = {GW_OP2P_POLICY};
static const gw_op2p_mutation none;

static void deepen(gw_op2p_port *p, uint8_t depth)
{
    for (unsigned i = 0; i < 5; i++) {
        p->write[i].depth = depth;
        p->read[i].depth = depth;
    }
    p->completed.depth = depth;
    p->arrived.depth = depth;
    p->forward.depth = depth;
}

static bool node_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    static const gw_regs_block blocks[] = {
        {"op2p-registers", 0, 2 * GW_OP2P_REGISTERS},
        {"op2p-memory", GW_OP2P_NODE_MEMORY, GW_OP2P_NODE_BYTES},
        {"op2p-wires", GW_OP2P_NODE_WIRES, 16},
    };
    gw_op2p_node *n = state;
    gw_wb_registers registers = {n, gw_op2p_read_register, gw_op2p_write_register};

    memset(n, 0, offsetof(gw_op2p_node, ports));
    n->mutation = config->mutant != NULL ? config->mutant->mutation : &none;
    n->policy = n->mutation->policy != NULL ? *n->mutation->policy : specified;
    n->reference = gw_op2p_dialect_of(config->dialect)->reference;
    if (n->reference)
        gw_op2p_reference_policy(&n->policy);
    for (unsigned i = 0; i < GW_OP2P_NODE_PORTS; i++) {
        gw_op2p_port *p = &n->ports[i];
        memset(p, 0, offsetof(gw_op2p_port, held));
        p->index = (uint8_t)i;
        p->local_id = GW_OP2P_NODE_ID;
        p->base = GW_OP2P_NODE_POOL * (i + 1);
        deepen(p, n->policy.deep);
    }
    n->memory = calloc(1, GW_OP2P_NODE_BYTES);
    if (n->memory == NULL)
        (void)snprintf(why, why_cap, "out of memory for the buffer memory");
    if (n->memory != NULL &&
        gw_regs_init(&n->regs, blocks, GW_ARRAY_LEN(blocks), &registers, config, why, why_cap)) {
        gw_memory_fill(config, 0, n->memory, GW_OP2P_NODE_BYTES);
        return true;
    }
    free(n->memory);
    return false;
}

/* Somebody new is at the other end: what waited for the last one is gone. */
static void connect_port(const gw_op2p_node *n, gw_op2p_port *p, uint32_t conn)
{
    p->connected = true;
    p->conn = conn;
    p->up = true;
    p->sequence = 0;
    p->they_halted = false;
    p->we_halted = false;
    p->num_held = 0;
    p->num_early = 0;
    p->owes_xon = false;
    p->swallows = false;
    p->num_outstanding = 0;
    p->retransmits = 0;
    if (!n->reference)
        p->last.len = 0;
}

/* When the first of the links that come out of a reset is up. */
static int64_t next_ready(const gw_op2p_node *n)
{
    int64_t next = GW_PEER_NEVER;
    for (unsigned i = 0; i < GW_OP2P_NODE_PORTS; i++) {
        const gw_op2p_port *p = &n->ports[i];
        if (p->training && !p->reset && p->ready_ns < next)
            next = p->ready_ns;
    }
    return next;
}

static void come_up(gw_op2p_node *n)
{
    for (unsigned i = 0; i < GW_OP2P_NODE_PORTS; i++) {
        gw_op2p_port *p = &n->ports[i];
        if (!p->training || p->reset || p->ready_ns > n->now_ns)
            continue;
        gw_op2p_link_ready(n, p);
        gw_op2p_port_run(n, p);
    }
}

static void take_link(gw_op2p_node *n, const gw_peer_event *event)
{
    gw_op2p_port *p = &n->ports[event->link];
    if (event->kind == GW_PEER_CLOSE && p->conn == event->conn)
        p->connected = false;
    if (event->kind == GW_PEER_OPEN ||
        (event->kind == GW_PEER_BYTES && (!p->connected || p->conn != event->conn)))
        connect_port(n, p, event->conn);
    if (event->kind == GW_PEER_BYTES)
        gw_op2p_port_event(n, p, event->data, event->len);
    else if (event->kind == GW_PEER_OPEN)
        gw_op2p_port_run(n, p);
}

static int64_t node_step(void *state, const gw_peer_event *event, int64_t now_ns, gw_peer_out *out)
{
    gw_op2p_node *n = state;
    bool timer = event->kind == GW_PEER_START || event->kind == GW_PEER_TIMER;

    n->out = out;
    n->now_ns = now_ns;
    come_up(n);
    if (!timer && event->link >= GW_OP2P_NODE_PORTS)
        gw_regs_step(&n->regs, event, out);
    else if (!timer)
        take_link(n, event);
    gw_op2p_watch_wires(n);
    return next_ready(n);
}

static void node_fini(void *state)
{
    gw_op2p_node *n = state;
    gw_regs_fini(&n->regs);
    free(n->memory);
}

static const char *const links[] = {"link0", "link1", "regs", NULL};

/* What it declares, and where it may be written to. */
static const gw_board_file file = {
    .role = "op2p-node",
    .dialect = "strict",
    .make = "goldwire software board",
    .serial = "none",
    .firmware = "as built",
    .claims = {.forwarding = GW_CLAIM_YES, .gaps = GW_CLAIM_YES},
    .areas = {{"ram", 0, 0x10000, GW_AREA_RAM},
              {"pool", GW_OP2P_NODE_POOL, GW_OP2P_NODE_POOL, GW_AREA_RAM},
              {"wires", GW_OP2P_NODE_WIRES, 16, GW_AREA_WIRES}},
    .num_areas = 3,
};

const gw_board gw_op2p_node_board = {
    .role = "op2p-node",
    .blurb = "An OP2P node: two ports, 4 MiB of buffer memory, host registers over EtherBone",
    .links = links,
    .datagram_links = 7,
    .mutants = gw_op2p_mutants,
    .num_mutants = GW_OP2P_NUM_MUTANTS,
    .file = &file,
    .format = &gw_op2p,
    .size = sizeof(gw_op2p_node),
    .init = node_init,
    .step = node_step,
    .fini = node_fini,
};
