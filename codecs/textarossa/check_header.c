/* SPDX-License-Identifier: BSD-2-Clause */
/* Judging the fields of a header. */
#include <string.h>

#include "core/check.h"
#include "textarossa/check.h"

enum {
    TYPE_UNUSED = 0x1f & ~(GW_TX_TYPE_HEADER_ONLY | GW_TX_TYPE_ETH),
};

void gw_tx_report(const gw_judge *judge, enum gw_tx_rule_place rule, int field, uint32_t offset,
                  const char *text, const uint64_t *numbers)
{
    gw_report(judge, &gw_tx_rules[rule], gw_tx_field(field), offset, text, numbers);
}

/* The field of that name in the group that the header was read by. */
static const gw_field *same_field(const gw_tx_packet *p, int field)
{
    static const int by_order[] = {GW_TX_G_HEADER, GW_TX_G_HEADER_B, GW_TX_G_HEADER_C};
    const gw_field *f = gw_tx_field(field);
    const gw_group *group =
        gw_tx_group(p->layout == GW_TX_HLS ? GW_TX_G_HEADER_HLS : by_order[p->order]);

    for (unsigned i = 0; i < group->num_fields; i++) {
        if (*group->fields[i].name == *f->name && strcmp(group->fields[i].name, f->name) == 0)
            return &group->fields[i];
    }
    return f;
}

void gw_tx_report_header(const gw_tx_checking *c, enum gw_tx_rule_place rule, int field,
                         const char *text, const uint64_t *numbers)
{
    const gw_field *f = same_field(&c->p, field);
    size_t first;

    (void)gw_field_span(f, &first);
    gw_report(&c->judge, &gw_tx_rules[rule], f, c->p.header_offset + (uint32_t)first, text,
              numbers);
}

/* A header that a link has corrected is judged as its receiver takes it, not by its bytes. What is
 * legal does not depend on the layout. */
static void check_value(const gw_tx_checking *c, int field, uint64_t value)
{
    if (gw_field_legal(gw_tx_field(field), value))
        return;
    const gw_field *f = same_field(&c->p, field);
    size_t first;

    (void)gw_field_span(f, &first);
    gw_check_report(&c->judge, f->rule, f, value, c->p.header_offset + (uint32_t)first);
}

static void check_unused(const gw_tx_checking *c, const gw_tx_header *h)
{
    const gw_tx_packet *p = &c->p;
    uint32_t upper =
        p->order == GW_TX_ORDER_B ? p->header_offset - GW_TX_WORD : p->header_offset + GW_TX_WORD;

    if ((h->packet_type & TYPE_UNUSED) != 0)
        gw_tx_report_header(c, TX_E8, GW_TX_F_PACKET_TYPE, "packet type %x; only bits %x are used",
                            GW_NUMBERS(h->packet_type, 0x1f & ~TYPE_UNUSED));
    if (gw_tx_header_only(h) && h->packet_size != 0)
        gw_tx_report_header(c, TX_E8, GW_TX_F_PACKET_SIZE,
                            "packet_size %d in a packet without payload",
                            GW_NUMBERS(h->packet_size));
    if (p->word_bytes == GW_TX_WORD)
        return;
    const uint8_t *half = gw_check_bytes(c->message, upper, GW_TX_WORD);
    for (unsigned i = 0; half != NULL && i < GW_TX_WORD; i++) {
        if (half[i] != 0) {
            gw_tx_report(&c->judge, TX_E8, GW_TX_F_UPPER, upper + i,
                         "the upper half of the header word holds %x; 0 is expected",
                         GW_NUMBERS(half[i]));
            return;
        }
    }
}

void gw_tx_check_header(const gw_tx_checking *c)
{
    gw_tx_header h = gw_tx_unpack(c->p.edac.word, GW_TX_PORT);

    if ((h.virt_chan & ~GW_TX_LAST) >= GW_TX_NUM_VCS)
        gw_tx_report_header(c, TX_E5, GW_TX_F_VIRT_CHAN,
                            "virt_chan %x; 0x00, 0x01, 0x10 and 0x11 are allowed",
                            GW_NUMBERS(h.virt_chan));
    if (c->message->origin != 0)
        return; /* a router leaves the rest as it is */
    if (!gw_tx_header_only(&h) && h.packet_size > GW_TX_PAYLOAD_MAX)
        gw_tx_report_header(c, TX_E3, GW_TX_F_PACKET_SIZE,
                            "packet_size %d; 4096 bytes are the most", GW_NUMBERS(h.packet_size));
    check_value(c, GW_TX_F_RESERVED, h.reserved);
    /* In a datagram it may come from a router: what that was sent need not be in the capture. */
    if (h.out_of_lattice != 0 && c->message->part == GW_TX_PART_LINK && !c->message->tunnel)
        gw_tx_report_header(c, TX_E6, GW_TX_F_OUT_OF_LATTICE,
                            "out_of_lattice is set, which only a router does when it delivers",
                            NULL);
    check_value(c, GW_TX_F_NUM_OF_HOPS, h.num_of_hops);
    check_value(c, GW_TX_F_PROC_ID, h.proc_id);
    check_unused(c, &h);
}
