/* SPDX-License-Identifier: BSD-2-Clause */
/* What a message carries of something larger: of a frame, of a buffer. Who puts it together again
 * need not know the format. */
#ifndef GOLDWIRE_PORTION_H
#define GOLDWIRE_PORTION_H

#include "goldwire/base.h"

GW_BEGIN_DECLS

/* Whether a piece may begin a whole. */
typedef enum gw_joint {
    GW_JOINT_ANY = 0, /* it goes on with what is there when it fits, and begins another otherwise */
    GW_JOINT_FIRST,   /* it begins one, whatever is there */
    GW_JOINT_BEHIND,  /* it goes on with what is there, or is lost */
} gw_joint;

/* gw_portion is such a part. The pieces of one whole come to one receiver on one |channel|, and a
 * piece fits when its |at| is the |next| of the one before. */
typedef struct gw_portion {
    const uint8_t *data; /* |len| bytes inside the message */
    uint32_t len;        /* captured */
    uint32_t sent;       /* before the capture's cut */
    uint32_t offset;     /* where in the whole it lies, when |placed| */
    bool placed;         /* otherwise it lies behind the piece before */
    bool last;
    uint8_t joint;    /* gw_joint */
    uint8_t reversed; /* in memory the bytes of each run of so many lie the other way round; 0: as
                         they come */
    uint64_t channel;
    uint64_t at;
    uint64_t next;
    uint64_t size;    /* of the whole, bytes, as its first piece tells; 0: it does not */
    uint64_t name;    /* of the whole, as its first piece tells: an address, an event */
    const char *what; /* the whole is, "frame"; a constant */
} gw_portion;

GW_END_DECLS

#endif
