/* SPDX-License-Identifier: BSD-2-Clause */
/* Measuring the path to the board. */
#include "measure/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MS INT64_C(1000000)
#define SLACK_NS MS            /* what a host adds to a round trip now and then */
#define IRREGULAR_NS (5 * MS)  /* beyond twice the usual time */
#define LAG_MAX_NS (4000 * MS) /* who is slower is taken for lost */
#define UNEVEN_NS (MS / 2)
#define FALL 64       /* the worst round trip falls by a 64th of the difference a probe */
#define UNSEEN 0.25   /* of an event is allowed for where none was seen */
#define QUIET_MAX 300 /* probes that what cases saw may stand for */

static void halve(gw_way *way)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < way->num_samples; i++)
        if (i % 2 == 0 || way->samples[i].rtt_ns == GW_WAY_LOST)
            way->samples[kept++] = way->samples[i];
    /* A path that loses nearly everything leaves no room either. */
    if (kept == GW_WAY_SAMPLES) {
        for (kept = 0; kept < GW_WAY_SAMPLES / 2; kept++)
            way->samples[kept] = way->samples[(size_t)2 * kept];
    }
    way->num_samples = kept;
    way->stride *= 2;
}

static void add_sample(gw_way *way, int64_t now_ns, int64_t rtt_ns)
{
    if (way->stride == 0) {
        way->stride = 1;
        way->began_ns = now_ns;
    }
    /* A board in memory that is started anew begins a new time. */
    if (now_ns < way->last_ns)
        way->began_ns -= way->last_ns - now_ns;
    way->last_ns = now_ns;
    if (++way->skipped < way->stride && rtt_ns != GW_WAY_LOST)
        return;
    way->skipped = 0;
    if (way->num_samples == GW_WAY_SAMPLES)
        halve(way);
    way->samples[way->num_samples++] =
        (gw_way_sample){.at_ns = now_ns - way->began_ns, .rtt_ns = rtt_ns};
}

static void note_time(gw_way *way, int64_t rtt_ns)
{
    gw_timing *t = &way->rtt;
    if (t->num >= 4 && rtt_ns > 2 * gw_timing_percentile(t, 50) + IRREGULAR_NS)
        way->irregular++;
    if (t->num >= 4 && rtt_ns > gw_timing_percentile(t, 50) + UNEVEN_NS)
        way->late++;
    gw_timing_add(t, rtt_ns);
    if (rtt_ns > way->worst_ns)
        way->worst_ns = rtt_ns;
    else
        way->worst_ns -= (way->worst_ns - rtt_ns) / FALL;
}

void gw_way_answered(gw_way *way, int64_t now_ns, int64_t rtt_ns)
{
    rtt_ns = rtt_ns > 0 ? rtt_ns : 0;
    way->probes++;
    note_time(way, rtt_ns);
    add_sample(way, now_ns, rtt_ns);
}

void gw_way_untimed(gw_way *way)
{
    way->probes++;
}

void gw_way_lost(gw_way *way, int64_t now_ns)
{
    way->probes++;
    way->lost++;
    add_sample(way, now_ns, GW_WAY_LOST);
}

void gw_way_outage(gw_way *way, int64_t time_ns)
{
    way->outages++;
    if (time_ns > way->longest_outage_ns)
        way->longest_outage_ns = time_ns;
}

int64_t gw_way_lag_ns(const gw_way *way)
{
    if (way->rtt.num == 0)
        return 0;
    int64_t lag_ns = way->worst_ns + (way->worst_ns - way->rtt.min_ns) + SLACK_NS;
    return lag_ns < LAG_MAX_NS ? lag_ns : LAG_MAX_NS;
}

int64_t gw_way_spread_ns(const gw_way *way)
{
    /* The very quickest may be an answer to what was said before. */
    int64_t quick_ns = way->rtt.num > 0 ? gw_timing_percentile(&way->rtt, 10) : 0;
    int64_t spread_ns = way->rtt.num > 0 ? way->worst_ns - quick_ns : 0;
    /* What a board makes of one request takes longer than of another. */
    if (spread_ns <= SLACK_NS + quick_ns / 4)
        return 0;
    return spread_ns < LAG_MAX_NS ? spread_ns + SLACK_NS : LAG_MAX_NS;
}

bool gw_way_clean(const gw_way *way)
{
    return way->lost == 0 && way->overtaken == 0 && way->repeated == 0 && way->irregular == 0 &&
           way->damaged == 0 && way->outages == 0;
}

/* Newton's method; no library needed for it. */
static double root(double x)
{
    double r = x > 1 ? x : 1;
    for (unsigned i = 0; i < 40; i++)
        r = (r + x / r) / 2;
    return x > 0 ? r : 0;
}

/* The share of |seen| among |tries|, as high as it may well be. */
static double at_most(unsigned seen, unsigned tries)
{
    double x = seen > 0 ? seen + root(seen) : UNSEEN;
    double share = x / (tries + 10.0);
    return share < 1 ? share : 1;
}

bool gw_way_is_even(const gw_way *way)
{
    return way->overtaken == 0 && (way->pairs > 0 || way->late == 0);
}

/* How likely a datagram is lost, damaged, repeated or far too late. */
static double loss(const gw_way *way)
{
    unsigned happened = way->lost + way->repeated + way->irregular + way->outages + way->damaged;
    unsigned quiet = way->quiet / 2 < QUIET_MAX ? way->quiet / 2 : QUIET_MAX;
    unsigned tries = way->probes + (gw_way_clean(way) ? quiet : 0);
    return at_most(happened, tries) / 2; /* a probe is two datagrams at least */
}

unsigned gw_way_losses(const gw_way *way, double risk, unsigned most)
{
    double lost = 2 * loss(way); /* the request, or the answer */
    double row = lost;
    unsigned num = 1;
    while (row > risk && num < most) {
        row *= lost;
        num++;
    }
    return num;
}

double gw_way_trouble(const gw_way *way)
{
    double p = loss(way);
    /* Who waits for each answer, probe or case, learns nothing of order: only pairs do. */
    if (way->pairs > 0)
        p += at_most(way->overtaken, way->pairs);
    else if (!gw_way_is_even(way))
        p += at_most(way->late, way->probes);
    return p < 1 ? p : 1;
}

static void add_count(char *out, size_t cap, unsigned num, const char *what)
{
    size_t len = strlen(out);
    if (num > 0)
        (void)snprintf(out + len, cap - len, ", %u %s", num, what);
}

static void put_ms(char *out, size_t cap, int64_t time_ns)
{
    (void)snprintf(out, cap, "%" PRId64 ".%02" PRId64 " ms", time_ns / MS, time_ns % MS / 10000);
}

const char *gw_way_text(const gw_way *way, char *out, size_t cap)
{
    char usual[32];
    char longest[32];
    (void)snprintf(out, cap, "%u probe%s", way->probes, way->probes == 1 ? "" : "s");
    if (way->rtt.num > 0) {
        size_t len = strlen(out);
        put_ms(usual, sizeof(usual), gw_timing_percentile(&way->rtt, 50));
        put_ms(longest, sizeof(longest), way->rtt.max_ns);
        (void)snprintf(out + len, cap - len, ", round trip %s, at most %s", usual, longest);
    }
    add_count(out, cap, way->lost, "lost");
    add_count(out, cap, way->overtaken, "overtaken");
    add_count(out, cap, way->repeated, "repeated");
    add_count(out, cap, way->irregular, "far later than usual");
    add_count(out, cap, way->damaged, "packets damaged");
    add_count(out, cap, way->outages, "outages");
    if (gw_way_clean(way))
        (void)snprintf(out + strlen(out), cap - strlen(out), ", none lost");
    return out;
}
