/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants make of a port's registers, and of what their host commands. */
#include "formats/op2p/node/mutants/mutants.h"

static uint32_t patched(gw_op2p_patch patch, uint32_t address, uint32_t value)
{
    return patch.at == address ? (value & ~patch.clear) ^ patch.flip : value;
}

uint32_t gw_op2p_mutant_read(gw_op2p_node *n, gw_op2p_port *p, uint32_t address)
{
    const gw_op2p_mutation *m = n->mutation;
    uint32_t value = patched(m->read_patch, address, gw_op2p_read_port(n, p, address));

    return m->read != NULL ? m->read(address, value) : value;
}

void gw_op2p_mutant_write(gw_op2p_node *n, gw_op2p_port *p, uint32_t address, uint32_t value)
{
    const gw_op2p_mutation *m = n->mutation;

    value = patched(m->write_patch, address, value);
    (m->write != NULL ? m->write : gw_op2p_write_port)(n, p, address, value);
}

/* The host can read these; everything else reads 0. */
uint32_t gw_op2p_m_holes_read_ones(uint32_t address, uint32_t value)
{
    static const uint8_t readable[] = {GW_OP2P_FIFOSTATUS,      GW_OP2P_RDCOMPL_LOCALADDRESS,
                                       GW_OP2P_FORWREQ_POINTER, GW_OP2P_ARRIVEDWRITE_ADDRESS,
                                       GW_OP2P_LOCALID,         GW_OP2P_LINK_STATUS,
                                       GW_OP2P_PORT_RESET,      GW_OP2P_LINK_ERROR_COUNT};

    for (size_t i = 0; i < GW_ARRAY_LEN(readable); i++)
        if (readable[i] == address)
            return value;
    return UINT32_MAX;
}

void gw_op2p_m_own_source(gw_op2p_node *n, gw_op2p_port *p, uint32_t address, uint32_t value)
{
    bool source = address == GW_OP2P_WR_SOURCEID || address == GW_OP2P_RDREQ_SOURCEID;
    gw_op2p_write_port(n, p, address, source ? p->local_id : value);
}

void gw_op2p_m_counter_writable(gw_op2p_node *n, gw_op2p_port *p, uint32_t address, uint32_t value)
{
    if (address == GW_OP2P_LINK_ERROR_COUNT)
        p->errors = value;
    gw_op2p_write_port(n, p, address, value);
}

void gw_op2p_m_reset_forgets(gw_op2p_node *n, gw_op2p_port *p, uint32_t address, uint32_t value)
{
    if (address == GW_OP2P_PORT_RESET && (value & 1) != 0)
        p->local_id = 0;
    gw_op2p_write_port(n, p, address, value);
}

/* ---- entries that are freed ---- */

void gw_op2p_m_frees_next(gw_op2p_node *n, gw_op2p_port *p, uint32_t address, uint32_t value)
{
    int entry = address == GW_OP2P_FORW_FREEUPADDR ? gw_op2p_entry_at(p, value) : -1;
    uint32_t next = (uint32_t)(entry + 1) % GW_OP2P_NODE_ENTRIES;

    gw_op2p_write_port(n, p, address, entry >= 0 ? p->base + next * GW_OP2P_POOL_ENTRY : value);
}

/* The free entry that the host frees; -1: none. */
static int freed_again(const gw_op2p_port *p, uint32_t address, uint32_t value)
{
    int entry = address == GW_OP2P_FORW_FREEUPADDR ? gw_op2p_entry_at(p, value) : -1;

    return entry >= 0 && !gw_op2p_entry_in_use(p, (unsigned)entry) ? entry : -1;
}

void gw_op2p_m_frees_toggle(gw_op2p_node *n, gw_op2p_port *p, uint32_t address, uint32_t value)
{
    int entry = freed_again(p, address, value);

    if (entry >= 0)
        gw_op2p_mark(p, (unsigned)entry, true);
    else
        gw_op2p_write_port(n, p, address, value);
}

void gw_op2p_m_frees_twice(gw_op2p_node *n, gw_op2p_port *p, uint32_t address, uint32_t value)
{
    int entry = freed_again(p, address, value);

    p->kept.freed_twice = entry >= 0 ? entry + 1 : p->kept.freed_twice;
    gw_op2p_write_port(n, p, address, value);
}

/* m-frees-twice */
void gw_op2p_m_gives_out_twice(gw_op2p_node *n, gw_op2p_port *p)
{
    unsigned entry = (unsigned)p->kept.freed_twice - 1;

    (void)n;
    if (p->kept.freed_twice == 0 || !gw_op2p_entry_in_use(p, entry))
        return;
    gw_op2p_mark(p, entry, false);
    p->kept.freed_twice = 0;
}

/* ---- commands ---- */

void gw_op2p_mutant_run(gw_op2p_node *n, gw_op2p_port *p)
{
    if (n->mutation->run != NULL)
        n->mutation->run(n, p);
}

/* Until it is sent (sim S18). */
void gw_op2p_m_halts_to_write(gw_op2p_node *n, gw_op2p_port *p)
{
    if (gw_op2p_is_commanded(n, p->write) && !gw_op2p_may_send(n, p))
        gw_op2p_port_flow(n, p, true);
    else
        gw_op2p_relieve(n, p);
}

/* m-halts-on-damage */
void gw_op2p_m_goes_on(gw_op2p_node *n, gw_op2p_port *p)
{
    if (!p->kept.halts || p->they_halted || !p->up)
        return;
    p->kept.halts = false;
    gw_op2p_port_flow(n, p, false);
}

/* Has the last field of four come when the other command has one. */
static void fill_fifth(gw_op2p_fifo fifos[5], const gw_op2p_fifo others[5])
{
    unsigned empty = 0, fifth = 0, other = 0;

    for (unsigned i = 0; i < 5; i++) {
        empty += fifos[i].count == 0;
        fifth = fifos[i].count == 0 ? i : fifth;
        other += others[i].count > 0;
    }
    if (empty == 1 && other > 0)
        (void)gw_op2p_push(&fifos[fifth], fifos[fifth].last);
}

void gw_op2p_m_mixes_sets(gw_op2p_node *n, gw_op2p_port *p)
{
    if (!gw_op2p_may_send(n, p))
        return;
    fill_fifth(p->write, p->read);
    fill_fifth(p->read, p->write);
}
