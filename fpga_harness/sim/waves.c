/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the simulators of a run write their waves, and which of them to look into. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "link.h"

/* What the next simulator finds in its environment. */
static bool announce(const gw_sim *sim)
{
    char path[sizeof(sim->waves) + 16];
    (void)snprintf(path, sizeof(path), "%s-%u", sim->waves, sim->num_starts + 1);
    return setenv("GOLDWIRE_WAVE", path, 1) == 0;
}

bool gw_sim_wave_to(gw_sim *sim, const char *dir, const char *name, char *why, size_t why_cap)
{
    int len = snprintf(sim->waves, sizeof(sim->waves), "%s/%s", dir, name);
    if (len > 0 && (size_t)len < sizeof(sim->waves) && announce(sim))
        return true;
    (void)snprintf(why, why_cap, "the path for the waves is too long");
    sim->waves[0] = '\0';
    return false;
}

void gw_sim_wave_started(gw_sim *sim)
{
    if (sim->num_starts < GW_SIM_STARTS)
        sim->starts_ps[sim->num_starts] = sim->base_ps;
    sim->num_starts++;
    if (sim->waves[0] != '\0')
        (void)announce(sim);
}

bool gw_sim_wave_at(const gw_sim *sim, int64_t at_ns, gw_sim_wave *out)
{
    static const char *const ends[] = {"fst", "vcd", "ghw"};
    unsigned which = 0;
    /* Of more simulators than there is room for nobody knows when they started. */
    if (sim->waves[0] == '\0' || sim->num_starts > GW_SIM_STARTS)
        return false;
    while (which < sim->num_starts && sim->starts_ps[which] <= at_ns * GW_SIM_PS_A_NS)
        which++;
    if (which == 0)
        return false;
    out->at_ns = at_ns - sim->starts_ps[which - 1] / GW_SIM_PS_A_NS;
    for (size_t i = 0; i < GW_ARRAY_LEN(ends); i++) {
        (void)snprintf(out->path, sizeof(out->path), "%s-%u.%s", sim->waves, which, ends[i]);
        if (access(out->path, F_OK) == 0)
            return true;
    }
    return false;
}
