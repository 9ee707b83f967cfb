/* SPDX-License-Identifier: BSD-2-Clause */
/* AXI4-Stream, Wishbone and AXI4-Lite, judged by what the ports of a simulated board saw. A breach
 * is told once, by its case, and not by each of the cases during which it happened. */
#include "ports/ports.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim.h"
#include "run/runner.h"

#define PORT_CASE(rule, name, text)                                                                \
    {                                                                                              \
        .id = name, .title = (text), .rules = GW_LIST(rule), .judge = gw_port_judge,               \
        .unproven = "it is failed by faults of the example cores, which no packet shows",          \
    }

const gw_case gw_port_cases[] = {
    PORT_CASE("AXIS-01", "axis/valid-held", "The core keeps tvalid until tready"),
    PORT_CASE("AXIS-02", "axis/data-held", "The core keeps a beat unchanged until it is taken"),
    PORT_CASE("AXIS-03", "axis/keep-contiguous",
              "The core sends frames without null bytes before their end"),
    PORT_CASE("AXIS-04", "axis/no-empty-frame", "The core ends no frame that has no byte"),
    PORT_CASE("AXIS-05", "axis/known-values",
              "The core drives its outputs to 0 or 1 from its reset on"),
    PORT_CASE("AXIS-06", "axis/valid-first", "The core raises tvalid without waiting for tready"),
    PORT_CASE("WB-01", "wb/strobe-in-cycle", "A bus master raises stb only in a cycle"),
    PORT_CASE("WB-02", "wb/answers-asked-for",
              "Each request of a cycle gets one answer, and nothing else does"),
    PORT_CASE("WB-03", "wb/one-answer", "An answer on the bus is one of ack, err and rty"),
    PORT_CASE("WB-04", "wb/request-held", "A request stays as it is while it is stalled"),
    PORT_CASE("WB-05", "wb/known-values", "The bus is driven to 0 or 1 from its reset on"),
    PORT_CASE("AXIL-01", "axil/valid-held", "A slave keeps the valid of an answer until its ready"),
    PORT_CASE("AXIL-02", "axil/answer-held", "A slave keeps an answer unchanged until it is taken"),
    PORT_CASE("AXIL-03", "axil/answers-asked-for",
              "A slave gives each request one answer, and nothing else"),
    PORT_CASE("AXIL-04", "axil/known-values",
              "A slave drives its outputs to 0 or 1 from its reset on"),
    PORT_CASE("AXIL-05", "axil/silent-in-reset", "A slave answers nothing in reset"),
    PORT_CASE("AXIL-06", "axil/valid-first", "A slave answers without waiting for ready"),
    {0},
};

#define ASKS_NOTHING "the ports look at all that passes, whatever it is that the other cases send"

static const gw_exception exceptions[] = {
    {"AXIS-01", GW_NEGATIVE, ASKS_NOTHING}, {"AXIS-02", GW_NEGATIVE, ASKS_NOTHING},
    {"AXIS-03", GW_NEGATIVE, ASKS_NOTHING}, {"AXIS-04", GW_NEGATIVE, ASKS_NOTHING},
    {"AXIS-05", GW_NEGATIVE, ASKS_NOTHING}, {"AXIS-06", GW_NEGATIVE, ASKS_NOTHING},
    {"WB-01", GW_NEGATIVE, ASKS_NOTHING},   {"WB-02", GW_NEGATIVE, ASKS_NOTHING},
    {"WB-03", GW_NEGATIVE, ASKS_NOTHING},   {"WB-04", GW_NEGATIVE, ASKS_NOTHING},
    {"WB-05", GW_NEGATIVE, ASKS_NOTHING},   {"AXIL-01", GW_NEGATIVE, ASKS_NOTHING},
    {"AXIL-02", GW_NEGATIVE, ASKS_NOTHING}, {"AXIL-03", GW_NEGATIVE, ASKS_NOTHING},
    {"AXIL-04", GW_NEGATIVE, ASKS_NOTHING}, {"AXIL-05", GW_NEGATIVE, ASKS_NOTHING},
    {"AXIL-06", GW_NEGATIVE, ASKS_NOTHING},
};

static const gw_case *const groups[] = {gw_port_cases};

const gw_suite gw_port_suite = {
    .role = "simulated-ports",
    .format = &gw_port_format,
    .families = GW_LIST("AXIS-", "WB-", "AXIL-"),
    .groups = groups,
    .num_groups = GW_ARRAY_LEN(groups),
    .exceptions = exceptions,
    .num_exceptions = GW_ARRAY_LEN(exceptions),
};

enum {
    AXIS,
    BUS,
    AXIL,
};

static const char *const nobody_watches[] = {
    [AXIS] = "no port of the testbench is AXI4-Stream (gw_axis)",
    [BUS] = "nothing in the testbench watches a Wishbone bus (gw_wb_watch)",
    [AXIL] = "no port of the testbench is an AXI4-Lite master (gw_axil)",
};

static const char *const nothing_passed[] = {
    [AXIS] = "the core offered no frame that could be looked at",
    [BUS] = "no cycle of the bus was seen that could be looked at",
    [AXIL] = "no access over AXI4-Lite was answered",
};

/* All that the ports saw of |rule| broken: the earliest, and how often in all. False: nothing. */
static bool sum_up(const gw_sim *sim, const char *rule, gw_sim_breaches *out)
{
    const gw_sim_breaches *seen;
    uint64_t times = 0;
    bool at_least = false;
    *out = (gw_sim_breaches){.first_ns = INT64_MAX};
    for (size_t i = 0; (seen = gw_sim_breach_seen(sim, i)) != NULL; i++) {
        if (strcmp(seen->rule, rule) != 0)
            continue;
        times += seen->times;
        at_least = at_least || seen->at_least;
        if (seen->first_ns < out->first_ns)
            *out = *seen;
    }
    out->times = times;
    out->at_least = at_least;
    return times > 0;
}

static void blame(const gw_target *target, gw_result *result, const gw_sim_breaches *first)
{
    char during[64] = "";
    result->rule = gw_format_rule(&gw_port_format, result->which->rules[0]);
    result->failures = result->attempts = 1;
    result->at_ns = first->first_ns;
    free(result->view);
    result->view = NULL;
    if (first->view != NULL && (result->view = malloc(sizeof(*result->view))) != NULL)
        *result->view = *first->view;
    if (first->during[0] != '\0')
        (void)snprintf(during, sizeof(during), " during %s", first->during);
    gw_result_set(result, result->rule->level == GW_SHOULD ? GW_WARN : GW_FAIL,
                  "seen %s%" PRIu64 " time%s, first on port %u at %" PRId64 " ns, cycle %" PRIu64
                  "%s",
                  first->at_least ? "at least " : "", first->times, first->times == 1 ? "" : "s",
                  first->port, first->first_ns, gw_target_cycle(target, first->first_ns), during);
}

/* Which of the ports see what |rule| is about. */
static unsigned seen_by(const char *rule)
{
    if (strncmp(rule, "AXIL-", 5) == 0)
        return AXIL;
    return strncmp(rule, "WB-", 3) == 0 ? BUS : AXIS;
}

static bool is_watched(const gw_sim *sim, unsigned by)
{
    if (by == AXIL)
        return gw_sim_watches_axil(sim);
    return by == BUS ? gw_sim_watches_bus(sim) : gw_sim_watches_axis(sim);
}

static bool has_passed(const gw_sim *sim, unsigned by)
{
    if (by == AXIL)
        return gw_sim_axil_used(sim);
    return by == BUS ? gw_sim_bus_used(sim) : gw_sim_frames_heard(sim) > 0;
}

void gw_port_judge(const gw_target *target, gw_result *result)
{
    const gw_sim *sim = target->sim;
    const gw_case *which = result->which;
    gw_sim_breaches seen;
    if (sim == NULL) {
        gw_result_set(result, GW_NA, "the board is not simulated: nobody sees its ports");
        return;
    }
    char why[200];
    unsigned by = seen_by(which->rules[0]);
    if (sum_up(sim, which->rules[0], &seen))
        blame(target, result, &seen);
    else if (gw_sim_frames_heard(sim) == 0 && !gw_sim_axil_used(sim) &&
             gw_sim_lost(sim, why, sizeof(why)))
        gw_result_set(result, GW_INCONC, "%s", why);
    else if (!is_watched(sim, by))
        gw_result_set(result, GW_NA, "%s", nobody_watches[by]);
    else if (!has_passed(sim, by))
        gw_result_set(result, GW_INCONC, "%s", nothing_passed[by]);
    else
        gw_result_set(result, GW_PASS, "%s", "");
}
