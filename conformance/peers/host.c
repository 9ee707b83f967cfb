/* SPDX-License-Identifier: BSD-2-Clause */
/* A board behind sockets: one loop without threads. */
#include "host.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "goldwire/text.h"
#include "harness/socket.h"

#define MAX_LISTENERS 8

/* The loop looks at its stop flag at least this often. */
#define NAP_NS (INT64_C(250) * 1000000)

/* Datagrams taken from one socket before the others get their turn. */
#define BURST 16

#define RECEIVE_ROOM (4 << 20)

/* Nothing is read from a client that does not take its answers, so this is never reached unless a
 * board talks without being asked. */
#define PENDING_MAX (4u << 20)

typedef struct listener {
    int fd;
    uint8_t link;
    bool stream;
    bool calls; /* not listening: the board's own end towards whom it calls */
} listener;

/* A connection, or the sender of datagrams from one address. */
typedef struct conn {
    gw_address address;
    uint64_t last_used; /* number of the event */
    int fd;             /* of a datagram sender, the listener's */
    uint8_t link;
    bool used;
    bool stream;
    bool closing;     /* the board wants it closed */
    uint8_t *pending; /* bytes that a stream has not taken yet; nothing more is read until then */
    size_t pending_len;
} conn;

struct gw_host {
    const gw_board *board;
    void *state;
    int64_t timer;
    uint64_t events;
    listener listeners[MAX_LISTENERS];
    size_t num_listeners;
    conn conns[GW_PEER_MAX_CONNS];
    size_t num_streams;
    uint32_t last_sender; /* the next datagram is likely to be from whom the last one was */
    bool closing;         /* some connection is */
    bool called;          /* conns[0] is whom the board calls */
    bool started;
    gw_peer_out out;
    uint8_t buf[65536];
};

static gw_host *host_of(gw_peer_out *out)
{
    return (gw_host *)(void *)((char *)out - offsetof(gw_host, out));
}

/* ---- what the board sends ---- */

/* Keeps what the socket did not take. */
static void keep_pending(conn *c, const uint8_t *data, size_t len)
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

static void send_stream(gw_host *host, conn *c, const uint8_t *data, size_t len)
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

static void board_sends(gw_peer_out *out, unsigned link, uint32_t number, const uint8_t *data,
                        size_t len)
{
    gw_host *host = host_of(out);
    conn *c = number < GW_PEER_MAX_CONNS ? &host->conns[number] : NULL;
    if (c == NULL || !c->used || c->link != link || c->closing)
        return;
    if (c->stream)
        send_stream(host, c, data, len);
    else /* a datagram may get lost: that is the network's right, and ours */
        (void)!sendto(c->fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT,
                      (const struct sockaddr *)&c->address.storage, c->address.len);
}

static void board_closes(gw_peer_out *out, unsigned link, uint32_t number)
{
    gw_host *host = host_of(out);
    conn *c = number < GW_PEER_MAX_CONNS ? &host->conns[number] : NULL;
    if (c == NULL || !c->used || c->link != link)
        return;
    c->closing = true;
    host->closing = true;
}

/* ---- what the board is told ---- */

static void tell(gw_host *host, gw_peer_event_kind kind, uint32_t number, const uint8_t *data,
                 size_t len)
{
    const conn *c = &host->conns[number];
    gw_peer_event event = {
        .kind = (uint8_t)kind,
        .link = c->link,
        .stream = c->stream,
        .conn = number,
        .data = data,
        .len = len,
    };
    host->events++;
    host->timer = host->board->step(host->state, &event, gw_clock_ns(CLOCK_MONOTONIC), &host->out);
}

static void end_conn(gw_host *host, uint32_t number)
{
    conn *c = &host->conns[number];
    tell(host, GW_PEER_CLOSE, number, NULL, 0);
    if (c->stream) {
        close(c->fd);
        host->num_streams--;
    }
    free(c->pending);
    memset(c, 0, sizeof(*c));
}

/* Ends what the board has closed. Telling it may close more. */
static void end_closing(gw_host *host)
{
    while (host->closing) {
        host->closing = false;
        for (uint32_t i = 0; i < GW_PEER_MAX_CONNS; i++) {
            if (host->conns[i].used && host->conns[i].closing)
                end_conn(host, i);
        }
    }
}

/* A free number, or that of the datagram sender who has been silent longest. */
static uint32_t take_number(gw_host *host)
{
    uint32_t oldest = GW_PEER_MAX_CONNS;
    for (uint32_t i = host->called ? 1 : 0; i < GW_PEER_MAX_CONNS; i++) {
        const conn *c = &host->conns[i];
        if (!c->used)
            return i;
        if (!c->stream &&
            (oldest == GW_PEER_MAX_CONNS || c->last_used < host->conns[oldest].last_used))
            oldest = i;
    }
    if (oldest < GW_PEER_MAX_CONNS)
        end_conn(host, oldest);
    return oldest;
}

static void begin_conn(gw_host *host, uint32_t number, int fd, const listener *l,
                       const gw_address *address)
{
    conn *c = &host->conns[number];
    c->used = true;
    c->fd = fd;
    c->link = l->link;
    c->stream = l->stream;
    c->address = *address;
    c->last_used = host->events;
    if (c->stream)
        host->num_streams++;
    tell(host, GW_PEER_OPEN, number, NULL, 0);
    end_closing(host);
}

static bool is_sender(const conn *c, int fd, const gw_address *address)
{
    return c->used && !c->stream && c->fd == fd && c->address.len == address->len &&
           memcmp(&c->address.storage, &address->storage, address->len) == 0;
}

static uint32_t sender_number(gw_host *host, const listener *l, const gw_address *address)
{
    if (is_sender(&host->conns[host->last_sender], l->fd, address))
        return host->last_sender;
    for (uint32_t i = 0; i < GW_PEER_MAX_CONNS; i++) {
        if (is_sender(&host->conns[i], l->fd, address))
            return i;
    }
    uint32_t number = take_number(host);
    if (number < GW_PEER_MAX_CONNS)
        begin_conn(host, number, l->fd, l, address);
    return number;
}

/* ---- sockets that have something ---- */

/* One datagram. False when there is none. */
static bool read_datagram(gw_host *host, const listener *l, int flags)
{
    gw_address from = {.len = sizeof(from.storage)};
    ssize_t len = recvfrom(l->fd, host->buf, sizeof(host->buf), flags,
                           (struct sockaddr *)&from.storage, &from.len);
    if (len < 0)
        return false;
    uint32_t number = sender_number(host, l, &from);
    if (number >= GW_PEER_MAX_CONNS)
        return true; /* as good as lost */
    host->last_sender = number;
    host->conns[number].last_used = host->events;
    tell(host, GW_PEER_BYTES, number, host->buf, (size_t)len);
    end_closing(host);
    return true;
}

static void prepare_stream(int fd)
{
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

static bool accept_stream(gw_host *host, const listener *l, char *why, size_t why_cap)
{
    gw_address from = {.len = sizeof(from.storage)};
    int fd = accept4(l->fd, (struct sockaddr *)&from.storage, &from.len, SOCK_CLOEXEC);
    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
            snprintf(why, why_cap, "accept: %s", strerror(errno));
            return false;
        }
        return true; /* the caller is gone already */
    }
    uint32_t number = take_number(host);
    if (number >= GW_PEER_MAX_CONNS) {
        close(fd);
        return true;
    }
    prepare_stream(fd);
    begin_conn(host, number, fd, l, &from);
    return true;
}

static void read_stream(gw_host *host, uint32_t number)
{
    conn *c = &host->conns[number];
    ssize_t len = recv(c->fd, host->buf, sizeof(host->buf), MSG_DONTWAIT);
    if (len < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (len <= 0) {
        end_conn(host, number);
        return;
    }
    c->last_used = host->events;
    tell(host, GW_PEER_BYTES, number, host->buf, (size_t)len);
    end_closing(host);
}

static void write_pending(gw_host *host, uint32_t number)
{
    conn *c = &host->conns[number];
    ssize_t sent = send(c->fd, c->pending, c->pending_len, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (sent < 0) {
        end_conn(host, number);
        return;
    }
    c->pending_len -= (size_t)sent;
    memmove(c->pending, c->pending + sent, c->pending_len);
}

/* ---- the loop ---- */

static bool serve_listener(gw_host *host, const listener *l, char *why, size_t why_cap)
{
    if (l->stream)
        return accept_stream(host, l, why, why_cap);
    for (unsigned i = 0; i < BURST && read_datagram(host, l, MSG_DONTWAIT); i++)
        ;
    return true;
}

static bool poll_once(gw_host *host, int64_t wait_ns, char *why, size_t why_cap)
{
    struct pollfd fds[MAX_LISTENERS + GW_PEER_MAX_CONNS];
    uint32_t numbers[MAX_LISTENERS + GW_PEER_MAX_CONNS];
    size_t listening = 0;
    for (size_t i = 0; i < host->num_listeners; i++) {
        if (host->listeners[i].calls && host->listeners[i].stream)
            continue; /* it is a connection */
        numbers[listening] = (uint32_t)i;
        fds[listening++] = (struct pollfd){.fd = host->listeners[i].fd, .events = POLLIN};
    }
    size_t num = listening;
    for (uint32_t i = 0; host->num_streams > 0 && i < GW_PEER_MAX_CONNS; i++) {
        const conn *c = &host->conns[i];
        if (!c->used || !c->stream)
            continue;
        numbers[num] = i;
        fds[num++] = (struct pollfd){.fd = c->fd, .events = c->pending_len > 0 ? POLLOUT : POLLIN};
    }
    struct timespec ts = {wait_ns / 1000000000, wait_ns % 1000000000};
    if (ppoll(fds, num, &ts, NULL) < 0) {
        if (errno == EINTR)
            return true;
        snprintf(why, why_cap, "poll: %s", strerror(errno));
        return false;
    }
    for (size_t i = listening; i < num; i++) {
        if (fds[i].revents == 0 || !host->conns[numbers[i]].used)
            continue;
        if (fds[i].events == POLLOUT)
            write_pending(host, numbers[i]);
        else
            read_stream(host, numbers[i]);
    }
    for (size_t i = 0; i < listening; i++) {
        if (fds[i].revents != 0 &&
            !serve_listener(host, &host->listeners[numbers[i]], why, why_cap))
            return false;
    }
    return true;
}

static bool is_done(const gw_host *host)
{
    return host->board->done != NULL && host->board->done(host->state);
}

static void start(gw_host *host)
{
    if (host->started)
        return;
    host->started = true;
    gw_peer_event event = {.kind = GW_PEER_START};
    host->timer = host->board->step(host->state, &event, gw_clock_ns(CLOCK_MONOTONIC), &host->out);
    if (host->called)
        tell(host, GW_PEER_OPEN, 0, NULL, 0);
    end_closing(host);
}

/* A single datagram socket and no timer: the socket can wait by itself, which saves a system call
 * in every exchange. */
static bool may_block(const gw_host *host)
{
    return host->num_listeners == 1 && !host->listeners[0].stream && host->timer == GW_PEER_NEVER;
}

static void allow_blocking(gw_host *host)
{
    struct timeval nap = {0, NAP_NS / 1000};
    for (size_t i = 0; i < host->num_listeners; i++) {
        if (!host->listeners[i].stream)
            setsockopt(host->listeners[i].fd, SOL_SOCKET, SO_RCVTIMEO, &nap, sizeof(nap));
    }
}

bool gw_host_run(gw_host *host, const volatile sig_atomic_t *stop, char *why, size_t why_cap)
{
    allow_blocking(host);
    start(host);
    while (!*stop && !is_done(host)) {
        if (may_block(host)) {
            read_datagram(host, &host->listeners[0], 0);
            continue;
        }
        int64_t left =
            host->timer == GW_PEER_NEVER ? NAP_NS : host->timer - gw_clock_ns(CLOCK_MONOTONIC);
        if (left <= 0) {
            gw_peer_event event = {.kind = GW_PEER_TIMER};
            host->timer =
                host->board->step(host->state, &event, gw_clock_ns(CLOCK_MONOTONIC), &host->out);
            end_closing(host);
            left = 0;
        }
        if (!poll_once(host, left < NAP_NS ? left : NAP_NS, why, why_cap))
            return false;
    }
    return true;
}

/* ---- setting up ---- */

gw_host *gw_host_new(const gw_board *board, const gw_peer_config *config, char *why, size_t why_cap)
{
    gw_host *host = calloc(1, sizeof(*host));
    void *state = calloc(1, board->size);
    if (host == NULL || state == NULL)
        snprintf(why, why_cap, "out of memory");
    if (host == NULL || state == NULL || !board->init(state, config, why, why_cap)) {
        free(host);
        free(state);
        return NULL;
    }
    host->board = board;
    host->state = state;
    host->timer = GW_PEER_NEVER;
    host->out.send = board_sends;
    host->out.close = board_closes;
    return host;
}

static bool add_listener(gw_host *host, listener l, char *why, size_t why_cap)
{
    if (host->num_listeners == MAX_LISTENERS) {
        snprintf(why, why_cap, "more than %d URLs", MAX_LISTENERS);
        close(l.fd);
        return false;
    }
    host->listeners[host->num_listeners++] = l;
    return true;
}

static bool is_socket(const gw_url *url, bool *stream, char *why, size_t why_cap)
{
    *stream = gw_url_is(url, "tcp");
    if (*stream || gw_url_is(url, "udp"))
        return true;
    snprintf(why, why_cap, "%s: is no socket; udp://HOST:PORT or tcp://HOST:PORT is expected",
             url->scheme);
    return false;
}

bool gw_host_listen(gw_host *host, unsigned link, const gw_url *url, char *why, size_t why_cap)
{
    listener l = {.link = (uint8_t)link};
    int room = RECEIVE_ROOM;
    if (!is_socket(url, &l.stream, why, why_cap))
        return false;
    l.fd = gw_socket_bind(url, l.stream ? SOCK_STREAM : SOCK_DGRAM, why, why_cap);
    if (l.fd < 0)
        return false;
    setsockopt(l.fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
    if (l.stream && listen(l.fd, GW_PEER_MAX_CONNS) != 0) {
        snprintf(why, why_cap, "tcp://%s:%u: %s", url->host, url->port, strerror(errno));
        close(l.fd);
        return false;
    }
    return add_listener(host, l, why, why_cap);
}

bool gw_host_call(gw_host *host, unsigned link, const gw_url *url, int64_t timeout_ns, char *why,
                  size_t why_cap)
{
    listener l = {.link = (uint8_t)link, .calls = true};
    if (!is_socket(url, &l.stream, why, why_cap))
        return false;
    bool unreachable;
    gw_address to = {.len = sizeof(to.storage)};
    l.fd = gw_socket_connect(url, l.stream ? SOCK_STREAM : SOCK_DGRAM, timeout_ns, &unreachable,
                             why, why_cap);
    if (l.fd < 0)
        return false;
    getpeername(l.fd, (struct sockaddr *)&to.storage, &to.len);
    if (!add_listener(host, l, why, why_cap))
        return false;
    if (l.stream) {
        prepare_stream(l.fd);
        host->num_streams++;
    } else {
        /* Strangers are let in: it is the board's business to ignore them. */
        struct sockaddr nobody = {.sa_family = AF_UNSPEC};
        connect(l.fd, &nobody, sizeof(nobody));
    }
    conn *c = &host->conns[0];
    c->used = true;
    c->fd = l.fd;
    c->link = l.link;
    c->stream = l.stream;
    c->address = to;
    host->called = true;
    return true;
}

size_t gw_host_count(const gw_host *host)
{
    return host->num_listeners;
}

const char *gw_host_url(const gw_host *host, size_t index, char *out, size_t cap)
{
    const listener *l = &host->listeners[index];
    gw_endpoint end = gw_endpoint_of_socket(l->fd, false);
    gw_text text = gw_text_over(out, cap);
    gw_text_str(&text, l->stream ? "tcp://" : "udp://");
    gw_text_endpoint(&text, &end);
    return out;
}

unsigned gw_host_link(const gw_host *host, size_t index)
{
    return host->listeners[index].link;
}

bool gw_host_report(const gw_host *host, char *text, size_t cap)
{
    text[0] = '\0';
    return host->board->report == NULL || host->board->report(host->state, text, cap);
}

void gw_host_free(gw_host *host)
{
    if (host == NULL)
        return;
    for (size_t i = 0; i < GW_PEER_MAX_CONNS; i++) {
        if (host->conns[i].used && host->conns[i].stream)
            close(host->conns[i].fd);
        free(host->conns[i].pending);
    }
    for (size_t i = 0; i < host->num_listeners; i++) {
        if (!(host->listeners[i].calls && host->listeners[i].stream))
            close(host->listeners[i].fd);
    }
    host->board->fini(host->state);
    free(host->state);
    free(host);
}
