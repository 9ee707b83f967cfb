/* SPDX-License-Identifier: BSD-2-Clause */
/* What a board is like: its links, and its mutants by name. */
#include "boards/peer.h"

#include <stdio.h>
#include <string.h>

unsigned gw_board_num_links(const gw_board *board)
{
    unsigned num = 0;
    while (board->links[num] != NULL)
        num++;
    return num;
}

bool gw_board_link_streams(const gw_board *board, unsigned link, bool stream)
{
    if ((board->stream_links >> link & 1) != 0)
        return true;
    return stream && (board->datagram_links >> link & 1) == 0;
}

bool gw_board_may_stream(const gw_board *board)
{
    for (unsigned i = 0; board->format->stream != NULL && i < gw_board_num_links(board); i++) {
        if (gw_board_link_streams(board, i, true) != gw_board_link_streams(board, i, false))
            return true;
    }
    return false;
}

bool gw_board_ethernet_link(const gw_board *board, unsigned *link)
{
    *link = 0;
    while (*link < GW_PEER_MAX_LINKS && (board->ethernet_links >> *link & 1) == 0)
        ++*link;
    return *link < GW_PEER_MAX_LINKS;
}

const char *gw_board_link_scheme(const gw_board *board, unsigned link, bool stream)
{
    if (gw_board_link_streams(board, link, stream))
        return "tcp";
    return (board->roce_links >> link & 1) != 0 ? "roce" : "udp";
}

const gw_format *gw_board_link_format(const gw_board *board, unsigned link)
{
    return strcmp(board->links[link], "regs") == 0 ? gw_register_format : board->format;
}

const gw_mutant *gw_mutant_by_id(const gw_board *board, const char *id)
{
    for (size_t i = 0; i < board->num_mutants; i++) {
        if (strcmp(board->mutants[i].id, id) == 0)
            return &board->mutants[i];
    }
    return NULL;
}

bool gw_peer_hurry(gw_peer_config *config, const gw_board *board, uint32_t times, char *why,
                   size_t why_cap)
{
    config->hurry = times;
    if (times == 0 || board->waits)
        return true;
    (void)snprintf(why, why_cap, "%s waits for nobody by itself: it cannot hurry", board->role);
    return false;
}
