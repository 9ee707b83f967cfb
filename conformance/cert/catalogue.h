/* SPDX-License-Identifier: BSD-2-Clause */
/* The catalogue as JSON: what the command prints, and what a certificate vouches for. */
#ifndef GOLDWIRE_CATALOGUE_H
#define GOLDWIRE_CATALOGUE_H

#include <jansson.h>

#include "run/case.h"

/* gw_catalogue_rule returns |rule| with the cases of |suite| that test it, or the reasons why none
 * does; gw_catalogue_case returns |one|. The caller frees them with json_decref. */
json_t *gw_catalogue_rule(const gw_suite *suite, const gw_rule *rule);
json_t *gw_catalogue_case(const gw_suite *suite, const gw_case *one);

/* gw_catalogue_exceptions returns why |rule| lacks cases: objects of "lacks" (any, positive or
 * negative) and "reason", none when it has cases of both kinds. The caller frees them. */
json_t *gw_catalogue_exceptions(const gw_suite *suite, const gw_rule *rule);

/* gw_catalogue_of returns everything that decides what a run of |suite| means: each rule that the
 * role owes, each case, in their order, and the recorded traces that were cases as well (|traces|,
 * as gw_kept_json has them; NULL or empty: none). The caller frees it. NULL when memory fails. */
json_t *gw_catalogue_of(const gw_suite *suite, const json_t *traces);

/* gw_canonical writes |value| as canonical JSON (RFC 8785: sorted names, no spaces; numbers must be
 * integers), a new terminated text of *len bytes that the caller frees. NULL when memory fails. */
char *gw_canonical(const json_t *value, size_t *len);

#endif
