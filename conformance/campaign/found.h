/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings on disk: findings/NAME in a campaign's folder holds finding.json, which tells what to
 * send, and sent.pcapng for people. */
#ifndef GOLDWIRE_CAMPAIGN_FOUND_H
#define GOLDWIRE_CAMPAIGN_FOUND_H

#include <jansson.h>

#include "campaign/name.h"

#define GW_FOUND_FOLDER "findings"
#define GW_FOUND_FILE "finding.json"
#define GW_FOUND_CAPTURE "sent.pcapng"

/* gw_found_store writes |found| to |dir|/findings/|name|, in the place of an earlier one of that
 * name, whose variants (gw_found_variant) stay known. False with a text in |why|. */
GW_MUST_USE bool gw_found_store(const char *dir, const char *name, const gw_found_context *context,
                                const gw_catch *found, char *why, size_t why_cap);

/* gw_found_again counts |found| as one more variant of the finding |name|, which is there and stays
 * what it is. False with a text in |why|. */
GW_MUST_USE bool gw_found_again(const char *dir, const char *name, const gw_found_context *context,
                                const gw_catch *found, char *why, size_t why_cap);

/* gw_found_is_there says whether |dir| has a finding |name|. */
bool gw_found_is_there(const char *dir, const char *name);

/* gw_found_read reads |root|, what a finding.json holds, of a board of |context|'s role; |path| is
 * for errors. gw_catch_free frees it. False with a text in |why|. */
GW_MUST_USE bool gw_found_read(gw_catch *out, const gw_found_context *context, const json_t *root,
                               const char *path, char *why, size_t why_cap);

/* gw_found_load reads the file |path| like that. */
GW_MUST_USE bool gw_found_load(gw_catch *out, const gw_found_context *context, const char *path,
                               char *why, size_t why_cap);

#endif
