/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do to what goes out: packets, their headers and records. */
#include <string.h>

#include "formats/etherbone/master/mutants/mutants.h"

#define LATE_OPERATIONS 70

/* ---- headers ---- */

void gw_eb_master_mutant_begin(gw_eb_master *m, bool header)
{
    if (!header)
        return;
    m->packet[2] |= m->mutation->header_set;
    if (m->mutation->begin != NULL)
        m->mutation->begin(m);
}

void gw_eb_w_several_widths(gw_eb_master *m)
{
    m->packet[3] = m->offered;
}

/* A request that is repeated, behind a packet that came. */
static bool has_heard(const gw_eb_master *m)
{
    return m->tries > 1 && gw_load_be16(m->kept.header) == GW_EB_MAGIC;
}

void gw_eb_w_version_heard(gw_eb_master *m)
{
    if (has_heard(m))
        m->packet[2] = (uint8_t)((m->kept.header[2] & 0xf0) | (m->packet[2] & 0x0f));
}

void gw_eb_w_widths_heard(gw_eb_master *m)
{
    if (has_heard(m))
        m->packet[3] = m->kept.header[3];
}

/* Empty records in front, more than a frame holds. */
void gw_eb_w_long_packets(gw_eb_master *m)
{
    gw_eb_operation empty = {0};

    while (!m->stream && m->builder.w.len <= GW_EB_MASTER_PACKET_MAX &&
           gw_eb_build_record(&m->builder, &empty))
        ;
}

/* ---- records ---- */

uint8_t gw_eb_master_mutant_flags(const gw_eb_master *m, uint8_t flags)
{
    return (uint8_t)((flags | m->mutation->flags_set) & ~m->mutation->flags_clear);
}

void gw_eb_master_mutant_record(const gw_eb_master *m, uint8_t *record)
{
    if (m->mutation->record != NULL)
        m->mutation->record(m, record);
}

/* The last two words of a record, or a lane with a hole: no bus has that. */
void gw_eb_w_wrong_byte_enables(const gw_eb_master *m, uint8_t *record)
{
    (void)m;
    record[1] = record[1] == 0x01 ? 0x00 : record[1] & 0x55;
}

void gw_eb_w_dirty_padding(const gw_eb_master *m, uint8_t *record)
{
    memset(record + 4, 0xa5, m->layout.record_header - 4u);
}

void gw_eb_w_wrong_count(const gw_eb_master *m, uint8_t *record)
{
    (void)m;
    record[2] = (uint8_t)(record[2] + (record[3] == 0));
}

/* ---- packets ---- */

void gw_eb_master_mutant_end(gw_eb_master *m)
{
    if (m->mutation->end != NULL)
        m->mutation->end(m);
}

/* The error register is read behind more operations than it remembers. Nobody waits for the answer.
 */
void gw_eb_w_late_status(gw_eb_master *m)
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

size_t gw_eb_master_mutant_out(gw_eb_master *m, size_t len)
{
    if (m->builder.has_header && m->policy.nr_from > 0 && m->tries >= m->policy.nr_from)
        m->packet[2] |= GW_EB_NR;
    return m->mutation->out != NULL ? m->mutation->out(m, len) : len;
}

/* Without the four bytes that bring an eight-byte layout into step. */
size_t gw_eb_w_no_padding(gw_eb_master *m, size_t len)
{
    if (!m->builder.has_header || m->layout.header_len != 8 || len < 8)
        return len;
    memmove(m->packet + 4, m->packet + 8, len - 8);
    return len - 4;
}
