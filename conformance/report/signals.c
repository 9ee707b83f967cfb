/* SPDX-License-Identifier: BSD-2-Clause */
/* What the signals of a simulated board's ports are called, and what they say. */
#include "report/signals.h"

static const gw_signal axis[] = {
    {"tvalid", GW_SIGNAL_WIRE, 0, 0},  {"tready", GW_SIGNAL_WIRE, 1, 0},
    {"tlast", GW_SIGNAL_BESIDE, 2, 0}, {"tkeep", GW_SIGNAL_KEEP, 0, 0},
    {"tdata", GW_SIGNAL_DATA, 2, 0},   {0}};
static const gw_signal op2p[] = {{"valid", GW_SIGNAL_WIRE, 0, 0},
                                 {"ready", GW_SIGNAL_WIRE, 1, 0},
                                 {"sof", GW_SIGNAL_BESIDE, 3, 0},
                                 {"eof", GW_SIGNAL_BESIDE, 2, 0},
                                 {"rem", GW_SIGNAL_KEEP, 0, 0},
                                 {"data", GW_SIGNAL_DATA, 2, 0},
                                 {0}};
static const gw_signal apelink[] = {{"valid", GW_SIGNAL_WIRE, 0, 0},
                                    {"ready", GW_SIGNAL_WIRE, 1, 0},
                                    {"flag", GW_SIGNAL_KEEP, 0, 0},
                                    {"data", GW_SIGNAL_DATA, 2, 0},
                                    {0}};
static const gw_signal bus[] = {{"cyc", GW_SIGNAL_WIRE, 1, 0},
                                {"stb", GW_SIGNAL_WIRE, 0, 0},
                                {"we", GW_SIGNAL_BESIDE, 2, 0},
                                {"adr", GW_SIGNAL_DATA, 0, 0},
                                {"sel", GW_SIGNAL_KEEP, 0, 0},
                                {"dat", GW_SIGNAL_DATA, 1, 0},
                                {"stall", GW_SIGNAL_WIRE, 3, 0},
                                {"ack", GW_SIGNAL_WIRE, 4, 0},
                                {"err", GW_SIGNAL_WIRE, 5, 0},
                                {"rty", GW_SIGNAL_WIRE, 6, 0},
                                {0}};

/* Of registers: what goldwire asks for, and what the core answers. */
static const gw_signal wishbone_asks[] = {{"cyc", GW_SIGNAL_WIRE, 3, 0},
                                          {"stb", GW_SIGNAL_WIRE, 0, 0},
                                          {"we", GW_SIGNAL_BESIDE, 2, 0},
                                          {"adr", GW_SIGNAL_DATA, 0, 0},
                                          {"sel", GW_SIGNAL_KEEP, 0, 0},
                                          {"dat_w", GW_SIGNAL_DATA, 1, 0},
                                          {0}};
static const gw_signal wishbone_answers[] = {{"ack", GW_SIGNAL_WIRE, 4, 0},
                                             {"err", GW_SIGNAL_WIRE, 5, 0},
                                             {"dat_r", GW_SIGNAL_DATA, 2, 2},
                                             {0}};
static const gw_signal axil_asks[] = {{"awvalid", GW_SIGNAL_WIRE, 2, 0},
                                      {"awready", GW_SIGNAL_WIRE, 3, 0},
                                      {"awaddr", GW_SIGNAL_DATA, 0, 2},
                                      {"wvalid", GW_SIGNAL_WIRE, 4, 0},
                                      {"wready", GW_SIGNAL_WIRE, 5, 0},
                                      {"wstrb", GW_SIGNAL_KEEP, 0, 4},
                                      {"wdata", GW_SIGNAL_DATA, 1, 4},
                                      {"arvalid", GW_SIGNAL_WIRE, 6, 0},
                                      {"arready", GW_SIGNAL_WIRE, 7, 0},
                                      {"araddr", GW_SIGNAL_DATA, 0, 6},
                                      {0}};
static const gw_signal axil_answers[] = {
    {"bvalid", GW_SIGNAL_WIRE, 2, 0}, {"bready", GW_SIGNAL_WIRE, 3, 0},
    {"bresp", GW_SIGNAL_KEEP, 0, 2},  {"rvalid", GW_SIGNAL_WIRE, 4, 0},
    {"rready", GW_SIGNAL_WIRE, 5, 0}, {"rresp", GW_SIGNAL_KEEP, 0, 4},
    {"rdata", GW_SIGNAL_DATA, 2, 4},  {0}};

static const struct {
    const gw_signal *signals[GW_SIM_VIEW_LANES];
    const char *title;
    const char *lanes[GW_SIM_VIEW_LANES];
} interfaces[] = {
    [GW_SIM_INTERFACE_AXIS] = {{axis, axis}, "AXI4-Stream", {"to the core", "from the core"}},
    [GW_SIM_INTERFACE_OP2P] = {{op2p, op2p}, "link of OP2P", {"to the core", "from the core"}},
    [GW_SIM_INTERFACE_APELINK] = {{apelink, apelink}, "APElink", {"to the core", "from the core"}},
    [GW_SIM_INTERFACE_BUS] = {{bus, NULL}, "Wishbone", {"the bus", NULL}},
    [GW_SIM_INTERFACE_WISHBONE] = {{wishbone_asks, wishbone_answers},
                                   "Wishbone of registers",
                                   {"to the core", "from the core"}},
    [GW_SIM_INTERFACE_AXIL] = {{axil_asks, axil_answers},
                               "AXI4-Lite",
                               {"to the core", "from the core"}},
};

const gw_signal *gw_signals_of(gw_sim_interface interface, unsigned lane)
{
    return interfaces[interface].signals[lane];
}

const char *gw_signals_title(gw_sim_interface interface)
{
    return interfaces[interface].title;
}

const char *gw_signals_lane(gw_sim_interface interface, unsigned lane)
{
    return interfaces[interface].lanes[lane];
}

char gw_signal_wire(const gw_sim_signals *at, unsigned nth)
{
    return "01xx"[at->wires >> 2 * nth & 3];
}

bool gw_signal_counts(const gw_signal *signal, const gw_sim_signals *at)
{
    return at->known && gw_signal_wire(at, signal->with) != '0';
}

bool gw_signal_taken(const gw_signal *signal, const gw_sim_signals *at)
{
    return at->known && gw_signal_wire(at, signal->with) == '1' &&
           gw_signal_wire(at, signal->with + 1) == '1';
}

const char *gw_signal_hex(const gw_signal *signal, const gw_sim_signals *at,
                          char out[GW_SIGNAL_HEX])
{
    size_t len = 0;
    uint32_t half = at->len / 2;
    uint32_t from = signal->nth == 1 ? half : 0;
    uint32_t to = signal->nth == 0 ? half : at->len;
    if (signal->kind == GW_SIGNAL_KEEP) {
        (void)snprintf(out, GW_SIGNAL_HEX, "%llx", (unsigned long long)at->keep);
        return out;
    }
    out[0] = '\0';
    for (uint32_t i = to; i > from; i--, len += 2) {
        if ((at->unknown >> (i - 1) & 1) != 0)
            (void)snprintf(out + len, GW_SIGNAL_HEX - len, "xx");
        else
            (void)snprintf(out + len, GW_SIGNAL_HEX - len, "%02x", at->data[i - 1]);
    }
    return out;
}

static json_t *signals_object(const gw_sim_view *view, unsigned lane, const gw_sim_signals *at)
{
    char hex[GW_SIGNAL_HEX];
    if (!at->known)
        return json_null();
    json_t *object = json_object();
    for (const gw_signal *s = gw_signals_of(view->interface, lane); s->name != NULL; s++) {
        const char wire[2] = {gw_signal_wire(at, s->nth), '\0'};
        if (s->kind == GW_SIGNAL_WIRE || (s->kind == GW_SIGNAL_BESIDE && gw_signal_counts(s, at)))
            json_object_set_new(object, s->name, json_string(wire));
        else if (s->kind != GW_SIGNAL_BESIDE && gw_signal_counts(s, at))
            json_object_set_new(object, s->name, json_string(gw_signal_hex(s, at, hex)));
    }
    return object;
}

json_t *gw_signals_json(const gw_sim_view *view, const gw_target *target)
{
    json_t *edges = json_array();
    for (size_t i = 0; i < view->num; i++) {
        const gw_sim_column *column = &view->columns[i];
        int64_t time_ns = column->time_ps / 1000;
        json_t *edge = json_pack("{s:I,s:I,s:I}", "ps", (json_int_t)column->time_ps, "cycle",
                                 (json_int_t)gw_target_cycle(target, time_ns), "left_out_before",
                                 (json_int_t)column->skipped);
        bool is_bus = view->interface == GW_SIM_INTERFACE_BUS;
        json_object_set_new(edge, is_bus ? "bus" : "to_core",
                            signals_object(view, 0, &column->lanes[0]));
        if (!is_bus)
            json_object_set_new(edge, "from_core", signals_object(view, 1, &column->lanes[1]));
        json_array_append_new(edges, edge);
    }
    return json_pack("{s:i,s:s,s:i,s:o}", "port", (int)view->port, "interface",
                     gw_signals_title(view->interface), "at", (int)view->focus, "edges", edges);
}
