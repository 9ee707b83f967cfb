/* SPDX-License-Identifier: BSD-2-Clause */
/* The host's registers by name. */
#include "op2p/internal.h"

const gw_op2p_register gw_op2p_registers[] = {
    {GW_OP2P_FIFOSTATUS, "fifostatus"},
    {GW_OP2P_WR_SOURCEADDRESS, "wr_sourceaddress"},
    {GW_OP2P_WR_DESTINATIONADDRESS, "wr_destinationaddress"},
    {GW_OP2P_WR_SOURCEID, "wr_sourceid"},
    {GW_OP2P_WR_DESTINATIONID, "wr_destinationid"},
    {GW_OP2P_WR_BYTECOUNT, "wr_bytecount"},
    {GW_OP2P_RDREQ_LOCALADDRESS, "rdreq_localaddress"},
    {GW_OP2P_RDREQ_DESTINATIONADDRESS, "rdreq_destinationaddress"},
    {GW_OP2P_RDREQ_SOURCEID, "rdreq_sourceid"},
    {GW_OP2P_RDREQ_DESTINATIONID, "rdreq_destinationid"},
    {GW_OP2P_RDREQ_BYTECOUNT, "rdreq_bytecount"},
    {GW_OP2P_RDCOMPL_LOCALADDRESS, "rdcompl_localaddress"},
    {GW_OP2P_FORWARDING_BUFFERBASE, "forwarding_bufferbase"},
    {GW_OP2P_FORWARDING_BUFSIZE, "forwarding_bufsize"},
    {GW_OP2P_FORW_FREEUPADDR, "forw_freeupaddr"},
    {GW_OP2P_FORW_FREEUPSIZE, "forw_freeupsize"},
    {GW_OP2P_FORWREQ_POINTER, "forwreq_pointer"},
    {GW_OP2P_ARRIVEDWRITE_ADDRESS, "arrivedwrite_address"},
    {GW_OP2P_LOCALID, "localid"},
    {GW_OP2P_LINK_STATUS, "link_status"},
    {GW_OP2P_PORT_RESET, "port_reset"},
    {GW_OP2P_LINK_ERROR_COUNT, "link_error_count"},
};
const size_t gw_op2p_num_registers = GW_ARRAY_LEN(gw_op2p_registers);
