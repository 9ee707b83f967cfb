/* SPDX-License-Identifier: BSD-2-Clause */
/* Is the cable in? Looks at the interface that a socket's own address belongs to. */
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "harness/socket.h"

static bool same_address(const struct sockaddr *address, const gw_endpoint *local)
{
    struct sockaddr_storage storage = {0};
    if (address == NULL || (address->sa_family != AF_INET && address->sa_family != AF_INET6))
        return false;
    memcpy(&storage, address,
           address->sa_family == AF_INET ? sizeof(struct sockaddr_in)
                                         : sizeof(struct sockaddr_in6));
    gw_endpoint end = gw_endpoint_from(&storage);
    return end.family == local->family && memcmp(end.ip, local->ip, sizeof(end.ip)) == 0;
}

/* All of 127.0.0.0/8 is the loopback interface's, though it lists one address. */
static bool is_loopback(const gw_endpoint *local)
{
    return local->family == GW_FAMILY_IPV4 && local->ip[0] == 127;
}

static bool is_any(const gw_endpoint *local)
{
    static const uint8_t zeros[16];
    return memcmp(local->ip, zeros, sizeof(zeros)) == 0;
}

/* The interface's flags, 0 when there is none. */
static unsigned find(const gw_endpoint *local, char *name, size_t cap)
{
    struct ifaddrs *list = NULL;
    unsigned flags = 0;
    if (getifaddrs(&list) != 0)
        return 0;
    for (const struct ifaddrs *one = list; one != NULL; one = one->ifa_next) {
        bool loopback = is_loopback(local) && (one->ifa_flags & IFF_LOOPBACK) != 0;
        if (!loopback && !same_address(one->ifa_addr, local))
            continue;
        (void)snprintf(name, cap, "%s", one->ifa_name);
        flags = one->ifa_flags;
        break;
    }
    freeifaddrs(list);
    return flags;
}

bool gw_carrier_interface(const gw_endpoint *local, char *out, size_t cap)
{
    return find(local, out, cap) != 0;
}

static bool is_down(const char *name, unsigned flags, char *why, size_t why_cap)
{
    if ((flags & IFF_UP) == 0)
        (void)snprintf(why, why_cap, "interface %s is down: `ip link set %s up'", name, name);
    else if ((flags & IFF_RUNNING) == 0)
        (void)snprintf(why, why_cap, "interface %s has no carrier: is the cable in?", name);
    else
        return false;
    return true;
}

bool gw_carrier_lost(const gw_endpoint *local, char *why, size_t why_cap)
{
    char name[IF_NAMESIZE] = "";
    if (is_any(local))
        return false;
    unsigned flags = find(local, name, sizeof(name));
    if (flags != 0)
        return is_down(name, flags, why, why_cap);
    (void)snprintf(why, why_cap, "no interface has our address any more");
    return true;
}

bool gw_carrier_down(const char *name, char *why, size_t why_cap)
{
    struct ifaddrs *list = NULL;
    unsigned flags = 0;
    bool found = false;
    if (getifaddrs(&list) != 0)
        return false;
    for (const struct ifaddrs *one = list; one != NULL && !found; one = one->ifa_next) {
        found = strcmp(one->ifa_name, name) == 0;
        flags = one->ifa_flags;
    }
    freeifaddrs(list);
    if (found)
        return is_down(name, flags, why, why_cap);
    (void)snprintf(why, why_cap, "interface %s is gone", name);
    return true;
}
