/* SPDX-License-Identifier: BSD-2-Clause */
/* The slave as LiteEth's core is, which is not what the specification describes: one record a
 * packet, no config space, whole words, no errors, and after anything that it was not made for it
 * is dead until reset. */
#include <string.h>

#include "formats/etherbone/slave/board.h"

#define HEADER 8
#define NOBODY 0xffffffff /* what a bus reads where nobody answers in time */

static void put_header(uint8_t *out, uint8_t flags)
{
    memset(out, 0, HEADER);
    gw_store_be(out, GW_EB_MAGIC, 2);
    out[2] = (uint8_t)(GW_EB_VERSION << 4 | flags);
    out[3] = GW_EB_32BIT << 4 | GW_EB_32BIT;
}

/* The id is answered by zeros, what follows it comes back. */
static void answer_probe(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len)
{
    put_header(s->reply, GW_EB_PR);
    memcpy(s->reply + HEADER, data + HEADER, len - HEADER);
    gw_eb_slave_send(s, conn, len);
}

/* Whatever the byte enables are, a read brings the whole word. */
static uint32_t bus_word(gw_eb_slave *s, gw_eb_client *client, uint32_t address)
{
    uint64_t value;
    if (!gw_wb_read(&s->bus, &client->master, address & ~3u, 0x0f, 4, &value))
        return NOBODY;
    return (uint32_t)value;
}

static void write_words(gw_eb_slave *s, gw_eb_client *client, const uint8_t *record)
{
    uint32_t address = gw_load_be32(record + 4) & ~3u;
    const uint8_t *word = record + 8;
    for (unsigned i = 0; i < record[2]; i++, word += 4)
        (void)gw_wb_write(&s->bus, &client->master, address + 4 * i, record[1] & 15, 4,
                          gw_load_be32(word));
}

static void answer_reads(gw_eb_slave *s, gw_eb_client *client, uint32_t conn, const uint8_t *record)
{
    uint8_t *out = s->reply + HEADER;
    unsigned num = record[3];
    put_header(s->reply, 0);
    memset(out, 0, 4);
    out[1] = record[1] & 15;
    out[2] = record[3];
    memcpy(out + 4, record + 4, 4);
    const uint8_t *address = record + 8;
    out += 8;
    for (unsigned i = 0; i < num; i++, address += 4, out += 4)
        gw_store_be(out, bus_word(s, client, gw_load_be32(address)), 4);
    gw_eb_slave_send(s, conn, HEADER + 8 + 4 * num);
}

void gw_eb_slave_litex(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len)
{
    gw_eb_client *client = &s->clients[conn];
    if (!gw_eb_survives(s->dialect, data, len)) {
        s->hung = true;
        return;
    }
    if (gw_load_be16(data) != GW_EB_MAGIC)
        return;
    const uint8_t *record = data + HEADER;
    if ((data[2] & GW_EB_PF) != 0)
        answer_probe(s, conn, data, len);
    else if (record[2] > 0)
        write_words(s, client, record);
    else
        answer_reads(s, client, conn, record);
    gw_wb_end_cycle(&client->master);
}
