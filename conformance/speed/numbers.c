/* SPDX-License-Identifier: BSD-2-Clause */
/* What is told of times, requests and bytes that were measured. */
#include "harness/times.h"
#include "speed/speed.h"

/* Below a piece of a stream: Ethernet with its check sequence, IPv4 and TCP. */
#define TCP_BELOW (18 + 20 + 20)

gw_spread gw_spread_of(int64_t *times, size_t num)
{
    gw_spread s = {.num = (unsigned)num};
    if (num == 0)
        return s;
    gw_times_sort(times, num);
    s.min_ns = times[0];
    s.p50_ns = gw_times_permille(times, num, 500);
    s.p90_ns = gw_times_permille(times, num, 900);
    s.p99_ns = gw_times_permille(times, num, 990);
    s.max_ns = times[num - 1];
    return s;
}

/* How many a second |num| in |time_ns| are. */
static uint64_t a_second(uint64_t num, int64_t time_ns)
{
    return time_ns > 0 ? (uint64_t)((double)num * (double)GW_SECOND / (double)time_ns + 0.5) : 0;
}

uint64_t gw_rate_requests(const gw_rate *rate)
{
    return a_second(rate->num, rate->time_ns);
}

uint64_t gw_rate_bytes(const gw_rate *rate, uint32_t size)
{
    return a_second((uint64_t)rate->num * size, rate->time_ns);
}

/* Bytes beneath a message. */
static int64_t bytes_beneath(const gw_beneath *beneath, bool stream)
{
    if (beneath == NULL)
        return stream ? TCP_BELOW : GW_BENEATH_UDP;
    return stream ? 0 : beneath->datagram;
}

unsigned gw_speed_efficiency(const gw_speed_point *point, const gw_beneath *beneath, bool stream)
{
    int64_t messages = point->carrier_messages;
    int64_t bytes = point->carrier_bytes;
    int64_t whole = bytes + messages * bytes_beneath(beneath, stream);
    if (messages == 0 || whole <= 0 || point->load->left_out ||
        (beneath != NULL && beneath->what == NULL))
        return 0;
    return (unsigned)((int64_t)point->size * 1000 / whole);
}
