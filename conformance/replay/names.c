/* SPDX-License-Identifier: BSD-2-Clause */
/* Names that the board gives and our messages use: queue pairs, keys, where its memory begins, the
 * number of a node. Another board, or the same one on another day, gives others, so what the trace
 * says is put into the words of now. */
#include <string.h>

#include "goldwire/ims.h"
#include "goldwire/l1farm.h"
#include "replay/player.h"

/* A frame lies no farther behind the address that its buffer named. */
#define REACH (UINT64_C(1) << 40)

typedef enum how {
    GIVES = 0,
    USES,      /* in what we send */
    USES_BOTH, /* in what the board sends as well: it speaks of what it has named itself */
} how;

static const struct {
    const char *field;
    uint8_t class; /* gw_name_class */
    uint8_t how;
} namings[] = {
    {"ims.deth.src_qp", GW_NAME_QP, GIVES},
    {"ims.status.qpn", GW_NAME_QP, GIVES},
    {"ims.status.qpnd", GW_NAME_QP, GIVES},
    {"ims.status.qkey", GW_NAME_QKEY, GIVES},
    {"ims.status.rkey", GW_NAME_RKEY, GIVES},
    {"ims.status.va", GW_NAME_BASE, GIVES},
    {"ims.bth.dest_qp", GW_NAME_QP, USES},
    {"ims.deth.qkey", GW_NAME_QKEY, USES},
    {"ims.data.rkey", GW_NAME_RKEY, USES},
    {"ims.data.va", GW_NAME_BASE, USES},
    {"ims.ack.va", GW_NAME_PLACE, USES_BOTH},
    {"l1farm.tunnel.dest", GW_NAME_NODE, USES_BOTH},
    {"l1farm.result.node_id", GW_NAME_NODE, USES_BOTH},
};

static uint64_t value_of(const gw_leaves *all, const char *name)
{
    const gw_leaf *leaf = gw_leaf_called(all, name);
    return leaf != NULL ? leaf->value : 0;
}

/* A compute node tells its number when it is asked who listens. */
static bool introduces(const gw_leaves *all)
{
    return value_of(all, "l1farm.tunnel.kind") == GW_L1_KIND_LISTEN;
}

static bool has_number(const gw_replay *r)
{
    return strcmp(r->ctx->suite->role, "l1-cn") == 0;
}

/* ---- keeping them ---- */

static void keep(gw_replay *r, const gw_name *name)
{
    for (unsigned i = 0; i < r->num_names; i++) {
        gw_name *n = &r->names[i];
        if (n->class == name->class && n->scope == name->scope && n->then == name->then) {
            n->now = name->now;
            return;
        }
    }
    /* The oldest goes: a board has few at a time. */
    if (r->num_names == GW_PLAYER_NAMES)
        memmove(r->names, r->names + 1, --r->num_names * sizeof(r->names[0]));
    r->names[r->num_names++] = *name;
}

void gw_player_learn(gw_replay *r, const gw_leaves *then, const gw_leaves *now)
{
    for (size_t i = 0; i < then->num && i < now->num; i++) {
        const gw_leaf *leaf = &then->list[i];
        for (size_t k = 0; k < GW_ARRAY_LEN(namings); k++) {
            bool gives = namings[k].how == GIVES ||
                         (namings[k].class == GW_NAME_NODE && has_number(r) && introduces(then));
            if (!gives || strcmp(leaf->field->name, namings[k].field) != 0)
                continue;
            gw_name name = {
                .class = namings[k].class, .then = leaf->value, .now = now->list[i].value};
            if (name.class == GW_NAME_BASE)
                name.scope = value_of(then, "ims.status.rkey");
            keep(r, &name);
        }
    }
}

/* What a Worker has to know before it can ask is told by no packet but its first: there the trace
 * has it of then, the board file of now. */
void gw_player_learn_service(gw_replay *r)
{
    const gw_claims *claims = &gw_case_board(r->ctx)->claims;
    gw_ims_packet p;
    for (uint32_t i = 0; claims->status_qpn != 0 && i < r->trace->num_steps; i++) {
        gw_message m = gw_trace_message(r->trace, i);
        const gw_trace_line *line = &r->trace->lines[r->trace->steps[i].line];
        if (!r->trace->steps[i].ours || line->format != &gw_ims ||
            gw_ims_decode(&p, &m, line->dialect).kind != GW_OK || p.kind != GW_IMS_IS_STATUS ||
            p.status.method != GW_IMS_STAT_REQ)
            continue;
        gw_name qp = {.class = GW_NAME_QP, .then = p.bth.dest_qp, .now = claims->status_qpn};
        gw_name key = {.class = GW_NAME_QKEY, .then = p.deth.qkey, .now = claims->status_qkey};
        keep(r, &qp);
        keep(r, &key);
        return;
    }
}

void gw_player_learn_place(gw_replay *r, uint64_t then, uint64_t now)
{
    gw_name name = {.class = GW_NAME_PLACE, .then = then, .now = now};
    keep(r, &name);
}

/* ---- using them ---- */

/* The newest name for exactly |value|. */
static const gw_name *exactly(const gw_replay *r, uint8_t class, uint64_t value)
{
    for (unsigned i = r->num_names; i > 0; i--) {
        const gw_name *n = &r->names[i - 1];
        if (n->class == class && n->then == value)
            return n;
    }
    return NULL;
}

/* The memory that |value| lies in: that of the message's own key, else the nearest below. */
static const gw_name *beneath(const gw_replay *r, uint64_t value, uint64_t key)
{
    const gw_name *found = NULL;
    for (unsigned i = 0; i < r->num_names; i++) {
        const gw_name *n = &r->names[i];
        if (n->class != GW_NAME_BASE || value - n->then >= REACH)
            continue;
        bool better = found == NULL || (n->scope == key) > (found->scope == key) ||
                      ((n->scope == key) == (found->scope == key) && n->then >= found->then);
        if (better)
            found = n;
    }
    return found;
}

/* The place of a node's results in the decision unit's buffer follows from its number (T 7.6). */
static bool find_place(const gw_replay *r, const gw_leaves *all, const gw_leaf *leaf,
                       uint64_t *value)
{
    if (strcmp(leaf->field->name, "l1farm.tunnel.offset") != 0 || !has_number(r) ||
        value_of(all, "l1farm.tunnel.kind") != GW_L1_KIND_RESULT)
        return false;
    const gw_name *node = exactly(r, GW_NAME_NODE, value_of(all, "l1farm.tunnel.dest"));
    *value = leaf->value;
    if (node != NULL)
        *value += (node->now - node->then) * GW_L1_RESULT;
    return true;
}

uint32_t gw_player_queue_pair(const gw_replay *r, uint64_t then)
{
    const gw_name *name = exactly(r, GW_NAME_QP, then);
    return (uint32_t)(name != NULL ? name->now : then);
}

uint64_t gw_player_in_ring(const gw_replay *r, uint64_t then)
{
    const gw_name *name = beneath(r, then, UINT64_MAX); /* no packet's key: the nearest below */
    return name != NULL ? then - name->then + name->now : then;
}

gw_named_how gw_player_named(void *ctx, const gw_related *related, const gw_leaves *all,
                             const gw_leaf *leaf, uint64_t *value)
{
    const gw_replay *r = ctx;
    size_t i = 0;
    if (find_place(r, all, leaf, value))
        return GW_NAMED;
    while (i < GW_ARRAY_LEN(namings) && strcmp(leaf->field->name, namings[i].field) != 0)
        i++;
    if (i == GW_ARRAY_LEN(namings) || namings[i].how == GIVES ||
        (namings[i].class == GW_NAME_NODE && !has_number(r)))
        return GW_NAMED_NOT;
    if (namings[i].class == GW_NAME_NODE && !related->is_ours && introduces(all))
        return GW_NAMED_FREE;
    *value = leaf->value;
    /* What the board sends to us goes by the names that we gave, and sent as they were. */
    if (!related->is_ours && namings[i].how == USES)
        return GW_NAMED;
    const gw_name *name = namings[i].class == GW_NAME_BASE
                              ? beneath(r, leaf->value, value_of(all, "ims.data.rkey"))
                              : exactly(r, namings[i].class, leaf->value);
    if (name == NULL)
        return namings[i].class == GW_NAME_PLACE ? GW_NAMED_NOT : GW_NAMED;
    *value = leaf->value - name->then + name->now;
    return GW_NAMED;
}
