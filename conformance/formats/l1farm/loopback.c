/* SPDX-License-Identifier: BSD-2-Clause */
/* Datagrams over loopback, one at a time. */
#include "formats/l1farm/loopback.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 1000

static struct sockaddr_in loopback(uint16_t port)
{
    struct sockaddr_in a = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return a;
}

static bool open_one(gw_l1_loopback *l, char *why, size_t why_cap)
{
    struct sockaddr_in a = loopback(0);
    socklen_t len = sizeof(a);
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    if (s >= 0)
        l->sockets[l->num++] = s;
    if (s < 0 || bind(s, (struct sockaddr *)&a, len) != 0 ||
        getsockname(s, (struct sockaddr *)&a, &len) != 0) {
        (void)snprintf(why, why_cap, "no socket on loopback: %s", strerror(errno));
        return false;
    }
    l->ends[l->num - 1] =
        (gw_endpoint){.ip = {127, 0, 0, 1}, .port = ntohs(a.sin_port), .family = GW_FAMILY_IPV4};
    return true;
}

bool gw_l1_loopback_open(gw_l1_loopback *l, unsigned num, char *why, size_t why_cap)
{
    for (unsigned i = 0; i < num && i < GW_L1_LOOPBACK_MAX; i++) {
        if (!open_one(l, why, why_cap))
            return false;
    }
    return true;
}

static int64_t now_ms(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Takes one datagram; true when it is the one of |len| bytes from |port|. */
static bool take(int s, uint16_t port, uint8_t *bytes, size_t len)
{
    struct sockaddr_in sender = {0};
    socklen_t sender_len = sizeof(sender);
    ssize_t got =
        recvfrom(s, bytes, len, MSG_TRUNC | MSG_DONTWAIT, (struct sockaddr *)&sender, &sender_len);

    return got == (ssize_t)len && ntohs(sender.sin_port) == port;
}

bool gw_l1_loopback_cross(gw_l1_loopback *l, unsigned from, unsigned to, uint8_t *bytes, size_t len,
                          char *why, size_t why_cap)
{
    struct sockaddr_in there = loopback(l->ends[to].port);
    const int s = l->sockets[to];
    int64_t deadline = now_ms() + PATIENCE_MS, left;

    if (sendto(l->sockets[from], bytes, len, MSG_DONTWAIT, (struct sockaddr *)&there,
               sizeof(there)) != (ssize_t)len) {
        (void)snprintf(why, why_cap, "cannot send over loopback: %s", strerror(errno));
        return false;
    }
    while ((left = deadline - now_ms()) > 0) {
        struct pollfd ready = {.fd = s, .events = POLLIN};
        if (poll(&ready, 1, (int)left) == 1 && take(s, l->ends[from].port, bytes, len))
            return true;
    }
    (void)snprintf(why, why_cap, "a datagram to port %u was lost on loopback", l->ends[to].port);
    return false;
}

void gw_l1_loopback_close(gw_l1_loopback *l)
{
    for (unsigned i = 0; i < l->num; i++)
        (void)close(l->sockets[i]);
    l->num = 0;
}
