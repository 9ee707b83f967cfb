/* SPDX-License-Identifier: BSD-2-Clause */
/* The filters that the tables of mutants name: gw_tx_m_loses_step is that of m-loses-step, and what
 * it does wrong stands there. */
#ifndef GOLDWIRE_FORMATS_TEXTAROSSA_MUTANTS_H
#define GOLDWIRE_FORMATS_TEXTAROSSA_MUTANTS_H

#include "formats/textarossa/board.h"

#define CLEAN (1u << GW_SECDED_CLEAN)
#define CORRECTED (1u << GW_SECDED_CORRECTED)
#define FATAL (1u << GW_SECDED_FATAL)

/* Where the virtual channel stands, for a patch of a hop. */
#define CHANNEL offsetof(gw_tx_header, virt_chan)

/* gw_tx_m_leave_word leaves a word of payload in |pair| that belongs to no packet. */
void gw_tx_m_leave_word(gw_tx_pair *pair);

/* gw_tx_m_release lets go of the datagram that a mutant held back. */
void gw_tx_m_release(gw_tx_board *b);

gw_tx_write_filter gw_tx_m_read_only_written, gw_tx_m_reset_wants_one, gw_tx_m_reset_leaves_word;

gw_tx_beat_filter gw_tx_m_fatal_leaks, gw_tx_m_loses_step, gw_tx_m_start_alone,
    gw_tx_m_hears_credit, gw_tx_m_sleeps_in_idle, gw_tx_m_broken_header_stays, gw_tx_m_sees_gap,
    gw_tx_m_sees_drop, gw_tx_m_footers_late;

gw_tx_interrupts_filter gw_tx_m_sees_pair, gw_tx_m_second_pair_stays, gw_tx_m_footer_pair_stays;

gw_tx_credit_filter gw_tx_m_credit_dirty, gw_tx_m_credit_echo;

gw_tx_hop_filter gw_tx_m_edge_bounces, gw_tx_m_tie_to_minus, gw_tx_m_always_plus,
    gw_tx_m_bounce_unmarked, gw_tx_m_channel_kept, gw_tx_m_channel_through;

gw_tx_move_filter gw_tx_m_stalls_on_stuffing, gw_tx_m_gap_mirrored, gw_tx_m_credit_forgotten,
    gw_tx_m_footer_changed;

gw_tx_read_filter gw_tx_m_takes_inconsistent, gw_tx_m_leaves_words, gw_tx_m_reads_hls_too,
    gw_tx_m_short_datagram_stalls, gw_tx_m_channel_stalls, gw_tx_m_learns_order,
    gw_tx_m_keeps_address;

gw_tx_out_filter gw_tx_m_no_footer, gw_tx_m_bytes_swapped, gw_tx_m_hls_layout,
    gw_tx_m_order_follows, gw_tx_m_no_address, gw_tx_m_port_lost;

gw_tx_back_filter gw_tx_m_hops_left_over, gw_tx_m_padding_counts, gw_tx_m_type_stays,
    gw_tx_m_address_kept;

gw_tx_due_filter gw_tx_m_slows_down, gw_tx_m_header_alone_eats, gw_tx_m_size_zero_stalls;

gw_tx_send_filter gw_tx_m_reorders, gw_tx_m_overtakes;

#endif
