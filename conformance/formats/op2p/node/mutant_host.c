/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants make of a port's registers: they lie between the good board and its host. */
#include "formats/op2p/node/board.h"

#define FULL (GW_OP2P_WR_FULL * 0x1fu | GW_OP2P_RDREQ_FULL * 0x1fu)

/* The host can read these; everything else reads 0. */
static bool is_readable(uint32_t address)
{
    static const uint8_t readable[] = {GW_OP2P_FIFOSTATUS,      GW_OP2P_RDCOMPL_LOCALADDRESS,
                                       GW_OP2P_FORWREQ_POINTER, GW_OP2P_ARRIVEDWRITE_ADDRESS,
                                       GW_OP2P_LOCALID,         GW_OP2P_LINK_STATUS,
                                       GW_OP2P_PORT_RESET,      GW_OP2P_LINK_ERROR_COUNT};

    for (size_t i = 0; i < GW_ARRAY_LEN(readable); i++)
        if (readable[i] == address)
            return true;
    return false;
}

uint32_t gw_op2p_mutant_read(gw_op2p_node *n, gw_op2p_port *p, uint32_t address)
{
    uint32_t value = gw_op2p_read_port(n, p, address);

    if (!is_readable(address) && gw_op2p_faulty(n, OP2P_FAULT_HOLES_READ_ONES))
        return UINT32_MAX;
    if (address == GW_OP2P_FIFOSTATUS && gw_op2p_faulty(n, OP2P_FAULT_NEVER_FULL))
        return value & ~FULL;
    if (address == GW_OP2P_LINK_STATUS && gw_op2p_faulty(n, OP2P_FAULT_CHANNEL_STUCK))
        return value | GW_OP2P_CHANNEL_UP | GW_OP2P_LANES_UP;
    if (address == GW_OP2P_PORT_RESET && gw_op2p_faulty(n, OP2P_FAULT_RESET_WRITE_ONLY))
        return 0;
    return value;
}

void gw_op2p_mutant_write(gw_op2p_node *n, gw_op2p_port *p, uint32_t address, uint32_t value)
{
    bool source = address == GW_OP2P_WR_SOURCEID || address == GW_OP2P_RDREQ_SOURCEID;

    if (source && gw_op2p_faulty(n, OP2P_FAULT_OWN_SOURCE))
        value = p->local_id;
    if (address == GW_OP2P_LOCALID && gw_op2p_faulty(n, OP2P_FAULT_NARROW_ID))
        value &= 0xff;
    if (address == GW_OP2P_LINK_ERROR_COUNT && gw_op2p_faulty(n, OP2P_FAULT_COUNTER_WRITABLE))
        p->errors = value;
    if (address == GW_OP2P_PORT_RESET && (value & 1) != 0 &&
        gw_op2p_faulty(n, OP2P_FAULT_RESET_FORGETS))
        p->local_id = 0;
    gw_op2p_write_port(n, p, address, value);
}
