/* SPDX-License-Identifier: BSD-2-Clause */
/* Making a trace: what is said of the board in it, and which cases' evidence can be replayed. */
#ifndef REPLAY_RECORDING_H
#define REPLAY_RECORDING_H

#include "harness/board.h"
#include "run/case.h"
#include "run/run.h"

#define GW_RECORDING_TITLE 12288 /* room for the title of a part of a trace */

/* gw_recording_title writes what the first packet of |one|'s part says; with |board|, as the first
 * part of a trace has to, it tells where that board has its areas and registers. */
void gw_recording_title(char *out, size_t cap, const gw_case *one, const gw_suite *suite,
                        const gw_board_file *board);

/* gw_recording_goes says whether |evidence| went the usual way to |target|, the only one that a
 * replay takes. False with a text in |why|. */
GW_MUST_USE bool gw_recording_goes(const gw_evidence *evidence, const gw_target *target, char *why,
                                   size_t why_cap);

/* gw_recording_may says whether a replay would send what |evidence| of |one| holds to |board| as it
 * was, without being told to write anywhere. |folder| is where a file may be made for a moment.
 * False with a text in |why|. */
GW_MUST_USE bool gw_recording_may(const gw_case *one, const gw_evidence *evidence,
                                  const gw_suite *suite, const gw_dialect *dialect,
                                  const gw_board_file *board, const char *folder, char *why,
                                  size_t why_cap);

#endif
