/* SPDX-License-Identifier: BSD-2-Clause */
/* The boards textarossa-node and textarossa-switch: which link is what. */
#include <string.h>

#include "formats/textarossa/board.h"

static const gw_tx_policy specified = {GW_TX_POLICY};
static const gw_tx_mutation none;

/* What the published design does otherwise (rtl). */
static void follow_published(gw_tx_policy *policy)
{
    policy->doubles = false;
    policy->raw = true;
    policy->drags = 0;
    policy->dropped = 0;
}

static bool start(gw_tx_board *b, bool is_node, const gw_peer_config *config, char *why,
                  size_t why_cap)
{
    static const gw_regs_block blocks[] = {{"textarossa-regs", 0, GW_TX_REGISTERS_END}};
    gw_wb_registers registers = {b, gw_tx_read_register, gw_tx_mutant_write};

    memset(b, 0, offsetof(gw_tx_board, links));
    b->mutation = &none;
    if (config->mutant != NULL && config->mutant->mutation != NULL)
        b->mutation = config->mutant->mutation;
    b->policy = b->mutation->policy != NULL ? *b->mutation->policy : specified;
    b->dialect = config->dialect;
    b->d = gw_tx_dialect_of(config->dialect);
    if (b->d->rtl)
        follow_published(&b->policy);
    b->is_node = is_node;
    b->num_links = is_node ? 1 : GW_TX_LINKS;
    for (unsigned i = 0; i < GW_TX_LINKS; i++) {
        memset(&b->links[i], 0, offsetof(gw_tx_link, rx));
        b->links[i].index = (uint8_t)i;
    }
    for (unsigned i = 0; i < GW_TX_PORTS; i++)
        memset(&b->ports[i], 0, offsetof(gw_tx_intra, rx));
    gw_tx_reset(b);
    return gw_regs_init(&b->regs, blocks, 1, &registers, config, why, why_cap);
}

static bool node_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    return start(state, true, config, why, why_cap);
}

static bool switch_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    return start(state, false, config, why, why_cap);
}

static void fini(void *state)
{
    gw_tx_board *b = state;
    gw_regs_fini(&b->regs);
}

static void tell_all(gw_tx_board *b)
{
    for (unsigned i = 0; i < b->num_links; i++)
        gw_tx_link_tell(b, &b->links[i], false);
}

/* A link has one other end; a new one takes the old one's place. */
static void step_link(gw_tx_board *b, gw_tx_link *l, const gw_peer_event *event)
{
    bool is_new = !l->connected || l->conn != event->conn;

    if (event->kind == GW_PEER_CLOSE) {
        if (!is_new)
            l->connected = false;
        if (b->is_node && !event->stream)
            b->partners[event->conn].family = GW_FAMILY_NONE;
        return;
    }
    if (is_new) {
        gw_tx_link_reset(l);
        l->connected = true;
        l->conn = event->conn;
        l->stream = event->stream;
    }
    if (l->stream) {
        if (event->kind == GW_PEER_BYTES)
            gw_tx_link_receive(b, l, event->data, event->len);
        gw_tx_run(b);
        gw_tx_link_tell(b, l, event->kind == GW_PEER_OPEN);
    } else if (event->kind == GW_PEER_BYTES) {
        gw_tx_ethernet_in(b, l, event);
    }
}

static void step_port(gw_tx_board *b, gw_tx_intra *p, const gw_peer_event *event)
{
    if (event->kind == GW_PEER_CLOSE) {
        p->connected = p->connected && p->conn != event->conn;
        return;
    }
    p->connected = true;
    p->conn = event->conn;
    if (event->kind == GW_PEER_BYTES && !gw_tx_packet_in(b, &p->tx, event))
        p->exceptions++;
    gw_tx_run(b);
}

static void step_regs(gw_tx_board *b, const gw_peer_event *event, gw_peer_out *out)
{
    gw_regs_step(&b->regs, event, out);
    gw_tx_run(b);
    tell_all(b);
}

static void step_timer(gw_tx_board *b)
{
    gw_tx_run(b);
    tell_all(b);
}

/* Links come first, then the ports that can be reached, and the registers. */
static int64_t step(void *state, const gw_peer_event *event, int64_t now_ns, gw_peer_out *out)
{
    gw_tx_board *b = state;
    unsigned ports = b->is_node ? 0 : GW_TX_PORTS;

    b->now_ns = now_ns;
    b->out = out;
    if (event->kind == GW_PEER_START)
        return GW_PEER_NEVER;
    if (event->kind == GW_PEER_TIMER)
        step_timer(b);
    else if (event->link < b->num_links)
        step_link(b, &b->links[event->link], event);
    else if (event->link < b->num_links + ports)
        step_port(b, &b->ports[event->link - b->num_links], event);
    else
        step_regs(b, event, out);
    return gw_tx_mutant_end(b);
}

static const char *const node_links[] = {"net", "regs", NULL};
static const char *const switch_links[] = {"x+",    "x-",    "port0", "port1",
                                           "port2", "port3", "regs",  NULL};

/* The register block is where goldwire may write. */
#define TEXTAROSSA_BOARD(role_)                                                                    \
    {                                                                                              \
        .role = role_, .dialect = "strict", .make = "goldwire software board", .serial = "none",   \
        .firmware = "as built", .claims = {.edac = GW_CLAIM_YES, .response_us = 100000},           \
        .areas = {{"registers", 0, GW_TX_REGISTERS, GW_AREA_RAM}}, .num_areas = 1                  \
    }

static const gw_board_file node_file = TEXTAROSSA_BOARD("textarossa-node");
static const gw_board_file switch_file = TEXTAROSSA_BOARD("textarossa-switch");

const gw_board gw_tx_node_board = {
    .role = "textarossa-node",
    .blurb = "A TEXTAROSSA endpoint: its tasks send payloads back; registers over EtherBone",
    .links = node_links,
    .datagram_links = 1 << 1,
    .same_port_links = 1 << 0,
    .ethernet_links = 1 << 0,
    .mutants = gw_tx_node_mutants,
    .num_mutants = GW_TX_NUM_NODE_MUTANTS,
    .file = &node_file,
    .format = &gw_textarossa,
    .size = sizeof(gw_tx_board),
    .init = node_init,
    .step = step,
    .fini = fini,
};

const gw_board gw_tx_switch_board = {
    .role = "textarossa-switch",
    .blurb = "A TEXTAROSSA router: two APElinks, four ports, registers over EtherBone",
    .links = switch_links,
    .datagram_links = 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6,
    .stream_links = 1 << 0 | 1 << 1,
    .mutants = gw_tx_switch_mutants,
    .num_mutants = GW_TX_NUM_SWITCH_MUTANTS,
    .file = &switch_file,
    .format = &gw_textarossa,
    .size = sizeof(gw_tx_board),
    .init = switch_init,
    .step = step,
    .fini = fini,
};
