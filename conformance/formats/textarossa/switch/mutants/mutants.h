/* SPDX-License-Identifier: BSD-2-Clause */
/* The filters that only switches have. */
#ifndef GOLDWIRE_FORMATS_TEXTAROSSA_SWITCH_MUTANTS_H
#define GOLDWIRE_FORMATS_TEXTAROSSA_SWITCH_MUTANTS_H

#include "formats/textarossa/mutants/mutants.h"

gw_tx_move_filter gw_tx_m_footer_changed;

#endif
