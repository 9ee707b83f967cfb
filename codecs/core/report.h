/* SPDX-License-Identifier: BSD-2-Clause */
/* Saying what was found, and what belongs together: a finding's text is built only when there is a
 * finding. */
#ifndef CORE_REPORT_H
#define CORE_REPORT_H

#include "goldwire/format.h"
#include "goldwire/rule.h"

/* gw_judge is where findings go and which frames they name. */
typedef struct gw_judge {
    gw_verdict_sink *sink;
    const gw_dialect *dialect; /* what it knows of is not reported */
    uint64_t frame;            /* that findings are about */
    uint64_t revealed_by;      /* that shows them */
} gw_judge;

/* gw_judge_of returns the one that judges |message| by itself. */
static inline gw_judge gw_judge_of(const gw_message *message, const gw_dialect *dialect,
                                   gw_verdict_sink *sink)
{
    return (gw_judge){sink, dialect, message->frame, message->frame};
}

/* GW_NUMBERS lists the numbers of a finding's text. */
#define GW_NUMBERS(...) ((const uint64_t[]){__VA_ARGS__})

/* gw_report reports that |rule| is broken in |field| at byte |offset|, unless the dialect knows
 * of it. In |text| each %d becomes the next of |numbers| in decimal, %x in hexadecimal, %t a time
 * in nanoseconds as milliseconds; %s is the plural's s after the last of them. */
void gw_report(const gw_judge *judge, const gw_rule *rule, const gw_field *field, uint32_t offset,
               const char *text, const uint64_t *numbers);

/* gw_relate tells |sink|, if it wants to know, how two messages are related. */
void gw_relate(gw_verdict_sink *sink, const gw_relation *relation);

#endif
