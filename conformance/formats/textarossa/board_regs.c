/* SPDX-License-Identifier: BSD-2-Clause */
/* The register block (doc table 2-5, corrected). Holes below GW_TX_REGISTERS read 0. */
#include <string.h>

#include "formats/textarossa/board.h"

enum {
    CLOCKS_A_WORD = 1, /* a generator sends a word a clock (rtl) */
    TEST_OK = 1,       /* bits of a checker's status */
    CHECKER_IDLE = 1 << 1,
    CHECKER_COUNTS = 2 << 1,
    GENERATOR_IDLE = 1,
    GENERATOR_PAYLOAD = 3,
};

static void reset_link(gw_tx_link *l)
{
    bool connected = l->connected, stream = l->stream;
    uint32_t conn = l->conn;
    uint8_t index = l->index;

    memset(l, 0, offsetof(gw_tx_link, rx));
    l->index = index;
    l->connected = connected;
    l->stream = stream;
    l->conn = conn;
    for (unsigned i = 0; i < GW_TX_NUM_VCS; i++)
        gw_tx_pair_init(&l->rx[i]);
    gw_tx_link_reset(l);
}

static void reset_port(gw_tx_intra *p)
{
    bool connected = p->connected;
    uint32_t conn = p->conn;

    memset(p, 0, offsetof(gw_tx_intra, rx));
    p->connected = connected;
    p->conn = conn;
    gw_tx_pair_init(&p->rx);
    gw_tx_pair_init(&p->tx);
}

void gw_tx_reset(gw_tx_board *b)
{
    memset(b->values, 0, sizeof(b->values));
    for (size_t i = 0; i < gw_tx_registers.num; i++)
        b->values[gw_tx_registers.registers[i].offset / 4] = gw_tx_registers.registers[i].reset;
    for (unsigned i = 0; i < GW_TX_LINKS; i++)
        reset_link(&b->links[i]);
    for (unsigned i = 0; i < GW_TX_PORTS; i++)
        reset_port(&b->ports[i]);
    memset(b->next_input, 0, sizeof(b->next_input));
    memset(&b->kept, 0, sizeof(b->kept));
    gw_tx_mutant_reset(b);
}

/* ---- what is counted ---- */

static uint32_t generator_status(const gw_tx_intra *p)
{
    if (!p->generates)
        return 0;
    return p->to_generate > 0 ? GENERATOR_PAYLOAD : GENERATOR_IDLE;
}

static uint32_t checker_status(const gw_tx_board *b, const gw_tx_intra *p)
{
    uint32_t wanted = gw_tx_value(b, GW_TX_PKTGEN_CONFIG_0) & 0xffff;

    if (!p->consumes)
        return 0;
    if (p->consumed < wanted)
        return CHECKER_COUNTS;
    return CHECKER_IDLE | (p->wrong ? 0 : TEST_OK);
}

static uint32_t intranode_status(const gw_tx_board *b)
{
    uint32_t status = 0;

    for (unsigned i = 0; i < GW_TX_PORTS; i++) {
        const gw_tx_intra *p = &b->ports[i];
        status |= (generator_status(p) | checker_status(b, p) << 4) << 8 * i;
    }
    return status;
}

static uint32_t used(const gw_tx_pair *p)
{
    return (uint32_t)p->data.count << 16 | p->header.count;
}

/* Register |index| of the ten of a port's FIFOs. */
static uint32_t port_register(const gw_tx_intra *p, unsigned index)
{
    const uint32_t registers[] = {
        used(&p->rx),       used(&p->tx),        p->tx.header.reads, p->tx.header.writes,
        p->rx.header.reads, p->rx.header.writes, p->tx.data.reads,   p->tx.data.writes,
        p->rx.data.reads,   p->rx.data.writes,
    };
    return registers[index];
}

static uint32_t link_register(const gw_tx_link *l, unsigned index)
{
    const uint32_t registers[] = {
        (uint32_t)(l->state <= GW_TX_RX_FOOTER_CREDIT ? l->state : GW_TX_RX_IDLE) << 12 | 0x111,
        (uint32_t)l->single << 16 | l->fatals,
        l->tx_magic,
        l->tx_start,
        l->tx_headers,
        l->tx_footers,
        l->rx_magic,
        l->rx_start,
        l->rx_headers,
        l->rx_footers,
    };
    return registers[index];
}

/* Register |index| of the twelve that count words of a link's FIFOs; packets go out without one. */
static uint32_t link_count(const gw_tx_link *l, unsigned index)
{
    const gw_tx_pair *p = &l->rx[index < 8 ? 0 : 1];
    const uint32_t receive[] = {p->data.writes, p->header.writes, p->data.reads, p->header.reads};

    if (index < 4)
        return index == 0 || index == 3 ? l->tx_headers + l->tx_footers : 0;
    return receive[index % 4];
}

static bool in_block(uint32_t address, uint32_t base, uint32_t block, unsigned num, unsigned *which,
                     unsigned *index)
{
    if (address < base || address >= base + num * block)
        return false;
    *which = (address - base) / block;
    *index = (address - base) % block / 4;
    return true;
}

static uint32_t computed(const gw_tx_board *b, uint32_t address)
{
    unsigned which, index;

    if (in_block(address, GW_TX_INTRANODE_FIFO, GW_TX_INTRANODE_FIFO_BLOCK, GW_TX_PORTS, &which,
                 &index))
        return port_register(&b->ports[which], index);
    if (in_block(address, GW_TX_LINK_0_STATUS_0, GW_TX_LINK_BLOCK, b->num_links, &which, &index))
        return link_register(&b->links[which], index);
    if (in_block(address, GW_TX_LINK_0_RD_WR_CNT, GW_TX_LINK_1_RD_WR_CNT - GW_TX_LINK_0_RD_WR_CNT,
                 b->num_links, &which, &index))
        return link_count(&b->links[which], index);
    switch (address) {
    case GW_TX_RESET_REG:
        return 1; /* the level of the active-low reset: running */
    case GW_TX_PERF_INTRANODE_ST:
        return intranode_status(b);
    case GW_TX_TRANSCEIVER_STATUS:
        return (b->links[0].connected ? 1U : 0U) | (b->links[1].connected ? 2U : 0U);
    case GW_TX_ETH_TX_GOOD_BYTE:
        return (uint32_t)b->links[0].tx_bytes;
    case GW_TX_ETH_TX_GOOD_BYTE + 4:
        return (uint32_t)(b->links[0].tx_bytes >> 32);
    case GW_TX_ETH_RX_GOOD_BYTE:
        return (uint32_t)b->links[0].rx_bytes;
    case GW_TX_ETH_RX_GOOD_BYTE + 4:
        return (uint32_t)(b->links[0].rx_bytes >> 32);
    default:
        return gw_tx_value(b, address);
    }
}

bool gw_tx_read_register(void *board, uint32_t address, uint32_t *value)
{
    const gw_tx_board *b = board;

    if (address < GW_TX_REGISTERS)
        *value = computed(b, address);
    else
        *value = b->policy.hole;
    return true;
}

bool gw_tx_write_register(void *board, uint32_t address, uint32_t value)
{
    gw_tx_board *b = board;
    const gw_register *r = gw_register_at(&gw_tx_registers, address);

    if (r == NULL || r->access != GW_READ_WRITE)
        return true;
    if (address == GW_TX_RESET_REG) {
        if ((value & 1) != 0)
            gw_tx_reset(b);
        return true;
    }
    b->values[address / 4] = value;
    if (address == GW_TX_PERF_INTRANODE_CF)
        gw_tx_enable(b);
    return true;
}
