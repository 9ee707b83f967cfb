/* SPDX-License-Identifier: BSD-2-Clause */
/* The recorded traces of a run, as cases of it. */
#ifndef GOLDWIRE_TRACES_H
#define GOLDWIRE_TRACES_H

#include "cli/certification.h"

/* gw_traces_load reads every trace that the options name and adds it to the selection. The board is
 * reached, no packet was sent. A gw_exit, complaints being on stderr. */
int gw_traces_load(gw_certification *c);

/* gw_traces_keep copies them into the folder for evidence, if there is one: the very bytes that
 * gw_traces_load read. */
int gw_traces_keep(gw_certification *c);

#endif
