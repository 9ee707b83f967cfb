/* SPDX-License-Identifier: BSD-2-Clause */
/* What a message asks of the board that receives it: whether an answer is due, whether doing it
 * twice is more than doing it once, and which addresses it touches. Whoever sends again what
 * somebody else once sent has to know. */
#ifndef INSPECT_NATURE_H
#define INSPECT_NATURE_H

#include "goldwire/base.h"
#include "goldwire/format.h"

/* gw_nature is what one message is to its receiver. */
typedef struct gw_nature {
    const char *kind; /* of transaction: "read", "probe"; a constant */
    bool asks;        /* an answer is due */
    bool changes;     /* doing it twice is not doing it once: never sent again */
    bool chatter;     /* comes with time, not with what was asked */
    bool opaque;      /* cannot be read to its end: nobody knows what a board makes of it */
} gw_nature;

typedef enum gw_touch_kind {
    GW_TOUCH_READ = 0,
    GW_TOUCH_WRITE,
    GW_TOUCH_CONFIG, /* a write to the board's own settings, which lie in no area */
} gw_touch_kind;

/* gw_touch is a run of addresses, first and last byte. */
typedef struct gw_touch {
    uint64_t first;
    uint64_t last;
    uint8_t kind; /* gw_touch_kind */
} gw_touch;

typedef void (*gw_touch_fn)(void *ctx, const gw_touch *touch);

/* gw_nature_of tells what |message| is to its receiver, and reports every address that it touches
 * to |touch|, which may be NULL. Of formats that it does not know everything is opaque. */
gw_nature gw_nature_of(const gw_format *format, const gw_dialect *dialect,
                       const gw_message *message, gw_touch_fn touch, void *ctx);

/* gw_nature_chatter says whether |field| comes with time wherever it stands: a credit that a link
 * stuffs into a packet. */
bool gw_nature_chatter(const gw_field *field);

#endif
