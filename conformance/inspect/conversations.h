/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations of a capture, numbered in the order of their first messages. */
#ifndef INSPECT_CONVERSATIONS_H
#define INSPECT_CONVERSATIONS_H

#include "inspect/pipeline.h"

#define GW_CONVERSATIONS 4096 /* that are told apart */

/* gw_conversation is what messages of one format between two ends have in common; those of a link
 * without addresses, that they came from one captured interface. */
typedef struct gw_conversation {
    const gw_format *format;
    gw_endpoint a, b;   /* in an order that does not depend on who speaks; family GW_FAMILY_NONE: a
                           link */
    uint32_t interface; /* of a link; 0 otherwise */
} gw_conversation;

/* gw_conversations numbers those of one capture. All zero is a capture of which nothing was seen.
 */
typedef struct gw_conversations {
    uint32_t num;
    gw_conversation all[GW_CONVERSATIONS];
    uint16_t places[2 * GW_CONVERSATIONS]; /* by hash: index plus one */
} gw_conversations;

/* gw_conversation_of returns the conversation of |found|, and says in |*forward| whether its |a|
 * sent it. */
gw_conversation gw_conversation_of(const gw_found *found, bool *forward);

/* gw_conversations_number returns the number of |found|'s, from 1; 0 when there are more than are
 * told apart. */
uint32_t gw_conversations_number(gw_conversations *c, const gw_found *found);

#endif
