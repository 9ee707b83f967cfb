/* SPDX-License-Identifier: BSD-2-Clause */
/* Stands for net/tcp_flow.c where the table of connections is looked at: behind a call something
 * was told, and a direction is in any state that keeps its ranges. */
#include "net/tcp_state.h"
#include "proof/proof.h"

static uint32_t any_of(uint32_t num)
{
    return any_bool() ? GW_TCP_NONE : Frama_C_unsigned_int_interval(0, num - 1);
}

static void tell(gw_tcp *t, const gw_conn *c, unsigned dir, gw_seen at)
{
    gw_tcp_event *e = &t->event;

    e->kind = (uint8_t)Frama_C_interval(0, GW_TCP_END);
    e->dir = (uint8_t)dir;
    e->mid_stream = c->flow[dir].mid_stream;
    e->slot = (uint32_t)(c - t->conns);
    e->stream = c->stream;
    e->gap_len = any_u32();
    e->segment.time_ns = at.time_ns;
    e->segment.src = c->end[dir];
    e->segment.dst = c->end[1 - dir];
    e->segment.frame = at.frame;
    e->segment.num_vlans = c->flow[dir].num_vlans;
    t->fn(t->ctx, e);
}

static void change(gw_tcp *t, gw_conn *c, unsigned dir, gw_seen at)
{
    gw_tcp_flow *f = &c->flow[dir];

    f->next = any_u64();
    f->known = any_u64();
    f->top = any_u64();
    f->head = any_of(t->num_pieces);
    f->spare = any_of(t->num_pieces);
    f->fresh = Frama_C_unsigned_int_interval(0, t->num_pieces);
    if (any_bool())
        tell(t, c, dir, at);
}

void gw_flow_add(gw_tcp *t, gw_conn *c, unsigned dir, uint64_t off, gw_cursor payload, uint32_t len,
                 gw_seen at)
{
    uint8_t byte = 0;

    if (gw_cursor_u8(&payload, &byte))
        at.frame += byte + len + off;
    change(t, c, dir, at);
}

void gw_flow_pass(gw_tcp *t, gw_conn *c, unsigned dir, uint64_t to, gw_seen at)
{
    at.frame += to;
    change(t, c, dir, at);
}

void gw_flow_flush(gw_tcp *t, gw_conn *c, unsigned dir, gw_seen at)
{
    change(t, c, dir, at);
}

void gw_flow_tell_end(gw_tcp *t, const gw_conn *c, unsigned dir, bool evicted, gw_seen at)
{
    t->event.evicted = evicted;
    tell(t, c, dir, at);
    t->event.evicted = false;
}

void gw_flow_reset(gw_tcp_flow *f)
{
    *f = (gw_tcp_flow){
        .pieces = f->pieces, .ring = f->ring, .head = GW_TCP_NONE, .spare = GW_TCP_NONE};
}

void gw_flow_start(gw_tcp_flow *f, uint32_t seq, const gw_net *net, bool mid_stream)
{
    f->start = any_u64() + seq;
    f->next = any_u64();
    f->known = any_u64();
    f->top = any_u64();
    f->started = true;
    f->mid_stream = mid_stream;
    f->num_vlans = net->num_vlans;
}

uint64_t gw_flow_offset(const gw_tcp_flow *f, uint32_t seq)
{
    return any_u64() + f->next + seq;
}
