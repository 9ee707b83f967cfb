/* SPDX-License-Identifier: BSD-2-Clause */
/* The slave over datagrams: what is for it, in which widths, executed and answered as one. */
#include <string.h>

#include "formats/etherbone/slave/board.h"

/* Payload that fills the shortest Ethernet frame: shorter datagrams are padded to it. */
#define ETHERNET_MIN 18

void gw_eb_slave_clear_packet(gw_eb_slave *s)
{
    s->first_lanes = 0;
    s->left.has_lanes = false;
    s->posted.same_packet = false;
    s->mute = false;
    s->num_bus_reads = 0;
}

/* ---- what is for it ---- */

/* The wrong way: the version that was agreed on is the one of the last probe. */
static uint8_t own_version(const gw_eb_slave *s)
{
    bool latched = s->left.version != 0 && gw_eb_faulty(s, FAULT_LATCHES_VERSION);
    return latched ? s->left.version : GW_EB_VERSION;
}

/* Whether a packet with this header is for us. */
bool gw_eb_slave_accepts(gw_eb_slave *s, const gw_message *message, gw_eb_header *header)
{
    if (gw_load_be16(message->data) != GW_EB_MAGIC && !gw_eb_faulty(s, FAULT_ANY_MAGIC))
        return false;
    if (!gw_eb_mutant_header(s, header))
        return false;
    if ((header->flags & GW_EB_HEADER_RESERVED) != 0 && gw_eb_faulty(s, FAULT_REFUSES_RESERVED))
        return false;
    if ((header->flags & GW_EB_PF) != 0)
        return true;
    if ((header->flags & GW_EB_PR) != 0)
        return false;
    return header->version == own_version(s) || gw_eb_faulty(s, FAULT_ANY_VERSION);
}

/* The pair of widths to work with; several bits leave the choice to us (spec 1151). 0: none that we
 * support. */
uint8_t gw_eb_slave_choose_widths(const gw_eb_slave *s, uint8_t asked)
{
    if (gw_eb_faulty(s, FAULT_ANY_WIDTHS)) {
        uint8_t any = gw_eb_refine(asked, 0xff);
        return any != 0 ? any : (uint8_t)(GW_EB_32BIT << 4 | GW_EB_32BIT);
    }
    gw_eb_layout layout;
    if (s->ways->either_width)
        return gw_eb_layout_for(&layout, asked, s->dialect) ? layout.widths : 0;
    return gw_eb_refine(asked, s->widths);
}

/* The wrong way: what has come of a record that is cut off is executed all the same. */
static void execute_cut(gw_eb_slave *s, gw_eb_client *client, const gw_eb_reader *r,
                        const gw_message *records)
{
    uint8_t whole[GW_EB_RECORD_MAX] = {0};
    /* The reader stands on the record that did not fit, and gives nothing more out. */
    uint32_t at = gw_cursor_offset(&r->c);
    size_t left = records->cap_len - at;
    if (left < r->layout.record_header || left > sizeof(whole))
        return;
    memcpy(whole, records->data + at, left);
    size_t room = left - r->layout.record_header;
    size_t words = room / r->layout.data_unit;
    if (words < 2)
        return;
    whole[2] = (uint8_t)(words - 1 < whole[2] ? words - 1 : whole[2]);
    whole[3] = 0;
    gw_message message = gw_message_of(whole, sizeof(whole));
    message.part = GW_EB_RECORD;
    message.part_arg = r->layout.widths;
    gw_eb_reader again;
    gw_eb_record record;
    uint64_t values[255];
    if (gw_eb_open(&again, &message, s->dialect) && gw_eb_next(&again, &record))
        gw_eb_execute(s, client, &again.layout, &record, values);
}

/* What stands in the header of the record that is cut off behind |r|. */
static uint8_t cut_flags(const gw_eb_reader *r, const gw_message *records)
{
    uint32_t at = gw_cursor_offset(&r->c);
    return records->cap_len > at ? records->data[at] : 0;
}

/* The wrong way: an empty record with anything in it is not worth reading on for. */
static bool ends_packet(const gw_eb_slave *s, const gw_eb_record *record)
{
    bool plain = (record->flags & ~(unsigned)GW_EB_CYC) == 0 && record->byte_enable == 0;
    return record->wcount == 0 && record->rcount == 0 && !plain &&
           gw_eb_faulty(s, FAULT_EMPTY_ENDS_PACKET);
}

/* Executes the records of |r| and answers them. True when all were whole. */
static bool run_records(gw_eb_slave *s, gw_eb_client *client, gw_eb_reader *r, gw_eb_reply *reply)
{
    gw_eb_record record;
    uint64_t values[255];
    unsigned num = 0;
    bool first = true;
    while (gw_eb_next(r, &record)) {
        if ((record.flags & (GW_EB_RESERVED_10 | GW_EB_RESERVED_01)) != 0 &&
            gw_eb_faulty(s, FAULT_REFUSES_RESERVED))
            return true;
        if (record.wcount == 0 && record.rcount == 0 && gw_eb_faulty(s, FAULT_HANGS_ON_EMPTY))
            s->hung = true;
        if ((!first && gw_eb_faulty(s, FAULT_FIRST_RECORD_ONLY)) || ends_packet(s, &record))
            return true;
        first = false;
        num += record.rcount > 0 && (record.flags & GW_EB_RCA) == 0;
        if (num == GW_EB_SLAVE_QUEUE && r->c.p == r->c.end && gw_eb_faulty(s, FAULT_END_IS_CUT))
            return false;
        gw_eb_execute(s, client, &r->layout, &record, values);
        if (!gw_eb_reply_record(s, reply, &record, values))
            return true;
    }
    return r->error.kind == GW_OK;
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

/* The wrong way: zeros for as many bytes as came, which only a packet without reads gets. */
static size_t fill_writes(gw_eb_slave *s, const gw_eb_layout *layout, const gw_message *packet,
                          const gw_eb_header *header)
{
    if ((header->flags & GW_EB_NR) != 0 || packet->len <= layout->header_len)
        return 0;
    memset(s->reply + layout->header_len, 0, packet->len - layout->header_len);
    return packet->len;
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
    s->hung = records.len == 0 && gw_eb_faulty(s, FAULT_HANGS_ON_HEADER);
    gw_eb_slave_clear_packet(s);
    gw_eb_reply_begin(s, &reply, client, widths, header->flags, true);
    if (!run_records(s, client, &r, &reply)) {
        s->left.flags = cut_flags(&r, &records);
        s->hung = gw_eb_faulty(s, FAULT_HANGS_ON_TRUNCATED);
        if (gw_eb_faulty(s, FAULT_EXECUTES_TRUNCATED))
            execute_cut(s, client, &r, &records);
    }
    size_t len = gw_eb_reply_end(s, &reply);
    bool odd = len == 0 && (header->flags & GW_EB_HEADER_RESERVED) != 0;
    if (odd && gw_eb_faulty(s, FAULT_ECHOES_ODD_WRITES) && packet->len <= sizeof(s->reply)) {
        memcpy(s->reply, packet->data, packet->len);
        len = packet->len;
    }
    if (len == 0 && packet->len <= sizeof(s->reply) && gw_eb_faulty(s, FAULT_FILLS_WRITES))
        len = fill_writes(s, &layout, packet, header);
    if ((header->flags & GW_EB_PF) != 0 && s->ways->zero_filled_reply)
        len = put_probe_response(s, &layout, header->tail, len);
    gw_eb_slave_send(s, conn, len);
    /* A cycle does not outlive its packet (spec 1297). */
    client->cycle_open = false;
    if (gw_eb_faulty(s, FAULT_PACKET_SHIFTS))
        client->errors <<= 1;
    if (!gw_eb_faulty(s, FAULT_KEEPS_CYCLE))
        gw_wb_end_cycle(&client->master);
}

/* Nothing comes of a packet that is refused: only mutants remember it. */
static void refuse(gw_eb_slave *s, uint32_t conn, const gw_eb_header *header)
{
    s->left.refused = true;
    s->left.latched = true;
    s->left.conn = conn;
    s->left.widths = header->widths;
    if (header->len == 8 && (header->flags & GW_EB_PR) != 0) {
        s->left.id = header->tail;
        s->left.has_id = true;
    }
}

/* The wrong way: as many bytes as came are taken for a probe. */
static void refuse_probe(gw_eb_slave *s, uint32_t conn, const gw_message *packet)
{
    if (!gw_eb_faulty(s, FAULT_PROBE_CUT))
        return;
    (void)gw_eb_probe_response(s, s->reply, 0);
    gw_eb_slave_send(s, conn, packet->len);
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
    if (!r.has_header) {
        s->hung = gw_eb_faulty(s, FAULT_HANGS_ON_SHORT);
        return;
    }
    if (!gw_eb_slave_accepts(s, packet, &r.header)) {
        refuse(s, conn, &r.header);
        return;
    }
    bool probe = (r.header.flags & GW_EB_PF) != 0;
    if (probe && r.header.len < 8) {
        refuse_probe(s, conn, packet);
        return;
    }
    /* A streaming slave answers both in one packet; nobody sends two for one. */
    bool goes_on = (s->ways->records_after_probe && s->ways->zero_filled_reply) ||
                   gw_eb_faulty(s, FAULT_PROBE_EXECUTES_REST);
    bool ends = !goes_on || packet->len <= 8;
    if (probe && (ends || !s->ways->zero_filled_reply))
        gw_eb_slave_answer_probe(s, conn, &r.header);
    if (probe && ends)
        return;
    uint8_t widths = gw_eb_slave_choose_widths(s, r.header.widths);
    if (probe) {
        /* The records stand behind eight bytes of header, whatever the widths. */
        gw_message rest = *packet;
        gw_eb_layout layout;
        if (!gw_eb_layout_for(&layout, widths, s->dialect)) {
            if (s->ways->zero_filled_reply)
                gw_eb_slave_answer_probe(s, conn, &r.header);
            return;
        }
        rest.data += 8 - layout.header_len;
        rest.len -= 8u - layout.header_len;
        rest.cap_len = rest.len;
        run_packet(s, conn, &rest, widths, &r.header);
    } else if (widths != 0) {
        run_packet(s, conn, packet, widths, &r.header);
    } else {
        refuse(s, conn, &r.header);
    }
}

/* ---- datagrams ---- */

/* The wrong way: a parser that begins anew wherever a header seems to begin, behind the first one
 * and the id of a probe. Returns where the last one does. */
static size_t last_magic(const uint8_t *data, size_t len)
{
    size_t last = 0;
    for (size_t i = 8; i + 4 <= len; i += 4)
        if (gw_load_be16(data + i) == GW_EB_MAGIC && data[i + 2] >> 4 == GW_EB_VERSION)
            last = i;
    return last;
}

void gw_eb_slave_datagram(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len,
                          size_t padding)
{
    uint8_t frame[ETHERNET_MIN] = {0};
    if (s->ways->zero_filled_reply && s->mutant == NULL) {
        gw_eb_slave_gsi(s, conn, data, len, padding);
        return;
    }
    if (gw_eb_faulty(s, FAULT_WHOLE_WORDS_ONLY) && len % 4 != 0)
        return;
    if (gw_eb_faulty(s, FAULT_CUTS_LONG_PACKETS) && len > GW_EB_SLAVE_PACKET_MAX)
        len = GW_EB_SLAVE_PACKET_MAX;
    if (gw_eb_faulty(s, FAULT_TAKES_PADDING) && len < sizeof(frame)) {
        if (len > 0)
            memcpy(frame, data, len);
        data = frame;
        len = sizeof(frame);
    }
    if (gw_eb_faulty(s, FAULT_MAGIC_ANYWHERE)) {
        size_t skipped = last_magic(data, len);
        data += skipped;
        len -= skipped;
    }
    gw_message packet = gw_message_of(data, len);
    packet.transport = GW_OVER_UDP;
    gw_eb_slave_packet(s, conn, &packet);
}
