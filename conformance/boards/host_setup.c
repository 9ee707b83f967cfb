/* SPDX-License-Identifier: BSD-2-Clause */
/* Setting a host up: the board, where it listens, whom it calls, what happens on the path. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "boards/host_conns.h"
#include "goldwire/text.h"

/* ---- impairments ---- */

static void pass_in(void *arg, const void *from, const uint8_t *data, size_t len)
{
    const gw_host_impair *impair = arg;
    gw_host_take_datagram(impair->host, &impair->host->listeners[impair->listener], from, data,
                          len);
}

static void pass_out(void *arg, const void *number, const uint8_t *data, size_t len)
{
    const gw_host_impair *impair = arg;
    uint32_t conn;
    memcpy(&conn, number, sizeof(conn));
    gw_host_send_datagram(impair->host, conn, data, len);
}

static bool add_impair(gw_host *host, gw_host_listener *l, const gw_url *url, char *why,
                       size_t why_cap)
{
    if (!gw_impairs(&url->impairment))
        return true;
    if (l->stream) {
        snprintf(why, why_cap,
                 "tcp://%s: a software board's streams are impaired at the other end: give the "
                 "options to whoever calls it",
                 url->host);
        return false;
    }
    gw_host_impair *impair = calloc(1, sizeof(*impair));
    if (impair == NULL) {
        snprintf(why, why_cap, "out of memory");
        return false;
    }
    impair->host = host;
    impair->listener = host->num_listeners;
    gw_impair_init(&impair->in, &url->impairment, 0, pass_in, impair);
    gw_impair_init(&impair->out, &url->impairment, 1, pass_out, impair);
    bool ipv6 = gw_endpoint_of_socket(l->fd, false).family == GW_FAMILY_IPV6;
    impair->in.kind = impair->out.kind = ipv6 ? GW_IMPAIR_UDP6 : GW_IMPAIR_UDP4;
    impair->in.begun_ns = impair->out.begun_ns = gw_clock_ns(CLOCK_MONOTONIC);
    l->impair = impair;
    return true;
}

static void free_impair(gw_host_impair *impair)
{
    if (impair == NULL)
        return;
    gw_impair_end(&impair->in);
    gw_impair_end(&impair->out);
    free(impair);
}

/* ---- setting up ---- */

gw_host *gw_host_set_up(gw_host *host, const gw_board *board, const gw_peer_config *config,
                        char *why, size_t why_cap)
{
    void *state = calloc(1, board->size);
    if (state == NULL)
        snprintf(why, why_cap, "out of memory");
    if (state == NULL || !board->init(state, config, why, why_cap)) {
        free(host);
        free(state);
        return NULL;
    }
    host->board = board;
    host->state = state;
    host->same_port = gw_format_same_port(board->format, config->dialect);
    host->timer = GW_PEER_NEVER;
    gw_host_connect_board(host);
    return host;
}

gw_host *gw_host_make(char *why, size_t why_cap)
{
    gw_host *host = calloc(1, sizeof(*host));
    if (host == NULL)
        snprintf(why, why_cap, "out of memory");
    return host;
}

gw_host *gw_host_new(const gw_board *board, const gw_peer_config *config, char *why, size_t why_cap)
{
    gw_host *host = gw_host_make(why, why_cap);
    return host != NULL ? gw_host_set_up(host, board, config, why, why_cap) : NULL;
}

/* Closes what |l| has opened. */
static void close_listener(const gw_host_listener *l)
{
    if (l->adapter != NULL)
        gw_transport_close(l->adapter);
    else
        close(l->fd);
    free_impair(l->impair);
}

static bool add_listener(gw_host *host, gw_host_listener l, char *why, size_t why_cap)
{
    if (host->num_listeners == GW_HOST_MAX_LISTENERS) {
        snprintf(why, why_cap, "more than %d URLs", GW_HOST_MAX_LISTENERS);
        close_listener(&l);
        return false;
    }
    host->listeners[host->num_listeners++] = l;
    return true;
}

/* What |url| is made of; its socket is still to be opened. */
static bool read_scheme(gw_host_listener *l, const gw_url *url, char *why, size_t why_cap)
{
    l->stream = gw_url_is(url, "tcp");
    l->roce = gw_url_is(url, "roce");
    if (l->stream || l->roce || gw_url_is(url, "udp"))
        return true;
    snprintf(why, why_cap,
             "%s: is no socket; udp://HOST:PORT, roce://HOST[:PORT] or tcp://HOST:PORT is expected",
             url->scheme);
    return false;
}

static bool set_up_listening(gw_host *host, gw_host_listener *l, const gw_url *url, char *why,
                             size_t why_cap)
{
    if (l->stream && listen(l->fd, GW_PEER_MAX_CONNS) != 0) {
        snprintf(why, why_cap, "tcp://%s:%u: %s", url->host, url->port, strerror(errno));
        return false;
    }
    if (l->roce && !gw_socket_known_header(l->fd, why, why_cap))
        return false;
    return add_impair(host, l, url, why, why_cap);
}

bool gw_host_listen(gw_host *host, unsigned link, const gw_url *url, char *why, size_t why_cap)
{
    gw_host_listener l = {.link = (uint8_t)link};
    if (!read_scheme(&l, url, why, why_cap))
        return false;
    l.fd = gw_socket_bind(url, l.stream ? SOCK_STREAM : SOCK_DGRAM, why, why_cap);
    if (l.fd < 0)
        return false;
    if (!set_up_listening(host, &l, url, why, why_cap)) {
        close(l.fd);
        return false;
    }
    return add_listener(host, l, why, why_cap);
}

/* Opens the socket to whom the board calls; |to| gets who that is. */
static bool call(gw_host_listener *l, gw_address *to, const gw_url *url, int64_t timeout_ns,
                 char *why, size_t why_cap)
{
    bool unreachable;
    if (l->roce) {
        l->fd = gw_socket_roce(url, to, why, why_cap);
        return l->fd >= 0;
    }
    l->fd = gw_socket_connect(url, l->stream ? SOCK_STREAM : SOCK_DGRAM, timeout_ns, &unreachable,
                              why, why_cap);
    to->len = sizeof(to->storage);
    return l->fd >= 0 && getpeername(l->fd, (struct sockaddr *)&to->storage, &to->len) == 0;
}

/* What a datagram to |to| has at most, as the kernel knows and |url| tells. */
static size_t carried(const gw_url *url, const gw_address *to)
{
    bool ipv6 = to->storage.ss_family == AF_INET6;
    size_t told = gw_impair_carries(&url->impairment, ipv6 ? GW_IMPAIR_UDP6 : GW_IMPAIR_UDP4);
    size_t known = gw_socket_carries(to);
    return told != 0 && (known == 0 || told < known) ? told : known;
}

/* The board calls through an adapter, which has its own way to wait. */
static bool call_through(gw_host *host, unsigned link, const gw_url *url, int64_t timeout_ns,
                         char *why, size_t why_cap)
{
    bool unreachable;
    gw_transport *t = gw_transport_open(url, timeout_ns, &unreachable, why, why_cap);
    if (t == NULL)
        return false;
    gw_host_listener l = {.link = (uint8_t)link, .calls = true, .adapter = t, .fd = t->adapter->fd};
    if (!add_listener(host, l, why, why_cap))
        return false;
    host->conns[host->num_called++] = (gw_host_conn){
        .used = true,
        .fd = l.fd,
        .link = l.link,
        .adapter = t,
        .here = t->local,
        .there = t->remote,
    };
    return true;
}

bool gw_host_call(gw_host *host, unsigned link, const gw_url *url, int64_t timeout_ns, char *why,
                  size_t why_cap)
{
    if (gw_url_is(url, "ib"))
        return call_through(host, link, url, timeout_ns, why, why_cap);
    gw_host_listener l = {.link = (uint8_t)link, .calls = true};
    gw_address to = {0};
    if (!read_scheme(&l, url, why, why_cap) || !call(&l, &to, url, timeout_ns, why, why_cap))
        return false;
    if (!add_impair(host, &l, url, why, why_cap)) {
        close(l.fd);
        return false;
    }
    if (!add_listener(host, l, why, why_cap))
        return false;
    if (l.stream) {
        gw_host_prepare_stream(l.fd);
        host->num_streams++;
    } else if (!l.roce) { /* whose socket never was connected */
        /* Strangers are let in: it is the board's business to ignore them. */
        struct sockaddr nobody = {.sa_family = AF_UNSPEC};
        (void)!connect(l.fd, &nobody, sizeof(nobody));
    }
    gw_host_conn *c = &host->conns[host->num_called++];
    c->used = true;
    c->fd = l.fd;
    c->link = l.link;
    c->stream = l.stream;
    c->address = to;
    c->answer_to = to;
    c->here = gw_endpoint_of_socket(l.fd, false);
    c->there = gw_endpoint_from(&to.storage);
    c->carries = l.stream ? 0 : carried(url, &to);
    return true;
}

size_t gw_host_count(const gw_host *host)
{
    return host->num_listeners;
}

const char *gw_host_url(const gw_host *host, size_t index, char *out, size_t cap)
{
    const gw_host_listener *l = &host->listeners[index];
    if (l->frames) {
        (void)snprintf(out, cap, "%s", host->port_url);
        return out;
    }
    gw_endpoint end = gw_endpoint_of_socket(l->fd, false);
    gw_text text = gw_text_over(out, cap);
    gw_text_str(&text, l->stream ? "tcp://" : l->roce ? "roce://" : "udp://");
    gw_text_endpoint(&text, &end);
    return out;
}

unsigned gw_host_link(const gw_host *host, size_t index)
{
    return host->listeners[index].link;
}

bool gw_host_report(gw_host *host, char *text, size_t cap)
{
    text[0] = '\0';
    return host->board->report == NULL || host->board->report(host->state, text, cap);
}

const char *gw_host_trouble(const gw_host *host)
{
    return host->trouble[0] != '\0' ? host->trouble : NULL;
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
        const gw_host_listener *l = &host->listeners[i];
        if (l->calls && l->stream)
            free_impair(l->impair);
        else
            close_listener(l);
    }
    host->board->fini(host->state);
    free(host->state);
    free(host);
}
