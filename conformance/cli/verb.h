/* SPDX-License-Identifier: BSD-2-Clause */
/* The verbs of the goldwire command. */
#ifndef GOLDWIRE_VERB_H
#define GOLDWIRE_VERB_H

#include <argp.h>
#include <stdlib.h>

#include "evidence/exit.h"
#include "harness/memory.h"

/* gw_verb is one word of the command. |run| gets the verb as argv[0] and returns a gw_exit. */
typedef struct gw_verb {
    const char *name;
    const char *blurb; /* for the list of verbs */
    int (*run)(int argc, char **argv);
} gw_verb;

extern const gw_verb gw_verb_decode, gw_verb_encode, gw_verb_check, gw_verb_peer, gw_verb_certify,
    gw_verb_catalog, gw_verb_doctor, gw_verb_selftest, gw_verb_regs, gw_verb_verify, gw_verb_diff,
    gw_verb_keygen, gw_verb_farm, gw_verb_replay, gw_verb_record, gw_verb_sim, gw_verb_fuzz,
    gw_verb_triage, gw_verb_stats, gw_verb_history, gw_verb_board, gw_verb_extcap;

/* What Wireshark finds in its folder is the command under this name: `goldwire extcap'. */
#define GW_EXTCAP_LINK "goldwire-extcap"

/* gw_verb_parse reads the arguments of a verb into |input|. Who calls wrongly is told, and that is
 * the end. So is a refused allocation: nothing is done by arguments of which some were not read. */
static inline void gw_verb_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    gw_memory_need(GW_EXIT_TOOL); /* where it prints its help argp does not survive a refusal */
    if (argp_parse(argp, argc, argv, 0, NULL, input) != 0)
        exit(GW_EXIT_TOOL);
    gw_memory_need(0);
}

#endif
