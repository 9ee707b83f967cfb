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
    if (m->write != NULL)
        value = m->write(p, address, value);
    gw_op2p_write_port(n, p, address, value);
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

uint32_t gw_op2p_m_own_source(gw_op2p_port *p, uint32_t address, uint32_t value)
{
    bool source = address == GW_OP2P_WR_SOURCEID || address == GW_OP2P_RDREQ_SOURCEID;
    return source ? p->local_id : value;
}

uint32_t gw_op2p_m_counter_writable(gw_op2p_port *p, uint32_t address, uint32_t value)
{
    if (address == GW_OP2P_LINK_ERROR_COUNT)
        p->errors = value;
    return value;
}

uint32_t gw_op2p_m_reset_forgets(gw_op2p_port *p, uint32_t address, uint32_t value)
{
    if (address == GW_OP2P_PORT_RESET && (value & 1) != 0)
        p->local_id = 0;
    return value;
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
