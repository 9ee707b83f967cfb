/* SPDX-License-Identifier: BSD-2-Clause */
/* What the path to the board did during a run, as far as the run could measure it.
 *
 * Loss, delay, order and repetition of datagrams are the path's until shown otherwise. Everything
 * here is seen with probes that a good board answers, so a board that answers badly does not make
 * its path look bad. */
#ifndef GOLDWIRE_MEASURE_PATH_H
#define GOLDWIRE_MEASURE_PATH_H

#include "goldwire/base.h"
#include "measure/timing.h"

#define GW_PATH_SAMPLES 512 /* an even number */

/* gw_path_sample is one probe. */
typedef struct gw_path_sample {
    int64_t at_ns;  /* since the first probe of the run, on the connections' clock */
    int64_t rtt_ns; /* until its answer came; GW_PATH_LOST: none did */
} gw_path_sample;

#define GW_PATH_LOST INT64_C(-1)

/* gw_path_stats is what was measured. Start with all zeros. */
typedef struct gw_path_stats {
    bool exact;           /* the clock is the board's own: no host adds to a round trip */
    unsigned probes;      /* sent */
    unsigned lost;        /* of them, those without an answer although the board was there */
    unsigned pairs;       /* of requests sent back to back ... */
    unsigned overtaken;   /* ... whose answers came in another order */
    unsigned repeated;    /* answers to probes that came more than once */
    unsigned irregular;   /* answers to probes that took far longer than most */
    unsigned late;        /* answers to probes that took a little longer than most: enough for what
                             was sent after them to overtake them */
    unsigned asked_again; /* requests that were not answered and were sent again */
    unsigned quiet;       /* datagrams of cases that passed at once: nothing happened to them */
    unsigned stumbles;    /* attempts that failed at cases that passed in the end */
    unsigned damaged;     /* packets that a checksum told to be damaged on their way to us */
    unsigned surveys;     /* bursts of probes, to judge the path before a board is blamed */
    unsigned outages;     /* times when nothing came back for a while, and then did by itself */
    int64_t longest_outage_ns;
    int64_t worst_ns; /* longest round trip lately: quick to rise, slow to fall */
    gw_timing rtt;    /* round trips of all probes; gw_timing_percentile reads it */
    /* A picture of the whole run: samples in the order of time. When there are too many, every
     * second one is left out, and from then on only each |stride|th is kept; lost ones always. */
    gw_path_sample samples[GW_PATH_SAMPLES];
    unsigned num_samples;
    unsigned stride; /* 0 before the first */
    unsigned skipped;
    int64_t began_ns; /* of the connections' clock */
    int64_t last_ns;
} gw_path_stats;

/* gw_path_stats_answered notes a probe that was answered after |rtt_ns|, at |now_ns|. */
void gw_path_stats_answered(gw_path_stats *path, int64_t now_ns, int64_t rtt_ns);

/* gw_path_stats_untimed notes a probe that was answered after nobody knows how long. */
void gw_path_stats_untimed(gw_path_stats *path);

/* gw_path_stats_lost notes a probe that was given up at |now_ns|. Only a board that answers the
 * next ones by itself shows that the path lost it: it is for the caller to wait for that. */
void gw_path_stats_lost(gw_path_stats *path, int64_t now_ns);

/* gw_path_stats_outage notes that nothing came back for |time_ns|, and then did by itself. */
void gw_path_stats_outage(gw_path_stats *path, int64_t time_ns);

/* gw_path_stats_spread_ns returns how far the slowest round trips are from the quickest; 0 when
 * that is no more than a host, or the board, adds now and then. */
int64_t gw_path_stats_spread_ns(const gw_path_stats *path);

/* gw_path_stats_lag_ns returns how long the answer to something sent may be under way at the most:
 * the worst round trip of late and its tail. 0 before the first probe. */
int64_t gw_path_stats_lag_ns(const gw_path_stats *path);

/* gw_path_stats_is_even says whether nothing hints at datagrams overtaking each other: pairs kept
 * their order, or, where there were none, all took the same time. */
bool gw_path_stats_is_even(const gw_path_stats *path);

/* gw_path_stats_trouble returns how likely it is, from 0 to 1, that a datagram meets with something
 * on the path that a case could take for the board's doing: an estimate on the safe side, from what
 * was seen, and from how much that was. */
double gw_path_stats_trouble(const gw_path_stats *path);

/* gw_path_stats_losses returns how many requests or answers in a row have to be lost, up to |most|,
 * for that to be less likely than |risk| if the path does it. */
unsigned gw_path_stats_losses(const gw_path_stats *path, double risk, unsigned most);

/* gw_path_stats_clean says whether nothing wrong was seen on the path. */
bool gw_path_stats_clean(const gw_path_stats *path);

/* gw_path_stats_text writes what the path did, "round trip 20.1 ms (at most 23.0 ms), 3 of 40
 * probes lost", and returns |out|, |cap| at least 1. */
const char *gw_path_stats_text(const gw_path_stats *path, char *out, size_t cap);

#endif
