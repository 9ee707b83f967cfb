/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulated cores: where their ports are, and how long they may take. */
#include "device/dut_sim.h"

#include <stdio.h>

/* Of the wall's clock, each time that somebody looks for the simulator. */
#define LOOK_NS INT64_C(2000000000)

/* Of a core that nobody described. */
#define CLOCK_HZ UINT64_C(125000000)
#define ANSWER_CYCLES 20000
#define SETTLE_CYCLES 4000

bool gw_dut_sim_may(const gw_board *role, unsigned link, bool serve, const char *url, char *why,
                    size_t why_cap)
{
    const char *name = role != NULL ? role->role : "board";
    if (serve) {
        (void)snprintf(why, why_cap,
                       "%s: this %s calls us, and a core that does cannot be simulated: a case "
                       "begins with a new call, which a port does not tell from the one before. "
                       "Let it call over a network, where --serve says",
                       url, name);
        return false;
    }
    if (role != NULL && (role->roce_links >> link & 1) != 0) {
        (void)snprintf(why, why_cap,
                       "%s: this %s speaks InfiniBand, and a core that does cannot be simulated: "
                       "its packets are checked by the addresses of a network. Write "
                       "roce://HOST[:PORT], or ib://DEVICE?to=ADDRESS",
                       url, name);
        return false;
    }
    return true;
}

bool gw_dut_sim_await(gw_sim *sim, const gw_url *url, char *why, size_t why_cap)
{
    char cause[200];
    if (!gw_sim_lost(sim, cause, sizeof(cause)) || gw_sim_await(sim, LOOK_NS, cause, sizeof(cause)))
        return true;
    (void)snprintf(why, why_cap, "sim://%s: %s", url->host, cause);
    return false;
}

/* Whether a link is a byte stream is said before there is a simulator to ask. */
bool gw_dut_sim_fits(const gw_sim *sim, const gw_url *url, char *why, size_t why_cap)
{
    bool apelink = gw_sim_is_apelink(sim, url->port);
    if (gw_sim_lacks_events(sim, url->port)) {
        (void)snprintf(why, why_cap,
                       "sim://%s: the testbench has no port %u for the events of the link %u",
                       url->host, url->port + 1u, url->port);
        return false;
    }
    if (!apelink && !gw_sim_is_datagrams(sim, url->port) && !gw_sim_is_ethernet(sim, url->port)) {
        (void)snprintf(why, why_cap,
                       "sim://%s: the testbench has no port %u that carries frames, words or "
                       "registers: look at its NUMBER, and at `where:' in the board file",
                       url->host, url->port);
        return false;
    }
    if ((url->valid.told || url->ready.told) && !gw_sim_is_axis(sim, url->port)) {
        (void)snprintf(
            why, why_cap,
            "sim://%s: port %u of the testbench is no AXI4-Stream, of which alone valid= "
            "and ready= can be said",
            url->host, url->port);
        return false;
    }
    if (apelink == url->over_apelink)
        return true;
    (void)snprintf(why, why_cap,
                   apelink ? "port %u of the testbench is an APElink: write sim://%s?port=%u&over="
                             "apelink"
                           : "port %u of the testbench is no APElink: write sim://%s?port=%u",
                   url->port, url->host, url->port);
    return false;
}

gw_transport *gw_dut_sim_connect(gw_sim *sim, const gw_url *url, const gw_raw_setup *ends,
                                 gw_target_link *link, char *why, size_t why_cap)
{
    link->frames = gw_sim_is_ethernet(sim, url->port);
    link->single = !link->frames;
    gw_transport *t = gw_sim_open(sim, url->port, &ends->local, &ends->remote, why, why_cap);
    if (t != NULL && url->over_apelink)
        return gw_sim_apelink(t, why, why_cap);
    return t != NULL && link->frames ? gw_raw_over(t, ends, why, why_cap) : t;
}

/* |cycles| of a clock of |hz|, in nanoseconds, rounded up. */
static int64_t cycles_ns(uint64_t cycles, uint64_t hz)
{
    return (int64_t)((double)cycles * 1e9 / (double)hz) + 1;
}

void gw_dut_sim_pace(gw_target *target, const gw_board_pace *pace)
{
    uint64_t hz = pace->clock_hz != 0 ? pace->clock_hz : CLOCK_HZ;
    uint64_t answer = pace->answer_cycles != 0 ? pace->answer_cycles : ANSWER_CYCLES;
    uint64_t settle = pace->settle_cycles != 0 ? pace->settle_cycles : SETTLE_CYCLES;
    uint64_t times = pace->patience != 0 ? pace->patience : 1;
    target->clock_hz = hz;
    target->reply_ns = cycles_ns(answer * times, hz);
    target->settle_ns = cycles_ns(settle * times, hz);
}
