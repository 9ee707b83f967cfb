/* SPDX-License-Identifier: BSD-2-Clause */
/* Boards under test: sockets to somebody else's, a child process or virtual time for ours. */
#include "device/dut.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "boards/mem.h"
#include "boards/spawn.h"
#include "device/dut_raw.h"
#include "device/dut_sim.h"
#include "goldwire/text.h"
#include "harness/socket.h"
#include "harness/stop.h"
#include "harness/transport.h"

/* How many addresses of a loopback are tried for our end. */
#define LOOPBACK_TRIES 16

struct gw_dut {
    gw_target target;                   /* first: the run hands it back */
    gw_endpoint local[GW_TARGET_LINKS]; /* our end of each link, as last opened */
    gw_url urls[GW_TARGET_LINKS]; /* of each link; of a software board, where it was started */
    bool serve;                   /* the board calls us */
    gw_carriage carriage;         /* of a software board's links */
    gw_raw_options way;           /* to it, where that is GW_CARRY_RAW */
    gw_port port;                 /* laid before it, likewise, and ... */
    gw_cable *cable;              /* ... what leads there; NULL in memory */
    unsigned num_dialled;         /* connections that needed a number of their own */
    unsigned num_opened;          /* connections over sockets, the first ... */
    int64_t opened_ns;            /* ... at that time */
    const gw_board *peer;         /* ours; NULL for somebody else's */
    const gw_board *role;         /* what it is like; NULL when nobody knows */
    gw_peer_config config;
    gw_impairment impairment; /* of what a software board is told and tells */
    gw_transport *waiting;    /* opened before the run, so that what is wrong here is told in time:
                                 a port in use, no such adapter */
    unsigned waiting_link;    /* that it leads to */
    gw_spawn *spawn;          /* a board in a process */
    gw_mem *mem;              /* a board in memory */
    gw_sim *sim;              /* a board in a simulator, ... */
    char misfit[240];         /* ... and how its testbench is not what the URLs say; "": it is */
    char where[300];
};

static gw_dut *dut_of(gw_target *target)
{
    return (gw_dut *)target;
}

/* ---- somebody else's board ---- */

/* Whether the board answers to one port number only, by its role or by the dialect it has. */
static bool answers_one_port(const gw_dut *dut, unsigned link)
{
    bool by_role = dut->role != NULL && (dut->role->same_port_links >> link & 1) != 0;
    bool by_dialect =
        dut->role != NULL && gw_format_same_port(dut->role->format, dut->config.dialect);
    return (by_role || by_dialect) && !dut->target.links[link].stream;
}

static bool on_loopback(const gw_url *url)
{
    return strncmp(url->host, "127.", 4) == 0 || strcmp(url->host, "localhost") == 0;
}

void gw_dut_own_address(gw_url *url, unsigned nth)
{
    if (url->local_host[0] != '\0')
        return;
    bool loopback = on_loopback(url);
    /* One of 250; the board may have taken one itself. */
    unsigned last = 2u + nth % 250u;
    if (loopback)
        (void)snprintf(url->local_host, sizeof(url->local_host), "127.0.0.%u", last);
    if (loopback && strcmp(url->local_host, url->host) == 0)
        (void)snprintf(url->local_host, sizeof(url->local_host), "127.0.1.%u", last);
    if (!loopback)
        (void)snprintf(url->local_host, sizeof(url->local_host), "%s",
                       strchr(url->host, ':') != NULL ? "::" : "0.0.0.0");
    url->local_port = url->port;
}

/* The board answers to one port number only. RoCEv2 finds our address by the path to the board;
 * software boards answer to any port there, and IPv6 has one loopback address, so on it the two
 * cannot have one port. */
static void use_own_address(gw_dut *dut, gw_url *url, bool roce)
{
    bool chosen = url->local_host[0] != '\0';
    bool loopback = on_loopback(url);
    if (chosen)
        return;
    if (loopback || !roce)
        gw_dut_own_address(url, loopback ? dut->num_dialled++ : 0);
    bool any_port = roce && (dut->peer != NULL || strcmp(url->host, "::1") == 0);
    url->local_port = any_port ? 0 : url->port;
}

/* Whether our end is one port whatever is opened: another conversation could not have it as well.
 */
static bool has_one_port(const gw_dut *dut, unsigned link)
{
    gw_url url = dut->urls[link];
    bool roce = gw_url_is(&url, "roce");
    if (dut->serve || dut->target.links[link].stream || dut->target.links[link].frames ||
        !(roce || gw_url_is(&url, "udp")))
        return false;
    bool own = roce || answers_one_port(dut, link);
    return url.local_port != 0 || (own && !on_loopback(&url) && url.local_host[0] == '\0');
}

/* Opens |url|. Where our end must be one address, somebody else may have it already: a loopback has
 * more of them. */
static gw_transport *open_at(gw_dut *dut, unsigned link, const gw_url *url, int64_t timeout_ns,
                             bool *unreachable, char *why, size_t why_cap)
{
    bool roce = gw_url_is(url, "roce");
    bool own = roce || answers_one_port(dut, link);
    bool loopback = on_loopback(url);
    unsigned tries = own && loopback && url->local_host[0] == '\0' ? LOOPBACK_TRIES : 1;
    gw_transport *t = NULL;
    for (unsigned i = 0; t == NULL && i < tries && !*unreachable; i++) {
        gw_url from = *url;
        if (own)
            use_own_address(dut, &from, roce);
        t = gw_transport_open(&from, timeout_ns, unreachable, why, why_cap);
    }
    return t;
}

/* What happens on the path goes on: a case that is run again must not meet with the same losses,
 * nor each connection with the outage. */
static void impair_anew(gw_dut *dut, gw_url *url)
{
    int64_t now_ns = gw_clock_ns(CLOCK_MONOTONIC);
    if (dut->num_opened == 0)
        dut->opened_ns = now_ns;
    url->impairment = gw_impair_again(&url->impairment, dut->num_opened, now_ns - dut->opened_ns);
    dut->num_opened++;
}

/* A station of ours, or the stream over it where that was asked for. */
static gw_transport *connected(const gw_dut *dut, gw_transport *station, int64_t timeout_ns,
                               bool *unreachable, char *why, size_t why_cap)
{
    return dut->way.tcp ? gw_raw_tcp_over(station, timeout_ns, unreachable, why, why_cap) : station;
}

static gw_transport *open_socket(gw_target *target, unsigned link, int64_t timeout_ns,
                                 bool *unreachable, char *why, size_t why_cap)
{
    gw_dut *dut = dut_of(target);
    gw_url url = dut->urls[link];
    *unreachable = false;
    if (dut->waiting != NULL && dut->waiting_link == link) {
        gw_transport *t = dut->waiting;
        dut->waiting = NULL;
        return t;
    }
    impair_anew(dut, &url);
    if (dut->serve)
        return gw_transport_serve(&url, why, why_cap);
    if (dut->cable != NULL && target->links[link].frames)
        return connected(
            dut,
            gw_raw_near(dut->cable, &dut->port, dut->num_dialled++, &url.impairment, why, why_cap),
            timeout_ns, unreachable, why, why_cap);
    if (target->links[link].frames)
        return gw_transport_open(&url, timeout_ns, unreachable, why, why_cap);
    gw_transport *t = open_at(dut, link, &url, timeout_ns, unreachable, why, why_cap);
    if (t != NULL)
        dut->local[link] = t->local;
    return t;
}

/* Opens an adapter; nothing is sent by that. Whatever is wrong with it is ours to mend. */
static bool open_adapters(gw_dut *dut, char *why, size_t why_cap)
{
    gw_target *target = &dut->target;
    for (unsigned link = 0; link < target->num_links && dut->waiting == NULL; link++) {
        bool unreachable;
        if (!target->links[link].present || !gw_url_is(&dut->urls[link], "ib"))
            continue;
        dut->waiting = open_socket(target, link, 0, &unreachable, why, why_cap);
        dut->waiting_link = link;
        if (dut->waiting == NULL)
            return unreachable;
    }
    return true;
}

static bool way_broken(gw_target *target, char *why, size_t why_cap)
{
    const gw_dut *dut = dut_of(target);
    for (unsigned i = 0; i < target->num_links; i++) {
        bool frames = target->links[i].frames;
        if (frames ? gw_carrier_down(dut->urls[i].host, why, why_cap)
                   : gw_carrier_lost(&dut->local[i], why, why_cap))
            return true;
    }
    return false;
}

/* Opens the port that the board shall call; the kernel may have chosen it. */
static bool wait_at(gw_dut *dut, char *why, size_t why_cap)
{
    gw_url url = dut->urls[0];
    impair_anew(dut, &url);
    dut->waiting = gw_transport_serve(&url, why, why_cap);
    if (dut->waiting == NULL)
        return false;
    dut->urls[0].port = dut->waiting->local.port;
    gw_text where = gw_text_over(dut->where, sizeof(dut->where));
    gw_text_str(&where, url.scheme);
    gw_text_str(&where, "://");
    gw_text_endpoint(&where, &dut->waiting->local);
    return true;
}

/* ---- a core in a simulator ---- */

/* Whether the testbench has the ports of all links. */
static bool fits_testbench(gw_dut *dut)
{
    dut->misfit[0] = '\0';
    for (unsigned i = 0; i < dut->target.num_links; i++) {
        if (dut->target.links[i].present &&
            !gw_dut_sim_fits(dut->sim, &dut->urls[i], dut->misfit, sizeof(dut->misfit)))
            return false;
    }
    return true;
}

static bool is_misfit(gw_target *target, char *why, size_t why_cap)
{
    (void)snprintf(why, why_cap, "%s", dut_of(target)->misfit);
    return why[0] != '\0';
}

static gw_transport *open_sim(gw_target *target, unsigned link, int64_t timeout_ns,
                              bool *unreachable, char *why, size_t why_cap)
{
    gw_dut *dut = dut_of(target);
    const gw_url *url = &dut->urls[link];
    gw_raw_setup ends =
        gw_raw_ends(&url->raw, dut->role, link, answers_one_port(dut, link), dut->num_dialled);
    (void)timeout_ns; /* is of its own time, in which nothing has to be waited for */
    *unreachable = !gw_dut_sim_await(dut->sim, url, why, why_cap);
    if (*unreachable)
        return NULL;
    *unreachable = !fits_testbench(dut);
    if (*unreachable) {
        (void)snprintf(why, why_cap, "%s", dut->misfit);
        return NULL;
    }
    gw_transport *t = gw_dut_sim_connect(dut->sim, url, &ends, &target->links[link], why, why_cap);
    /* How often a simulator that starts was looked for is not to be seen in what is sent to it. */
    dut->num_dialled += t != NULL;
    return t;
}

static int64_t now_in_sim(gw_target *target)
{
    return gw_sim_now(dut_of(target)->sim);
}

static void mark_sim(gw_target *target, const char *text)
{
    gw_sim_mark(dut_of(target)->sim, text);
}

static bool reset_sim(gw_target *target, char *why, size_t why_cap)
{
    return gw_sim_reset(dut_of(target)->sim, target->settle_ns, why, why_cap);
}

static gw_sim_view *look_at_sim(gw_target *target, const char *name, const gw_sim_moment *moment)
{
    gw_dut *dut = dut_of(target);
    for (unsigned i = 0; i < target->num_links; i++)
        if (target->links[i].present && (name == NULL || strcmp(target->links[i].name, name) == 0))
            return gw_sim_look(dut->sim, dut->urls[i].port, moment);
    return NULL;
}

static bool end_sim(gw_target *target)
{
    return gw_sim_end(dut_of(target)->sim);
}

bool gw_dut_wave_to(gw_dut *dut, const char *dir, char *why, size_t why_cap)
{
    char whole[PATH_MAX];
    if (dut->sim == NULL) {
        (void)snprintf(why, why_cap, "only a simulated board (sim://) has waves");
        return false;
    }
    if ((mkdir(dir, 0777) != 0 && errno != EEXIST) || realpath(dir, whole) == NULL) {
        (void)snprintf(why, why_cap, "%s: %s", dir, strerror(errno));
        return false;
    }
    return gw_sim_wave_to(dut->sim, whole, dut->urls[0].host, why, why_cap);
}

/* All links are ports of one simulation, which has one clock. */
static bool wait_for_sim(gw_dut *dut, char *why, size_t why_cap)
{
    gw_target *target = &dut->target;
    const char *name = NULL;
    for (unsigned i = 0; i < target->num_links; i++) {
        if (!target->links[i].present)
            continue;
        name = name != NULL ? name : dut->urls[i].host;
        if (!gw_url_is(&dut->urls[i], "sim") || strcmp(name, dut->urls[i].host) != 0) {
            (void)snprintf(why, why_cap,
                           "sim://%s: all links of a board are ports of one simulation", name);
            return false;
        }
    }
    dut->sim = gw_sim_listen(name, why, why_cap);
    for (unsigned i = 0; i < target->num_links && dut->sim != NULL; i++)
        if (target->links[i].present)
            gw_sim_handshake(dut->sim, dut->urls[i].port, &dut->urls[i].valid, &dut->urls[i].ready,
                             dut->urls[i].impairment.seed);
    target->sim = dut->sim;
    target->open = open_sim;
    target->reset = reset_sim;
    target->now = now_in_sim;
    target->mark = mark_sim;
    target->look = look_at_sim;
    target->end = end_sim;
    target->broken = NULL;
    target->misfit = is_misfit;
    target->lossy = false;
    target->near = target->virtual_time = true;
    gw_dut_sim_pace(target, &(gw_board_pace){0});
    return dut->sim != NULL;
}

void gw_dut_use_pace(gw_dut *dut, const gw_board_pace *pace)
{
    gw_target *target = &dut->target;
    if (dut->sim != NULL)
        gw_dut_sim_pace(target, pace);
    if (dut->sim != NULL || pace->patience <= 1)
        return;
    target->reply_ns = pace->patience * GW_RUN_REPLY_NS;
    target->settle_ns = pace->patience * GW_RUN_SETTLE_NS;
}

/* ---- ours, in a process ---- */

/* Where link |link| of our board is to be served. */
static bool place_own(gw_dut *dut, unsigned link, gw_spawn_link *out, char *url, size_t cap,
                      char *why, size_t why_cap)
{
    if (dut->target.links[link].frames)
        return gw_raw_far(dut->cable, &dut->port, out, why, why_cap);
    const char *scheme = gw_board_link_scheme(dut->peer, link, dut->carriage == GW_CARRY_TCP);
    (void)snprintf(url, cap, "%s://127.0.0.1:0", scheme);
    *out = (gw_spawn_link){.link = link, .url = url};
    return true;
}

static bool spawn_slave(gw_dut *dut, char *why, size_t why_cap)
{
    gw_spawn_link listen[GW_TARGET_LINKS];
    char urls[GW_TARGET_LINKS][32];
    unsigned num = dut->target.num_links;
    for (unsigned i = 0; i < num; i++)
        if (!place_own(dut, i, &listen[i], urls[i], sizeof(urls[i]), why, why_cap))
            return false;
    gw_spawn_stop(dut->spawn);
    dut->spawn = gw_spawn_board(dut->peer, &dut->config, listen, num, why, why_cap);
    for (unsigned i = 0; dut->spawn != NULL && i < num; i++) {
        /* What is at the end of a cable stays where it was. */
        if (!dut->target.links[i].frames &&
            !gw_url_parse(&dut->urls[i], gw_spawn_url(dut->spawn, i), why, why_cap))
            return false;
        dut->urls[i].impairment = dut->impairment;
    }
    return dut->spawn != NULL;
}

static bool restart_spawn(gw_target *target, char *why, size_t why_cap)
{
    if (gw_stopped()) {
        (void)snprintf(why, why_cap, GW_INTERRUPTED);
        return false;
    }
    return spawn_slave(dut_of(target), why, why_cap);
}

static bool spawn_over(gw_target *target)
{
    gw_dut *dut = dut_of(target);
    return dut->spawn != NULL && !gw_spawn_alive(dut->spawn);
}

/* A board that calls us is started anew for each conversation. */
static gw_transport *open_caller(gw_target *target, unsigned link, int64_t timeout_ns,
                                 bool *unreachable, char *why, size_t why_cap)
{
    gw_dut *dut = dut_of(target);
    char url[96];
    gw_url here;
    (void)timeout_ns;
    (void)link; /* a board that calls has one */
    *unreachable = false;
    const char *scheme = gw_board_link_scheme(dut->peer, 0, dut->carriage == GW_CARRY_TCP);
    (void)snprintf(url, sizeof(url), "%s://127.0.0.1:0", scheme);
    if (!gw_url_parse(&here, url, why, why_cap))
        return NULL;
    here.impairment = dut->impairment;
    impair_anew(dut, &here);
    gw_transport *t = gw_transport_serve(&here, why, why_cap);
    if (t == NULL)
        return NULL;
    gw_text there = gw_text_over(url, sizeof(url));
    gw_text_str(&there, scheme);
    gw_text_str(&there, "://");
    gw_text_endpoint(&there, &t->local);
    if (gw_url_is(&here, "roce"))
        gw_text_str(&there, "?local=127.0.0.2:0");
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
    bool raw = dut->carriage == GW_CARRY_RAW;
    gw_mem *before = dut->mem;
    dut->mem = gw_mem_start(raw ? &dut->port.board : dut->peer,
                            raw ? &dut->port.config : &dut->config, why, why_cap);
    if (dut->mem != NULL)
        gw_mem_impair(dut->mem, &dut->impairment, raw ? UINT32_C(1) << dut->port.link : 0, before);
    gw_mem_stop(before);
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

static gw_transport *open_mem(gw_target *target, unsigned link, int64_t timeout_ns,
                              bool *unreachable, char *why, size_t why_cap)
{
    gw_dut *dut = dut_of(target);
    *unreachable = false;
    bool stopped = dut->mem == NULL; /* it could not be started anew */
    if ((dut->serve || stopped) && !start_mem(dut, why, why_cap))
        return NULL;
    if (target->links[link].frames)
        return connected(dut,
                         gw_raw_in_memory(dut->mem, &dut->port, dut->num_dialled++, why, why_cap),
                         timeout_ns, unreachable, why, why_cap);
    /* A board that calls us has its connection when it is there. */
    if (target->links[link].stream && !dut->serve)
        return gw_mem_await(dut->mem, link, timeout_ns, unreachable, why, why_cap);
    return gw_mem_connect(dut->mem, link, target->links[link].stream, why, why_cap);
}

/* ---- setting up ---- */

/* Finds the host of |url| while the caller can still mend it: a name that nobody knows is no silent
 * board. Nothing is sent to it by that. |near| gets whether it is this very host. */
static bool find_host(const gw_url *url, bool *near, char *why, size_t why_cap)
{
    gw_address address;
    bool has_host = gw_url_is(url, "udp") || gw_url_is(url, "tcp") || gw_url_is(url, "roce");
    *near = false;
    if (!has_host)
        return true;
    if (gw_resolve(&address, 1, url->host, url->port, SOCK_DGRAM, false, why, why_cap) == 0)
        return false;
    gw_endpoint end = gw_endpoint_from(&address.storage);
    static const uint8_t here[16] = {[15] = 1}; /* ::1 */
    *near =
        end.family == GW_FAMILY_IPV4 ? end.ip[0] == 127 : memcmp(end.ip, here, sizeof(here)) == 0;
    return true;
}

static bool start_mem_peer(gw_dut *dut, char *why, size_t why_cap)
{
    dut->target.open = open_mem;
    dut->target.restart = restart_mem;
    dut->target.virtual_time = true;
    dut->target.near = true;
    dut->target.lossy = gw_impairs(&dut->impairment);
    if (dut->serve) {
        dut->target.over = mem_over;
        dut->target.fresh = true;
    }
    return start_mem(dut, why, why_cap);
}

static bool start_spawned_peer(gw_dut *dut, char *why, size_t why_cap)
{
    dut->target.near = true;
    if (dut->serve) {
        dut->target.open = open_caller;
        dut->target.lossy = true;
        dut->target.over = spawn_over;
        dut->target.fresh = true;
        return true;
    }
    dut->target.open = open_socket;
    dut->target.lossy = true;
    dut->target.restart = restart_spawn;
    return spawn_slave(dut, why, why_cap);
}

static bool find_peer(gw_dut *dut, const gw_url *url, char *why, size_t why_cap)
{
    dut->config.random_memory = url->random_memory;
    dut->config.memory_seed = url->memory_seed;
    dut->config.registers_at = url->registers_at;
    return gw_peer_find(url->host, url->mutant, url->dialect, &dut->peer, &dut->config, why,
                        why_cap) &&
           gw_peer_hurry(&dut->config, dut->peer, url->hurry, why, why_cap);
}

/* Names the links as the role does; none is present yet. */
static void name_links(gw_dut *dut, const gw_board *role)
{
    gw_target *target = &dut->target;
    dut->role = role;
    target->num_links = 1;
    target->links[0].name = "";
    if (role == NULL)
        return;
    target->num_links = gw_board_num_links(role);
    for (unsigned i = 0; i < target->num_links; i++)
        target->links[i].name = role->links[i];
}

/* All links of a software board are there; |carriage| says what those are that may be either. */
static bool have_all_links(gw_dut *dut, gw_carriage carriage, char *why, size_t why_cap)
{
    bool stream = carriage == GW_CARRY_TCP;
    dut->carriage = carriage;
    name_links(dut, dut->peer);
    for (unsigned i = 0; i < dut->target.num_links; i++) {
        dut->target.links[i].present = true;
        dut->target.links[i].stream = gw_board_link_streams(dut->peer, i, stream);
    }
    if (carriage != GW_CARRY_RAW)
        return true;
    if (dut->way.tcp && dut->peer->format->stream == NULL) {
        (void)snprintf(why, why_cap, "%s does not travel over byte streams",
                       dut->peer->format->title);
        return false;
    }
    if (!gw_raw_lay(&dut->port, dut->peer, &dut->config, &dut->way, why, why_cap))
        return false;
    dut->target.links[dut->port.link].frames = true;
    dut->target.links[dut->port.link].ipv6 = dut->way.ipv6;
    dut->target.links[dut->port.link].stream = dut->way.tcp;
    return true;
}

/* A cable of our own, to whose far end the board is put. */
static bool lay_cable(gw_dut *dut, char *why, size_t why_cap)
{
    char reason[256] = "";
    dut->cable = gw_cable_lay(reason, sizeof(reason));
    if (dut->cable == NULL)
        (void)snprintf(why, why_cap, "%s; over=raw&via=mem needs none", reason);
    return dut->cable != NULL;
}

static bool start_peer(gw_dut *dut, const gw_url *url, char *why, size_t why_cap)
{
    if (!find_peer(dut, url, why, why_cap))
        return false;
    if (dut->peer->calls_us != dut->serve) {
        (void)snprintf(why, why_cap,
                       dut->serve ? "%s does not call us: use --dut"
                                  : "%s calls us: use --serve or --role %s",
                       dut->peer->role, dut->peer->role);
        return false;
    }
    if (url->over_tcp && dut->peer->format->stream == NULL) {
        (void)snprintf(why, why_cap, "%s does not travel over byte streams",
                       dut->peer->format->title);
        return false;
    }
    gw_carriage carriage = url->over_tcp   ? GW_CARRY_TCP
                           : url->over_raw ? GW_CARRY_RAW
                                           : GW_CARRY_UDP;
    dut->way = url->raw;
    if (!have_all_links(dut, carriage, why, why_cap))
        return false;
    dut->impairment = url->impairment;
    gw_impair_add(&dut->target.impairment, &url->impairment);
    if (url->via_mem)
        return start_mem_peer(dut, why, why_cap);
    return (carriage != GW_CARRY_RAW || lay_cable(dut, why, why_cap)) &&
           start_spawned_peer(dut, why, why_cap);
}

/* Somebody else's board: each URL goes to the link it names, one without a name to the first. */
static bool place_links(gw_dut *dut, const gw_dut_place *places, size_t num, char *why,
                        size_t why_cap)
{
    gw_target *target = &dut->target;
    bool near = true;
    for (size_t i = 0; i < num; i++) {
        unsigned link = 0;
        while (places[i].link[0] != '\0' && link < target->num_links &&
               strcmp(target->links[link].name, places[i].link) != 0)
            link++;
        if (link == target->num_links) {
            (void)snprintf(why, why_cap, "the board has no link '%s'", places[i].link);
            return false;
        }
        if (target->links[link].present) {
            (void)snprintf(why, why_cap, "two URLs for link '%s'", target->links[link].name);
            return false;
        }
        if (!gw_url_parse(&dut->urls[link], places[i].url, why, why_cap))
            return false;
        gw_impair_add(&target->impairment, &dut->urls[link].impairment);
        bool here;
        if (!find_host(&dut->urls[link], &here, why, why_cap))
            return false;
        near = near && here;
        if (gw_url_is(&dut->urls[link], "peer")) {
            (void)snprintf(why, why_cap, "%s names a whole board: give it alone", places[i].url);
            return false;
        }
        if (gw_url_is(&dut->urls[link], "sim") &&
            !gw_dut_sim_may(dut->role, link, dut->serve, places[i].url, why, why_cap))
            return false;
        bool roce = dut->role != NULL && (dut->role->roce_links >> link & 1) != 0;
        if (roce && !gw_url_is(&dut->urls[link], "roce") && !gw_url_is(&dut->urls[link], "ib")) {
            (void)snprintf(why, why_cap,
                           "%s: the board speaks InfiniBand: write roce://HOST[:PORT], or "
                           "ib://DEVICE?to=ADDRESS",
                           places[i].url);
            return false;
        }
        target->links[link].present = true;
        target->links[link].stream = gw_url_is(&dut->urls[link], "tcp") ||
                                     dut->urls[link].over_apelink || dut->urls[link].raw.tcp;
        target->links[link].frames = gw_url_is(&dut->urls[link], "raw");
        target->links[link].ipv6 = dut->urls[link].raw.to.family == GW_FAMILY_IPV6;
        target->links[link].single = has_one_port(dut, link);
        if (target->links[link].frames && !dut->serve &&
            !gw_raw_place(&dut->urls[link], dut->role, link, why, why_cap))
            return false;
    }
    target->near = near;
    if (!target->links[0].present)
        (void)snprintf(why, why_cap, "nobody said where the board's link %s is",
                       target->links[0].name);
    return target->links[0].present;
}

/* Opens what can be opened before the run. */
static bool reach(gw_dut *dut, char *why, size_t why_cap)
{
    bool simulated = false;
    for (unsigned i = 0; i < dut->target.num_links; i++)
        simulated = simulated || (dut->target.links[i].present && gw_url_is(&dut->urls[i], "sim"));
    if (simulated)
        return wait_for_sim(dut, why, why_cap);
    return dut->serve ? wait_at(dut, why, why_cap) : open_adapters(dut, why, why_cap);
}

static gw_dut *new_dut(char *why, size_t why_cap)
{
    gw_dut *dut = calloc(1, sizeof(*dut));
    if (dut == NULL)
        (void)snprintf(why, why_cap, "out of memory");
    return dut;
}

gw_dut *gw_dut_open(const gw_dut_place *places, size_t num, const gw_board *role, bool serve,
                    char *why, size_t why_cap)
{
    gw_dut *dut = new_dut(why, why_cap);
    gw_url url;
    if (dut == NULL)
        return NULL;
    (void)snprintf(dut->where, sizeof(dut->where), "%s", places[0].url);
    dut->serve = serve;
    bool ok = gw_url_parse(&url, places[0].url, why, why_cap);
    if (ok && num == 1 && gw_url_is(&url, "peer")) {
        ok = start_peer(dut, &url, why, why_cap);
    } else if (ok) {
        name_links(dut, role);
        dut->target.open = open_socket;
        dut->target.broken = way_broken;
        dut->target.lossy = true;
        ok = place_links(dut, places, num, why, why_cap) && reach(dut, why, why_cap);
    }
    if (ok)
        return dut;
    gw_dut_close(dut);
    return NULL;
}

const char *gw_carriage_name(gw_carriage carriage)
{
    static const char *const names[] = {"udp", "tcp", "raw"};
    return names[carriage];
}

bool gw_carriage_fits(const gw_board *board, gw_carriage carriage)
{
    unsigned link;
    if (carriage == GW_CARRY_TCP)
        return gw_board_may_stream(board);
    return carriage == GW_CARRY_UDP || gw_board_ethernet_link(board, &link);
}

gw_dut *gw_dut_in_memory(const gw_board *board, const gw_mutant *mutant, gw_carriage carriage,
                         char *why, size_t why_cap)
{
    return gw_dut_behind(board, mutant, carriage, &(gw_impairment){0}, why, why_cap);
}

gw_dut *gw_dut_behind(const gw_board *board, const gw_mutant *mutant, gw_carriage carriage,
                      const gw_impairment *path, char *why, size_t why_cap)
{
    gw_dut *dut = new_dut(why, why_cap);
    if (dut == NULL)
        return NULL;
    dut->peer = board;
    dut->config.mutant = mutant;
    dut->serve = board->calls_us;
    dut->impairment = *path;
    dut->target.far = gw_impairs(path);
    (void)snprintf(dut->where, sizeof(dut->where), "%s in memory", board->role);
    if (have_all_links(dut, carriage, why, why_cap) && start_mem_peer(dut, why, why_cap))
        return dut;
    gw_dut_close(dut);
    return NULL;
}

gw_dut *gw_dut_wire(const gw_dut *dut, char *why, size_t why_cap)
{
    why[0] = '\0';
    if (dut->peer == NULL || dut->serve || dut->carriage == GW_CARRY_RAW ||
        gw_impairs(&dut->impairment) || !gw_carriage_fits(dut->peer, GW_CARRY_RAW))
        return NULL;
    gw_dut *wire = new_dut(why, why_cap);
    if (wire == NULL)
        return NULL;
    wire->peer = dut->peer;
    wire->config = dut->config;
    (void)snprintf(wire->where, sizeof(wire->where), "%s on an Ethernet", dut->peer->role);
    bool in_memory = dut->target.virtual_time;
    if (have_all_links(wire, GW_CARRY_RAW, why, why_cap) &&
        (in_memory ? start_mem_peer(wire, why, why_cap)
                   : lay_cable(wire, why, why_cap) && start_spawned_peer(wire, why, why_cap)))
        return wire;
    gw_dut_close(wire);
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

uint32_t gw_dut_registers_at(const gw_dut *dut)
{
    return dut->config.registers_at;
}

uint32_t gw_dut_hurry(const gw_dut *dut)
{
    return dut->config.hurry > 1 ? dut->config.hurry : 1;
}

void gw_dut_use_dialect(gw_dut *dut, const gw_dialect *dialect)
{
    if (dut->peer != NULL)
        return; /* a board of ours has the dialect that it was started with */
    dut->config.dialect = dialect;
    for (unsigned i = 0; i < dut->target.num_links; i++) {
        gw_raw_options *way = &dut->urls[i].raw;
        if (dut->target.links[i].frames && answers_one_port(dut, i) && way->local.port == 0)
            way->local.port = way->to.port;
    }
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
    gw_sim_free(dut->sim);
    gw_cable_free(dut->cable);
    free(dut);
}
