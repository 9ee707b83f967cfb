/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules, what is found against them, and the relations a session discovers. */
#ifndef GOLDWIRE_RULE_H
#define GOLDWIRE_RULE_H

#include "goldwire/base.h"
#include "goldwire/field.h"

GW_BEGIN_DECLS

typedef enum gw_level {
    GW_MUST = 0,
    GW_SHOULD,
    GW_MAY,
    GW_NUM_LEVELS,
} gw_level;

/* Who can see a rule broken. */
typedef enum gw_scope {
    GW_SCOPE_MESSAGE = 1, /* one message shows it */
    GW_SCOPE_SESSION = 2, /* a conversation shows it */
    GW_SCOPE_ACTIVE = 4,  /* a stimulus is needed: a conformance case */
    GW_SCOPE_HIDDEN = 8,  /* cannot be seen from outside */
} gw_scope;

/* gw_rule is a numbered requirement. Ids are permanent and never used again. */
struct gw_rule {
    const char *id;     /* "EB-S13" */
    const char *text;   /* the requirement, one sentence */
    const char *why;    /* what goes wrong for those around a device that breaks it, one sentence */
    const char *clause; /* source and place: gw_clause_of tells people */
    uint8_t level;      /* gw_level */
    uint8_t scope;      /* gw_scope bits */
};

/* gw_level_name returns "MUST", "SHOULD" or "MAY". */
GW_API const char *gw_level_name(gw_level level);

/* gw_finding is one departure from a rule. The finding and its text are valid during the call only.
 */
typedef struct gw_finding {
    const gw_rule *rule;
    const gw_field *field; /* may be NULL */
    uint64_t frame;        /* the frame that the finding is about */
    uint64_t
        revealed_by;  /* the frame that showed it; the same one unless a conversation was needed */
    uint32_t offset;  /* first byte concerned, in that message */
    const char *text; /* what was seen and what was expected */
} gw_finding;

typedef enum gw_relation_kind {
    GW_ANSWERS = 0, /* |response| answers |request| */
    GW_DUPLICATE,   /* |response| repeats an answer; |request| was already answered by |earlier| */
    GW_STALE,       /* |response| came after |request| had been given up */
    GW_UNSOLICITED, /* |response| answers nothing that was seen; |request| is 0 */
    GW_UNANSWERED,  /* |request| was given up; |response| is 0 */
    GW_UNTRACKED, /* |request| or |response| fell out of a full table: nothing can be said of it */
    GW_FORWARDED, /* |response| is |request|, passed on by whom that was sent to: see
                     gw_message's origin */
    GW_NUM_RELATIONS,
} gw_relation_kind;

/* gw_relation_of_request returns what statistics call a request that |kind| is about: "Answered";
 * NULL where that says nothing of a request. */
GW_API const char *gw_relation_of_request(gw_relation_kind kind);

/* gw_relation_of_answer returns what statistics call an answer that |kind| is about: "Repeated";
 * NULL where that says nothing of an answer. */
GW_API const char *gw_relation_of_answer(gw_relation_kind kind);

/* gw_relation ties an answer to a request, unit by unit. */
typedef struct gw_relation {
    uint64_t request; /* frame numbers */
    uint64_t response;
    uint64_t earlier;      /* of a duplicate: the frame that answered first */
    int64_t delta_ns;      /* response time minus request time, when both are known */
    uint32_t request_unit; /* which record inside the frame's message, from 0 */
    uint32_t response_unit;
    uint8_t kind;   /* gw_relation_kind */
    bool ambiguous; /* more than one request outstanding could have been meant */
} gw_relation;

/* gw_verdict_sink receives findings and relations. |relation| may be NULL. Embed it as the first
 * member to carry state. */
typedef struct gw_verdict_sink gw_verdict_sink;
struct gw_verdict_sink {
    void (*finding)(gw_verdict_sink *sink, const gw_finding *finding);
    void (*relation)(gw_verdict_sink *sink, const gw_relation *relation);
};

GW_END_DECLS

#endif
