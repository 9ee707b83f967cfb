/* SPDX-License-Identifier: BSD-2-Clause */
/* How a simulation begins, whoever carries its messages: what the two sides tell each other first.
 * And how it ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "link.h"

#define HANG_NS INT64_C(10000000000) /* without a sign of life, which comes twice a second */
#define HELLO_HEAD 20                /* of its body, before the list of ports */
#define HELLO_PORT 4

gw_sim *gw_sim_new(void)
{
    gw_sim *sim = calloc(1, sizeof(*sim));
    if (sim == NULL)
        return NULL;
    sim->fd = sim->listen_fd = -1;
    sim->refs = 1;
    sim->hang_ns = HANG_NS;
    sim->in_cap = GW_WIRE_BODY + GW_WIRE_HEADER;
    sim->in = malloc(sim->in_cap);
    if (sim->in == NULL) {
        free(sim);
        return NULL;
    }
    return sim;
}

void gw_sim_guard(gw_sim *sim, int64_t hang_ns)
{
    sim->hang_ns = hang_ns;
}

const char *gw_sim_path(const gw_sim *sim)
{
    return sim->path;
}

static void say_hello(gw_sim *sim)
{
    uint8_t body[HELLO_HEAD] = {0};
    gw_wire_head head = {.command = GW_WIRE_HELLO};
    gw_wire_put16(body, GW_WIRE_MAJOR);
    gw_wire_put16(body + 2, GW_WIRE_MINOR);
    gw_wire_put32(body + 4, HELLO_HEAD - 12);
    gw_wire_put32(body + 12, GW_WIRE_MAGIC);
    body[16] = (uint8_t)-12;
    gw_wire_put16(body + 18, GW_WIRE_VERSION);
    (void)gw_sim_say(sim, head, body, sizeof(body), NULL, 0);
}

void gw_sim_handshake(gw_sim *sim, unsigned port, const gw_handshake *valid,
                      const gw_handshake *ready, uint64_t seed)
{
    if (port >= GW_SIM_PORTS)
        return;
    sim->ports[port].flows[0] = *valid;
    sim->ports[port].flows[1] = *ready;
    sim->ports[port].seed = (uint32_t)(seed ^ seed >> 32);
}

static void say_flow(gw_sim *sim, unsigned port, unsigned lane)
{
    uint8_t body[GW_WIRE_FLOW_LEN];
    const gw_handshake *flow = &sim->ports[port].flows[lane];
    gw_wire_head head = {.command = GW_WIRE_FLOW, .port = port};
    if (!flow->told || sim->ports[port].kind == 0)
        return;
    gw_wire_put32(body, lane);
    gw_wire_put32(body + 4, flow->on);
    gw_wire_put32(body + 8, flow->of);
    gw_wire_put32(body + 12, flow->share);
    gw_wire_put32(body + 16, sim->ports[port].seed + lane);
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
        if (list[0] >= GW_SIM_PORTS || sim->ports[list[0]].kind != 0 || list[1] < GW_SIM_UDP ||
            list[1] > GW_SIM_AXIL || list[2] == 0 || list[2] > GW_WIRE_MAX_BEAT) {
            gw_sim_lose(sim,
                        "the simulator sends garbage: port %u of kind %u with beats of %u bytes is "
                        "none, or is there twice",
                        list[0], list[1], list[2]);
            return;
        }
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
    if (hello && gw_wire_get16(body) == GW_WIRE_MAJOR &&
        gw_wire_get16(body + 18) == GW_WIRE_VERSION)
        read_ports(sim, body + HELLO_HEAD, body[17]);
    else if (head.command == GW_WIRE_HELLO && head.len >= 4)
        gw_sim_lose(sim,
                    "the simulator speaks version %u.%u of the protocol with extensions %u, this "
                    "goldwire %u.%u with extensions %u: build its testbench with this goldwire's "
                    "gw_hdl.c",
                    (unsigned)gw_wire_get16(body), (unsigned)gw_wire_get16(body + 2),
                    head.len >= HELLO_HEAD ? (unsigned)gw_wire_get16(body + 18) : 0, GW_WIRE_MAJOR,
                    GW_WIRE_MINOR, GW_WIRE_VERSION);
    else
        gw_sim_lose(sim, "what called is no simulator: it does not begin with a HELLO");
}

bool gw_sim_greet(gw_sim *sim, const gw_sim_carrier *carrier)
{
    sim->carrier = carrier;
    sim->cause[0] = '\0';
    sim->in_len = sim->in_pos = 0;
    sim->pending = false;
    sim->still = 0;
    sim->base_ps = sim->now_ps;
    hear_hello(sim);
    if (gw_sim_is_there(sim))
        say_hello(sim);
    for (unsigned i = 0; i < GW_SIM_PORTS * GW_WIRE_LANES; i++)
        say_flow(sim, i / GW_WIRE_LANES, i % GW_WIRE_LANES);
    return gw_sim_is_there(sim);
}

bool gw_sim_lost(const gw_sim *sim, char *why, size_t why_cap)
{
    if (gw_sim_is_there(sim))
        return false;
    (void)snprintf(why, why_cap, "%s", sim->cause);
    return true;
}

bool gw_sim_end(gw_sim *sim)
{
    gw_wire_head head = {.command = GW_WIRE_END, .flags = GW_WIRE_OPTIONAL};
    bool there = gw_sim_is_there(sim);
    if (there) {
        (void)gw_sim_say(sim, head, NULL, 0, NULL, 0);
        gw_sim_lose(sim, "goldwire has ended the simulation");
    }
    return there;
}

void gw_sim_free(gw_sim *sim)
{
    if (sim == NULL)
        return;
    (void)gw_sim_end(sim);
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
    for (size_t i = 0; i < sim->num_breaches; i++)
        free(sim->views[i]);
    free(sim->view);
    free(sim->in);
    free(sim);
}
