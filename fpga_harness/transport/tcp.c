/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: a byte stream that may close. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "harness/stop.h"
#include "sockets.h"

/* A board that takes no bytes for this long is stuck. */
#define SEND_PATIENCE_S 5

static void prepare(int fd)
{
    int on = 1;
    struct timeval patience = {SEND_PATIENCE_S, 0};
    gw_socket_prepare(fd);
    /* Records are small and each waits for its answer: Nagle's algorithm would only delay them. */
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
}

static bool tcp_send(gw_transport *t, const uint8_t *data, size_t len)
{
    gw_sockets *s = (gw_sockets *)t;
    if (s->fd < 0) {
        snprintf(t->error, sizeof(t->error), "send: nobody is connected");
        return false;
    }
    while (len > 0) {
        ssize_t sent = send(s->fd, data, len, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR && !gw_stopped())
            continue;
        if (sent < 0 && errno == EAGAIN) {
            snprintf(t->error, sizeof(t->error), "send: the other side takes no bytes for %d s",
                     SEND_PATIENCE_S);
            return false;
        }
        if (sent < 0)
            return gw_sockets_fail(s, "send", errno);
        data += sent;
        len -= (size_t)sent;
    }
    return true;
}

/* A served transport without a caller takes the next one. */
static bool take_caller(gw_sockets *s, int64_t deadline)
{
    if (!gw_sockets_poll(s->listen_fd, POLLIN, deadline))
        return false;
    s->fd = accept4(s->listen_fd, NULL, NULL, SOCK_CLOEXEC);
    if (s->fd < 0)
        return false;
    s->slice_ns = 0;
    prepare(s->fd);
    s->t.remote = gw_endpoint_of_socket(s->fd, true);
    return true;
}

static gw_recv_status closed(gw_sockets *s)
{
    if (s->listen_fd >= 0) {
        close(s->fd);
        s->fd = -1;
    }
    return GW_RECV_CLOSED;
}

static gw_recv_status tcp_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                               int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    gw_sockets *s = (gw_sockets *)t;
    if (s->fd < 0 && !take_caller(s, deadline))
        return GW_RECV_TIMEOUT;
    ssize_t got = gw_sockets_recv(s, buf, cap, deadline, stamp_ns, NULL);
    if (got < 0 && errno == EAGAIN)
        return GW_RECV_TIMEOUT;
    if (got == 0 || (got < 0 && (errno == ECONNRESET || errno == EPIPE)))
        return closed(s);
    if (got < 0) {
        t->unreachable = gw_sockets_is_theirs(errno);
        gw_sockets_fail(s, "receive", errno);
        return GW_RECV_ERROR;
    }
    if (from != NULL)
        *from = t->remote;
    *len = (size_t)got;
    return GW_RECV_DATA;
}

static const gw_transport_ops tcp_ops = {
    .now = gw_sockets_now,
    .send = tcp_send,
    .recv = tcp_recv,
    .wait = gw_sockets_wait,
    .close = gw_sockets_close,
};

gw_transport *gw_tcp_open(const gw_url *url, int64_t timeout_ns, bool *unreachable, char *why,
                          size_t why_cap)
{
    int fd = gw_socket_connect(url, SOCK_STREAM, timeout_ns, unreachable, why, why_cap);
    gw_sockets *s = fd < 0 ? NULL : gw_sockets_new(fd, &tcp_ops, why, why_cap);
    if (s == NULL)
        return NULL;
    prepare(fd);
    s->connected = true;
    s->t.stream = true;
    s->t.local = gw_endpoint_of_socket(fd, false);
    s->t.remote = gw_endpoint_of_socket(fd, true);
    return &s->t;
}

gw_transport *gw_tcp_serve(const gw_url *url, char *why, size_t why_cap)
{
    int fd = gw_socket_bind(url, SOCK_STREAM, why, why_cap);
    if (fd < 0)
        return NULL;
    if (listen(fd, 8) != 0) {
        snprintf(why, why_cap, "tcp://%s:%u: %s", url->host, url->port, strerror(errno));
        close(fd);
        return NULL;
    }
    gw_sockets *s = gw_sockets_new(-1, &tcp_ops, why, why_cap);
    if (s == NULL) {
        close(fd);
        return NULL;
    }
    s->listen_fd = fd;
    s->t.stream = true;
    s->t.local = gw_endpoint_of_socket(fd, false);
    return &s->t;
}
