/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tables of mutants are written with, and the filters that both name: gw_tx_m_loses_step
 * is that of m-loses-step, and what it does wrong stands there. */
#ifndef GOLDWIRE_FORMATS_TEXTAROSSA_MUTANTS_H
#define GOLDWIRE_FORMATS_TEXTAROSSA_MUTANTS_H

#include "formats/textarossa/board.h"

#define RULES(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
/* The documents' policy but for what is said here. */
#define OTHERWISE(...)                                                                             \
    &(const gw_tx_policy)                                                                          \
    {                                                                                              \
        GW_TX_POLICY, __VA_ARGS__                                                                  \
    }
#define MUTATION(...)                                                                              \
    .mutation = &(const gw_tx_mutation)                                                            \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define FILTER(stage, name) MUTATION(.stage = gw_tx_m_##name)
#define PATCH(stage, at, clear, flip) MUTATION(.stage##_patch = {at, clear, flip})
#define POLICY(...) MUTATION(.policy = OTHERWISE(__VA_ARGS__))

#define CLEAN (1u << GW_SECDED_CLEAN)
#define CORRECTED (1u << GW_SECDED_CORRECTED)
#define FATAL (1u << GW_SECDED_FATAL)

/* gw_tx_m_leave_word leaves a word of payload in |pair| that belongs to no packet. */
void gw_tx_m_leave_word(gw_tx_pair *pair);

gw_tx_write_filter gw_tx_m_read_only_written, gw_tx_m_reset_wants_one, gw_tx_m_reset_leaves_word;

gw_tx_beat_filter gw_tx_m_fatal_leaks, gw_tx_m_loses_step, gw_tx_m_start_alone,
    gw_tx_m_hears_credit, gw_tx_m_sleeps_in_idle, gw_tx_m_broken_header_stays, gw_tx_m_sees_gap,
    gw_tx_m_footers_late;

gw_tx_interrupts_filter gw_tx_m_sees_pair, gw_tx_m_second_pair_stays, gw_tx_m_footer_pair_stays;

gw_tx_credit_filter gw_tx_m_credit_dirty, gw_tx_m_credit_echo;

gw_tx_room_filter gw_tx_m_ignores_credit, gw_tx_m_credit_underflow;

gw_tx_move_filter gw_tx_m_stalls_on_stuffing, gw_tx_m_gap_mirrored, gw_tx_m_credit_forgotten;

#endif
