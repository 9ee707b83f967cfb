/* SPDX-License-Identifier: BSD-2-Clause */
/* RoCEv2 without an adapter and without root: UDP datagrams whose IP header is known.
 *
 * The ICRC at the end of a packet covers the IP header (A17.3.2). An unconnected socket with
 * path-MTU discovery on sends identification 0 and DF set, and each end is bound to one address:
 * with that all it covers is known to the sender. Whoever answers does so to the port that RoCEv2
 * has, not necessarily from it, so datagrams of the other side are told by its address alone. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "goldwire/ib.h"
#include "sockets.h"

static bool same_host(const gw_endpoint *a, const gw_endpoint *b)
{
    return a->family == b->family && memcmp(a->ip, b->ip, sizeof(a->ip)) == 0;
}

bool gw_socket_known_header(int fd, char *why, size_t why_cap)
{
    static const uint8_t any[16] = {0};
    gw_endpoint here = gw_endpoint_of_socket(fd, false);
    int how = IP_PMTUDISC_DO;

    if (memcmp(here.ip, any, sizeof(any)) == 0) {
        (void)snprintf(why, why_cap,
                       "roce: wants one address of this host, for packets are checked by it");
        return false;
    }
    if (here.family == GW_FAMILY_IPV4 &&
        setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &how, sizeof(how)) != 0) {
        (void)snprintf(why, why_cap, "IP_MTU_DISCOVER: %s", strerror(errno));
        return false;
    }
    return true;
}

/* Writes the address that this host would send from. */
static bool find_source(char *out, size_t cap, const gw_url *url, char *why, size_t why_cap)
{
    bool unreachable;
    gw_address here = {.len = sizeof(here.storage)};
    struct sockaddr *address = (struct sockaddr *)&here.storage;
    int fd = gw_socket_connect(url, SOCK_DGRAM, 0, &unreachable, why, why_cap);
    if (fd < 0)
        return false;
    int code = getsockname(fd, address, &here.len);
    if (code == 0)
        code = getnameinfo(address, here.len, out, (socklen_t)cap, NULL, 0, NI_NUMERICHOST);
    close(fd);
    if (code != 0)
        (void)snprintf(why, why_cap, "%s://%s: the own address cannot be told", url->scheme,
                       url->host);
    return code == 0;
}

int gw_socket_roce(const gw_url *url, gw_address *to, char *why, size_t why_cap)
{
    gw_url here = {.port = url->local_port};

    memcpy(here.scheme, url->scheme, sizeof(here.scheme));
    memcpy(here.host, url->local_host, sizeof(here.host));
    /* Who is at RoCEv2's port answers to it. */
    if (here.port == 0 && url->port == GW_ROCE_PORT)
        here.port = GW_ROCE_PORT;
    if (here.host[0] == '\0' && !find_source(here.host, sizeof(here.host), url, why, why_cap))
        return -1;
    if (gw_resolve(to, 1, url->host, url->port, SOCK_DGRAM, false, why, why_cap) == 0)
        return -1;
    int fd = gw_socket_bind(&here, SOCK_DGRAM, why, why_cap);
    if (fd < 0 || gw_socket_known_header(fd, why, why_cap))
        return fd;
    close(fd);
    return -1;
}

/* Takes datagrams of the other side; strangers' are left out. */
static gw_recv_status roce_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                                int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    gw_sockets *s = (gw_sockets *)t;
    for (;;) {
        gw_address sender;
        ssize_t got = gw_sockets_recv(s, buf, cap, deadline, stamp_ns, &sender);
        if (got < 0 && errno == EAGAIN)
            return GW_RECV_TIMEOUT;
        if (got < 0) {
            t->unreachable = t->unreachable || errno == ECONNREFUSED;
            gw_sockets_fail(s, "receive", errno);
            return GW_RECV_ERROR;
        }
        gw_endpoint end = gw_endpoint_from(&sender.storage);
        if (!same_host(&end, &t->remote))
            continue;
        if (from != NULL)
            *from = end;
        *len = (size_t)got;
        t->unreachable = false;
        return GW_RECV_DATA;
    }
}

static const gw_transport_ops roce_ops = {
    .now = gw_sockets_now,
    .send = gw_udp_send,
    .recv = roce_recv,
    .wait = gw_sockets_wait,
    .close = gw_sockets_close,
    .no_checksum = gw_udp_no_checksum,
};

gw_transport *gw_roce_open(const gw_url *url, char *why, size_t why_cap)
{
    gw_address to;
    int fd = gw_socket_roce(url, &to, why, why_cap);
    gw_sockets *s = fd < 0 ? NULL : gw_sockets_new(fd, &roce_ops, why, why_cap);
    if (s == NULL)
        return NULL;
    s->remote = to;
    s->t.local = gw_endpoint_of_socket(fd, false);
    s->t.remote = gw_endpoint_from(&to.storage);
    gw_sockets_learn_path(s);
    return &s->t;
}

/* Takes whoever calls, and answers to where RoCEv2 is answered. */
static gw_recv_status roce_serve_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                                      int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    gw_sockets *s = (gw_sockets *)t;
    gw_endpoint sender;
    gw_recv_status status = gw_udp_recv(t, buf, cap, len, deadline, stamp_ns, &sender);
    if (status != GW_RECV_DATA)
        return status;
    if (from != NULL)
        *from = sender;
    if (t->local.port == GW_ROCE_PORT) {
        gw_address_set_port(&s->remote, GW_ROCE_PORT);
        t->remote.port = GW_ROCE_PORT;
    }
    return GW_RECV_DATA;
}

static const gw_transport_ops roce_serve_ops = {
    .now = gw_sockets_now,
    .send = gw_udp_send,
    .recv = roce_serve_recv,
    .wait = gw_sockets_wait,
    .close = gw_sockets_close,
    .no_checksum = gw_udp_no_checksum,
};

gw_transport *gw_roce_serve(const gw_url *url, char *why, size_t why_cap)
{
    gw_transport *t = gw_udp_serve(url, why, why_cap);
    if (t == NULL)
        return NULL;
    t->ops = &roce_serve_ops;
    if (gw_socket_known_header(((gw_sockets *)t)->fd, why, why_cap))
        return t;
    gw_transport_close(t);
    return NULL;
}
