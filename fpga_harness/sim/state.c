/* SPDX-License-Identifier: BSD-2-Clause */
/* What is known of a simulation without asking the simulator. */
#include "link.h"

int64_t gw_sim_now(const gw_sim *sim)
{
    return sim->now_ps / GW_SIM_PS_A_NS;
}

size_t gw_sim_untaken(const gw_sim *sim, unsigned port)
{
    return port < GW_SIM_PORTS ? sim->ports[port].untaken : 0;
}

bool gw_sim_lacks_events(const gw_sim *sim, unsigned port)
{
    return port < GW_SIM_PORTS && sim->ports[port].kind == GW_SIM_OP2P &&
           (port + 1 == GW_SIM_PORTS || sim->ports[port + 1].kind != GW_SIM_LINK);
}

const gw_sim_breaches *gw_sim_breach_seen(const gw_sim *sim, size_t index)
{
    return index < sim->num_breaches ? &sim->breaches[index] : NULL;
}

static bool has_kind(const gw_sim *sim, unsigned kind)
{
    for (unsigned i = 0; i < GW_SIM_PORTS; i++)
        if (sim->ports[i].kind == kind)
            return true;
    return false;
}

bool gw_sim_watches_axis(const gw_sim *sim)
{
    return has_kind(sim, GW_SIM_UDP) || has_kind(sim, GW_SIM_ETHERNET);
}

bool gw_sim_watches_bus(const gw_sim *sim)
{
    return has_kind(sim, GW_SIM_WATCH);
}

uint64_t gw_sim_frames_heard(const gw_sim *sim)
{
    return sim->frames_heard;
}

bool gw_sim_bus_used(const gw_sim *sim)
{
    return sim->bus_used;
}

bool gw_sim_watches_axil(const gw_sim *sim)
{
    return has_kind(sim, GW_SIM_AXIL);
}

bool gw_sim_axil_used(const gw_sim *sim)
{
    return sim->axil_used;
}
