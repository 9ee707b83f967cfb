/* SPDX-License-Identifier: BSD-2-Clause */
/* Namespaces and virtual cables, by the kernel's own interfaces: no helper program is run. */
#include "cable.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sockets.h"

#define TRIAL_SIZE 60 /* an Ethernet frame at its shortest, without check sequence */
#define TRIAL_NUMBER 14
#define TRIAL_MS 10
#define TRIALS 200 /* fewer than there are numbers */

const char *const gw_cable_ends[2] = {"gw0", "gw1"};

/* ---- the namespace ---- */

static bool write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    return close(fd) == 0 && ok;
}

/* Whoever we are outside, we are inside. */
static bool map_ids(unsigned uid, unsigned gid)
{
    char users[32];
    char groups[32];
    (void)snprintf(users, sizeof(users), "%u %u 1", uid, uid);
    (void)snprintf(groups, sizeof(groups), "%u %u 1", gid, gid);
    return write_file("/proc/self/setgroups", "deny") && write_file("/proc/self/uid_map", users) &&
           write_file("/proc/self/gid_map", groups);
}

static bool bring_up(const char *name, char *why, size_t why_cap)
{
    struct ifreq request = {0};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    (void)snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
    bool ok = fd >= 0 && ioctl(fd, SIOCGIFFLAGS, &request) == 0;
    request.ifr_flags |= IFF_UP;
    ok = ok && ioctl(fd, SIOCSIFFLAGS, &request) == 0;
    if (!ok)
        (void)snprintf(why, why_cap, "interface %s cannot be brought up: %s", name,
                       strerror(errno));
    if (fd >= 0)
        close(fd);
    return ok;
}

bool gw_netns_enter(char *why, size_t why_cap)
{
    unsigned uid = geteuid();
    unsigned gid = getegid();
    bool user = unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0;
    /* Root in a container may have a network of its own, but no users. */
    if (!user && unshare(CLONE_NEWNET) != 0) {
        (void)snprintf(why, why_cap, "this system refuses a network namespace of our own: %s",
                       strerror(errno));
        return false;
    }
    if (!user || map_ids(uid, gid))
        return true;
    (void)snprintf(why, why_cap, "this system refuses a user namespace of our own: %s",
                   strerror(errno));
    return false;
}

/* ---- the cable ---- */

/* A netlink message that grows. */
typedef struct request {
    struct nlmsghdr head;
    struct ifinfomsg link;
    uint8_t attributes[256];
} request;

static void add(request *r, unsigned short type, const void *data, size_t len)
{
    struct rtattr a = {.rta_type = type, .rta_len = (unsigned short)RTA_LENGTH(len)};
    uint8_t *at = (uint8_t *)r + NLMSG_ALIGN(r->head.nlmsg_len);
    memcpy(at, &a, sizeof(a));
    if (len > 0)
        memcpy(at + RTA_LENGTH(0), data, len);
    r->head.nlmsg_len = NLMSG_ALIGN(r->head.nlmsg_len) + (unsigned)RTA_ALIGN(a.rta_len);
}

/* Begins an attribute that holds others; what |end| gets is its place. */
static size_t begin(request *r, unsigned short type)
{
    size_t at = NLMSG_ALIGN(r->head.nlmsg_len);
    add(r, type, NULL, 0);
    return at;
}

static void end(request *r, size_t at)
{
    unsigned short len = (unsigned short)(r->head.nlmsg_len - at);
    memcpy((uint8_t *)r + at + offsetof(struct rtattr, rta_len), &len, sizeof(len));
}

/* Sends |r| and returns what the kernel makes of it: 0, or an errno. */
static int ask_kernel(const request *r)
{
    struct {
        struct nlmsghdr head;
        struct nlmsgerr error;
        uint8_t rest[1024];
    } answer;
    struct timeval patience = {.tv_sec = 2};
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    int code = 0;
    if (fd < 0)
        return errno;
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    ssize_t got = -1;
    if (send(fd, r, r->head.nlmsg_len, 0) >= 0)
        got = recv(fd, &answer, sizeof(answer), 0);
    if (got < 0)
        code = errno;
    else if ((size_t)got < sizeof(answer.head) + sizeof(answer.error) ||
             answer.head.nlmsg_type != NLMSG_ERROR)
        code = EPROTO;
    else
        code = -answer.error.error;
    close(fd);
    return code;
}

/* IPv6 would talk on its own account; that it does not is a wish. */
static void keep_quiet(const char *name)
{
    char path[96];
    (void)snprintf(path, sizeof(path), "/proc/sys/net/ipv6/conf/%s/disable_ipv6", name);
    (void)write_file(path, "1");
}

/* Waits a little for |frame|; those sent before it may come too. */
static bool arrives(int fd, const uint8_t frame[TRIAL_SIZE])
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    uint8_t got[TRIAL_SIZE];
    while (poll(&p, 1, TRIAL_MS) > 0) {
        ssize_t len = recv(fd, got, sizeof(got), MSG_DONTWAIT);
        if (len == (ssize_t)sizeof(got) && memcmp(got, frame, sizeof(got)) == 0)
            return true;
        if (len < 0 && errno != EAGAIN)
            return false;
    }
    return false;
}

/* An interface swallows what it is given until the kernel has noticed, in its own time, that the
 * other end is up; the flags say so a moment too early. So what counts is a frame that crosses, and
 * that it is the last one sent: no other is on its way then. */
static bool carries(const char *from, const char *to, char *why, size_t why_cap)
{
    uint8_t frame[TRIAL_SIZE] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    uint8_t mac[6];
    int out = gw_packet_socket(from, mac, why, why_cap);
    if (out < 0)
        return false;
    memcpy(frame + 6, mac, sizeof(mac));
    frame[12] = 0x88; /* IEEE 802 local experimental EtherType 1, 88-B5 */
    frame[13] = 0xb5;
    int in = gw_packet_socket(to, mac, why, why_cap);
    bool ok = false;
    for (unsigned i = 0; i < TRIALS && in >= 0 && !ok; i++) {
        frame[TRIAL_NUMBER] = (uint8_t)i;
        (void)send(out, frame, sizeof(frame), 0);
        ok = arrives(in, frame);
    }
    if (in >= 0 && !ok)
        (void)snprintf(why, why_cap, "no frame crosses from interface %s to %s", from, to);
    close(out);
    if (in >= 0)
        close(in);
    return ok;
}

bool gw_netns_cable(char *why, size_t why_cap)
{
    static const struct ifinfomsg peer = {.ifi_family = AF_UNSPEC};
    request r = {.head = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)),
                          .nlmsg_type = RTM_NEWLINK,
                          .nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_EXCL | NLM_F_ACK}};
    const char *one = gw_cable_ends[0];
    const char *other = gw_cable_ends[1];
    add(&r, IFLA_IFNAME, one, strlen(one) + 1);
    size_t info = begin(&r, IFLA_LINKINFO);
    add(&r, IFLA_INFO_KIND, "veth", sizeof("veth"));
    size_t data = begin(&r, IFLA_INFO_DATA);
    size_t far = NLMSG_ALIGN(r.head.nlmsg_len);
    add(&r, VETH_INFO_PEER, &peer, sizeof(peer));
    add(&r, IFLA_IFNAME, other, strlen(other) + 1);
    end(&r, far);
    end(&r, data);
    end(&r, info);
    int code = ask_kernel(&r);
    if (code != 0) {
        (void)snprintf(why, why_cap, "this system refuses a pair of interfaces (veth): %s",
                       strerror(code));
        return false;
    }
    keep_quiet(one);
    keep_quiet(other);
    return bring_up(one, why, why_cap) && bring_up(other, why, why_cap) &&
           carries(one, other, why, why_cap) && carries(other, one, why, why_cap);
}
