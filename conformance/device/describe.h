/* SPDX-License-Identifier: BSD-2-Clause */
/* Does a board file fit the catalogue? What the file's own reader cannot know. */
#ifndef GOLDWIRE_DEVICE_DESCRIBE_H
#define GOLDWIRE_DEVICE_DESCRIBE_H

#include "run/case.h"

/* gw_describe_check checks |board|, read from |path|, against |suite|: its registers and the cases
 * of its waivers must exist. False with a text in |why| that names file, line and column. */
GW_MUST_USE bool gw_describe_check(const gw_board_file *board, const char *path,
                                   const gw_suite *suite, char *why, size_t why_cap);

#endif
