/* SPDX-License-Identifier: BSD-2-Clause */
/* The groups of cases for an EtherBone slave, each ended by a case without an id. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_SLAVE_SUITE_H
#define GOLDWIRE_FORMATS_ETHERBONE_SLAVE_SUITE_H

#include "run/case.h"

extern const gw_case gw_eb_s_probe[];
extern const gw_case gw_eb_s_reply[];
extern const gw_case gw_eb_s_widths[];
extern const gw_case gw_eb_s_write[];
extern const gw_case gw_eb_s_read[];
extern const gw_case gw_eb_s_accepted[];
extern const gw_case gw_eb_s_empty[];
extern const gw_case gw_eb_s_depth[];
extern const gw_case gw_eb_s_fifo[];
extern const gw_case gw_eb_s_quiet[];
extern const gw_case gw_eb_s_cycle[];
extern const gw_case gw_eb_s_errors[];
extern const gw_case gw_eb_s_config[];
extern const gw_case gw_eb_s_drop[];
extern const gw_case gw_eb_s_frame[];
extern const gw_case gw_eb_s_malformed[];
extern const gw_case gw_eb_s_malformed_bus[];
extern const gw_case gw_eb_s_net[];
extern const gw_case gw_eb_s_wire[];
extern const gw_case gw_eb_s_tcp[];

extern const struct gw_loads gw_eb_s_loads;

/* gw_eb_s_suite holds them all. */
extern const gw_suite gw_eb_s_suite;

#endif
