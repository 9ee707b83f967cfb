/* SPDX-License-Identifier: BSD-2-Clause */
/* The recorded traces that a run's verdicts rest on, kept in its folder: whoever doubts a verdict
 * has to have what was compared with. */
#ifndef GOLDWIRE_KEPT_H
#define GOLDWIRE_KEPT_H

#include "cert/digest.h"
#include "report/report.h"

/* A trace that is larger holds more than a replay takes, and is not kept. */
#define GW_KEPT_MAX_BYTES (256ull << 20)

/* gw_kept_digest writes the digest of the trace |path|, which has to be an ordinary file. False
 * with a text in |why| that says what to do. */
GW_MUST_USE bool gw_kept_digest(char out[GW_DIGEST_TEXT], const char *path, char *why,
                                size_t why_cap);

/* gw_kept_copy copies the trace |path| of the case |one| into the folder |dir|, as
 * traces/NAME.pcapng: the case's id, which no other case has, and the ending of |path|. False, with
 * a text in |why|, when that fails or the file is not the one with |digest| any more. */
GW_MUST_USE bool gw_kept_copy(gw_kept_trace *out, const char *dir, const gw_case *one,
                              const char *path, const char *digest, char *why, size_t why_cap);

/* gw_kept_json returns what a certificate says of the traces of |report|: case, path, SHA-256 and
 * size of each. The caller frees it. NULL when memory fails. */
json_t *gw_kept_json(const gw_report *report);

#endif
