/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses that the trace has, in what we send and in what the board sends, as they are on the
 * board of now. */
#include <string.h>

#include "goldwire/op2p.h"
#include "peers/ims_buf.h"
#include "replay/access.h"
#include "replay/remember.h"

/* So many steps ago is where something was asked that is answered now. */
#define LOOK_BACK 64

/* A table is no longer than this, wherever it lies. */
#define TABLE_MAX UINT64_C(0x10000)

static bool place(const gw_replay *r, uint64_t address, unsigned bytes, uint64_t *now)
{
    char why[160];
    uint64_t last = bytes - 1 > UINT64_MAX - address ? UINT64_MAX : address + bytes - 1;
    if (gw_recorded_area(&r->trace->recorded, address, last) == NULL &&
        address - r->table_then < TABLE_MAX && r->table_then != 0) {
        *now = address - r->table_then + r->table_now;
        return true;
    }
    return gw_recorded_place(&r->trace->recorded, gw_case_board(r->ctx), address, last, now, why,
                             sizeof(why));
}

/* ---- registers that hold addresses ---- */

/* The address that the trace writes to a buffer's read pointer, half by half: lower first. */
static bool pointer_of(const gw_replay *r, const gw_access_one *a, uint64_t half, bool upper,
                       uint64_t *whole)
{
    const gw_trace *t = r->trace;
    uint32_t line = t->steps[r->judged].line;
    uint32_t i = r->judged;
    for (unsigned seen = 0; seen < 8; seen++) {
        i = upper ? i - 1 : i + 1;
        if (i >= t->num_steps)
            return false;
        gw_message m = gw_trace_message(t, i);
        gw_eb_reader reader;
        gw_eb_record record;
        if (t->steps[i].line != line || !t->steps[i].ours ||
            !gw_eb_open(&reader, &m, t->lines[line].dialect) || !gw_eb_next(&reader, &record) ||
            record.wcount == 0 || record.write_base != (upper ? a->address - 4 : a->address + 4))
            continue;
        uint64_t other = gw_eb_write_value(&reader.layout, &record, 0);
        *whole = upper ? half << 32 | other : other << 32 | half;
        return true;
    }
    return false;
}

static bool move_pointer(const gw_replay *r, const gw_access_one *a, uint64_t *value)
{
    uint32_t offset = gw_recorded_offset(&r->trace->recorded, gw_case_board(r->ctx),
                                         r->ctx->suite->format, (uint32_t)a->address);
    bool channel = offset >= GW_IMS_BUF_CHANNEL && offset < GW_IMS_BUF_REGISTERS;
    uint32_t within = offset % GW_IMS_BUF_CHANNEL;
    bool upper = within == GW_IMS_BUF_REG_READ + 4;
    uint64_t whole;
    if (!channel || (!upper && within != GW_IMS_BUF_REG_READ) ||
        !pointer_of(r, a, *value, upper, &whole))
        return false;
    whole = gw_player_in_ring(r, whole);
    *value = upper ? whole >> 32 : (uint32_t)whole;
    return true;
}

static bool move_value(const gw_replay *r, const gw_access_one *a, uint64_t *value)
{
    const gw_format *format = r->ctx->suite->format;
    if (a->config || a->address > UINT32_MAX)
        return false;
    if (format == &gw_ims)
        return move_pointer(r, a, value);
    return format == &gw_op2p && gw_spot_register(r, (uint32_t)a->address) == GW_SPOT_PLACE &&
           place(r, *value, 1, value);
}

/* ---- messages ---- */

static bool move_access(const gw_replay *r, bool regs, const gw_access_one *a, uint64_t *value)
{
    if (a->config)
        return false;
    if (!regs)
        return place(r, a->address, a->bytes, value);
    if (a->address > UINT32_MAX)
        return false;
    *value = gw_recorded_register(&r->trace->recorded, gw_case_board(r->ctx), r->ctx->suite->format,
                                  (uint32_t)a->address);
    return true;
}

static bool move_etherbone(const gw_replay *r, const gw_leaf *leaf, uint64_t *value)
{
    static const char prefix[] = "etherbone.";
    const gw_trace_line *line = &r->trace->lines[r->trace->steps[r->judged].line];
    bool regs = line->format != r->ctx->suite->format;
    const char *name = leaf->field->name + sizeof(prefix) - 1;
    gw_message m = gw_trace_message(r->trace, r->judged);
    gw_access_one a;
    if (strcmp(name, "read.addr") == 0)
        return gw_access_read(&a, &m, line->dialect, leaf->container, leaf->index) &&
               move_access(r, regs, &a, value);
    if (strcmp(name, "write.base") == 0)
        return gw_access_write(&a, &m, line->dialect, leaf->container, 0) &&
               move_access(r, regs, &a, value);
    return regs && strcmp(name, "write.value") == 0 &&
           gw_access_write(&a, &m, line->dialect, leaf->container, leaf->index) &&
           move_value(r, &a, value);
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
static bool move_op2p(const gw_replay *r, const gw_related *related, const gw_leaves *all,
                      const gw_leaf *leaf, uint64_t *value)
{
    const gw_leaf *type = gw_leaf_called(all, "op2p.type");
    const gw_leaf *to = gw_leaf_called(all, "op2p.dst.id");
    if (!related->is_ours && strcmp(leaf->field->name, "op2p.src_addr") != 0)
        return false;
    if (!related->is_ours && type != NULL && type->value == GW_OP2P_RETRANSMIT)
        return move_repeated(r, leaf, value);
    if (!related->is_ours)
        return place(r, leaf->value, 1, value);
    return strcmp(leaf->field->name, "op2p.dst_addr") == 0 && type != NULL && to != NULL &&
           type->value <= GW_OP2P_COMPLETION && (to->value == 0 || to->value == r->node) &&
           place(r, leaf->value, 1, value);
}

bool gw_player_moved(void *ctx, const gw_related *related, const gw_leaves *all,
                     const gw_leaf *leaf, uint64_t *value)
{
    const gw_replay *r = ctx;
    const gw_trace_line *line = &r->trace->lines[r->trace->steps[r->judged].line];
    const gw_suite *suite = r->ctx->suite;
    bool moved = false;
    *value = leaf->value;
    if (line->format == &gw_etherbone && related->is_ours &&
        (line->format != suite->format || !suite->calls_us))
        moved = move_etherbone(r, leaf, value);
    else if (line->format == &gw_op2p)
        moved = move_op2p(r, related, all, leaf, value);
    return moved && *value != leaf->value;
}

/* The node is whoever answers. */
void gw_player_learn_node(gw_replay *r)
{
    gw_op2p_packet p;
    for (uint32_t i = 0; i < r->trace->num_steps && r->node == 0; i++) {
        const gw_trace_step *s = &r->trace->steps[i];
        gw_message m = gw_trace_message(r->trace, i);
        if (s->ours || r->trace->lines[s->line].format != &gw_op2p)
            continue;
        (void)gw_op2p_decode(&p, &m);
        if (p.has_header && p.header.type == GW_OP2P_COMPLETION)
            r->node = p.header.src_id;
    }
}
