/* SPDX-License-Identifier: BSD-2-Clause */
/* A board behind sockets: one loop without threads. */
#include "boards/host.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "boards/host_conns.h"

/* The loop looks at its stop flag at least this often. */
#define NAP_NS (INT64_C(250) * 1000000)

/* What is taken from a socket or an adapter before others get their turn. */
#define BURST 16

/* ---- sockets that have something ---- */

void gw_host_take_datagram(gw_host *host, const gw_host_listener *l, const gw_address *from,
                           const uint8_t *data, size_t len)
{
    uint32_t number = gw_host_sender(host, l, from);
    if (number >= GW_PEER_MAX_CONNS)
        return; /* as good as lost */
    host->last_sender = number;
    host->conns[number].last_used = host->events;
    gw_host_tell(host, GW_PEER_BYTES, number, data, len);
    gw_host_end_closing(host);
}

/* One datagram. False when there is none. */
static bool read_datagram(gw_host *host, const gw_host_listener *l, int flags)
{
    gw_address from = {.len = sizeof(from.storage)};
    ssize_t len = recvfrom(l->fd, host->buf, sizeof(host->buf), flags,
                           (struct sockaddr *)&from.storage, &from.len);
    if (len < 0)
        return false;
    if (l->impair != NULL)
        gw_impair_put(&l->impair->in, gw_clock_ns(CLOCK_MONOTONIC), &from, sizeof(from), host->buf,
                      (size_t)len);
    else
        gw_host_take_datagram(host, l, &from, host->buf, (size_t)len);
    return true;
}

/* When the first of all datagrams under way is due. */
static int64_t next_due(const gw_host *host)
{
    int64_t first = GW_IMPAIR_NEVER;
    for (size_t i = 0; i < host->num_listeners; i++) {
        const gw_host_impair *impair = host->listeners[i].impair;
        if (impair == NULL)
            continue;
        int64_t in = gw_impair_next(&impair->in);
        int64_t out = gw_impair_next(&impair->out);
        int64_t due = in < out ? in : out;
        first = due < first ? due : first;
    }
    return first;
}

static void let_go(const gw_host *host)
{
    int64_t now = gw_clock_ns(CLOCK_MONOTONIC);
    for (size_t i = 0; i < host->num_listeners; i++) {
        gw_host_impair *impair = host->listeners[i].impair;
        if (impair == NULL)
            continue;
        gw_impair_run(&impair->in, now);
        gw_impair_run(&impair->out, now);
    }
}

void gw_host_prepare_stream(int fd)
{
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

static bool accept_stream(gw_host *host, const gw_host_listener *l, char *why, size_t why_cap)
{
    gw_address from = {.len = sizeof(from.storage)};
    int fd = accept4(l->fd, (struct sockaddr *)&from.storage, &from.len, SOCK_CLOEXEC);
    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
            snprintf(why, why_cap, "accept: %s", strerror(errno));
            return false;
        }
        return true; /* the caller is gone already */
    }
    uint32_t number = gw_host_take_number(host);
    if (number >= GW_PEER_MAX_CONNS) {
        close(fd);
        return true;
    }
    gw_host_prepare_stream(fd);
    gw_host_begin_conn(host, number, fd, l, &from);
    return true;
}

static void read_stream(gw_host *host, uint32_t number)
{
    gw_host_conn *c = &host->conns[number];
    ssize_t len = recv(c->fd, host->buf, sizeof(host->buf), MSG_DONTWAIT);
    if (len < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (len <= 0) {
        gw_host_end_conn(host, number);
        return;
    }
    c->last_used = host->events;
    gw_host_tell(host, GW_PEER_BYTES, number, host->buf, (size_t)len);
}

/* ---- adapters ---- */

/* Takes what came through an adapter, as much as from a socket at once. True when there may be
 * more: only an adapter that has nothing tells when something comes. */
static bool read_adapter(gw_host *host, uint32_t number)
{
    gw_transport *t = host->conns[number].adapter;
    for (unsigned i = 0; i < BURST; i++) {
        size_t len = 0;
        if (t->ops->recv(t, host->buf, sizeof(host->buf), &len, 0, NULL, NULL) != GW_RECV_DATA)
            return false;
        gw_host_tell(host, GW_PEER_BYTES, number, host->buf, len);
        gw_host_end_closing(host);
    }
    return true;
}

static bool read_adapters(gw_host *host)
{
    bool more = false;
    for (uint32_t i = 0; i < host->num_called; i++)
        more = (host->conns[i].adapter != NULL && read_adapter(host, i)) || more;
    return more;
}

/* ---- the loop ---- */

static bool serve_listener(gw_host *host, const gw_host_listener *l, char *why, size_t why_cap)
{
    if (l->adapter != NULL)
        return true; /* it has woken us; it is read in each round */
    if (l->stream)
        return accept_stream(host, l, why, why_cap);
    unsigned burst = host->num_listeners == 1 ? BURST : 1;
    for (unsigned i = 0; i < burst && read_datagram(host, l, MSG_DONTWAIT); i++)
        ;
    return true;
}

/* When the datagram that comes next out of |l| came in; without one, after all others. */
static int64_t came_at(const gw_host_listener *l)
{
    int64_t stamp = INT64_MAX;
    (void)gw_socket_recv(l->fd, NULL, 0, MSG_PEEK | MSG_DONTWAIT, &stamp, NULL);
    return stamp;
}

/* Of all sockets with datagrams, leaves the one whose came first to be served; the others have
 * their turns in the next rounds. What went over one link before something else went over another
 * reaches the board in that order, also where it came while the sockets were being looked at. */
static void leave_oldest(const gw_host *host, struct pollfd *fds, const uint32_t *numbers,
                         size_t num)
{
    size_t oldest = num;
    int64_t oldest_at = INT64_MAX;
    for (size_t i = 0; i < num; i++) {
        const gw_host_listener *l = &host->listeners[numbers[i]];
        if (l->stream || l->adapter != NULL)
            continue;
        int64_t at = came_at(l);
        fds[i].revents = 0;
        if (at < oldest_at) {
            oldest = i;
            oldest_at = at;
        }
    }
    if (oldest < num)
        fds[oldest].revents = POLLIN;
}

static bool poll_once(gw_host *host, int64_t wait_ns, char *why, size_t why_cap)
{
    struct pollfd fds[GW_HOST_MAX_LISTENERS + GW_PEER_MAX_CONNS];
    uint32_t numbers[GW_HOST_MAX_LISTENERS + GW_PEER_MAX_CONNS];
    size_t listening = 0;
    for (size_t i = 0; i < host->num_listeners; i++) {
        if (host->listeners[i].calls && host->listeners[i].stream)
            continue; /* it is a connection */
        numbers[listening] = (uint32_t)i;
        fds[listening++] = (struct pollfd){.fd = host->listeners[i].fd, .events = POLLIN};
    }
    size_t num = listening;
    for (uint32_t i = 0; host->num_streams > 0 && i < GW_PEER_MAX_CONNS; i++) {
        const gw_host_conn *c = &host->conns[i];
        if (!c->used || !c->stream)
            continue;
        numbers[num] = i;
        fds[num++] = (struct pollfd){.fd = c->fd, .events = c->pending_len > 0 ? POLLOUT : POLLIN};
    }
    struct timespec ts = {wait_ns / 1000000000, wait_ns % 1000000000};
    int ready = ppoll(fds, num, &ts, NULL);
    if (ready < 0) {
        if (errno == EINTR)
            return true;
        snprintf(why, why_cap, "poll: %s", strerror(errno));
        return false;
    }
    for (size_t i = listening; i < num; i++) {
        if (fds[i].revents == 0 || !host->conns[numbers[i]].used)
            continue;
        if (fds[i].events == POLLOUT)
            gw_host_write_pending(host, numbers[i]);
        else
            read_stream(host, numbers[i]);
        /* The end of one, too, may make the board close others. */
        gw_host_end_closing(host);
    }
    if (ready > 0 && listening > 1)
        leave_oldest(host, fds, numbers, listening);
    for (size_t i = 0; i < listening; i++) {
        if (fds[i].revents != 0 &&
            !serve_listener(host, &host->listeners[numbers[i]], why, why_cap))
            return false;
    }
    return true;
}

static bool is_done(const gw_host *host)
{
    return host->board->done != NULL && host->board->done(host->state);
}

static void start(gw_host *host)
{
    if (host->started)
        return;
    host->started = true;
    gw_host_step(host, GW_PEER_START);
    for (uint32_t i = 0; i < host->num_called; i++)
        gw_host_tell(host, GW_PEER_OPEN, i, NULL, 0);
    gw_host_end_closing(host);
}

/* A single datagram socket and no timer: the socket can wait by itself, which saves a system call
 * in every exchange. */
static bool may_block(const gw_host *host)
{
    const gw_host_listener *l = &host->listeners[0];
    return host->num_listeners == 1 && !l->stream && l->impair == NULL && l->adapter == NULL &&
           host->timer == GW_PEER_NEVER;
}

static void allow_blocking(gw_host *host)
{
    struct timeval nap = {0, NAP_NS / 1000};
    for (size_t i = 0; i < host->num_listeners; i++) {
        if (!host->listeners[i].stream)
            setsockopt(host->listeners[i].fd, SOL_SOCKET, SO_RCVTIMEO, &nap, sizeof(nap));
    }
}

bool gw_host_run(gw_host *host, const volatile sig_atomic_t *stop, char *why, size_t why_cap)
{
    allow_blocking(host);
    start(host);
    while (!*stop && !is_done(host)) {
        if (may_block(host)) {
            read_datagram(host, &host->listeners[0], 0);
            continue;
        }
        bool more = read_adapters(host);
        let_go(host);
        int64_t now = gw_clock_ns(CLOCK_MONOTONIC);
        int64_t left = host->timer == GW_PEER_NEVER ? NAP_NS : host->timer - now;
        int64_t due = next_due(host);
        if (due != GW_IMPAIR_NEVER && due - now < left)
            left = due > now ? due - now : 0;
        if (host->timer <= now) {
            gw_host_step(host, GW_PEER_TIMER);
            left = 0;
        }
        if (more)
            left = 0;
        if (!poll_once(host, left < NAP_NS ? left : NAP_NS, why, why_cap))
            return false;
    }
    return true;
}
