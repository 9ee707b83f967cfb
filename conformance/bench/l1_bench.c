/* SPDX-License-Identifier: BSD-2-Clause */
/* The Level-1 farm's sub-events: how many of 128 bytes one core reads and checks in memory, beside
 * memcpy of the same bytes and beside the prototype's 1.24 million a second and readout unit; and
 * how many pass a loopback socket, through the transport and with bare sendmmsg and recvmmsg. The
 * two ways over the socket take turns, so that a machine that changes its mind changes it for both.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/aim.h"
#include "goldwire/cursor.h"
#include "goldwire/l1farm.h"
#include "harness/transport.h"

enum {
    ROUNDS = 9,
    UNITS = 3,
    EVENTS = 256,
    DATAGRAM = GW_L1_SHIM + GW_L1_SUBEVENT,
    TURNS = 5,
    BURSTS = 3000,
    BATCH = 64,
};

#define PROTOTYPE 1.24e6

static volatile uint64_t keep; /* so that no result can be optimised away */
static uint8_t datagrams[EVENTS][UNITS][DATAGRAM], copy[sizeof datagrams];

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

static _Noreturn void die(const char *what)
{
    perror(what);
    exit(4);
}

/* ---- in memory: all events once ---- */

static __attribute__((noinline)) uint64_t copy_all(void)
{
    memcpy(copy, datagrams, sizeof copy);
    return copy[0];
}

/* What a compute node does: header, the three TagIDs, and every word of every fragment. */
static __attribute__((noinline)) uint64_t integrity(void)
{
    uint64_t good = 0;

    for (unsigned e = 0; e < EVENTS; e++) {
        bool whole = true;
        uint16_t tag = 0;
        for (unsigned ru = 0; ru < UNITS; ru++) {
            const uint8_t *p = datagrams[e][ru];
            gw_l1_shim s = gw_l1_get_shim(p);
            if (ru == 0)
                tag = s.event;
            whole = whole && gw_l1_is_tunnel(p, DATAGRAM) && s.length == GW_L1_SUBEVENT &&
                    s.event == tag &&
                    gw_l1_words_ok(p + GW_L1_SHIM, GW_L1_SUBEVENT / GW_L1_WORD, tag);
        }
        good += whole;
    }
    return good;
}

static void ignore(gw_verdict_sink *sink, const gw_finding *finding)
{
    (void)sink;
    (void)finding;
}

/* What `goldwire check' does with a message: every field read, every rule of it judged. */
static __attribute__((noinline)) uint64_t check_all(void)
{
    gw_verdict_sink sink = {.finding = ignore};

    for (unsigned e = 0; e < EVENTS; e++) {
        for (unsigned ru = 0; ru < UNITS; ru++) {
            gw_message m = gw_message_of(datagrams[e][ru], DATAGRAM);
            m.transport = GW_OVER_UDP;
            gw_l1farm.check(&m, NULL, &sink);
        }
    }
    return EVENTS;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t num)
{
    qsort(values, num, sizeof values[0], by_value);
    return values[num / 2];
}

/* Sub-events a second of the processor: others may be at work beside. */
static double measure(uint64_t (*work)(void), unsigned repeat)
{
    double took[ROUNDS];

    for (unsigned round = 0; round < ROUNDS; round++) {
        double start = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        uint64_t sum = 0;
        for (unsigned r = 0; r < repeat; r++) {
            datagrams[0][0][10] = (uint8_t)r; /* a time step: nothing is taken from last time */
            sum += work();
        }
        keep = sum;
        took[round] = (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start) / repeat;
    }
    return EVENTS * UNITS / median(took, ROUNDS);
}

static void report(const char *what, double rate, double memory, double aim)
{
    printf("  %-34s %9.2f M/s  %6.1f x the prototype's  %5.1f %% of memcpy's rate", what,
           rate / 1e6, rate / PROTOTYPE, 100 * rate / memory);
    gw_aim_at_least(rate / PROTOTYPE, aim);
}

/* ---- over loopback ---- */

typedef struct tally {
    double rate;  /* datagrams that arrived, a second */
    double share; /* of those that were sent */
} tally;

static int bound_socket(struct sockaddr_in *at)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t len = sizeof *at;
    int room = 4 << 20;

    *at = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (fd < 0 || bind(fd, (struct sockaddr *)at, len) != 0 ||
        getsockname(fd, (struct sockaddr *)at, &len) != 0)
        die("socket");
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    struct timeval quiet = {.tv_usec = 200000};
    if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &quiet, sizeof quiet) != 0)
        die("setsockopt");
    return fd;
}

static void send_bare(const struct sockaddr_in *to)
{
    static struct iovec parts[BATCH];
    static struct mmsghdr batch[BATCH];
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || connect(fd, (const struct sockaddr *)to, sizeof *to) != 0)
        die("connect");
    for (unsigned i = 0; i < BATCH; i++) {
        parts[i] = (struct iovec){datagrams[i][0], DATAGRAM};
        batch[i].msg_hdr = (struct msghdr){.msg_iov = &parts[i], .msg_iovlen = 1};
    }
    for (unsigned i = 0; i < BURSTS; i++) {
        if (sendmmsg(fd, batch, BATCH, 0) < 0)
            die("sendmmsg");
    }
    close(fd);
}

static tally over_socket(unsigned got, double first, double last)
{
    tally t = {.rate = got > 1 ? (got - 1) / (last - first) : 0,
               .share = (double)got / (BURSTS * BATCH)};
    return t;
}

static tally receive_bare(void)
{
    static uint8_t buffers[BATCH][2048];
    struct iovec parts[BATCH];
    struct mmsghdr batch[BATCH];
    struct sockaddr_in at;
    int fd = bound_socket(&at);
    double first = 0, last = 0;
    unsigned got = 0;

    pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child == 0) {
        send_bare(&at);
        _exit(0);
    }
    for (unsigned i = 0; i < BATCH; i++) {
        parts[i] = (struct iovec){buffers[i], sizeof buffers[i]};
        memset(&batch[i], 0, sizeof batch[i]);
        batch[i].msg_hdr = (struct msghdr){.msg_iov = &parts[i], .msg_iovlen = 1};
    }
    for (;;) {
        int num = recvmmsg(fd, batch, BATCH, MSG_WAITFORONE, NULL);
        if (num <= 0)
            break;
        last = seconds();
        first = got == 0 ? last : first;
        got += (unsigned)num;
    }
    close(fd);
    (void)waitpid(child, NULL, 0);
    return over_socket(got, first, last);
}

static gw_transport *open_to(uint16_t port)
{
    char text[64], why[256] = "";
    bool unreachable;
    gw_url url;

    (void)snprintf(text, sizeof text, "udp://127.0.0.1:%u", port);
    gw_transport *t = gw_url_parse(&url, text, why, sizeof why)
                          ? gw_transport_open(&url, 1000000000, &unreachable, why, sizeof why)
                          : NULL;
    if (t == NULL) {
        fprintf(stderr, "l1_bench: %s\n", why);
        exit(4);
    }
    return t;
}

static void send_through(uint16_t port)
{
    gw_transport *t = open_to(port);

    for (unsigned i = 0; i < BURSTS * BATCH; i++)
        (void)t->ops->send(t, datagrams[i % BATCH][0], DATAGRAM);
    gw_transport_close(t);
}

/* The transport's own way, each fragment checked as it comes. */
static tally receive_through(void)
{
    char why[256] = "";
    uint8_t buffer[2048];
    double first = 0, last = 0;
    unsigned got = 0, good = 0;
    size_t len;
    gw_url url;

    if (!gw_url_parse(&url, "udp://127.0.0.1:0", why, sizeof why))
        die(why);
    gw_transport *t = gw_transport_serve(&url, why, sizeof why);
    if (t == NULL) {
        fprintf(stderr, "l1_bench: %s\n", why);
        exit(4);
    }
    pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child == 0) {
        send_through(t->local.port);
        _exit(0);
    }
    while (t->ops->recv(t, buffer, sizeof buffer, &len, t->ops->now(t) + 200000000, NULL, NULL) ==
           GW_RECV_DATA) {
        last = seconds();
        first = got == 0 ? last : first;
        got++;
        good += len == DATAGRAM && gw_l1_is_tunnel(buffer, len) &&
                gw_l1_words_ok(buffer + GW_L1_SHIM, GW_L1_SUBEVENT / GW_L1_WORD,
                               gw_l1_get_shim(buffer).event);
    }
    gw_transport_close(t);
    (void)waitpid(child, NULL, 0);
    if (good != got) {
        fprintf(stderr, "l1_bench: %u of %u fragments came broken\n", got - good, got);
        exit(4);
    }
    return over_socket(got, first, last);
}

static void over_loopback(void)
{
    double bare[TURNS], through[TURNS], bare_share[TURNS], through_share[TURNS];

    for (unsigned i = 0; i < TURNS; i++) {
        tally b = receive_bare(), t = receive_through();
        bare[i] = b.rate;
        bare_share[i] = b.share;
        through[i] = t.rate;
        through_share[i] = t.share;
    }
    double limit = median(bare, TURNS), ours = median(through, TURNS);
    printf("sub-events over loopback UDP\n");
    printf("  %-34s %9.3f M/s  %6.2f x the prototype's  %5.1f %% arrive\n",
           "bare sendmmsg and recvmmsg of 64", limit / 1e6, limit / PROTOTYPE,
           100 * median(bare_share, TURNS));
    printf("  %-34s %9.3f M/s  %6.2f x the prototype's  %5.1f %% arrive, %.2f of the bare rate\n",
           "the transport, and each one checked", ours / 1e6, ours / PROTOTYPE,
           100 * median(through_share, TURNS), ours / limit);
}

int main(void)
{
    for (unsigned e = 0; e < EVENTS; e++) {
        for (unsigned ru = 0; ru < UNITS; ru++) {
            gw_l1_shim s = {.version = 1,
                            .kind = GW_L1_KIND_SUBEVENT,
                            .little = true,
                            .ru = (uint8_t)ru,
                            .dest = (uint16_t)(e % 26),
                            .event = (uint16_t)(e * 251),
                            .length = GW_L1_SUBEVENT};
            gw_l1_put_shim(datagrams[e][ru], &s);
            gw_l1_put_words(datagrams[e][ru] + GW_L1_SHIM, s.event, 0, GW_L1_SUBEVENT / GW_L1_WORD);
        }
    }
    if (integrity() != EVENTS) {
        fprintf(stderr, "l1_bench: good events are called broken\n");
        return 4;
    }
    double memory = measure(copy_all, 2000);
    printf("sub-events of %d bytes, one core; the prototype ran %.2f M/s a readout unit\n",
           GW_L1_SUBEVENT, PROTOTYPE / 1e6);
    report("memcpy", memory, memory, 0);
    report("header and integrity check", measure(integrity, 2000), memory, 0);
    report("every field and rule", measure(check_all, 20), memory, 5);
    fflush(stdout);
    over_loopback();
    return 0;
}
