/* SPDX-License-Identifier: BSD-2-Clause */
/* Which files are a run's own, and removing them. */
#ifndef GOLDWIRE_RUN_SWEEP_H
#define GOLDWIRE_RUN_SWEEP_H

#include "goldwire/base.h"

/* gw_own_files and gw_own_folders are what a run leaves in its folder; the certificate is the last
 * of the files. */
extern const char *const gw_own_files[];
extern const size_t gw_num_own_files;
extern const char *const gw_own_folders[];
extern const size_t gw_num_own_folders;

typedef enum gw_sweep_what {
    GW_SWEEP_NOTHING, /* only look */
    GW_SWEEP_UNFINISHED,
    GW_SWEEP_WHOLE, /* the run that was the last one */
} gw_sweep_what;

/* gw_sweep removes |what| from the folder |dir|, after looking through all of it: where anything in
 * it is not of a run, nothing goes. False with a text in |why|. */
bool gw_sweep(const char *dir, gw_sweep_what what, char *why, size_t why_cap);

#endif
