/* SPDX-License-Identifier: BSD-2-Clause */
/* Measuring the tool itself: datagrams from a socket to another of the same process. */
#include "harness/floor.h"

#include <stdlib.h>
#include <time.h>

#include "harness/socket.h"
#include "harness/transport.h"

#define PATIENCE_NS INT64_C(50000000)
#define SHARE 99 /* of a hundred */

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* One datagram; -1 when it did not come, or the clock was set. */
static int64_t measure(gw_transport *from, gw_transport *to)
{
    uint8_t byte = 0;
    size_t len;
    int64_t stamp;
    int64_t sent = gw_clock_ns(CLOCK_REALTIME);
    if (!from->ops->send(from, &byte, 1) ||
        to->ops->recv(to, &byte, 1, &len, to->ops->now(to) + PATIENCE_NS, &stamp, NULL) !=
            GW_RECV_DATA)
        return -1;
    return stamp - sent;
}

int64_t gw_floor_measure(void)
{
    char why[128];
    bool unreachable;
    int64_t times[GW_FLOOR_ROUNDS];
    size_t num = 0;
    gw_url url = {.scheme = "udp", .host = "127.0.0.1", .has_port = true};
    gw_transport *to = gw_transport_serve(&url, why, sizeof(why));
    if (to == NULL)
        return 0;
    url.port = to->local.port;
    gw_transport *from = gw_transport_open(&url, PATIENCE_NS, &unreachable, why, sizeof(why));
    for (unsigned i = 0; from != NULL && i < GW_FLOOR_ROUNDS; i++) {
        int64_t took = measure(from, to);
        if (took >= 0)
            times[num++] = took;
        else if (i == 0)
            break; /* nothing comes through: waiting again and again would take seconds */
    }
    gw_transport_close(from);
    gw_transport_close(to);
    if (num == 0)
        return 0;
    qsort(times, num, sizeof(times[0]), ascending);
    return times[(num - 1) * SHARE / 100];
}
