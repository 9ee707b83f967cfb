/* SPDX-License-Identifier: BSD-2-Clause */
/* UDP. A client's socket is connected, so that the kernel tells when the port is unreachable and
 * lets nobody else's datagrams in. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sockets.h"

bool gw_udp_send(gw_transport *t, const uint8_t *data, size_t len)
{
    gw_sockets *s = (gw_sockets *)t;
    if (!s->connected && s->remote.len == 0) {
        snprintf(t->error, sizeof(t->error), "send: nobody has called yet");
        return false;
    }
    gw_address remote = s->remote;
    if (t->at_own_port)
        gw_address_set_port(&remote, gw_transport_answer_port(t));
    const struct sockaddr *to = s->connected ? NULL : (const struct sockaddr *)&remote.storage;
    socklen_t to_len = s->connected ? 0 : s->remote.len;
    if (gw_sockets_refuse(t, len))
        return false;
    /* An ICMP error for an earlier datagram is reported instead of sending this one: note it and
     * send again. */
    for (unsigned attempt = 0;; attempt++) {
        if (sendto(s->fd, data, len, MSG_NOSIGNAL, to, to_len) >= 0)
            return true;
        t->unreachable = t->unreachable || gw_sockets_is_theirs(errno);
        if (errno == EMSGSIZE) {
            /* The kernel has heard that the path is narrower than its first link. */
            gw_sockets_learn_path(s);
            if (gw_sockets_refuse(t, len))
                return false;
        }
        if (attempt == 3 || (errno != ECONNREFUSED && errno != EINTR))
            return gw_sockets_fail(s, "send", errno);
    }
}

gw_recv_status gw_udp_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len, int64_t deadline,
                           int64_t *stamp_ns, gw_endpoint *from)
{
    gw_sockets *s = (gw_sockets *)t;
    gw_address sender = {.len = 0};
    ssize_t got = gw_sockets_recv(s, buf, cap, deadline, stamp_ns, s->connected ? NULL : &sender);
    if (got < 0 && errno == EAGAIN)
        return GW_RECV_TIMEOUT;
    if (got < 0) {
        t->unreachable = t->unreachable || gw_sockets_is_theirs(errno);
        gw_sockets_fail(s, "receive", errno);
        return GW_RECV_ERROR;
    }
    if (!s->connected) {
        bool other = s->remote.len != sender.len ||
                     memcmp(&s->remote.storage, &sender.storage, sender.len) != 0;
        s->remote = sender;
        t->remote = gw_endpoint_from(&sender.storage);
        if (other)
            gw_sockets_learn_path(s);
    }
    if (from != NULL)
        *from = t->remote;
    *len = (size_t)got;
    t->unreachable = false;
    return GW_RECV_DATA;
}

bool gw_udp_no_checksum(gw_transport *t, bool on)
{
    gw_sockets *s = (gw_sockets *)t;
    int value = on;
    /* Over IPv6 a datagram without a checksum is illegal. */
    return t->local.family == GW_FAMILY_IPV4 &&
           setsockopt(s->fd, SOL_SOCKET, SO_NO_CHECK, &value, sizeof(value)) == 0;
}

static const gw_transport_ops udp_ops = {
    .now = gw_sockets_now,
    .send = gw_udp_send,
    .recv = gw_udp_recv,
    .wait = gw_sockets_wait,
    .close = gw_sockets_close,
    .no_checksum = gw_udp_no_checksum,
    .send_as_other = gw_udp_send_as_other,
};

gw_transport *gw_udp_open(const gw_url *url, bool *unreachable, char *why, size_t why_cap)
{
    int fd = gw_socket_connect(url, SOCK_DGRAM, 0, unreachable, why, why_cap);
    gw_sockets *s = fd < 0 ? NULL : gw_sockets_new(fd, &udp_ops, why, why_cap);
    if (s == NULL)
        return NULL;
    s->connected = true;
    s->t.local = gw_endpoint_of_socket(fd, false);
    s->t.remote = gw_endpoint_of_socket(fd, true);
    gw_sockets_learn_path(s);
    return &s->t;
}

gw_transport *gw_udp_serve(const gw_url *url, char *why, size_t why_cap)
{
    int fd = gw_socket_bind(url, SOCK_DGRAM, why, why_cap);
    gw_sockets *s = fd < 0 ? NULL : gw_sockets_new(fd, &udp_ops, why, why_cap);
    if (s == NULL)
        return NULL;
    s->t.local = gw_endpoint_of_socket(fd, false);
    return &s->t;
}
