/* SPDX-License-Identifier: BSD-2-Clause */
/* The software EtherBone slave: who talks to it, and what it sends them. */
#include "formats/etherbone/slave/board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sending ---- */

static void transmit(gw_eb_slave *s, gw_eb_outgoing out)
{
    for (unsigned times = gw_eb_mutant_send(&out); times > 0; times--)
        s->out->send(s->out, s->link, out.conn, out.data, out.len);
}

void gw_eb_slave_send(gw_eb_slave *s, uint32_t conn, size_t len)
{
    if (len > 0 && !s->hung)
        transmit(s, (gw_eb_outgoing){.s = s, .conn = conn, .data = s->reply, .len = len});
}

void gw_eb_slave_answer_probe(gw_eb_slave *s, uint32_t conn, const gw_eb_header *header)
{
    uint8_t response[16];
    size_t len = gw_eb_probe_response(s, response, header->tail);
    if (len > 0)
        transmit(
            s, (gw_eb_outgoing){.s = s, .conn = conn, .data = response, .len = len, .probe = true});
}

/* ---- the board ---- */

static void on_open(gw_eb_slave *s, const gw_peer_event *event)
{
    gw_eb_client *client = &s->clients[event->conn];
    memset(client, 0, sizeof(*client));
    if (!event->stream)
        return;
    client->stream = calloc(1, s->by_messages ? sizeof(gw_eb_inbox) : gw_etherbone.stream->size);
    if (client->stream == NULL)
        gw_eb_slave_close(s, event->conn);
    else if (!s->by_messages)
        gw_etherbone.stream->init(client->stream, s->dialect);
}

static void on_close(gw_eb_slave *s, uint32_t conn)
{
    gw_eb_mutant_closed(s, conn);
    free(s->clients[conn].stream);
    memset(&s->clients[conn], 0, sizeof(s->clients[conn]));
    gw_eb_slave_library_closed(s, conn);
}

static void on_data(gw_eb_slave *s, const gw_peer_event *event)
{
    gw_eb_incoming in = {.s = s,
                         .conn = event->conn,
                         .data = event->data,
                         .len = event->len,
                         .stream = event->stream};
    if ((event->stream && s->clients[event->conn].stream == NULL) || !gw_eb_mutant_in(&in))
        return;
    if (event->stream && s->by_messages)
        gw_eb_slave_library_bytes(s, event->conn, in.data, in.len);
    else if (event->stream)
        gw_eb_slave_bytes(s, event->conn, in.data, in.len);
    else
        gw_eb_slave_datagram(s, event->conn, in.data, in.len, event->padding);
}

static const gw_eb_policy specified = {GW_EB_POLICY};
static const gw_eb_mutation none;

static bool slave_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    gw_eb_slave *s = state;
    memset(s, 0, offsetof(gw_eb_slave, reply));
    s->map = config->setup != NULL ? config->setup : &gw_eb_default_map;
    s->dialect = config->dialect;
    s->ways = gw_eb_dialect_of(config->dialect);
    s->mutant = config->mutant;
    s->mutation = s->mutant != NULL && s->mutant->mutation != NULL ? s->mutant->mutation : &none;
    s->policy = s->mutation->policy != NULL ? *s->mutation->policy : specified;
    /* Mutants are boards of the specification, whatever dialect they have besides. */
    s->by_messages = s->ways->whole_messages && s->mutant == NULL;
    s->policy.obeys_nr |= s->ways->zero_filled_reply;
    s->policy.probe_records |= s->ways->zero_filled_reply && s->ways->records_after_probe;
    s->widths = s->map->widths & s->policy.offered_widths;
    if (s->ways->either_width || s->ways->framing == GW_EB_HEADER_EACH_PACKET)
        s->widths = GW_EB_32BIT << 4 | GW_EB_32BIT; /* the hardware of these dialects */
    s->executed = s->widths | s->policy.more_widths;
    return gw_wb_init(&s->bus, s->map, config, why, why_cap);
}

static int64_t slave_step(void *state, const gw_peer_event *event, int64_t now_ns, gw_peer_out *out)
{
    gw_eb_slave *s = state;
    s->now_ns = now_ns;
    s->out = out;
    s->link = event->link;
    if (event->conn >= GW_PEER_MAX_CONNS)
        return GW_PEER_NEVER;
    switch (event->kind) {
    case GW_PEER_OPEN:
        on_open(s, event);
        break;
    case GW_PEER_BYTES:
        if (!s->hung)
            on_data(s, event);
        break;
    case GW_PEER_CLOSE:
        on_close(s, event->conn);
        break;
    default:
        break;
    }
    return GW_PEER_NEVER;
}

static void slave_fini(void *state)
{
    gw_eb_slave *s = state;
    for (size_t i = 0; i < GW_PEER_MAX_CONNS; i++)
        free(s->clients[i].stream);
    gw_wb_fini(&s->bus);
}

static const char *const links[] = {"bus", NULL};

/* What it declares, and where it may be written to. */
static const gw_board_file file = {
    .role = "etherbone-slave",
    .dialect = "strict",
    .make = "goldwire software board",
    .serial = "none",
    .firmware = "as built",
    .claims = {.address_widths = 15,
               .port_widths = 15,
               .tcp = GW_CLAIM_YES,
               .config_space = GW_CLAIM_YES,
               .sdb = GW_CLAIM_YES,
               .zero_filled_reply = GW_CLAIM_NO,
               .max_payload = 1472,
               .pipeline = 16},
    .areas = {{"ram", GW_EB_MAP_RAM, GW_EB_MAP_RAM_SIZE, GW_AREA_RAM},
              {"fifo", GW_EB_MAP_FIFO, GW_EB_MAP_FIFO_SIZE, GW_AREA_FIFO},
              {"rom", GW_EB_MAP_ROM, GW_EB_MAP_ROM_SIZE, GW_AREA_READONLY},
              {"error", GW_EB_MAP_ERROR, GW_EB_MAP_ERROR_SIZE, GW_AREA_ERROR},
              {"arbiter", GW_EB_MAP_ARBITER, GW_EB_MAP_ARBITER_SIZE, GW_AREA_ARBITER}},
    .num_areas = 5,
};

const gw_board gw_eb_slave_board = {
    .role = "etherbone-slave",
    .blurb = "A Wishbone bus behind EtherBone: RAM, FIFO, ROM, errors, SDB table",
    .links = links,
    .ethernet_links = 1,
    .mutants = gw_eb_slave_mutants,
    .num_mutants = GW_EB_NUM_SLAVE_MUTANTS,
    .file = &file,
    .format = &gw_etherbone,
    .size = sizeof(gw_eb_slave),
    .init = slave_init,
    .step = slave_step,
    .fini = slave_fini,
    .open_setup = gw_eb_map_open_setup,
    .close_setup = gw_eb_map_close_setup,
};
