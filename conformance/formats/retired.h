/* SPDX-License-Identifier: BSD-2-Clause */
/* Ids that were given up. An id is never used again, and whoever finds one in an old report, waiver
 * or certificate is told what became of it. conformance/formats/ids.txt lists all there ever were.
 */
#ifndef GOLDWIRE_FORMATS_RETIRED_H
#define GOLDWIRE_FORMATS_RETIRED_H

/* gw_retired_id is the id of a rule, a case or a mutant that is no more. */
typedef struct gw_retired_id {
    const char *id;
    const char *until;  /* the last version of goldwire that had it */
    const char *reason; /* why it went, and what to use instead */
} gw_retired_id;

/* gw_retired lists them, a NULL id at the end. */
extern const gw_retired_id gw_retired[];

/* gw_retired_find returns what is known of |id|, or NULL. */
const gw_retired_id *gw_retired_find(const char *id);

#endif
