/* SPDX-License-Identifier: BSD-2-Clause */
/* How the master says things: packets, records, return addresses; and how mutants mend replies. */
#include <string.h>

#include "formats/etherbone/master/board.h"

/* Return addresses count upwards here, wrapping, so that an old answer does not match a new
 * question. Bit 0 stays clear for data and is set for status words, as libetherbone does. */
#define RETURN_AREA 0x8000

#define LATE_OPERATIONS 70

static uint16_t take_return_address(gw_eb_master *m, unsigned values)
{
    unsigned room = values * 8;
    if (m->next_return > UINT16_MAX - room || m->next_return < RETURN_AREA)
        m->next_return = RETURN_AREA;
    uint16_t base = m->next_return;
    m->next_return = (uint16_t)(m->next_return + room);
    return base;
}

void gw_eb_master_new_try(gw_eb_master *m)
{
    m->num_slots = 0;
    if (gw_eb_master_faulty(m, MASTER_FAULT_REUSES_RETURN))
        m->next_return = RETURN_AREA;
}

/* The wrong way: empty records in front, more than a frame holds. */
static void lengthen(gw_eb_master *m)
{
    gw_eb_operation empty = {0};
    while (m->builder.w.len <= GW_EB_MASTER_PACKET_MAX && gw_eb_build_record(&m->builder, &empty))
        ;
}

/* The wrong ways: a header register that packets of both directions share. */
static void repeat_heard(gw_eb_master *m)
{
    if (m->tries < 2 || gw_load_be16(m->heard) != GW_EB_MAGIC)
        return;
    if (gw_eb_master_faulty(m, MASTER_FAULT_VERSION_HEARD))
        m->packet[2] = (uint8_t)((m->heard[2] & 0xf0) | (m->packet[2] & 0x0f));
    if (gw_eb_master_faulty(m, MASTER_FAULT_WIDTHS_HEARD))
        m->packet[3] = m->heard[3];
}

void gw_eb_master_begin(gw_eb_master *m)
{
    bool header = !m->stream || gw_eb_dialect_of(m->dialect)->framing == GW_EB_HEADER_EACH_PACKET ||
                  gw_eb_master_faulty(m, MASTER_FAULT_HEADERS);
    bool too_long = gw_eb_master_faulty(m, MASTER_FAULT_LONG_PACKETS) && !m->stream;
    size_t cap = too_long ? sizeof(m->packet) : GW_EB_MASTER_PACKET_MAX;
    bool ok = header ? gw_eb_build_packet(&m->builder, m->packet, cap, m->widths, m->dialect)
                     : gw_eb_build_records(&m->builder, m->packet, cap, m->widths, m->dialect);
    m->builder.w.full = m->builder.w.full || !ok;
    if (ok && header && gw_eb_master_faulty(m, MASTER_FAULT_SEVERAL_WIDTHS))
        m->packet[3] = m->offered;
    if (ok && header)
        repeat_heard(m);
    if (ok && header && gw_eb_master_faulty(m, MASTER_FAULT_RESERVED))
        m->packet[2] |= GW_EB_HEADER_RESERVED;
    if (ok && too_long)
        lengthen(m);
}

/* The last two words of a record, or a lane with a hole: no bus has that. */
static uint8_t wrong_byte_enable(uint8_t right)
{
    return right == 0x01 ? 0x00 : right & 0x55;
}

/* Before they are written: a dialect may number them from the other end. */
static uint8_t wrong_flags(const gw_eb_master *m, uint8_t right)
{
    if (gw_eb_master_faulty(m, MASTER_FAULT_RESERVED))
        right |= GW_EB_RESERVED_10;
    if (gw_eb_master_faulty(m, MASTER_FAULT_CYC_EVERYWHERE))
        right |= GW_EB_CYC;
    if (gw_eb_master_faulty(m, MASTER_FAULT_NO_CYC))
        right &= (uint8_t)~GW_EB_CYC;
    return right;
}

static void spoil(const gw_eb_master *m, uint8_t *record)
{
    if (gw_eb_master_faulty(m, MASTER_FAULT_BYTE_ENABLES))
        record[1] = wrong_byte_enable(record[1]);
    if (gw_eb_master_faulty(m, MASTER_FAULT_DIRTY_PADDING))
        memset(record + 4, 0xa5, m->layout.record_header - 4u);
    if (gw_eb_master_faulty(m, MASTER_FAULT_WRONG_COUNT) && record[3] == 0)
        record[2]++;
}

void gw_eb_master_add(gw_eb_master *m, gw_eb_operation op)
{
    bool status = op.num_reads == 1 && (op.flags & GW_EB_RCA) != 0;
    if (op.byte_enable == 0)
        op.byte_enable = (uint8_t)((1u << m->layout.data_bytes) - 1);
    if (op.num_reads > 0 && m->num_slots < GW_EB_MASTER_SLOTS) {
        gw_eb_slot *slot = &m->slots[m->num_slots++];
        memset(slot, 0, sizeof(*slot));
        slot->base = (uint16_t)(take_return_address(m, op.num_reads) | (status ? 1 : 0));
        slot->flags = op.flags;
        slot->count = op.num_reads;
        op.return_base = slot->base;
    }
    op.flags = wrong_flags(m, op.flags);
    size_t start = m->builder.w.len;
    if (gw_eb_build_record(&m->builder, &op))
        spoil(m, m->packet + start);
}

/* The wrong way: without the four bytes that bring an eight-byte layout into step. */
static size_t drop_padding(const gw_eb_master *m, uint8_t *packet, size_t len)
{
    if (!m->builder.has_header || m->layout.header_len != 8 || len < 8)
        return len;
    memmove(packet + 4, packet + 8, len - 8);
    return len - 4;
}

/* The wrong way: the error register is read behind more operations than it remembers. Nobody waits
 * for the answer. */
static void add_late_status(gw_eb_master *m)
{
    uint64_t words[LATE_OPERATIONS] = {0};
    uint64_t at = 8u - m->layout.data_bytes;
    uint8_t lanes = (uint8_t)((1u << m->layout.data_bytes) - 1);
    gw_eb_operation writes = {.flags = GW_EB_WFF,
                              .writes = words,
                              .write_base = m->map->regions[0].address,
                              .num_writes = LATE_OPERATIONS,
                              .byte_enable = lanes};
    gw_eb_operation status = {.flags = GW_EB_BCA | GW_EB_RFF | GW_EB_RCA | GW_EB_CYC,
                              .reads = &at,
                              .num_reads = 1,
                              .return_base = UINT16_MAX,
                              .byte_enable = lanes};
    if (gw_eb_build_record(&m->builder, &writes))
        (void)!gw_eb_build_record(&m->builder, &status);
}

void gw_eb_master_send(gw_eb_master *m)
{
    if (gw_eb_master_faulty(m, MASTER_FAULT_LATE_STATUS))
        add_late_status(m);
    size_t len = gw_eb_build_end(&m->builder, true);
    bool nr = gw_eb_master_faulty(m, MASTER_FAULT_NR_WITH_READS) ||
              (m->tries > 1 && gw_eb_master_faulty(m, MASTER_FAULT_NR_AGAIN));
    if (m->builder.has_header && nr)
        m->packet[2] |= GW_EB_NR;
    if (gw_eb_master_faulty(m, MASTER_FAULT_NO_PADDING))
        len = drop_padding(m, m->packet, len);
    m->out->send(m->out, 0, 0, m->packet, len);
}

/* The wrong ways: replies are known by their length alone, and what is missing of them is zero. */
size_t gw_eb_master_mend(const gw_eb_master *m, uint8_t copy[GW_EB_MASTER_PACKET_MAX],
                         const uint8_t *data, size_t len)
{
    memset(copy, 0, GW_EB_MASTER_PACKET_MAX);
    memcpy(copy, data, len);
    bool probe = (data[2] & (GW_EB_PR | GW_EB_PF)) != 0;
    if (gw_eb_master_faulty(m, MASTER_FAULT_ANY_MAGIC) && !probe) {
        gw_store_be(copy, GW_EB_MAGIC, 2);
        copy[2] = (uint8_t)(GW_EB_VERSION << 4 | (copy[2] & 15));
    }
    size_t unit = m->phase == MASTER_WORKING ? m->layout.data_unit : 1;
    bool cut = gw_eb_master_faulty(m, MASTER_FAULT_TAKES_CUT) && !probe && len % unit != 0;
    return cut ? len + unit - len % unit : len;
}
