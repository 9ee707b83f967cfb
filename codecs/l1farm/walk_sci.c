/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading SCI: packets, their records, and traced links. */
#include "l1farm/walk.h"

static void derive_crc(gw_l1_reading *r, const gw_l1_sci *sci, uint32_t offset)
{
    if (!sci->has_crc || !r->profile->judge_crc)
        return;
    gw_l1_derive(&r->w, GW_L1_F_CRC_EXPECTED, sci->crc_expected, offset);
    gw_l1_derive(&r->w, GW_L1_F_CRC_STATUS, sci->crc != sci->crc_expected, offset);
}

/* Blocks of codes that a derivative's public code gives: 0x00 and 0x10 (assumed). */
static unsigned transaction(unsigned command)
{
    return command < 0x20 ? 1 + (command >> 4) : 0;
}

static void read_send(gw_l1_reading *r, const gw_l1_sci *sci)
{
    gw_walk *w = &r->w;
    const gw_l1_profile *profile = r->profile;
    uint32_t start = gw_cursor_offset(&w->c);
    uint32_t head = GW_L1_SCI_HEADER + (sci->extended ? GW_L1_SCI_EXTENSION : 0);
    bool layout = profile->layout;

    //@ split layout;
    if (!gw_l1_flat(w, layout ? GW_L1_G_SEND : GW_L1_G_SEND_PLAIN))
        return;
    if (layout)
        gw_l1_derive(w, GW_L1_F_TRANSACTION, transaction(sci->command & profile->command_mask),
                     start + GW_L1_BYTE_OF_SEND_COMMAND);
    if (sci->extended &&
        !gw_l1_string(w, GW_L1_G_EXTENSION, GW_L1_F_EXTENSION, GW_L1_SCI_EXTENSION))
        return;
    if (sci->len > head + 2 &&
        !gw_l1_string(w, GW_L1_G_SCI_DATA, GW_L1_F_SCI_DATA, sci->len - head - 2))
        return;
    if (gw_l1_flat(w, GW_L1_G_SCI_CRC))
        derive_crc(r, sci, start + sci->len - GW_L1_BYTES_IN_SCI_CRC);
}

/* |len| bytes are due. */
static void read_packet(gw_l1_reading *r, gw_l1_sci *sci, uint32_t len)
{
    gw_walk *w = &r->w;
    uint32_t start = gw_cursor_offset(&w->c);
    bool layout = r->profile->layout;

    //@ split layout;
    gw_l1_sci_read(sci, w->c, len, r->profile);
    switch (sci->kind) {
    case GW_L1_SCI_SEND:
        read_send(r, sci);
        return;
    case GW_L1_SCI_IS_ECHO: /* what follows is not part of it */
        if (gw_l1_flat(w, layout ? GW_L1_G_ECHO : GW_L1_G_ECHO_PLAIN))
            derive_crc(r, sci, start + GW_L1_BYTE_OF_ECHO_CRC);
        return;
    default:
        gw_l1_string(w, GW_L1_G_SYMBOLS, GW_L1_F_SYMBOLS, len);
        return;
    }
}

void gw_l1_read_record(gw_l1_reading *r, uint32_t len)
{
    gw_walk *w = &r->w;
    gw_l1_sci *sci = &r->out->u.sci;
    uint32_t start = gw_cursor_offset(&w->c);

    if (!gw_l1_flat(w, GW_L1_G_RECORD))
        return;
    const uint8_t *at = gw_l1_taken(w, GW_L1_G_RECORD);
    if (GET(at, SCI_VERSION) != 1) {
        gw_l1_stop(w, GW_UNSUPPORTED, start, GW_L1_F_SCI_VERSION);
        return;
    }
    uint8_t kind = GET(at, SCI_KIND);
    if (kind > GW_L1_SCI_UNKNOWN) {
        gw_l1_stop(w, GW_UNSUPPORTED, start, GW_L1_F_SCI_KIND);
        return;
    }
    sci->kind = kind;
    sci->flags = GET(at, SCI_FLAGS);
    sci->ringlet = GET(at, SCI_RINGLET);
    r->out->has = GW_L1_HAS_SCI;
    read_packet(r, sci, len - GW_L1_SCI_RECORD);
}

/* Clocks are the leaves; the packets among them are derived. */
void gw_l1_read_trace(gw_walk *w)
{
    gw_cursor clocks = w->c;
    gw_l1_traced packet = {0};

    gw_l1_each(w, GW_L1_G_CLOCK, GW_L1_G_CLOCKED);
    while (w->sink != NULL && gw_l1_trace_read(&packet, &clocks)) {
        gw_l1_derive(w, GW_L1_F_TRACE_KIND, packet.kind, packet.offset);
        gw_walk_derive_bytes(w, gw_l1_field(GW_L1_F_TRACE_PACKET), packet.symbols,
                             gw_l1_traced_len(&packet), packet.offset);
    }
}
