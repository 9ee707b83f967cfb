/* SPDX-License-Identifier: BSD-2-Clause */
/* The conversation with a simulator: SYNC by SYNC. Whatever it says is checked; what cannot be
 * right ends the conversation with the reason. */
#include "link.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define STILL_MAX 20 /* signs of life at the same time, ten seconds of them */

void gw_sim_lose(gw_sim *sim, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (sim->cause[0] == '\0')
        (void)vsnprintf(sim->cause, sizeof(sim->cause), fmt, args);
    va_end(args);
    if (gw_sim_is_there(sim))
        sim->carrier->close(sim);
    sim->carrier = NULL;
    sim->pending = false;
}

static long long now_ns(const gw_sim *sim)
{
    return (long long)(sim->now_ps / GW_SIM_PS_A_NS);
}

/* ---- saying ---- */

uint32_t gw_sim_say(gw_sim *sim, gw_wire_head head, const void *body, size_t len, const void *more,
                    size_t more_len)
{
    if (!gw_sim_is_there(sim))
        return 0;
    head.len = (uint32_t)(len + more_len);
    head.id = ++sim->id != 0 ? sim->id : ++sim->id;
    return sim->carrier->put(sim, &head, body, len, more, more_len) ? head.id : 0;
}

/* ---- hearing ---- */

/* The next |n| bytes in one piece, which stay where they are; NULL when they do not come. */
static const uint8_t *peek(gw_sim *sim, size_t n)
{
    if (sim->in_pos + n > sim->in_cap) {
        memmove(sim->in, sim->in + sim->in_pos, sim->in_len - sim->in_pos);
        sim->in_len -= sim->in_pos;
        sim->in_pos = 0;
    }
    while (sim->in_len - sim->in_pos < n) {
        size_t got = sim->carrier->get(sim, sim->in + sim->in_len, sim->in_cap - sim->in_len);
        if (got == 0)
            return NULL;
        sim->in_len += got;
    }
    return sim->in + sim->in_pos;
}

const uint8_t *gw_sim_hear(gw_sim *sim, gw_wire_head *head)
{
    const uint8_t *p = peek(sim, GW_WIRE_HEADER);
    if (p == NULL)
        return NULL;
    *head = gw_wire_get_head(p);
    if (head->len > GW_WIRE_BODY) {
        gw_sim_lose(sim, "the simulator sends garbage: a message of %lu bytes",
                    (unsigned long)head->len);
        return NULL;
    }
    p = peek(sim, GW_WIRE_HEADER + (size_t)head->len);
    if (p == NULL)
        return NULL;
    sim->in_pos += GW_WIRE_HEADER + (size_t)head->len;
    return p + GW_WIRE_HEADER;
}

/* The simulator's time on the clock. It never goes back. */
static int64_t clock_of(gw_sim *sim, uint64_t time_ps)
{
    int64_t at_ps = time_ps > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)time_ps;
    at_ps += sim->base_ps;
    return at_ps > sim->now_ps ? at_ps : sim->now_ps;
}

static void hear_port(gw_sim *sim, const gw_wire_head *head, const uint8_t *body)
{
    gw_sim_port_state *port = head->port < GW_SIM_PORTS ? &sim->ports[head->port] : NULL;
    if (port == NULL || port->kind == 0 || head->len < GW_WIRE_BUS) {
        gw_sim_lose(sim, "the simulator sends garbage: data of port %lu, which it does not have",
                    (unsigned long)head->port);
        return;
    }
    gw_wire_bus bus = gw_wire_get_bus(body);
    bool response = (head->flags & GW_WIRE_RESPONSE) != 0;
    sim->came = true;
    if (!response) {
        sim->frames_heard += port->kind == GW_SIM_UDP || port->kind == GW_SIM_ETHERNET;
        for (unsigned i = 0; i < GW_SIM_LISTENERS; i++)
            if (port->listeners[i] != NULL)
                gw_sim_queue_put(port->listeners[i], clock_of(sim, bus.time_ps), body + GW_WIRE_BUS,
                                 head->len - GW_WIRE_BUS);
    } else if (port->kind != GW_SIM_BUS && port->kind != GW_SIM_AXIL) {
        port->untaken -= bus.len < port->untaken ? bus.len : port->untaken;
    } else if (head->id == port->access.id) {
        port->access.done = true;
        port->access.error = (bus.attributes & GW_WIRE_BUS_ERROR) != 0;
        if (head->len >= GW_WIRE_BUS + 4)
            port->access.data = (uint32_t)body[GW_WIRE_BUS] | (uint32_t)body[GW_WIRE_BUS + 1] << 8 |
                                (uint32_t)body[GW_WIRE_BUS + 2] << 16 |
                                (uint32_t)body[GW_WIRE_BUS + 3] << 24;
    }
}

/* What each breach breaks (codecs/core/port_requirements.def). */
static const char *const rules[GW_SIM_NUM_BREACHES] = {
    [GW_SIM_VALID_DROPPED] = "AXIS-01",    [GW_SIM_DATA_CHANGED] = "AXIS-02",
    [GW_SIM_KEEP_HOLES] = "AXIS-03",       [GW_SIM_EMPTY_LAST] = "AXIS-04",
    [GW_SIM_UNKNOWN] = "AXIS-05",          [GW_SIM_VALID_WAITED] = "AXIS-06",
    [GW_SIM_STROBE_ALONE] = "WB-01",       [GW_SIM_UNASKED_ACK] = "WB-02",
    [GW_SIM_TWO_ENDS] = "WB-03",           [GW_SIM_REQUEST_CHANGED] = "WB-04",
    [GW_SIM_BUS_UNKNOWN] = "WB-05",        [GW_SIM_RESPONSE_DROPPED] = "AXIL-01",
    [GW_SIM_RESPONSE_CHANGED] = "AXIL-02", [GW_SIM_RESPONSE_UNASKED] = "AXIL-03",
    [GW_SIM_RESPONSE_UNKNOWN] = "AXIL-04", [GW_SIM_RESPONSE_IN_RESET] = "AXIL-05",
    [GW_SIM_RESPONSE_WAITED] = "AXIL-06",
};

/* The record of what |port| saw of |which|, begun at |time_ps| when there is none. */
static gw_sim_breaches *breach_of(gw_sim *sim, unsigned port, unsigned which, int64_t time_ps)
{
    for (size_t i = 0; i < sim->num_breaches; i++)
        if (sim->breaches[i].port == port && sim->breaches[i].which == which)
            return &sim->breaches[i];
    gw_sim_breaches *one = &sim->breaches[sim->num_breaches++];
    *one = (gw_sim_breaches){
        .port = port, .which = which, .rule = rules[which], .first_ns = time_ps / GW_SIM_PS_A_NS};
    memcpy(one->during, sim->mark, sizeof(one->during));
    return one;
}

static void hear_finding(gw_sim *sim, const gw_wire_head *head, const uint8_t *body)
{
    if (head->len < 24)
        return;
    unsigned port = gw_wire_get32(body + 8);
    unsigned which = gw_wire_get32(body + 12);
    if (port >= GW_SIM_PORTS || which >= GW_SIM_NUM_BREACHES)
        return;
    if (which == GW_SIM_BUS_USED) {
        *(sim->ports[port].kind == GW_SIM_AXIL ? &sim->axil_used : &sim->bus_used) = true;
        return;
    }
    gw_sim_breaches *one = breach_of(sim, port, which, clock_of(sim, gw_wire_get64(body)));
    uint64_t told = gw_wire_get64(body + 16);
    one->times = one->before + told;
    one->at_least = one->at_least || told >= GW_SIM_BREACHES_TOLD;
}

static void hear_end(gw_sim *sim, const gw_wire_head *head, const uint8_t *body)
{
    bool error = head->command == GW_WIRE_ERROR && head->len > 8;
    if (head->len >= 8)
        sim->now_ps = clock_of(sim, gw_wire_get64(body));
    if (error)
        gw_sim_lose(sim, "the simulator gave up at %lld ns: %.*s", now_ns(sim),
                    (int)(head->len - 8 < 160 ? head->len - 8 : 160), (const char *)body + 8);
    else
        gw_sim_lose(sim,
                    "the simulation ended by itself at %lld ns ($finish, a stop, or nothing "
                    "left to happen)",
                    now_ns(sim));
}

/* It lives, and its time should go on. */
static void hear_life(gw_sim *sim, const gw_wire_head *head, const uint8_t *body)
{
    int64_t at_ps = head->len >= 8 ? clock_of(sim, gw_wire_get64(body)) : sim->now_ps;
    sim->still = at_ps == sim->alive_ps ? sim->still + 1 : 0;
    sim->alive_ps = at_ps;
    if (sim->still == STILL_MAX)
        gw_sim_lose(sim, "the simulator's time stands still at %lld ns",
                    (long long)(at_ps / GW_SIM_PS_A_NS));
}

bool gw_sim_heed(gw_sim *sim, const gw_wire_head *head, const uint8_t *body)
{
    switch (head->command) {
    case GW_WIRE_SYNC:
        if (head->len < 8 || head->id != sim->sync_id || (head->flags & GW_WIRE_RESPONSE) == 0) {
            gw_sim_lose(sim, "the simulator sends garbage: an answer to no SYNC");
            return true;
        }
        sim->now_ps = clock_of(sim, gw_wire_get64(body));
        sim->pending = false;
        if (sim->now_ps < sim->asked_ps && !sim->came)
            gw_sim_lose(sim, "the simulator's time stands still at %lld ns: it goes on no more",
                        now_ns(sim));
        return true;
    case GW_WIRE_WRITE:
    case GW_WIRE_READ:
        hear_port(sim, head, body);
        return false;
    case GW_WIRE_FINDING:
        hear_finding(sim, head, body);
        return false;
    case GW_WIRE_EDGES:
        gw_sim_hear_edges(sim, head, body);
        return false;
    case GW_WIRE_END:
    case GW_WIRE_ERROR:
        hear_end(sim, head, body);
        return true;
    case GW_WIRE_NOP:
        hear_life(sim, head, body);
        return !gw_sim_is_there(sim);
    default:
        if ((head->flags & GW_WIRE_OPTIONAL) == 0)
            gw_sim_lose(sim, "the simulator sends garbage: command 0x%lx",
                        (unsigned long)head->command);
        return false;
    }
}

static void ask(gw_sim *sim, int64_t until_ps, bool free_run)
{
    uint8_t body[8];
    int64_t theirs = until_ps - sim->base_ps;
    gw_wire_head head = {.command = GW_WIRE_SYNC, .flags = free_run ? GW_WIRE_FREE : 0};
    gw_wire_put64(body, theirs > 0 ? (uint64_t)theirs : 0);
    sim->asked_ps = until_ps;
    sim->came = false;
    sim->sync_id = gw_sim_say(sim, head, body, sizeof(body), NULL, 0);
    sim->pending = sim->sync_id != 0;
}

void gw_sim_run(gw_sim *sim, int64_t until_ps, bool free_run)
{
    if (!sim->pending && gw_sim_is_there(sim))
        ask(sim, until_ps, free_run);
    while (sim->pending) {
        gw_wire_head head;
        const uint8_t *body = gw_sim_hear(sim, &head);
        if (body == NULL || gw_sim_heed(sim, &head, body))
            break;
    }
    if (!gw_sim_is_there(sim) && until_ps > sim->now_ps)
        sim->now_ps = until_ps;
}
