/* SPDX-License-Identifier: BSD-2-Clause */
/* From a raw:// URL to a station on an interface. */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/impair.h"
#include "harness/raw.h"
#include "harness/socket.h"

#define DYNAMIC_PORTS 49152

/* Writes the interface's own IPv4 address. */
static bool own_address(gw_endpoint *out, const char *name)
{
    struct ifaddrs *list = NULL;
    bool found = false;
    if (getifaddrs(&list) != 0)
        return false;
    for (const struct ifaddrs *one = list; one != NULL && !found; one = one->ifa_next) {
        struct sockaddr_storage storage = {0};
        if (one->ifa_addr == NULL || one->ifa_addr->sa_family != AF_INET ||
            strcmp(one->ifa_name, name) != 0)
            continue;
        memcpy(&storage, one->ifa_addr, sizeof(struct sockaddr_in));
        *out = gw_endpoint_from(&storage);
        found = true;
    }
    freeifaddrs(list);
    return found;
}

/* The kernel would tell the board that nobody listens at a port of ours when the address is its own
 * as well. A socket there, which hears nothing, keeps it silent and the port ours. -1 when the
 * address is not the kernel's; false when the port is in use. */
static bool guard_port(int *fd, gw_endpoint *local, char *why, size_t why_cap)
{
    struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
    struct sock_fprog program = {.len = 1, .filter = &nothing};
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(local->port)};
    memcpy(&at.sin_addr, local->ip, 4);
    *fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (*fd < 0)
        return true;
    (void)setsockopt(*fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program));
    if (bind(*fd, (const struct sockaddr *)&at, sizeof(at)) == 0) {
        local->port = gw_endpoint_of_socket(*fd, false).port;
        return true;
    }
    int code = errno;
    close(*fd);
    *fd = -1;
    if (code != EADDRINUSE)
        return true;
    (void)snprintf(why, why_cap, "local=%u.%u.%u.%u:%u: the port is in use", local->ip[0],
                   local->ip[1], local->ip[2], local->ip[3], local->port);
    return false;
}

static bool find_local(gw_raw_setup *setup, const gw_url *url, char *why, size_t why_cap)
{
    uint16_t port = url->raw.local.port;
    setup->local = url->raw.local;
    if (setup->local.family == GW_FAMILY_NONE && !own_address(&setup->local, url->host)) {
        (void)snprintf(why, why_cap,
                       "raw://%s: the interface has no IPv4 address: say one with local=IP",
                       url->host);
        return false;
    }
    setup->local.port = port;
    if (memcmp(setup->local.ip, setup->remote.ip, 4) == 0) {
        (void)snprintf(why, why_cap, "raw://%s: we and the board cannot have one address",
                       url->host);
        return false;
    }
    if (!guard_port(&setup->guard_fd, &setup->local, why, why_cap))
        return false;
    if (setup->local.port == 0)
        setup->local.port = (uint16_t)(DYNAMIC_PORTS + (uint64_t)gw_clock_ns(CLOCK_MONOTONIC) /
                                                           1000 % (65536 - DYNAMIC_PORTS));
    return true;
}

gw_transport *gw_raw_open(const gw_url *url, char *why, size_t why_cap)
{
    gw_raw_setup setup = {.remote = url->raw.to, .style = url->raw.style, .guard_fd = -1};
    if (setup.remote.family == GW_FAMILY_NONE || setup.remote.port == 0) {
        (void)snprintf(why, why_cap, "raw://%s: say where the board is: ?to=IP:PORT", url->host);
        return NULL;
    }
    gw_transport *frames = gw_packet_open(url->host, setup.mac, why, why_cap);
    frames = gw_impair_transport(frames, &url->impairment, true, why, why_cap);
    if (frames == NULL)
        return NULL;
    if (find_local(&setup, url, why, why_cap))
        return gw_raw_over(frames, &setup, why, why_cap);
    gw_transport_close(frames);
    return NULL;
}
