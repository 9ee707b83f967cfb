/* SPDX-License-Identifier: BSD-2-Clause */
/* Asks the simulator what the signals of a port were. */
#include <stdlib.h>

#include "link.h"

#define BEHIND_PS INT64_C(200000) /* of time behind the moment, for what comes of it */

gw_sim_view *gw_sim_look(gw_sim *sim, unsigned port, const gw_sim_moment *moment)
{
    uint8_t body[16];
    gw_wire_head head = {.command = GW_WIRE_EDGES, .flags = GW_WIRE_OPTIONAL, .port = port};
    if (!gw_sim_is_there(sim) || sim->pending || port >= GW_SIM_PORTS)
        return NULL;
    gw_sim_run(sim, sim->now_ps + BEHIND_PS, true);
    gw_wire_put64(body, 0);
    gw_wire_put64(body + 8, UINT64_MAX);
    sim->moment = *moment;
    sim->view = NULL;
    sim->edges_id = gw_sim_say(sim, head, body, sizeof(body), NULL, 0);
    while (sim->edges_id != 0 && gw_sim_is_there(sim)) {
        gw_wire_head got;
        const uint8_t *text = gw_sim_hear(sim, &got);
        if (text == NULL || gw_sim_heed(sim, &got, text))
            break;
    }
    gw_sim_view *view = sim->view;
    sim->view = NULL;
    return view;
}
