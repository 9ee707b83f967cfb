/* SPDX-License-Identifier: BSD-2-Clause */
/* The host's side of a node: registers and FIFOs. */
#include <string.h>

#include "formats/op2p/node/board.h"

bool gw_op2p_push(gw_op2p_fifo *f, uint32_t word)
{
    if (f->count == f->depth)
        return false;
    f->words[(f->first + f->count) % GW_OP2P_FIFO_DEPTH] = word;
    f->count++;
    return true;
}

uint32_t gw_op2p_pop(gw_op2p_fifo *f)
{
    if (f->count == 0)
        return f->last;
    f->last = f->words[f->first];
    f->first = (uint8_t)((f->first + 1) % GW_OP2P_FIFO_DEPTH);
    f->count--;
    return f->last;
}

static uint32_t fifostatus(const gw_op2p_port *p)
{
    uint32_t status = 0;

    status |= p->forward.count == 0 ? GW_OP2P_FORWREQ_EMPTY : 0;
    status |= p->completed.count == 0 ? GW_OP2P_RDCOMPL_EMPTY : 0;
    status |= p->arrived.count == 0 ? GW_OP2P_ARRIVEDWRITE_EMPTY : 0;
    for (unsigned i = 0; i < 5; i++) {
        status |= p->write[i].count == p->write[i].depth ? (uint32_t)GW_OP2P_WR_FULL << i : 0;
        status |= p->read[i].count == p->read[i].depth ? (uint32_t)GW_OP2P_RDREQ_FULL << i : 0;
    }
    return status;
}

static uint32_t link_status(const gw_op2p_port *p)
{
    bool up = p->connected && p->up && !p->reset && !p->training;
    uint32_t status = up ? GW_OP2P_CHANNEL_UP | GW_OP2P_LANES_UP : 0;

    status |= p->we_halted && p->up ? GW_OP2P_WE_HALTED : 0;
    status |= p->they_halted ? GW_OP2P_THEY_HALTED : 0;
    return status;
}

static uint32_t pop_forward(gw_op2p_node *n, gw_op2p_port *p)
{
    uint32_t address = gw_op2p_pop(&p->forward);
    gw_op2p_relieve(n, p);
    return address;
}

uint32_t gw_op2p_read_port(gw_op2p_node *n, gw_op2p_port *p, uint32_t address)
{
    switch (address) {
    case GW_OP2P_FIFOSTATUS:
        return fifostatus(p);
    case GW_OP2P_RDCOMPL_LOCALADDRESS:
        return gw_op2p_pop(&p->completed);
    case GW_OP2P_FORWREQ_POINTER:
        return pop_forward(n, p);
    case GW_OP2P_ARRIVEDWRITE_ADDRESS:
        return gw_op2p_pop(&p->arrived);
    case GW_OP2P_LOCALID:
        return p->local_id;
    case GW_OP2P_LINK_STATUS:
        return link_status(p);
    case GW_OP2P_PORT_RESET:
        return p->reset;
    case GW_OP2P_LINK_ERROR_COUNT:
        return p->errors;
    default: /* write-only, or no register */
        return 0;
    }
}

/* Clears the engines, the error counter and the pool; FIFOs, id and base hang on the hard reset. */
static void reset_port(gw_op2p_node *n, gw_op2p_port *p)
{
    p->errors = 0;
    p->num_held = 0;
    p->num_outstanding = 0;
    p->retransmits = 0;
    p->they_halted = false;
    p->carried = 0;
    if (!n->reference) /* its transmit buffer keeps what it holds */
        p->last.len = 0;
    memset(p->pool, 0, sizeof(p->pool));
    gw_op2p_relieve(n, p);
}

void gw_op2p_write_port(gw_op2p_node *n, gw_op2p_port *p, uint32_t address, uint32_t value)
{
    if (address >= GW_OP2P_WR_SOURCEADDRESS && address <= GW_OP2P_WR_BYTECOUNT) {
        (void)gw_op2p_push(&p->write[(address - GW_OP2P_WR_SOURCEADDRESS) / 4], value);
    } else if (address >= GW_OP2P_RDREQ_LOCALADDRESS && address <= GW_OP2P_RDREQ_BYTECOUNT) {
        (void)gw_op2p_push(&p->read[(address - GW_OP2P_RDREQ_LOCALADDRESS) / 4], value);
    } else if (address == GW_OP2P_FORWARDING_BUFFERBASE) {
        p->base = value & ~UINT32_C(3);
    } else if (address == GW_OP2P_FORW_FREEUPADDR) {
        gw_op2p_free(n, p, value);
    } else if (address == GW_OP2P_LOCALID) {
        p->local_id = (uint16_t)value;
    } else if (address == GW_OP2P_PORT_RESET) {
        p->reset = (value & 1) != 0;
        if (p->reset)
            reset_port(n, p);
        if (n->reference) /* its transceivers hang on it */
            gw_op2p_reset_link(n, p, p->reset);
    }
    gw_op2p_port_run(n, p);
}

bool gw_op2p_read_register(void *node, uint32_t address, uint32_t *value)
{
    gw_op2p_node *n = node;

    if (address >= GW_OP2P_NODE_WIRES)
        *value = gw_op2p_read_wires(n, address - GW_OP2P_NODE_WIRES);
    else if (address >= GW_OP2P_NODE_MEMORY)
        *value = n->memory[(address - GW_OP2P_NODE_MEMORY) / 4];
    else
        *value = gw_op2p_mutant_read(n, &n->ports[address / GW_OP2P_REGISTERS],
                                     address % GW_OP2P_REGISTERS);
    return true;
}

bool gw_op2p_write_register(void *node, uint32_t address, uint32_t value)
{
    gw_op2p_node *n = node;

    if (address >= GW_OP2P_NODE_WIRES)
        gw_op2p_forget_wires(n);
    else if (address >= GW_OP2P_NODE_MEMORY)
        n->memory[(address - GW_OP2P_NODE_MEMORY) / 4] = value;
    else
        gw_op2p_mutant_write(n, &n->ports[address / GW_OP2P_REGISTERS], address % GW_OP2P_REGISTERS,
                             value);
    return true;
}
