/* SPDX-License-Identifier: BSD-2-Clause */
/* Pieces of captures, and of sessions with boards. */
#include "crash/sequences.h"

#include "goldwire/etherbone.h"
#include "goldwire/ims.h"
#include "goldwire/l1farm.h"
#include "goldwire/op2p.h"
#include "goldwire/textarossa.h"

/* ---- captures ---- */

gw_captured gw_captured_of(uint8_t head, uint8_t choice)
{
    gw_captured c = {
        .flow = choice >> 1 & 3,
        .reply = (choice & 0x01) != 0,
        .broken = (choice & 0x08) != 0,
        .later = (choice & 0x10) != 0,
        .repeated = (choice & 0x20) != 0,
    };
    const uint8_t kind = choice >> 6;
    const unsigned other = (head & 0x08) != 0 ? c.flow : 0;

    c.format = gw_formats[((head & 7) + other) % gw_num_formats];
    if (kind == 0)
        c.transport = GW_OVER_UDP;
    else if (kind == 1)
        c.transport = GW_OVER_TCP;
    else if (kind == 2 && c.format->num_links > 0)
        c.link = &c.format->links[c.flow % c.format->num_links];
    return c;
}

static void ws_capture(gw_message *m, const uint8_t *head, uint8_t choice)
{
    gw_captured c = gw_captured_of(head[0], choice);

    m->transport = c.transport;
    m->dir = c.reply ? GW_DIR_OUT : GW_DIR_IN;
    if (c.link == NULL)
        return;
    m->link_type = c.link->link_type;
    m->part = c.link->part;
}

/* ---- sessions ---- */

gw_said gw_said_of(uint8_t choice)
{
    /* What boards wait for lies between these. */
    static const int32_t delays_ms[] = {0, 1, 20, 150, 600, 1500, 6000, 25000};

    return (gw_said){
        .delay_ns = (int64_t)delays_ms[choice >> 5] * 1000000,
        .link = choice & 7,
        .client = choice >> 3 & 1,
        .ends = (choice & 0x10) != 0,
    };
}

const gw_format *gw_fuzz_board_format(uint8_t head)
{
    static const gw_format *const formats[] = {
        &gw_etherbone, &gw_etherbone, &gw_op2p,   &gw_textarossa, &gw_textarossa,
        &gw_ims,       &gw_ims,       &gw_l1farm, &gw_l1farm,     &gw_l1farm,
    };
    return formats[head % GW_ARRAY_LEN(formats)];
}

static void board_said(gw_message *m, const uint8_t *head, uint8_t choice)
{
    const gw_format *format = gw_fuzz_board_format(head[0]);

    if (format == &gw_textarossa)
        m->part = (choice & 7) != 0 ? GW_TX_PART_DATAGRAM : GW_TX_PART_LINK;
    else if (format == &gw_l1farm)
        m->part = GW_L1_TUNNEL;
    if (format == &gw_ims)
        return;
    m->transport = GW_OVER_UDP;
    m->side = GW_SIDE_CALLER;
}

/* ---- either ---- */

static bool is_session(const gw_fuzz_layout *layout)
{
    return layout == &gw_fuzz_layouts[GW_FUZZ_boards] || layout == &gw_fuzz_layouts[GW_FUZZ_traces];
}

const gw_format *gw_fuzz_any_format(const gw_fuzz_layout *layout, const uint8_t *head,
                                    uint8_t choice)
{
    if (is_session(layout))
        return gw_fuzz_board_format(head[0]);
    if (layout != &gw_fuzz_layouts[GW_FUZZ_wireshark_capture])
        return NULL;
    gw_captured piece = gw_captured_of(head[0], choice);
    return piece.link != NULL || piece.transport != GW_OVER_NOTHING ? piece.format : NULL;
}

gw_message gw_fuzz_any_message(const gw_fuzz_layout *layout, const uint8_t *head, uint8_t choice,
                               const uint8_t *bytes, size_t len)
{
    gw_message m = gw_fuzz_message(layout, head, choice, bytes, len);

    if (is_session(layout))
        board_said(&m, head, choice);
    else if (layout == &gw_fuzz_layouts[GW_FUZZ_wireshark_capture])
        ws_capture(&m, head, choice);
    return m;
}
