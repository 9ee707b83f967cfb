/* SPDX-License-Identifier: BSD-2-Clause */
/* What the response-time cases of all formats share. */
#ifndef GOLDWIRE_SUITE_RESPONSE_H
#define GOLDWIRE_SUITE_RESPONSE_H

#include "run/case.h"

#define GW_RESPONSE_ROUNDS 200

/* gw_responses holds the response times of one case, in nanoseconds. */
typedef struct gw_responses {
    int64_t times[GW_RESPONSE_ROUNDS];
    size_t num;
    size_t rounds;   /* how many there should be; 0, or more than fit: GW_RESPONSE_ROUNDS */
    bool stream;     /* they came over one */
    int64_t path_ns; /* that the path takes there and back, where a case knows; 0: it is measured */
    int64_t least_ns; /* that it takes at the least, as something told that answers before the board
                         does: no part of its response; 0: nothing did */
    /* fail ends the case in place of gw_case_fail; |place| tells failures of it apart. NULL: no. */
    GW_NORETURN void (*fail)(gw_ctx *ctx, const gw_miss *miss, uint32_t place, const char *fmt, ...)
        GW_PRINTF(4, 5);
    uint32_t place;
    uint32_t missed; /* in a row */
} gw_responses;

/* gw_response_add takes the time from packet |sent| of the evidence to packet |received|. */
void gw_response_add(gw_ctx *ctx, gw_responses *responses, unsigned sent, unsigned received);

/* gw_response_missed notes that a request took no answer. A path may lose one of them; of a board
 * that answers none in a row nothing can be measured, and the case ends. */
void gw_response_missed(gw_ctx *ctx, gw_responses *responses);

/* gw_response_slow says whether nothing more need be asked, as over a path that loses the first
 * responses were all far too late: of many requests one gets lost there. */
bool gw_response_slow(const gw_ctx *ctx, gw_responses *responses);

/* gw_response_end judges the 99th percentile against what the board claims, and ends the case
 * unless it is kept. The figures are noted. */
void gw_response_end(gw_ctx *ctx, gw_responses *responses);

/* gw_response_claimed says whether the board claims a response time; if not, |why| says how it
 * does.
 */
bool gw_response_claimed(gw_ctx *ctx, char *why, size_t why_cap);

#endif
