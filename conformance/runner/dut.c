/* SPDX-License-Identifier: BSD-2-Clause */
/* Boards under test: sockets to somebody else's, a child process or virtual time for ours. */
#include "runner/dut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/text.h"
#include "harness/transport.h"
#include "peers/mem.h"
#include "peers/spawn.h"

struct gw_dut {
    gw_target target; /* first: the run hands it back */
    gw_url url;
    bool serve; /* the board calls us */
    const gw_board *peer;
    gw_peer_config config;
    gw_transport *waiting; /* opened before the run, so that a port in use is told in time */
    gw_spawn *spawn;       /* a board in a process */
    gw_mem *mem;           /* a board in memory */
    char where[300];
};

static gw_dut *dut_of(gw_target *target)
{
    return (gw_dut *)target;
}

/* ---- somebody else's board ---- */

static gw_transport *open_socket(gw_target *target, int64_t timeout_ns, bool *unreachable,
                                 char *why, size_t why_cap)
{
    gw_dut *dut = dut_of(target);
    *unreachable = false;
    if (dut->waiting != NULL) {
        gw_transport *t = dut->waiting;
        dut->waiting = NULL;
        return t;
    }
    if (dut->serve)
        return gw_transport_serve(&dut->url, why, why_cap);
    return gw_transport_open(&dut->url, timeout_ns, unreachable, why, why_cap);
}

/* Opens the port that the board shall call; the kernel may have chosen it. */
static bool wait_at(gw_dut *dut, char *why, size_t why_cap)
{
    dut->waiting = gw_transport_serve(&dut->url, why, why_cap);
    if (dut->waiting == NULL)
        return false;
    dut->url.port = dut->waiting->local.port;
    gw_text where = gw_text_over(dut->where, sizeof(dut->where));
    gw_text_str(&where, dut->url.scheme);
    gw_text_str(&where, "://");
    gw_text_endpoint(&where, &dut->waiting->local);
    return true;
}

/* ---- ours, in a process ---- */

static bool spawn_slave(gw_dut *dut, char *why, size_t why_cap)
{
    const char *const listen[] = {dut->target.stream ? "tcp://127.0.0.1:0" : "udp://127.0.0.1:0",
                                  NULL};
    gw_spawn_stop(dut->spawn);
    dut->spawn = gw_spawn_board(dut->peer, &dut->config, listen, why, why_cap);
    return dut->spawn != NULL && gw_url_parse(&dut->url, gw_spawn_url(dut->spawn, 0), why, why_cap);
}

static bool restart_spawn(gw_target *target, char *why, size_t why_cap)
{
    return spawn_slave(dut_of(target), why, why_cap);
}

static bool spawn_over(gw_target *target)
{
    gw_dut *dut = dut_of(target);
    return dut->spawn != NULL && !gw_spawn_alive(dut->spawn);
}

/* A board that calls us is started anew for each conversation. */
static gw_transport *open_caller(gw_target *target, int64_t timeout_ns, bool *unreachable,
                                 char *why, size_t why_cap)
{
    gw_dut *dut = dut_of(target);
    char url[96];
    gw_url here;
    (void)timeout_ns;
    *unreachable = false;
    const char *scheme = target->stream ? "tcp" : "udp";
    (void)snprintf(url, sizeof(url), "%s://127.0.0.1:0", scheme);
    gw_transport *t =
        gw_url_parse(&here, url, why, why_cap) ? gw_transport_serve(&here, why, why_cap) : NULL;
    if (t == NULL)
        return NULL;
    gw_text there = gw_text_over(url, sizeof(url));
    gw_text_str(&there, scheme);
    gw_text_str(&there, "://");
    gw_text_endpoint(&there, &t->local);
    gw_spawn_stop(dut->spawn);
    dut->spawn = gw_spawn_caller(dut->peer, &dut->config, url, why, why_cap);
    if (dut->spawn != NULL)
        return t;
    gw_transport_close(t);
    return NULL;
}

/* ---- ours, in memory ---- */

static bool start_mem(gw_dut *dut, char *why, size_t why_cap)
{
    gw_mem_stop(dut->mem);
    dut->mem = gw_mem_start(dut->peer, &dut->config, why, why_cap);
    return dut->mem != NULL;
}

static bool restart_mem(gw_target *target, char *why, size_t why_cap)
{
    return start_mem(dut_of(target), why, why_cap);
}

static bool mem_over(gw_target *target)
{
    return gw_mem_done(dut_of(target)->mem);
}

static gw_transport *open_mem(gw_target *target, int64_t timeout_ns, bool *unreachable, char *why,
                              size_t why_cap)
{
    gw_dut *dut = dut_of(target);
    (void)timeout_ns;
    *unreachable = false;
    if (dut->serve && !start_mem(dut, why, why_cap))
        return NULL;
    return gw_mem_connect(dut->mem, 0, target->stream, why, why_cap);
}

/* ---- setting up ---- */

static bool start_mem_peer(gw_dut *dut, char *why, size_t why_cap)
{
    dut->target.open = open_mem;
    dut->target.restart = restart_mem;
    dut->target.virtual_time = true;
    if (dut->serve) {
        dut->target.over = mem_over;
        dut->target.fresh = true;
    }
    return start_mem(dut, why, why_cap);
}

static bool start_spawned_peer(gw_dut *dut, char *why, size_t why_cap)
{
    if (dut->serve) {
        dut->target.open = open_caller;
        dut->target.over = spawn_over;
        dut->target.fresh = true;
        return true;
    }
    dut->target.open = open_socket;
    dut->target.restart = restart_spawn;
    return spawn_slave(dut, why, why_cap);
}

static bool find_peer(gw_dut *dut, char *why, size_t why_cap)
{
    dut->peer = gw_board_by_role(dut->url.host);
    if (dut->peer == NULL) {
        (void)snprintf(why, why_cap,
                       "there is no software board '%s'; `goldwire peer --list' names "
                       "them",
                       dut->url.host);
        return false;
    }
    if (dut->url.mutant[0] != '\0') {
        dut->config.mutant = gw_mutant_by_id(dut->peer, dut->url.mutant);
        if (dut->config.mutant == NULL) {
            (void)snprintf(why, why_cap, "%s has no mutant '%s'; `goldwire peer --list' names them",
                           dut->peer->role, dut->url.mutant);
            return false;
        }
    }
    if (dut->url.dialect[0] != '\0') {
        dut->config.dialect = gw_dialect_by_name(dut->peer->format, dut->url.dialect);
        if (dut->config.dialect == NULL) {
            (void)snprintf(why, why_cap, "%s has no dialect '%s'", dut->peer->format->name,
                           dut->url.dialect);
            return false;
        }
    }
    return true;
}

static bool start_peer(gw_dut *dut, char *why, size_t why_cap)
{
    if (!find_peer(dut, why, why_cap))
        return false;
    if (dut->peer->calls_us != dut->serve) {
        (void)snprintf(why, why_cap,
                       dut->serve ? "%s does not call us: use --dut"
                                  : "%s calls us: use --serve or --role %s",
                       dut->peer->role, dut->peer->role);
        return false;
    }
    dut->target.stream = dut->url.over_tcp;
    return dut->url.via_mem ? start_mem_peer(dut, why, why_cap)
                            : start_spawned_peer(dut, why, why_cap);
}

gw_dut *gw_dut_open(const char *url, bool serve, char *why, size_t why_cap)
{
    gw_dut *dut = calloc(1, sizeof(*dut));
    if (dut == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        return NULL;
    }
    (void)snprintf(dut->where, sizeof(dut->where), "%s", url);
    bool ok = gw_url_parse(&dut->url, url, why, why_cap);
    if (ok && gw_url_is(&dut->url, "peer")) {
        dut->serve = serve;
        ok = start_peer(dut, why, why_cap);
    } else if (ok) {
        dut->serve = serve;
        dut->target.open = open_socket;
        dut->target.stream = gw_url_is(&dut->url, "tcp");
        ok = !serve || wait_at(dut, why, why_cap);
    }
    if (ok)
        return dut;
    gw_dut_close(dut);
    return NULL;
}

gw_dut *gw_dut_in_memory(const gw_board *board, const gw_mutant *mutant, bool stream, char *why,
                         size_t why_cap)
{
    gw_dut *dut = calloc(1, sizeof(*dut));
    if (dut == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        return NULL;
    }
    dut->peer = board;
    dut->config.mutant = mutant;
    dut->serve = board->calls_us;
    dut->target.stream = stream;
    (void)snprintf(dut->where, sizeof(dut->where), "%s in memory", board->role);
    if (start_mem_peer(dut, why, why_cap))
        return dut;
    gw_dut_close(dut);
    return NULL;
}

gw_target *gw_dut_target(gw_dut *dut)
{
    return &dut->target;
}

const gw_board *gw_dut_peer(const gw_dut *dut)
{
    return dut->peer;
}

const gw_dialect *gw_dut_dialect(const gw_dut *dut)
{
    return dut->config.dialect;
}

const char *gw_dut_where(const gw_dut *dut)
{
    return dut->where;
}

void gw_dut_close(gw_dut *dut)
{
    if (dut == NULL)
        return;
    gw_transport_close(dut->waiting);
    gw_spawn_stop(dut->spawn);
    gw_mem_stop(dut->mem);
    free(dut);
}
