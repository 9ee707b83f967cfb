/* SPDX-License-Identifier: BSD-2-Clause */
/* SCI packets: read by their structure, and built. What the standard says beyond that is the
 * profile's. */
#include <string.h>

#include "goldwire/writer.h"
#include "l1farm/internal.h"

enum {
    COMMAND_AT = 2, /* of the command symbol */
    BUSY = 0x80,    /* of an echo's command symbol (assumed) */
    RESPONSE = 0x40,
};

static uint16_t reflect16(uint16_t v)
{
    uint16_t out = 0;

    for (unsigned i = 0; i < 16; i++)
        out |= (uint16_t)((v >> i & 1) << (15 - i));
    return out;
}

static uint16_t crc_byte(uint16_t crc, uint8_t byte, uint16_t poly)
{
    crc ^= (uint16_t)(byte << 8);
    for (unsigned i = 0; i < 8; i++)
        crc = (uint16_t)((crc & 0x8000) != 0 ? crc << 1 ^ poly : crc << 1);
    return crc;
}

uint16_t gw_l1_sci_crc(const gw_l1_profile *profile, const uint8_t *symbols, size_t len)
{
    const gw_l1_crc *c = &profile->crc;
    uint16_t crc = c->seed;

    for (size_t i = 0; i < len; i++) {
        uint8_t byte = symbols[i];
        if (i == COMMAND_AT)
            byte &= (uint8_t) ~(profile->flow_mask >> 8);
        else if (i == COMMAND_AT + 1)
            byte &= (uint8_t)~profile->flow_mask;
        if (c->reflected)
            byte = (uint8_t)(reflect16(byte) >> 8);
        crc = crc_byte(crc, byte, c->poly);
    }
    if (c->reflected)
        crc = reflect16(crc);
    return crc ^ c->xorout;
}

bool gw_l1_sci_data_known(uint32_t len)
{
    return len == 0 || len == 16 || len == 64 || len == 128 || len == 256;
}

uint8_t gw_l1_selected(bool write, uint64_t addr, unsigned len)
{
    return (uint8_t)((write ? 0x10 : 0x00) | (((addr & 15) + len - 1) & 15));
}

uint8_t gw_l1_sci_kind_by_length(uint32_t len)
{
    if (len == GW_L1_SCI_ECHO)
        return GW_L1_SCI_IS_ECHO;
    return len >= GW_L1_SCI_HEADER + 2 ? GW_L1_SCI_SEND : GW_L1_SCI_UNKNOWN;
}

static void read_echo(gw_l1_sci *out, const uint8_t *p, uint32_t cap, const gw_l1_profile *profile)
{
    if (cap < GW_L1_SCI_ECHO)
        return;
    out->target = gw_load_be16(p);
    out->command = gw_load_be16(p + 2);
    out->source = gw_load_be16(p + 4);
    out->control = out->command & 0x3f;
    out->has_crc = true;
    out->crc = gw_load_be16(p + 6);
    out->crc_expected = gw_l1_sci_crc(profile, p, 6);
}

static void read_send(gw_l1_sci *out, const uint8_t *p, uint32_t cap, uint32_t len,
                      const gw_l1_profile *profile)
{
    uint32_t head = GW_L1_SCI_HEADER;

    if (cap < GW_L1_SCI_HEADER)
        return;
    out->target = gw_load_be16(p);
    out->command = gw_load_be16(p + 2);
    out->source = gw_load_be16(p + 4);
    out->control = gw_load_be16(p + 6);
    out->addr = gw_load_be(p + 8, 6);
    out->extended =
        (out->command & profile->extended_mask) != 0 && len >= head + GW_L1_SCI_EXTENSION + 2;
    if (out->extended)
        head += GW_L1_SCI_EXTENSION;
    uint32_t data = len >= head + 2 ? len - 2 - head : 0;
    out->data = p + (head < cap ? head : cap);
    out->data_len = cap < head ? 0 : data < cap - head ? data : cap - head;
    if (len < head + 2 || cap < len)
        return;
    out->has_crc = true;
    out->crc = gw_load_be16(p + len - 2);
    out->crc_expected = gw_l1_sci_crc(profile, p, len - 2);
}

void gw_l1_sci_read(gw_l1_sci *out, const uint8_t *symbols, uint32_t cap, uint32_t len,
                    const gw_l1_profile *profile)
{
    out->len = len;
    if (out->kind == GW_L1_SCI_UNKNOWN)
        out->kind = gw_l1_sci_kind_by_length(len);
    if (out->kind == GW_L1_SCI_IS_ECHO)
        read_echo(out, symbols, cap, profile);
    else if (out->kind == GW_L1_SCI_SEND)
        read_send(out, symbols, cap, len, profile);
}

size_t gw_l1_build_send(uint8_t *out, size_t cap, const gw_l1_sci *sci,
                        const gw_l1_profile *profile)
{
    gw_writer w = gw_writer_over(out, cap);

    gw_write_be(&w, sci->target, 2);
    gw_write_be(&w, sci->command, 2);
    gw_write_be(&w, sci->source, 2);
    gw_write_be(&w, sci->control, 2);
    gw_write_be(&w, sci->addr, 6);
    gw_write_bytes(&w, sci->data, sci->data_len);
    if (!w.full)
        gw_write_be(&w, gw_l1_sci_crc(profile, out, w.len), 2);
    return w.full ? 0 : w.len;
}

void gw_l1_build_echo(uint8_t out[GW_L1_SCI_ECHO], const gw_l1_sci *sci, uint16_t node,
                      bool response, bool busy, const gw_l1_profile *profile)
{
    unsigned command = profile->echo_mask | (busy ? BUSY : 0u) | (response ? RESPONSE : 0u) |
                       (sci->control & 0x3f);

    gw_store_be(out, sci->source, 2);
    gw_store_be(out + 2, command, 2);
    gw_store_be(out + 4, node, 2);
    gw_store_be(out + 6, gw_l1_sci_crc(profile, out, 6), 2);
}
