/* SPDX-License-Identifier: BSD-2-Clause */
/* What a board was tried with, in the terms of its format's tables: nobody sees inside a black box,
 * but which kinds of values, flags, lengths and orders were sent to it, and which of them it still
 * answered, can be counted. */
#ifndef GOLDWIRE_CAMPAIGN_MODEL_COVERAGE_H
#define GOLDWIRE_CAMPAIGN_MODEL_COVERAGE_H

#include <stdio.h>

#include "campaign/model/value_class.h"
#include "goldwire/format.h"

#define GW_COVERAGE_SCHEMA "goldwire/coverage/1"
#define GW_COVERAGE_FILE "coverage.json"
#define GW_COVERAGE_KINDS 24u  /* of messages, that are told apart */
#define GW_COVERAGE_LENGTHS 7u /* classes of them */
#define GW_COVERAGE_FLAGS 8u   /* of a group, whose combinations are counted */
#define GW_COVERAGE_COMBINATIONS (1u << GW_COVERAGE_FLAGS)

/* gw_covered counts packets of one kind: those that were sent, and of them those that something
 * came back for. */
typedef struct gw_covered {
    uint32_t hit;
    uint32_t answered;
} gw_covered;

/* gw_covered_field is one field, by the kinds of its values. */
typedef struct gw_covered_field {
    const gw_field *field;
    uint32_t possible; /* 1 << gw_value_class */
    bool met;          /* there is a message that has it */
    gw_covered of[GW_NUM_VALUE_CLASSES];
    uint32_t asked_with[GW_NUM_VALUE_CLASSES]; /* 1 << number of the kind of message */
} gw_covered_field;

/* gw_covered_flags is a group with flags, by their combinations: the first flag is the lowest bit.
 */
typedef struct gw_covered_flags {
    const gw_group *group;
    const gw_field *flags[GW_COVERAGE_FLAGS];
    unsigned num;
    bool met;
    gw_covered of[GW_COVERAGE_COMBINATIONS];
} gw_covered_flags;

/* gw_coverage is all of it; its size is that of the tables, however much is sent. */
typedef struct gw_coverage {
    const gw_format *format;
    const gw_dialect *dialect;
    gw_covered_field *fields;
    size_t num_fields;
    gw_covered_flags *groups; /* as many as the format has; without flags |num| is 0 */
    size_t *first_field;      /* of each group */
    const char *kinds[GW_COVERAGE_KINDS];
    unsigned num_kinds; /* the last one stands for all that found no room */
    gw_covered lengths[GW_COVERAGE_KINDS][GW_COVERAGE_LENGTHS];
    gw_covered steps[GW_COVERAGE_KINDS + 1][GW_COVERAGE_KINDS]; /* [0]: it begins a conversation */
    unsigned before; /* 1 + the kind of the message before; 0: none was */
    uint64_t packets;
} gw_coverage;

/* gw_coverage_sum is how much was tried of what can be: kinds of values of the fields that are in
 * any message that was sent or is known to be good, combinations of their flags, and what came
 * after what of the kinds of messages that were met. */
typedef struct gw_coverage_sum {
    uint32_t possible;
    uint32_t hit;
    uint32_t answered;
    uint32_t unmet_fields; /* in no message: nothing is said of them */
} gw_coverage_sum;

/* gw_coverage_new returns an empty one; NULL when memory is short. */
gw_coverage *gw_coverage_new(const gw_format *format, const gw_dialect *dialect);

/* gw_coverage_free gives the memory back; NULL is allowed. */
void gw_coverage_free(gw_coverage *coverage);

/* gw_coverage_meet learns which fields |message| has, which is not sent by that. */
void gw_coverage_meet(gw_coverage *coverage, const gw_message *message);

/* gw_coverage_note counts |message|, which went out, |anew| as the first of a conversation. */
void gw_coverage_note(gw_coverage *coverage, const gw_message *message, bool anew, bool answered);

/* gw_coverage_novelty returns how much of |message| was tried little until now: the more the
 * greater. */
uint32_t gw_coverage_novelty(gw_coverage *coverage, const gw_message *message);

/* gw_coverage_sum_up adds up; gw_coverage_percent says how much of what is possible was hit. */
gw_coverage_sum gw_coverage_sum_up(const gw_coverage *coverage);
double gw_coverage_percent(const gw_coverage *coverage);

/* gw_coverage_length_name returns what a class of lengths is called, "16 to 63 bytes". */
const char *gw_coverage_length_name(unsigned length);

/* gw_coverage_write writes the object that coverage.json holds (docs/coverage.schema.json). */
void gw_coverage_write(FILE *file, const gw_coverage *coverage);

#endif
