/* SPDX-License-Identifier: BSD-2-Clause */
/* Response times, in buckets that grow by a quarter of a doubling. */
#include "measure/timing.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "evidence/packet_message.h"
#include "goldwire/text.h"

static unsigned log2_of(uint64_t value)
{
    return 63 - (unsigned)__builtin_clzll(value | 1);
}

unsigned gw_timing_bucket(int64_t time_ns)
{
    uint64_t t = time_ns > 0 ? (uint64_t)time_ns : 1;
    unsigned log = log2_of(t);
    /* The two bits below the first one; below 4 ns there are fewer. */
    unsigned quarter = (unsigned)(log >= 2 ? t >> (log - 2) : t << (2 - log)) & 3;
    unsigned bucket = 4 * log + quarter;
    return bucket < GW_TIMING_BUCKETS ? bucket : GW_TIMING_BUCKETS - 1;
}

int64_t gw_timing_bucket_end(unsigned bucket)
{
    unsigned log = bucket / 4;
    uint64_t next = (uint64_t)(4 + bucket % 4 + 1) << log;
    return (int64_t)((next + 3) / 4) - 1;
}

static gw_timing *kind_of(gw_timings *timings, const char *kind)
{
    for (unsigned i = 0; i < timings->num; i++)
        if (strcmp(timings->kinds[i].kind, kind) == 0)
            return &timings->kinds[i];
    if (timings->num == GW_TIMING_KINDS)
        return NULL;
    gw_timing *timing = &timings->kinds[timings->num++];
    (void)snprintf(timing->kind, sizeof(timing->kind), "%s", kind);
    return timing;
}

void gw_timing_add(gw_timing *timing, int64_t time_ns)
{
    timing->buckets[gw_timing_bucket(time_ns)]++;
    if (timing->num == 0 || time_ns < timing->min_ns)
        timing->min_ns = time_ns;
    if (time_ns > timing->max_ns)
        timing->max_ns = time_ns;
    timing->num++;
}

void gw_timings_note(gw_timings *timings, const char *kind, int64_t time_ns)
{
    if (time_ns < 0)
        return;
    gw_timing *timing = kind_of(timings, kind);
    if (timing == NULL) {
        timings->left_out++;
        return;
    }
    gw_timing_add(timing, time_ns);
}

int64_t gw_timing_percentile(const gw_timing *timing, unsigned percent)
{
    uint64_t wanted = ((uint64_t)timing->num * percent + 99) / 100;
    uint64_t seen = 0;
    for (unsigned i = 0; i < GW_TIMING_BUCKETS; i++) {
        seen += timing->buckets[i];
        int64_t end = gw_timing_bucket_end(i);
        if (seen >= wanted)
            return end < timing->max_ns ? end : timing->max_ns;
    }
    return timing->max_ns;
}

/* ---- from the evidence ---- */

static const gw_format *format_on(const gw_evidence_packet *packet, const gw_format *format)
{
    return packet->regs ? gw_register_format : format;
}

void gw_evidence_summary(char *out, size_t cap, const gw_evidence *evidence, unsigned number,
                         const gw_format *format, const gw_dialect *dialect)
{
    gw_text text = gw_text_over(out, cap);
    const gw_evidence_packet *packet = gw_evidence_get(evidence, number);
    const gw_format *speaks = format_on(packet, format);
    gw_message message;
    if (!packet->stream && gw_evidence_message(&message, evidence, number, speaks))
        speaks->summary(&message, speaks == format ? dialect : NULL, &text);
}

/* What is asked, not of whom. */
static void kind_from(char *out, size_t cap, const gw_evidence *evidence, unsigned number,
                      const gw_format *format, const gw_dialect *dialect)
{
    gw_message message;
    const gw_evidence_packet *packet = gw_evidence_get(evidence, number);
    const gw_format *speaks = format_on(packet, format);
    const char *before = packet->regs ? "regs: " : "";
    if (packet->stream) {
        (void)snprintf(out, cap, "%sover a stream", before);
        return;
    }
    const char *kind = "request";
    if (gw_evidence_message(&message, evidence, number, speaks))
        kind =
            gw_format_transaction(speaks, speaks == format ? dialect : NULL, &message, NULL, NULL)
                .kind;
    (void)snprintf(out, cap, "%s%c%s", before, toupper((unsigned char)kind[0]), kind + 1);
}

/* The packet on the same line after |number|, or NULL. */
static const gw_evidence_packet *next_on_line(const gw_evidence *evidence, unsigned number)
{
    const gw_evidence_packet *packet = gw_evidence_get(evidence, number);
    const gw_evidence_packet *next = gw_evidence_get(evidence, ++number);
    while (next != NULL && next->line != packet->line)
        next = gw_evidence_get(evidence, ++number);
    return next;
}

void gw_timings_read(gw_timings *timings, const gw_evidence *evidence, const gw_format *format,
                     const gw_dialect *dialect)
{
    for (unsigned number = 1; number <= evidence->num_packets; number++) {
        char kind[48];
        const gw_evidence_packet *sent = gw_evidence_get(evidence, number);
        if (sent->dir != GW_DIR_OUT || sent->kind != GW_EVIDENCE_BYTES)
            continue;
        const gw_evidence_packet *answer = next_on_line(evidence, number);
        if (answer == NULL || answer->dir != GW_DIR_IN || answer->kind != GW_EVIDENCE_BYTES)
            continue;
        kind_from(kind, sizeof(kind), evidence, number, format, dialect);
        gw_timings_note(timings, kind, gw_span_ns(sent->time_ns, answer->time_ns));
    }
}
