/* SPDX-License-Identifier: BSD-2-Clause */
/* The software readout unit: a tag in, a burst, a tag out (T 7.2). */
#include <string.h>

#include "formats/l1farm/board.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

/* When the DMA engine goes on with what is left. */
#define MOMENT_NS INT64_C(1000000)

/* ---- tag lines ---- */

static void count_tag(gw_l1_ru *r)
{
    r->tags += gw_l1_ru_faulty(r, L1_RU_FAULT_COUNTS_TWICE) ? 2 : 1;
}

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

static void set_busy(gw_l1_ru *r, bool busy)
{
    if (r->busy != busy)
        put_edge(r, GW_L1_LINK_IN, GW_L1_BON, busy);
    r->busy = busy;
}

static void pulse_out(gw_l1_ru *r)
{
    unsigned times = gw_l1_ru_faulty(r, L1_RU_FAULT_FORWARDS_TWICE) ? 2 : 1;

    for (unsigned i = 0; i < times; i++) {
        put_edge(r, GW_L1_LINK_OUT, GW_L1_TON, 1);
        put_edge(r, GW_L1_LINK_OUT, GW_L1_TON, 0);
    }
    r->held = false;
    set_busy(r, false);
}

/* The tag goes on when the next unit is free; until then it waits, and so does the one before. */
static void pulse_in(gw_l1_ru *r)
{
    if ((r->dmacntrl & GW_L1_DMA_TAGNET) == 0)
        return;
    if (r->held) {
        r->discarded++; /* it came while busy was asserted */
        r->tags += gw_l1_ru_faulty(r, L1_RU_FAULT_COUNTS_DISCARDED);
        if (gw_l1_ru_faulty(r, L1_RU_FAULT_BUSY_ADVANCES))
            r->pointer = r->pointer < r->descs ? r->pointer + 1 : 0;
        if (gw_l1_ru_faulty(r, L1_RU_FAULT_SECOND_PUSHES))
            pulse_out(r);
        if (gw_l1_ru_faulty(r, L1_RU_FAULT_SECOND_REPLACES))
            r->held = false;
        return;
    }
    set_busy(r, true);
    count_tag(r);
    gw_l1_ru_trigger(r);
    r->held = true;
    if (!r->next_busy || gw_l1_ru_faulty(r, L1_RU_FAULT_IGNORES_BUSY))
        pulse_out(r);
}

static void take_next_busy(gw_l1_ru *r, bool busy)
{
    r->next_busy = busy;
    if (busy || !r->held)
        return;
    if (gw_l1_ru_faulty(r, L1_RU_FAULT_LOSES_HELD)) {
        r->held = false;
        set_busy(r, false);
        return;
    }
    pulse_out(r);
}

static void take_edge(gw_l1_ru *r, const gw_l1_unit *u)
{
    const gw_l1_edge *e = &u->u.edge;

    bool tag = e->line == GW_L1_TIN || ((e->line == GW_L1_TON || e->line == GW_L1_BON) &&
                                        gw_l1_ru_faulty(r, L1_RU_FAULT_ANY_LINE));

    if (tag && e->edge == 1) {
        r->step = u->shim.step;
        pulse_in(r);
    } else if (e->line == GW_L1_BIN) {
        take_next_busy(r, e->edge == 1);
    }
}

/* ---- coded tags ---- */

static void forward(gw_l1_ru *r, const gw_l1_shim *shim, uint16_t dest)
{
    uint8_t word[4];
    gw_l1_shim s = *shim;

    s.ru = (uint8_t)(r->setup.node + 1);
    s.step = shim->step + (gw_l1_ru_faulty(r, L1_RU_FAULT_STEP_STANDS) ? 0 : 1);
    uint32_t code = gw_l1_tag_encode(dest, (gw_l1_code)r->profile->code);
    gw_store_be(word, gw_l1_ru_faulty(r, L1_RU_FAULT_FORWARDS_UNCODED) ? dest : code, 4);
    gw_l1_send(&r->way, &s, word);
    if (gw_l1_ru_faulty(r, L1_RU_FAULT_FORWARDS_TWICE))
        gw_l1_send(&r->way, &s, word);
}

static void take_dest(gw_l1_ru *r, const gw_l1_shim *shim, uint16_t dest)
{
    bool unmapped = dest == r->descs && gw_l1_ru_faulty(r, L1_RU_FAULT_LAST_UNMAPPED);

    if (dest <= r->descs && !unmapped)
        gw_l1_ru_transfer(r, gw_l1_ru_faulty(r, L1_RU_FAULT_SMALL_TABLE) ? dest % 20u : dest);
    else if (gw_l1_ru_faulty(r, L1_RU_FAULT_UNMAPPED_IS_FIRST))
        gw_l1_ru_transfer(r, 0);
    forward(r, shim, dest);
}

static void take_tag(gw_l1_ru *r, const gw_l1_unit *u)
{
    gw_l1_tag tag = u->u.tag;
    bool lost = tag.status == GW_L1_TAG_FATAL || (tag.status == GW_L1_TAG_CORRECTED &&
                                                  gw_l1_ru_faulty(r, L1_RU_FAULT_NO_CORRECTION));

    if ((r->dmacntrl & GW_L1_DMA_TAGNET) == 0)
        return;
    if (lost && gw_l1_ru_faulty(r, L1_RU_FAULT_TAKES_FATAL)) {
        tag.dest = 0;
        lost = false;
    }
    if (lost) {
        r->discarded++;
        r->tag_id += gw_l1_ru_faulty(r, L1_RU_FAULT_FATAL_IS_EVENT);
        return;
    }
    r->corrected += tag.status == GW_L1_TAG_CORRECTED;
    r->step = u->shim.step;
    r->step += tag.status == GW_L1_TAG_CORRECTED && gw_l1_ru_faulty(r, L1_RU_FAULT_CORRECTED_LATE);
    count_tag(r);
    take_dest(r, &u->shim, tag.dest);
    if (tag.status == GW_L1_TAG_CORRECTED && gw_l1_ru_faulty(r, L1_RU_FAULT_CORRECTED_TWICE))
        take_dest(r, &u->shim, tag.dest);
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

static void write_control(gw_l1_ru *r, uint32_t value)
{
    bool pure = value == GW_L1_DMA_CLEAR || !gw_l1_ru_faulty(r, L1_RU_FAULT_PURE_CLEAR);

    if ((value & GW_L1_DMA_CLEAR) != 0 && pure) {
        r->pointer = 0;
        r->pending = 0;
        r->endless = r->endless && gw_l1_ru_faulty(r, L1_RU_FAULT_CLEAR_LETS_RUN);
        if (!gw_l1_ru_faulty(r, L1_RU_FAULT_CLEAR_KEEPS_TAG))
            r->tag_id = 0;
    }
    if (!gw_l1_ru_faulty(r, L1_RU_FAULT_RESERVED_STICK))
        value &= ~GW_L1_DMA_RESERVED;
    if (gw_l1_ru_faulty(r, L1_RU_FAULT_SHORT_TRANSFERS))
        value &= (UINT32_C(1) << (GW_L1_DMA_TRANSFERS_SHIFT + 16)) - 1;
    r->dmacntrl = value & ~(GW_L1_DMA_START | GW_L1_DMA_STATUS | GW_L1_DMA_CLEAR);
    if ((value & GW_L1_DMA_START) != 0)
        gw_l1_ru_trigger(r);
}

static void write_register(gw_l1_ru *r, const gw_l1_register *reg)
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
    else if (reg->offset == GW_L1_DESCS && gw_l1_ru_faulty(r, L1_RU_FAULT_ANY_DESCS))
        r->descs = GW_L1_DESCRIPTORS; /* as it reads; its memory is not outgrown */
}

static void take_register(gw_l1_ru *r, const gw_l1_unit *u)
{
    uint8_t datagram[GW_L1_SHIM + 8];
    gw_l1_shim s = {.version = 1, .kind = GW_L1_KIND_REGISTER, .length = 8};
    const gw_l1_register *reg = &u->u.reg;

    if (reg->op == GW_L1_WRITE && reg->has_value)
        write_register(r, reg);
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

    if (gw_l1_ru_faulty(r, L1_RU_FAULT_FAR_DESCRIPTORS))
        at %= GW_L1_DESCBUF_BYTES;
    if (at > GW_L1_DESCBUF_BYTES || u->data_len > GW_L1_DESCBUF_BYTES - at)
        return;
    memcpy(r->descbuf + at, u->data, u->data_len);
}

/* ---- the board ---- */

static void take(gw_l1_ru *r, const gw_l1_unit *u)
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
    gw_l1_ru fresh = {.faults = r->faults,
                      .dialect = r->dialect,
                      .profile = r->profile,
                      .setup = r->setup,
                      .way = r->way,
                      .in_conn = r->in_conn};
    *r = fresh;
}

static bool ru_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    gw_l1_ru *r = state;

    (void)why;
    (void)why_cap;
    memset(r, 0, sizeof(*r));
    r->faults = config->mutant != NULL ? config->mutant->faults : 0;
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
            take(r, &u);
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
