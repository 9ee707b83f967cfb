/* SPDX-License-Identifier: BSD-2-Clause */
/* Boards behind an Ethernet port, hosted: frames come and go through one socket. */
#include <stdio.h>
#include <stdlib.h>

#include "boards/host_conns.h"
#include "goldwire/text.h"
#include "harness/raw.h"

static bool is_port(const gw_board *board, unsigned link, char *why, size_t why_cap)
{
    if (link < GW_PEER_MAX_LINKS && (board->ethernet_links >> link & 1) != 0)
        return true;
    snprintf(why, why_cap, "link %s of %s is no Ethernet port", board->links[link], board->role);
    return false;
}

/* The frames' transport is both where the host listens and the one connection there is. */
static void add_wire(gw_host *host, unsigned link, gw_transport *frames, const char *name)
{
    gw_host_listener l = {.link = (uint8_t)link,
                          .calls = true,
                          .frames = true,
                          .adapter = frames,
                          .fd = gw_packet_fd(frames)};
    gw_text text = gw_text_over(host->port_url, sizeof(host->port_url));
    gw_text_str(&text, "raw://");
    gw_text_str(&text, name);
    gw_text_str(&text, "?local=");
    gw_text_endpoint(&text, &host->port.here);
    for (size_t i = 0; i < host->port.vlan.num; i++) {
        gw_text_str(&text, i == 0 ? "&vlan=" : ".");
        gw_text_dec(&text, host->port.vlan.ids[i]);
    }
    host->listeners[host->num_listeners++] = l;
    host->conns[host->num_called++] =
        (gw_host_conn){.used = true, .fd = l.fd, .link = l.link, .adapter = frames};
}

gw_host *gw_host_new_behind(const gw_board *board, const gw_peer_config *config, unsigned link,
                            const gw_endpoint *here, const gw_vlan *vlan, gw_transport *frames,
                            const char *name, char *why, size_t why_cap)
{
    gw_host *host = is_port(board, link, why, why_cap) ? gw_host_make(why, why_cap) : NULL;
    if (host != NULL) {
        gw_port_lay(&host->port, board, config, link, here, vlan);
        host = gw_host_set_up(host, &host->port.board, &host->port.config, why, why_cap);
    }
    if (host == NULL)
        gw_transport_close(frames);
    else
        add_wire(host, link, frames, name);
    return host;
}

gw_host *gw_host_new_at(const gw_board *board, const gw_peer_config *config, unsigned link,
                        const gw_url *url, char *why, size_t why_cap)
{
    uint8_t mac[6];
    if (!is_port(board, link, why, why_cap))
        return NULL;
    if (url->raw.local.port == 0) {
        snprintf(why, why_cap, "raw://%s: say which address the board has: ?local=IP:PORT",
                 url->host);
        return NULL;
    }
    if (gw_impairs(&url->impairment)) {
        snprintf(why, why_cap,
                 "raw://%s: a software board's frames are impaired at the other end: give the "
                 "options to whoever calls it",
                 url->host);
        return NULL;
    }
    gw_transport *frames = gw_packet_open(url->host, mac, why, why_cap);
    if (frames == NULL)
        return NULL;
    return gw_host_new_behind(board, config, link, &url->raw.local, &url->raw.vlan, frames,
                              url->host, why, why_cap);
}
