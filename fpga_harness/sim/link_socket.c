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

/* Tells a second simulator at the same path that it is one too many: it would wait for ever. */
static void refuse_another(const gw_sim *sim)
{
    static const char text[] = "another testbench already talks to this goldwire";
    uint8_t message[GW_WIRE_HEADER + 8 + sizeof(text) - 1] = {0};
    gw_wire_head head = {.command = GW_WIRE_ERROR, .len = sizeof(message) - GW_WIRE_HEADER};
    int fd = accept4(sim->listen_fd, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0)
        return;
    gw_wire_put_head(message, &head);
    memcpy(message + GW_WIRE_HEADER + 8, text, sizeof(text) - 1);
    (void)send(fd, message, sizeof(message), MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)close(fd);
}

/* Waits until |events| come; false when the simulator hangs or goldwire is told to stop. */
static bool await(gw_sim *sim, short events)
{
    int64_t since_ns = gw_clock_ns(CLOCK_MONOTONIC);
    struct pollfd both[] = {{.fd = sim->fd, .events = events},
                            {.fd = sim->listen_fd, .events = POLLIN}};
    while (gw_sim_is_there(sim) && !gw_stopped()) {
        int num = poll(both, 2, LOOK_MS);
        /* Of one that is gone the next may already call: its end is heard first. */
        if (num > 0 && both[0].revents != 0)
            return true;
        if (num > 0)
            refuse_another(sim);
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
