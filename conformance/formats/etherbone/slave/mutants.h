/* SPDX-License-Identifier: BSD-2-Clause */
/* The filters that the table of mutants names: gw_eb_m_no_pr is that of m-no-pr, and what it does
 * wrong stands there. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_SLAVE_MUTANTS_H
#define GOLDWIRE_FORMATS_ETHERBONE_SLAVE_MUTANTS_H

#include "formats/etherbone/slave/board.h"

gw_eb_header_filter gw_eb_m_probe_version_1_only, gw_eb_m_five_bit_version;

gw_eb_probe_filter gw_eb_m_wrong_probe_id, gw_eb_m_probe_length, gw_eb_m_probe_flag,
    gw_eb_m_no_capabilities, gw_eb_m_probe_version;

gw_eb_send_filter gw_eb_m_answers_stale, gw_eb_m_replies_to_first_client, gw_eb_m_answers_twice;

#endif
