/* SPDX-License-Identifier: BSD-2-Clause */
/* The software compute node: two event buffers that readout units write to, and the algorithm that
 * looks whether what they wrote belongs together (T 7.5). */
#include <string.h>

#include "boards/memory.h"
#include "formats/l1farm/board.h"
#include "goldwire/cursor.h"

/* ---- looking at a buffer ---- */

static uint16_t tag_at(const gw_l1_cn *n, unsigned buffer, uint32_t offset)
{
    return gw_load_le16(n->memory[buffer] + offset + 2);
}

/* A TagID that is one lap of all buffers of the farm older than the others was lost, one that is
 * newer has overwritten. */
static bool is_one_lap(const gw_l1_cn *n, uint16_t a, uint16_t b)
{
    uint32_t lap = (uint32_t)n->profile->nodes * n->profile->buffers, difference = (uint32_t)a - b;

    return (difference & n->policy->modulo) == lap || (-difference & n->policy->modulo) == lap;
}

/* The first and the last word of each slot, whose TagIDs must be one. */
uint16_t gw_l1_cn_look(gw_l1_cn *n)
{
    const gw_l1_cn_policy *p = n->policy;
    uint16_t first = tag_at(n, n->next, 0);
    bool equal = true, understood = true;

    for (unsigned i = 0; i < p->units * p->words; i++) {
        uint32_t word = i % p->words * (n->slot - GW_L1_WORD);
        uint16_t tag = tag_at(n, n->next, i / p->words * n->slot + word);
        equal = equal && tag == first;
        understood = understood && (tag == first || is_one_lap(n, tag, first));
    }
    if (n->touched[n->next] && p->watches)
        return GW_L1_UNDERSTOOD;
    if (equal)
        return GW_L1_CORRECT;
    return understood ? p->lost : p->mismatch;
}

/* The event that a buffer is of: what most slots say, or else the first. */
static uint16_t event_of(const gw_l1_cn *n)
{
    unsigned buffer = n->next ^ n->policy->tag_of;
    uint16_t first = tag_at(n, buffer, 0);
    uint16_t second = tag_at(n, buffer, n->slot), third = tag_at(n, buffer, 2 * n->slot);

    return second == third ? second : first;
}

void gw_l1_cn_tell(gw_l1_cn *n, uint16_t tag, uint16_t status)
{
    uint8_t image[GW_L1_RESULT];
    gw_l1_result r = {
        .nallok = n->nallok,
        .ntries = n->ntries,
        .node_id = n->setup.node,
        .status = status,
        .tag_id = tag,
        .rsv = n->policy->rsv[status % GW_ARRAY_LEN(n->policy->rsv)],
    };
    gw_l1_shim s = {.kind = GW_L1_KIND_RESULT,
                    .little = true,
                    .buffer = n->next,
                    .dest = n->setup.node,
                    .event = tag,
                    .step = n->step,
                    .length = GW_L1_RESULT};

    /* Slots are in the order in which buffers are used: the first of all nodes, then the second. */
    s.offset = ((uint32_t)n->next * n->profile->nodes + n->setup.node) * GW_L1_RESULT;
    gw_l1_put_result(image, &r);
    for (unsigned i = 0; i < n->policy->results; i++)
        gw_l1_send(&n->way, &s, image);
}

static void count(gw_l1_cn *n, uint16_t tag, uint16_t status)
{
    n->ntries += n->policy->tried >> status & 1;
    n->nallok += n->policy->allok >> status & 1;
    if (status != GW_L1_CORRECT)
        return;
    if (!n->expects || n->expected == tag)
        n->nnext++;
    n->expects = true;
    n->expected = (uint16_t)(tag + n->profile->nodes);
    n->last = tag;
}

static void finish(gw_l1_cn *n)
{
    uint16_t status = n->policy->look(n);
    uint16_t tag = event_of(n);

    n->looking = false;
    count(n, tag, status);
    gw_l1_cn_tell(n, tag, status);
    n->next ^= 1;
}

/* The node looks at a buffer when the other one starts to change. */
static void begin(gw_l1_cn *n, int64_t now_ns)
{
    if (n->looking || !n->touched[n->next ^ 1])
        return;
    if (!n->touched[n->next]) { /* the run began in the middle of a lap */
        n->next ^= 1;
        return;
    }
    n->touched[n->next] = false;
    n->looking = true;
    n->done_at = now_ns + n->setup.check_ns + n->policy->delay_ns;
}

/* ---- what comes in ---- */

bool gw_l1_cn_fits(const gw_l1_cn *n, const gw_l1_unit *u)
{
    const gw_l1_shim *s = &u->shim;

    bool ours = ((s->dest ^ n->setup.node) & n->policy->node_mask) == 0;

    return u->has == GW_L1_HAS_WORDS && ours && s->buffer < GW_L1_BUFFERS && s->length > 0 &&
           s->offset <= GW_L1_SUBEVENT_MAX && s->length <= GW_L1_SUBEVENT_MAX - s->offset;
}

void gw_l1_cn_take(gw_l1_cn *n, gw_l1_unit *u)
{
    const gw_l1_shim *s = &u->shim;

    if (!gw_l1_cn_fits(n, u)) {
        n->refused++;
        return;
    }
    memcpy(n->memory[s->buffer] + s->offset, u->data, s->length);
    n->touched[s->buffer] = true;
    n->step = s->step;
}

static void start_run(gw_l1_cn *n)
{
    gw_l1_cn fresh = {.policy = n->policy,
                      .dialect = n->dialect,
                      .profile = n->profile,
                      .setup = n->setup,
                      .memory_of = n->memory_of,
                      .way = n->way,
                      .slot = GW_L1_SUBEVENT};
    *n = fresh;
    gw_memory_fill(n->memory_of, 0, n->memory, sizeof(n->memory));
}

/* ---- the board ---- */

static const gw_l1_cn_policy specified = {GW_L1_CN_POLICY};

static bool cn_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    static const gw_l1_setup usual = {.node = GW_L1_CN_NODE, .check_ns = GW_L1_CN_CHECK_NS};
    gw_l1_cn *n = state;

    (void)why;
    (void)why_cap;
    memset(n, 0, sizeof(*n));
    n->policy = config->mutant != NULL ? config->mutant->mutation : &specified;
    n->dialect = config->dialect;
    n->profile = gw_l1_profile_of(config->dialect);
    n->setup = config->setup != NULL ? *(const gw_l1_setup *)config->setup : usual;
    n->memory_of = config;
    start_run(n);
    return true;
}

static int64_t cn_step(void *state, const gw_peer_event *event, int64_t now_ns, gw_peer_out *out)
{
    gw_l1_cn *n = state;
    gw_l1_unit u;

    n->way.out = out;
    if (n->looking && now_ns >= n->done_at)
        finish(n);
    if (event->link == GW_L1_LINK_OUT && event->kind != GW_PEER_TIMER) {
        if (gw_l1_listen(&n->way, event, n->setup.node))
            start_run(n);
    } else if (event->kind == GW_PEER_BYTES && gw_l1_read(&u, event, n->dialect)) {
        n->policy->take(n, &u);
    }
    begin(n, now_ns);
    return n->looking ? n->done_at : GW_PEER_NEVER;
}

static const char *const links[] = {"in", "out", NULL};

/* What it declares, and where it may be written to. */
static const gw_board_file file = {
    .role = "l1-cn",
    .dialect = "strict",
    .make = "goldwire software board",
    .serial = "none",
    .firmware = "as built",
    .claims = {.response_us = GW_L1_RESPONSE_US},
    .areas = {{"buffers", 0, UINT64_C(2) * GW_L1_SUBEVENT_MAX, GW_AREA_RAM}},
    .num_areas = 1,
};

const gw_board gw_l1_cn_board = {
    .role = "l1-cn",
    .blurb = "A compute node of the Level-1 farm: two event buffers, the integrity check",
    .links = links,
    .datagram_links = 3,
    .mutants = gw_l1_cn_mutants,
    .num_mutants = GW_L1_CN_NUM_MUTANTS,
    .file = &file,
    .format = &gw_l1farm,
    .numbered = true,
    .size = sizeof(gw_l1_cn),
    .init = cn_init,
    .step = cn_step,
    .fini = gw_l1_fini,
};
