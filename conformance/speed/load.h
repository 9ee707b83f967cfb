/* SPDX-License-Identifier: BSD-2-Clause */
/* What can be asked of a board again and again to see how fast it is, and what the document of its
 * format prints about that. */
#ifndef GOLDWIRE_SPEED_LOAD_H
#define GOLDWIRE_SPEED_LOAD_H

#include "run/case.h"

#define GW_LOAD_DEPTH_MAX 8

/* gw_load is a request of a board, in several sizes. Its functions may end what is measured as a
 * case may end (run/case.h), which then has no number and the text as its reason. |state| is
 * |state_size| bytes, zeroed before prepare. */
typedef struct gw_load {
    const char *id;    /* permanent: "read" */
    const char *title; /* what is asked, and what counts as its answer; for people, plain text */
    const char *item;  /* what a size counts bytes of: "read" */
    const char *per;   /* what a request is, in the plural: "requests" */
    const uint32_t *sizes; /* bytes, ascending */
    size_t num_sizes;
    bool back; /* those bytes come with the answer; else they go with the request */
    unsigned
        depth; /* requests that the format lets be under way at once; GW_LOAD_DEPTH_MAX at most */
    /* most returns how many there may be of |size| bytes, where that is less: 1 at least, and then
     * |fills| says why. NULL: it never is. */
    unsigned (*most)(uint32_t size);
    const char *fills;
    bool from_last; /* its time begins with the last packet of a request, not with the first */
    bool left_out;  /* of the payload some is left out on purpose: no share of it is told */
    bool datagrams; /* it goes over links of datagrams, also when the first link is a stream */
    size_t state_size;
    /* prepare makes everything ready for requests of |size| bytes. It writes nowhere but where
     * cases may. */
    void (*prepare)(gw_ctx *ctx, void *state, uint32_t size);
    /* ready makes ready for one more request, in no time that is measured. NULL: there is nothing
     * to do. A load with it has one request under way at a time. */
    void (*ready)(gw_ctx *ctx, void *state);
    /* send sends the request in |slot|, one of |depth|, whose last answer has come, and returns the
     * number of its first packet in the evidence. */
    unsigned (*send)(gw_ctx *ctx, void *state, unsigned slot);
    /* await waits for an answer that is whole and returns the number of its last packet in the
     * evidence, and in |*slot| the request that it answers; 0 when none comes in time. What answers
     * a request that |slot| has sent since again is not taken: it was lost, and comes too late. */
    unsigned (*await)(gw_ctx *ctx, void *state, int64_t timeout_ns, unsigned *slot);
    /* finish leaves the board as prepare found it, as far as the suite's leave does not. NULL:
     * there is nothing to do. */
    void (*finish)(gw_ctx *ctx, void *state);
} gw_load;

/* gw_quantity is what a printed number counts. */
typedef enum gw_quantity {
    GW_QUANTITY_NS = 0,     /* a time */
    GW_QUANTITY_BYTES_S,    /* bytes a second */
    GW_QUANTITY_REQUESTS_S, /* requests a second */
    GW_QUANTITY_PERMILLE,   /* payload in what is sent, in thousandths */
    GW_QUANTITY_BITS_S,     /* bits a second; drawn in among bytes a second */
    GW_QUANTITY_BYTES,      /* a size */
} gw_quantity;

/* gw_printed is a number that a format's document prints. */
typedef struct gw_printed {
    gw_quantity quantity;
    uint32_t size; /* bytes that it is printed for; 0: for no size */
    uint64_t value;
    const char *what;  /* it is, for people, plain text */
    const char *where; /* in the document: section and heading */
    const char *load;  /* whose plot it is drawn into, an id; NULL: of all of them */
    unsigned
        times;  /* as large it would be of what is measured: 2 of a way there and not back; 0: 1 */
    bool aside; /* it is of another kind than what is measured, and drawn into none */
} gw_printed;

/* GW_BENEATH_UDP is what Ethernet with its check sequence, IPv4 and UDP add to a datagram. */
#define GW_BENEATH_UDP (18 + 20 + 8)

/* gw_beneath is what carries a role's messages where that is no Ethernet. */
typedef struct gw_beneath {
    const char *what; /* it is, for people, plain text: "Aurora frames"; NULL: no share is told */
    int datagram;     /* bytes that it adds to a datagram of ours, and to a stream none; negative
                         where a tunnel's own are not on that wire */
} gw_beneath;

/* gw_loads is all that is measured of a role's boards. */
typedef struct gw_loads {
    const gw_load *loads;
    size_t num_loads;
    const char *document; /* for people, plain text */
    const gw_printed *printed;
    size_t num_printed;
    const char *silent; /* what the document prints nothing about; NULL: nothing of that kind */
    const gw_beneath *beneath; /* NULL: UDP or TCP, IPv4 and Ethernet */
} gw_loads;

#endif
