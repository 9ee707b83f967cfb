/* SPDX-License-Identifier: BSD-2-Clause */
/* What transports over the ports of a simulation share: who hears a port, and how time passes. */
#include <stdio.h>
#include <stdlib.h>

#include "link.h"

bool gw_sim_join(gw_sim *sim, unsigned port, gw_sim_queue *queue, char *why, size_t why_cap)
{
    gw_sim_port_state *state = &sim->ports[port];
    unsigned i = 0;
    while (i < GW_SIM_LISTENERS && state->listeners[i] != NULL)
        i++;
    if (i == GW_SIM_LISTENERS) {
        (void)snprintf(why, why_cap, "port %u has too many conversations", port);
        return false;
    }
    *queue = (gw_sim_queue){.bytes = malloc(GW_SIM_QUEUE)};
    if (queue->bytes == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        return false;
    }
    state->listeners[i] = queue;
    return true;
}

void gw_sim_leave(gw_sim *sim, unsigned port, gw_sim_queue *queue)
{
    for (unsigned i = 0; i < GW_SIM_LISTENERS; i++)
        if (sim->ports[port].listeners[i] == queue)
            sim->ports[port].listeners[i] = NULL;
    free(queue->bytes);
    queue->bytes = NULL;
}

void gw_sim_write(gw_sim *sim, unsigned port, const uint8_t *data, size_t len)
{
    gw_sim_port_state *state = &sim->ports[port];
    uint8_t head_bytes[GW_WIRE_BUS];
    gw_wire_bus bus = {.time_ps = (uint64_t)(sim->now_ps - sim->base_ps),
                       .attributes = GW_WIRE_LAST,
                       .len = (uint32_t)len,
                       .width = state->width};
    gw_wire_head head = {.command = GW_WIRE_WRITE, .port = port};
    if (state->untaken + len > GW_SIM_QUEUE / 4)
        return;
    gw_wire_put_bus(head_bytes, &bus);
    state->untaken += len;
    (void)gw_sim_say(sim, head, head_bytes, sizeof(head_bytes), data, len);
}

int64_t gw_sim_ps(int64_t ns)
{
    int64_t most = INT64_MAX / 4 / GW_SIM_PS_A_NS;
    return (ns < most ? ns : most) * GW_SIM_PS_A_NS;
}

void gw_sim_note(gw_sim *sim, gw_transport *t)
{
    t->unreachable = gw_sim_lost(sim, t->error, sizeof(t->error));
}

void gw_sim_pass(gw_sim *sim, int64_t deadline)
{
    int64_t before_ps;
    do {
        before_ps = sim->now_ps;
        if (before_ps < gw_sim_ps(deadline))
            gw_sim_run(sim, gw_sim_ps(deadline), true);
    } while (sim->now_ps > before_ps && sim->now_ps < gw_sim_ps(deadline));
}
