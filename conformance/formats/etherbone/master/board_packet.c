/* SPDX-License-Identifier: BSD-2-Clause */
/* How the master says things: packets, records, return addresses. */
#include <string.h>

#include "formats/etherbone/master/board.h"

/* Return addresses count upwards here, wrapping, so that an old answer does not match a new
 * question. Bit 0 stays clear for data and is set for status words, as libetherbone does. */
#define RETURN_AREA 0x8000

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
    if (!m->policy.fresh_returns)
        m->next_return = RETURN_AREA;
}

void gw_eb_master_begin(gw_eb_master *m)
{
    bool header = !m->stream || m->policy.header_each_run ||
                  gw_eb_dialect_of(m->dialect)->framing == GW_EB_HEADER_EACH_PACKET;
    bool other = m->mutation->packet_max > 0 && !m->stream;
    size_t cap = other ? m->mutation->packet_max : GW_EB_MASTER_PACKET_MAX;
    bool ok = header ? gw_eb_build_packet(&m->builder, m->packet, cap, m->widths, m->dialect)
                     : gw_eb_build_records(&m->builder, m->packet, cap, m->widths, m->dialect);
    m->builder.w.full = m->builder.w.full || !ok;
    gw_eb_master_mutant_begin(m, ok && header);
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
    op.flags = gw_eb_master_mutant_flags(m, op.flags);
    size_t start = m->builder.w.len;
    if (gw_eb_build_record(&m->builder, &op))
        gw_eb_master_mutant_record(m, m->packet + start);
}

void gw_eb_master_send(gw_eb_master *m)
{
    gw_eb_master_mutant_end(m);
    size_t len = gw_eb_build_end(&m->builder, true);
    len = gw_eb_master_mutant_out(m, len);
    m->out->send(m->out, 0, 0, m->packet, len);
}
