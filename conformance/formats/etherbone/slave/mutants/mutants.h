/* SPDX-License-Identifier: BSD-2-Clause */
/* The filters that the table of mutants names: gw_eb_m_odd_writes is that of m-odd-writes, and what
 * it does wrong stands there. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_SLAVE_MUTANTS_H
#define GOLDWIRE_FORMATS_ETHERBONE_SLAVE_MUTANTS_H

#include "formats/etherbone/slave/board.h"

#define GW_EB_M_DIRT 0xa5 /* what was in padding before */

/* gw_eb_m_dies hangs a mutant that dies of |of|, where that is |so|, and says whether it hangs. */
bool gw_eb_m_dies(gw_eb_slave *s, gw_eb_death of, bool so);

/* gw_eb_patch_byte changes one of |bytes|. */
void gw_eb_patch_byte(uint8_t *bytes, gw_eb_patch patch);

/* gw_eb_m_execute_held executes the write that m-posted-writes holds back. */
void gw_eb_m_execute_held(gw_eb_slave *s);

gw_eb_in_filter gw_eb_m_tcp_no_reassembly, gw_eb_m_tcp_probe_alone, gw_eb_m_tcp_stalls,
    gw_eb_m_takes_frame_padding, gw_eb_m_whole_words_only, gw_eb_m_cuts_long_packets,
    gw_eb_m_full_buffer_lost, gw_eb_m_magic_anywhere, gw_eb_m_probe_cut;

gw_eb_header_filter gw_eb_m_five_bit_version, gw_eb_m_id_of_response, gw_eb_m_latches_version,
    gw_eb_m_executes_bad_widths;

gw_eb_refused_filter gw_eb_m_keep_refused;

gw_eb_record_filter gw_eb_m_refuses_reserved_record, gw_eb_m_second_record_lost,
    gw_eb_m_empty_ends_packet, gw_eb_m_end_is_cut, gw_eb_m_wff_stays, gw_eb_m_reads_reordered,
    gw_eb_m_odd_writes, gw_eb_m_deep_record_mangled, gw_eb_m_writes_twice, gw_eb_m_posted_writes,
    gw_eb_m_first_lanes;

gw_eb_record_filter gw_eb_m_executes_truncated, gw_eb_m_keep_cut_flags;

gw_eb_access_filter gw_eb_m_wrong_lanes, gw_eb_m_lanes_of_first_record, gw_eb_m_illegal_lanes_stay,
    gw_eb_m_mixed_record_misread, gw_eb_m_silent_errors, gw_eb_m_empty_fifo_shifts,
    gw_eb_m_odd_config_counts, gw_eb_m_little_endian_config, gw_eb_m_config_low_part,
    gw_eb_m_config_latched, gw_eb_m_silent_msi;

gw_eb_probe_filter gw_eb_m_wrong_probe_id, gw_eb_m_probe_version;

gw_eb_answer_filter gw_eb_m_dirty_padding_answer, gw_eb_m_dirty_reserved_answer,
    gw_eb_m_byte_enable_not_copied, gw_eb_m_return_address_masked, gw_eb_m_counts_kept,
    gw_eb_m_value_at_front, gw_eb_m_words_packed, gw_eb_m_odd_reads, gw_eb_m_pairs_swapped,
    gw_eb_m_halves_swapped;

gw_eb_reply_filter gw_eb_m_refused_widths_stay, gw_eb_m_dirty_padding_reply,
    gw_eb_m_dirty_reserved_reply, gw_eb_m_extra_record, gw_eb_m_long_reply, gw_eb_m_tcp_trailer;

gw_eb_reply_filter gw_eb_m_fills_writes_only, gw_eb_m_echoes_odd_writes;

gw_eb_send_filter gw_eb_m_answers_stale, gw_eb_m_replies_to_first_client, gw_eb_m_answers_twice,
    gw_eb_m_drops_in_burst, gw_eb_m_forget_refused, gw_eb_m_refused_address_stays,
    gw_eb_m_unless_mute, gw_eb_m_write_overtaken;

#endif
