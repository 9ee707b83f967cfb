/* SPDX-License-Identifier: BSD-2-Clause */
/* Where stations on an Ethernet are, and how they are reached. */
#include "device/dut_raw.h"

#include <stdio.h>
#include <string.h>

#include "goldwire/cursor.h"

enum { NEAR_END, FAR_END }; /* of a cable */

#define DYNAMIC_PORTS 49152
#define ANY_PORT 50000 /* of a format that has none of its own */

static const gw_endpoint board_address = {.ip = {192, 168, 119, 2}, .family = GW_FAMILY_IPV4};
static const gw_endpoint our_address = {.ip = {192, 168, 119, 1}, .family = GW_FAMILY_IPV4};
static const gw_endpoint board_address6 = {.ip = {0xfe, 0x80, [14] = 119, 2},
                                           .family = GW_FAMILY_IPV6};
static const gw_endpoint our_address6 = {.ip = {0xfe, 0x80, [14] = 119, 1},
                                         .family = GW_FAMILY_IPV6};

static bool same_port(const gw_board *role, unsigned link)
{
    return role != NULL && (role->same_port_links >> link & 1) != 0;
}

static uint16_t usual_port(const gw_board *role, unsigned link)
{
    const gw_format *format = role != NULL ? gw_board_link_format(role, link) : NULL;
    return format != NULL && format->num_udp_ports > 0 ? format->udp_ports[0] : 0;
}

bool gw_raw_place(gw_url *url, const gw_board *role, unsigned link, char *why, size_t why_cap)
{
    gw_raw_options *way = &url->raw;
    if (role != NULL && (role->ethernet_links >> link & 1) == 0) {
        (void)snprintf(why, why_cap, "link %s of %s is no Ethernet port: raw:// is not for it",
                       role->links[link], role->role);
        return false;
    }
    if (way->to.port == 0)
        way->to.port = usual_port(role, link);
    if (way->local.port == 0 && same_port(role, link) && !way->tcp)
        way->local.port = way->to.port;
    if (role != NULL)
        way->style = gw_board_link_format(role, link)->ip_style;
    gw_transport *t = gw_raw_open(url, why, why_cap);
    gw_transport_close(t);
    return t != NULL;
}

bool gw_raw_lay(gw_port *port, const gw_board *board, const gw_peer_config *config,
                const gw_raw_options *way, char *why, size_t why_cap)
{
    gw_endpoint here = way->ipv6 ? board_address6 : board_address;
    unsigned link;
    if (!gw_board_ethernet_link(board, &link)) {
        (void)snprintf(why, why_cap, "over=raw: %s has no Ethernet port", board->role);
        return false;
    }
    uint16_t usual = usual_port(board, link);
    here.port = usual != 0 ? usual : ANY_PORT;
    gw_port_lay(port, board, config, link, &here, &way->vlan);
    return true;
}

/* Who we are on connection |number|, but for the hardware address. */
static gw_raw_setup station_to(const gw_port *port, unsigned number)
{
    bool ipv6 = port->here.family == GW_FAMILY_IPV6;
    gw_raw_setup setup = {.local = ipv6 ? our_address6 : our_address,
                          .remote = port->here,
                          .vlan = port->vlan,
                          .style = port->inner->format->ip_style,
                          .guard_fd = -1};
    setup.local.port = same_port(port->inner, port->link)
                           ? port->here.port
                           : (uint16_t)(DYNAMIC_PORTS + number % (65536 - DYNAMIC_PORTS));
    return setup;
}

gw_raw_setup gw_raw_ends(const gw_raw_options *way, const gw_board *role, unsigned link,
                         bool own_port, unsigned number)
{
    gw_raw_setup ends = {.local = our_address, .remote = board_address, .guard_fd = -1};
    uint16_t usual = usual_port(role, link);
    if (way->to.family != GW_FAMILY_NONE)
        ends.remote = way->to;
    if (way->local.family != GW_FAMILY_NONE)
        ends.local = way->local;
    if (ends.remote.port == 0)
        ends.remote.port = usual != 0 ? usual : ANY_PORT;
    if (ends.local.port == 0)
        ends.local.port = own_port ? ends.remote.port
                                   : (uint16_t)(DYNAMIC_PORTS + number % (65536 - DYNAMIC_PORTS));
    ends.style = role != NULL ? gw_board_link_format(role, link)->ip_style : NULL;
    gw_ether_mac_of(ends.mac, &ends.local);
    return ends;
}

bool gw_raw_far(gw_cable *cable, const gw_port *port, gw_spawn_link *out, char *why, size_t why_cap)
{
    uint8_t mac[6];
    *out = (gw_spawn_link){.link = port->link, .here = port->here, .vlan = port->vlan};
    out->frames = gw_cable_open(cable, FAR_END, mac, why, why_cap);
    return out->frames != NULL;
}

gw_transport *gw_raw_near(gw_cable *cable, const gw_port *port, unsigned number,
                          const gw_impairment *what, char *why, size_t why_cap)
{
    gw_raw_setup setup = station_to(port, number);
    gw_transport *frames = gw_cable_open(cable, NEAR_END, setup.mac, why, why_cap);
    frames = gw_impair_transport(frames, what, true, why, why_cap);
    return frames != NULL ? gw_raw_over(frames, &setup, why, why_cap) : NULL;
}

gw_transport *gw_raw_in_memory(gw_mem *mem, const gw_port *port, unsigned number, char *why,
                               size_t why_cap)
{
    gw_raw_setup setup = station_to(port, number);
    gw_transport *frames = gw_mem_connect(mem, port->link, false, why, why_cap);
    if (frames == NULL)
        return NULL;
    gw_ether_mac_of(setup.mac, &setup.local);
    return gw_raw_over(frames, &setup, why, why_cap);
}
