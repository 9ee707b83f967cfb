/* SPDX-License-Identifier: BSD-2-Clause */
/* The register map, by name (doc table 2-5 with its slips corrected). */
#include "goldwire/textarossa.h"

/* Ten registers of the FIFOs of an intra-node port (doc: 0x070 and three times 40 bytes on). */
#define PORT_FIFOS(port, base)                                                                     \
    {(base), GW_READ_ONLY, 0, "INTRANODE_FIFO_RX_" #port,                                          \
     "Receive FIFOs: words used, data and headers"},                                               \
        {(base) + 0x04, GW_READ_ONLY, 0, "INTRANODE_FIFO_TX_" #port,                               \
         "Transmit FIFOs: words used, data and headers"},                                          \
        {(base) + 0x08, GW_READ_ONLY, 0, "INTRANODE_FIFO_HD_TX_RD_" #port,                         \
         "Transmit headers read"},                                                                 \
        {(base) + 0x0c, GW_READ_ONLY, 0, "INTRANODE_FIFO_HD_TX_WR_" #port,                         \
         "Transmit headers written"},                                                              \
        {(base) + 0x10, GW_READ_ONLY, 0, "INTRANODE_FIFO_HD_RX_RD_" #port,                         \
         "Receive headers read"},                                                                  \
        {(base) + 0x14, GW_READ_ONLY, 0, "INTRANODE_FIFO_HD_RX_WR_" #port,                         \
         "Receive headers written"},                                                               \
        {(base) + 0x18, GW_READ_ONLY, 0, "INTRANODE_FIFO_DT_TX_RD_" #port, "Transmit data read"},  \
        {(base) + 0x1c, GW_READ_ONLY, 0, "INTRANODE_FIFO_DT_TX_WR_" #port,                         \
         "Transmit data written"},                                                                 \
        {(base) + 0x20, GW_READ_ONLY, 0, "INTRANODE_FIFO_DT_RX_RD_" #port, "Receive data read"},   \
    {                                                                                              \
        (base) + 0x24, GW_READ_ONLY, 0, "INTRANODE_FIFO_DT_RX_WR_" #port, "Receive data written"   \
    }

/* Status, errors and counters of a link. */
#define LINK(link, base)                                                                           \
    {(base), GW_READ_ONLY, 0, "LINK_" #link "_STATUS_0",                                           \
     "States: rx 15:12, tx footer, payload, header"},                                              \
        {(base) + 0x04, GW_READ_ONLY, 0, "LINK_" #link "_ERROR",                                   \
         "Header errors: single 31:16, fatal 15:0"},                                               \
        {(base) + 0x08, GW_READ_ONLY, 0, "LINK_" #link "_TX_MAGIC", "MAGIC words sent"},           \
        {(base) + 0x0c, GW_READ_ONLY, 0, "LINK_" #link "_TX_START", "START words sent"},           \
        {(base) + 0x10, GW_READ_ONLY, 0, "LINK_" #link "_TX_HDR", "Headers sent"},                 \
        {(base) + 0x14, GW_READ_ONLY, 0, "LINK_" #link "_TX_FTR", "Footers sent"},                 \
        {(base) + 0x18, GW_READ_ONLY, 0, "LINK_" #link "_RX_MAGIC", "MAGIC words received"},       \
        {(base) + 0x1c, GW_READ_ONLY, 0, "LINK_" #link "_RX_START", "START words received"},       \
        {(base) + 0x20, GW_READ_ONLY, 0, "LINK_" #link "_RX_HDR", "Headers received"},             \
    {                                                                                              \
        (base) + 0x24, GW_READ_ONLY, 0, "LINK_" #link "_RX_FTR", "Footers received"                \
    }

/* Reads and writes of a link's FIFOs. */
#define LINK_COUNTS(link, base)                                                                    \
    {(base), GW_READ_ONLY, 0, "LINK" #link "_RD_WR_CNT_0", "Transmit headers read"},               \
        {(base) + 0x04, GW_READ_ONLY, 0, "LINK" #link "_RD_WR_CNT_1", "Transmit data read"},       \
        {(base) + 0x08, GW_READ_ONLY, 0, "LINK" #link "_RD_WR_CNT_2", "Transmit data written"},    \
        {(base) + 0x0c, GW_READ_ONLY, 0, "LINK" #link "_RD_WR_CNT_3", "Transmit headers written"}, \
        {(base) + 0x10, GW_READ_ONLY, 0, "LINK" #link "_RD_WR_CNT_4", "Receive VC0 data written"}, \
        {(base) + 0x14, GW_READ_ONLY, 0, "LINK" #link "_RD_WR_CNT_5",                              \
         "Receive VC0 headers written"},                                                           \
        {(base) + 0x18, GW_READ_ONLY, 0, "LINK" #link "_RD_WR_CNT_6", "Receive VC0 data read"},    \
        {(base) + 0x1c, GW_READ_ONLY, 0, "LINK" #link "_RD_WR_CNT_7", "Receive VC0 headers read"}, \
        {(base) + 0x20, GW_READ_ONLY, 0, "LINK" #link "_RD_WR_CNT_8", "Receive VC1 data written"}, \
        {(base) + 0x24, GW_READ_ONLY, 0, "LINK" #link "_RD_WR_CNT_9",                              \
         "Receive VC1 headers written"},                                                           \
        {(base) + 0x28, GW_READ_ONLY, 0, "LINK" #link "_RD_WR_CNT_10", "Receive VC1 data read"},   \
    {                                                                                              \
        (base) + 0x2c, GW_READ_ONLY, 0, "LINK" #link "_RD_WR_CNT_11", "Receive VC1 headers read"   \
    }

static const gw_register registers[] = {
    {GW_TX_RESET_REG, GW_READ_WRITE, 0, "RESET_REG",
     "Bit 0: write 1 to reset; reads 1 when running"},
    {GW_TX_REVISION_REG, GW_READ_ONLY, 0, "REVISION_REG", "Revision and version"},
    {GW_TX_COORDME_REG, GW_READ_WRITE, 0, "COORDME_REG", "Own coordinate: X 5:0, Y 10:6, Z 15:11"},
    {GW_TX_LATTICESIZE_REG, GW_READ_WRITE, 0xffffffff, "LATTICESIZE_REG",
     "Size: X 5:0, Y 10:6, Z 15:11"},
    {GW_TX_PERF_INTRANODE_CF, GW_READ_WRITE, 0, "PERF_INTRANODE_CF",
     "Enables: generators 7:0, consumers 15:8, bandwidth tests 23:16"},
    {GW_TX_PERF_INTERNODE_CF, GW_READ_WRITE, 0, "PERF_INTERNODE_CF",
     "Enables: generators 7:0, consumers 15:8"},
    {GW_TX_PKTGEN_CONFIG_0, GW_READ_WRITE, 0, "PKTGEN_CONFIG_0",
     "Generator: packets 15:0, bytes 29:16, header only 31"},
    {GW_TX_PKTGEN_CONFIG_1, GW_READ_WRITE, 0, "PKTGEN_CONFIG_1",
     "Generator: X 5:0, Y 10:6, Z 15:11, port 19:16"},
    {GW_TX_PERF_INTRANODE_ST, GW_READ_ONLY, 0, "PERF_INTRANODE_ST",
     "A byte a port: generator 3:0, checker 7:4"},
    {GW_TX_PERF_INTERNODE_ST, GW_READ_ONLY, 0, "PERF_INTERNODE_ST",
     "A byte a link: generator 3:0, checker 7:4"},
    {GW_TX_PERF_INTRANODE_CNT, GW_READ_ONLY, 0, "PERF_INTRANODE_CNT0",
     "Clocks of the test of port 0"},
    {GW_TX_PERF_INTRANODE_CNT + 0x4, GW_READ_ONLY, 0, "PERF_INTRANODE_CNT1",
     "Clocks of the test of port 1"},
    {GW_TX_PERF_INTRANODE_CNT + 0x8, GW_READ_ONLY, 0, "PERF_INTRANODE_CNT2",
     "Clocks of the test of port 2"},
    {GW_TX_PERF_INTRANODE_CNT + 0xc, GW_READ_ONLY, 0, "PERF_INTRANODE_CNT3",
     "Clocks of the test of port 3"},
    {GW_TX_PERF_INTERNODE_CNT, GW_READ_ONLY, 0, "PERF_INTERNODE_CNT0",
     "Clocks of the test of link 0"},
    {GW_TX_PERF_INTERNODE_CNT + 0x4, GW_READ_ONLY, 0, "PERF_INTERNODE_CNT1",
     "Clocks of the test of link 1"},
    PORT_FIFOS(0, GW_TX_INTRANODE_FIFO),
    PORT_FIFOS(1, GW_TX_INTRANODE_FIFO + GW_TX_INTRANODE_FIFO_BLOCK),
    PORT_FIFOS(2, GW_TX_INTRANODE_FIFO + 2 * GW_TX_INTRANODE_FIFO_BLOCK),
    PORT_FIFOS(3, GW_TX_INTRANODE_FIFO + 3 * GW_TX_INTRANODE_FIFO_BLOCK),
    {GW_TX_LINK_0_CONFIG_0, GW_READ_WRITE, 0, "LINK_0_CONFIG_0",
     "EDAC of link 1 31:28 and link 0 27:24, new destination 17:0"},
    {GW_TX_LINK_0_CONFIG_1, GW_READ_WRITE, 0, "LINK_0_CONFIG_1",
     "Thresholds: data 25:16, headers 7:0"},
    {GW_TX_LINK_0_CONFIG_2, GW_READ_WRITE, 0, "LINK_0_CONFIG_2",
     "Cycles: new credit 15:8, waiting 7:0"},
    {GW_TX_LINK_0_CONFIG_3, GW_READ_WRITE, 0, "LINK_0_CONFIG_3",
     "Headers to hit: twice 31:16, once 15:0"},
    LINK(0, GW_TX_LINK_0_STATUS_0),
    LINK(1, GW_TX_LINK_0_STATUS_0 + GW_TX_LINK_BLOCK),
    LINK_COUNTS(0, GW_TX_LINK_0_RD_WR_CNT),
    LINK_COUNTS(1, GW_TX_LINK_1_RD_WR_CNT),
    {GW_TX_FIFO_INTRANODE_EXC, GW_READ_ONLY, 0, "FIFO_INTRANODE_EXC",
     "Sticky write exceptions: RX data 31:24, RX headers, TX data, TX headers 7:0"},
    {GW_TX_FIFO_REGISTER, GW_READ_ONLY, 0x07090709, "FIFO_REGISTER",
     "Depths as powers of two: RX headers 31:24, RX data, TX headers, TX data 7:0"},
    {GW_TX_TRANSCEIVER_STATUS, GW_READ_ONLY, 0, "TRANSCEIVER_STATUS",
     "Channels up 1:0, transceiver errors 17:16"},
    {GW_TX_IP_ADDRESS, GW_READ_WRITE, 0xc0a80002, "IP_ADDRESS", "Own IPv4 address"},
    {GW_TX_MAC_REG_LOW, GW_READ_WRITE, 0xacc0aaaa, "MAC_REG_LOW", "Own MAC address 31:0"},
    {GW_TX_MAC_REG_HIGH, GW_READ_WRITE, 0x0000d00b, "MAC_REG_HIGH", "Own MAC address 47:32"},
    {GW_TX_ETH_TX_GOOD_BYTE, GW_READ_ONLY, 0, "ETH_TX_GOOD_BYTE_LSB", "Bytes sent, 31:0"},
    {GW_TX_ETH_TX_GOOD_BYTE + 4, GW_READ_ONLY, 0, "ETH_TX_GOOD_BYTE_MSB", "Bytes sent, 63:32"},
    {GW_TX_ETH_RX_GOOD_BYTE, GW_READ_ONLY, 0, "ETH_RX_GOOD_BYTE_LSB", "Bytes received, 31:0"},
    {GW_TX_ETH_RX_GOOD_BYTE + 4, GW_READ_ONLY, 0, "ETH_RX_GOOD_BYTE_MSB", "Bytes received, 63:32"},
};
const gw_register_map gw_tx_registers = {registers, GW_ARRAY_LEN(registers)};
