/* SPDX-License-Identifier: BSD-2-Clause */
/* Whole Ethernet frames of an interface (AF_PACKET), as a transport whose datagrams they are. */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/raw.h"
#include "harness/vlan.h"
#include "sockets.h"

#ifndef PACKET_IGNORE_OUTGOING
#define PACKET_IGNORE_OUTGOING 23 /* linux/if_packet.h, from 4.20 on */
#endif

static bool packet_send(gw_transport *t, const uint8_t *data, size_t len)
{
    gw_sockets *s = (gw_sockets *)t;
    if (gw_sockets_refuse(t, gw_vlan_counted(data, len)))
        return false;
    while (send(s->fd, data, len, MSG_NOSIGNAL) < 0) {
        if (errno == EINTR)
            continue;
        t->unreachable = t->unreachable || gw_sockets_is_theirs(errno);
        return gw_sockets_fail(s, "send", errno);
    }
    return true;
}

static gw_recv_status packet_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                                  int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    gw_sockets *s = (gw_sockets *)t;
    int64_t stamp; /* comes as VLAN tags do, beside the frame */
    ssize_t got =
        gw_sockets_recv(s, buf, cap, deadline, stamp_ns != NULL ? stamp_ns : &stamp, NULL);
    if (got < 0 && errno == EAGAIN)
        return GW_RECV_TIMEOUT;
    if (got < 0) {
        t->unreachable = t->unreachable || gw_sockets_is_theirs(errno);
        gw_sockets_fail(s, "receive", errno);
        return GW_RECV_ERROR;
    }
    if (from != NULL)
        memset(from, 0, sizeof(*from));
    *len = (size_t)got;
    return GW_RECV_DATA;
}

/* A frame of the longest packet that interface |name| takes; 0: not known. */
static size_t longest_frame(int fd, const char *name)
{
    struct ifreq request = {0};
    gw_impairment path = {0};
    (void)snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
    if (ioctl(fd, SIOCGIFMTU, &request) == 0 && request.ifr_mtu > 0)
        path.mtu = (uint32_t)request.ifr_mtu;
    return gw_impair_carries(&path, GW_IMPAIR_FRAMES);
}

static const gw_transport_ops packet_ops = {
    .now = gw_sockets_now,
    .send = packet_send,
    .recv = packet_recv,
    .wait = gw_sockets_wait,
    .close = gw_sockets_close,
};

/* Names the interfaces that there are. */
static void name_others(char *why, size_t why_cap)
{
    struct if_nameindex *all = if_nameindex();
    for (const struct if_nameindex *one = all; one != NULL && one->if_index != 0; one++) {
        size_t len = strlen(why);
        (void)snprintf(why + len, why_cap - len, "%s%s", one == all ? "; there are: " : " ",
                       one->if_name);
    }
    if (all != NULL)
        if_freenameindex(all);
}

static bool bind_interface(int fd, const char *name, uint8_t mac[6], char *why, size_t why_cap)
{
    struct ifreq request = {0};
    struct sockaddr_ll at = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL)};
    struct packet_mreq promiscuous = {.mr_type = PACKET_MR_PROMISC};
    int on = 1;

    (void)snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
    if (strlen(name) >= sizeof(request.ifr_name) || ioctl(fd, SIOCGIFINDEX, &request) != 0) {
        (void)snprintf(why, why_cap, "raw://%s: there is no such interface", name);
        name_others(why, why_cap);
        return false;
    }
    at.sll_ifindex = promiscuous.mr_ifindex = request.ifr_ifindex;
    if (ioctl(fd, SIOCGIFHWADDR, &request) != 0 || request.ifr_hwaddr.sa_family != 1) {
        (void)snprintf(why, why_cap, "raw://%s: is no Ethernet", name);
        return false;
    }
    memcpy(mac, request.ifr_hwaddr.sa_data, 6);
    if (ioctl(fd, SIOCGIFFLAGS, &request) != 0 || (request.ifr_flags & IFF_UP) == 0) {
        (void)snprintf(why, why_cap, "raw://%s: the interface is down: `ip link set %s up'", name,
                       name);
        return false;
    }
    /* All are wishes: an older kernel shows us what we send ourselves, which is passed over. It
     * takes VLAN tags out of what comes in, and tells of them beside it. */
    (void)setsockopt(fd, SOL_PACKET, PACKET_AUXDATA, &on, sizeof(on));
    (void)setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof(on));
    (void)setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &promiscuous, sizeof(promiscuous));
    if (bind(fd, (const struct sockaddr *)&at, sizeof(at)) == 0)
        return true;
    (void)snprintf(why, why_cap, "raw://%s: %s", name, strerror(errno));
    return false;
}

int gw_packet_socket(const char *name, uint8_t mac[6], char *why, size_t why_cap)
{
    /* Protocol 0: nothing of other interfaces comes before the socket is bound. */
    int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        (void)snprintf(why, why_cap, "raw://%s: %s%s", name, strerror(errno),
                       errno == EPERM || errno == EACCES
                           ? "; whole frames need the privilege CAP_NET_RAW: be root, give it with "
                             "`setcap cap_net_raw+ep', or work in `unshare -rn'"
                           : "");
        return -1;
    }
    gw_socket_prepare(fd);
    if (bind_interface(fd, name, mac, why, why_cap))
        return fd;
    close(fd);
    return -1;
}

gw_transport *gw_packet_over(int fd, char *why, size_t why_cap)
{
    gw_sockets *s = gw_sockets_new(fd, &packet_ops, why, why_cap);
    return s != NULL ? &s->t : NULL;
}

gw_transport *gw_packet_open(const char *name, uint8_t mac[6], char *why, size_t why_cap)
{
    int fd = gw_packet_socket(name, mac, why, why_cap);
    gw_transport *t = fd >= 0 ? gw_packet_over(fd, why, why_cap) : NULL;
    if (t != NULL)
        t->carries = longest_frame(gw_packet_fd(t), name);
    return t;
}

int gw_packet_fd(const gw_transport *t)
{
    return ((const gw_sockets *)t)->fd;
}
