/* SPDX-License-Identifier: BSD-2-Clause */
/* The software EtherBone slave: datagrams and streams in, replies out. */
#include "etherbone_slave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Payload that fills the shortest Ethernet frame: shorter datagrams are padded to it. */
#define ETHERNET_MIN 18

/* ---- sending ---- */

static uint32_t destination(gw_eb_slave *s, uint32_t conn)
{
    if (!s->has_first_client) {
        s->has_first_client = true;
        s->first_client = conn;
    }
    return gw_eb_faulty(s, FAULT_FIRST_CLIENT) ? s->first_client : conn;
}

/* The wrong way: what was to be answered last time. */
static void send_stale(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len)
{
    uint8_t last[GW_EB_SLAVE_STALE_MAX];
    size_t last_len = s->stale_len;
    memcpy(last, s->stale, last_len);
    s->stale_len = len < sizeof(s->stale) ? len : sizeof(s->stale);
    memcpy(s->stale, data, s->stale_len);
    s->out->send(s->out, s->link, conn, last_len > 0 ? last : data, last_len > 0 ? last_len : len);
}

/* The wrong way: a reply that is due while the one before it is still going out is lost, or the end
 * of everything. */
static bool trips_over_burst(gw_eb_slave *s)
{
    bool busy = s->has_replied && s->now_ns - s->replied_ns <= GW_EB_SLAVE_BURST_NS;
    s->has_replied = true;
    s->replied_ns = s->now_ns;
    s->hung = s->hung || (busy && gw_eb_faulty(s, FAULT_HANGS_ON_BURST));
    return s->hung || (busy && gw_eb_faulty(s, FAULT_DROPS_IN_BURST));
}

void gw_eb_slave_send(gw_eb_slave *s, uint32_t conn, size_t len)
{
    if (len == 0 || s->hung)
        return;
    bool datagram = s->clients[conn].stream == NULL;
    conn = destination(s, conn);
    if (datagram && trips_over_burst(s))
        return;
    if (gw_eb_faulty(s, FAULT_STALE))
        send_stale(s, conn, s->reply, len);
    else
        s->out->send(s->out, s->link, conn, s->reply, len);
    if (datagram && gw_eb_faulty(s, FAULT_TWICE))
        s->out->send(s->out, s->link, conn, s->reply, len);
}

void gw_eb_slave_answer_probe(gw_eb_slave *s, uint32_t conn, const gw_eb_header *header)
{
    uint8_t response[16];
    size_t len = gw_eb_probe_response(s, response, header->tail);
    if (gw_eb_faulty(s, FAULT_NO_PROBES))
        return;
    s->out->send(s->out, s->link, destination(s, conn), response, len);
}

/* ---- datagrams ---- */

/* Whether a packet with this header is for us. */
bool gw_eb_slave_accepts(const gw_eb_slave *s, const gw_message *message,
                         const gw_eb_header *header)
{
    if (gw_load_be16(message->data) != GW_EB_MAGIC && !gw_eb_faulty(s, FAULT_ANY_MAGIC))
        return false;
    if ((header->flags & GW_EB_HEADER_RESERVED) != 0 && gw_eb_faulty(s, FAULT_REFUSES_RESERVED))
        return false;
    if ((header->flags & GW_EB_PF) != 0)
        return header->version == GW_EB_VERSION || !gw_eb_faulty(s, FAULT_PROBE_VERSION_1_ONLY);
    if ((header->flags & GW_EB_PR) != 0)
        return false;
    return header->version == GW_EB_VERSION || gw_eb_faulty(s, FAULT_ANY_VERSION);
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

/* Executes the records of |r| and answers them. True when all were whole. */
static bool run_records(gw_eb_slave *s, gw_eb_client *client, gw_eb_reader *r, gw_eb_reply *reply)
{
    gw_eb_record record;
    uint64_t values[255];
    bool first = true;
    while (gw_eb_next(r, &record)) {
        if ((record.flags & (GW_EB_RESERVED_10 | GW_EB_RESERVED_01)) != 0 &&
            gw_eb_faulty(s, FAULT_REFUSES_RESERVED))
            return true;
        if (record.wcount == 0 && record.rcount == 0 && gw_eb_faulty(s, FAULT_HANGS_ON_EMPTY))
            s->hung = true;
        if (!first && gw_eb_faulty(s, FAULT_FIRST_RECORD_ONLY))
            return true;
        first = false;
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
    s->first_lanes = 0;
    gw_eb_reply_begin(s, &reply, client, widths, header->flags, true);
    if (!run_records(s, client, &r, &reply)) {
        s->hung = gw_eb_faulty(s, FAULT_HANGS_ON_TRUNCATED);
        if (gw_eb_faulty(s, FAULT_EXECUTES_TRUNCATED))
            execute_cut(s, client, &r, &records);
    }
    size_t len = gw_eb_reply_end(s, &reply);
    if ((header->flags & GW_EB_PF) != 0 && s->ways->zero_filled_reply)
        len = put_probe_response(s, &layout, header->tail, len);
    gw_eb_slave_send(s, conn, len);
    /* A cycle does not outlive its packet (spec 1297). */
    client->cycle_open = false;
    if (!gw_eb_faulty(s, FAULT_KEEPS_CYCLE))
        gw_wb_end_cycle(&client->master);
}

void gw_eb_slave_packet(gw_eb_slave *s, uint32_t conn, const gw_message *packet)
{
    gw_eb_reader r;
    /* False is no reason to stop: several widths, or records behind a probe, are ours to judge. */
    (void)!gw_eb_open(&r, packet, s->dialect);
    if (!r.has_header) {
        s->hung = gw_eb_faulty(s, FAULT_HANGS_ON_SHORT);
        return;
    }
    if (!gw_eb_slave_accepts(s, packet, &r.header))
        return;
    bool probe = (r.header.flags & GW_EB_PF) != 0;
    if (probe && r.header.len < 8)
        return;
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
    }
}

/* ---- the board ---- */

static void on_open(gw_eb_slave *s, const gw_peer_event *event)
{
    gw_eb_client *client = &s->clients[event->conn];
    memset(client, 0, sizeof(*client));
    if (!event->stream)
        return;
    client->stream = malloc(gw_etherbone.stream->size);
    if (client->stream == NULL) {
        gw_eb_slave_close(s, event->conn);
        return;
    }
    gw_etherbone.stream->init(client->stream, s->dialect);
}

static void on_close(gw_eb_slave *s, uint32_t conn)
{
    if (s->stalled_by == conn)
        s->stalled = false;
    free(s->clients[conn].stream);
    memset(&s->clients[conn], 0, sizeof(s->clients[conn]));
}

static void on_datagram(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len)
{
    uint8_t frame[ETHERNET_MIN] = {0};
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
    gw_message packet = gw_message_of(data, len);
    packet.transport = GW_OVER_UDP;
    gw_eb_slave_packet(s, conn, &packet);
}

static void on_data(gw_eb_slave *s, const gw_peer_event *event)
{
    gw_eb_client *client = &s->clients[event->conn];
    if (!event->stream) {
        on_datagram(s, event->conn, event->data, event->len);
        return;
    }
    if (client->stream == NULL)
        return;
    gw_eb_slave_bytes(s, event->conn, event->data, event->len);
}

static bool slave_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    gw_eb_slave *s = state;
    memset(s, 0, sizeof(*s));
    s->map = config->setup != NULL ? config->setup : &gw_eb_default_map;
    s->dialect = config->dialect;
    s->ways = gw_eb_dialect_of(config->dialect);
    s->mutant = config->mutant;
    s->widths = s->map->widths;
    bool is_32_bit_hardware = s->ways->either_width || s->ways->framing == GW_EB_HEADER_EACH_PACKET;
    /* A mutant that executes widths it does not have must not have them all. */
    if (is_32_bit_hardware || gw_eb_faulty(s, FAULT_ANY_WIDTHS))
        s->widths = GW_EB_32BIT << 4 | GW_EB_32BIT;
    return gw_wb_init(&s->bus, s->map, why, why_cap);
}

static int64_t slave_step(void *state, const gw_peer_event *event, int64_t now_ns, gw_peer_out *out)
{
    gw_eb_slave *s = state;
    s->now_ns = now_ns;
    s->out = out;
    s->link = event->link;
    if (event->conn >= GW_PEER_MAX_CONNS)
        return GW_PEER_NEVER;
    switch (event->kind) {
    case GW_PEER_OPEN:
        on_open(s, event);
        break;
    case GW_PEER_BYTES:
        if (!s->hung)
            on_data(s, event);
        break;
    case GW_PEER_CLOSE:
        on_close(s, event->conn);
        break;
    default:
        break;
    }
    return GW_PEER_NEVER;
}

static void slave_fini(void *state)
{
    gw_eb_slave *s = state;
    for (size_t i = 0; i < GW_PEER_MAX_CONNS; i++)
        free(s->clients[i].stream);
    gw_wb_fini(&s->bus);
}

static void *slave_open_setup(const char *path, char *why, size_t why_cap)
{
    return gw_eb_map_open(path, why, why_cap);
}

static void slave_close_setup(void *setup)
{
    gw_eb_map_close(setup);
}

static const char *const links[] = {"bus", NULL};

const gw_board gw_eb_slave_board = {
    .role = "etherbone-slave",
    .blurb = "A Wishbone bus behind EtherBone: RAM, FIFO, ROM, errors, SDB table",
    .links = links,
    .mutants = gw_eb_slave_mutants,
    .num_mutants = GW_EB_NUM_SLAVE_MUTANTS,
    .format = &gw_etherbone,
    .size = sizeof(gw_eb_slave),
    .init = slave_init,
    .step = slave_step,
    .fini = slave_fini,
    .open_setup = slave_open_setup,
    .close_setup = slave_close_setup,
};
