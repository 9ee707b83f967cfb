/* SPDX-License-Identifier: BSD-2-Clause */
/* A bad network for real: two network namespaces, each with one interface, and between them this
 * program, which carries Ethernet frames from one to the other and impairs what is IPv4 on its way.
 * A board runs in one, whoever tests it in the other:
 *
 *     between 'rtt=20ms&loss=0.05&seed=1' BOARD... ::: TESTER...
 *
 * The board has 10.77.0.2, the tester 10.77.0.1. The tester starts when the board has said
 * something, the board is ended when the tester has ended, and the exit status is the tester's; 77
 * where the system refuses what this needs. ARP, which has no checksum, is left alone. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "goldwire/cursor.h"
#include "harness/impair.h"
#include "harness/socket.h"
#include "harness/transport.h"

enum { TESTER, BOARD, PARTIES, SKIP = 77, PATIENCE_MS = 20000 };

#define NAP_NS INT64_C(20000000)

static const char *const addresses[PARTIES] = {"10.77.0.1", "10.77.0.2"};

/* One end: its process, and the interface that its kernel sends through. */
typedef struct party {
    char **command;
    pid_t pid;
    int line; /* over which the process hands its interface over, and is told to go on */
    int frames;
    gw_impair way; /* of what it sends */
} party;

static party parties[PARTIES];

/* ---- inside a namespace ---- */

static bool write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    return close(fd) == 0 && ok;
}

/* A network of its own: as root directly, else as root of a user namespace. */
static bool enter_namespace(void)
{
    char users[32];
    char groups[32];
    (void)snprintf(users, sizeof(users), "0 %u 1", geteuid());
    (void)snprintf(groups, sizeof(groups), "0 %u 1", getegid());
    if (unshare(CLONE_NEWNET) == 0)
        return true;
    return unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0 &&
           write_file("/proc/self/setgroups", "deny") && write_file("/proc/self/uid_map", users) &&
           write_file("/proc/self/gid_map", groups);
}

static bool set_address(int fd, struct ifreq *request, unsigned long what, const char *address)
{
    struct sockaddr_in in = {.sin_family = AF_INET};
    if (inet_pton(AF_INET, address, &in.sin_addr) != 1)
        return false;
    memcpy(&request->ifr_addr, &in, sizeof(in));
    return ioctl(fd, what, request) == 0;
}

static bool bring_up(int fd, struct ifreq *request)
{
    if (ioctl(fd, SIOCGIFFLAGS, request) != 0)
        return false;
    request->ifr_flags |= IFF_UP;
    return ioctl(fd, SIOCSIFFLAGS, request) == 0;
}

static bool set_up(const char *address, uint32_t mtu)
{
    struct ifreq lo = {.ifr_name = "lo"};
    struct ifreq net = {.ifr_name = "net0"};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool ok = fd >= 0 && bring_up(fd, &lo) && set_address(fd, &net, SIOCSIFADDR, address) &&
              set_address(fd, &net, SIOCSIFNETMASK, "255.255.255.0");
    net.ifr_mtu = (int)mtu;
    ok = ok && (mtu == 0 || ioctl(fd, SIOCSIFMTU, &net) == 0) && bring_up(fd, &net);
    if (fd >= 0)
        close(fd);
    return ok;
}

/* The interface net0, as its driver: what the kernel sends through it is read here. */
static int open_interface(void)
{
    struct ifreq request = {.ifr_name = "net0", .ifr_flags = IFF_TAP | IFF_NO_PI};
    int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && ioctl(fd, TUNSETIFF, &request) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool hand_over(int line, int fd)
{
    char byte = 0;
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    struct iovec iov = {&byte, 1};
    struct msghdr msg = {.msg_iov = &iov,
                         .msg_iovlen = 1,
                         .msg_control = &control,
                         .msg_controllen = sizeof(control)};
    struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(fd));
    memcpy(CMSG_DATA(c), &fd, sizeof(fd));
    return sendmsg(line, &msg, MSG_NOSIGNAL) == 1;
}

/* A party's process until its command takes over. |out| becomes its standard output, unless -1. */
static _Noreturn void live(unsigned number, int line, uint32_t mtu, int out)
{
    char go;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!enter_namespace()) {
        fprintf(stderr, "no network namespace can be made here: %s\n", strerror(errno));
        _exit(SKIP);
    }
    int fd = open_interface();
    if (fd < 0 || !set_up(addresses[number], mtu)) {
        fprintf(stderr, "no interface can be made here (/dev/net/tun): %s\n", strerror(errno));
        _exit(SKIP);
    }
    /* The interface is up as long as somebody has it. */
    if (!hand_over(line, fd) || read(line, &go, 1) != 1)
        _exit(SKIP);
    if (out >= 0)
        (void)dup2(out, STDOUT_FILENO);
    execvp(parties[number].command[0], parties[number].command);
    fprintf(stderr, "%s: %s\n", parties[number].command[0], strerror(errno));
    _exit(127);
}

/* ---- between them ---- */

static int take_over(int line)
{
    char byte;
    int fd = -1;
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    struct iovec iov = {&byte, 1};
    struct msghdr msg = {.msg_iov = &iov,
                         .msg_iovlen = 1,
                         .msg_control = &control,
                         .msg_controllen = sizeof(control)};
    if (recvmsg(line, &msg, MSG_CMSG_CLOEXEC) != 1)
        return -1;
    struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
    if (c != NULL && c->cmsg_type == SCM_RIGHTS)
        memcpy(&fd, CMSG_DATA(c), sizeof(fd));
    return fd;
}

static bool start(unsigned number, uint32_t mtu, int out)
{
    int ends[2];
    party *p = &parties[number];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    p->pid = fork();
    if (p->pid == 0)
        live(number, ends[1], mtu, out);
    close(ends[1]);
    p->line = ends[0];
    p->frames = p->pid > 0 ? take_over(ends[0]) : -1;
    return p->frames >= 0;
}

static bool let_go(const party *p)
{
    return write(p->line, "g", 1) == 1;
}

/* What comes out at one end goes in at the other. */
static void pass(void *arg, const void *note, const uint8_t *frame, size_t len)
{
    const party *to = arg;
    (void)note;
    /* A kernel that takes no more drops, as a switch would. */
    (void)!write(to->frames, frame, len);
}

static void carry(party *from, const party *to)
{
    uint8_t frame[GW_IMPAIR_MAX];
    ssize_t len = read(from->frames, frame, sizeof(frame));
    bool ipv4 = len > 14 && gw_load_be16(frame + 12) == 0x0800;
    if (len > 0 && ipv4)
        gw_impair_put(&from->way, gw_clock_ns(CLOCK_MONOTONIC), "", 0, frame, (size_t)len);
    else if (len > 0)
        pass((void *)(uintptr_t)to, NULL, frame, (size_t)len);
}

/* Carries for a while, at most until something is heard from |also| (-1: nothing is listened to).
 */
static bool carry_on(int also)
{
    struct pollfd fds[3] = {{.fd = parties[TESTER].frames, .events = POLLIN},
                            {.fd = parties[BOARD].frames, .events = POLLIN},
                            {.fd = also, .events = POLLIN}};
    int64_t now = gw_clock_ns(CLOCK_MONOTONIC);
    int64_t left = NAP_NS;
    for (unsigned i = 0; i < PARTIES; i++) {
        int64_t due = gw_impair_next(&parties[i].way);
        if (due != GW_IMPAIR_NEVER && due - now < left)
            left = due > now ? due - now : 0;
    }
    struct timespec time = {left / 1000000000, left % 1000000000};
    (void)ppoll(fds, 3, &time, NULL);
    for (unsigned i = 0; i < PARTIES; i++) {
        if ((fds[i].revents & POLLIN) != 0)
            carry(&parties[i], &parties[1 - i]);
        gw_impair_run(&parties[i].way, gw_clock_ns(CLOCK_MONOTONIC));
    }
    return fds[2].revents != 0;
}

static void begin_impairing(const gw_impairment *what)
{
    gw_impairment frames = *what;
    frames.mtu = 0; /* the interfaces have it */
    for (unsigned i = 0; i < PARTIES; i++) {
        party *p = &parties[i];
        gw_impair_init(&p->way, &frames, i, pass, &parties[1 - i]);
        p->way.kind = GW_IMPAIR_FRAMES;
        p->way.begun_ns = gw_clock_ns(CLOCK_MONOTONIC);
    }
}

static int status_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Runs the tester while the board is there; its exit status. */
static int run_both(int said)
{
    int status = 0;
    if (!let_go(&parties[BOARD]))
        return SKIP;
    int64_t until = gw_clock_ns(CLOCK_MONOTONIC) + PATIENCE_MS * INT64_C(1000000);
    while (!carry_on(said)) {
        if (gw_clock_ns(CLOCK_MONOTONIC) > until ||
            waitpid(parties[BOARD].pid, &status, WNOHANG) != 0) {
            fprintf(stderr, "the board did not start\n");
            return 1;
        }
    }
    if (!let_go(&parties[TESTER]))
        return 1;
    /* What happens to frames, and when the link is down, is counted from here. */
    for (unsigned i = 0; i < PARTIES; i++)
        parties[i].way.begun_ns = gw_clock_ns(CLOCK_MONOTONIC);
    while (waitpid(parties[TESTER].pid, &status, WNOHANG) == 0)
        (void)carry_on(-1);
    parties[TESTER].pid = 0;
    return status_of(status);
}

static void end_all(void)
{
    for (unsigned i = 0; i < PARTIES; i++) {
        if (parties[i].pid <= 0)
            continue;
        (void)kill(parties[i].pid, SIGTERM);
        (void)waitpid(parties[i].pid, NULL, 0);
    }
}

static bool read_path(gw_impairment *out, const char *options)
{
    char text[256];
    char why[256];
    gw_url url;
    (void)snprintf(text, sizeof(text), "roce://127.0.0.1?%s", options);
    if (gw_url_parse(&url, text, why, sizeof(why))) {
        *out = url.impairment;
        return true;
    }
    fprintf(stderr, "%s: %s\n", options, why);
    return false;
}

/* PATH BOARD... ::: TESTER... */
static bool read_commands(int argc, char **argv)
{
    for (int i = 3; i + 1 < argc; i++) {
        if (strcmp(argv[i], ":::") != 0)
            continue;
        argv[i] = NULL;
        parties[BOARD].command = argv + 2;
        parties[TESTER].command = argv + i + 1;
        return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    gw_impairment path = {0};
    int said[2];
    if (!read_commands(argc, argv) || !read_path(&path, argv[1])) {
        fprintf(stderr, "usage: %s IMPAIRMENTS BOARD... ::: TESTER...\n", argv[0]);
        return 2;
    }
    if (pipe2(said, O_CLOEXEC) != 0)
        return 1;
    int status = SKIP;
    if (start(BOARD, path.mtu, said[1]) && start(TESTER, path.mtu, -1)) {
        close(said[1]);
        begin_impairing(&path);
        status = run_both(said[0]);
    }
    end_all();
    return status;
}
