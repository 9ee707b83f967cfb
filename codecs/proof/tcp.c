/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP reassembly, one step after whatever was before: its memory holds any state that keeps its
 * ranges, and does so behind the step. So it holds for any number of segments. The table of
 * connections is looked at with what stands for one direction (proof/quiet_flow.c), each direction
 * by itself. Each piece of memory is an object of its own, so that what leaves it is seen. */
#include "net/tcp_state.h"
#include "proof/proof.h"

enum {
    CONNS = 2,
    WINDOW = 4,
    PIECES = 3,
    INIT_WINDOW = 64, /* the least that init makes */
    INIT_WORDS = (CONNS + 1) * 1000,
};

static gw_tcp tcp;
static gw_tcp *const t = &tcp;
static gw_conn conns[CONNS];
static uint32_t buckets[CONNS];
static gw_piece pieces[2 * CONNS][PIECES];
static uint8_t ring_0[WINDOW], ring_1[WINDOW], ring_2[WINDOW], ring_3[WINDOW];
static uint8_t room[PROOF_BYTES];
static volatile uint64_t seen;

static uint32_t any_of(uint32_t num)
{
    return any_bool() ? GW_TCP_NONE : Frama_C_unsigned_int_interval(0, num - 1);
}

/* Reads the first byte and the last. */
static void on_event(void *ctx, const gw_tcp_event *event)
{
    const gw_message *s = &event->segment;

    (void)ctx;
    //@ assert slot: event->slot < CONNS;
    //@ assert vlans: s->num_vlans <= GW_MESSAGE_VLANS;
    seen = event->gap_len + s->frame + s->frames[0] + s->vlans[0];
    if (s->cap_len > 0)
        seen = s->data[0] + (uint64_t)s->data[s->cap_len - 1];
}

static void put_any_flow(gw_tcp_flow *f, uint8_t *ring, gw_piece *own)
{
    Frama_C_make_unknown((char *)f, sizeof *f);
    f->ring = ring;
    f->pieces = own;
    f->head = any_of(PIECES);
    f->spare = any_of(PIECES);
    f->fresh = Frama_C_unsigned_int_interval(0, PIECES);
    f->num_vlans = (uint8_t)Frama_C_interval(0, GW_MESSAGE_VLANS);
    f->started = any_bool();
    f->mid_stream = any_bool();
    f->fin_seen = any_bool();
    Frama_C_make_unknown((char *)ring, WINDOW);
    for (size_t i = 0; i < PIECES; i++) {
        Frama_C_make_unknown((char *)&own[i], sizeof own[i]);
        own[i].len = Frama_C_unsigned_int_interval(0, WINDOW);
        own[i].next = any_of(PIECES);
        own[i].lost = any_bool();
    }
}

static void look_at_flow(const gw_tcp_flow *f, const uint8_t *ring, const gw_piece *own)
{
    //@ assert ring: f->ring == ring;
    //@ assert pieces: f->pieces == own;
    //@ assert head: f->head < PIECES || f->head == GW_TCP_NONE;
    //@ assert spare: f->spare < PIECES || f->spare == GW_TCP_NONE;
    //@ assert fresh: f->fresh <= PIECES;
    seen = f->started + f->mid_stream + f->fin_seen;
    //@ assert vlans: f->num_vlans <= GW_MESSAGE_VLANS;
    for (size_t i = 0; i < PIECES; i++) {
        seen = own[i].lost;
        //@ assert len: own[i].len <= WINDOW;
        //@ assert next: own[i].next < PIECES || own[i].next == GW_TCP_NONE;
    }
}

static void put_any_state(void)
{
    Frama_C_make_unknown((char *)&tcp, sizeof tcp);
    Frama_C_make_unknown((char *)conns, sizeof conns);
    t->fn = on_event;
    t->ctx = NULL;
    t->conns = conns;
    t->buckets = buckets;
    t->bucket_mask = CONNS - 1;
    t->num = CONNS;
    t->window = WINDOW;
    t->num_pieces = PIECES;
    t->event = (gw_tcp_event){.segment = {.num_frames = 1, .transport = GW_OVER_TCP}};
    for (size_t i = 0; i < CONNS; i++) {
        buckets[i] = any_of(CONNS);
        conns[i].chain = any_of(CONNS);
        conns[i].newer = Frama_C_unsigned_int_interval(0, CONNS - 1);
        conns[i].older = Frama_C_unsigned_int_interval(0, CONNS - 1);
        conns[i].state = (uint8_t)Frama_C_interval(0, GW_CONN_CLOSED);
    }
    t->used = Frama_C_unsigned_int_interval(0, CONNS);
    t->newest = Frama_C_unsigned_int_interval(0, CONNS - 1);
    put_any_flow(&conns[0].flow[0], ring_0, pieces[0]);
    put_any_flow(&conns[0].flow[1], ring_1, pieces[1]);
    put_any_flow(&conns[1].flow[0], ring_2, pieces[2]);
    put_any_flow(&conns[1].flow[1], ring_3, pieces[3]);
}

/* What put_any_state takes for granted. */
static void look_at_state(void)
{
    //@ assert used: t->used <= CONNS;
    //@ assert newest: t->newest < CONNS;
    //@ assert no_bytes: t->event.segment.cap_len == 0;
    for (size_t i = 0; i < CONNS; i++) {
        //@ assert bucket: buckets[i] < CONNS || buckets[i] == GW_TCP_NONE;
        //@ assert chain: conns[i].chain < CONNS || conns[i].chain == GW_TCP_NONE;
        //@ assert newer: conns[i].newer < CONNS;
        //@ assert older: conns[i].older < CONNS;
        //@ assert state: conns[i].state <= GW_CONN_CLOSED;
    }
    look_at_flow(&conns[0].flow[0], ring_0, pieces[0]);
    look_at_flow(&conns[0].flow[1], ring_1, pieces[1]);
    look_at_flow(&conns[1].flow[0], ring_2, pieces[2]);
    look_at_flow(&conns[1].flow[1], ring_3, pieces[3]);
}

static gw_seen any_seen(void)
{
    gw_seen at = {any_u64(), (int64_t)any_u64()};

    return at;
}

static gw_net any_segment(int len)
{
    gw_net net;

    Frama_C_make_unknown((char *)room, sizeof room);
    Frama_C_make_unknown((char *)&net, sizeof net);
    net.payload = gw_cursor_over(room + (PROOF_BYTES - len), (size_t)len);
    net.num_vlans = (uint8_t)Frama_C_interval(0, GW_MESSAGE_VLANS);
    return net;
}

static void add_segment(void)
{
    gw_net net = any_segment(PROOF_BYTES);

    gw_tcp_add(t, &net, any_u64(), (int64_t)any_u64());
}

static void over_any_state(void (*run)(void))
{
    put_any_state();
    run();
    look_at_state();
}

static void end_all(void)
{
    gw_tcp_end(t);
}

/* ---- memory of the size that was asked for, to its last byte ---- */

static uint64_t memory[INIT_WORDS]; /* enough, else there is an alarm */

static void begin_with(size_t num, size_t window)
{
    char *end = (char *)memory + sizeof memory;
    gw_tcp *made = gw_tcp_init(end - gw_tcp_size(num, window), num, window, on_event, NULL);
    const char *last = (char *)(made->conns + num);

    //@ assert range: made->used == 0 && made->newest < num;
    //@ assert mask: made->bucket_mask >= num - 1 && made->bucket_mask < 2 * num;
    //@ assert ring: made->conns[0].newer < num && made->conns[0].older < num;
    for (size_t i = 0; i < 2 * num; i++) {
        gw_tcp_flow *f = &made->conns[i / 2].flow[i % 2];

        //@ assert apart: last <= (char *)f->pieces;
        last = (char *)(f->pieces + made->num_pieces);
    }
    //@ assert apart: last <= (char *)made->buckets;
    last = (char *)(made->buckets + made->bucket_mask + 1);
    for (size_t i = 0; i < 2 * num; i++) {
        gw_tcp_flow *f = &made->conns[i / 2].flow[i % 2];

        //@ assert apart: last <= (char *)f->ring;
        last = (char *)f->ring + made->window;
    }
    //@ assert within: last <= end;
    seen = *(made->conns[num - 1].flow[1].ring + made->window - 1);
}

void proof_tcp(void)
{
    int window = Frama_C_interval(0, 2 * INIT_WINDOW);
    //@ split window;
    begin_with(1, (size_t)window);
    begin_with(CONNS, (size_t)window);
    begin_with(CONNS + 1, (size_t)window);
    over_any_state(add_segment);
    over_any_state(end_all);
}

/* ---- one direction by itself ---- */

static void pass(gw_conn *c, unsigned dir)
{
    gw_flow_pass(t, c, dir, any_u64(), any_seen());
}

static void flush(gw_conn *c, unsigned dir)
{
    gw_flow_flush(t, c, dir, any_seen());
}

static void add(gw_conn *c, unsigned dir)
{
    gw_net net = any_segment(PROOF_BYTES);

    gw_flow_add(t, c, dir, any_u64(), net.payload, any_u32(), any_seen());
}

static void begin(gw_conn *c, unsigned dir)
{
    gw_net net = any_segment(PROOF_BYTES);

    if (any_bool())
        gw_flow_reset(&c->flow[dir]);
    gw_flow_start(&c->flow[dir], any_u32(), &net, any_bool());
    seen = gw_flow_offset(&c->flow[dir], any_u32());
    gw_flow_tell_end(t, c, dir, any_bool(), any_seen());
}

static void over_any_flow(void (*run)(gw_conn *c, unsigned dir))
{
    int which = Frama_C_interval(0, 2 * CONNS - 1);
    //@ split which;
    put_any_state();
    run(&conns[which / 2], (unsigned)which % 2);
    look_at_state();
}

void proof_flow(void)
{
    over_any_flow(pass);
    over_any_flow(flush);
    over_any_flow(begin);
    over_any_flow(add);
}
