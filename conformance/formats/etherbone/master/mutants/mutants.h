/* SPDX-License-Identifier: BSD-2-Clause */
/* The filters that the table of mutants names: gw_eb_w_echoes_strangers is that of
 * m-echoes-strangers, and what it does wrong stands there. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_MASTER_MUTANTS_H
#define GOLDWIRE_FORMATS_ETHERBONE_MASTER_MUTANTS_H

#include "formats/etherbone/master/board.h"

gw_eb_master_in_filter gw_eb_w_note_header, gw_eb_w_any_magic, gw_eb_w_takes_cut_replies;

gw_eb_master_heard_filter gw_eb_w_deaf_after_garbage, gw_eb_w_note_garbage;

gw_eb_master_reply_filter gw_eb_w_refuses_zero_fill, gw_eb_w_last_record_only,
    gw_eb_w_echoes_strangers, gw_eb_w_shy_after_garbage;

gw_eb_master_read_filter gw_eb_w_hangs_on_zeros;

gw_eb_master_id_filter gw_eb_w_probe_id_swapped;

gw_eb_master_begin_filter gw_eb_w_several_widths, gw_eb_w_version_heard, gw_eb_w_widths_heard,
    gw_eb_w_long_packets;

gw_eb_master_record_filter gw_eb_w_wrong_byte_enables, gw_eb_w_dirty_padding, gw_eb_w_wrong_count;

gw_eb_master_end_filter gw_eb_w_late_status;

gw_eb_master_out_filter gw_eb_w_no_padding;

#endif
