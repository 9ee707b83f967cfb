/* SPDX-License-Identifier: BSD-2-Clause */
/* The helper process at a cable of our own, and what it is asked. A socket belongs to the network
 * that it was made in, whoever holds it: so the helper makes them, and hands them over. */
#include "cable.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/cable.h"
#include "harness/stop.h"
#include "sockets.h"

#define PATIENCE_S 10 /* more than the helper ever takes, unless the machine stands still */

struct gw_cable {
    pid_t helper;
    int line; /* to it */
};

/* What the helper answers, with the socket where there is one. */
typedef struct answer {
    bool ok;
    uint8_t mac[6];
    char why[160];
} answer;

/* ---- the helper ---- */

static bool hand_over(int line, const answer *a, int fd)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    struct iovec iov = {(void *)(uintptr_t)a, sizeof(*a)};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
    if (fd >= 0) {
        msg.msg_control = &control;
        msg.msg_controllen = sizeof(control);
        struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(fd));
        memcpy(CMSG_DATA(c), &fd, sizeof(fd));
    }
    return sendmsg(line, &msg, MSG_NOSIGNAL) == (ssize_t)sizeof(*a);
}

/* Serves until the other end of |line| is closed, or its process gone. */
static _Noreturn void serve(int line, pid_t parent)
{
    answer a = {0};
    uint8_t end;
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGINT, &ignore, NULL); /* a terminal's ^C is for the parent */
    a.ok = gw_netns_enter(a.why, sizeof(a.why)) && gw_netns_cable(a.why, sizeof(a.why));
    /* Entering another namespace forgets it, so not before. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || !hand_over(line, &a, -1) || !a.ok)
        _exit(1);
    while (recv(line, &end, sizeof(end), 0) == (ssize_t)sizeof(end)) {
        memset(&a, 0, sizeof(a));
        int fd = gw_packet_socket(gw_cable_ends[end & 1], a.mac, a.why, sizeof(a.why));
        a.ok = fd >= 0;
        if (!hand_over(line, &a, fd))
            break;
        if (fd >= 0)
            close(fd);
    }
    _exit(0);
}

/* ---- asking it ---- */

/* Takes the helper's answer; *fd gets the socket, or -1. */
static bool take_over(int line, answer *a, int *fd)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec iov = {a, sizeof(*a)};
    struct msghdr msg = {.msg_iov = &iov,
                         .msg_iovlen = 1,
                         .msg_control = &control,
                         .msg_controllen = sizeof(control)};
    ssize_t got;
    *fd = -1;
    do {
        got = recvmsg(line, &msg, MSG_CMSG_CLOEXEC);
    } while (got < 0 && errno == EINTR && !gw_stopped());
    if (got != (ssize_t)sizeof(*a))
        return false;
    const struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
    if (c != NULL && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(c), sizeof(*fd));
    return true;
}

static bool start_helper(gw_cable *cable, char *why, size_t why_cap)
{
    int ends[2];
    struct timeval patience = {.tv_sec = PATIENCE_S};
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        (void)snprintf(why, why_cap, "socketpair: %s", strerror(errno));
        return false;
    }
    cable->helper = fork();
    if (cable->helper == 0) {
        close(ends[0]);
        serve(ends[1], parent);
    }
    int code = errno;
    close(ends[1]);
    cable->line = ends[0];
    (void)setsockopt(cable->line, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    if (cable->helper > 0)
        return true;
    (void)snprintf(why, why_cap, "fork: %s", strerror(code));
    return false;
}

gw_cable *gw_cable_lay(char *why, size_t why_cap)
{
    answer a = {0};
    int fd;
    gw_cable *cable = calloc(1, sizeof(*cable));
    if (cable == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        return NULL;
    }
    cable->line = -1;
    bool ok = start_helper(cable, why, why_cap);
    if (ok && !take_over(cable->line, &a, &fd))
        (void)snprintf(a.why, sizeof(a.why), "the process that should lay a cable is gone");
    if (ok && a.ok)
        return cable;
    if (ok)
        (void)snprintf(why, why_cap, "%s", a.why);
    gw_cable_free(cable);
    return NULL;
}

gw_transport *gw_cable_open(gw_cable *cable, unsigned end, uint8_t mac[6], char *why,
                            size_t why_cap)
{
    uint8_t request = (uint8_t)end;
    answer a = {0};
    int fd = -1;
    if (send(cable->line, &request, sizeof(request), MSG_NOSIGNAL) != (ssize_t)sizeof(request) ||
        !take_over(cable->line, &a, &fd)) {
        (void)snprintf(why, why_cap, "the process at the cable is gone");
        return NULL;
    }
    memcpy(mac, a.mac, sizeof(a.mac));
    if (fd >= 0)
        return gw_packet_over(fd, why, why_cap);
    (void)snprintf(why, why_cap, "%s", a.why);
    return NULL;
}

void gw_cable_free(gw_cable *cable)
{
    if (cable == NULL)
        return;
    if (cable->line >= 0)
        close(cable->line);
    if (cable->helper > 0) {
        /* It ends by itself once nobody asks any more, and holds nothing that could wait. */
        (void)kill(cable->helper, SIGKILL);
        while (waitpid(cable->helper, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    free(cable);
}
