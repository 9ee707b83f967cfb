/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages to and from a simulator that is another process, over a local socket. The wall's clock
 * guards against one that hangs. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "harness/socket.h"
#include "harness/stop.h"
#include "link.h"

#define LOOK_MS 100

static long long now_ns(const gw_sim *sim)
{
    return (long long)(sim->now_ps / GW_SIM_PS_A_NS);
}

/* Waits until |events| come; false when the simulator hangs or goldwire is told to stop. */
static bool await(gw_sim *sim, short events)
{
    int64_t since_ns = gw_clock_ns(CLOCK_MONOTONIC);
    struct pollfd one = {.fd = sim->fd, .events = events};
    while (gw_sim_is_there(sim) && !gw_stopped()) {
        if (poll(&one, 1, LOOK_MS) > 0)
            return true;
        if (gw_clock_ns(CLOCK_MONOTONIC) - since_ns > sim->hang_ns)
            gw_sim_lose(sim,
                        "the simulator hangs: no sign of life for %lld s at %lld ns of its time",
                        (long long)(sim->hang_ns / 1000000000), now_ns(sim));
    }
    return false;
}

static bool put_pieces(gw_sim *sim, struct iovec *pieces, size_t num)
{
    while (num > 0 && gw_sim_is_there(sim)) {
        struct msghdr message = {.msg_iov = pieces, .msg_iovlen = num};
        ssize_t sent = sendmsg(sim->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno == EAGAIN) {
            /* Half a message would be worse than none. */
            if (!await(sim, POLLOUT))
                gw_sim_lose(sim, "goldwire was told to stop");
            continue;
        }
        if (sent < 0)
            gw_sim_lose(sim, "the simulator is gone: %s", strerror(errno));
        for (; sent >= 0 && num > 0 && (size_t)sent >= pieces->iov_len; pieces++, num--)
            sent -= (ssize_t)pieces->iov_len;
        if (sent > 0) {
            pieces->iov_base = (uint8_t *)pieces->iov_base + sent;
            pieces->iov_len -= (size_t)sent;
        }
    }
    return gw_sim_is_there(sim);
}

static bool socket_put(gw_sim *sim, const gw_wire_head *head, const void *body, size_t len,
                       const void *more, size_t more_len)
{
    uint8_t header[GW_WIRE_HEADER];
    struct iovec pieces[3] = {
        {header, sizeof(header)}, {(void *)body, len}, {(void *)more, more_len}};
    gw_wire_put_head(header, head);
    return put_pieces(sim, pieces, 3);
}

static size_t socket_get(gw_sim *sim, uint8_t *out, size_t cap)
{
    for (;;) {
        ssize_t got = recv(sim->fd, out, cap, MSG_DONTWAIT);
        if (got > 0)
            return (size_t)got;
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0 || errno != EAGAIN) {
            gw_sim_lose(sim, "the simulator is gone without a word at %lld ns of its time",
                        now_ns(sim));
            return 0;
        }
        if (!await(sim, POLLIN))
            return 0;
    }
}

static void socket_close(gw_sim *sim)
{
    (void)close(sim->fd);
    sim->fd = -1;
}

static const gw_sim_carrier socket_carrier = {
    .put = socket_put, .get = socket_get, .close = socket_close};

bool gw_sim_over_socket(gw_sim *sim, int fd)
{
    sim->fd = fd;
    return gw_sim_greet(sim, &socket_carrier);
}
