/* SPDX-License-Identifier: BSD-2-Clause */
/* Measuring the tool itself: datagrams from a socket to another of the same process. */
#include "harness/floor.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "harness/socket.h"
#include "harness/times.h"
#include "harness/transport.h"

#define PATIENCE_NS INT64_C(500000000)
#define NAP_NS INT64_C(1000000)
#define NAP_EVERY 8 /* datagrams */
#define NUM_NAPS (GW_FLOOR_ROUNDS / NAP_EVERY)

typedef struct samples {
    int64_t own[GW_FLOOR_ROUNDS];
    size_t num_own;
    int64_t trips[GW_FLOOR_ROUNDS];
    size_t num_trips;
    int64_t late[NUM_NAPS];
    size_t num_late;
} samples;

static bool send_one(gw_transport *from, gw_transport *to, samples *out)
{
    uint8_t byte = 0;
    size_t len;
    int64_t stamp;
    int64_t start = from->ops->now(from);
    int64_t sent = gw_clock_ns(CLOCK_REALTIME);
    if (!from->ops->send(from, &byte, 1) ||
        to->ops->recv(to, &byte, 1, &len, start + PATIENCE_NS, &stamp, NULL) != GW_RECV_DATA)
        return false;
    out->trips[out->num_trips++] = from->ops->now(from) - start;
    if (stamp >= sent) /* else the time of day was set in between */
        out->own[out->num_own++] = stamp - sent;
    return true;
}

static void nap(gw_transport *t, samples *out)
{
    int64_t until = t->ops->now(t) + NAP_NS;
    t->ops->wait(t, until);
    out->late[out->num_late++] = t->ops->now(t) - until;
}

static bool sample(samples *out, gw_transport *from, gw_transport *to, bool naps)
{
    for (unsigned i = 0; i < GW_FLOOR_ROUNDS; i++) {
        if (naps && i % NAP_EVERY == 0)
            nap(from, out);
        if (!send_one(from, to, out))
            return false;
    }
    return true;
}

static void summarise(gw_floor *out, samples *s)
{
    gw_times_sort(s->own, s->num_own);
    gw_times_sort(s->trips, s->num_trips);
    gw_times_sort(s->late, s->num_late);
    out->own_ns = gw_times_permille(s->own, s->num_own, 990);
    out->trip_median_ns = gw_times_permille(s->trips, s->num_trips, 500);
    out->trip_p99_ns = gw_times_permille(s->trips, s->num_trips, 990);
    out->trip_max_ns = gw_times_permille(s->trips, s->num_trips, 1000);
    out->wake_max_ns = gw_times_permille(s->late, s->num_late, 1000);
    out->num = (unsigned)s->num_trips;
}

bool gw_floor_measure(gw_floor *out, bool naps, char *why, size_t why_cap)
{
    samples s = {.num_own = 0};
    bool unreachable;
    gw_url url = {.scheme = "udp", .host = "127.0.0.1", .has_port = true};
    memset(out, 0, sizeof(*out));
    gw_transport *to = gw_transport_serve(&url, why, why_cap);
    if (to == NULL)
        return false;
    url.port = to->local.port;
    gw_transport *from = gw_transport_open(&url, PATIENCE_NS, &unreachable, why, why_cap);
    bool ok = from != NULL && sample(&s, from, to, naps);
    if (from != NULL && !ok)
        (void)snprintf(why, why_cap, "a datagram to ourselves was lost");
    if (ok)
        summarise(out, &s);
    gw_transport_close(from);
    gw_transport_close(to);
    return ok;
}
