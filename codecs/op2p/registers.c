/* SPDX-License-Identifier: BSD-2-Clause */
/* The host's registers by name (ds). */
#include "op2p/internal.h"

static const gw_register registers[] = {
    {GW_OP2P_FIFOSTATUS, GW_READ_ONLY, 0, "fifostatus",
     "Empty flags of what the host reads, full flags of what it writes"},
    {GW_OP2P_WR_SOURCEADDRESS, GW_WRITE_ONLY, 0, "wr_sourceaddress",
     "Write command, 1 of 5: from where"},
    {GW_OP2P_WR_DESTINATIONADDRESS, GW_WRITE_ONLY, 0, "wr_destinationaddress",
     "2 of 5: where to, at the other node"},
    {GW_OP2P_WR_SOURCEID, GW_WRITE_ONLY, 0, "wr_sourceid", "3 of 5: who sends"},
    {GW_OP2P_WR_DESTINATIONID, GW_WRITE_ONLY, 0, "wr_destinationid", "4 of 5: to whom"},
    {GW_OP2P_WR_BYTECOUNT, GW_WRITE_ONLY, 0, "wr_bytecount", "5 of 5: bytes"},
    {GW_OP2P_RDREQ_LOCALADDRESS, GW_WRITE_ONLY, 0, "rdreq_localaddress",
     "Read command, 1 of 5: where the data shall land"},
    {GW_OP2P_RDREQ_DESTINATIONADDRESS, GW_WRITE_ONLY, 0, "rdreq_destinationaddress",
     "2 of 5: from where, at the other node"},
    {GW_OP2P_RDREQ_SOURCEID, GW_WRITE_ONLY, 0, "rdreq_sourceid", "3 of 5: who asks"},
    {GW_OP2P_RDREQ_DESTINATIONID, GW_WRITE_ONLY, 0, "rdreq_destinationid", "4 of 5: whom"},
    {GW_OP2P_RDREQ_BYTECOUNT, GW_WRITE_ONLY, 0, "rdreq_bytecount", "5 of 5: bytes"},
    {GW_OP2P_RDCOMPL_LOCALADDRESS, GW_READ_TAKES, 0, "rdcompl_localaddress",
     "Where a completed read has landed"},
    {GW_OP2P_FORWARDING_BUFFERBASE, GW_READ_WRITE, 0, "forwarding_bufferbase",
     "Where the forwarding pool begins"},
    {GW_OP2P_FORWARDING_BUFSIZE, GW_READ_ONLY, 0, "forwarding_bufsize", "Its size"},
    {GW_OP2P_FORW_FREEUPADDR, GW_WRITE_ONLY, 0, "forw_freeupaddr",
     "Frees the pool's entry at this address"},
    {GW_OP2P_FORW_FREEUPSIZE, GW_WRITE_ONLY, 0, "forw_freeupsize", "And its size"},
    {GW_OP2P_FORWREQ_POINTER, GW_READ_TAKES, 0, "forwreq_pointer",
     "Address of a packet to be forwarded"},
    {GW_OP2P_ARRIVEDWRITE_ADDRESS, GW_READ_TAKES, 0, "arrivedwrite_address",
     "Where a write has arrived"},
    {GW_OP2P_LOCALID, GW_READ_WRITE, 0, "localid", "The node's own id"},
    {GW_OP2P_LINK_STATUS, GW_READ_ONLY, 0, "link_status", "Channel, lanes, flow control"},
    {GW_OP2P_PORT_RESET, GW_READ_WRITE, 0, "port_reset", "Bit 0 holds the port in reset"},
    {GW_OP2P_LINK_ERROR_COUNT, GW_READ_ONLY, 0, "link_error_count", "Frames with link errors"},
};
const gw_register_map gw_op2p_registers = {registers, GW_ARRAY_LEN(registers)};
