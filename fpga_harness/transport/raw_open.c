/* SPDX-License-Identifier: BSD-2-Clause */
/* From a raw:// URL to a station on an interface. */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <linux/filter.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "goldwire/text.h"
#include "harness/impair.h"
#include "harness/raw.h"
#include "harness/socket.h"

#define DYNAMIC_PORTS 49152

static bool is_link_local(const gw_endpoint *end)
{
    return end->family == GW_FAMILY_IPV6 && end->ip[0] == 0xfe && (end->ip[1] & 0xc0) == 0x80;
}

/* Writes the interface's own address of the kind that |to| has. */
static bool own_address(gw_endpoint *out, const char *name, const gw_endpoint *to)
{
    struct ifaddrs *list = NULL;
    bool found = false;
    if (getifaddrs(&list) != 0)
        return false;
    for (const struct ifaddrs *one = list; one != NULL && !found; one = one->ifa_next) {
        struct sockaddr_storage storage = {0};
        if (one->ifa_addr == NULL || strcmp(one->ifa_name, name) != 0 ||
            (one->ifa_addr->sa_family != AF_INET && one->ifa_addr->sa_family != AF_INET6))
            continue;
        bool ipv6 = one->ifa_addr->sa_family == AF_INET6;
        memcpy(&storage, one->ifa_addr,
               ipv6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in));
        *out = gw_endpoint_from(&storage);
        found = out->family == to->family && is_link_local(out) == is_link_local(to);
    }
    freeifaddrs(list);
    return found;
}

/* Writes |end| for the kernel, to which a link-local address is one of interface |name|. */
static socklen_t socket_address(struct sockaddr_storage *out, const gw_endpoint *end,
                                const char *name)
{
    memset(out, 0, sizeof(*out));
    if (end->family == GW_FAMILY_IPV4) {
        struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(end->port)};
        memcpy(&v4.sin_addr, end->ip, 4);
        memcpy(out, &v4, sizeof(v4));
        return sizeof(v4);
    }
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(end->port)};
    memcpy(&v6.sin6_addr, end->ip, sizeof(v6.sin6_addr));
    v6.sin6_scope_id = is_link_local(end) ? if_nametoindex(name) : 0;
    memcpy(out, &v6, sizeof(v6));
    return sizeof(v6);
}

/* The kernel would tell the board that nobody listens at a port of ours when the address is its own
 * as well. A socket there, which hears nothing, keeps it silent and the port ours. -1 when the
 * address is not the kernel's; false when the port is in use. */
static bool guard_port(int *fd, gw_endpoint *local, const char *name, int type, char *why,
                       size_t why_cap)
{
    struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
    struct sock_fprog program = {.len = 1, .filter = &nothing};
    struct sockaddr_storage at;
    socklen_t len = socket_address(&at, local, name);
    *fd = socket(at.ss_family, type | SOCK_CLOEXEC, 0);
    if (*fd < 0)
        return true;
    (void)setsockopt(*fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program));
    if (bind(*fd, (const struct sockaddr *)&at, len) == 0 &&
        (type == SOCK_DGRAM || listen(*fd, 1) == 0)) {
        local->port = gw_endpoint_of_socket(*fd, false).port;
        return true;
    }
    int code = errno;
    close(*fd);
    *fd = -1;
    if (code != EADDRINUSE)
        return true;
    gw_text text = gw_text_over(why, why_cap);
    gw_text_str(&text, "local=");
    gw_text_endpoint(&text, local);
    gw_text_str(&text, ": the port is in use");
    return false;
}

static bool find_local(gw_raw_setup *setup, const gw_url *url, char *why, size_t why_cap)
{
    uint16_t port = url->raw.local.port;
    setup->local = url->raw.local;
    if (setup->local.family == GW_FAMILY_NONE &&
        !own_address(&setup->local, url->host, &setup->remote)) {
        (void)snprintf(why, why_cap,
                       "raw://%s: the interface has no %s address: say one with local=IP",
                       url->host,
                       setup->remote.family == GW_FAMILY_IPV4 ? "IPv4"
                       : is_link_local(&setup->remote)        ? "link-local IPv6"
                                                              : "IPv6");
        return false;
    }
    setup->local.port = port;
    if (gw_ether_same(&setup->local, &setup->remote)) {
        (void)snprintf(why, why_cap, "raw://%s: we and the board cannot have one address",
                       url->host);
        return false;
    }
    if (!guard_port(&setup->guard_fd, &setup->local, url->host,
                    url->raw.tcp ? SOCK_STREAM : SOCK_DGRAM, why, why_cap))
        return false;
    if (setup->local.port == 0)
        setup->local.port = (uint16_t)(DYNAMIC_PORTS + (uint64_t)gw_clock_ns(CLOCK_MONOTONIC) /
                                                           1000 % (65536 - DYNAMIC_PORTS));
    return true;
}

gw_transport *gw_raw_open(const gw_url *url, char *why, size_t why_cap)
{
    gw_raw_setup setup = {
        .remote = url->raw.to, .vlan = url->raw.vlan, .style = url->raw.style, .guard_fd = -1};
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
