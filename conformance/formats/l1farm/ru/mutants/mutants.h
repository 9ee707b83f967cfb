/* SPDX-License-Identifier: BSD-2-Clause */
/* The filters that the table of mutants names: gw_l1_m_loses_held is that of m-loses-held, and what
 * it does wrong stands there. */
#ifndef GOLDWIRE_FORMATS_L1FARM_RU_MUTANTS_H
#define GOLDWIRE_FORMATS_L1FARM_RU_MUTANTS_H

#include "formats/l1farm/board.h"

/* ---- mutant_dma.c ---- */

gw_l1_ru_take_filter gw_l1_m_far_descriptors;
gw_l1_ru_write_filter gw_l1_m_any_descs;
gw_l1_ru_do_filter gw_l1_m_clear_keeps_tag, gw_l1_m_clear_lets_run;
gw_l1_ru_transfers_filter gw_l1_m_always_one, gw_l1_m_zero_is_one;
gw_l1_ru_do_filter gw_l1_m_no_wrap, gw_l1_m_short_pointer, gw_l1_m_loop_once;
gw_l1_ru_block_filter gw_l1_m_short, gw_l1_m_whole_bursts, gw_l1_m_odd_rest;
gw_l1_ru_burst_filter gw_l1_m_tag_a_burst;

/* ---- mutant_tags.c ---- */

gw_l1_ru_take_filter gw_l1_m_any_line, gw_l1_m_no_correction, gw_l1_m_takes_fatal,
    gw_l1_m_fatal_is_event;
gw_l1_ru_do_filter gw_l1_m_second_pushes, gw_l1_m_second_replaces, gw_l1_m_busy_advances,
    gw_l1_m_counts_discarded;
gw_l1_ru_busy_filter gw_l1_m_ignores_busy, gw_l1_m_loses_held;
gw_l1_ru_take_filter gw_l1_m_corrected_late, gw_l1_m_corrected_twice;
gw_l1_ru_descriptor_filter gw_l1_m_unmapped_is_first, gw_l1_m_last_unmapped, gw_l1_m_small_table;
gw_l1_ru_encode_filter gw_l1_m_forwards_uncoded;

#endif
