/* SPDX-License-Identifier: BSD-2-Clause */
/* Waiting for a simulator that calls. */
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
    gw_sim *sim = gw_sim_new();
    if (sim == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        return NULL;
    }
    if (choose_path(sim->path, sizeof(sim->path), name, why, why_cap) &&
        bind_at(sim, name, why, why_cap) && setenv("GOLDWIRE_COSIM", sim->path, 1) == 0) {
        (void)snprintf(sim->cause, sizeof(sim->cause),
                       "no simulator has called: start one with GOLDWIRE_COSIM=%s", sim->path);
        return sim;
    }
    gw_sim_free(sim);
    return NULL;
}

/* Takes who calls as the simulator. False for one that hung up before it said anything: it only
 * looked whether somebody waits here. */
static bool take_caller(gw_sim *sim, int fd)
{
    char cause[sizeof(sim->cause)];
    memcpy(cause, sim->cause, sizeof(cause));
    bool there = gw_sim_over_socket(sim, fd);
    if (there)
        gw_sim_wave_started(sim);
    else if (sim->in_len == 0)
        memcpy(sim->cause, cause, sizeof(cause));
    return there || sim->in_len > 0;
}

bool gw_sim_await(gw_sim *sim, int64_t timeout_ns, char *why, size_t why_cap)
{
    int64_t until_ns = gw_clock_ns(CLOCK_MONOTONIC) + timeout_ns;
    struct pollfd one = {.fd = sim->listen_fd, .events = POLLIN};
    while (!gw_sim_is_there(sim) && sim->listen_fd >= 0 && !gw_stopped()) {
        int fd = accept4(sim->listen_fd, NULL, NULL, SOCK_CLOEXEC);
        bool said = fd >= 0 && take_caller(sim, fd);
        if (said || (fd < 0 && gw_clock_ns(CLOCK_MONOTONIC) >= until_ns))
            break;
        if (fd < 0)
            (void)poll(&one, 1, LOOK_MS);
    }
    return !gw_sim_lost(sim, why, why_cap);
}
