/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaying the Level-1 farm. */
#include "goldwire/l1farm.h"
#include "replay/format.h"

static const char *carry(gw_carried *out, const gw_message *m, uint16_t sequence)
{
    (void)out;
    (void)sequence;
    switch (m->part) {
    case GW_L1_SCI:
    case GW_L1_TRACE:
        return "SCI lies beneath the tunnel that boards of the farm are reached by: capture the "
               "tunnel, or look at the ringlet with `goldwire check'";
    case GW_L1_TAGNET:
        return "tag lines alone lack the registers and the listener that a readout unit needs "
               "first: record the tunnel with `goldwire record'";
    default:
        return "what was seen at a memory is not what somebody sent: capture the tunnel";
    }
}

/* A compute node tells its number when it is asked who listens. */
static bool introduces(const gw_message *message, const gw_dialect *dialect)
{
    gw_l1_unit u = {0};
    (void)gw_l1_decode(&u, message, dialect);
    return u.has_shim && u.shim.kind == GW_L1_KIND_LISTEN;
}

/* The place of a node's results in the decision unit's buffer follows from its number (T 7.6). */
static bool placed(const gw_replay *r, const gw_leaf *leaf, uint64_t *value)
{
    gw_l1_unit u = {0};
    gw_message m = gw_replay_judged(r);
    uint64_t then;
    uint64_t now;
    if (leaf->field->memory != GW_MEMORY_TO)
        return false;
    (void)gw_l1_decode(&u, &m, gw_replay_line(r)->dialect);
    if (!u.has_shim || u.shim.kind != GW_L1_KIND_RESULT)
        return false;
    then = u.shim.dest;
    now = gw_player_node(r, then);
    *value = leaf->value + (now - then) * GW_L1_RESULT;
    return true;
}

/* What a readout unit has sent. */
static bool counter(const gw_replay *r, const gw_related *related, const gw_leaf *leaf,
                    gw_counter *out)
{
    gw_l1_unit u = {0};
    gw_message m = gw_replay_judged(r);
    (void)related;
    (void)leaf;
    (void)out;
    (void)gw_l1_decode(&u, &m, gw_replay_line(r)->dialect);
    return u.has == GW_L1_HAS_REGISTER && u.u.reg.offset == GW_L1_TAGS && u.u.reg.bar == 0;
}

const gw_replay_format gw_replay_l1farm = {
    .format = &gw_l1farm,
    .against_time = true,
    .carry = carry,
    .introduces = introduces,
    .placed = placed,
    .counter = counter,
};
