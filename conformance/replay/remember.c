/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparing what was read with what the trace wrote, or read before. What it has from elsewhere is
 * not compared: another board, or the same one on another day, holds something else. */
#include "replay/remember.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "goldwire/cursor.h"
#include "goldwire/ims.h"
#include "goldwire/op2p.h"
#include "replay/access.h"

/* A word that was spoken of in one part of the trace. */
static uint64_t spoken(uint32_t label, uint64_t word)
{
    return UINT64_C(1) << 63 | (uint64_t)(label & 0x7fffffff) << 32 | (uint32_t)word;
}

static void know(gw_replay *r, gw_space space, uint64_t address, uint8_t then, uint8_t now)
{
    if (!gw_memory_know(&r->memory, space, address, then, now))
        gw_case_error(r->ctx, "out of memory");
}

static bool is_known(const gw_replay *r, gw_space space, uint64_t address)
{
    uint8_t expected;
    return gw_memory_recall(&r->memory, space, address, 0, 0, &expected) == GW_RECALL_FITS;
}

/* ---- what the trace writes ---- */

static void know_word(gw_replay *r, gw_space space, const gw_access_one *a, uint64_t then,
                      uint64_t now)
{
    uint64_t first = a->address & ~(uint64_t)(a->bytes - 1);
    for (unsigned lane = 0; lane < a->bytes; lane++) {
        if ((a->lanes >> lane & 1) != 0)
            know(r, space, first + a->bytes - 1 - lane, (uint8_t)(then >> 8 * lane),
                 (uint8_t)(now >> 8 * lane));
    }
}

/* An address that the host gives to its port: of a pool, or where data shall come from or go to. */
static void note_register(gw_replay *r, uint32_t step, uint64_t address, uint64_t value)
{
    uint32_t offset;
    if (r->ctx->suite->format != &gw_op2p || address > UINT32_MAX)
        return;
    know(r, GW_SPACE_WORDS, spoken(r->trace->steps[step].label, value), 0, 0);
    offset =
        gw_recorded_offset(&r->trace->recorded, gw_case_board(r->ctx), &gw_op2p, (uint32_t)address);
    if (offset % GW_OP2P_REGISTERS != GW_OP2P_FORWARDING_BUFFERBASE)
        return;
    r->has_pool = true;
    r->pool = value & ~UINT64_C(3);
}

static void note_etherbone(gw_replay *r, uint32_t step, const gw_message *then,
                           const gw_message *now)
{
    const gw_trace_line *line = &r->trace->lines[r->trace->steps[step].line];
    bool regs = line->format != r->ctx->suite->format;
    gw_eb_reader old;
    gw_eb_reader new;
    gw_eb_record a;
    gw_eb_record b;
    bool open = gw_eb_open(&old, then, line->dialect) && gw_eb_open(&new, now, line->dialect);
    while (open && gw_eb_next(&old, &a) && gw_eb_next(&new, &b)) {
        for (unsigned i = 0; i < a.wcount && i < b.wcount; i++) {
            gw_access_one one = gw_access_write_of(&old.layout, &a, i);
            uint64_t value = gw_eb_write_value(&old.layout, &a, i);
            if (one.config)
                continue;
            know_word(r, regs ? GW_SPACE_REGS : GW_SPACE_BUS, &one, value,
                      gw_eb_write_value(&new.layout, &b, i));
            if (regs)
                note_register(r, step, one.address, value);
        }
    }
}

/* Lanes of a double word stand the other way round on the wire than in memory. */
static uint64_t in_memory(uint64_t base, uint32_t at)
{
    return base + (at & ~UINT32_C(3)) + (3 - at % 4);
}

static void note_op2p(gw_replay *r, uint32_t step, const gw_message *then)
{
    gw_op2p_packet p;
    (void)gw_op2p_decode(&p, then);
    if (!p.has_header)
        return;
    uint64_t base = p.header.dst_addr & ~UINT32_C(3);
    uint32_t first = gw_op2p_first_byte(p.header.fbe);
    uint32_t end = first + p.header.byte_count;
    know(r, GW_SPACE_WORDS, spoken(r->trace->steps[step].label, p.header.dst_addr), 0, 0);
    know(r, GW_SPACE_WORDS, spoken(r->trace->steps[step].label, base), 0, 0);
    for (uint32_t i = 0; i < p.payload_len; i++) {
        uint32_t at = (i & ~UINT32_C(3)) + (3 - i % 4);
        bool off = at < 4 && (p.header.fbe >> at & 1) == 0;
        if (at >= first && at < end && !off)
            know(r, GW_SPACE_BUS, base + at, p.payload[i], p.payload[i]);
    }
}

/* What a frame brings ends up in its ring, word by word. */
static void note_ims(gw_replay *r, const gw_message *then, const gw_dialect *dialect)
{
    gw_ims_packet p;
    if (gw_ims_decode(&p, then, dialect).kind != GW_OK || p.kind != GW_IMS_IS_DATA)
        return;
    if (p.first)
        r->num_tail = 0;
    for (uint32_t i = 0; i < p.payload_len; i++) {
        r->tail[r->num_tail++] = p.payload[i];
        if (r->num_tail < sizeof(r->tail))
            continue;
        know(r, GW_SPACE_WORDS, gw_load_be32(r->tail), 0, 0);
        r->num_tail = 0;
    }
}

void gw_player_note_write(gw_replay *r, uint32_t step, const gw_message *then,
                          const gw_message *now)
{
    const gw_trace_line *line = &r->trace->lines[r->trace->steps[step].line];
    const gw_format *role = r->ctx->suite->format;
    if (line->format == &gw_etherbone && (line->format != role || !r->ctx->suite->calls_us))
        note_etherbone(r, step, then, now);
    else if (line->format == &gw_op2p)
        note_op2p(r, step, then);
    else if (line->format == &gw_ims && !r->ctx->suite->calls_us)
        note_ims(r, then, line->dialect);
}

/* ---- what is read ---- */

/* Byte number |i| of a leaf as it stands on the wire, and where it lies. */
static uint8_t byte_of(const gw_leaf *leaf, unsigned i)
{
    if (leaf->field->type == GW_BYTES)
        return leaf->bytes[i];
    return (uint8_t)(leaf->value >> (leaf->bits - 8 * (i + 1)));
}

static uint64_t address_of(const gw_spot *spot, const gw_leaf *leaf, unsigned i)
{
    return leaf->field->type == GW_BYTES ? in_memory(spot->address, i) : spot->address + i;
}

/* Lanes that nobody asked for are the board's to fill, or to leave empty. */
static bool is_asked(const gw_spot *spot, const gw_leaf *leaf, unsigned i)
{
    return leaf->field->type == GW_BYTES || byte_of(leaf, i) != 0 ||
           (spot->lanes >> (leaf->bits / 8 - 1 - i) & 1) != 0;
}

/* Compares byte by byte. |unknown| tells that the trace has some of them from elsewhere. */
static bool fits(const gw_replay *r, const gw_spot *spot, const gw_leaf *want, const gw_leaf *have,
                 bool *unknown, uint64_t *expected)
{
    bool all = true;
    *unknown = false;
    *expected = 0;
    for (unsigned i = 0; i < want->bits / 8; i++) {
        uint8_t due = byte_of(want, i);
        gw_recall recall = byte_of(have, i) == due ? GW_RECALL_FITS : GW_RECALL_DIFFERS;
        if (is_asked(spot, want, i))
            recall = gw_memory_recall(&r->memory, spot->space, address_of(spot, want, i), due,
                                      byte_of(have, i), &due);
        *unknown = *unknown || recall == GW_RECALL_NOTHING;
        all = all && recall != GW_RECALL_DIFFERS;
        *expected = *expected << 8 | due;
    }
    return all;
}

static bool same_bytes(const gw_leaf *want, const gw_leaf *have)
{
    for (unsigned i = 0; i < want->bits / 8; i++) {
        if (byte_of(want, i) != byte_of(have, i))
            return false;
    }
    return true;
}

static gw_counts_how compare_memory(const gw_replay *r, const gw_spot *spot, const gw_leaf *want,
                                    const gw_leaf *have, uint64_t *expected)
{
    bool unknown;
    if (same_bytes(want, have))
        return GW_COUNTS_ON;
    if (!fits(r, spot, want, have, &unknown, expected))
        return GW_COUNTS_WRONG;
    bool sent = spot->kind == GW_SPOT_WORDS && want->value != 0 &&
                is_known(r, GW_SPACE_WORDS, (uint32_t)want->value);
    if (!unknown || (!r->options.all_values && !sent))
        return GW_COUNTS_ON;
    *expected = want->value;
    return GW_COUNTS_WRONG;
}

#define QUEUES (GW_OP2P_FORWREQ_EMPTY | GW_OP2P_RDCOMPL_EMPTY | GW_OP2P_ARRIVEDWRITE_EMPTY)

static unsigned port_of(const gw_replay *r, const gw_spot *spot)
{
    return gw_recorded_offset(&r->trace->recorded, gw_case_board(r->ctx), &gw_op2p,
                              (uint32_t)spot->address) /
           GW_OP2P_REGISTERS;
}

/* Whether what comes out of a queue went in with this part of the trace. A queue that is empty
 * gives its last value again, whatever that was. */
static bool is_of_this_part(const gw_replay *r, const gw_spot *spot, uint64_t address)
{
    uint32_t label = r->trace->steps[r->judged].label;
    unsigned port = port_of(r, spot) % 2;
    uint32_t offset = gw_recorded_offset(&r->trace->recorded, gw_case_board(r->ctx), &gw_op2p,
                                         (uint32_t)spot->address);
    if (offset % GW_OP2P_REGISTERS != GW_OP2P_FORWREQ_POINTER)
        return address != 0 && is_known(r, GW_SPACE_WORDS, spoken(label, address));
    return r->queues_part == label && (r->queues[port] & GW_OP2P_FORWREQ_EMPTY) != 0 &&
           (r->queues_now[port] & GW_OP2P_FORWREQ_EMPTY) == 0;
}

/* An address is that of the same place. One that was left in a queue by somebody before is not
 * compared. */
static gw_counts_how compare_place(const gw_replay *r, const gw_spot *spot, const gw_leaf *want,
                                   const gw_leaf *have, uint64_t *expected)
{
    char why[160];
    if (!gw_recorded_place(&r->trace->recorded, gw_case_board(r->ctx), want->value, want->value,
                           expected, why, sizeof(why)))
        return GW_COUNTS_ON;
    /* Where nothing can be read back, zero is no address. */
    if (have->value == *expected || (have->value == 0 && want->value == 0))
        return GW_COUNTS_ON;
    bool free = spot->kind == GW_SPOT_TAKEN && !is_of_this_part(r, spot, want->value);
    return free ? GW_COUNTS_ON : GW_COUNTS_WRONG;
}

/* In the trace a queue may hold what came before this part of it, until it is seen to be empty. */
static gw_counts_how compare_flags(const gw_replay *r, const gw_spot *spot, const gw_leaf *want,
                                   const gw_leaf *have, uint64_t *expected)
{
    uint64_t due = want->value & QUEUES;
    *expected = want->value;
    if (r->queues_part == r->trace->steps[r->judged].label)
        due |= r->queues[port_of(r, spot) % 2];
    return ((want->value ^ have->value) & (due | ~(uint64_t)QUEUES)) == 0 ? GW_COUNTS_ON
                                                                          : GW_COUNTS_WRONG;
}

static void note_flags(gw_replay *r, const gw_spot *spot, const gw_leaf *want)
{
    if (r->queues_part != r->trace->steps[r->judged].label)
        memset(r->queues, 0, sizeof(r->queues));
    r->queues_part = r->trace->steps[r->judged].label;
    r->queues[port_of(r, spot) % 2] |= (uint8_t)(want->value & QUEUES);
    r->queues_now[port_of(r, spot) % 2] = (uint8_t)(want->value & QUEUES);
}

gw_counts_how gw_player_remembers(gw_replay *r, const gw_related *related, const gw_leaves *all,
                                  const gw_leaf *want, const gw_leaf *have, uint64_t *expected)
{
    if (want->bits != have->bits || want->bits % 8 != 0)
        return GW_COUNTS_NOT;
    gw_spot spot = gw_spot_of(r, related, all, want);
    switch (spot.kind) {
    case GW_SPOT_STATE:
        return GW_COUNTS_NOT;
    case GW_SPOT_ANYTHING:
        return GW_COUNTS_ON;
    case GW_SPOT_PLACE:
    case GW_SPOT_TAKEN:
        return compare_place(r, &spot, want, have, expected);
    case GW_SPOT_FLAGS:
        return compare_flags(r, &spot, want, have, expected);
    case GW_SPOT_QP:
        *expected = gw_player_queue_pair(r, want->value);
        return have->value == *expected ? GW_COUNTS_ON : GW_COUNTS_WRONG;
    case GW_SPOT_MEMORY:
    case GW_SPOT_QUEUE:
    case GW_SPOT_WORDS:
        break;
    }
    return compare_memory(r, &spot, want, have, expected);
}

/* ---- what was found ---- */

/* The config space's pointer leads to a table that lies elsewhere on another board. */
static void note_table(gw_replay *r, const gw_spot *spot, const gw_leaf *want, const gw_leaf *have)
{
    for (unsigned i = 0; i < want->bits / 8; i++) {
        unsigned shift = (unsigned)(8 * (7 - (spot->address + i) % 8));
        uint64_t mask = ~(UINT64_C(0xff) << shift);
        r->table_then = (r->table_then & mask) | (uint64_t)byte_of(want, i) << shift;
        r->table_now = (r->table_now & mask) | (uint64_t)byte_of(have, i) << shift;
    }
}

static void except(gw_replay *r, const gw_leaf *want, const gw_leaf *have)
{
    if (same_bytes(want, have))
        return;
    if (r->report.excepted++ == 0)
        r->report.excepted_frame = r->trace->steps[r->judged].frame;
}

void gw_player_remember(gw_replay *r, const gw_related *related)
{
    const gw_leaves *then = &r->comparer.expected;
    const gw_leaves *now = &r->comparer.got;
    for (size_t i = 0; i < then->num && i < now->num; i++) {
        const gw_leaf *want = &then->list[i];
        const gw_leaf *have = &now->list[i];
        uint64_t expected;
        bool unknown;
        if (want->bits != have->bits || want->bits % 8 != 0)
            continue;
        gw_spot spot = gw_spot_of(r, related, then, want);
        if (spot.kind == GW_SPOT_ANYTHING || spot.kind == GW_SPOT_TAKEN)
            except(r, want, have);
        if (spot.kind == GW_SPOT_FLAGS)
            note_flags(r, &spot, want);
        if (spot.kind != GW_SPOT_MEMORY && spot.kind != GW_SPOT_QUEUE && spot.kind != GW_SPOT_WORDS)
            continue;
        (void)fits(r, &spot, want, have, &unknown, &expected);
        if (!unknown)
            continue;
        except(r, want, have);
        if (spot.space == GW_SPACE_CONFIG)
            note_table(r, &spot, want, have);
        for (unsigned k = 0; k < want->bits / 8 && spot.kind != GW_SPOT_QUEUE; k++) {
            if (is_asked(&spot, want, k))
                know(r, spot.space, address_of(&spot, want, k), byte_of(want, k), byte_of(have, k));
        }
    }
}
