/* SPDX-License-Identifier: BSD-2-Clause */
/* A board that means harm: hostile WHAT serves on a loopback port that it prints, until it is
 * killed.
 *
 *   many       answers each request ten thousand times
 *   endless    answers, and then goes on sending for ever
 *   giant      answers with the longest datagram there is, full of terminal commands
 *   elsewhere  answers from another address
 *   stream     TCP: sends for ever, and reads nothing
 *   slow       TCP: answers a byte a second */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST 65507 /* bytes of a datagram over IPv4 */
#define CLIENTS 64

static uint8_t message[MOST];

static int serve(int type, const char *address, int tell)
{
    struct sockaddr_in here = {.sin_family = AF_INET};
    socklen_t len = sizeof(here);
    int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
    (void)inet_pton(AF_INET, address, &here.sin_addr);
    if (fd < 0 || bind(fd, (struct sockaddr *)&here, sizeof(here)) != 0 ||
        getsockname(fd, (struct sockaddr *)&here, &len) != 0 ||
        (type == SOCK_STREAM && listen(fd, CLIENTS) != 0)) {
        perror("hostile");
        exit(2);
    }
    if (tell) {
        printf("%u\n", ntohs(here.sin_port));
        fflush(stdout);
    }
    return fd;
}

/* Turns an EtherBone probe into its response; anything else is echoed. */
static size_t answer(uint8_t *out, size_t len)
{
    if (len >= 4 && out[0] == 0x4e && out[1] == 0x6f && (out[2] & 1) != 0)
        out[2] = (uint8_t)((out[2] & 0xf0) | 0x06);
    return len;
}

static void serve_datagrams(const char *what)
{
    int fd = serve(SOCK_DGRAM, "127.0.0.1", 1);
    int other = serve(SOCK_DGRAM, "127.0.0.3", 0);
    int endless = strcmp(what, "endless") == 0;
    int from = strcmp(what, "elsewhere") == 0 ? other : fd;
    struct sockaddr_in client = {0};
    socklen_t client_len = sizeof(client);
    size_t len = 0;
    for (;;) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        if (poll(&ready, 1, endless && len > 0 ? 0 : -1) > 0) {
            ssize_t got =
                recvfrom(fd, message, sizeof(message), 0, (struct sockaddr *)&client, &client_len);
            len = got > 0 ? answer(message, (size_t)got) : 0;
        }
        if (strcmp(what, "giant") == 0) {
            for (size_t i = len; i < sizeof(message); i++)
                message[i] = (uint8_t) "\x1b[2J"[i % 4];
            len = sizeof(message);
        }
        int times = strcmp(what, "many") == 0 ? 10000 : 1;
        for (int i = 0; i < times; i++)
            (void)sendto(from, message, len, 0, (struct sockaddr *)&client, client_len);
    }
}

static void serve_streams(const char *what)
{
    int listener = serve(SOCK_STREAM, "127.0.0.1", 1);
    int slow = strcmp(what, "slow") == 0;
    struct pollfd fds[CLIENTS + 1] = {{.fd = listener, .events = POLLIN}};
    nfds_t num = 1;
    memset(message, 0x4e, sizeof(message));
    for (;;) {
        if (poll(fds, num, slow ? 1000 : -1) > 0 && (fds[0].revents & POLLIN) != 0 &&
            num <= CLIENTS)
            fds[num++] =
                (struct pollfd){.fd = accept(listener, NULL, NULL), .events = slow ? 0 : POLLOUT};
        for (nfds_t i = 1; i < num; i++) {
            if (!slow && (fds[i].revents & POLLOUT) == 0 && (fds[i].revents & POLLHUP) == 0)
                continue;
            if (send(fds[i].fd, message, slow ? 1 : sizeof(message), MSG_NOSIGNAL | MSG_DONTWAIT) >=
                0)
                continue;
            if ((fds[i].revents & (POLLERR | POLLHUP)) == 0)
                continue;
            (void)close(fds[i].fd);
            fds[i--] = fds[--num];
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    (void)signal(SIGPIPE, SIG_IGN);
    if (strcmp(argv[1], "stream") == 0 || strcmp(argv[1], "slow") == 0)
        serve_streams(argv[1]);
    serve_datagrams(argv[1]);
}
