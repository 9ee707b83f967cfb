/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of a replay: opened when the trace first uses them, cut into messages, closed. */
#include <stdlib.h>
#include <string.h>

#include "goldwire/cursor.h"
#include "goldwire/ib.h"
#include "harness/checksum.h"
#include "replay/format.h"
#include "replay/player.h"

#define BABBLE 1000 /* messages taken in one go */

static const gw_trace_line *line_of(const gw_replay *r, const gw_open_connection *o)
{
    return &r->trace->lines[o->trace_line];
}

/* In a format's streams direction 0 is the side that opened the connection. */
static unsigned our_direction(const gw_replay *r)
{
    return r->ctx->suite->calls_us ? 1 : 0;
}

static bool usual_taken(const gw_replay *r, unsigned link)
{
    for (size_t i = 0; i < GW_MAX_CONNECTIONS; i++) {
        const gw_open_connection *o = &r->slots[i];
        if (o->conn != NULL && o->usual && line_of(r, o)->link == link)
            return true;
    }
    return false;
}

static void release(gw_replay *r, gw_open_connection *o)
{
    gw_case_close(r->ctx, o->conn);
    r->opened[o->trace_line] = 0;
    o->conn = NULL;
}

/* Takes what has come. A board that babbles on is judged by what it said so far. */
static void hear_rest(gw_replay *r, gw_open_connection *o)
{
    for (unsigned i = 0; i < BABBLE && o->conn != NULL; i++) {
        if (!gw_player_receive(r, o, 0))
            return;
    }
}

/* A free slot; when there is none, that of a line that has nothing more to say. */
static gw_open_connection *free_slot(gw_replay *r)
{
    gw_open_connection *old = NULL;
    unsigned room = GW_MAX_CONNECTIONS - r->ctx->setup->target->num_links;
    for (unsigned i = 0; i < room; i++) {
        gw_open_connection *o = &r->slots[i];
        if (o->conn == NULL)
            return o;
        if (line_of(r, o)->last < r->at &&
            (old == NULL || line_of(r, o)->last < line_of(r, old)->last))
            old = o;
    }
    if (old == NULL)
        gw_case_error(r->ctx, "the trace has more than %u lines in use at once", room);
    hear_rest(r, old);
    release(r, old);
    return old;
}

static void start_stream(gw_replay *r, gw_open_connection *o)
{
    const gw_trace_line *line = line_of(r, o);
    size_t size = line->format->stream->size;
    void *state = realloc(o->stream, size + sizeof(uint64_t));
    if (state == NULL)
        gw_case_error(r->ctx, "out of memory");
    o->stream = state;
    memset(state, 0, size);
    line->format->stream->init(state, line->dialect);
}

gw_open_connection *gw_player_connection(gw_replay *r, uint32_t line)
{
    const gw_trace_line *t = &r->trace->lines[line];
    const gw_target_link *link = &r->ctx->setup->target->links[t->link];
    if (r->opened[line] != 0)
        return &r->slots[r->opened[line] - 1];
    gw_open_connection *o = free_slot(r);
    bool usual = !usual_taken(r, t->link);
    gw_connection *conn =
        usual ? gw_case_link(r->ctx, link->name) : gw_case_connect_link(r->ctx, link->name);
    /* What a line has agreed on, or counted, belongs to it: each of the trace's gets a new one. */
    if (usual) {
        gw_case_close(r->ctx, conn);
        conn = gw_case_link(r->ctx, link->name);
    }
    void *stream = o->stream;
    *o = (gw_open_connection){.conn = conn, .trace_line = line, .stream = stream, .usual = usual};
    r->opened[line] = (uint8_t)(o - r->slots + 1);
    if (t->format->infiniband)
        r->adapter = gw_case_transport(conn)->adapter;
    if (t->is_stream)
        start_stream(r, o);
    return o;
}

/* Whose messages a stream is being cut into. */
typedef struct cutter {
    gw_replay *r;
    gw_open_connection *o;
} cutter;

static void on_theirs(void *ctx, const gw_message *message)
{
    const cutter *c = ctx;
    c->r->take(c->r, c->o, message);
}

static void on_ours(void *ctx, const gw_message *message)
{
    (void)ctx;
    (void)message;
}

static gw_message segment_of(const gw_replay *r, const gw_open_connection *o, const void *data,
                             size_t len, bool ours)
{
    const gw_transport *t = gw_case_transport(o->conn);
    gw_message m = gw_message_of(data, len);
    (void)r;
    m.src = ours ? t->local : t->remote;
    m.dst = ours ? t->remote : t->local;
    m.transport = t->stream ? GW_OVER_TCP : GW_OVER_UDP;
    m.frame = o->number;
    m.num_frames = 1;
    return m;
}

/* Takes the ICRC off a datagram of RoCEv2 and judges it, as the receiver's adapter would. */
static void open_packet(gw_ib *ib, gw_message *m, const gw_packet *packet)
{
    if (m->cap_len < GW_IB_ICRC)
        return;
    size_t len = packet->len - GW_IB_ICRC;
    *ib =
        (gw_ib){.icrc = gw_load_le32(packet->data + len),
                .icrc_due = gw_ib_icrc_udp(&gw_fast_env, &packet->from, &m->dst, packet->data, len),
                .icrc_verdict = (uint8_t)gw_ib_judge_udp(&gw_fast_env, &packet->from, &m->dst,
                                                         packet->data, packet->len, true)};
    m->len -= GW_IB_ICRC;
    m->cap_len -= GW_IB_ICRC;
    m->ib = ib;
}

bool gw_player_receive(gw_replay *r, gw_open_connection *o, int64_t timeout_ns)
{
    const gw_trace_line *line = line_of(r, o);
    gw_packet packet;
    if (o->closed)
        return false;
    gw_recv_status status = gw_case_recv(r->ctx, o->conn, timeout_ns, &packet);
    cutter c = {r, o};
    if (status == GW_RECV_CLOSED) {
        o->closed = true;
        if (line->is_stream)
            line->format->stream->end(o->stream, on_theirs, &c);
        return false;
    }
    if (status != GW_RECV_DATA)
        return false;
    gw_ib ib;
    o->number = packet.number;
    gw_message m = segment_of(r, o, packet.data, packet.len, false);
    m.time_ns = packet.time_ns;
    if (line->format->infiniband)
        open_packet(&ib, &m, &packet);
    if (line->is_stream)
        line->format->stream->push(o->stream, 1 - our_direction(r), &m, on_theirs, &c);
    else
        r->take(r, o, &m);
    return true;
}

void gw_player_drain(gw_replay *r)
{
    for (size_t i = 0; i < GW_MAX_CONNECTIONS; i++)
        hear_rest(r, &r->slots[i]);
}

/* Whether the step behind |step| was in the same segment. Some boards make a message of what comes
 * together. */
static bool has_more(const gw_replay *r, uint32_t step)
{
    const gw_trace_step *s = &r->trace->steps[step];
    const gw_trace_step *next = s + 1;
    return step + 1 < r->trace->num_steps && next->ours && next->line == s->line &&
           next->frame == s->frame && next->label == s->label && !next->stoppable;
}

/* Adds the bytes of step |step| to the segment that goes out with the last of its steps. */
static void fill_segment(gw_replay *r, uint32_t step, const uint8_t *data, size_t len)
{
    if (r->num_segment == 0)
        r->segment_from = step;
    if (r->cap_segment - r->num_segment < len) {
        size_t cap = 2 * (r->num_segment + len);
        uint8_t *bigger = realloc(r->segment, cap);
        if (bigger == NULL)
            gw_case_error(r->ctx, "out of memory");
        r->segment = bigger;
        r->cap_segment = cap;
    }
    memcpy(r->segment + r->num_segment, data, len);
    r->num_segment += len;
}

static void send_segment(gw_replay *r, gw_open_connection *o, uint32_t step)
{
    int64_t sent_ns = gw_case_now(o->conn);
    unsigned number = gw_case_send(r->ctx, o->conn, r->segment, r->num_segment);
    for (uint32_t i = r->segment_from; i <= step; i++) {
        r->played[i].sent_ns = sent_ns;
        r->played[i].number = number;
    }
    r->num_segment = 0;
}

/* What is asked for again is another datagram, too. */
static const uint8_t *numbered(gw_replay *r, gw_open_connection *o, const uint8_t *data, size_t len)
{
    const gw_replay_format *row = gw_replay_format_of(line_of(r, o)->format);
    uint32_t count = o->sent++;

    if (row->number == NULL || len > r->cap_scratch)
        return data;
    if (data != r->scratch)
        memcpy(r->scratch, data, len);
    row->number(count, r->scratch, len);
    return r->scratch;
}

void gw_player_put(gw_replay *r, uint32_t step, const uint8_t *data, size_t len)
{
    gw_open_connection *o = gw_player_connection(r, r->trace->steps[step].line);
    const gw_trace_line *line = line_of(r, o);
    const gw_transport *t = gw_case_transport(o->conn);
    gw_played *p = &r->played[step];
    if (line->format->infiniband) {
        len = gw_ib_close_udp(r->scratch, r->cap_scratch, data, len, &t->local, &t->remote,
                              r->trace->steps[step].flaw);
        data = r->scratch;
    }
    p->state = GW_STEP_DONE;
    p->sent_ns = gw_case_now(o->conn);
    r->asked_last = step;
    if (!line->is_stream) {
        data = numbered(r, o, data, len);
        p->number = gw_case_send(r->ctx, o->conn, data, len);
        return;
    }
    fill_segment(r, step, data, len);
    if (!has_more(r, step))
        send_segment(r, o, step);
    gw_message m = segment_of(r, o, data, len, true);
    line->format->stream->push(o->stream, our_direction(r), &m, on_ours, NULL);
}

void gw_player_retire(gw_replay *r, uint32_t step)
{
    for (size_t i = 0; i < GW_MAX_CONNECTIONS; i++) {
        gw_open_connection *o = &r->slots[i];
        bool ends = o->conn != NULL && (line_of(r, o)->is_stream || r->ctx->suite->calls_us);
        if (!ends || line_of(r, o)->last >= step)
            continue;
        hear_rest(r, o);
        release(r, o);
    }
}

void gw_player_forget(gw_replay *r)
{
    for (size_t i = 0; i < GW_MAX_CONNECTIONS; i++)
        r->slots[i].conn = NULL;
    memset(r->opened, 0, r->trace->num_lines);
    r->adapter = NULL;
}
