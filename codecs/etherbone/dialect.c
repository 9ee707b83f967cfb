/* SPDX-License-Identifier: BSD-2-Clause */
/* How real EtherBone devices depart from the specification, as data, and the layouts that follow.
 */
#include "etherbone/internal.h"

static const gw_eb_dialect strict = {.min_header = 4};

/* LiteEth's core and LiteX's Python: 8-byte headers, mirrored flags, no probe id, no NR. */
static const gw_eb_dialect litex = {.min_header = 8,
                                    .records_after_probe = true,
                                    .mirrored_flags = true,
                                    .natural_widths = true,
                                    .framing = GW_EB_HEADER_EACH_PACKET};
static const char *const litex_waives[] = {"EB-S03", "EB-S04", "EB-S05", "EB-S08", "EB-S12",
                                           "EB-S20", "EB-S21", "EB-S24", "EB-S44", "EB-M02",
                                           "EB-M06", "EB-M10", "EB-M11", NULL};

/* The GSI/CERN VHDL slave: zero-filled replies, whole words whatever the byte enables, 32/32 only.
 */
static const gw_eb_dialect gsi = {
    .min_header = 4, .records_after_probe = true, .either_width = true, .zero_filled_reply = true};
static const char *const gsi_waives[] = {"EB-S05", "EB-S09", "EB-S23", "EB-S29", NULL};

/* libetherbone: compressed replies; reserved header bit and padding are echoed. */
static const gw_eb_dialect libetherbone = {.min_header = 4};
static const char *const libetherbone_waives[] = {"EB-S13", "EB-S37", NULL};

const gw_dialect gw_eb_dialects[GW_EB_NUM_DIALECTS] = {
    {"strict", "The specification as it stands", &strict, NULL},
    {"litex", "LiteX and LiteEth: 8-byte headers, mirrored flags, natural widths", &litex,
     litex_waives},
    {"gsi", "GSI/CERN VHDL slave: 32/32, zero-filled replies", &gsi, gsi_waives},
    {"libetherbone", "libetherbone: compressed replies, echoes reserved bits", &libetherbone,
     libetherbone_waives},
};

const gw_eb_dialect *gw_eb_dialect_of(const gw_dialect *dialect)
{
    return dialect == NULL ? &strict : (const gw_eb_dialect *)dialect->data;
}

static bool one_bit(unsigned nibble)
{
    return nibble != 0 && (nibble & (nibble - 1)) == 0;
}

static uint8_t max2(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

bool gw_eb_layout_for(gw_eb_layout *out, uint8_t widths, const gw_dialect *dialect)
{
    const gw_eb_dialect *d = gw_eb_dialect_of(dialect);
    uint8_t addr = widths >> 4, port = widths & 15; /* a width code is its number of bytes */

    if (d->either_width) {
        if (((addr | port) & GW_EB_32BIT) == 0)
            return false;
        addr = port = GW_EB_32BIT;
    }
    if (!one_bit(addr) || !one_bit(port))
        return false;

    uint8_t unit = max2(2, max2(addr, port));
    *out = (gw_eb_layout){
        .widths = (uint8_t)(addr << 4 | port),
        .header_len = max2(d->min_header, unit == 8 ? 8 : 4),
        .record_header = unit == 8 && !d->natural_widths ? 8 : 4,
        .addr_unit = d->natural_widths ? addr : unit,
        .data_unit = d->natural_widths ? port : unit,
        .addr_bytes = addr,
        .data_bytes = port,
        .mirrored_flags = d->mirrored_flags,
    };
    return true;
}

static uint8_t widest(unsigned mask)
{
    uint8_t bit = 8;
    while (bit != 0 && (mask & bit) == 0)
        bit >>= 1;
    return bit;
}

uint8_t gw_eb_refine(uint8_t widths, uint8_t other)
{
    uint8_t both = widths & other;
    uint8_t addr = widest(both >> 4), port = widest(both & 15);

    return addr == 0 || port == 0 ? 0 : (uint8_t)(addr << 4 | port);
}

uint32_t gw_eb_record_len(const gw_eb_layout *layout, uint8_t wcount, uint8_t rcount)
{
    uint32_t len = layout->record_header;
    if (wcount > 0)
        len += layout->addr_unit + (uint32_t)wcount * layout->data_unit;
    if (rcount > 0)
        len += layout->addr_unit + (uint32_t)rcount * layout->addr_unit;
    return len;
}

uint8_t gw_eb_flags_swap(uint8_t flags)
{
    uint8_t out = 0;
    for (unsigned bit = 0; bit < 8; bit++) {
        if (flags & 1u << bit)
            out |= (uint8_t)(0x80u >> bit);
    }
    return out;
}

bool gw_eb_byte_enable_valid(uint8_t byte_enable, uint8_t port_bytes)
{
    unsigned lanes = byte_enable;

    if (lanes == 0 || lanes >> port_bytes != 0)
        return false;
    unsigned shift = 0;
    while ((lanes & 1) == 0) {
        lanes >>= 1;
        shift++;
    }
    unsigned run = 0;
    while ((lanes & 1) != 0) {
        lanes >>= 1;
        run++;
    }
    return lanes == 0 && (run & (run - 1)) == 0 && shift % run == 0;
}
