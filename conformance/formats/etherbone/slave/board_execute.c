/* SPDX-License-Identifier: BSD-2-Clause */
/* What a record does: bus operations with their error register, and the config space. */
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
        return client->errors & s->policy.error_register;
    case CONFIG_SDB:
        return s->map->sdb + s->policy.sdb_offset;
    case CONFIG_MSI_STATUS:
        return client->msi;
    default:
        return 0;
    }
}

/* Neither config operation touches the bus or the error register (spec 1040). */
static void access_config(gw_eb_access *a, bool legal)
{
    uint64_t offset = a->address & ~UINT64_C(7);
    uint64_t lanes = gw_wb_lanes(a->byte_enable);
    bool low_part = (a->address & 7) + a->port > 7;
    if (!a->write && legal)
        a->value =
            gw_wb_part(config_register(a->s, a->client, offset), a->address, a->port) & lanes;
    else if (!a->write)
        a->value = 0;
    else if (offset == CONFIG_MSI_REQUEST && low_part && legal && (a->value & lanes & 1) != 0)
        a->client->msi = MSI_UNSUPPORTED;
    a->client->errors <<= a->s->policy.config_shift;
}

static void read_bus(gw_eb_access *a, bool legal)
{
    a->value = 0;
    a->ok = legal && gw_wb_read(&a->s->bus, &a->client->master, a->address, a->byte_enable, a->port,
                                &a->value);
    if (!a->ok)
        gw_eb_end_cycle(a->s, a->client, GW_EB_AT_ERROR);
}

static void write_bus(gw_eb_access *a, bool legal)
{
    uint8_t all = (uint8_t)((1u << a->port) - 1);
    uint8_t lanes = a->s->policy.writes_all_lanes ? all : a->byte_enable;
    a->ok =
        legal && gw_wb_write(&a->s->bus, &a->client->master, a->address, lanes, a->port, a->value);
}

/* Illegal byte enables are not put on the bus: the operation fails. */
void gw_eb_perform(gw_eb_access *a)
{
    const gw_eb_policy *policy = &a->s->policy;
    bool legal = gw_eb_byte_enable_valid(a->byte_enable, a->port);
    if (a->config) {
        access_config(a, legal);
        return;
    }
    if (a->write)
        write_bus(a, legal);
    else
        read_bus(a, legal);
    uint8_t error = a->write ? policy->write_error : policy->read_error;
    a->client->errors = a->client->errors << 1 | (a->ok ? 0 : error);
}

void gw_eb_end_cycle(gw_eb_slave *s, gw_eb_client *client, uint8_t why)
{
    if ((why & s->policy.cycle_ends) != 0)
        gw_wb_end_cycle(&client->master);
}

/* An operation of |record| at |address|, which is cut to the address width. */
static gw_eb_access access_to(gw_eb_slave *s, gw_eb_client *client, const gw_eb_layout *layout,
                              const gw_eb_record *record, uint64_t address, bool config)
{
    bool narrow = layout->addr_bytes == 1;
    if (layout->addr_bytes < 8)
        address &= (UINT64_C(1) << 8 * layout->addr_bytes) - 1;
    return (gw_eb_access){.s = s,
                          .client = client,
                          .layout = layout,
                          .record = record,
                          .address = address + (narrow && !config ? s->policy.narrow_page : 0),
                          .byte_enable = record->byte_enable,
                          .port = layout->data_bytes,
                          .config = config};
}

static void execute_writes(gw_eb_slave *s, gw_eb_client *client, const gw_eb_layout *layout,
                           const gw_eb_record *record)
{
    uint64_t address = record->write_base;
    for (unsigned i = 0; i < record->wcount; i++) {
        gw_eb_access a =
            access_to(s, client, layout, record, address, (record->flags & GW_EB_WCA) != 0);
        a.write = true;
        a.value = gw_eb_write_value(layout, record, i);
        gw_eb_mutant_access(&a);
        address += (record->flags & GW_EB_WFF) != 0 ? 0 : layout->data_bytes;
    }
}

static void execute_reads(gw_eb_slave *s, gw_eb_client *client, const gw_eb_layout *layout,
                          const gw_eb_record *record, uint64_t values[255])
{
    for (unsigned i = 0; i < record->rcount; i++) {
        uint64_t address = gw_eb_read_addr(layout, record, i);
        gw_eb_access a =
            access_to(s, client, layout, record, address, (record->flags & GW_EB_RCA) != 0);
        a.index = (uint8_t)i;
        gw_eb_mutant_access(&a);
        values[i] = a.value;
    }
}

void gw_eb_execute(gw_eb_slave *s, gw_eb_client *client, const gw_eb_layout *layout,
                   const gw_eb_record *record, uint64_t values[255])
{
    bool cyc = (record->flags & GW_EB_CYC) != 0;
    if (s->policy.reads_first)
        execute_reads(s, client, layout, record, values);
    execute_writes(s, client, layout, record);
    if (!s->policy.reads_first)
        execute_reads(s, client, layout, record, values);
    gw_eb_end_cycle(s, client, GW_EB_AT_RECORD_END | (cyc ? GW_EB_AT_CYC : 0));
}
