/* SPDX-License-Identifier: BSD-2-Clause */
/* The slave over datagrams: what is for it, in which widths, executed and answered as one. */
#include <string.h>

#include "formats/etherbone/slave/board.h"

bool gw_eb_slave_accepts(gw_eb_slave *s, const gw_message *message, gw_eb_header *header)
{
    const gw_eb_policy *policy = &s->policy;
    if (((gw_load_be16(message->data) ^ GW_EB_MAGIC) & policy->magic_mask) != 0)
        return false;
    gw_eb_mutant_header(s, header);
    if ((header->flags & policy->refused_flags) != 0)
        return false;
    if ((header->flags & GW_EB_PF) != 0)
        return (policy->probe_versions >> header->version & 1) != 0;
    return (header->flags & GW_EB_PR) == 0 && (policy->versions >> header->version & 1) != 0;
}

/* The pair of widths to work with; several bits leave the choice to us (spec 1151). 0: none that we
 * support. */
uint8_t gw_eb_slave_choose_widths(const gw_eb_slave *s, uint8_t asked)
{
    gw_eb_layout layout;
    if (s->ways->either_width)
        return gw_eb_layout_for(&layout, asked, s->dialect) ? layout.widths : 0;
    return gw_eb_refine(asked, s->executed);
}

/* Executes the records of |r| and answers them. */
static void run_records(gw_eb_slave *s, gw_eb_client *client, gw_eb_reader *r, gw_eb_reply *reply)
{
    gw_eb_record record;
    uint64_t values[255];
    while (gw_eb_mutant_next((gw_eb_job){s, client, r, &record})) {
        gw_eb_execute(s, client, &r->layout, &record, values);
        if (!gw_eb_reply_record(s, reply, &record, values))
            return;
    }
}

/* A streaming slave answers a probe and what follows it in one packet of the request's length: puts
 * the probe response where the reply's header is. |len| is the reply's, 0 when nothing followed
 * that was answered. */
static size_t put_probe_response(gw_eb_slave *s, const gw_eb_layout *layout, uint32_t id,
                                 size_t len)
{
    uint8_t response[16];
    size_t head = gw_eb_probe_response(s, response, id);
    size_t rest = len > layout->header_len ? len - layout->header_len : 0;
    if (head + rest > sizeof(s->reply))
        rest = sizeof(s->reply) - head;
    memmove(s->reply + head, s->reply + layout->header_len, rest);
    memcpy(s->reply, response, head);
    return head + rest;
}

static void run_packet(gw_eb_slave *s, uint32_t conn, const gw_message *packet, uint8_t widths,
                       const gw_eb_header *header)
{
    gw_eb_client *client = &s->clients[conn];
    gw_eb_layout layout;
    if (!gw_eb_layout_for(&layout, widths, s->dialect) || packet->len < layout.header_len)
        return;
    gw_message records =
        gw_message_of(packet->data + layout.header_len, packet->len - layout.header_len);
    records.part = GW_EB_RECORD;
    records.part_arg = widths;
    gw_eb_reader r;
    gw_eb_reply reply;
    if (!gw_eb_open(&r, &records, s->dialect))
        return;
    gw_eb_reply_begin(s, &reply, client, widths, header->flags, true);
    run_records(s, client, &r, &reply);
    size_t len = gw_eb_reply_end(s, &reply);
    if ((header->flags & GW_EB_PF) != 0 && s->ways->zero_filled_reply)
        len = put_probe_response(s, &layout, header->tail, len);
    gw_eb_slave_send(s, conn, len);
    /* A cycle does not outlive its packet (spec 1297). */
    client->cycle_open = false;
    client->errors <<= s->policy.packet_shift;
    gw_eb_end_cycle(s, client, GW_EB_AT_PACKET_END);
}

/* A streaming slave answers a probe and what follows it in one packet; nobody sends two for one. */
static void take_probe(gw_eb_slave *s, uint32_t conn, const gw_message *packet, uint8_t widths,
                       const gw_eb_header *header)
{
    gw_message rest = *packet;
    gw_eb_layout layout;
    if (header->len < 8)
        return;
    bool goes_on =
        s->policy.probe_records && packet->len > 8 && gw_eb_layout_for(&layout, widths, s->dialect);
    if (!goes_on || !s->ways->zero_filled_reply)
        gw_eb_slave_answer_probe(s, conn, header);
    if (!goes_on)
        return;
    /* The records stand behind eight bytes of header, whatever the widths. */
    rest.data += 8 - layout.header_len;
    rest.len -= 8u - layout.header_len;
    run_packet(s, conn, &rest, widths, header);
}

void gw_eb_slave_packet(gw_eb_slave *s, uint32_t conn, const gw_message *packet)
{
    gw_eb_reader r;
    /* Mutants are boards of the specification, whatever dialect they have besides. */
    if (s->ways->record_words != 0 && s->mutant == NULL) {
        gw_eb_slave_litex(s, conn, packet->data, packet->len);
        return;
    }
    /* False is no reason to stop: several widths, or records behind a probe, are ours to judge. */
    (void)!gw_eb_open(&r, packet, s->dialect);
    if (!r.has_header)
        return;
    bool ours = gw_eb_slave_accepts(s, packet, &r.header);
    bool probe = (r.header.flags & GW_EB_PF) != 0;
    uint8_t widths = gw_eb_slave_choose_widths(s, r.header.widths);
    if (!ours || (widths == 0 && !probe)) {
        gw_eb_mutant_refused(s, conn, &r.header);
    } else if (probe) {
        take_probe(s, conn, packet, widths, &r.header);
    } else {
        run_packet(s, conn, packet, widths, &r.header);
    }
}

void gw_eb_slave_datagram(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len,
                          size_t padding)
{
    gw_message packet = gw_message_of(data, len);
    packet.transport = GW_OVER_UDP;
    if (s->ways->zero_filled_reply && s->mutant == NULL)
        gw_eb_slave_gsi(s, conn, data, len, padding);
    else if (s->by_messages)
        gw_eb_slave_library_datagram(s, conn, data, len);
    else
        gw_eb_slave_packet(s, conn, &packet);
}
