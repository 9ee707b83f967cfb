/* SPDX-License-Identifier: BSD-2-Clause */
/* The folder of a campaign: campaign.json tells how to reach its board again. */
#ifndef GOLDWIRE_CLI_FUZZING_PLACE_H
#define GOLDWIRE_CLI_FUZZING_PLACE_H

#include "cli/certify_args.h"

#define GW_PLACE_FILE "campaign.json"

/* gw_place_make makes the folder |dir|, and writes how |o| reaches the board. One that holds
 * anything but a campaign against a board of the same role is left alone: false with a text in
 * |why|. */
GW_MUST_USE bool gw_place_make(const char *dir, const gw_certify_options *o, const char *role,
                               char *why, size_t why_cap);

/* gw_place is what campaign.json says, as options. */
typedef struct gw_place {
    gw_certify_options o;
    void *memory; /* that their texts lie in */
} gw_place;

/* gw_place_read reads it. False with a text in |why|. */
GW_MUST_USE bool gw_place_read(gw_place *place, const char *dir, char *why, size_t why_cap);

/* gw_place_free frees what the options' texts lie in. */
void gw_place_free(gw_place *place);

#endif
