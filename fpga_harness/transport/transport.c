/* SPDX-License-Identifier: BSD-2-Clause */
/* From a URL to the transport that serves it. */
#include "harness/transport.h"

#include <stdio.h>

#include "sockets.h"

gw_transport *gw_transport_open(const gw_url *url, int64_t timeout_ns, bool *unreachable, char *why,
                                size_t why_cap)
{
    *unreachable = false;
    if (gw_url_is(url, "udp"))
        return gw_udp_open(url, unreachable, why, why_cap);
    if (gw_url_is(url, "tcp"))
        return gw_tcp_open(url, timeout_ns, unreachable, why, why_cap);
    snprintf(why, why_cap, "%s: is not a socket; udp://HOST:PORT or tcp://HOST:PORT is expected",
             url->scheme);
    return NULL;
}

gw_transport *gw_transport_serve(const gw_url *url, char *why, size_t why_cap)
{
    if (gw_url_is(url, "udp"))
        return gw_udp_serve(url, why, why_cap);
    if (gw_url_is(url, "tcp"))
        return gw_tcp_serve(url, why, why_cap);
    snprintf(why, why_cap, "%s: cannot be served; udp://HOST:PORT or tcp://HOST:PORT is expected",
             url->scheme);
    return NULL;
}

void gw_transport_close(gw_transport *t)
{
    if (t != NULL)
        t->ops->close(t);
}
