/* SPDX-License-Identifier: BSD-2-Clause */
/* The filters that the table of mutants names: gw_op2p_m_mixes_sets is that of m-mixes-sets, and
 * what it does wrong stands there. */
#ifndef GOLDWIRE_FORMATS_OP2P_NODE_MUTANTS_H
#define GOLDWIRE_FORMATS_OP2P_NODE_MUTANTS_H

#include "formats/op2p/node/board.h"

gw_op2p_in_filter gw_op2p_m_refuses_rfu, gw_op2p_m_ignores_chassis_0, gw_op2p_m_counts_good,
    gw_op2p_m_asks_for_large, gw_op2p_m_executes_runts, gw_op2p_m_takes_tails,
    gw_op2p_m_answers_while_down, gw_op2p_m_swallows_next, gw_op2p_m_glues_frames,
    gw_op2p_m_dies_after_write, gw_op2p_m_dies_after_foreign, gw_op2p_m_keeps_frames,
    gw_op2p_m_decodes_early, gw_op2p_m_fills_header, gw_op2p_m_flow_is_a_word, gw_op2p_m_flow_fills;

gw_op2p_error_filter gw_op2p_m_publishes_damaged, gw_op2p_m_tells_damaged,
    gw_op2p_m_tells_long_damaged, gw_op2p_m_halts_on_damage, gw_op2p_m_ids_get_stale,
    gw_op2p_m_burst;

gw_op2p_packet_filter gw_op2p_m_executes_foreign_rfu, gw_op2p_m_forwards_id_0,
    gw_op2p_m_burst_spoils, gw_op2p_m_asks_back, gw_op2p_m_resends_changed,
    gw_op2p_m_resends_as_asked, gw_op2p_m_zero_is_much, gw_op2p_m_takes_bytes, gw_op2p_m_rounds_up,
    gw_op2p_m_fbe_0_is_full, gw_op2p_m_type_15_writes, gw_op2p_m_size_sticks;

gw_op2p_after_filter gw_op2p_m_complete, gw_op2p_m_store_request, gw_op2p_m_store_id_0,
    gw_op2p_m_tell, gw_op2p_m_interrupt, gw_op2p_m_write_behind, gw_op2p_m_grow,
    gw_op2p_m_grow_next, gw_op2p_m_write_on_error, gw_op2p_m_stale_on_error;

gw_op2p_word_filter gw_op2p_m_odd_fbe_everywhere, gw_op2p_m_mirrored_lanes, gw_op2p_m_low_bits_pick,
    gw_op2p_m_loses_lone_word, gw_op2p_m_completes_without_data, gw_op2p_m_odd_fbe_cuts;

gw_op2p_out_filter gw_op2p_m_little_endian, gw_op2p_m_short_completion, gw_op2p_m_count_wraps,
    gw_op2p_m_endless_answer;

gw_op2p_answer_filter gw_op2p_m_addresses_kept, gw_op2p_m_fbe_full, gw_op2p_m_answers_twice,
    gw_op2p_m_copies_rfu, gw_op2p_m_as_long_as_asked, gw_op2p_m_bytes_without_data,
    gw_op2p_m_error_count, gw_op2p_m_stale_ids;

gw_op2p_run_filter gw_op2p_m_halts_to_write, gw_op2p_m_goes_on, gw_op2p_m_mixes_sets,
    gw_op2p_m_gives_out_twice;

gw_op2p_read_filter gw_op2p_m_holes_read_ones;

gw_op2p_write_filter gw_op2p_m_reset_forgets, gw_op2p_m_counter_writable, gw_op2p_m_own_source,
    gw_op2p_m_frees_next, gw_op2p_m_frees_toggle, gw_op2p_m_frees_twice;

#endif
