/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a run puts its files: one folder with the report, and cases/ with the evidence. */
#ifndef GOLDWIRE_STORE_H
#define GOLDWIRE_STORE_H

#include <stdio.h>

#include "runner/evidence.h"
#include "runner/run.h"

/* gw_store_prepare makes the folder |dir| and its parents, and checks that files can be made in it.
 * The files of an earlier run go, so that everything in it belongs to one run; a folder that holds
 * anything else is left alone. False with a text in |why|. */
GW_MUST_USE bool gw_store_prepare(const char *dir, char *why, size_t why_cap);

/* gw_store_evidence writes |evidence| to |dir|/cases/ID.pcapng and notes the path in |result|. A
 * NULL |dir|, or no packets, writes nothing. */
GW_MUST_USE bool gw_store_evidence(const char *dir, gw_result *result, const gw_evidence *evidence,
                                   char *why, size_t why_cap);

/* gw_store_packets writes |evidence| to |dir|/|name|; |title| comments its first packet. A NULL
 * |dir|, or no packets, writes nothing. */
GW_MUST_USE bool gw_store_packets(const char *dir, const char *name, const char *title,
                                  const gw_evidence *evidence, char *why, size_t why_cap);

/* gw_store_open creates |dir|/|name| for writing. NULL with a text in |why|. */
FILE *gw_store_open(const char *dir, const char *name, char *why, size_t why_cap);

/* gw_store_close closes |file| and tells whether everything, before and now, was written. */
GW_MUST_USE bool gw_store_close(FILE *file, const char *name, char *why, size_t why_cap);

#endif
