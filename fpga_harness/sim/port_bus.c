/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers of a simulated board on a bus of its testbench (hdl/gw_wb, hdl/gw_axil), reached as
 * registers of boards are: by EtherBone packets, which this end carries out on the bus, access by
 * access in simulated time, and answers as an EtherBone slave does (32-bit widths, no configuration
 * space but its error register). */
#include <stdio.h>
#include <stdlib.h>

#include "goldwire/etherbone.h"
#include "link.h"

#define WIDTHS (GW_EB_32BIT << 4 | GW_EB_32BIT)
#define PACKET_MAX 1472
#define RUN_MAX 255
#define ACCESS_PS INT64_C(1000000000) /* a bus that has not ended an access by then is dead */
#define ERRORS_HIGH 0                 /* of the configuration space: the error register */
#define ERRORS_LOW 4

typedef struct bus_transport {
    gw_transport t;
    gw_sim *sim;
    unsigned port;
    gw_sim_queue out;
    uint64_t errors; /* of the last 64 accesses, the last one in bit 0 */
} bus_transport;

static bus_transport *of(gw_transport *t)
{
    return (bus_transport *)t;
}

static int64_t bus_now(gw_transport *t)
{
    return gw_sim_now(of(t)->sim);
}

/* ---- the bus ---- */

/* Carries out one access, *value written or read; 0 when the bus gives an error. */
static void access_bus(bus_transport *b, bool write, uint32_t address, uint8_t enables,
                       uint32_t *value)
{
    gw_sim *sim = b->sim;
    gw_sim_access *access = &sim->ports[b->port].access;
    gw_wire_bus bus = {.time_ps = (uint64_t)(sim->now_ps - sim->base_ps),
                       .attributes = GW_WIRE_LAST,
                       .address = address,
                       .len = 4,
                       .width = enables};
    gw_wire_head head = {.command = write ? GW_WIRE_WRITE : GW_WIRE_READ, .port = b->port};
    const uint8_t data[4] = {(uint8_t)*value, (uint8_t)(*value >> 8), (uint8_t)(*value >> 16),
                             (uint8_t)(*value >> 24)};
    uint8_t head_bytes[GW_WIRE_BUS];
    int64_t until_ps = sim->now_ps + ACCESS_PS;
    gw_wire_put_bus(head_bytes, &bus);
    *access = (gw_sim_access){0};
    access->id = gw_sim_say(sim, head, head_bytes, sizeof(head_bytes), data, write ? 4 : 0);
    while (!access->done && gw_sim_is_there(sim) && sim->now_ps < until_ps) {
        int64_t before_ps = sim->now_ps;
        gw_sim_run(sim, until_ps, false);
        if (sim->now_ps == before_ps && !access->done)
            break; /* goldwire was told to stop */
    }
    bool failed = !access->done || access->error;
    b->errors = b->errors << 1 | failed;
    if (!write)
        *value = failed ? 0 : access->data;
}

static uint32_t read_config(const bus_transport *b, uint64_t address)
{
    if (address == ERRORS_HIGH)
        return (uint32_t)(b->errors >> 32);
    return address == ERRORS_LOW ? (uint32_t)b->errors : 0;
}

/* ---- packets ---- */

static void do_writes(bus_transport *b, const gw_eb_layout *layout, const gw_eb_record *record)
{
    if ((record->flags & GW_EB_WCA) != 0)
        return; /* nothing there can be written */
    for (unsigned i = 0; i < record->wcount; i++) {
        bool fixed = (record->flags & GW_EB_WFF) != 0;
        uint32_t value = (uint32_t)gw_eb_write_value(layout, record, i);
        access_bus(b, true, (uint32_t)record->write_base + (fixed ? 0 : 4 * i), record->byte_enable,
                   &value);
    }
}

static bool do_reads(bus_transport *b, const gw_eb_layout *layout, const gw_eb_record *record,
                     gw_eb_builder *answer)
{
    uint64_t values[RUN_MAX];
    gw_eb_operation op = {.writes = values,
                          .num_writes = record->rcount,
                          .write_base = record->return_base,
                          .byte_enable = record->byte_enable};
    if ((record->flags & GW_EB_BCA) != 0)
        op.flags |= GW_EB_WCA;
    if ((record->flags & GW_EB_RFF) != 0)
        op.flags |= GW_EB_WFF;
    for (unsigned i = 0; i < record->rcount; i++) {
        uint64_t address = gw_eb_read_addr(layout, record, i);
        uint32_t value = 0;
        if ((record->flags & GW_EB_RCA) != 0)
            value = read_config(b, address);
        else
            access_bus(b, false, (uint32_t)address, record->byte_enable, &value);
        values[i] = value;
    }
    return record->rcount == 0 || gw_eb_build_record(answer, &op);
}

static void answer(bus_transport *b, const uint8_t *bytes, size_t len)
{
    if (len > 0)
        gw_sim_queue_put(&b->out, b->sim->now_ps, bytes, len);
}

static void carry_out(bus_transport *b, gw_eb_reader *r)
{
    uint8_t bytes[PACKET_MAX];
    gw_eb_record record;
    gw_eb_builder builder;
    bool reads = false;
    if (r->layout.addr_bytes != 4 || r->layout.data_bytes != 4 ||
        !gw_eb_build_packet(&builder, bytes, sizeof(bytes), WIDTHS, NULL))
        return;
    while (gw_eb_next(r, &record)) {
        do_writes(b, &r->layout, &record);
        reads = reads || record.rcount > 0;
        if (!do_reads(b, &r->layout, &record, &builder))
            return;
    }
    if (reads)
        answer(b, bytes, gw_eb_build_end(&builder, true));
}

static bool bus_send(gw_transport *t, const uint8_t *data, size_t len)
{
    bus_transport *b = of(t);
    gw_message m = gw_message_of(data, len);
    gw_eb_reader r;
    gw_sim_note(b->sim, t);
    if (t->unreachable)
        return false;
    m.transport = GW_OVER_UDP;
    bool opened = gw_eb_open(&r, &m, NULL);
    if (r.has_header && (r.header.flags & GW_EB_PF) != 0) {
        uint8_t response[8];
        gw_eb_build_probe(response, true, WIDTHS, r.header.tail);
        answer(b, response, sizeof(response));
    } else if (opened) {
        carry_out(b, &r);
    }
    gw_sim_note(b->sim, t);
    return !t->unreachable;
}

static gw_recv_status bus_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                               int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    bus_transport *b = of(t);
    int64_t time_ps;
    if (!gw_sim_queue_get(&b->out, &time_ps, buf, cap, len)) {
        gw_sim_pass(b->sim, deadline); /* nothing comes unasked */
        gw_sim_note(b->sim, t);
        return GW_RECV_TIMEOUT;
    }
    if (stamp_ns != NULL)
        *stamp_ns = GW_VIRTUAL_EPOCH_NS + time_ps / GW_SIM_PS_A_NS;
    if (from != NULL)
        *from = t->remote;
    return GW_RECV_DATA;
}

static void bus_wait(gw_transport *t, int64_t deadline)
{
    gw_sim_pass(of(t)->sim, deadline);
    gw_sim_note(of(t)->sim, t);
}

static void bus_close(gw_transport *t)
{
    bus_transport *b = of(t);
    gw_sim *sim = b->sim;
    free(b->out.bytes);
    free(b);
    gw_sim_unref(sim);
}

static const gw_transport_ops bus_ops = {
    .now = bus_now, .send = bus_send, .recv = bus_recv, .wait = bus_wait, .close = bus_close};

gw_transport *gw_sim_open_bus(gw_sim *sim, unsigned port, const gw_endpoint *local,
                              const gw_endpoint *remote, char *why, size_t why_cap)
{
    bus_transport *b = calloc(1, sizeof(*b));
    if (b != NULL)
        b->out.bytes = malloc(GW_SIM_QUEUE);
    if (b == NULL || b->out.bytes == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        free(b);
        return NULL;
    }
    b->t =
        (gw_transport){.ops = &bus_ops, .local = *local, .remote = *remote, .carries = PACKET_MAX};
    b->sim = sim;
    b->port = port;
    sim->refs++;
    return &b->t;
}
