/* SPDX-License-Identifier: BSD-2-Clause */
/* What a round trip of a conformance run costs: a request through the transport to the software
 * slave's process and its reply back, beside the bare blocking ping-pong of two processes on the
 * same two processors. The two take turns, so that a machine that changes its mind changes it for
 * both. */
#include <arpa/inet.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/aim.h"
#include "boards/peer.h"
#include "boards/spawn.h"
#include "goldwire/etherbone.h"
#include "harness/transport.h"

enum { TURNS = 15, EXCHANGES = 2000 };

static _Noreturn void die(const char *what)
{
    perror(what);
    exit(4);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Ties this process to the |n|th processor it may use; whoever it forks inherits that. */
static void pin(unsigned n)
{
    static cpu_set_t all;
    static bool known;
    cpu_set_t one;

    if (!known && sched_getaffinity(0, sizeof all, &all) != 0)
        die("sched_getaffinity");
    known = true;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &all) || n-- > 0)
            continue;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        if (sched_setaffinity(0, sizeof one, &one) != 0)
            die("sched_setaffinity");
        return;
    }
}

static int udp_socket(struct sockaddr_in *bound)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t len = sizeof *bound;
    struct timeval limit = {.tv_sec = 2};

    *bound = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (fd < 0 || bind(fd, (struct sockaddr *)bound, sizeof *bound) != 0 ||
        getsockname(fd, (struct sockaddr *)bound, &len) != 0 ||
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) != 0)
        die("socket");
    return fd;
}

/* The bare peer: sends back what comes, until its parent goes. */
static pid_t echo_process(struct sockaddr_in *address)
{
    int fd = udp_socket(address);
    pid_t pid = fork();

    if (pid < 0)
        die("fork");
    if (pid > 0) {
        close(fd);
        return pid;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
        uint8_t buf[2048];
        struct sockaddr_in from;
        socklen_t len = sizeof from;
        ssize_t got = recvfrom(fd, buf, sizeof buf, 0, (struct sockaddr *)&from, &len);
        if (got >= 0)
            (void)sendto(fd, buf, (size_t)got, 0, (struct sockaddr *)&from, len);
    }
}

static double bare_turn(int fd, const uint8_t *request, size_t len)
{
    uint8_t reply[2048];
    double start = seconds();

    for (unsigned i = 0; i < EXCHANGES; i++) {
        if (send(fd, request, len, 0) != (ssize_t)len || recv(fd, reply, sizeof reply, 0) < 0)
            die("ping-pong");
    }
    return (seconds() - start) / EXCHANGES * 1e6;
}

static double goldwire_turn(gw_transport *t, const uint8_t *request, size_t len)
{
    uint8_t reply[2048];
    double start = seconds();

    for (unsigned i = 0; i < EXCHANGES; i++) {
        size_t got;
        int64_t stamp;
        gw_endpoint from;
        gw_eb_reader reader;
        gw_eb_record record;
        if (!t->ops->send(t, request, len) ||
            t->ops->recv(t, reply, sizeof reply, &got, t->ops->now(t) + INT64_C(2000000000), &stamp,
                         &from) != GW_RECV_DATA)
            die("round trip");
        gw_message m = gw_message_of(reply, got);
        if (!gw_eb_open(&reader, &m, NULL) || !gw_eb_next(&reader, &record))
            die("reply");
    }
    return (seconds() - start) / EXCHANGES * 1e6;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    double sorted[TURNS];
    memcpy(sorted, values, sizeof sorted);
    qsort(sorted, TURNS, sizeof sorted[0], by_value);
    return sorted[TURNS / 2];
}

static void compare(const char *how, unsigned board_cpu)
{
    static const gw_spawn_link listen = {.url = "udp://127.0.0.1:0"};
    double bare[TURNS], ours[TURNS], ratio[TURNS];
    uint8_t request[64];
    uint64_t address = 0;
    gw_eb_builder b;
    gw_eb_operation op = {.reads = &address,
                          .num_reads = 1,
                          .return_base = 0x8000,
                          .flags = GW_EB_CYC | GW_EB_BCA | GW_EB_RFF,
                          .byte_enable = 0x0f};
    gw_peer_config config = {0};
    struct sockaddr_in to, mine;
    char why[256];
    bool unreachable;
    gw_url url;

    if (!gw_eb_build_packet(&b, request, sizeof request, 0x44, NULL) ||
        !gw_eb_build_record(&b, &op))
        die("request");
    size_t len = gw_eb_build_end(&b, false);

    pin(board_cpu);
    pid_t echo = echo_process(&to);
    gw_spawn *board =
        gw_spawn_board(gw_board_by_role("etherbone-slave"), &config, &listen, 1, why, sizeof why);
    pin(0);
    int fd = udp_socket(&mine);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0)
        die("connect");
    gw_transport *t = NULL;
    if (board != NULL && gw_url_parse(&url, gw_spawn_url(board, 0), why, sizeof why))
        t = gw_transport_open(&url, INT64_C(2000000000), &unreachable, why, sizeof why);
    if (t == NULL) {
        fprintf(stderr, "%s\n", why);
        exit(4);
    }
    (void)bare_turn(fd, request, len); /* warm */
    (void)goldwire_turn(t, request, len);
    for (unsigned i = 0; i < TURNS; i++) {
        bare[i] = bare_turn(fd, request, len);
        ours[i] = goldwire_turn(t, request, len);
        ratio[i] = ours[i] / bare[i];
    }
    printf("round trip over loopback UDP, %s\n", how);
    printf("  %-34s %9.2f us  %6.2f x\n", "bare blocking ping-pong", median(bare), 1.0);
    printf("  %-34s %9.2f us  %6.2f x", "read through transport and slave", median(ours),
           median(ratio));
    gw_aim_at_most(median(ratio), 1.1);
    gw_transport_close(t);
    gw_spawn_stop(board);
    close(fd);
    kill(echo, SIGKILL);
    waitpid(echo, NULL, 0);
}

int main(void)
{
    compare("both processes on one processor", 0);
    compare("a processor each", 1);
    return 0;
}
