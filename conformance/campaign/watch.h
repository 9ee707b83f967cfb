/* SPDX-License-Identifier: BSD-2-Clause */
/* How a board is after something was sent to it: anomalies that it is not well. */
#ifndef GOLDWIRE_CAMPAIGN_WATCH_H
#define GOLDWIRE_CAMPAIGN_WATCH_H

#include "campaign/words.h"
#include "measure/timing.h"
#include "run/ctx.h"

typedef enum gw_symptom {
    GW_SYMPTOM_NONE = 0,
    GW_SYMPTOM_GONE,   /* nothing listens at its address any more */
    GW_SYMPTOM_DEAF,   /* its registers answer, and the link does not */
    GW_SYMPTOM_MUTE,   /* it takes connections, and says nothing on them */
    GW_SYMPTOM_SILENT, /* nothing comes: nobody can tell which of these it is */
    GW_SYMPTOM_WRONG,  /* it no longer does what it did before */
    GW_SYMPTOM_BROKEN, /* it said something that breaks a rule by itself */
    GW_SYMPTOM_SLOW,   /* it answers, and takes far longer than before */
    GW_SYMPTOM_CABLE,  /* the path is broken on our side: that is no anomaly of the board's */
    GW_NUM_SYMPTOMS,
} gw_symptom;

/* gw_symptom_name returns "gone", "deaf" ..., and gw_symptom_by_name the symptom, or
 * GW_SYMPTOM_NONE. */
const char *gw_symptom_name(gw_symptom symptom);
gw_symptom gw_symptom_by_name(const char *name);

/* gw_anomaly is what is wrong. All zeros: nothing is. */
typedef struct gw_anomaly {
    gw_symptom symptom;
    const gw_rule *rule; /* that it breaks; NULL: none by itself */
    const gw_case *by;   /* the case that the board no longer passes, or is lost by; or NULL */
    uint64_t random;     /* the run's random numbers when that case began */
    bool unsure;         /* there was no time to try that case again */
    char text[320];      /* for people */
} gw_anomaly;

/* gw_anomaly_equal says whether two anomalies are of one kind: symptom, rule and case. */
bool gw_anomaly_equal(const gw_anomaly *a, const gw_anomaly *b);

/* gw_watch is what is known of a board that is well. */
typedef struct gw_watch {
    const gw_case **cases; /* that it passes, and that are run now and then */
    size_t num_cases;
    size_t next;
    const gw_case **hostile; /* cases that are, in the order in which they are played: whether the
                                board passes them is not known beforehand */
    size_t num_hostile;
    size_t next_hostile;
    int64_t patience_ns; /* what hostile cases wait for a reply that must come; 0: as all do */
    gw_told told;        /* rules that it is known to break */
    gw_timing usual;     /* round trips of the known-good probe */
    int64_t until_ns;    /* no case is tried after that (CLOCK_MONOTONIC); 0: no matter */
} gw_watch;

/* gw_watch_is_hostile says whether |which| sends what must be dropped, or what boards die of, or
 * lets a board send until it is stopped: nothing is learnt from such a case. */
static inline bool gw_watch_is_hostile(const gw_case *which)
{
    return which->negative || which->endless;
}

/* gw_watch_tell notes that |rule|, if not NULL, is known to be broken. */
void gw_watch_tell(gw_watch *watch, const gw_rule *rule);

/* gw_watch_forget takes |which| out of the cases, with all hostile ones that build on it. */
void gw_watch_forget(gw_watch *watch, const gw_case *which);

/* What is to be looked at. */
typedef enum gw_watch_how {
    GW_WATCH_LIFE = 0, /* what it said, whether it answers, how soon */
    GW_WATCH_ONE_CASE, /* and the next of the cases */
    GW_WATCH_CASES,    /* and all of them */
    GW_WATCH_HOSTILE,  /* and the next of those that are, and what becomes of it */
    GW_WATCH_BY,       /* and the one that |anomaly| names; with its |random| numbers, if not 0 */
} gw_watch_how;

/* gw_watch_look looks at what the board said in the case's evidence, which |said| then gets (NULL:
 * nobody wants it), and at the board; the evidence is of that afterwards. False with *|anomaly|
 * when it is not well; what a case shows once only is no anomaly. */
bool gw_watch_look(gw_watch *watch, gw_ctx *ctx, gw_watch_how how, gw_anomaly *anomaly,
                   gw_evidence *said);

#endif
