/* SPDX-License-Identifier: BSD-2-Clause */
/* The slave over byte streams: one header, then records, in any pieces. The codec cuts the stream;
 * what the records of one segment read is answered in one go. */
#include "formats/etherbone/slave/board.h"

typedef struct stream_step {
    gw_eb_slave *s;
    gw_eb_reply reply;
    uint32_t conn;
    bool replying;
} stream_step;

void gw_eb_slave_close(gw_eb_slave *s, uint32_t conn)
{
    s->clients[conn].closing = true;
    if (s->policy.closes_streams)
        s->out->close(s->out, s->link, conn);
}

/* The one header of a stream, or the probe in its place. */
static void on_head(gw_eb_slave *s, uint32_t conn, const gw_message *head)
{
    gw_eb_client *client = &s->clients[conn];
    gw_eb_reader r;
    bool regular = gw_eb_open(&r, head, s->dialect);
    if (!r.has_header || !gw_eb_slave_accepts(s, head, &r.header)) {
        gw_eb_slave_close(s, conn);
        return;
    }
    client->probed = (r.header.flags & GW_EB_PF) != 0;
    client->widths = gw_eb_slave_choose_widths(s, r.header.widths);
    if (client->probed) {
        gw_eb_slave_answer_probe(s, conn, &r.header);
        client->answered = true;
    }
    bool agreed = (client->widths & 15) >= s->policy.narrowest_port;
    if (!agreed || (!client->probed && !regular))
        gw_eb_slave_close(s, conn);
}

static void begin_stream_reply(stream_step *step)
{
    gw_eb_client *client = &step->s->clients[step->conn];
    bool headed = !client->answered || step->s->policy.header_each_reply;
    gw_eb_reply_begin(step->s, &step->reply, client, client->widths, 0, headed);
    step->replying = true;
}

static void flush_stream_reply(stream_step *step)
{
    size_t len = step->replying ? gw_eb_reply_end(step->s, &step->reply) : 0;
    if (len > 0)
        step->s->clients[step->conn].answered = true;
    gw_eb_slave_send(step->s, step->conn, len);
    step->replying = false;
}

static void on_record(stream_step *step, const gw_message *message)
{
    gw_eb_slave *s = step->s;
    gw_eb_client *client = &s->clients[step->conn];
    gw_eb_reader r;
    gw_eb_record record;
    uint64_t values[255];
    if (!gw_eb_open(&r, message, s->dialect) ||
        !gw_eb_mutant_next((gw_eb_job){s, client, &r, &record}))
        return;
    gw_eb_execute(s, client, &r.layout, &record, values);
    if (!step->replying)
        begin_stream_reply(step);
    if (gw_eb_reply_record(s, &step->reply, &record, values))
        return;
    flush_stream_reply(step);
    begin_stream_reply(step);
    if (!gw_eb_reply_record(s, &step->reply, &record, values))
        gw_eb_slave_close(s, step->conn); /* cannot be: one record always fits */
}

static void on_stream_message(void *ctx, const gw_message *message)
{
    stream_step *step = ctx;
    gw_eb_client *client = &step->s->clients[step->conn];
    client->started = true;
    if (client->closing || step->s->hung)
        return;
    switch (message->part) {
    case GW_EB_HEAD:
        on_head(step->s, step->conn, message);
        break;
    case GW_EB_RECORD:
        on_record(step, message);
        break;
    case GW_EB_PACKET:
        gw_eb_slave_packet(step->s, step->conn, message);
        break;
    default:
        gw_eb_slave_close(step->s, step->conn);
        break;
    }
}

static void ignore_message(void *ctx, const gw_message *message)
{
    (void)ctx;
    (void)message;
}

/* The codec follows both directions to know the widths: show it our side of the negotiation. */
static void tell_codec(gw_eb_slave *s, gw_eb_client *client)
{
    uint8_t response[8];
    gw_eb_build_probe(response, true, s->widths, 0);
    gw_message message = gw_message_of(response, sizeof(response));
    gw_etherbone.stream->push(client->stream, 1, &message, ignore_message, NULL);
}

void gw_eb_slave_bytes(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len)
{
    gw_eb_client *client = &s->clients[conn];
    stream_step step = {.s = s, .conn = conn};
    while (len > 0 && !client->closing && !s->hung) {
        bool was_started = client->started;
        /* Byte by byte to the end of the header: the widths must be settled before records come. */
        size_t take = was_started ? len : 1;
        gw_message segment = gw_message_of(data, take);
        gw_etherbone.stream->push(client->stream, 0, &segment, on_stream_message, &step);
        if (client->started && !was_started && client->probed)
            tell_codec(s, client);
        data += take;
        len -= take;
    }
    flush_stream_reply(&step);
}
