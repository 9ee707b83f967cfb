/* SPDX-License-Identifier: BSD-2-Clause */
/* SCI packets: read by their structure, and built. What the standard says beyond that is the
 * profile's. */
#include <string.h>

#include "goldwire/writer.h"
#include "l1farm/internal.h"

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
        if (i == GW_L1_BYTE_OF_SEND_COMMAND)
            byte &= (uint8_t) ~(profile->flow_mask >> 8);
        else if (i == GW_L1_BYTE_OF_SEND_COMMAND + 1)
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

uint8_t gw_l1_sci_kind_by_length(uint32_t len)
{
    if (len == GW_L1_SCI_ECHO)
        return GW_L1_SCI_IS_ECHO;
    return len >= GW_L1_SCI_HEADER + 2 ? GW_L1_SCI_SEND : GW_L1_SCI_UNKNOWN;
}

static void read_echo(gw_l1_sci *out, gw_cursor symbols, const gw_l1_profile *profile)
{
    const uint8_t *p;

    if (!gw_cursor_bytes(&symbols, &p, GW_L1_SCI_ECHO))
        return;
    out->target = GET(p, ECHO_TARGET);
    out->command = GET(p, ECHO_COMMAND);
    out->source = GET(p, ECHO_SOURCE);
    out->control = GET(p, ECHO_TID);
    out->has_crc = true;
    out->crc = GET(p, ECHO_CRC);
    out->crc_expected = gw_l1_sci_crc(profile, p, GW_L1_BYTE_OF_ECHO_CRC);
}

/* The CRC, where the packet was captured up to it. */
static void read_crc(gw_l1_sci *out, gw_cursor symbols, uint32_t len, const gw_l1_profile *profile)
{
    //@ slevel 3000;
    const uint8_t *p;

    if (gw_cursor_left(&symbols) < len)
        return;
    //@ split len;
    if (!gw_cursor_bytes(&symbols, &p, len))
        return;
    out->has_crc = true;
    out->crc = GET(p + len - GW_L1_BYTES_IN_SCI_CRC, SEND_CRC);
    out->crc_expected = gw_l1_sci_crc(profile, p, len - GW_L1_BYTES_IN_SCI_CRC);
}

static void read_send(gw_l1_sci *out, gw_cursor symbols, uint32_t len, const gw_l1_profile *profile)
{
    gw_cursor rest = symbols;
    const uint8_t *p;

    if (!gw_cursor_bytes(&rest, &p, GW_L1_SCI_HEADER))
        return;
    out->target = GET(p, SEND_TARGET);
    out->command = GET(p, SEND_COMMAND);
    out->source = GET(p, SEND_SOURCE);
    out->control = gw_bits_get_msb0(p, GW_L1_FROM_SEND_TOD, GW_L1_TO_SEND_TID);
    out->addr = GET(p, SEND_ADDR);
    out->extended = (out->command & profile->extended_mask) != 0 &&
                    len >= GW_L1_SCI_HEADER + GW_L1_SCI_EXTENSION + 2;
    uint32_t extension = out->extended ? GW_L1_SCI_EXTENSION : 0;
    uint32_t head = GW_L1_SCI_HEADER + extension;
    if (!gw_cursor_skip(&rest, extension))
        gw_cursor_bound(&rest, 0);
    uint32_t data = len >= head + 2 ? len - 2 - head : 0;
    gw_cursor_bound(&rest, data);
    out->data = rest.p;
    out->data_len = (uint32_t)gw_cursor_left(&rest);
    if (len >= head + 2)
        read_crc(out, symbols, len, profile);
}

void gw_l1_sci_read(gw_l1_sci *out, gw_cursor symbols, uint32_t len, const gw_l1_profile *profile)
{
    out->len = len;
    if (out->kind == GW_L1_SCI_UNKNOWN)
        out->kind = gw_l1_sci_kind_by_length(len);
    if (out->kind == GW_L1_SCI_IS_ECHO)
        read_echo(out, symbols, profile);
    else if (out->kind == GW_L1_SCI_SEND)
        read_send(out, symbols, len, profile);
}

size_t gw_l1_build_send(uint8_t *out, size_t cap, const gw_l1_sci *sci,
                        const gw_l1_profile *profile)
{
    gw_writer w = gw_writer_over(out, cap);
    uint8_t head[GW_L1_SCI_HEADER] = {0};

    PUT(head, SEND_TARGET, sci->target);
    PUT(head, SEND_COMMAND, sci->command);
    PUT(head, SEND_SOURCE, sci->source);
    gw_bits_put_msb0(head, GW_L1_FROM_SEND_TOD, GW_L1_TO_SEND_TID, sci->control);
    PUT(head, SEND_ADDR, sci->addr);
    gw_write_bytes(&w, head, sizeof head);
    gw_write_bytes(&w, sci->data, sci->data_len);
    if (!w.full)
        gw_write_be(&w, gw_l1_sci_crc(profile, out, w.len), 2);
    return w.full ? 0 : w.len;
}

void gw_l1_build_echo(uint8_t out[GW_L1_SCI_ECHO], const gw_l1_sci *sci, uint16_t node,
                      bool response, bool busy, const gw_l1_profile *profile)
{
    memset(out, 0, GW_L1_SCI_ECHO);
    PUT(out, ECHO_TARGET, sci->source);
    PUT(out, ECHO_COMMAND, profile->echo_mask);
    PUT(out, ECHO_BUSY, busy);
    PUT(out, ECHO_RESPONSE, response);
    PUT(out, ECHO_TID, gw_l1_tid(sci));
    PUT(out, ECHO_SOURCE, node);
    PUT(out, ECHO_CRC, gw_l1_sci_crc(profile, out, GW_L1_BYTE_OF_ECHO_CRC));
}
