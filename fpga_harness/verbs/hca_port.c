/* SPDX-License-Identifier: BSD-2-Clause */
/* The ib:// transport's adapter, port and addresses. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hca.h"

#define HOPS 64

static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff}; /* ::ffff:0:0/96 */

static bool is_ipv4(const union ibv_gid *gid)
{
    return memcmp(gid->raw, mapped, sizeof(mapped)) == 0;
}

static bool is_link_local(const union ibv_gid *gid)
{
    return gid->raw[0] == 0xfe && (gid->raw[1] & 0xc0) == 0x80;
}

/* ---- the adapter ---- */

static bool open_device(gw_hca *hca, const char *name, char *why, size_t why_cap)
{
    int num = 0;
    char names[160] = "";
    struct ibv_device **list = hca->verbs.get_device_list(&num);
    for (int i = 0; list != NULL && i < num; i++) {
        const char *found = hca->verbs.get_device_name(list[i]);
        size_t len = strlen(names);
        if (strcmp(found, name) == 0)
            hca->context = hca->verbs.open_device(list[i]);
        if (hca->context != NULL)
            break;
        (void)snprintf(names + len, sizeof(names) - len, "%s%s", len > 0 ? " " : "", found);
    }
    if (hca->context == NULL)
        (void)snprintf(why, why_cap, "ib://%s: no such adapter, or it cannot be opened; there %s%s",
                       name, names[0] != '\0' ? "are: " : "is none", names);
    if (list != NULL)
        hca->verbs.free_device_list(list);
    return hca->context != NULL;
}

static bool look_at_port(gw_hca *hca, const gw_url *url, char *why, size_t why_cap)
{
    struct ibv_port_attr attr = {0};
    hca->port = (uint8_t)url->port;
    int code = hca->verbs.query_port(hca->context, hca->port, (void *)&attr);
    if (code != 0) {
        (void)snprintf(why, why_cap, "ib://%s/%u: %s", url->host, url->port, strerror(code));
        return false;
    }
    if (attr.state != IBV_PORT_ACTIVE) {
        (void)snprintf(why, why_cap, "ib://%s/%u: the port is not active", url->host, url->port);
        return false;
    }
    hca->ethernet = attr.link_layer == IBV_LINK_LAYER_ETHERNET;
    hca->active_mtu = (uint8_t)attr.active_mtu;
    hca->adapter.lid = hca->ethernet ? 0 : attr.lid;
    hca->adapter.mtu = UINT32_C(128) << attr.active_mtu;
    return true;
}

/* ---- addresses ---- */

/* Reads lid:NUMBER. False when |text| is none. */
static bool read_lid(const char *text, uint16_t *lid)
{
    char *end;
    if (strncmp(text, "lid:", 4) != 0)
        return false;
    unsigned long value = strtoul(text + 4, &end, 0);
    *lid = (uint16_t)value;
    return end != text + 4 && *end == '\0' && value > 0 && value < 0xc000;
}

static bool read_gid(const char *text, union ibv_gid *gid)
{
    memcpy(gid->raw, mapped, sizeof(mapped));
    return inet_pton(AF_INET, text, gid->raw + sizeof(mapped)) == 1 ||
           inet_pton(AF_INET6, text, gid->raw) == 1;
}

static bool read_other_side(gw_hca *hca, char *why, size_t why_cap)
{
    if (hca->ethernet ? read_gid(hca->options.to, &hca->there)
                      : read_lid(hca->options.to, &hca->dlid))
        return true;
    (void)snprintf(why, why_cap, "to=%s: %s", hca->options.to,
                   hca->ethernet ? "over Ethernet the other side has an IPv4 or IPv6 address"
                                 : "on an InfiniBand link the other side has a LID of 1 to 0xbfff: "
                                   "to=lid:NUMBER");
    return false;
}

/* How well our GID |entry| suits the way to the other side; 0: not at all. */
static unsigned suits(const gw_hca *hca, const struct ibv_gid_entry *entry)
{
    if (entry->gid_type != IBV_GID_TYPE_ROCE_V2 || is_ipv4(&entry->gid) != is_ipv4(&hca->there))
        return 0;
    return is_link_local(&entry->gid) == is_link_local(&hca->there) ? 2 : 1;
}

static bool find_gid(gw_hca *hca, char *why, size_t why_cap)
{
    enum { MAX_GIDS = 256 };
    unsigned best = 0;
    for (int i = 0; i < MAX_GIDS; i++) {
        struct ibv_gid_entry entry = {0};
        bool asked = i == hca->options.gid;
        if ((hca->options.gid >= 0 && !asked) ||
            hca->verbs.query_gid_ex(hca->context, hca->port, (uint32_t)i, &entry, 0,
                                    sizeof(entry)) != 0)
            continue;
        unsigned now = asked ? 3 : suits(hca, &entry);
        if (now <= best)
            continue;
        best = now;
        hca->gid_index = i;
        hca->here = entry.gid;
    }
    if (best > 0)
        return true;
    (void)snprintf(why, why_cap,
                   "to=%s: the port has no RoCEv2 address to reach it from; see gid= and the "
                   "network interface's addresses",
                   hca->options.to);
    return false;
}

static gw_endpoint end_of_gid(const union ibv_gid *gid)
{
    gw_endpoint end = {.port = GW_ROCE_PORT};
    end.family = is_ipv4(gid) ? GW_FAMILY_IPV4 : GW_FAMILY_IPV6;
    if (is_ipv4(gid))
        memcpy(end.ip, gid->raw + sizeof(mapped), 4);
    else
        memcpy(end.ip, gid->raw, 16);
    return end;
}

static void name_ends(gw_hca *hca)
{
    if (hca->has_grh) {
        hca->t.local = end_of_gid(&hca->here);
        hca->t.remote = end_of_gid(&hca->there);
    } else {
        hca->t.local = gw_ib_lid_endpoint(hca->adapter.lid);
        hca->t.remote = gw_ib_lid_endpoint(hca->dlid);
    }
}

bool gw_hca_find_port(gw_hca *hca, const gw_url *url, char *why, size_t why_cap)
{
    if (!open_device(hca, url->host, why, why_cap) || !look_at_port(hca, url, why, why_cap) ||
        !read_other_side(hca, why, why_cap))
        return false;
    hca->has_grh = hca->ethernet;
    if (hca->has_grh && !find_gid(hca, why, why_cap))
        return false;
    name_ends(hca);
    return true;
}

void gw_hca_route(const gw_hca *hca, struct ibv_ah_attr *out, uint8_t sl)
{
    *out = (struct ibv_ah_attr){.sl = sl, .port_num = hca->port, .dlid = hca->dlid};
    if (!hca->has_grh)
        return;
    out->is_global = 1;
    out->grh.dgid = hca->there;
    out->grh.sgid_index = (uint8_t)hca->gid_index;
    out->grh.hop_limit = HOPS;
}
