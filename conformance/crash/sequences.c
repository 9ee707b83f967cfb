/* SPDX-License-Identifier: BSD-2-Clause */
/* Pieces of captures, and of sessions with boards. */
#include "crash/sequences.h"

#include "goldwire/etherbone.h"
#include "goldwire/ims.h"
#include "goldwire/l1farm.h"
#include "goldwire/op2p.h"
#include "goldwire/textarossa.h"

/* ---- captures ---- */

/* What the choice of a captured piece holds, from its lowest bit on: REPLY, two bits of flow, and
 * one for each of the others; then two bits of kind. */
enum { REPLY = 0x01, FLOW_AT = 1, BROKEN = 0x08, LATER = 0x10, REPEATED = 0x20, KIND_AT = 6 };

enum { KIND_UDP = 0, KIND_TCP, KIND_LINK, KIND_FRAME };

gw_captured gw_captured_of(uint8_t head, uint8_t choice)
{
    gw_captured c = {
        .flow = choice >> FLOW_AT & (GW_CAPTURED_FLOWS - 1),
        .reply = (choice & REPLY) != 0,
        .broken = (choice & BROKEN) != 0,
        .later = (choice & LATER) != 0,
        .repeated = (choice & REPEATED) != 0,
    };
    const uint8_t kind = choice >> KIND_AT;
    const unsigned other = (head & 0x08) != 0 ? c.flow : 0;

    c.format = gw_formats[((head & 7) + other) % gw_num_formats];
    if (kind == KIND_UDP)
        c.transport = GW_OVER_UDP;
    else if (kind == KIND_TCP)
        c.transport = GW_OVER_TCP;
    else if (kind == KIND_LINK && c.format->num_links > 0)
        c.link = &c.format->links[c.flow % c.format->num_links];
    return c;
}

uint8_t gw_captured_choice(const gw_captured *c)
{
    unsigned kind = c->link != NULL               ? KIND_LINK
                    : c->transport == GW_OVER_UDP ? KIND_UDP
                    : c->transport == GW_OVER_TCP ? KIND_TCP
                                                  : KIND_FRAME;
    unsigned flow = c->link != NULL ? (unsigned)(c->link - c->format->links) : c->flow;

    return (uint8_t)((c->reply ? REPLY : 0u) | (flow % GW_CAPTURED_FLOWS) << FLOW_AT |
                     (c->broken ? BROKEN : 0u) | (c->later ? LATER : 0u) |
                     (c->repeated ? REPEATED : 0u) | kind << KIND_AT);
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

enum { LINKS = 7, CLIENT_AT = 3, DELAY_AT = 5, NS_A_MS = 1000000 };

/* What boards wait for lies between these. */
static const int32_t delays_ms[] = {0, 1, 20, 150, 600, 1500, 6000, 25000};

gw_said gw_said_of(uint8_t choice)
{
    return (gw_said){
        .delay_ns = (int64_t)delays_ms[choice >> DELAY_AT] * NS_A_MS,
        .link = choice & LINKS,
        .client = choice >> CLIENT_AT & 1,
        .ends = (choice & GW_SAID_ENDS) != 0,
    };
}

uint8_t gw_said_choice(const gw_said *said)
{
    unsigned delay = 0;

    while (delay + 1 < GW_ARRAY_LEN(delays_ms) &&
           (int64_t)delays_ms[delay] * NS_A_MS < said->delay_ns)
        delay++;
    return (uint8_t)((said->link & LINKS) | (said->client & 1u) << CLIENT_AT |
                     (said->ends ? GW_SAID_ENDS : 0u) | delay << DELAY_AT);
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
