/* SPDX-License-Identifier: BSD-2-Clause */
/* The ports for registers in a real simulator: what is read and written through them, when, and
 * what they see of the faults in cores/buses. The log has to be the same whatever simulator runs
 * and whatever language the ports are in: buses_test SIMULATE_SH SIMULATOR EXPECTED. Exit status
 * 77: it is not installed. */
#include "goldwire/etherbone.h"
#include "link.h"
#include "sim_log_testing.h"

#define WIDTHS (GW_EB_32BIT << 4 | GW_EB_32BIT)
#define PORTS 11
#define ROUNDS 10
#define NOWHERE 0x100 /* ends with an error */
#define SILENT 0x200  /* does not end */

static const gw_endpoint here = {.family = GW_FAMILY_IPV4, .ip = {10, 0, 0, 1}, .port = 50000};
static const gw_endpoint there = {.family = GW_FAMILY_IPV4, .ip = {10, 0, 0, 2}, .port = 60368};

static const char *const breach_names[GW_SIM_NUM_BREACHES] = {
    [GW_SIM_STROBE_ALONE] = "strobe alone",
    [GW_SIM_UNASKED_ACK] = "unasked ack",
    [GW_SIM_TWO_ENDS] = "two ends",
    [GW_SIM_REQUEST_CHANGED] = "request changed",
    [GW_SIM_RESPONSE_DROPPED] = "answer dropped",
    [GW_SIM_RESPONSE_CHANGED] = "answer changed",
    [GW_SIM_RESPONSE_UNASKED] = "answer unasked",
    [GW_SIM_RESPONSE_IN_RESET] = "answer in reset",
    [GW_SIM_RESPONSE_WAITED] = "answer waited",
};

typedef struct run {
    gw_sim *sim;
    pid_t child;
    FILE *log;
} run;

/* One packet: |write| when it is not NULL, to |address|, and then a read of it and of the error
 * register. */
static void access_register(run *r, gw_transport *t, unsigned port, uint32_t address,
                            const uint32_t *write, uint8_t enables)
{
    uint8_t bytes[256];
    const uint64_t value = write != NULL ? *write : 0, reads[] = {address}, errors[] = {4};
    gw_eb_operation op = {.writes = &value,
                          .num_writes = write != NULL,
                          .write_base = address,
                          .reads = reads,
                          .num_reads = 1,
                          .byte_enable = enables};
    gw_eb_operation status = {
        .reads = errors, .num_reads = 1, .byte_enable = 0xf, .flags = GW_EB_RCA};
    gw_eb_builder builder;
    size_t len = 0;
    gw_endpoint from;
    if (!gw_eb_build_packet(&builder, bytes, sizeof(bytes), WIDTHS, NULL) ||
        !gw_eb_build_record(&builder, &op) || !gw_eb_build_record(&builder, &status))
        give_up("no packet");
    if (!t->ops->send(t, bytes, gw_eb_build_end(&builder, true)))
        give_up(t->error);
    if (t->ops->recv(t, bytes, sizeof(bytes), &len, t->ops->now(t), NULL, &from) != GW_RECV_DATA)
        give_up("no answer");
    fprintf(r->log, "port %u: %s 0x%03lx, by %lld ps:", port, write != NULL ? "write" : "read",
            (unsigned long)address, (long long)r->sim->now_ps);
    for (size_t i = 4; i < len; i++)
        fprintf(r->log, "%s%02x", i % 4 == 0 ? " " : "", bytes[i]);
    fprintf(r->log, "\n");
}

/* One direction at an edge: its wires from the lowest on, and what counts beside them. */
static void log_signals(FILE *log, const gw_sim_signals *at, unsigned wires)
{
    fputc(' ', log);
    for (unsigned i = 0; i < wires; i++)
        fputc(at->known ? "01x?"[at->wires >> 2 * i & 3] : '-', log);
    if ((at->wires & 3) != 1)
        return;
    fprintf(log, " %llx:", (unsigned long long)at->keep);
    for (uint32_t i = at->len; i > 0; i--)
        fprintf(log, "%02x", at->data[i - 1]);
}

static void log_column(run *r, const gw_sim_view *view, size_t i)
{
    bool axil = view->interface == GW_SIM_INTERFACE_AXIL;
    fprintf(r->log, "%c %lld ps, %lu left out:", i == view->focus ? '>' : ' ',
            (long long)view->columns[i].time_ps, (unsigned long)view->columns[i].skipped);
    log_signals(r->log, &view->columns[i].lanes[0], axil ? 8 : 4);
    fputs(" |", r->log);
    log_signals(r->log, &view->columns[i].lanes[1], 6);
    fputc('\n', r->log);
}

/* What the signals were when the last access ended. */
static void look_at_end(run *r, unsigned port)
{
    const gw_sim_moment moment = {.at_ns = gw_sim_now(r->sim), .from_core = true};
    gw_sim_view *view = gw_sim_look(r->sim, port, &moment);
    if (view == NULL)
        give_up("nobody knows the signals");
    fprintf(r->log, "port %u: signals\n", port);
    for (size_t i = 0; i < view->num; i++)
        log_column(r, view, i);
    free(view);
}

static bool has_fault(unsigned port)
{
    return port != 0 && port != 7 && port != 8;
}

static void exercise(run *r, unsigned port)
{
    char why[256] = "";
    const uint32_t other = 0x55667788;
    gw_transport *t = gw_sim_open(r->sim, port, &here, &there, why, sizeof(why));
    if (t == NULL)
        give_up(why);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint32_t value = UINT32_C(0x01020304) * (i + 1);
        access_register(r, t, port, 8 * i, &value, 0xf);
    }
    access_register(r, t, port, 8, &other, 0x5);
    access_register(r, t, port, NOWHERE, &other, 0xf);
    access_register(r, t, port, 8, NULL, 0xf);
    access_register(r, t, port, SILENT, NULL, 0xf);
    access_register(r, t, port, 8, NULL, 0xf);
    if (!gw_sim_reset(r->sim, 100, why, sizeof(why)))
        give_up(why);
    access_register(r, t, port, 16, NULL, 0xf);
    if (!has_fault(port)) {
        access_register(r, t, port, NOWHERE, NULL, 0xf);
        look_at_end(r, port);
        access_register(r, t, port, SILENT, &other, 0x3);
        look_at_end(r, port);
    }
    gw_transport_close(t);
}

/* Breaches at one clock edge come in any order of the ports. */
static bool log_port(run *r, unsigned port)
{
    const gw_sim_breaches *seen;
    bool unknown = false;
    for (size_t i = 0; (seen = gw_sim_breach_seen(r->sim, i)) != NULL; i++) {
        bool is_unknown = seen->which == GW_SIM_RESPONSE_UNKNOWN;
        if (seen->port != port)
            continue;
        unknown = unknown || is_unknown;
        if (!is_unknown)
            fprintf(r->log, "port %u: %s, %llu times, first at %lld ns\n", seen->port,
                    breach_names[seen->which], (unsigned long long)seen->times,
                    (long long)seen->first_ns);
        if (!is_unknown && port < PORTS) {
            if (seen->view == NULL)
                give_up("a breach without its signals");
            log_column(r, seen->view, seen->view->focus);
        }
    }
    return unknown;
}

/* What is neither 0 nor 1 is seen where there is such a thing: Verilator knows two values. */
static void log_breaches(run *r, const char *simulator)
{
    bool unknown = false;
    for (unsigned port = 0; port < GW_SIM_PORTS; port++)
        unknown = log_port(r, port) || unknown;
    if (unknown == (strcmp(simulator, "verilator") == 0))
        give_up("unknown data was not seen, or where there can be none");
    if (!gw_sim_bus_used(r->sim) || !gw_sim_axil_used(r->sim))
        give_up("nobody saw that the buses were used");
}

int main(int argc, char **argv)
{
    run r = {.log = tmpfile()};
    if (argc < 3 || r.log == NULL)
        give_up("usage: buses_test SIMULATE_SH SIMULATOR [EXPECTED]");
    r.sim = start_simulator(argv[1], argv[2], "buses", &r.child);
    fprintf(r.log, "# SPDX-License-Identifier: BSD-2-Clause\n# What buses_test reads.\n");
    for (unsigned port = 0; port < PORTS; port++)
        exercise(&r, port);
    log_breaches(&r, argv[2]);
    gw_sim_free(r.sim);
    int status = 0;
    if (waitpid(r.child, &status, 0) != r.child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        give_up("the simulator ended badly");
    return end_log(r.log, argc > 3 ? argv[3] : NULL);
}
