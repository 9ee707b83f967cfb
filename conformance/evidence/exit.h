/* SPDX-License-Identifier: BSD-2-Clause */
/* What the command's exit code tells a script. */
#ifndef GOLDWIRE_EVIDENCE_EXIT_H
#define GOLDWIRE_EVIDENCE_EXIT_H

/* gw_exit is an exit code. When several apply: TOOL > FAIL > XPASS > INCONC > OK. */
typedef enum gw_exit {
    GW_EXIT_OK = 0,
    GW_EXIT_FAIL =
        1, /* a failure, a difference, a finding of level MUST, a capture that breaks off */
    GW_EXIT_USAGE = 2,   /* the caller can mend it; decided before the first packet */
    GW_EXIT_INCONC = 3,  /* nothing can be said */
    GW_EXIT_TOOL = 4,    /* goldwire's own fault, or what it makes cannot be written */
    GW_EXIT_XPASS = 5,   /* an unexpected pass, or every failure under an expired waiver */
    GW_EXIT_NOTHING = 6, /* nothing selected, or nothing passed */
} gw_exit;

#endif
