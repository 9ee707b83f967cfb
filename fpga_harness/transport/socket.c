/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses and time stamps of sockets. */
#include "harness/socket.h"

#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/vlan.h"

#define RECEIVE_ROOM (4 << 20)

size_t gw_resolve(gw_address *out, size_t max, const char *host, uint16_t port, int socket_type,
                  bool passive, char *why, size_t why_cap)
{
    char service[8];
    snprintf(service, sizeof(service), "%u", port);
    struct addrinfo hints = {
        .ai_socktype = socket_type,
        .ai_flags = AI_NUMERICSERV | AI_NUMERICHOST | (passive ? AI_PASSIVE : 0),
    };
    struct addrinfo *list = NULL;
    int code = getaddrinfo(host, service, &hints, &list);
    if (code == EAI_NONAME) {
        hints.ai_flags &= ~AI_NUMERICHOST;
        code = getaddrinfo(host, service, &hints, &list);
    }
    if (code != 0) {
        snprintf(why, why_cap, "host '%s': %s", host,
                 code == EAI_SYSTEM ? strerror(errno) : gai_strerror(code));
        return 0;
    }
    size_t found = 0;
    for (const struct addrinfo *a = list; a != NULL && found < max; a = a->ai_next) {
        if (a->ai_addrlen > sizeof(out[found].storage))
            continue;
        memset(&out[found], 0, sizeof(out[found]));
        memcpy(&out[found].storage, a->ai_addr, a->ai_addrlen);
        out[found].len = a->ai_addrlen;
        found++;
    }
    freeaddrinfo(list);
    if (found == 0)
        snprintf(why, why_cap, "host '%s' has no address", host);
    return found;
}

gw_endpoint gw_endpoint_from(const struct sockaddr_storage *storage)
{
    gw_endpoint end = {0};
    if (storage->ss_family == AF_INET) {
        struct sockaddr_in v4;
        memcpy(&v4, storage, sizeof(v4));
        memcpy(end.ip, &v4.sin_addr, 4);
        end.port = ntohs(v4.sin_port);
        end.family = GW_FAMILY_IPV4;
    } else if (storage->ss_family == AF_INET6) {
        struct sockaddr_in6 v6;
        memcpy(&v6, storage, sizeof(v6));
        memcpy(end.ip, &v6.sin6_addr, 16);
        end.port = ntohs(v6.sin6_port);
        end.family = GW_FAMILY_IPV6;
    }
    return end;
}

gw_endpoint gw_endpoint_of_socket(int fd, bool peer)
{
    struct sockaddr_storage storage;
    socklen_t len = sizeof(storage);
    memset(&storage, 0, sizeof(storage));
    int rc = peer ? getpeername(fd, (struct sockaddr *)&storage, &len)
                  : getsockname(fd, (struct sockaddr *)&storage, &len);
    if (rc != 0)
        memset(&storage, 0, sizeof(storage));
    return gw_endpoint_from(&storage);
}

void gw_address_set_port(gw_address *address, uint16_t port)
{
    uint16_t wire = htons(port);
    size_t at = address->storage.ss_family == AF_INET6 ? offsetof(struct sockaddr_in6, sin6_port)
                                                       : offsetof(struct sockaddr_in, sin_port);
    memcpy((char *)&address->storage + at, &wire, sizeof(wire));
}

void gw_socket_prepare(int fd)
{
    int on = 1;
    int room = RECEIVE_ROOM;
    /* Both are wishes: without them the clock is read instead, and bursts are shorter. */
    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on));
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
}

int gw_socket_bind(const gw_url *url, int socket_type, char *why, size_t why_cap)
{
    gw_address addresses[8];
    size_t num = gw_resolve(addresses, GW_ARRAY_LEN(addresses), url->host, url->port, socket_type,
                            true, why, why_cap);
    for (size_t i = 0; i < num; i++) {
        int fd = socket(addresses[i].storage.ss_family, socket_type | SOCK_CLOEXEC, 0);
        if (fd < 0) {
            snprintf(why, why_cap, "socket: %s", strerror(errno));
            continue;
        }
        gw_socket_prepare(fd);
        int on = 1;
        /* A TCP port in TIME_WAIT is free for us; for UDP the option would let two boards share a
         * port unseen. */
        if (socket_type == SOCK_STREAM)
            setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
        if (bind(fd, (const struct sockaddr *)&addresses[i].storage, addresses[i].len) == 0)
            return fd;
        const char *help = "";
        if (errno == EADDRINUSE)
            help = "; choose another port, port 0 lets the kernel choose a free one";
        else if (errno == EADDRNOTAVAIL)
            help = "; no interface of this machine has that address";
        else if (errno == EACCES)
            help = "; ports below 1024 need a privilege";
        snprintf(why, why_cap, "%s://%s:%u: %s%s", url->scheme, url->host, url->port,
                 strerror(errno), help);
        close(fd);
    }
    return -1;
}

/* Puts the VLAN tag back that the kernel has taken out of a frame of |got| bytes, if it tells of
 * one. */
static size_t put_tag_back(const struct cmsghdr *c, uint8_t *buf, size_t cap, size_t got)
{
    struct tpacket_auxdata aux;
    if (c->cmsg_len < CMSG_LEN(sizeof(aux)))
        return got;
    memcpy(&aux, CMSG_DATA(c), sizeof(aux));
    if ((aux.tp_status & TP_STATUS_VLAN_VALID) == 0 || cap < GW_VLAN_TAG)
        return got;
    bool told = (aux.tp_status & TP_STATUS_VLAN_TPID_VALID) != 0;
    return gw_vlan_restore(buf, got < cap - GW_VLAN_TAG ? got : cap - GW_VLAN_TAG, aux.tp_vlan_tci,
                           told ? aux.tp_vlan_tpid : ETH_P_8021Q);
}

ssize_t gw_socket_recv(int fd, uint8_t *buf, size_t cap, int flags, int64_t *stamp_ns,
                       gw_address *from)
{
    union {
        char
            bytes[CMSG_SPACE(sizeof(struct timespec)) + CMSG_SPACE(sizeof(struct tpacket_auxdata))];
        struct cmsghdr align;
    } control;
    struct iovec iov = {buf, cap};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
    if (from != NULL) {
        memset(from, 0, sizeof(*from));
        msg.msg_name = &from->storage;
        msg.msg_namelen = sizeof(from->storage);
    }
    if (stamp_ns != NULL) {
        msg.msg_control = &control;
        msg.msg_controllen = sizeof(control);
    }
    ssize_t got = recvmsg(fd, &msg, flags);
    if (got < 0)
        return got;
    if (from != NULL)
        from->len = msg.msg_namelen;
    if (stamp_ns == NULL)
        return got;
    bool stamped = false;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&msg); c != NULL; c = CMSG_NXTHDR(&msg, c)) {
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
            struct timespec ts;
            memcpy(&ts, CMSG_DATA(c), sizeof(ts));
            *stamp_ns = (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
            stamped = true;
        } else if (c->cmsg_level == SOL_PACKET && c->cmsg_type == PACKET_AUXDATA) {
            got = (ssize_t)put_tag_back(c, buf, cap, (size_t)got);
        }
    }
    if (!stamped)
        *stamp_ns = gw_clock_ns(CLOCK_REALTIME);
    return got;
}
