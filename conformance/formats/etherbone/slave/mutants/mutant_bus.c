/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do to single operations, on the bus and in the config space. */
#include "formats/etherbone/slave/mutants/mutants.h"

#define CONFIG_MSI 0x20 /* registers from here on */

void gw_eb_mutant_access(gw_eb_access *a)
{
    if (a->s->mutation->access != NULL)
        a->s->mutation->access(a);
    else
        gw_eb_perform(a);
}

static bool is_valid(const gw_eb_access *a)
{
    return gw_eb_byte_enable_valid(a->byte_enable, a->port);
}

static bool reads_bus(const gw_eb_access *a)
{
    return !a->write && !a->config;
}

static bool reads_config(const gw_eb_access *a)
{
    return !a->write && a->config;
}

/* ---- the bus ---- */

void gw_eb_m_wrong_lanes(gw_eb_access *a)
{
    gw_eb_perform(a);
    for (uint8_t lanes = a->byte_enable; reads_bus(a) && a->ok && (lanes & 1) == 0; lanes >>= 1)
        a->value >>= 8;
}

/* All addresses are taken from the place before, the first one whole. */
void gw_eb_m_mixed_record_misread(gw_eb_access *a)
{
    const gw_eb_record *record = a->record;
    if (!a->write && record->wcount > 0)
        a->address =
            a->index == 0 ? record->return_base : gw_eb_read_addr(a->layout, record, a->index - 1u);
    gw_eb_perform(a);
}

void gw_eb_m_lanes_of_first_record(gw_eb_access *a)
{
    gw_eb_perform(a);
    if (reads_bus(a))
        a->value &= gw_wb_lanes(a->s->kept.first_lanes);
}

void gw_eb_m_illegal_lanes_stay(gw_eb_access *a)
{
    gw_eb_kept *kept = &a->s->kept;
    kept->lanes = is_valid(a) ? kept->lanes : a->byte_enable;
    kept->has_lanes = kept->has_lanes || !is_valid(a);
    gw_eb_perform(a);
    if (reads_bus(a) && kept->has_lanes)
        a->value &= gw_wb_lanes(kept->lanes);
}

/* What an empty FIFO did not give stays in the pipe, and everything behind it comes one place late.
 */
void gw_eb_m_empty_fifo_shifts(gw_eb_access *a)
{
    gw_eb_kept *kept = &a->s->kept;
    gw_eb_perform(a);
    if (!reads_bus(a))
        return;
    uint64_t value = a->value;
    kept->late = kept->late && a->index > 0;
    if (kept->late)
        a->value = kept->pipe;
    kept->late = kept->late || (!a->ok && gw_wb_is_fifo(&a->s->bus, a->address));
    kept->pipe = value;
}

void gw_eb_m_silent_errors(gw_eb_access *a)
{
    gw_eb_kept *kept = &a->s->kept;
    gw_eb_perform(a);
    if (!reads_bus(a))
        return;
    bool nobody = !a->ok && is_valid(a) && !gw_wb_is_fifo(&a->s->bus, a->address);
    kept->mute = kept->mute || (nobody && kept->num_bus_reads == 0);
    kept->num_bus_reads++;
}

/* Odd is what is unaligned, or not of the whole port (spec 1016). */
void gw_eb_m_odd_config_counts(gw_eb_access *a)
{
    bool odd = a->address % a->port != 0 || a->byte_enable != (1u << a->port) - 1;
    if (reads_config(a) && odd)
        a->client->errors = a->client->errors << 1 | 1;
    gw_eb_perform(a);
}

/* ---- the config space ---- */

void gw_eb_m_little_endian_config(gw_eb_access *a)
{
    uint8_t bytes[8];
    gw_eb_access whole = *a;
    gw_eb_perform(a);
    if (!reads_config(a) || !is_valid(a))
        return;
    whole.port = sizeof(bytes);
    whole.byte_enable = 0xff;
    gw_eb_perform(&whole);
    for (unsigned i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(whole.value >> 8 * i);
    a->value = gw_wb_part(gw_load_be64(bytes), a->address, a->port) & gw_wb_lanes(a->byte_enable);
}

void gw_eb_m_config_low_part(gw_eb_access *a)
{
    if (reads_config(a) && a->port < 4)
        a->address |= 4u - a->port;
    gw_eb_perform(a);
}

void gw_eb_m_config_latched(gw_eb_access *a)
{
    gw_eb_kept *kept = &a->s->kept;
    gw_eb_perform(a);
    if (!reads_config(a) || !is_valid(a))
        return;
    uint64_t right = a->value;
    if (kept->latched)
        a->value = kept->config;
    kept->config = right;
    kept->latched = false;
}

void gw_eb_m_silent_msi(gw_eb_access *a)
{
    if (reads_config(a) && is_valid(a) && a->address >= CONFIG_MSI)
        a->s->kept.mute = true;
    gw_eb_perform(a);
}
