/* SPDX-License-Identifier: BSD-2-Clause */
/* The verbs of the goldwire command and the exit codes they share. */
#ifndef GOLDWIRE_VERB_H
#define GOLDWIRE_VERB_H

/* What the command's exit code tells a script. When several apply: TOOL > FAIL > XPASS > INCONC >
 * OK. */
typedef enum gw_exit {
    GW_EXIT_OK = 0,
    GW_EXIT_FAIL =
        1, /* a failure, a difference, a finding of level MUST, a capture that breaks off */
    GW_EXIT_USAGE = 2,   /* the caller can mend it; decided before the first packet */
    GW_EXIT_INCONC = 3,  /* nothing can be said */
    GW_EXIT_TOOL = 4,    /* goldwire's own fault */
    GW_EXIT_XPASS = 5,   /* an unexpected pass, or every failure under an expired waiver */
    GW_EXIT_NOTHING = 6, /* nothing selected, or nothing passed */
} gw_exit;

/* gw_verb is one word of the command. |run| gets the verb as argv[0] and returns a gw_exit. */
typedef struct gw_verb {
    const char *name;
    const char *blurb; /* for the list of verbs */
    int (*run)(int argc, char **argv);
} gw_verb;

extern const gw_verb gw_verb_decode, gw_verb_encode, gw_verb_check, gw_verb_peer, gw_verb_certify,
    gw_verb_catalog, gw_verb_doctor, gw_verb_selftest, gw_verb_regs, gw_verb_verify, gw_verb_diff,
    gw_verb_keygen, gw_verb_farm, gw_verb_replay, gw_verb_record;

#endif
