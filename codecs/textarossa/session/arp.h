/* SPDX-License-Identifier: BSD-2-Clause */
/* What ARP says of those who send datagrams: the part of a session that looks below IP. */
#ifndef TEXTAROSSA_SESSION_ARP_H
#define TEXTAROSSA_SESSION_ARP_H

#include "goldwire/net.h"
#include "textarossa/internal.h"

/* A rule that somebody broke before it was known that he sends datagrams of ours. */
typedef struct gw_tx_breach {
    uint64_t frame;
    const char *text;    /* NULL: none was */
    uint32_t numbers[2]; /* for the text */
    uint8_t rule;        /* gw_tx_rule_place */
} gw_tx_breach;

/* gw_tx_station is one address of an interface. Only those that send datagrams of ours, or are sent
 * some, are judged. */
typedef struct gw_tx_station {
    uint64_t used;    /* 0: free */
    int64_t heard_ns; /* when its last datagram came */
    gw_tx_breach fault;
    uint32_t ip;
    uint32_t interface;
    uint8_t hw[6];
    bool is_ours;    /* it takes part in datagrams of ours */
    bool is_alive;   /* it has sent one, at |heard_ns| */
    bool asks_first; /* the first that was captured of it is an ARP request: its table was empty */
} gw_tx_station;

/* gw_tx_ask is what one station knows of another. */
typedef struct gw_tx_ask {
    uint64_t used;  /* 0: free */
    uint64_t frame; /* of the request that waits for its answer; 0: none does */
    int64_t time_ns;
    uint32_t from;
    uint32_t to;
    uint32_t interface;
    uint8_t hw[6];    /* what it was told last in reply */
    uint8_t other[6]; /* what else it may have taken up since */
    bool is_asked;    /* by a request, answered or not */
    bool is_known;    /* some address is */
    bool is_sure;     /* |hw| is it, ... */
    bool has_other;   /* ... unless it is |other| */
    bool is_told;     /* a departure was reported: what follows is its echo */
} gw_tx_ask;

enum { GW_TX_STATIONS = 32, GW_TX_ASKS = 64 };

/* gw_tx_arp_table is all that is remembered. When there is more the oldest goes, and nobody can be
 * said to have asked for nothing any more. */
typedef struct gw_tx_arp_table {
    uint64_t clock;
    bool is_lossy;
    gw_tx_station stations[GW_TX_STATIONS];
    gw_tx_ask asks[GW_TX_ASKS];
} gw_tx_arp_table;

/* gw_tx_arp_table_packet takes an ARP packet. */
void gw_tx_arp_table_packet(gw_tx_arp_table *n, const gw_message *message, gw_verdict_sink *sink);

/* gw_tx_arp_table_datagram takes a datagram; those that are not over IPv4 and Ethernet say
 * nothing. */
void gw_tx_arp_table_datagram(gw_tx_arp_table *n, const gw_message *message,
                              const gw_dialect *dialect, gw_verdict_sink *sink);

/* gw_tx_arp_table_advance reports requests that were not answered for |give_up_ns|, by stations
 * that sent datagrams since. |revealed_by| is the frame that shows it. */
void gw_tx_arp_table_advance(gw_tx_arp_table *n, int64_t now_ns, int64_t give_up_ns,
                             uint64_t revealed_by, gw_verdict_sink *sink);

#endif
