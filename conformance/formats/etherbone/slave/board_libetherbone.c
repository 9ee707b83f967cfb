/* SPDX-License-Identifier: BSD-2-Clause */
/* The slave as the C library is: what comes together is one message, over TCP as well, with a
 * header of its own until a probe has agreed on widths. It is answered by one message, whose header
 * is the request's, and knows of its own errors only. In the middle of a record, or of a bus cycle,
 * the library waits for the rest, and serves nobody else meanwhile. */
#include <string.h>

#include "formats/etherbone/slave/board.h"

enum { HEADER_LEN = 4, PROBE_LEN = 8 }; /* bytes; a header without its padding */

/* A message, or as much of one as has come. */
typedef struct arrival {
    gw_eb_slave *s;
    uint32_t conn;
    const uint8_t *data;
    size_t len;
    size_t at; /* where its records begin */
    uint8_t widths;
    bool stream;
} arrival;

static bool drop(const arrival *a)
{
    if (a->stream)
        gw_eb_slave_close(a->s, a->conn);
    return false;
}

static bool take_probe(const arrival *a, const gw_eb_header *header, uint8_t widths)
{
    if (a->len != PROBE_LEN)
        return drop(a);
    gw_eb_slave_answer_probe(a->s, a->conn, header);
    if (a->stream)
        a->s->clients[a->conn].widths = widths;
    return widths != 0 ? false : drop(a);
}

/* False when the message has no records that are for us. */
static bool take_header(arrival *a)
{
    gw_message packet = gw_message_of(a->data, a->len);
    gw_eb_reader r;
    packet.transport = GW_OVER_UDP;
    /* False is no reason to stop: of several widths the widest in common are taken. */
    (void)!gw_eb_open(&r, &packet, a->s->dialect);
    if (!r.has_header || !gw_eb_slave_accepts(a->s, &packet, &r.header))
        return drop(a);
    uint8_t widths = gw_eb_slave_choose_widths(a->s, r.header.widths);
    if ((r.header.flags & GW_EB_PF) != 0)
        return take_probe(a, &r.header, widths);
    gw_eb_layout layout;
    if (!gw_eb_layout_for(&layout, widths, a->s->dialect) || a->len < layout.header_len)
        return drop(a);
    a->widths = widths;
    a->at = layout.header_len;
    return true;
}

static void reply(const arrival *a, gw_eb_reply *answer)
{
    size_t len = gw_eb_reply_end(a->s, answer);
    if (len > 0 && a->at > 0) {
        a->s->reply[2] = a->data[2] | GW_EB_NR;
        a->s->reply[3] = a->data[3];
        memcpy(a->s->reply + HEADER_LEN, a->data + HEADER_LEN, a->at - HEADER_LEN);
    }
    gw_eb_slave_send(a->s, a->conn, len);
}

/* Executes and answers the records of |a|. Returns how many bytes of it wait for what is missing;
 * |*waits| tells whether it is awaited. */
static size_t run_records(const arrival *a, bool *waits)
{
    gw_eb_client *client = &a->s->clients[a->conn];
    gw_message records = gw_message_of(a->data + a->at, a->len - a->at);
    gw_eb_reader r;
    gw_eb_reply answer;
    gw_eb_record record = {.flags = GW_EB_CYC};
    uint64_t values[255];
    size_t done = 0;
    *waits = false;
    records.part = GW_EB_RECORD;
    records.part_arg = a->widths;
    gw_eb_reply_begin(a->s, &answer, client, a->widths, 0, a->at > 0);
    if (gw_eb_open(&r, &records, a->s->dialect))
        while (gw_eb_next(&r, &record)) {
            gw_eb_execute(a->s, client, &r.layout, &record, values);
            (void)!gw_eb_reply_record(a->s, &answer, &record, values); /* it is shorter */
            done += gw_eb_record_len(&r.layout, record.wcount, record.rcount);
        }
    size_t rest = records.len - done;
    bool cut = rest >= r.layout.record_header;
    *waits = a->stream && (cut || (record.flags & GW_EB_CYC) == 0);
    if (a->stream || !cut)
        reply(a, &answer);
    if (!*waits) {
        client->cycle_open = false;
        gw_eb_end_cycle(a->s, client, GW_EB_AT_PACKET_END);
    }
    return rest;
}

void gw_eb_slave_library_datagram(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len)
{
    arrival a = {.s = s, .conn = conn, .data = data, .len = len};
    bool waits;
    s->clients[conn].errors = 0;
    if (take_header(&a))
        (void)run_records(&a, &waits);
}

/* Takes what client |conn| has sent since it was served last. */
static void serve(gw_eb_slave *s, uint32_t conn)
{
    gw_eb_client *client = &s->clients[conn];
    gw_eb_inbox *inbox = client->stream;
    arrival a = {.s = s,
                 .conn = conn,
                 .data = inbox->bytes,
                 .len = inbox->len,
                 .widths = s->library.waits ? s->library.widths : client->widths,
                 .stream = true};
    bool goes_on = s->library.waits;
    bool waits = false;
    size_t rest = 0;
    if (!goes_on)
        client->errors = 0;
    if (a.widths != 0 || take_header(&a))
        rest = run_records(&a, &waits);
    if (rest > 0 && !waits)
        gw_eb_slave_close(s, conn);
    s->library.waits = waits && !client->closing;
    s->library.conn = conn;
    s->library.widths = a.widths;
    inbox->len = s->library.waits ? rest : 0;
    memmove(inbox->bytes, inbox->bytes + a.len - inbox->len, inbox->len);
}

static void serve_all(gw_eb_slave *s)
{
    for (uint32_t i = 0; i < GW_PEER_MAX_CONNS && !s->library.waits; i++) {
        const gw_eb_inbox *inbox = s->clients[i].stream;
        if (inbox != NULL && inbox->len > 0 && !s->clients[i].closing)
            serve(s, i);
    }
}

void gw_eb_slave_library_bytes(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len)
{
    gw_eb_inbox *inbox = s->clients[conn].stream;
    while (len > 0 && !s->clients[conn].closing) {
        size_t room = sizeof(inbox->bytes) - inbox->len;
        size_t take = len < room ? len : room;
        memcpy(inbox->bytes + inbox->len, data, take);
        inbox->len += take;
        data += take;
        len -= take;
        if (take == 0)
            gw_eb_slave_close(s, conn); /* while another one is waited for */
        else if (!s->library.waits || s->library.conn == conn)
            serve(s, conn);
    }
    serve_all(s);
}

void gw_eb_slave_library_closed(gw_eb_slave *s, uint32_t conn)
{
    if (!s->library.waits || s->library.conn != conn)
        return;
    s->library.waits = false;
    serve_all(s);
}
