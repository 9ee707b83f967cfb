/* SPDX-License-Identifier: BSD-2-Clause */
/* How fast a board is, by message size: for information, never for a verdict. */
#ifndef GOLDWIRE_SPEED_SPEED_H
#define GOLDWIRE_SPEED_SPEED_H

#include "run/run.h"
#include "speed/load.h"

#define GW_SPEED_POINTS 64
#define GW_SPEED_SAMPLES 2000 /* response times of one size */
#define GW_SPEED_RATE 20000   /* requests of one size, several at a time */
#define GW_SPEED_FILE "measure.pcapng"

/* gw_spread is how times spread, in nanoseconds, each percentile exact: a time that was measured.
 * All 0 when |num| is. */
typedef struct gw_spread {
    unsigned num; /* samples */
    int64_t min_ns, p50_ns, p90_ns, p99_ns, max_ns;
} gw_spread;

/* gw_rate is how many requests were answered in how long. */
typedef struct gw_rate {
    unsigned depth; /* requests under way at once; 0: not measured */
    unsigned num;
    unsigned lost;   /* that got no answer in time, and are not among |num| */
    int64_t time_ns; /* without what was waited for those in vain */
} gw_rate;

/* gw_speed_point is one load in one size. */
typedef struct gw_speed_point {
    const gw_load *load;
    uint32_t size; /* bytes */
    /* Messages of one request and of its answer, as the format has them: how many, and their bytes
     * without what lies below. */
    unsigned request_messages, answer_messages;
    uint32_t request_bytes, answer_bytes;
    unsigned carrier_messages; /* those of them that carry the payload's direction, and are not for
                                  the registers */
    uint32_t carrier_bytes;
    gw_spread
        response;    /* from the request's first packet to the answer's last one, one at a time */
    gw_rate one;     /* of the same requests, with what goldwire itself did in between */
    gw_rate several; /* as many at a time as the load allows */
    gw_spread floor; /* the same bytes echoed by this program itself */
    gw_rate floor_rate;
    char why[200];         /* there are no numbers; "" */
    char several_why[200]; /* there is no number for several at a time; "" */
} gw_speed_point;

/* gw_speed is all of it. Set |budget_ns|, and zero the rest, before gw_speed_measure. */
typedef struct gw_speed {
    int64_t budget_ns; /* of this machine's clock, for all of it; no matter in a simulation */
    const gw_loads *loads;
    gw_speed_point points[GW_SPEED_POINTS];
    unsigned num;
    bool simulated;      /* times are the simulation's */
    bool stream;         /* the board's first link is a byte stream */
    int64_t patience_ns; /* after which a request was counted as lost; 0: none was */
    int64_t took_ns;     /* of the clock that the run's durations are told by */
    char why[240];       /* nothing was measured; "" */
    char floor_why[160]; /* there is no floor; "" */
    char unwritten[200]; /* why GW_SPEED_FILE could not be written; "" */
    int64_t samples[GW_SPEED_SAMPLES];
} gw_speed;

/* gw_speed_measure is a gw_after_fn (run/run.h) whose |arg| is a gw_speed. It keeps the first
 * exchange of each size in GW_SPEED_FILE, and leaves everything that verdicts rest on as it is. */
void gw_speed_measure(gw_ctx *ctx, const char *lost, void *arg);

/* gw_spread_of sorts |num| |times| and returns how they spread. */
gw_spread gw_spread_of(int64_t *times, size_t num);

/* gw_rate_requests returns the requests a second, gw_rate_bytes the bytes a second when each stands
 * for |size|; 0 when nothing was measured. */
uint64_t gw_rate_requests(const gw_rate *rate);
uint64_t gw_rate_bytes(const gw_rate *rate, uint32_t size);

/* gw_speed_efficiency returns how many thousandths the payload of |point| is of the messages that
 * carry it, with what |beneath| adds to each; NULL: as Ethernet frames (header and check sequence,
 * IPv4, UDP or, of a |stream|, TCP). 0: none were sent, or no share is told. */
unsigned gw_speed_efficiency(const gw_speed_point *point, const gw_beneath *beneath, bool stream);

#endif
