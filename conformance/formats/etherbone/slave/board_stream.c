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
    if (!gw_eb_faulty(s, FAULT_NO_CLOSE))
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
    bool narrow = (client->widths & 15) < GW_EB_32BIT && gw_eb_faulty(s, FAULT_CLOSES_NARROW);
    if (client->widths == 0 || narrow || (!client->probed && !regular))
        gw_eb_slave_close(s, conn);
}

static void begin_stream_reply(stream_step *step)
{
    gw_eb_client *client = &step->s->clients[step->conn];
    bool headed = !client->answered || gw_eb_faulty(step->s, FAULT_HEADER_EACH_REPLY);
    gw_eb_reply_begin(step->s, &step->reply, client, client->widths, 0, headed);
    step->replying = true;
}

/* The wrong way: a check sum of the link behind it goes out as well. */
static size_t put_check_sum(gw_eb_slave *s, size_t len)
{
    uint32_t sum = UINT32_MAX;
    if (len == 0 || sizeof(s->reply) - len < sizeof(sum))
        return len;
    for (size_t i = 0; i < len; i++)
        sum -= s->reply[i];
    gw_store_be(s->reply + len, sum, sizeof(sum));
    return len + sizeof(sum);
}

static void flush_stream_reply(stream_step *step)
{
    size_t len = step->replying ? gw_eb_reply_end(step->s, &step->reply) : 0;
    if (gw_eb_faulty(step->s, FAULT_STREAM_TRAILER))
        len = put_check_sum(step->s, len);
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
    if (!gw_eb_open(&r, message, s->dialect) || !gw_eb_next(&r, &record))
        return;
    if (record.wcount == 0 && record.rcount == 0 && gw_eb_faulty(s, FAULT_HANGS_ON_EMPTY))
        s->hung = true;
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

/* The wrong way: takes every segment for whole records. */
static bool is_whole(const gw_eb_slave *s, const gw_eb_client *client, const uint8_t *data,
                     size_t len)
{
    if (!client->started)
        return len >= 8;
    gw_message message = gw_message_of(data, len);
    message.part = GW_EB_RECORD;
    message.part_arg = client->widths;
    gw_eb_reader r;
    gw_eb_record record;
    if (!gw_eb_open(&r, &message, s->dialect))
        return false;
    while (gw_eb_next(&r, &record))
        ;
    return r.error.kind == GW_OK;
}

/* Whether |s| is a mutant that closes the connection over such a segment. */
static bool cannot_take(const gw_eb_slave *s, const gw_eb_client *client, const uint8_t *data,
                        size_t len)
{
    if (gw_eb_faulty(s, FAULT_NO_REASSEMBLY) && !is_whole(s, client, data, len))
        return true;
    bool more_than_probe = !client->started && len > 8 && (data[2] & GW_EB_PF) != 0;
    return more_than_probe && gw_eb_faulty(s, FAULT_PROBE_ALONE);
}

void gw_eb_slave_bytes(gw_eb_slave *s, uint32_t conn, const uint8_t *data, size_t len)
{
    gw_eb_client *client = &s->clients[conn];
    stream_step step = {.s = s, .conn = conn};
    gw_eb_slave_clear_packet(s);
    if (cannot_take(s, client, data, len)) {
        gw_eb_slave_close(s, conn);
        return;
    }
    if (s->stalled && s->stalled_by != conn)
        return;
    s->stalled =
        gw_eb_faulty(s, FAULT_STALLS) && client->started && !is_whole(s, client, data, len);
    s->stalled_by = conn;
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
