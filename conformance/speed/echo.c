/* SPDX-License-Identifier: BSD-2-Clause */
/* Both ends of an echo in one thread: nobody has to be woken, so that what it takes is what
 * sockets, kernel and copies take, and no board can be quicker. */
#include "speed/echo.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "harness/socket.h"

#define PATIENCE_NS INT64_C(500000000)
#define PIECE 65536

struct gw_echo {
    gw_transport *near;
    gw_transport *far;
    uint8_t bytes[PIECE];
};

gw_echo *gw_echo_open(bool stream, bool ipv6, char *why, size_t why_cap)
{
    bool unreachable;
    gw_url url = {.has_port = true};
    (void)snprintf(url.scheme, sizeof(url.scheme), "%s", stream ? "tcp" : "udp");
    (void)snprintf(url.host, sizeof(url.host), "%s", ipv6 ? "::1" : "127.0.0.1");
    gw_echo *echo = calloc(1, sizeof(*echo));
    if (echo == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        return NULL;
    }
    echo->far = gw_transport_serve(&url, why, why_cap);
    url.port = echo->far != NULL ? echo->far->local.port : 0;
    if (echo->far != NULL)
        echo->near = gw_transport_open(&url, PATIENCE_NS, &unreachable, why, why_cap);
    if (echo->near != NULL)
        return echo;
    gw_echo_close(echo);
    return NULL;
}

void gw_echo_close(gw_echo *echo)
{
    if (echo == NULL)
        return;
    gw_transport_close(echo->near);
    gw_transport_close(echo->far);
    free(echo);
}

/* One message of |len| bytes, however many pieces a stream makes of it. */
static bool carry(gw_echo *echo, gw_transport *from, gw_transport *to, uint32_t len, int64_t *stamp)
{
    size_t got = 0;
    size_t piece;
    if (!from->ops->send(from, echo->bytes, len))
        return false;
    do {
        int64_t deadline = to->ops->now(to) + PATIENCE_NS;
        if (to->ops->recv(to, echo->bytes, sizeof(echo->bytes), &piece, deadline, stamp, NULL) !=
            GW_RECV_DATA)
            return false;
        got += piece;
    } while (to->stream && got < len);
    return got == len;
}

/* |messages| of |bytes| together. What the sockets hold is never more than one of them. */
static bool carry_all(gw_echo *echo, gw_transport *from, gw_transport *to, unsigned messages,
                      uint32_t bytes, int64_t *stamp)
{
    for (unsigned i = 0; i < messages; i++) {
        uint32_t len = bytes / (messages - i);
        len = len < PIECE / 2 ? len : PIECE / 2; /* which a datagram holds */
        len = len > 0 ? len : 1;
        if (!carry(echo, from, to, len, stamp))
            return false;
        bytes -= len < bytes ? len : bytes;
    }
    return true;
}

size_t gw_echo_times(gw_echo *echo, const gw_echo_shape *shape, int64_t *times, size_t cap,
                     int64_t until_ns, int64_t *whole_ns)
{
    int64_t began = gw_clock_ns(CLOCK_MONOTONIC);
    size_t num = 0;
    for (size_t i = 0; i < cap && (i == 0 || gw_clock_ns(CLOCK_MONOTONIC) < until_ns); i++) {
        int64_t stamp = 0;
        int64_t sent = gw_clock_ns(CLOCK_REALTIME);
        if (!carry_all(echo, echo->near, echo->far, shape->requests, shape->request_bytes,
                       &stamp) ||
            !carry_all(echo, echo->far, echo->near, shape->answers, shape->answer_bytes, &stamp))
            return 0;
        if (stamp >= sent)
            times[num++] = stamp - sent;
    }
    *whole_ns = gw_clock_ns(CLOCK_MONOTONIC) - began;
    return num;
}
