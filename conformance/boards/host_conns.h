/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside a host: its sockets, and whom the board talks to over them. */
#ifndef GOLDWIRE_BOARDS_HOST_CONNS_H
#define GOLDWIRE_BOARDS_HOST_CONNS_H

#include "boards/host.h"
#include "boards/port.h"
#include "harness/impair.h"
#include "harness/socket.h"

#define GW_HOST_MAX_LISTENERS 8

/* What happens to the datagrams of one listener. */
typedef struct gw_host_impair {
    struct gw_host *host;
    size_t listener; /* index */
    gw_impair in;    /* its notes are gw_address, whom from ... */
    gw_impair out;   /* ... and uint32_t, which connection to */
} gw_host_impair;

typedef struct gw_host_listener {
    int fd;
    uint8_t link;
    bool stream;
    bool roce;
    gw_host_impair *impair; /* NULL: nothing */
    gw_transport *adapter;  /* through which it goes; NULL: a socket */
    bool calls;             /* not listening: the board's own end towards whom it calls */
    bool frames;            /* an Ethernet port: the adapter carries whole frames */
} gw_host_listener;

/* A connection, or the sender of datagrams from one address. */
typedef struct gw_host_conn {
    gw_address address;
    gw_address answer_to; /* the same, but for RoCEv2's port */
    gw_endpoint here;     /* as the board is told */
    gw_endpoint there;
    size_t carries;        /* likewise */
    uint64_t last_used;    /* number of the event */
    int fd;                /* of a datagram sender, the listener's */
    gw_transport *adapter; /* likewise */
    uint8_t link;
    bool used;
    bool stream;
    bool closing;     /* the board wants it closed */
    uint8_t *pending; /* bytes that a stream has not taken yet; nothing more is read until then */
    size_t pending_len;
} gw_host_conn;

struct gw_host {
    const gw_board *board;
    void *state;
    int64_t timer;
    uint64_t events;
    gw_host_listener listeners[GW_HOST_MAX_LISTENERS];
    size_t num_listeners;
    gw_host_conn conns[GW_PEER_MAX_CONNS];
    size_t num_streams;
    uint32_t last_sender; /* the next datagram is likely to be from whom the last one was */
    bool closing;         /* some connection is */
    uint32_t num_called;  /* the first so many conns are whom the board calls */
    bool started;
    bool same_port;    /* datagrams are answered to the board's own port, whatever port asked */
    gw_port port;      /* laid before one of the board's links, when |board| is port.board */
    char port_url[64]; /* where that is */
    char trouble[160]; /* why an adapter did not send something, the first time */
    gw_peer_out out;
    uint8_t buf[65536];
};

/* gw_host_make returns a host without a board, and gw_host_set_up sets |board| up in it; where that
 * fails |host| is freed. Both return NULL with a text in |why| when they fail. */
gw_host *gw_host_make(char *why, size_t why_cap);
gw_host *gw_host_set_up(gw_host *host, const gw_board *board, const gw_peer_config *config,
                        char *why, size_t why_cap);

/* gw_host_connect_board gives the board of |host| its ways out. */
void gw_host_connect_board(gw_host *host);

/* gw_host_send_datagram sends to connection |number|, past all impairments. */
void gw_host_send_datagram(gw_host *host, uint32_t number, const uint8_t *data, size_t len);

/* gw_host_take_datagram gives the board a datagram that came for |l| from |from|. */
void gw_host_take_datagram(gw_host *host, const gw_host_listener *l, const gw_address *from,
                           const uint8_t *data, size_t len);

/* gw_host_prepare_stream makes a new stream's socket send at once. */
void gw_host_prepare_stream(int fd);

/* gw_host_step gives the board an event of no connection. */
void gw_host_step(gw_host *host, gw_peer_event_kind kind);

/* gw_host_tell gives the board an event of connection |number|. */
void gw_host_tell(gw_host *host, gw_peer_event_kind kind, uint32_t number, const uint8_t *data,
                  size_t len);

/* gw_host_take_number returns a free number, or that of the datagram sender who has been silent
 * longest; GW_PEER_MAX_CONNS when there is none. */
uint32_t gw_host_take_number(gw_host *host);

/* gw_host_begin_conn begins the connection |number| and tells the board. */
void gw_host_begin_conn(gw_host *host, uint32_t number, int fd, const gw_host_listener *l,
                        const gw_address *address);

/* gw_host_end_conn ends it and tells the board. */
void gw_host_end_conn(gw_host *host, uint32_t number);

/* gw_host_end_closing ends what the board has closed. To be called after the board was told
 * something. */
void gw_host_end_closing(gw_host *host);

/* gw_host_sender returns the number of whoever sends datagrams from |address|, a new one if need
 * be; GW_PEER_MAX_CONNS when there is none. */
uint32_t gw_host_sender(gw_host *host, const gw_host_listener *l, const gw_address *address);

/* gw_host_write_pending sends what a stream had not taken. */
void gw_host_write_pending(gw_host *host, uint32_t number);

#endif
