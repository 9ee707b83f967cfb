/* SPDX-License-Identifier: BSD-2-Clause */
/* Datagrams from another address of this machine than the one that was called. */
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sockets.h"

static bool is_loopback(const gw_endpoint *end)
{
    return end->family == GW_FAMILY_IPV4 && end->ip[0] == 127;
}

/* The address that |remote| has called: the one that its answers come from. */
static bool find_called(gw_transport *t, const gw_address *remote, gw_endpoint *out)
{
    int fd = socket(remote->storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool ok = fd >= 0 && connect(fd, (const struct sockaddr *)&remote->storage, remote->len) == 0;
    if (ok)
        *out = gw_endpoint_of_socket(fd, false);
    if (fd >= 0)
        (void)close(fd);
    static const gw_endpoint any;
    if (ok && memcmp(t->local.ip, any.ip, sizeof(any.ip)) != 0)
        memcpy(out->ip, t->local.ip, sizeof(out->ip)); /* it could call no other */
    return ok;
}

/* Whether |one| is an address that can be sent from in the place of |called|. */
static bool is_other(const struct ifaddrs *one, const gw_endpoint *called, gw_address *out)
{
    bool v6 = called->family == GW_FAMILY_IPV6;
    if (one->ifa_addr == NULL || one->ifa_addr->sa_family != (v6 ? AF_INET6 : AF_INET) ||
        (one->ifa_flags & IFF_UP) == 0 || (one->ifa_flags & IFF_LOOPBACK) != 0)
        return false;
    memset(out, 0, sizeof(*out));
    out->len = v6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    memcpy(&out->storage, one->ifa_addr, out->len);
    gw_endpoint end = gw_endpoint_from(&out->storage);
    bool link_local = v6 && end.ip[0] == 0xfe && (end.ip[1] & 0xc0) == 0x80;
    return !link_local && memcmp(end.ip, called->ip, sizeof(end.ip)) != 0;
}

/* Every address that begins with 127 is this machine's. */
static void loopback_other(const gw_endpoint *called, gw_address *out)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    uint8_t ip[4] = {127, 0, 0, called->ip[3] == 2 ? 3 : 2};
    memcpy(&v4.sin_addr, ip, sizeof(ip));
    memset(out, 0, sizeof(*out));
    memcpy(&out->storage, &v4, sizeof(v4));
    out->len = sizeof(v4);
}

static bool find_other(const gw_endpoint *called, gw_address *out)
{
    struct ifaddrs *all = NULL;
    bool found = false;
    if (is_loopback(called)) {
        loopback_other(called, out);
        return true;
    }
    if (getifaddrs(&all) != 0)
        return false;
    for (const struct ifaddrs *one = all; one != NULL && !found; one = one->ifa_next)
        found = is_other(one, called, out);
    freeifaddrs(all);
    return found;
}

/* The same port, where nobody has it. */
static int open_at(gw_address *other, uint16_t port)
{
    int fd = socket(other->storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    gw_address_set_port(other, port);
    if (bind(fd, (const struct sockaddr *)&other->storage, other->len) == 0)
        return fd;
    gw_address_set_port(other, 0);
    if (bind(fd, (const struct sockaddr *)&other->storage, other->len) == 0)
        return fd;
    (void)close(fd);
    return -1;
}

bool gw_udp_send_as_other(gw_transport *t, const uint8_t *data, size_t len, gw_endpoint *from)
{
    gw_sockets *s = (gw_sockets *)t;
    gw_endpoint called;
    gw_address other;
    if (s->connected || s->remote.len == 0 || !find_called(t, &s->remote, &called) ||
        !find_other(&called, &other)) {
        (void)snprintf(t->error, sizeof(t->error),
                       "this machine has no second address that the caller could hear from");
        return false;
    }
    int fd = open_at(&other, t->local.port);
    if (fd < 0)
        return gw_sockets_fail(s, "bind to a second address", errno);
    *from = gw_endpoint_of_socket(fd, false);
    ssize_t sent = sendto(fd, data, len, MSG_NOSIGNAL, (const struct sockaddr *)&s->remote.storage,
                          s->remote.len);
    int code = errno;
    (void)close(fd);
    return sent >= 0 || gw_sockets_fail(s, "send from a second address", code);
}
