/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaying OP2P: a node's memory, its pool, and the queues of its ports. */
#include <string.h>

#include "formats/op2p/node/board.h"
#include "goldwire/op2p.h"
#include "replay/format.h"

/* So many steps ago is where something was asked that is answered now. */
#define LOOK_BACK 64

#define TRAININGS 8 /* reply times that a channel may take to come up */

/* ---- loading a trace ---- */

static const char *carry(gw_carried *out, const gw_message *m, uint16_t sequence)
{
    gw_op2p_packet p;
    gw_op2p_shim shim = {.version = 1, .kind = GW_OP2P_KIND_PDU};
    size_t head = m->part == GW_OP2P_EVENT ? GW_OP2P_SHIM : 0;

    (void)gw_op2p_decode(&p, m);
    if (head > 0 && (!p.has_shim || p.shim.version != 1))
        return "the capture's header before this frame is none that is known";
    if (head > 0) {
        shim = p.shim;
        out->dir = (p.shim.flags & GW_OP2P_FLAG_OUT) != 0 ? GW_DIR_OUT : GW_DIR_IN;
    }
    if (out->dir == GW_DIR_UNKNOWN)
        return "the capture does not say which way this frame went: record link type 148, or "
               "pcapng, which keep the direction";
    if (m->cap_len - head > sizeof(out->bytes) - GW_OP2P_SHIM)
        return "a frame is longer than any OP2P frame";
    shim.flags &= (uint8_t)~GW_OP2P_FLAG_OUT;
    shim.sequence = sequence;
    gw_op2p_put_tunnel(out->bytes, &shim);
    if (m->cap_len > head)
        memcpy(out->bytes + GW_OP2P_SHIM, m->data + head, m->cap_len - head);
    out->message.data = out->bytes;
    out->message.cap_len = (uint32_t)(GW_OP2P_SHIM + m->cap_len - head);
    out->message.len = (uint32_t)(GW_OP2P_SHIM + m->len - head);
    out->message.part = 0;
    out->message.transport = GW_OVER_UDP;
    return NULL;
}

static void reach(const gw_message *m, const gw_dialect *dialect, gw_reach_fn fn, void *ctx)
{
    gw_op2p_packet p;
    (void)dialect;
    (void)gw_op2p_decode(&p, m);
    if (p.has_header && p.header.type <= GW_OP2P_COMPLETION)
        fn(ctx, "touches", p.header.dst_addr, 1, 32);
}

/* ---- the node ---- */

/* The node is whoever answers. */
static void begin(gw_replay *r)
{
    gw_op2p_packet p;
    for (uint32_t i = 0; i < r->trace->num_steps && r->node == 0; i++) {
        const gw_trace_step *s = &r->trace->steps[i];
        gw_message m = gw_trace_message(r->trace, i);
        if (s->ours || r->trace->lines[s->line].format != r->ctx->suite->format)
            continue;
        (void)gw_op2p_decode(&p, &m);
        if (p.has_header && p.header.type == GW_OP2P_COMPLETION)
            r->node = p.header.src_id;
    }
}

static bool speaks_to_registers(const gw_replay *r, uint32_t first)
{
    for (uint32_t i = first; gw_player_is_of_part(r, i, first); i++) {
        if (r->trace->lines[r->trace->steps[i].line].format != r->ctx->suite->format)
            return true;
    }
    return false;
}

static uint32_t read_register(gw_ctx *ctx, uint32_t offset)
{
    static const gw_recorded none = {.known = true};
    uint32_t at = gw_recorded_register(&none, gw_case_board(ctx), &gw_op2p, offset);
    gw_read_word w = gw_player_read_word(ctx, gw_case_link(ctx, "regs"),
                                         GW_EB_32BIT << 4 | GW_EB_32BIT, NULL, at);
    return w.there ? (uint32_t)w.value : UINT32_MAX;
}

static void drain_queue(gw_ctx *ctx, uint32_t empty, uint32_t where)
{
    for (unsigned i = 0; i <= GW_OP2P_FIFO_DEPTH; i++) {
        if ((read_register(ctx, GW_OP2P_FIFOSTATUS) & empty) != 0)
            return;
        (void)read_register(ctx, where);
    }
}

static void prepare(gw_replay *r, uint32_t step)
{
    gw_ctx *ctx = r->ctx;
    if (!speaks_to_registers(r, step))
        return;
    drain_queue(ctx, GW_OP2P_RDCOMPL_EMPTY, GW_OP2P_RDCOMPL_LOCALADDRESS);
    drain_queue(ctx, GW_OP2P_ARRIVEDWRITE_EMPTY, GW_OP2P_ARRIVEDWRITE_ADDRESS);
    drain_queue(ctx, GW_OP2P_FORWREQ_EMPTY, GW_OP2P_FORWREQ_POINTER);
}

/* A reset may take the transceivers down, and the channel then takes its own time to come up. */
static void settle(gw_replay *r)
{
    gw_connection *conn = gw_case_connection(r->ctx);
    int64_t deadline = gw_case_now(conn) + TRAININGS * gw_case_reply_ns(r->ctx), pause = GW_MS;

    if (!r->released)
        return;
    r->released = false;
    while ((read_register(r->ctx, GW_OP2P_LINK_STATUS) & GW_OP2P_CHANNEL_UP) == 0 &&
           gw_case_now(conn) < deadline) {
        gw_case_wait(conn, pause);
        pause *= 2;
    }
}

/* ---- its registers ---- */

static gw_spot_kind register_kind(uint32_t offset)
{
    if (offset >= GW_OP2P_NODE_PORTS * GW_OP2P_REGISTERS)
        return offset >= GW_OP2P_NODE_MEMORY ? GW_SPOT_MEMORY : GW_SPOT_STATE;
    switch (offset % GW_OP2P_REGISTERS) {
    case GW_OP2P_FIFOSTATUS:
    case GW_OP2P_LINK_STATUS:
        return GW_SPOT_FLAGS;
    case GW_OP2P_WR_SOURCEADDRESS:
    case GW_OP2P_RDREQ_LOCALADDRESS:
    case GW_OP2P_FORWARDING_BUFFERBASE:
    case GW_OP2P_FORW_FREEUPADDR:
        return GW_SPOT_PLACE;
    case GW_OP2P_FORWREQ_POINTER:
    case GW_OP2P_RDCOMPL_LOCALADDRESS:
    case GW_OP2P_ARRIVEDWRITE_ADDRESS:
        return GW_SPOT_TAKEN;
    default:
        return GW_SPOT_STATE;
    }
}

/* How many frames had errors since the port was reset. */
static bool register_counts(uint32_t offset)
{
    return offset < GW_OP2P_NODE_PORTS * GW_OP2P_REGISTERS &&
           offset % GW_OP2P_REGISTERS == GW_OP2P_LINK_ERROR_COUNT;
}

/* An address that the host gives to its port: of a pool, or where data shall come from or go to. */
static void note_register(gw_replay *r, uint32_t step, uint32_t offset, uint64_t value)
{
    gw_player_spoken(r, step, value);
    if (offset == GW_OP2P_PORT_RESET)
        r->released = (value & 1) == 0;
    if (offset % GW_OP2P_REGISTERS != GW_OP2P_FORWARDING_BUFFERBASE)
        return;
    r->has_pool = true;
    r->pool = value & ~UINT64_C(3);
}

static bool move_register(const gw_replay *r, const gw_access_one *a, uint64_t *value)
{
    return gw_spot_register(r, (uint32_t)a->address) == GW_SPOT_PLACE &&
           gw_player_now_at(r, *value, 1, value);
}

/* ---- its queues ---- */

#define QUEUES (GW_OP2P_FORWREQ_EMPTY | GW_OP2P_RDCOMPL_EMPTY | GW_OP2P_ARRIVEDWRITE_EMPTY)

static uint32_t offset_of(const gw_replay *r, const gw_spot *spot)
{
    return gw_recorded_offset(&r->trace->recorded, gw_case_board(r->ctx), &gw_op2p,
                              (uint32_t)spot->address);
}

static unsigned port_of(const gw_replay *r, const gw_spot *spot)
{
    return offset_of(r, spot) / GW_OP2P_REGISTERS % 2;
}

/* A queue that is empty gives its last value again, whatever that was. */
static bool is_of_this_part(const gw_replay *r, const gw_spot *spot, uint64_t address)
{
    unsigned port = port_of(r, spot);
    if (offset_of(r, spot) % GW_OP2P_REGISTERS != GW_OP2P_FORWREQ_POINTER)
        return address != 0 && gw_player_is_spoken(r, address);
    return r->queues_part == r->trace->steps[r->judged].label &&
           (r->queues[port] & GW_OP2P_FORWREQ_EMPTY) != 0 &&
           (r->queues_now[port] & GW_OP2P_FORWREQ_EMPTY) == 0;
}

static bool is_link_status(const gw_replay *r, const gw_spot *spot)
{
    return offset_of(r, spot) % GW_OP2P_REGISTERS == GW_OP2P_LINK_STATUS;
}

/* Whether |m| has the tunnel's shim, which goes to |shim| then. */
static bool has_shim(const gw_message *m, gw_op2p_shim *shim)
{
    gw_op2p_packet p;
    (void)gw_op2p_decode(&p, m);
    *shim = p.shim;
    return p.has_shim;
}

/* Whether we have said, before the judged step, that the channel is up, as it is at first. */
static bool said_up(const gw_replay *r)
{
    for (uint32_t i = r->judged, seen = 0; i > 0 && seen < LOOK_BACK; i--, seen++) {
        const gw_trace_step *s = &r->trace->steps[i - 1];
        gw_message m = gw_trace_message(r->trace, i - 1);
        gw_op2p_shim shim;
        if (s->ours && r->trace->lines[s->line].format == &gw_op2p && has_shim(&m, &shim) &&
            shim.kind == GW_OP2P_KIND_CHANNEL)
            return shim.code != 0;
    }
    return true;
}

/* Link and registers are two ways, and a reset takes its time: the status in the trace may not have
 * followed yet what we had said of the channel, and the status of now have followed it. */
static bool compare_status(const gw_replay *r, uint64_t want, uint64_t have)
{
    const uint64_t link =
        GW_OP2P_CHANNEL_UP | GW_OP2P_LANES_UP | GW_OP2P_WE_HALTED | GW_OP2P_THEY_HALTED;
    bool was_up = (want & GW_OP2P_CHANNEL_UP) != 0, is_up = (have & GW_OP2P_CHANNEL_UP) != 0;

    if (want == have)
        return true;
    bool followed = was_up != is_up && said_up(r) == is_up;
    return followed && ((want ^ have) & ~link) == 0;
}

/* In the trace a queue may hold what came before this part of it, until it is seen to be empty. */
static gw_counts_how compare_flags(const gw_replay *r, const gw_spot *spot, const gw_leaf *want,
                                   const gw_leaf *have, uint64_t *expected)
{
    uint64_t due = want->value & QUEUES;
    *expected = want->value;
    if (is_link_status(r, spot))
        return compare_status(r, want->value, have->value) ? GW_COUNTS_ON : GW_COUNTS_WRONG;
    if (r->queues_part == r->trace->steps[r->judged].label)
        due |= r->queues[port_of(r, spot)];
    return ((want->value ^ have->value) & (due | ~(uint64_t)QUEUES)) == 0 ? GW_COUNTS_ON
                                                                          : GW_COUNTS_WRONG;
}

static void note_flags(gw_replay *r, const gw_spot *spot, const gw_leaf *want)
{
    if (is_link_status(r, spot))
        return;
    if (r->queues_part != r->trace->steps[r->judged].label)
        memset(r->queues, 0, sizeof(r->queues));
    r->queues_part = r->trace->steps[r->judged].label;
    r->queues[port_of(r, spot)] |= (uint8_t)(want->value & QUEUES);
    r->queues_now[port_of(r, spot)] = (uint8_t)(want->value & QUEUES);
}

/* ---- its memory ---- */

/* What a node keeps for others it has filled itself, with what it was sent. */
static bool in_pool(const gw_replay *r, uint64_t address)
{
    return r->has_pool && address - r->pool < (uint64_t)GW_OP2P_POOL_ENTRIES * GW_OP2P_POOL_ENTRY;
}

/* Packets with data say where the node has it from. */
static gw_spot spot(const gw_replay *r, const gw_related *related, const gw_leaf *leaf)
{
    gw_op2p_packet p = {0};
    gw_message m = gw_replay_judged(r);
    gw_spot found = {.space = GW_SPACE_BUS, .lanes = UINT8_MAX, .swapped = true};
    (void)related;
    (void)leaf;
    (void)gw_op2p_decode(&p, &m);
    if (!p.has_header || (p.header.type != GW_OP2P_COMPLETION && p.header.type != GW_OP2P_WRITE))
        return found;
    found.address = p.header.src_addr & ~UINT32_C(3);
    found.kind = in_pool(r, found.address) ? GW_SPOT_STATE : GW_SPOT_MEMORY;
    return found;
}

static void note_write(gw_replay *r, uint32_t step, const gw_message *then, const gw_message *now)
{
    gw_op2p_packet p;
    (void)now;
    (void)gw_op2p_decode(&p, then);
    if (!p.has_header)
        return;
    uint64_t base = p.header.dst_addr & ~UINT32_C(3);
    uint32_t first = gw_op2p_first_byte(p.header.fbe);
    uint32_t end = first + p.header.byte_count;
    gw_player_spoken(r, step, p.header.dst_addr);
    gw_player_spoken(r, step, base);
    for (uint32_t i = 0; i < p.payload_len; i++) {
        uint32_t at = (i & ~UINT32_C(3)) + (3 - i % 4);
        bool off = at < 4 && (p.header.fbe >> at & 1) == 0;
        if (at >= first && at < end && !off)
            gw_player_know(r, GW_SPACE_BUS, base + at, p.payload[i], p.payload[i]);
    }
}

/* Whoever asks for a packet once more repeats where that one was for, whosever address it is. */
static bool move_repeated(const gw_replay *r, const gw_leaf *leaf, uint64_t *value)
{
    const gw_trace_step *steps = r->trace->steps;
    gw_op2p_packet p;
    for (uint32_t i = r->judged, seen = 0; i > 0 && seen < LOOK_BACK; i--, seen++) {
        gw_message m = gw_trace_message(r->trace, i - 1);
        if (!steps[i - 1].ours || steps[i - 1].line != steps[r->judged].line ||
            r->played[i - 1].state != GW_STEP_DONE)
            continue;
        (void)gw_op2p_decode(&p, &m);
        if (!p.has_header || p.header.dst_addr != leaf->value)
            continue;
        if (r->played[i - 1].has_live)
            m.data = r->live + r->played[i - 1].live_at;
        (void)gw_op2p_decode(&p, &m);
        *value = p.header.dst_addr;
        return true;
    }
    return false;
}

/* A packet for somebody else names an address of theirs. */
static bool moved(const gw_replay *r, const gw_related *related, const gw_leaf *leaf,
                  uint64_t *value)
{
    gw_op2p_packet p = {0};
    gw_message m = gw_replay_judged(r);
    const gw_op2p_header *h = &p.header;
    bool is_target = leaf->field->memory == GW_MEMORY_TO;
    bool is_source = leaf->field->memory == GW_MEMORY_FROM;
    (void)gw_op2p_decode(&p, &m);
    if (!p.has_header)
        return false;
    if (!related->is_ours && is_source && h->type == GW_OP2P_RETRANSMIT)
        return move_repeated(r, leaf, value);
    if (!related->is_ours)
        return is_source && gw_player_now_at(r, leaf->value, 1, value);
    return is_target && h->type <= GW_OP2P_COMPLETION && (h->dst_id == 0 || h->dst_id == r->node) &&
           gw_player_now_at(r, leaf->value, 1, value);
}

static bool begins_anew(const gw_message *m)
{
    gw_op2p_shim shim;
    return has_shim(m, &shim) && shim.kind == GW_OP2P_KIND_CHANNEL;
}

/* The other end of the tunnel takes no number again that it has had, nor one that comes late. */
static void number(uint32_t count, uint8_t *data, size_t len)
{
    gw_message m = gw_message_of(data, len);
    gw_op2p_shim shim;
    m.transport = GW_OVER_UDP;
    if (!has_shim(&m, &shim))
        return;
    shim.sequence = (uint16_t)count;
    gw_op2p_put_tunnel(data, &shim);
}

const gw_replay_format gw_replay_op2p = {
    .format = &gw_op2p,
    .answers_are_own = true,
    .registers_apart = true,
    .carry = carry,
    .reach = reach,
    .begin = begin,
    .begins_anew = begins_anew,
    .number = number,
    .prepare = prepare,
    .settle = settle,
    .note_register = note_register,
    .register_kind = register_kind,
    .register_counts = register_counts,
    .is_of_this_part = is_of_this_part,
    .compare_flags = compare_flags,
    .note_flags = note_flags,
    .move_register = move_register,
    .note_write = note_write,
    .moved = moved,
    .spot = spot,
};
