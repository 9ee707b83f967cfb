/* SPDX-License-Identifier: BSD-2-Clause */
/* How long the board took to answer, by kind of request, from the time stamps of the evidence. */
#ifndef GOLDWIRE_MEASURE_TIMING_H
#define GOLDWIRE_MEASURE_TIMING_H

#include "evidence/evidence.h"
#include "goldwire/format.h"

#define GW_TIMING_KINDS 24
#define GW_TIMING_BUCKETS 160 /* four to a doubling, from 1 ns to a quarter of an hour */

/* gw_timing is one kind of request. */
typedef struct gw_timing {
    char kind[48]; /* "Read", "regs: Write" */
    unsigned num;
    int64_t min_ns;
    int64_t max_ns;
    unsigned buckets[GW_TIMING_BUCKETS];
} gw_timing;

/* gw_timings collects them. Start with all zeros. */
typedef struct gw_timings {
    gw_timing kinds[GW_TIMING_KINDS];
    unsigned num;
    unsigned left_out; /* answers of kinds that found no room */
} gw_timings;

/* gw_timing_add adds one answer that took |time_ns|, 0 at least. */
void gw_timing_add(gw_timing *timing, int64_t time_ns);

/* gw_timings_note adds one answer that took |time_ns|; a negative time, from a clock that was set,
 * is left out. */
void gw_timings_note(gw_timings *timings, const char *kind, int64_t time_ns);

/* gw_timings_read adds every request of |evidence| that was answered before the next one was sent
 * on its line, which is what can be paired without knowing the format. */
void gw_timings_read(gw_timings *timings, const gw_evidence *evidence, const gw_format *format,
                     const gw_dialect *dialect);

/* gw_timing_percentile returns a time that |percent| of the answers did not exceed, rounded up to
 * the end of its bucket (19 % at the most) and never more than the longest. */
int64_t gw_timing_percentile(const gw_timing *timing, unsigned percent);

/* gw_timing_bucket returns the bucket of |time_ns|, gw_timing_bucket_end its longest time. */
unsigned gw_timing_bucket(int64_t time_ns);
int64_t gw_timing_bucket_end(unsigned bucket);

/* gw_evidence_summary writes what packet |number| of |evidence| is, as its format sums it up: "Read
 * 1 @ 0x100".
 * "" for a piece of a stream, which need not be a message. */
void gw_evidence_summary(char *out, size_t cap, const gw_evidence *evidence, unsigned number,
                         const gw_format *format, const gw_dialect *dialect);

#endif
