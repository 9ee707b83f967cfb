/* SPDX-License-Identifier: BSD-2-Clause */
/* The software readout unit: a tag in, a burst, a tag out (T 7.2). */
#include <string.h>

#include "goldwire/cursor.h"
#include "goldwire/writer.h"
#include "l1.h"

/* Transfers in one step of the board; what is left goes on a moment later. */
#define AT_ONCE 64
#define MOMENT_NS INT64_C(1000000)

static bool faulty(const gw_l1_ru *r, gw_l1_ru_fault fault)
{
    return (r->faults >> fault & 1) != 0;
}

/* ---- bursts ---- */

static uint32_t burst(gw_l1_ru *r, uint32_t target, uint32_t len, uint16_t index)
{
    uint8_t datagram[GW_L1_SHIM + GW_L1_SUBEVENT_MAX];
    bool whole =
        faulty(r, L1_RU_FAULT_NO_SPLIT) || (len > 1024 && faulty(r, L1_RU_FAULT_LARGE_UNSPLIT));
    uint32_t most = whole ? GW_L1_SUBEVENT_MAX : GW_L1_BURST;
    uint32_t now = len < most ? len : most;
    gw_l1_shim s = {.version = 1,
                    .kind = GW_L1_KIND_SUBEVENT,
                    .little = true,
                    .ru = (uint8_t)r->setup.node,
                    .buffer = target >> 12 & 15,
                    .dest = target >> 16 & (GW_L1_DEST - 1),
                    .event = r->tag_id,
                    .step = r->step,
                    .offset = target & 0xfff,
                    .length = (uint16_t)now};

    gw_l1_put_shim(datagram, &s);
    for (uint32_t i = 0; i < now / GW_L1_WORD; i++)
        gw_l1_put_words(datagram + GW_L1_SHIM + (size_t)i * GW_L1_WORD, r->tag_id,
                        faulty(r, L1_RU_FAULT_INDEX_STANDS) ? 0 : (uint16_t)(index + i), 1);
    if (r->way.connected)
        r->way.out->send(r->way.out, GW_L1_LINK_OUT, r->way.conn, datagram,
                         (size_t)GW_L1_SHIM + now);
    return now;
}

/* One transfer by descriptor |which|: whole words, no more than a buffer holds. */
static void transfer(gw_l1_ru *r, uint32_t which)
{
    size_t at = (size_t)which % GW_L1_DESCRIPTORS * GW_L1_DESCRIPTOR;
    gw_l1_descriptor d = gw_l1_get_descriptor(r->descbuf + at, r->profile);
    uint64_t asked = (uint64_t)d.blocksize * r->profile->unit;
    uint32_t len = asked < GW_L1_SUBEVENT_MAX ? (uint32_t)asked : GW_L1_SUBEVENT_MAX;

    len -= len % GW_L1_WORD;
    if (faulty(r, L1_RU_FAULT_SHORT) && len > 0)
        len -= GW_L1_WORD;
    if (faulty(r, L1_RU_FAULT_WHOLE_BURSTS) && len > GW_L1_BURST)
        len = (len + GW_L1_BURST - 1) / GW_L1_BURST * GW_L1_BURST;
    for (uint32_t done = 0; done < len;) {
        r->tag_id += done > 0 && faulty(r, L1_RU_FAULT_TAG_A_BURST);
        done += burst(r, d.target + done, len - done, (uint16_t)(done / GW_L1_WORD));
    }
    r->tag_id++;
    if (asked % GW_L1_WORD != 0 && faulty(r, L1_RU_FAULT_ODD_REST))
        (void)burst(r, d.target + len, GW_L1_WORD, 0);
}

static void transfer_next(gw_l1_ru *r)
{
    uint32_t last = r->descs;

    if (faulty(r, L1_RU_FAULT_SHORT_POINTER) && last > 31)
        last = 31;
    transfer(r, r->pointer);
    if (r->pointer < last)
        r->pointer++;
    else if (!faulty(r, L1_RU_FAULT_NO_WRAP))
        r->pointer = 0;
    if (r->pointer == 0 && faulty(r, L1_RU_FAULT_LOOP_ONCE))
        r->endless = false;
}

/* ---- triggers ---- */

static uint32_t transfers_of(const gw_l1_ru *r)
{
    uint32_t transfers = r->dmacntrl >> GW_L1_DMA_TRANSFERS_SHIFT;

    if (faulty(r, L1_RU_FAULT_ALWAYS_ONE) && transfers > 0)
        return 1;
    if (faulty(r, L1_RU_FAULT_ZERO_IS_ONE) && transfers == 0)
        return 1;
    if ((r->dmacntrl & GW_L1_DMA_LOOP) == 0 && transfers > r->descs + 1)
        return r->descs + 1;
    return transfers;
}

static void work(gw_l1_ru *r)
{
    unsigned done = 0;

    while ((r->pending > 0 || r->endless) && done < AT_ONCE) {
        transfer_next(r);
        r->pending -= r->pending > 0;
        done++;
    }
    if (r->pending == 0 && !r->endless && done > 0)
        r->dmacntrl |= GW_L1_DMA_STATUS;
}

static void trigger(gw_l1_ru *r)
{
    r->dmacntrl &= ~GW_L1_DMA_STATUS;
    r->pending = transfers_of(r);
    r->endless = (r->dmacntrl & GW_L1_DMA_MODE) == GW_L1_DMA_LOOP && r->pending > 0;
    work(r);
}

static void count_tag(gw_l1_ru *r)
{
    r->tags += faulty(r, L1_RU_FAULT_COUNTS_TWICE) ? 2 : 1;
}

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

static void set_busy(gw_l1_ru *r, bool busy)
{
    if (r->busy != busy)
        put_edge(r, GW_L1_LINK_IN, GW_L1_BON, busy);
    r->busy = busy;
}

static void pulse_out(gw_l1_ru *r)
{
    unsigned times = faulty(r, L1_RU_FAULT_FORWARDS_TWICE) ? 2 : 1;

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
        r->tags += faulty(r, L1_RU_FAULT_COUNTS_DISCARDED);
        if (faulty(r, L1_RU_FAULT_BUSY_ADVANCES))
            r->pointer = r->pointer < r->descs ? r->pointer + 1 : 0;
        if (faulty(r, L1_RU_FAULT_SECOND_PUSHES))
            pulse_out(r);
        if (faulty(r, L1_RU_FAULT_SECOND_REPLACES))
            r->held = false;
        return;
    }
    set_busy(r, true);
    count_tag(r);
    trigger(r);
    r->held = true;
    if (!r->next_busy || faulty(r, L1_RU_FAULT_IGNORES_BUSY))
        pulse_out(r);
}

static void take_next_busy(gw_l1_ru *r, bool busy)
{
    r->next_busy = busy;
    if (busy || !r->held)
        return;
    if (faulty(r, L1_RU_FAULT_LOSES_HELD)) {
        r->held = false;
        set_busy(r, false);
        return;
    }
    pulse_out(r);
}

static void take_edge(gw_l1_ru *r, const gw_l1_unit *u)
{
    const gw_l1_edge *e = &u->u.edge;

    bool tag = e->line == GW_L1_TIN ||
               ((e->line == GW_L1_TON || e->line == GW_L1_BON) && faulty(r, L1_RU_FAULT_ANY_LINE));

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
    s.step = shim->step + (faulty(r, L1_RU_FAULT_STEP_STANDS) ? 0 : 1);
    uint32_t code = gw_l1_tag_encode(dest, (gw_l1_code)r->profile->code);
    gw_store_be(word, faulty(r, L1_RU_FAULT_FORWARDS_UNCODED) ? dest : code, 4);
    gw_l1_send(&r->way, &s, word);
    if (faulty(r, L1_RU_FAULT_FORWARDS_TWICE))
        gw_l1_send(&r->way, &s, word);
}

static void take_dest(gw_l1_ru *r, const gw_l1_shim *shim, uint16_t dest)
{
    bool unmapped = dest == r->descs && faulty(r, L1_RU_FAULT_LAST_UNMAPPED);

    if (dest <= r->descs && !unmapped)
        transfer(r, faulty(r, L1_RU_FAULT_SMALL_TABLE) ? dest % 20u : dest);
    else if (faulty(r, L1_RU_FAULT_UNMAPPED_IS_FIRST))
        transfer(r, 0);
    forward(r, shim, dest);
}

static void take_tag(gw_l1_ru *r, const gw_l1_unit *u)
{
    gw_l1_tag tag = u->u.tag;
    bool lost = tag.status == GW_L1_TAG_FATAL ||
                (tag.status == GW_L1_TAG_CORRECTED && faulty(r, L1_RU_FAULT_NO_CORRECTION));

    if ((r->dmacntrl & GW_L1_DMA_TAGNET) == 0)
        return;
    if (lost && faulty(r, L1_RU_FAULT_TAKES_FATAL)) {
        tag.dest = 0;
        lost = false;
    }
    if (lost) {
        r->discarded++;
        r->tag_id += faulty(r, L1_RU_FAULT_FATAL_IS_EVENT);
        return;
    }
    r->corrected += tag.status == GW_L1_TAG_CORRECTED;
    r->step = u->shim.step;
    r->step += tag.status == GW_L1_TAG_CORRECTED && faulty(r, L1_RU_FAULT_CORRECTED_LATE);
    count_tag(r);
    take_dest(r, &u->shim, tag.dest);
    if (tag.status == GW_L1_TAG_CORRECTED && faulty(r, L1_RU_FAULT_CORRECTED_TWICE))
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
    bool pure = value == GW_L1_DMA_CLEAR || !faulty(r, L1_RU_FAULT_PURE_CLEAR);

    if ((value & GW_L1_DMA_CLEAR) != 0 && pure) {
        r->pointer = 0;
        r->pending = 0;
        r->endless = r->endless && faulty(r, L1_RU_FAULT_CLEAR_LETS_RUN);
        if (!faulty(r, L1_RU_FAULT_CLEAR_KEEPS_TAG))
            r->tag_id = 0;
    }
    if (!faulty(r, L1_RU_FAULT_RESERVED_STICK))
        value &= ~GW_L1_DMA_RESERVED;
    if (faulty(r, L1_RU_FAULT_SHORT_TRANSFERS))
        value &= (UINT32_C(1) << (GW_L1_DMA_TRANSFERS_SHIFT + 16)) - 1;
    r->dmacntrl = value & ~(GW_L1_DMA_START | GW_L1_DMA_STATUS | GW_L1_DMA_CLEAR);
    if ((value & GW_L1_DMA_START) != 0)
        trigger(r);
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
    else if (reg->offset == GW_L1_DESCS && faulty(r, L1_RU_FAULT_ANY_DESCS))
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

    if (faulty(r, L1_RU_FAULT_FAR_DESCRIPTORS))
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
        work(r);
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

const gw_board gw_l1_ru_board = {
    .role = "l1-ru",
    .blurb = "A readout unit of the Level-1 farm: DMA engine, tags in and out",
    .links = links,
    .datagram_links = 3,
    .mutants = gw_l1_ru_mutants,
    .num_mutants = GW_L1_RU_NUM_MUTANTS,
    .format = &gw_l1farm,
    .size = sizeof(gw_l1_ru),
    .init = ru_init,
    .step = ru_step,
    .fini = gw_l1_fini,
};
