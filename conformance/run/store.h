/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a run puts its files: one folder with the report, and cases/ with the evidence. */
#ifndef GOLDWIRE_RUN_STORE_H
#define GOLDWIRE_RUN_STORE_H

#include <stdio.h>

#include "evidence/evidence.h"
#include "run/run.h"

/* Where a run lies inside its folder until it is whole. */
#define GW_STORE_UNFINISHED "unfinished"

#define GW_STORE_CERTIFICATE "cert.json"

/* gw_store_prepare makes the folder |dir| and its parents, and in it the one for the files of a run
 * that begins, whose path |into| gets. What a run that did not finish left there goes; the files of
 * an earlier run stay. A folder that holds anything else is left alone. False with a text in |why|.
 */
GW_MUST_USE bool gw_store_prepare(char *into, size_t cap, const char *dir, char *why,
                                  size_t why_cap);

/* gw_store_folders makes every folder on the way to |path|; what follows the last slash is not one
 * of them. False with a text in |why|. */
GW_MUST_USE bool gw_store_folders(const char *path, char *why, size_t why_cap);

/* gw_store_replaces says whether a new run can take the place of the one that lies in |dir| in one
 * step, as far as that is known beforehand; if not, |why| says why. gw_store_prepare asks where the
 * one that lies there has a certificate. */
GW_MUST_USE bool gw_store_replaces(const char *dir, char *why, size_t why_cap);

/* gw_store_finish puts what the run wrote in the place of the earlier run's files, in one step and
 * after it has reached the disk, so that one of the two is there whatever happens. Only where a
 * folder cannot be renamed (it is a mount point, the current folder, or its parent is not ours) it
 * goes file by file, the certificate last. False with a text in |why|: then it lies where it was
 * written. */
GW_MUST_USE bool gw_store_finish(const char *dir, char *why, size_t why_cap);

/* gw_store_drop removes what the run wrote, and leaves the earlier run's files. */
void gw_store_drop(const char *dir);

/* gw_store_has says whether there is a file |dir|/|name|. */
bool gw_store_has(const char *dir, const char *name);

/* gw_store_is_certified says whether |dir| holds a certificate. */
bool gw_store_is_certified(const char *dir);

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

/* gw_store_remove removes |dir|/|name|: half a file is no evidence. */
void gw_store_remove(const char *dir, const char *name);

/* gw_store_close closes |file| and tells whether everything, before and now, was written. */
GW_MUST_USE bool gw_store_close(FILE *file, const char *name, char *why, size_t why_cap);

/* gw_store_keep closes |dir|/|name| like that, and removes it when not everything was written:
 * nobody shall take half of it for the whole. */
GW_MUST_USE bool gw_store_keep(FILE *file, const char *dir, const char *name, char *why,
                               size_t why_cap);

#endif
