/* SPDX-License-Identifier: BSD-2-Clause */
/* The slave as the core of GSI and CERN is over UDP: words stream through it, and for each that
 * comes in one goes out. What has come of a record is executed, complete or not; widths are looked
 * at with an OR; one error register serves everybody. What pads the frame of a datagram of one word
 * is taken for words of it. */
#include <string.h>

#include "formats/etherbone/slave/board.h"

#define WORD 4
#define PAYLOAD_MAX 1472

/* The config space in words of 32 bits, as far as it is not zero. */
enum {
    CONFIG_ERRORS_HIGH = 0x00,
    CONFIG_ERRORS_LOW = 0x04,
    CONFIG_SDB_LOW = 0x0c,
    CONFIG_MAC_HIGH = 0x10,
    CONFIG_MAC_LOW = 0x14,
    CONFIG_MSI_GRANTED_LOW = 0x2c,
    CONFIG_SPACE = 0x80, /* address bits that are decoded */
};

/* One packet on its way through. */
typedef struct streaming {
    gw_eb_slave *s;
    gw_wb_master *master;
    const uint8_t *in;
    size_t num; /* words */
    size_t at;  /* the next one */
} streaming;

static void put(streaming *p, uint32_t word)
{
    gw_store_be(p->s->reply + p->at * WORD, word, WORD);
    p->at++;
}

static uint32_t peek(const streaming *p)
{
    return gw_load_be32(p->in + p->at * WORD);
}

static uint32_t read_config(const gw_eb_slave *s, uint32_t address)
{
    switch (address % CONFIG_SPACE & ~3u) {
    case CONFIG_ERRORS_HIGH:
        return (uint32_t)(s->gsi.errors >> 32);
    case CONFIG_ERRORS_LOW:
        return (uint32_t)s->gsi.errors;
    case CONFIG_SDB_LOW:
        return (uint32_t)s->map->sdb;
    case CONFIG_MAC_HIGH:
        return 0xd15e;
    case CONFIG_MAC_LOW:
        return 0xa5edbeef;
    case CONFIG_MSI_GRANTED_LOW:
        return 1;
    default:
        return 0;
    }
}

static void shift(gw_eb_slave *s, bool ok)
{
    s->gsi.errors = s->gsi.errors << 1 | (ok ? 0 : 1);
}

/* Byte enables go to the bus as they are; a read brings the whole word. */
static uint32_t read_bus(gw_eb_slave *s, gw_wb_master *master, uint32_t address)
{
    uint64_t value;
    bool ok = gw_wb_read(&s->bus, master, address, 0x0f, WORD, &value);
    shift(s, ok);
    return (uint32_t)value;
}

/* A single read does not raise the cycle line for what follows: it has a cycle of its own, unless
 * the line is up already. */
static void raise(streaming *p, unsigned writes, unsigned reads)
{
    if (writes > 0 || reads > 1)
        p->s->gsi.raised = true;
}

static void drop(streaming *p)
{
    gw_wb_end_cycle(p->master);
    p->s->gsi.raised = false;
}

/* The last slot of the writes holds the header of what was read. */
static void stream_writes(streaming *p, uint32_t header, uint32_t answer)
{
    unsigned writes = header >> 8 & 0xff;
    unsigned step = (header >> 24 & GW_EB_WFF) != 0 ? 0 : WORD;
    uint32_t address = 0;
    put(p, 0);
    if (p->at < p->num) {
        address = peek(p);
        put(p, 0);
    }
    for (unsigned i = 0; i < writes && p->at < p->num; i++, address += step) {
        bool config = (header >> 24 & GW_EB_WCA) != 0; /* read-only there */
        uint8_t lanes = header >> 16 & 15;
        if (!config)
            shift(p->s, gw_wb_write(&p->s->bus, p->master, address, lanes, WORD, peek(p)));
        put(p, i + 1 == writes ? answer : 0);
    }
}

static void stream_reads(streaming *p, uint32_t header)
{
    unsigned reads = header & 0xff;
    if (p->at < p->num)
        put(p, peek(p)); /* the return address */
    for (unsigned i = 0; i < reads && p->at < p->num; i++) {
        bool config = (header >> 24 & GW_EB_RCA) != 0;
        uint32_t address = peek(p);
        put(p, config ? read_config(p->s, address) : read_bus(p->s, p->master, address));
        if (!p->s->gsi.raised)
            gw_wb_end_cycle(p->master);
    }
}

static void stream_record(streaming *p)
{
    uint32_t header = peek(p);
    uint8_t asked = (uint8_t)(header >> 24);
    unsigned writes = header >> 8 & 0xff;
    unsigned reads = header & 0xff;
    uint8_t flags = (uint8_t)((asked & GW_EB_CYC) | ((asked & GW_EB_BCA) != 0 ? GW_EB_WCA : 0) |
                              ((asked & GW_EB_RFF) != 0 ? GW_EB_WFF : 0));
    uint32_t answer = (uint32_t)flags << 24 | (header & 0xff0000) | reads << 8;
    raise(p, writes, reads);
    if (writes > 0)
        stream_writes(p, header, answer);
    else
        put(p, answer);
    if (reads > 0)
        stream_reads(p, header);
    if ((asked & GW_EB_CYC) != 0)
        drop(p);
}

/* Of a probe both masks must offer 32 bits; of what comes with widths of its own either says it, an
 * OR where an AND was meant. */
static bool takes_widths(uint8_t widths, bool probe)
{
    if (probe)
        return (widths >> 4 & widths & GW_EB_32BIT) != 0;
    return widths >> 4 == GW_EB_32BIT || (widths & 15) == GW_EB_32BIT;
}

/* How many bytes pass: those that UDP counts. What is left behind the first word is counted down,
 * and where nothing is, the count wraps and the rest of the frame passes as well. */
static size_t passing(size_t len, size_t padding)
{
    size_t all = len == WORD ? len + padding : len;
    return all < PAYLOAD_MAX ? all : PAYLOAD_MAX;
}

void gw_eb_slave_gsi(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len, size_t padding)
{
    streaming p = {.s = s,
                   .master = &s->clients[conn].master,
                   .in = data,
                   .num = passing(len, padding) / WORD,
                   .at = 0};
    if (len < WORD || len % WORD != 0 || len > PAYLOAD_MAX)
        return;
    bool probe = (data[2] & GW_EB_PF) != 0; /* PR is not looked at */
    if (gw_load_be16(data) != GW_EB_MAGIC || data[2] >> 4 != GW_EB_VERSION)
        return;
    uint8_t flags = (uint8_t)(GW_EB_NR | (probe ? GW_EB_PR : 0));
    put(&p, (uint32_t)GW_EB_MAGIC << 16 | (uint32_t)(GW_EB_VERSION << 4 | flags) << 8 | 0x44);
    if (probe && p.at < p.num)
        put(&p, peek(&p)); /* the id */
    while (takes_widths(data[3], probe) && p.at < p.num)
        stream_record(&p);
    while (p.at < p.num)
        put(&p, 0);
    drop(&p);
    if ((data[2] & GW_EB_NR) == 0)
        gw_eb_slave_send(s, conn, len);
}
