/* SPDX-License-Identifier: BSD-2-Clause */
/* Measuring the path to the board. */
#include "measure/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "measure/root.h"

#define MS INT64_C(1000000)
#define SLACK_NS MS            /* what a host adds to a round trip now and then */
#define IRREGULAR_NS (5 * MS)  /* beyond twice the usual time */
#define LAG_MAX_NS (4000 * MS) /* who is slower is taken for lost */
#define UNEVEN_NS (MS / 2)
#define FALL 64       /* the worst round trip falls by a 64th of the difference a probe */
#define UNSEEN 0.25   /* of an event is allowed for where none was seen */
#define QUIET_MAX 300 /* probes that what cases saw may stand for */

static void halve(gw_path_stats *path)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < path->num_samples; i++)
        if (i % 2 == 0 || path->samples[i].rtt_ns == GW_PATH_LOST)
            path->samples[kept++] = path->samples[i];
    /* A path that loses nearly everything leaves no room either. */
    if (kept == GW_PATH_SAMPLES) {
        for (kept = 0; kept < GW_PATH_SAMPLES / 2; kept++)
            path->samples[kept] = path->samples[(size_t)2 * kept];
    }
    path->num_samples = kept;
    path->stride *= 2;
}

static void add_sample(gw_path_stats *path, int64_t now_ns, int64_t rtt_ns)
{
    if (path->stride == 0) {
        path->stride = 1;
        path->began_ns = now_ns;
    }
    /* A board in memory that is started anew begins a new time. */
    if (now_ns < path->last_ns)
        path->began_ns -= path->last_ns - now_ns;
    path->last_ns = now_ns;
    if (++path->skipped < path->stride && rtt_ns != GW_PATH_LOST)
        return;
    path->skipped = 0;
    if (path->num_samples == GW_PATH_SAMPLES)
        halve(path);
    path->samples[path->num_samples++] =
        (gw_path_sample){.at_ns = now_ns - path->began_ns, .rtt_ns = rtt_ns};
}

static void note_time(gw_path_stats *path, int64_t rtt_ns)
{
    gw_timing *t = &path->rtt;
    if (t->num >= 4 && rtt_ns > 2 * gw_timing_percentile(t, 50) + IRREGULAR_NS)
        path->irregular++;
    if (t->num >= 4 && rtt_ns > gw_timing_percentile(t, 50) + UNEVEN_NS)
        path->late++;
    gw_timing_add(t, rtt_ns);
    if (rtt_ns > path->worst_ns)
        path->worst_ns = rtt_ns;
    else
        path->worst_ns -= (path->worst_ns - rtt_ns) / FALL;
}

void gw_path_stats_answered(gw_path_stats *path, int64_t now_ns, int64_t rtt_ns)
{
    rtt_ns = rtt_ns > 0 ? rtt_ns : 0;
    path->probes++;
    note_time(path, rtt_ns);
    add_sample(path, now_ns, rtt_ns);
}

void gw_path_stats_untimed(gw_path_stats *path)
{
    path->probes++;
}

void gw_path_stats_lost(gw_path_stats *path, int64_t now_ns)
{
    path->probes++;
    path->lost++;
    add_sample(path, now_ns, GW_PATH_LOST);
}

void gw_path_stats_outage(gw_path_stats *path, int64_t time_ns)
{
    path->outages++;
    if (time_ns > path->longest_outage_ns)
        path->longest_outage_ns = time_ns;
}

static int64_t slack_ns(const gw_path_stats *path)
{
    return path->exact ? 0 : SLACK_NS;
}

int64_t gw_path_stats_lag_ns(const gw_path_stats *path)
{
    if (path->rtt.num == 0)
        return 0;
    int64_t lag_ns = path->worst_ns + (path->worst_ns - path->rtt.min_ns) + slack_ns(path);
    return lag_ns < LAG_MAX_NS ? lag_ns : LAG_MAX_NS;
}

int64_t gw_path_stats_spread_ns(const gw_path_stats *path)
{
    /* The very quickest may be an answer to what was said before. */
    int64_t quick_ns = path->rtt.num > 0 ? gw_timing_percentile(&path->rtt, 10) : 0;
    int64_t spread_ns = path->rtt.num > 0 ? path->worst_ns - quick_ns : 0;
    /* What a board makes of one request takes longer than of another. */
    if (spread_ns <= slack_ns(path) + quick_ns / 4)
        return 0;
    return spread_ns < LAG_MAX_NS ? spread_ns + slack_ns(path) : LAG_MAX_NS;
}

bool gw_path_stats_clean(const gw_path_stats *path)
{
    return path->lost == 0 && path->overtaken == 0 && path->repeated == 0 && path->irregular == 0 &&
           path->damaged == 0 && path->outages == 0;
}

/* The share of |seen| among |tries|, as high as it may well be. */
static double at_most(unsigned seen, unsigned tries)
{
    double x = seen > 0 ? seen + gw_root(seen) : UNSEEN;
    double share = x / (tries + 10.0);
    return share < 1 ? share : 1;
}

bool gw_path_stats_is_even(const gw_path_stats *path)
{
    return path->overtaken == 0 && (path->pairs > 0 || path->late == 0);
}

/* How likely a datagram is lost, damaged, repeated or far too late. */
static double loss(const gw_path_stats *path)
{
    unsigned happened =
        path->lost + path->repeated + path->irregular + path->outages + path->damaged;
    unsigned quiet = path->quiet / 2 < QUIET_MAX ? path->quiet / 2 : QUIET_MAX;
    unsigned tries = path->probes + (gw_path_stats_clean(path) ? quiet : 0);
    return at_most(happened, tries) / 2; /* a probe is two datagrams at least */
}

unsigned gw_path_stats_losses(const gw_path_stats *path, double risk, unsigned most)
{
    double lost = 2 * loss(path); /* the request, or the answer */
    double row = lost;
    unsigned num = 1;
    while (row > risk && num < most) {
        row *= lost;
        num++;
    }
    return num;
}

double gw_path_stats_trouble(const gw_path_stats *path)
{
    double p = loss(path);
    /* Who waits for each answer, probe or case, learns nothing of order: only pairs do. */
    if (path->pairs > 0)
        p += at_most(path->overtaken, path->pairs);
    else if (!gw_path_stats_is_even(path))
        p += at_most(path->late, path->probes);
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

const char *gw_path_stats_text(const gw_path_stats *path, char *out, size_t cap)
{
    char usual[32];
    char longest[32];
    (void)snprintf(out, cap, "%u probe%s", path->probes, path->probes == 1 ? "" : "s");
    if (path->rtt.num > 0) {
        size_t len = strlen(out);
        put_ms(usual, sizeof(usual), gw_timing_percentile(&path->rtt, 50));
        put_ms(longest, sizeof(longest), path->rtt.max_ns);
        (void)snprintf(out + len, cap - len, ", round trip %s, at most %s", usual, longest);
    }
    add_count(out, cap, path->lost, "lost");
    add_count(out, cap, path->overtaken, "overtaken");
    add_count(out, cap, path->repeated, "repeated");
    add_count(out, cap, path->irregular, "far later than usual");
    add_count(out, cap, path->damaged, "packets damaged");
    add_count(out, cap, path->outages, "outages");
    if (gw_path_stats_clean(path))
        (void)snprintf(out + strlen(out), cap - strlen(out), ", none lost");
    return out;
}
