/* SPDX-License-Identifier: BSD-2-Clause */
/* Opening, waiting and receiving, the same for UDP and TCP. */
#include "sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "harness/stop.h"
#include "later.h"

/* Below this a wait is exact (ppoll); above it the socket's own timeout, which the kernel rounds to
 * its clock tick, saves a system call for every message. */
#define EXACT_WAIT_NS (50 * (int64_t)1000000)

gw_sockets *gw_sockets_new(int fd, const gw_transport_ops *ops, char *why, size_t why_cap)
{
    gw_sockets *s = calloc(1, sizeof(*s));
    if (s == NULL) {
        snprintf(why, why_cap, "out of memory");
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    s->t.ops = ops;
    s->fd = fd;
    s->listen_fd = -1;
    return s;
}

bool gw_sockets_poll(int fd, short events, int64_t deadline)
{
    for (;;) {
        int64_t now = gw_clock_ns(CLOCK_MONOTONIC);
        gw_later_run(now);
        int64_t due = gw_later_due();
        bool last = due >= deadline || gw_stopped();
        int64_t left = (last ? deadline : due) - now;
        if (left < 0 || gw_stopped())
            left = 0;
        struct timespec ts = {left / 1000000000, left % 1000000000};
        struct pollfd p = {.fd = fd, .events = events};
        int rc = ppoll(&p, 1, &ts, NULL);
        if (rc > 0)
            return true;
        if ((rc == 0 && last) || (rc < 0 && errno != EINTR))
            return false;
    }
}

bool gw_sockets_is_theirs(int code)
{
    return code == ECONNREFUSED || code == EHOSTUNREACH || code == EHOSTDOWN ||
           code == ENETUNREACH || code == ENETDOWN || code == ETIMEDOUT || code == ECONNRESET;
}

static bool bind_local(int fd, const gw_url *url, int family, int socket_type, char *why,
                       size_t why_cap)
{
    if (url->local_host[0] == '\0')
        return true;
    gw_address addresses[8];
    size_t num = gw_resolve(addresses, GW_ARRAY_LEN(addresses), url->local_host, url->local_port,
                            socket_type, true, why, why_cap);
    for (size_t i = 0; i < num; i++) {
        if (addresses[i].storage.ss_family != family)
            continue;
        if (bind(fd, (const struct sockaddr *)&addresses[i].storage, addresses[i].len) == 0)
            return true;
        snprintf(why, why_cap, "local=%s:%u: %s", url->local_host, url->local_port,
                 strerror(errno));
        return false;
    }
    if (num > 0)
        snprintf(why, why_cap, "local=%s is of another address family than %s", url->local_host,
                 url->host);
    return false;
}

/* Connects without blocking longer than |deadline|; an errno, 0 for success. */
static int connect_until(int fd, const gw_address *address, int64_t deadline)
{
    int flags = fcntl(fd, F_GETFL);
    fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    int code = 0;
    if (connect(fd, (const struct sockaddr *)&address->storage, address->len) != 0)
        code = errno;
    if (code == EINPROGRESS) {
        socklen_t len = sizeof(code);
        if (!gw_sockets_poll(fd, POLLOUT, deadline))
            code = ETIMEDOUT;
        else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &len) != 0)
            code = errno;
    }
    fcntl(fd, F_SETFL, flags);
    return code;
}

int gw_socket_connect(const gw_url *url, int socket_type, int64_t timeout_ns, bool *unreachable,
                      char *why, size_t why_cap)
{
    int64_t deadline = gw_clock_ns(CLOCK_MONOTONIC) + timeout_ns;
    gw_address addresses[8];
    *unreachable = false;
    size_t num = gw_resolve(addresses, GW_ARRAY_LEN(addresses), url->host, url->port, socket_type,
                            false, why, why_cap);
    for (size_t i = 0; i < num; i++) {
        int fd = socket(addresses[i].storage.ss_family, socket_type | SOCK_CLOEXEC, 0);
        if (fd < 0) {
            snprintf(why, why_cap, "socket: %s", strerror(errno));
            continue;
        }
        if (!bind_local(fd, url, addresses[i].storage.ss_family, socket_type, why, why_cap)) {
            close(fd);
            continue;
        }
        gw_socket_prepare(fd);
        int code = connect_until(fd, &addresses[i], deadline);
        if (code == 0)
            return fd;
        *unreachable = *unreachable || gw_sockets_is_theirs(code);
        snprintf(why, why_cap, "%s://%s:%u: %s", url->scheme, url->host, url->port, strerror(code));
        close(fd);
    }
    return -1;
}

/* Lets a blocking receive give up in time. The value is left alone while it serves: longer than an
 * eighth of the wait (few rounds) and shorter than the wait. */
static bool set_slice(gw_sockets *s, int64_t left)
{
    if (s->slice_ns != 0 && s->slice_ns <= left - EXACT_WAIT_NS / 2 && s->slice_ns >= left / 8)
        return true;
    s->slice_ns = left / 2;
    struct timeval tv = {s->slice_ns / 1000000000, s->slice_ns % 1000000000 / 1000};
    return setsockopt(s->fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)) == 0;
}

ssize_t gw_sockets_recv(gw_sockets *s, uint8_t *buf, size_t cap, int64_t deadline,
                        int64_t *stamp_ns, gw_address *from)
{
    for (;;) {
        int64_t left = gw_stopped() ? 0 : deadline - gw_clock_ns(CLOCK_MONOTONIC);
        int flags = 0;
        if (left < EXACT_WAIT_NS || gw_later_due() < deadline || !set_slice(s, left)) {
            if (left > 0)
                gw_sockets_poll(s->fd, POLLIN, deadline);
            flags = MSG_DONTWAIT;
        }
        ssize_t got = gw_socket_recv(s->fd, buf, cap, flags, stamp_ns, from);
        if (got >= 0 || (errno != EAGAIN && errno != EINTR))
            return got;
        if (left <= 0) {
            errno = EAGAIN;
            return -1;
        }
    }
}

/* The MTU of the path that the connected socket |fd| has; 0: not known. */
static size_t mtu_of(int fd, bool ipv6)
{
    int mtu = 0;
    socklen_t len = sizeof(mtu);
    if (getsockopt(fd, ipv6 ? IPPROTO_IPV6 : IPPROTO_IP, ipv6 ? IPV6_MTU : IP_MTU, &mtu, &len) != 0)
        return 0;
    return mtu > 0 ? (size_t)mtu : 0;
}

/* What a datagram has at most that the connected socket |fd| sends. */
static size_t carried(int fd, bool ipv6)
{
    gw_impairment path = {.mtu = (uint32_t)mtu_of(fd, ipv6)};
    return gw_impair_carries(&path, ipv6 ? GW_IMPAIR_UDP6 : GW_IMPAIR_UDP4);
}

/* Only a connected socket knows its path: another one to the same place does, too. */
size_t gw_socket_carries(const gw_address *to)
{
    int fd = socket(to->storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return 0;
    bool connected = connect(fd, (const struct sockaddr *)&to->storage, to->len) == 0;
    size_t most = connected ? carried(fd, to->storage.ss_family == AF_INET6) : 0;
    close(fd);
    return most;
}

void gw_sockets_learn_path(gw_sockets *s)
{
    if (s->connected)
        s->t.carries = carried(s->fd, s->t.local.family == GW_FAMILY_IPV6);
    else
        s->t.carries = s->remote.len > 0 ? gw_socket_carries(&s->remote) : 0;
}

bool gw_sockets_refuse(gw_transport *t, size_t len)
{
    t->too_long = t->carries != 0 && len > t->carries;
    if (t->too_long)
        (void)snprintf(t->error, sizeof(t->error),
                       "send: %zu bytes are more than the path carries (%zu)", len, t->carries);
    return t->too_long;
}

bool gw_sockets_fail(gw_sockets *s, const char *what, int code)
{
    snprintf(s->t.error, sizeof(s->t.error), "%s: %s", what, strerror(code));
    return false;
}

int64_t gw_sockets_now(gw_transport *t)
{
    (void)t;
    return gw_clock_ns(CLOCK_MONOTONIC);
}

void gw_sockets_wait(gw_transport *t, int64_t deadline)
{
    (void)t;
    while (deadline > 0 && !gw_stopped()) {
        gw_later_run(gw_clock_ns(CLOCK_MONOTONIC));
        int64_t due = gw_later_due();
        int64_t until = due < deadline ? due : deadline;
        struct timespec time = {until / 1000000000, until % 1000000000};
        if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != EINTR &&
            until == deadline)
            return;
    }
}

void gw_sockets_close(gw_transport *t)
{
    gw_sockets *s = (gw_sockets *)t;
    if (s->fd >= 0)
        close(s->fd);
    if (s->listen_fd >= 0)
        close(s->listen_fd);
    free(s);
}
