/* SPDX-License-Identifier: BSD-2-Clause */
/* Mutation from the tables: another message made of one, by what its format's tables and rules say.
 *
 * The field tables tell which values are legal, which bits are reserved, what counts and what is a
 * length; the walk tells what a check byte would have to be; the format's check is the judge of
 * what a mutation broke. Nothing here knows a format. No memory is allocated, nothing is kept
 * between calls, and equal random states give equal bytes on every machine. */
#ifndef GOLDWIRE_MUTATE_H
#define GOLDWIRE_MUTATE_H

#include "goldwire/base.h"
#include "goldwire/format.h"
#include "goldwire/message.h"
#include "goldwire/random.h"

GW_BEGIN_DECLS

/* What a mutation is to be. */
typedef enum gw_mutate_aim {
    GW_MUTATE_FREELY = 0, /* anything that the tables suggest */
    GW_MUTATE_LEGALLY,    /* another message, whole, without findings */
    GW_MUTATE_TO_BREAK,   /* a message that breaks |rule|, if possible no other */
} gw_mutate_aim;

/* What becomes of check bytes, which every edit makes stale. A legal mutation has right ones
 * whatever is said here. */
typedef enum gw_mutate_derived {
    GW_DERIVED_AT_RANDOM = 0, /* mostly right, at times one of the others */
    GW_DERIVED_MENDED,        /* computed anew */
    GW_DERIVED_STALE,         /* left as they were */
    GW_DERIVED_FALSE,         /* computed anew, and one of them, or a count or length, made wrong */
} gw_mutate_derived;

/* GW_MUTATOR_..., what is done to a message; gw_mutation has a bit for each. */
typedef enum gw_mutator {
#define GW_MUTATOR(id, ...) GW_MUTATOR_##id,
#include "goldwire/mutators.def"
    GW_NUM_MUTATORS
} gw_mutator;

/* gw_mutate_plan is what shall be done. Nothing in it is owned. */
typedef struct gw_mutate_plan {
    const gw_format *format;
    const gw_dialect *dialect; /* NULL: the document's */
    const gw_rule *rule;       /* of GW_MUTATE_TO_BREAK, one of the format's */
    const gw_message *other; /* of the same format, to take pieces from; NULL: the message itself */
    uint32_t tries;          /* to reach an aim; 0: as many as it usually takes */
    uint8_t aim;             /* gw_mutate_aim */
    uint8_t derived;         /* gw_mutate_derived */
} gw_mutate_plan;

/* gw_mutation is what was done. */
typedef struct gw_mutation {
    size_t len;    /* bytes written */
    uint32_t done; /* 1 << GW_MUTATOR_... of all that took part */
    bool met;      /* the aim; else what is written is the message as it was, or its beginning */
    bool alone;    /* of GW_MUTATE_TO_BREAK: no other rule is broken */
} gw_mutation;

/* gw_mutate writes a mutation of |message| into the |cap| bytes at |out|, which is other memory.
 * Whatever the message holds, or if it is empty, at most |cap| bytes are written, in bounded time:
 * a few walks and checks for GW_MUTATE_FREELY, up to some thousand to break a rule. */
GW_API gw_mutation gw_mutate(const gw_mutate_plan *plan, gw_random *random,
                             const gw_message *message, uint8_t *out, size_t cap);

/* gw_mutate_trim writes |message| without its piece number |piece|, from 0, into the |cap| bytes at
 * |out|: a record, a unit, a run of bytes, its counts and check bytes put right. Returns the
 * length; 0 when there is no such piece. */
GW_API size_t gw_mutate_trim(const gw_format *format, const gw_dialect *dialect,
                             const gw_message *message, uint32_t piece, uint8_t *out, size_t cap);

/* gw_mutated returns |message| with the |len| bytes at |data| in place of its own. What a capture
 * cut off it stays as long. */
GW_API gw_message gw_mutated(const gw_message *message, const uint8_t *data, size_t len);

/* gw_mutator_name returns what |mutator| does, "value at a boundary"; NULL when there is none. The
 * text is constant. */
GW_API const char *gw_mutator_name(unsigned mutator);

GW_END_DECLS

#endif
