/* SPDX-License-Identifier: BSD-2-Clause */
/* What traces hold, through cores/loopback in a real simulator: each UDP payload over ports of
 * several widths, each whole frame over one of kind ethernet, comes back byte for byte, and alone:
 * traces_test SIMULATE_SH SIMULATOR TRACE... Exit status 77: the simulator is not installed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "goldwire/net.h"
#include "harness/capture.h"
#include "harness/sim.h"

#define START_NS INT64_C(300000000000) /* of the wall's clock: it may have to be built first */
#define LOOK_NS INT64_C(200000000)
#define WAIT_NS INT64_C(500000) /* of simulated time: the longest takes a byte in three cycles */
#define FRAMES 40               /* of each trace */
#define LARGEST 9216
#define SKIP 77

static const unsigned lanes[] = {0, 1, 2, 3, 4};
#define ETHERNET_LANE 11

static const gw_endpoint here = {.family = GW_FAMILY_IPV4, .ip = {10, 0, 0, 1}, .port = 4791};
static const gw_endpoint there = {.family = GW_FAMILY_IPV4, .ip = {10, 0, 0, 2}, .port = 4791};

static void give_up(const char *what)
{
    fprintf(stderr, "traces_test: %s\n", what);
    exit(1);
}

/* Ends with the simulator's own status when it is over before it calls. */
static pid_t start(gw_sim *sim, const char *script, const char *simulator)
{
    char why[256] = "";
    pid_t child = fork();
    if (child == 0) {
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
        execl(script, script, simulator, "loopback", (char *)NULL);
        _exit(9);
    }
    for (int64_t left_ns = START_NS; !gw_sim_await(sim, LOOK_NS, why, sizeof(why));
         left_ns -= LOOK_NS) {
        int status = 0;
        if (waitpid(child, &status, WNOHANG) == child) {
            gw_sim_free(sim);
            exit(WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : 1);
        }
        if (left_ns <= 0)
            give_up(why);
    }
    return child;
}

static void cross(gw_sim *sim, unsigned lane, const uint8_t *data, size_t len)
{
    static uint8_t back[LARGEST];
    char why[256] = "";
    size_t got = 0;
    gw_transport *t = gw_sim_open(sim, lane, &here, &there, why, sizeof(why));
    if (t == NULL || !t->ops->send(t, data, len))
        give_up(t == NULL ? why : t->error);
    int64_t deadline = t->ops->now(t) + WAIT_NS;
    if (t->ops->recv(t, back, sizeof(back), &got, deadline, NULL, NULL) != GW_RECV_DATA)
        give_up("nothing came back");
    if (got != len || memcmp(back, data, len) != 0)
        give_up("what came back is not what was sent");
    gw_transport_close(t);
}

/* Returns how many frames crossed. */
static unsigned cross_trace(gw_sim *sim, const char *path)
{
    char why[256] = "";
    gw_frame frame;
    gw_net net;
    unsigned num = 0;
    gw_capture *capture = gw_capture_open(path, why, sizeof(why));
    if (capture == NULL)
        give_up(why);
    while (num < FRAMES && gw_capture_next(capture, &frame) == GW_CAPTURE_FRAME) {
        gw_cursor bytes = gw_cursor_over(frame.data, frame.cap_len);
        if (gw_net_parse(&net, frame.link_type, bytes, frame.len) != GW_NET_OK)
            continue;
        size_t len = (size_t)(net.payload.end - net.payload.p);
        for (size_t i = 0; i < sizeof(lanes) / sizeof(lanes[0]) && len > 0; i++)
            cross(sim, lanes[i], net.payload.p, len);
        if (net.link != NULL)
            cross(sim, ETHERNET_LANE, frame.data, frame.cap_len);
        num++;
    }
    gw_capture_close(capture);
    return num;
}

int main(int argc, char **argv)
{
    char why[256] = "", name[64];
    if (argc < 4)
        give_up("usage: traces_test SIMULATE_SH SIMULATOR TRACE...");
    (void)snprintf(name, sizeof(name), "traces-%s-%ld", argv[2], (long)getpid());
    gw_sim *sim = gw_sim_listen(name, why, sizeof(why));
    if (sim == NULL)
        give_up(why);
    pid_t child = start(sim, argv[1], argv[2]);
    if (!gw_sim_is_ethernet(sim, ETHERNET_LANE))
        give_up("the testbench has no port of kind ethernet");
    for (int i = 3; i < argc; i++) {
        unsigned num = cross_trace(sim, argv[i]);
        printf("%s: %u frames came back as they were sent\n", argv[i], num);
        if (num == 0)
            give_up("the trace has no frame to send");
    }
    gw_sim_free(sim);
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        give_up("the simulator ended badly");
    return 0;
}
