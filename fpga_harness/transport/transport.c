/* SPDX-License-Identifier: BSD-2-Clause */
/* From a URL to the transport that serves it. */
#include "harness/transport.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "harness/raw.h"
#include "harness/socket.h"
#include "ib_open.h"
#include "sockets.h"

static const char not_a_socket[] = "udp://HOST:PORT, roce://HOST[:PORT] or tcp://HOST:PORT is "
                                   "expected";

static gw_transport *open_adapter(const gw_url *url, bool *unreachable, char *why, size_t why_cap)
{
#ifdef GW_HAVE_IB
    return gw_ib_open(url, unreachable, why, why_cap);
#else
    (void)unreachable;
    snprintf(why, why_cap, "ib://%s: this goldwire was built without libibverbs (GW_IB)",
             url->host);
    return NULL;
#endif
}

static gw_transport *open_scheme(const gw_url *url, int64_t timeout_ns, bool *unreachable,
                                 char *why, size_t why_cap)
{
    if (gw_url_is(url, "udp"))
        return gw_udp_open(url, unreachable, why, why_cap);
    if (gw_url_is(url, "roce"))
        return gw_roce_open(url, why, why_cap);
    if (gw_url_is(url, "raw") && url->raw.tcp)
        return gw_raw_tcp_over(gw_raw_open(url, why, why_cap), timeout_ns, unreachable, why,
                               why_cap);
    if (gw_url_is(url, "raw"))
        return gw_raw_open(url, why, why_cap);
    if (gw_url_is(url, "ib"))
        return open_adapter(url, unreachable, why, why_cap);
    if (gw_url_is(url, "tcp"))
        return gw_tcp_open(url, timeout_ns, unreachable, why, why_cap);
    snprintf(why, why_cap, "%s: is not a socket; %s", url->scheme, not_a_socket);
    return NULL;
}

static gw_transport *serve_scheme(const gw_url *url, char *why, size_t why_cap)
{
    if (gw_url_is(url, "udp"))
        return gw_udp_serve(url, why, why_cap);
    if (gw_url_is(url, "roce"))
        return gw_roce_serve(url, why, why_cap);
    if (gw_url_is(url, "tcp"))
        return gw_tcp_serve(url, why, why_cap);
    if (gw_url_is(url, "ib")) {
        snprintf(why, why_cap,
                 "ib://%s: an adapter does not tell of RDMA writes; serve at roce://HOST",
                 url->host);
        return NULL;
    }
    snprintf(why, why_cap, "%s: a board that calls us cannot be waited for there; %s", url->scheme,
             not_a_socket);
    return NULL;
}

gw_transport *gw_transport_open(const gw_url *url, int64_t timeout_ns, bool *unreachable, char *why,
                                size_t why_cap)
{
    int64_t deadline = gw_clock_ns(CLOCK_MONOTONIC) + timeout_ns;
    *unreachable = false;
    gw_transport *t = open_scheme(url, timeout_ns, unreachable, why, why_cap);
    if (gw_url_is(url, "raw")) /* its frames are impaired, beneath it */
        return t;
    t = gw_impair_transport(t, &url->impairment, false, why, why_cap);
    if (t == NULL || !t->stream || gw_impair_connect(t, deadline - gw_clock_ns(CLOCK_MONOTONIC)))
        return t;
    *unreachable = true;
    (void)snprintf(why, why_cap, "%s://%s:%u: %s", url->scheme, url->host, url->port,
                   strerror(ETIMEDOUT));
    gw_transport_close(t);
    return NULL;
}

gw_transport *gw_transport_serve(const gw_url *url, char *why, size_t why_cap)
{
    gw_transport *t = serve_scheme(url, why, why_cap);
    return gw_impair_transport(t, &url->impairment, false, why, why_cap);
}
