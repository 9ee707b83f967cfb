/* SPDX-License-Identifier: BSD-2-Clause */
/* The filters that the table of mutants names: gw_op2p_m_mixes_sets is that of m-mixes-sets, and
 * what it does wrong stands there. */
#ifndef GOLDWIRE_FORMATS_OP2P_NODE_MUTANTS_H
#define GOLDWIRE_FORMATS_OP2P_NODE_MUTANTS_H

#include "formats/op2p/node/board.h"

gw_op2p_out_filter gw_op2p_m_little_endian, gw_op2p_m_short_completion, gw_op2p_m_count_wraps,
    gw_op2p_m_endless_answer;

gw_op2p_answer_filter gw_op2p_m_addresses_kept, gw_op2p_m_fbe_full, gw_op2p_m_answers_twice,
    gw_op2p_m_copies_rfu, gw_op2p_m_as_long_as_asked, gw_op2p_m_bytes_without_data,
    gw_op2p_m_error_count;

gw_op2p_run_filter gw_op2p_m_mixes_sets;

gw_op2p_read_filter gw_op2p_m_holes_read_ones;

gw_op2p_write_filter gw_op2p_m_reset_forgets, gw_op2p_m_counter_writable, gw_op2p_m_own_source;

#endif
