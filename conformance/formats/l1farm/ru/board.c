/* SPDX-License-Identifier: BSD-2-Clause */
/* The software readout unit: a tag in, a burst, a tag out (T 7.2). */
#include <string.h>

#include "formats/l1farm/board.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

/* When the DMA engine goes on with what is left. */
#define MOMENT_NS INT64_C(1000000)

/* ---- tag lines ---- */

static void put_edge(gw_l1_ru *r, unsigned link, uint8_t line, uint8_t edge)
{
    uint8_t datagram[GW_L1_SHIM + 4] = {0};
    gw_l1_shim s = {.version = 1,
                    .kind = GW_L1_KIND_EDGE,
                    .ru = (uint8_t)r->setup.node,
                    .step = r->step,
                    .length = 4};

    gw_l1_put_shim(datagram, &s);
    datagram[GW_L1_SHIM] = line;
    datagram[GW_L1_SHIM + 1] = edge;
    gw_store_be(datagram + GW_L1_SHIM + 2, r->setup.node, 2);
    if (link == GW_L1_LINK_IN)
        r->way.out->send(r->way.out, link, r->in_conn, datagram, sizeof(datagram));
    else if (r->way.connected)
        r->way.out->send(r->way.out, link, r->way.conn, datagram, sizeof(datagram));
}

void gw_l1_ru_set_busy(gw_l1_ru *r, bool busy)
{
    if (r->busy != busy)
        put_edge(r, GW_L1_LINK_IN, GW_L1_BON, busy);
    r->busy = busy;
}

void gw_l1_ru_pulse_out(gw_l1_ru *r)
{
    for (unsigned i = 0; i < r->policy->forwards; i++) {
        put_edge(r, GW_L1_LINK_OUT, GW_L1_TON, 1);
        put_edge(r, GW_L1_LINK_OUT, GW_L1_TON, 0);
    }
    r->held = false;
    gw_l1_ru_set_busy(r, false);
}

/* It came while busy was asserted. */
void gw_l1_ru_discard(gw_l1_ru *r)
{
    r->discarded++;
}

/* The tag goes on when the next unit is free; until then it waits, and so does the one before. */
static void pulse_in(gw_l1_ru *r)
{
    if ((r->dmacntrl & GW_L1_DMA_TAGNET) == 0)
        return;
    if (r->held) {
        r->policy->discard(r);
        return;
    }
    gw_l1_ru_set_busy(r, true);
    r->tags += r->policy->counts;
    gw_l1_ru_trigger(r);
    r->held = true;
    if (!r->next_busy)
        gw_l1_ru_pulse_out(r);
}

void gw_l1_ru_next_busy(gw_l1_ru *r, bool busy)
{
    r->next_busy = busy;
    if (!busy && r->held)
        gw_l1_ru_pulse_out(r);
}

static void take_edge(gw_l1_ru *r, const gw_l1_unit *u)
{
    const gw_l1_edge *e = &u->u.edge;

    if (e->line == GW_L1_TIN && e->edge == 1) {
        r->step = u->shim.step;
        pulse_in(r);
    } else if (e->line == GW_L1_BIN) {
        r->policy->next_busy(r, e->edge == 1);
    }
}

/* ---- coded tags ---- */

static void forward(gw_l1_ru *r, const gw_l1_unit *u)
{
    uint8_t word[4];
    gw_l1_shim s = u->shim;

    s.ru = (uint8_t)(r->setup.node + 1);
    s.step += r->policy->steps;
    gw_store_be(word, r->policy->encode(u->u.tag.dest, (gw_l1_code)r->profile->code), 4);
    for (unsigned i = 0; i < r->policy->forwards; i++)
        gw_l1_send(&r->way, &s, word);
}

uint32_t gw_l1_ru_descriptor(const gw_l1_ru *r, uint16_t dest)
{
    (void)r;
    return dest;
}

void gw_l1_ru_follow(gw_l1_ru *r, const gw_l1_unit *u)
{
    uint32_t which = r->policy->descriptor(r, u->u.tag.dest);

    if (which <= r->descs)
        gw_l1_ru_transfer(r, which);
    forward(r, u);
}

static void take_tag(gw_l1_ru *r, const gw_l1_unit *u)
{
    if ((r->dmacntrl & GW_L1_DMA_TAGNET) == 0)
        return;
    if (u->u.tag.status == GW_L1_TAG_FATAL) {
        r->discarded++;
        return;
    }
    r->corrected += u->u.tag.status == GW_L1_TAG_CORRECTED;
    r->step = u->shim.step;
    r->tags += r->policy->counts;
    r->policy->follow(r, u);
}

/* ---- registers ---- */

static uint32_t read_register(const gw_l1_ru *r, const gw_l1_register *reg)
{
    if (reg->bar == 1)
        return reg->offset <= GW_L1_DESCBUF_BYTES - 4 ? gw_load_le32(r->descbuf + reg->offset) : 0;
    switch (reg->offset) {
    case GW_L1_DMACNTRL:
        return r->dmacntrl;
    case GW_L1_FRQ:
        return r->frq;
    case GW_L1_DESCS:
        return r->descs;
    case GW_L1_TAGS:
        return r->tags;
    default:
        return 0;
    }
}

void gw_l1_ru_clear(gw_l1_ru *r)
{
    r->pointer = 0;
    r->pending = 0;
    r->endless = false;
    r->tag_id = 0;
}

static void write_control(gw_l1_ru *r, uint32_t value)
{
    if ((value & r->policy->clears) == GW_L1_DMA_CLEAR)
        r->policy->clear(r);
    value &= r->policy->control;
    r->dmacntrl = value & ~(GW_L1_DMA_START | GW_L1_DMA_STATUS | GW_L1_DMA_CLEAR);
    if ((value & GW_L1_DMA_START) != 0)
        gw_l1_ru_trigger(r);
}

void gw_l1_ru_write(gw_l1_ru *r, const gw_l1_register *reg)
{
    if (reg->bar == 1 && reg->offset <= GW_L1_DESCBUF_BYTES - 4) {
        gw_store_le(r->descbuf + reg->offset, reg->value, 4);
        return;
    }
    if (reg->bar != 0)
        return;
    if (reg->offset == GW_L1_DMACNTRL)
        write_control(r, reg->value);
    else if (reg->offset == GW_L1_FRQ)
        r->frq = reg->value;
    else if (reg->offset == GW_L1_DESCS && reg->value < GW_L1_DESCRIPTORS)
        r->descs = reg->value;
}

static void take_register(gw_l1_ru *r, const gw_l1_unit *u)
{
    uint8_t datagram[GW_L1_SHIM + 8];
    gw_l1_shim s = {.version = 1, .kind = GW_L1_KIND_REGISTER, .length = 8};
    const gw_l1_register *reg = &u->u.reg;

    if (reg->op == GW_L1_WRITE && reg->has_value)
        r->policy->write(r, reg);
    if (reg->op != GW_L1_READ)
        return;
    s.ru = (uint8_t)r->setup.node;
    gw_l1_put_shim(datagram, &s);
    datagram[GW_L1_SHIM] = reg->bar;
    datagram[GW_L1_SHIM + 1] = GW_L1_VALUE;
    gw_store_be(datagram + GW_L1_SHIM + 2, reg->offset, 2);
    gw_store_be(datagram + GW_L1_SHIM + 4, read_register(r, reg), 4);
    r->way.out->send(r->way.out, GW_L1_LINK_IN, r->in_conn, datagram, sizeof(datagram));
}

static void take_descriptors(gw_l1_ru *r, const gw_l1_unit *u)
{
    uint32_t at = u->shim.offset;

    if (at > GW_L1_DESCBUF_BYTES || u->data_len > GW_L1_DESCBUF_BYTES - at)
        return;
    memcpy(r->descbuf + at, u->data, u->data_len);
}

/* ---- the board ---- */

void gw_l1_ru_take(gw_l1_ru *r, const gw_l1_unit *u)
{
    switch (u->has) {
    case GW_L1_HAS_EDGE:
        take_edge(r, u);
        return;
    case GW_L1_HAS_TAG:
        take_tag(r, u);
        return;
    case GW_L1_HAS_REGISTER:
        take_register(r, u);
        return;
    case GW_L1_HAS_DESCRIPTORS:
        take_descriptors(r, u);
        return;
    default:
        return;
    }
}

static void start_run(gw_l1_ru *r)
{
    gw_l1_ru fresh = {.policy = r->policy,
                      .dialect = r->dialect,
                      .profile = r->profile,
                      .setup = r->setup,
                      .way = r->way,
                      .in_conn = r->in_conn};
    *r = fresh;
}

static const gw_l1_ru_policy specified = {GW_L1_RU_POLICY};

static bool ru_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    gw_l1_ru *r = state;

    (void)why;
    (void)why_cap;
    memset(r, 0, sizeof(*r));
    r->policy = config->mutant != NULL ? config->mutant->mutation : &specified;
    r->dialect = config->dialect;
    r->profile = gw_l1_profile_of(config->dialect);
    if (config->setup != NULL)
        r->setup = *(const gw_l1_setup *)config->setup;
    return true;
}

static int64_t ru_step(void *state, const gw_peer_event *event, int64_t now_ns, gw_peer_out *out)
{
    gw_l1_ru *r = state;
    gw_l1_unit u;

    r->way.out = out;
    if (event->kind == GW_PEER_TIMER)
        gw_l1_ru_work(r);
    else if (event->link == GW_L1_LINK_OUT && gw_l1_listen(&r->way, event, r->setup.node))
        start_run(r);
    else if (event->kind == GW_PEER_BYTES && gw_l1_read(&u, event, r->dialect)) {
        if (event->link == GW_L1_LINK_IN)
            r->in_conn = event->conn;
        if (event->link == GW_L1_LINK_IN || u.has == GW_L1_HAS_EDGE)
            r->policy->take(r, &u);
    }
    return r->pending > 0 || r->endless ? now_ns + MOMENT_NS : GW_PEER_NEVER;
}

static const char *const links[] = {"in", "out", NULL};

/* What it declares, and where it may be written to. */
static const gw_board_file file = {
    .role = "l1-ru",
    .dialect = "strict",
    .make = "goldwire software board",
    .serial = "none",
    .firmware = "as built",
    .areas = {{"registers", 0, 0x1000, GW_AREA_RAM}},
    .num_areas = 1,
};

const gw_board gw_l1_ru_board = {
    .role = "l1-ru",
    .blurb = "A readout unit of the Level-1 farm: DMA engine, tags in and out",
    .links = links,
    .datagram_links = 3,
    .mutants = gw_l1_ru_mutants,
    .num_mutants = GW_L1_RU_NUM_MUTANTS,
    .file = &file,
    .format = &gw_l1farm,
    .size = sizeof(gw_l1_ru),
    .init = ru_init,
    .step = ru_step,
    .fini = gw_l1_fini,
};
