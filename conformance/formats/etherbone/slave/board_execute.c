/* SPDX-License-Identifier: BSD-2-Clause */
/* What a record does: bus operations with their error register, and the config space. */
#include <string.h>

#include "formats/etherbone/slave/board.h"

/* The config space (spec 1012): 64-bit registers. */
enum {
    CONFIG_ERRORS = 0x00,
    CONFIG_SDB = 0x08,
    CONFIG_MSI_REQUEST = 0x20,
    CONFIG_MSI_STATUS = 0x28,
};
#define MSI_UNSUPPORTED 2

static uint64_t config_register(const gw_eb_slave *s, const gw_eb_client *client, uint64_t offset)
{
    switch (offset) {
    case CONFIG_ERRORS:
        return gw_eb_faulty(s, FAULT_SHORT_ERROR_REGISTER) ? client->errors & 0xff : client->errors;
    case CONFIG_SDB:
        return (gw_eb_faulty(s, FAULT_SDB_POINTER) ? s->map->sdb + 0x8000 : s->map->sdb) |
               gw_eb_faulty(s, FAULT_SDB_FLAG);
    case CONFIG_MSI_STATUS:
        return client->msi;
    default:
        return 0;
    }
}

static uint64_t byte_swap(uint64_t value)
{
    uint64_t swapped = 0;
    for (unsigned i = 0; i < 8; i++)
        swapped |= (value >> 8 * i & 0xff) << 8 * (7 - i);
    return swapped;
}

/* What a config read should not be: unaligned, or not of the whole port (spec 1016). */
static bool is_odd(uint64_t address, uint8_t byte_enable, uint8_t port)
{
    return address % port != 0 || byte_enable != (1u << port) - 1;
}

/* Neither config operation touches the bus or the error register (spec 1040). */
static uint64_t config_read(gw_eb_slave *s, gw_eb_client *client, uint64_t address,
                            uint8_t byte_enable, uint8_t port)
{
    if (is_odd(address, byte_enable, port) && gw_eb_faulty(s, FAULT_ODD_CONFIG_COUNTS))
        client->errors = client->errors << 1 | 1;
    if (!gw_eb_byte_enable_valid(byte_enable, port))
        return 0;
    if (port < 4 && gw_eb_faulty(s, FAULT_CONFIG_LOW_PART))
        address |= 4u - port;
    if (address >= CONFIG_MSI_REQUEST && gw_eb_faulty(s, FAULT_SILENT_MSI))
        s->mute = true;
    uint64_t value = config_register(s, client, address & ~UINT64_C(7));
    if (gw_eb_faulty(s, FAULT_LITTLE_ENDIAN_CONFIG))
        value = byte_swap(value);
    uint64_t part = gw_wb_part(value, address, port) & gw_wb_lanes(byte_enable);
    uint64_t before = s->left.config;
    bool latched = s->left.latched && gw_eb_faulty(s, FAULT_CONFIG_LATCHED);
    s->left.config = part;
    s->left.latched = false;
    return latched ? before : part;
}

static void config_write(gw_eb_client *client, uint64_t address, uint8_t byte_enable, uint8_t port,
                         uint64_t value)
{
    bool low_part = (address & 7) + port > 7;
    if ((address & ~UINT64_C(7)) == CONFIG_MSI_REQUEST && low_part &&
        gw_eb_byte_enable_valid(byte_enable, port) && (value & gw_wb_lanes(byte_enable) & 1) != 0)
        client->msi = MSI_UNSUPPORTED;
}

static void shift(const gw_eb_slave *s, gw_eb_client *client, bool ok)
{
    uint64_t bit = ok || gw_eb_faulty(s, FAULT_NO_ERROR_BIT) ? 0 : 1;
    client->errors = client->errors << 1 | bit;
}

/* Whether |record| means the config space, by its flag |flag|. */
static bool in_config_space(const gw_eb_slave *s, const gw_eb_record *record, uint8_t flag)
{
    return (record->flags & flag) != 0 && !gw_eb_faulty(s, FAULT_CONFIG_IS_BUS);
}

/* The wrong way: narrow addresses are those of another page. */
static uint64_t on_bus(const gw_eb_slave *s, const gw_eb_layout *layout, uint64_t address)
{
    bool shifted = layout->addr_bytes == 1 && gw_eb_faulty(s, FAULT_NARROW_WINDOW);
    return shifted ? address + GW_EB_SLAVE_WINDOW : address;
}

/* Illegal byte enables are not put on the bus: the operation fails. */
static void bus_write(gw_eb_slave *s, gw_eb_client *client, uint64_t address, uint8_t byte_enable,
                      uint8_t port, uint64_t value)
{
    uint8_t lanes =
        gw_eb_faulty(s, FAULT_WRITES_ALL_LANES) ? (uint8_t)((1u << port) - 1) : byte_enable;
    bool ok = gw_eb_byte_enable_valid(byte_enable, port) &&
              gw_wb_write(&s->bus, &client->master, address, lanes, port, value);
    shift(s, client, ok || gw_eb_faulty(s, FAULT_WRITE_ERRORS_LOST));
}

/* The wrong way: a write waits until something comes that cannot overtake it. */
static void post_write(gw_eb_slave *s, gw_eb_client *client, uint64_t address, uint8_t byte_enable,
                       uint8_t port, uint64_t value)
{
    s->posted = (gw_eb_posted){.client = client,
                               .address = address,
                               .value = value,
                               .byte_enable = byte_enable,
                               .port = port,
                               .same_packet = true};
}

static void flush_posted(gw_eb_slave *s)
{
    gw_eb_posted p = s->posted;
    s->posted.client = NULL;
    if (p.client != NULL)
        bus_write(s, p.client, p.address, p.byte_enable, p.port, p.value);
}

/* The wrong way: the selected byte right-justified instead of in its lane. */
static uint64_t to_lane_0(uint64_t value, uint8_t byte_enable)
{
    for (; (byte_enable & 1) == 0; byte_enable >>= 1)
        value >>= 8;
    return value;
}

static uint64_t bus_read(gw_eb_slave *s, gw_eb_client *client, uint64_t address,
                         uint8_t byte_enable, uint8_t port)
{
    uint64_t value = 0;
    bool ok = gw_eb_byte_enable_valid(byte_enable, port) &&
              gw_wb_read(&s->bus, &client->master, address, byte_enable, port, &value);
    shift(s, client, ok);
    if (!ok && gw_eb_faulty(s, FAULT_ERROR_ENDS_CYCLE))
        gw_wb_end_cycle(&client->master);
    bool nobody =
        !ok && gw_eb_byte_enable_valid(byte_enable, port) && !gw_wb_is_fifo(&s->bus, address);
    if (nobody && s->num_bus_reads == 0 && gw_eb_faulty(s, FAULT_SILENT_ERRORS))
        s->mute = true;
    s->num_bus_reads++;
    if (gw_eb_faulty(s, FAULT_FIRST_LANES))
        value &= gw_wb_lanes(s->first_lanes);
    if (s->left.has_lanes && gw_eb_faulty(s, FAULT_ILLEGAL_LANES_STAY))
        value &= gw_wb_lanes(s->left.lanes);
    return ok && gw_eb_faulty(s, FAULT_WRONG_LANES) ? to_lane_0(value, byte_enable) : value;
}

/* Which word of |record| is the |i|th to be written. */
static unsigned written_word(const gw_eb_slave *s, const gw_eb_record *record, unsigned i)
{
    bool last = i > 0 && i + 1 == record->wcount;
    if (gw_eb_faulty(s, FAULT_ODD_WRITES) && last && record->wcount % 2 == 1)
        return i - 1;
    /* A ring without a guard: later words lie over the first ones. */
    while (gw_eb_faulty(s, FAULT_DEEP_WRITES) && i + GW_EB_SLAVE_WORDS_MAX < record->wcount)
        i += GW_EB_SLAVE_WORDS_MAX;
    return i;
}

static void execute_writes(gw_eb_slave *s, gw_eb_client *client, const gw_eb_layout *layout,
                           const gw_eb_record *record)
{
    uint64_t address = record->write_base;
    bool fixed = (record->flags & GW_EB_WFF) != 0;
    if (gw_eb_faulty(s, FAULT_WFF_INVERTED))
        fixed = !fixed;
    if ((s->left.flags & GW_EB_WFF) != 0 && gw_eb_faulty(s, FAULT_WFF_STAYS))
        fixed = true;
    uint64_t step = fixed ? 0 : layout->data_bytes;
    if (gw_eb_faulty(s, FAULT_NO_STEP))
        step = 0;
    if (gw_eb_faulty(s, FAULT_FIFO_STEPS))
        step = layout->data_bytes;
    uint64_t space =
        layout->addr_bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * layout->addr_bytes) - 1;
    for (unsigned i = 0; i < record->wcount; i++) {
        uint64_t value = gw_eb_write_value(layout, record, written_word(s, record, i));
        uint64_t at = on_bus(s, layout, address & space);
        if (in_config_space(s, record, GW_EB_WCA))
            config_write(client, address & space, record->byte_enable, layout->data_bytes, value);
        else if (record->wcount == 1 && gw_eb_faulty(s, FAULT_POSTED_WRITES))
            post_write(s, client, at, record->byte_enable, layout->data_bytes, value);
        else
            bus_write(s, client, at, record->byte_enable, layout->data_bytes, value);
        address += step;
    }
    if ((record->flags & GW_EB_WCA) != 0 && gw_eb_faulty(s, FAULT_CONFIG_SHIFTS))
        client->errors <<= record->wcount % 64;
}

/* The address of the |i|th read of |record|. */
static uint64_t read_address(const gw_eb_slave *s, const gw_eb_layout *layout,
                             const gw_eb_record *record, unsigned i)
{
    if (gw_eb_faulty(s, FAULT_MIXED_RECORD) && record->wcount > 0 && i == 0)
        return record->return_base;
    if (gw_eb_faulty(s, FAULT_MIXED_RECORD) && record->wcount > 0)
        return gw_eb_read_addr(layout, record, i - 1);
    if (gw_eb_faulty(s, FAULT_READS_BACKWARDS))
        return gw_eb_read_addr(layout, record, record->rcount - 1 - i);
    return gw_eb_read_addr(layout, record, i);
}

/* The wrong way: what an empty FIFO did not give stays in the pipe, and everything behind it comes
 * one place late. */
static void shift_results(uint64_t *values, unsigned num)
{
    if (num > 1)
        memmove(values + 1, values, (num - 1) * sizeof(*values));
}

/* The wrong way: two words are one of 64 bits, whose halves come in the wrong order. */
static void swap_pairs(uint64_t *values, unsigned num)
{
    for (unsigned i = 0; i + 1 < num; i += 2) {
        uint64_t first = values[i];
        values[i] = values[i + 1];
        values[i + 1] = first;
    }
}

static void execute_reads(gw_eb_slave *s, gw_eb_client *client, const gw_eb_layout *layout,
                          const gw_eb_record *record, uint64_t values[255])
{
    unsigned late_from = record->rcount;
    for (unsigned i = 0; i < record->rcount; i++) {
        uint64_t address = read_address(s, layout, record, i);
        if (!in_config_space(s, record, GW_EB_RCA)) {
            address = on_bus(s, layout, address);
            values[i] = bus_read(s, client, address, record->byte_enable, layout->data_bytes);
            bool failed = (client->errors & 1) != 0;
            if (failed && late_from == record->rcount && gw_wb_is_fifo(&s->bus, address))
                late_from = i;
            continue;
        }
        values[i] = config_read(s, client, address, record->byte_enable, layout->data_bytes);
        if (gw_eb_faulty(s, FAULT_CONFIG_SHIFTS))
            client->errors <<= 1;
    }
    if (gw_eb_faulty(s, FAULT_EMPTY_FIFO_SHIFTS))
        shift_results(values + late_from, record->rcount - late_from);
    if (gw_eb_faulty(s, FAULT_ODD_READS) && record->rcount > 1 && record->rcount % 2 == 1)
        values[record->rcount - 1] = values[record->rcount - 2];
    if (gw_eb_faulty(s, FAULT_PAIRS_SWAPPED) && layout->data_bytes == 4)
        swap_pairs(values, record->rcount);
}

void gw_eb_execute(gw_eb_slave *s, gw_eb_client *client, const gw_eb_layout *layout,
                   const gw_eb_record *record, uint64_t values[255])
{
    if (record->rcount > GW_EB_SLAVE_WORDS_MAX && gw_eb_faulty(s, FAULT_HANGS_ON_DEEP_READS))
        s->hung = true;
    if (s->first_lanes == 0)
        s->first_lanes = record->byte_enable;
    bool counts = record->wcount > 0 || record->rcount > 0;
    if (counts && !gw_eb_byte_enable_valid(record->byte_enable, layout->data_bytes)) {
        s->left.lanes = record->byte_enable;
        s->left.has_lanes = true;
    }
    bool overtakes = record->wcount == 0 && record->rcount == 1 && !s->posted.same_packet;
    if (!overtakes)
        flush_posted(s);
    if (gw_eb_faulty(s, FAULT_READS_FIRST))
        execute_reads(s, client, layout, record, values);
    execute_writes(s, client, layout, record);
    if (record->wcount > 0 && record->rcount > 0)
        flush_posted(s);
    if (record->rcount > 0 && gw_eb_faulty(s, FAULT_WRITES_TWICE))
        execute_writes(s, client, layout, record);
    if (!gw_eb_faulty(s, FAULT_READS_FIRST))
        execute_reads(s, client, layout, record, values);
    if (overtakes)
        flush_posted(s);
    s->left.flags = 0;
    bool last = (record->flags & GW_EB_CYC) != 0 && !gw_eb_faulty(s, FAULT_KEEPS_CYCLE);
    if (last || gw_eb_faulty(s, FAULT_DROPS_CYCLE))
        gw_wb_end_cycle(&client->master);
}
