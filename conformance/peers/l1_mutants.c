/* SPDX-License-Identifier: BSD-2-Clause */
/* The faults that the boards of the Level-1 farm can have. */
#include "l1.h"

#define MUTANT(board, fault, id_, what_, ...)                                                      \
    [L1_##board##_FAULT_##fault] = {.id = "m-" id_,                                                \
                                    .rules = (const char *const[]){__VA_ARGS__, NULL},             \
                                    .what = (what_),                                               \
                                    .faults = UINT64_C(1) << L1_##board##_FAULT_##fault}

const gw_mutant gw_l1_cn_mutants[GW_L1_CN_NUM_MUTANTS] = {
    MUTANT(CN, TWO_SLOTS, "two-slots", "does not look at the last readout unit's slot", "L1-E01",
           "L1-E02", "L1-E04", "L1-E06"),
    MUTANT(CN, FIRST_WORD, "first-word", "looks at the first word of each slot alone", "L1-E03"),
    MUTANT(CN, NO_MODULO, "no-modulo", "compares TagIDs as if they never wrapped", "L1-E02"),
    MUTANT(CN, LOST_IS_FOUND, "lost-is-found", "takes a slot of the lap before for this one",
           "L1-E06", "L1-E02", "L1-E03"),
    MUTANT(CN, NOT_UNDERSTOOD, "not-understood", "calls a lost packet a mismatch like any other",
           "L1-E06", "L1-E02"),
    MUTANT(CN, COUNTS_GOOD, "counts-good", "counts only buffers that were in order as looked at",
           "L1-E04", "L1-R02"),
    MUTANT(CN, COUNTS_ALL, "counts-all", "counts every buffer as in order", "L1-E04", "L1-E01",
           "L1-E03"),
    MUTANT(CN, IGNORES_OVERWRITE, "ignores-overwrite",
           "does not see that a buffer was overwritten meanwhile", "L1-E05"),
    MUTANT(CN, TAKES_FOREIGN, "takes-foreign", "takes fragments that are for other nodes",
           "L1-E01"),
    MUTANT(CN, RESULT_TWICE, "result-twice", "sends every result twice", "L1-R01"),
    MUTANT(CN, OTHER_TAG, "other-tag", "results carry the TagID of the other buffer", "L1-R01",
           "L1-E01", "L1-E02"),
    MUTANT(CN, COUNTERS_RESTART, "counters-restart", "its counters start anew after three buffers",
           "L1-R02", "L1-E04"),
    MUTANT(CN, NALLOK_AHEAD, "nallok-ahead", "Nallok is more than Ntries", "L1-R02", "L1-E04",
           "L1-E01", "L1-E03"),
    MUTANT(CN, DIRTY_RSV, "dirty-rsv", "sends reserved bits set", "L1-R03"),
};

const gw_mutant gw_l1_du_mutants[GW_L1_DU_NUM_MUTANTS] = {
    MUTANT(DU, AS_THEY_COME, "as-they-come", "passes results on as they come", "L1-U01", "L1-U04"),
    MUTANT(DU, SKIPS, "skips", "passes over an event without a time-out", "L1-U01", "L1-U02",
           "L1-U03", "L1-U04"),
    MUTANT(DU, WAITS_FOR_EVER, "waits-for-ever", "waits for a result for ever", "L1-U03", "L1-U01",
           "L1-U02", "L1-U04"),
    MUTANT(DU, PASSES_LATE, "passes-late", "passes a result on after its time-out", "L1-U02"),
    MUTANT(DU, NEXT_LAP, "next-lap", "takes a late result for the next lap's event", "L1-U02"),
    MUTANT(DU, DECIDES_TWICE, "decides-twice", "sends every decision twice", "L1-U01", "L1-U02",
           "L1-U04"),
    MUTANT(DU, DROPS_ALL, "drops-all", "a silent node's time-out takes the others along", "L1-U04",
           "L1-U01"),
    MUTANT(DU, SLOT_ANNOUNCED, "slot-announced",
           "sends a time-out for a slot of the prototype's buffer", "L1-U01"),
    MUTANT(DU, SLOT_STUCK, "slot-stuck", "the read pointer waits at a silent slot for ever",
           "L1-U01", "L1-U04", "L1-U02"),
    MUTANT(DU, SLOT_NEXT_LAP, "slot-next-lap", "keeps a late result for the slot's next turn",
           "L1-U02"),
};

const gw_mutant gw_l1_ru_mutants[GW_L1_RU_NUM_MUTANTS] = {
    MUTANT(RU, NO_WRAP, "no-wrap", "the descriptor pointer stays at the last one", "L1-D01",
           "L1-D02"),
    MUTANT(RU, SHORT, "short", "bursts lack their last word", "L1-D01", "L1-D06"),
    MUTANT(RU, ALWAYS_ONE, "always-one", "one transfer a trigger, whatever Transfers says",
           "L1-D02"),
    MUTANT(RU, ZERO_IS_ONE, "zero-is-one", "takes Transfers 0 for one", "L1-D02"),
    MUTANT(RU, CLEAR_KEEPS_TAG, "clear-keeps-tag", "Clear leaves the TagID as it is", "L1-D03"),
    MUTANT(RU, RESERVED_STICK, "reserved-stick", "keeps reserved bits of DMACNTRL", "L1-D04"),
    MUTANT(RU, ANY_DESCS, "any-descs", "accepts more descriptors than there are", "L1-D05"),
    MUTANT(RU, NO_SPLIT, "no-split", "sends bursts of more than 128 bytes", "L1-D06"),
    MUTANT(RU, INDEX_STANDS, "index-stands", "the index of event words does not count", "L1-E03"),
    MUTANT(RU, FORWARDS_TWICE, "forwards-twice", "forwards every tag twice", "L1-G01", "L1-G02"),
    MUTANT(RU, IGNORES_BUSY, "ignores-busy", "forwards a tag while the next unit is busy", "L1-G02",
           "L1-G03"),
    MUTANT(RU, LOSES_HELD, "loses-held", "forgets the tag that waits", "L1-G03", "L1-G02"),
    MUTANT(RU, COUNTS_TWICE, "counts-twice", "counts every tag twice", "L1-G04"),
    MUTANT(RU, NO_CORRECTION, "no-correction", "discards a tag with one wrong bit", "L1-G05"),
    MUTANT(RU, TAKES_FATAL, "takes-fatal", "takes a tag beyond correction for destination 0",
           "L1-G05"),
    MUTANT(RU, UNMAPPED_IS_FIRST, "unmapped-is-first",
           "takes the first descriptor for a destination without one", "L1-G06"),
    MUTANT(RU, STEP_STANDS, "step-stands", "forwards a tag in the same time step", "L1-X07"),
};
