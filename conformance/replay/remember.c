/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparing what was read with what the trace wrote, or read before. What it has from elsewhere is
 * not compared: another board, or the same one on another day, holds something else. */
#include "replay/remember.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "replay/format.h"

/* A word that was spoken of in one part of the trace. */
static uint64_t spoken(uint32_t label, uint64_t word)
{
    return UINT64_C(1) << 63 | (uint64_t)(label & 0x7fffffff) << 32 | (uint32_t)word;
}

void gw_player_know(gw_replay *r, gw_space space, uint64_t address, uint8_t then, uint8_t now)
{
    if (!gw_memory_know(&r->memory, space, address, then, now))
        gw_case_error(r->ctx, "out of memory");
}

static bool is_known(const gw_replay *r, gw_space space, uint64_t address)
{
    uint8_t expected;
    return gw_memory_recall(&r->memory, space, address, 0, 0, &expected) == GW_RECALL_FITS;
}

void gw_player_spoken(gw_replay *r, uint32_t step, uint64_t word)
{
    gw_player_know(r, GW_SPACE_WORDS, spoken(r->trace->steps[step].label, word), 0, 0);
}

bool gw_player_is_spoken(const gw_replay *r, uint64_t word)
{
    return is_known(r, GW_SPACE_WORDS, spoken(r->trace->steps[r->judged].label, word));
}

/* ---- what the trace writes ---- */

void gw_player_note_write(gw_replay *r, uint32_t step, const gw_message *then,
                          const gw_message *now)
{
    const gw_trace_line *line = &r->trace->lines[r->trace->steps[step].line];
    const gw_replay_format *row = gw_replay_format_of(line->format);
    const gw_suite *suite = r->ctx->suite;
    if (row->note_write != NULL && (line->format != suite->format || !suite->calls_us))
        row->note_write(r, step, then, now);
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
    bool swapped = spot->swapped && leaf->field->type == GW_BYTES;
    return spot->address + (swapped ? (i & ~3u) + (3 - i % 4) : i);
}

/* Lanes that nobody asked for most boards may fill, or leave empty. */
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
    bool free =
        spot->kind == GW_SPOT_TAKEN && !gw_replay_role(r)->is_of_this_part(r, spot, want->value);
    return free ? GW_COUNTS_ON : GW_COUNTS_WRONG;
}

gw_counts_how gw_player_remembers(gw_replay *r, const gw_related *related, const gw_leaf *want,
                                  const gw_leaf *have, uint64_t *expected)
{
    if (want->bits != have->bits || want->bits % 8 != 0)
        return GW_COUNTS_NOT;
    gw_spot spot = gw_spot_of(r, related, want);
    switch (spot.kind) {
    case GW_SPOT_STATE:
        return GW_COUNTS_NOT;
    case GW_SPOT_ANYTHING:
        return GW_COUNTS_ON;
    case GW_SPOT_PLACE:
    case GW_SPOT_TAKEN:
        return compare_place(r, &spot, want, have, expected);
    case GW_SPOT_FLAGS:
        return gw_replay_role(r)->compare_flags(r, &spot, want, have, expected);
    case GW_SPOT_HISTORY:
        *expected = (want->value & spot.newest) | (have->value & ~spot.newest);
        return have->value == *expected ? GW_COUNTS_ON : GW_COUNTS_WRONG;
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
        gw_spot spot = gw_spot_of(r, related, want);
        if (spot.kind == GW_SPOT_ANYTHING || spot.kind == GW_SPOT_TAKEN ||
            spot.kind == GW_SPOT_HISTORY)
            except(r, want, have);
        if (spot.kind == GW_SPOT_FLAGS)
            gw_replay_role(r)->note_flags(r, &spot, want);
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
                gw_player_know(r, spot.space, address_of(&spot, want, k), byte_of(want, k),
                               byte_of(have, k));
        }
    }
}
