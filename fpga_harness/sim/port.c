/* SPDX-License-Identifier: BSD-2-Clause */
/* The ports of a simulated board as transports, its reset wire, and what it tells beside. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link.h"

typedef struct sim_transport {
    gw_transport t;
    gw_sim *sim;
    unsigned port;
    gw_sim_queue in;
} sim_transport;

static gw_sim *sim_of(gw_transport *t)
{
    return ((sim_transport *)t)->sim;
}

static int64_t sim_now(gw_transport *t)
{
    return gw_sim_now(sim_of(t));
}

static bool sim_send(gw_transport *t, const uint8_t *data, size_t len)
{
    if (t->carries != 0 && len > t->carries) {
        t->too_long = true;
        (void)snprintf(t->error, sizeof(t->error), "%zu bytes, and the port takes %zu at most", len,
                       t->carries);
        return false;
    }
    gw_sim_note(sim_of(t), t);
    /* An AXI stream has no frame without a byte: nobody could tell it from silence. */
    if (t->unreachable || len == 0)
        return !t->unreachable;
    gw_sim_write(sim_of(t), ((sim_transport *)t)->port, data, len);
    gw_sim_note(sim_of(t), t);
    return !t->unreachable;
}

static gw_recv_status sim_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                               int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    gw_sim *sim = sim_of(t);
    gw_sim_queue *in = &((sim_transport *)t)->in;
    int64_t time_ps;
    while (!gw_sim_queue_get(in, &time_ps, buf, cap, len)) {
        int64_t before_ps = sim->now_ps;
        if (sim->now_ps >= gw_sim_ps(deadline))
            return GW_RECV_TIMEOUT;
        gw_sim_run(sim, gw_sim_ps(deadline), false);
        gw_sim_note(sim_of(t), t);
        if (sim->now_ps == before_ps && in->first == in->end)
            return GW_RECV_TIMEOUT; /* goldwire was told to stop */
    }
    if (stamp_ns != NULL)
        *stamp_ns = GW_VIRTUAL_EPOCH_NS + time_ps / GW_SIM_PS_A_NS;
    if (from != NULL)
        *from = t->remote;
    t->unreachable = false;
    return GW_RECV_DATA;
}

static void sim_wait(gw_transport *t, int64_t deadline)
{
    gw_sim_pass(sim_of(t), deadline);
    gw_sim_note(sim_of(t), t);
}

static void sim_close(gw_transport *t)
{
    sim_transport *s = (sim_transport *)t;
    gw_sim *sim = s->sim;
    gw_sim_leave(sim, s->port, &s->in);
    free(s);
    gw_sim_unref(sim);
}

static const gw_transport_ops sim_ops = {
    .now = sim_now, .send = sim_send, .recv = sim_recv, .wait = sim_wait, .close = sim_close};

static gw_transport *open_frames(gw_sim *sim, unsigned port, const gw_endpoint *local,
                                 const gw_endpoint *remote, char *why, size_t why_cap)
{
    sim_transport *s = calloc(1, sizeof(*s));
    if (s == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        return NULL;
    }
    if (!gw_sim_join(sim, port, &s->in, why, why_cap)) {
        free(s);
        return NULL;
    }
    s->t = (gw_transport){
        .ops = &sim_ops, .local = *local, .remote = *remote, .carries = GW_SIM_FRAME_MAX - 1};
    s->sim = sim;
    s->port = port;
    sim->refs++;
    return &s->t;
}

gw_transport *gw_sim_open(gw_sim *sim, unsigned port, const gw_endpoint *local,
                          const gw_endpoint *remote, char *why, size_t why_cap)
{
    switch (port < GW_SIM_PORTS ? sim->ports[port].kind : 0) {
    case GW_SIM_UDP:
    case GW_SIM_ETHERNET:
    case GW_SIM_APELINK:
        return open_frames(sim, port, local, remote, why, why_cap);
    case GW_SIM_OP2P:
        return gw_sim_open_words(sim, port, local, remote, why, why_cap);
    case GW_SIM_BUS:
    case GW_SIM_AXIL:
        return gw_sim_open_bus(sim, port, local, remote, why, why_cap);
    default:
        (void)snprintf(why, why_cap,
                       "the testbench has no port %u that carries frames, words or registers",
                       port);
        return NULL;
    }
}

bool gw_sim_is_datagrams(const gw_sim *sim, unsigned port)
{
    unsigned kind = port < GW_SIM_PORTS ? sim->ports[port].kind : 0;
    return kind == GW_SIM_UDP || kind == GW_SIM_OP2P || kind == GW_SIM_BUS || kind == GW_SIM_AXIL;
}

bool gw_sim_is_axis(const gw_sim *sim, unsigned port)
{
    return port < GW_SIM_PORTS &&
           (sim->ports[port].kind == GW_SIM_UDP || gw_sim_is_ethernet(sim, port));
}

bool gw_sim_is_ethernet(const gw_sim *sim, unsigned port)
{
    return port < GW_SIM_PORTS && sim->ports[port].kind == GW_SIM_ETHERNET;
}

bool gw_sim_is_apelink(const gw_sim *sim, unsigned port)
{
    return port < GW_SIM_PORTS && sim->ports[port].kind == GW_SIM_APELINK;
}

static bool set_wire(gw_sim *sim, unsigned port, uint32_t level, uint32_t flags)
{
    uint8_t body[24] = {0};
    gw_wire_head head = {.command = GW_WIRE_INTERRUPT, .flags = flags, .port = port};
    gw_wire_put64(body, (uint64_t)(sim->now_ps - sim->base_ps));
    gw_wire_put32(body + 20, level);
    return gw_sim_say(sim, head, body, sizeof(body), NULL, 0) != 0;
}

/* Holds the reset wire for |time_ns| and lets as much pass behind it, |flags| with each message. */
static bool pull_reset(gw_sim *sim, int64_t time_ns, uint32_t flags, char *why, size_t why_cap)
{
    unsigned port = 0;
    while (port < GW_SIM_PORTS && sim->ports[port].kind != GW_SIM_RESET)
        port++;
    if (gw_sim_lost(sim, why, why_cap))
        return false;
    if (port == GW_SIM_PORTS) {
        (void)snprintf(why, why_cap, "the testbench has no reset wire (gw_reset)");
        return false;
    }
    if (set_wire(sim, port, 1, flags))
        gw_sim_run(sim, sim->now_ps + time_ns * GW_SIM_PS_A_NS, true);
    if (set_wire(sim, port, 0, flags))
        gw_sim_run(sim, sim->now_ps + time_ns * GW_SIM_PS_A_NS, true);
    return !gw_sim_lost(sim, why, why_cap);
}

bool gw_sim_reset(gw_sim *sim, int64_t time_ns, char *why, size_t why_cap)
{
    return pull_reset(sim, time_ns, 0, why, why_cap);
}

bool gw_sim_clear(gw_sim *sim, int64_t time_ns, char *why, size_t why_cap)
{
    for (unsigned i = 0; i < GW_SIM_PORTS; i++)
        sim->ports[i].untaken = 0;
    return pull_reset(sim, time_ns, GW_WIRE_CLEAR, why, why_cap);
}

void gw_sim_mark(gw_sim *sim, const char *text)
{
    uint8_t body[GW_WIRE_MARK] = {0};
    gw_wire_head head = {.command = GW_WIRE_MARK_CASE, .flags = GW_WIRE_OPTIONAL};
    size_t len = strlen(text);
    memcpy(body, text, len < sizeof(body) ? len : sizeof(body));
    memcpy(sim->mark, body, sizeof(body));
    (void)gw_sim_say(sim, head, body, sizeof(body), NULL, 0);
}
