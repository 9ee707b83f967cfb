/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tables say of one id, as a JSON object with its "kind". The caller frees it. */
#ifndef GOLDWIRE_CATALOG_OBJECTS_H
#define GOLDWIRE_CATALOG_OBJECTS_H

#include <jansson.h>

#include "boards/peer.h"
#include "formats/retired.h"
#include "run/case.h"

/* gw_catalog_rule returns what |rule| of |format| demands, and of each role that owes it the cases,
 * the mutants, and, found by running those, the messages and fields that show it. */
json_t *gw_catalog_rule(const gw_format *format, const gw_rule *rule);

/* gw_catalog_case returns what |one| of |suite| does, by which rules, and the mutants it is for. */
json_t *gw_catalog_case(const gw_suite *suite, const gw_case *one);

/* gw_catalog_mutant returns what is wrong with |mutant|, and with which boards. */
json_t *gw_catalog_mutant(const gw_mutant *mutant);

/* gw_catalog_retired returns why an id was given up. */
json_t *gw_catalog_retired(const gw_retired_id *retired);

#endif
