/* SPDX-License-Identifier: BSD-2-Clause */
/* What one message shows of its sender. */
#include "textarossa/check.h"

/* What is left after a header-only packet, or a footer; and what is missing. */
static void check_length(const gw_tx_checking *c)
{
    const gw_tx_packet *p = &c->p;
    bool udp = c->message->transport == GW_OVER_UDP;
    enum gw_tx_rule_place rule = udp ? TX_N1 : TX_E2;
    uint64_t need = (uint64_t)gw_tx_packet_words(&p->header, p->word_bytes) * p->word_bytes;

    if (c->error.capture_cut || c->error.kind == GW_OK)
        return;
    if (c->message->tunnel && c->message->len == 0)
        return; /* no word at all: how a tunnel's other end makes itself known */
    if (!p->has_header)
        gw_report(&c->judge, &gw_tx_rules[rule], c->error.field, c->error.offset,
                  "%d bytes; a header alone has %d", GW_NUMBERS(c->message->len, p->word_bytes));
    else if (c->error.kind == GW_TRUNCATED)
        gw_tx_report_header(c, rule, GW_TX_F_PACKET_SIZE,
                            "packet_size %d takes %d bytes with header and footer; there are %d",
                            GW_NUMBERS(p->header.packet_size, need, c->message->len));
    else
        gw_report(&c->judge, &gw_tx_rules[rule], c->error.field, c->error.offset,
                  "%d byte%s after the end of the packet; a datagram holds one",
                  GW_NUMBERS(c->message->len - c->error.offset));
}

static void check_gu(const gw_tx_checking *c)
{
    const gw_tx_packet *p = &c->p;
    gw_tx_gu gu;

    if (!c->d->gu || !gw_tx_gu_read(&gu, p))
        return;
    if (gu.underflow)
        gw_tx_report(&c->judge, TX_E13, GW_TX_F_PAYLOAD, p->payload_offset,
                     "%d headers and a count in a payload of %d word%s",
                     GW_NUMBERS(gu.count, gu.words));
    else if (gu.size_as_published)
        gw_tx_report_header(c, TX_E13, GW_TX_F_PACKET_SIZE,
                            "packet_size %d is no multiple of 16: headers were counted as bytes",
                            GW_NUMBERS(p->header.packet_size));
}

static bool names_destination(const gw_tx_header *h, const gw_endpoint *dst)
{
    return (uint32_t)h->dest_addr == gw_load_be32(dst->ip) && h->dest_addr >> 32 == dst->port;
}

/* A header that names its own destination when it is read another way was meant that way, and
 * whatever else is said of it would be wrong. */
static bool is_misread(const gw_tx_checking *c)
{
    const gw_tx_packet *p = &c->p;
    gw_tx_order fit = gw_tx_detect(c->message, c->d);
    static const char *const hints[] = {
        "in byte order A this header names the datagram's own address and port; see --dialect",
        "in byte order B this header names the datagram's own address and port; see --dialect",
        "in byte order C this header names the datagram's own address and port; see --dialect",
    };

    if (fit == (gw_tx_order)p->order)
        return false;
    if (fit != GW_TX_ORDER_DETECT) {
        gw_tx_report_header(c, TX_N13, GW_TX_F_DEST_ADDR, hints[fit], NULL);
        return true;
    }
    if (p->layout == GW_TX_HLS || !gw_tx_has_carrier(c->message) ||
        c->message->dst.family != GW_FAMILY_IPV4)
        return false;
    gw_tx_header other = gw_tx_unpack(gw_tx_pack(&p->header, GW_TX_PORT), GW_TX_HLS);
    if (!names_destination(&other, &c->message->dst))
        return false;
    gw_tx_report_header(c, TX_E1, GW_TX_F_DEST_ADDR,
                        "read as the HLS view this header names the datagram's own address and "
                        "port; port layout is expected",
                        NULL);
    return true;
}

static void check_datagram(const gw_tx_checking *c)
{
    gw_tx_check_carrier(c);
    if (c->p.has_header && is_misread(c))
        return;
    check_length(c);
    if (!c->p.has_header)
        return;
    gw_tx_check_header(c);
    check_gu(c);
}

void gw_tx_check(const gw_message *message, const gw_dialect *dialect, gw_verdict_sink *sink)
{
    gw_tx_checking c = {.judge = gw_judge_of(message, dialect, sink),
                        .message = message,
                        .d = gw_tx_dialect_of(dialect)};

    c.error = gw_tx_decode(&c.p, message, dialect);
    //@ split c.p.order;
    switch (message->part) {
    case GW_TX_PART_DATAGRAM:
        check_datagram(&c);
        return;
    case GW_TX_PART_LINK:
        gw_tx_check_link(&c);
        if (!c.p.has_header || c.p.edac.status == GW_TX_EDAC_FATAL)
            return;
        gw_tx_check_header(&c);
        check_gu(&c);
        return;
    case GW_TX_PART_IDLE:
        gw_tx_check_link(&c);
        return;
    default:
        return; /* of bytes that cannot be placed nothing can be said */
    }
}
