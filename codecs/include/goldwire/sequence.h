/* SPDX-License-Identifier: BSD-2-Clause */
/* Mutation of what is sent one after another: the order, the time between, who says it, and where
 * it breaks off. What is in the messages stays; goldwire/mutate.h is for that. */
#ifndef GOLDWIRE_SEQUENCE_H
#define GOLDWIRE_SEQUENCE_H

#include "goldwire/base.h"
#include "goldwire/random.h"

GW_BEGIN_DECLS

/* gw_sequence_event is one message, or a piece of a stream. It borrows its bytes. */
typedef struct gw_sequence_event {
    const uint8_t *data;
    uint32_t len;
    uint32_t link;    /* connection, port or interface; what numbers mean is the caller's */
    uint32_t tag;     /* the caller's; goes with the event */
    int64_t delay_ns; /* since the event before */
} gw_sequence_event;

/* gw_sequence is |num| of |cap| events in the caller's memory. */
typedef struct gw_sequence {
    gw_sequence_event *events;
    size_t num;
    size_t cap;
    uint32_t num_links; /* that there are; 0 counts as 1 */
    int64_t longest_ns; /* delay that makes a difference: a time-out, and a little more */
} gw_sequence;

/* What is done to a sequence. */
typedef enum gw_sequence_edit {
    GW_SEQUENCE_DROP = 0,
    GW_SEQUENCE_REPEAT,     /* at once, or later */
    GW_SEQUENCE_SWAP,       /* with the next one, or any other */
    GW_SEQUENCE_DELAY,      /* another time between two */
    GW_SEQUENCE_MOVE,       /* to another link */
    GW_SEQUENCE_INTERLEAVE, /* with another sequence, each in its order */
    GW_SEQUENCE_SPLIT,      /* one piece of a stream becomes two */
    GW_SEQUENCE_CUT,        /* a piece ends early, and with it, at times, all */
    GW_NUM_SEQUENCE_EDITS,
} gw_sequence_edit;

/* gw_sequence_mutate does one of these to |sequence|, and returns which, GW_NUM_SEQUENCE_EDITS when
 * there is nothing to do it to. Events of |other| (NULL: the sequence's own) are interleaved. No
 * more than |sequence|'s cap are there afterwards. */
GW_API gw_sequence_edit gw_sequence_mutate(gw_sequence *sequence, const gw_sequence *other,
                                           gw_random *random);

/* gw_sequence_edit_name returns what |edit| does, "interleaved"; NULL when there is none. The text
 * is constant. */
GW_API const char *gw_sequence_edit_name(gw_sequence_edit edit);

GW_END_DECLS

#endif
