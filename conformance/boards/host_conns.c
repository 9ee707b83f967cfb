/* SPDX-License-Identifier: BSD-2-Clause */
/* Whom a hosted board talks to: numbers for connections and senders, and what is sent to them. */
#include "boards/host_conns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Nothing is read from a client that does not take its answers, so this is never reached unless a
 * board talks without being asked. */
#define PENDING_MAX (4u << 20)

static gw_host *host_of(gw_peer_out *out)
{
    return (gw_host *)(void *)((char *)out - offsetof(gw_host, out));
}

/* ---- what the board sends ---- */

/* Keeps what the socket did not take. */
static void keep_pending(gw_host_conn *c, const uint8_t *data, size_t len)
{
    uint8_t *all = NULL;
    if (len <= PENDING_MAX - c->pending_len)
        all = realloc(c->pending, c->pending_len + len);
    if (all == NULL) {
        c->closing = true;
        return;
    }
    memcpy(all + c->pending_len, data, len);
    c->pending = all;
    c->pending_len += len;
}

static void send_stream(gw_host *host, gw_host_conn *c, const uint8_t *data, size_t len)
{
    while (len > 0 && c->pending_len == 0) {
        ssize_t sent = send(c->fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno != EAGAIN) {
            c->closing = true;
            host->closing = true;
            return;
        }
        if (sent < 0)
            break;
        data += sent;
        len -= (size_t)sent;
    }
    if (len > 0)
        keep_pending(c, data, len);
    host->closing = host->closing || c->closing;
}

/* An adapter does not send everything. */
static void send_through(gw_host *host, gw_transport *adapter, const uint8_t *data, size_t len)
{
    if (!adapter->ops->send(adapter, data, len) && host->trouble[0] == '\0')
        memcpy(host->trouble, adapter->error, sizeof(host->trouble));
}

void gw_host_send_datagram(gw_host *host, uint32_t number, const uint8_t *data, size_t len)
{
    const gw_host_conn *c = &host->conns[number];
    if (c->used && c->adapter != NULL) {
        send_through(host, c->adapter, data, len);
        return;
    }
    /* Nobody but the board itself has its port at its own address. */
    bool to_itself = host->same_port && c->there.port != c->here.port &&
                     memcmp(c->there.ip, c->here.ip, sizeof(c->here.ip)) == 0;
    /* A datagram may get lost: that is the network's right, and ours. */
    if (c->used && !c->stream && !to_itself)
        (void)!sendto(c->fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT,
                      (const struct sockaddr *)&c->answer_to.storage, c->answer_to.len);
}

static gw_host_impair *impair_of(const gw_host *host, int fd)
{
    for (size_t i = 0; i < host->num_listeners; i++) {
        if (host->listeners[i].fd == fd)
            return host->listeners[i].impair;
    }
    return NULL;
}

static void board_sends(gw_peer_out *out, unsigned link, uint32_t number, const uint8_t *data,
                        size_t len)
{
    gw_host *host = host_of(out);
    gw_host_conn *c = number < GW_PEER_MAX_CONNS ? &host->conns[number] : NULL;
    if (c == NULL || !c->used || c->link != link || c->closing)
        return;
    if (c->stream) {
        send_stream(host, c, data, len);
        return;
    }
    gw_host_impair *impair = impair_of(host, c->fd);
    if (impair != NULL)
        gw_impair_put(&impair->out, gw_clock_ns(CLOCK_MONOTONIC), &number, sizeof(number), data,
                      len);
    else
        gw_host_send_datagram(host, number, data, len);
}

static void board_closes(gw_peer_out *out, unsigned link, uint32_t number)
{
    gw_host *host = host_of(out);
    gw_host_conn *c = number < GW_PEER_MAX_CONNS ? &host->conns[number] : NULL;
    if (c == NULL || !c->used || c->link != link)
        return;
    c->closing = true;
    host->closing = true;
}

/* ---- what the board is told ---- */

void gw_host_connect_board(gw_host *host)
{
    host->out.send = board_sends;
    host->out.close = board_closes;
}

void gw_host_step(gw_host *host, gw_peer_event_kind kind)
{
    gw_peer_event event = {.kind = (uint8_t)kind};
    host->timer = host->board->step(host->state, &event, gw_clock_ns(CLOCK_MONOTONIC), &host->out);
    gw_host_end_closing(host);
}

void gw_host_tell(gw_host *host, gw_peer_event_kind kind, uint32_t number, const uint8_t *data,
                  size_t len)
{
    const gw_host_conn *c = &host->conns[number];
    gw_peer_event event = {
        .kind = (uint8_t)kind,
        .link = c->link,
        .stream = c->stream,
        .conn = number,
        .here = &c->here,
        .there = &c->there,
        .adapter = c->adapter != NULL ? c->adapter->adapter : NULL,
        .carries = c->carries,
        .data = data,
        .len = len,
    };
    host->events++;
    host->timer = host->board->step(host->state, &event, gw_clock_ns(CLOCK_MONOTONIC), &host->out);
}

void gw_host_end_conn(gw_host *host, uint32_t number)
{
    gw_host_conn *c = &host->conns[number];
    gw_host_tell(host, GW_PEER_CLOSE, number, NULL, 0);
    if (c->stream) {
        close(c->fd);
        host->num_streams--;
    }
    free(c->pending);
    memset(c, 0, sizeof(*c));
}

/* Ends what the board has closed. Telling it may close more. */
void gw_host_end_closing(gw_host *host)
{
    while (host->closing) {
        host->closing = false;
        for (uint32_t i = 0; i < GW_PEER_MAX_CONNS; i++) {
            if (host->conns[i].used && host->conns[i].closing)
                gw_host_end_conn(host, i);
        }
    }
}

/* A free number, or that of the datagram sender who has been silent longest. */
uint32_t gw_host_take_number(gw_host *host)
{
    uint32_t oldest = GW_PEER_MAX_CONNS;
    for (uint32_t i = host->num_called; i < GW_PEER_MAX_CONNS; i++) {
        const gw_host_conn *c = &host->conns[i];
        if (!c->used)
            return i;
        if (!c->stream &&
            (oldest == GW_PEER_MAX_CONNS || c->last_used < host->conns[oldest].last_used))
            oldest = i;
    }
    if (oldest < GW_PEER_MAX_CONNS)
        gw_host_end_conn(host, oldest);
    return oldest;
}

void gw_host_begin_conn(gw_host *host, uint32_t number, int fd, const gw_host_listener *l,
                        const gw_address *address)
{
    gw_host_conn *c = &host->conns[number];
    c->used = true;
    c->fd = fd;
    c->link = l->link;
    c->stream = l->stream;
    c->address = *address;
    c->here = gw_endpoint_of_socket(fd, false);
    c->there = gw_endpoint_from(&address->storage);
    c->last_used = host->events;
    c->answer_to = *address;
    if (l->roce)
        gw_address_set_port(&c->answer_to, gw_peer_roce_port(c->here.port, c->there.port));
    else if (host->same_port && !c->stream)
        gw_address_set_port(&c->answer_to, c->here.port);
    if (c->stream)
        host->num_streams++;
    gw_host_tell(host, GW_PEER_OPEN, number, NULL, 0);
    gw_host_end_closing(host);
}

static bool is_sender(const gw_host_conn *c, int fd, const gw_address *address)
{
    return c->used && !c->stream && c->fd == fd && c->address.len == address->len &&
           memcmp(&c->address.storage, &address->storage, address->len) == 0;
}

uint32_t gw_host_sender(gw_host *host, const gw_host_listener *l, const gw_address *address)
{
    if (is_sender(&host->conns[host->last_sender], l->fd, address))
        return host->last_sender;
    for (uint32_t i = 0; i < GW_PEER_MAX_CONNS; i++) {
        if (is_sender(&host->conns[i], l->fd, address))
            return i;
    }
    uint32_t number = gw_host_take_number(host);
    if (number < GW_PEER_MAX_CONNS)
        gw_host_begin_conn(host, number, l->fd, l, address);
    return number;
}

void gw_host_write_pending(gw_host *host, uint32_t number)
{
    gw_host_conn *c = &host->conns[number];
    ssize_t sent = send(c->fd, c->pending, c->pending_len, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (sent < 0) {
        gw_host_end_conn(host, number);
        return;
    }
    c->pending_len -= (size_t)sent;
    memmove(c->pending, c->pending + sent, c->pending_len);
}
