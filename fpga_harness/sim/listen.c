/* SPDX-License-Identifier: BSD-2-Clause */
/* Waiting for a simulator, and what the two tell each other first. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "harness/socket.h"
#include "harness/stop.h"
#include "link.h"

#define LOOK_MS 100
#define HANG_NS INT64_C(10000000000) /* without a sign of life, which comes twice a second */
#define HELLO_HEAD 20                /* of its body, before the list of ports */
#define HELLO_PORT 4

static const char name_characters[] = "abcdefghijklmnopqrstuvwxyz"
                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

/* Where a simulation called |name| is waited for: in the folder that is this user's alone. */
static bool choose_path(char *out, size_t cap, const char *name, char *why, size_t why_cap)
{
    const char *folder = getenv("XDG_RUNTIME_DIR");
    if (folder == NULL || folder[0] != '/')
        folder = getenv("TMPDIR");
    if (folder == NULL || folder[0] != '/')
        folder = "/tmp";
    if (name[0] == '\0' || strspn(name, name_characters) != strlen(name)) {
        (void)snprintf(why, why_cap,
                       "sim://%s: the name of a simulation has letters, digits, '.', '_' and '-'",
                       name);
        return false;
    }
    int len = snprintf(out, cap, "%s/goldwire-%ld-%s", folder, (long)getuid(), name);
    if (len < 0 || (size_t)len >= cap) {
        (void)snprintf(why, why_cap, "sim://%s: the path %s/goldwire-... is too long for a socket",
                       name, folder);
        return false;
    }
    return true;
}

static struct sockaddr_un address_of(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, path, strlen(path) + 1);
    return address;
}

/* Whether another goldwire waits at |path|; one that died has left its socket behind. */
static bool is_taken(const char *path)
{
    struct sockaddr_un address = address_of(path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    bool taken = connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
    (void)close(fd);
    return taken;
}

static bool bind_at(gw_sim *sim, const char *name, char *why, size_t why_cap)
{
    struct sockaddr_un address = address_of(sim->path);
    sim->listen_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (is_taken(sim->path)) {
        (void)snprintf(why, why_cap, "sim://%s: another goldwire waits there (%s)", name,
                       sim->path);
        sim->path[0] = '\0'; /* which is not ours to remove */
        return false;
    }
    (void)unlink(sim->path);
    mode_t mask = umask(0077);
    bool bound = sim->listen_fd >= 0 &&
                 bind(sim->listen_fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
                 listen(sim->listen_fd, 1) == 0;
    int code = errno;
    (void)umask(mask);
    if (!bound)
        (void)snprintf(why, why_cap, "sim://%s: %s: %s", name, sim->path, strerror(code));
    return bound;
}

gw_sim *gw_sim_listen(const char *name, char *why, size_t why_cap)
{
    gw_sim *sim = calloc(1, sizeof(*sim));
    if (sim == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        return NULL;
    }
    sim->fd = sim->listen_fd = -1;
    sim->refs = 1;
    sim->hang_ns = HANG_NS;
    sim->in_cap = GW_WIRE_BODY + GW_WIRE_HEADER;
    sim->in = malloc(sim->in_cap);
    if (sim->in == NULL)
        (void)snprintf(why, why_cap, "out of memory");
    else if (choose_path(sim->path, sizeof(sim->path), name, why, why_cap) &&
             bind_at(sim, name, why, why_cap) && setenv("GOLDWIRE_COSIM", sim->path, 1) == 0) {
        (void)snprintf(sim->cause, sizeof(sim->cause),
                       "no simulator has called: start one with GOLDWIRE_COSIM=%s", sim->path);
        return sim;
    }
    gw_sim_free(sim);
    return NULL;
}

void gw_sim_guard(gw_sim *sim, int64_t hang_ns)
{
    sim->hang_ns = hang_ns;
}

const char *gw_sim_path(const gw_sim *sim)
{
    return sim->path;
}

/* ---- what is said first ---- */

static void say_hello(gw_sim *sim)
{
    uint8_t body[HELLO_HEAD] = {0};
    gw_wire_head head = {.command = GW_WIRE_HELLO};
    gw_wire_put16(body, GW_WIRE_MAJOR);
    gw_wire_put16(body + 2, GW_WIRE_MINOR);
    gw_wire_put32(body + 4, HELLO_HEAD - 12);
    gw_wire_put32(body + 12, GW_WIRE_MAGIC);
    body[16] = (uint8_t)-12;
    (void)gw_sim_say(sim, head, body, sizeof(body), NULL, 0);
}

static void read_ports(gw_sim *sim, const uint8_t *list, unsigned num)
{
    for (unsigned i = 0; i < GW_SIM_PORTS; i++) {
        gw_sim_port_state *port = &sim->ports[i];
        port->kind = 0;
        port->untaken = 0;
        port->access = (gw_sim_access){0};
    }
    for (size_t i = 0; i < sim->num_breaches; i++)
        sim->breaches[i].before = sim->breaches[i].times;
    for (; num > 0; num--, list += HELLO_PORT) {
        if (list[0] >= GW_SIM_PORTS)
            continue;
        sim->ports[list[0]].kind = list[1];
        sim->ports[list[0]].width = list[2];
    }
}

static void hear_hello(gw_sim *sim)
{
    gw_wire_head head;
    const uint8_t *body = gw_sim_hear(sim, &head);
    if (body == NULL)
        return;
    bool hello = head.command == GW_WIRE_HELLO && head.len >= HELLO_HEAD &&
                 gw_wire_get32(body + 12) == GW_WIRE_MAGIC && (int8_t)body[16] == -12 &&
                 head.len >= HELLO_HEAD + HELLO_PORT * (uint32_t)body[17];
    if (hello && gw_wire_get16(body) == GW_WIRE_MAJOR)
        read_ports(sim, body + HELLO_HEAD, body[17]);
    else if (head.command == GW_WIRE_HELLO && head.len >= 4)
        gw_sim_lose(sim,
                    "the simulator speaks version %u.%u of the protocol with other extensions, "
                    "this goldwire %u.%u: build its testbench with this goldwire's gw_hdl.c",
                    (unsigned)gw_wire_get16(body), (unsigned)gw_wire_get16(body + 2), GW_WIRE_MAJOR,
                    GW_WIRE_MINOR);
    else
        gw_sim_lose(sim, "what called is no simulator: it does not begin with a HELLO");
}

/* Takes who calls as the simulator. False for one that hung up before it said anything: it only
 * looked whether somebody waits here. */
static bool take_caller(gw_sim *sim, int fd)
{
    char cause[sizeof(sim->cause)];
    memcpy(cause, sim->cause, sizeof(cause));
    sim->fd = fd;
    sim->cause[0] = '\0';
    sim->in_len = sim->in_pos = 0;
    sim->pending = false;
    sim->still = 0;
    sim->base_ps = sim->now_ps;
    hear_hello(sim);
    if (sim->fd >= 0)
        say_hello(sim);
    else if (sim->in_len == 0)
        memcpy(sim->cause, cause, sizeof(cause));
    return sim->fd >= 0 || sim->in_len > 0;
}

bool gw_sim_await(gw_sim *sim, int64_t timeout_ns, char *why, size_t why_cap)
{
    int64_t until_ns = gw_clock_ns(CLOCK_MONOTONIC) + timeout_ns;
    struct pollfd one = {.fd = sim->listen_fd, .events = POLLIN};
    while (sim->fd < 0 && !gw_stopped()) {
        int fd = accept4(sim->listen_fd, NULL, NULL, SOCK_CLOEXEC);
        bool said = fd >= 0 && take_caller(sim, fd);
        if (said || (fd < 0 && gw_clock_ns(CLOCK_MONOTONIC) >= until_ns))
            break;
        if (fd < 0)
            (void)poll(&one, 1, LOOK_MS);
    }
    return !gw_sim_lost(sim, why, why_cap);
}

bool gw_sim_lost(const gw_sim *sim, char *why, size_t why_cap)
{
    if (sim->fd >= 0)
        return false;
    (void)snprintf(why, why_cap, "%s", sim->cause);
    return true;
}

void gw_sim_free(gw_sim *sim)
{
    if (sim == NULL)
        return;
    if (sim->fd >= 0) {
        gw_wire_head head = {.command = GW_WIRE_END, .flags = GW_WIRE_OPTIONAL};
        (void)gw_sim_say(sim, head, NULL, 0, NULL, 0);
        gw_sim_lose(sim, "goldwire has ended the simulation");
    }
    if (sim->listen_fd >= 0)
        (void)close(sim->listen_fd);
    if (sim->path[0] != '\0')
        (void)unlink(sim->path);
    sim->listen_fd = -1;
    sim->path[0] = '\0';
    gw_sim_unref(sim);
}

void gw_sim_unref(gw_sim *sim)
{
    if (--sim->refs > 0)
        return;
    free(sim->in);
    free(sim);
}
