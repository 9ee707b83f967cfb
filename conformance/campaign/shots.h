/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets that are sent to a board, in their order: what a campaign sends, keeps and sends again.
 */
#ifndef GOLDWIRE_CAMPAIGN_SHOTS_H
#define GOLDWIRE_CAMPAIGN_SHOTS_H

#include "goldwire/base.h"
#include "goldwire/message.h"

/* The longest packet, and all bytes that one list may hold. */
#define GW_SHOT_MAX 65536u
#define GW_SHOTS_BYTES ((size_t)64 << 20)

/* Connections to one link beside each other. */
#define GW_SHOT_LINES 4u

/* What becomes of an answer. */
typedef enum gw_fate {
    GW_FATE_SENT = 0,  /* it goes out, as it is or mutated */
    GW_FATE_LOST,      /* it does not */
    GW_FATE_TWICE,     /* it does twice */
    GW_FATE_EXCHANGED, /* the next one goes first */
    GW_FATE_LATE,      /* it goes out later */
    GW_NUM_FATES,
} gw_fate;

/* gw_fate_name returns "sent", "lost" ..., and gw_fate_by_name the fate, or GW_NUM_FATES. */
const char *gw_fate_name(unsigned fate);
gw_fate gw_fate_by_name(const char *name);

/* gw_shot is one datagram, or bytes that go into a stream at once. */
typedef struct gw_shot {
    size_t at; /* of its bytes */
    uint32_t len;
    uint8_t link; /* of the board */
    uint8_t line; /* which connection to it, below GW_SHOT_LINES; 0 is the usual one */
    bool anew;   /* before it all connections are closed: what comes is a conversation of its own */
    bool joined; /* of a stream: goes out in one piece with the one before */
    uint8_t part; /* of gw_message, and ... */
    uint32_t part_arg;
    bool answer;   /* it answers a board that calls us, ... */
    uint8_t fate;  /* ... and this becomes of it (gw_fate) */
    bool mutated;  /* it is no longer what it was made from, ... */
    size_t was_at; /* ... whose bytes these are */
    uint32_t was_len;
} gw_shot;

/* gw_shots is such a list. All zeros is an empty one. */
typedef struct gw_shots {
    gw_shot *list;
    size_t num;
    size_t cap;
    uint8_t *bytes;
    size_t num_bytes;
    size_t cap_bytes;
} gw_shots;

/* gw_shots_add appends a shot that goes where |like| goes, with |len| bytes at |data|, made from
 * |was_len| bytes at |was| (NULL: it is what it was). False when there is no room or memory. */
GW_MUST_USE bool gw_shots_add(gw_shots *shots, const gw_shot *like, const uint8_t *data,
                              uint32_t len, const uint8_t *was, uint32_t was_len);

/* gw_shots_take appends |num| shots of |other| from |first| on. */
GW_MUST_USE bool gw_shots_take(gw_shots *shots, const gw_shots *other, size_t first, size_t num);

/* gw_shots_packets returns how many packets they are: those that are joined count as one. */
size_t gw_shots_packets(const gw_shots *shots);

/* gw_shots_data and gw_shots_was return the bytes of a shot, and those that it was made from; they
 * are valid until the next one is added. */
const uint8_t *gw_shots_data(const gw_shots *shots, const gw_shot *shot);
const uint8_t *gw_shots_was(const gw_shots *shots, const gw_shot *shot);

/* gw_shots_message returns |data|, |len| bytes, as the message that |shot| is to who receives it.
 */
gw_message gw_shots_message(const gw_shot *shot, const uint8_t *data, uint32_t len);

/* gw_shots_keep_last forgets all but the last |num|, and what they need no more. */
void gw_shots_keep_last(gw_shots *shots, size_t num);

/* gw_shots_clear forgets all and keeps the memory; gw_shots_free gives it back. */
void gw_shots_clear(gw_shots *shots);
void gw_shots_free(gw_shots *shots);

#endif
