/* SPDX-License-Identifier: BSD-2-Clause */
/* Which of the packets that were sent something came back for, as far as that is beyond doubt. */
#ifndef GOLDWIRE_CAMPAIGN_ANSWERS_H
#define GOLDWIRE_CAMPAIGN_ANSWERS_H

#include "evidence/evidence.h"

/* gw_answers is what is needed to tell. */
typedef struct gw_answers gw_answers;

/* gw_answers_new returns one for conversations of |format|. NULL when memory is short. */
gw_answers *gw_answers_new(const gw_format *format, const gw_dialect *dialect);

/* gw_answers_free gives the memory back; NULL is allowed. */
void gw_answers_free(gw_answers *answers);

/* gw_answers_read looks through |evidence|, where nothing comes back for a packet after |lag_ns|.
 */
void gw_answers_read(gw_answers *answers, const gw_evidence *evidence, int64_t lag_ns);

/* gw_answers_has says whether packet |number| of that evidence was answered: the format's session
 * says so, or something came back when it was the only one that was outstanding. */
bool gw_answers_has(const gw_answers *answers, unsigned number);

#endif
