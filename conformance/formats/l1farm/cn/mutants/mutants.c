/* SPDX-License-Identifier: BSD-2-Clause */
/* Compute nodes with one fault each, and the rules they break: the first is the one each was made
 * for. */
#include <string.h>

#define GW_ROW_POLICY gw_l1_cn_policy
#define GW_ROW_GOOD GW_L1_CN_POLICY
#include "boards/mutant_rows.h"
#include "formats/l1farm/board.h"
#include "goldwire/cursor.h"

/* ---- fragments ---- */

static void first_slot_clears(gw_l1_cn *n, gw_l1_unit *u)
{
    if (gw_l1_cn_fits(n, u) && u->shim.offset == 0)
        memset(n->memory[u->shim.buffer], 0, sizeof(n->memory[0]));
    gw_l1_cn_take(n, u);
}

static void repeat_is_event(gw_l1_cn *n, gw_l1_unit *u)
{
    const gw_l1_shim *s = &u->shim;

    if (gw_l1_cn_fits(n, u) && memcmp(n->memory[s->buffer] + s->offset, u->data, s->length) == 0)
        gw_l1_cn_tell(n, s->event, GW_L1_CORRECT);
    gw_l1_cn_take(n, u);
}

static void foreign_resets(gw_l1_cn *n, gw_l1_unit *u)
{
    if (u->shim.dest != n->setup.node)
        n->ntries = n->nallok = n->nnext = 0;
    gw_l1_cn_take(n, u);
}

static void counts_fragments(gw_l1_cn *n, gw_l1_unit *u)
{
    unsigned *num = &n->kept.fragments[u->shim.buffer % GW_L1_BUFFERS];
    bool fits = gw_l1_cn_fits(n, u);

    if (fits)
        *num = n->touched[u->shim.buffer] ? *num + 1 : 1;
    if (!fits || *num <= GW_L1_UNITS)
        gw_l1_cn_take(n, u);
}

/* m-watches-all */
static void watches_others(gw_l1_cn *n, gw_l1_unit *u)
{
    bool other = u->shim.dest != n->setup.node && u->shim.buffer == n->next;

    n->kept.passed_by = n->kept.passed_by || (n->looking && other);
    gw_l1_cn_take(n, u);
}

/* ---- looking at a buffer ---- */

static uint16_t watches_all(gw_l1_cn *n)
{
    bool passed_by = n->kept.passed_by;

    n->kept.passed_by = false;
    return passed_by ? GW_L1_UNDERSTOOD : gw_l1_cn_look(n);
}

static uint16_t counters_restart(gw_l1_cn *n)
{
    if (n->ntries == 3)
        n->ntries = n->nallok = n->nnext = 0;
    return gw_l1_cn_look(n);
}

static uint16_t nallok_ahead(gw_l1_cn *n)
{
    uint16_t status = gw_l1_cn_look(n);

    n->nallok = n->ntries + (status == GW_L1_CORRECT ? 1 : 2); /* it is counted afterwards */
    return status;
}

static uint16_t first_tag(const gw_l1_cn *n)
{
    return gw_load_le16(n->memory[n->next] + 2);
}

static uint16_t lap_is_newer(gw_l1_cn *n)
{
    uint16_t ahead = (uint16_t)(first_tag(n) - n->last);
    bool newer = n->expects && ahead == n->profile->nodes * n->profile->buffers;

    return newer ? GW_L1_UNDERSTOOD : gw_l1_cn_look(n);
}

static uint16_t wrap_is_mismatch(gw_l1_cn *n)
{
    bool wraps = n->expects && first_tag(n) < n->last && !n->touched[n->next];

    return wraps ? GW_L1_MISMATCH : gw_l1_cn_look(n);
}

static uint16_t wants_index_0(gw_l1_cn *n)
{
    uint16_t status = gw_l1_cn_look(n);

    for (unsigned i = 0; i < GW_L1_UNITS && status == GW_L1_CORRECT; i++) {
        if (gw_load_le16(n->memory[n->next] + (size_t)i * n->slot) != 0)
            status = GW_L1_UNDERSTOOD;
    }
    return status;
}

const gw_mutant gw_l1_cn_mutants[GW_L1_CN_NUM_MUTANTS] = {
    {"m-two-slots", RULES("L1-E01", "L1-E02", "L1-E04", "L1-E06"),
     "does not look at the last readout unit's slot", POLICY(.units = GW_L1_UNITS - 1)},
    {"m-first-word", RULES("L1-E03"), "looks at the first word of each slot alone",
     POLICY(.words = 1)},
    {"m-no-modulo", RULES("L1-E02"), "compares TagIDs as if they never wrapped",
     POLICY(.modulo = UINT32_MAX)},
    {"m-lost-is-found", RULES("L1-E06", "L1-E02", "L1-E03"),
     "takes a slot of the lap before for this one", POLICY(.lost = GW_L1_CORRECT)},
    {"m-not-understood", RULES("L1-E06", "L1-E02"), "calls a lost packet a mismatch like any other",
     POLICY(.lost = GW_L1_MISMATCH)},
    {"m-counts-good", RULES("L1-E04", "L1-R02"),
     "counts only buffers that were in order as looked at", POLICY(.tried = 1u << GW_L1_CORRECT)},
    {"m-counts-all", RULES("L1-E04", "L1-E01", "L1-E03"), "counts every buffer as in order",
     POLICY(.allok = 0xff)},
    {"m-ignores-overwrite", RULES("L1-E05"), "does not see that a buffer was overwritten meanwhile",
     POLICY(.watches = false)},
    {"m-takes-foreign", RULES("L1-E01"), "takes fragments that are for other nodes",
     POLICY(.node_mask = 0)},
    {"m-result-twice", RULES("L1-R01"), "sends every result twice", POLICY(.results = 2)},
    {"m-other-tag", RULES("L1-R01", "L1-E01", "L1-E02"),
     "results carry the TagID of the other buffer", POLICY(.tag_of = 1)},
    {"m-counters-restart", RULES("L1-R02", "L1-E04"), "its counters start anew after three buffers",
     POLICY(.look = counters_restart)},
    {"m-nallok-ahead", RULES("L1-R02", "L1-E04", "L1-E01", "L1-E03"), "Nallok is more than Ntries",
     POLICY(.look = nallok_ahead)},
    {"m-dirty-rsv", RULES("L1-R03"), "sends reserved bits set", POLICY(.rsv = {0xa5, 0xa5, 0xa5})},
    {"m-wrap-is-mismatch", RULES("L1-E02"),
     "takes a TagID that is less than the last one for a mismatch",
     POLICY(.look = wrap_is_mismatch)},
    {"m-wants-index-0", RULES("L1-E03"), "takes a slot whose index runs on for a mismatch",
     POLICY(.look = wants_index_0)},
    {"m-first-slot-clears", RULES("L1-S08"), "forgets what came before the first unit's fragment",
     POLICY(.take = first_slot_clears)},
    {"m-repeat-is-event", RULES("L1-R01", "L1-S08"),
     "sends a result for a fragment that is repeated", POLICY(.take = repeat_is_event)},
    {"m-foreign-resets", RULES("L1-R02"), "begins to count anew at a fragment for another node",
     POLICY(.take = foreign_resets)},
    {"m-rsv-on-mismatch", RULES("L1-R03"), "sets reserved bits when slots do not match",
     POLICY(.rsv = {[GW_L1_UNDERSTOOD] = 0xdead, [GW_L1_MISMATCH] = 0xdead})},
    {"m-late", RULES("L1-R01"), "its results come 400 ms late", POLICY(.delay_ns = GW_L1_LATE_NS)},
    {"m-watches-all", RULES("L1-E05"),
     "takes a fragment for another node's buffer for one that overwrites its own",
     POLICY(.take = watches_others, .look = watches_all)},
    {"m-lap-is-newer", RULES("L1-E06"), "takes an event a lap after the last good one for too new",
     POLICY(.look = lap_is_newer)},
    {"m-counts-fragments", RULES("L1-S08"),
     "takes three fragments for an event, though one came twice", POLICY(.take = counts_fragments)},
    {"m-status-bits", RULES("L1-R04"), "a mismatch has the status 3: both bits are set (SHOULD)",
     POLICY(.mismatch = GW_L1_MISMATCH | GW_L1_UNDERSTOOD)},
};
