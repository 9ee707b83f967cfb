/* SPDX-License-Identifier: BSD-2-Clause */
/* How real EtherBone devices depart from the specification, as data, and the layouts that follow.
 */
#include "etherbone/internal.h"

/* A width code is its number of bytes. One alignment unit for everything, at least 2 bytes (spec
 * 808). */
#define UNIT(a, d) (((a) | (d)) >= 8 ? 8 : ((a) | (d)) >= 4 ? 4 : 2)
#define ALIGNED(a, d)                                                                              \
    [GW_EB_PAIR(a, d)] = {.widths = GW_EB_PAIR(a, d),                                              \
                          .header_len = UNIT(a, d) == 8 ? 8 : 4,                                   \
                          .record_header = UNIT(a, d) == 8 ? 8 : 4,                                \
                          .addr_unit = UNIT(a, d),                                                 \
                          .data_unit = UNIT(a, d),                                                 \
                          .addr_bytes = (a),                                                       \
                          .data_bytes = (d)}
/* LiteX: 8-byte packet headers, 4-byte record headers, addresses and data in their own width. */
#define NATURAL(a, d)                                                                              \
    [GW_EB_PAIR(a, d)] = {.widths = GW_EB_PAIR(a, d),                                              \
                          .header_len = 8,                                                         \
                          .record_header = 4,                                                      \
                          .addr_unit = (a),                                                        \
                          .data_unit = (d),                                                        \
                          .addr_bytes = (a),                                                       \
                          .data_bytes = (d),                                                       \
                          .mirrored_flags = true}
#define PORTS(kind, a) kind(a, 1), kind(a, 2), kind(a, 4), kind(a, 8)
#define PAIRS(kind) PORTS(kind, 1), PORTS(kind, 2), PORTS(kind, 4), PORTS(kind, 8)

static const gw_eb_layout aligned[256] = {PAIRS(ALIGNED)};
static const gw_eb_layout natural[256] = {PAIRS(NATURAL)};

static const gw_eb_dialect strict = {.layouts = aligned};

/* LiteEth's core and LiteX's Python: flags numbered from the other end, one record a packet. */
static const gw_eb_dialect litex = {.layouts = natural,
                                    .framing = GW_EB_HEADER_EACH_PACKET,
                                    .probe_len = 12,
                                    .record_words = 16,
                                    .answers_own_port = true,
                                    .no_config_space = true,
                                    .whole_words = true};

/* The GSI/CERN VHDL slave: zero-filled replies, whole words whatever the byte enables, 32/32 only.
 */
static const gw_eb_dialect gsi = {.layouts = aligned,
                                  .records_after_probe = true,
                                  .either_width = true,
                                  .zero_filled_reply = true,
                                  .whole_words = true,
                                  .shared_errors = true};

/* libetherbone: compressed replies; reserved header bit and padding are echoed. */
static const gw_eb_dialect libetherbone = {.layouts = aligned, .whole_messages = true};

const gw_dialect gw_eb_dialects[GW_EB_NUM_DIALECTS] = {
    {"strict", "The specification as it stands", &strict, NULL},
    {"litex", "LiteX and LiteEth: 8-byte headers, mirrored flags, natural widths", &litex,
     gw_eb_litex_known},
    {"gsi", "GSI/CERN VHDL slave: 32/32, zero-filled replies", &gsi, gw_eb_gsi_known},
    {"libetherbone", "libetherbone: compressed replies, echoes reserved bits", &libetherbone,
     gw_eb_libetherbone_known},
};

/* For this file, where no call is due: a public function may be another's. */
static inline const gw_eb_dialect *data_of(const gw_dialect *dialect)
{
    return dialect == NULL ? &strict : (const gw_eb_dialect *)dialect->data;
}

const gw_eb_dialect *gw_eb_dialect_of(const gw_dialect *dialect)
{
    return data_of(dialect);
}

bool gw_eb_same_port(const gw_dialect *dialect)
{
    return gw_eb_dialect_of(dialect)->answers_own_port;
}

bool gw_eb_layout_for(gw_eb_layout *out, uint8_t widths, const gw_dialect *dialect)
{
    const gw_eb_dialect *d = data_of(dialect);

    if (d->either_width)
        widths = ((gw_eb_addr_code(widths) | gw_eb_port_code(widths)) & GW_EB_32BIT) != 0
                     ? GW_EB_PAIR(GW_EB_32BIT, GW_EB_32BIT)
                     : 0;
    *out = d->layouts[widths];
    return out->widths != 0;
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
    uint8_t addr = widest(gw_eb_addr_code(both)), port = widest(gw_eb_port_code(both));

    return addr == 0 || port == 0 ? 0 : (uint8_t)GW_EB_PAIR(addr, port);
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

size_t gw_eb_probe_len(const gw_dialect *dialect)
{
    uint8_t len = gw_eb_dialect_of(dialect)->probe_len;
    return len != 0 ? len : GW_EB_PROBE_LEN;
}

bool gw_eb_probe_answers(const uint8_t *data, size_t len, uint32_t id)
{
    if (len >= GW_EB_PROBE_LEN && gw_eb_probe_id(data) == id)
        return true;
    return len == GW_EB_PROBE_MAX && GET(data + GW_EB_PROBE_LEN, PROBE_TAIL) == id;
}

/* One record behind the header: it writes or reads, as many words as are there. */
static bool fits_one_record(const gw_eb_dialect *d, const uint8_t *data, size_t len)
{
    const gw_eb_layout *l = &d->layouts[GW_EB_PAIR(GW_EB_32BIT, GW_EB_32BIT)];
    gw_eb_record r;

    gw_eb_record_head(&r, l, data + l->header_len);
    return (r.wcount == 0) != (r.rcount == 0) && r.wcount + r.rcount <= d->record_words &&
           len == l->header_len + gw_eb_record_len(l, r.wcount, r.rcount);
}

bool gw_eb_survives(const gw_dialect *dialect, const uint8_t *data, size_t len)
{
    const gw_eb_dialect *d = gw_eb_dialect_of(dialect);

    if (d->record_words == 0)
        return true;
    if (len < d->probe_len)
        return false;
    if (!gw_eb_has_magic(data))
        return true; /* dropped, for it is long enough */
    if (GET(data, PF) != 0)
        return len == d->probe_len;
    return fits_one_record(d, data, len);
}
