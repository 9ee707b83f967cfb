/* SPDX-License-Identifier: BSD-2-Clause */
/* Judging one record: reserved bits, byte enables, config reads, padding. */
#include "etherbone/check.h"

enum {
    CONFIG_ADDR_BYTES = 2, /* config space is 16 bit wide, however narrow the bus (spec 1012) */
};

static uint8_t all_lanes(const gw_eb_layout *l)
{
    return (uint8_t)(0xff >> (8 - l->data_bytes));
}

static void judge_byte_enable(gw_eb_checking *c, const gw_eb_record *record)
{
    uint8_t enable = record->byte_enable, bytes = c->reader.layout.data_bytes;

    if (gw_eb_byte_enable_valid(enable, bytes) || gw_eb_check_may_be_reply(c))
        return;
    gw_eb_report(&c->judge, EB_M12, GW_EB_F_BYTE_ENABLE, record->offset,
                 enable >> bytes != 0
                     ? "byte enable %x selects lanes outside a port of %d bytes"
                     : "byte enable %x does not select an aligned run of lanes of a port of %d "
                       "bytes",
                 GW_NUMBERS(enable, bytes));
}

/* Where read address |i| lies in the message: they end the record. */
static uint32_t read_offset(const gw_eb_checking *c, const gw_eb_record *record, unsigned i)
{
    return record->offset + record->len - (record->rcount - i) * c->reader.layout.addr_unit;
}

static void judge_config_reads(gw_eb_checking *c, const gw_eb_record *record)
{
    const gw_eb_layout *l = &c->reader.layout;

    //@ assert proven_width: l->data_bytes >= 1;
    if (gw_eb_check_is_reply(c))
        return;
    if (record->byte_enable != all_lanes(l))
        gw_eb_report(&c->judge, EB_M22, GW_EB_F_BYTE_ENABLE, record->offset,
                     "config space is read with byte enable %x; %x, the full port, is expected",
                     GW_NUMBERS(record->byte_enable, all_lanes(l)));
    /*@ loop invariant proven_inside: i <= record->rcount;
      @ loop assigns i; */
    for (unsigned i = 0; i < record->rcount; i++) {
        uint64_t addr = gw_eb_read_addr(l, record, i);
        if (addr % l->data_bytes == 0)
            continue;
        gw_eb_report(&c->judge, EB_M22, GW_EB_F_READ_ADDR, read_offset(c, record, i),
                     "config space is read at %x; a multiple of %d is expected",
                     GW_NUMBERS(addr, l->data_bytes));
        return;
    }
}

/* Returns the first of |num| units at |units| whose bytes left of the last |width| are not all
 * zero; |num| when there is none. */
static unsigned first_dirty(const uint8_t *units, unsigned num, size_t unit, size_t width)
{
    uint64_t dirty = 0;
    unsigned i;

    if (unit == width)
        return num;
    //@ assert proven_narrower: width < 8;
    /*@ loop invariant proven_inside: i <= num;
      @ loop assigns i, dirty; */
    for (i = 0; i < num; i++)
        dirty |= gw_eb_number(units + i * unit, unit) >> 8 * width;
    if (dirty == 0)
        return num;
    /*@ loop invariant proven_inside: i <= num;
      @ loop assigns i; */
    for (i = 0; i < num; i++) {
        if (gw_eb_number(units + i * unit, unit) >> 8 * width != 0)
            break;
    }
    return i;
}

static size_t addr_width(const gw_eb_layout *l, bool config)
{
    bool wider = config && l->addr_bytes < CONFIG_ADDR_BYTES && l->addr_unit >= CONFIG_ADDR_BYTES;
    return wider ? CONFIG_ADDR_BYTES : l->addr_bytes;
}

/* Return addresses fill their unit, and so does the write address of a reply. */
static void judge_padding(gw_eb_checking *c, const gw_eb_record *record)
{
    const gw_eb_layout *l = &c->reader.layout;
    unsigned i;

    if (record->wcount > 0) {
        const uint8_t *base = record->writes - l->addr_unit;
        uint32_t offset = record->offset + l->record_header;
        size_t width = addr_width(l, (record->flags & GW_EB_WCA) != 0);
        if (first_dirty(base, 1, l->addr_unit, width) == 0 && !gw_eb_check_may_be_reply(c))
            gw_eb_report(&c->judge, EB_M06, GW_EB_F_WRITE_BASE_PADDING, offset,
                         "base write address %x is wider than addresses of %d bytes",
                         GW_NUMBERS(record->write_base, l->addr_bytes));
        i = first_dirty(record->writes, record->wcount, l->data_unit, l->data_bytes);
        if (i < record->wcount)
            gw_eb_report(&c->judge, gw_eb_check_rule(c, EB_M06, EB_S13), GW_EB_F_WRITE_PADDING,
                         offset + l->addr_unit + i * l->data_unit,
                         "padding of write %d is not zero; words of %d bytes are zero-extended",
                         GW_NUMBERS(i, l->data_bytes));
    }
    if (record->rcount > 0) {
        size_t width = addr_width(l, (record->flags & GW_EB_RCA) != 0);
        i = first_dirty(record->reads, record->rcount, l->addr_unit, width);
        if (i < record->rcount)
            gw_eb_report(&c->judge, gw_eb_check_rule(c, EB_M06, EB_S13), GW_EB_F_READ_PADDING,
                         read_offset(c, record, i),
                         "padding of read address %d is not zero; addresses of %d bytes are "
                         "zero-extended",
                         GW_NUMBERS(i, l->addr_bytes));
    }
}

void gw_eb_check_record(gw_eb_checking *c, const gw_eb_record *record)
{
    const gw_eb_layout *l = &c->reader.layout;
    uint8_t reserved = record->flags & (GW_EB_RESERVED_10 | GW_EB_RESERVED_01);

    c->last_open = (record->flags & GW_EB_CYC) == 0;
    c->last_offset = record->offset;
    if (GW_UNLIKELY(reserved != 0))
        gw_eb_report(&c->judge, gw_eb_check_rule(c, EB_M01, EB_S13), GW_EB_F_RECORD_RESERVED,
                     record->offset, "reserved flag bits %x are set; senders clear them",
                     GW_NUMBERS(reserved));
    if (GW_UNLIKELY(record->padding != 0))
        gw_eb_check_value(c, EB_M06, EB_S13, GW_EB_F_RECORD_PADDING,
                          record->offset + GW_EB_BYTES_IN_RECORD_HEADER, record->padding);
    if ((record->wcount | record->rcount) == 0)
        return;
    if (record->byte_enable != all_lanes(l))
        judge_byte_enable(c, record);
    if (record->rcount > 0) {
        c->reads = true;
        if (record->flags & GW_EB_RCA)
            judge_config_reads(c, record);
    }
    if (l->addr_unit != l->addr_bytes || l->data_unit != l->data_bytes)
        judge_padding(c, record);
}
